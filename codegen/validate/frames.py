"""A file, read in pieces → the JSON documents in it, each with the place where it stands.

Must not judge documents (codecs do), nor hold more of a file than its largest document: a log of a gigabyte takes no more
memory than one of a kilobyte. Only a file that is one JSON document is read whole. What has arrived is given on at once, so
that a stream can be looked at while it lasts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedIOBase
from typing import Literal, Protocol, TypeAlias, get_args

Format: TypeAlias = Literal["json", "ndjson", "array", "sse"]
FORMATS: tuple[Format, ...] = get_args(Format)

EXTENSIONS: Mapping[str, Format] = {".ndjson": "ndjson", ".jsonl": "ndjson", ".sse": "sse"}
"""What a file is by its name; any other is one JSON document."""

PIECE = 1 << 18
"""Bytes that are read at once."""

Start: TypeAlias = tuple[int, int]
"""A line and a column, both from 1; columns count code points."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A document on lines of its own. ``starts``: where its lines begin in the file; those beyond follow one another, each
    from column 1."""

    data: bytes
    starts: tuple[Start, ...]

    def place(self, line: int, column: int) -> Start:
        """Where a place of the document stands in the file."""
        if line <= len(self.starts):
            first, before = self.starts[line - 1]
            return first, before + column - 1
        return self.starts[-1][0] + line - len(self.starts), column


class Document(Protocol):
    """One document: its bytes, and where its places stand in the file."""

    @property
    def data(self) -> bytes:
        """The text."""
        ...

    def place(self, line: int, column: int) -> Start:
        """Where a place of the document stands in the file."""
        ...


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong between documents, so that it is no document's fault."""

    code: str
    found: str
    expected: str
    at: Start


Reader: TypeAlias = Callable[[BufferedIOBase], Iterator[Document | Flaw]]

_SPACE = b" \t\r\n"
_BLANK = re.compile(rb"[ \t\r\n]*")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_MARK = b"\xef\xbb\xbf"


def _piece(file: BufferedIOBase, left: int) -> bytes:
    """The next bytes: what has arrived; or, where ``left`` bytes are not enough already, as many again, so that what is large
    is not passed over and over."""
    return file.read1(PIECE) if left <= PIECE else file.read(left)


def whole(file: BufferedIOBase) -> Iterator[Document | Flaw]:
    """``json``: the file is one document."""
    yield Frame(file.read(), ((1, 1),))


def lines(file: BufferedIOBase) -> Iterator[Document | Flaw]:
    """``ndjson``: each line is a document; lines with nothing on them are none."""
    for number, line in enumerate(file, 1):
        if not line.isspace():
            yield Frame(line.rstrip(b"\r\n"), ((number, 1),))


# --- array ------------------------------------------------------------------------------------------------------------

# Whole strings and what stands between them, up to a bracket or the quote of a string that is not closed yet; among the
# array's own items up to a comma as well. Possessive: what was passed is never looked at again.
_WITHIN = re.compile(rb'[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"\[\]{}]*+)*+', re.DOTALL)
_AMONG = re.compile(rb'[^"\[\]{},]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"\[\]{},]*+)*+', re.DOTALL)
_FURTHER = bytes(range(0x80, 0xC0))
"""Bytes that continue a code point in UTF-8."""


@dataclass(frozen=True, slots=True)
class _Position:
    """Where reading has come to. ``returned``: the last byte was a CR, which may be the first half of a line's end."""

    line: int = 1
    column: int = 1
    returned: bool = False

    def after(self, text: bytes) -> _Position:
        """The position once ``text`` is passed. A line ends with LF, CR or both."""
        if not text:
            return self
        ends = text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")
        if self.returned and text.startswith(b"\n"):
            ends -= 1  # the second half of a line's end, which was counted with the first
        last = max(text.rfind(b"\n"), text.rfind(b"\r"))
        column = (self.column if last < 0 else 1) + len(text[last + 1 :].translate(None, _FURTHER))
        return _Position(self.line + ends, column, text.endswith(b"\r"))


@dataclass(frozen=True, slots=True)
class _Item:
    """A document that stands in ``text`` at ``begin``. Its place is found when it is asked for, which is seldom."""

    data: bytes
    text: bytes
    begin: int
    base: _Position

    def place(self, line: int, column: int) -> Start:
        """As in ``Frame``."""
        position = self.base.after(self.text[: self.begin])
        return Frame(self.data, ((position.line, position.column),)).place(line, column)


class _Pieces:
    """What has been read and is still needed: ``text`` from ``begin``, where the item starts that is being looked at.
    ``base`` is where the text itself begins."""

    def __init__(self, file: BufferedIOBase) -> None:
        self.file = file
        self.text = b""
        self.begin = 0
        self.base = _Position()

    def more(self) -> bool:
        """Read on; False at the end of the file."""
        left = self.text[self.begin :]
        piece = _piece(self.file, len(left))
        self.base = self.base.after(self.text[: self.begin])
        self.text, self.begin = left + piece, 0
        return bool(piece)

    def byte(self, offset: int = 0) -> bytes:
        """One byte that has been read; empty behind the last."""
        return self.text[self.begin + offset : self.begin + offset + 1]

    def skip(self) -> bytes:
        """The next byte that is no white space, which stays; empty at the end of the file."""
        while True:
            space = _BLANK.match(self.text, self.begin)
            assert space is not None
            self.begin = space.end()
            if self.byte() or not self.more():
                return self.byte()

    @property
    def at(self) -> Start:
        """Where the next byte stands."""
        position = self.base.after(self.text[: self.begin])
        return position.line, position.column


def items(file: BufferedIOBase) -> Iterator[Document | Flaw]:
    """``array``: the file is one array, and each of its items is a document."""
    pieces = _Pieces(file)
    while len(pieces.text) < len(_MARK) and pieces.more():
        pass
    if pieces.text.startswith(_MARK):
        yield Flaw("byte-order-mark", "a byte-order mark", "JSON text", (1, 1))
        pieces.text = pieces.text[len(_MARK) :]
    if (first := pieces.skip()) != b"[":
        yield Flaw("invalid-json", _shown(first), '"["', pieces.at)
        return
    pieces.begin += 1
    end = b"]" if pieces.skip() == b"]" else b","
    while end == b",":
        pieces.skip()
        length = _item(pieces)
        begin = pieces.begin
        end = pieces.byte(length)
        if not end:
            yield Flaw("invalid-json", "the end of the file", 'an item that ends with "," or "]"', pieces.at)
            return
        yield _Item(pieces.text[begin : begin + length].rstrip(_SPACE), pieces.text, begin, pieces.base)
        pieces.begin += length + (end == b",")
    if end == b"}":
        yield Flaw("invalid-json", '"}"', '"," or "]"', pieces.at)
        return
    pieces.begin += 1
    if rest := pieces.skip():
        yield Flaw("invalid-json", _shown(rest), "the end of the file", pieces.at)


def _item(pieces: _Pieces) -> int:
    """The length of the next item: up to the comma or bracket that ends it, or to the end of the file."""
    depth = length = 0
    while True:
        match = (_WITHIN if depth else _AMONG).match(pieces.text, pieces.begin + length)
        assert match is not None
        length = match.end() - pieces.begin
        mark = pieces.byte(length)
        if mark in (b"", b'"'):
            if not pieces.more():
                return len(pieces.text)
        elif mark in (b"[", b"{"):
            depth, length = depth + 1, length + 1
        elif not depth:
            return length
        else:
            depth, length = depth - 1, length + 1


def _shown(byte: bytes) -> str:
    return (
        "the end of the file"
        if not byte
        else f'"{byte.decode("ascii")}"' if byte.isascii() else f"byte 0x{byte[0]:02x}"
    )


# --- server-sent events -----------------------------------------------------------------------------------------------


def events(file: BufferedIOBase) -> Iterator[Document | Flaw]:
    """``sse``: the data of each event is a document (HTML, 9.2.6: lines end with CR, LF or both; an event's lines of data are
    joined by LF; an event that no empty line ends is never received)."""
    data: list[bytes] = []
    starts: list[Start] = []
    for number, line in enumerate(_lines(file), 1):
        if number == 1:
            line = line.removeprefix(_MARK)
        if not line:
            if data:
                yield Frame(b"\n".join(data), tuple(starts))
            data, starts = [], []
            continue
        name, colon, value = line.partition(b":")
        if name == b"data":
            column = len(name) + len(colon) + 1
            if value.startswith(b" "):
                value, column = value[1:], column + 1
            data.append(value)
            starts.append((number, column))
    if data:
        yield Flaw("unfinished-event", "the end of the file", "an empty line after the event", starts[0])


def _lines(file: BufferedIOBase) -> Iterator[bytes]:
    """The lines of a file, without their ends."""
    rest = b""
    while piece := _piece(file, len(rest)):
        text = rest + piece
        # The last byte may be the first half of a line's end.
        held = text[-1:] if text.endswith(b"\r") else b""
        *complete, rest = _LINE_END.split(text[: len(text) - len(held)])
        rest += held
        yield from complete
    if rest:
        *complete, rest = _LINE_END.split(rest)
        yield from (*complete, rest) if rest else complete


READERS: Mapping[Format, Reader] = {"json": whole, "ndjson": lines, "array": items, "sse": events}
