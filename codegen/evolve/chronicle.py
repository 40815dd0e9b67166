"""A version with its history, and the next version → the history of the next version.

Must not look ahead, nor word anything: what a version's history says depends on it and on those before it alone.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TypeVar

from codegen.evolve.changes import TEXTS, Change, Kind
from codegen.evolve.comparison import Comparison, compare
from codegen.evolve.operations import parameters, part_of
from codegen.evolve.policy import Policy
from codegen.evolve.reasons import OPERATIONS
from codegen.evolve.sites import Found
from codegen.evolve.verdicts import AXES, Judged, assess
from codegen.facts import Facts
from codegen.history import UNCHANGED, Group, History, Note, Past, Release
from codegen.ledger import Ledger
from codegen.model import Definition, Enum, Key, Notes, ParameterPlace, Record

_K = TypeVar("_K", bound=Hashable)

ADDED: frozenset[Kind] = frozenset(
    [
        "definition-added",
        "field-added",
        "member-added",
        "value-added",
        "operation-added",
        "parameter-added",
        "request-content-added",
        "response-added",
        "response-content-added",
        "header-added",
    ]
)
"""Kinds by which a contract has more to offer."""

REMOVED: frozenset[Kind] = frozenset(
    [
        "definition-removed",
        "field-removed",
        "member-removed",
        "value-removed",
        "operation-removed",
        "parameter-removed",
        "request-content-removed",
        "response-removed",
        "response-content-removed",
        "header-removed",
    ]
)
"""Kinds by which it has less."""

_OF_ITSELF: frozenset[Kind] = TEXTS | {
    "definition-added",
    "definition-renamed",
    "deprecated-changed",
    "operation-added",
    "operation-renamed",
    "parameter-renamed",
}
"""Kinds after which a definition, a field, an operation or a parameter is no other than before."""


def grown(
    old: Facts, past: History, new: Facts, ledger: Ledger, policy: Policy, *, before: str, version: str
) -> History:
    """The history of ``version`` (``new``), which comes after ``before`` (``old``, whose history is ``past``)."""
    return _Growing(compare(old, new, ledger), past, policy, before, version).history()


class _Growing:
    def __init__(self, comparison: Comparison, past: History, policy: Policy, before: str, version: str) -> None:
        self.comparison, self.past, self.version = comparison, past, version
        self.old, self.new = comparison.old, comparison.new
        assessment = assess(comparison, policy)
        self.names = {definition.name.spelled: definition for definition in self.new.public}
        self.asked = {operation.name.spelled: operation for operation in self.new.model.operations}
        notes = tuple(map(self._note, assessment.changes, comparison.found))
        self.release = Release(version=version, before=before, step=assessment.step, notes=notes)
        told = [(n, f) for n, f in zip(notes, comparison.found, strict=True) if n.kind not in _OF_ITSELF]
        self.touched = frozenset(place for n, f in told if not _is_asked(f) for place in self._places(n))
        self.definitions = {definition for definition, _ in self.touched}
        self.moved = frozenset(place for n, f in told if _is_asked(f) for place in self._parts(n))
        self.operations = {operation for operation, _ in self.moved}

    def history(self) -> History:
        """The whole."""
        definitions: dict[Key, Past] = {}
        fields: dict[tuple[Key, str], Past] = {}
        values: dict[tuple[Key, str], Past] = {}
        for after in self.new.public:
            before = self._before(after)
            name = after.name.spelled
            if before is None:
                definitions[after.key] = Past(since=self.version)
                continue
            changed = name in self.definitions
            definitions[after.key] = self._past(self.past.of(before.key), before.notes, after.notes, changed)
            if isinstance(after, Record) and isinstance(before, Record):
                declared = {field.wire_name: field for field in before.fields}
                for field in after.fields:
                    wire_name, was = field.wire_name, declared.get(field.wire_name)
                    if was is None:
                        fields[after.key, wire_name] = Past(since=self.version)
                    else:
                        own = self.past.of_field(before.key, wire_name)
                        changed = (name, wire_name) in self.touched
                        fields[after.key, wire_name] = self._past(own, was.notes, field.notes, changed)
            elif isinstance(after, Enum) and isinstance(before, Enum):
                listed = {json.dumps(value.value): value for value in before.values}
                for value in after.values:
                    text = json.dumps(value.value)
                    had = listed.get(text)
                    if had is None:
                        values[after.key, text] = Past(since=self.version)
                    else:
                        own = self.past.of_value(before.key, value.value)
                        values[after.key, text] = self._past(own, had.notes, value.notes, False)
        return History(
            releases=(*self.past.releases, self.release),
            definitions=_told(definitions),
            fields=_told(fields),
            values=_told(values),
            operations=_told(dict(self._operations())),
            parameters=_told(dict(self._parameters())),
        )

    def _operations(self) -> Iterator[tuple[Key, Past]]:
        pairs = {after.key: before for before, after in self.comparison.operations}
        for after in self.new.model.operations:
            before = pairs.get(after.key)
            if before is None:
                yield after.key, Past(since=self.version)
            else:
                changed = after.name.spelled in self.operations
                yield after.key, self._past(self.past.of_operation(before.key), before.notes, after.notes, changed)

    def _parameters(self) -> Iterator[tuple[tuple[Key, ParameterPlace, str], Past]]:
        for old, new in self.comparison.operations:
            for before, after in parameters(old, new):
                if after is None:
                    continue
                place = (new.key, after.place, after.name)
                if before is None:
                    yield place, Past(since=self.version)
                else:
                    own = self.past.of_parameter(old.key, before)
                    changed = (new.name.spelled, part_of(after)) in self.moved
                    yield place, self._past(own, before.notes, after.notes, changed)

    def _past(self, past: Past, before: Notes, after: Notes, changed: bool) -> Past:
        deprecated = past.deprecated if before.deprecated else self.version
        return Past(
            since=past.since,
            changed=(*past.changed, self.version) if changed else past.changed,
            deprecated=deprecated if after.deprecated else "",
        )

    def _before(self, after: Definition) -> Definition | None:
        """What a definition was in the older version; None where it is new."""
        key = self.comparison.matching.inverse.get(after.key)
        if key is not None:
            return self.old.definition(key)
        return self._unnamed.get(self._called.get(after.name.spelled, after.name.spelled))

    @cached_property
    def _unnamed(self) -> dict[str, Definition]:
        """Older definitions that are not matched, since a place is all that they are known by."""
        taken = self.comparison.matching.pairs
        return {d.name.spelled: d for d in self.old.public if d.key not in taken}

    @cached_property
    def _called(self) -> dict[str, str]:
        """The names of shapes that stayed as they are and got another."""
        return {naming.after: naming.before for naming in self.comparison.namings if naming.after and naming.before}

    # --- notes --------------------------------------------------------------------------------------------------------

    def _note(self, judged: Judged, found: Found) -> Note:
        change = judged.change
        breaks = tuple(axis for axis in AXES if judged.on(axis).answer != "compatible")
        place = change.place
        field = self._parameter if _is_asked(found) else self._field
        return Note(
            kind=change.kind,
            group="breaking" if breaks else _group(change),
            definition=place.definition,
            field=field(place.definition, place.path),
            path=place.path,
            before=change.before,
            after=change.after,
            shared=change.shared_by,
            breaks=breaks,
        )

    def _field(self, definition: str, path: str) -> str:
        """The member that a path leads through first: the longest that it can begin with, since names may hold anything."""
        record = self.names.get(definition)
        if not isinstance(record, Record):
            return ""
        names = [field.wire_name for field in record.fields if _leads(field.wire_name, path)]
        return max(names, key=len, default="")

    def _parameter(self, operation: str, path: str) -> str:
        """The name of the parameter that a path leads through, where nothing else of the contract is called so."""
        part = self._part(operation, path)
        named = [] if operation in self.names else [*self._listed(operation)]
        found = [name for one, name in named if one == part]
        return found[0] if len(found) == 1 and [name for _, name in named].count(found[0]) == 1 else ""

    def _part(self, operation: str, path: str) -> str:
        """The parameter that a path leads through, with its place."""
        return max((part for part, _ in self._listed(operation) if _leads(part, path)), key=len, default="")

    def _listed(self, operation: str) -> Iterator[tuple[str, str]]:
        """The parameters of an operation, with their places and without."""
        found = self.asked.get(operation)
        yield from ((part_of(one), one.name) for one in (found.parameters if found else ()))

    def _parts(self, note: Note) -> Iterator[tuple[str, str]]:
        """Every operation, with a parameter or without, that a change is told of."""
        for name in (note.definition, *note.shared):
            yield name, self._part(name, note.path)

    def _places(self, note: Note) -> Iterator[tuple[str, str]]:
        """Every definition, with a field or without, that a change is told of."""
        for name in (note.definition, *note.shared):
            yield name, self._field(name, note.path) if note.kind != "field-added" else ""


def _is_asked(found: Found) -> bool:
    """A change of an operation, or of what one sends where it stands."""
    return found.change.kind in OPERATIONS or any(occurrence.owner.home for occurrence in found.occurrences)


def _leads(name: str, path: str) -> bool:
    return bool(name) and (path == name or path.startswith((f"{name}.", f"{name}[", f"{name}{{")))


def _group(change: Change) -> Group:
    if change.kind in TEXTS:
        return "described"
    if change.kind == "deprecated-changed" and change.after == "true":
        return "deprecated"
    return "added" if change.kind in ADDED else "removed" if change.kind in REMOVED else "changed"


def _told(pasts: dict[_K, Past]) -> dict[_K, Past]:
    """Only what there is something to say of."""
    return {place: past for place, past in pasts.items() if past != UNCHANGED}
