"""Two versions of a contract → what changed between them and what that does, told.

Must not do a stage's work: like ``pipeline``, it says who comes when. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from codegen import manifest as manifests
from codegen.errors import Locate, ManifestError, Position, Problem, WireboundError, shown
from codegen.gather import gathered, placed, raise_all
from codegen.manifest import Beside, ContractEntry, Job, Manifest
from codegen.pipeline import Note, unheard
from codegen.pointer import Origin
from codegen.tables import known

if TYPE_CHECKING:
    from codegen.document import Contract
    from codegen.edition import Edition
    from codegen.evolve import Assessment, Comparison
    from codegen.evolve.changes import Change
    from codegen.evolve.exceptions import Accepted
    from codegen.evolve.policy import Policy
    from codegen.evolve.report import Report
    from codegen.evolve.verdicts import Axis
    from codegen.facts import Facts
    from codegen.ledger import Ledger
    from codegen.outline import Outline
    from codegen.revisions import Opened

FailOn: TypeAlias = Literal["write", "read", "source", "any", "none"]
Format: TypeAlias = Literal["text", "json", "markdown", "github", "junit", "sarif"]
FORMATS: tuple[Format, ...] = get_args(Format)
EXCEPTIONS = "exceptions.toml"
"""The file beside a contract that says which changes are accepted."""


class _Side:
    """One version: the file it is read from, and what it means."""

    def __init__(
        self, opened: Opened, entry: ContractEntry | None, dialect: str | None, roots: Mapping[str, Path]
    ) -> None:
        """Raises WireboundError with every problem, at places as people know them."""
        from codegen import document
        from codegen.editions import Shelf
        from codegen.facts import Facts
        from codegen.resolve import resolve

        self.opened = opened
        self.version = opened.document.absolute().parent.name
        beside = _beside(opened.document)
        shelf = Shelf(outlined=beside.outline, named=beside.ledger)
        overlays = [opened.overlay] if opened.overlay and entry is not None else []
        try:
            self.contract: Contract = document.load(
                opened.document,
                dialect=dialect or (entry.dialect if entry else None),
                roots={**(entry.roots if entry else {}), **roots},
                overlays=overlays,
                formats=entry.formats if entry else (),
            )
            with placed(self.contract.locate):
                # Names as they are pinned: the ledger is not extended, so that a diff shows what it would refuse.
                model = resolve(self.contract, outline=shelf.outline, ledger=shelf.ledger, version=self.version)
        except WireboundError as error:
            locate = error.locate
            error.locate = (lambda origin: opened.called(locate(origin))) if locate else None
            raise
        self.facts: Facts = Facts(model)
        self.ledger: Ledger = shelf.ledger
        self.outline: Outline = shelf.outline

    def edition(self, contract: str) -> Edition:
        """What a target sees of it."""
        from codegen.edition import Edition

        return Edition(
            model=self.facts.model,
            facts=self.facts,
            ledger=self.ledger.until(self.version) if self.version in self.ledger.versions else self.ledger,
            outline=self.outline,
            contract=contract,
            version=self.version,
            protocol_version=self.version,
            command="",
        )

    def position(self, origin: Origin) -> Position:
        """Where a place stands."""
        return self.opened.called(self.contract.locate(origin))


def _beside(document: Path) -> Beside:
    """The files about a contract: in the folder of its document, or in that of all its versions."""
    own, above = Beside(document.absolute().parent), Beside(document.absolute().parent.parent)
    return own if any(path.is_file() for path in (own.outline, own.ledger)) else above


def diff(
    old: str,
    new: str,
    *,
    manifest: Path | None = None,
    policy: Mapping[str, str] | None = None,
    exceptions: Path | None = None,
    fail_on: Sequence[FailOn] = ("any",),
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
    today: date | None = None,
    note: Note = unheard,
) -> Report:
    """What changed from ``old`` to ``new``: documents, folders of versions, or either in a revision (``git:REV:PATH``).

    The policy is that of the contract in the manifest at ``manifest`` (None: the nearest, if there is one), ``policy`` states
    some of it otherwise. ``exceptions`` (None: those beside the contract) hold on ``today`` (None: the day it is).
    Raises WireboundError with every problem of both versions.
    """
    from codegen import evolve, revisions
    from codegen.evolve.report import Report

    with ExitStack() as open_:
        before, after = (open_.enter_context(revisions.opened(spelled)) for spelled in (old, new))
        whole = _manifest(manifest)
        entry = _entry(whole, after.path) or _entry(whole, before.path)
        chosen = _policy(whole, entry, policy or {})
        sides: list[_Side] = []
        errors: list[WireboundError] = []
        for opened in (before, after):
            note(opened.label)
            with gathered(errors):
                sides.append(_Side(opened, entry, dialect, roots or {}))
        raise_all(errors)
        note("comparing")
        comparison = evolve.compare(sides[0].facts, sides[1].facts, sides[1].ledger)
        _refuse_unknown_roots(comparison, chosen, whole, entry)
        accepted = _exceptions(exceptions, after, entry)
        report = Report(
            old=before.label,
            new=after.label,
            assessment=_surfaced(evolve.assess(comparison, chosen), sides, whole, entry, chosen),
            position=_Positions(sides[0], sides[1]),
            failing=_axes(fail_on),
            exceptions=accepted,
            today=today or date.today(),
        )
    return report


def _surfaced(
    assessment: Assessment,
    sides: Sequence[_Side],
    manifest: Manifest | None,
    entry: ContractEntry | None,
    policy: Policy,
) -> Assessment:
    """The assessment with what the targets of the contract's jobs tell of what programs can name."""
    jobs = [job for job in (manifest.jobs if manifest else ()) if job.contract is entry]
    if not jobs:
        return assessment
    editions = [side.edition(jobs[0].contract.name) for side in sides]
    with placed(_locating(manifest)):
        return surfaced(assessment, jobs, editions, policy, [side.contract.locate for side in sides])


def surfaced(
    assessment: Assessment, jobs: Iterable[Job], editions: Sequence[Edition], policy: Policy, locates: Sequence[Locate]
) -> Assessment:
    """The assessment of two editions with what the targets of jobs tell of what programs can name. ``locates``: where the
    places of each edition are. Raises ManifestError and OutputError."""
    from codegen import pipeline
    from codegen.evolve import surface

    for name, job in {job.name: job for job in jobs}.items():
        target, options = pipeline.target_of(job.target, job.options, job.origin)
        told = getattr(target, "surface", None)
        if told is None:
            continue
        surfaces: list[Mapping[str, str]] = []
        for edition, locate in zip(editions, locates, strict=True):
            with placed(locate):
                surfaces.append(told(edition, options))
        found = surface.broken(*surfaces, open_world=policy.open_world)
        assessment = surface.extended(assessment, name, found)
    return assessment


class _Positions:
    """Where a change stands: in the newer text, else in the older."""

    def __init__(self, old: _Side, new: _Side) -> None:
        self._old, self._new = old, new

    def __call__(self, change: Change) -> Position | None:
        if change.place.new is not None:
            return self._new.position(change.place.new)
        return None if change.place.old is None else self._old.position(change.place.old)


def _axes(fail_on: Sequence[FailOn]) -> tuple[Axis, ...]:
    from codegen.evolve.verdicts import AXES

    return AXES if "any" in fail_on else tuple(axis for axis in AXES if axis in fail_on)


def _manifest(path: Path | None) -> Manifest | None:
    """The manifest at a path; the nearest, if there is one, where no path is given."""
    if path is not None:
        return manifests.load(path)
    try:
        found = manifests.find(Path.cwd())
    except ManifestError as error:
        if {problem.code for problem in error.problems} == {"no-manifest"}:
            return None
        raise
    return manifests.load(found)


def _entry(manifest: Manifest | None, path: Path) -> ContractEntry | None:
    """The contract that a document is a version of."""
    absolute = path.absolute()
    entries = manifest.contracts if manifest else ()
    return next((entry for entry in entries if absolute.is_relative_to(entry.folder)), None)


def _policy(manifest: Manifest | None, entry: ContractEntry | None, given: Mapping[str, str]) -> Policy:
    from codegen.evolve.policy import written

    stated = entry.policy if entry else {}
    origin = entry.origin.at("policy") if entry else Origin("--policy", "")
    with placed(_locating(manifest)):
        return written(stated, origin, given)


def _locating(manifest: Manifest | None) -> Locate:
    """Places in a manifest, and on a command line."""

    def locate(origin: Origin) -> Position:
        if manifest is not None and origin.document == manifest.source.path:
            return manifest.locate(origin)
        return Position(origin.document, 1, 1)

    return locate


def _refuse_unknown_roots(
    comparison: Comparison, policy: Policy, manifest: Manifest | None, entry: ContractEntry | None
) -> None:
    from codegen.evolve.reach import Reach

    names = [definition.name.spelled for definition in comparison.new.public]
    origin = entry.origin.at("policy", "roots") if entry else Origin("--policy", "")
    problems = [
        Problem(
            code="unknown-definition",
            message=f"neither version has a definition {shown(name)}",
            origin=origin.at(name) if entry and name in entry.policy.get("roots", {}) else Origin("--policy", ""),
            help=known(name, names),
        )
        for name in Reach(comparison, policy).unknown
    ]
    if problems:
        raise ManifestError(problems, _locating(manifest))


def _exceptions(path: Path | None, after: Opened, entry: ContractEntry | None) -> tuple[Accepted, ...]:
    from codegen.evolve import exceptions

    if path is None:
        folder = entry.folder if entry else _beside(after.path).folder
        path = folder / EXCEPTIONS
        if not path.is_file():
            return ()
    return exceptions.read(path)


def render(report: Report, form: Format, *, width: int, color: bool) -> str:
    """The report in a form."""
    from codegen.evolve.report import render

    return render(report, form, width=width, color=color)
