"""Codecs: what is refused and why, what JSON text is refused before any contract is asked, and what cannot be written."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

import codegen
from tests.python_package import Package

CONTRACT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$ref": "#/$defs/Thing",
    "$defs": {
        "Thing": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^[a-z]*$"},
                "count": {"type": "integer", "minimum": 0, "exclusiveMaximum": 10},
                "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 2.5},
                "even": {"multipleOf": 0.2},
                "flag": {"type": "boolean"},
                "nothing": {"type": "null"},
                "given": {"not": {"type": "null"}},
                "kind": {"const": "thing"},
                "level": {"enum": ["low", "high"]},
                "names": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 1,
                    "maxItems": 2,
                    "uniqueItems": True,
                },
                "has": {"type": "array", "contains": {"const": 1}, "maxContains": 2},
                "map": {
                    "type": "object",
                    "additionalProperties": {"type": "integer"},
                    "minProperties": 1,
                    "maxProperties": 2,
                },
                "either": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
                "shape": {"oneOf": [{"$ref": "#/$defs/Dot"}, {"$ref": "#/$defs/Line"}]},
                "tried": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 5}]},
                "never": False,
                "any": True,
                "tree": {"$ref": "#/$defs/Tree"},
                "state": {"type": ["string", "null"]},
            },
            "required": ["id"],
            "additionalProperties": False,
        },
        "Dot": {
            "type": "object",
            "properties": {"type": {"const": "dot"}, "x": {"type": "integer"}},
            "required": ["type"],
        },
        "Line": {
            "type": "object",
            "properties": {"type": {"const": "line"}, "x": {"type": "string"}},
            "required": ["type"],
        },
        "Tree": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}},
    },
}
CHILDREN = "#/$defs/Tree/properties/children/type"
ROOT = "#/$defs/Thing"
PLACE = ROOT + "/properties"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("codec"))


FAULTS: list[tuple[dict[str, Any], str, str, str]] = [
    # members beside a right "id", pointer, code, rule
    ({"id": 1}, "/id", "wrong-type", "/id/type"),
    ({"id": ""}, "/id", "too-short", "/id/minLength"),
    ({"id": "abcd"}, "/id", "too-long", "/id/maxLength"),
    ({"id": "A"}, "/id", "pattern-mismatch", "/id/pattern"),
    ({"id": "a\n"}, "/id", "pattern-mismatch", "/id/pattern"),
    ({"count": "1"}, "/count", "wrong-type", "/count/type"),
    ({"count": True}, "/count", "wrong-type", "/count/type"),
    ({"count": 1.5}, "/count", "wrong-type", "/count/type"),
    ({"count": None}, "/count", "wrong-type", "/count/type"),
    ({"count": -1}, "/count", "below-minimum", "/count/minimum"),
    ({"count": 10}, "/count", "above-maximum", "/count/exclusiveMaximum"),
    ({"size": 0}, "/size", "below-minimum", "/size/exclusiveMinimum"),
    ({"size": 2.6}, "/size", "above-maximum", "/size/maximum"),
    ({"size": False}, "/size", "wrong-type", "/size/type"),
    ({"even": 0.3}, "/even", "not-multiple", "/even/multipleOf"),
    ({"flag": 1}, "/flag", "wrong-type", "/flag/type"),
    ({"nothing": 0}, "/nothing", "wrong-type", "/nothing/type"),
    ({"given": None}, "/given", "wrong-type", "/given/not"),
    ({"kind": "other"}, "/kind", "wrong-value", "/kind/const"),
    ({"kind": 1}, "/kind", "wrong-value", "/kind/const"),
    ({"level": "mid"}, "/level", "unknown-value", "/level/enum"),
    ({"names": "a"}, "/names", "wrong-type", "/names/type"),
    ({"names": []}, "/names", "too-few-items", "/names/minItems"),
    ({"names": ["a", "b", "c"]}, "/names", "too-many-items", "/names/maxItems"),
    ({"names": ["a", 1]}, "/names/1", "wrong-type", "/names/items/type"),
    ({"names": ["a", "a"]}, "/names", "not-unique", "/names/uniqueItems"),
    ({"has": [2]}, "/has", "too-few-matches", "/has/contains"),
    ({"has": [1, 1.0, 1]}, "/has", "too-many-matches", "/has/maxContains"),
    ({"map": {}}, "/map", "too-few-members", "/map/minProperties"),
    ({"map": {"a": 1, "b": 1, "c": 1}}, "/map", "too-many-members", "/map/maxProperties"),
    ({"map": {"a/~b": "1"}}, "/map/a~1~0b", "wrong-type", "/map/additionalProperties/type"),
    ({"either": 1}, "/either", "wrong-type", "/either/oneOf"),
    ({"shape": {"x": 1}}, "/shape/type", "missing-member", "/shape/oneOf"),
    ({"shape": {"type": "arc"}}, "/shape/type", "unknown-tag", "/shape/oneOf"),
    ({"shape": {"type": ["dot"]}}, "/shape/type", "unknown-tag", "/shape/oneOf"),
    ({"shape": {"type": "dot", "x": "1"}}, "/shape/x", "wrong-type", "#/$defs/Dot/properties/x/type"),
    ({"shape": 1}, "/shape", "wrong-type", "/shape/oneOf"),
    ({"tried": 1.5}, "/tried", "no-variant", "/tried/oneOf"),
    ({"tried": 6}, "/tried", "several-variants", "/tried/oneOf"),
    ({"never": 1}, "/never", "forbidden", "/never"),
    ({"more": 1}, "/more", "unknown-member", ROOT + "/additionalProperties"),
    ({"tree": {"children": [{}, {"children": 1}]}}, "/tree/children/1/children", "wrong-type", CHILDREN),
]  # fmt: skip


@pytest.mark.parametrize(("members", "pointer", "code", "rule"), FAULTS, ids=lambda value: str(value)[:40])
def test_one_bad_member_is_one_fault(
    made: Package, members: dict[str, Any], pointer: str, code: str, rule: str
) -> None:
    document = {"id": "a", **members}
    for errors in ("first", "all"):
        with pytest.raises(made.module.DecodeError) as caught:
            made.codecs.Thing.from_dict(document, errors=errors)
        (fault,) = caught.value.errors
        assert (fault.pointer, fault.code) == (pointer, code)
        assert fault.rule == (rule if rule.startswith("#") else PLACE + rule)
        assert fault.found and fault.expected
    with pytest.raises(made.module.DecodeError) as again:
        made.codecs.Thing.from_json(json.dumps(document))
    assert again.value.errors == caught.value.errors


def test_a_missing_member_is_named_by_its_own_pointer(made: Package) -> None:
    with pytest.raises(made.module.DecodeError) as caught:
        made.codecs.Thing.from_dict({})
    (fault,) = caught.value.errors
    assert (fault.pointer, fault.code, fault.found, fault.rule) == (
        "/id",
        "missing-member",
        "nothing",
        ROOT + "/required",
    )


def test_the_document_itself_has_the_empty_pointer(made: Package) -> None:
    for value in ([], None, "x", 1, True, (), {1: 2}.keys(), object()):
        with pytest.raises(made.module.DecodeError) as caught:
            made.codecs.Thing.from_dict(value)
        assert (caught.value.errors[0].pointer, caught.value.errors[0].code) == ("", "wrong-type")


def test_all_errors_come_in_the_contracts_order(made: Package) -> None:
    document = {"more": 1, "count": -1, "names": [1, 2], "shape": {"type": "dot", "x": "1"}}
    with pytest.raises(made.module.DecodeError) as caught:
        made.codecs.Thing.from_dict(document, errors="all")
    assert [fault.pointer for fault in caught.value.errors] == [
        "/id",
        "/count",
        "/names/0",
        "/names/1",
        "/shape/x",
        "/more",
    ]
    assert str(caught.value).count("\n") == 5
    with pytest.raises(made.module.DecodeError) as first:
        made.codecs.Thing.from_dict(document)
    assert first.value.errors == caught.value.errors[:1]


def test_a_fault_says_it_in_words(made: Package) -> None:
    with pytest.raises(made.module.DecodeError) as caught:
        made.models.Thing.from_json('{"id": "a", "level": "\\u202ehigh"}')
    assert str(caught.value) == (
        '/level: unknown-value: found "<U+202E>high", expected "low" or "high" (Thing, #/$defs/Thing/properties/level/enum)'
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("x" * 10**6, '"' + "x" * 57 + '…"'),
        (10**100, "an integer of many digits"),
        ([1] * 3, "an array of 3 items"),
        ({"a": 1}, "an object of 1 member"),
        (None, "null"),
        (math.nan, "NaN"),
        ({1, 2}, "a Python set"),
    ],
)  # fmt: skip
def test_what_was_found_is_short(made: Package, value: Any, words: str) -> None:
    with pytest.raises(made.module.DecodeError) as caught:
        made.codecs.Thing.from_dict({"id": "a", "flag": value})
    assert caught.value.errors[0].found == words


def test_what_is_no_json_value_is_a_fault_where_a_shape_is_checked(made: Package) -> None:
    class Text(str):
        pass

    class Members(dict[str, Any]):
        pass

    for members, pointer in [
        ({"names": ("a",)}, "/names"),
        ({"id": Text("a")}, "/id"),
        ({"map": Members(a=1)}, "/map"),
        ({"map": {1: 1}}, "/map"),
        ({"size": math.nan}, "/size"),
        ({"size": math.inf}, "/size"),
        ({"kind": Text("thing")}, "/kind"),
        ({"shape": {"type": Text("dot")}}, "/shape/type"),
    ]:
        with pytest.raises(made.module.DecodeError) as caught:
            made.codecs.Thing.from_dict({"id": "a", **members})
        assert caught.value.errors[0].pointer == pointer
    anything = {1: (2, object())}
    assert made.codecs.Thing.from_dict({"id": "a", "any": anything}).any is anything


# --- JSON text --------------------------------------------------------------------------------------------------------

RIGHT = [
    (b'{"id":"a"}', {"id": "a"}),
    (b' \t\r\n{"id" : "a"} \n', {"id": "a"}),
    ('{"id":"a","any":"\\ud83d\\ude00"}', {"id": "a", "any": "😀"}),
    ('{"id":"a","any":"\\\\ud800"}', {"id": "a", "any": "\\ud800"}),
    ('{"id":"a","any":"😀"}', {"id": "a", "any": "😀"}),
    (b'{"id":"b","id":"a"}', {"id": "a"}),
    (b'{"id":"a","count":1.0}', {"id": "a", "count": 1}),
    (b'{"id":"a","count":9e0}', {"id": "a", "count": 9}),
    (b'{"id":"a","count":-0}', {"id": "a", "count": 0}),
    (b'{"id":"a","any":1e308}', {"id": "a", "any": 1e308}),
    (b'{"id":"a","any":1e-400}', {"id": "a", "any": 0.0}),
    (b'{"id":"a","any":{"__class__":1,"self":2,"__proto__":3}}', None),
    (b'{"id":"a","any":' + b"[" * 255 + b"]" * 255 + b"}", None),
    (b'{"id":"a","any":"' + b"[{" * 1000 + b'"}', {"id": "a", "any": "[{" * 1000}),
    (b'{"id":"a","any":"' + b'\\"[{' * 1000 + b'"}', {"id": "a", "any": '"[{' * 1000}),
    (b'{"id":"a","any":"' + b"\\\\" * 999 + b'"' + b" " * 300 + b"}", {"id": "a", "any": "\\" * 999}),
    (b'{"id":"a","any":[' + b",".join([b"[{}]"] * 1000) + b"]}", {"id": "a", "any": [[{}]] * 1000}),
]  # fmt: skip

WRONG = [
    (b"", "invalid-json"),
    (b"   ", "invalid-json"),
    (b"{", "invalid-json"),
    (b'{"id":"a"} x', "invalid-json"),
    (b'{"id":"a"}{}', "invalid-json"),
    (b'{"id":"a",}', "invalid-json"),
    (b"{'id':'a'}", "invalid-json"),
    (b'{"id":"a\n"}', "invalid-json"),
    (b'{"id":01}', "invalid-json"),
    (b'{"id":.5}', "invalid-json"),
    (b'{"id":"\\x"}', "invalid-json"),
    ('\u00a0{"id":"a"}', "invalid-json"),
    (b'\xef\xbb\xbf{"id":"a"}', "byte-order-mark"),
    ('\ufeff{"id":"a"}', "byte-order-mark"),
    ('{"id":"a"}'.encode("utf-16"), "invalid-utf8"),
    (b'{"id":"\xff"}', "invalid-utf8"),
    (b'{"id":"\xed\xa0\x80"}', "invalid-utf8"),
    (b'{"id":"\xc0\x80"}', "invalid-utf8"),
    (b'{"id":"a","any":NaN}', "not-finite"),
    (b'{"id":"a","any":[-Infinity]}', "not-finite"),
    (b'{"id":"a","any":1e400}', "number-out-of-range"),
    (b'{"id":"a","any":-1.5e999}', "number-out-of-range"),
    (b'{"id":"a","any":' + b"9" * 400 + b".0}", "number-out-of-range"),
    (b'{"id":"a","any":' + b"9" * 5000 + b"}", "integer-too-long"),
    (b'{"id":"a","any":"\\ud800"}', "lone-surrogate"),
    (b'{"id":"a","any":"\\uDC00\\uD800"}', "lone-surrogate"),
    (b'{"id":"a","any":"\\\\\\ud800x"}', "lone-surrogate"),
    (b'{"id":"a","any":{"\\ud800":1}}', "lone-surrogate"),
    ('{"id":"a","any":"\ud800"}', "lone-surrogate"),
    (b'{"id":"a","any":' + b"[" * 256 + b"]" * 256 + b"}", "nesting-too-deep"),
    (b"[" * 100_000, "nesting-too-deep"),
    (b'{"id":"a","any":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}", "nesting-too-deep"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), RIGHT, ids=lambda value: repr(value)[:40])
def test_right_text(made: Package, text: bytes | str, value: Any) -> None:
    thing = made.codecs.Thing.from_json(text)
    document = made.codecs.Thing.to_dict(thing)
    assert document == (json.loads(text) if value is None else value)
    assert json.loads(made.codecs.Thing.to_json(thing)) == document


def test_integers_are_kept_to_4300_digits(made: Package) -> None:
    text = b'{"id":"a","any":' + b"9" * 4300 + b"}"
    thing = made.codecs.Thing.from_json(text)
    assert thing.any == 10**4300 - 1
    assert made.codecs.Thing.to_json(thing) == text


@pytest.mark.parametrize(("text", "code"), WRONG, ids=lambda value: repr(value)[:40])
def test_wrong_text(made: Package, text: bytes | str, code: str) -> None:
    for unknown in ("reject", "strip", "keep"):
        with pytest.raises(made.module.DecodeError) as caught:
            made.codecs.Thing.from_json(text, unknown=unknown)
        (fault,) = caught.value.errors
        assert (fault.code, fault.pointer, fault.rule) == (code, "", "")


def nested(depth: int) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for _ in range(depth):
        tree = {"children": [tree]}
    return tree


def test_a_recursive_definition_reaches_the_limit_of_nesting(made: Package) -> None:
    text = json.dumps(nested(127))  # 255 levels
    value = made.codecs.Tree.from_json(text)
    assert made.codecs.Tree.to_json(value) == text.replace(" ", "").encode()
    spoiled = text.replace("{}", '{"children": 1}')
    for errors in ("first", "all"):
        with pytest.raises(made.module.DecodeError) as caught:
            made.codecs.Tree.from_json(spoiled, errors=errors, unknown="strip")
        assert caught.value.errors[0].pointer == "/children/0" * 127 + "/children"


def test_a_value_nested_too_deep_is_refused_never_a_crash(made: Package) -> None:
    deep = nested(sys.getrecursionlimit())
    for unknown in ("reject", "keep"):
        with pytest.raises(made.module.DecodeError) as caught:
            made.codecs.Tree.from_dict(deep, unknown=unknown)
        assert caught.value.errors[0].code == "nesting-too-deep"
    tree = made.models.Tree()
    tree.children = [tree]
    for verb in (tree.to_dict, tree.to_json):
        with pytest.raises(made.module.EncodeError):
            verb()


# --- writing ----------------------------------------------------------------------------------------------------------


def test_absent_and_null_are_told_apart(made: Package) -> None:
    thing, absent = made.models.Thing, made.module.ABSENT
    assert thing(id="a").state is absent
    assert thing(id="a").to_dict() == {"id": "a"}
    assert thing(id="a", state=None).to_dict() == {"id": "a", "state": None}
    assert thing(id="a", nothing=None).to_dict() == {"id": "a", "nothing": None}
    assert thing.from_dict({"id": "a", "any": None}).any is None
    assert thing.from_dict({"id": "a"}).any is absent
    for document in ({"id": "a"}, {"id": "a", "state": None, "any": None}, {"id": "a", "state": "s"}):
        assert thing.from_dict(document).to_dict() == document


def test_members_are_written_in_the_contracts_order_and_others_after(made: Package) -> None:
    text = b'{"x":1,"type":"dot","a":2}'
    assert made.codecs.Dot.to_json(made.codecs.Dot.from_json(text)) == b'{"type":"dot","x":1,"a":2}'
    other = made.codecs.Dot.from_json(b'{"z":1,"type":"dot","a":2}')
    assert other.extra == {"z": 1, "a": 2}
    assert made.codecs.Dot.to_json(other) == b'{"type":"dot","z":1,"a":2}'


def test_what_cannot_be_written(made: Package) -> None:
    models, error = made.models, made.module.EncodeError
    bad = [
        models.Thing(id="a", names="abc"),
        models.Thing(id="a", names=1),
        models.Thing(id="a", either=b"abc"),
        models.Thing(id="a", map=[1]),
        models.Thing(id="a", map={1: 1}),
        models.Thing(id="a", shape=models.Tree()),
        models.Thing(id="a", shape={"type": "dot"}),
        models.Thing(id="a", tree=models.Dot()),
        models.Thing(id="a", tree=models.Tree(children=[1])),
        models.Thing(id="a", extra={"id": "b"}),
        models.Dot(extra={"type": "x"}),
    ]
    for value in bad:
        with pytest.raises(error):
            value.to_dict()
        with pytest.raises(error):
            value.to_json()
    for wrong in (models.Dot(), {"id": "a"}, None, "x", models.Thing):
        with pytest.raises(error):
            made.codecs.Thing.to_dict(wrong)


def test_what_json_cannot_carry(made: Package) -> None:
    for value in (math.nan, -math.inf, "\ud800", 10**5000, object(), {1, 2}, b"x"):
        with pytest.raises(made.module.EncodeError):
            made.models.Thing(id="a", any=value).to_json()
        with pytest.raises(made.module.EncodeError):
            made.models.Thing(id="a", any={"x": [value]}).to_json()


def test_any_json_may_be_any_sequence_and_mapping(made: Package) -> None:
    from types import MappingProxyType

    thing = made.models.Thing(id="a", any=(1, MappingProxyType({"a": range(2)})), names=("x",), either=("y",))
    assert thing.to_json() == b'{"id":"a","names":["x"],"either":["y"],"any":[1,{"a":[0,1]}]}'


def test_check_judges_what_would_be_written(made: Package) -> None:
    thing = made.models.Thing(id="abcd", count=-1)
    assert thing.to_dict() == {"id": "abcd", "count": -1}
    with pytest.raises(made.module.EncodeError) as caught:
        thing.to_json(check=True)
    assert [fault.code for fault in caught.value.errors] == ["too-long", "below-minimum"]
    assert made.models.Thing(id="abc", count=1).to_json(check=True) == b'{"id":"abc","count":1}'
    kept = made.models.Thing.from_dict({"id": "a", "more": 1}, unknown="keep")
    with pytest.raises(made.module.EncodeError):
        kept.to_dict(check=True)


def test_any_json_values_are_shared_and_shapes_are_made_anew(made: Package) -> None:
    document: dict[str, Any] = {"id": "a", "any": {"x": []}, "names": ["a"], "map": {"k": 1}}
    thing = made.codecs.Thing.from_dict(document)
    assert thing.any is document["any"]
    assert thing.names is not document["names"] and thing.map is not document["map"]
    written = made.codecs.Thing.to_dict(thing)
    assert written["any"] is document["any"]
    assert written["names"] is not thing.names and written["map"] is not thing.map


def test_subclasses_of_records_are_written_as_records(made: Package) -> None:
    class Mine(made.models.Dot):  # type: ignore[name-defined, misc]
        pass

    thing = made.models.Thing(id="a", shape=Mine(x=1))
    assert thing.to_dict() == {"id": "a", "shape": {"type": "dot", "x": 1}}
    assert made.models.Thing(id="a", tree=type("T", (made.models.Tree,), {})()).to_dict() == {"id": "a", "tree": {}}


def test_codecs_by_the_contracts_names(made: Package) -> None:
    codecs = made.codecs
    assert list(codecs.CODECS) == ["", "Thing", "ThingShape", "Dot", "Line", "Tree"]
    assert codecs.CODECS[""] is codecs.Thing
    assert repr(codecs.Thing) == "<Codec Thing>"


def test_integers_of_draft_04_are_written_without_a_fraction() -> None:
    codec = codegen.codecs({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"})[""]
    assert codec.from_json("1") == 1
    for text in ("1.0", "1e0"):
        with pytest.raises(ValueError, match="wrong-type"):
            codec.from_json(text)


def test_numbers_keep_what_they_are() -> None:
    codec = codegen.codecs({"type": "array", "items": {"type": "number"}})[""]
    assert codec.to_json(codec.from_json("[1, 1.0, 0.1, 1e3, 123456789012345678901234567890]")) == (
        b"[1,1.0,0.1,1000.0,123456789012345678901234567890]"
    )


def test_equal_constants_are_one_value() -> None:
    """1 is 1.0 and true is no number, in enums and constants of any depth."""
    codec = codegen.codecs({"enum": [1, "a", None, [1, {"b": True}]]})[""]
    assert type(codec.from_json("1.0")) is int
    for text in ("1", "1.0", '"a"', "null", '[1.0, {"b": true}]'):
        codec.from_json(text)
    for text in ("true", "false", '[1, {"b": 1}]', '[true, {"b": true}]', "0", '"1"'):
        with pytest.raises(ValueError, match="unknown-value"):
            codec.from_json(text)


def test_a_folder_of_one_package_says_nothing_of_another(tmp_path: Path) -> None:
    """Two packages in one program: each has its own errors, as each is a distribution of its own."""
    one, two = (Package({"type": "object"}, tmp_path) for _ in range(2))
    assert one.module.DecodeError is not two.module.DecodeError


@pytest.mark.parametrize("kind", ["items", "map", "nullable", "not", "if", "contains", "tuple", "anyOf"])
def test_types_nested_as_deep_as_a_contract_may_be(kind: str) -> None:
    """Python takes 20 blocks and 100 indents in each other; contracts nest deeper."""
    schema: dict[str, Any] = {"type": "integer"}
    document: Any = 1
    for _ in range(45):
        match kind:
            case "items":
                schema, document = {"type": "array", "items": schema}, [document]
            case "map":
                schema, document = {"type": "object", "additionalProperties": schema}, {"a": document}
            case "nullable":
                schema, document = {"type": ["array", "null"], "items": schema}, [document]
            case "not":
                schema = {"not": {"not": schema}}
            case "if":
                schema = {"if": schema, "then": True, "else": False}
            case "contains":
                schema, document = {"type": "array", "contains": schema}, ["x", document]
            case "tuple":
                schema, document = {"type": "array", "prefixItems": [schema]}, [document]
            case "anyOf":
                schema, document = {"anyOf": [{"type": "string"}, {"type": "array", "items": schema}]}, [document, "s"]
    try:
        codec = codegen.codecs(schema)[""]
    except codegen.WireboundError as error:
        assert "nesting-too-deep" in str(error) and kind in ("tuple", "anyOf", "not")
        return
    assert codec.to_dict(codec.from_dict(document), check=True) == document
    assert json.loads(codec.to_json(codec.from_json(json.dumps(document)))) == document
    spoiled = json.loads(json.dumps(document).replace("1", "true"))
    with pytest.raises(ValueError, match=r"wrong-type|too-few-matches|forbidden"):
        codec.from_dict(spoiled)


def test_choices_that_come_back_to_themselves() -> None:
    """Written out in place, a definition that holds a choice of itself would have no end."""
    two: dict[str, Any] = {"type": "array", "prefixItems": [{"anyOf": [{"$ref": "#/$defs/Two"}, {"type": "string"}]}]}
    either = {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Union"}, {"type": "integer"}]}}
    union = {"anyOf": [either, {"$ref": "#/$defs/Node"}]}
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Union"}}, "additionalProperties": False}
    codecs = codegen.codecs({"$defs": {"Two": two, "Union": union, "Node": node}})
    for name, document in (("Two", [[["x"], 1], 2]), ("Union", [[{"next": [1, {}]}], 2])):
        value = codecs[name].from_dict(document)
        assert codecs[name].to_dict(value, check=True) == document
        assert json.loads(codecs[name].to_json(value)) == document


def test_constants_that_are_containers_inside_a_choice() -> None:
    codec = codegen.codecs(
        {"anyOf": [{"type": "array", "items": {"enum": [[1], {"a": 2}]}}, {"type": "object", "required": ["b"]}]}
    )[""]
    for document in ([[1], {"a": 2}], [], {"b": 1}):
        assert codec.to_dict(codec.from_dict(document), check=True) == document
        assert json.loads(codec.to_json(codec.from_dict(document))) == document
    with pytest.raises(ValueError, match="unknown-value"):
        codec.from_dict([[True]])
