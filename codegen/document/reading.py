"""A file or a Python value → a ``Document``: its value, its digest, and where everything in it stands.

Must not know schemas. Reading is strict, because what two readers of one contract may understand differently (duplicate
members, numbers out of range, lone surrogates, a byte-order mark) cannot be the contract of a protocol.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from codegen.errors import Position, Problem, shown
from codegen.pointer import Origin, join, parent, unescape

if TYPE_CHECKING:
    from codegen.model import JsonValue

# Levels of arrays and objects inside one another. Interpreting a level takes up to nine frames of Python's stack, which holds
# a thousand; contracts in use stay below 15 levels. Recursion through references is another matter: it has no limit.
MAX_DEPTH = 100
# Digits of an integer: what Python converts by default.
MAX_DIGITS = 4300
# Line and column, both from 1.
Spot: TypeAlias = tuple[int, int]
# Values that a document may have once its aliases are written out.
MAX_VALUES = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One text of a contract.

    ``address`` is "" for the root document, else its path below the contract's folder or its URL; ``path`` what messages
    call it; ``digest`` the SHA-256 of its bytes ("" for what is built in). ``integers``: the members whose keys are integers
    in the text, which only the statuses of responses may be. ``elsewhere``: places that an overlay made or moved, and where
    they come from.
    """

    address: str
    path: str
    value: JsonValue
    digest: bytes
    find: Callable[[], Mapping[str, Spot]]
    integers: tuple[str, ...] = ()
    elsewhere: Mapping[str, tuple[Document, str]] = field(default_factory=dict)
    _spots: dict[str, Spot] = field(default_factory=dict)

    def position(self, pointer: str) -> Position:
        """Where ``pointer`` stands, or the nearest enclosing place that is in the text."""
        for above in ancestors(pointer) if self.elsewhere else ():
            if above in self.elsewhere:
                document, place = self.elsewhere[above]
                return document.position(place + pointer[len(above) :])
        if not self._spots:
            self._spots.update({"": (1, 1)} | dict(self.find()))
        while pointer not in self._spots:
            pointer = parent(pointer)
        return Position(self.path, *self._spots[pointer])


def ancestors(pointer: str) -> Iterator[str]:
    """``pointer`` and every pointer above it, the nearest first."""
    yield pointer
    while pointer:
        pointer = parent(pointer)
        yield pointer


class Unreadable(Exception):
    """A text that holds no value of JSON that can be meant: what is wrong with it, and where that stands."""

    def __init__(self, path: str, problems: list[tuple[Problem, Spot]]) -> None:
        super().__init__(path)
        self.problems = [problem for problem, _ in problems]
        self.positions: dict[Origin, Position] = {}
        for problem, spot in problems:
            self.positions.setdefault(problem.origin, Position(path, *spot))


class Faults:
    """What is wrong with one text so far."""

    def __init__(self, path: str, address: str) -> None:
        self.found: list[tuple[Problem, Spot]] = []
        self._path, self._address = path, address

    def add(self, code: str, message: str, help: str, pointer: str, spot: Spot) -> None:
        """One more problem, with the value at ``pointer``; the text shows it at ``spot``."""
        self.found.append((Problem(code=code, message=message, origin=Origin(self._address, pointer), help=help), spot))

    def fatal(self, code: str, message: str, help: str, spot: Spot) -> None:
        """The text makes no sense from here; what was found before may be an effect of the same slip."""
        self.found.clear()
        self.add(code, message, help, "", spot)

    def twice(self, pointer: str, spot: Spot) -> None:
        """The member at ``pointer`` is there again."""
        name = shown(unescape(pointer.rpartition("/")[2]))
        help = "remove one of the two: readers disagree on which one counts"
        self.add("duplicate-member", f"member {name} is there a second time", help, pointer, spot)

    def lone(self, pointer: str, spot: Spot) -> None:
        """The string at ``pointer`` holds half of a surrogate pair."""
        message = "the string holds half of a surrogate pair, which is no character"
        self.add("lone-surrogate", message, "write the character itself, or both halves", pointer, spot)

    def range(self, message: str, pointer: str, spot: Spot) -> None:
        """The number at ``pointer`` is none that every reader can hold."""
        help = f"stay within what a double holds (about 1.8e308), and within {MAX_DIGITS} digits for an integer"
        self.add("number-out-of-range", message, help, pointer, spot)

    def too_deep(self, spot: Spot) -> None:
        """The value at ``spot`` is one level too deep."""
        message = f"more than {MAX_DEPTH} arrays and objects are nested in one another"
        self.add("nesting-too-deep", message, 'move inner schemas into "$defs" and refer to them', "", spot)

    def error(self) -> Unreadable:
        """All of it, to be raised."""
        return Unreadable(self._path, self.found)


def read(file: Path, path: str, address: str) -> Document:
    """The document in ``file``: YAML by its suffix, else JSON. Raises ``Unreadable``."""

    def refuse(code: str, message: str, help: str, spot: Spot = (1, 1)) -> Unreadable:
        faults = Faults(path, address)
        faults.add(code, message, help, "", spot)
        return faults.error()

    try:
        content = file.read_bytes()
    except OSError as error:
        reason = next((why for kind, why in _REASONS if isinstance(error, kind)), str(error.strerror or error))
        raise refuse("cannot-read", f"the file cannot be read: {reason}", "name a file that can be read") from None
    if content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise refuse("not-utf8", "the text starts with a byte-order mark, expected plain UTF-8", _UTF8)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        message = f'byte "0x{content[error.start]:02X}" is no UTF-8 here'
        before = content[: error.start].decode()
        raise refuse("not-utf8", message, _UTF8, _end_of(before)) from None
    if "\0" in text:
        raise refuse("not-utf8", "the text holds NUL characters, expected plain UTF-8", _UTF8)
    if not text or text.isspace():
        raise refuse(
            "empty", "the file is empty, expected a contract", "write the contract into it, or name another file"
        )
    digest = sha256(content).digest()
    if file.suffix.lower() in (".yaml", ".yml"):
        from codegen.document import yaml

        value, find, integers = yaml.read(text, path, address)
        return Document(address, path, value, digest, find, integers)
    return Document(address, path, from_json(text, path, address), digest, lambda: _json_positions(text))


# Our own words: the system's depend on its language.
_REASONS = (
    (FileNotFoundError, "there is none"),
    (NotADirectoryError, "there is none"),
    (IsADirectoryError, "it is a folder"),
    (PermissionError, "access is denied"),
)
_UTF8 = "save the file as UTF-8 without a byte-order mark"


def _json_positions(text: str) -> Mapping[str, Spot]:
    from codegen.document.locate import positions

    return positions(text)


def _end_of(text: str) -> Spot:
    from codegen.document.locate import Lines

    return Lines(text).at(len(text))


# --- JSON -------------------------------------------------------------------------------------------------------------


class _Doubtful(ValueError):
    """Something that the decoder lets pass and we do not."""


def _members(pairs: list[tuple[str, JsonValue]]) -> JsonValue:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _Doubtful
    return members


def _float(literal: str) -> float:
    number = float(literal)
    if math.isinf(number):
        raise _Doubtful
    return number


def _int(literal: str) -> int:
    if len(literal.lstrip("-")) > MAX_DIGITS:
        raise _Doubtful
    return int(literal)


def _constant(literal: str) -> float:
    raise _Doubtful


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_float=_float, parse_int=_int, parse_constant=_constant)
_NOT_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^"\[\]{}]+', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LONE = re.compile("[\ud800-\udfff]")


def from_json(text: str, path: str, address: str) -> JsonValue:
    """The value of a JSON text. Raises ``Unreadable``."""
    try:
        value: JsonValue = _DECODER.decode(text)
    except (ValueError, RecursionError):
        faults = _diagnose(text, path, address)
        # The scanner refuses whatever the decoder refuses; were it ever laxer, silence would be the worst answer.
        if not faults.found:
            raise
        raise faults.error() from None
    if _depth(text) > MAX_DEPTH or ("\\u" in text and _SURROGATE.search(text)):
        faults = _diagnose(text, path, address)
        if faults.found:
            raise faults.error()
    return value


def _depth(text: str) -> int:
    """How deep the brackets of a JSON text are nested; a few passes in C instead of a walk over the value."""
    brackets = _NOT_BRACKETS.sub("", text)
    if len(brackets) <= 2 * MAX_DEPTH:
        return 0
    return max(accumulate(1 if bracket in "[{" else -1 for bracket in brackets))


def _diagnose(text: str, path: str, address: str) -> Faults:
    """Everything that is wrong with a JSON text, up to where it stops being JSON."""
    from codegen.document.locate import Lines, NotJson, scan

    lines = Lines(text)
    faults = Faults(path, address)
    seen: list[set[str]] = []  # of the enclosing objects and arrays: the members so far
    try:
        for kind, pointer, offset, spelled in scan(text):
            if kind == "key":
                if pointer in seen[-1]:
                    faults.twice(pointer, lines.at(offset))
                seen[-1].add(pointer)
            if kind == "open":
                seen.append(set())
                if len(seen) > MAX_DEPTH:
                    faults.too_deep(lines.at(offset))
                    break
            elif kind == "close":
                seen.pop()
            elif spelled[0] == '"':
                if _SURROGATE.search(spelled) and _LONE.search(json.loads(spelled)):
                    faults.lone(pointer if kind == "scalar" else parent(pointer), lines.at(offset))
            elif fault := _out_of_range(spelled):
                faults.range(fault, pointer, lines.at(offset))
    except NotJson as error:
        message = f"{error.found} stands here, expected {error.expected}"
        faults.fatal("not-json", message, "correct the JSON text here", lines.at(error.offset))
    return faults


def _out_of_range(literal: str) -> str:
    if literal in ("true", "false", "null"):
        return ""
    if literal[-1] in "Ny":
        return f'"{literal}" is no number of JSON'
    if not re.search("[.eE]", literal):
        digits = len(literal.lstrip("-"))
        return f"the integer has {digits} digits, expected at most {MAX_DIGITS}" if digits > MAX_DIGITS else ""
    return f'"{literal[:60]}" is beyond the range of a double' if math.isinf(float(literal)) else ""


# --- values -----------------------------------------------------------------------------------------------------------


def from_value(value: object) -> Document:
    """The document that a Python value is, as ``json.loads`` gives it: the value is copied. Raises ``Unreadable``."""
    faults = Faults(_VALUE, "")
    copy = _copied(value, faults)
    if faults.found:
        raise faults.error()
    canonical = json.dumps(copy, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return Document("", _VALUE, copy, sha256(canonical.encode()).digest(), dict)


def _copied(root: object, faults: Faults) -> JsonValue:
    """A copy of ``root`` with plain dicts and lists. Depth and size are bounded, so that a value inside itself ends too."""
    top: list[JsonValue] = [None]
    # What is still to be copied: the value, where its copy goes, its pointer and its depth.
    pending: list[tuple[object, list[JsonValue] | dict[str, JsonValue], int | str, str, int]] = [(root, top, 0, "", 0)]
    count = 0
    while pending:
        value, target, key, pointer, depth = pending.pop()
        count += 1
        if count > MAX_VALUES:
            message = f"the value holds more than {MAX_VALUES} values"
            faults.add("alias-expansion", message, "split the contract", pointer, _START)
            break
        if isinstance(value, dict | list) and depth == MAX_DEPTH:
            faults.too_deep(_START)
            break
        copy: JsonValue
        if isinstance(value, dict):
            members: dict[str, JsonValue] = {}
            for name, item in value.items():
                if isinstance(name, str):
                    members[name] = None
                    pending.append((item, members, name, join(pointer, name), depth + 1))
                    if _LONE.search(name):
                        faults.lone(pointer, _START)
                else:
                    message = f'a key is of type "{type(name).__name__}", expected a string'
                    faults.add("non-string-key", message, "give every dict string keys", pointer, _START)
            copy = members
        elif isinstance(value, list):
            copy = [None] * len(value)
            pending.extend((item, copy, at, f"{pointer}/{at}", depth + 1) for at, item in enumerate(value))
        else:
            copy = _scalar(value, pointer, faults)
        target[key] = copy  # type: ignore[index]
    return top[0]


def _scalar(value: object, pointer: str, faults: Faults) -> JsonValue:
    if isinstance(value, str):
        if _LONE.search(value):
            faults.lone(pointer, _START)
        return value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if abs(value) >= _TOO_LONG:
            faults.range(f"the integer has more than {MAX_DIGITS} digits", pointer, _START)
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            faults.range(f'"{value}" is no number of JSON', pointer, _START)
        return value
    message = f'a value is of type "{type(value).__name__}", expected what json.loads gives'
    faults.add("not-json", message, "give dict, list, str, int, float, bool or None", pointer, _START)
    return None


# What messages call a contract that has no file, and where everything in it stands.
_VALUE = "<value>"
_START: Spot = (1, 1)
_TOO_LONG = 10**MAX_DIGITS
