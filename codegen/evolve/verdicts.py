"""A comparison and a policy → what each change, and all of them together, do to writers, readers and programs.

Must not guess. "Compatible" is proven, "breaking" is shown by a document wherever documents can show it, and what is neither is
unknown. The overall answer is decided on whole messages, so that it is right even where no change explains it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from codegen.evolve import reasons
from codegen.evolve.atoms import Items, Members
from codegen.evolve.changes import ANNOTATIONS, TEXTS, Change, Naming
from codegen.evolve.comparison import Comparison
from codegen.evolve.inclusion import Inclusion
from codegen.evolve.policy import Policy
from codegen.evolve.reach import Reach
from codegen.evolve.results import Failing, Included, Refused, Result, Undecided
from codegen.evolve.sites import Claim, Found, Occurrence, Owner, Step
from codegen.evolve.specimens import Specimens
from codegen.model import JsonValue, Type

Answer: TypeAlias = Literal["compatible", "unknown", "breaking"]
Direction: TypeAlias = Literal["write", "read"]
Axis: TypeAlias = Literal["write", "read", "source"]
StepUp: TypeAlias = Literal["none", "docs", "patch", "minor", "major"]

AXES: tuple[Axis, ...] = ("write", "read", "source")
"""``write``: what the old version writes still passes the new one. ``read``: a reader of the old version survives what the new
one writes. ``source``: programs against generated code go on as they are."""
DIRECTIONS: tuple[Direction, ...] = ("write", "read")
WORST: tuple[Answer, ...] = ("compatible", "unknown", "breaking")
"""Answers, from the best to the worst."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """A document of ``definition`` that one version writes and the other refuses."""

    definition: str
    document: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An answer, with what a maintainer can check it by."""

    answer: Answer
    reason: str
    witness: Witness | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A change and its verdicts."""

    change: Change
    write: Verdict
    read: Verdict
    source: Verdict

    def on(self, axis: Axis) -> Verdict:
        """The verdict on one axis."""
        return {"write": self.write, "read": self.read, "source": self.source}[axis]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """Everything that is said about two versions. ``unexplained``: axes that are not compatible although each change is.
    ``step``: how the version grows."""

    changes: tuple[Judged, ...]
    namings: tuple[Naming, ...]
    write: Verdict
    read: Verdict
    source: Verdict
    unexplained: tuple[Axis, ...]
    step: StepUp

    def on(self, axis: Axis) -> Verdict:
        """The overall verdict on one axis."""
        return {"write": self.write, "read": self.read, "source": self.source}[axis]


def worse(left: Verdict, right: Verdict) -> Verdict:
    """The worse of two; the first of equals."""
    return right if WORST.index(right.answer) > WORST.index(left.answer) else left


def assess(comparison: Comparison, policy: Policy) -> Assessment:
    """The verdicts on a comparison under a policy."""
    return _Assessing(comparison, policy).run()


class _Assessing:
    def __init__(self, comparison: Comparison, policy: Policy) -> None:
        self.comparison, self.policy = comparison, policy
        self.reach = Reach(comparison, policy)
        (old, new), likeness = comparison.sides, comparison.likeness
        self.inclusions: dict[Direction, Inclusion] = {
            "write": Inclusion(old, new, policy, likeness),
            "read": Inclusion(new, old, policy, likeness, forward=False),
        }

    def run(self) -> Assessment:
        """Judge every change, then whole messages."""
        judged = [self._judged(found) for found in self.comparison.found]
        for direction in DIRECTIONS:
            judged = self._explained(judged, direction)
        overall: dict[Axis, Verdict] = {}
        unexplained: list[Axis] = []
        for axis in AXES:
            known = Verdict(answer="compatible", reason=reasons.STAYS if judged else reasons.NOTHING)
            for one in judged:
                known = worse(known, one.on(axis))
            overall[axis] = known
            if axis != "source":
                overall[axis] = self._messages(axis)
                for one in judged:  # no document shows what happens to operations and by marks
                    if one.change.kind in reasons.OPERATIONS | reasons.MARKS:
                        overall[axis] = worse(overall[axis], one.on(axis))
                if overall[axis].answer != "compatible" and known.answer == "compatible":
                    unexplained.append(axis)
        return Assessment(
            changes=tuple(judged),
            namings=self.comparison.namings,
            write=overall["write"],
            read=overall["read"],
            source=overall["source"],
            unexplained=tuple(unexplained),
            step=_step(judged, overall.values()),
        )

    # --- one change ---------------------------------------------------------------------------------------------------

    def _judged(self, found: Found) -> Judged:
        source = reasons.source(found.change, self.policy, self._is_stated(found))
        if found.change.kind == "read-only-changed" and self._is_asked_with(found):
            source = reasons.left_out(found.change)
        return Judged(
            change=found.change,
            write=self._verdict(found, "write"),
            read=self._verdict(found, "read"),
            source=Verdict(answer=source[0], reason=source[1]),
        )

    def _is_asked_with(self, found: Found) -> bool:
        """What old writers ask a server with holds the place."""
        owners = [occurrence.owner for occurrence in found.occurrences]
        return bool(self.comparison.new.model.operations) and any(self.reach.matters(o, "write") for o in owners)

    def _is_stated(self, found: Found) -> bool:
        keys = [occurrence.owner.keys for occurrence in found.occurrences]
        return any(pair is not None and pair[0] in self.comparison.matching.stated for pair in keys)

    def _verdict(self, found: Found, direction: Direction) -> Verdict:
        change = found.change
        alone = "definition-removed" if direction == "write" else "definition-added"
        if change.kind == alone and self.reach.is_root(change.place.definition, direction):
            return Verdict(answer="breaking", reason=reasons.gone(direction))
        if not found.occurrences and change.kind in reasons.OPERATIONS:
            turned: Direction = "read" if direction == "write" else "write"
            answer, reason = reasons.operation(change, turned if found.asks_back else direction)
            return Verdict(answer=answer, reason=reason)
        if change.kind in reasons.MARKS and self.comparison.new.model.operations:
            if not any(self.reach.matters(occurrence.owner, direction) for occurrence in found.occurrences):
                return Verdict(answer="compatible", reason=reasons.unsent(direction))
            answer, reason = reasons.mark(change, direction)
            return Verdict(answer=answer, reason=reason)
        verdict = Verdict(answer="compatible", reason=reasons.harmless(change, direction))
        for occurrence in found.occurrences:
            claims = _claims(occurrence, direction)
            if not claims:
                continue
            if not self.reach.matters(occurrence.owner, direction):
                verdict = worse(verdict, Verdict(answer="compatible", reason=reasons.unsent(direction)))
                continue
            for steps, claim in claims:
                verdict = worse(verdict, self._decided(change, occurrence.owner, steps, claim, direction))
            if verdict.answer == "breaking":
                break
        return verdict

    def _decided(
        self, change: Change, owner: Owner, steps: tuple[Step, ...], claim: Claim, direction: Direction
    ) -> Verdict:
        inclusion = self.inclusions[direction]
        received = claim.received if isinstance(claim.received, tuple) else inclusion.right.of(claim.received)
        result = inclusion.between(claim.sent, received)
        if isinstance(result, Included):
            return Verdict(answer="compatible", reason=reasons.harmless(change, direction))
        sent, wanted = _types(owner, direction)
        for witness in _telling(inclusion, claim, result):
            for document in _lifted(inclusion.specimens, steps, witness, direction):
                if inclusion.shows(sent, wanted, document):
                    return self._shown(change, owner, document, direction, result.reason)
        return self._hidden(change, owner, result, direction)

    def _shown(self, change: Change, owner: Owner, document: JsonValue, direction: Direction, why: str = "") -> Verdict:
        if self._is_absorbed(owner, direction):
            return Verdict(answer="compatible", reason=reasons.absorbed(direction))
        witness = Witness(definition=owner.name, document=document)
        return Verdict(answer="breaking", reason=reasons.breaking(change, direction, why), witness=witness)

    def _hidden(self, change: Change, owner: Owner, result: Failing, direction: Direction) -> Verdict:
        """No document shows it here: then the whole may prove it harmless."""
        sent, wanted = _types(owner, direction)
        whole = self.inclusions[direction].decide(sent, wanted)
        if isinstance(whole, Included) or self._is_absorbed(owner, direction):
            return Verdict(answer="compatible", reason=reasons.absorbed(direction))
        return Verdict(answer="unknown", reason=reasons.unknown(change, result.reason))

    def _is_absorbed(self, owner: Owner, direction: Direction) -> bool:
        """The messages that hold the definition are proven to be received, whatever becomes of it elsewhere."""
        roots = self.reach.roots_of(owner, direction)
        return bool(roots) and all(
            root is not owner and isinstance(self._whole(root, direction), Included) for root in roots
        )

    def _whole(self, owner: Owner, direction: Direction) -> Result:
        return self.inclusions[direction].decide(*_types(owner, direction))

    def _explained(self, judged: list[Judged], direction: Direction) -> list[Judged]:
        """Where an owner is refused and one change alone can be the reason, it is."""
        answers: dict[str, list[int]] = {}
        for index, one in enumerate(judged):
            if one.on(direction).answer != "compatible":
                for name in (one.change.place.definition, *one.change.shared_by):
                    answers.setdefault(name, []).append(index)
        for owner in self.comparison.owners:
            indexes = answers.get(owner.name, [])
            if len(indexes) != 1 or judged[indexes[0]].on(direction).answer != "unknown":
                continue
            whole = self._whole(owner, direction)
            if isinstance(whole, Refused) and self._is_alone(owner, indexes[0], judged, direction):
                change = judged[indexes[0]].change
                verdict = self._shown(change, owner, whole.witness, direction)
                judged[indexes[0]] = (
                    replace(judged[indexes[0]], write=verdict)
                    if direction == "write"
                    else replace(judged[indexes[0]], read=verdict)
                )
        return judged

    def _is_alone(self, owner: Owner, index: int, judged: list[Judged], direction: Direction) -> bool:
        """Nothing that the owner refers to has changed for the worse."""
        names = self.reach.names_below(owner)
        return all(
            other == index or one.on(direction).answer == "compatible" or one.change.place.definition not in names
            for other, one in enumerate(judged)
        )

    # --- whole messages -----------------------------------------------------------------------------------------------

    def _messages(self, direction: Direction) -> Verdict:
        verdict = Verdict(answer="compatible", reason=reasons.messages(direction))
        for root in self.reach.roots(direction):
            match self._whole(root, direction):
                case Refused(witness=document):
                    witness = Witness(definition=root.name, document=document)
                    found = Verdict(answer="breaking", reason=reasons.refused(root.name, direction), witness=witness)
                case Undecided(reason=reason):
                    found = Verdict(answer="unknown", reason=reasons.undecided(root.name, reason))
                case Included():
                    continue
            verdict = worse(verdict, found)
        for name in self.reach.missing(direction):
            verdict = worse(verdict, Verdict(answer="breaking", reason=f"{name}: {reasons.gone(direction)}"))
        return verdict


def _claims(occurrence: Occurrence, direction: Direction) -> list[tuple[tuple[Step, ...], Claim]]:
    """What is to be decided in a direction, and where."""
    own = occurrence.write if direction == "write" else occurrence.read
    found = [] if own is None else [(occurrence.steps, own)]
    guards = ((guard.steps, guard.write if direction == "write" else guard.read) for guard in occurrence.guards)
    return [*found, *guards]


def _telling(inclusion: Inclusion, claim: Claim, result: Failing) -> Iterator[JsonValue]:
    """Values that may show what a claim is about."""
    yield from result.witnesses
    if isinstance(claim.received, tuple):
        for check in (check for atom in claim.received for check in atom.checks):
            yield from inclusion.around(claim.sent, check)


def _types(owner: Owner, direction: Direction) -> tuple[Type, Type]:
    """What is sent, and as what it is received."""
    return (owner.old, owner.new) if direction == "write" else (owner.new, owner.old)


def _lifted(
    specimens: Specimens, steps: tuple[Step, ...], value: JsonValue, direction: Direction
) -> Iterator[JsonValue]:
    """The document that holds the value at the end of the steps; none where none can be made."""
    for step in reversed(steps):
        made: JsonValue = None
        match (step.old if direction == "write" else step.new), step.at:
            case Items() as body, int() as index:
                made = specimens.array(body, {index: value})
            case Members() as body, str() as name:
                made = specimens.object(body, {name: value})
            case Members() as body, (before, after):
                names = specimens.named(before if direction == "write" else after, body)
                made = specimens.object(body, {names[0]: value}) if names else None
            case Members() as body, _:
                made = specimens.object(body, {specimens.unlisted(body): value})
        if made is None:
            return
        value = made
    yield value


def _step(judged: list[Judged], overall: Iterable[Verdict]) -> StepUp:
    if any(verdict.answer != "compatible" for verdict in overall):
        return "major"
    kinds = {one.change.kind for one in judged}
    if kinds - ANNOTATIONS - TEXTS:
        return "minor"
    if kinds & ANNOTATIONS:
        return "patch"
    return "docs" if kinds else "none"
