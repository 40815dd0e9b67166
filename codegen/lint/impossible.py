"""Definitions and types → findings on those that no value can be of.

Must not report what somebody wrote on purpose: ``false`` says that nothing may stand there. What is reported is a cause, not
each place that suffers from it. Checks are looked at only where a value can simply be tried.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from codegen.errors import Problem, shown
from codegen.facts import references
from codegen.lint.subject import Subject, finding
from codegen.model import (
    Alias,
    Checked,
    Choice,
    Closed,
    Count,
    Definition,
    Enum,
    Integer,
    Key,
    Limit,
    ListOf,
    Literals,
    MapOf,
    Never,
    NonNull,
    Nullable,
    Number,
    Record,
    Ref,
    Text,
    TupleOf,
    Type,
    Union,
)
from codegen.pointer import Origin, parent

CODE = "impossible-schema"
HELP = "correct the contradiction, or write false if nothing may stand here"


def impossible(subject: Subject) -> Iterator[Problem]:
    """``impossible-schema``."""
    blamed: set[Key] = set()
    for definition in subject.definitions:
        for origin, why in _causes(subject, definition):
            blamed.add(definition.key)
            yield finding(CODE, f"no value is possible here: {why}", origin, HELP)
    possible = _possible(subject)
    for component in subject.facts.components:
        empty = [key for key in component if key not in possible and key not in subject.facts.judged]
        # A definition that needs another one that has no values has its cause there.
        needs = {used for key in empty for used in _needed(subject.facts.definition(key))}
        if empty and not needs - set(empty) - possible and not blamed & set(empty):
            definition = subject.facts.definition(empty[0])
            names = " and ".join(shown(subject.facts.definition(key).name.spelled) for key in empty)
            message = f"no value is possible here: {names} can only hold another of the kind, without an end"
            yield finding(CODE, message, definition.origin, "make a member on the way optional, or let it be null")


# --- causes -----------------------------------------------------------------------------------------------------------


def _causes(subject: Subject, definition: Definition) -> Iterator[tuple[Origin, str]]:
    for type_ in subject.types(definition):
        cause = _cause(subject, type_)
        if cause is not None:
            yield cause
    if isinstance(definition, Record):
        for field in definition.fields:
            if field.required_at is not None and _is_false(subject, field.type):
                yield field.required_at, f"{shown(field.wire_name)} is required, and nothing may stand there"
        for check in definition.checks:
            if isinstance(check, Count) and check.of == "members":
                yield from _counted(definition, check)
    if isinstance(definition, Enum) and definition.checks and not _accepted(subject, definition):
        yield definition.values_at, "none of the values passes what else the schema says"


def _counted(record: Record, check: Count) -> Iterator[tuple[Origin, str]]:
    crossed = _crossed(check.minimum, check.maximum)
    required = sum(field.required for field in record.fields)
    if crossed is not None:
        yield crossed
    elif check.maximum is not None and check.maximum.value < required:
        yield check.maximum.origin, f"{required} members are required, and {check.maximum.value} may be there"
    elif check.minimum is not None and check.minimum.value > _most(record):
        yield check.minimum.origin, f"of {len(record.fields)} declared members {check.minimum.value} must be there"


def _most(record: Record) -> float:
    """How many members the record can have."""
    closed = isinstance(record.extras, Closed) and not record.extras.patterns
    return len(record.fields) if closed else math.inf


def _cause(subject: Subject, type_: Type) -> tuple[Origin, str] | None:
    """Where and why the type itself, whatever it is made of, has no value; None where it has."""
    match type_:
        case Never(origin=origin, against=against):
            if _is_false(subject, type_):
                return None
            if _is_empty(subject, origin):
                return origin, "no value is listed"
            return origin, (
                "its assertions exclude each other" if against is None else f"{against} excludes what stands here"
            )
        case Text(min_length=low, max_length=high) | ListOf(min_items=low, max_items=high):
            return _crossed(low, high)
        case TupleOf(items=items, rest=rest, min_items=low, max_items=high):
            if low is not None and isinstance(rest, Never) and low.value > len(items):
                return low.origin, f"at least {low.value} items are asked for, and {len(items)} are allowed"
            return _crossed(low, high)
        case Integer(minimum=low, maximum=high):
            crossed = _crossed(low, high)
            if crossed is None and low is not None and high is not None and _first_integer(low) > _last_integer(high):
                return high.origin, f"no integer is between {low.value} and {high.value}"
            return crossed
        case Number(minimum=low, maximum=high):
            return _crossed(low, high)
        case Checked(inner=Literals(values=values, origin=origin)):
            if values and not any(subject.judge.accepts(type_, value) for value in values):
                return origin, "none of the values passes what else the schema says"
        case Checked(inner=inner, origin=origin):
            if subject.facts.kinds(inner) and not subject.facts.kinds(type_):
                return origin, "its assertions exclude each other"
        case _:
            pass
    return None


def _is_false(subject: Subject, type_: Type) -> bool:
    """Somebody wrote ``false``."""
    schema = subject.schema_at(type_.origin) if isinstance(type_, Never) else None
    return schema is not None and schema.boolean is False


def _is_empty(subject: Subject, origin: Origin) -> bool:
    schema = subject.schema_at(Origin(origin.document, parent(origin.pointer)))
    return schema is not None and schema.get("enum") == []


def _crossed(low: Limit | None, high: Limit | None) -> tuple[Origin, str] | None:
    if low is None or high is None or low.value < high.value:
        return None
    if low.value == high.value and not (low.exclusive or high.exclusive):
        return None
    if low.value == high.value:
        return high.origin, f"{low.value} is the only value between the bounds, and one of them excludes it"
    return high.origin, f"the upper bound {high.value} is below the lower bound {low.value}"


def _first_integer(low: Limit) -> int:
    return math.floor(low.value) + 1 if low.exclusive else math.ceil(low.value)


def _last_integer(high: Limit) -> int:
    return math.ceil(high.value) - 1 if high.exclusive else math.floor(high.value)


def _accepted(subject: Subject, enum: Enum) -> bool:
    return enum.open is not None or any(subject.judge.is_a(enum, value.value) for value in enum.values)


# --- what has values --------------------------------------------------------------------------------------------------


def _possible(subject: Subject) -> set[Key]:
    """The definitions that can be built, from the leaves up: the least fixed point."""
    found: set[Key] = set()
    for component in subject.facts.components:
        grown = True
        while grown:
            grown = False
            for key in component:
                if key not in found and _can_be(subject, subject.facts.definition(key), found):
                    found.add(key)
                    grown = True
    return found


def _can_be(subject: Subject, definition: Definition, known: set[Key]) -> bool:
    match definition:
        case Record(fields=fields):
            return all(_has_value(subject, field.type, known) for field in fields if field.required)
        case Enum():
            return _accepted(subject, definition)
        case Union(choice=choice):
            return _has_value(subject, choice, known)
        case Alias(type=type_):
            return _has_value(subject, type_, known)


def _has_value(subject: Subject, type_: Type, known: set[Key]) -> bool:
    if _cause(subject, type_) is not None or isinstance(type_, Never):
        return False
    match type_:
        case Ref(key=key):
            return key in known
        case ListOf(item=item, min_items=low):
            return low is None or low.value == 0 or _has_value(subject, item, known)
        case TupleOf(items=items, min_items=low):
            needed = items[: int(low.value)] if low is not None else ()
            return all(_has_value(subject, item, known) for item in needed)
        case NonNull(inner=inner):
            return subject.facts.kinds(inner) != {"null"} and _has_value(subject, inner, known)
        case Checked(inner=inner):
            return _has_value(subject, inner, known)
        case Choice(members=members):
            return any(_has_value(subject, member.type, known) for member in members)
        case Nullable() | MapOf():
            return True
        case _:
            return True


def _needed(definition: Definition) -> Iterator[Key]:
    """The definitions that a definition cannot do without, or chooses from."""
    match definition:
        case Record(fields=fields):
            yield from references(tuple(field.type for field in fields if field.required))
        case Union(choice=choice):
            yield from references((choice,))
        case Alias(type=type_):
            yield from references((type_,))
        case Enum():
            pass
