r"""ECMA-262 regular expressions (flag u) → Python's ``re``, matching exactly the same strings; or a reason why not.

Must not approximate. What the two languages mean differently is spelled out (``\d`` is ASCII, ``$`` is the very end, ``.`` is
no line terminator) or refused with the construct at fault. Semantics: ECMA-262, 22.2.2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from codegen.patterns.codepoints import ANYTHING, LAST, Ranges, complement
from codegen.patterns.reading import (
    Alternatives,
    Back,
    Chars,
    Edge,
    Group,
    Item,
    Look,
    PatternError,
    Reader,
    Repeat,
    Sequence,
)

__all__ = ["PatternError", "translate"]

EDGES = {
    "^": r"\A",
    "$": r"\Z",
    "\\b": "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))",
    "\\B": "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))",
}


@dataclass(slots=True)
class _Back:
    """What is known of the groups that are referred to: in ECMA-262 a group that took no part matches nothing, and a group
    inside a repetition forgets what it matched at every turn; Python does neither."""

    names: dict[str, int]
    closed: set[int] = field(default_factory=set)
    unsafe: set[int] = field(default_factory=set)
    numbers: dict[int, int] = field(default_factory=dict)

    def visit(self, item: Item, repeated: bool = False, negated: bool = False, behind: bool = False) -> None:
        match item:
            case Group(body=body, number=number):
                self.visit_all(body, repeated, negated, behind)
                if number is not None:
                    self.closed.add(number)
                    if repeated or negated or behind:
                        self.unsafe.add(number)
            case Look(body=body):
                self.visit_all(body, repeated, negated or item.negative, behind or item.behind)
            case Repeat(body=inner, high=high):
                self.visit(inner, repeated or high is None or high > 1, negated, behind)
            case Back(to=to, source=source):
                number = self.names.get(to) if isinstance(to, str) else to
                if number is None or behind or number not in self.closed or number in self.unsafe:
                    raise PatternError(source, "refers to a group in a way that Python matches differently")
                item.to = number
                self.numbers[number] = 0
            case _:
                pass

    def visit_all(self, body: Alternatives, repeated: bool, negated: bool, behind: bool) -> None:
        for branch in body.branches:
            for item in branch.items:
                self.visit(item, repeated, negated, behind)


# --- Python's spelling ------------------------------------------------------------------------------------------------


def _character(code: int, inside: bool) -> str:
    character = chr(code)
    if 0x20 <= code < 0x7F:
        return "\\" + character if character in ("\\]^-[&~|" if inside else "\\.^$*+?{}[]|()") else character
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _set(ranges: Ranges) -> str:
    if not ranges:
        return "(?!)"
    if ranges == ANYTHING:
        return "(?s:.)"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _character(ranges[0][0], inside=False)
    opposite = complement(ranges)
    caret, ranges = ("^", opposite) if ranges[-1][1] == LAST else ("", ranges)
    spelled = ""
    for first, last in ranges:
        spelled += _character(first, inside=True)
        if last > first:
            spelled += ("-" if last > first + 1 else "") + _character(last, inside=True)
    return f"[{caret}{spelled}]"


class _Writer:
    """A pattern's tree → Python's spelling. Only groups that are referred to capture."""

    def __init__(self, numbers: dict[int, int]) -> None:
        self.numbers = numbers
        self.captured = 0

    def alternatives(self, body: Alternatives) -> str:
        return "|".join(self.sequence(branch) for branch in body.branches)

    def sequence(self, sequence: Sequence) -> str:
        return "".join(map(self.item, sequence.items))

    def item(self, item: Item) -> str:
        match item:
            case Chars(ranges=ranges):
                return _set(ranges)
            case Edge(kind=kind):
                return EDGES[kind]
            case Group(body=body, number=number):
                if number not in self.numbers or number is None:
                    return f"(?:{self.alternatives(body)})"
                self.captured += 1
                self.numbers[number] = self.captured
                return f"({self.alternatives(body)})"
            case Look(behind=False):
                return f"(?{'!' if item.negative else '='}{self.alternatives(item.body)})"
            case Look():
                return self.behind(item)
            case Repeat(body=inner, low=low, high=high):
                text = self.item(inner)
                if not isinstance(inner, Group | Chars) or text == "(?!)":
                    text = f"(?:{text})"
                sign = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, high))
                sign = sign or (f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}")
                return text + sign + ("?" if item.lazy else "")
            case Back(to=to):
                number = self.numbers[to] if isinstance(to, int) else 0
                return f"(?({number})(?:\\{number}))"

    def behind(self, look: Look) -> str:
        """Each branch on its own: Python wants one width for what lies behind."""
        parts = []
        for branch in look.body.branches:
            widths = [_width(item) for item in branch.items]
            if None in widths:
                raise PatternError(look.source, "looks behind at text of varying length")
            parts.append(f"(?<{'!' if look.negative else '='}{self.sequence(branch)})")
        return "".join(parts) if look.negative or len(parts) == 1 else f"(?:{'|'.join(parts)})"


def _width(item: Item) -> int | None:
    """How many characters ``item`` takes; None when that varies."""
    match item:
        case Chars():
            return 1
        case Edge() | Look():
            return 0
        case Repeat(body=inner, low=low, high=high):
            width = _width(inner)
            return None if width is None else width * low if low == high or width == 0 else None
        case Group(body=body):
            found = {_total(branch) for branch in body.branches}
            return found.pop() if len(found) == 1 else None
        case Back():
            return None


def _total(sequence: Sequence) -> int | None:
    widths = [_width(item) for item in sequence.items]
    return None if None in widths else sum(width or 0 for width in widths)


def tree(source: str) -> Alternatives:
    """The tree of the ECMA-262 pattern ``source`` (flag u). Raises ``PatternError`` for what is no pattern under flag u."""
    return Reader(source).whole()


@lru_cache(maxsize=4096)
def translate(source: str) -> str:
    """Python's spelling of the ECMA-262 pattern ``source`` (flag u), for ``re.search`` without flags.

    Raises ``PatternError`` for what is no pattern under flag u, and for what Python cannot match exactly.
    """
    reader = Reader(source)
    tree = reader.whole()
    back = _Back(reader.names)
    back.visit_all(tree, False, False, False)
    result = _Writer(back.numbers).alternatives(tree)
    try:
        re.compile(result)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(source, f"is more than Python can match: {error}") from None
    return result
