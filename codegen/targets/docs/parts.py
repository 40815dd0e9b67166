"""A type → what the contract says of the parts that have no name: each item of a list, the item at a position.

Must not word anything. What an item's own definition says of itself is not said again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codegen.facts import Facts
from codegen.model import Checked, Choice, Doc, ListOf, MapOf, NonNull, Nullable, Ref, TupleOf, Type


@dataclass(frozen=True, slots=True)
class Part:
    """A part that is described. ``place``: its place in the catalogue, below what the type belongs to. ``number`` is the
    position of an item, from 1; 0 for each item of a list, -1 for each that follows those with a position."""

    place: str
    number: int
    doc: Doc


def parts(type_: Type, facts: Facts) -> Iterator[Part]:
    """The described parts of a type at any depth, outer ones first."""
    yield from _parts(type_, facts, "")


def _parts(type_: Type, facts: Facts, at: str) -> Iterator[Part]:
    match type_:
        case ListOf(item=item, doc=doc):
            yield from _part(item, doc, 0, facts, f"{at}.item")
        case TupleOf(items=items, rest=rest, docs=docs):
            listed = [*((item, number) for number, item in enumerate(items, 1)), *([(rest, -1)] if rest else [])]
            for (item, number), doc in zip(listed, docs, strict=False):
                place = f"{at}.rest" if number < 0 else f"{at}.item-{number}"
                yield from _part(item, doc, number, facts, place)
        case MapOf(value=inner) | Nullable(inner=inner) | NonNull(inner=inner) | Checked(inner=inner):
            yield from _parts(inner, facts, at)
        case Choice(members=members):
            for member in members:
                yield from _parts(member.type, facts, at)
        case _:
            pass


def _part(item: Type, doc: Doc, number: int, facts: Facts, place: str) -> Iterator[Part]:
    own = facts.definition(item.key).doc.source if isinstance(item, Ref) else ""
    if doc.source and doc.source != own:
        yield Part(place, number, doc)
    yield from _parts(item, facts, place)
