"""Model → the definitions that msgspec's own types say, and the tags of their Structs.

Must not promise what msgspec does not do: a definition is native where msgspec, reading its types, accepts no document that
the contract refuses, and makes the right value of each that it accepts. It may refuse more (1.0 as an integer, undeclared
members of open records): what it refuses is read again by the generated decoders, which are exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from codegen.facts import Facts, inner_types, own_types
from codegen.model import (
    Alias,
    AnyJson,
    Boolean,
    ByKind,
    ByTag,
    Checked,
    Choice,
    Definition,
    Enum,
    Integer,
    JsonValue,
    Key,
    Limit,
    ListOf,
    Literals,
    MapOf,
    Never,
    NonNull,
    Null,
    Nullable,
    Number,
    Record,
    Ref,
    Text,
    TupleOf,
    Type,
    Union,
)
from codegen.patterns import translate

Bounds: TypeAlias = tuple[str, ...]

LARGEST = 2**63 - 1
"""msgspec's bounds on integers fit in 64 bits."""


@dataclass(frozen=True, slots=True)
class Tag:
    """The member that tells a Struct from the others of its union, and its value."""

    name: str
    value: str | int


class Native:
    """``definitions``: those that msgspec reads; ``tags``: by the record's key."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.tags: dict[Key, Tag] = {}
        for choice in self._choices():
            self._claim(choice)
        self.definitions: set[Key] = {definition.key for definition in facts.public if not self._loops(definition)}
        while lost := {key for key in self.definitions if not self._definition(facts.definition(key))}:
            self.definitions -= lost

    # --- tags ---------------------------------------------------------------------------------------------------------

    def _choices(self) -> Iterator[Choice]:
        """Every choice that builds something, in the contract's order."""
        for definition in self.facts.public:
            todo: list[Type] = list(reversed(own_types(definition)))
            while todo:
                type_ = todo.pop()
                if isinstance(type_, Choice):
                    yield type_
                todo.extend(reversed(inner_types(type_)))

    def _claim(self, choice: Choice) -> None:
        """The records of a tagged choice get its tag, if it is their first."""
        if not isinstance(choice.dispatch, ByTag) or choice.rest is not None:
            return
        name = choice.dispatch.switch.property
        for member in choice.members:
            for record in self.facts.records(member.type) or ():
                values = self.facts.tag_values(Ref(key=record.key, origin=record.origin), name)
                value = values[0] if values is not None and len(values) == 1 and speakable(name) else None
                if isinstance(value, str) or (isinstance(value, int) and abs(value) <= LARGEST):
                    self.tags.setdefault(record.key, Tag(name, value))

    # --- definitions --------------------------------------------------------------------------------------------------

    def _loops(self, definition: Definition) -> bool:
        """An alias or union that comes back to itself through lists and maps alone: msgspec knows no such types."""
        found: set[Key] = set()
        todo = [definition]
        while todo:
            current = todo.pop()
            if not isinstance(current, Union | Alias):
                continue
            types = list(own_types(current))
            while types:
                type_ = types.pop()
                types += inner_types(type_)
                if isinstance(type_, Ref) and type_.key not in found:
                    found.add(type_.key)
                    todo.append(self.facts.definition(type_.key))
        return definition.key in found

    def _definition(self, definition: Definition) -> bool:
        if definition.checks:
            return False
        match definition:
            case Record(fields=fields):
                tag = self.tags.get(definition.key)
                own = [field for field in fields if tag is None or field.wire_name != tag.name]
                return all(speakable(field.wire_name) and self.type(field.type) for field in own)
            case Enum(open=rest, values=values):
                return rest is None and literal([value.value for value in values])
            case Union(choice=choice):
                return self._choice(choice)
            case Alias(type=type_):
                return self.type(type_)

    def type(self, type_: Type) -> bool:
        """msgspec reads values of this type."""
        match type_:
            case AnyJson() | Boolean() | Null():
                return True
            case Text(min_length=low, max_length=high, patterns=patterns):
                return len(patterns) < 2 and lengths(low, high) is not None
            case Integer(minimum=low, maximum=high):
                return integral(low, high) is not None
            case Number(minimum=low, maximum=high):
                return numeric(low, high) is not None
            case Literals(values=values):
                return literal(values)
            case Ref(key=key):
                # A tagged Struct that stands alone need not have its tag, as msgspec has it.
                return key in self.definitions and key not in self.tags
            case ListOf(item=item, min_items=low, max_items=high):
                return lengths(low, high) is not None and self.type(item)
            case MapOf(value=value):
                return self.type(value)
            case Nullable(inner=inner):
                return self.type(inner)
            case NonNull(inner=inner):
                return self.facts.is_any(inner) or (not self.facts.accepts_null(inner) and self.type(inner))
            case Choice():
                return self._choice(type_)
            case Checked() | TupleOf() | Never():
                return False

    def _choice(self, choice: Choice) -> bool:
        """A union of Structs by one tag, or of types that differ in their JSON kind."""
        members = [member.type for member in choice.members]
        match choice.dispatch:
            case ByTag(switch=switch) if choice.rest is None:
                found: dict[Key, int] = {}
                for position, member in enumerate(members):
                    keys = self._tagged(member)
                    if keys is None:
                        return False
                    found |= dict.fromkeys(keys, position)
                tags = {key: self.tags.get(key) for key in found}
                listed = {case.value: case.to for case in switch.cases}
                stated = {tag.value: found[key] for key, tag in tags.items() if tag and tag.name == switch.property}
                same = len(stated) == len(found) and stated == listed and len(set(map(type, stated))) == 1
                return same and len(found) > 1  # msgspec asks for the tag where it has a choice
            case ByKind(cases=cases):
                return all(
                    self.facts.kinds(member) <= {kind for kind, i in cases if i == position} and self.type(member)
                    for position, member in enumerate(members)
                )
            case _:
                return False

    def _tagged(self, type_: Type) -> list[Key] | None:
        """The records of a type that is a tagged record, or a union of such by one tag; None for another type."""
        if not isinstance(type_, Ref) or type_.key not in self.definitions:
            return None
        definition = self.facts.definition(type_.key)
        if isinstance(definition, Record) and type_.key in self.tags:
            return [type_.key]
        if isinstance(definition, Union) and isinstance(definition.choice.dispatch, ByTag):
            return [record.key for record in self.facts.records(type_) or ()]
        return None


def speakable(name: str) -> bool:
    """msgspec takes it for the name of a member: it writes names as they are."""
    return not any(character in '\\"' or character < " " for character in name)


def plain_pattern(source: str) -> bool:
    """A pattern that all kinds of regular expressions read alike."""
    return translate(source) == source and not any(sign in source for sign in ("(?", "\\", "$"))


def lengths(low: Limit | None, high: Limit | None) -> Bounds | None:
    """The arguments of ``Meta`` for a length within bounds; None where msgspec cannot say it."""
    pairs = [(name, math.ceil(limit.value)) for name, limit in (("min", low), ("max", high)) if limit is not None]
    if any(abs(bound) > LARGEST for _, bound in pairs):
        return None
    return tuple(f"{name}_length={bound}" for name, bound in pairs)


def literal(values: Iterable[JsonValue]) -> bool:
    """``Literal`` says these values, and msgspec reads no other: strings, or integers of 64 bits, and null."""
    kinds = {value.__class__ for value in values if value is not None}
    sized = all(abs(value) <= LARGEST for value in values if value.__class__ is int and isinstance(value, int))
    return kinds in ({str}, {int}) and sized


def integral(low: Limit | None, high: Limit | None) -> Bounds | None:
    """The arguments of ``Meta`` for an integer within bounds; None where msgspec cannot say it."""
    least = None if low is None else math.floor(low.value) + 1 if low.exclusive else math.ceil(low.value)
    most = None if high is None else math.ceil(high.value) - 1 if high.exclusive else math.floor(high.value)
    if any(bound is not None and abs(bound) > LARGEST for bound in (least, most)):
        return None
    return tuple(f"{name}={bound}" for name, bound in (("ge", least), ("le", most)) if bound is not None)


def numeric(low: Limit | None, high: Limit | None) -> tuple[Bounds, Bounds] | None:
    """The arguments of ``Meta`` for a number within bounds, as an integer and as a double; None where msgspec cannot say it."""
    whole = integral(low, high)
    limits = (("gt", "ge", low), ("lt", "le", high))
    if whole is None or any(limit is not None and float(limit.value) != limit.value for _, _, limit in limits):
        return None
    double = (
        f"{bound if limit.exclusive else edge}={limit.value}" for bound, edge, limit in limits if limit is not None
    )
    return whole, tuple(double)
