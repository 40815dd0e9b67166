"""A sender's alternative and a receiver's check → proof that each of its values passes, or none.

Must not take hope for proof: a check that says something new about a value is not entailed, and then only a document can tell.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from codegen.evolve.atoms import Atom, Declared, Items, Members
from codegen.evolve.bounds import greatest_count, least_count
from codegen.evolve.results import Included
from codegen.model import (
    All,
    Any,
    Check,
    Contains,
    Count,
    Each,
    Has,
    If,
    Integer,
    Is,
    Limit,
    MultipleOf,
    Not,
    Type,
    Unevaluated,
    Unique,
    When,
)

if TYPE_CHECKING:
    from codegen.evolve.inclusion import Inclusion


def entails(asked: Inclusion, left: Atom, check: Check) -> bool:
    """Every value of ``left`` passes ``check``."""
    sender, receiver = asked.signatures()
    wanted = asked.likeness.check(receiver, check)
    if any(asked.likeness.check(sender, own) == wanted for own in left.checks):
        return True
    if _is_silent(asked, left, check):
        return True
    match check:
        case Is(type=type_):
            return _is_within(asked, left, type_)
        case All(checks=checks):
            return all(entails(asked, left, inner) for inner in checks)
        case Any(checks=checks):
            return any(entails(asked, left, inner) for inner in checks)
        case If(then=then, otherwise=otherwise):
            return (then is None or entails(asked, left, then)) and (
                otherwise is None or entails(asked, left, otherwise)
            )
        case Not(check=Is(type=type_)):
            return asked.apart.of(left, type_)
        case MultipleOf(value=value):
            return any(
                isinstance(own, MultipleOf) and Fraction(own.value) % Fraction(value) == 0 for own in left.checks
            ) or (isinstance(left.body, Integer) and Fraction(1) % Fraction(value) == 0)
        case Count():
            return _counted(left, check)
    if isinstance(left.body, Members):
        return _object(asked, left, left.body, check)
    if isinstance(left.body, Items):
        return _array(asked, left.body, check)
    return False


def _is_silent(asked: Inclusion, left: Atom, check: Check) -> bool:
    """The check says nothing about the kinds of the atom."""
    match check:
        case Has() | When() | Each(of="names" | "values") | Count(of="members") | Unevaluated(of="members"):
            kind = "object"
        case Each(of="items") | Contains() | Count(of="items") | Unique() | Unevaluated(of="items"):
            kind = "array"
        case MultipleOf():
            kind = "number"
        case _:
            return False
    return kind not in asked.left.kinds(left)


def _is_within(asked: Inclusion, left: Atom, type_: Type) -> bool:
    return isinstance(asked.of_atoms((left,), asked.right.of(type_)), Included)


def _counted(left: Atom, check: Count) -> bool:
    """The shape alone, or a check that it has already, keeps the counts."""
    low: int | None = None
    high: int | None = None
    if isinstance(left.body, Members):
        low = sum(one.required for one in left.body.declared.values())
        if left.body.rest is None and not left.body.patterns:
            high = len(left.body.declared)
    elif isinstance(left.body, Items):
        low, high = least_count(left.body.low), greatest_count(left.body.high)
    for own in left.checks:
        if isinstance(own, Count) and own.of == check.of:
            low = max(low or 0, least_count(own.minimum))
            most = greatest_count(own.maximum)
            high = most if high is None else high if most is None else min(high, most)
    return _keeps(low or 0, high, check.minimum, check.maximum)


def _keeps(low: int, high: int | None, least: Limit | None, most: Limit | None) -> bool:
    bound = greatest_count(most)
    return low >= least_count(least) and (bound is None or (high is not None and high <= bound))


def _object(asked: Inclusion, left: Atom, body: Members, check: Check) -> bool:
    match check:
        case Has(name=name):
            return name in body.declared and body.declared[name].required
        case When(name=name, check=inner):
            views = body.views(name)
            if views is None or not all(asked.left.of(type_) for type_ in views):
                return True
            if asked.policy.reserved and body.reserves(name) and name in asked.names:
                return True
            there = {**body.declared, name: Declared(views[0], required=True)}
            return entails(asked, replace(left, body=replace(body, declared=there)), inner)
        case Each(of="values", pattern=None, check=Is(type=type_)):
            types = [one.type for one in body.declared.values()] + [inner for _, inner in body.patterns]
            types += [] if body.rest is None else [body.rest]
            return all(_included(asked, inner, type_) for inner in types)
    return False


def _array(asked: Inclusion, body: Items, check: Check) -> bool:
    low, high = least_count(body.low), greatest_count(body.high)
    places = [body.at(index) for index in range(len(body.prefix) + 1)]
    match check:
        case Each(of="items", check=Is(type=type_)):
            return all(_included(asked, place, type_) for place in places)
        case Unique():
            return high is not None and high <= 1
        case Contains(type=type_, minimum=least, maximum=None):
            sure = low
            if not all(_included(asked, place, type_) for place in places):
                sure = sum(_included(asked, place, type_) for place in body.prefix[:low])
            return sure >= least_count(least)
    return False


def _included(asked: Inclusion, left: Type, right: Type) -> bool:
    return isinstance(asked.ask(left, right), Included)
