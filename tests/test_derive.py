"""Derived documents: the minimal and the full one are right, each border has documents on both sides, and nothing runs away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from oracle import Oracle

from codegen.derive import MOST, Derivation
from codegen.derive.strings import matching, near_misses
from codegen.derive.sure import Sure
from codegen.document import load
from codegen.facts import Facts
from codegen.model import Definition, Pattern, Record, Ref
from codegen.pointer import Origin
from codegen.resolve import resolve

ROOT = Path(__file__).parents[1]
CONTRACTS = sorted(ROOT.glob("schema/*/*/schema.json"))
CASES = ROOT / "tests" / "cases"
each_contract = pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: "/".join(path.parts[-3:-1]))


def derivation(source: Any) -> Derivation:
    return Derivation(Facts(resolve(load(source))))


def ref(definition: Definition) -> Ref:
    return Ref(key=definition.key, origin=definition.origin)


def named(one: Derivation, name: str) -> Definition:
    return next(d for d in one.facts.public if d.name.spelled == name)


def documents(one: Derivation, name: str = "Root") -> list[Any]:
    return [document.value for document in one.derive(named(one, name).key)]


# --- minimal and full -------------------------------------------------------------------------------------------------


@each_contract
def test_minimal_and_full_values_are_valid_and_what_they_are_called(path: Path) -> None:
    one, oracle = derivation(path), Oracle(path)
    for definition in one.facts.public:
        minimal, full = one.minimal(ref(definition)), one.full(ref(definition))
        assert minimal is not None and full is not None, definition.name
        for value in (minimal.value, full.value):
            assert oracle.valid(value, definition.key.pointer), (definition.name, value)
        if isinstance(definition, Record):
            assert isinstance(minimal.value, dict) and isinstance(full.value, dict)
            required = {field.wire_name for field in definition.fields if field.required}
            assert set(minimal.value) == required
            assert set(full.value) >= {field.wire_name for field in definition.fields}


NODE = {
    "$ref": "#/$defs/Node",
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {
                "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
                "label": {"type": "string"},
            },
            "required": ["next"],
            "additionalProperties": False,
        }
    },
}


def test_a_definition_inside_itself_is_cut_at_the_first_legal_place() -> None:
    one = derivation(NODE)
    node = ref(named(one, "Node"))
    minimal, full = one.minimal(node), one.full(node)
    assert minimal is not None and minimal.value == {"next": None}
    assert full is not None
    assert full.value == {"children": [{"next": None}], "next": {"next": None}, "label": "text"}


def chain(length: int, optional: bool) -> Any:
    definitions: dict[str, Any] = {
        f"D{i}": {
            "type": "object",
            "properties": {"next": {"$ref": f"#/$defs/D{i + 1}"}},
            "required": [] if optional else ["next"],
        }
        for i in range(length)
    }
    definitions[f"D{length}"] = {"type": "string"}
    return {"$ref": "#/$defs/D0", "$defs": definitions}


@pytest.mark.parametrize("optional", [True, False])
def test_chains_of_thousands_of_definitions_cost_no_stack(optional: bool) -> None:
    one = derivation(chain(3_000, optional))
    last = named(one, "D2990")
    minimal = one.minimal(ref(last))
    assert minimal is not None and one.judge.accepts(ref(last), minimal.value)
    first = one.minimal(ref(named(one, "D0")))
    # A value that is deeper than any codec reads is no example of anything.
    assert (first is not None) == optional
    assert len(documents(one, "D0")) > 5


@pytest.mark.parametrize("unique", [False, True])
def test_values_that_would_explode_are_not_built(unique: bool) -> None:
    definitions: dict[str, Any] = {
        f"D{i}": {
            "type": "array",
            "items": {"$ref": f"#/$defs/D{i + 1}"},
            "minItems": 9,
            "uniqueItems": unique,
        }
        for i in range(30)
    }
    definitions["D30"] = {"type": "integer"}
    one = derivation({"$ref": "#/$defs/D0", "$defs": definitions})
    assert one.minimal(ref(named(one, "D0"))) is None
    assert one.minimal(ref(named(one, "D29"))) is not None
    assert one.minimal(ref(named(one, "D28"))) is not None or unique


@pytest.mark.parametrize(
    "schema",
    [
        {"required": ["a"], "additionalProperties": False},
        {
            "type": "object",
            "properties": {"b": True},
            "patternProperties": {"b": {"allOf": [{"$ref": "#"}, {"maxProperties": 0}]}},
        },
        {"type": "object", "minProperties": 1, "propertyNames": {"not": {"$ref": "#"}, "maxLength": 2}},
    ],
)
def test_minimal_values_of_what_random_search_found(schema: Any) -> None:
    """An object that cannot be beside other kinds that can; checks that refer in circles."""
    one, oracle = derivation(schema), Oracle(schema)
    for definition in one.facts.public:
        minimal = one.minimal(ref(definition))
        if not definition.key.part:
            assert minimal is not None and oracle.valid(minimal.value, definition.key.pointer), minimal
        assert documents(one, definition.name.spelled)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 3, "maximum": 2},
        {"type": "array", "items": False, "minItems": 1},
        {"type": "object", "properties": {"a": False}, "required": ["a"]},
        {"type": "string", "not": {"type": "string"}},
        {"type": "object", "properties": {"self": {"$ref": "#"}}, "required": ["self"]},
        {"allOf": [{"type": "string"}, {"type": "number"}]},
    ],
)
def test_what_has_no_value_has_none(schema: Any) -> None:
    one = derivation(schema)
    root = one.facts.model.root
    assert root is not None
    assert one.minimal(root) is None and one.full(root) is None
    assert not any(Oracle(schema).valid(value) for value in documents(one))


SATISFIABLE: dict[str, Any] = {
    "dependentRequired": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "required": ["a"],
        "dependentRequired": {"a": ["b", "c"]},
    },
    "anyOf of required": {
        "type": "object",
        "properties": {"email": {"type": "string"}, "phone": {"type": "string"}},
        "anyOf": [{"required": ["email"]}, {"required": ["phone"]}],
        "additionalProperties": False,
    },
    "oneOf of required": {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}},
        "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        "additionalProperties": False,
    },
    "exclusive trial": {
        "oneOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
        ]
    },
    "if then else": {
        "type": "object",
        "properties": {"kind": {"enum": ["x", "y"]}, "n": {"type": "integer"}, "s": {"type": "string"}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "x"}}},
        "then": {"required": ["n"]},
        "else": {"required": ["s"]},
    },
    "contains": {"type": "array", "contains": {"type": "integer", "minimum": 5}, "minContains": 2, "maxContains": 3},
    "unique": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 4, "uniqueItems": True},
    "unique enum": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3, "uniqueItems": True},
    "multiple": {"type": "integer", "minimum": 10, "maximum": 30, "multipleOf": 7},
    "decimal multiple": {"type": "number", "minimum": 0.15, "maximum": 0.45, "multipleOf": 0.1},
    "counted members": {"type": "object", "minProperties": 3, "maxProperties": 4},
    "names": {"type": "object", "propertyNames": {"pattern": "^[a-f]{3}$"}, "minProperties": 1},
    "not": {"type": "string", "not": {"enum": ["text", ""]}},
    "not an object with": {"type": "object", "required": ["a"], "not": {"required": ["b"]}},
    "pattern": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}(/[a-z]+)?$"},
    "pattern and length": {"type": "string", "pattern": "^[a-z]+$", "minLength": 30, "maxLength": 31},
    "pattern with a look-ahead": {"type": "string", "pattern": "^(?=.*[0-9])(?=.*[a-z])[a-z0-9]{8,}$"},
    "two patterns": {"allOf": [{"type": "string", "pattern": "^a"}, {"pattern": "z$"}, {"minLength": 2}]},
    "long": {"type": "string", "minLength": 500},
    "many": {"type": "array", "items": {"type": "string"}, "minItems": 40},
    "tuple": {
        "type": "array",
        "prefixItems": [{"const": 1}, {"type": "string"}],
        "minItems": 4,
        "items": {"type": "null"},
    },
    "pattern members": {
        "type": "object",
        "patternProperties": {"^x-": {"type": "integer"}},
        "additionalProperties": False,
        "minProperties": 2,
    },
    "unevaluated": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "anyOf": [{"properties": {"b": {"const": 1}}, "required": ["b"]}, {"properties": {"c": {"const": 2}}}],
        "unevaluatedProperties": False,
        "minProperties": 2,
    },
    "exclusive bounds": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "far bounds": {"type": "integer", "minimum": 10**30, "maximum": 10**30 + 1},
}


@pytest.mark.parametrize("name", SATISFIABLE)
def test_checks_are_satisfied_and_broken(name: str) -> None:
    """A minimal and a full value are found, and the oracle finds both verdicts among the derived documents."""
    schema = SATISFIABLE[name]
    one, oracle = derivation(schema), Oracle(schema)
    root = one.facts.model.root
    assert root is not None
    for found in (one.minimal(root), one.full(root)):
        assert found is not None and oracle.valid(found.value), found
    verdicts = [oracle.valid(value) for value in documents(one)]
    assert sum(verdicts) >= 2 and verdicts.count(False) >= 2


# --- borders ----------------------------------------------------------------------------------------------------------

BORDERS: list[tuple[Any, list[Any]]] = [
    ({"type": "integer", "minimum": 3, "exclusiveMaximum": 9}, [2, 3, 8, 9, 1.0, 1.5, 10**40, True, "", None, [], {}]),
    ({"type": "number", "maximum": 2.5}, [2.5, 2.5000000000000004, 2, 3]),
    ({"type": "string", "minLength": 2, "maxLength": 4}, ["t", "tt"[:1] + "e", "text", "textt", "\U0001f600" * 4]),
    ({"type": "array", "items": {"type": "null"}, "minItems": 2, "maxItems": 3}, [[None] * n for n in (0, 1, 2, 3, 4)]),
    ({"type": "array", "items": {"type": "boolean"}}, [[0], [None], [True], [""]]),
    ({"enum": ["a", "b"]}, ["a", "b", "a_", "A", ["a"]]),
    ({"const": 1}, [1, 1.0, True, 2, "1"]),
    ({"const": {"a": 0}}, [{"a": 0}, {}, {"a": 0, "unlisted": None}]),
    ({"type": ["string", "null"]}, [None, "text", 0]),
    (
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "null"}}, "required": ["a"]},
        [
            {"a": "text"},
            {},
            {"b": None},
            {"a": None},
            {"a": 0},
            {"a": "text", "unlisted": None},
            {"a": "text", "b": ""},
        ],
    ),
    (
        {"type": "object", "additionalProperties": {"type": "integer"}},
        [{}, {"key0": 1}, {"key0": ""}, {"__proto__": 1}],
    ),
    ({"type": "array", "uniqueItems": True}, [[1, 1.0], [1, True], [{}, {}], [[1], [True]]]),
    ({"type": "number", "multipleOf": 0.01}, [0.01, 0.03, 0.005, 0.011]),
    ({"type": "object", "minProperties": 1}, [{}, {"key0": {}}]),
    ({"type": "array", "contains": {"type": "null"}, "maxContains": 1}, [[], [None], [None, None]]),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, [{"a": "text"}, {"a": "text", "b": None}]),
]


@pytest.mark.parametrize(("schema", "wanted"), BORDERS, ids=lambda value: json.dumps(value)[:40])
def test_each_border_has_documents_on_both_sides(schema: Any, wanted: list[Any]) -> None:
    found = {json.dumps(value) for value in documents(derivation(schema))}
    assert not {json.dumps(value) for value in wanted} - found


TAGGED = {
    "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}],
    "$defs": {
        name: {
            "type": "object",
            "properties": {"kind": {"const": tag}, member: {"type": "string"}},
            "required": ["kind"],
            "additionalProperties": False,
        }
        for name, tag, member in (("A", "a", "x"), ("B", "b", "y"))
    },
}


def test_tags_are_probed() -> None:
    found = {json.dumps(value, sort_keys=True) for value in documents(derivation(TAGGED))}
    for wanted in (
        {"kind": "a"},
        {"kind": "b", "y": "text"},
        {"kind": "no-such-tag"},
        {},
        {"kind": None},
        {"kind": True},
        {"kind": []},
        {"kind": "b", "x": "text"},
        {"kind": "a", "x": "text", "y": "text"},
    ):
        assert json.dumps(wanted, sort_keys=True) in found


# --- how many, and always the same ------------------------------------------------------------------------------------


@each_contract
def test_documents_are_different_and_bounded(path: Path) -> None:
    one = derivation(path)
    for definition in one.facts.public:
        texts = [json.dumps(document.value) for document in one.derive(definition.key)]
        assert len(texts) == len(set(texts)) <= MOST


def test_a_cut_takes_from_every_place() -> None:
    names = [f"m{i}" for i in range(400)]
    schema = {"type": "object", "properties": {name: {"type": "integer", "minimum": 3} for name in names}}
    one = derivation(schema)
    found = list(one.derive(named(one, "Root").key))
    assert len(found) == MOST
    assert {document.pointer[1:] for document in found} >= set(names)


@pytest.mark.parametrize("path", [*CONTRACTS, *sorted(CASES.glob("*/contract.json"))], ids=lambda path: path.parts[-2])
def test_the_same_documents_in_whatever_order_definitions_are_asked_about(path: Path) -> None:
    forth, back = derivation(path), derivation(path)
    keys = [definition.key for definition in forth.facts.public]
    first = {key: list(forth.derive(key)) for key in keys}
    assert {key: list(back.derive(key)) for key in reversed(keys)} == first


def test_the_same_documents_under_any_hash_seed() -> None:
    script = (
        "import hashlib, json, sys; from codegen.derive import Derivation; from codegen.document import load;"
        "from codegen.facts import Facts; from codegen.resolve import resolve;"
        "one = Derivation(Facts(resolve(load(sys.argv[1]))));"
        "found = [(d.value, d.what, d.pointer) for x in one.facts.public for d in one.derive(x.key)];"
        "print(hashlib.sha256(json.dumps(found).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script, str(CONTRACTS[0])],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(digests) == 1


# --- strings of a pattern ---------------------------------------------------------------------------------------------


def pattern(source: str) -> Pattern:
    return Pattern(source=source, origin=Origin("", "/pattern"))


@pytest.mark.parametrize(
    "source",
    [
        "^[a-z]+(-[a-z]+)*$",
        "^(\\+|-)?\\d{1,3}(\\.\\d+)?$",
        "^data:[^;,]+;base64,[A-Za-z0-9+/]*={0,2}$",
        "^(?:/(?:[^~/]|~0|~1)*)*$",
        "^[^\\s/]+/[^\\s/]+$",
        "^\\p{Lu}\\p{Ll}*$",
        "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
        "^(?!-)[a-z-]{1,63}$",
        "^\\u{1F600}+$",
        "(a|b){2,}?c",
        "\\bword\\b",
        "",
    ],
)
def test_strings_that_match_are_found(source: str) -> None:
    found = [text for text, _ in zip(matching(pattern(source)), range(20), strict=False)]
    assert found and len(found) == len(set(found))
    oracle = Oracle({"pattern": source})
    assert all(oracle.valid(text) for text in found)


@pytest.mark.parametrize("source", ["^a\\bb$", "[^\\s\\S]", "^(?=b)a"])
def test_a_pattern_that_nothing_matches_gives_nothing(source: str) -> None:
    assert list(matching(pattern(source))) == []


def test_near_misses_are_others() -> None:
    assert "ab" not in list(near_misses("ab")) and "ab\n" in list(near_misses("ab"))


# --- depth --------------------------------------------------------------------------------------------------------------


def chained(length: int, link: Any) -> Facts:
    """Definitions, each of which cannot do without the next."""
    links = {f"N{i}": link({"$ref": f"#/$defs/N{i + 1}"}) for i in range(length)}
    return Facts(resolve(load({"$defs": {**links, f"N{length}": {"type": "null"}}})))


@pytest.mark.parametrize("length", [20, 60, 99, 150])
@pytest.mark.parametrize(
    "link",
    [
        lambda to: {"type": "object", "required": ["x"], "properties": {"x": to}},
        lambda to: {
            "type": "array",
            "items": {"oneOf": [{"allOf": [to, {"not": {"const": 3}}]}, {"type": "string", "minLength": 3}]},
            "minItems": 1,
            "allOf": [{"if": {"minItems": 2}, "then": {"not": {"not": {"contains": {"not": {"const": 5}}}}}}],
        },
    ],
    ids=["records", "checks"],
)
def test_depth_is_bounded_by_the_model_and_not_by_the_stack(length: int, link: Any) -> None:
    """What leads through too many definitions is not offered; nothing overruns the stack, and what is offered is right."""
    derivation = Derivation(chained(length, link))
    for number in (length - 1, length - 10, 0):
        definition = derivation.facts.public[number]
        assert definition.name.spelled == f"N{number}"
        ref = Ref(key=definition.key, origin=definition.origin)
        for document in (derivation.minimal(ref), derivation.full(ref)):
            assert document is not None or number == 0
            if document is not None:
                assert derivation.judge.accepts(ref, document.value)


def test_a_value_that_is_too_deep_is_none_that_was_asked_for() -> None:
    facts = chained(150, lambda to: {"type": "object", "required": ["x"], "properties": {"x": to}})
    sure = Sure(facts)
    for start, accepted in ((150 - sure.judge.deepest + 1, True), (150 - sure.judge.deepest, False)):
        value = None
        for _ in range(150 - start):
            value = {"x": value}
        ref = Ref(key=facts.public[start].key, origin=facts.public[start].origin)
        assert sure.accepts(ref, value) == accepted
        assert Derivation(facts).judge.accepts(ref, value)
