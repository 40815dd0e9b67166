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
from codegen.gather import gathered, raise_all
from codegen.package_pipeline import Package, package, remade, verified
from codegen.paths import display, top
from codegen.pipeline import Note, unheard
from codegen.pointer import Origin

if TYPE_CHECKING:
    from packaging.version import Version

    from codegen.evolve import Assessment, Policy
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

    sending.judged(repository)
    manifest = path or manifests.find(Path.cwd())
    errors: list[WireboundError] = []
    with gathered(errors):
        if changed := tree.uncommitted(manifest.absolute().parent):
            help = "commit or remove what is not committed, so that the release can be made again"
            raise trouble(display(manifest), "dirty-tree", f"not committed: {listed(changed)}", help)
    shown = _index(repository, index)
    releases: list[Release] = []
    with gathered(errors):
        for made in package(manifest, names, note=note):
            note(f"{made.name} {made.version}: what is published")
            with gathered(errors):
                _verify(made, note)
            with gathered(errors):
                entries = shown.files(made.name)
                releases.append(Release(made, _there(made, shown, entries)))
                if not accept_breaking:
                    _compare(made, shown, entries, note)
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


def _compare(made: Package, shown: Index, entries: Sequence[Entry], note: Note) -> None:
    """Refuse what breaks those who have the release before this one, unless the version says so.

    Raises OutputError (``breaking``) with each reason, and ``no-contract`` for a release that cannot be compared.
    """
    from packaging.version import Version

    from codegen import evolve
    from codegen.publish import wheel

    version = Version(made.version)
    older = {
        entry.version: entry
        for entry in entries
        if entry.name.endswith(".whl") and entry.version is not None and entry.version < version and not entry.yanked
    }
    if not older:
        return
    last = max(older)
    if is_major(last, version):
        return
    note(f"{made.name}: {last} and {version}")
    before, _ = remade(wheel.read(older[last].name, shown.content(older[last])), note)
    now = made.edition
    if before.model.digest == now.model.digest:
        return
    assessment = evolve.assess(evolve.compare(before.facts, now.facts, now.ledger), _policy())
    if assessment.step == "major":
        help = f"give it a version with a major step from {last}, or pass --accept-breaking"
        problems = [
            Problem(code="breaking", message=f"since {last}, {reason}", origin=Origin(made.wheel, ""), help=help)
            for reason in _reasons(assessment)
        ]
        raise OutputError(problems, top)


def _policy() -> Policy:
    """What the parties to the contract may be relied on to do: nothing beyond its letter, while no manifest states more."""
    from codegen import evolve

    return evolve.Policy()


def is_major(before: Version, after: Version) -> bool:
    """Whether ``after`` may break those who have ``before``: the first number that is not 0 in both grew, or one before it."""
    old, new = (*before.release, 0, 0, 0)[:3], (*after.release, 0, 0, 0)[:3]
    first = next((position for position in range(3) if old[position] or new[position]), 2)
    return (before.epoch, old[: first + 1]) < (after.epoch, new[: first + 1])


def _reasons(assessment: Assessment) -> Iterator[str]:
    """Why a major step is needed, a line for each change that asks for it."""
    from codegen.evolve.verdicts import AXES

    for judged in assessment.changes:
        worst = next((v for axis in AXES if (v := judged.on(axis)).answer != "compatible"), None)
        if worst is not None:
            yield f"{judged.change.place}: {judged.change.kind}: {worst.reason}"
    for axis in assessment.unexplained:
        yield assessment.on(axis).reason


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
