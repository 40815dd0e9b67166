"""A type of the model, a value that was derived → whether the value is of the type for sure, within the stack that there is.

Must not guess: a value that leads through more definitions than the stack holds has no verdict, and is none that was asked for.
Where that border lies follows from the model alone, whatever the stack of whoever asks, so that the same is derived everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import ParamSpec, get_args

from codegen.derive.judge import Judge
from codegen.facts import Facts
from codegen.model import Check, Definition, Doc, JsonValue, Key, Name, Notes, Record, Type
from codegen.pointer import Origin

P = ParamSpec("P")

FRAMES = 700
"""Frames of Python's stack (1,000 by default) that a verdict may take; the rest is left to whoever asks."""

LEVELS: tuple[type, ...] = (*get_args(Type), *get_args(Check))
"""What takes frames when it is judged."""


class TooDeep(Exception):
    """There is no verdict."""


class Bounded(Judge):
    """A judge that raises ``TooDeep`` in time."""

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._inside = 0

    @cached_property
    def deepest(self) -> int:
        """How many definitions may stand inside one another: a level of a type or a check takes three frames at most, a
        definition itself four."""
        levels = max(map(_levels, self.facts.model.definitions), default=0)
        return max(FRAMES // (3 * levels + 4), 5)

    def is_a(self, definition: Definition, value: JsonValue) -> bool:
        """As ``Judge`` has it."""
        if self._inside >= self.deepest:
            raise TooDeep
        self._inside += 1
        try:
            return self.has_shape(definition, value) and all(self.holds(check, value) for check in definition.checks)
        finally:
            self._inside -= 1


class Sure:
    """Verdicts under one model; False is also said of what is too deep for one."""

    def __init__(self, facts: Facts) -> None:
        self.judge = Bounded(facts)

    def accepts(self, type_: Type, value: JsonValue) -> bool:
        """``value`` is of ``type_``."""
        return _sure(self.judge.accepts, type_, value)

    def holds(self, check: Check, value: JsonValue) -> bool:
        """``check`` passes for ``value``."""
        return _sure(self.judge.holds, check, value)

    def has_shape(self, definition: Definition, value: JsonValue) -> bool:
        """``value`` is what the definition describes, its checks left out."""
        return _sure(self.judge.has_shape, definition, value)

    def takes_extra(self, record: Record, name: str, value: JsonValue) -> bool:
        """The record admits the undeclared member ``name`` with ``value``, its checks left out."""
        return _sure(self.judge.takes_extra, record, name, value)


def _sure(verdict: Callable[P, bool], *about: P.args, **named: P.kwargs) -> bool:
    try:
        return verdict(*about, **named)
    except TooDeep:
        return False


def _levels(definition: Definition) -> int:
    """How deep types and checks stand inside one another in a definition."""
    deepest = 0
    todo: list[tuple[object, int]] = [(definition, 0)]
    while todo:
        node, level = todo.pop()
        if isinstance(node, tuple):
            todo.extend((one, level) for one in node)
        elif is_dataclass(node) and not isinstance(node, Key | Origin | Doc | Notes | Name):
            below = level + isinstance(node, LEVELS)
            deepest = max(deepest, below)
            todo.extend((getattr(node, one.name), below) for one in fields(node))
    return deepest
