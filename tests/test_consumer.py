"""Somebody who uses generated packages: two of them side by side, run, and checked by mypy and pyright at their strictest."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from test_newcomer import CONTRACT, environment, ran

from codegen import pipeline
from codegen.publish import building

ROOT = Path(__file__).parents[1]
MANIFEST = """\
[contracts.tea]
path = "schema/tea"

[[jobs]]
contract = "tea"
target = "python"
"""
CONSUMER = '''\
"""Somebody else's program."""

from collections.abc import Sequence
from typing import assert_never

import tea_bindings as tea
from ag_ui_bindings import Event, RunStartedEvent, TextMessageContentEvent, codecs, typed


def cups(message: tea.Message) -> float:
    match message:
        case tea.Brew():
            return message.leaves / 2
        case tea.Ready():
            return message.cups
        case _:
            assert_never(message)


def text(events: Sequence[Event]) -> str:
    return "".join(event.delta for event in events if isinstance(event, TextMessageContentEvent))


def begun(data: bytes) -> str:
    event = codecs.Event.from_json(data)
    if event.type == "RUN_STARTED":
        return event.run_id
    document: typed.Event = codecs.Event.to_dict(event)
    return document["type"]


if __name__ == "__main__":
    start = RunStartedEvent(thread_id="t", run_id="r")
    assert begun(start.to_json()) == "r"
    assert text([TextMessageContentEvent(message_id="m", delta="Tea")]) == "Tea"
    assert cups(tea.codecs.Message.from_json(b'{"kind": "brew", "leaves": 4}')) == 2
    print(tea.PROTOCOL_VERSION)
'''
WRONG = """\
import tea_bindings as tea
from ag_ui_bindings import RunStartedEvent

RunStartedEvent(thread_id="t")  # a member is missing
RunStartedEvent(thread_id="t", run_id=1)  # of another type
tea.Brew(leaves=1).cups  # a member of the other
tea.codecs.Message.from_json(1)  # not JSON text
"""


def wheel(project: Path, out: Path) -> Path:
    """The wheel of a generated project."""
    files = {path.relative_to(project).as_posix(): path.read_bytes() for path in project.rglob("*") if path.is_file()}
    ((name, content),) = building.built(
        {path: content for path, content in files.items() if "__pycache__" not in path}, kinds=["wheel"]
    ).items()
    (out / name).write_bytes(content)
    return out / name


@pytest.mark.slow
def test_a_consumer_of_two_packages(tmp_path: Path) -> None:
    document = tmp_path / "schema/tea/2.0/schema.json"
    document.parent.mkdir(parents=True)
    document.write_text(json.dumps(CONTRACT))
    (tmp_path / "wirebound.toml").write_text(MANIFEST)
    pipeline.generate(tmp_path / "wirebound.toml")
    projects = (tmp_path / "generated/tea/2.0/python", ROOT / "generated/ag-ui/1.0/python")
    python = environment(tmp_path / "environment", *(wheel(project, tmp_path) for project in projects), beside=False)
    folder = tmp_path / "consumer"
    folder.mkdir()
    (folder / "program.py").write_text(CONSUMER)
    (folder / "wrong.py").write_text(WRONG)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')

    assert ran([str(python), "-I", "-W", "error", "program.py"], folder) == "2.0\n"

    mypy = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--python-executable", str(python)]
    assert ran([*mypy, "program.py"], folder).startswith("Success")
    checked = subprocess.run([*mypy, "wrong.py"], cwd=folder, capture_output=True, text=True)
    lines = {line.split(":")[1] for line in checked.stdout.splitlines() if ": error: " in line}
    assert lines == {"4", "5", "6", "7"}, checked.stdout

    pyright = [sys.executable, "-m", "pyright", "--pythonpath", str(python), "--outputjson", "program.py", "wrong.py"]
    checked = subprocess.run(pyright, cwd=folder, capture_output=True, text=True)
    found = json.loads(checked.stdout)["generalDiagnostics"]
    errors = [
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in found if one["severity"] == "error"
    ]
    assert {line for file, line in errors if file == "wrong.py"} == {4, 5, 6, 7}, found
    assert not [one for one in found if one["file"].endswith("program.py")], found
