"""Two models → what changed between them: every change with its places, and the shapes whose names changed alone.

Must not judge: verdicts ask the questions that come with the changes. Definitions that have a name are compared with one
another; whatever has none is compared where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from codegen.evolve import remarks
from codegen.evolve.atoms import Atom, Values
from codegen.evolve.changes import Change, Kind, Naming, Place
from codegen.evolve.inclusion import Side
from codegen.evolve.likeness import Likeness
from codegen.evolve.matching import Matching, is_named, match
from codegen.evolve.operations import Operations
from codegen.evolve.sites import HARMLESS, Claim, Claims, Found, Occurrence, Owner, Site
from codegen.evolve.walk import Walk
from codegen.facts import Facts
from codegen.ledger import Ledger
from codegen.model import Definition, Enum, Key, Operation, Record, Ref, Type, Union
from codegen.pointer import Origin


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Everything that differs. ``found`` in the order of the newer contract; ``owners`` are the definitions (and the root) that
    both versions have, whose documents are the messages. ``operations`` are those
    that both have, the older and the newer."""

    sides: tuple[Side, Side]
    likeness: Likeness
    matching: Matching
    found: tuple[Found, ...]
    namings: tuple[Naming, ...]
    owners: tuple[Owner, ...]
    operations: tuple[tuple[Operation, Operation], ...]

    @property
    def old(self) -> Facts:
        """The older model."""
        return self.sides[0].facts

    @property
    def new(self) -> Facts:
        """The newer model."""
        return self.sides[1].facts

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes alone."""
        return tuple(found.change for found in self.found)


def compare(old: Facts, new: Facts, ledger: Ledger | None = None) -> Comparison:
    """What changed from ``old`` to ``new``. ``ledger`` tells renamed definitions (its ``former`` names)."""
    sides = (Side(old), Side(new))
    likeness = Likeness(sides[0].atoms, sides[1].atoms)
    entries = ledger.entries if ledger is not None else {}
    former = {before: name for name, entry in entries.items() for before in entry.former}
    return _Comparing(sides, likeness, match(old, new, likeness, former), former).run()


class _Comparing:
    def __init__(
        self, sides: tuple[Side, Side], likeness: Likeness, matching: Matching, former: Mapping[str, str]
    ) -> None:
        self.sides, self.former = sides, former
        self.old, self.new = sides[0].facts, sides[1].facts
        self.likeness, self.matching = likeness, matching
        self.walk = Walk(*sides, likeness, matching)
        self.owners: list[Owner] = []

    def run(self) -> Comparison:
        """Compare every pair of definitions, then what is on one side alone."""
        for before, after in self._pairs():
            self._pair(before, after)
        self._roots()
        operations = Operations(self.walk, self.former)
        operations.run()
        self.owners += operations.owners
        renamed = self._met()
        for definition in self.old.public:
            if definition.key in renamed:
                self._renamed(definition, renamed[definition.key])
            elif is_named(definition) and definition.key not in self.matching.pairs:
                self._alone("definition-removed", definition, 0)
        for definition in self.new.public:
            if is_named(definition) and definition.key not in self.matching.inverse and not self._is_lifted(definition):
                self._alone("definition-added", definition, 1)
        order = {definition.key: index for index, definition in enumerate(self.new.model.definitions)}
        return Comparison(
            sides=self.sides,
            likeness=self.likeness,
            matching=self.matching,
            found=tuple(_merged(self.walk.found, order)),
            namings=tuple(self.walk.namings.values()),
            owners=tuple(self.owners),
            operations=tuple(operations.pairs),
        )

    def _pairs(self) -> list[tuple[Definition, Definition]]:
        """Matched definitions, in the order of the newer contract."""
        found = []
        for after in self.new.model.definitions:
            before = self.matching.inverse.get(after.key)
            if before is not None:
                found.append((self.old.definition(before), after))
        return found

    def _pair(self, before: Definition, after: Definition) -> None:
        types = (Ref(key=before.key, origin=before.origin), Ref(key=after.key, origin=after.origin))
        owner = Owner(after.name.spelled, *types, keys=(before.key, after.key), origins=(before.origin, after.origin))
        self.owners.append(owner)
        site = Site(owner, types, (before.origin, after.origin))
        if before.key in self.matching.renamed:
            self.walk.report(site, "definition-renamed", before=before.name.spelled, after=after.name.spelled)
        if before.key in self.matching.reused:
            other = self.new.definition(self.matching.reused[before.key])
            self._reused(before, other)
        remarks.of_definitions(self.walk, site, before.key, after.key)
        atoms = (self.walk.atoms[0].of(types[0]), self.walk.atoms[1].of(types[1]))
        if _sort(before, atoms[0]) != _sort(after, atoms[1]) and not self.likeness.same(*types):
            claims = (Claim(atoms[0], types[1]), Claim(atoms[1], types[0]))
            self._kinds(site, "kind-changed", before, after, claims)
        else:
            self.walk.types(site, top=True)

    def _reused(self, before: Definition, after: Definition) -> None:
        types: tuple[Type, Type] = (
            Ref(key=before.key, origin=before.origin),
            Ref(key=after.key, origin=after.origin),
        )
        owner = Owner(after.name.spelled, *types, keys=(before.key, after.key), origins=(before.origin, after.origin))
        self._kinds(Site(owner, types, (before.origin, after.origin)), "name-reused", before, after, HARMLESS)

    def _kinds(self, site: Site, kind: Kind, before: Definition, after: Definition, claims: Claims) -> None:
        self.walk.report(
            site,
            kind,
            claims,
            before=self._word(before, 0),
            after=self._word(after, 1),
            old=_shape_place(before),
            new=_shape_place(after),
        )

    def _word(self, definition: Definition, side: int) -> str:
        """The kind of a definition in words. An enumeration that takes other values, too, is an open one."""
        atoms = self.walk.atoms[side].of(Ref(key=definition.key, origin=definition.origin))
        is_open = isinstance(definition, Enum) and _sort(definition, atoms) != "enum"
        return ("open " if is_open else "") + type(definition).__name__.lower()

    def _roots(self) -> None:
        """A root that is no definition."""
        old, new = self.old.model.root, self.new.model.root
        if old is None or new is None or (isinstance(old, Ref) and isinstance(new, Ref) and self._is_paired(old, new)):
            return
        tops = (Origin("", ""), Origin("", ""))
        owner = Owner("", old, new, keys=None, origins=tops)
        self.owners.append(owner)
        self.walk.types(Site(owner, (old, new), (old.origin, new.origin)))

    def _is_paired(self, old: Ref, new: Ref) -> bool:
        return self.matching.pairs.get(old.key) == new.key

    def _is_lifted(self, definition: Definition) -> bool:
        """What the definition defines was there before, without a name or as the own fields of those that compose it now."""
        if definition.key in self.walk.lifted:
            return True
        users = [user for user, field in self.new.used_by.get(definition.key, ()) if field is None]
        composing = [key for key in users if self._composes(key, definition.key)]
        return isinstance(definition, Record) and any(key in self.matching.inverse for key in composing)

    def _composes(self, user: Key, key: Key) -> bool:
        record = self.new.definition(user)
        return isinstance(record, Record) and any(mixin.key == key for mixin in record.mixins)

    def _met(self) -> dict[Key, Definition]:
        """Old definitions that are gone → the new one that stands wherever they stood, and nowhere that another one did: they
        were renamed, and changed besides."""
        gone = {d.name.spelled: d for d in self.old.public if is_named(d) and d.key not in self.matching.pairs}
        come = {d.name.spelled: d for d in self.new.public if is_named(d) and d.key not in self.matching.inverse}
        pairs = {(naming.before, naming.after) for naming in self.walk.namings.values()}
        befores, afters = [before for before, _ in pairs], [after for _, after in pairs]
        return {
            gone[before].key: come[after]
            for before, after in sorted(pairs)
            if before in gone and after in come and befores.count(before) == afters.count(after) == 1
        }

    def _renamed(self, before: Definition, after: Definition) -> None:
        place = Place(definition=after.name.spelled, old=before.origin, new=after.origin)
        names = (before.name.spelled, after.name.spelled)
        change = Change(kind="definition-renamed", place=place, before=names[0], after=names[1])
        self.walk.found.append(Found(change, ()))

    def _alone(self, kind: Kind, definition: Definition, side: int) -> None:
        if side == 1 and definition.key in self.matching.reused.values():
            return
        words = type(definition).__name__.lower()
        place = Place(
            definition=definition.name.spelled,
            old=definition.origin if side == 0 else None,
            new=definition.origin if side == 1 else None,
        )
        change = Change(kind=kind, place=place, before="" if side else words, after=words if side else "")
        self.walk.found.append(Found(change, ()))


def _sort(definition: Definition, atoms: tuple[Atom, ...]) -> str:
    """What readers of a contract know a definition as: an object, a list of values, or something of several kinds."""
    if isinstance(definition, Record):
        return "record"
    return "enum" if atoms and all(isinstance(atom.body, Values) for atom in atoms) else "other"


def _shape_place(definition: Definition) -> Origin:
    """What gives the definition its kind."""
    return definition.choice.origin if isinstance(definition, Union) else definition.origin


def _merged(found: list[Found], order: Mapping[Key, int]) -> list[Found]:
    """One change per pair of places, told where it is written: what several definitions compose changes once."""
    groups: dict[object, list[Found]] = {}
    for one in found:
        change = one.change
        mark = (change.kind, change.place.old, change.place.new, change.before, change.after)
        groups.setdefault(mark, []).append(one)
    merged = []
    for group in groups.values():
        home = min(group, key=_distance)
        names = [one.change.place.definition for one in group if one is not home]
        shared = tuple(dict.fromkeys(name for name in names if name != home.change.place.definition))
        occurrences: tuple[Occurrence, ...] = tuple(o for one in (home, *group) for o in one.occurrences)
        merged.append(
            replace(home, change=replace(home.change, shared_by=shared), occurrences=tuple(dict.fromkeys(occurrences)))
        )
    return merged


def _distance(found: Found) -> int:
    """How much of the place lies outside of the definition that shows it: 0 where it is written right there."""
    place = found.change.place
    for side, origin in ((1, place.new), (0, place.old)):
        for occurrence in found.occurrences:
            keys = occurrence.owner.keys
            if origin is not None and keys is not None:
                key = keys[side]
                inside = origin.document == key.document and (origin.pointer + "/").startswith(key.pointer + "/")
                return -len(key.pointer) if inside else 1
    return 1
