"""Bytes of a stream → typed events: every way in which servers cut, spell, break off and fail, without and with ``async``.

The contract is the test's own, so that nothing here rests on the rules of one API; the last part reads streams of the contracts
in ``schema/``.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import codegen
from tests.python_package import Package

ROOT = Path(__file__).parents[1]


def event(tag: str, **members: Any) -> dict[str, Any]:
    required = ["kind", *(name for name, schema in members.items() if schema.pop("must", False))]
    return {"type": "object", "properties": {"kind": {"const": tag}, **members}, "required": required}


CONTRACT: dict[str, Any] = {
    "$defs": {
        "Event": {
            "oneOf": [
                {"$ref": "#/$defs/Began"},
                {"$ref": "#/$defs/Said"},
                {"$ref": "#/$defs/Ended"},
                {"$ref": "#/$defs/Broke"},
            ],
            "x-wirebound-stream": {
                "terminal": ["ended"],
                "done": "[END]",
                "event_id": "/meta/id",
                "error": {"event": "broke", "code": "/why/code", "message": "/why/text", "bare": "why"},
            },
        },
        "Plain": {
            "oneOf": [{"$ref": "#/$defs/Said"}, {"$ref": "#/$defs/Ended"}],
            "x-wirebound-stream": {"terminal": ["ended"]},
        },
        "Began": event("began", meta={"$ref": "#/$defs/Meta"}, run={"type": "string"}),
        "Said": event("said", meta={"$ref": "#/$defs/Meta"}, text={"type": "string", "must": True}),
        "Ended": event("ended", meta={"$ref": "#/$defs/Meta"}),
        "Broke": event("broke", why={"$ref": "#/$defs/Why"}),
        "Meta": {"type": "object", "properties": {"id": {"type": ["string", "integer"]}}},
        "Why": {"type": "object", "properties": {"code": {"type": "string"}, "text": {"type": "string"}}},
    }
}  # fmt: skip


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = tmp_path_factory.mktemp("streams")
    return Package(CONTRACT, folder, parts=["models", "client"], unknown="keep", open_world=True)


def frame(document: Any, end: str = "\n") -> bytes:
    return f"data: {document if isinstance(document, str) else json.dumps(document)}{end}{end}".encode()


BEGAN = {"kind": "began", "run": "r"}
SAID = {"kind": "said", "text": "hé 🙂", "meta": {"id": "7"}}
ENDED = {"kind": "ended"}
WHOLE = frame(BEGAN) + frame(SAID) + frame(ENDED)


class Both:
    """One stream, read without and with ``async``: the two must agree in everything."""

    def __init__(self, package: Package, name: str = "Event") -> None:
        self.package = package
        self.events = getattr(package.streams, name)
        self.codec = getattr(package.codecs, name)
        self.stream: Any = None

    def __call__(self, pieces: Iterable[bytes], **given: Any) -> list[Any]:
        pieces = list(pieces)
        found: list[Any] = []
        outcomes = []
        for findings, read in (([], self.now), ([], self.later)):
            seen: list[Any] = []
            problem: BaseException | None = None
            try:
                read(pieces, seen, findings=findings, **given)
            except Exception as error:
                problem = error
            outcomes.append(
                (seen, findings, type(problem), str(problem), self.stream.last_event_id, self.stream.complete)
            )
            found = seen
        assert outcomes[0] == outcomes[1]
        self.findings = outcomes[0][1]
        if problem is not None:
            problem.args = (*problem.args, [self.codec.to_dict(one) for one in found])
            raise problem
        return [self.codec.to_dict(one) for one in found]

    def now(self, pieces: list[bytes], seen: list[Any], **given: Any) -> None:
        with self.events.read(pieces, **given) as self.stream:
            for one in self.stream:
                seen.append(one)

    def later(self, pieces: list[bytes], seen: list[Any], **given: Any) -> None:
        async def source() -> AsyncIterator[bytes]:
            for piece in pieces:
                await asyncio.sleep(0)
                yield piece

        async def run() -> None:
            async with self.events.aread(source(), **given) as self.stream:
                async for one in self.stream:
                    seen.append(one)

        asyncio.run(run())


@pytest.fixture
def read(package: Package) -> Both:
    return Both(package)


# --- how bytes are cut and spelled ------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_lines_end_in_each_of_three_ways(read: Both, end: str) -> None:
    whole = b"".join(frame(one, end) for one in (BEGAN, SAID, ENDED))
    assert read([whole]) == [BEGAN, SAID, ENDED]
    for cut in range(len(whole)):  # every place, in the middle of CRLF and of a character too
        assert list(read.events.read([whole[:cut], whole[cut:]])) == list(read.events.read([whole]))


def test_single_bytes(read: Both) -> None:
    assert read(bytes([byte]) for byte in WHOLE) == [BEGAN, SAID, ENDED]


def test_empty_pieces(read: Both) -> None:
    assert read([b"", WHOLE[:9], b"", b"", WHOLE[9:], b""]) == [BEGAN, SAID, ENDED]


def test_an_empty_piece_between_cr_and_lf(read: Both) -> None:
    assert read([b"data: " + json.dumps(SAID).encode() + b"\r", b"", b"\n\r\n", frame(ENDED)]) == [SAID, ENDED]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_cut_gives_the_same_events(package: Package, data: st.DataObject) -> None:
    end = data.draw(st.sampled_from(["\n", "\r", "\r\n"]))  # mixed ones are ambiguous: CR, then LF, is one end
    texts = data.draw(st.lists(st.text(max_size=20), max_size=8))
    lines: list[str] = []
    for text in texts:
        spelled = json.dumps(
            {"kind": "said", "text": text}, indent=data.draw(st.sampled_from([None, 1])), ensure_ascii=False
        )
        lines += [f": {json.dumps(text)}", "event: x", "id: 1", *(f"data: {line}" for line in spelled.split("\n")), ""]
    lines += [f"data:{json.dumps(ENDED)}", ""]
    whole = "".join(line + end for line in lines).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=20)))
    pieces = [whole[a:b] for a, b in itertools.pairwise([0, *cuts, len(whole)])]
    found = list(package.streams.Event.read(pieces))
    assert [one.text for one in found[:-1]] == texts and found[-1] == package.models.Ended()


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_byte_order_mark_in_front_is_no_part_of_the_stream(read: Both, cut: int) -> None:
    whole = b"\xef\xbb\xbf" + WHOLE
    assert read([whole[:cut], whole[cut:]]) == [BEGAN, SAID, ENDED]


def test_a_byte_order_mark_further_on_is_none(read: Both) -> None:
    # "\ufeffdata" is a field that the standard does not know
    with pytest.raises(read.package.streams.StreamIncomplete):
        read([frame(BEGAN) + b"\xef\xbb\xbf" + frame(ENDED)])


def test_data_in_several_lines(read: Both) -> None:
    lines = json.dumps(SAID, indent=2).split("\n")
    assert read(["\n".join(f"data: {line}" for line in lines).encode() + b"\n\n", frame(ENDED)]) == [SAID, ENDED]
    assert read(["\n".join(f"data:{line}" for line in lines).encode() + b"\n\n", frame(ENDED)]) == [SAID, ENDED]


def test_what_is_no_data_is_passed_over(read: Both) -> None:
    noise = b": ping\n\nevent: said\n\nevent\nretry: 1500\nfoo: bar\nfoo\nid: 3\n:\n"
    assert read([noise + frame(SAID) + noise + frame(ENDED)]) == [SAID, ENDED]
    assert read.stream.retry == 1500
    for none in (b"soon", b"9" * 5_000):
        assert read([b"retry: " + none + b"\n" + frame(ENDED)]) == [ENDED] and read.stream.retry is None


def test_the_name_of_an_event_is_not_looked_at(read: Both) -> None:
    assert read([b"event: said\n" + frame(BEGAN) + b"event: [END]\n" + frame(ENDED)]) == [BEGAN, ENDED]


def test_empty_data_is_a_finding(read: Both) -> None:
    assert read([b"data\n\ndata:\n\n" + frame(ENDED)]) == [ENDED]
    assert [finding.code for finding in read.findings] == ["empty-event", "empty-event"]


def test_an_unterminated_last_event_is_one(read: Both) -> None:
    assert read([frame(BEGAN) + frame(ENDED).rstrip()]) == [BEGAN, ENDED]
    assert read([frame(BEGAN) + frame(ENDED)[:-1]]) == [BEGAN, ENDED]
    assert read([frame(BEGAN) + b"data: [END]"]) == [BEGAN]


def test_large_events_take_linear_time(package: Package) -> None:
    def took(size: int) -> float:
        whole = frame({"kind": "said", "text": "x" * size}) + frame(ENDED)
        pieces = [whole[at : at + 4096] for at in range(0, len(whole), 4096)]
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            first, _last = package.streams.Event.read(pieces)
            best = min(best, time.process_time() - start)
        assert len(first.text) == size
        return best

    small, large = took(1_000_000), took(10_000_000)
    assert large < 40 * small  # ten times as much; a hundred times would be quadratic


# --- how streams end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", range(0, len(WHOLE) - 4, 7))
def test_a_stream_that_breaks_off_is_incomplete(read: Both, cut: int) -> None:
    with pytest.raises(read.package.streams.StreamIncomplete) as raised:
        read([WHOLE[:cut]])
    assert raised.value.args[-1] == [BEGAN, SAID, ENDED][: WHOLE[: cut + 2].count(b"\n\n")]
    assert raised.value.last_event_id == ("7" if cut >= len(frame(BEGAN) + frame(SAID)) - 2 else None)


def test_the_mark_of_the_end_completes_and_ends(read: Both) -> None:
    assert read([frame(BEGAN) + frame("[END]") + b"data: {}\n\n"]) == [BEGAN]
    assert read.stream.complete


def test_the_terminal_event_completes_and_reading_goes_on(read: Both) -> None:
    assert read([frame(ENDED) + frame(SAID)]) == [ENDED, SAID]


def test_a_source_that_fails_makes_the_stream_incomplete_unless_it_was_complete(package: Package) -> None:
    def source(*documents: Any) -> Iterator[bytes]:
        yield from map(frame, documents)
        raise ConnectionResetError("reset by peer")

    with pytest.raises(package.streams.StreamIncomplete, match="reset by peer") as raised:
        list(package.streams.Event.read(source(BEGAN)))
    assert isinstance(raised.value.__cause__, ConnectionResetError)
    assert len(list(package.streams.Event.read(source(BEGAN, ENDED)))) == 2


def test_cancelling_ends_the_source(package: Package) -> None:
    closed = []

    async def source() -> AsyncIterator[bytes]:
        try:
            yield frame(BEGAN)
            await asyncio.sleep(60)
        finally:
            closed.append(True)

    async def run() -> None:
        async def consume() -> None:
            async for _ in package.streams.Event.aread(source()):
                pass

        task = asyncio.create_task(consume())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert closed == [True]


# --- failure ----------------------------------------------------------------------------------------------------------

BROKE = {"kind": "broke", "why": {"code": "busy", "text": "later"}}


def test_an_event_that_reports_failure_is_an_event(read: Both) -> None:
    assert read([frame(BEGAN) + frame(BROKE)]) == [BEGAN, BROKE]
    assert not read.stream.complete


def test_an_event_that_reports_failure_is_raised_on_request(read: Both) -> None:
    with pytest.raises(read.package.streams.StreamFailed) as raised:
        read([frame(SAID) + frame(BROKE) + frame(ENDED)], raise_errors=True)
    error = raised.value
    assert (error.code, error.message, error.last_event_id) == ("busy", "later", "7")
    assert error.event == read.package.models.Broke.from_dict(BROKE) and error.args[-1] == [SAID]
    assert str(error).startswith("('busy: later'") or "busy: later" in str(error.args[0])


BARE = json.dumps({"why": {"code": "busy", "text": "later"}})


@pytest.mark.parametrize("end", ["\n", "\n\n", "", "\r\n"], ids=["line", "empty line", "no end", "CRLF"])
def test_a_line_that_is_no_field_can_report_failure(read: Both, end: str) -> None:
    assert read([frame(BEGAN) + (BARE + end).encode()]) == [BEGAN, BROKE]
    with pytest.raises(read.package.streams.StreamFailed):
        read([frame(BEGAN) + (BARE + end).encode()], raise_errors=True)


def test_several_lines_that_are_no_fields_can_report_failure(read: Both) -> None:
    spelled = json.dumps({"id": 5, "why": {"code": "busy", "text": "later"}}, indent=2)
    assert read([frame(BEGAN), spelled.encode()]) == [BEGAN, {**BROKE, "id": 5}]


@pytest.mark.parametrize("line", ["{", '{"a": 1}', '["why"]', "why: 1", '{"why": {}', "}", "{]}"])
def test_other_lines_report_nothing(read: Both, line: str) -> None:
    assert read([line.encode() + b"\n" + frame(ENDED)]) == [ENDED]


def test_no_line_reports_failure_where_the_contract_has_no_such_line(package: Package) -> None:
    assert Both(package, "Plain")([BARE.encode() + b"\n" + frame(ENDED)]) == [ENDED]


def test_data_that_is_no_json_is_refused(read: Both) -> None:
    with pytest.raises(read.package.module.DecodeError) as raised:
        read([frame(BEGAN) + frame("nonsense") + frame(ENDED)])
    assert raised.value.errors[0].code == "invalid-json"


def test_data_that_is_no_utf8_is_refused(read: Both) -> None:
    with pytest.raises(read.package.module.DecodeError) as raised:
        read([b'data: "\xff"\n\n'])
    assert raised.value.errors[0].code == "invalid-utf8"


# --- what the contract does not list ----------------------------------------------------------------------------------

NEW = {"kind": "sang", "meta": {"id": 9}}


def test_keep_yields_unknown_events_as_they_are(read: Both) -> None:
    assert read([frame(NEW) + frame(ENDED)]) == [NEW, ENDED]
    assert read.stream.last_event_id == "9"


def test_strip_passes_unknown_events_over_with_a_finding(read: Both) -> None:
    assert read([frame(BEGAN) + frame(NEW) + frame(ENDED)], unknown="strip") == [BEGAN, ENDED]
    assert [(finding.pointer, finding.code) for finding in read.findings] == [("/kind", "unknown-tag")]
    assert read.stream.last_event_id == "9"


def test_reject_refuses_unknown_events(read: Both) -> None:
    with pytest.raises(read.package.module.DecodeError, match="unknown-tag"):
        read([frame(BEGAN) + frame(NEW) + frame(ENDED)], unknown="reject")


# --- ids --------------------------------------------------------------------------------------------------------------


def test_the_id_is_where_the_contract_says(read: Both) -> None:
    stream = read.events.read([b"id: no\n" + frame(BEGAN) + frame(SAID) + frame({**SAID, "meta": {}}) + frame(ENDED)])
    seen = [stream.last_event_id, *(stream.last_event_id for _ in stream)]
    assert seen == [None, None, "7", "7", "7"]


def test_else_the_id_of_the_frame_counts(package: Package) -> None:
    said = {"kind": "said", "text": ""}
    whole = frame(said) + b"id: 4\n" + frame(said) + frame(said) + b"id: bad\0\n" + frame(said) + b"id\n" + frame(ENDED)
    stream = package.streams.Plain.read([whole])
    assert [stream.last_event_id for _ in stream] == [None, "4", "4", "4", "4"]


def test_a_stream_of_bytes_alone_cannot_be_resumed(package: Package) -> None:
    stream = package.streams.Event.read([WHOLE])
    with pytest.raises(package.streams.NotResumable, match="does not say how"):
        stream.resume()


# --- the package ------------------------------------------------------------------------------------------------------


def test_a_contract_without_operations_needs_no_other_package(package: Package) -> None:
    assert {path.rpartition("/")[2] for path in package.files} >= {"streams.py", "streaming.py", "frames.py"}
    assert not any(path.endswith(("client.py", "webhooks.py", "fold.py")) for path in package.files)
    for path, content in package.files.items():
        assert b"httpx" not in content, path


def test_a_contract_that_has_nothing_for_a_client_is_refused_as_one() -> None:
    contract = {"$defs": {"A": {"type": "object"}}}
    with pytest.raises(codegen.WireboundError) as raised:
        codegen.build(contract, options={"parts": ["models", "client"]})
    assert [problem.code for problem in raised.value.problems] == ["idle-part"]


def test_a_union_called_like_what_reads_it(tmp_path: Path) -> None:
    contract = json.loads(json.dumps(CONTRACT).replace('"Plain"', '"Events"'))
    package = Package(contract, tmp_path, parts=["models", "client"])
    assert [type(one).__name__ for one in package.streams.Events.read([frame(ENDED)])] == ["Ended"]
    assert "Events_" in package.streams.__all__


# --- streams of other contracts ---------------------------------------------------------------------------------------


def test_streams_whose_frames_are_data_alone(tmp_path: Path) -> None:
    schema = json.loads((ROOT / "schema/ag-ui/1.0/schema.json").read_bytes())
    schema["$defs"]["Event"]["x-wirebound-stream"] = {
        "terminal": ["RUN_FINISHED", "RUN_ERROR"],
        "error": {"event": "RUN_ERROR", "code": "/code", "message": "/message"},
    }
    package = Package(schema, tmp_path, parts=["models", "client"])
    documents: list[dict[str, Any]] = [
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "안녕"},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
    ]
    read = Both(package)
    assert read([b"".join(map(frame, documents))]) == documents
    with pytest.raises(package.streams.StreamIncomplete):
        read([b"".join(map(frame, documents[:-1]))])
    failed = {"type": "RUN_ERROR", "message": "no", "code": "E"}
    assert read([frame(documents[0]) + frame(failed)]) == [documents[0], failed]
    with pytest.raises(package.streams.StreamFailed, match="E: no"):
        list(package.streams.Event.read([frame(failed)], raise_errors=True))


def test_shuffled_pieces_of_a_long_stream(package: Package) -> None:
    random.seed(5)
    documents = [{"kind": "said", "text": "é" * random.randrange(50)} for _ in range(500)]
    whole = b"".join(map(frame, [*documents, ENDED]))
    pieces = []
    at = 0
    while at < len(whole):
        size = random.randrange(1, 90)
        pieces.append(whole[at : at + size])
        at += size
    assert Both(package)(pieces) == [*documents, ENDED]
