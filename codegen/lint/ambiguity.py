"""A pattern's tree → text on which a backtracking matcher takes exponential time, where there is some.

Must not guess: a pattern is reported for one reason only, that a state of its automaton leads back to itself in two ways on the
same text, and can fail afterwards (exponential ambiguity: Weber and Seidl, 1991). The automaton is Glushkov's, whose states
are the characters of the pattern, with the number of ways that lead from one to the next. Assertions and back references
are taken to hold; repetitions of more than ``FEW`` count as endless.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias, TypeVar

from codegen.patterns.codepoints import LAST, Ranges
from codegen.patterns.reading import Alternatives, Chars, Group, Item, Look, Repeat, Sequence

FEW = 8
"""Repetitions that are written out one by one."""
LARGEST = 400
"""Characters of a repetition once it is written out; a larger one counts as endless."""
WIDEST = 120
"""States of one loop that are compared pairwise; a larger loop is not judged."""

T = TypeVar("T")
Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """``prefix`` leads into the loop, each ``pump`` doubles the ways through it."""

    prefix: str
    pump: str


def ambiguity(tree: Alternatives) -> Ambiguity | None:
    """How matching blows up; None where it does not, or where the pattern is too large to say."""
    bodies = [tree]
    while bodies:
        automaton = _Automaton()
        whole = automaton.alternatives(bodies.pop())
        found = automaton.ambiguity(whole)
        if found is not None:
            return found
        bodies += automaton.looks
    return None


@dataclass(slots=True)
class _Part:
    """Part of a pattern: the states that it begins and ends with, each with the number of ways.

    ``empty``: ways to match nothing. ``certain``: the states after which the part can end without a further condition, None
    among them if it can match nothing so.
    """

    first: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    empty: int = 0
    certain: set[int | None] = field(default_factory=set)


class _Automaton:
    def __init__(self) -> None:
        self.chars: list[Ranges] = []
        self.follow: list[dict[int, int]] = []
        self.looks: list[Alternatives] = []

    # --- construction -------------------------------------------------------------------------------------------------

    def alternatives(self, body: Alternatives) -> _Part:
        whole = _Part()
        for branch in body.branches:
            part = self.sequence(branch)
            _add(whole.first, part.first)
            _add(whole.last, part.last)
            whole.empty += part.empty
            whole.certain |= part.certain
        return whole

    def sequence(self, sequence: Sequence) -> _Part:
        return self.chain(self.item(item) for item in sequence.items)

    def chain(self, parts: Iterable[_Part]) -> _Part:
        whole = _Part(empty=1, certain={None})
        for part in parts:
            self.link(whole.last, part.first)
            _add(whole.first, part.first, whole.empty)
            last = dict(part.last)
            _add(last, whole.last, part.empty)
            certain = part.certain - {None}
            if None in part.certain:
                certain |= whole.certain
            whole = _Part(whole.first, last, min(whole.empty * part.empty, 2), certain)
        return whole

    def item(self, item: Item) -> _Part:
        match item:
            case Chars(ranges=ranges):
                state = len(self.chars)
                self.chars.append(ranges)
                self.follow.append({})
                return _Part({state: 1}, {state: 1}, 0, {state})
            case Group(body=body):
                return self.alternatives(body)
            case Repeat():
                return self.repeat(item)
            case Look(body=body):
                self.looks.append(body)
        return _Part(empty=1)

    def repeat(self, item: Repeat) -> _Part:
        low, high = item.low, item.high
        most = low if high is None else high
        if most > FEW or most * _size(item.body) > LARGEST:
            low, high = min(low, 1), None
        needed = [self.item(item.body) for _ in range(low)]
        if high is None:
            # The last one that is needed can be the first of those that may follow.
            loop = needed.pop() if needed else self.item(item.body)
            self.link(loop.last, loop.first)
            return self.chain([*needed, loop if low else _optional(loop)])
        rest = _Part(empty=1, certain={None})
        for _ in range(high - low):
            rest = _optional(self.chain([self.item(item.body), rest]))
        return self.chain([*needed, rest])

    def link(self, last: dict[int, int], first: dict[int, int]) -> None:
        for state, ways in last.items():
            _add(self.follow[state], first, ways)

    # --- judgement ----------------------------------------------------------------------------------------------------

    def ambiguity(self, whole: _Part) -> Ambiguity | None:
        for loop in self._loops():
            # Where the match may end inside the loop, it does, and nothing is tried again.
            if len(loop) > WIDEST or loop & whole.certain:
                continue
            found = self._twice(loop)
            if found is not None:
                state, pump = found
                return Ambiguity(self._prefix(whole, state), pump)
        return None

    def _loops(self) -> Iterator[set[int]]:
        for component in components(range(len(self.chars)), lambda state: self.follow[state]):
            if len(component) > 1 or component[0] in self.follow[component[0]]:
                yield set(component)

    def _twice(self, loop: set[int]) -> tuple[int, str] | None:
        """A state of the loop and a text that leads from it to itself in two ways."""
        for state in sorted(loop):
            for following, ways in self.follow[state].items():
                if ways > 1 and following in loop:
                    back = self._path((following, following), {(state, state)}, loop)
                    return state, self._text([(following, following), *back])
        diagonal = [(state, state) for state in sorted(loop)]
        for component in components(diagonal, lambda pair: self._pairs(pair, loop)):
            apart = {pair for pair in component if pair[0] != pair[1]}
            met = [pair for pair in component if pair[0] == pair[1]]
            if apart and met:
                there = self._path(met[0], apart, loop)
                return met[0][0], self._text([*there, *self._path(there[-1], {met[0]}, loop)])
        return None

    def _pairs(self, pair: Pair, loop: set[int]) -> Iterator[Pair]:
        """Where two ways through the loop can be after one more character that is the same for both."""
        for one in self.follow[pair[0]]:
            for other in self.follow[pair[1]]:
                if one in loop and other in loop and _common(self.chars[one], self.chars[other]) is not None:
                    yield one, other

    def _path(self, start: Pair, goals: set[Pair], loop: set[int]) -> list[Pair]:
        """The pairs after ``start`` on a shortest way to one of ``goals``; none where it is one already."""
        if start in goals:
            return []
        return _way([start], goals, lambda pair: self._pairs(pair, loop))[1:]

    def _prefix(self, whole: _Part, goal: int) -> str:
        starts = [(state, state) for state in whole.first]
        everything = set(range(len(self.chars)))
        pairs = _way(starts, {(goal, goal)}, lambda pair: self._pairs(pair, everything))
        return self._text(pairs)

    def _text(self, pairs: Iterable[Pair]) -> str:
        return "".join(_common(self.chars[one], self.chars[other]) or "" for one, other in pairs)


def _add(ways: dict[int, int], more: dict[int, int], times: int = 1) -> None:
    for state, number in more.items():
        if number * times:
            ways[state] = min(ways.get(state, 0) + number * times, 2)


def _optional(part: _Part) -> _Part:
    return _Part(part.first, part.last, min(part.empty + 1, 2), part.certain | {None})


def _size(item: Item) -> int:
    """Characters of an item, repetitions written out."""
    match item:
        case Group(body=body):
            return sum(_size(inner) for branch in body.branches for inner in branch.items)
        case Repeat(body=inner, low=low, high=high):
            most = max(1, low if high is None else high)
            return _size(inner) * (most if most <= FEW else 1)
        case _:
            return 1


def _way(starts: list[Pair], goals: set[Pair], following: Callable[[Pair], Iterable[Pair]]) -> list[Pair]:
    """A shortest way from one of ``starts`` to one of ``goals``, both included; there is one."""
    before: dict[Pair, Pair | None] = dict.fromkeys(starts)
    todo = deque(starts)
    while todo:
        pair = todo.popleft()
        if pair in goals:
            way = [pair]
            while (last := before[way[-1]]) is not None:
                way.append(last)
            return way[::-1]
        for other in following(pair):
            if other not in before:
                before[other] = pair
                todo.append(other)
    return []


READABLE = ((0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A), (0x21, 0x7E), (0, LAST))
"""Where a character to show is looked for first."""


@lru_cache(maxsize=1 << 16)
def _common(one: Ranges, other: Ranges) -> str | None:
    """A character of both sets, one that people can read if there is one; None where they share none."""
    shared = []
    i = j = 0
    while i < len(one) and j < len(other):
        first, last = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if first <= last:
            shared.append((first, last))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    for low, high in READABLE if shared else ():
        for first, last in shared:
            if max(first, low) <= min(last, high):
                return chr(max(first, low))
    return None


def components(starts: Iterable[T], following: Callable[[T], Iterable[T]]) -> Iterator[list[T]]:
    """Strongly connected components of what is reached from ``starts`` (Tarjan's algorithm, iterative)."""
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: dict[T, None] = {}
    for start in starts:
        if start in index:
            continue
        index[start] = low[start] = len(index)
        stack[start] = None
        work = [(start, iter(following(start)))]
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack[other] = None
                    work.append((other, iter(following(other))))
                    break
                if other in stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component: list[T] = []
                    while not component or component[-1] != node:
                        component.append(stack.popitem()[0])
                    yield component[::-1]
