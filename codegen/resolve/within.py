"""Members beside ``anyOf`` or ``oneOf`` → variants that declare them too.

``{properties: {id: …}, oneOf: [A, B]}`` is one object in two forms, each of which has ``id``. Both spellings accept the same
values; this one gives every member a type. Must not be used where a branch is no object of its own: then the choice gives
the shape and the members stay a check.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codegen.document import Schema
from codegen.model import Check, Choice, Closed, Literals, Member, Record, Ref, Type
from codegen.resolve import checks, choices, docs, flatten, records
from codegen.resolve.flatten import Node
from codegen.resolve.meet import checked, contains_json

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter


@dataclass(frozen=True, slots=True)
class Form:
    """One branch of a choice as an object of its own: the place it is spelled at, and the tree that holds there."""

    branch: Schema
    tree: Node


def forms(reader: Interpreter, tree: Node, keyword: str) -> tuple[Form, ...] | None:
    """The branches of the place's own ``keyword``, when the place is a record and each branch is an object that can be
    composed with it; else None."""
    if flatten.allowed_kinds(tree) != {"object"} or not records.is_record(tree) or len(tree.schema.many(keyword)) < 2:
        return None
    found = []
    for branch in tree.schema.many(keyword):
        scope = reader.contract.enter(tree.scope, branch)
        target = branch
        lone = flatten.lone_reference(branch) if branch.boolean is None else None
        if lone is not None:
            target = reader.target(lone, "$ref" if lone.has("$ref") else "$dynamicRef", scope)
            scope = reader.contract.enter(scope, target)
        if target.boolean is not None or flatten.lone_reference(target) is not None:
            return None
        below = flatten.composed(reader, target, scope, reader.key(target, scope))
        if below is None or choices.variants(reader, below):
            return None
        found.append(Form(branch, below))
    return tuple(found)


def choice(reader: Interpreter, tree: Node, keyword: str, parts: tuple[Form, ...]) -> Type:
    """The choice of the forms, each entered as a record with the members of the place and its own.

    What is evaluated beside the choice depends on every branch that accepts. Where branches exclude each other that is the
    form's own; else the whole is judged, not its forms.
    """
    together = records.depending(reader, tree)
    if together:
        alone = [_form(reader, tree, form, form.branch, ()) for form in parts]
        if all(one is other or _excludes(one, other, keyword == "oneOf") for one in alone for other in alone):
            together = ()
    members = []
    for form in parts:
        record = _form(reader, tree, form, None if together else form.branch, together)
        ref = Ref(key=record.key, origin=tree.schema.origin)
        members.append(Member(type=ref, doc=docs.doc(form.branch), origin=form.branch.origin))
    at = tree.schema.at(keyword)
    type_ = Choice(members=tuple(members), exclusive=keyword == "oneOf", dispatch=choices.UNDECIDED, origin=at)
    return checked(type_, together, tree.schema.origin)


def _form(reader: Interpreter, tree: Node, form: Form, chosen: Schema | None, elsewhere: tuple[Check, ...]) -> Record:
    key = reader.key(form.branch, tree.scope, "within")
    whole = Node(tree.schema, tree.scope, tree.home, None, tree.inner, (form.tree,))
    own = checks.residual(reader, form.tree)
    records.record(reader, whole, key, own, chosen=chosen, elsewhere=elsewhere)
    reader.describe(key, form.branch)
    record = reader.table[key]
    assert isinstance(record, Record)
    return record


def _excludes(one: Record, other: Record, closed: bool) -> bool:
    """No value of ``one`` is accepted by the branch that ``other`` is the form of, even where that branch closes nothing.
    ``closed``: what ``one`` does not declare is none of it."""
    fields = {field.wire_name: field for field in one.fields}
    for field in (field for field in other.fields if field.required):
        mine = fields.get(field.wire_name)
        if mine is None:
            if closed and _has_no_other(one, field.wire_name):
                return True
        elif mine.required and _disjoint(mine.type, field.type):
            return True
    return False


def _has_no_other(record: Record, name: str) -> bool:
    """No value of the record has a member of this name, which it does not declare."""
    extras = record.extras
    return isinstance(extras, Closed) and not any(
        records.matches(pattern.source, name) for pattern, _ in extras.patterns
    )


def _disjoint(one: Type, other: Type) -> bool:
    """Both are literals, and share none."""
    if not isinstance(one, Literals) or not isinstance(other, Literals):
        return False
    return not any(contains_json(other.values, value) for value in one.values)
