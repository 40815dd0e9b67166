"""Two types that stand at one place → every difference between them, down to the next definitions that have a name.

Must not judge, nor report what is only spelled differently: alternatives are paired by what they mean, and a pair that means
the same is looked into for its annotations alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from codegen.dump import check_text, literal, type_text
from codegen.evolve import bodies, remarks
from codegen.evolve.atoms import ANYTHING, Atom, Exactly, Items, Members, Values
from codegen.evolve.changes import Change, Kind, Naming, Place
from codegen.evolve.inclusion import Inclusion, Side
from codegen.evolve.likeness import Likeness, canonical
from codegen.evolve.matching import Matching, is_named
from codegen.evolve.policy import EXACT
from codegen.evolve.results import Included
from codegen.evolve.sites import HARMLESS, Claim, Claims, Found, Guard, Occurrence, Owner, Site
from codegen.evolve.spelling import handle, spelled_with
from codegen.model import Check, Integer, Key, Null, Number, Type
from codegen.pointer import Origin

_RESPELLED: frozenset[Kind] = frozenset(
    [
        "type-changed",
        "null-added",
        "null-removed",
        "member-added",
        "member-removed",
        "exclusivity-changed",
        "undeclared-changed",
        "pattern-member-added",
        "pattern-member-removed",
        "check-added",
        "check-removed",
    ]
)
"""Kinds of which a difference in words alone may look like one."""


class Walk:
    """Differences between two models, as they are found. ``lifted``: new definitions that were looked through, since what they
    define stood elsewhere before."""

    def __init__(self, old: Side, new: Side, likeness: Likeness, matching: Matching) -> None:
        self.sides = (old, new)
        self.facts = (old.facts, new.facts)
        self.atoms = (old.atoms, new.atoms)
        self.likeness, self.matching = likeness, matching
        self.found: list[Found] = []
        self.namings: dict[tuple[str, str, Place], Naming] = {}
        self.lifted: set[Key] = set()

    # --- what is found ------------------------------------------------------------------------------------------------

    def report(
        self,
        site: Site,
        kind: Kind,
        claims: Claims = HARMLESS,
        *,
        before: str = "",
        after: str = "",
        old: Origin | None = None,
        new: Origin | None = None,
        path: str = "",
        everywhere: bool = True,
    ) -> None:
        """Note a change. ``old`` and ``new`` are the places that are more exact than the site's; with ``everywhere`` off, a
        place that is not given does not exist."""
        places = (old or site.origins[0], new or site.origins[1]) if everywhere else (old, new)
        joint = "." if site.path and path and path[0] not in "[{" else ""
        place = Place(
            definition=site.owner.home or site.owner.name,
            path=site.path + joint + path,
            old=places[0],
            new=places[1],
        )
        change = Change(kind=kind, place=place, before=before, after=after)
        guards = () if claims is HARMLESS else site.guards
        occurrence = Occurrence(site.owner, site.steps, *claims, guards=guards)
        self.found.append(Found(change, (occurrence,)))

    def words(self, side: int, what: Type | Atom, owner: Owner | None = None) -> str:
        """A type, or one alternative (of ``owner``), in words."""
        if not isinstance(what, Atom):
            return type_text(what, self.facts[side])
        for key in reversed(what.keys):
            definition = self.facts[side].definition(key)
            own = owner is not None and owner.keys is not None and key == owner.keys[side]
            if definition.name.source != "pointer" and not own:
                return definition.name.spelled
        match what.body:
            case Values(values=values):
                return " | ".join(map(literal, values))
            case Members(type=map_) if map_ is not None:
                return type_text(map_, self.facts[side])
            case Items(type=type_) if type_ is not None:
                return type_text(type_, self.facts[side])
            case Members() | Items() | Exactly():
                return (
                    "object"
                    if isinstance(what.body, Members)
                    else "array" if isinstance(what.body, Items) else "choice"
                )
            case type_:
                return type_text(type_, self.facts[side])

    def _all_words(self, site: Site, side: int, atoms: tuple[Atom, ...], top: bool) -> str:
        if top:  # not by the name of the very definition that changed
            return " | ".join(self.words(side, atom, site.owner) for atom in atoms) or "never"
        return self.words(side, site.types[side]) if atoms else "never"

    def check_words(self, side: int, check: Check) -> str:
        """A check in words."""
        return check_text(check, self.facts[side])

    # --- types --------------------------------------------------------------------------------------------------------

    def types(self, site: Site, *, top: bool = False) -> None:
        """Compare what stands at a site. ``top``: the site is a definition itself."""
        start = len(self.found)
        self._types(site, top)
        own = [
            found
            for found in self.found[start:]
            if found.change.kind in _RESPELLED and found.occurrences[0].steps == site.steps
        ]
        if own and self._means_the_same(site):
            self.found[start:] = [found for found in self.found[start:] if found not in own]
            own = []
        if not own:
            self.lifted.update(key for key in spelled_with(site.types[1]) if key not in self.matching.inverse)

    def _means_the_same(self, site: Site) -> bool:
        """Whatever differs in words, the same values are legal: proven, for every reader of the letter."""
        (old, new), (left, right) = site.types, self.atoms
        forth = self._inclusions[0].between(left.of(old), right.of(new))
        return isinstance(forth, Included) and isinstance(
            self._inclusions[1].between(right.of(new), left.of(old)), Included
        )

    @cached_property
    def _inclusions(self) -> tuple[Inclusion, Inclusion]:
        old, new = self.sides
        forth = Inclusion(old, new, EXACT, self.likeness, searching=False)
        return forth, Inclusion(new, old, EXACT, self.likeness, forward=False, searching=False)

    def _types(self, site: Site, top: bool) -> None:
        old, new = site.types
        before, after = self.atoms[0].of(old), self.atoms[1].of(new)
        lefts, rights = (tuple(self._flat(side, atoms)) for side, atoms in ((0, before), (1, after)))
        exclusive = (lefts != before, rights != after)
        whole = (Claim(before, new), Claim(after, old))
        said = [self.atoms[side].is_exclusive(type_) for side, type_ in enumerate((old, new))]
        if any(exclusive) and said[0] != said[1]:
            self.report(
                site,
                "exclusivity-changed",
                whole,
                before="exactly one of" if said[0] else "any of",
                after="exactly one of" if said[1] else "any of",
            )
        inside = replace(site, guards=(*site.guards, Guard(site.steps, *whole))) if any(exclusive) else site
        lefts, rights, shared = self._without_shared(inside, lefts, rights, top)
        pairs, gone, come = self._paired(site, lefts, rights, top)
        for left, right in pairs:
            self._pair(inside, left, right, top)
        if (pairs or shared) and not top:
            self._named(site, handle(old), handle(new))
        if (gone or come) and not pairs and not shared:
            self.report(
                site,
                "type-changed",
                whole,
                before=self._all_words(site, 0, before, top),
                after=self._all_words(site, 1, after, top),
            )
            return
        for atom in gone:
            claims: Claims = (Claim((atom,), new), whole[1] if exclusive[0] else None)
            kind: Kind = "null-removed" if isinstance(atom.body, Null) else "member-removed"
            self.report(site, kind, claims, before=self.words(0, atom, site.owner), old=_below(atom.origin, site, 0))
        for atom in come:
            claims = (whole[0] if exclusive[1] else None, Claim((atom,), old))
            kind = "null-added" if isinstance(atom.body, Null) else "member-added"
            self.report(site, kind, claims, after=self.words(1, atom, site.owner), new=_below(atom.origin, site, 1))

    def _flat(self, side: int, atoms: tuple[Atom, ...]) -> Iterator[Atom]:
        """The alternatives, those of an exclusive choice one by one."""
        for atom in atoms:
            if not isinstance(atom.body, Exactly):
                yield atom
                continue
            for member in atom.body.members:
                for inner in self._flat(side, self.atoms[side].of(member)):
                    outside = (*atom.outside, *(len(atom.checks) + count for count in inner.outside))
                    yield replace(
                        inner,
                        checks=(*atom.checks, *inner.checks),
                        keys=(*atom.keys, *inner.keys),
                        outside=outside,
                    )

    # --- pairs --------------------------------------------------------------------------------------------------------

    def _without_shared(
        self, site: Site, lefts: tuple[Atom, ...], rights: tuple[Atom, ...], top: bool
    ) -> tuple[tuple[Atom, ...], tuple[Atom, ...], bool]:
        """The alternatives without those of definitions that stand here in both versions, which are compared elsewhere; and
        whether there are such. What narrows them here is compared here."""
        owner = site.owner.keys if top else None
        groups: tuple[dict[Key, list[Atom]], dict[Key, list[Atom]]] = ({}, {})
        for side, atoms in enumerate((lefts, rights)):
            for atom in atoms:
                for key in atom.keys:
                    if owner is None or key != owner[side]:
                        groups[side].setdefault(key, []).append(atom)
        rest = [list(lefts), list(rights)]
        met = False
        for key, before in groups[0].items():
            other = self.matching.pairs.get(key)
            after = groups[1].get(other, []) if other is not None else []
            if other is None or not (set(before) & set(rest[0]) and set(after) & set(rest[1])):
                continue  # it does not stand here in both, or stands here inside of one that does
            narrowings = [
                {frozenset(self.likeness.check(side, check) for check in _outside(atom, k)) for atom in atoms}
                for side, (k, atoms) in enumerate(((key, before), (other, after)))
            ]
            if narrowings[0] != narrowings[1]:
                if len(narrowings[0]) > 1 or len(narrowings[1]) > 1:
                    continue  # it stands here more than once, narrowed in different ways
                checks = (_outside(before[0], key), _outside(after[0], other))
                self._checks(site, tuple(before), tuple(after), *checks)
            met = True
            rest = [
                [atom for atom in side if atom not in gone] for side, gone in zip(rest, (before, after), strict=True)
            ]
        return tuple(rest[0]), tuple(rest[1]), met

    def _paired(
        self, site: Site, lefts: tuple[Atom, ...], rights: tuple[Atom, ...], top: bool
    ) -> tuple[list[tuple[Atom, Atom]], list[Atom], list[Atom]]:
        """Alternatives that belong together, those that went and those that came. The surest signs come first."""
        gone, come = list(lefts), list(rights)
        pairs: list[tuple[Atom, Atom]] = []
        for sign in (self.likeness.atom, self._tag, self._name, self._sort):
            before: dict[object, list[Atom]] = {}
            after: dict[object, list[Atom]] = {}
            for side, atoms, groups in ((0, gone, before), (1, come, after)):
                for atom in atoms:
                    if (mark := sign(side, atom)) is not None:
                        groups.setdefault(mark, []).append(atom)
            for mark, group in before.items():
                others = after.get(mark, [])
                if len(group) != len(others):
                    continue
                for left, right in zip(group, others, strict=True):
                    strangers = self._is_known(site, 0, left, top) and self._is_known(site, 1, right, top)
                    if sign == self.likeness.atom or not strangers:
                        pairs.append((left, right))
                        gone.remove(left)
                        come.remove(right)
        return pairs, gone, come

    def _is_known(self, site: Site, side: int, atom: Atom, top: bool) -> bool:
        """The atom is a definition that the other version has too, and has elsewhere."""
        known = self.matching.inverse if side else self.matching.pairs
        own = top and site.owner.keys is not None and atom.keys[-1:] == (site.owner.keys[side],)
        return bool(atom.keys) and atom.keys[-1] in known and not own

    def _tag(self, side: int, atom: Atom) -> object:
        """A required member that has one value, if the atom is an object: the first one in name order."""
        if not isinstance(atom.body, Members):
            return None
        for name, one in sorted(atom.body.declared.items()):
            pinned = self.facts[side].pinned(one.type) if one.required else None
            if pinned is not None and len(pinned) == 1:
                return (name, canonical(pinned[0]))
        return None

    def _name(self, side: int, atom: Atom) -> object:
        """The kind of the atom and its name, where it has one."""
        if not atom.keys:
            return None
        return (self._sort(side, atom), self.facts[side].definition(atom.keys[-1]).name.spelled)

    def _sort(self, side: int, atom: Atom) -> object:
        """The kind of the atom."""
        if isinstance(atom.body, Integer | Number):
            return "number"
        return type(atom.body)

    def _pair(self, site: Site, left: Atom, right: Atom, top: bool) -> None:
        own = site.owner.keys if top else None
        keys = [
            next((key for key in reversed(atom.keys) if own is None or key != own[side]), None)
            for side, atom in enumerate((left, right))
        ]
        self._named(site, keys[0], keys[1])
        if left.keys and right.keys:
            pair = (left.keys[-1], right.keys[-1])
            if pair in site.seen:
                return
            site = replace(site, seen=site.seen | {pair})
            if not top or pair != site.owner.keys:
                remarks.of_definitions(self, site, *pair)
        self._checks(site, (left,), (right,), left.checks, right.checks)
        bodies.compare(self, site, left, right)

    def _named(self, site: Site, old: Key | None, new: Key | None) -> None:
        """A shape that has a name in one version, or another name in the other."""
        if old is not None and old in self.matching.pairs:
            return  # it is there in both, by that name
        names = []
        for side, key in enumerate((old, new)):
            definition = None if key is None else self.facts[side].definition(key)
            names.append(definition if definition is not None and definition.name.source != "pointer" else None)
        before, after = names
        if after is not None and is_named(after) and after.key not in self.matching.inverse:
            self.lifted.add(after.key)
        if before is not None and after is not None:
            if before.name.spelled == after.name.spelled and is_named(before) == is_named(after):
                return
        elif before is None and after is None:
            return
        name = site.owner.home or site.owner.name
        place = Place(definition=name, path=site.path, old=site.origins[0], new=site.origins[1])
        naming = Naming(
            place=place,
            before=before.name.spelled if before else "",
            after=after.name.spelled if after else "",
        )
        self.namings[naming.before, naming.after, place] = naming

    def _checks(
        self,
        site: Site,
        lefts: tuple[Atom, ...],
        rights: tuple[Atom, ...],
        before: tuple[Check, ...],
        after: tuple[Check, ...],
    ) -> None:
        marks = [[self.likeness.check(side, check) for check in checks] for side, checks in enumerate((before, after))]
        for check, mark in zip(before, marks[0], strict=True):
            if mark not in marks[1]:
                claim = Claim(rights, (_checked(check),))
                words = self.check_words(0, check)
                self.report(site, "check-removed", (None, claim), before=words, old=_check_place(check, site, 0))
        for check, mark in zip(after, marks[1], strict=True):
            if mark not in marks[0]:
                claim = Claim(lefts, (_checked(check),))
                words = self.check_words(1, check)
                self.report(site, "check-added", (claim, None), after=words, new=_check_place(check, site, 1))


def _outside(atom: Atom, key: Key) -> tuple[Check, ...]:
    """The checks that narrow the definition at ``key`` where it stands."""
    return atom.checks[: atom.outside[atom.keys.index(key)]]


def _below(origin: Origin, site: Site, side: int) -> Origin | None:
    """A place inside of the site; None where it is elsewhere, since the site itself is what changed then."""
    at = site.origins[side]
    return origin if origin.document == at.document and (origin.pointer + "/").startswith(at.pointer + "/") else None


def _checked(check: Check) -> Atom:
    return Atom(body=ANYTHING, checks=(check,), origin=ANYTHING.origin)


def _check_place(check: Check, site: Site, side: int) -> Origin:
    origin: Origin | None = getattr(check, "origin", None)
    return origin or site.origins[side]
