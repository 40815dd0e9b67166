"""The schemas that hold at a place → the type of what they assert themselves, JSON kind by JSON kind.

Must not look at references or choices (their types are joined afterwards). A kind that no schema speaks of is any value of
that kind; assertions of several schemas meet.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from codegen.facts import kind_of
from codegen.formats import FORMATS
from codegen.model import (
    JSON_KINDS,
    AnyJson,
    Boolean,
    ByKind,
    Choice,
    Doc,
    Integer,
    Is,
    JsonKind,
    JsonValue,
    Key,
    Limit,
    ListOf,
    Literals,
    Member,
    Never,
    NonNull,
    Null,
    Nullable,
    Number,
    Pattern,
    Ref,
    Text,
    TupleOf,
    Type,
)
from codegen.pointer import Origin
from codegen.resolve import docs, records
from codegen.resolve.flatten import Node, allowed_kinds, asserts, type_names
from codegen.resolve.meet import checked, higher, identity, lower, meet, plain

if TYPE_CHECKING:
    from codegen.document import Schema
    from codegen.resolve.interpret import Interpreter


def has_literals(tree: Node) -> bool:
    """An ``enum`` or ``const`` holds at the place."""
    return any(node.schema.has("enum") or node.schema.has("const") for node in tree.nodes() if _speaks(node))


def own_type(reader: Interpreter, tree: Node, record_key: Key) -> Type:
    """The type of what the tree's schemas assert themselves. A record among it is entered under ``record_key``."""
    nodes = list(tree.nodes())
    false = next((node for node in nodes if node.schema.boolean is False), None)
    if false is not None:
        return Never(origin=false.schema.origin)
    kinds = allowed_kinds(tree)
    excluding = next((node for node in nodes if _excludes_null(node.schema)), None)
    if excluding is not None:
        kinds -= {"null"}
    at = _kind_place(tree)
    if not kinds:
        typed = (node.schema.at("type") for node in nodes if node.schema.has("type"))
        return Never(origin=at, against=next((place for place in typed if place != at), None))
    literals = _literals(nodes)
    if literals is None:
        return _by_kind(reader, tree, kinds, at, record_key, excluding)
    values = tuple(value for value in literals.values if kind_of(value) in kinds and _fits(nodes, value))
    if not values:
        return Never(origin=literals.origin, against=None if at == tree.schema.origin else at)
    # A kind that ``type`` admits and no value is of is refused by the values alone.
    by_type = _typed_at_all(tree) and kinds == frozenset(map(kind_of, values))
    kind_at = at if by_type and not literals.origin.pointer.endswith("/const") else None
    type_ = Literals(values=values, kind_at=kind_at, origin=literals.origin)
    bounds = _by_kind(reader, tree, frozenset(map(kind_of, values)), at, record_key, None)
    if _says_more(bounds):
        return checked(type_, (Is(type=bounds, origin=bounds.origin),), bounds.origin)
    return type_


def _speaks(node: Node) -> bool:
    return node.schema.boolean is None


def _kind_place(tree: Node) -> Origin:
    """Where a value of a wrong kind is refused: the innermost ``type``, else the schema."""
    for node in reversed(list(tree.nodes())):
        if _speaks(node) and node.schema.has("type"):
            return node.schema.at("type")
    return tree.schema.origin


def _excludes_null(schema: Schema) -> bool:
    return excluded_null(schema) is not None


def excluded_null(schema: Schema) -> Origin | None:
    """The place of a ``not`` that refuses null and nothing else."""
    if schema.boolean is not None:
        return None
    refused = schema.one("not")
    if refused is None or refused.boolean is not None:
        return None
    words = asserts(refused)
    if words == {"type"} and type_names(refused) == ("null",):
        return schema.at("not")
    if (words == {"const"} and refused.get("const") is None) or (words == {"enum"} and refused.get("enum") == [None]):
        return schema.at("not")
    return None


def _literals(nodes: list[Node]) -> Literals | None:
    """The values that every ``enum`` and ``const`` of the place allows."""
    found: Literals | None = None
    for node in nodes:
        for keyword in ("enum", "const"):
            if not _speaks(node) or not node.schema.has(keyword):
                continue
            value = node.schema.get(keyword)
            listed: list[JsonValue] = value if keyword == "enum" and isinstance(value, list) else [value]
            distinct: dict[Hashable, JsonValue] = {}
            for item in listed:
                distinct.setdefault(identity(item), item)
            allowed = distinct.keys() if found is None else set(map(identity, found.values))
            values = tuple(item for key, item in distinct.items() if key in allowed)
            found = Literals(values=values, origin=node.schema.at(keyword))
    return found


def _fits(nodes: list[Node], value: JsonValue) -> bool:
    """A literal of kind number fits every ``type: integer`` of the place."""
    if isinstance(value, bool) or not isinstance(value, float):
        return True
    for node in nodes:
        names = type_names(node.schema) if _speaks(node) else None
        integer = names is not None and "number" not in names
        if integer and (node.schema.dialect.literal_integers or not value.is_integer()):
            return False
    return True


def _says_more(type_: Type) -> bool:
    """A type asserts more than JSON kinds."""
    match type_:
        case Nullable(inner=inner) | NonNull(inner=inner):
            return _says_more(inner)
        case Choice(members=members):
            return any(_says_more(member.type) for member in members)
        case _:
            bare = isinstance(type_, Integer) and type_.minimum is type_.maximum is None and not type_.literal
            return not plain(type_) and not bare


# --- kind by kind -----------------------------------------------------------------------------------------------------


def _by_kind(
    reader: Interpreter, tree: Node, kinds: frozenset[JsonKind], at: Origin, record_key: Key, excluding: Node | None
) -> Type:
    typed = {kind: _of_kind(reader, tree, kind, at, record_key) for kind in JSON_KINDS if kind in kinds}
    everything = kinds >= frozenset(JSON_KINDS) - {"null"}
    if (
        everything
        and _typed_at_all(tree)
        and all(plain(type_) and not isinstance(type_, Integer) for type_ in typed.values())
    ):
        anything = AnyJson(origin=tree.schema.origin)
        return anything if "null" in kinds else NonNull(inner=anything, origin=at)
    if everything and not _typed_at_all(tree):
        return _open_kinds(typed, tree, at, excluding)
    if len(typed) == 1:
        return next(iter(typed.values()))
    if "null" in typed and len(typed) == 2:
        return Nullable(inner=next(type_ for kind, type_ in typed.items() if kind != "null"), origin=at)
    return _choice(list(typed.items()), at)


def _typed_at_all(tree: Node) -> bool:
    return any(_speaks(node) and node.schema.has("type") for node in tree.nodes())


def _open_kinds(typed: dict[JsonKind, Type], tree: Node, at: Origin, excluding: Node | None) -> Type:
    """No ``type`` holds: kinds that are spoken of keep their types, the others share any JSON."""
    spoken = [(kind, type_) for kind, type_ in typed.items() if not plain(type_)]
    anything: Type = AnyJson(origin=tree.schema.origin)
    if excluding is not None:
        anything = NonNull(inner=anything, origin=excluding.schema.at("not"))
    if not spoken:
        return anything
    silent = [kind for kind in typed if all(kind != k for k, _ in spoken)]
    members = [Member(type=type_, doc=Doc(), origin=type_.origin) for _, type_ in spoken]
    cases: list[tuple[JsonKind, int]] = [(kind, i) for i, (kind, _) in enumerate(spoken)]
    if silent:
        members.append(Member(type=anything, doc=Doc(), origin=at))
        cases += [(kind, len(spoken)) for kind in silent]
    choice = Choice(members=tuple(members), exclusive=False, dispatch=ByKind(cases=tuple(cases)), origin=at)
    if any(isinstance(type_, Ref) for _, type_ in spoken):
        return choice
    return checked(anything, (Is(type=choice, origin=at),), at)


def _choice(typed: list[tuple[JsonKind, Type]], at: Origin) -> Choice:
    members = tuple(Member(type=type_, doc=Doc(), origin=type_.origin) for _, type_ in typed)
    cases = tuple((kind, i) for i, (kind, _) in enumerate(typed))
    return Choice(members=members, exclusive=False, dispatch=ByKind(cases=cases), origin=at)


def _of_kind(reader: Interpreter, tree: Node, kind: JsonKind, at: Origin, record_key: Key) -> Type:
    if kind == "object":
        return records.object_type(reader, tree, record_key, at)
    found: Type | None = None
    for node in tree.nodes():
        if not _speaks(node):
            continue
        type_ = _of_node(reader, node, kind, at)
        found = type_ if found is None else meet(found, type_, reader.literals_of)
    assert found is not None
    return found


def _of_node(reader: Interpreter, node: Node, kind: JsonKind, at: Origin) -> Type:
    schema = node.schema
    place = schema.at("type") if schema.has("type") else at
    match kind:
        case "null":
            return Null(origin=place)
        case "boolean":
            return Boolean(origin=place)
        case "number":
            return _number(schema, place)
        case "string":
            return _text(schema, place)
        case _:
            return _array(reader, node, place)


def limit(schema: Schema, keyword: str, *, exclusive: bool = False) -> Limit | None:
    """The bound that a keyword states; None where it is absent."""
    value = schema.get(keyword)
    if not isinstance(value, int | float):
        return None
    return Limit(value=value, exclusive=exclusive, origin=schema.at(keyword))


def _number(schema: Schema, place: Origin) -> Type:
    minimum = higher(limit(schema, "minimum"), limit(schema, "exclusiveMinimum", exclusive=True))
    maximum = lower(limit(schema, "maximum"), limit(schema, "exclusiveMaximum", exclusive=True))
    names = type_names(schema)
    written = schema.get("format")
    format_ = written if isinstance(written, str) else None
    if names is not None and "integer" in names and "number" not in names:
        literal = schema.dialect.literal_integers
        return Integer(minimum=minimum, maximum=maximum, literal=literal, format=format_, origin=place)
    return Number(minimum=minimum, maximum=maximum, format=format_, origin=place)


def _text(schema: Schema, place: Origin) -> Text:
    pattern = schema.get("pattern")
    words = {name: schema.get(name) for name in ("format", "contentEncoding", "contentMediaType")}
    text = {name: value if isinstance(value, str) else None for name, value in words.items()}
    patterns = (Pattern(source=pattern, origin=schema.at("pattern")),) if isinstance(pattern, str) else ()
    if schema.format is not None:
        at = schema.at("format")
        patterns = (*patterns, Pattern(source=FORMATS[schema.format], format=schema.format, origin=at))
    return Text(
        min_length=limit(schema, "minLength"),
        max_length=limit(schema, "maxLength"),
        patterns=patterns,
        format=text["format"],
        encoding=text["contentEncoding"],
        media_type=text["contentMediaType"],
        origin=place,
    )


def _array(reader: Interpreter, node: Node, place: Origin) -> Type:
    schema = node.schema
    low, high = limit(schema, "minItems"), limit(schema, "maxItems")
    rest = schema.one("items")
    rest_type = None if rest is None else reader.type_of(rest, node.scope)
    prefix = schema.many("prefixItems")
    if prefix:
        items = tuple(reader.type_of(item, node.scope) for item in prefix)
        told = tuple(docs.doc(part) for part in (*prefix, *([] if rest is None else [rest])))
        return TupleOf(items=items, rest=rest_type, min_items=low, max_items=high, docs=told, origin=place)
    item = AnyJson(origin=schema.origin) if rest_type is None else rest_type
    doc = Doc() if rest is None else docs.doc(rest)
    return ListOf(item=item, min_items=low, max_items=high, doc=doc, origin=place)
