"""JSON text → where each member and item stands, and what is wrong with the text.

Must not build values: the standard library's decoder does that, fast and without places. This scanner is slower and runs only
when a problem is printed, or when the decoder or a check on the whole text has found that something is wrong. It keeps
its own stack, so that no depth of nesting overflows ours.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal, NamedTuple

from codegen.pointer import escape

_TOKEN = re.compile(
    r'[ \t\r\n]*(?:("[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")'
    r"|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![0-9A-Za-z.+_-])"
    r"|(true|false|null|NaN|-?Infinity)(?![0-9A-Za-z_-])"
    r"|([{}\[\],:]))"
)
_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = re.compile(r"[0-9A-Za-z.+_-]+|.", re.DOTALL)


class Token(NamedTuple):
    """A member name ("key"), a scalar, or a bracket; ``pointer`` is the place of the member, item or whole value."""

    kind: Literal["key", "scalar", "open", "close"]
    pointer: str
    offset: int
    text: str


class NotJson(Exception):
    """The text is not JSON at ``offset``: what stands there, what JSON expects."""

    def __init__(self, offset: int, found: str, expected: str) -> None:
        super().__init__(found, expected)
        self.offset, self.found, self.expected = offset, found, expected


def scan(text: str) -> Iterator[Token]:
    """The tokens of one JSON value in order. Raises ``NotJson``; NaN and Infinity pass, as they do in the decoder."""
    stack: list[tuple[bool, str, int]] = []  # of the enclosing values: is it an object, its pointer, the next index
    pointer, position = "", 0
    state: Literal["value", "first", "name", "colon", "after"] = "value"
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            offset = _end(_SPACE, text, position)
            if state == "after" and not stack and offset == len(text):
                return
            raise NotJson(offset, _found(text, offset), _expected(state, stack))
        string, number, word, mark = match.groups()
        offset = match.start(match.lastindex or 0)
        position = match.end()
        is_object = bool(stack) and stack[-1][0]
        if state in ("value", "first") and (mark == "]" and state == "first" and not is_object):
            _, pointer, _ = stack.pop()
            yield Token("close", pointer, offset, mark)
            state = "after"
        elif state == "value" or (state == "first" and not is_object):
            if mark not in (None, "{", "["):
                raise NotJson(offset, f'"{mark}"', _expected(state, stack))
            if mark is None:
                yield Token("scalar", pointer, offset, string or number or word)
                state = "after"
            else:
                yield Token("open", pointer, offset, mark)
                stack.append((mark == "{", pointer, 0))
                if mark == "[":
                    pointer += "/0"
                state = "first"
        elif state in ("first", "name"):
            if mark == "}" and state == "first":
                _, pointer, _ = stack.pop()
                yield Token("close", pointer, offset, mark)
                state = "after"
            elif string is None:
                raise NotJson(offset, _found(text, offset), _expected(state, stack))
            else:
                pointer = f"{stack[-1][1]}/{escape(_decoded(string))}"
                yield Token("key", pointer, offset, string)
                state = "colon"
        elif state == "colon":
            if mark != ":":
                raise NotJson(offset, _found(text, offset), _expected(state, stack))
            state = "value"
        elif mark == "," and stack:
            _, above, index = stack[-1]
            if is_object:
                state = "name"
            else:
                stack[-1] = (False, above, index + 1)
                pointer, state = f"{above}/{index + 1}", "value"
        elif stack and mark == ("}" if is_object else "]"):
            _, pointer, _ = stack.pop()
            yield Token("close", pointer, offset, mark)
        else:
            raise NotJson(offset, _found(text, offset), _expected(state, stack))


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return position if match is None else match.end()


def _found(text: str, offset: int) -> str:
    if offset >= len(text):
        return "the end of the text"
    if text[offset] == '"':
        return "a string that is not closed or holds what JSON does not allow"
    word = text[offset : _end(_WORD, text, offset)]
    return f'"{word if word.isprintable() else f"U+{ord(word[0]):04X}"}"'


def _expected(state: str, stack: list[tuple[bool, str, int]]) -> str:
    if state == "value":
        return "a value"
    if state == "colon":
        return '":"'
    if state == "name":
        return "a member name in double quotes"
    if state == "first":
        return 'a member name in double quotes or "}"' if stack[-1][0] else 'a value or "]"'
    return ('"," or "}"' if stack[-1][0] else '"," or "]"') if stack else "the end of the text"


def _decoded(string: str) -> str:
    if "\\" not in string:
        return string[1:-1]
    import json

    name = json.loads(string)
    assert isinstance(name, str)
    return name


class Lines:
    """A text's offsets → lines and columns, both from 1; columns count code points."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\r\n|\r|\n", text))]

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of ``offset``."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def positions(text: str) -> dict[str, tuple[int, int]]:
    """Line and column of each place in a JSON text, by pointer: a member is where its name is, an item where it starts."""
    lines = Lines(text)
    found: dict[str, tuple[int, int]] = {}
    for token in scan(text):
        if token.kind != "close" and token.pointer not in found:
            found[token.pointer] = lines.at(token.offset)
    return found
