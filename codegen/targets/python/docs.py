"""What the contract says about something → the text of a docstring.

Must not quote (``quoting`` does) nor judge: a docstring repeats the contract's words, then says what the types cannot.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.history import UNCHANGED, History, Past
from codegen.model import (
    AnyJson,
    Checked,
    Closed,
    Definition,
    Doc,
    Enum,
    Field,
    Integer,
    Limit,
    ListOf,
    MapOf,
    NonNull,
    Notes,
    Nullable,
    Number,
    Open,
    Record,
    Text,
    Type,
    Typed,
)
from codegen.targets import quoting
from codegen.targets.python.names import Names


def record(definition: Record, names: Names, history: History) -> str:
    """Meaning, mixins, what becomes of members that are not declared, and what became of it."""
    past = history.of(definition.key)
    parts = [said(definition.doc, definition.notes, past)]
    if definition.mixins:
        parts.append(f"Composes {listed([names.classes[mixin.key] for mixin in definition.mixins])}.")
    match definition.extras:
        case Closed(patterns=()):
            parts.append("Closed: the contract refuses other members.")
        case Closed():
            parts.append("Closed: other members only under the names that the contract's patterns admit.")
        case Open():
            parts.append("Open: other members may hold any JSON value.")
        case Typed():
            parts.append("Open: other members are typed.")
    return paragraphs([*parts, became(past)])


def definition(definition: Definition, history: History) -> str:
    """Meaning of an alias, a union or an enum, and what became of it; for an enum also that of its values."""
    past = history.of(definition.key)
    parts = [said(definition.doc, definition.notes, past)]
    if isinstance(definition, Enum):
        pasts = [history.of_value(definition.key, value.value) for value in definition.values]
        lines = [
            f"- {quoting.literal(value.value)}: {' '.join(filter(None, (said(value.doc, value.notes, own), became(own))))}"
            for value, own in zip(definition.values, pasts, strict=True)
            if value.doc.source or value.notes.deprecated or became(own)
        ]
        parts.append("\n".join(lines))
    return paragraphs([*parts, became(past)])


def field(member: Field, mechanical: bool, past: Past) -> str:
    """Meaning of a member, its bounds, its default, and what became of it. ``mechanical``: the wire name follows from the
    attribute."""
    facts = [*bounds(member.type), *travels(member.notes)]
    if member.default is not None:
        facts.append(f"Default, where it is absent: {quoting.literal(member.default.value)}.")
    if not mechanical:
        facts.append(f"On the wire: {quoting.text(member.wire_name)}.")
    return paragraphs([said(member.doc, member.notes, past), " ".join([*facts, became(past)])])


def told(member: Field, past: Past) -> str:
    """Meaning of a member, which way it travels, and what became of it."""
    return paragraphs([said(member.doc, member.notes, past), " ".join([*travels(member.notes), became(past)])])


def travels(notes: Notes) -> Iterator[str]:
    """Which way a member travels, and who may see it."""
    if notes.read_only:
        yield "Read-only: requests leave it out."
    if notes.write_only:
        yield "Write-only: responses leave it out."
    if notes.secret:
        yield "Secret: neither ``repr`` nor faults show it."


def bounds(type_: Type) -> Iterator[str]:
    """What a type demands beside its Python type, in words."""
    match type_:
        case Nullable(inner=inner) | Checked(inner=inner):
            yield from bounds(inner)
        case NonNull(inner=AnyJson()):
            yield "Any JSON value but null."
        case Integer(minimum=low, maximum=high) | Number(minimum=low, maximum=high):
            yield from _range(low, high, "")
        case Text(min_length=low, max_length=high, patterns=patterns):
            yield from _range(low, high, " characters")
            for pattern in patterns:
                yield (
                    f"Matches {quoting.text(pattern.source)}."
                    if pattern.format is None
                    else f"Format {pattern.format}."
                )
        case ListOf(min_items=low, max_items=high):
            yield from _range(low, high, " items")
        case MapOf(key_pattern=pattern) if pattern is not None:
            yield f"Names match {quoting.text(pattern.source)}."
        case _:
            pass


def _range(low: Limit | None, high: Limit | None, unit: str) -> Iterator[str]:
    words = []
    if low is not None:
        words.append(f"{'more than' if low.exclusive else 'at least'} {low.value}")
    if high is not None:
        words.append(f"{'less than' if high.exclusive else 'at most'} {high.value}")
    if words:
        text = ", ".join(words) + unit
        yield text[0].upper() + text[1:] + "."


def said(doc: Doc, notes: Notes, past: Past = UNCHANGED) -> str:
    """The contract's own words."""
    deprecated = (
        (f"Deprecated since {past.deprecated}." if past.deprecated else "Deprecated.") if notes.deprecated else ""
    )
    return f"{deprecated} {doc.source}".strip() if doc.source else deprecated


def became(past: Past) -> str:
    """Since when something is there, and in which versions it changed."""
    parts = [f"New in {past.since}."] if past.since else []
    if past.changed:
        parts.append(f"Changed in {listed(list(past.changed))}.")
    return " ".join(parts)


def listed(words: list[str]) -> str:
    """Words as an enumeration."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def paragraphs(parts: list[str]) -> str:
    """Parts that say something, a blank line between them."""
    return "\n\n".join(part.strip() for part in parts if part.strip())


def summary(definition: Definition) -> str:
    """The first sentence of a definition's meaning."""
    return definition.doc.summary or definition.doc.source
