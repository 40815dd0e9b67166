"""A manifest and a repository → packages that may be published, and then their distributions, uploaded.

Must not send anything before everything is judged. An upload cannot be taken back, so that each reason against it is looked for
first, in every package; and what was sent of a run that failed is not sent again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import manifest as manifests
from codegen.errors import OutputError, Problem, WireboundError
from codegen.gather import gathered, placed, raise_all
from codegen.package_pipeline import Package, package, remade, verified
from codegen.paths import display, top
from codegen.pipeline import Note, unheard
from codegen.pointer import Origin
from codegen.publish import wheel

if TYPE_CHECKING:
    from codegen.edition import Edition
    from codegen.manifest import Manifest
    from codegen.publish.index import Entry, Index


@dataclass(frozen=True, slots=True)
class Release:
    """A package that may be published: ``there`` are distributions that the index has already, with the same bytes."""

    package: Package
    there: tuple[str, ...]

    @property
    def files(self) -> dict[str, bytes]:
        """What is to be sent: the wheel last, so that installers see a release that is whole."""
        found = self.package.distributions
        return {name: found[name] for name in sorted(found, key=lambda n: n.endswith(".whl")) if name not in self.there}


def judge(
    path: Path | None,
    names: Sequence[str] = (),
    *,
    repository: str,
    index: str | None = None,
    accept_breaking: bool = False,
    note: Note = unheard,
) -> tuple[Release, ...]:
    """The packages of the jobs ``names`` as ``package`` makes them, if nothing speaks against their publication.

    ``index`` is the address of the simple API that shows what ``repository`` has (None: the usual one beside it).
    Raises WireboundError with every reason against it: ``dirty-tree``, ``not-verified``, ``exists``, ``breaking`` (unless
    ``accept_breaking``), and what keeps a package from being made.
    """
    from codegen.publish import sending, tree
    from codegen.publish.trouble import listed, trouble

    sending.judge(repository)
    if index is not None:
        sending.judge(index, "--index")
    path = path or manifests.find(Path.cwd())
    manifest = manifests.load(path)
    errors: list[WireboundError] = []
    with gathered(errors):
        if changed := tree.uncommitted(manifest.folder):
            help = "commit or remove what is not committed, so that the release can be made again"
            raise trouble(display(path), "dirty-tree", f"not committed: {listed(changed)}", help)
    shown = _index(repository, index)
    releases: list[Release] = []
    with gathered(errors):
        for made in package(path, names, note=note):
            note(f"{made.name} {made.version}: what is published")
            with gathered(errors):
                _verify(made, note)
            with gathered(errors):
                entries = shown.files(made.name)
                releases.append(Release(made, _there(made, shown, entries)))
                if not accept_breaking:
                    _compare(made, manifest, shown, entries, note)
    raise_all(errors)
    return tuple(releases)


def _index(repository: str, index: str | None) -> Index:
    """The index that shows what a repository has. It may see the secret where it is on the same host."""
    from urllib.parse import urlsplit

    from codegen.publish.index import Index, index_of

    address = index or index_of(repository)
    return Index(address, with_secret=urlsplit(address)[:2] == urlsplit(repository)[:2])


def _verify(made: Package, note: Note) -> None:
    from codegen.publish.trouble import listed, trouble

    found = verified(made.wheel, made.distributions[made.wheel], note=note)
    if not found.same:
        message = f"the contract in it makes another wheel: {listed(found.differing) or 'packed in another way'}"
        raise trouble(made.wheel, "not-verified", message, "report it: this is a fault of wirebound")


def _there(made: Package, shown: Index, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Distributions that the index has as they are. Raises OutputError (``exists``) for others of this version, and where
    nothing is left to be sent."""
    from packaging.version import Version

    from codegen.publish.index import agrees

    of_version = [entry for entry in entries if entry.version == Version(made.version)]
    same = tuple(
        entry.name
        for entry in of_version
        if (content := made.distributions.get(entry.name)) is not None and agrees(entry, content, shown)
    )
    others = [entry.name for entry in of_version if entry.name not in same]
    if others or len(same) == len(made.distributions):
        name = others[0] if others else made.wheel
        message = f"{made.name} {made.version} is published already, " + (
            "with other bytes" if others else "with the same bytes"
        )
        help = "raise the job's revision, then run: wirebound generate" if others else "there is nothing to publish"
        raise OutputError([Problem(code="exists", message=message, origin=Origin(name, ""), help=help)], top)
    return same


# --- what is published already ----------------------------------------------------------------------------------------


def _compare(made: Package, manifest: Manifest, shown: Index, entries: Sequence[Entry], note: Note) -> None:
    """Refuse what breaks those who have the release before this one, unless the version says so.

    Raises OutputError: ``breaking`` with each reason, and why a release cannot be compared.
    """
    from packaging.version import Version

    from codegen.targets.python.release import is_major

    version = Version(made.version)
    older = {
        entry.version: entry
        for entry in entries
        if entry.name.endswith(".whl") and entry.version is not None and entry.version < version and not entry.yanked
    }
    last = max(older, default=version)
    if not older or is_major(last, version):
        return
    note(f"{made.name}: {last} and {version}")
    try:
        before, _ = remade(wheel.read(older[last].name, shown.content(older[last])), note)
    except WireboundError as error:
        help = "pass --accept-breaking to publish without comparing the contracts"
        raise OutputError([replace(problem, help=help) for problem in error.problems], error.locate) from None
    if before.model.digest != made.edition.model.digest:
        help = f"give it a version with a major step from {last}, or pass --accept-breaking"
        problems = [
            Problem(code="breaking", message=f"since {last}, {reason}", origin=Origin(made.wheel, ""), help=help)
            for reason in _reasons(made, before, manifest)
        ]
        if problems:
            raise OutputError(problems, top)


def _reasons(made: Package, before: Edition, manifest: Manifest) -> list[str]:
    """What in the contract breaks somebody under its policy, and was not accepted."""
    from datetime import date

    from codegen import evolve
    from codegen.diff_pipeline import EXCEPTIONS, surfaced
    from codegen.evolve import exceptions, policy
    from codegen.evolve.report import Report

    entry, now = made.job.contract, made.edition
    with placed(manifest.locate):
        stated = policy.written(entry.policy, entry.origin.at("policy"))
        assessment = evolve.assess(evolve.compare(before.facts, now.facts, now.ledger), stated)
        assessment = surfaced(assessment, (made.job,), (before, now), stated, (manifest.locate, manifest.locate))
    accepted = entry.folder / EXCEPTIONS
    report = Report(
        old=before.version,
        new=now.version,
        assessment=assessment,
        position=lambda change: None,
        exceptions=exceptions.read(accepted) if accepted.is_file() else (),
        today=date.today(),
    )
    found: dict[str, str] = {}
    for failure in report.failures:
        change = failure.judged.change if failure.judged else None
        found.setdefault(f"{change.place}: {change.kind}: " if change else "", failure.verdict.reason)
    return [place + reason for place, reason in found.items()]


# --- sending ----------------------------------------------------------------------------------------------------------


def send(release: Release, *, repository: str, index: str | None = None, note: Note = unheard) -> Iterator[str]:
    """Upload what is to be sent of a release; the name of each file once it is there.

    Raises OutputError at the first that is not taken: it says what is there by then, and a second run sends the rest.
    """
    from codegen.publish import sending

    for name, content in release.files.items():
        note(f"{name}: uploading")
        try:
            sending.send(name, content, repository)
        except OutputError as error:
            state = _state(release.package, _index(repository, index))
            problems = [replace(p, message=f"{p.message}; {state}") for p in error.problems]
            raise OutputError(problems, error.locate) from None
        yield name


def _state(made: Package, shown: Index) -> str:
    """What the index has of a release, in words."""
    try:
        there = sorted({entry.name for entry in shown.files(made.name)} & made.distributions.keys())
    except OutputError:
        return "what of it is there cannot be said now"
    return f"{' and '.join(there)} is there" if there else "nothing of it is there"
