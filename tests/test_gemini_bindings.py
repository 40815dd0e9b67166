"""The committed package of the Gemini contract: every document of the contract's folder through it, and an open world at every
depth. The package is imported as it lies in ``generated/``, so that these are the very files that users get."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
CONTRACT = ROOT / "schema/gemini-interactions/v1beta"
PACKAGE = ROOT / "generated/gemini-interactions/v1beta/python"
NAME = "gemini_interactions_bindings"

sys.path.insert(0, str(PACKAGE))
try:
    bindings: Any = importlib.import_module(NAME)
finally:
    sys.path.remove(str(PACKAGE))
sys.path.append(str(PACKAGE))  # what is imported lazily is found later on
CODECS = bindings.codecs.CODECS
UNKNOWN = {"unknown-tag", "unknown-value"}


def documents(group: str, definition: str) -> list[Path]:
    folder = CONTRACT / "examples" if group == "examples" else CONTRACT / "fixtures"
    below = folder / definition if group == "examples" else folder / definition / group
    return sorted(path for path in below.glob("*.json") if not path.name.endswith(".expect.json"))


def same(one: Any, other: Any) -> bool:
    """JSON equality, as text says it: true is not 1, and 1.0 is 1."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(item) for name, item in value.items()}
        if isinstance(value, list):
            return [plain(item) for item in value]
        return int(value) if isinstance(value, float) and value.is_integer() else value

    return json.dumps(plain(one), sort_keys=True) == json.dumps(plain(other), sort_keys=True)


def passes(definition: str, data: bytes, unknown: str) -> Any:
    """A document through both ways in and both ways out, under one policy; the value."""
    codec, document = CODECS[definition], json.loads(data)
    value = codec.from_json(data, unknown=unknown)
    assert same(codec.to_dict(value), document)
    assert same(json.loads(codec.to_json(value)), document)
    assert codec.from_dict(document, unknown=unknown) == value
    return value


# The body that stands in its operation has no name in the contract, and so no folder of documents.
@pytest.mark.parametrize("definition", sorted(CODECS.keys() - {"CreateWebhookRequest"}))
def test_examples_and_valid_fixtures_come_back_under_reject_and_keep(definition: str) -> None:
    found = [*documents("examples", definition), *documents("valid", definition)]
    assert found, "no document"
    for path in found:
        for unknown in ("reject", "keep"):
            passes(definition, path.read_bytes(), unknown)


@pytest.mark.parametrize("definition", sorted(path.name for path in (CONTRACT / "fixtures").iterdir()))
def test_invalid_fixtures_are_refused_for_their_reason_and_only_the_new_is_kept(definition: str) -> None:
    for path in documents("invalid", definition):
        expected = json.loads(path.with_suffix(".expect.json").read_bytes())
        data = path.read_bytes()
        with pytest.raises(bindings.DecodeError) as caught:
            CODECS[definition].from_json(data, unknown="reject")
        fault = caught.value.errors[0]
        assert {"pointer": fault.pointer, "code": fault.code, "rule": fault.rule} == expected, path
        shell = fault.code == "missing-member" and re.search(r"(^|/)(step|interaction)/", fault.pointer)
        try:
            value = passes(definition, data, "keep")
        except bindings.DecodeError as error:
            again = error.errors[0]
            assert fault.code not in UNKNOWN or again.code == fault.code, path
        else:
            assert fault.code in UNKNOWN or shell or "UnknownVariant(" in repr(value), path


# --- an open world ----------------------------------------------------------------------------------------------------


def interaction(step: Any) -> dict[str, Any]:
    return {"id": "v1_a", "status": "completed", "steps": [step]}


def text(**more: Any) -> dict[str, Any]:
    return {"type": "text", "text": "t", **more}


def output(*content: Any) -> dict[str, Any]:
    return {"type": "model_output", "content": [*content]}


def delta(of: Any) -> dict[str, Any]:
    return {"event_type": "step.delta", "index": 0, "delta": of}


def start(step: Any) -> dict[str, Any]:
    return {"event_type": "step.start", "index": 0, "step": step}


NEW = {"type": "hologram", "of": [{"type": "text"}, None, 1.5], "signature": "c2ln"}
NOTE = {"type": "rumour", "start_index": 0}


@pytest.mark.parametrize(
    ("definition", "document"),
    [
        ("InteractionSseEvent", {"event_type": "interaction.in_progress", "event_id": "e1", "interaction": {"id": "v1_a"}}),
        ("InteractionSseEvent", delta(NEW)),
        ("InteractionSseEvent", delta({"type": "function_result", "call_id": "c", "result": "done"})),
        ("InteractionSseEvent", delta({"type": "text_annotation_delta", "annotations": [NOTE]})),
        ("InteractionSseEvent", delta({"type": "thought_summary", "content": NEW})),
        ("InteractionSseEvent", start(NEW)),
        ("InteractionSseEvent", start(output(NEW))),
        ("InteractionSseEvent", start({"type": "thought", "summary": [text(), NEW]})),
        ("InteractionSseEvent", {"event_type": "interaction.created", "interaction": {"id": "v1_a", "steps": [NEW]}}),
        ("InteractionSseEvent",
         {"event_type": "interaction.status_update", "interaction_id": "v1_a", "status": "budget_exceeded"}),
        ("Interaction", interaction(NEW)),
        ("Interaction", interaction(output(text(), NEW))),
        ("Interaction", interaction(output(text(annotations=[NOTE])))),
        ("Interaction", interaction({"type": "user_input", "content": [NEW]})),
        ("Interaction", {**interaction(NEW), "status": "queued", "tools": [NEW, {"type": "google_search"}]}),
        ("Interaction", {**interaction(NEW), "model": "gemini-99", "service_tier": "lightning"}),
        ("Webhook", {"subscribed_events": ["batch.succeeded", "moon.rose"], "state": "napping"}),
        ("CreateWebhookRequest", {"uri": "https://example.org/", "subscribed_events": ["moon.rose"], "more": {"a": None}}),
        ("CreateInteractionRequest", {"model": "m", "input": [text(), NEW], "tools": [NEW], "response_modalities": ["smell"]}),
        ("CreateInteractionRequest", {"model": "m", "input": [output(NEW)], "agent_config": {"type": "swarm", "size": 3}}),
        ("WebhookDelivery", {"type": "moon.rose", "version": "v1", "timestamp": "2026-05-08T10:00:00Z", "data": {"id": "m"}}),
    ],
)  # fmt: skip
def test_what_the_contract_does_not_list_comes_back_as_it_came(definition: str, document: Any) -> None:
    passes(definition, json.dumps(document).encode(), "keep")
    value = CODECS[definition].from_dict(document)  # this package keeps it unless it is told otherwise
    assert same(CODECS[definition].to_dict(value), document)


def test_an_unknown_variant_has_its_tag_and_its_members() -> None:
    event = bindings.codecs.InteractionSseEvent.from_dict(delta(NEW))
    assert isinstance(event, bindings.StepDelta)
    assert event.delta == bindings.UnknownVariant(tag="hologram", raw=NEW)
    assert event.delta.type != "hologram" and event.delta.event_type != "step.delta"


def test_what_is_known_is_checked_all_the_same() -> None:
    for document, pointer in (
        (delta({"type": "text", "text": 1}), "/delta/text"),
        (
            start(output(text(annotations=[{"type": "url_citation", "start_index": "0"}]))),
            "/step/content/0/annotations/0",
        ),
        ({"event_type": "step.stop", "index": "0"}, "/index"),
        ({"event_type": 3}, "/event_type"),
        ({"event": "step.stop"}, "/event_type"),
    ):
        with pytest.raises(bindings.DecodeError) as caught:
            bindings.codecs.InteractionSseEvent.from_dict(document, unknown="keep")
        assert caught.value.errors[0].pointer.startswith(pointer)


# --- shells and secrets -----------------------------------------------------------------------------------------------


def shells() -> Iterator[dict[str, Any]]:
    yield {"type": "function_call", "id": "c", "name": "f"}
    yield {"type": "function_result", "call_id": "c"}
    for tag in ("code_execution", "url_context", "google_search", "file_search", "google_maps", "mcp_server_tool"):
        yield {"type": f"{tag}_call"}
        yield {"type": f"{tag}_result", "signature": "c2ln"}


@pytest.mark.parametrize("step", list(shells()), ids=lambda step: step["type"])
def test_a_step_begins_as_a_shell(step: dict[str, Any]) -> None:
    value = passes("InteractionSseEvent", json.dumps(start(step)).encode(), "keep")
    class_ = "".join(word.capitalize() for word in step["type"].split("_"))
    assert type(value.step).__name__ == f"{class_}StepPartial"
    assert value.step.type == step["type"]
    with pytest.raises(bindings.DecodeError) as caught:
        bindings.StepStart.from_dict(start(step), unknown="reject")
    assert caught.value.errors[0].code == "missing-member"
    with pytest.raises(bindings.DecodeError):  # where an interaction holds its steps, none is a shell
        bindings.Interaction.from_dict(interaction(step))


def test_secrets_do_not_show() -> None:
    for name, document in (
        (
            "Webhook",
            {"new_signing_secret": "whsec_c2VjcmV0", "signing_secrets": [{"truncated_secret": "whsec_c2VjcmV0"}]},
        ),
        ("RotateSigningSecretResponse", {"secret": "whsec_c2VjcmV0"}),
        ("McpServer", {"type": "mcp_server", "headers": {"authorization": "whsec_c2VjcmV0"}}),
    ):
        value = CODECS[name].from_dict(document)
        assert "whsec" not in repr(value) and "***" in repr(value)
        assert CODECS[name].to_dict(value) == document
    with pytest.raises(bindings.DecodeError) as caught:
        bindings.Webhook.from_dict({"new_signing_secret": ["whsec_c2VjcmV0"]})
    assert caught.value.errors[0].found == "***"


# --- types ------------------------------------------------------------------------------------------------------------

RIGHT = """
from __future__ import annotations

from typing import assert_never, assert_type

from gemini_interactions_bindings import (
    ErrorEvent,
    FunctionCallStep,
    FunctionCallStepPartial,
    FunctionResultStep,
    FunctionResultStepPartial,
    Interaction,
    InteractionCompletedEvent,
    InteractionCreatedEvent,
    InteractionSseEvent,
    InteractionStatusUpdate,
    StepDelta,
    StepPartial,
    StepStart,
    StepStop,
    TextDelta,
    ThoughtStep,
    UnknownVariant,
    codecs,
)


def by_tag(event: InteractionSseEvent) -> str:
    if event.event_type == "step.delta":
        assert_type(event, StepDelta)
        if event.delta.type == "text":
            assert_type(event.delta, TextDelta)
        return ""
    if event.event_type == "error":
        assert_type(event, ErrorEvent)
        return ""
    if isinstance(event, UnknownVariant):
        return f"{event.tag} {event.raw}"
    return event.event_type


def by_class(event: InteractionSseEvent) -> int:
    match event:
        case StepStart() | StepDelta() | StepStop():
            return event.index
        case InteractionCreatedEvent() | InteractionCompletedEvent() | InteractionStatusUpdate() | ErrorEvent():
            return -1
        case UnknownVariant():
            return len(event.raw)
        case _:
            assert_never(event)


def shell(step: StepPartial) -> str:
    if step.type == "function_result":
        assert_type(step, FunctionResultStep | FunctionResultStepPartial)
        return "" if step.result is None else step.call_id or ""
    if isinstance(step, FunctionCallStep):
        return step.name
    if isinstance(step, FunctionCallStepPartial):
        return step.name or ""
    return ""


def whole(interaction: Interaction) -> list[str]:
    return [step.signature or "" for step in interaction.steps or () if isinstance(step, ThoughtStep)]


start = StepStart(index=0, step=FunctionCallStepPartial())
started: StepPartial = start.step
again = StepStart(index=0, step=FunctionResultStepPartial(call_id="c"))
event: InteractionSseEvent = codecs.InteractionSseEvent.from_json(b"")
status = InteractionStatusUpdate(interaction_id="v1_a", status="a status of tomorrow")
"""
WRONG = """
from gemini_interactions_bindings import FunctionCallStep, FunctionCallStepPartial
from gemini_interactions_bindings import Interaction, StepPartial, StepStart, StepStop
Interaction(steps=[FunctionCallStepPartial()])  # error
FunctionCallStep()  # error
StepStart(index=0, step=StepStop(index=0))  # error
name: str = FunctionCallStepPartial().name  # error
FunctionCallStepPartial(type="function_result")  # error
def tag(step: StepPartial) -> str: return step.tag  # error
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    (folder / NAME).symlink_to(PACKAGE / NAME)
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(WRONG)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "pythonVersion": "3.11"}')
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_checkers_at_their_strictest(program: Path, checker: str) -> None:
    strict = (
        ["--strict", "--python-version", "3.11", NAME, "right.py", "wrong.py"] if checker == "mypy" else ["-p", "."]
    )
    command = [sys.executable, "-m", checker, *strict]
    ran = subprocess.run(command, cwd=program, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    errors = [line for line in ran.stdout.splitlines() if re.search(r":\d+.* error: | - error: ", line)]
    assert not [line for line in errors if "wrong.py" not in line], ran.stdout
    lines = {int(found[1]) for line in errors if (found := re.search(r"wrong\.py:(\d+)", line))}
    expected = {number for number, line in enumerate(WRONG.split("\n"), 1) if line.endswith("# error")}
    assert lines == expected, ran.stdout
