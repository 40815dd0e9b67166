"""``wirebound validate``: documents are found wherever a read ends, faults stand where they are, memory stays what it is."""

from __future__ import annotations

import io
import itertools
import json
import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen import cli
from codegen.document.locate import positions
from codegen.validate import READERS, Tally, judged
from codegen.validate.frames import Flaw
from codegen.validate.places import Places

ROOT = Path(__file__).parents[1]
CONTRACT = {
    "$id": "https://shop.example/1.0/shop.json",
    "oneOf": [{"$ref": "#/$defs/Added"}, {"$ref": "#/$defs/Paid"}],
    "$defs": {
        "Added": {
            "type": "object",
            "properties": {
                "kind": {"const": "added"},
                "item": {"type": "string"},
                "count": {"type": "integer", "minimum": 1},
            },
            "required": ["kind", "item"],
            "additionalProperties": False,
        },
        "Paid": {
            "type": "object",
            "properties": {"kind": {"const": "paid"}, "by": {"type": "array", "items": {"type": "string"}}},
            "required": ["kind"],
            "additionalProperties": False,
        },
    },
}


class Split(io.BufferedIOBase):
    """A file that arrives in pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = [piece for piece in pieces if piece]

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        piece = self.pieces.pop(0) if self.pieces else b""
        if len(piece) > size:
            self.pieces.insert(0, piece[size:])
        return piece[:size]

    def read(self, size: int | None = -1) -> bytes:
        whole = b"".join(self.pieces)
        size = len(whole) if size is None or size < 0 else size
        self.pieces = [whole[size:]] if whole[size:] else []
        return whole[:size]


def found(format: Any, *pieces: bytes) -> list[Any]:
    """What a reader finds: (bytes, line, column) of a document, or (code, found, line, column) of what is none."""
    return [
        (frame.code, frame.found, *frame.at) if isinstance(frame, Flaw) else (frame.data, *frame.place(1, 1))
        for frame in READERS[format](Split(*pieces))
    ]


# --- an array ---------------------------------------------------------------------------------------------------------

ARRAYS = [
    (b"[]", []),
    (b" [ ]\n", []),
    (b"[1]", [(b"1", 1, 2)]),
    (
        b'[\n  {"a": "\xc3\xa9"}, "\xf0\x9f\x98\x80",\r\n\t[1, [2]]\r]',
        [(b'{"a": "\xc3\xa9"}', 2, 3), (b'"\xf0\x9f\x98\x80"', 2, 15), (b"[1, [2]]", 3, 2)],
    ),
    (b'["a\\"],[\\\\", "]", {"[": "}"}]', [(b'"a\\"],[\\\\"', 1, 2), (b'"]"', 1, 14), (b'{"[": "}"}', 1, 19)]),
    (b"[1,,2]", [(b"1", 1, 2), (b"", 1, 4), (b"2", 1, 5)]),
    (b"[1,]", [(b"1", 1, 2), (b"", 1, 4)]),
    (b'[{"a":1], 2]', [(b'{"a":1]', 1, 2), (b"2", 1, 11)]),
    (b"[1 2]", [(b"1 2", 1, 2)]),
    (b"", [("invalid-json", "the end of the file", 1, 1)]),
    (b" \n{}", [("invalid-json", '"{"', 2, 1)]),
    (b"\xff", [("invalid-json", "byte 0xff", 1, 1)]),
    (b"[1, 2", [(b"1", 1, 2), ("invalid-json", "the end of the file", 1, 5)]),
    (b'["a', [("invalid-json", "the end of the file", 1, 2)]),
    (b"[1, ", [(b"1", 1, 2), ("invalid-json", "the end of the file", 1, 5)]),
    (b"[", [("invalid-json", "the end of the file", 1, 2)]),
    (b"[1}, 2]", [(b"1", 1, 2), ("invalid-json", '"}"', 1, 3)]),
    (b"[1] [2]", [(b"1", 1, 2), ("invalid-json", '"["', 1, 5)]),
    (b"\xef\xbb\xbf[1]", [("byte-order-mark", "a byte-order mark", 1, 1), (b"1", 1, 2)]),
    (b"\r\n\n\r[\r1]", [(b"1", 5, 1)]),
]


@pytest.mark.parametrize(("text", "expected"), ARRAYS)
def test_items_are_found_wherever_a_read_ends(text: bytes, expected: list[Any]) -> None:
    assert found("array", text) == expected
    for at in range(len(text)):
        assert found("array", text[:at], text[at:]) == expected, at
    assert found("array", *(text[at : at + 1] for at in range(len(text)))) == expected


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(['"', "\\", "[", "}", ",", "é", "😀"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.lists(values, max_size=6), st.data())
def test_items_and_their_places_are_those_of_the_whole_text(items: list[Any], data: st.DataObject) -> None:
    def text(value: Any) -> str:
        space = data.draw(st.sampled_from(["", " ", "\n", "\r", "\r\n", "\t\n ", "\n\r"]))
        if isinstance(value, list):
            return "[" + ",".join(space + text(item) + space for item in value) + "]"
        if isinstance(value, dict):
            members = (f"{json.dumps(name)}{space}:{text(item)}{space}" for name, item in value.items())
            return "{" + space + ",".join(members) + "}"
        return space + json.dumps(value, ensure_ascii=data.draw(st.booleans()))

    whole = "[" + ",".join(text(item) for item in items) + "]"
    content = whole.encode()
    cut = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=5)))
    pieces = [content[start:end] for start, end in zip([0, *cut], [*cut, len(content)], strict=True)]
    places = positions(whole)
    frames = found("array", *pieces)
    assert [json.loads(document) for document, *_ in frames] == items
    assert [tuple(place) for _, *place in frames] == [places[f"/{i}"] for i in range(len(items))]


# --- server-sent events -----------------------------------------------------------------------------------------------

STREAMS = [
    (b"data: 1\n\ndata: 2\n\n", [(b"1", 1, 7), (b"2", 3, 7)]),
    (b"data: 1\r\rdata: 2\r\r", [(b"1", 1, 7), (b"2", 3, 7)]),
    (b"data: 1\r\n\r\ndata: 2\r\n\r\n", [(b"1", 1, 7), (b"2", 3, 7)]),
    (b"data:1\n\n", [(b"1", 1, 6)]),
    (b"data:  1\n\n", [(b" 1", 1, 7)]),
    (b"\xef\xbb\xbfdata: 1\n\n", [(b"1", 1, 7)]),
    (b"data: {\ndata:  1}\n\n", [(b"{\n 1}", 1, 7)]),
    (b": a comment\nevent: x\nid: 7\nretry: 9\ndata: 1\n: again\n\n", [(b"1", 5, 7)]),
    (b"event: x\n\n\n: only\n\ndata: 1\n\n", [(b"1", 6, 7)]),
    (b"data\n\n", [(b"", 1, 5)]),
    (b"datum: 1\n data: 2\nDATA: 3\n\n", []),
    (b"data: \xc3\xa9\n\n", [(b"\xc3\xa9", 1, 7)]),
    (b"data: 1\n\ndata: 2\n", [(b"1", 1, 7), ("unfinished-event", "the end of the file", 3, 7)]),
    (b"data: 1\r", [("unfinished-event", "the end of the file", 1, 7)]),
    (b"data: 1", [("unfinished-event", "the end of the file", 1, 7)]),
    (b"data: 1\r\n\r", [(b"1", 1, 7)]),
    (b"", []),
]


@pytest.mark.parametrize(("text", "expected"), STREAMS)
def test_events_are_found_wherever_a_read_ends(text: bytes, expected: list[Any]) -> None:
    assert found("sse", text) == expected
    for at in range(len(text)):
        assert found("sse", text[:at], text[at:]) == expected, at
    assert found("sse", *(text[at : at + 1] for at in range(len(text)))) == expected


def test_a_place_in_data_of_several_lines_is_on_its_own_line() -> None:
    (frame,) = READERS["sse"](Split(b'id: 1\ndata: {"a":\n: a comment\ndata:  1}\n\n'))
    assert not isinstance(frame, Flaw)
    assert frame.place(1, 2) == (2, 8)
    assert frame.place(2, 2) == (4, 8)


# --- lines and single documents ---------------------------------------------------------------------------------------


def test_lines() -> None:
    text = b'{"a": 1}\r\n\n  \n[2]\n"\xc3\xa9"'
    expected = [(b'{"a": 1}', 1, 1), (b"[2]", 4, 1), (b'"\xc3\xa9"', 5, 1)]
    frames = [(frame.data, *frame.place(1, 1)) for frame in READERS["ndjson"](io.BytesIO(text))]  # type: ignore[union-attr]
    assert frames == expected


def test_a_single_document_is_the_file() -> None:
    (frame,) = READERS["json"](io.BytesIO(b"{\n \n}"))
    assert not isinstance(frame, Flaw)
    assert frame.data == b"{\n \n}"
    assert [frame.place(1, 1), frame.place(3, 2)] == [(1, 1), (3, 2)]


# --- places of faults -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "found", "expected"),
    [
        (b'{"a": 1,\n "b" 2}', "invalid-json", 2, 6, '"2"', '":"'),
        (b"", "invalid-json", 1, 1, "the end of the text", "a value"),
        (b'{"a": 1} x', "invalid-json", 1, 10, '"x"', "the end of the text"),
        (b'"\xc3\xa9\xff"', "invalid-utf8", 1, 3, "", ""),
        (b"\xef\xbb\xbf1", "byte-order-mark", 1, 1, "", ""),
        (b"[1,\n NaN]", "not-finite", 2, 2, "", ""),
        (b"[1, -Infinity]", "not-finite", 1, 5, "", ""),
        (b"[1, 1e400]", "number-out-of-range", 1, 5, "", ""),
        (b"[1, " + b"9" * 4301 + b"]", "integer-too-long", 1, 5, "", ""),
        (rb'["a", "\ud83d\ude00", "\ud83d"]', "lone-surrogate", 1, 23, "", ""),
        (rb'["a", "\ude00"]', "lone-surrogate", 1, 7, "", ""),
        (b"[" * 10, "nesting-too-deep", 1, 1, "", ""),
    ],
)
def test_what_is_wrong_with_a_text_is_found_in_it(
    text: bytes, code: str, line: int, column: int, found: str, expected: str
) -> None:
    spot = Places(text).spot("", code)
    assert spot[:2] == (line, column) or code == "nesting-too-deep"
    if code != "nesting-too-deep":
        assert spot[2:] == (found, expected)


def test_a_missing_member_is_told_of_at_the_object_that_lacks_it() -> None:
    places = Places(b'{"a":\n {"b": 1}}')
    assert places.spot("/a/c", "missing-member")[:2] == (1, 2)
    assert places.spot("/a/b", "wrong-type")[:2] == (2, 3)
    assert places.spot("/x", "missing-member")[:2] == (1, 1)


# --- memory and time --------------------------------------------------------------------------------------------------


class Endless(io.BufferedIOBase):
    """``count`` times the same bytes, between a beginning and an end, made when they are read."""

    def __init__(self, first: bytes, unit: bytes, last: bytes, count: int) -> None:
        self.parts = self.all(first, unit * 100, last, count // 100)
        self.left = b""

    def all(self, first: bytes, unit: bytes, last: bytes, count: int) -> Iterator[bytes]:
        yield from filter(None, (first, *itertools.repeat(unit, count), last))

    def readable(self) -> bool:
        return True

    def read1(self, size: int = -1) -> bytes:
        self.left = self.left or next(self.parts, b"")
        piece, self.left = self.left[:size], self.left[size:]
        return piece

    def readinto(self, buffer: Any) -> int:
        piece = self.read1(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


class Accepting:
    """A codec for which everything is right."""

    def from_json(self, data: bytes, **_: Any) -> None:
        assert data.startswith(b'{"kind"')


@pytest.mark.parametrize(
    ("format", "first", "unit", "last"),
    [
        ("array", b"[", b'{"kind": "%s"},\n', b'{"kind": "z"}]'),
        ("sse", b"", b'data: {"kind": "%s"}\n\n', b""),
        ("ndjson", b"", b'{"kind": "%s"}\n', b""),
    ],
)
def test_a_file_of_any_size_takes_the_same_memory(format: Any, first: bytes, unit: bytes, last: bytes) -> None:
    unit = unit % (b"x" * 1000)
    file: Any = Endless(first, unit, last, 30_000)
    if format == "ndjson":
        file = io.BufferedReader(Raw(file))
    tally = Tally()
    tracemalloc.start()
    try:
        assert list(judged(Accepting(), READERS[format](file), tally)) == []
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert tally.documents >= 30_000
    assert peak < 2_500_000, f"{peak:,} bytes for {30_000 * len(unit):,}"


class Raw(io.RawIOBase):
    def __init__(self, file: Endless) -> None:
        self.file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self.file.readinto(buffer)


@pytest.mark.parametrize("format", ["array", "sse"])
def test_a_large_item_that_arrives_in_small_pieces_is_not_read_over_and_over(format: Any) -> None:
    text = b'"' + b"x" * 20_000_000 + b'"'
    whole = b"[" + text + b"]" if format == "array" else b"data: " + text + b"\n\n"
    pieces = [whole[at : at + 65_536] for at in range(0, len(whole), 65_536)]
    start = time.perf_counter()
    (document,) = READERS[format](Split(*pieces))
    assert not isinstance(document, Flaw)
    assert document.data == text
    assert time.perf_counter() - start < 5


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop.json").write_text(json.dumps(CONTRACT))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(["validate", "shop.json", *arguments])
        return (code, *capsys.readouterr())

    return run


def test_faults_of_a_log(shop: Path, run) -> None:
    lines = [
        '{"kind": "added", "item": "x"}',
        "",
        '{"kind": "added", "item": 1, "count": 0, "extra": null}',
        '{"kind": "sold"}',
        '{"kind": ',
        '{"kind": "paid", "by": ["é", 1]}',
    ]
    (shop / "log.ndjson").write_text("\n".join(lines), encoding="utf-8")
    code, out, err = run("log.ndjson")
    assert code == 1
    assert re.sub(r"expected .*", "expected …", out).splitlines() == [
        "log.ndjson:3:19: wrong-type: found 1, expected …",
        "  at /item",
        "  rule #/$defs/Added/properties/item/type of Added",
        "log.ndjson:3:30: below-minimum: found 0, expected …",
        "  at /count",
        "  rule #/$defs/Added/properties/count/minimum of Added",
        "log.ndjson:3:42: unknown-member: found null, expected …",
        "  at /extra",
        "  rule #/$defs/Added/additionalProperties of Added",
        'log.ndjson:4:2: unknown-tag: found "sold", expected …',
        "  at /kind",
        f"  rule #/oneOf of {out.partition('rule #/oneOf of ')[2].split()[0]}",
        "log.ndjson:5:10: invalid-json: found the end of the text, expected …",
        "log.ndjson:6:30: wrong-type: found 1, expected …",
        "  at /by/1",
        "  rule #/$defs/Paid/properties/by/items/type of Paid",
    ]
    assert err == "5 documents in 1 file: 6 faults in 4\n"


def test_every_format_finds_the_same_fault(shop: Path, run) -> None:
    good, bad = '{"kind": "paid"}', '{"kind":\n "paid", "by": 1}'
    files = {
        "a.json": bad,
        "a.array": f"[{good},\n {bad}]",
        "a.sse": "".join(f"data: {line}\n" for line in bad.split("\n")) + "\n",
        "a.jsonl": bad.replace("\n", ""),
    }
    for name, text in files.items():
        (shop / name).write_text(text)
    assert run("a.json")[1].startswith("a.json:2:10: wrong-type")
    assert run("a.array", "--format", "array")[1].startswith("a.array:3:10: wrong-type")
    assert run("a.sse")[1].startswith("a.sse:2:16: wrong-type")
    assert run("a.jsonl")[1].startswith("a.jsonl:1:18: wrong-type")
    assert run("a.array")[1].startswith("a.array:1:1: wrong-type")


def test_json_lines_for_scripts(shop: Path, run) -> None:
    (shop / "a.ndjson").write_text('{"kind": "paid"}\n{"kind": "paid", "by": 1}\n{"kind": "paid", "by": [2]}\n')
    code, out, _ = run("a.ndjson", "--json")
    assert code == 1
    first, second = map(json.loads, out.splitlines())
    assert {key: first[key] for key in ("path", "number", "line", "column", "pointer", "code", "tolerated")} == {
        "path": "a.ndjson",
        "number": 2,
        "line": 2,
        "column": 18,
        "pointer": "/by",
        "code": "wrong-type",
        "tolerated": False,
    }
    assert first["rule"] == "#/$defs/Paid/properties/by/type"
    assert (second["line"], second["pointer"]) == (3, "/by/0")


def test_a_definition_can_be_named(shop: Path, run) -> None:
    (shop / "a.json").write_text('{"kind": "added", "item": "x"}')
    assert run("a.json", "--definition", "Added")[0] == 0
    code, out, _ = run("a.json", "--definition", "Paid")
    assert code == 1
    assert "wrong-value" in out
    code, _, err = run("a.json", "--definition", "Payd")
    assert code == 2
    assert 'unknown-definition: there is no definition "Payd"' in err and 'write "Paid"' in err


def test_a_contract_without_a_root_asks_for_a_definition(shop: Path, run) -> None:
    (shop / "shop.json").write_text(json.dumps({"$defs": CONTRACT["$defs"]}))
    (shop / "a.json").write_text('{"kind": "added", "item": "x"}')
    code, _, err = run("a.json")
    assert code == 2
    assert "no-root" in err and "--definition NAME, such as Added" in err
    assert run("a.json", "--definition", "Added")[0] == 0


def test_what_is_unknown_can_be_tolerated_and_is_told_of(shop: Path, run) -> None:
    (shop / "a.json").write_text('{"kind": "paid", "new": 1}')
    assert run("a.json")[0] == 1
    code, out, err = run("a.json", "--unknown", "strip")
    assert code == 0
    assert out == "a.json:1:18: unknown-member: found 1, tolerated\n  at /new\n"
    assert err == "1 document in 1 file: no fault, 1 tolerated\n"


def test_the_end_of_a_stream_is_no_document(shop: Path, run) -> None:
    (shop / "a.sse").write_text('data: {"kind": "paid"}\n\ndata: [DONE]\n\n')
    code, out, _ = run("a.sse")
    assert code == 1
    assert out.startswith('a.sse:3:8: invalid-json: found "DONE"')
    assert run("a.sse", "--done", "[DONE]")[::2] == (0, "1 document in 1 file: no fault\n")


def test_a_file_that_cannot_be_read_is_told_of_and_the_others_are_judged(shop: Path, run) -> None:
    (shop / "a.json").write_text('{"kind": "paid"}')
    code, out, err = run("none.json", ".", "a.json")
    assert code == 2
    assert out.splitlines()[0].startswith("none.json:1:1: cannot-read: found No such file or directory")
    assert out.splitlines()[1].startswith(".:1:1: cannot-read: found Is a directory")
    assert err == "1 document in 1 file: no fault; 2 files cannot be read\n"


def test_standard_input_is_judged_as_it_arrives(shop: Path) -> None:
    command = [sys.executable, "-c", "from codegen.cli import main; main()", "validate", "shop.json", "-"]
    with subprocess.Popen(
        [*command, "--format", "sse"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b'data: {"kind": "paid", "by": 1}\n\n')
        process.stdin.flush()
        # The stream goes on, and the fault is told of already.
        assert process.stdout.readline().startswith(b"<stdin>:1:24: wrong-type")
        process.stdin.write(b'data: {"kind": "paid"}\n\n')
        process.stdin.close()
        assert process.wait(timeout=60) == 1
        assert process.stderr.read() == b"2 documents in 1 file: 1 fault in 1\n"


def test_a_reader_that_goes_away_is_no_fault_of_ours(shop: Path) -> None:
    (shop / "a.ndjson").write_text('{"kind": "sold"}\n' * 20_000)
    command = [sys.executable, "-c", "from codegen.cli import main; main()", "validate", "shop.json", "a.ndjson"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == b""
