"""Arrays and objects of two versions → whether each one that is sent is received, item by item and member by member.

Must not judge whole documents: a witness found inside is put into its place here, and is judged by whoever asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codegen.evolve.atoms import Items, Members
from codegen.evolve.bounds import greatest_count, least_count
from codegen.evolve.reasons import UNDECLARED
from codegen.evolve.results import Failing, Included, Refused, Undecided, all_of
from codegen.model import JsonValue, Pattern, Type

if TYPE_CHECKING:
    from codegen.evolve.inclusion import Inclusion


def items(asked: Inclusion, left: Items, right: Items) -> Included | Failing:
    """Every array of ``left`` is one of ``right``."""
    return all_of(_items(asked, left, right))


def _items(asked: Inclusion, left: Items, right: Items) -> Iterator[Included | Failing]:
    low, high = least_count(left.low), greatest_count(left.high)
    least, most = least_count(right.low), greatest_count(right.high)
    make = asked.specimens.array
    if low < least:
        yield _failing("fewer items", make(left, {}))
    if most is not None and (high is None or high > most):
        beyond = asked.specimens.least(left.at(most))[:1]
        yield _failing("more items", make(left, dict(enumerate(beyond, most))) if beyond else None)
    for index in range(max(len(left.prefix), len(right.prefix)) + 1):
        if (high is not None and index >= high) or (most is not None and index >= most):
            return
        if not asked.left.of(left.at(index)):  # nothing can stand here, nor behind it
            return
        result = asked.ask(left.at(index), right.at(index))
        if isinstance(result, Refused):
            yield _failing("an item is not taken", make(left, {index: result.witness}))
        elif isinstance(result, Undecided):
            yield Failing(result.reason)


def members(asked: Inclusion, left: Members, right: Members) -> Included | Failing:
    """Every object of ``left`` is one of ``right``."""
    return all_of(_members(asked, left, right))


def _members(asked: Inclusion, left: Members, right: Members) -> Iterator[Included | Failing]:
    for name in {**left.declared, **right.declared}:
        one, other = left.declared.get(name), right.declared.get(name)
        if other is not None and other.required and not (one is not None and one.required):
            value = asked.specimens.object(left, {})
            if value is not None:
                value.pop(name, None)
            yield _failing(f'the member "{name}" may be missing', value)
        elif not (asked.policy.reserved and left.reserves(name)):
            yield from _member(asked, left, right, name)
    yield from _others(asked, left, right)


def _member(asked: Inclusion, left: Members, right: Members, name: str) -> Iterator[Failing]:
    """What may stand at one name."""
    views = left.views(name)
    if views is None or not all(asked.left.of(type_) for type_ in views):
        return  # it is never there
    wanted = right.views(name)
    if wanted is None:
        if not _drops(asked, right):
            yield _holding(asked, left, name, views, UNDECLARED)
        return
    for type_ in wanted:
        yield from _typed(asked, left, name, views, type_)


def _typed(asked: Inclusion, left: Members, name: str, views: tuple[Type, ...], wanted: Type) -> Iterator[Failing]:
    """A member ``name``, of all types in ``views``, is of ``wanted``."""
    answers = [asked.ask(view, wanted) for view in views]
    if any(isinstance(answer, Included) for answer in answers):
        return
    for answer in answers:
        if isinstance(answer, Refused):
            value = asked.specimens.object(left, {name: answer.witness})
            yield _failing(f'the member "{name}" is not taken', value)
        elif isinstance(answer, Undecided):
            yield Failing(answer.reason)


def _others(asked: Inclusion, left: Members, right: Members) -> Iterator[Failing]:
    """Members that neither side declares."""
    known = {pattern.source for pattern, _ in left.patterns}
    if left.rest is not None and asked.left.of(left.rest):
        name = asked.specimens.unlisted(left, right)
        if right.rest is not None:
            yield from _typed(asked, left, name, (left.rest,), right.rest)
        elif not _drops(asked, right):
            yield _holding(asked, left, name, (left.rest,), UNDECLARED)
        for pattern, type_ in right.patterns:
            if pattern.source not in known and not (left.open and not left.free and asked.policy.reserved):
                yield from _matching(asked, left, pattern, (left.rest,), type_)
    for pattern, type_ in left.patterns:
        if not asked.left.of(type_):
            continue
        for other, wanted in right.patterns:
            yield from _matching(asked, left, pattern, _views(left, pattern, other), wanted)
        if all(other.source != pattern.source for other, _ in right.patterns):
            if right.rest is not None:
                yield from _matching(asked, left, pattern, (type_,), right.rest)
            elif not _drops(asked, right):
                for name in asked.specimens.named(pattern, left)[:1]:
                    yield _holding(asked, left, name, (type_,), UNDECLARED)
                yield Failing("names that match a pattern are not declared")


def _views(left: Members, pattern: Pattern, other: Pattern) -> tuple[Type, ...]:
    """What a name that matches both patterns is certainly of."""
    return tuple(type_ for one, type_ in left.patterns if one.source in (pattern.source, other.source))


def _matching(
    asked: Inclusion, left: Members, pattern: Pattern, views: tuple[Type, ...], wanted: Type
) -> Iterator[Failing]:
    names = asked.specimens.named(pattern, left) or ("",)
    yield from _typed(asked, left, names[0], views, wanted)


def _drops(asked: Inclusion, right: Members) -> bool:
    """The receiver drops what a closed object does not declare; a map whose names are restricted is no such object."""
    return asked.policy.tolerant and not right.is_map


def _holding(asked: Inclusion, left: Members, name: str, views: tuple[Type, ...], what: str) -> Failing:
    """A failure that shows an object with a member ``name``."""
    for value in asked.specimens.least(views[0]):
        return _failing(f'the member "{name}" {what}', asked.specimens.object(left, {name: value}))
    return Failing(f'the member "{name}" {what}')


def _failing(reason: str, value: JsonValue) -> Failing:
    return Failing(reason, () if value is None else (value,))
