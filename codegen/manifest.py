"""``[tool.wirebound]`` or ``wirebound.toml`` → jobs, one per output folder.

Must not read contracts or know what a target's options mean: it finds each version's document by its file name, and
hands the options on as they are written. Unknown keys are refused at their place.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from codegen.errors import ManifestError, Position, Problem, shown
from codegen.paths import display, segment_fault, top
from codegen.pointer import Origin
from codegen.tables import Source, Table, known, source
from codegen.versions import order

REGENERATE = "wirebound generate"
"""The command that brings every output up to date: banners, ledgers and ``--check`` name it."""

OUTPUT = "generated"
"""The folder of all outputs, beside the manifest."""

DOCUMENTS = ("schema.json", "schema.yaml", "schema.yml", "openapi.json", "openapi.yaml", "openapi.yml")
"""What the document of a version may be called."""

OVERLAYS = ("overlay.yaml", "overlay.yml", "overlay.json")
"""What the overlay may be called that is applied to the document of its folder."""

ProtocolVersion: TypeAlias = Literal["$id", "info.version", "folder"]
_PROTOCOL_VERSIONS: tuple[ProtocolVersion, ...] = get_args(ProtocolVersion)


@dataclass(frozen=True, slots=True)
class Beside:
    """The files beside a contract, present or not: what people say about it, its public names, its translations."""

    folder: Path

    @property
    def outline(self) -> Path:
        """Sections and names by hand."""
        return self.folder / "outline.toml"

    @property
    def ledger(self) -> Path:
        """The names that are public."""
        return self.folder / "names.toml"

    @property
    def license(self) -> Path:
        """The licence of the contract, which goes with what is made of it."""
        return self.folder / "LICENSE"

    @property
    def catalogues(self) -> list[Path]:
        """One file per language."""
        return sorted((self.folder / "i18n").glob("*.toml"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractEntry:
    """A contract of the manifest: ``folder`` holds outline, ledger and one folder per version, oldest first in
    ``documents`` (version → document). ``overlays``: version → what is applied to its document. ``roots``: URL prefix → folder
    of further documents. ``formats`` are asserted. ``policy``: what is known of the parties when versions are compared, as it
    is written.
    """

    name: str
    folder: Path
    documents: Mapping[str, Path]
    overlays: Mapping[str, Path]
    protocol_version: ProtocolVersion
    dialect: str | None
    roots: Mapping[str, Path]
    formats: tuple[str, ...] = ()
    policy: Mapping[str, Any] = field(default_factory=dict)
    origin: Origin

    @property
    def beside(self) -> Beside:
        """What lies in the contract's folder."""
        return Beside(self.folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One output folder: ``target`` applied to one version of a contract. ``options`` are as written; ``templates`` is the
    folder whose templates replace built-in ones of the same path; ``origin`` is the job's table, so that an option is below
    it. ``every``: the manifest asks for every version, whatever comes."""

    contract: ContractEntry
    version: str
    name: str
    target: str
    options: Mapping[str, Any]
    templates: Path | None
    origin: Origin
    every: bool = True

    @property
    def path(self) -> str:
        """The output folder, relative to the manifest's folder."""
        return f"{OUTPUT}/{self.contract.name}/{self.version}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """``folder`` is where the manifest lies; ``jobs`` in manifest order, versions oldest first."""

    source: Source
    folder: Path
    contracts: tuple[ContractEntry, ...]
    jobs: tuple[Job, ...]

    def locate(self, origin: Origin) -> Position:
        """Line and column of a key of the manifest."""
        return self.source.locate(origin)

    def select(self, names: Iterable[str]) -> tuple[Job, ...]:
        """The jobs called ``contract/version/job``, ``contract/job`` or ``job``; all of them where ``names`` is empty.

        Raises ManifestError (``unknown-job``) for a name that fits none.
        """
        wanted: set[int] = set()
        problems: list[Problem] = []
        for name in names:
            found = [index for index, job in enumerate(self.jobs) if name in _spellings(job)]
            wanted.update(found)
            if not found:
                spelled = list(dict.fromkeys(f"{job.contract.name}/{job.name}" for job in self.jobs))
                problems.append(
                    Problem(
                        code="unknown-job",
                        message=f"there is no job {shown(name)}",
                        origin=Origin(self.source.path, "/tool/wirebound/jobs"),
                        help=known(name, spelled),
                    )
                )
        if problems:
            raise ManifestError(problems, self.locate)
        return tuple(job for index, job in enumerate(self.jobs) if index in wanted or not wanted)


def grown(manifest: Manifest, entry: ContractEntry) -> Manifest:
    """``manifest`` as it will be when ``entry``, with more versions, stands for the contract of its name: jobs for every
    version have them too."""
    contracts = tuple(entry if one.name == entry.name else one for one in manifest.contracts)
    jobs: list[Job] = []
    done: set[Origin] = set()
    for job in manifest.jobs:
        if job.contract.name != entry.name:
            jobs.append(job)
        elif job.origin not in done:
            done.add(job.origin)
            held = [one.version for one in manifest.jobs if one.origin == job.origin]
            versions = list(entry.documents) if job.every else held
            jobs += [replace(job, contract=entry, version=version) for version in versions]
    return replace(manifest, contracts=contracts, jobs=tuple(jobs))


def _spellings(job: Job) -> tuple[str, str, str]:
    contract = job.contract.name
    return (job.name, f"{contract}/{job.name}", f"{contract}/{job.version}/{job.name}")


def find(start: Path) -> Path:
    """The manifest of the nearest folder from ``start`` upward: ``wirebound.toml``, or a ``pyproject.toml`` with a
    ``[tool.wirebound]`` table. Raises ManifestError (``no-manifest``, ``two-manifests``)."""
    for folder in (start, *start.parents):
        own, shared = folder / "wirebound.toml", folder / "pyproject.toml"
        found = [path for path in (own, shared) if path.is_file() and (path == own or _has_table(path))]
        if len(found) > 1:
            raise _problem(own, "two-manifests", f"{display(shared)} holds a manifest too", "keep one of the two")
        if found:
            return found[0]
    message = "neither this folder nor one above it holds a manifest"
    raise _problem(start, "no-manifest", message, "run: wirebound init CONTRACT; or pass --manifest PATH")


def _has_table(path: Path) -> bool:
    try:
        return "wirebound" in tomllib.loads(path.read_bytes().decode()).get("tool", {})
    except (OSError, ValueError, RecursionError, AttributeError, TypeError):
        # Another tool's broken file is not ours to report, unless it means to speak to us.
        return path.is_file() and b"[tool.wirebound" in path.read_bytes()


def _problem(path: Path, code: str, message: str, help: str) -> ManifestError:
    name = display(path)
    return ManifestError([Problem(code=code, message=message, origin=Origin(name, ""), help=help)], top)


def load(path: Path) -> Manifest:
    """The manifest at ``path``. Raises ManifestError with everything in it that cannot be followed."""
    file = source(path)
    problems: list[Problem] = []
    folder = Path(path).absolute().parent
    keys = ("tool", "wirebound") if path.name == "pyproject.toml" else ()
    tool = file.value.get("tool")
    if keys and not (isinstance(tool, dict) and isinstance(tool.get("wirebound"), dict)):
        raise _problem(path, "no-manifest", "it holds no [tool.wirebound]", "add the table, or pass another manifest")
    root = Table.of(file, problems, *keys)
    contracts = tuple(_contract(name, table, folder) for name, table in root.named("contracts"))
    jobs = [job for table in root.tables("jobs") for job in _jobs(table, contracts, folder)]
    root.close()
    _refuse_twins(contracts, jobs, problems)
    if problems:
        raise ManifestError(problems, file.locate)
    return Manifest(source=file, folder=folder, contracts=contracts, jobs=tuple(jobs))


def _contract(name: str, table: Table, folder: Path) -> ContractEntry:
    if fault := segment_fault(name):
        table.report("bad-name", f"the contract name {shown(name)} cannot be used: {fault}", help="rename it")
    place = Path(os.path.normpath(folder / table.need("path")))
    if not place.is_relative_to(folder):
        # Its ledger is written there, in the same transaction as the outputs.
        table.report(
            "outside", f"{display(place)} is outside the manifest's folder", "path", help="move the manifest up"
        )
    written = table.take("protocol_version", str, "folder")
    protocol_version = next((choice for choice in _PROTOCOL_VERSIONS if choice == written), None)
    if protocol_version is None:
        help = known(written, list(_PROTOCOL_VERSIONS))
        table.report("bad-value", f"protocol_version is {shown(written)}", "protocol_version", help=help)
    dialect = table.take("dialect", str)
    roots = {prefix: folder / below for prefix, below in table.texts("roots").items()}
    for prefix, below in roots.items():
        if not below.is_dir():
            table.report("no-folder", f"{display(below)} is no folder", "roots", prefix, help="correct the path")
    formats = _formats(table)
    policy = table.take("policy", dict, {})
    table.close()
    documents = _documents(table, place) if "path" in table.value else {}
    return ContractEntry(
        name=name,
        folder=place,
        documents=documents,
        overlays=_overlays(table, documents),
        protocol_version=protocol_version or "folder",
        dialect=dialect,
        roots=roots,
        formats=formats,
        policy=policy,
        origin=table.origin,
    )


def _formats(table: Table) -> tuple[str, ...]:
    """The formats that a contract is to assert: an array of names, or ``true`` for each that can be."""
    if table.value.get("assert_formats") in (True, False):
        return ("all",) if table.take("assert_formats", bool) else ()
    names = table.strings("assert_formats")
    if not names:
        return ()
    # Imported here: most manifests ask for none, and a run with nothing to do should not wait for it.
    from codegen import formats

    for name in formats.unknown(names):
        help = known(name, [formats.ALL, *formats.FORMATS])
        table.report("unknown-format", f"the format {shown(name)} cannot be asserted", "assert_formats", help=help)
    return names


def _documents(table: Table, folder: Path) -> dict[str, Path]:
    """Version → document, oldest version first: a version is a folder that holds a document."""
    if not folder.is_dir():
        table.report("no-folder", f"{display(folder)} is no folder", "path", help="correct the path")
        return {}
    documents: dict[str, Path] = {}
    for version in sorted((entry.name for entry in folder.iterdir() if entry.is_dir()), key=order):
        found = [folder / version / name for name in DOCUMENTS if (folder / version / name).is_file()]
        if not found:
            continue
        documents[version] = found[0]
        if fault := segment_fault(version):
            message = f"the version folder {shown(version)} cannot be used: {fault}"
            table.report("bad-name", message, "path", help="rename the folder")
        if len(found) > 1:
            names = " and ".join(path.name for path in found)
            table.report("two-documents", f"{display(folder / version)} holds {names}", "path", help="keep one of them")
    if not documents:
        help = f"put the contract into {display(folder)}/<version>/{DOCUMENTS[0]}"
        table.report("no-versions", f"{display(folder)} holds no version", "path", help=help)
    return documents


def _overlays(table: Table, documents: Mapping[str, Path]) -> dict[str, Path]:
    """Version → the overlay beside its document, where there is one."""
    overlays: dict[str, Path] = {}
    for version, document in documents.items():
        found = [document.with_name(name) for name in OVERLAYS if document.with_name(name).is_file()]
        if found:
            overlays[version] = found[0]
        if len(found) > 1:
            names = " and ".join(path.name for path in found)
            message = f"{display(document.parent)} holds {names}"
            table.report("two-documents", message, "path", help="keep one of them")
    return overlays


_JOB_KEYS = ("contract", "target", "name", "versions", "templates")


def _jobs(table: Table, contracts: Iterable[ContractEntry], folder: Path) -> Iterable[Job]:
    """One job per version. Every key that is not ours is an option of the target."""
    named = {contract.name: contract for contract in contracts}
    name = table.need("contract")
    target = table.need("target")
    job = table.take("name", str, target)
    versions = table.strings("versions")
    written = table.take("templates", str)
    templates = None if written is None else folder / written
    if templates is not None and not templates.is_dir():
        table.report("no-folder", f"{display(templates)} is no folder", "templates", help="correct the path")
    if name and name not in named:
        table.report(
            "unknown-contract", f"there is no contract {shown(name)}", "contract", help=known(name, list(named))
        )
    if fault := segment_fault(job) if "name" in table.value or target else "":
        table.report(
            "bad-name",
            f"the job name {shown(job)} cannot be used: {fault}",
            "name" if "name" in table.value else "target",
            help='choose another: name = "…"',
        )
    contract = named.get(name)
    if contract is None:
        return
    if versions == ():
        table.report("bad-value", "versions is empty", "versions", help="leave it out for every version")
    for index, version in enumerate(versions or ()):
        if version not in contract.documents:
            help = known(version, list(contract.documents))
            table.report("unknown-version", f"{name} has no version {shown(version)}", "versions", index, help=help)
    options = {key: value for key, value in table.value.items() if key not in _JOB_KEYS}
    for version in contract.documents:
        if versions is None or version in versions:
            yield Job(
                contract=contract,
                version=version,
                name=job,
                target=target,
                options=options,
                templates=templates,
                origin=table.origin,
                every=versions is None,
            )


def _refuse_twins(contracts: Iterable[ContractEntry], jobs: Iterable[Job], problems: list[Problem]) -> None:
    """No two contracts share a ledger and no two jobs a folder, also where capitals are not told apart. Output folders
    are all of one depth, so that none lies in another."""
    taken: dict[str, object] = {}

    def refuse(path: str, owner: ContractEntry | Job, what: str, help: str) -> None:
        if taken.setdefault(path.casefold(), owner) is not owner:
            message = f"{shown(path)} is the folder of another {what} already"
            problems.append(Problem(code="duplicate", message=message, origin=owner.origin, help=help))

    for contract in contracts:
        refuse(display(contract.folder), contract, "contract", "keep one of the two contracts")
    for job in jobs:
        refuse(job.path, job, "job", 'give one of the two jobs a name of its own: name = "…"')
