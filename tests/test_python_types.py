"""Generated packages under mypy --strict and pyright strict, with programs that must check and lines that must not."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import codegen
from tests.test_python_names import DEFINITIONS, FIELDS
from tests.test_python_policies import CONTRACT as POLICIES

MESSAGES: dict[str, Any] = {
    "$ref": "#/$defs/Event",
    "$defs": {
        "Event": {"oneOf": [{"$ref": "#/$defs/Start"}, {"$ref": "#/$defs/Stop"}, {"$ref": "#/$defs/Snapshot"}]},
        "Start": {
            "type": "object",
            "properties": {"type": {"const": "start"}, "runId": {"type": "string"}, "at": {"type": ["integer", "null"]}},
            "required": ["type", "runId"],
        },
        "Stop": {
            "type": "object",
            "properties": {"type": {"const": "stop"}, "level": {"$ref": "#/$defs/Level"}},
            "required": ["type"],
        },
        "Snapshot": {
            "type": "object",
            "properties": {
                "type": {"const": "snapshot"},
                "messages": {"type": "array", "items": {"$ref": "#/$defs/Message"}},
                "state": True,
            },
            "required": ["type", "messages"],
        },
        "Message": {"oneOf": [{"$ref": "#/$defs/UserMessage"}, {"$ref": "#/$defs/ToolMessage"}]},
        "UserMessage": {
            "type": "object",
            "properties": {
                "role": {"const": "user"},
                "content": {"type": ["string", "array"], "items": {"$ref": "#/$defs/Tree"}},
            },
            "required": ["role", "content"],
        },
        "ToolMessage": {
            "type": "object",
            "properties": {"role": {"const": "tool"}, "tool-call": {"type": "string"}},
            "required": ["role", "tool-call"],
        },
        "Level": {"enum": ["low", "high"]},
        "Tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}, "kids": {"$ref": "#/$defs/Forest"}}},
        "Forest": {
            "anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "array", "items": {"$ref": "#/$defs/Forest"}}, {"type": "null"}]
        },
        "Json": {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"$ref": "#/$defs/Json"}},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
            ]
        },
    },
}  # fmt: skip

RIGHT = """
from __future__ import annotations

from typing import Any, Literal, assert_never, assert_type

from messages import ABSENT, Absent, DecodeError, Event, Finding, Message, Snapshot, Start, Stop, ToolMessage, UserMessage
from messages import codecs, models, typed


def classes(event: Event) -> str:
    match event:
        case Start():
            return event.run_id
        case Stop():
            return event.level or ""
        case Snapshot():
            return str(len(event.messages))
        case _:
            assert_never(event)


def tags(event: Event) -> str:
    if event.type == "start":
        assert_type(event, Start)
        return event.run_id
    if event.type == "stop":
        assert_type(event, Stop)
        return ""
    assert_type(event, Snapshot)
    return ""


def documents(event: typed.Event) -> str:
    if event["type"] == "start":
        assert_type(event["runId"], str)
        return event["runId"]
    if event["type"] == "stop":
        return event.get("level", "")
    for message in event["messages"]:
        if message["role"] == "tool":
            return message["tool-call"]
    return ""


def read(data: bytes) -> None:
    findings: list[Finding] = []
    assert_type(codecs.Event.from_json(data), Start | Stop | Snapshot)
    assert_type(Start.from_json(data, unknown="strip", findings=findings), Start)
    assert_type(Start.from_dict({}).to_dict(), typed.Start)
    assert_type(codecs.Level.from_json(data), Literal["low", "high"])
    assert_type(codecs.Start.to_dict(Start(run_id="r")), typed.Start)
    document: typed.Event = codecs.Event.to_dict(Start(run_id="r"), check=True)
    assert_type(codecs.Event.to_json(Stop()), bytes)
    try:
        codecs.CODECS[""].from_json(data)
    except DecodeError as error:
        print(error.errors[0].pointer, document)


def absence(start: Start) -> int:
    if start.at is ABSENT:
        return 0
    assert_type(start.at, int | None)
    return start.at or 0


users: list[UserMessage] = [UserMessage(content="hello"), UserMessage(content=[models.Tree(left=models.Tree())])]
Snapshot(messages=users, state={"a": [1, None, "x"]})
Snapshot(messages=[*users, ToolMessage(tool_call="t")])
roles: list[Literal["user", "tool"]] = [message.role for message in Snapshot(messages=users).messages]
made: typed.Start = {"type": "start", "runId": "r"}
tool: typed.ToolMessage = {"role": "tool", "tool-call": "t"}
codecs.Event.from_dict(made)
tree: models.Forest = [models.Tree(), [models.Tree(kids=[])], None]
value: models.Json = {"a": ["b", {"c": "d"}]}
start = Start(run_id="r", extra={"more": 1})
level: models.Level = models.LEVEL_VALUES[0]
absent: Absent = ABSENT


class Mine(UserMessage):
    pass


assert_type(Mine.from_json(b""), Mine)
message: Message = Mine(content="x")
anything: Any = start
"""

WRONG = """
from messages import Snapshot, Start, UserMessage, codecs, models, typed
Start()  # error
Start(runId="r")  # error
Start("r")  # error
Start(run_id=1)  # error
Start(run_id="r", type="stop")  # error
Start(run_id="r").runId  # error
Start(run_id="r").at + 1  # error
Snapshot(messages=[Start(run_id="r")])  # error
Snapshot(messages=[], state=object())  # error
UserMessage(content=["x"])  # error
codecs.Event.to_dict("x")  # error
codecs.Event.from_json(1)  # error
codecs.Event.from_json(b"", unknown="ignore")  # error
level: models.Level = "mid"  # error
start: typed.Start = {"type": "start"}  # error
other: typed.Start = {"type": "stop", "runId": "r"}  # error
more: typed.Start = {"type": "start", "runId": "r", "x": 1}  # error
text: str = codecs.Event.from_json(b"")  # error
Start(run_id="r", extra={1: 2})  # error
json: models.Json = {"a": [1]}  # error
"""

OPEN = """
from __future__ import annotations

from typing import assert_never, assert_type

from world import UnknownVariant, codecs, models
from world.models import Event, Start, Stop


def tags(event: Event) -> str:
    if event.kind == "start":
        assert_type(event, Start)
        return event.id
    if event.kind == "stop":
        assert_type(event, Stop)
        return ""
    assert_type(event, UnknownVariant)
    return str(event.tag)


def classes(event: Event) -> str:
    match event:
        case Start() | Stop():
            return event.kind
        case UnknownVariant():
            return str(event.raw)
        case _:
            assert_never(event)


colour: models.Colour = "blue"
assert_type(codecs.Event.from_json(b""), Start | Stop | UnknownVariant)
document = codecs.Start.to_dict(Start(id="1"))["id"]
"""

SHELLS = """
from __future__ import annotations

from typing import assert_never, assert_type

from places import Absent, Call, CallPartial, Note, Places, Result, ResultPartial, Step, StepPartial, codecs, typed


def by_tag(step: StepPartial) -> str:
    if step.type == "call":
        assert_type(step, Call | CallPartial)
        assert_type(step.value, int | None | Absent)
        return step.id or ""
    return step.type


def by_class(step: StepPartial) -> Step | None:
    match step:
        case Call() | Result() | Note():
            return step
        case CallPartial() | ResultPartial():
            return None
        case _:
            assert_never(step)


def of_document(step: typed.StepPartial) -> int | None:
    if step["type"] == "call":
        assert_type(step, typed.Call | typed.CallPartial)
        return step.get("value")
    return None


half: typed.CallPartial = {"type": "call", "value": 1}
document: typed.Places = {"started": half, "list": [half, {"type": "note"}], "alone": {"type": "call"}}
places = Places(started=CallPartial(), list=[Call(id="1", value=None), ResultPartial()], done=Note())
assert_type(CallPartial.from_json(b"").to_dict(), typed.CallPartial)
assert_type(codecs.StepPartial.from_json(b""), Call | Result | Note | CallPartial | ResultPartial)
whole: Step = Call(id="1", value=1)
places = Places(started=whole)
"""

NAMES: dict[str, Any] = {
    "title": "Odd",
    "type": "object",
    "properties": {str(n): {"$ref": f"#/$defs/{name}"} for n, name in enumerate(DEFINITIONS)},
    "$defs": {
        name: {
            "type": "object",
            "properties": {field: {"type": ["string", "integer", "null"]} for field in FIELDS}
            | {
                "items": {"type": "array", "items": {"$ref": f"#/$defs/{name}"}},
                "map": {"type": "object", "additionalProperties": {"type": "number"}},
                "level": {"enum": ["a", "b"]},
            },
        }
        for name in DEFINITIONS
    },
}
CHECKS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"not": {"type": "integer"}},
        "b": {"contains": {"type": "string"}, "uniqueItems": True},
        "c": {"prefixItems": [{"type": "integer"}, {"$ref": "#"}], "items": {"type": "string"}},
        "d": {
            "oneOf": [
                {"type": "object", "required": ["x"]},
                {"type": "array", "items": {"type": "integer"}},
                {"const": 1.5},
            ]
        },
        "e": {"enum": [1, "a", None, True, [1], {"x": 1}]},
        "f": False,
        "g": {"type": "string", "pattern": "^a+$"},
    },
    "patternProperties": {"^x": {"$ref": "#"}, "^y": {"type": "integer"}},
    "additionalProperties": {"type": "string"},
    "unevaluatedProperties": False,
    "if": {"required": ["a"]},
    "then": {"required": ["b"]},
    "dependentRequired": {"b": ["c"]},
    "minProperties": 1,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("types")
    packages: list[tuple[Any, dict[str, Any]]] = [
        (MESSAGES, {"package": "messages"}),
        (MESSAGES, {"package": "bare", "parts": ["models"]}),
        (POLICIES, {"package": "world", "open_world": True}),
        (NAMES, {"package": "names"}),
        (NAMES, {"package": "bare_names", "parts": ["models"]}),
        (CHECKS, {"package": "checks"}),
        ({}, {"package": "nothing"}),
        (Path(__file__).parent / "cases" / "partial-places" / "contract.json", {"package": "places"}),
        (Path(__file__).parent / "cases" / "secret-members" / "contract.json", {"package": "secrets_"}),
        (Path(__file__).parents[1] / "schema" / "ag-ui" / "1.0" / "schema.json", {"package": "agui"}),
    ]
    for contract, options in packages:
        for path, content in codegen.build(contract, options=options).items():
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_bytes(content)
    (made / "right.py").write_text(RIGHT)
    (made / "wrong.py").write_text(WRONG)
    (made / "open.py").write_text(OPEN)
    (made / "shells.py").write_text(SHELLS)
    (made / "pyrightconfig.json").write_text(
        json.dumps({"typeCheckingMode": "strict", "pythonVersion": "3.11", "include": ["."]})
    )
    return made


def lines_of_errors(output: str, file: str) -> set[int]:
    return {int(number) for number in re.findall(rf"{file}:(\d+):.*error", output)}


EXPECTED = {number for number, line in enumerate(WRONG.split("\n"), 1) if line.endswith("# error")}


def test_mypy(folder: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    others = [
        line for line in run.stdout.splitlines() if "error" in line and not line.startswith(("wrong.py", "Found"))
    ]
    assert not others, "\n".join(others)
    assert lines_of_errors(run.stdout, "wrong.py") == EXPECTED


def test_pyright(folder: Path) -> None:
    run = subprocess.run([sys.executable, "-m", "pyright", "-p", "."], cwd=folder, capture_output=True, text=True)
    others = [line for line in run.stdout.splitlines() if " - error" in line and "wrong.py" not in line]
    assert not others, "\n".join(others)
    assert "wrong.py" in run.stdout, run.stdout + run.stderr
    assert lines_of_errors(run.stdout, "wrong.py") >= EXPECTED
