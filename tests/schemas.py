"""Random contracts and documents near their boundaries, for properties of the Python bindings.

Small vocabularies on purpose: few member names, numbers and texts, so that documents often meet what the schemas speak of.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = ["a", "b", "type"]
NUMBERS = st.sampled_from([0, 1, 2, -1, 3, 1.0, 0.5, 2.5, 1e3, 10**20])
TEXTS = st.sampled_from(["", "a", "b", "ab", "abc", "x", "é", "😀"])
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)

DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from([*NAMES, "c", "xa"]), inner, max_size=4)
    ),
    max_leaves=6,
)

PATTERNS = st.sampled_from(["^a", "b", "^x", "^[ab]$", "^$"])
KINDS = ["null", "boolean", "integer", "number", "string", "array", "object"]


def _scalars() -> st.SearchStrategy[dict[str, Any]]:
    small = st.integers(0, 3)
    return st.one_of(
        st.just({}),
        st.sampled_from(KINDS).map(lambda kind: {"type": kind}),
        st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True).map(lambda kinds: {"type": kinds}),
        st.fixed_dictionaries(
            {"type": st.just("string")}, optional={"minLength": small, "maxLength": small, "pattern": PATTERNS}
        ),
        st.fixed_dictionaries(
            {"type": st.sampled_from(["integer", "number"])},
            optional={
                "minimum": NUMBERS,
                "exclusiveMaximum": NUMBERS,
                "maximum": NUMBERS,
                "multipleOf": st.sampled_from([2, 0.5, 0.1]),
            },
        ),
        SCALARS.map(lambda value: {"const": value}),
        st.lists(SCALARS, min_size=1, max_size=3, unique_by=repr).map(lambda values: {"enum": values}),
        DOCUMENTS.map(lambda value: {"const": value}),
    )


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    names = st.lists(st.sampled_from(NAMES), max_size=2, unique=True)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("object"),
            "properties": st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
            "required": names,
            "additionalProperties": st.one_of(st.just(False), inner),
            "patternProperties": st.dictionaries(PATTERNS, inner, min_size=1, max_size=2),
            "unevaluatedProperties": st.one_of(st.just(False), inner),
            "propertyNames": inner,
            "minProperties": st.integers(0, 2),
            "maxProperties": st.integers(0, 3),
            "dependentRequired": st.dictionaries(st.sampled_from(NAMES), names, max_size=1),
            "dependentSchemas": st.dictionaries(st.sampled_from(NAMES), inner, max_size=1),
        },
    )


def _arrays(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("array"),
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "items": inner,
            "contains": inner,
            "minContains": st.integers(0, 2),
            "maxContains": st.integers(0, 2),
            "minItems": st.integers(0, 2),
            "maxItems": st.integers(0, 3),
            "uniqueItems": st.just(True),
            "unevaluatedItems": st.one_of(st.just(False), inner),
        },
    )


def _tagged(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A choice of objects that pin a tag: what protocols are made of."""
    member = st.tuples(
        st.sampled_from(["x", "y", 1, 2]), st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ).map(
        lambda pair: {
            "type": "object",
            "properties": {"type": {"const": pair[0]}, **pair[1]},
            "required": ["type"],
            "additionalProperties": False,
        }
    )
    members = st.lists(member, min_size=2, max_size=4, unique_by=lambda schema: schema["properties"]["type"]["const"])
    return st.tuples(st.sampled_from(["oneOf", "anyOf"]), members, st.booleans()).map(
        lambda drawn: {drawn[0]: [*drawn[1], *([{"type": "object"}] if drawn[2] and drawn[0] == "anyOf" else [])]}
    )


def _combined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    several = st.lists(inner, min_size=1, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "allOf": several,
            "anyOf": several,
            "oneOf": several,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
        },
    )


def _merged(parts: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    return {keyword: value for part in parts for keyword, value in part.items()}


SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    st.one_of(_scalars(), st.booleans(), st.sampled_from([{"$ref": "#/$defs/One"}, {"$ref": "#/$defs/Two"}])),
    lambda inner: st.one_of(
        _objects(inner),
        _arrays(inner),
        _tagged(inner),
        _combined(inner),
        st.tuples(_objects(inner), _combined(inner)).map(_merged),
        st.tuples(_scalars(), _combined(inner)).map(_merged),
        st.tuples(_arrays(inner), _objects(inner)).map(_merged),
    ),
    max_leaves=8,
)

CONTRACTS = st.tuples(SCHEMAS, _objects(SCHEMAS), SCHEMAS).map(
    lambda drawn: {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {"One": drawn[1], "Two": drawn[2]},
        **(drawn[0] if isinstance(drawn[0], dict) else {"allOf": [drawn[0]]}),
    }
)
"""A contract whose places may refer to two definitions, also in circles."""
