"""A manifest or a contract → a written set, a comparison, files or text: the one module that knows all stages.

Must not do a stage's work: it says who comes when, hands on what each gives, and gathers the problems of all jobs before it
stops. Stages are imported where they are used, because most runs have nothing to do and should say so at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen import asked
from codegen import manifest as manifests
from codegen.errors import ManifestError, Problem
from codegen.gather import gathered, placed, raise_all
from codegen.manifest import OUTPUT, REGENERATE, Beside, Manifest
from codegen.paths import display, top
from codegen.pointer import Origin

if TYPE_CHECKING:
    from codegen.document import Contract
    from codegen.edition import Edition
    from codegen.editions import Shelf
    from codegen.errors import WireboundError
    from codegen.model import JsonValue
    from codegen.output.compare import Change, Folder
    from codegen.targets.base import Target

Note = Callable[[str], None]
"""Told what is being done, for whoever shows progress."""


def unheard(_: str) -> None:
    """Nobody listens."""


# --- a manifest -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run did, or would do.

    ``problems``: hand-made work in its way; ``strays``: files in output folders that the tool did not write; ``pending``:
    what an interrupted run left; ``recovered``: such a run was brought to its end first.
    """

    changes: tuple[Change, ...] = ()
    problems: tuple[Problem, ...] = ()
    strays: tuple[Path, ...] = ()
    pending: Path | None = None
    recovered: bool = False


def generate(path: Path | None, names: Sequence[str] = (), *, force: bool = False, note: Note = unheard) -> Outcome:
    """Write the outputs of the jobs ``names`` (of all, where it is empty) of the manifest at ``path`` (None: the nearest).

    One transaction: it raises WireboundError with every problem of every job, and has written nothing then. ``force``
    overwrites hand-made work.
    """
    from codegen.output import compare, transaction

    path = path or manifests.find(Path.cwd())
    manifest = manifests.load(path)
    jobs = manifest.select(names)

    def waiting() -> None:
        note("waiting for another run to end")

    with transaction.writing(manifest.folder, force=force, waiting=waiting) as writer:
        if not writer.recovered and not force and _stands(manifest):
            return Outcome()
        if writer.recovered:  # it may have brought a version
            manifest = manifests.load(path)
            jobs = manifest.select(names)
        run = Run(manifest, note)
        folders = run.folders(jobs)
        gone = [] if names else list(compare.orphans(manifest.folder / OUTPUT, [folder.path for folder in folders]))
        changes = compare.plan([*folders, *gone], run.ledgers).granted(force)
        writer.commit(changes)
        if not names:
            writer.stamp(_stamp(manifest, folders, run.documents))
        return Outcome(changes=changes, recovered=writer.recovered)


def check(path: Path | None, names: Sequence[str] = (), *, note: Note = unheard) -> Outcome:
    """What ``generate`` would do, and what it would leave lying about. Writes nothing, trusts no stamp."""
    from codegen.output import compare, transaction

    manifest = manifests.load(path or manifests.find(Path.cwd()))
    run = Run(manifest, note)
    folders = run.folders(manifest.select(names))
    gone = [] if names else list(compare.orphans(manifest.folder / OUTPUT, [folder.path for folder in folders]))
    plan = compare.plan([*folders, *gone], run.ledgers)
    return Outcome(
        changes=plan.changes,
        problems=plan.problems,
        strays=tuple(path for folder in (*folders, *gone) for path in compare.strays(folder)),
        pending=transaction.pending(manifest.folder),
    )


class Run:
    """One pass over a manifest: a contract is loaded once, whatever the number of its jobs. ``shelves`` are by contract."""

    def __init__(self, manifest: Manifest, note: Note) -> None:
        self.manifest = manifest
        self.note = note
        self.ledgers: dict[Path, bytes] = {}
        self.documents: list[Path] = []
        self.shelves: dict[str, Shelf | None] = {}

    def folders(self, jobs: Iterable[manifests.Job]) -> list[Folder]:
        """The output folders of ``jobs`` as they must be. Raises WireboundError with every problem of every job."""
        from codegen.output.compare import Folder
        from codegen.output.inventory import Owner

        errors: list[WireboundError] = []
        shelves = self.shelves
        folders: list[Folder] = []
        for job in jobs:
            contract = job.contract
            if contract.name not in shelves:
                shelves[contract.name] = None
                with gathered(errors):
                    shelves[contract.name] = self.shelf(contract)
            with gathered(errors, self.manifest.locate):
                target, options = target_of(job.target, job.options, job.origin)
                if shelf := shelves[contract.name]:
                    self.note(f"{contract.name} {job.version}: {job.name}")
                    contents = made(
                        target, options, shelf.editions[job.version], shelf.contracts[job.version], job.templates
                    )
                    owner = Owner(contract=contract.name, version=job.version, job=job.name, target=job.target)
                    folders.append(Folder(path=self.manifest.folder / job.path, owner=owner, contents=contents))
        raise_all(errors)
        return folders

    def shelf(self, entry: manifests.ContractEntry) -> Shelf:
        """Every version of a contract that some job needs with those before it, and its ledger with what they add."""
        from codegen import ledger

        needed = {job.version for job in self.manifest.jobs if job.contract is entry}
        newest = [version for version in entry.documents if version in needed][-1]
        shelf = shelved(self.manifest, entry, newest, self.note)
        self.ledgers[entry.beside.ledger] = ledger.text(shelf.ledger, REGENERATE).encode()
        self.documents += shelf.documents()
        return shelf


def shelved(
    manifest: Manifest, entry: manifests.ContractEntry, newest: str | None = None, note: Note = unheard
) -> Shelf:
    """The versions of a contract up to ``newest`` (None: all of them), those that are frozen as they were when they became so.

    Frozen is every version that is followed by another. Raises WireboundError with every problem of all of them.
    """
    from codegen.editions import Shelf
    from codegen.evolve import policy

    beside = entry.beside
    with placed(manifest.locate):
        stated = policy.written(entry.policy, entry.origin.at("policy"))
    shelf = Shelf(outlined=beside.outline, named=beside.ledger, translated=beside.catalogues, policy=stated)
    errors: list[WireboundError] = []
    versions = list(entry.documents)
    versions = versions[: versions.index(newest) + 1] if newest is not None else versions
    for version in versions:
        note(f"{entry.name} {version}")
        with gathered(errors):
            shelf.add(
                Path(display(entry.documents[version])),
                contract=entry.name,
                version=version,
                command=REGENERATE,
                rule=entry.protocol_version,
                dialect=entry.dialect,
                roots=entry.roots,
                overlays=[Path(display(entry.overlays[version]))] if version in entry.overlays else (),
                formats=entry.formats,
            )
    raise_all(errors)
    shelf.check_outline()
    shelf.freeze(version for version in versions if version != list(entry.documents)[-1])
    return shelf


def target_of(name: str, given: Mapping[str, Any], origin: Origin) -> tuple[Target, Any]:
    """The target called ``name`` and its options. Raises ManifestError."""
    from codegen.targets import registry
    from codegen.targets.options import options

    target = registry.find(name, origin.at("target"))
    return target, options(target, given, origin)


def made(
    target: Target, options: Any, edition: Edition, contract: Contract, replacing: Path | None = None
) -> dict[str, bytes]:
    """What a target makes of an edition: bytes by path. Templates in the folder ``replacing`` stand in for the target's own,
    and those for built-in ones, of the same path. Raises WireboundError."""
    from codegen import provenance
    from codegen.paths import templates
    from codegen.render import render

    brought = [folder for folder in (replacing, getattr(target, "templates", None)) if folder is not None]
    folders = (*brought, templates()) if brought else ()
    if replacing is not None and edition.sources is not None:
        edition = replace(edition, sources=provenance.templated(edition.sources, replacing, target.name))
    with placed(contract.locate):
        return render(target.files(edition, options), *folders)


# --- one contract -----------------------------------------------------------------------------------------------------


def build(
    contract: str | os.PathLike[str] | JsonValue,
    *,
    target: str = "python",
    options: Mapping[str, Any] | None = None,
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
) -> dict[str, bytes]:
    """The files that ``target`` makes of one contract (its path, or its value), by path.

    Outline and ledger are read where they lie beside the contract or in the folder above, and no ledger is written. The option
    ``overlay`` is no target's: a path, or several, of overlays that are applied to the contract in their order. Nor is
    ``assert_formats``: names of formats to be asserted, or true for each that can be.
    """
    given = dict(options or {})
    overlays, formats = asked.taken(given)
    with placed(top):
        chosen, chosen_options = target_of(target, given, Origin("options", ""))
        _refuse_idle(chosen, given)
    edition, loaded = edition_of(contract, target, dialect, roots, overlays, formats)
    return made(chosen, chosen_options, edition, loaded)


def _refuse_idle(target: Target, given: Mapping[str, Any]) -> None:
    """Refuse options that are about the project around a package, which only the job of a manifest has."""
    problems = [
        Problem(
            code="no-project",
            message=f"{name} would say nothing: without a manifest there is no project around the package",
            origin=Origin("options", "").at(name),
            help="leave it out, or write a manifest: wirebound init",
        )
        for name in given
        if name in getattr(target, "of_project", ())
    ]
    if problems:
        raise ManifestError(problems)


def build_into(
    contract: Path,
    out: Path,
    *,
    target: str,
    options: Sequence[str] = (),
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
    overlays: Sequence[Path] = (),
    force: bool = False,
    note: Note = unheard,
) -> Outcome:
    """``build`` into the folder ``out``, which no manifest has to know: one transaction, staged beside it. ``options`` are
    ``KEY=VALUE`` texts."""
    from codegen.output import compare, transaction
    from codegen.output.inventory import Owner
    from codegen.targets import registry
    from codegen.targets.options import spelled

    note(f"{display(contract)}: {target}")
    with placed(top):
        given = spelled(registry.find(target, Origin("options", "/target")), options)
    contents = build(contract, target=target, options={**given, "overlay": overlays}, dialect=dialect, roots=roots)
    place = _Place(contract)
    owner = Owner(contract=place.contract, version=place.version, job="", target=target)
    out = Path(os.path.normpath(out.absolute()))
    with transaction.writing(out.parent, force=force) as writer:
        folder = compare.Folder(path=out, owner=owner, contents=contents)
        changes = compare.plan([folder]).granted(force)
        writer.commit(changes)
        return Outcome(changes=changes, recovered=writer.recovered)


def show(
    contract: Path,
    what: str = "model",
    *,
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
    overlays: Sequence[Path] = (),
) -> str:
    """The model of a contract as text: "model" whole, as "json", its public "names", or how its "unions" are told apart."""
    import json

    from codegen import dump

    edition, _ = edition_of(contract, "", dialect, roots, overlays)
    model, facts = edition.model, edition.facts
    if what == "json":
        return json.dumps(dump.dump_json(model, facts), indent=2, ensure_ascii=False) + "\n"
    if what == "names":
        return dump.dump_names(model)
    return dump.dump_unions(model, facts) if what == "unions" else dump.dump(model, facts)


class _Place:
    """What the place of a document says about it: the name of its contract, its version, and the files beside it."""

    def __init__(self, path: Path) -> None:
        folder = path.absolute().parent
        own, above = Beside(folder), Beside(folder.parent)
        self.outline = own.outline if own.outline.is_file() else above.outline
        self.ledger = own.ledger if own.ledger.is_file() else above.ledger
        # The folder of a version has the shared files above it, or is at least called like a version.
        shared = any(path.parent != folder and path.is_file() for path in (self.outline, self.ledger))
        versioned = shared or re.match(r"v?[0-9]", folder.name) is not None
        self.contract = folder.parent.name if versioned else folder.name
        self.version = folder.name if versioned else ""


def edition_of(
    contract: str | os.PathLike[str] | JsonValue,
    target: str,
    dialect: str | None,
    roots: Mapping[str, Path] | None,
    overlays: Sequence[str | os.PathLike[str]] = (),
    formats: Sequence[str] = (),
) -> tuple[Edition, Contract]:
    """The edition of a contract that no manifest speaks of, and its documents."""
    from codegen.editions import Shelf

    if isinstance(contract, str | os.PathLike):
        place = _Place(Path(contract))
        shelf = Shelf(outlined=place.outline, named=place.ledger)
        name, version, command = (
            place.contract,
            place.version,
            f"wirebound build {Path(contract).name} --target {target}",
        )
    else:
        shelf = Shelf()
        name, version, command = "contract", "", "codegen.build"
    edition = shelf.add(
        contract,
        contract=name,
        version=version,
        command=command,
        rule="stated",
        dialect=dialect,
        roots=roots,
        overlays=overlays,
        formats=formats,
    )
    return edition, shelf.contracts[version]


# --- the stamp --------------------------------------------------------------------------------------------------------


def _stands(manifest: Manifest) -> bool:
    """Whether nothing that decides the outputs has changed since the last run, nor the outputs."""
    from codegen import stamp
    from codegen.output import compare, transaction

    last = transaction.stamp(manifest.folder)
    read, outputs, inputs = (last.get(key) for key in ("read", "outputs", "inputs"))
    if not isinstance(read, list) or not isinstance(outputs, dict) or not inputs:
        return False
    folders = {manifest.folder / job.path for job in manifest.jobs}
    return (
        inputs == stamp.digest(manifest, map(str, read))
        and {str(folder) for folder in folders} == outputs.keys()
        and all(compare.holds(folder, outputs[str(folder)]) for folder in folders)
        and not any(compare.orphans(manifest.folder / OUTPUT, folders))
    )


def _stamp(manifest: Manifest, folders: Iterable[Folder], documents: Iterable[Path]) -> dict[str, Any]:
    from codegen import stamp
    from codegen.output.inventory import INVENTORY, digest

    read = sorted(map(str, documents))
    return {
        "inputs": stamp.digest(manifest, read),
        "read": read,
        "outputs": {str(folder.path): digest((folder.path / INVENTORY).read_bytes()) for folder in folders},
    }
