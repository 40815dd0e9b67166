"""A contract, a source of chance → the contract with one thing changed, as maintainers change them, or as nobody would.

Must not know what a change means.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

SMALL: list[Any] = [
    {"type": "string"},
    {"type": "integer"},
    {"type": "number", "minimum": 0},
    {"type": ["string", "null"]},
    {"type": "boolean"},
    {"const": "x"},
    {"enum": ["x", "y"]},
    {"type": "array", "items": {"type": "string"}},
    {"type": "object"},
    {},
    True,
    False,
    {"not": {"type": "null"}},
]


def schemas(value: Any) -> Iterator[dict[str, Any]]:
    """Every schema that is an object, the outermost first."""
    if not isinstance(value, dict):
        return
    yield value
    for keyword, inner in value.items():
        if keyword in ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas"):
            for schema in inner.values():
                yield from schemas(schema)
        elif keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
            for schema in inner:
                yield from schemas(schema)
        elif keyword in ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"):
            yield from schemas(inner)


def _member(schema: Any, chance: Random, names: list[str]) -> None:
    schema.setdefault("properties", {})[chance.choice([*names, "added"])] = copy.deepcopy(chance.choice(SMALL))


def _unmember(schema: Any, chance: Random, names: list[str]) -> None:
    schema["properties"].pop(chance.choice(list(schema["properties"])))


def _require(schema: Any, chance: Random, names: list[str]) -> None:
    wanted = set(schema.get("required", [])) ^ {chance.choice([*schema["properties"], "added"])}
    schema["required"] = sorted(wanted)
    if not wanted:
        del schema["required"]


def _close(schema: Any, chance: Random, names: list[str]) -> None:
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in schema:
            del schema[keyword]
            return
    schema[chance.choice(["additionalProperties", "unevaluatedProperties"])] = chance.choice(
        [False, {"type": "string"}]
    )


def _bound(schema: Any, chance: Random, names: list[str]) -> None:
    keyword = chance.choice(
        ["minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "minItems", "maxItems", "minProperties"]
    )
    schema[keyword] = chance.choice([0, 1, 2, 3, 10])


def _rule(schema: Any, chance: Random, names: list[str]) -> None:
    schema |= chance.choice(
        [
            {"pattern": "^[a-z]*$"},
            {"multipleOf": 2},
            {"uniqueItems": True},
            {"dependentRequired": {"added": ["other"]}},
            {"propertyNames": {"maxLength": 40}},
            {"not": {"const": "x"}},
        ]
    )


def _value(schema: Any, chance: Random, names: list[str]) -> None:
    if chance.random() < 0.5:
        schema["enum"] = [*schema["enum"], chance.choice(["new", "x", 1, None])]
    else:
        schema["enum"] = schema["enum"][1:] or ["only"]


def _alternative(schema: Any, chance: Random, names: list[str]) -> None:
    keyword = next(keyword for keyword in ("anyOf", "oneOf") if keyword in schema)
    if chance.random() < 0.4 and len(schema[keyword]) > 1:
        schema[keyword].pop(chance.randrange(len(schema[keyword])))
    elif chance.random() < 0.3:
        schema["anyOf" if keyword == "oneOf" else "oneOf"] = schema.pop(keyword)
    else:
        tagged = {"type": "object", "properties": {"type": {"const": "NEW"}}, "required": ["type"]}
        schema[keyword].append(copy.deepcopy(chance.choice([*SMALL, tagged])))


def _replace(schema: Any, chance: Random, names: list[str]) -> None:
    kept = {key: value for key, value in schema.items() if key in ("$defs", "definitions", "$schema", "$id", "$anchor")}
    schema.clear()
    schema |= kept
    drawn = chance.choice([one for one in SMALL if isinstance(one, dict)])
    schema |= copy.deepcopy(drawn)


MUTATIONS: list[tuple[Callable[[Any, Random, list[str]], None], Callable[[Any], bool]]] = [
    (_member, lambda schema: "properties" in schema),
    (_unmember, lambda schema: bool(schema.get("properties"))),
    (_require, lambda schema: bool(schema.get("properties"))),
    (_close, lambda schema: "properties" in schema),
    (_bound, lambda schema: "$ref" not in schema),
    (_rule, lambda schema: True),
    (_value, lambda schema: "enum" in schema),
    (_alternative, lambda schema: "anyOf" in schema or "oneOf" in schema),
    (_replace, lambda schema: "$defs" not in schema and "definitions" not in schema),
]


def mutated(contract: Any, chance: Random) -> Any:
    """A copy with one thing changed somewhere."""
    copied = copy.deepcopy(contract)
    names = sorted({name for schema in schemas(copied) for name in schema.get("properties", {})})
    while True:
        mutate, fits = chance.choice(MUTATIONS)
        places = [schema for schema in schemas(copied) if fits(schema)]
        if places:
            mutate(chance.choice(places), chance, names)
            return copied
