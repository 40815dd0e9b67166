"""Schemas that hold together → one schema, flat where that means the same.

Must not know a model: this is the algebra of JSON Schema 2020-12's keywords. Two schemas share one object only where no
keyword changes what another of them means; elsewhere they stand side by side in ``allOf``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from codegen.model import JSON_KINDS, JsonKind, JsonValue

Members: TypeAlias = "dict[str, JsonValue]"
Schema: TypeAlias = "bool | Members"

# Keywords that are judged together: what one means depends on whether the others stand beside it (core, 10 and 11).
_TOGETHER = (
    frozenset(("properties", "patternProperties", "additionalProperties")),
    frozenset(("prefixItems", "items")),
    frozenset(("contains", "minContains", "maxContains")),
    frozenset(("if", "then", "else")),
)
_UNEVALUATED = frozenset(("unevaluatedProperties", "unevaluatedItems"))
_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "dependentRequired")
_OF_KIND: dict[JsonKind, frozenset[str]] = {
    "null": frozenset(),
    "boolean": frozenset(),
    "number": frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format")),
    "string": frozenset(("minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType")),
    "array": frozenset(
        (
            *("items", "prefixItems", "minItems", "maxItems", "uniqueItems"),
            *("contains", "minContains", "maxContains"),
        )
    ),
    "object": frozenset(
        (
            *("properties", "patternProperties", "additionalProperties", "propertyNames", "required"),
            *("minProperties", "maxProperties", "dependentRequired"),
        )
    ),
}
"""Keywords that judge values of one kind and let the others pass."""


def joined(schemas: Iterable[Schema]) -> Schema:
    """The schema of the values that each of ``schemas`` accepts."""
    whole: Members = {}
    apart: list[JsonValue] = []
    for schema in schemas:
        if schema is False:
            return False
        if schema is True:
            continue
        if _fits(whole, schema):
            _add(whole, schema)
        elif schema not in apart:
            apart.append(schema)
    if not whole and not apart:
        return True
    if not whole and len(apart) == 1 and isinstance(apart[0], dict):
        return apart[0]
    if apart:
        before = whole.get("allOf", [])
        assert isinstance(before, list)
        whole["allOf"] = [*before, *apart]
    return whole


def _fits(whole: Members, schema: Members) -> bool:
    if schema.keys() & _UNEVALUATED:
        return False  # it would see what ``whole`` evaluates
    common = whole.keys() & schema.keys()
    for keyword in common:
        one, other = whole[keyword], schema[keyword]
        if keyword in _BY_NAME and isinstance(one, dict) and isinstance(other, dict):
            if one.keys() & other.keys():
                return False
        elif keyword not in ("required", "allOf") and one != other:
            return False
    for group in _TOGETHER:
        if whole.keys() & group and schema.keys() & group:
            open_ = "properties" in group and "additionalProperties" not in whole.keys() | schema.keys()
            if not open_:
                return False
    return True


def _add(whole: Members, schema: Members) -> None:
    for keyword, value in schema.items():
        before = whole.get(keyword)
        if isinstance(before, dict) and isinstance(value, dict) and keyword in _BY_NAME:
            whole[keyword] = {**before, **value}
        elif isinstance(before, list) and isinstance(value, list) and keyword in ("required", "allOf"):
            whole[keyword] = [*before, *(item for item in value if item not in before)]
        else:
            whole[keyword] = value


def names_of(kinds: Iterable[JsonKind]) -> JsonValue:
    """The operand of ``type`` for JSON kinds."""
    names: list[JsonValue] = [*kinds]
    return names[0] if len(names) == 1 else names


def kinds_named(schema: Schema) -> tuple[JsonKind, ...] | None:
    """The JSON kinds of a schema that is a ``type`` beside keywords of these kinds; None for any other schema."""
    if not isinstance(schema, dict) or "type" not in schema:
        return None
    written = schema["type"]
    names = written if isinstance(written, list) else [written]
    kinds = tuple(kind for kind in JSON_KINDS if kind in names or (kind == "number" and "integer" in names))
    own = frozenset(("type",)).union(*(_OF_KIND[kind] for kind in kinds))
    return kinds if schema.keys() <= own else None


def by_kind(parts: Sequence[tuple[tuple[JsonKind, ...], Schema]]) -> Schema | None:
    """One flat schema for schemas of different JSON kinds; None where that would change what they mean.

    Each of ``parts`` holds the kinds that its schema decides.
    """
    names: list[JsonValue] = []
    whole: Members = {}
    for kinds, schema in parts:
        if schema is True:
            names += kinds
            continue
        if not isinstance(schema, dict) or set(kinds_named(schema) or ()) != set(kinds):
            return None
        written = schema["type"]
        names += written if isinstance(written, list) else [written]
        for keyword, value in schema.items():
            if keyword != "type" and whole.setdefault(keyword, value) != value:
                return None
    shaped = [(kinds, schema) for kinds, schema in parts if isinstance(schema, dict)]
    formatted = sum("format" in schema for _, schema in shaped)
    if formatted and formatted < sum(bool({"string", "number"} & set(kinds)) for kinds, _ in shaped):
        return None  # the format of one kind would be said of another
    return whole if set(names) == set(JSON_KINDS) else {"type": names[0] if len(names) == 1 else names, **whole}
