"""The target ``jsonschema`` → a bundle accepts what its contract accepts, is spelled plainly, and never differs between runs.

The JSON Schema test suite judges it in all dialects; documents derived from published contracts judge it
definition by definition.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from oracle import Oracle

import codegen
from codegen.derive import Derivation
from codegen.document import load
from codegen.errors import WireboundError
from codegen.facts import Facts
from codegen.resolve import resolve

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
SUITE = CORPUS / "json-schema-test-suite"
REMOTES = {"http://localhost:1234/": SUITE / "remotes"}
DIALECTS = {
    "draft4": "draft-04",
    "draft6": "draft-06",
    "draft7": "draft-07",
    "draft2019-09": "2019-09",
    "draft2020-12": "2020-12",
}
CONTRACTS = [
    *(f"mcp/{version}/schema.json" for version in ("2024-11-05", "2025-11-25", "2026-07-28")),
    *(f"ag-ui/{version}/schema.json" for version in ("1.0", "draft")),
    "dap/v1.71.0/debugAdapterProtocol.json",
]
DOCUMENTS_EACH = 40
"""Documents derived from one definition of a published contract; each place of the definition takes its turn."""

needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside this checkout")


def bundled(contract: Any, **options: Any) -> Any:
    return json.loads(codegen.build(contract, target="jsonschema", options=options)["schema.json"])


def of(definition: Any) -> Any:
    """How the bundle spells a definition, without its anchor."""
    schema = bundled({"$defs": {"X": definition, **OTHERS}})["$defs"]["X"]
    schema.pop("$anchor")
    return schema


def swift(bundle: Any) -> Oracle:
    """The oracle for a bundle; else it looks through all of it at each reference to a part with an identity of its own."""
    oracle = Oracle(bundle)
    oracle.registry = oracle.registry.crawl()
    return oracle


OTHERS = {
    "Cat": {"type": "object", "properties": {"kind": {"const": "cat"}}, "required": ["kind"]},
    "Dog": {"type": "object", "properties": {"kind": {"const": "dog"}}, "required": ["kind"]},
    "Base": {
        "type": "object",
        "properties": {"id": {"type": "string", "description": "Which one."}},
        "required": ["id"],
    },
}


# --- the accepted set -------------------------------------------------------------------------------------------------


def groups(dialect: str) -> Iterator[tuple[str, Any]]:
    for file in sorted((SUITE / "tests" / dialect).glob("*.json")):
        for group in json.loads(file.read_bytes()):
            yield f"{file.stem}: {group['description']}", group


@needs_corpus
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_verdict_of_the_suite_is_that_of_the_bundle(dialect: str) -> None:
    judged = 0
    wrong = []
    for title, group in groups(dialect):
        files = codegen.build(group["schema"], target="jsonschema", dialect=DIALECTS[dialect], roots=REMOTES)
        oracle = Oracle(json.loads(files["schema.json"]))
        for test in group["tests"]:
            judged += 1
            if oracle.valid(test["data"]) is not test["valid"]:
                wrong.append(f"{title}: {test['description']}")
    assert judged > 600
    assert wrong == []


@needs_corpus
@pytest.mark.parametrize("path", CONTRACTS)
def test_derived_documents_are_judged_as_by_the_contract(path: str) -> None:
    contract = CORPUS / path
    before = Oracle(contract)
    bundle = bundled(contract)
    after = swift(bundle)
    facts = Facts(resolve(load(contract)))
    derivation = Derivation(facts)
    verdicts = {True: 0, False: 0}
    for definition in facts.public:
        if definition.key.part or not definition.key.pointer:
            continue
        assert definition.name.spelled in bundle["$defs"]
        place = "/$defs/" + definition.name.spelled.replace("~", "~0").replace("/", "~1")
        for derived in islice(derivation.derive(definition.key), DOCUMENTS_EACH):
            expected = before.valid(derived.value, definition.key.pointer)
            verdicts[expected] += 1
            assert after.valid(derived.value, place) is expected, (definition.name.spelled, derived)
    assert min(verdicts.values()) > 100


@needs_corpus
@pytest.mark.parametrize("path", CONTRACTS)
def test_a_bundle_is_a_schema_and_its_own_bundle(path: str) -> None:
    bundle = bundled(CORPUS / path)
    Draft202012Validator.check_schema(bundle)
    again = bundled(bundle)
    # The second may have more: private parts of the first, and choices that stand inside others there.
    assert bundle["$defs"].keys() <= again["$defs"].keys()
    oracle, other = swift(bundle), swift(again)
    for name in bundle["$defs"]:
        for value in (None, 1, "x", [], {}, {"type": "x"}, {"id": "1", "kind": 1}):
            place = "/$defs/" + name
            assert oracle.valid(value, place) is other.valid(value, place)


# --- how things are spelled -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        pytest.param(True, {}, id="anything"),
        pytest.param(False, {"not": {}}, id="nothing"),
        pytest.param({"type": ["string", "null"]}, {"type": ["string", "null"]}, id="nullable"),
        pytest.param(
            {"anyOf": [{"$ref": "#/$defs/Cat"}, {"type": "null"}]},
            {"anyOf": [{"$ref": "#/$defs/Cat"}, {"type": "null"}]},
            id="nullable reference",
        ),
        pytest.param({"not": {"type": "null"}}, {"not": {"type": "null"}}, id="anything but null"),
        pytest.param(
            {"type": ["integer", "string"], "minLength": 1, "minimum": 0, "format": "x"},
            {"type": ["integer", "string"], "minimum": 0, "format": "x", "minLength": 1},
            id="several kinds in one schema",
        ),
        pytest.param({"minLength": 2}, {"minLength": 2}, id="a bound without a type"),
        pytest.param(
            {"properties": {"a": {"type": "string"}}},
            {
                "anyOf": [
                    {"$ref": "#/$defs/XObject"},
                    {"type": ["null", "boolean", "number", "string", "array"]},
                ]
            },
            id="properties without a type",
        ),
        pytest.param(
            {
                "allOf": [{"$ref": "#/$defs/Base"}],
                "properties": {"n": {"type": "integer"}},
                "unevaluatedProperties": False,
            },
            {
                "type": "object",
                "properties": {"id": {"description": "Which one.", "type": "string"}, "n": {"type": "integer"}},
                "required": ["id"],
                "additionalProperties": False,
            },
            id="mixins are flat",
        ),
        pytest.param(
            {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]},
            {
                "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
                "discriminator": {
                    "propertyName": "kind",
                    "mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"},
                },
            },
            id="a derived tag is stated",
        ),
        pytest.param(
            {"oneOf": [{"const": "a", "description": "First."}, {"const": "b"}]},
            {"oneOf": [{"description": "First.", "const": "a"}, {"const": "b"}]},
            id="described values",
        ),
        pytest.param(
            {"anyOf": [{"const": "a"}, {"const": "b"}, {"type": "string"}]},
            {"anyOf": [{"enum": ["a", "b"]}, {"type": "string"}]},
            id="an open enum",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"maxLength": 2}},
            {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"maxLength": 2}},
            id="a map with checked names",
        ),
        pytest.param(
            {
                "type": "array",
                "prefixItems": [{"type": "string"}],
                "items": False,
                "uniqueItems": True,
                "contains": True,
            },
            {
                "type": "array",
                "prefixItems": [{"type": "string"}],
                "items": False,
                "contains": True,
                "uniqueItems": True,
            },
            id="a tuple with checks",
        ),
        pytest.param(
            {"type": "object", "dependentRequired": {"a": ["b"], "c": ["d"]}, "minProperties": 1},
            {"type": "object", "dependentRequired": {"a": ["b"], "c": ["d"]}, "minProperties": 1},
            id="dependencies",
        ),
        pytest.param(
            {"type": "string", "if": {"maxLength": 3}, "then": {"pattern": "^a"}, "not": {"const": "a"}},
            {"type": "string", "not": {"const": "a"}, "if": {"maxLength": 3}, "then": {"pattern": "^a"}},
            id="conditions stand where they are used",
        ),
        pytest.param(
            {
                "type": "string",
                "format": "date-time",
                "contentMediaType": "text/plain",
                "description": "When.",
                "deprecated": True,
                "examples": ["2020"],
                "x-note": [1],
            },
            {
                "description": "When.",
                "deprecated": True,
                "examples": ["2020"],
                "x-note": [1],
                "type": "string",
                "format": "date-time",
                "contentMediaType": "text/plain",
            },
            id="annotations stay",
        ),
    ],
)
def test_spelling(definition: Any, expected: Any) -> None:
    assert of(definition) == expected
    if isinstance(expected, dict):
        assert list(of(definition)) == list(expected)


def test_what_depends_on_the_value_is_kept_apart() -> None:
    """An evaluated member of the flat part must not count where the contract's own keyword does not see it."""
    definition = {
        "type": "object",
        "properties": {"a": True},
        "required": ["extra"],
        "anyOf": [{"properties": {"b": {"const": 1}}, "required": ["b"]}, {"properties": {"c": True}}],
        "unevaluatedProperties": False,
    }
    oracle, other = Oracle(bundled(definition)), Oracle(definition)
    values = [
        *({name: 1, "extra": 1} for name in "abcd"),
        *({name: 2, "a": 1} for name in "bc"),
        *({"b": bound, "c": 1, "a": 1} for bound in (1, 2)),
    ]
    open_ = {**definition, "required": []}
    wide, narrow = Oracle(bundled(open_)), Oracle(open_)
    assert [oracle.valid(value) for value in values] == [other.valid(value) for value in values]
    verdicts = [narrow.valid(value) for value in values]
    assert [wide.valid(value) for value in values] == verdicts
    assert True in verdicts and False in verdicts


def test_judged_shapes_have_private_names_or_none() -> None:
    tree = {"type": "object", "properties": {"next": {"$ref": "#/if"}}, "required": ["next"]}
    bundle = bundled({"if": tree, "then": {"required": ["done"]}, "else": {"not": {"type": "boolean"}}})
    assert "_#/if" in bundle["$defs"]
    judged = bundle["$defs"]["_#/if"]
    assert judged["properties"]["next"] == {"$ref": "#/$defs/_%23~1if"}
    assert "$anchor" not in judged
    assert not any(name.startswith("_#/else") for name in bundle["$defs"])
    taken = bundled({"if": tree, "then": False, "$defs": {"_#/if": {"type": "string"}}})
    assert taken["$defs"]["_#/if"] == {"type": "string"}
    assert taken["$defs"]["__#/if"]["type"] == "object"


def test_names_are_anchors_where_they_can_be() -> None:
    names = ["Plain", "a/b~c", "50% of", "Größe"]
    bundle = bundled({"$defs": {name: {"type": "object"} for name in names}})
    assert list(bundle["$defs"]) == names
    assert [bundle["$defs"][name].get("$anchor") for name in names] == ["Plain", None, None, None]


def test_a_reference_to_any_name_leads_there() -> None:
    defs = {"a/b~c": {"const": 1}, "50% of": {"const": 2}, "Größe": {"const": 3}, "q?#": {"const": 4}}
    spelled = ["#/$defs/a~1b~0c", "#/$defs/50%25%20of", "#/$defs/Gr%C3%B6%C3%9Fe", "#/$defs/q?%23"]
    contract = {"prefixItems": [{"$ref": reference} for reference in spelled], "$defs": defs}
    oracle = Oracle(bundled(contract))
    assert oracle.valid([1, 2, 3, 4])
    for at in range(4):
        value = [1, 2, 3, 4]
        value[at] = 0
        assert not oracle.valid(value)


def test_a_tagged_choice_inside_a_choice() -> None:
    inner = {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]}
    contract = {"anyOf": [inner, {"type": "array", "items": inner}], "$defs": OTHERS}
    oracle = Oracle(bundled(contract))
    cat, dog, cow = ({"kind": kind} for kind in ("cat", "dog", "cow"))
    assert [oracle.valid(value) for value in (cat, [dog, cat], cow, [cow], 1)] == [True, True, False, False, False]


def test_two_tagged_choices_at_one_place() -> None:
    def variant(name: str, value: int) -> Any:
        return {"type": "object", "properties": {name: {"const": value}}, "required": [name]}

    both = {"oneOf": [variant("a", 1), variant("a", 2)], "anyOf": [variant("b", 1), variant("b", 2)]}
    contract = {"properties": {"p": both}}
    oracle, other = Oracle(bundled(contract)), Oracle(contract)
    values = [{"p": {"a": a, "b": b}} for a in (1, 2, 3) for b in (1, 2, 3)]
    verdicts = [other.valid(value) for value in values]
    assert [oracle.valid(value) for value in values] == verdicts
    assert True in verdicts and False in verdicts


def test_a_nested_tag_names_its_property_and_what_one_value_decides() -> None:
    def variant(kind: str, size: int) -> Any:
        pinned = {"kind": {"const": kind}, "size": {"const": size}}
        return {"type": "object", "properties": pinned, "required": ["kind", "size"]}

    defs = {"A": variant("a", 1), "B": variant("a", 2), "C": variant("c", 3)}
    union = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in defs]}
    stated = bundled({"$defs": {**defs, "U": union}})["$defs"]["U"]["discriminator"]
    assert stated == {"propertyName": "size"}
    named = bundled({"$defs": {**defs, "B": variant("b", 2), "U": union}})["$defs"]["U"]["discriminator"]
    assert named == {"propertyName": "kind", "mapping": {"a": "#/$defs/A", "b": "#/$defs/B", "c": "#/$defs/C"}}


DRAFT_4 = {"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer", "minimum": 0}


def test_an_integer_of_draft_4_stays_one() -> None:
    bundle = bundled(DRAFT_4)
    for schema in (bundle, bundled(bundle)):
        oracle = Oracle(schema)
        assert [oracle.valid(value) for value in (1, 1.0, -1, 1.5, "1")] == [True, False, False, False, False]


def test_an_integer_of_draft_4_may_be_asked_for_by_value() -> None:
    bundle = bundled(DRAFT_4, integers="by-value")
    assert "_literal-integer" not in bundle.get("$defs", {})
    oracle = Oracle(bundle)
    assert [oracle.valid(value) for value in (1, 1.0, -1, 1.5)] == [True, True, False, False]


def test_head() -> None:
    contract = {"$id": "https://a.example/c.json", "title": "Letters", "description": "About.", "$ref": "#/$defs/X"}
    bundle = bundled({**contract, "$defs": {"X": True}})
    assert {key: bundle[key] for key in contract} == contract
    assert bundle["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert bundle["$comment"].startswith("generated: ")
    assert "$id" not in bundled({"$schema": DRAFT_4["$schema"], "id": "#here"})
    assert bundled({"$schema": DRAFT_4["$schema"], "id": "http://a.example/#"})["$id"] == "http://a.example/"


def test_options() -> None:
    files = codegen.build({}, target="jsonschema", options={"file": "contract.json"})
    assert list(files) == ["contract.json"]
    with pytest.raises(WireboundError, match="integers"):
        codegen.build({}, target="jsonschema", options={"integers": "roughly"})


def test_text_that_hides_is_escaped() -> None:
    text = codegen.build({"description": "a\u202eb\u2028\U000e0041", "type": "string"}, target="jsonschema")[
        "schema.json"
    ]
    assert b"a\\u202eb\\u2028\\udb40\\udc41" in text
    assert json.loads(text)["description"] == "a\u202eb\u2028\U000e0041"


def test_the_bytes_depend_on_no_hash_seed(tmp_path: Path) -> None:
    program = (
        "import codegen, sys; sys.stdout.buffer.write(codegen.build(sys.argv[1], target='jsonschema')['schema.json'])"
    )
    contract = next((ROOT / "schema").glob("*/*/schema.json"))
    written = {
        subprocess.run(
            [sys.executable, "-c", program, str(contract)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            cwd=ROOT,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(written) == 1
    assert len(next(iter(written))) > 10_000


@pytest.mark.parametrize("names", ["integer", ["integer", "string"]])
def test_a_listed_integer_of_draft_4_stays_one(names: Any) -> None:
    contract = {"$schema": DRAFT_4["$schema"], "type": names, "enum": [1, 2]}
    oracle, other = Oracle(bundled(contract)), Oracle(contract)
    values = (1, 2, 1.0, 3, True, "1")
    verdicts = [other.valid(value) for value in values]
    assert [oracle.valid(value) for value in values] == verdicts == [True, True, False, False, False, False]
