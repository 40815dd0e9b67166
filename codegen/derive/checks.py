"""A check of the model and a value → values on both sides of the check, made from that value.

Must not say which side a value is on. A check speaks of some kinds of values only; a value of another kind gives way to an
empty one of the kind. ``pool`` holds a right value for each member that the place declares, where a check demands members.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING

from codegen.derive.derived import SORTS, Derived
from codegen.derive.judge import same_json
from codegen.derive.probes import MAX_COUNT, UNLISTED, of_type, taking_turns
from codegen.derive.strings import matching, near_misses
from codegen.model import (
    All,
    Any,
    Check,
    Contains,
    Count,
    Each,
    ExactlyOne,
    Has,
    If,
    Is,
    JsonValue,
    Limit,
    MultipleOf,
    Not,
    Seen,
    Unevaluated,
    Unique,
    When,
)
from codegen.pointer import join

if TYPE_CHECKING:
    from codegen.derive.samples import Members, Samples

FEW = 12
"""Probes of one operand that are taken up by another."""


def of_check(samples: Samples, check: Check, value: JsonValue, pool: Members, depth: int = 0) -> Iterator[Derived]:
    """Probes of one check; their number is not bounded here."""

    def of(inner: Check, start: JsonValue) -> Iterator[Derived]:
        return of_check(samples, inner, start, pool, depth)

    members = value if isinstance(value, dict) else {}
    items = value if isinstance(value, list) else []
    match check:
        case Is(type=type_):
            for probe in of_type(samples, type_, depth):
                yield probe
                yield from (Derived(one, probe.what, probe.pointer) for one in _joined(value, probe.value, pool))
        case Not(check=inner):
            yield from of(inner, value)
        case All(checks=checks) | Any(checks=checks) | ExactlyOne(checks=checks):
            yield from taking_turns([of(inner, value) for inner in checks])
            for i, inner in enumerate(checks):
                for other in checks[i + 1 :]:
                    yield from _both(samples, inner, other, value, pool, depth)
        case If(condition=condition, then=then, otherwise=otherwise):
            branches = [branch for branch in (condition, then, otherwise) if branch is not None]
            yield from taking_turns([of(branch, value) for branch in branches])
            for probe in islice(of(condition, value), 4 * FEW):
                branch = then if samples.judge.holds(condition, probe.value) else otherwise
                if branch is not None:
                    yield from islice(of(branch, probe.value), FEW)
        case Has(name=name):
            yield Derived(_without(members, name), f"without {name}", join("", name))
            for member in (*((pool[name],) if name in pool else ()), *(sort for _, sort in SORTS)):
                yield Derived({**members, name: member}, f"with {name}", join("", name))
        case When(name=name, check=inner):
            yield Derived(_without(members, name), f"without {name}", join("", name))
            given = {**members, name: members.get(name, pool.get(name, "text"))}
            yield Derived(given, f"with {name}", join("", name))
            yield from of(inner, given)
        case Each():
            yield from _each(samples, check, members, items, pool, depth)
        case Contains():
            yield from _contained(samples, check, items)
        case Count(of="members", minimum=low, maximum=high):
            for count in _around(low, high):
                yield from (Derived(one, f"{count} members") for one in _sized(members, count, pool))
        case Count(minimum=low, maximum=high):
            for count in _around(low, high):
                fill = [items[-1]] * count if items else list(range(count))
                yield Derived((items + fill)[:count], f"{count} items")
        case MultipleOf(value=of_value):
            start = value if isinstance(value, int | float) and not isinstance(value, bool) else 0
            yield from (Derived(one, f"around a multiple of {of_value}") for one in _multiples(of_value, start))
        case Unique():
            yield from (Derived(one, "items that are or seem equal") for one in _repeated(items))
        case Unevaluated(of="members", seen=seen):
            yield from _unseen_members(samples, check, seen, members, pool, depth)
        case Unevaluated(seen=seen):
            yield from _unseen_items(samples, check, seen, items, depth)


def _both(
    samples: Samples, left: Check, right: Check, value: JsonValue, pool: Members, depth: int
) -> Iterator[Derived]:
    """Values that hold one check, changed around the other."""
    for first, second in ((left, right), (right, left)):
        probes = islice(of_check(samples, first, value, pool, depth), 4 * FEW)
        for probe in islice((probe for probe in probes if samples.judge.holds(first, probe.value)), 3):
            yield from islice(of_check(samples, second, probe.value, pool, depth), FEW)


def _joined(value: JsonValue, other: JsonValue, pool: Members) -> Iterator[JsonValue]:
    """What two objects, or two lists, have become once they are joined in different ways."""
    if isinstance(value, dict) and isinstance(other, dict) and value:
        yield {**value, **other}
        yield {**other, **value}
        yield {**value, **{name: pool.get(name, member) for name, member in other.items()}}
    elif isinstance(value, list) and isinstance(other, list) and value:
        yield from ([*value[:i], item, *value[i + 1 :]] for i, item in enumerate(other[:FEW]))


def _without(members: Members, name: str) -> Members:
    return {other: member for other, member in members.items() if other != name}


def _around(*limits: Limit | None) -> list[int]:
    middles = [math.ceil(limit.value) for limit in limits if limit is not None]
    counts = dict.fromkeys(middle + step for middle in middles for step in (0, -1, 1))
    return [count for count in counts if 0 <= count <= MAX_COUNT]


def _each(
    samples: Samples, check: Each, members: Members, items: list[JsonValue], pool: Members, depth: int
) -> Iterator[Derived]:
    if check.of == "items":
        start = items[0] if items else "text"
        for probe in of_check(samples, check.check, start, {}, depth):
            yield Derived([*items, probe.value], probe.what, join("", len(items)) + probe.pointer)
            yield Derived([probe.value, *items[1:]], probe.what, "/0" + probe.pointer)
        return
    if check.of == "names":
        for probe in of_check(samples, check.check, next(iter(members), "text"), {}, depth):
            if isinstance(name := probe.value, str):
                yield Derived({**members, name: pool.get(name, "text")}, f"a name: {probe.what}", join("", name))
                yield Derived({name: pool.get(name, "text")}, f"the only name: {probe.what}", join("", name))
        return
    names = list(islice(matching(check.pattern), 2)) if check.pattern is not None else ["key"]
    others = [other for name in names[:1] for other in near_misses(name)] if check.pattern is not None else []
    for name in names:
        for probe in of_check(samples, check.check, members.get(name), {}, depth):
            at = join("", name) + probe.pointer
            yield Derived({**members, name: probe.value}, probe.what, at)
    for name in others:
        for probe in islice(of_check(samples, check.check, None, {}, depth), FEW):
            yield Derived({**members, name: probe.value}, f"under another name: {probe.what}", join("", name))


def _contained(samples: Samples, check: Contains, items: list[JsonValue]) -> Iterator[Derived]:
    counts = [0, *_around(check.minimum, check.maximum)]
    right = samples.several(check.type, max(counts))
    others = [item for item in items if not samples.judge.accepts(check.type, item)]
    others = others or [sort for _, sort in SORTS if not samples.judge.accepts(check.type, sort)][:1]
    for count in dict.fromkeys(counts) if right else ():
        matching_items = [right[i % len(right)] for i in range(count)]
        yield Derived(matching_items, f"{count} matching items and no others")
        yield Derived([*others, *matching_items], f"{count} matching items behind others")
        yield Derived([*matching_items, *others], f"{count} matching items before others")
    for probe in islice(of_type(samples, check.type), 4 * FEW):
        yield Derived([probe.value], probe.what, "/0" + probe.pointer)


def _sized(members: Members, count: int, pool: Members) -> Iterator[Members]:
    """Objects of ``count`` members that keep of the old ones what they can, or what comes last."""
    named = {**members, **{name: member for name, member in pool.items() if name not in members}}
    for fill in (next(iter(members.values()), "text"), "text", 0):
        grown = {**named, **{f"{UNLISTED}{i}": fill for i in range(count - len(named))}}
        yield dict(islice(grown.items(), count))
        yield dict(islice(reversed(grown.items()), count))


def _multiples(of_value: Decimal, start: int | float) -> Iterator[JsonValue]:
    below = Decimal(repr(start)) // of_value if abs(start) < 10**20 else Decimal(0)
    steps = [below, below + 1, below - 1, Decimal(0), Decimal(1), Decimal(3), Decimal(-2), Decimal(10) ** 6]
    for step in (*steps, Decimal("0.5"), below + Decimal("0.5"), Decimal("1.1"), Decimal("0.001")):
        exact = step * of_value
        yield int(exact) if exact == exact.to_integral_value() else float(exact)
        yield float(exact)
    yield from (1e300, 10**30, 10**30 + 1, 0.1, 0.3, 1, 7)


def _repeated(items: list[JsonValue]) -> Iterator[list[JsonValue]]:
    distinct: list[JsonValue] = []
    for item in items:
        if not any(same_json(item, other) for other in distinct):
            distinct.append(item)
    yield from (distinct, distinct[::-1], distinct[:1])
    yield from ([*items, item] for item in items[:3])
    pairs: list[list[JsonValue]] = [
        [1, 1.0],
        [1, True],
        [0, False],
        [None, None],
        ["a", "a"],
        ["a", "A"],
        [[1], [True]],
        [[1], [1.0]],
        [{"a": 1, "b": 2}, {"b": 2.0, "a": 1}],
        [{"a": 0}, {"a": False}],
        [[], {}],
        [{}, {}],
    ]
    yield from pairs


def _names_seen(seen: tuple[Seen, ...]) -> Iterator[str]:
    for part in seen:
        yield from part.names
        for pattern in part.patterns:
            yield from islice(matching(pattern), 1)
        yield from _names_seen(part.inner)


def _conditions(seen: tuple[Seen, ...]) -> Iterator[Check]:
    for part in seen:
        if part.when is not None:
            yield part.when
        yield from _conditions(part.inner)


def _unseen_members(
    samples: Samples, check: Unevaluated, seen: tuple[Seen, ...], members: Members, pool: Members, depth: int
) -> Iterator[Derived]:
    bases = [members, *(base for when in _conditions(seen) for base in _holding(samples, when, members, pool, depth))]
    for base in bases:
        yield Derived(base, "what adjacent keywords evaluate")
        for probe in islice(of_type(samples, check.type, depth), FEW):
            yield Derived({**base, UNLISTED: probe.value}, f"a member beyond: {probe.what}", join("", UNLISTED))
        for name in islice(dict.fromkeys(_names_seen(seen)), 2 * FEW):
            yield Derived({**base, name: pool.get(name, "text")}, f"with {name}", join("", name))
            yield Derived(_without(base, name), f"without {name}", join("", name))
            for probe in islice(of_type(samples, check.type, depth), 2):
                yield Derived({**base, name: probe.value}, f"with {name}: {probe.what}", join("", name))


def _holding(samples: Samples, check: Check, value: JsonValue, pool: Members, depth: int) -> Iterator[Members]:
    """Some objects for which a check holds."""
    probes = islice(of_check(samples, check, value, pool, depth), 4 * FEW)
    holding = (probe.value for probe in probes if samples.judge.holds(check, probe.value))
    yield from islice((one for one in holding if isinstance(one, dict) and one), 3)


def _unseen_items(
    samples: Samples, check: Unevaluated, seen: tuple[Seen, ...], items: list[JsonValue], depth: int
) -> Iterator[Derived]:
    found = [
        probe.value
        for when in _conditions(seen)
        for probe in islice(of_check(samples, when, items, {}, depth), 4 * FEW)
        if isinstance(probe.value, list) and samples.judge.holds(when, probe.value)
    ]
    for base in (items, [], *found[:FEW]):
        yield Derived(base, "what adjacent keywords evaluate")
        for probe in islice(of_type(samples, check.type, depth), FEW):
            yield Derived([*base, probe.value], f"an item beyond: {probe.what}", join("", len(base)))
            yield Derived([*base, probe.value, probe.value], f"two items beyond: {probe.what}", join("", len(base)))
        for part in seen:
            if part.matching is not None:
                for item in samples.several(part.matching, 2):
                    yield Derived([*base, item], "an item that is contained", join("", len(base)))
                    yield Derived([item, *base], "an item that is contained", "/0")
