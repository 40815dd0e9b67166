"""A type or a definition of the model → values on both sides of each of its borders.

Must not say which side a value is on: oracles do, and the codecs are measured by them. Each probe departs from a value that
is right otherwise, so that as a rule one thing decides about it. What another named definition asserts is probed there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from codegen.derive.derived import SORTS, Derived
from codegen.derive.strings import MAX_LENGTH, matching, near_misses, strings
from codegen.model import (
    Alias,
    AnyJson,
    ByTag,
    Checked,
    Choice,
    Definition,
    Enum,
    Integer,
    JsonValue,
    Limit,
    ListOf,
    Literals,
    MapOf,
    NonNull,
    Nullable,
    Number,
    Pattern,
    Record,
    Ref,
    Switch,
    Text,
    TupleOf,
    Type,
    Typed,
    Union,
)
from codegen.pointer import join

if TYPE_CHECKING:
    from codegen.derive.samples import Samples

MAX_COUNT = 100
"""Items or members of a probe; bounds beyond are not walked up to."""
HUGE = 10**40
"""An integer that no machine word and no double holds exactly."""
UNLISTED = "unlisted"
"""The name of a member that no contract declares."""
MAX_VARIANTS = 100
"""Members of one choice, and values of one enum, that are probed; of more, the first."""
INSIDE = 2
"""Definitions without a name of their own inside one another that are probed with what refers to them."""


def taking_turns(streams: Iterable[Iterator[Derived]]) -> Iterator[Derived]:
    """One of each stream after the other, so that a cut takes from all of them alike."""
    running = list(streams)
    while running:
        still = []
        for stream in running:
            for one in islice(stream, 1):
                yield one
                still.append(stream)
        running = still


def of_type(samples: Samples, type_: Type, depth: int = 0) -> Iterator[Derived]:
    """Probes of a type; their number is not bounded here. ``depth``: how many judged definitions stand around it."""
    yield from taking_turns([_right(samples, type_), _sorts(), *_borders(samples, type_, depth)])


def of_definition(samples: Samples, definition: Definition, depth: int = 0) -> Iterator[Derived]:
    """Probes of a definition; their number is not bounded here."""
    ref = Ref(key=definition.key, origin=definition.origin)
    streams = [_right(samples, ref), _sorts()]
    match definition:
        case Record():
            streams += _record(samples, definition, depth)
        case Enum(values=values, open=rest):
            streams.append(_literals(tuple(value.value for value in values)))
            streams += [] if rest is None else _borders(samples, rest, depth)
        case Union(choice=choice):
            streams += _borders(samples, choice, depth)
        case Alias(type=type_):
            streams += _borders(samples, type_, depth)
    if definition.checks:
        pool = samples.members(ref)
        base = next(samples.least(ref), pool)
        streams += [samples.around(check, base, pool, depth) for check in definition.checks]
    yield from taking_turns(streams)


def _right(samples: Samples, type_: Type) -> Iterator[Derived]:
    yield from (Derived(value, "least value") for value in islice(samples.least(type_), 1))
    yield from (Derived(value, "whole value") for value in islice(samples.whole(type_), 1))


def _sorts() -> Iterator[Derived]:
    yield from (Derived(value, f"{word} instead") for word, value in SORTS)


def _borders(samples: Samples, type_: Type, depth: int) -> list[Iterator[Derived]]:
    """What lies around the borders that ``type_`` draws itself."""
    match type_:
        case Text():
            return [_text(type_)]
        case Integer() | Number():
            return [_number(type_)]
        case Literals(values=values):
            return [_literals(values)]
        case ListOf(item=item, min_items=low, max_items=high):
            return _items(samples, (), item, low, high, depth)
        case TupleOf(items=items, rest=rest, min_items=low, max_items=high):
            return _items(samples, items, rest or AnyJson(origin=type_.origin), low, high, depth)
        case MapOf():
            return _map(samples, type_, depth)
        case Nullable(inner=inner) | NonNull(inner=inner):
            return _borders(samples, inner, depth)
        case Checked(inner=inner, checks=checks):
            pool = samples.members(inner)
            base = next(samples.least(type_), next(samples.least(inner), None))
            around = [samples.around(check, base, pool, depth) for check in checks]
            return [*_borders(samples, inner, depth), *around]
        case Choice():
            return _choice(samples, type_, depth)
        case Ref(key=key) if (key.part or key in samples.facts.judged) and depth < INSIDE:
            return [of_definition(samples, samples.facts.definition(key), depth + 1)]
        case _:
            return []


# --- scalars ----------------------------------------------------------------------------------------------------------


def _text(type_: Text) -> Iterator[Derived]:
    right = list(islice(strings(type_), 8))
    yield from (Derived(text, "a string of the type") for text in right)
    seed = right[0] if right else ""
    for limit, word in ((type_.min_length, "least"), (type_.max_length, "greatest")):
        for length in _around(limit, MAX_LENGTH):
            stretched = (seed * (length // max(1, len(seed)) + 1))[:length] if seed else "a" * length
            yield Derived(stretched, f"{length} characters, around the {word} length")
            yield Derived("\U0001f600" * length, f"{length} characters beyond the basic plane")
    for pattern in type_.patterns:
        for text in islice(matching(pattern), 8):
            yield Derived(text, "matches the pattern")
    for text in right[:2] if type_.patterns else ():
        yield from (Derived(other, "nearly matches the pattern") for other in near_misses(text))
    if type_.min_length is type_.max_length is None and not type_.patterns:
        yield from (Derived(text, "unusual text") for text in ('\U0001f600\u0000\n"\\', "\u0663", "true"))


def _number(type_: Integer | Number) -> Iterator[Derived]:
    yield from (Derived(number, "a number of a kind of its own") for number in (1, 1.0, -1.0, HUGE, -HUGE, 1e300))
    for limit in (type_.minimum, type_.maximum):
        if limit is not None:
            bound = limit.value
            near: list[int | float] = [bound, math.floor(bound), math.ceil(bound)]
            near += [number + step for number in near[1:] for step in (-1, 1)]
            if abs(bound) < 2**1000:
                near += [float(bound), math.nextafter(bound, math.inf), math.nextafter(bound, -math.inf)]
            yield from (Derived(number, f"around the bound {bound}") for number in near)


def _literals(values: tuple[JsonValue, ...]) -> Iterator[Derived]:
    yield from (Derived(value, "a listed value") for value in values[:MAX_VARIANTS])
    for value in values[:2]:
        yield from (Derived(other, "nearly a listed value") for other in _unlike(value))


def _unlike(value: JsonValue) -> Iterator[JsonValue]:
    """Values that a careless comparison takes for ``value``, or that are just beside it."""
    others: list[JsonValue] = []
    match value:
        case bool():
            others += [int(value), float(value), str(value).lower()]
        case int() | float():
            others += [value + 1, str(value), [value], bool(value)]
            others += [float(value)] if abs(value) < 2**53 else []
        case str():
            others += [value + "_", value.swapcase(), value[:-1], value + "\n", [value], {value: value}]
        case None:
            others += ["null", False, 0]
        case list():
            others += [[*value, None], value[:-1], [value]]
        case dict():
            others += [{**value, UNLISTED: None}, dict(reversed(value.items()))]
            others += [{name: member for name, member in value.items() if name != left_out} for left_out in value]
    yield from others


# --- lists and maps ---------------------------------------------------------------------------------------------------


def _items(
    samples: Samples, items: tuple[Type, ...], rest: Type, low: Limit | None, high: Limit | None, depth: int
) -> list[Iterator[Derived]]:
    """A list whose first items are of ``items`` and the others of ``rest``."""
    fewest = math.ceil(low.value) if low is not None else 0

    def first(count: int) -> list[JsonValue] | None:
        """A list of so many right items, all of the rest different where that is possible; None where one has no value."""
        heads = [list(islice(samples.least(item), 1)) for item in items[:count]]
        tail = samples.several(rest, count - len(heads))
        if not all(heads) or (count > len(heads) and not tail):
            return None
        more = [tail[i % len(tail)] for i in range(count - len(heads))] if tail else []
        return [*(head[0] for head in heads), *more]

    def lengths() -> Iterator[Derived]:
        counts = [*range(len(items) + 3), *_around(low, MAX_COUNT), *_around(high, MAX_COUNT)]
        for count in dict.fromkeys(counts):
            if (value := first(count)) is not None:
                yield Derived(value, f"{count} items")

    def at(i: int, type_: Type) -> Iterator[Derived]:
        length = max(i + 1, min(fewest, MAX_COUNT))
        base = first(length)
        if base is None:
            base = [None] * length
        for probe in of_type(samples, type_, depth):
            yield Derived([*base[:i], probe.value, *base[i + 1 :]], probe.what, join("", i) + probe.pointer)

    return [lengths(), *(at(i, item) for i, item in enumerate(items)), at(len(items), rest)]


def _map(samples: Samples, type_: MapOf, depth: int) -> list[Iterator[Derived]]:
    key = next(matching(type_.key_pattern), None) if type_.key_pattern is not None else "key0"

    def names() -> Iterator[Derived]:
        value = next(samples.least(type_.value), None)
        offered = ["", "a b", "0", "__proto__", "é"] if type_.key_pattern is None else _named_around(type_.key_pattern)
        yield from (Derived({name: value}, "a member name", join("", name)) for name in offered)

    def values(name: str) -> Iterator[Derived]:
        for probe in of_type(samples, type_.value, depth):
            yield Derived({name: probe.value}, probe.what, join("", name) + probe.pointer)

    return [names(), *([] if key is None else [values(key)])]


def _named_around(pattern: Pattern) -> list[str]:
    """Member names that match a pattern and others that nearly do."""
    right = list(islice(matching(pattern), 4))
    return [*right, *(other for name in right[:1] for other in near_misses(name)), UNLISTED]


def _around(limit: Limit | None, most: int) -> list[int]:
    """Counts around a bound, as far as they are walked up to."""
    if limit is None:
        return []
    middle = math.ceil(limit.value)
    return [count for count in (middle - 1, middle, middle + 1) if 0 <= count <= most]


# --- choices ----------------------------------------------------------------------------------------------------------


def _choice(samples: Samples, choice: Choice, depth: int) -> list[Iterator[Derived]]:
    members = choice.members[:MAX_VARIANTS]
    streams = [_right(samples, member.type) for member in members]
    streams += [stream for member in members for stream in _borders(samples, member.type, depth)]
    if isinstance(choice.dispatch, ByTag):
        streams.append(_tags(samples, choice, choice.dispatch.switch))
    return [*streams, _mixed(samples, choice)]


def _tags(samples: Samples, choice: Choice, switch: Switch) -> Iterator[Derived]:
    """A member's value under tags that are not its own, and under none."""
    name = switch.property
    at = join("", name)
    for i, case in enumerate(switch.cases[:MAX_VARIANTS]):
        to = case.to
        if isinstance(to, Switch):
            yield from _tags(samples, choice, to)
            continue
        member = choice.members[to].type
        for value in (*islice(samples.least(member), 1), *islice(samples.whole(member), 1)):
            assert isinstance(value, dict)
            other = switch.cases[i - 1].value
            yield Derived({**value, name: other}, "the tag of another member", at)
            if i in (0, len(switch.cases) - 1):
                yield Derived({key: value[key] for key in value if key != name}, "no tag", at)
                yield Derived({**value, name: "no-such-tag"}, "an unknown tag", at)
                yield from (Derived({**value, name: tag}, f"{word} as tag", at) for word, tag in SORTS)
                yield from (Derived({**value, name: tag}, "nearly the tag", at) for tag in _unlike(case.value))


def _mixed(samples: Samples, choice: Choice) -> Iterator[Derived]:
    """Objects that are something of two members at once."""
    values = [value for member in choice.members[:8] for value in islice(samples.whole(member.type), 1)]
    objects = [value for value in values if isinstance(value, dict)]
    for i, value in enumerate(objects):
        for other in objects[:i]:
            yield Derived({**value, **other}, "two members mixed")
            yield Derived({**other, **value}, "two members mixed")
        for name in islice(value, 8):
            yield Derived(
                {key: value[key] for key in value if key != name}, "a member without one of its own", join("", name)
            )


# --- records ----------------------------------------------------------------------------------------------------------


def _record(samples: Samples, record: Record, depth: int) -> Iterator[Iterator[Derived]]:
    ref = Ref(key=record.key, origin=record.origin)
    found = (*islice(samples.least(ref), 1), *islice(samples.whole(ref), 1))
    bases = [base for base in found if isinstance(base, dict)] or [samples.members(ref)]
    for field in record.fields:
        name, base = field.wire_name, bases[0]
        if not field.required:
            for value in islice(samples.least(field.type), 1):
                base = next((one for one in bases if samples.judge.accepts(ref, {**one, name: value})), base)
        yield _without(bases, name)
        yield _member(base, name, of_type(samples, field.type, depth))
    yield _unlisted(samples, record, bases)
    for pattern, type_ in record.extras.patterns:
        for named in islice(matching(pattern), 1):
            yield _member(bases[0], named, of_type(samples, type_, depth))
    if isinstance(record.extras, Typed):
        yield _member(bases[0], UNLISTED, of_type(samples, record.extras.value, depth))


def _without(bases: list[dict[str, JsonValue]], name: str) -> Iterator[Derived]:
    for base in bases:
        if name in base:
            yield Derived({key: base[key] for key in base if key != name}, f"without {name}", join("", name))


def _member(base: dict[str, JsonValue], name: str, probes: Iterator[Derived]) -> Iterator[Derived]:
    for probe in probes:
        yield Derived({**base, name: probe.value}, probe.what, join("", name) + probe.pointer)


def _unlisted(samples: Samples, record: Record, bases: list[dict[str, JsonValue]]) -> Iterator[Derived]:
    names = [UNLISTED, "", *(field.wire_name.swapcase() for field in record.fields[:1])]
    names += [name for pattern, _ in record.extras.patterns for name in _named_around(pattern)]
    for name in names:
        for value in ("text", None):
            yield from (Derived({**base, name: value}, "an undeclared member", join("", name)) for base in bases)
    yield from (Derived(dict(reversed(base.items())), "members in another order") for base in bases)
