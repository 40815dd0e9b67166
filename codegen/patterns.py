r"""ECMA-262 regular expressions (flag u) → Python's ``re``, matching exactly the same strings; or a reason why not.

Must not approximate. What the two languages mean differently is spelled out (``\d`` is ASCII, ``$`` is the very end, ``.`` is
no line terminator) or refused with the construct at fault. Grammar and semantics: ECMA-262, 22.2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from codegen.codepoints import ANYTHING, CLASSES, LAST, LINE_END, Ranges, complement, property_, union

LONGEST_REPEAT = 4_294_967_294
DEEPEST = 100


class PatternError(ValueError):
    """A pattern that is no regular expression, or that Python's ``re`` cannot match exactly.

    ``construct`` is the part at fault as the pattern spells it, ``reason`` says what is wrong with it.
    """

    def __init__(self, construct: str, reason: str) -> None:
        super().__init__(f'"{construct}" {reason}')
        self.construct = construct
        self.reason = reason


# --- the tree of a pattern --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Chars:
    """One character of a set."""

    ranges: Ranges


@dataclass(slots=True)
class Edge:
    """``^``, ``$``, ``\\b`` or ``\\B``."""

    kind: str


@dataclass(slots=True)
class Sequence:
    """One item after the other."""

    items: list[Item]


@dataclass(slots=True)
class Alternatives:
    """The first branch that leads to a match."""

    branches: list[Sequence]


@dataclass(slots=True)
class Group:
    """``number`` is None when the group captures nothing."""

    body: Alternatives
    number: int | None = None


@dataclass(slots=True)
class Look:
    """What lies ahead or behind; ``source`` is its spelling."""

    body: Alternatives
    behind: bool
    negative: bool
    source: str


@dataclass(slots=True)
class Repeat:
    """``high`` is None when there is no end."""

    body: Item
    low: int
    high: int | None
    lazy: bool


@dataclass(slots=True)
class Back:
    """A reference to a group: by number, or by name until all names are known."""

    to: int | str
    source: str


Item: TypeAlias = Chars | Edge | Group | Look | Repeat | Back

EDGES = {
    "^": r"\A",
    "$": r"\Z",
    "\\b": "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))",
    "\\B": "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))",
}
SYNTAX = "^$\\.*+?()[]{}|/"
CONTROL = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}


class _Reader:
    """A pattern's text → its tree. Refuses whatever ECMA-262 does under flag u."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.groups = 0
        self.names: dict[str, int] = {}
        self.depth = 0

    def whole(self) -> Alternatives:
        tree = self.alternatives()
        if self.at < len(self.source):
            raise PatternError(self.source[self.at], "closes nothing")
        return tree

    def take(self, text: str) -> bool:
        """Whether ``text`` comes next; if so, go past it."""
        if self.source.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def match(self, pattern: str) -> re.Match[str] | None:
        """What comes next, if it is like ``pattern``; if so, go past it."""
        found = re.compile(pattern).match(self.source, self.at)
        if found:
            self.at = found.end()
        return found

    def since(self, start: int, more: int = 0) -> str:
        return self.source[start : self.at + more]

    def alternatives(self) -> Alternatives:
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        return Alternatives(branches)

    def sequence(self) -> Sequence:
        items: list[Item] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            start = self.at
            item = self.item()
            quantified = self.match(r"(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})(\?)?")
            if quantified:
                if isinstance(item, Edge | Look):
                    raise PatternError(self.since(start), "repeats an assertion")
                item = self.repeat(item, quantified)
            items.append(item)
        return Sequence(items)

    def repeat(self, item: Item, quantified: re.Match[str]) -> Repeat:
        sign, least, comma, most, lazy = quantified.groups()
        if sign:
            low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        else:
            low = int(least)
            high = (int(most) if most else None) if comma else low
            if high is not None and high < low:
                raise PatternError(quantified[0], "has its bounds out of order")
            if max(low, high or 0) > LONGEST_REPEAT:
                raise PatternError(quantified[0], "repeats more often than Python can count")
        return Repeat(item, low, high, lazy is not None)

    def item(self) -> Item:
        character = self.source[self.at]
        if character in "^$":
            self.at += 1
            return Edge(character)
        if character == "(":
            return self.group()
        if character == "[":
            return Chars(self.set())
        if character == "\\":
            return self.escape()
        if character == ".":
            self.at += 1
            return Chars(complement(LINE_END))
        if character in "*+?{":
            raise PatternError(character, "has nothing to repeat")
        if character in "}]":
            raise PatternError(character, "closes nothing")
        self.at += 1
        return Chars(((ord(character), ord(character)),))

    def group(self) -> Item:
        start = self.at
        number = None
        look = self.match(r"\(\?(<?)([=!])")
        name = None if look else self.match(r"\(\?<([^>]*)>")
        if name:
            if not re.fullmatch(r"[^\W\d][\w$]*", name[1].replace("$", "_"), re.UNICODE) or name[1] in self.names:
                raise PatternError(name[0], "is no name, or one that is taken")
            self.names[name[1]] = self.groups + 1
        if not look and (name or not self.take("(?:")):
            if not name:
                self.take("(")
                if self.take("?"):
                    raise PatternError(self.since(start, 1), "opens a group of a kind that is not modelled")
            self.groups += 1
            number = self.groups
        self.depth += 1
        if self.depth > DEEPEST:
            raise PatternError("(", f"is nested deeper than {DEEPEST} groups")
        body = self.alternatives()
        self.depth -= 1
        if not self.take(")"):
            raise PatternError(self.since(start), "is not closed")
        if look:
            return Look(body, behind=bool(look[1]), negative=look[2] == "!", source=self.since(start))
        return Group(body, number)

    def escape(self) -> Item:
        start = self.at
        edge = self.match(r"\\[bB]")
        if edge:
            return Edge(edge[0])
        back = self.match(r"\\([1-9][0-9]*)")
        if back:
            return Back(int(back[1]), back[0])
        named = self.match(r"\\k<([^>]*)>")
        if named:
            return Back(named[1], named[0])
        ranges = self.class_escape()
        if ranges is not None:
            return Chars(ranges)
        code = self.character_escape(start, SYNTAX)
        return Chars(((code, code),))

    def class_escape(self) -> Ranges | None:
        """``\\d``, ``\\p{…}`` and their like."""
        found = self.match(r"\\([dDsSwW])")
        if found:
            return CLASSES[found[1]]
        found = self.match(r"\\([pP])\{([A-Za-z0-9_=]*)\}")
        if not found:
            return None
        ranges = property_(found[2])
        if ranges is None:
            raise PatternError(found[0], "names no Unicode property")
        return ranges if found[1] == "p" else complement(ranges)

    def character_escape(self, start: int, identities: str) -> int:
        """The code point of an escape that stands for one character."""
        found = self.match(r"\\(?:([tnvfr])|c([A-Za-z])|(0)(?![0-9])|x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]+)\})")
        if found:
            control, letter, zero, hexadecimal, braced = found.groups()
            if control:
                return CONTROL[control]
            if letter:
                return ord(letter) % 32
            code = 0 if zero else int(hexadecimal or braced, 16)
            if code > LAST:
                raise PatternError(found[0], "is no code point")
            return code
        found = self.match(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
        if found:
            return 0x10000 + (int(found[1], 16) - 0xD800) * 0x400 + int(found[2], 16) - 0xDC00
        found = self.match(r"\\u([0-9a-fA-F]{4})")
        if found:
            return int(found[1], 16)
        character = self.source[start + 1 : start + 2]
        if character and character in identities:
            self.at = start + 2
            return ord(character)
        raise PatternError(self.source[start : start + 2], "is no escape sequence")

    def set(self) -> Ranges:
        start = self.at
        negative = self.match(r"\[(\^?)")
        parts: list[Ranges] = []
        while not self.take("]"):
            if self.at >= len(self.source):
                raise PatternError(self.since(start), "is not closed")
            low_at = self.at
            low = self.set_atom()
            if self.source.startswith("-", self.at) and not self.source.startswith("-]", self.at):
                self.at += 1
                if self.at >= len(self.source):
                    raise PatternError(self.since(start), "is not closed")
                high = self.set_atom()
                if isinstance(low, tuple) or isinstance(high, tuple):
                    raise PatternError(self.since(low_at), "is a range whose ends are not characters")
                if high < low:
                    raise PatternError(self.since(low_at), "is a range out of order")
                parts.append(((low, high),))
            else:
                parts.append(low if isinstance(low, tuple) else ((low, low),))
        ranges = union(parts)
        return complement(ranges) if negative and negative[1] else ranges

    def set_atom(self) -> int | Ranges:
        start = self.at
        if self.source[start] != "\\":
            self.at += 1
            return ord(self.source[start])
        ranges = self.class_escape()
        if ranges is not None:
            return ranges
        if self.take("\\b"):
            return 8
        return self.character_escape(start, SYNTAX + "-")


# --- back references --------------------------------------------------------------------------------------------------


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
    return _Reader(source).whole()


@lru_cache(maxsize=4096)
def translate(source: str) -> str:
    """Python's spelling of the ECMA-262 pattern ``source`` (flag u), for ``re.search`` without flags.

    Raises ``PatternError`` for what is no pattern under flag u, and for what Python cannot match exactly.
    """
    reader = _Reader(source)
    tree = reader.whole()
    back = _Back(reader.names)
    back.visit_all(tree, False, False, False)
    result = _Writer(back.numbers).alternatives(tree)
    try:
        re.compile(result)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(source, f"is more than Python can match: {error}") from None
    return result
