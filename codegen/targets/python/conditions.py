"""Conditions → larger conditions: the text of boolean expressions about one variable.

Must not know types or checks.
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.model import JsonKind, Limit
from codegen.targets.python.annotations import whole

X = "\0"
"""The variable that a condition is about; no literal can hold this character unescaped."""

LONGEST = 160
"""A condition longer than this becomes a function."""

TEXTS = "TEXTS.issuperset(map(type, {}))"
"""Every member of an iterable is a string."""


def every(parts: Iterable[str]) -> str:
    """All of the conditions."""
    kept = [part for part in parts if part != "True"]
    if "False" in kept:
        return "False"
    return " and ".join(kept) if len(kept) == 1 else f"({' and '.join(kept)})" if kept else "True"


def some(parts: Iterable[str]) -> str:
    """One of the conditions."""
    kept = [part for part in parts if part != "False"]
    if "True" in kept:
        return "True"
    return " or ".join(kept) if len(kept) == 1 else f"({' or '.join(kept)})" if kept else "False"


CLASSES: dict[JsonKind, tuple[str, ...]] = {
    "null": ("NoneType",),
    "boolean": ("bool",),
    "number": ("int", "float"),
    "string": ("str",),
    "array": ("list",),
    "object": ("dict",),
}
"""The classes of a parsed document's values, by JSON kind."""


def of_kinds(what: str, kinds: Iterable[JsonKind]) -> str:
    """The class ``what`` is one of some JSON kinds."""
    classes = [class_ for kind in kinds for class_ in CLASSES[kind]]
    return (
        some(f"{what} is {class_}" for class_ in classes) if len(classes) < 3 else f"{what} in ({', '.join(classes)})"
    )


def number(value: int | float) -> str:
    """A limit as Python writes it."""
    return repr(whole(value))


def bounds(what: str, low: Limit | None, high: Limit | None) -> str:
    """``what`` lies within the limits."""
    if low is not None and high is not None:
        lower, upper = ("<" if low.exclusive else "<="), ("<" if high.exclusive else "<=")
        return f"{number(low.value)} {lower} {what} {upper} {number(high.value)}"
    if low is not None:
        return f"{what} {'>' if low.exclusive else '>='} {number(low.value)}"
    if high is not None:
        return f"{what} {'<' if high.exclusive else '<='} {number(high.value)}"
    return "True"
