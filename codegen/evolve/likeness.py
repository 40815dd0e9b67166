"""Two models → which of their types mean the same, wherever they stand and whatever they are called.

Must not guess: two types are alike when they are spelled alike once names and references are looked through, recursion
included. Types that mean the same for deeper reasons are not found here, and ``inclusion`` finds many of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeAlias

from codegen.evolve.atoms import Atom, Atoms, Exactly, Items, Members, Values
from codegen.evolve.bounds import integer_bounds
from codegen.facts import kind_of
from codegen.model import (
    All,
    Any,
    AnyJson,
    Boolean,
    Check,
    Contains,
    Count,
    Each,
    ExactlyOne,
    Has,
    If,
    Integer,
    Is,
    JsonValue,
    Limit,
    MultipleOf,
    Not,
    Null,
    Number,
    Ref,
    Seen,
    Text,
    Type,
    Unevaluated,
    Unique,
    When,
)

_Node: TypeAlias = tuple[int, Hashable]
"""What a class is given to: the side, and the key of a record or else the identity of a type."""


class Likeness:
    """Signatures of types of both models: equal signatures, equal meaning.

    Objects, arrays and operands of checks get a class each, refined until no two of a class differ: the coarsest such
    partition, so that recursive shapes of two models meet in one class (as automata are minimised, round by round).
    """

    def __init__(self, *sides: Atoms) -> None:
        self._sides = sides
        self._nodes: dict[_Node, Members | Items | Type] = {}
        self._classes: dict[_Node, int] = {}
        self._fixed: dict[tuple[int, int], tuple[Type, Hashable]] = {}
        self._classed = False
        self._known: dict[tuple[int, int], tuple[Type, Hashable]] = {}
        for side, atoms in enumerate(sides):
            for definition in atoms.facts.model.definitions:
                self._signature(side, Ref(key=definition.key, origin=definition.origin))
        self._refine()

    def same(self, left: Type, right: Type) -> bool:
        """A type of the first model and one of the second accept the same values."""
        return self.signature(0, left) == self.signature(1, right)

    def signature(self, side: int, type_: Type) -> Hashable:
        """What a type of the model at ``side`` (0 or 1) has in common with all types that mean the same."""
        known = self._known.get((side, id(type_)))
        if known is not None:
            return known[1]
        found = self._signature(side, type_)
        if len(self._classes) < len(self._nodes):  # something that no definition holds
            self._refine()
            found = self._signature(side, type_)
        # The type is kept, so that its id is not given to another.
        self._known[side, id(type_)] = (type_, found)
        return found

    def atom(self, side: int, atom: Atom) -> Hashable:
        """As ``signature``, of one alternative."""
        return (self._body(side, atom.body), frozenset(self._check(side, check) for check in atom.checks))

    def check(self, side: int, check: Check) -> Hashable:
        """As ``signature``, of a check."""
        return self._check(side, check)

    def _refine(self) -> None:
        self._known.clear()
        classes = dict.fromkeys(self._nodes, 0)
        count = 0
        while True:
            self._classes = classes
            table: dict[Hashable, int] = {}
            refined = {}
            for node, thing in list(self._nodes.items()):
                shape = (classes[node], self._shape(node[0], thing))
                refined[node] = table.setdefault(shape, len(table))
            if len(table) == count and len(self._nodes) == len(classes):
                return
            count = len(table)
            classes = {node: refined.get(node, 0) for node in self._nodes}

    def _class(self, side: int, mark: Hashable, thing: Members | Items | Type) -> Hashable:
        self._classed = True
        node = (side, mark)
        self._nodes.setdefault(node, thing)
        return self._classes.get(node, 0)

    # --- signatures ---------------------------------------------------------------------------------------------------

    def _signature(self, side: int, type_: Type) -> Hashable:
        fixed = self._fixed.get((side, id(type_)))
        if fixed is not None:
            return fixed[1]
        before, self._classed = self._classed, False
        found = frozenset(self.atom(side, atom) for atom in self._sides[side].of(type_))
        if not self._classed:  # no refinement changes it
            self._fixed[side, id(type_)] = (type_, found)
        self._classed = self._classed or before
        return found

    def _body(self, side: int, body: object) -> Hashable:
        match body:
            case Members(record=record, type=type_):
                return ("object", self._class(side, id(type_) if record is None else record.key, body))
            case Items(type=type_):
                return ("array", self._class(side, id(type_), body))
            case Values(values=values):
                return ("values", frozenset(map(canonical, values)))
            case Exactly(members=members):
                return ("one", _bag(self._signature(side, type_) for type_ in members))
            case Text(min_length=low, max_length=high, patterns=patterns):
                return ("text", _bound(low), _bound(high), frozenset(pattern.source for pattern in patterns))
            case Integer(literal=literal):
                return ("integer", literal, *integer_bounds(body))
            case Number(minimum=low, maximum=high):
                return ("number", _bound(low), _bound(high))
            case Boolean() | Null() | AnyJson():
                return type(body).__name__
        raise AssertionError(body)

    def _shape(self, side: int, thing: Members | Items | Type) -> Hashable:
        """What a class is refined by."""
        match thing:
            case Members(rest=rest):
                declared = frozenset(
                    (name, one.required, self._signature(side, one.type)) for name, one in thing.declared.items()
                )
                patterns = frozenset(
                    (pattern.source, self._signature(side, type_)) for pattern, type_ in thing.patterns
                )
                return (declared, None if rest is None else self._signature(side, rest), patterns)
            case Items(prefix=prefix, rest=rest, low=low, high=high):
                items = tuple(self._signature(side, type_) for type_ in prefix)
                return (items, self._signature(side, rest), _bound(low), _bound(high))
            case type_:
                return self._signature(side, type_)

    def _operand(self, side: int, type_: Type) -> Hashable:
        return self._class(side, ("is", id(type_)), type_)

    def _check(self, side: int, check: Check) -> Hashable:
        match check:
            case Is(type=type_):
                return ("is", self._operand(side, type_))
            case Not(check=inner):
                return ("not", self._check(side, inner))
            case All(checks=checks):
                return ("all", frozenset(self._check(side, inner) for inner in checks))
            case Any(checks=checks):
                return ("any", frozenset(self._check(side, inner) for inner in checks))
            case ExactlyOne(checks=checks):
                return ("one", _bag(self._check(side, inner) for inner in checks))
            case If(condition=condition, then=then, otherwise=otherwise):
                branches = (None if branch is None else self._check(side, branch) for branch in (then, otherwise))
                return ("if", self._check(side, condition), *branches)
            case Has(name=name):
                return ("has", name)
            case When(name=name, check=inner):
                return ("when", name, self._check(side, inner))
            case Each(of=of, check=inner, pattern=pattern):
                return ("each", of, None if pattern is None else pattern.source, self._check(side, inner))
            case Contains(type=type_, minimum=low, maximum=high):
                return ("contains", self._operand(side, type_), _bound(low), _bound(high))
            case Count(of=of, minimum=low, maximum=high):
                return ("count", of, _bound(low), _bound(high))
            case MultipleOf(value=value):
                return ("multiple", value)
            case Unique():
                return "unique"
            case Unevaluated(of=of, seen=seen, type=type_):
                return ("rest", of, self._seen(side, seen), self._operand(side, type_))

    def _seen(self, side: int, seen: tuple[Seen, ...]) -> Hashable:
        return frozenset(
            (
                None if part.when is None else self._check(side, part.when),
                frozenset(part.names),
                frozenset(pattern.source for pattern in part.patterns),
                part.prefix,
                None if part.matching is None else self._operand(side, part.matching),
                part.all,
                self._seen(side, part.inner),
            )
            for part in seen
        )


def canonical(value: JsonValue) -> Hashable:
    """A form in which JSON values are equal as JSON has it: 1 is 1.0 and not true."""
    if isinstance(value, dict):
        return ("object", frozenset((name, canonical(inner)) for name, inner in value.items()))
    if isinstance(value, list):
        return ("array", tuple(map(canonical, value)))
    return (kind_of(value), value)


def _bound(limit: Limit | None) -> Hashable:
    return None if limit is None else (limit.value, limit.exclusive)


def _bag(signatures: Iterable[Hashable]) -> Hashable:
    counted: dict[Hashable, int] = {}
    for signature in signatures:
        counted[signature] = counted.get(signature, 0) + 1
    return frozenset(counted.items())
