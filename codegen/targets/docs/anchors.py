"""Edition → the anchor of every section, definition and field, each of them once.

Must not choose between two places that ask for one anchor: anchors are API, so people say in the outline which is which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from codegen.edition import Edition
from codegen.errors import OutputError, Problem, shown
from codegen.model import Definition, Key, Record
from codegen.pointer import Origin
from codegen.tables import bare

ANCHOR = re.compile(r"(?:[a-z0-9._-]|%[0-9A-F]{2})+")
"""What an anchor may be: it stands in addresses and attributes as it is."""


def anchor_of(name: str) -> str:
    """The anchor of a name: lower case, other characters than ``a-z0-9._-`` percent-encoded."""
    return quote(name.lower(), safe="._-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchors:
    """``definitions`` by key, ``fields`` by key and wire name, ``former``: the anchors that a definition had before.
    ``names``: what prose can mention (``Name``, ``Name.field``) → its anchor."""

    definitions: Mapping[Key, str]
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
        own = definitions[definition.key] = names[name] = definition.doc.anchor or anchor_of(name)
        claims.claim(own, name, definition.origin, f'settle it in outline.toml: [anchors] {bare(name)} = "…"')
    for definition in edition.facts.public:
        if isinstance(definition, Record):
            _claim_fields(definition, definitions[definition.key], claims, fields, names)
        former[definition.key] = _former(edition, definition, claims)
    for anchor in sections:
        # At the definition: the outline is no document of the contract, and its line is easily found by the id.
        _, place = claims.holders.get(anchor, ("", edition.model.origin))
        claims.claim(anchor, f"section {anchor}", place, "give the section another id in outline.toml")
    if claims.problems:
        raise OutputError(claims.problems)
    return Anchors(definitions=definitions, fields=fields, former=former, names=names)


def _claim_fields(
    record: Record, own: str, claims: _Claims, fields: dict[tuple[Key, str], str], names: dict[str, str]
) -> None:
    for member in record.fields:
        anchor = member.doc.anchor or f"{own}.{anchor_of(member.wire_name)}"
        what = f"{record.name.spelled}.{member.wire_name}"
        fields[record.key, member.wire_name] = anchor
        names.setdefault(what, anchor)  # a definition may be spelled so too, and is meant then
        claims.claim(anchor, what, member.origin, f'settle it in outline.toml: [anchors] {bare(what)} = "…"')


def _former(edition: Edition, definition: Definition, claims: _Claims) -> tuple[str, ...]:
    entry = edition.ledger.entries.get(definition.name.spelled)
    found = tuple(anchor_of(name) for name in entry.former) if entry else ()
    for anchor, name in zip(found, entry.former if entry else (), strict=True):
        claims.claim(anchor, f"{name} (now {definition.name.spelled})", definition.origin, "correct names.toml")
    return found
