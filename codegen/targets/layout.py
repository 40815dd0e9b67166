"""Python expressions → lines as black breaks them.

Must not know what the expressions mean. Formatting costs nothing at generation time because only a few shapes occur: types made
of names, subscripts and ``|``, displays, and imports. A test proves that black changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

WIDTH = 120
"""The longest line."""


@dataclass(frozen=True, slots=True)
class Subscript:
    """``head[arguments]``."""

    head: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """``a | b``: two or more parts."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """``head(arguments)``; the arguments are not broken."""

    head: str
    arguments: tuple[str, ...]


Expression: TypeAlias = str | Subscript | Either | Call


def flat(expression: Expression) -> str:
    """The expression on one line."""
    match expression:
        case str():
            return expression
        case Subscript(head=head, arguments=arguments):
            return f"{head}[{', '.join(map(flat, arguments))}]"
        case Either(parts=parts):
            return " | ".join(map(flat, parts))
        case Call(head=head, arguments=words):
            return f"{head}({', '.join(words)})"


def statement(left: str, expression: Expression, right: str = "", indent: int = 0) -> str:
    """``left expression right`` as one statement at ``indent``; the margin of its first line is not written.

    ``left`` ends in what opens the place of the expression (``x: ``, ``X: TypeAlias = ``); ``right`` is a short rest
    (`` = None``).
    """
    line = left + flat(expression) + right
    if indent + len(line) <= WIDTH:
        return line
    margin = "\n" + " " * (indent + 4)
    end = "\n" + " " * indent
    if right.startswith(" = ") and indent + len(left + flat(expression)) + len(" = (") <= WIDTH:
        return f"{left}{flat(expression)} = ({margin}{right[3:]}{end})"
    if not isinstance(expression, Either):
        return left + _broken(expression, indent) + right
    return f"{left}({margin}{margin.join(_alternatives(expression, indent + 4))}{end}){right}"


def _alternatives(expression: Either, indent: int, after: str = "") -> list[str]:
    """The lines of a choice inside brackets, ``after`` behind the last: one if it fits, else one for each part."""
    if indent + len(flat(expression) + after) <= WIDTH:
        return [flat(expression) + after]
    first, *others = expression.parts
    bars = [_fitting(part, indent, "| ", after if part is others[-1] else "") for part in others]
    return [_fitting(first, indent), *bars]


def _fitting(expression: Expression, indent: int, before: str = "", after: str = "") -> str:
    """The expression between ``before`` and ``after``, on one line if it fits at ``indent``."""
    line = before + flat(expression) + after
    return line if indent + len(line) <= WIDTH else before + _broken(expression, indent, after)


def _broken(expression: Expression, indent: int, after: str = "") -> str:
    """An expression that does not fit, at ``indent``: a subscript with its arguments on lines of their own."""
    inner = indent + 4
    margin = "\n" + " " * inner
    match expression:
        case str():
            return expression + after
        case Either():
            return ("\n" + " " * indent).join(_alternatives(expression, indent, after))
        case Call(head=head, arguments=words):
            return head + "(" + margin + margin.join(word + "," for word in words) + "\n" + " " * indent + ")" + after
        case Subscript(head=head, arguments=(Either() as argument,)):
            lines = _alternatives(argument, inner)
        case Subscript(head=head, arguments=(argument,)):
            lines = [_fitting(argument, inner)]
        case Subscript(head=head, arguments=arguments):
            lines = [_fitting(argument, inner, after=",") for argument in arguments]
    return head + "[" + margin + margin.join(lines) + "\n" + " " * indent + "]" + after


def listed(left: str, items: Sequence[str], right: str, indent: int = 0, tail: str = "") -> str:
    """``left items right``: a call, display or import, on one line if it fits, else one item a line.

    ``tail``: what a single item needs on one line (the comma of a tuple).
    """
    line = left + ", ".join(items) + (tail if len(items) == 1 else "") + right
    if indent + len(line) <= WIDTH:
        return line
    margin = "\n" + " " * (indent + 4)
    return left + margin + margin.join(item + "," for item in items) + "\n" + " " * indent + right


def derived(name: str, base: str) -> str:
    """What follows ``class`` and stands before its colon."""
    line = f"{name}({base})"
    return line if len(f"class {line}:") <= WIDTH else f"{name}(\n    {base}\n)"


def imported(home: str, names: Sequence[str]) -> str:
    """An import of ``names``, as black breaks it."""
    line = f"from {home} import {', '.join(names)}"
    return line if len(line) <= WIDTH else listed(f"from {home} import (", names, ")")
