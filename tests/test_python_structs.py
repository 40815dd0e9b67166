"""Part ``msgspec``: its codecs say what those of the dataclasses say, over random contracts and hostile texts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from codegen.document import load
from codegen.errors import WireboundError
from codegen.facts import Facts
from codegen.resolve import resolve
from codegen.resolve.meet import same_json
from codegen.targets.python.native import Native
from tests.python_package import Package
from tests.schemas import CONTRACTS, DOCUMENTS

EXAMPLES = 60
PARTS = ["models", "typed", "msgspec"]
AG_UI = Path(__file__).parents[1] / "schema/ag-ui/1.0/schema.json"


def outcome(read: Any, document: Any) -> tuple[Any, Any]:
    """The value, or the faults."""
    try:
        return read(document), None
    except ValueError as error:
        return None, error.errors  # type: ignore[attr-defined]


def agree(package: Package, document: Any) -> None:
    """Both kinds of codecs say the same of a document; each gives it back as it was."""
    text = json.dumps(document).encode()
    for name, codec in package.codecs.CODECS.items():
        structs = package.msgspec_codecs.CODECS[name]
        value, faults = outcome(codec.from_dict, document)
        for read, given_ in (
            (structs.from_dict, document),
            (structs.from_json, text),
            (structs.from_json, text.decode()),
        ):
            built, found = outcome(read, given_)
            assert found == faults, (name, document)
            if faults is None:
                written = codec.to_dict(value)
                assert json.dumps(structs.to_dict(built, check=True)) == json.dumps(written), (name, document)
                assert same_json(json.loads(structs.to_json(built)), written), (name, document)
                try:
                    assert same_json(json.loads(structs.encode(built)), written), (name, document)
                except TypeError:  # undeclared members, which msgspec alone does not write
                    assert "extra={" in repr(built)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(contract=CONTRACTS, documents=st.lists(DOCUMENTS, min_size=4, max_size=8))
def test_structs_say_what_dataclasses_say(
    tmp_path_factory: pytest.TempPathFactory, contract: Any, documents: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("structs")
    try:
        package = Package(contract, folder, parts=PARTS)
    except WireboundError:
        reject()
    for document in documents:
        agree(package, document)
    shutil.rmtree(folder)


CONTRACT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$ref": "#/$defs/Shape",
    "$defs": {
        "Shape": {"oneOf": [{"$ref": "#/$defs/Circle"}, {"$ref": "#/$defs/Square"}]},
        "Circle": {
            "type": "object",
            "properties": {
                "kind": {"const": "circle"},
                "size": {"type": "integer", "minimum": 0, "maximum": 2**60},
                "ratio": {"type": "number", "exclusiveMinimum": 0.5},
                "code": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3},
                "note": {"type": ["string", "null"]},
                "raw": {"not": {"type": "null"}},
                "below": {"$ref": "#/$defs/Shape"},
            },
            "required": ["kind", "size"],
            "additionalProperties": False,
        },
        "Square": {
            "type": "object",
            "properties": {"kind": {"const": "square"}, "extra": {"type": "string"}, "any": True},
            "required": ["kind"],
        },
        "Version": {"type": "object", "properties": {"v": {"enum": [1, 2]}, 'odd "name"': {"type": "string"}}},
        "Level": {"enum": [1, 2]},
    },
}

TEXTS = [
    '{"kind":"circle","size":1}',
    '{"kind":"circle","size":1.0}',
    '{"kind":"circle","size":1e0}',
    '{"kind":"circle","size":true}',
    '{"kind":"circle","size":-1}',
    f'{{"kind":"circle","size":{2**60}}}',
    f'{{"kind":"circle","size":{2**60 + 1}}}',
    f'{{"kind":"circle","size":{10**30}}}',
    '{"size":1}',
    '{"kind":"circle\\u0000","size":1}',
    '{"kind":"circle\\u0000","nothing":null}',
    '{"kind":"square","kind":"circle","size":1}',
    '{"kind":"circle","size":"x","size":1}',
    '{"kind":"circle","size":1,"size":"x"}',
    '{"kind":"circle","size":1,"other":1}',
    '{"kind":"circle","size":1,"ratio":0.5}',
    '{"kind":"circle","size":1,"ratio":1}',
    f'{{"kind":"circle","size":1,"ratio":{2**53 + 1}}}',
    '{"kind":"circle","size":1,"ratio":1e400}',
    '{"kind":"circle","size":1,"ratio":NaN}',
    '{"kind":"circle","size":1,"code":"ab"}',
    '{"kind":"circle","size":1,"code":"ab\\n"}',
    '{"kind":"circle","size":1,"code":"abcd"}',
    '{"kind":"circle","size":1,"note":null}',
    '{"kind":"circle","size":1,"raw":null}',
    '{"kind":"circle","size":1,"raw":[null]}',
    '{"kind":"circle","size":1,"raw":"\\ud800"}',
    '{"kind":"circle","size":1,"below":{"kind":"circle","size":2.0}}',
    '{"kind":"circle","size":1,"below":{"size":2}}',
    '{"kind":"square","extra":"x"}',
    '{"kind":"square","extra":1}',
    '{"kind":"square","other":[1,{"a":null}],"extra":"x"}',
    '{"kind":"square","any":null}',
    '{"kind":"square","any":' + "[" * 254 + "]" * 254 + "}",
    '{"kind":"square","any":' + "[" * 300 + "]" * 300 + "}",
    '{"v":1,"odd \\"name\\"":"x","o":1}',
    '{"v":true}',
    "1",
    "1.0",
    "true",
    "null",
    "",
    "\ufeff1",
    "1 2",
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("structs"), parts=PARTS)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:50])
def test_texts(made: Package, text: str) -> None:
    for name, codec in made.codecs.CODECS.items():
        structs = made.msgspec_codecs.CODECS[name]
        for data in (text, text.encode()):
            value, faults = outcome(codec.from_json, data)
            built, found = outcome(structs.from_json, data)
            assert found == faults
            if faults is None:
                document = json.dumps(codec.to_dict(value))
                assert json.dumps(structs.to_dict(built)) == document
                assert json.loads(structs.to_json(built)) == json.loads(document)


def test_msgspec_reads_what_it_can(made: Package) -> None:
    """Else the part would be exact and slow: what is said here to be native is what makes it fast."""
    model = resolve(load(CONTRACT))
    native = Native(Facts(model))
    names = {d.name.spelled for d in model.definitions if d.key in native.definitions}
    assert names == {"Shape", "Circle", "Square", "Level"}
    codec = made.msgspec_codecs.Shape
    value = codec.from_json(b'{"kind":"circle","size":1}')
    assert codec._reader().__self__.__class__.__module__.startswith("msgspec") and value.kind == "circle"
    assert codec.encode(value) == codec.to_json(value) == b'{"kind":"circle","size":1}'


def test_absent_and_null_are_apart(made: Package) -> None:
    codec, models = made.msgspec_codecs.Circle, made.msgspec_models
    absent, null = models.Circle(size=1), models.Circle(size=1, note=None)
    assert absent.note is models.UNSET and null.note is None and absent != null
    assert codec.to_dict(absent) == {"kind": "circle", "size": 1}
    assert json.loads(codec.to_json(null)) == {"kind": "circle", "size": 1, "note": None}
    assert codec.from_json(codec.to_json(null)) == null


def test_undeclared_members_are_kept_and_never_lost(made: Package) -> None:
    codec, extra = made.msgspec_codecs.Shape, made.msgspec_models.Extra
    value = codec.from_json(b'{"kind":"square","other":1}')
    assert value.extra == extra({"other": 1}) and codec.to_dict(value) == {"kind": "square", "other": 1}
    assert json.loads(codec.to_json(value)) == {"kind": "square", "other": 1}
    with pytest.raises(TypeError):
        codec.encode(value)
    value.extra = extra({"extra": "x", "kind": 2})
    with pytest.raises(ValueError, match="declared member"):
        codec.to_json(value)


def test_what_json_cannot_carry_is_refused(made: Package) -> None:
    codec, models = made.msgspec_codecs.Shape, made.msgspec_models
    for value in (
        models.Circle(size=1, ratio=float("nan")),
        models.Circle(size=1, raw=[float("inf")]),
        models.Circle(size=1, code="\ud800"),
        models.Version(v=1),
        {"kind": "circle", "size": 1},
        1,
    ):
        with pytest.raises(ValueError):
            codec.to_json(value)
    with pytest.raises(ValueError, match="minimum"):
        codec.to_json(models.Circle(size=-1), check=True)


@pytest.fixture(scope="module")
def ag_ui(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    yield Package(AG_UI, tmp_path_factory.mktemp("ag_ui"), parts=PARTS)


def test_one_bad_field_is_one_fault(ag_ui: Package) -> None:
    codec = ag_ui.msgspec_codecs.Event
    with pytest.raises(ValueError) as raised:
        codec.from_json(b'{"type":"TEXT_MESSAGE_CONTENT","messageId":7,"delta":"d"}', errors="all")
    (fault,) = raised.value.errors  # type: ignore[attr-defined]
    assert (fault.pointer, fault.code) == ("/messageId", "wrong-type")


def test_right_documents_need_msgspec_alone(ag_ui: Package) -> None:
    """On right documents it loads neither the exact code nor the rules."""
    program = f"""
import sys
from {ag_ui.name} import msgspec_codecs
"""
    program = program.replace(f"from {ag_ui.name} import", f"import {ag_ui.name}.msgspec_codecs as")
    program += """
value = msgspec_codecs.Event.from_json(b'{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"d"}')
assert msgspec_codecs.Event.encode(value) == b'{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"d"}'
print(*sorted(name.partition(".")[2] for name in sys.modules if "_structs" in name or "_rules" in name))
"""
    ran = subprocess.run([sys.executable, "-c", program], cwd=ag_ui.folder.parent, capture_output=True, text=True)
    assert (ran.stdout.strip(), ran.stderr) == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_checkers_at_their_strictest(ag_ui: Package, checker: str) -> None:
    folder = ag_ui.folder.parent
    (folder / "program.py").write_text(f"""from msgspec import UNSET
from {ag_ui.name} import msgspec_codecs, msgspec_models, typed

event: msgspec_models.Event = msgspec_codecs.Event.from_json(b"")
if event.type == "TEXT_MESSAGE_CONTENT":
    text: str = event.delta
    document: typed.TextMessageContentEvent = msgspec_codecs.TextMessageContentEvent.to_dict(event)
if event.timestamp is not UNSET:
    number: int = event.timestamp
operation = msgspec_models.RemoveOperation(path="/a", extra=msgspec_models.Extra({{"more": 1}}))
""")
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    strict = ["--strict"] if checker == "mypy" else ["--pythonpath", sys.executable]
    command = [sys.executable, "-m", checker, *strict, ag_ui.name, "program.py"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
