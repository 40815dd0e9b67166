"""A manifest and a newer contract → the project with one version more: installed, compared, generated, told; or as it was.

Must not do a stage's work: like ``pipeline``, it says who comes when. What is written is computed as if the version were there
already, and written in one transaction, so that whoever is refused or interrupted has the project that was there before.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from codegen import manifest as manifests
from codegen import pipeline
from codegen.errors import ManifestError, Position, Problem, WireboundError, shown
from codegen.gather import placed
from codegen.incoming import Given, chosen, is_folder
from codegen.manifest import DOCUMENTS, OVERLAYS, REGENERATE, ContractEntry, Manifest
from codegen.paths import display, segment_fault, top
from codegen.pipeline import Note, unheard
from codegen.pointer import Origin
from codegen.versions import order

if TYPE_CHECKING:
    from codegen.editions import Shelf
    from codegen.evolve.report import Report
    from codegen.i18n import Finding
    from codegen.output.compare import Change, Folder

COMMAND = "wirebound bump"
CHANGELOG = "CHANGELOG.md"
"""The file beside a contract that says what each version changed."""

_NUMBERS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})+")

UNREAD = "fixtures"
"""A folder of a version that no output depends on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The version of a job's package; ``before`` is that of the version before. ``is_short``: the contract takes a major step,
    and the package does not."""

    job: str
    version: str
    before: str
    is_short: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bumped:
    """What a bump did, or would do. ``report`` is None where an interrupted bump to the same version was finished.

    ``translations`` are what has to be translated, by language; ``unasked``: jobs that state their versions, and not this one.
    """

    contract: str
    version: str
    document: Path
    report: Report | None = None
    changes: tuple[Change, ...] = ()
    translations: tuple[tuple[str, Finding], ...] = ()
    packages: tuple[Proposal, ...] = ()
    unasked: tuple[str, ...] = ()


def bump(
    new: str,
    *,
    version: str | None = None,
    contract: str | None = None,
    manifest: Path | None = None,
    dry_run: bool = False,
    force: bool = False,
    note: Note = unheard,
) -> Bumped:
    """Install ``new`` (a document, or a folder of a version, also in a revision) as ``version`` (None: as it says of itself) of
    ``contract`` (None: the one that it belongs to), with everything that follows from it.

    Raises WireboundError with everything that stands in the way, and has written nothing then; nor does a ``dry_run``.
    """
    from codegen import revisions
    from codegen.output import compare, transaction

    path = manifest or manifests.find(Path.cwd())
    folder = Path(path).absolute().parent
    with ExitStack() as open_:
        opened = open_.enter_context(revisions.opened(new))
        writer = None if dry_run else open_.enter_context(transaction.writing(folder, force=force))
        # After the lock is held: an interrupted bump has been brought to its end by then.
        whole = manifests.load(path)
        work = _Bump(whole, Given(opened, is_whole=is_folder(new)), contract, version, note)
        if writer is not None and writer.recovered and work.is_there():
            return work.told()
        work.judge()
        with work.laid_out() as shelf:
            folders, files = work.outputs(shelf)
            changes = compare.plan(folders, files).granted(force)
            bumped = work.told(shelf, changes)
        if writer is not None:
            writer.commit(changes)
        return bumped


class _Bump:
    def __init__(self, manifest: Manifest, given: Given, contract: str | None, version: str | None, note: Note) -> None:
        self.manifest, self.given, self.note = manifest, given, note
        self.entry = chosen(manifest, given, contract)
        note(display(given.path))
        self.loaded = given.load(self.entry)
        self.versions = list(self.entry.documents)
        self.before = self.versions[-1]
        self.version = version or self.stated()
        self.files = self.carried(given.files(self.loaded))

    @property
    def folder(self) -> Path:
        """Where the version is to be."""
        return self.entry.folder / self.version

    @property
    def document(self) -> Path:
        """Where its document is to be."""
        return self.folder / next(name for name in DOCUMENTS if name in self.files)

    def stated(self) -> str:
        """The version that the contract states of itself. Raises ManifestError (``no-version``)."""
        from codegen import scaffold

        # The folder that it lies in says nothing, unless it is given as that of a version.
        place = self.given.path if self.given.is_whole else Path("/", self.given.path.name)
        if found := scaffold.stated_version(self.loaded, place):
            return found
        help = f"pass --version VERSION{self.suggested()}"
        raise self.problem("no-version", "it does not say which version it is", help)

    def suggested(self) -> str:
        """Which version the changes ask for, where versions are numbers."""
        from codegen import evolve
        from codegen.facts import Facts
        from codegen.resolve import resolve

        if not _NUMBERS.fullmatch(self.before):
            return ""
        shelf = pipeline.shelved(self.manifest, self.entry, note=self.note)
        with placed(self.loaded.locate):
            model = resolve(self.loaded, outline=shelf.outline, ledger=shelf.ledger, version="")
        comparison = evolve.compare(shelf.editions[self.before].facts, Facts(model), shelf.ledger)
        step = evolve.assess(comparison, shelf.policy).step
        numbers = [int(number) for number in self.before.split(".")]
        place = {"major": 0, "minor": 1}.get(step, len(numbers) - 1)
        numbers[place:] = [numbers[place] + 1, *(0 for _ in numbers[place + 1 :])]
        return f", such as {'.'.join(map(str, numbers))}: the contract takes a {step} step from {self.before}"

    def carried(self, files: dict[str, bytes]) -> dict[str, bytes]:
        """``files`` with the overlay of the version before, where none is given."""
        overlay = self.entry.overlays.get(self.before)
        if overlay is not None and not files.keys() & set(OVERLAYS):
            files[overlay.name] = overlay.read_bytes()
        return files

    def is_there(self) -> bool:
        """Whether this very version is installed."""
        held = self.entry.documents.get(self.version)
        return held is not None and held.name in self.files and held.read_bytes() == self.files[held.name]

    def judge(self) -> None:
        """Refuse what is no next version."""
        version, newest = self.version, self.before
        if fault := segment_fault(version):
            raise self.problem("bad-name", f"the version {shown(version)} cannot be used: {fault}", "pass --version")
        if version in self.versions or self.folder.exists():
            message = f"{self.entry.name} has a version {shown(version)} already"
            raise self.problem("version-exists", message, f"run: {REGENERATE}; or pass another --version")
        if order(version) < order(newest):
            message = f"version {shown(version)} is older than {shown(newest)}"
            raise self.problem("version-older", message, "pass a --version that is newer")
        if self.files[self.document.name] == self.entry.documents[newest].read_bytes():
            message = f"it is version {shown(newest)}, byte for byte"
            raise self.problem("same-contract", message, "name the contract that is newer")

    def problem(self, code: str, message: str, help: str) -> ManifestError:
        """A problem of the newer contract as a whole."""
        origin = Origin(self.given.opened.label, "")
        return ManifestError([Problem(code=code, message=message, origin=origin, help=help)], top)

    # --- the project as it is to be -----------------------------------------------------------------------------------

    @contextmanager
    def laid_out(self) -> Iterator[Shelf]:
        """Every version, read from a copy of the contract's folder that has the new one. Problems are told at the places where
        people have these files, or will have them."""
        from codegen.output import scratch

        held = (path for path in sorted(self.entry.folder.rglob("*")) if path.is_file())
        below = {path.relative_to(self.entry.folder): path for path in held}
        copied = {p.as_posix(): path.read_bytes() for p, path in below.items() if p.parts[1:2] != (UNREAD,)}
        new = {f"{self.version}/{name}": content for name, content in self.files.items()}
        with scratch.folder({**copied, **new}) as place:
            self.scratch = place
            with self.renamed():
                self.grown = self._grown(place)
                yield pipeline.shelved(manifests.grown(self.manifest, self.grown), self.grown, note=self.note)

    def _grown(self, place: Path) -> ContractEntry:
        """The contract with the new version, below ``place``."""
        folder = self.entry.folder

        def moved(path: Path) -> Path:
            return place / path.relative_to(folder) if path.is_relative_to(folder) else path

        overlays = {version: moved(path) for version, path in self.entry.overlays.items()}
        for name in (name for name in OVERLAYS if name in self.files):
            overlays[self.version] = place / self.version / name
        documents = {**self.entry.documents, self.version: self.document}
        return replace(
            self.entry,
            folder=place,
            documents={version: moved(path) for version, path in documents.items()},
            overlays=overlays,
            roots={prefix: moved(path) for prefix, path in self.entry.roots.items()},
        )

    @contextmanager
    def renamed(self) -> Iterator[None]:
        """Tell problems of the copy as those of the contract's folder."""
        try:
            yield
        except WireboundError as error:
            locate = error.locate or top
            error.locate = lambda origin: self.called(locate(origin))
            copy, real = str(self.scratch), display(self.entry.folder)
            error.problems = tuple(
                replace(p, message=p.message.replace(copy, real), help=p.help.replace(copy, real))
                for p in error.problems
            )
            raise

    def called(self, position: Position) -> Position:
        """A position in the copy, in the contract's folder."""
        path = Path(position.path)
        if path.is_absolute() and path.is_relative_to(self.scratch):
            return position._replace(path=display(self.entry.folder / path.relative_to(self.scratch)))
        return position

    def outputs(self, shelf: Shelf) -> tuple[list[Folder], dict[Path, bytes]]:
        """The output folders of the contract's jobs, and every other file that changes or comes."""
        from codegen import changelog, i18n, ledger

        folder = self.entry.folder
        beside = self.entry.beside
        files = {self.folder / name: content for name, content in self.files.items()}
        files[beside.ledger] = ledger.text(shelf.ledger, REGENERATE).encode()
        self.findings: list[tuple[str, Finding]] = []
        for language, catalogue in list(shelf.catalogues.items()):
            if language != shelf.outline.language:
                updated = i18n.update(catalogue, list(shelf.editions.values()))
                shelf.catalogues[language] = updated.catalogue
                text = i18n.text(updated, f"wirebound i18n update {language}")
                files[folder / "i18n" / f"{language}.toml"] = text.encode()
                self.findings += [(language, one) for one in i18n.findings(updated, shelf.outline)]
        run = pipeline.Run(manifests.grown(self.manifest, self.grown), self.note)
        run.shelves[self.entry.name] = shelf
        with self.renamed():
            self.jobs = [job for job in run.manifest.jobs if job.contract is self.grown]
            folders = run.folders(self.jobs)
        log = folder / CHANGELOG
        held = log.read_text(encoding="utf-8") if log.is_file() else None
        pages = self._pages(folders)
        with self.renamed(), placed(shelf.contracts[self.version].locate):
            written = changelog.extended(held, shelf.editions, lambda version: pages.get(version, ""), COMMAND)
        files[log] = written.encode()
        return folders, files

    def _pages(self, folders: list[Folder]) -> dict[str, str]:
        """The address of the reference of each version that has one, as seen from the contract's folder."""
        pages: dict[str, str] = {}
        for job, made in zip(self.jobs, folders, strict=True):
            if job.target == "markdown":
                file = min(made.contents, key=lambda name: (not name.startswith("en."), name))
                address = os.path.relpath(made.path / file, self.entry.folder)
                pages.setdefault(job.version, Path(address).as_posix())
        return pages

    # --- what is told -------------------------------------------------------------------------------------------------

    def told(self, shelf: Shelf | None = None, changes: tuple[Change, ...] = ()) -> Bumped:
        """What was done."""
        bumped = Bumped(contract=self.entry.name, version=self.version, document=self.document, changes=changes)
        if shelf is None:
            return bumped
        report = self._report(shelf)
        named = {job.name: job for job in self.manifest.jobs if job.contract is self.entry}
        return replace(
            bumped,
            report=report,
            translations=tuple(self.findings),
            packages=tuple(self._proposals(report.assessment.step == "major")),
            unasked=tuple(name for name, job in named.items() if not job.every),
        )

    def _report(self, shelf: Shelf) -> Report:
        from codegen import evolve
        from codegen.diff_pipeline import EXCEPTIONS, surfaced
        from codegen.evolve import exceptions
        from codegen.evolve.changes import Change as Told
        from codegen.evolve.report import Report

        old, new = shelf.editions[self.before], shelf.editions[self.version]
        accepted = self.entry.folder / EXCEPTIONS
        locates = {True: shelf.contracts[self.version].locate, False: shelf.contracts[self.before].locate}
        # Positions are found while the copy is there.
        assessment = evolve.assess(evolve.compare(old.facts, new.facts, new.ledger), shelf.policy)
        assessment = surfaced(assessment, self.jobs, (old, new), shelf.policy, (locates[False], locates[True]))
        positions: dict[int, Position] = {}
        for judged in assessment.changes:
            place = judged.change.place
            if origin := place.new or place.old:
                positions[id(judged.change)] = self.called(locates[place.new is not None](origin))

        def position(change: Told) -> Position | None:
            return positions.get(id(change))

        return Report(
            old=display(self.entry.documents[self.before]),
            new=display(self.document),
            assessment=assessment,
            position=position,
            exceptions=exceptions.read(accepted) if accepted.is_file() else (),
            today=date.today(),
        )

    def _proposals(self, is_major_step: bool) -> Iterator[Proposal]:
        """The version of each package that is made of the new version."""
        from packaging.version import Version

        from codegen.targets.python.options import Options
        from codegen.targets.python.release import is_major, released

        for job in self.jobs:
            if job.target != "python" or job.version != self.version:
                continue
            _, options = pipeline.target_of(job.target, job.options, job.origin)
            assert isinstance(options, Options)
            version, before = (
                released(options.package_version, one, options.revision) for one in (self.version, self.before)
            )
            short = is_major_step and not is_major(Version(before), Version(version))
            yield Proposal(job=job.name, version=version, before=before, is_short=short)


def render(report: Report, form: Literal["text", "json"], *, width: int = 120, color: bool = False) -> str:
    """The verdict for a terminal, or for programs."""
    from codegen.evolve.report import render

    return render(report, form, width=width, color=color)
