"""Somebody who uses the packages of this repository's contracts: published, installed side by side, run, and checked by mypy
and pyright at their strictest."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import repository
from test_newcomer import environment, ran

from codegen import cli
from codegen.publish import building, checking, proving

ROOT = Path(__file__).parents[1]
MANIFEST = """\
[contracts.ag-ui]
path = "schema/ag-ui"
protocol_version = "$id"

[contracts.gemini-interactions]
path = "schema/gemini-interactions"

[[jobs]]
contract = "ag-ui"
target = "python"

[[jobs]]
contract = "gemini-interactions"
target = "python"
package = "gemini"
distribution = "gemini-interactions"
unknown = "strip"
package_version = "1.{revision}"
"""
CONSUMER = '''\
"""Somebody else's program: what one service streams is told in the words of the other protocol."""

from collections.abc import Iterator
from typing import assert_never

import gemini
from ag_ui_bindings import Event, RunErrorEvent, RunFinishedEvent, RunStartedEvent, StepFinishedEvent, codecs, typed


def told(event: gemini.InteractionSseEvent) -> Iterator[Event]:
    match event:
        case gemini.InteractionCreatedEvent():
            yield RunStartedEvent(thread_id="thread", run_id=str(event.event_id))
        case gemini.StepStop():
            yield StepFinishedEvent(step_name=f"step {event.index}")
        case gemini.InteractionCompletedEvent():
            yield RunFinishedEvent(thread_id="thread", run_id=str(event.event_id))
        case gemini.ErrorEvent():
            yield RunErrorEvent(message="It failed.")
        case gemini.InteractionStatusUpdate() | gemini.StepStart() | gemini.StepDelta():
            pass
        case _:
            assert_never(event)


def name(data: bytes) -> str:
    event = codecs.Event.from_json(data)
    if event.type == "STEP_FINISHED":
        return event.step_name
    document: typed.Event = codecs.Event.to_dict(event)
    return document["type"]


if __name__ == "__main__":
    stop = gemini.codecs.InteractionSseEvent.from_json(b'{"event_type": "step.stop", "index": 3}')
    for made in told(stop):
        print(name(codecs.Event.to_json(made)))
'''
WRONG = """\
import gemini
from ag_ui_bindings import RunStartedEvent

RunStartedEvent(thread_id="t")  # a member is missing
RunStartedEvent(thread_id="t", run_id=1)  # of another type
gemini.StepStop(index=1).step_name  # a member of the other protocol
gemini.codecs.InteractionSseEvent.from_json(1)  # not JSON text
"""


@pytest.mark.slow
def test_a_consumer_of_both_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    for contract in ("ag-ui", "gemini-interactions"):
        shutil.copytree(
            ROOT / "schema" / contract, project / "schema" / contract, ignore=shutil.ignore_patterns("fixtures")
        )
    (project / "wirebound.toml").write_text(MANIFEST)
    monkeypatch.chdir(project)
    for variable, value in (("TWINE_USERNAME", repository.USER), ("TWINE_PASSWORD", repository.PASSWORD)):
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    # How packages are judged and proven is shown elsewhere.
    monkeypatch.setattr(building, "twice", building.built)
    monkeypatch.setattr(checking, "check", lambda distributions: None)
    monkeypatch.setattr(proving, "prove", lambda *_: "3")
    assert cli.run(["generate"]) == 0
    (tmp_path / "index").mkdir()
    with repository.index(tmp_path / "index") as url:
        assert cli.run(["publish", "--repository", url, "--yes"]) == 0
        wanted = ("ag-ui-bindings", "gemini-interactions")
        python = environment(tmp_path / "environment", *wanted, beside=False, index=f"{url}simple/")

    folder = tmp_path / "consumer"
    folder.mkdir()
    (folder / "program.py").write_text(CONSUMER)
    (folder / "wrong.py").write_text(WRONG)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    assert ran([str(python), "-I", "-W", "error", "program.py"], folder) == "step 3\n"

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
