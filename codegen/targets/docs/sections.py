"""Edition → its sections, every definition in exactly one of them.

Must not drop a definition that nobody listed: with an outline it is a problem, without one the kinds are the sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from codegen.edition import Edition
from codegen.errors import OutputError, Problem, shown
from codegen.facts import references
from codegen.model import Alias, Definition, Enum, Key, Record, Union
from codegen.outline import Section

KINDS = ("records", "unions", "enums", "aliases", "mixins")
_UNION = re.compile(r"members of (.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A section with its definitions in reading order. ``outlined`` is what the outline says; None: a section by kind."""

    anchor: str
    kind: str
    outlined: Section | None
    definitions: tuple[Definition, ...]


def chapters(edition: Edition) -> tuple[Chapter, ...]:
    """The sections of an edition that have definitions. Raises OutputError (``unlisted``) with each that the outline lacks."""
    if not edition.outline.sections:
        return tuple(_by_kind(edition))
    taken = _placed(edition)
    problems = [
        Problem(
            code="unlisted",
            message=f"{shown(definition.name.spelled)} stands in no section of the reference",
            origin=definition.origin,
            help=f"list it in outline.toml, in the members of a section: {', '.join(s.id for s in edition.outline.sections)}",
        )
        for definition in edition.facts.public
        if definition.key not in taken
    ]
    if problems:
        raise OutputError(problems)
    return tuple(
        Chapter(
            anchor=section.id,
            kind="",
            outlined=section,
            definitions=tuple(edition.facts.definition(key) for key, at in taken.items() if at is section),
        )
        for section in edition.outline.sections
        if any(at is section for at in taken.values())
    )


def _placed(edition: Edition) -> dict[Key, Section]:
    """The section of each definition, in reading order.

    A name stands where it is listed. A union's members or a pattern stand for what no section lists by name and no earlier line
    has taken, dependencies first.
    """
    named = {definition.name.spelled: definition.key for definition in edition.facts.public}
    listed = {named[member] for s in edition.outline.sections for member in s.members if member in named}
    taken: dict[Key, Section] = {}
    for section in edition.outline.sections:
        for member in section.members:
            keys = (
                [named[member]] if member in named else [k for k in _meant(member, edition, named) if k not in listed]
            )
            for key in keys:
                taken.setdefault(key, section)
    return taken


def _meant(member: str, edition: Edition, named: Mapping[str, Key]) -> list[Key]:
    """What a line of an outline stands for that is no name of this version."""
    if union := _UNION.fullmatch(member):
        definition = edition.facts.table.get(named[union[1]]) if union[1] in named else None
        choice = definition.choice if isinstance(definition, Union) else None
        wanted = set(references(tuple(m.type for m in choice.members))) if choice else set()
    elif set("*?[") & set(member):
        wanted = {key for name, key in named.items() if fnmatchcase(name, member)}
    else:
        wanted = set()  # a name that only another version has
    return [key for key in edition.facts.order if key in wanted]


def _by_kind(edition: Edition) -> Iterator[Chapter]:
    for kind in KINDS:
        keys = {definition.key for definition in edition.facts.public if kind_of(definition) == kind}
        if keys:
            definitions = tuple(edition.facts.definition(key) for key in edition.facts.order if key in keys)
            yield Chapter(anchor=f"all-{kind}", kind=kind, outlined=None, definitions=definitions)


def kind_of(definition: Definition) -> str:
    """The kind by which a definition is grouped where there is no outline."""
    match definition:
        case Record(is_mixin=is_mixin):
            return "mixins" if is_mixin else "records"
        case Union():
            return "unions"
        case Enum():
            return "enums"
        case Alias():
            return "aliases"
