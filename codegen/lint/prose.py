"""What people read of a contract → findings where there is nothing to read, or a name that says nothing.

Must not judge prose: whether a description is good, no rule can say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.errors import Problem, shown
from codegen.lint.subject import Subject, finding
from codegen.model import Definition, Field, Key, Never, Record, Ref
from codegen.pointer import Origin
from codegen.tables import quoted

POSITIONAL = re.compile("(?:Variant|Item|Part|Pattern)[0-9]+")
"""A word that ``resolve`` takes from a position, for want of anything better."""


def undocumented(subject: Subject) -> Iterator[Problem]:
    """``undocumented-definition`` and ``undocumented-field``."""
    seen: set[Origin] = set()
    told = {definition.key for definition in subject.facts.public if definition.doc.source}
    for definition in subject.definitions:
        if not definition.doc.source and not definition.key.part and definition.key.pointer:
            message = f"{shown(definition.name.spelled)} has no description"
            yield finding("undocumented-definition", message, definition.origin, 'add a "description"')
            seen.add(definition.origin)  # which is a field's as well, where a shape stands in place
    for definition in subject.definitions:
        for field in definition.fields if isinstance(definition, Record) else ():
            if field.origin in seen or field.doc.source or _says_itself(subject, field, definition.key, told):
                continue
            seen.add(field.origin)
            message = f"{shown(field.wire_name)} of {shown(definition.name.spelled)} has no description"
            yield finding("undocumented-field", message, field.origin, 'add a "description"')


def _says_itself(subject: Subject, field: Field, key: Key, told: set[Key]) -> bool:
    """The field is declared elsewhere or nowhere, is never there, is pinned to a constant, or is of a definition that has a
    description."""
    if field.declared_in != key and field.declared_in in subject.facts.table:
        return True
    if field.origin == field.required_at or isinstance(field.type, Never):
        return True
    pinned = subject.facts.pinned(field.type)
    return (pinned is not None and len(pinned) == 1) or (isinstance(field.type, Ref) and field.type.key in told)


def positional(subject: Subject) -> Iterator[Problem]:
    """``positional-name``: a public name made of a position moves when something is inserted before it."""
    found: list[tuple[str, ...]] = []
    for definition in sorted(subject.definitions, key=lambda d: len(d.name.words)):
        words = definition.name.words
        if definition.name.source == "derived" and any(map(POSITIONAL.fullmatch, words)):
            if any(words[: len(above)] == above for above in found):
                continue  # named after one that is told already
            found.append(words)
            yield finding(
                "positional-name",
                f"the name {shown(definition.name.spelled)} comes from a position",
                definition.origin,
                f'give it a "title", or name it in outline.toml: [names] {quoted(_place(definition))} = "…"',
            )


def _place(definition: Definition) -> str:
    origin = definition.key.origin
    part = f"!{definition.key.part}" if definition.key.part else ""
    return (str(origin) if origin.document else f"#{origin.pointer}") + part
