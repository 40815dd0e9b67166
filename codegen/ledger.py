"""``names.toml`` → the public names of a contract, and the same with a new version's names added.

Must not name anything (``resolve`` does) nor write (``output`` does). Names and anchors are API: somebody imports them
and links to them, so an entry is added once and is then never changed, removed or given to another shape by the tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from codegen.errors import ManifestError, Problem, shown
from codegen.model import Definition, Key, Model, Operation
from codegen.pointer import Origin
from codegen.tables import Source, Table, bare, quoted, source
from codegen.versions import order


def anchor_of(name: str) -> str:
    """The anchor of a name: lower case, other characters than ``a-z0-9._-`` percent-encoded."""
    return quote(name.lower(), safe="._-").replace("~", "%7E")


def place(key: Key) -> str:
    """How the ledger spells a place: ``document#pointer``, and what tells its meanings apart where it has several."""
    part = f"!{key.part}" if key.part else ""
    return f"{key.origin}{part}" + "".join(f" {anchor}={bound}" for anchor, bound in key.scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One public name.

    ``anchor`` names its place in the reference pages. ``places`` says where the shape is in each version (``place``).
    ``former`` are names that the shape had in earlier versions, ``retired`` the version that gave the name up for good;
    both are written by people. ``attributes`` hold what a member is called where that is not the mechanical name.
    """

    anchor: str
    places: Mapping[str, str]
    former: tuple[str, ...] = ()
    retired: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def former_anchors(self) -> tuple[str, ...]:
        """The anchors of the former names."""
        return tuple(map(anchor_of, self.former))


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The entries of definitions by public name, and those of ``operations``, whose names are apart from these. ``frozen`` pins
    what versions assert, by a digest each. ``path`` is where messages say that they are written."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    operations: Mapping[str, Entry] = field(default_factory=dict)
    frozen: Mapping[str, str] = field(default_factory=dict)
    path: str = "names.toml"

    @cached_property
    def calls(self) -> Ledger:
        """The ledger of the operations alone: what holds for definitions holds for them."""
        return Ledger(entries=self.operations, path=self.path)

    @cached_property
    def _names(self) -> dict[str, dict[str, str]]:
        """Place → version → name."""
        names: dict[str, dict[str, str]] = {}
        for name, entry in self.entries.items():
            for version, where in entry.places.items():
                names.setdefault(where, {})[version] = name
        return names

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """Every version that has a name here, oldest first."""
        return tuple(sorted({version for entry in self.entries.values() for version in entry.places}, key=order))

    @cached_property
    def _former(self) -> dict[str, str]:
        return {former: name for name, entry in self.entries.items() for former in entry.former}

    def name_at(self, version: str, pointer: str) -> str | None:
        """The public name of the shape at a place: as pinned for ``version``, else for the newest earlier version.

        ``pointer`` is a JSON Pointer into the contract's root document, or a place as ``place`` spells it. A contract
        whose ``version`` is not known ("") has the newest names.
        """
        names = self._names.get(_place(pointer), {})
        if version in names:
            return names[version]
        earlier = [v for v in names if not version or order(v) < order(version)]
        return names[max(earlier, key=order)] if earlier else None

    def until(self, version: str) -> Ledger:
        """What was known when ``version`` was the newest: an edition looks back only, so that a new version changes none of
        the outputs of an old one. Nothing was frozen then that names depend on."""
        if not version:
            return self
        return Ledger(
            entries=_until(self.entries, version), operations=_until(self.operations, version), path=self.path
        )

    def anchor(self, name: str) -> str | None:
        """The anchor that ``name`` has for good."""
        entry = self.entries.get(name)
        return entry.anchor if entry else None

    def attribute(self, name: str, wire_name: str) -> str | None:
        """The attribute of the member ``wire_name`` of record ``name``, where it is not the mechanical one."""
        entry = self.entries.get(name)
        return entry.attributes.get(wire_name) if entry else None

    def refusal(self, name: str, version: str, where: str) -> str:
        """Why the shape at place ``where`` cannot be called ``name`` in ``version``; empty when it can."""
        entry = self.entries.get(name)
        pinned = entry.places.get(version) if entry else None
        if pinned is not None:
            return "" if pinned == where else f'the ledger has this name for "{pinned}"'
        if name in self._former:
            return f'it is a former name of "{self._former[name]}"'
        if entry is None:
            return ""
        if entry.retired and order(version) >= order(entry.retired):
            return f'it was retired in version "{entry.retired}"'
        held = [v for v in entry.places if order(v) < order(version)]
        last = max(held, key=order, default=None)
        # A name that went away and comes back must mean what it meant. One that is in each version may move: its
        # definition was declared under that name all along.
        dropped = [v for v in self.versions if last is not None and order(last) < order(v) < order(version)]
        if last is not None and dropped and entry.places[last] != where:
            return f'version "{dropped[0]}" dropped it, and it was the name of "{entry.places[last]}"'
        return ""


def _until(entries: Mapping[str, Entry], version: str) -> dict[str, Entry]:
    kept: dict[str, Entry] = {}
    for name, entry in entries.items():
        places = {v: where for v, where in entry.places.items() if order(v) <= order(version)}
        retired = entry.retired if entry.retired and order(entry.retired) <= order(version) else ""
        if places:
            kept[name] = replace(entry, places=places, retired=retired)
    return kept


def extend(ledger: Ledger, model: Model, version: str) -> Ledger:
    """``ledger`` with what ``version`` adds: new names, and the places of known ones. Nothing else in it changes.

    Raises ManifestError with every name that the ledger has given to another shape (``name-taken``) and every anchor
    that would move or is another's (``anchor-taken``). The places of the problems are the definitions in the contract.
    """
    anchors = {entry.anchor: name for book in (ledger, ledger.calls) for name, entry in book.entries.items()}
    problems: list[Problem] = []
    definitions = [definition for definition in model.definitions if definition.name.source != "pointer"]
    entries = _extended(ledger, definitions, version, anchors, problems)
    operations = _extended(ledger.calls, model.operations, version, anchors, problems)
    if problems:
        raise ManifestError(problems)
    return replace(ledger, entries=entries, operations=operations)


def freeze(ledger: Ledger, version: str, structure: str) -> Ledger:
    """``ledger`` with what ``version`` asserts pinned by its digest ``structure``.

    Raises ManifestError (``frozen-version``), at the contract, where it was another when it was pinned.
    """
    held = ledger.frozen.get(version)
    if held is None:
        return replace(ledger, frozen={**ledger.frozen, version: structure})
    if held != structure:
        message = f"version {shown(version)} asserts something else than when a newer version was made of it"
        help = (
            f"restore it, and make a new version: wirebound bump; or take its digest out of [frozen] in {ledger.path}"
        )
        raise ManifestError([Problem(code="frozen-version", message=message, origin=Origin("", ""), help=help)])
    return ledger


def _extended(
    ledger: Ledger,
    named: Iterable[Definition | Operation],
    version: str,
    anchors: dict[str, str],
    problems: list[Problem],
) -> dict[str, Entry]:
    """The entries with what ``version`` adds. ``anchors`` are those in use, with their names."""
    entries = dict(ledger.entries)
    for one in named:
        name, where = one.name.spelled, place(one.key)
        anchor = one.doc.anchor or name
        entry = entries.get(name)
        held = entry.anchor if entry else anchor
        owner = anchors.get(anchor, name)
        if why := ledger.refusal(name, version, where):
            help = f'name it in outline.toml: [names."{version}"] {quoted(where)} = "…"; or correct {ledger.path}'
            message = f"the name {shown(name)} cannot be given to this shape: {why}"
            problems.append(Problem(code="name-taken", message=message, origin=one.origin, help=help))
        elif anchor != held or owner != name or (entry is None and anchor in anchors):
            why = f"it was {shown(held)}" if anchor != held else f"that is the anchor of {shown(owner)}"
            help = f"state it in outline.toml: [anchors] {bare(name)} = {quoted(held if entry else '…')}"
            message = f"the anchor of {shown(name)} cannot be {shown(anchor)}: {why}"
            problems.append(Problem(code="anchor-taken", message=message, origin=one.origin, help=help))
        elif entry is None:
            entries[name] = Entry(anchor=anchor, places={version: where})
            anchors[anchor] = name
        elif version not in entry.places:
            entries[name] = replace(entry, places={**entry.places, version: where})
    return entries


def text(ledger: Ledger, command: str) -> str:
    """The file for ``ledger``: the same entries give the same text. ``command`` is what keeps it up to date."""
    lines = [
        "# The public names of this contract, and the place of each in every version. Names and anchors are API.",
        f"# `{command}` adds what is new; it changes, removes and re-uses nothing. Comments are not kept.",
        '# By hand: `former = ["…"]` for a name that the shape had before, `retired = "<version>"` for one given up.',
    ]
    for kind, entries in (("definitions", ledger.entries), ("operations", ledger.operations)):
        for name, entry in sorted(entries.items()):
            lines += ["", f"[{kind}.{bare(name)}]", f"anchor = {quoted(entry.anchor)}"]
            lines += [f"places.{quoted(v)} = {quoted(entry.places[v])}" for v in sorted(entry.places, key=order)]
            if entry.former:
                lines.append(f"former = [{', '.join(map(quoted, entry.former))}]")
            if entry.retired:
                lines.append(f"retired = {quoted(entry.retired)}")
            attributes = entry.attributes
            lines += [f"attributes.{bare(wire)} = {quoted(attributes[wire])}" for wire in sorted(attributes)]
    if ledger.frozen:
        lines += [
            "",
            "# What older versions assert, by a digest each: they can be described better, and stay what they are.",
        ]
        lines += ["[frozen]", *(f"{quoted(v)} = {quoted(ledger.frozen[v])}" for v in sorted(ledger.frozen, key=order))]
    return "\n".join(lines) + "\n"


def read(path: Path) -> Ledger:
    """The ledger at ``path``. Raises ManifestError for anything in it that cannot be followed."""
    return parse(source(path))


def parse(source: Source) -> Ledger:
    """The ledger that ``source`` spells: one place has one name in a version, one anchor belongs to one name."""
    problems: list[Problem] = []
    root = Table.of(source, problems)
    entries, operations = (_entries(root, kind) for kind in ("definitions", "operations"))
    frozen = root.texts("frozen")
    root.close()
    problems += _clashes({"definitions": entries, "operations": operations}, Origin(source.path, ""))
    if problems:
        raise ManifestError(problems, source.locate)
    return Ledger(entries=entries, operations=operations, frozen=frozen, path=source.path)


def _entries(root: Table, kind: str) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for name, table in root.named(kind):
        entries[name] = Entry(
            anchor=table.need("anchor"),
            places=table.texts("places"),
            former=table.strings("former") or (),
            retired=table.take("retired", str, ""),
            attributes=table.texts("attributes"),
        )
        table.close()
    return entries


def _clashes(kinds: Mapping[str, Mapping[str, Entry]], origin: Origin) -> Iterable[Problem]:
    anchors: dict[str, tuple[str, str]] = {}
    for kind, entries in kinds.items():
        for name, entry in entries.items():
            holder = anchors.setdefault(entry.anchor, (kind, name))
            if holder != (kind, name):
                yield Problem(
                    code="anchor-taken",
                    message=f"anchor {shown(entry.anchor)} belongs to {shown(holder[1])} already",
                    origin=origin.at(kind, name, "anchor"),
                    help="give each name an anchor of its own",
                )
        yield from _clashes_within(entries, origin.at(kind))


def _clashes_within(entries: Mapping[str, Entry], origin: Origin) -> Iterable[Problem]:
    places: dict[tuple[str, str], str] = {}
    former: dict[str, str] = {}
    for name, entry in entries.items():
        at = origin.at(name)
        for version, where in entry.places.items():
            if (holder := places.setdefault((version, where), name)) != name:
                yield Problem(
                    code="name-taken",
                    message=f"{shown(where)} is called {shown(holder)} in version {shown(version)} already",
                    origin=at.at("places", version),
                    help="keep one of the two lines",
                )
        for index, old in enumerate(entry.former):
            if (holder := former.setdefault(old, name)) != name or old == name:
                yield Problem(
                    code="name-taken",
                    message=f"{shown(old)} is a name of {shown(holder)} already",
                    origin=at.at("former", index),
                    help="keep one of the two",
                )


def _place(pointer: str) -> str:
    return f"#{pointer}" if not pointer or pointer.startswith("/") else pointer
