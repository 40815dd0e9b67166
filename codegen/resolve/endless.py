"""Definitions → problems of those that are defined by themselves without a step into the value.

Must not look at what a keyword is for: any way back to a definition that judges the same value means that no value can
ever be judged (JSON Schema 2020-12 core, 9.4.1). Composition by ``allOf`` is refused earlier, where it is flattened. Whether a
member of a choice has any values is not asked either: one that is endless has none.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.errors import Problem
from codegen.model import (
    Alias,
    All,
    Any,
    Check,
    Checked,
    Choice,
    Definition,
    Enum,
    ExactlyOne,
    If,
    Is,
    Key,
    Model,
    NonNull,
    Not,
    Nullable,
    Record,
    Ref,
    Seen,
    Type,
    Unevaluated,
    Union,
    When,
)
from codegen.resolve.flatten import endless


def problems(model: Model) -> list[Problem]:
    """One problem for each loop of definitions that judge the same value; what could not be read is passed over."""
    table = model.table()
    edges = {key: tuple(to for to in dict.fromkeys(_same_value(table[key])) if to in table) for key in table}
    done: set[Key] = set()
    found: list[Problem] = []
    for start in edges:
        path: dict[Key, None] = {}
        work: list[tuple[Key, Iterator[Key]]] = []
        if start not in done:
            path[start] = None
            work.append((start, iter(edges[start])))
        while work:
            key, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                path.pop(key)
                done.add(key)
            elif following in path:
                found.append(endless(table[following].origin))
            elif following not in done:
                path[following] = None
                work.append((following, iter(edges[following])))
    return list(dict.fromkeys(found))


def _same_value(definition: Definition) -> Iterator[Key]:
    match definition:
        case Union(choice=choice):
            yield from _in_type(choice)
        case Alias(type=type_):
            yield from _in_type(type_)
        case Enum() | Record():
            pass
    for check in definition.checks:
        yield from _in_check(check)


def _in_type(type_: Type) -> Iterator[Key]:
    match type_:
        case Ref(key=key):
            yield key
        case Nullable(inner=inner) | NonNull(inner=inner):
            yield from _in_type(inner)
        case Checked(inner=inner, checks=checks):
            yield from _in_type(inner)
            for check in checks:
                yield from _in_check(check)
        case Choice(members=members):
            for member in members:
                yield from _in_type(member.type)
        case _:
            pass


def _in_check(check: Check) -> Iterator[Key]:
    match check:
        case Is(type=type_):
            yield from _in_type(type_)
        case Not(check=inner) | When(check=inner):
            yield from _in_check(inner)
        case All(checks=checks) | Any(checks=checks) | ExactlyOne(checks=checks):
            for inner in checks:
                yield from _in_check(inner)
        case If(condition=condition, then=then, otherwise=otherwise):
            for part in (condition, then, otherwise):
                if part is not None:
                    yield from _in_check(part)
        case Unevaluated(seen=seen):
            yield from _in_seen(seen)
        case _:
            pass


def _in_seen(seen: tuple[Seen, ...]) -> Iterator[Key]:
    for part in seen:
        if part.when is not None:
            yield from _in_check(part.when)
        yield from _in_seen(part.inner)
