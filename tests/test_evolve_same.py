"""Contracts that say the same in different words → no change at all, in either direction."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.document import load
from codegen.evolve import Policy, assess, compare
from codegen.facts import Facts
from codegen.resolve import resolve

ROOT = Path(__file__).parents[1]
CONTRACT: Any = json.loads((ROOT / "schema/ag-ui/1.0/schema.json").read_text("utf-8"))
SHOP: Any = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://shop.invalid/schema.json",
    "$defs": {
        "Kind": {"type": "string", "enum": ["plain", "gift"]},
        "Money": {
            "type": "object",
            "properties": {"amount": {"type": "integer", "minimum": 0}, "unit": {"type": "string"}},
            "required": ["amount"],
            "additionalProperties": False,
        },
        "Line": {
            "type": "object",
            "properties": {
                "sku": {"type": "string", "pattern": "^[a-z]+$"},
                "price": {"$ref": "#/$defs/Money"},
                "kind": {"$ref": "#/$defs/Kind"},
                "parts": {"type": "array", "items": {"$ref": "#/$defs/Line"}, "uniqueItems": True},
            },
            "required": ["sku"],
            "dependentRequired": {"price": ["kind"]},
            "additionalProperties": False,
        },
        "Paid": {
            "type": "object",
            "properties": {"state": {"const": "paid"}, "by": {"type": ["string", "null"]}},
            "required": ["state"],
            "additionalProperties": False,
        },
        "Open": {
            "type": "object",
            "properties": {"state": {"const": "open"}, "until": {"type": "integer", "minimum": 1, "maximum": 9}},
            "required": ["state"],
            "additionalProperties": False,
        },
        "Status": {"oneOf": [{"$ref": "#/$defs/Paid"}, {"$ref": "#/$defs/Open"}]},
        "Order": {
            "type": "object",
            "properties": {
                "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}, "minItems": 1},
                "status": {"$ref": "#/$defs/Status"},
                "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "tags": {"type": "object", "additionalProperties": {"type": "string"}},
                "version": {"enum": [1]},
            },
            "required": ["lines", "status"],
        },
    },
}


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nodes(inner)


def reordered(contract: Any) -> Any:
    """Every object's members and every ``required`` in another order."""
    chance = random.Random(7)

    def turned(value: Any) -> Any:
        if isinstance(value, list):
            return [turned(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        names = list(value)
        chance.shuffle(names)
        return {
            name: (
                sorted(value[name], reverse=True)
                if name == "required" and isinstance(value[name], list)
                else turned(value[name])
            )
            for name in names
        }

    return turned(contract)


def members_reordered(contract: Any) -> Any:
    """The alternatives of every choice, and the values of every enum, in another order."""
    for node in nodes(contract):
        for keyword in ("anyOf", "oneOf", "enum"):
            if isinstance(node.get(keyword), list):
                node[keyword] = node[keyword][::-1]
    return contract


def constants_as_enums(contract: Any) -> Any:
    for node in nodes(contract):
        if "const" in node and not isinstance(node["const"], dict):
            node["enum"] = [node.pop("const")]
    return contract


def enums_as_constants(contract: Any) -> Any:
    for node in nodes(contract):
        if isinstance(node.get("enum"), list) and len(node["enum"]) == 1:
            node["const"] = node.pop("enum")[0]
    return contract


def nulls_as_choices(contract: Any) -> Any:
    for node in nodes(contract):
        kinds = node.get("type")
        if isinstance(kinds, list) and "null" in kinds:
            del node["type"]
            node["anyOf"] = [{"type": kind} for kind in kinds]
    return contract


def references_inlined(contract: Any) -> Any:
    """Every reference to a definition that does not hold itself is replaced by the definition; the definitions stay."""
    definitions = copy.deepcopy(contract["$defs"])

    def holds_itself(name: str, seen: tuple[str, ...] = ()) -> bool:
        below = [n["$ref"].rpartition("/")[2] for n in nodes(definitions[name]) if isinstance(n.get("$ref"), str)]
        return name in seen or any(holds_itself(other, (*seen, name)) for other in below)

    for node in [node for definition in contract["$defs"].values() for node in nodes(definition)]:
        name = str(node.get("$ref", "")).rpartition("/")[2]
        if list(node) == ["$ref"] and name in definitions and not holds_itself(name):
            del node["$ref"]
            node.update(copy.deepcopy({k: v for k, v in definitions[name].items() if k != "$anchor"}))
    return contract


def shapes_lifted(contract: Any) -> Any:
    """Every member's inline schema becomes a definition of its own."""
    lifted = {}
    for name, definition in contract["$defs"].items():
        for member, schema in definition.get("properties", {}).items():
            if isinstance(schema, dict) and "$ref" not in schema:
                lifted[f"{name}Lifted{member}"] = schema
                definition["properties"][member] = {"$ref": f"#/$defs/{name}Lifted{member}"}
                for annotation in ("description", "default"):  # what is said of the member stays with it
                    if annotation in schema:
                        definition["properties"][member][annotation] = schema[annotation]
    contract["$defs"].update(lifted)
    return contract


def fields_into_mixins(contract: Any) -> Any:
    """The members of every plain closed object move into a mixin."""
    mixins = {}
    for name, definition in contract["$defs"].items():
        if definition.get("additionalProperties") is False and "allOf" not in definition:
            mixin = {
                key: definition.pop(key) for key in ("properties", "required", "dependentRequired") if key in definition
            }
            mixins[f"{name}Members"] = {"type": "object", **mixin}
            del definition["additionalProperties"]
            definition |= {"allOf": [{"$ref": f"#/$defs/{name}Members"}], "unevaluatedProperties": False}
    contract["$defs"].update(mixins)
    return contract


def alone_as_all_of(contract: Any) -> Any:
    for node in list(nodes(contract)):
        if list(node) == ["$ref"]:
            node["allOf"] = [{"$ref": node.pop("$ref")}]
    return contract


def bounds_respelled(contract: Any) -> Any:
    """Bounds of integers with the neighbouring integer excluded."""
    for node in nodes(contract):
        if node.get("type") == "integer" and "minimum" in node:
            node["exclusiveMinimum"] = node.pop("minimum") - 1
    return contract


def one_of_as_any_of(contract: Any) -> Any:
    """Alternatives that exclude one another anyway."""
    for node in nodes(contract):
        if "oneOf" in node:
            node["anyOf"] = node.pop("oneOf")
    return contract


REWRITES: list[Callable[[Any], Any]] = [
    reordered,
    members_reordered,
    constants_as_enums,
    enums_as_constants,
    nulls_as_choices,
    references_inlined,
    shapes_lifted,
    fields_into_mixins,
    alone_as_all_of,
    bounds_respelled,
    one_of_as_any_of,
]


def facts(contract: Any) -> Facts:
    return Facts(resolve(load(contract)))


def unchanged(old: Facts, new: Facts) -> None:
    for policy in (Policy(), Policy(undeclared="free"), Policy(receivers="tolerant", open_world=True)):
        assessment = assess(compare(old, new), policy)
        assert [(one.change.kind, str(one.change.place)) for one in assessment.changes] == []
        assert [assessment.on(axis).answer for axis in ("write", "read", "source")] == ["compatible"] * 3
        assert assessment.step == "none"


@pytest.mark.parametrize("contract", [SHOP, CONTRACT], ids=["shop", "ag-ui"])
@pytest.mark.parametrize("rewrite", REWRITES, ids=lambda rewrite: rewrite.__name__)
def test_the_same_in_other_words_is_no_change(contract: Any, rewrite: Callable[[Any], Any]) -> None:
    other = rewrite(copy.deepcopy(contract))
    assert json.dumps(other) != json.dumps(contract) or contract is CONTRACT
    unchanged(facts(contract), facts(other))


def test_definitions_that_stay_may_be_used_in_place_again() -> None:
    unchanged(facts(references_inlined(copy.deepcopy(SHOP))), facts(SHOP))


def test_a_contract_in_several_files(tmp_path: Path) -> None:
    parts: Any = copy.deepcopy(SHOP)
    money = {name: parts["$defs"].pop(name) for name in ("Money", "Kind")}
    for node in nodes(parts):
        if str(node.get("$ref", "")).rpartition("/")[2] in money:
            node["$ref"] = "money.json" + node["$ref"]
    (tmp_path / "money.json").write_text(json.dumps({"$schema": SHOP["$schema"], "$defs": money}))
    (tmp_path / "schema.json").write_text(json.dumps(parts))
    unchanged(facts(SHOP), facts(tmp_path / "schema.json"))
    unchanged(facts(tmp_path / "schema.json"), facts(SHOP))


def test_another_dialect() -> None:
    text = json.dumps(SHOP).replace("$defs", "definitions").replace("2020-12", "07")
    other = json.loads(
        text.replace("https://json-schema.org/draft/07/schema", "http://json-schema.org/draft-07/schema#")
    )
    line = other["definitions"]["Line"]
    line["dependencies"] = line.pop("dependentRequired")
    unchanged(facts(other), facts(SHOP))
