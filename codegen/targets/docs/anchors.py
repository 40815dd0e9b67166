"""Edition → the anchor of every section, operation, definition, and of every part of these, each of them once.

Must not choose between two places that ask for one anchor: anchors are API, so people say in the outline which is which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from codegen.edition import Edition
from codegen.errors import OutputError, Problem, shown
from codegen.model import Key, Operation, Record
from codegen.pointer import Origin
from codegen.tables import bare

ANCHOR = re.compile(r"(?:[a-z0-9._-]|%[0-9A-F]{2})+")
"""What an anchor may be: it stands in addresses and attributes as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchors:
    """``definitions`` and ``operations`` by key, ``fields`` by key and wire name, ``former``: the anchors that a definition or
    an operation had before. ``names``: what prose can mention (``Name``, ``Name.field``) → its anchor."""

    definitions: Mapping[Key, str]
    operations: Mapping[Key, str]
    fields: Mapping[tuple[Key, str], str]
    former: Mapping[Key, tuple[str, ...]]
    names: Mapping[str, str]


@dataclass(slots=True)
class _Claims:
    """Who has which anchor."""

    holders: dict[str, tuple[str, Origin]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def claim(self, anchor: str, what: str, origin: Origin, line: str) -> None:
        """Give ``anchor`` to ``what``. ``line`` would settle a clash."""
        if not ANCHOR.fullmatch(anchor):
            message = f'the anchor of {shown(what)} is {shown(anchor)}, not of a-z, 0-9, ".", "_", "-" and %XX'
            self.problems.append(Problem(code="bad-anchor", message=message, origin=origin, help=line))
            return
        holder, place = self.holders.setdefault(anchor, (what, origin))
        if (holder, place) != (what, origin):
            message = f"the anchor {shown(anchor)} of {shown(what)} is that of {shown(holder)} at {place} as well"
            self.problems.append(Problem(code="anchor-clash", message=message, origin=origin, help=line))


def anchors(edition: Edition, sections: Iterable[str]) -> Anchors:
    """The anchors of an edition. ``sections``: the ids of its sections.

    Raises OutputError with every anchor that two places ask for (``anchor-clash``) and every one that is none (``bad-anchor``).
    """
    claims = _Claims()
    definitions: dict[Key, str] = {}
    fields: dict[tuple[Key, str], str] = {}
    former: dict[Key, tuple[str, ...]] = {}
    names: dict[str, str] = {}
    for definition in edition.facts.public:
        name = definition.name.spelled
        own = definitions[definition.key] = names[name] = definition.doc.anchor
        claims.claim(own, name, definition.origin, f'settle it in outline.toml: [anchors] {bare(name)} = "…"')
    for definition in edition.facts.public:
        if isinstance(definition, Record):
            _claim_fields(definition, claims, fields, names)
    operations = {operation.key: operation.doc.anchor for operation in edition.model.operations}
    for operation in edition.model.operations:
        _claim_operation(operation, claims, names)
    ledger = edition.ledger
    for one, entries in (
        *((definition, ledger.entries) for definition in edition.facts.public),
        *((operation, ledger.operations) for operation in edition.model.operations),
    ):
        entry = entries.get(one.name.spelled)
        former[one.key] = entry.former_anchors if entry else ()
        for anchor, name in zip(entry.former_anchors, entry.former, strict=True) if entry else ():
            claims.claim(anchor, f"{name} (now {one.name.spelled})", one.origin, "correct names.toml")
    for anchor in sections:
        # At the definition: the outline is no document of the contract, and its line is easily found by the id.
        _, place = claims.holders.get(anchor, ("", edition.model.origin))
        claims.claim(anchor, f"section {anchor}", place, "give the section another id in outline.toml")
    if claims.problems:
        raise OutputError(claims.problems)
    return Anchors(definitions=definitions, operations=operations, fields=fields, former=former, names=names)


def _claim_fields(record: Record, claims: _Claims, fields: dict[tuple[Key, str], str], names: dict[str, str]) -> None:
    for member in record.fields:
        anchor = member.doc.anchor
        what = f"{record.name.spelled}.{member.wire_name}"
        fields[record.key, member.wire_name] = anchor
        names.setdefault(what, anchor)  # a definition may be spelled so too, and is meant then
        claims.claim(anchor, what, member.origin, f'settle it in outline.toml: [anchors] {bare(what)} = "…"')


def _claim_operation(operation: Operation, claims: _Claims, names: dict[str, str]) -> None:
    """The anchor of an operation, and those of its parts, which follow from it. What is called like a definition is not
    mentioned in prose: the definition is."""
    name, own = operation.name.spelled, operation.doc.anchor
    line = f'settle it in outline.toml: [anchors] {bare(name)} = "…"'
    claims.claim(own, f"operation {name}", operation.origin, line)
    names.setdefault(name, own)
    for parameter in operation.parameters:
        claims.claim(parameter.doc.anchor, f"{name}.{parameter.name}", parameter.origin, line)
        names.setdefault(f"{name}.{parameter.name}", parameter.doc.anchor)
    if operation.body is not None:
        claims.claim(operation.body.doc.anchor, f"the body of {name}", operation.body.origin, line)
    for response in operation.responses:
        what = f"response {response.status} of {name}"
        # A response that several operations share stands at one place: it is told apart by the operation.
        claims.claim(response.doc.anchor, what, response.origin, line)
        for header in response.headers:
            claims.claim(header.doc.anchor, f"header {header.name} of {what}", header.origin, line)
