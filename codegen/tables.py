"""TOML text → tables that know their places, read key by key.

Must not know what any key means: manifest, outline, ledger and catalogues do. A key that nobody takes is refused at its
place, because a misspelt option that is ignored in silence costs more than one that is refused.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar, overload

from codegen.errors import ManifestError, Position, Problem, shown
from codegen.paths import display, top
from codegen.pointer import Origin, join, parent

T = TypeVar("T")

_KINDS = {str: "a string", bool: "true or false", int: "an integer", list: "an array", dict: "a table"}


class Source:
    """One TOML file: ``value`` is what it says, ``locate`` finds a key's line and column by its pointer."""

    def __init__(self, path: str, text: str) -> None:
        """Raises ManifestError (``not-toml``) at the place where the text stops being TOML."""
        self.path = path
        self.text = text
        try:
            self.value: dict[str, Any] = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # beside TOML's own: integers too long for Python, nesting
            message, _, where = str(error).rpartition(" (at ")
            message = message or str(error)
            line, column = _stated(where, text)
            raise ManifestError(
                [_problem(path, "not-toml", message[:1].lower() + message[1:], "correct the file so that it is TOML")],
                lambda _: Position(path, line, column),
            ) from None

    def locate(self, origin: Origin) -> Position:
        """The line and column of the key that ``origin`` points at, else of the nearest enclosing one."""
        offsets = _offsets(self.text)
        pointer = origin.pointer
        while pointer and pointer not in offsets:
            pointer = parent(pointer)
        offset = offsets.get(pointer, 0)
        return Position(self.path, self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset))


def source(path: Path) -> Source:
    """The TOML file at ``path``. Raises ManifestError where it cannot be read."""
    name = display(path)
    try:
        text = path.read_bytes().decode()
    except OSError as error:
        problem = _problem(name, "unreadable", f"it cannot be read: {error.strerror}", "name a file that can be read")
        raise ManifestError([problem], top) from None
    except UnicodeDecodeError as error:
        problem = _problem(name, "unreadable", f"it is not UTF-8 at byte {error.start}", "save the file as UTF-8")
        raise ManifestError([problem], top) from None
    return Source(name, text.replace("\r\n", "\n"))


def _problem(path: str, code: str, message: str, help: str) -> Problem:
    return Problem(code=code, message=message, origin=Origin(path, ""), help=help)


class Table:
    """One table while it is read. What is never taken is a problem once ``close`` is called.

    Problems are added to ``problems``, which all tables of one file share: the caller raises them together.
    """

    def __init__(self, value: dict[str, Any], origin: Origin, problems: list[Problem]) -> None:
        self.value = value
        self.origin = origin
        self.problems = problems
        self._known: list[str] = []

    @classmethod
    def of(cls, source: Source, problems: list[Problem], *keys: str) -> Table:
        """The table below ``keys``, which must exist."""
        value = source.value
        for key in keys:
            value = value[key]
        return cls(value, Origin(source.path, join("", *keys)), problems)

    def report(self, code: str, message: str, *tokens: str | int, help: str) -> None:
        """Add a problem at the place below ``tokens``."""
        self.problems.append(Problem(code=code, message=message, origin=self.origin.at(*tokens), help=help))

    def wrong(self, what: str, value: object, expected: str, *tokens: str | int) -> None:
        """Report a value of another kind."""
        self.report(
            "wrong-type", f"{what} is {kind_of(value)}, not {expected}", *tokens, help=f"write {expected} there"
        )

    @overload
    def take(self, key: str, kind: type[T]) -> T | None: ...
    @overload
    def take(self, key: str, kind: type[T], default: T) -> T: ...
    def take(self, key: str, kind: type[T], default: T | None = None) -> T | None:
        """The value of ``key``, ``default`` when it is absent or of another kind (which is a problem)."""
        self._known.append(key)
        if key not in self.value:
            return default
        value = self.value[key]
        if type(value) is not kind:
            self.wrong(key, value, _KINDS[kind], key)
            return default
        return value

    def need(self, key: str) -> str:
        """The string of a key that must be there; empty when it is not (which is a problem)."""
        if key not in self.value:
            self.report("missing-key", f'"{key}" is missing', help=f'add {key} = "…"')
        return self.take(key, str, "")

    def strings(self, key: str) -> tuple[str, ...] | None:
        """An array of strings; None when the key is absent."""
        items = self.take(key, list)
        if items is None:
            return None
        for index, item in enumerate(items):
            if not isinstance(item, str):
                self.wrong(f"an item of {key}", item, "a string", key, index)
        return tuple(item for item in items if isinstance(item, str))

    def texts(self, key: str) -> dict[str, str]:
        """A table whose keys are free and whose values are strings; empty when it is absent."""
        table = self.table(key)
        return {name: table.take(name, str, "") for name in table.value} if table else {}

    def table(self, key: str) -> Table | None:
        """The table at ``key``; None when it is absent."""
        value = self.take(key, dict)
        return None if value is None else Table(value, self.origin.at(key), self.problems)

    def tables(self, key: str) -> Iterator[Table]:
        """The tables of an array of tables."""
        for index, value in enumerate(self.take(key, list, [])):
            if isinstance(value, dict):
                yield Table(value, self.origin.at(key, index), self.problems)
            else:
                self.wrong(f"an item of {key}", value, "a table", key, index)

    def named(self, key: str) -> Iterator[tuple[str, Table]]:
        """The tables below ``key`` with their free names."""
        outer = self.table(key)
        for name in outer.value if outer else ():
            if outer and (inner := outer.table(name)):
                yield name, inner

    def close(self) -> None:
        """Refuse every key that was not taken."""
        for key in self.value:
            if key not in self._known:
                self.report("unknown-key", f"{shown(key)} is no key of this table", key, help=known(key, self._known))


def known(name: str, names: list[str]) -> str:
    """The help for a name that is none of ``names``."""
    if not names:
        return "nothing can stand here"
    near = difflib.get_close_matches(name, names, n=1)
    return f'write "{near[0]}"' if near else "write one of " + ", ".join(f'"{n}"' for n in names)


def kind_of(value: object) -> str:
    """The kind of a TOML value, as messages name it."""
    return _KINDS.get(type(value), "a number" if isinstance(value, float) else "a date or time")


def quoted(text: str) -> str:
    """``text`` as a TOML basic string."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(escapes.get(c) or (c if c.isprintable() else _escape(c)) for c in text) + '"'


def bare(key: str) -> str:
    """``key`` as it stands left of an equals sign: quoted only where it has to be."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else quoted(key)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# --- where keys stand -------------------------------------------------------------------------------------------------
# tomllib tells no places. The text is known to be TOML when it is scanned: the scan tells tokens apart, no more.


def _stated(where: str, text: str) -> tuple[int, int]:
    """Line and column as tomllib words them: ``line 3, column 7)`` or ``end of document)``."""
    if found := re.match(r"line (\d+), column (\d+)", where):
        return int(found[1]), int(found[2])
    if not where.startswith("end"):
        return 1, 1
    return text.count("\n") + 1, len(text) - text.rfind("\n")


_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))[ \t]*""")
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\]|\\.)*"|\'[^\']*\'', re.DOTALL)
_SCALAR = re.compile(r"[^,\]}\n#]*")


def _offsets(text: str) -> dict[str, int]:
    """The offset of every key and array item, by its pointer."""
    return _Scan(text).offsets


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.offsets: dict[str, int] = {}
        self.last: dict[str, int] = {}  # arrays of tables → index of the newest one
        prefix = ""
        self.blank()
        while self.at < len(text):
            start = self.at
            if text[start] == "[":
                array = text.startswith("[[", start)
                self.at += 2 if array else 1
                prefix = self.header(self.keys(), array, start)
                self.at += 2 if array else 1
            else:
                self.pair(prefix)
            self.blank()

    def blank(self) -> None:
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def keys(self) -> list[str]:
        names: list[str] = []
        while found := _KEY.match(self.text, self.at):
            quoted_key, literal, bare_key = found.groups()
            names.append(
                tomllib.loads(f'k = "{quoted_key}"')["k"] if quoted_key is not None else literal or bare_key or ""
            )
            self.at = found.end()
            if not self.text.startswith(".", self.at):
                break
            self.at += 1
        return names

    def header(self, keys: list[str], array: bool, start: int) -> str:
        pointer = ""
        for depth, key in enumerate(keys):
            pointer = join(pointer, key)
            if array and depth == len(keys) - 1:
                self.last[pointer] = self.last.get(pointer, -1) + 1
            self.offsets.setdefault(pointer, start)
            if pointer in self.last:
                pointer = join(pointer, self.last[pointer])
                self.offsets.setdefault(pointer, start)
        return pointer

    def pair(self, prefix: str) -> None:
        start = self.at
        pointer = prefix
        for key in self.keys():
            pointer = join(pointer, key)
            self.offsets.setdefault(pointer, start)
        self.at += 1  # the equals sign
        self.value(pointer)

    def value(self, pointer: str) -> None:
        self.blank()
        opening = self.text[self.at : self.at + 1]
        if opening not in ("[", "{"):
            found = _STRING.match(self.text, self.at) or _SCALAR.match(self.text, self.at)
            self.at = found.end() if found else len(self.text)
            return
        self.at += 1
        self.blank()
        index = 0
        while self.at < len(self.text) and self.text[self.at] not in "]}":
            if opening == "{":
                self.pair(pointer)
            else:
                item = join(pointer, index)
                self.offsets.setdefault(item, self.at)
                self.value(item)
                index += 1
            self.blank()
            if self.text.startswith(",", self.at):
                self.at += 1
            self.blank()
        self.at += 1
