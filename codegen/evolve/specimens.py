"""An alternative of a sender's type → documents of it, around a value that matters.

Must not claim that they are right: whoever shows one has it judged by both sides first. Optional members are left out, so that
as a rule one thing decides about a document.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from codegen.derive import Derivation
from codegen.derive.checks import of_check
from codegen.derive.judge import Judge, matches
from codegen.derive.samples import Samples
from codegen.derive.strings import matching
from codegen.evolve.atoms import Atom, Exactly, Items, Members, Values
from codegen.evolve.bounds import LONGEST, least_count
from codegen.facts import Facts
from codegen.model import (
    AnyJson,
    Boolean,
    Check,
    Integer,
    JsonValue,
    Key,
    Null,
    Number,
    Pattern,
    Record,
    Ref,
    Text,
    Type,
)

FEW = 3
"""Documents offered for one place."""
OFFERED: tuple[JsonValue, ...] = ({}, [], "text", 1, 0.5, True, None)
"""Any JSON value: one of each kind."""


class Specimens:
    """Documents of one model, whose ``judge`` says what it accepts."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._derivation = Derivation(facts)
        self.judge: Judge = self._derivation.judge
        self._refs: dict[Key, Ref] = {}
        self._least: dict[int, tuple[Type, tuple[JsonValue, ...]]] = {}

    def least(self, type_: Type) -> tuple[JsonValue, ...]:
        """A plain value of the type, if one is known."""
        known = self._least.get(id(type_))
        if known is None:
            found = self._derivation.minimal(type_)
            known = self._least[id(type_)] = (type_, () if found is None else (found.value,))
        return known[1]

    def around(self, type_: Type) -> Iterator[JsonValue]:
        """Documents around the borders of a definition; none of another type."""
        if isinstance(type_, Ref):
            yield from (document.value for document in self._derivation.derive(type_.key))

    def at(self, check: Check, value: JsonValue) -> Iterator[JsonValue]:
        """What becomes of a value at the borders of a check of this model."""
        yield from (probe.value for probe in of_check(self._samples, check, value, {}))

    @cached_property
    def _samples(self) -> Samples:
        return Samples(self._facts)

    def of(self, atom: Atom) -> tuple[JsonValue, ...]:
        """Some values of the atom, the plainest first; perhaps none, and its checks may refuse them."""
        match atom.body:
            case Members() as body:
                made = self.object(body, {})
                return () if made is None else (made,)
            case Items() as body:
                # One with a few items too: what checks say of arrays is about those.
                held: tuple[dict[int, JsonValue], ...] = ({}, dict(enumerate(self.least(body.at(1)), 1)))
                listed = (self.array(body, one) for one in held)
                return tuple(one for one in listed if one is not None)
            case Values(values=values):
                return values[:FEW]
            case Exactly(members=members):
                return tuple(value for member in members for value in self.least(member))
            case AnyJson():
                return OFFERED
            case Boolean():
                return (True, False)
            case Null():
                return (None,)
            case Text() | Integer() | Number() as type_:
                return self.least(type_)

    def object(self, body: Members, held: dict[str, JsonValue]) -> dict[str, JsonValue] | None:
        """An object with what is required and the members ``held``; None where there is none."""
        value: dict[str, JsonValue] = {}
        if body.record is not None:
            # The least value of the record keeps its checks too.
            for least in self.least(self._named(body.record)):
                value = dict(least) if isinstance(least, dict) else {}
        for name, one in body.declared.items():
            if name in held or (name in value and self.judge.accepts(one.type, value[name])):
                continue
            value.pop(name, None)
            if one.required:
                found = self.least(one.type)
                if not found:
                    return None
                value[name] = found[0]
        return {**value, **held}

    def _named(self, record: Record) -> Ref:
        return self._refs.setdefault(record.key, Ref(key=record.key, origin=record.origin))

    def array(self, body: Items, held: dict[int, JsonValue]) -> list[JsonValue] | None:
        """An array with the items ``held`` and as many others as it needs; None where there is none."""
        length = max(least_count(body.low), max(held, default=-1) + 1)
        if length > LONGEST:
            return None
        value: list[JsonValue] = []
        others: list[JsonValue] = []
        for index in range(length):
            if index in held:
                value.append(held[index])
                continue
            type_ = body.at(index)
            found = self.least(type_)
            if not found:
                return None
            if index >= len(body.prefix) and length > 1:
                # Different ones, in case that they must be.
                others = others or self.several(type_, length)
                value.append(others[index] if index < len(others) else found[0])
            else:
                value.append(found[0])
        return value

    def several(self, type_: Type, count: int) -> list[JsonValue]:
        """Up to ``count`` different values of a type."""
        match type_:
            case Text(min_length=low) if not type_.patterns and count <= LONGEST:
                return [f"{index:0{max(1, least_count(low))}}" for index in range(count)]
            case AnyJson() | Integer() | Number():
                return [index for index in range(count) if self.judge.accepts(type_, index)]
            case _:
                return list(self.least(type_))

    def unlisted(self, *bodies: Members) -> str:
        """A name that none of the objects declares."""
        name, number = "unlisted", 1
        while any(name in body.declared or any(matches(p, name) for p, _ in body.patterns) for body in bodies):
            number += 1
            name = f"unlisted{number}"
            if number > FEW**FEW:
                break
        return name

    @staticmethod
    def named(pattern: Pattern, body: Members) -> tuple[str, ...]:
        """Names that match and that the object does not declare."""
        found = []
        for name in matching(pattern):
            if name not in body.declared:
                found.append(name)
            if len(found) == FEW:
                break
        return tuple(found)
