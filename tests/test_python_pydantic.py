"""Part ``pydantic``: its codecs and models say what the codecs of the dataclasses say."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pydantic
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from codegen.errors import WireboundError
from codegen.resolve.meet import same_json
from codegen.targets.python import pydantic_models
from tests.python_package import Package
from tests.schemas import CONTRACTS, DOCUMENTS
from tests.test_python_structs import CONTRACT, TEXTS, outcome

EXAMPLES = 40
PARTS = ["models", "typed", "pydantic"]
AG_UI = Path(__file__).parents[1] / "schema/ag-ui/1.0/schema.json"


def agree(package: Package, document: Any) -> None:
    """The codecs of models say what those of dataclasses say, and so do the models themselves."""
    text = json.dumps(document).encode()
    for name, codec in package.codecs.CODECS.items():
        own = package.pydantic_codecs.CODECS[name]
        value, faults = outcome(codec.from_dict, document)
        for read, given_ in ((own.from_dict, document), (own.from_json, text)):
            built, found = outcome(read, given_)
            assert found == faults, (name, document)
            if faults is None:
                written = codec.to_dict(value)
                assert json.dumps(own.to_dict(built, check=True)) == json.dumps(written), (name, document)
                assert own.to_json(built) == codec.to_json(value), (name, document)
        model = getattr(package.pydantic_models, own.rule, None)
        if isinstance(model, type) and issubclass(model, pydantic.BaseModel):
            adapter: Any = pydantic.TypeAdapter(model)
            for read, given_ in (
                (model.model_validate, document),
                (model.model_validate_json, text),
                (adapter.validate_python, document),
            ):
                try:
                    built = read(given_)
                except pydantic.ValidationError:
                    assert faults is not None, (name, document)
                else:
                    assert faults is None, (name, document)
                    assert json.dumps(built.model_dump()) == json.dumps(codec.to_dict(value))
                    assert same_json(json.loads(built.model_dump_json()), codec.to_dict(value))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(contract=CONTRACTS, documents=st.lists(DOCUMENTS, min_size=4, max_size=8))
def test_models_say_what_dataclasses_say(
    tmp_path_factory: pytest.TempPathFactory, contract: Any, documents: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("models")
    try:
        package = Package(contract, folder, parts=PARTS)
    except WireboundError:
        reject()
    for document in documents:
        agree(package, document)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("models"), parts=PARTS)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:50])
def test_texts(made: Package, text: str) -> None:
    for name, codec in made.codecs.CODECS.items():
        own = made.pydantic_codecs.CODECS[name]
        for data in (text, text.encode()):
            value, faults = outcome(codec.from_json, data)
            built, found = outcome(own.from_json, data)
            assert found == faults
            if faults is None:
                assert own.to_dict(built) == codec.to_dict(value) and own.to_json(built) == codec.to_json(value)


def test_absent_and_null_are_apart(made: Package) -> None:
    models = made.pydantic_models
    absent, null = models.Circle(kind="circle", size=1), models.Circle(kind="circle", size=1, note=None)
    assert absent.note is None and "note" not in absent.model_fields_set and "note" in null.model_fields_set
    assert absent.model_dump() == {"kind": "circle", "size": 1}
    assert json.loads(null.model_dump_json()) == {"kind": "circle", "size": 1, "note": None}
    assert models.Circle.model_validate(null.model_dump()) == null
    absent.note = None
    assert absent.model_dump() == null.model_dump()


def test_what_a_program_builds_is_validated_strictly(made: Package) -> None:
    models = made.pydantic_models
    for wrong in ({"size": "1"}, {"size": -1}, {"size": 1, "code": "toolong"}, {"size": 1, "what": 2}):
        with pytest.raises(pydantic.ValidationError):
            models.Circle(kind="circle", **wrong)
    inner = models.Circle(kind="circle", size=1, below={"kind": "square", "other": [1]})
    assert inner.below.model_dump() == {"kind": "square", "other": [1]}


def test_undeclared_members_are_kept(made: Package) -> None:
    value = made.pydantic_models.Square.model_validate({"kind": "square", "other": {"a": None}, "model_dump": 1})
    assert value.model_dump() == {"kind": "square", "other": {"a": None}, "model_dump": 1}


def test_other_ways_to_dump_are_pydantics(made: Package) -> None:
    value = made.pydantic_models.Circle(kind="circle", size=1, code="ab")
    assert value.model_dump(include={"size"}) == {"size": 1}
    assert value.model_dump_json(indent=1) == '{\n "kind": "circle",\n "size": 1,\n "code": "ab"\n}'


def test_subclasses_are_models_too(made: Package) -> None:
    class Own(made.pydantic_models.Circle):  # type: ignore[misc, name-defined]
        @property
        def area(self) -> float:
            return 3.14 * self.size**2

    value = Own.model_validate({"kind": "circle", "size": 2})
    assert type(value) is Own and value.area == 12.56 and value.model_dump() == {"kind": "circle", "size": 2}


@pytest.fixture(scope="module")
def ag_ui(tmp_path_factory: pytest.TempPathFactory) -> Package:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Package(AG_UI, tmp_path_factory.mktemp("ag_ui"), parts=PARTS)


def test_one_bad_field_is_one_error(ag_ui: Package) -> None:
    bad = {"type": "TEXT_MESSAGE_CONTENT", "messageId": 7, "delta": "d"}
    adapter: Any = pydantic.TypeAdapter(ag_ui.pydantic_models.Event)
    for read in (adapter.validate_python, ag_ui.pydantic_models.TextMessageContentEvent.model_validate):
        with pytest.raises(pydantic.ValidationError) as raised:
            read(bad)
        (error,) = raised.value.errors()
        assert error["loc"][-1] == "messageId" and error["type"] == "wrong_type"
    with pytest.raises(ValueError) as refused:
        ag_ui.pydantic_codecs.Event.from_dict(bad, errors="all")
    (fault,) = refused.value.errors  # type: ignore[attr-defined]
    assert fault.pointer == "/messageId"


def test_names_docstrings_and_schema(ag_ui: Package) -> None:
    model = ag_ui.pydantic_models.TextMessageStartEvent
    assert list(model.model_fields)[:3] == ["type", "timestamp", "raw_event"]
    assert model.__doc__.strip().startswith("Begins a text message")
    schema = model.model_json_schema(mode="serialization")
    assert "messageId" in schema["properties"] and schema["additionalProperties"] is False
    assert "Id of the message" in schema["properties"]["messageId"]["description"]
    event = pydantic.TypeAdapter(ag_ui.pydantic_models.Event).json_schema()
    assert event["discriminator"]["propertyName"] == "type" and len(event["oneOf"]) == 31


HOSTILE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "Any": {"type": "object", "properties": {"Field": {"type": "string"}}},
        "Doc": {
            "description": 'quotes """ and \\ and \u202e and {{ }} {% raw %}\n\nimport os',
            "type": "object",
            "properties": {
                name: {"type": "string", "description": 'text """ # \\'}
                for name in ("schema", "copy", "model_dump", "_private", "__x__", "class", "a-b", "a.b", "1st", "", "é")
            },
        },
    },
}


def test_hostile_names_and_texts(tmp_path: Path) -> None:
    package = Package(HOSTILE, tmp_path, parts=PARTS)
    for document in ({}, dict.fromkeys(HOSTILE["$defs"]["Doc"]["properties"], "v")):  # type: ignore[index]
        agree(package, document)
    assert package.pydantic_models.Any_.model_validate({"Field": "x"}).model_dump() == {"Field": "x"}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "does not write Shape, Circle, "),
        ("class Circle: size: int", "does not write Shape, Circle.kind, Circle.ratio"),
        ("import os\nos.system('x')", "writes os.system('x'), which was not asked for"),
    ],
)
def test_what_comes_otherwise_than_asked_is_refused(monkeypatch: pytest.MonkeyPatch, written: str, told: str) -> None:
    """No version of the other generator can surprise a user of what it writes."""
    import codegen

    monkeypatch.setattr(pydantic_models, "_generated", lambda *_: written)
    with pytest.raises(WireboundError) as refused:
        codegen.build(CONTRACT, options={"parts": PARTS})
    (problem,) = refused.value.problems
    assert problem.code == "not-as-asked" and told in problem.message


def test_without_the_other_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    import codegen

    monkeypatch.setattr(pydantic_models.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(WireboundError, match="missing-extra"):
        codegen.build(CONTRACT, options={"parts": PARTS})


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_checkers_at_their_strictest(ag_ui: Package, checker: str) -> None:
    folder = ag_ui.folder.parent
    (folder / "program.py").write_text(f"""from {ag_ui.name} import pydantic_codecs, pydantic_models, typed

event = pydantic_codecs.TextMessageContentEvent.from_json(b"")
text: str = event.delta
document: typed.TextMessageContentEvent = pydantic_codecs.TextMessageContentEvent.to_dict(event)
made = pydantic_models.TextMessageContentEvent(type="TEXT_MESSAGE_CONTENT", message_id="m", delta="d")
number: int | None = made.timestamp
""")
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    strict = ["--strict"] if checker == "mypy" else ["--pythonpath", sys.executable]
    command = [sys.executable, "-m", checker, *strict, ag_ui.name, "program.py"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
