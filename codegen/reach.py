"""Types and a JSON Pointer → the types of what the pointer can lead to.

Must not judge documents: a pointer into documents leads somewhere if some document of the types can have a value there that
the contract declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from codegen.facts import Facts
from codegen.model import (
    Alias,
    AnyJson,
    Checked,
    Choice,
    Key,
    ListOf,
    MapOf,
    NonNull,
    Nullable,
    Record,
    Ref,
    TupleOf,
    Type,
    Typed,
    Union,
)
from codegen.pointer import split

POSITION = re.compile(r"-1|0|[1-9][0-9]*|\{[^{}]+\}")


def reached(facts: Facts, types: Iterable[Type], pointer: str) -> list[Type]:
    """What ``pointer`` leads to from values of ``types``; nothing where no such value has a place there. A position in a list
    may be spelled as a place for one (``{name}``), or as ``-1`` for the last."""
    found = list(types)
    for token in split(pointer):
        found = [inner for type_ in _plain(facts, found) for inner in _step(type_, token)]
    return found


def _plain(facts: Facts, types: list[Type]) -> list[Type | Record]:
    """Records, lists, maps and scalars that values of ``types`` are."""
    found: list[Type | Record] = []
    passed: set[Key] = set()
    todo = list(types)
    while todo:
        type_ = todo.pop(0)
        match type_:
            case Ref(key=key):
                if key not in passed:
                    passed.add(key)
                    definition = facts.definition(key)
                    match definition:
                        case Record():
                            found.append(definition)
                        case Union(choice=choice):
                            todo.append(choice)
                        case Alias(type=inner):
                            todo.append(inner)
                        case _:
                            pass
            case Nullable(inner=inner) | NonNull(inner=inner) | Checked(inner=inner):
                todo.append(inner)
            case Choice(members=members):
                todo += [member.type for member in members]
            case _:
                found.append(type_)
    return found


def _step(type_: Type | Record, token: str) -> list[Type]:
    match type_:
        case Record(fields=fields, extras=extras):
            declared = [field.type for field in fields if field.wire_name == token]
            return declared or ([extras.value] if isinstance(extras, Typed) else [])
        case MapOf(value=value):
            return [value]
        case AnyJson():
            return [type_]
        case ListOf(item=item):
            return [item] if POSITION.fullmatch(token) else []
        case TupleOf(items=items, rest=rest):
            return [*items, *([rest] if rest is not None else [])] if POSITION.fullmatch(token) else []
        case _:
            return []


def members(facts: Facts, types: Iterable[Type], name: str) -> list[Type]:
    """The types of the declared member ``name`` of objects of ``types``."""
    records = (type_ for type_ in _plain(facts, list(types)) if isinstance(type_, Record))
    return [field.type for record in records for field in record.fields if field.wire_name == name]
