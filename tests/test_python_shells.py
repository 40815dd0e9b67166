"""Places that a contract marks with ``x-wirebound-partial``: what a lenient receiver makes of the shells that stand there.

Beside the case ``partial-places``, whose goldens show the classes and whose documents show that ``reject`` ignores the mark.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import codegen
from codegen.errors import WireboundError
from tests.python_package import Package

CONTRACT = Path(__file__).parent / "cases/partial-places/contract.json"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("closed"))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("open"), open_world=True, unknown="keep")


CALL, SHELL = {"type": "call", "id": "1", "value": 2}, {"type": "call", "inner": {"type": "note"}}
RESULT = {"type": "result", "of": CALL}


def outcome(package: Package, document: Any, unknown: str) -> Any:
    """What comes of a document by each way in: the document that is written back, or pointers and codes of its faults."""
    codec = package.codecs.Places
    text = json.dumps(document)
    seen: list[Any] = []
    for read in (lambda: codec.from_dict(document, unknown=unknown), lambda: codec.from_json(text, unknown=unknown)):
        for parser in ("json", "msgspec"):
            package._support.text.use(parser)
            try:
                value = read()
            except package.module.DecodeError as error:
                seen.append([f"{fault.pointer} {fault.code}" for fault in error.errors])
            else:
                seen.append(codec.to_dict(value))
                assert json.loads(codec.to_json(value)) == seen[-1]
    assert seen == seen[:1] * 4
    return seen[0]


def missing(*pointers: str) -> list[str]:
    return [f"{pointer} missing-member" for pointer in pointers]


@pytest.mark.parametrize(
    ("document", "reject", "lenient"),
    [
        # whole objects are what they always were
        ({"started": CALL}, None, None),
        ({"started": RESULT, "list": [CALL], "map": {"a": RESULT}, "none": CALL, "alone": CALL}, None, None),
        # a shell at every kind of place that is marked
        ({"started": SHELL}, missing("/started/id"), None),
        ({"started": {"type": "result"}}, missing("/started/of"), None),
        ({"list": [CALL, SHELL]}, missing("/list/1/id"), None),
        ({"map": {"a": SHELL}}, missing("/map/a/id"), None),
        ({"none": SHELL}, missing("/none/id"), None),
        ({"none": None}, None, None),
        ({"alone": SHELL}, missing("/alone/id"), None),
        ({"alone": {"type": "call", "value": None}}, missing("/alone/id"), None),
        ({"alone": {"type": "call", "id": "1"}}, missing("/alone/value"), None),
        # no shell where no mark is, whatever stands above or beside it
        ({"done": SHELL}, missing("/done/id"), missing("/done/id")),
        ({"started": {**CALL, "inner": SHELL}}, missing("/started/inner/id"), missing("/started/inner/id")),
        ({"started": {"type": "call", "inner": SHELL}}, missing("/started/id"), missing("/started/inner/id")),
        # a mark inside a marked place, and inside one that is not
        ({"started": {"type": "result", "of": SHELL}}, missing("/started/of/id"), None),
        ({"done": {"type": "result", "of": SHELL}}, missing("/done/of/id"), None),
        ({"done": {"type": "result"}}, missing("/done/of"), missing("/done/of")),
        # tags are always there, and what is there is checked as always
        ({"started": {"id": "1"}}, missing("/started/type"), missing("/started/type")),
        ({"alone": {"id": "1"}}, missing("/alone/type"), missing("/alone/type")),
        ({"started": {"type": "call", "id": ""}}, ["/started/id too-short"], ["/started/id too-short"]),
        ({"started": {"type": "call", "id": 1}}, ["/started/id wrong-type"], ["/started/id wrong-type"]),
        ({"started": "call"}, ["/started wrong-type"], ["/started wrong-type"]),
        # a record that requires nothing but its tag has no shell
        ({"easy": {"type": "note"}}, None, None),
        ({"easy": {}}, missing("/easy/type"), missing("/easy/type")),
    ],
)  # fmt: skip
def test_what_comes_of_it(made: Package, world: Package, document: Any, reject: Any, lenient: Any) -> None:
    for package in (made, world):
        assert outcome(package, document, "reject") == (document if reject is None else reject)
        for unknown in ("strip", "keep"):
            assert outcome(package, document, unknown) == (document if lenient is None else lenient)


def test_a_member_that_is_not_listed_is_one_in_a_shell_too(made: Package) -> None:
    document = {"started": {"type": "call", "x": 1}}
    findings: list[Any] = []
    value = made.codecs.Places.from_dict(document, unknown="strip", findings=findings)
    assert [(found.pointer, found.code, found.definition) for found in findings] == [
        ("/started/x", "unknown-member", "Call")
    ]
    assert made.codecs.Places.to_dict(value) == {"started": {"type": "call"}}
    assert made.codecs.Places.from_dict(document, unknown="keep").started.extra == {"x": 1}


def test_an_unknown_variant_at_a_marked_place(made: Package, world: Package) -> None:
    document = {"started": {"type": "new", "a": [1]}, "list": [SHELL, {"type": "new"}]}
    findings: list[Any] = []
    value = made.codecs.Places.from_dict(document, unknown="strip", findings=findings)
    assert [found.pointer for found in findings] == ["/started/type", "/list/1/type"]
    assert made.codecs.Places.to_dict(value) == {"list": [SHELL]}
    kept = world.codecs.Places.from_dict(document)
    assert kept.started == world.models.UnknownVariant(tag="new", raw={"type": "new", "a": [1]})
    assert world.codecs.Places.to_dict(kept) == document


def test_a_shell_is_of_its_own_class_and_says_what_is_absent(made: Package) -> None:
    models, read = made.models, made.codecs.Places.from_dict
    whole = read({"started": CALL}, unknown="keep").started
    assert type(whole) is models.Call
    shell = read({"started": {"type": "call"}}, unknown="keep").started
    assert shell == models.CallPartial()
    assert (shell.type, shell.id, shell.value) == ("call", None, made.module.ABSENT)
    assert made.codecs.Places.to_dict(models.Places(started=shell, list=[whole, models.ResultPartial()])) == {
        "started": {"type": "call"},
        "list": [CALL, {"type": "result"}],
    }
    with pytest.raises(made.module.EncodeError):
        made.codecs.Places.to_dict(models.Places(done=shell))
    with pytest.raises(made.module.EncodeError, match="id"):
        made.codecs.Places.to_dict(models.Places(started=shell), check=True)


def test_shells_read_and_write_themselves(made: Package) -> None:
    models = made.models
    assert models.CallPartial.from_json(b'{"type": "call"}', unknown="reject") == models.CallPartial()
    assert models.CallPartial(id="1").to_json() == b'{"type":"call","id":"1"}'
    assert made.codecs.StepPartial.from_dict({"type": "result"}) == models.ResultPartial()
    assert type(made.codecs.StepPartial.from_dict(CALL)) is models.Call
    with pytest.raises(made.module.DecodeError) as caught:
        models.CallPartial.from_dict({"id": "1"})
    assert str(caught.value).startswith("/type: missing-member: ") and "(Call, #/$defs/Call/" in str(caught.value)


def test_the_contract_has_no_codec_more(made: Package) -> None:
    assert sorted(made.codecs.CODECS) == ["", "Call", "Note", "Places", "Result", "Step"]
    assert {name for name in made.module.__all__ if "Partial" in name} == {
        "CallPartial",
        "ResultPartial",
        "StepPartial",
    }


def test_a_definition_called_like_a_shell_is_a_problem_with_the_line_that_settles_it(tmp_path: Path) -> None:
    contract = json.loads(CONTRACT.read_text())
    contract["$defs"]["CallPartial"] = {"type": "object", "properties": {"a": {"type": "string"}}}
    contract["properties"]["more"] = {"$ref": "#/$defs/CallPartial"}
    folder = tmp_path / "1"
    folder.mkdir()
    path = folder / "contract.json"
    path.write_text(json.dumps(contract))
    with pytest.raises(WireboundError) as caught:
        codegen.build(path)
    (problem,) = caught.value.problems
    assert (problem.code, problem.origin.pointer) == ("name-clash", "/$defs/CallPartial")
    assert problem.message == '"CallPartial" is also what shells of "Call" are called'
    assert problem.help == 'name it in outline.toml: [names] "#/$defs/CallPartial" = "…"'
    (folder / "outline.toml").write_text('[names]\n"#/$defs/CallPartial" = "HalfCall"\n')
    package = Package(path, tmp_path)
    assert package.models.HalfCall(a="b").to_dict() == {"a": "b"}
    assert package.models.CallPartial().to_dict() == {"type": "call"}


def test_attributes_and_former_names_are_those_of_the_definition(tmp_path: Path) -> None:
    folder = tmp_path / "1"
    folder.mkdir()
    (folder / "contract.json").write_text(CONTRACT.read_text())
    (folder / "outline.toml").write_text('[fields]\n"Call.value" = "worth"\n')
    (folder / "names.toml").write_text(
        '[definitions.Call]\nanchor = "call"\nplaces."1" = "#/$defs/Call"\nformer = ["Ask"]\n'
    )
    package = Package(folder / "contract.json", tmp_path)
    assert package.models.CallPartial(worth=1).to_dict() == {"type": "call", "value": 1}
    assert package.models.Ask is package.models.Call
    assert package.models.AskPartial is package.models.CallPartial


def test_tags_of_nested_choices_are_sure_to_be_there(tmp_path: Path) -> None:
    def variant(kind: str, form: str) -> dict[str, Any]:
        members = {"kind": {"const": kind}, "form": {"const": form}, "n": {"type": "integer"}}
        return {"type": "object", "properties": members, "required": ["kind", "form", "n"]}

    contract = {
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/Any", "x-wirebound-partial": True}},
        "$defs": {
            "Any": {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}]},
            "A": variant("x", "1"),
            "B": variant("x", "2"),
            "C": variant("y", "2"),
        },
    }
    package = Package(contract, tmp_path)
    codec = package.codecs.Root
    assert codec.to_dict(codec.from_dict({"at": {"kind": "x", "form": "2"}}, unknown="keep")) == {
        "at": {"kind": "x", "form": "2"}
    }
    assert type(codec.from_dict({"at": {"kind": "x", "form": "2"}}, unknown="keep").at) is package.models.BPartial
    with pytest.raises(package.module.DecodeError) as caught:
        codec.from_dict({"at": {"kind": "x"}}, unknown="keep")
    assert [fault.pointer for fault in caught.value.errors] == ["/at/form"]


def test_choices_that_are_tried_hold_shells_too(tmp_path: Path) -> None:
    def record(*names: str) -> dict[str, Any]:
        properties = {name: {"type": "string"} for name in names}
        return {"type": "object", "properties": properties, "required": [*names], "additionalProperties": False}

    contract = {
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/Any", "x-wirebound-partial": True}},
        "$defs": {
            "Any": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
            "A": record("a", "c"),
            "B": record("b", "c"),
        },
    }
    package = Package(contract, tmp_path)
    codec = package.codecs.Root
    value = codec.from_dict({"at": {"b": "x"}}, unknown="strip")
    # Under "strip" the first member takes the shell, and drops what it does not list; under "keep" likewise, and keeps it.
    assert type(value.at) is package.models.APartial
    kept = codec.from_dict({"at": {"b": "x"}}, unknown="keep")
    assert codec.to_dict(kept) == {"at": {"b": "x"}}
    assert type(codec.from_dict({"at": {"b": "x", "c": "y"}}, unknown="strip").at) is package.models.B


def test_marks_wherever_values_are_built(tmp_path: Path) -> None:
    definitions = {
        "Item": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
        "Same": {"$ref": "#/$defs/Item"},
        "Perhaps": {"anyOf": [{"$ref": "#/$defs/Item"}, {"type": "null"}]},
        "Other": {
            "type": "object",
            "properties": {
                "same": {"$ref": "#/$defs/Same", "x-wirebound-partial": True},
                "perhaps": {"$ref": "#/$defs/Perhaps", "x-wirebound-partial": True},
            },
        },
    }
    marked = {"$ref": "#/$defs/Item", "x-wirebound-partial": True}
    package = Package({"type": "array", "items": marked, "$defs": definitions}, tmp_path)
    root = package.codecs.CODECS[""]
    value = root.from_dict([{"n": 1}, {}], unknown="keep")
    assert value == [package.models.Item(n=1), package.models.ItemPartial()]
    assert root.to_dict(value) == [{"n": 1}, {}] == json.loads(root.to_json(value))
    with pytest.raises(package.module.DecodeError):
        root.from_dict([{}], unknown="reject")
    other = package.models.Other
    for document in ({"same": {}}, {"same": {"n": 1}}, {"perhaps": None}, {"perhaps": {"x": 1}}, {"perhaps": {"n": 1}}):
        assert other.from_dict(document, unknown="keep").to_dict() == document
        assert json.loads(other.from_json(json.dumps(document), unknown="strip").to_json()) == document
    assert {"SamePartial", "PerhapsPartial", "ItemPartial"} <= set(package.module.__all__)


def test_what_is_judged_alone_has_no_shells(tmp_path: Path) -> None:
    marked = {"$ref": "#/$defs/Item", "x-wirebound-partial": True}
    contract = {
        "type": "object",
        "properties": {"a": {"type": "object"}},
        "if": {"properties": {"a": marked}},
        "then": {"required": ["b"]},
        "$defs": {"Item": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
    }
    package = Package(contract, tmp_path)
    assert not [name for name in package.module.__all__ if "Partial" in name]
    codec = package.codecs.CODECS[""]
    assert codec.to_dict(codec.from_dict({"a": {}}, unknown="keep")) == {
        "a": {}
    }  # no Item: the condition does not hold
    with pytest.raises(package.module.DecodeError):
        codec.from_dict({"a": {"n": 1}}, unknown="keep")


def test_shells_in_a_recursion(tmp_path: Path) -> None:
    node = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/Node", "x-wirebound-partial": True}},
        "required": ["name"],
    }
    package = Package({"$ref": "#/$defs/Node", "$defs": {"Node": node}}, tmp_path)
    codec = package.codecs.Node
    document = {"name": "a", "next": {"next": {"name": "c", "next": {}}}}
    value = codec.from_dict(document, unknown="keep")
    assert [type(value), type(value.next), type(value.next.next)] == [
        package.models.Node,
        package.models.NodePartial,
        package.models.Node,
    ]
    assert codec.to_dict(value) == document == json.loads(codec.to_json(value))
    with pytest.raises(package.module.DecodeError):
        codec.from_dict({"next": {"name": "b"}}, unknown="keep")
