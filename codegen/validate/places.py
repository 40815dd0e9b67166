"""A fault of a document, the document's text → the line and column in it that the fault is about.

Must not run for documents without faults: the text is gone through once more, which costs more than judging it. What is wrong
with a text that is no JSON is said here in the words of a scanner that knows what it expected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from codegen.document.locate import Lines, NotJson, Token, positions, scan
from codegen.pointer import parent

DIGITS = 4300
"""Of an integer, as ``from_json`` limits them."""

_HALF = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


class Spot(NamedTuple):
    """Line and column in the document, and better words for what stands there and what was expected, where there are."""

    line: int
    column: int
    found: str = ""
    expected: str = ""


class Places:
    """The places of one document, found when the first is asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._known: Mapping[str, tuple[int, int]] | None = None

    def spot(self, pointer: str, code: str) -> Spot:
        """Where a fault with ``code`` at ``pointer`` stands: at the nearest place around it that is in the text."""
        if code in _TEXTUAL:
            return self._textual(code)
        if self._known is None:
            self._known = positions(self.data.decode())
        while pointer and pointer not in self._known:
            pointer = parent(pointer)
        return Spot(*self._known.get(pointer, (1, 1)))

    def _textual(self, code: str) -> Spot:
        if code == "byte-order-mark":
            return Spot(1, 1)
        try:
            text = self.data.decode()
        except UnicodeDecodeError as error:
            line, column = _end(self.data[: error.start].decode())
            return Spot(line, column)
        lines = Lines(text)
        try:
            for token in scan(text):
                if token.kind in ("scalar", "key") and _is_it(code, token):
                    return Spot(*lines.at(token.offset))
        except NotJson as error:
            return Spot(*lines.at(error.offset), error.found, error.expected)
        return Spot(1, 1)


_TEXTUAL = frozenset(
    [
        "invalid-json",
        "invalid-utf8",
        "byte-order-mark",
        "not-finite",
        "number-out-of-range",
        "integer-too-long",
        "nesting-too-deep",
        "lone-surrogate",
    ]
)
"""Codes of faults of the text as a whole."""


def _is_it(code: str, token: Token) -> bool:
    """The token is what the fault is about."""
    text = token.text
    match code:
        case "not-finite":
            return text in ("NaN", "Infinity", "-Infinity")
        case "number-out-of-range":
            return text[0] in "-0123456789" and math.isinf(float(text)) and not text.endswith("Infinity")
        case "integer-too-long":
            return len(text.lstrip("-")) > DIGITS and text.lstrip("-").isdigit()
        case "lone-surrogate":
            return _HALF.search(text) is not None
        case _:
            return False


def _end(text: str) -> tuple[int, int]:
    return Lines(text).at(len(text))
