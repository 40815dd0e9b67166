"""A manifest → the packages of its jobs, built and proven; a wheel → whether its contract makes the same wheel again.

Must not do a stage's work: like ``pipeline``, it says who comes when. What is packaged is what ``generate`` has written: an
output that is not up to date is a problem, so that nobody ships what no repository holds.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import manifest as manifests
from codegen.errors import ManifestError, OutputError, Problem, shown
from codegen.manifest import REGENERATE, Job, Manifest
from codegen.paths import display, top
from codegen.pipeline import Note, Run, unheard
from codegen.pointer import Origin

if TYPE_CHECKING:
    from codegen.edition import Edition
    from codegen.publish.proving import Case, Expected
    from codegen.publish.wheel import Wheel

TARGET = "python"
"""The target whose folders are projects of packages."""


@dataclass(frozen=True)
class Package:
    """The package of a job: ``files`` are those of its project, ``distributions`` its wheel and source distribution by the
    file's name, ``proven`` the versions of Python on which ``documents`` documents came back as they were."""

    job: Job
    edition: Edition
    files: Mapping[str, bytes]
    distributions: Mapping[str, bytes]
    proven: tuple[str, ...] = ()
    documents: int = 0

    @cached_property
    def about(self) -> Mapping[str, str]:
        """``name`` and ``version`` of the distribution."""
        project = tomllib.loads(self.files["pyproject.toml"].decode())["project"]
        return {key: project[key] for key in ("name", "version")}

    @property
    def name(self) -> str:
        """What is installed."""
        return self.about["name"]

    @property
    def version(self) -> str:
        """The version of the distribution."""
        return self.about["version"]

    @property
    def wheel(self) -> str:
        """The name of the wheel's file."""
        return next(name for name in self.distributions if name.endswith(".whl"))


def package(
    path: Path | None, names: Sequence[str] = (), *, pythons: Sequence[str] = (), note: Note = unheard
) -> tuple[Package, ...]:
    """The packages of the jobs ``names`` (of all with target ``python``) of the manifest at ``path`` (None: the nearest).

    Each is built twice with equal bytes, judged by the tools that know indexes and wheels, and proven on each interpreter of
    ``pythons`` (on the one that runs, where it is empty). Raises WireboundError with what is in the way; nothing is written.
    """
    from codegen.publish import building, checking, proving

    manifest = manifests.load(path or manifests.find(Path.cwd()))
    packages: list[Package] = []
    for made in _projects(manifest, _chosen(manifest, names), note):
        note(f"{made.name} {made.version}: building")
        distributions = building.twice(made.files)
        checking.check(distributions)
        built = Package(made.job, made.edition, made.files, distributions)
        expected = _expected(built)
        proven = []
        for python in pythons or [sys.executable]:
            note(f"{made.name} {made.version}: proving with {python}")
            proven.append(proving.prove(built.wheel, distributions[built.wheel], expected, python))
        packages.append(
            Package(made.job, made.edition, made.files, distributions, tuple(proven), len(expected.documents))
        )
    return tuple(packages)


def write(packages: Iterable[Package], out: Path) -> tuple[Path, ...]:
    """Write the distributions into the folder ``out``, all or none; every file, also those that were there already."""
    from codegen.output import compare, transaction

    folder = out.absolute()
    files = {folder / name: content for made in packages for name, content in made.distributions.items()}
    with transaction.writing(folder.parent) as writer:
        writer.commit(compare.plan([], files).changes)
    return tuple(files)


def _chosen(manifest: Manifest, names: Sequence[str]) -> tuple[Job, ...]:
    jobs = manifest.select(names)
    chosen = tuple(job for job in jobs if job.target == TARGET)
    if others := [job for job in jobs if job.target != TARGET and names]:
        problems = [
            Problem(
                code="not-a-package",
                message=f"the target of this job is {shown(job.target)}, which makes no package",
                origin=job.origin,
                help=f'name jobs with target = "{TARGET}"',
            )
            for job in others
        ]
        raise ManifestError(problems, manifest.locate)
    if not chosen:
        help = f'add a job with target = "{TARGET}"'
        problem = Problem(
            code="not-a-package",
            message="no job makes a package",
            origin=Origin(manifest.source.path, "/tool/wirebound/jobs"),
            help=help,
        )
        raise ManifestError([problem], manifest.locate)
    return chosen


def _projects(manifest: Manifest, jobs: Sequence[Job], note: Note) -> list[Package]:
    """The projects as they are on disk. Raises OutputError for what is not up to date, or called like another."""
    from codegen.output import compare

    run = Run(manifest, note)
    folders = run.folders(jobs)
    plan = compare.plan(folders, run.ledgers)
    if plan.changes or plan.problems:
        problems = [
            *plan.problems,
            *(
                Problem(
                    code="stale",
                    message=f"this file is {change.kind}",
                    origin=Origin(display(change.path), ""),
                    help=f"run: {REGENERATE}",
                )
                for change in plan.changes[:1]
            ),
        ]
        raise OutputError(problems, top)
    made = [Package(job, _edition(run, job), folder.contents, {}) for job, folder in zip(jobs, folders, strict=True)]
    taken: dict[tuple[str, str], Package] = {}
    twins = [one for one in made if taken.setdefault((one.name.lower(), one.version), one) is not one]
    if twins:
        raise ManifestError(
            [
                Problem(
                    code="duplicate",
                    message=f"{one.name} {one.version} is the package of another job already",
                    origin=one.job.origin,
                    help='give one of the two a name of its own: distribution = "…"',
                )
                for one in twins
            ],
            manifest.locate,
        )
    return made


def _edition(run: Run, job: Job) -> Edition:
    shelf = run.shelves[job.contract.name]
    assert shelf is not None
    return shelf.editions[job.version]


# --- what a package must prove ----------------------------------------------------------------------------------------


def _expected(made: Package) -> Expected:
    from hashlib import sha256

    from codegen.publish.proving import Expected

    edition = made.edition
    assert edition.sources is not None
    cases = list(_examples(edition, made.job.contract.documents[made.job.version].parent / "examples"))
    return Expected(
        distribution=made.name,
        version=made.version,
        package=next(path for path in made.files if path.endswith("/py.typed")).partition("/")[0],
        protocol_version=edition.protocol_version,
        digest=edition.model.digest,
        files={name: sha256(content).hexdigest() for name, content in edition.sources.files.items()},
        documents=cases or list(_derived(edition)),
    )


def _examples(edition: Edition, folder: Path) -> Iterator[Case]:
    """The contract's own documents."""
    from codegen.publish.proving import Case

    known = {definition.name.spelled for definition in edition.facts.public}
    for path in sorted(folder.glob("*/*.json")):
        if path.parent.name in known:
            yield Case(display(path), path.parent.name, path.read_bytes().decode(errors="surrogateescape"))


def _derived(edition: Edition) -> Iterator[Case]:
    """Documents that the model accepts, for a contract without examples."""
    from codegen.derive import Derivation
    from codegen.model import Ref
    from codegen.publish.proving import Case

    derivation = Derivation(edition.facts)
    for definition in edition.facts.public:
        ref = Ref(key=definition.key, origin=definition.origin)
        for derived in (derivation.minimal(ref), derivation.full(ref)):
            if derived is not None:
                spelled = definition.name.spelled
                yield Case(f"the {derived.what} {spelled}", spelled, json.dumps(derived.value))


# --- a wheel ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What came of making a wheel again: members that are ``differing``; ``tools`` that made the one given, and now this one,
    where they are not the same."""

    same: bool
    differing: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


def verify(path: Path, *, note: Note = unheard) -> Verified:
    """Make the wheel at ``path`` again from the contract in it, and compare the bytes.

    Raises WireboundError for a wheel that holds no contract, and for a contract that makes nothing.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        from codegen.publish.trouble import trouble

        message = f"it cannot be read: {error.strerror}"
        raise trouble(display(path), "unreadable", message, "name a wheel that can be read") from None
    return verified(display(path), content, note=note)


def verified(name: str, content: bytes, *, note: Note = unheard) -> Verified:
    """``verify`` of a wheel's bytes; ``name`` is what messages call it."""
    from codegen.publish import building, wheel

    given = wheel.read(name, content)
    _, files = remade(given, note)
    note(f"{name}: building")
    file, again = next(iter(building.built(files, kinds=["wheel"], epoch=given.epoch).items()))
    if again == content:
        return Verified(same=True)
    other = wheel.read(file, again)
    tools = [(_tools(given), _tools(other))]
    return Verified(
        same=False,
        differing=tuple(wheel.differing(given, other)),
        tools=tuple(f"{was}, now {now}" for was, now in tools if was != now),
    )


def remade(given: Wheel, note: Note = unheard) -> tuple[Edition, Mapping[str, bytes]]:
    """The edition of the contract in a wheel, and the files of the project that it makes. Errors as in ``verify``."""
    from codegen.output import scratch
    from codegen.publish.trouble import trouble
    from codegen.publish.wheel import MANIFEST

    with scratch.folder(given.contract) as place:
        manifest = manifests.load(place / MANIFEST)
        if [job.target for job in manifest.jobs] != [TARGET]:
            message = f"the manifest of its contract is not for one job with target {shown(TARGET)}"
            raise trouble(given.name, "no-contract", message, "name a wheel that wirebound package has made")
        run = Run(manifest, note)
        (folder,) = run.folders(manifest.jobs)
        return _edition(run, manifest.jobs[0]), folder.contents


def _tools(given: Wheel) -> str:
    """What made a wheel: this tool and the build backend, as far as it says so."""
    from codegen.publish.trouble import listed

    found = []
    for path, content in sorted(given.members.items()):
        if path.endswith(".dist-info/extra_metadata/wirebound.json"):
            found += [line.partition(b": ")[2] for line in content.splitlines() if b'"generator"' in line]
        elif path.endswith(".dist-info/WHEEL"):
            found += [line.partition(b": ")[2] for line in content.splitlines() if line.startswith(b"Generator:")]
    return listed([text.decode(errors="replace").strip('",') for text in found]) or "nothing that says so"
