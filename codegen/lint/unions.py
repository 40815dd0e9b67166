"""Choices whose members are tried one after the other → findings that say what would tell the members apart.

Must not decide how members are told apart (``resolve`` did): a choice is reported because it is tried, and not because it looks
as if it had no tag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codegen.errors import Problem, shown
from codegen.facts import Facts
from codegen.lint.subject import Subject, finding
from codegen.model import ByTrial, Choice, JsonValue, Key, Member, Record

MOST = 4
"""Members that an advice names."""


def untaggable(subject: Subject) -> Iterator[Problem]:
    """``untaggable-union``: one at a time is slow, and one bad field becomes "no member accepts"."""
    for definition in subject.definitions:
        for type_ in subject.types(definition):
            if isinstance(type_, Choice) and type_.rest is None and isinstance(type_.dispatch, ByTrial):
                yield finding(
                    "untaggable-union",
                    f"{len(type_.members)} members are told apart by trial: {type_.dispatch.reason}",
                    type_.origin,
                    _advice(subject.facts, type_.members),
                )


def _advice(facts: Facts, members: Sequence[Member]) -> str:
    records: list[Record] = []
    for member in members:
        found = facts.records(member.type)
        if facts.kinds(member.type) != {"object"} or not found:
            return "let only one member accept each kind of JSON value"
        records += found
    pins = {field.wire_name: _pins(facts, records, field.wire_name) for r in records for field in r.fields}
    name = max(pins, key=lambda name: len(pins[name]), default="")
    pinned = pins.get(name, {})
    if len(pinned) * 2 < len(records):
        return 'give each member a required property with a constant of its own, such as "type"'
    optional = [record for record in records if record.key in pinned and not _field_required(record, name)]
    missing = [record for record in records if record.key not in pinned]
    if missing:
        return f"give {shown(name)} a constant of its own in {_named(missing)}, and require it"
    if optional:
        return f"require {shown(name)} in {_named(optional)}"
    holders: dict[JsonValue, list[Record]] = {}
    for record in records:
        for value in pinned[record.key]:
            holders.setdefault(value, []).append(record)
    for value, sharing in holders.items():
        if len(sharing) > 1:
            return f"{shown(name)} is {shown(value)} in {_named(sharing)}: give each a value of its own"
    return f"let {shown(name)} be the only thing that tells the members apart"


def _pins(facts: Facts, records: Sequence[Record], name: str) -> dict[Key, tuple[JsonValue, ...]]:
    """The literals of the property in each record that pins it."""
    found: dict[Key, tuple[JsonValue, ...]] = {}
    for record in records:
        for field in record.fields:
            if field.wire_name == name and (values := facts.pinned(field.type)) is not None:
                found[record.key] = values
    return found


def _field_required(record: Record, name: str) -> bool:
    return any(field.required for field in record.fields if field.wire_name == name)


def _named(records: Sequence[Record]) -> str:
    names = list(dict.fromkeys(record.name.spelled for record in records))
    if len(names) > MOST + 1:
        names = [*names[:MOST], f"{len(names) - MOST} others"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
