"""A type of the model → a least value and a whole value of it.

Must not offer what the model refuses: where construction alone is no proof (checks, exclusive trial), the judge decides, and
a type for which nothing is found has no value here. Least values of definitions are found bottom-up, each once everything
that it cannot do without has one, so that recursion of any depth in the contract costs no stack.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from codegen.derive import checks as checks_
from codegen.derive import probes
from codegen.derive.derived import Derived
from codegen.derive.judge import same_json
from codegen.derive.mending import PATIENCE, TRIES, Fit, mended
from codegen.derive.numbers import count_of, numbers
from codegen.derive.strings import matching, strings
from codegen.derive.sure import Sure
from codegen.facts import Facts, kind_of
from codegen.model import (
    Alias,
    AnyJson,
    Boolean,
    ByKind,
    ByTrial,
    Check,
    Checked,
    Choice,
    Definition,
    Doc,
    Enum,
    ExactlyOne,
    Integer,
    Is,
    JsonValue,
    Key,
    Limit,
    ListOf,
    Literals,
    MapOf,
    Name,
    Never,
    NonNull,
    Notes,
    Null,
    Nullable,
    Number,
    Record,
    Ref,
    Text,
    TupleOf,
    Type,
    Typed,
    Union,
)
from codegen.pointer import Origin

Members: TypeAlias = dict[str, JsonValue]

MAX_ITEMS = 100
"""Items of a derived list; bounds beyond are not walked up to."""
MAX_DEPTH = 100
"""Levels of a value."""
MAX_SIZE = 5_000
"""Values inside a value."""
WHOLE_DEPTH = 5
"""Definitions inside one another that a whole value has all members of; below them stand least values."""
WHOLE_SIZE = 100
"""Definitions that a whole value has all members of; once they are spent, least values stand."""

FEW = 8
"""Members of a derived map; records of a choice whose members are known to checks."""


@dataclass(frozen=True, slots=True)
class Way:
    """How much of a value is wanted. ``above``: the definitions that the value is being made of; ``left``: as many more."""

    whole: bool = False
    above: tuple[Key, ...] = ()
    left: list[int] = field(default_factory=lambda: [WHOLE_SIZE])


LEAST = Way()


class Samples:
    """Values under one model."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.judge = Sure(facts)
        self._least: dict[Key, tuple[JsonValue, ...]] | None = None
        self._known: dict[tuple[Key, int], tuple[int, list[JsonValue]]] = {}
        self._pooled: set[Key] = set()
        self.mending = 0
        self.probing = 0
        self.patience = PATIENCE

    def begin(self) -> None:
        """Another definition is asked about: it may take as long as any."""
        self.patience = PATIENCE

    # --- what is offered ----------------------------------------------------------------------------------------------

    def least(self, type_: Type) -> Iterator[JsonValue]:
        """Values with only what is required, the first of them the plainest; empty where none was found."""
        return self._of_type(type_, LEAST)

    def whole(self, type_: Type) -> Iterator[JsonValue]:
        """Values with all optional members, an item in each list and a member in each map. Where a definition would stand
        inside itself, its least value stands. Empty where none was found."""
        # While a value is mended, the whole ones of what it refers to would be mended in turn, in circles perhaps.
        return self.least(type_) if self.mending else self._of_type(type_, Way(whole=True))

    def several(self, type_: Type, count: int) -> list[JsonValue]:
        """Up to ``count`` different values of a type, as far as they are at hand."""
        if not isinstance(type_, Ref):
            return self._several(type_, count)
        place = (type_.key, self.mending)
        asked, known = self._known.get(place, (0, []))
        if asked < count:
            self._known[place] = (count, known)  # while others are looked for, those known must do
            known = self._several(type_, count)
            self._known[place] = (count, known)
        return known[:count]

    def _several(self, type_: Type, count: int) -> list[JsonValue]:
        found: list[JsonValue] = []
        for value in islice(self._various(type_), 4 * MAX_ITEMS):
            if len(found) >= count:
                break
            if not any(same_json(value, other) for other in found) and _is_small(value):
                found += [value] if self.judge.accepts(type_, value) else []
        return found

    def members(self, type_: Type) -> Members:
        """A least value of each member that the records of a type declare; the first of them that declares it counts."""
        found: Members = {}
        for record in (self.facts.records(type_) or ())[:FEW]:
            if record.key in self._pooled:  # asked for by a member of its own
                continue
            self._pooled.add(record.key)
            for one in record.fields:
                if one.wire_name not in found:
                    found |= {one.wire_name: value for value in islice(self.least(one.type), 1)}  # noqa: B035
            self._pooled.remove(record.key)
        return found

    # --- types --------------------------------------------------------------------------------------------------------

    def _of_type(self, type_: Type, way: Way) -> Iterator[JsonValue]:
        match type_:
            case Never():
                return
            case Null():
                yield None
            case Boolean():
                yield from (True, False)
            case AnyJson():
                yield from ({}, [], "text", 1, True, None)
            case Integer() | Number():
                yield from (number for number in numbers(type_) if self.judge.accepts(type_, number))
            case Text():
                yield from strings(type_)
            case Literals(values=values):
                yield from values
            case Ref(key=key):
                yield from self._of_key(key, way)
            case ListOf(item=item, min_items=low, max_items=high):
                yield from self._lists((), item, count_of(low), high, way)
            case TupleOf(items=items, rest=rest, min_items=low, max_items=high):
                yield from self._lists(items, rest or AnyJson(origin=type_.origin), count_of(low), high, way)
            case MapOf():
                yield from self._maps(type_, way)
            case Nullable(inner=inner):
                yield from self._of_type(inner, way)
                yield None
            case NonNull(inner=inner):
                yield from (value for value in self._of_type(inner, way) if value is not None)
            case Choice():
                yield from self._decided(type_, self._chosen(type_, way))
            case Checked(inner=inner, checks=checks):
                fits = Fit(self.judge, lambda value: self.judge.accepts(inner, value), checks)
                yield from mended(self, self._of_type(inner, way), fits, self.members(inner))

    def _chosen(self, choice: Choice, way: Way) -> Iterator[JsonValue]:
        """Values of each member in turn, of the kinds that lead to it."""
        kinds = choice.dispatch.cases if isinstance(choice.dispatch, ByKind) else None
        for i, member in enumerate(choice.members):
            offered = self._of_type(member.type, way)
            if kinds is not None:
                offered = (value for value in offered if (kind_of(value), i) in kinds)
            yield from islice(offered, TRIES)

    def _decided(self, choice: Choice, offered: Iterator[JsonValue]) -> Iterator[JsonValue]:
        if not choice.exclusive or not isinstance(choice.dispatch, ByTrial):
            yield from offered
            return
        apart = ExactlyOne(
            checks=tuple(Is(type=one.type, origin=one.origin) for one in choice.members), origin=choice.origin
        )
        yield from mended(self, offered, Fit(self.judge, lambda value: True, (apart,)), {})

    def _lists(
        self, items: tuple[Type, ...], rest: Type, low: int, high: Limit | None, way: Way
    ) -> Iterator[JsonValue]:
        """Lists of at least ``low`` items; whole ones have every place of a tuple and one item more."""
        wanted = max(low, len(items) + 1) if way.whole else low
        wanted = min(wanted, max(low, count_of(high, MAX_ITEMS)))
        for length in dict.fromkeys((wanted, max(low, min(wanted, len(items))), low)):
            if length > MAX_ITEMS or (high is not None and length > high.value):
                continue
            heads = [list(islice(self._of_type(one, way), 1)) for one in items[:length]]
            tail = length - len(heads)
            if all(heads):
                first = [head[0] for head in heads]
                if not tail:
                    yield first
                    continue
                fill = list(islice(self._of_type(rest, way), 2))
                yield from (first + [one] * tail for one in fill)
                if fill and tail > 1 and len(others := self.several(rest, tail)) == tail:
                    yield first + others

    def _maps(self, type_: MapOf, way: Way) -> Iterator[JsonValue]:
        """The empty map and bigger ones; a whole map is first of all not empty."""
        pattern = type_.key_pattern
        names = [f"key{i}" for i in range(FEW)] if pattern is None else list(islice(matching(pattern), FEW))
        members = {name: value for name in names for value in islice(self._of_type(type_.value, way), 1)}
        sizes = (1, 0, 2, 3, FEW) if way.whole else (0, 1, 2, 3, FEW)
        yield from (dict(islice(members.items(), size)) for size in sizes if size <= len(members))

    # --- definitions --------------------------------------------------------------------------------------------------

    def _of_key(self, key: Key, way: Way) -> Iterator[JsonValue]:
        if way.whole and key not in way.above and len(way.above) < WHOLE_DEPTH and way.left[0] > 0:
            way.left[0] -= 1
            inside = Way(whole=True, above=(*way.above, key), left=way.left)
            yield from filter(_is_small, self._of_definition(self.facts.definition(key), inside))
        yield from self._found.get(key, ())

    @property
    def _found(self) -> dict[Key, tuple[JsonValue, ...]]:
        """The least value of each definition that has one."""
        if self._least is None:
            self._least = {}
            todo = deque(self.facts.order)
            while todo:
                key = todo.popleft()
                if key in self._least:
                    continue
                self.begin()
                for value in islice(self._of_definition(self.facts.definition(key), LEAST), 1):
                    if _is_small(value):
                        self._least[key] = (value,)
                if key in self._least:
                    todo.extend(self._users.get(key, ()))
            self.begin()
        return self._least

    @cached_property
    def _users(self) -> dict[Key, list[Key]]:
        """For each definition those that mention it, in checks too."""
        users: dict[Key, list[Key]] = {}
        for definition in self.facts.model.definitions:
            for key in _mentioned(definition):
                users.setdefault(key, []).append(definition.key)
        return users

    def _of_definition(self, definition: Definition, way: Way) -> Iterator[JsonValue]:
        match definition:
            case Record():
                offered = self._records(definition, way)
            case Enum(values=values):
                offered = (value.value for value in values)
            case Union(choice=choice):
                offered = self._of_type(choice, way)
            case Alias(type=type_):
                offered = self._of_type(type_, way)
        if not definition.checks:
            yield from offered
            return
        pool = self.members(Ref(key=definition.key, origin=definition.origin))
        fits = Fit(self.judge, lambda value: self.judge.has_shape(definition, value), definition.checks)
        fitting = mended(self, offered, fits, pool)
        if not (way.whole and isinstance(definition, Record)):
            yield from fitting
            return
        for value in fitting:
            yield self._grown(value, next(self._records(definition, way), {}), fits)

    def _records(self, record: Record, way: Way) -> Iterator[JsonValue]:
        """The required members, and in a whole value each optional one for which there is a value; then, where checks may
        want it differently, the required ones with others."""
        found: Members = {}
        for one in record.fields:
            if one.required or way.whole:
                for value in islice(self._of_type(one.type, way), 1):
                    found[one.wire_name] = value
                if one.required and one.wire_name not in found:
                    return
        yield found | (self._others(record, way) if way.whole else {})
        if record.checks:
            yield from self._found.get(record.key, ()) if way.whole else ()
            yield found | self._others(record, way)
            yield self.members(Ref(key=record.key, origin=record.origin)) | found

    def _others(self, record: Record, way: Way) -> Members:
        """A member for each type that a record has for undeclared ones."""
        named = [(name, type_) for pattern, type_ in record.extras.patterns for name in islice(matching(pattern), 1)]
        if isinstance(record.extras, Typed):
            named.append(("another", record.extras.value))
        declared = {one.wire_name for one in record.fields}
        return {
            name: value
            for name, type_ in named
            for value in islice(self._of_type(type_, way), 1)
            if name not in declared and self.judge.takes_extra(record, name, value)
        }

    def _grown(self, value: JsonValue, whole: JsonValue, fits: Fit) -> JsonValue:
        """``value`` with each further member of ``whole`` that its checks allow."""
        for name, member in whole.items() if isinstance(value, dict) and isinstance(whole, dict) else ():
            assert isinstance(value, dict)
            if name not in value and fits({**value, name: member}):
                value = {**value, name: member}
        return value

    # --- checks -------------------------------------------------------------------------------------------------------

    def around(self, check: Check, value: JsonValue, pool: Members, depth: int = 0) -> Iterator[Derived]:
        """Values on both sides of a check, made from ``value``; ``pool`` holds right members, where it demands some."""
        return checks_.of_check(self, check, value, pool, depth)

    def _various(self, type_: Type) -> Iterator[JsonValue]:
        yield from islice(self.least(type_), 2)
        yield from islice(self.whole(type_), 2)
        inner = self.facts.unwrap(type_)
        match inner:
            case Text(min_length=low, max_length=high) if not inner.patterns:
                length = min(max(count_of(low), 2), count_of(high, 2))
                yield from (f"{i:0{length}}" for i in range(MAX_ITEMS))
            case Text():
                yield from strings(inner)
            case Integer() | Number():
                for start in islice(numbers(inner), TRIES):
                    yield from (start + step for step in range(-5, 6))
                yield from range(MAX_ITEMS)
            case AnyJson() | NonNull():
                yield from range(MAX_ITEMS)
            case _:
                yield from self._probed(inner)

    def _probed(self, type_: Type) -> Iterator[JsonValue]:
        """Probes of a type; none where probes of types around it have asked for them already, in circles perhaps."""
        found = islice(probes.of_type(self, type_), 3 * MAX_ITEMS)
        while self.probing < probes.INSIDE:
            self.probing += 1
            probe = next(found, None)
            self.probing -= 1
            if probe is None:
                return
            yield probe.value


def _is_small(value: JsonValue) -> bool:
    """The value keeps the bounds on depth and size; iterative, and no further than to the bounds."""
    level, size = [value], 0
    for _ in range(MAX_DEPTH):
        size += len(level)
        if not level or size > MAX_SIZE:
            break
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return not level and size <= MAX_SIZE


def _mentioned(definition: Definition) -> Iterator[Key]:
    """Keys of the definitions that a definition refers to, at any depth, checks included."""
    todo: list[object] = [definition]
    while todo:
        node = todo.pop()
        if isinstance(node, Ref):
            yield node.key
        elif isinstance(node, tuple):
            todo.extend(node)
        elif is_dataclass(node) and not isinstance(node, Key | Origin | Doc | Notes | Name):
            todo.extend(getattr(node, one.name) for one in fields(node))
