"""A type → the definitions that it is spelled with at its own place.

Must not follow references: what a definition is made of is its own affair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from codegen.model import Checked, Choice, Key, NonNull, Nullable, Ref, Type
from codegen.pointer import Origin


def handle(type_: Type) -> Key | None:
    """The definition that a type refers to, whatever narrows it."""
    while isinstance(type_, Nullable | NonNull | Checked):
        type_ = type_.inner
    return type_.key if isinstance(type_, Ref) else None


def spelled_with(type_: Type) -> Iterator[Key]:
    """The definitions that a type is spelled with at its own place: in its alternatives, and anywhere in its checks."""
    match type_:
        case Ref(key=key):
            yield key
        case Nullable(inner=inner) | NonNull(inner=inner):
            yield from spelled_with(inner)
        case Checked(inner=inner, checks=checks):
            yield from spelled_with(inner)
            yield from (key for check in checks for key in _mentioned(check))
        case Choice(members=members):
            yield from (key for member in members for key in spelled_with(member.type))


def _mentioned(thing: object) -> Iterator[Key]:
    if isinstance(thing, Ref):
        yield thing.key
    elif isinstance(thing, tuple):
        yield from (key for inner in thing for key in _mentioned(inner))
    elif is_dataclass(thing) and not isinstance(thing, Key | Origin):
        yield from (key for part in fields(thing) for key in _mentioned(getattr(thing, part.name)))
