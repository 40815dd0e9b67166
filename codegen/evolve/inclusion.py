"""Two types of two versions → whether everything that the first sends the second receives: proven, refuted by a document, or
neither.

Must not guess. "Included" is proven by structure; recursion by coinduction, over pairs of definitions: a pair is included
unless something in it is not. "Refused" carries a document that the sender's judge accepts and the receiver's refuses. What is
left is undecided, and says why.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from codegen.evolve import bounds, structure
from codegen.evolve.apart import Apart
from codegen.evolve.atoms import ANYTHING, Atom, Atoms, Exactly, Items, Members, Values
from codegen.evolve.cases import cases_of
from codegen.evolve.entailment import entails
from codegen.evolve.parties import Names, Receiver, Sender, takes
from codegen.evolve.policy import Policy
from codegen.evolve.results import INCLUDED, Failing, Included, Refused, Result, Undecided, all_of
from codegen.evolve.specimens import Specimens
from codegen.facts import Facts
from codegen.model import (
    AnyJson,
    Boolean,
    Check,
    Integer,
    Is,
    JsonValue,
    Null,
    Number,
    Ref,
    Text,
    Type,
)

if TYPE_CHECKING:
    from codegen.evolve.likeness import Likeness

MOST_PROBES = 32
"""Values tried at the borders of one check."""
MOST_TRIES = 200
"""Derived documents tried where structure decides nothing."""
DEEPEST_WITNESS = 60
"""Levels of a document that shows a change."""
DEEPEST_SPLIT = 3
"""How often an alternative is split into cases."""


@dataclass(slots=True, eq=False)
class _Pair:
    """Two types: what is known of them, and which pairs rest on that."""

    left: Type
    right: Type
    result: Result
    users: dict[_Pair, None]
    searched: bool = False


def _mark(type_: Type) -> Hashable:
    """What a type is known by while it is kept."""
    return type_.key if isinstance(type_, Ref) else AnyJson if isinstance(type_, AnyJson) else id(type_)


class Side:
    """One model with what is worked out of it once, whatever is asked."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.atoms = Atoms(facts)

    @cached_property
    def specimens(self) -> Specimens:
        """Documents of the model."""
        return Specimens(self.facts)


class Inclusion:
    """Decisions between a sender's model and a receiver's under one policy."""

    def __init__(
        self,
        sender: Side,
        receiver: Side,
        policy: Policy,
        likeness: Likeness,
        *,
        forward: bool = True,
        searching: bool = True,
    ) -> None:
        """``likeness`` compares the older version (first) with the newer; ``forward``: the sender is the older. ``searching``:
        where structure decides nothing, a witness is looked for."""
        self.sender, self.receiver, self.policy = sender, receiver, policy
        self._likeness, self._forward, self._searching = likeness, forward, searching
        self.left = sender.atoms
        self.right = Atoms(receiver.facts, open_world=True) if policy.open_world else receiver.atoms
        self.specimens = sender.specimens
        self.apart = Apart(self.left, receiver.atoms, policy)
        self.names = Names.of(receiver.facts)
        self._sends = Sender(sender.facts, policy, self.names)
        self.receives = Receiver(receiver.facts, policy)
        self._pairs: dict[tuple[Hashable, Hashable], _Pair] = {}
        self._open: set[tuple[Hashable, Hashable]] = set()
        self._todo: deque[_Pair] = deque()
        self._current: list[_Pair] = []

    @cached_property
    def exact(self) -> Inclusion:
        """The same between receivers who read by the letter: checks are judged so."""
        if not self.policy.tolerant and not self.policy.open_world:
            return self
        policy = replace(self.policy, receivers="exact", open_world=False)
        return Inclusion(self.sender, self.receiver, policy, self._likeness, forward=self._forward)

    # --- questions ----------------------------------------------------------------------------------------------------

    def decide(self, left: Type, right: Type) -> Result:
        """Whether all values of ``left`` are received as ``right``."""
        result = self.ask(left, right)
        while self._todo:
            self._settle()
            result = self.ask(left, right)
        return result

    def between(self, lefts: tuple[Atom, ...], rights: tuple[Atom, ...]) -> Included | Failing:
        """As ``decide``, of alternatives that no type need spell; the witnesses are not judged."""
        result = self.of_atoms(lefts, rights)
        while self._todo:
            self._settle()
            result = self.of_atoms(lefts, rights)
        return result

    def around(self, lefts: tuple[Atom, ...], check: Check) -> Iterator[JsonValue]:
        """Values of the alternatives that ``check`` refuses, looked for at its borders."""
        judged = Atom(body=ANYTHING, checks=(check,), origin=ANYTHING.origin)
        for left in lefts:
            for value in self.specimens.of(left):
                probes = islice(self.receiver.specimens.at(check, value), MOST_PROBES)
                yield from self._outside(left, judged, probes, "").witnesses

    def shows(self, left: Type, right: Type, value: JsonValue) -> bool:
        """``value`` is sent as ``left`` and not received as ``right``: a witness, in the eyes of both judges."""
        if _is_deep(value):  # judges follow the value with the stack, and nobody reads such a document
            return False
        return self._sends.accepts(left, value) and not self.receives.accepts(right, value)

    def alike(self, left: Type, right: Type) -> bool:
        """The types mean the same."""
        return self._likeness.same(left, right) if self._forward else self._likeness.same(right, left)

    def signatures(self) -> tuple[int, int]:
        """The sides of sender and receiver in ``likeness``."""
        return (0, 1) if self._forward else (1, 0)

    @property
    def likeness(self) -> Likeness:
        """What tells which types mean the same."""
        return self._likeness

    # --- the fixed point ----------------------------------------------------------------------------------------------

    def ask(self, left: Type, right: Type) -> Result:
        """What is known so far. A pair of definitions (any JSON value is one too, for it holds itself) that was never looked at
        is assumed to be included, and is looked at before anybody relies on it; so is any pair that holds itself."""
        if isinstance(right, AnyJson) or self.alike(left, right):
            # No policy makes receivers refuse what the letter admits.
            return INCLUDED
        key = (_mark(left), _mark(right))
        pair = self._pairs.get(key)
        if pair is None:
            named = isinstance(left, Ref | AnyJson) and isinstance(right, Ref)
            if not named and key not in self._open:
                self._open.add(key)
                result = self._evaluate(left, right)
                self._open.remove(key)
                return result
            pair = self._pairs[key] = _Pair(left, right, INCLUDED, {})
            self._todo.append(pair)
        if self._current:
            pair.users[self._current[-1]] = None
        return pair.result

    def _settle(self) -> None:
        """Look at what is to be looked at, until nothing changes. Results only get worse, so that this ends."""
        while self._todo:
            pair = self._todo.popleft()
            if isinstance(pair.result, Refused):
                continue
            self._current.append(pair)
            result = self._evaluate(pair.left, pair.right)
            self._current.pop()
            if self._searching and isinstance(result, Undecided) and not pair.searched:
                pair.searched = True
                result = self._searched(pair.left, pair.right) or result
            if _rank(result) > _rank(pair.result):
                pair.result = result
                self._todo.extend(pair.users)

    def _evaluate(self, left: Type, right: Type) -> Result:
        result = self.of_atoms(self.left.of(left), self.right.of(right))
        if isinstance(result, Included):
            return result
        for witness in result.witnesses:
            if self.shows(left, right, witness):
                return Refused(witness)
        return Undecided(result.reason)

    def _searched(self, left: Type, right: Type) -> Refused | None:
        """A witness among documents derived from both definitions."""
        for side, type_ in ((self.sender, left), (self.receiver, right)):
            for document in islice(side.specimens.around(type_), MOST_TRIES):
                if self.shows(left, right, document):
                    return Refused(document)
        return None

    # --- alternatives -------------------------------------------------------------------------------------------------

    def of_atoms(self, lefts: tuple[Atom, ...], rights: tuple[Atom, ...]) -> Included | Failing:
        """Each of ``lefts`` is within ``rights``."""
        return all_of(self._within(left, rights, 0) for left in lefts)

    def _within(self, left: Atom, rights: tuple[Atom, ...], depth: int) -> Included | Failing:
        if isinstance(left.body, Exactly):
            return self._exclusive(left, left.body, rights, depth)
        kinds = self.left.kinds(left)
        if not kinds:  # its checks leave nothing
            return INCLUDED
        near = [right for right in rights if kinds & self.right.kinds(right)]
        if len(near) > 1:
            near = [right for right in near if not self._contradicts(left, right)]
        failures: list[Failing] = []
        for right in near:
            result = self.pair(left, right)
            if isinstance(result, Included):
                return INCLUDED
            failures.append(result)
        if depth < DEEPEST_SPLIT:
            cases = cases_of(self.left, left, near)
            if cases:
                return all_of(self._within(case, rights, depth + 1) for case in cases)
            for check in left.checks:
                # Whatever passes is of the operand's type too.
                if isinstance(check, Is) and not isinstance(check.type, AnyJson):
                    operands = self.left.of(check.type)
                    if operands and all(isinstance(self._within(o, rights, depth + 1), Included) for o in operands):
                        return INCLUDED
        failures.append(Failing("no alternative takes it", self.specimens.of(left)))
        result = all_of(failures)
        assert isinstance(result, Failing)
        return result

    def _contradicts(self, left: Atom, right: Atom) -> bool:
        """Tags, or other required members, tell the two apart at first sight."""
        if not isinstance(left.body, Members) or not isinstance(right.body, Members):
            return False
        pairs = ((one, right.body.declared.get(name)) for name, one in left.body.declared.items() if one.required)
        return any(other is not None and self.apart.types(one.type, other.type, 1) for one, other in pairs)

    def _exclusive(self, left: Atom, body: Exactly, rights: tuple[Atom, ...], depth: int) -> Included | Failing:
        """Values that exactly one of some types accepts."""
        for right in rights:
            same = isinstance(right.body, Exactly) and self._same_choice(body, right.body)
            if same and isinstance(self._checked(left, right), Included):
                return INCLUDED
        members = [
            replace(one, checks=(*one.checks, *left.checks)) for type_ in body.members for one in self.left.of(type_)
        ]
        return all_of(self._within(one, rights, depth) for one in members)

    def _same_choice(self, left: Exactly, right: Exactly) -> bool:
        """What exactly one of the left members accepts, exactly one of the right ones does: each left member is there again,
        and the others overlap with none."""
        rest = list(right.members)
        for member in left.members:
            found = next((index for index, other in enumerate(rest) if self.alike(member, other)), None)
            if found is None:
                return False
            del rest[found]
        return all(self.apart.types(member, other) for member in left.members for other in rest)

    # --- one alternative and one other --------------------------------------------------------------------------------

    def pair(self, left: Atom, right: Atom) -> Included | Failing:
        """Every value of ``left`` is one of ``right``."""
        result = self._bodies(left, right)
        return self._checked(left, right) if isinstance(result, Included) else result

    def _checked(self, left: Atom, right: Atom) -> Included | Failing:
        for check in right.checks:
            if not self._passes(left, check):
                judged = Atom(body=ANYTHING, checks=(check,), origin=right.origin)
                return self._outside(left, judged, self.specimens.of(left), "a check cannot be proven to hold")
        return INCLUDED

    def _passes(self, left: Atom, check: Check) -> bool:
        """Checks are judged by the letter, whatever the receiver's policy."""
        exact = self.exact
        passes = entails(exact, left, check)
        while exact is not self and exact._todo:
            exact._settle()
            passes = entails(exact, left, check)
        return passes

    def _bodies(self, left: Atom, right: Atom) -> Included | Failing:
        match left.body, right.body:
            case _, AnyJson():
                return INCLUDED
            case _, Exactly(members=members):
                return self._one_of(left, members)
            case Values(values=values), _:
                # The checks of both are judged here as well, by value.
                sent = (value for value in values if takes(self.specimens.judge, left, value))
                refused = [value for value in sent if not takes(self.receives, right, value)]
                return Failing("a value is not taken", tuple(refused)) if refused else INCLUDED
            case Text() as one, Text() as other:
                if bounds.text_kept(one, other):
                    return INCLUDED
                offered = [*bounds.texts_beyond(one, other), *self.specimens.of(left)]
                return self._outside(left, right, offered, "texts of another length or pattern")
            case (Integer() | Number()) as one, (Integer() | Number()) as other:
                if bounds.number_kept(one, other):
                    return INCLUDED
                return self._outside(left, right, bounds.numbers_beyond(one, other), "numbers out of bounds")
            case (Boolean(), Boolean()) | (Null(), Null()):
                return INCLUDED
            case Items() as one, Items() as other:
                return structure.items(self, one, other)
            case Members() as one, Members() as other:
                return structure.members(self, one, other)
        return Failing("another kind of value", self.specimens.of(left))

    def _outside(self, left: Atom, right: Atom, offered: Iterable[JsonValue], reason: str) -> Failing:
        """A failure with those of the offered values that the left takes and the right does not."""
        judge = self.specimens.judge
        found = (value for value in offered if takes(judge, left, value) and not takes(self.receives, right, value))
        return Failing(reason, tuple(islice(found, 2)))

    def _one_of(self, left: Atom, members: tuple[Type, ...]) -> Included | Failing:
        """The left lies in one of the members and touches no other."""
        failures = []
        for index, member in enumerate(members):
            result = self._within(left, self.right.of(member), DEEPEST_SPLIT)
            if isinstance(result, Included):
                others = (*members[:index], *members[index + 1 :])
                if all(self.apart.of(left, other) for other in others):
                    return INCLUDED
                result = Failing("more than one alternative may take it", self.specimens.of(left))
            failures.append(result)
        return all_of(failures) if failures else Failing("no alternative takes it", self.specimens.of(left))


def _is_deep(value: JsonValue) -> bool:
    """The value has more levels than a witness may have."""
    level = [value]
    for _ in range(DEEPEST_WITNESS):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def _rank(result: Result) -> int:
    return (Included, Undecided, Refused).index(type(result))
