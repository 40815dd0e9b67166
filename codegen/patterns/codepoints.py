r"""Character classes and Unicode properties → sets of code points.

Must not know patterns. The sets are ECMA-262's (22.2.2.9: ``\d``, ``\s``, ``\w``, ``\p``); properties come from one pinned
table, ``unicode.txt``, so that a pattern means the same under every version of Python.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Code points as sorted ranges that do not touch."""

LAST = 0x10FFFF


def union(sets: Iterable[Ranges]) -> Ranges:
    """The code points of any of ``sets``."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(pair for ranges in sets for pair in ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """Every other code point."""
    found = []
    start = 0
    for first, last in ranges:
        if first > start:
            found.append((start, first - 1))
        start = last + 1
    return (*found, (start, LAST)) if start <= LAST else tuple(found)


def _points(text: str) -> Ranges:
    return union(((ord(c), ord(c)),) for c in text)


ANYTHING: Ranges = ((0, LAST),)
DIGIT: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE = union((_points("\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"), ((0x2000, 0x200A),)))
LINE_END = _points("\n\r\u2028\u2029")
CLASSES = {"d": DIGIT, "w": WORD, "s": SPACE, "D": complement(DIGIT), "W": complement(WORD), "S": complement(SPACE)}

GROUPED = {
    "LC": "Cased_Letter Lu Ll Lt",
    "L": "Letter Lu Ll Lt Lm Lo",
    "M": "Mark Mn Mc Me",
    "N": "Number Nd Nl No",
    "P": "Punctuation Pc Pd Ps Pe Pi Pf Po",
    "S": "Symbol Sm Sc Sk So",
    "Z": "Separator Zs Zl Zp",
    "C": "Other Cc Cf Cs Co Cn",
}


@cache
def _table() -> dict[tuple[str, str], str]:
    """Where the ranges of each property are told, by kind and name; read from the pinned table."""
    found = {}
    for line in Path(__file__).with_name("unicode.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, names, told = line.split(" ", 2)
            for name in names.split("/"):
                found[kind, name] = told
    return found


def _told(told: str) -> Ranges:
    ranges = []
    at = 0
    for token in told.split():
        gap, _, more = token.partition("+")
        first = at + int(gap, 36)
        last = first + int(more or "0", 36)
        ranges.append((first, last))
        at = last + 1
    return tuple(ranges)


def _category(name: str) -> Ranges | None:
    for short, parts in GROUPED.items():
        long, *members = parts.split()
        aliases = (
            (short, long, "Combining_Mark")
            if short == "M"
            else (short, long, "punct") if short == "P" else (short, long)
        )
        if name in aliases:
            return union(_category(member) or () for member in members)
    if name in ("Cn", "Unassigned"):
        return complement(union(_told(told) for (kind, _), told in _table().items() if kind == "gc"))
    told = _table().get(("gc", name))
    return None if told is None else _told(told)


@lru_cache(maxsize=256)
def property_(expression: str) -> Ranges | None:
    r"""The code points of ``\p{expression}``; None when there is no such property (ECMA-262, tables 67 to 70)."""
    name, equals, value = expression.partition("=")
    if not equals:
        if name == "Any":
            return ANYTHING
        if name == "ASCII":
            return ((0, 0x7F),)
        if name == "Assigned":
            return complement(_category("Cn") or ())
        binary = _table().get(("bin", name))
        return _category(name) if binary is None else _told(binary)
    if name in ("General_Category", "gc"):
        return _category(value)
    if name in ("Script", "sc", "Script_Extensions", "scx"):
        told = _table().get(("scx", value)) if name in ("Script_Extensions", "scx") else None
        told = told or _table().get(("sc", value))
        return None if told is None else _told(told)
    return None
