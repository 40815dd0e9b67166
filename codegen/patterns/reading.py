r"""The text of an ECMA-262 pattern (flag u) → its tree.

Must not know Python's ``re``: whatever the grammar takes is read, whatever it refuses is refused (ECMA-262, 22.2.1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from codegen.patterns.codepoints import CLASSES, LAST, LINE_END, Ranges, complement, property_, union

DEEPEST = 100
LONGEST_REPEAT = 4_294_967_294


class PatternError(ValueError):
    """A pattern that is no regular expression, or that Python's ``re`` cannot match exactly.

    ``construct`` is the part at fault as the pattern spells it, ``reason`` says what is wrong with it.
    """

    def __init__(self, construct: str, reason: str) -> None:
        super().__init__(f'"{construct}" {reason}')
        self.construct = construct
        self.reason = reason


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

SYNTAX = "^$\\.*+?()[]{}|/"
CONTROL = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}


class Reader:
    """A pattern's text → its tree. Refuses whatever ECMA-262 does under flag u."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.groups = 0
        self.names: dict[str, int] = {}
        self.depth = 0

    def whole(self) -> Alternatives:
        """The tree of the whole text."""
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
        """The text from ``start`` to here, and ``more`` of it."""
        return self.source[start : self.at + more]

    def alternatives(self) -> Alternatives:
        """Branches between bars."""
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        return Alternatives(branches)

    def sequence(self) -> Sequence:
        """Terms one after the other."""
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
        """A term under a quantifier."""
        sign, least, comma, most, lazy = quantified.groups()
        if sign:
            low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        elif max(len(least.lstrip("0")), len((most or "").lstrip("0"))) > len(str(LONGEST_REPEAT)):
            raise PatternError(quantified[0], "repeats more often than Python can count")
        else:
            low = int(least)
            high = (int(most) if most else None) if comma else low
            if high is not None and high < low:
                raise PatternError(quantified[0], "has its bounds out of order")
            if max(low, high or 0) > LONGEST_REPEAT:
                raise PatternError(quantified[0], "repeats more often than Python can count")
        return Repeat(item, low, high, lazy is not None)

    def item(self) -> Item:
        """A term without its quantifier."""
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
        """What a parenthesis opens."""
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
        """What a backslash starts, outside a class."""
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
        """A class in brackets."""
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
        """One member of a class: a character, or a set of them."""
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
