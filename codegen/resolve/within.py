"""Members beside ``anyOf`` or ``oneOf`` → variants that declare them too.

``{properties: {id: …}, oneOf: [A, B]}`` is one object in two forms, each of which has ``id``. Both spellings accept the same
values; this one gives every member a type. Must not be used where a branch is no object of its own: then the choice gives
the shape and the members stay a check.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codegen.document import Schema
from codegen.model import Choice, Member, Type
from codegen.resolve import checks, choices, docs, flatten, records
from codegen.resolve.flatten import Node

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
    """The choice of the forms, each entered as a record with the members of the place and its own."""
    members = []
    for form in parts:
        key = reader.key(form.branch, tree.scope, "within")
        whole = Node(tree.schema, tree.scope, tree.home, None, tree.inner, (form.tree,))
        own = checks.residual(reader, form.tree)
        type_ = records.record(reader, whole, key, own, chosen=form.branch if keyword == "oneOf" else None)
        reader.describe(key, form.branch)
        members.append(Member(type=type_, doc=docs.doc(form.branch), origin=form.branch.origin))
    at = tree.schema.at(keyword)
    return Choice(members=tuple(members), exclusive=keyword == "oneOf", dispatch=choices.UNDECIDED, origin=at)
