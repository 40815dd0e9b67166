"""Two models → which definition of the newer one is which of the older.

Must not be clever about likeness: a definition is renamed when the ledger says so, when its shape is the only one of its kind
among those that went and those that came, or when it has all members of one that went and shares its name's words.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from codegen.evolve.likeness import Likeness
from codegen.facts import Facts
from codegen.model import Alias, Definition, Key, Record, Ref


def is_named(definition: Definition) -> bool:
    """The contract itself gives the definition its name. Other shapes are known by where they stand."""
    return definition.name.source == "declared" or (definition.key.pointer == "" and not definition.key.part)


@dataclass(frozen=True, slots=True)
class Matching:
    """``pairs``: old key → new key; ``inverse`` the other way round. ``renamed``: the old ones whose names differ, ``stated``:
    those of them that the ledger knows. ``reused``: old key → the new definition that has its name now."""

    pairs: Mapping[Key, Key]
    renamed: frozenset[Key]
    reused: Mapping[Key, Key]
    stated: frozenset[Key]
    inverse: Mapping[Key, Key] = field(default_factory=dict)


class _Match:
    def __init__(self, old: Facts, new: Facts, likeness: Likeness) -> None:
        self.likeness = likeness
        self.old = {d.key: d for d in old.public if is_named(d)}
        self.new = {d.key: d for d in new.public if is_named(d)}
        self.pairs: dict[Key, Key] = {}
        self.renamed: set[Key] = set()
        self.reused: dict[Key, Key] = {}
        self.stated: set[Key] = set()

    def add(self, old: Definition, new: Definition) -> None:
        del self.old[old.key], self.new[new.key]
        self.pairs[old.key] = new.key
        if old.name.spelled != new.name.spelled:
            self.renamed.add(old.key)

    def shape(self, side: int, definition: Definition) -> Hashable:
        return self.likeness.signature(side, Ref(key=definition.key, origin=definition.origin))


def match(old: Facts, new: Facts, likeness: Likeness, former: Mapping[str, str]) -> Matching:
    """``former``: names of the older version → what the ledger says that they became."""
    found = _Match(old, new, likeness)
    _by_ledger(found, former)
    _by_name(found, {key for key, users in old.used_by.items() if users})
    _by_shape(found)
    _by_members(found)
    inverse = {after: before for before, after in found.pairs.items()}
    return Matching(found.pairs, frozenset(found.renamed), found.reused, frozenset(found.stated), inverse)


def _by_ledger(found: _Match, former: Mapping[str, str]) -> None:
    names = {definition.name.spelled: definition for definition in found.new.values()}
    for definition in list(found.old.values()):
        name = former.get(definition.name.spelled)
        if name in names and definition.name.spelled not in names:
            found.stated.add(definition.key)
            found.add(definition, names[name])


def _by_name(found: _Match, used: Set[Key]) -> None:
    """``used``: old definitions that others refer to. One that nobody refers to is a message, and is known by its name."""
    names = {definition.name.spelled: definition for definition in found.new.values()}
    gone = {definition.name.spelled for definition in found.old.values()}
    fresh = [definition for definition in found.new.values() if definition.name.spelled not in gone]
    for definition in list(found.old.values()):
        same = names.get(definition.name.spelled)
        if same is None:
            continue
        if type(same) is not type(definition) and definition.key in used and _is_telling(definition):
            # The name stands for something else now. If the shape lives on under a name of its own, it was renamed.
            shape = found.shape(0, definition)
            moved = [
                d for d in fresh if d.key in found.new and type(d) is type(definition) and found.shape(1, d) == shape
            ]
            if len(moved) == 1 and found.shape(1, same) != shape:
                found.reused[definition.key] = same.key
                found.add(definition, moved[0])
                continue
        if same.key in found.new:
            found.add(definition, same)
    roots = [
        [d for d in side.values() if d.key.pointer == "" and not d.key.document] for side in (found.old, found.new)
    ]
    if roots[0] and roots[1]:
        found.add(roots[0][0], roots[1][0])


def _by_shape(found: _Match) -> None:
    before: dict[Hashable, list[Definition]] = {}
    after: dict[Hashable, list[Definition]] = {}
    for side, table, groups in ((0, found.old, before), (1, found.new, after)):
        for definition in table.values():
            if _is_telling(definition):
                groups.setdefault((type(definition), found.shape(side, definition)), []).append(definition)
    for shape, gone in before.items():
        come = after.get(shape, [])
        if len(gone) == len(come) == 1:
            found.add(gone[0], come[0])


def _by_members(found: _Match) -> None:
    """Records that have the same members, some of them changed."""
    candidates: dict[Key, list[Definition]] = {}
    for gone in found.old.values():
        candidates[gone.key] = [come for come in found.new.values() if _is_kin(gone, come)]
    taken = [come.key for group in candidates.values() for come in group]
    for key, group in candidates.items():
        if len(group) == 1 and taken.count(group[0].key) == 1:
            found.add(found.old[key], group[0])


def _is_kin(gone: Definition, come: Definition) -> bool:
    if not (isinstance(gone, Record) and isinstance(come, Record)):
        return False
    before, after = ({field.wire_name for field in record.fields} for record in (gone, come))
    words = {word.lower() for word in _words(gone)}, {word.lower() for word in _words(come)}
    return len(before) > 1 and before == after and (words[0] <= words[1] or words[1] <= words[0])


def _words(definition: Definition) -> Iterator[str]:
    yield from definition.name.words


def _is_telling(definition: Definition) -> bool:
    """The shape says enough to be known again: an object without members, or a plain string, is like many others."""
    if isinstance(definition, Record):
        return len(definition.fields) > 0
    return not isinstance(definition, Alias)
