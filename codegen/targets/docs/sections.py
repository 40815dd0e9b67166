"""Edition → its sections, every operation and definition in exactly one of them.

Must not drop what nobody listed: with an outline it is a problem, without one the kinds are the sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from codegen.edition import Edition
from codegen.errors import OutputError, Problem, shown
from codegen.facts import references
from codegen.model import Alias, Definition, Enum, Key, Operation, Record, Union
from codegen.outline import Outline, Section
from codegen.tables import quoted

ROLES = {"operations": "call", "webhooks": "webhook", "callbacks": "callback"}
KINDS = ("records", "unions", "enums", "aliases", "mixins")
_UNION = re.compile(r"members of (.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A section with its operations and definitions in reading order. ``outlined`` is what the outline says; None: a section
    by kind."""

    anchor: str
    kind: str
    outlined: Section | None
    operations: tuple[Operation, ...] = ()
    definitions: tuple[Definition, ...] = ()


def chapters(edition: Edition) -> tuple[Chapter, ...]:
    """The sections of an edition that hold something. Raises OutputError (``unlisted``) with each operation and definition that
    the outline lacks."""
    if not edition.outline.sections:
        return tuple(_by_kind(edition))
    taken = _placed(edition)
    called = {operation.name.spelled: operation for operation in edition.model.operations}
    asked = {called[name].key: s for s in edition.outline.sections for name in s.operations if name in called}
    problems = [
        *_unlisted(edition.outline, "operations", edition.model.operations, asked),
        *_unlisted(edition.outline, "members", edition.facts.public, taken),
    ]
    if problems:
        raise OutputError(problems)
    found = (
        Chapter(
            anchor=section.id,
            kind="",
            outlined=section,
            operations=tuple(called[name] for name in section.operations if name in called),
            definitions=tuple(edition.facts.definition(key) for key, at in taken.items() if at is section),
        )
        for section in edition.outline.sections
    )
    return tuple(chapter for chapter in found if chapter.operations or chapter.definitions)


def _unlisted(
    outline: Outline, what: str, ones: Iterable[Definition | Operation], placed: Mapping[Key, Section]
) -> Iterator[Problem]:
    """What stands in no section. The line to extend is that of the section which holds what comes before it in the contract,
    else that of the last one."""
    section = outline.sections[-1]
    lines: dict[str, str] = {}
    for one in ones:
        if one.key in placed:
            section = placed[one.key]
            continue
        if section.id not in lines:
            position = outline.source.locate(section.origin.at(what)) if outline.source else None
            lines[section.id] = f"{position.path}:{position.line}" if position else "outline.toml"
        help = f"add {quoted(one.name.spelled)} to {what} of section {shown(section.id)} in {lines[section.id]}"
        others = ", ".join(other.id for other in outline.sections if other is not section)
        message = f"{shown(one.name.spelled)} stands in no section of the reference"
        more = f", or of another: {others}" if others else ""
        yield Problem(code="unlisted", message=message, origin=one.origin, help=help + more)


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
    for kind, role in ROLES.items():
        operations = tuple(operation for operation in edition.model.operations if operation.role == role)
        if operations:
            yield Chapter(anchor=f"all-{kind}", kind=kind, outlined=None, operations=operations)
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
