"""Events of a stream → what they add up to, by the rules of a contract: each operation, each way in which nothing can be added.

The rules of the first part are the test's own; the last part folds a stream by the rules of a contract in ``schema/``.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
import random
import time
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.python_package import Package

ROOT = Path(__file__).parents[1]


def contract(steps: dict[str, Any], **tags: Any) -> dict[str, Any]:
    """A contract whose fold takes ``steps`` for events of the kind "e"; ``tags`` for others."""
    names = ["e", "other", *tags]
    return {
        "$defs": {
            "Event": {
                "oneOf": [{"$ref": f"#/$defs/E{name}"} for name in names],
                "x-wirebound-stream": {"terminal": ["other"]},
                "x-wirebound-fold": {"result": "#/$defs/Sum", "events": {"e": steps, **tags}},
            },
            **{
                f"E{name}": {
                    "type": "object",
                    "properties": {
                        "kind": {"const": name},
                        "at": {"type": "integer"},
                        "v": True,
                        "w": True,
                        "how": {"enum": ["a", "b", "c"]},
                    },
                    "required": ["kind"],
                }
                for name in names
            },
            "Sum": {
                "type": "object",
                "properties": {"x": True, "list": {"type": "array"}, "a/b": True},
            },
        }
    }


@pytest.fixture
def folded(tmp_path: Path) -> Any:
    numbers = itertools.count()

    def fold(steps: Any, *events: dict[str, Any], **tags: Any) -> tuple[Any, list[tuple[str, str, str]]]:
        made = Package(contract(steps, **tags), tmp_path / str(next(numbers)), parts=["models", "client"])
        folding = made.fold.Event.start()
        for event in events:
            before = copy.deepcopy(event)
            folding.add({"kind": "e", **event})
            assert event == before, "an event is nobody's to change"
        document = folding.document()
        assert folding.document() == document and folding.document() is not document
        result = folding.result()
        assert type(result) is made.models.Sum and result.to_dict() == document
        return document, [(f.pointer, f.code, f.found) for f in folding.findings]

    return fold


def test_set(folded: Any) -> None:
    steps = [{"set": "/x", "from": "/v"}]
    assert folded(steps, {"v": 1}, {"v": [2]}, {"w": 3}) == ({"x": [2]}, [])
    assert folded(steps, {"v": None}) == ({"x": None}, [])
    assert folded([{"set": "/x/y/z", "from": "/v/1"}], {"v": [1, 2]}) == ({"x": {"y": {"z": 2}}}, [])
    assert folded([{"set": "/a~1b", "from": "/v"}], {"v": 1}) == ({"a/b": 1}, [])
    assert folded([{"set": "", "from": "/v"}], {"v": {"q": 1}}, {"v": {"r": 1}}) == ({"r": 1}, [])


def test_what_is_set_is_a_copy(folded: Any) -> None:
    steps = [{"set": "/list/{at}", "from": "/v"}, {"append": "/list/{at}/y", "from": "/w"}]
    assert folded(steps, {"at": 0, "v": {"y": [1]}, "w": 2})[0] == {"list": [{"y": [1, 2]}]}


def test_positions_in_any_order_with_gaps(folded: Any) -> None:
    steps = [{"set": "/list/{at}", "from": "/v"}]
    events = [{"at": at, "v": at} for at in (5, 0, 1_000_000_000, 2)]
    assert folded(steps, *events) == ({"list": [0, 2, 5, 1_000_000_000]}, [])
    assert folded(steps, {"at": 1.0, "v": "a"}, {"at": 1, "v": "b"}) == ({"list": ["b"]}, [])


@pytest.mark.parametrize("at", [-1, "0", None, True, 0.5, [0]])
def test_what_is_no_position_is_a_finding(folded: Any, at: Any) -> None:
    found = folded([{"set": "/list/{at}", "from": "/v"}], {"at": at, "v": 1})
    assert found == ({}, [("/list/{at}", "does-not-fit", f"'at' is {at!r}")])
    assert folded([{"set": "/list/{at}", "from": "/v"}], {"v": 1})[1]


def test_the_last_item(folded: Any) -> None:
    steps = [{"append": "/list", "from": "/v"}, {"set": "/list/-1/y", "from": "/w"}]
    assert folded(steps, {"v": {"a": 1}}, {"v": {"b": 2}, "w": 3}) == ({"list": [{"a": 1}, {"b": 2, "y": 3}]}, [])
    assert folded(steps, {"w": 3}) == ({}, [("/list/-1/y", "does-not-fit", "no last item")])
    assert folded([{"set": "/list/-1", "from": "/w"}], {"w": 3}) == ({}, [("/list/-1", "does-not-fit", "no last item")])
    steps = [{"set": "/list/{at}", "from": "/v"}, {"set": "/list/-1", "from": "/w"}]
    assert folded(steps, {"at": 7, "v": 1}, {"at": 2, "v": 2}, {"at": 5, "v": 3, "w": 4})[0] == {"list": [2, 3, 4]}


def test_merge(folded: Any) -> None:
    steps = [{"merge": "", "from": "/v", "keep": ["x"]}]
    assert folded(steps, {"v": {"x": 1, "y": 1}}, {"v": {"x": 2, "y": 2, "z": 2}}) == ({"x": 1, "y": 2, "z": 2}, [])
    steps = [{"merge": "/x", "from": "/v", "same": "t"}]
    event = {"w": {"t": 1}, "v": {"t": 1, "q": 2}}
    assert folded([{"set": "/x", "from": "/w"}, *steps], event) == ({"x": {"t": 1, "q": 2}}, [])
    document, findings = folded([{"set": "/x", "from": "/w"}, *steps], {"w": {"t": 1}, "v": {"t": 2, "q": 2}})
    assert document == {"x": {"t": 1}} and findings == [("/x", "does-not-fit", "'t' is 2")]
    assert folded(steps, {"v": {"t": 2}})[0] == {}
    assert folded([{"merge": "/x", "from": "/v"}], {"v": {"t": 2}}) == ({"x": {"t": 2}}, [])
    assert folded([{"merge": "/x", "from": "/v"}], {"v": [2]})[1] == [("/x", "does-not-fit", "a list")]


def test_append_and_extend(folded: Any) -> None:
    assert folded([{"append": "/list", "from": "/v"}], {"v": 1}, {"v": [2]}) == ({"list": [1, [2]]}, [])
    assert folded([{"extend": "/list", "from": "/v"}], {"v": [1]}, {"v": [2, 3]}, {"v": []}) == (
        {"list": [1, 2, 3]},
        [],
    )
    assert folded([{"extend": "/list", "from": "/v"}], {"v": 1})[1] == [("/list", "does-not-fit", "a number")]
    assert folded([{"set": "/x", "from": "/w"}, {"append": "/x", "from": "/v"}], {"w": "t", "v": 1}) == (
        {"x": "t"},
        [("/x", "does-not-fit", "a text")],
    )


def test_join(folded: Any) -> None:
    steps = [{"join": "/list", "from": "/v", "same": "t", "texts": ["s"]}]
    pieces = [{"t": 1, "s": "a"}, {"t": 1, "s": "b", "n": 1}, {"t": 2, "s": "c"}, {"t": 2, "n": 2}, {"t": 1, "s": "d"}]
    expected = [{"t": 1, "s": "ab", "n": 1}, {"t": 2, "s": "c", "n": 2}, {"t": 1, "s": "d"}]
    assert folded(steps, *({"v": piece} for piece in pieces)) == ({"list": expected}, [])
    assert folded(steps, {"v": {"t": 1}}, {"v": {"t": 1, "s": "b"}}, {"v": {"t": 1, "s": "c"}})[0] == {
        "list": [{"t": 1, "s": "bc"}]
    }


def test_gather_and_parse(folded: Any) -> None:
    steps = [{"gather": "/x", "from": "/v"}]
    events = [{"v": '{"a"'}, {"v": ":1}"}]
    assert folded(steps, *events) == ({}, [])
    both = {"by": "/how", "cases": {"a": steps, "b": [{"parse": "/x"}]}}
    gathered = [{"how": "a", **event} for event in events]
    assert folded(both, {"how": "b"}, *gathered, {"how": "b"}, {"how": "b"}) == ({"x": {"a": 1}}, [])
    assert folded(steps, {"v": 1})[1] == [("/x", "does-not-fit", "a number")]


def test_what_is_set_anew_is_gathered_anew(folded: Any) -> None:
    steps = {
        "by": "/how",
        "cases": {
            "a": [{"set": "/list/{at}", "from": "/v"}],
            "b": [{"gather": "/list/{at}/x", "from": "/v"}],
            "c": [{"parse": "/list/{at}/x"}],
        },
    }
    events = [
        {"how": "a", "v": {}},
        {"how": "b", "v": "1"},
        {"how": "a", "v": {}},
        {"how": "b", "v": "2"},
        {"how": "c"},
    ]
    assert folded(steps, *({"at": 3, **event} for event in events)) == ({"list": [{"x": 2}]}, [])


def test_what_is_no_json_is_an_error_with_target_and_text(tmp_path: Path) -> None:
    steps = [{"gather": "/list/{at}/x", "from": "/v"}, {"parse": "/list/{at}/x"}]
    made = Package(contract(steps), tmp_path, parts=["models", "client"])
    with pytest.raises(made.fold.FoldError) as raised:
        made.fold.Event.of([{"kind": "e", "at": 0, "v": '{"a":'}])
    assert (raised.value.target, raised.value.text) == ("/list/{at}/x", '{"a":')
    assert "/list/{at}/x" in str(raised.value) and '{"a":' in str(raised.value)


def test_cases(folded: Any) -> None:
    steps = {
        "by": "/how",
        "cases": {"a": [{"set": "/x", "from": "/v"}]},
        "otherwise": [{"append": "/list", "from": "/v"}],
    }
    assert folded(steps, {"how": "a", "v": 1}, {"how": "b", "v": 2}, {"how": "z", "v": 3}) == (
        {"x": 1, "list": [2, 3]},
        [],
    )
    del steps["otherwise"]
    document, findings = folded(steps, {"how": "a", "v": 1}, {"how": "b", "v": 2}, {"how": "z", "v": 3})
    assert document == {"x": 1} and findings == [("", "unknown-tag", "z")]  # "b" is listed by the contract


def test_tags(folded: Any) -> None:
    document, findings = folded([], {"kind": "other"}, {"kind": "e"}, {"kind": "new"}, {"kind": None})
    assert document == {} and findings == [("", "unknown-tag", "new"), ("", "unknown-tag", "None")]


def test_results_on_the_way_do_not_change_later(tmp_path: Path) -> None:
    made = Package(contract([{"append": "/list", "from": "/v"}]), tmp_path, parts=["models", "client"])
    folding = made.fold.Event.start()
    folding.add({"kind": "e", "v": 1})
    first = folding.result()
    folding.add({"kind": "e", "v": 2})
    assert (first.list, folding.result().list) == ([1], [1, 2])


def test_many_small_texts_take_linear_time(tmp_path: Path) -> None:
    steps = [{"join": "/list", "from": "/v", "same": "t", "texts": ["s"]}, {"gather": "/x", "from": "/w"}]
    made = Package(contract(steps), tmp_path, parts=["models", "client"])

    def took(count: int) -> float:
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            total = made.fold.Event.of(
                {"kind": "e", "v": {"t": 1, "s": "x" * 100}, "w": "x" * 100} for _ in range(count)
            )
            best = min(best, time.process_time() - start)
        assert len(total.list[0]["s"]) == 100 * count
        return best

    assert took(30_000) < 40 * took(3_000)


def test_values_of_the_package_are_events_too(tmp_path: Path) -> None:
    made = Package(contract([{"append": "/list", "from": "/v"}]), tmp_path, parts=["models", "client"])
    values = [made.models.Ee(v=1), made.models.Eother(), made.models.Ee(v=[2])]

    async def later() -> AsyncIterator[Any]:
        for value in values:
            yield value

    assert made.fold.Event.of(values).list == [1, [2]]
    assert asyncio.run(made.fold.Event.aof(later())) == made.fold.Event.of(values)
    with pytest.raises(made.module.EncodeError):
        made.fold.Event.of([object()])


# --- a contract of this repository ------------------------------------------------------------------------------------

FOLDER = ROOT / "schema" / "gemini-interactions" / "v1beta"


@pytest.fixture(scope="module")
def interactions(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(
        FOLDER / "openapi.yaml",
        tmp_path_factory.mktemp("interactions"),
        parts=["models", "client"],
        unknown="keep",
        open_world=True,
        overlay=str(FOLDER / "overlay.yaml"),
    )


@cache
def stream() -> tuple[dict[str, Any], ...]:
    """A run in which steps overlap, arrive out of order, begin as shells, and hold what the contract does not list."""

    def start(index: int, **step: Any) -> dict[str, Any]:
        return {"event_type": "step.start", "index": index, "step": step}

    def delta(index: int, type: str, **members: Any) -> dict[str, Any]:
        return {"event_type": "step.delta", "index": index, "delta": {"type": type, **members}}

    def stop(index: int) -> dict[str, Any]:
        return {"event_type": "step.stop", "index": index}

    def life(tag: str, **interaction: Any) -> dict[str, Any]:
        return {"event_type": f"interaction.{tag}", "interaction": interaction}

    def annotation(url: str) -> dict[str, Any]:
        return {"type": "url_citation", "url": url}

    return (
        life("created", id="v1_a"),
        start(0, type="thought"),
        delta(0, "thought_summary", content={"type": "text", "text": "Look it up."}),
        delta(0, "thought_signature", signature="c2ln"),
        stop(0),
        start(1, type="function_call", name="f", arguments={}, id="c"),
        start(3, type="model_output"),
        delta(1, "arguments_delta", partial_arguments='{"a":'),
        delta(3, "text", text="Hel"),
        delta(1, "arguments_delta", arguments="1}"),
        stop(1),
        delta(3, "text", text="lo"),
        delta(3, "text_annotation_delta", annotations=[annotation("A")]),
        delta(3, "text_annotation_delta", annotations=[annotation("B")]),
        delta(3, "image", uri="u"),
        delta(3, "text", text="after"),
        stop(3),
        start(2, type="function_result", call_id="c"),
        delta(2, "function_result", call_id="c", result="done"),
        delta(2, "mystery"),
        stop(2),
        {"event_type": "interaction.in_progress"},
        life("completed", status="completed", steps=[]),
    )


OUTCOME: dict[str, Any] = {
    "id": "v1_a",
    "status": "completed",
    "steps": [
        {"type": "thought", "signature": "c2ln", "summary": [{"type": "text", "text": "Look it up."}]},
        {"type": "function_call", "name": "f", "arguments": {"a": 1}, "id": "c"},
        {"type": "function_result", "call_id": "c", "result": "done"},
        {
            "type": "model_output",
            "content": [
                {
                    "type": "text",
                    "text": "Hello",
                    "annotations": [{"type": "url_citation", "url": "A"}, {"type": "url_citation", "url": "B"}],
                },
                {"type": "image", "uri": "u"},
                {"type": "text", "text": "after"},
            ],
        },
    ],
}


def test_a_whole_run(interactions: Package) -> None:
    findings: list[Any] = []
    interaction = interactions.fold.InteractionSseEvent.of(stream(), findings=findings)
    assert interaction.to_dict() == OUTCOME
    assert type(interaction).__name__ == "Interaction" and type(interaction.steps[2]).__name__ == "FunctionResultStep"
    assert [(finding.code, finding.found) for finding in findings] == [
        ("does-not-fit", "'type' is 'mystery'"),
        ("unknown-tag", "interaction.in_progress"),
    ]


def test_a_whole_run_as_it_travels(interactions: Package) -> None:
    whole = b"".join(b"data: " + json.dumps(document).encode() + b"\n\n" for document in stream()) + b"data: [DONE]\n\n"
    events = interactions.streams.InteractionSseEvent.read(whole[at : at + 100] for at in range(0, len(whole), 100))
    findings: list[Any] = []
    interaction = interactions.fold.InteractionSseEvent.of(events, findings=findings)
    assert interaction.to_dict() == OUTCOME and len(findings) == 2 and events.complete


def test_steps_may_overlap_in_any_way(interactions: Package) -> None:
    """The events of one step keep their order; those of several may be mixed in any way."""
    chance = random.Random(6)
    first, *between, last = stream()
    for _ in range(50):
        order = [document.get("index") for document in between]
        chance.shuffle(order)
        rest = {index: [one for one in between if one.get("index") == index] for index in order}
        mixed = [rest[index].pop(0) for index in order]
        assert interactions.fold.InteractionSseEvent.of([first, *mixed, last]).to_dict() == OUTCOME
