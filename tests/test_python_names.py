"""Names and texts of contracts that would break a Python module: each finds its place, and none is ever run."""

from __future__ import annotations

import ast
import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import codegen
from codegen.targets import naming
from codegen.targets.python.names import MEMBERS, safe
from tests.python_package import Package


@pytest.mark.parametrize(
    ("wire", "attribute"),
    [
        ("messageId", "message_id"),
        ("message_id", "message_id"),
        ("MessageID", "message_id"),
        ("URL", "url"),
        ("toolCallIDs", "tool_call_ids"),
        ("HTTPServer2Name", "http_server2_name"),
        ("rawEvent", "raw_event"),
        ("x-api-key", "x_api_key"),
        ("$ref", "ref"),
        ("@type", "type"),
        ("_meta", "meta"),
        ("foo_", "foo_"),
        ("a.b.c", "a_b_c"),
        ("1st", "x31_st"),
        ("", "_"),
        ("$", "x24_"),
        ("이름", "이름"),
        ("naïve", "naïve"),
        ("ﬁeld", "_x"),  # not the identifier that Python would read
    ],
)
def test_attributes(wire: str, attribute: str) -> None:
    found = naming.snake(wire)
    assert found.isidentifier()
    assert found == attribute if attribute != "_x" else found.isascii()


@pytest.mark.parametrize(
    ("name", "attribute"),
    [
        ("class", "class_"),
        ("None", "None_"),
        ("match", "match"),
        ("extra", "extra_"),
        ("from_json", "from_json_"),
        ("__init__", "__init___"),
        ("__slots__", "__slots___"),
        ("__mangled", "x5f__mangled"),
        ("self", "self"),
    ],
)
def test_reserved(name: str, attribute: str) -> None:
    assert safe(name, MEMBERS) == attribute


FIELDS = [
    "fooBar", "foo_bar", "foo-bar", "Global", "global", "class", "__class__", "int", "str", "list", "self", "1st", "",
    "extra", "to_dict", "Inner", "inner", "@type", "type", "ABSENT", "cls", "field", "dataclass", "__dict__", "__x",
    "annotations",
]  # fmt: skip


def test_members_that_meet_keep_apart(tmp_path: Path) -> None:
    """The exact spelling wins, the others keep theirs, and annotations mean what they meant."""
    contract = {
        "title": "Holder",
        "type": "object",
        "properties": {name: {"type": ["string", "null"]} for name in FIELDS},
        "additionalProperties": False,
    }
    package = Package(contract, tmp_path)
    attributes = dict(zip(FIELDS, package.models.Holder.__dataclass_fields__, strict=False))
    assert len(set(attributes.values())) == len(FIELDS)
    assert (attributes["foo_bar"], attributes["fooBar"], attributes["foo-bar"]) == ("foo_bar", "fooBar", "foo_x2d_bar")
    assert (attributes["global"], attributes["Global"]) == ("global_", "Global")
    assert (attributes["inner"], attributes["Inner"]) == ("inner", "Inner")
    document = {name: name for name in FIELDS}
    value = package.models.Holder.from_dict(document)
    assert all(getattr(value, attribute) == name for name, attribute in attributes.items())
    assert value.to_dict() == document
    assert package.models.Holder(**{attributes["self"]: "me"}).to_dict() == {"self": "me"}


def test_the_order_of_members_does_not_name_them(tmp_path: Path) -> None:
    def names(fields: list[str]) -> dict[str, str]:
        contract = {"title": "Holder", "type": "object", "properties": dict.fromkeys(fields, True)}
        package = Package(contract, tmp_path)
        return dict(zip(fields, package.models.Holder.__dataclass_fields__, strict=False))

    assert names(FIELDS) == names(FIELDS[::-1])


def test_a_clash_that_remains_is_a_problem_with_the_line_that_settles_it() -> None:
    contract = {"title": "Holder", "type": "object", "properties": {"class": True, "class_": True}}
    with pytest.raises(codegen.WireboundError) as caught:
        codegen.build(contract)
    (problem,) = caught.value.problems
    assert problem.code == "name-clash"
    assert 'outline.toml: [fields] "Holder.class_"' in problem.help


def test_the_outline_gives_an_attribute(tmp_path: Path) -> None:
    folder = tmp_path / "contract"
    folder.mkdir()
    contract = {"title": "Holder", "type": "object", "properties": {"class": True, "class_": True}}
    (folder / "schema.json").write_text(json.dumps(contract))
    (folder / "outline.toml").write_text('[fields]\n"Holder.class_" = "classes"\n')
    package = Package(folder / "schema.json", tmp_path)
    assert list(package.models.Holder.__dataclass_fields__) == ["class_", "classes", "extra"]
    assert package.models.Holder(classes=1).to_dict() == {"class_": 1}
    (folder / "outline.toml").write_text('[fields]\n"Holder.class_" = "not one"\n')
    with pytest.raises(codegen.WireboundError, match="name-clash"):
        codegen.build(folder / "schema.json")


def test_former_names_stay_importable(tmp_path: Path) -> None:
    folder = tmp_path / "contract"
    folder.mkdir()
    contract = {
        "$defs": {"New": {"type": "object", "properties": {"a": {"type": "integer"}}}, "Size": {"enum": ["s", "m"]}}
    }
    (folder / "schema.json").write_text(json.dumps(contract))
    (folder / "names.toml").write_text(
        '[definitions.New]\nanchor = "new"\nplaces."1.0" = "#/$defs/New"\nformer = ["Old", "old-er"]\n'
    )
    package = Package(folder / "schema.json", tmp_path)
    assert package.models.Old is package.models.New and package.module.Old is package.models.New
    assert package.models.OldEr is package.models.New
    assert package.codecs.Old is package.codecs.New and package.typed.Old is package.typed.New
    assert "Old" not in package.codecs.CODECS
    assert '"""Deprecated: the former name of ``New``."""' in package.text("models.py")


DEFINITIONS = [
    "Any", "str", "dict", "int", "None", "class", "Record", "JsonValue", "dataclass", "TypeAlias", "Literal",
    "Mapping", "Sequence", "Absent", "models", "typed", "codecs", "PROTOCOL_VERSION", "Fault", "Codec", "annotations",
    "foo-bar", "FooBar", "1st", "type", "object", "len", "isinstance", "__init__", "_private", "__mangled", "한국어",
    "Exception", "print", "UnknownVariant", "e", "s", "c",
]  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"parts": ["models"]}, {"open_world": True}], ids=str)
def test_definitions_may_be_called_like_anything(tmp_path: Path, options: dict[str, Any]) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "number": {"type": "integer"},
            "texts": {"type": "array", "items": {"type": "string"}},
            "map": {"type": "object", "additionalProperties": {"type": "number"}},
            "tag": {"const": "x"},
            "null": {"type": ["string", "null"]},
        },
        "required": ["tag"],
        "additionalProperties": False,
    }
    contract = {
        "title": "Odd",
        "type": "object",
        "properties": {str(n): {"$ref": f"#/$defs/{name}"} for n, name in enumerate(DEFINITIONS)},
        "$defs": dict.fromkeys(DEFINITIONS, schema),
    }
    package = Package(contract, tmp_path, **options)
    one = {"tag": "x", "text": "t", "number": 1, "texts": ["a"], "map": {"a": 1.5}, "null": None}
    document = {str(n): one for n in range(len(DEFINITIONS))}
    codec = package.codecs.CODECS[""]
    value = codec.from_dict(document)
    assert codec.to_dict(value) == document
    assert json.loads(codec.to_json(value)) == document
    for name in DEFINITIONS:
        assert package.codecs.CODECS[name].to_dict(package.codecs.CODECS[name].from_dict(one)) == one
        with pytest.raises(package._support.DecodeError):
            package.codecs.CODECS[name].from_dict({"tag": "y"})
    assert all(hasattr(package.module, name) for name in package.module.__all__)


PAYLOADS = [
    '"""\nimport os\nos.environ["WIREBOUND_PWNED"] = "1"\n"""',
    "'''\nimport os; os.environ['WIREBOUND_PWNED'] = '1'",
    '"); import os; os.environ["WIREBOUND_PWNED"] = "1" #',
    "\\",
    '\\"',
    '"',
    "'",
    '""',
    "\\N{BULLET}",
    "\\x",
    "{{ 7 * 7 }}{% for a in b %}{# c #}",
    "{0}{name}%s$x",
    "\u202e\u2066 reversed",
    "\x00\x07\x1b[31m\x7f",
    "line\nbreak\r\nand\rreturn\u2028\u2029\x85",
    "# comment",
    "${jndi}*/ -->",
    "\ufeff",
    " ",
    "\t",
    "😀" * 3,
    "x" * 5000,
    "lambda: __import__('os').system('true')",
    "f\"{__import__('os')}\"",
]


def hostile(text: str) -> dict[str, Any]:
    """A contract that says ``text`` wherever it can say something."""
    said = {"title": text, "description": text, "$comment": text, "examples": [text], "default": text, "x-note": text}
    return {
        **said,
        "title": "Root",
        "type": "object",
        "properties": {
            text: {**said, "type": "string", "maxLength": 9999},
            "const": {**said, "const": text},
            "enum": {**said, "enum": [text, text + "2", 1]},
            "deep": {**said, "enum": [[text], {text: [text]}]},
            "named": {**said, "$ref": "#/$defs/Named"},
            "map": {"type": "object", "patternProperties": {"^[a-z]+$": {"const": text}}},
            "union": {
                "oneOf": [
                    {"type": "object", "properties": {text + "t": {"const": text + "1"}}, "required": [text + "t"]},
                    {"type": "object", "properties": {text + "t": {"const": text + "2"}}, "required": [text + "t"]},
                ]
            },
            "dependent": {"dependentRequired": {text: [text + "3"]}, "propertyNames": {"maxLength": 5003}},
        },
        "additionalProperties": False,
        "$defs": {
            "Named": {**said, "enum": [text, "plain"]},
            "Item": {"anyOf": [{"const": text, "description": text}, {"const": "b"}]},
        },
    }


def shape(source: str) -> list[str]:
    """The statements of a module, without docstrings and without what literals say."""
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    docs = [node for node in statements if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    return [type(node).__name__ for node in statements if node not in docs]


@pytest.mark.parametrize("text", PAYLOADS, ids=lambda text: ascii(text)[:30])
def test_no_text_of_a_contract_is_code(tmp_path: Path, text: str) -> None:
    package = Package(hostile(text), tmp_path)
    assert "WIREBOUND_PWNED" not in os.environ
    benign = codegen.build(hostile("benign text"), options={"package": package.name})
    assert package.files.keys() == benign.keys()
    for name, content in package.files.items():
        if name.endswith(".py"):
            source = content.decode()
            ast.parse(source)
            bare = source.replace("\n", "")
            assert bare.isprintable() or text.startswith(
                "😀"
            ), "no control or bidirectional character stands in the source"
            if not name.endswith(("_fast.py", "_write.py", "_octets.py")) and not text.isidentifier():
                assert shape(source) == shape(benign[name].decode()), name
    document = {
        text: text,
        "const": text,
        "enum": text + "2",
        "deep": {text: [text]},
        "named": text,
        "map": {"abc": text},
        "union": {text + "t": text + "2"},
        "dependent": {text: 1, text + "3": 2},
    }
    codec = package.codecs.CODECS[""]
    assert codec.to_dict(codec.from_dict(document)) == document
    assert json.loads(codec.to_json(codec.from_json(json.dumps(document)))) == document
    for member in ("const", "enum", "deep", "named", "union"):
        with pytest.raises(package._support.DecodeError):
            codec.from_dict({**document, member: "other"})
    with pytest.raises(package._support.DecodeError) as caught:
        codec.from_dict({**document, "dependent": {text: 1}})
    assert str(caught.value)
    assert "WIREBOUND_PWNED" not in os.environ


def test_options_that_no_package_can_have() -> None:
    contract = {"type": "object"}
    for options in (
        {"package": "a b"},
        {"package": "class"},
        {"package": "../up"},
        {"parts": ["typed"]},
        {"parts": ["models", "models"]},
        {"parts": ["models", "else"]},
        {"unknown": "ignore"},
        {"other": 1},
    ):
        with pytest.raises(codegen.WireboundError):
            codegen.build(contract, options=options)


def test_the_package_stands_alone(tmp_path: Path) -> None:
    """Nothing imports the generator, and imports inside the package are relative: it works under any name."""
    package = Package({"title": "T", "type": "object", "properties": {"a": {"type": "integer"}}}, tmp_path)
    for name, content in package.files.items():
        if name.endswith(".py"):
            for node in ast.walk(ast.parse(content)):
                if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
                    top = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
                    assert all(module.partition(".")[0] in sys.stdlib_module_names for module in top), (name, top)
    package.folder.rename(tmp_path / "renamed")
    sys.path.insert(0, str(tmp_path))
    try:
        renamed = importlib.import_module("renamed")
    finally:
        sys.path.remove(str(tmp_path))
    assert renamed.models.T(a=1).to_json() == b'{"a":1}'
    assert (tmp_path / "renamed" / "py.typed").read_bytes() == b""
    assert len(renamed.CONTRACT_DIGEST) == 64
