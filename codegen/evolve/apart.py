"""Two alternatives of two versions → proof that no value is of both, or none.

Must not take hope for proof: False means that they may overlap. It decides where exactly one member of a choice may accept.
"""

from __future__ import annotations

from codegen.derive.judge import Judge
from codegen.evolve.atoms import Atom, Atoms, Exactly, Items, Members, Values
from codegen.evolve.bounds import greatest_count, integer_bounds, least_count
from codegen.evolve.parties import takes
from codegen.evolve.policy import Policy
from codegen.model import Integer, Limit, Number, Text, Type

DEEPEST = 5
"""Levels looked at: what tells shapes apart is near their surface."""


class Apart:
    """Disjointness of a sender's alternatives and a receiver's, the latter by the letter."""

    def __init__(self, left: Atoms, right: Atoms, policy: Policy) -> None:
        self._left, self._right = left, right
        self._judges = Judge(left.facts), Judge(right.facts)
        self._reserved = policy.reserved
        self._known: dict[tuple[int, int, int], tuple[Type, Type, bool]] = {}

    def types(self, left: Type, right: Type, depth: int = DEEPEST) -> bool:
        """No value is of both types."""
        key = (id(left), id(right), depth)
        known = self._known.get(key)
        if known is None:
            # Both are kept, so that their ids are not given to others.
            answer = all(self.of(one, right, depth) for one in self._left.of(left))
            known = self._known[key] = (left, right, answer)
        return known[2]

    def of(self, left: Atom, right: Type, depth: int = DEEPEST) -> bool:
        """No value of the atom is of the type."""
        return depth > 0 and all(self.atoms(left, other, depth) for other in self._right.of(right))

    def atoms(self, left: Atom, right: Atom, depth: int) -> bool:
        """No value is of both atoms."""
        if not self._left.kinds(left) & self._right.kinds(right):
            return True
        if isinstance(left.body, Values):
            return not any(takes(self._judges[1], right, value) for value in left.body.values)
        if isinstance(right.body, Values):
            return not any(takes(self._judges[0], left, value) for value in right.body.values)
        match left.body, right.body:
            case Exactly(members=members), _:
                return all(self.atoms(one, right, depth) for type_ in members for one in self._left.of(type_))
            case _, Exactly(members=members):
                return all(self.of(left, type_, depth) for type_ in members)
            case Text() as one, Text() as other:
                return _beyond(one.min_length, other.max_length) or _beyond(other.min_length, one.max_length)
            case (Integer() | Number()) as one, (Integer() | Number()) as other:
                return _numbers_apart(one, other)
            case Items() as one, Items() as other:
                return self._items(one, other, depth)
            case Members() as one, Members() as other:
                return self._members(one, other, depth)
        return False

    def _items(self, left: Items, right: Items, depth: int) -> bool:
        if _beyond(left.low, right.high) or _beyond(right.low, left.high):
            return True
        sure = max(least_count(left.low), least_count(right.low))
        return any(
            self.types(left.at(index), right.at(index), depth - 1)
            for index in range(min(sure, len(left.prefix) + len(right.prefix) + 1))
        )

    def _members(self, left: Members, right: Members, depth: int) -> bool:
        for name in {**left.declared, **right.declared}:
            one, other = left.declared.get(name), right.declared.get(name)
            if not ((one and one.required) or (other and other.required)):
                continue
            ones, others = left.views(name), right.views(name)
            if ones is None or others is None:
                return True  # one side needs it and the other never has it
            if self._reserved and left.reserves(name):
                return True  # nobody writes a name that is reserved
            if any(self.types(type_, wanted, depth - 1) for type_ in ones for wanted in others):
                return True
        return False


def _beyond(low: Limit | None, high: Limit | None) -> bool:
    most = greatest_count(high)
    return most is not None and least_count(low) > most


def _numbers_apart(left: Integer | Number, right: Integer | Number) -> bool:
    (low, high), (least, most) = _range(left), _range(right)
    return (low is not None and most is not None and low > most) or (
        least is not None and high is not None and least > high
    )


def _range(type_: Integer | Number) -> tuple[int | float | None, int | float | None]:
    if isinstance(type_, Integer):
        return integer_bounds(type_)
    low, high = type_.minimum, type_.maximum
    return (None if low is None else low.value, None if high is None else high.value)
