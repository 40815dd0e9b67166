"""The schemas that hold at a place → the object they describe together: flat fields, extras, mixins.

Must not decide whether the place is an object at all (``kinds`` does). Every schema of the tree may declare members, demand
them, and judge the members that it does not declare itself; a field's type is what all of them accept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from codegen.document import Schema
from codegen.model import (
    AnyJson,
    Check,
    Closed,
    Default,
    Doc,
    Each,
    Extras,
    Field,
    Is,
    Key,
    MapOf,
    MixinUse,
    Never,
    Notes,
    Open,
    Pattern,
    Record,
    Ref,
    Seen,
    Type,
    Typed,
    Unevaluated,
)
from codegen.patterns import translate
from codegen.pointer import Origin
from codegen.resolve import checks, docs, flatten
from codegen.resolve.flatten import Node, asserts
from codegen.resolve.meet import checked, meet
from codegen.resolve.spelling import UNNAMED

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter


@dataclass(frozen=True, slots=True)
class Rest:
    """What one keyword says of the members that neither ``names`` nor ``patterns`` cover."""

    names: frozenset[str]
    patterns: tuple[str, ...]
    type: Type
    origin: Origin

    def covers(self, name: str) -> bool:
        """The keyword says nothing of this member."""
        return name in self.names or any(matches(pattern, name) for pattern in self.patterns)


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern))


def matches(pattern: str, name: str) -> bool:
    """A member name matches a contract's pattern."""
    return _compiled(pattern).search(name) is not None


def is_record(tree: Node) -> bool:
    """The place declares members by name, or closes an object: it deserves a class. Else it is a map."""
    nodes = [node for node in tree.nodes() if node.schema.boolean is None]
    if any(node.schema.has("properties") or node.schema.get("required") for node in nodes):
        return True
    ruling = [
        (node, keyword)
        for node in nodes
        for keyword in ("patternProperties", "additionalProperties", "unevaluatedProperties")
        if node.schema.has(keyword)
    ]
    if len(ruling) <= 1:
        return any(_closes(node, keyword) for node, keyword in ruling)
    # One pattern and nothing else, said by one schema, is a map whose names match the pattern.
    schema = ruling[0][0].schema
    one_pattern = len(ruling) == 2 and ruling[0][0] is ruling[1][0] and len(schema.named("patternProperties")) == 1
    return not (one_pattern and _closes(ruling[0][0], "additionalProperties"))


def _closes(node: Node, keyword: str) -> bool:
    schema = node.schema.one(keyword) if keyword != "patternProperties" else None
    return schema is not None and schema.boolean is False


def object_type(reader: Interpreter, tree: Node, key: Key, at: Origin) -> Type:
    """The type of the place's objects: a map, or a record that is entered under ``key``."""
    if is_record(tree):
        return record(reader, tree, key, (), at)
    nodes = [node for node in tree.nodes() if node.schema.boolean is None]
    rests, dynamic = _rests(reader, tree)
    patterns = _patterns(reader, nodes)
    found: Type = MapOf(value=AnyJson(origin=tree.schema.origin), origin=at)
    for rest in rests:
        if patterns and isinstance(rest.type, Never):
            pattern, value = patterns[0]
            found = MapOf(value=value, key_pattern=pattern, closed=rest.origin, origin=at)
        else:
            found = meet(found, MapOf(value=rest.type, origin=at), reader.literals_of)
    loose = () if isinstance(found, MapOf) and found.key_pattern is not None else _pattern_checks(patterns)
    return checked(found, (*loose, *dynamic), at)


def record(
    reader: Interpreter,
    tree: Node,
    key: Key,
    own_checks: tuple[Check, ...],
    at: Origin | None = None,
    chosen: Schema | None = None,
    elsewhere: tuple[Check, ...] = (),
) -> Ref:
    """Enter the record that the place describes under ``key``; the reference to it.

    ``chosen``: the branch of the place's choice that this record is a form of, which is the only one that can accept.
    ``elsewhere``: what the place's keywords demand and somebody else checks.
    """
    nodes = [node for node in tree.nodes() if node.schema.boolean is None]
    if at is None:
        at = next((n.schema.at("type") for n in reversed(nodes) if n.schema.has("type")), tree.schema.origin)
    rests, dynamic = _rests(reader, tree, chosen)
    patterns = _patterns(reader, nodes)
    fields = _fields(reader, tree, nodes, rests, patterns)
    extras, loose = _extras(tree, rests, patterns)
    mixins: dict[Key, MixinUse] = {}
    for node in tree.mixins():
        if node.mixin is not None:
            mixins.setdefault(node.home, MixinUse(key=node.home, origin=node.mixin))
    reader.place(
        Record(
            key=key,
            name=UNNAMED,
            doc=docs.doc(tree.schema),
            notes=docs.notes(tree.schema),
            fields=fields,
            extras=extras,
            mixins=tuple(mixins.values()),
            checks=(*own_checks, *loose, *(check for check in dynamic if check not in elsewhere)),
            kind_at=at,
            origin=tree.schema.origin,
        )
    )
    return Ref(key=key, origin=tree.schema.origin)


# --- members ----------------------------------------------------------------------------------------------------------


def _patterns(reader: Interpreter, nodes: list[Node]) -> list[tuple[Pattern, Type]]:
    found = []
    for node in nodes:
        place = node.schema.at("patternProperties") if node.schema.has("patternProperties") else None
        for source, schema in node.schema.named("patternProperties").items():
            assert place is not None
            found.append((Pattern(source=source, origin=place.at(source)), reader.type_of(schema, node.scope)))
    return found


def _fields(
    reader: Interpreter, tree: Node, nodes: list[Node], rests: list[Rest], patterns: list[tuple[Pattern, Type]]
) -> tuple[Field, ...]:
    declared: dict[str, list[tuple[Node, Schema]]] = {}
    required: dict[str, Origin] = {}
    for node in nodes:
        for name, schema in node.schema.named("properties").items():
            declared.setdefault(name, []).append((node, schema))
        names = node.schema.get("required")
        for demanded in names if isinstance(names, list) else ():
            required.setdefault(str(demanded), node.schema.at("required"))
    for name in required:
        declared.setdefault(name, [])
    return tuple(
        _field(reader, tree, name, places, required.get(name), rests, patterns) for name, places in declared.items()
    )


def _field(
    reader: Interpreter,
    tree: Node,
    name: str,
    places: list[tuple[Node, Schema]],
    required_at: Origin | None,
    rests: list[Rest],
    patterns: list[tuple[Pattern, Type]],
) -> Field:
    type_: Type | None = None
    narrows: list[Origin] = []
    doc, notes, default = Doc(), Notes(), None
    before: Origin | None = None
    for node, schema in places:
        own = reader.type_of(schema, node.scope)
        met = own if type_ is None else meet(type_, own, reader.literals_of)
        if before is not None and met != type_:
            narrows.append(before)
        type_, before = met, schema.origin
        own_doc = docs.doc(schema)
        doc = own_doc if own_doc.source else doc
        default = docs.default(schema) or default
        if schema.boolean is None:
            notes = _both(notes, _sent(reader, node, schema))
    for pattern, value in patterns:
        if matches(pattern.source, name):
            type_ = value if type_ is None else meet(type_, value, reader.literals_of)
    for rest in rests:
        if not rest.covers(name):
            type_ = rest.type if type_ is None else meet(type_, rest.type, reader.literals_of)
    origin = places[-1][1].origin if places else required_at or tree.schema.origin
    home = places[0][0].home if places else tree.home
    return Field(
        wire_name=name,
        type=AnyJson(origin=origin) if type_ is None else type_,
        required_at=required_at,
        default=default if isinstance(default, Default) else None,
        doc=doc,
        notes=notes,
        declared_in=home,
        narrows=tuple(narrows),
        origin=origin,
    )


def _sent(reader: Interpreter, node: Node, schema: Schema) -> Notes:
    """The annotations of a member. What its type says about reading and writing holds for the member as well: annotations are
    those of the value (JSON Schema 2020-12 core, 7.7)."""
    notes = docs.notes(schema)
    passed = {schema.origin}
    scope = node.scope
    lone = flatten.lone_reference(schema)
    while lone is not None:
        scope = reader.contract.enter(scope, lone)
        target = reader.target(lone, "$ref" if lone.has("$ref") else "$dynamicRef", scope)
        if target.boolean is not None or target.origin in passed:
            break
        passed.add(target.origin)
        there = docs.notes(target)
        notes = replace(
            notes,
            read_only=notes.read_only or there.read_only,
            write_only=notes.write_only or there.write_only,
            secret=notes.secret or there.secret,
        )
        lone = flatten.lone_reference(target)
    return notes


def _both(before: Notes, after: Notes) -> Notes:
    return Notes(
        deprecated=before.deprecated or after.deprecated,
        read_only=before.read_only or after.read_only,
        write_only=before.write_only or after.write_only,
        secret=before.secret or after.secret,
        external_docs=after.external_docs or before.external_docs,
        examples=after.examples or before.examples,
        extensions={**before.extensions, **after.extensions},
    )


# --- the members that are not declared --------------------------------------------------------------------------------


def depending(reader: Interpreter, tree: Node) -> tuple[Check, ...]:
    """Checks for the closing keywords of the tree whose reach depends on the value."""
    return _rests(reader, tree)[1]


def _rests(reader: Interpreter, tree: Node, chosen: Schema | None = None) -> tuple[list[Rest], tuple[Check, ...]]:
    """What each closing keyword of the tree says, and checks for those whose reach depends on the value."""
    rests: list[Rest] = []
    dynamic: list[Check] = []
    for node in tree.nodes():
        schema = node.schema
        if schema.boolean is not None:
            continue
        additional = schema.one("additionalProperties")
        if additional is not None and not _accepts_all(additional):
            names = frozenset(schema.named("properties"))
            type_ = reader.type_of(additional, node.scope)
            rests.append(Rest(names, tuple(schema.named("patternProperties")), type_, additional.origin))
        unevaluated = schema.one("unevaluatedProperties")
        if unevaluated is not None and not _accepts_all(unevaluated):
            seen = checks.seen_by(reader, node, "members", chosen)
            type_ = reader.type_of(unevaluated, node.scope)
            flat = _flat(seen)
            if flat is None:
                check = Unevaluated(of="members", seen=seen, type=type_, origin=unevaluated.origin)
                dynamic.append(check)
            elif not any(part.all for part in flat):
                all_names = frozenset(name for part in flat for name in part.names)
                all_patterns = tuple(pattern.source for part in flat for pattern in part.patterns)
                rests.append(Rest(all_names, all_patterns, type_, unevaluated.origin))
    return rests, tuple(dynamic)


def _accepts_all(schema: Schema) -> bool:
    return schema.boolean is True or (schema.boolean is None and not asserts(schema))


def _flat(seen: tuple[Seen, ...]) -> list[Seen] | None:
    """What is evaluated whatever the value; None when that depends on it."""
    found: list[Seen] = []
    for part in seen:
        if part.when is not None:
            if checks.sees_nothing(part):
                continue
            return None
        below = _flat(part.inner)
        if below is None:
            return None
        found += [part, *below]
    return found


def _extras(tree: Node, rests: list[Rest], patterns: list[tuple[Pattern, Type]]) -> tuple[Extras, tuple[Check, ...]]:
    """How undeclared members are judged, and checks where that is more than one class can say."""
    sources = {pattern.source for pattern, _ in patterns}
    if patterns and (len(rests) > 1 or any(set(rest.patterns) != sources for rest in rests)):
        loose = tuple(
            Unevaluated(
                of="members",
                seen=(
                    Seen(
                        names=tuple(sorted(rest.names)),
                        patterns=tuple(Pattern(source=source, origin=rest.origin) for source in rest.patterns),
                    ),
                ),
                type=rest.type,
                origin=rest.origin,
            )
            for rest in rests
        )
        return Open(origin=tree.schema.origin), (*_pattern_checks(patterns), *loose)
    kept = tuple(patterns)
    if not rests:
        return Open(patterns=kept, origin=tree.schema.origin), ()
    closing = next((rest for rest in rests if isinstance(rest.type, Never)), None)
    if closing is not None:
        return Closed(patterns=kept, origin=closing.origin), ()
    type_ = rests[0].type
    for rest in rests[1:]:
        type_ = meet(type_, rest.type, lambda ref: None)
    return Typed(value=type_, patterns=kept, origin=rests[0].origin), ()


def _pattern_checks(patterns: list[tuple[Pattern, Type]]) -> tuple[Check, ...]:
    return tuple(
        Each(of="values", check=Is(type=type_, origin=type_.origin), pattern=pattern, origin=pattern.origin)
        for pattern, type_ in patterns
    )
