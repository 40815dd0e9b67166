"""Contracts → proof that everything made of them agrees: the targets built in memory, asked about the same documents.

Must not do a stage's work: like ``pipeline``, it says who comes when. Verdicts are those under "reject", whatever policy a job
has: it is the one under which promise 1 is given.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen import manifest as manifests
from codegen import pipeline
from codegen.errors import ManifestError, OutputError, Problem
from codegen.paths import display, top
from codegen.pipeline import Note, unheard
from codegen.pointer import Origin
from codegen.tables import known

if TYPE_CHECKING:
    from codegen.document import Contract
    from codegen.edition import Edition
    from codegen.model import JsonValue, Key
    from codegen.verify import Table
    from codegen.verify.corpus import Document
    from codegen.verify.subjects import Subject

SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "model": (),
    "jsonschema": (),
    "python/models": (),
    "python/msgspec": ("msgspec",),
    "python/pydantic": ("pydantic", "datamodel_code_generator"),
}
"""What can be asked, and what has to be installed for it beside the oracle."""
ORACLE = ("jsonschema", "referencing")


@dataclass(frozen=True)
class _Version:
    """One version of a contract: ``folder`` holds its document; ``open_world`` as a job has it."""

    edition: Edition
    loaded: Contract
    folder: Path
    open_world: bool

    @property
    def called(self) -> str:
        """What tables call it."""
        return " ".join(part for part in (self.edition.contract, self.edition.version) if part)


def verify(
    contract: Path | None,
    *,
    targets: Sequence[str] = (),
    documents: Path | None = None,
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
    overlays: Sequence[Path] = (),
    note: Note = unheard,
) -> tuple[Table, ...]:
    """A table for ``contract``, or (None) for each version of each contract of the nearest manifest.

    ``targets`` (empty: all) are names of ``SUBJECTS``, or what stands before their stroke. ``documents`` is a folder with more
    of them, by definition. Raises WireboundError, ``missing-extra`` for what is not installed among it.
    """
    chosen = _chosen(targets)
    _need([*ORACLE, *(module for name in chosen for module in SUBJECTS[name])])
    if contract is None:
        versions = _of_manifest(note)
    else:
        note(display(contract))
        edition, loaded = pipeline.edition_of(contract, "", dialect, roots, overlays)
        versions = iter([_Version(edition, loaded, contract.absolute().parent, False)])
    return tuple(_table(version, chosen, documents, note) for version in versions)


def _chosen(targets: Sequence[str]) -> tuple[str, ...]:
    problems = [
        Problem(
            code="unknown-target",
            message=f'"{target}" is nothing that can be verified',
            origin=Origin("--target", ""),
            help=known(target, [*SUBJECTS, "python"]),
        )
        for target in targets
        if not any(target in (name, name.partition("/")[0]) for name in SUBJECTS)
    ]
    if problems:
        raise ManifestError(problems, top)
    return tuple(
        name for name in SUBJECTS if not targets or any(target in (name, name.partition("/")[0]) for target in targets)
    )


def _need(modules: Sequence[str]) -> None:
    missing = [module for module in dict.fromkeys(modules) if importlib.util.find_spec(module) is None]
    if missing:
        message = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed"
        help = 'install it: pip install "wirebound[verify]"'
        raise OutputError(
            [Problem(code="missing-extra", message=message, origin=Origin("wirebound", ""), help=help)], top
        )


def _of_manifest(note: Note) -> Iterator[_Version]:
    manifest = manifests.load(manifests.find(Path.cwd()))
    for entry in manifest.contracts:
        jobs = [job for job in manifest.jobs if job.contract is entry]
        shelf = pipeline.shelved(manifest, entry, note=note)
        open_world = any(job.target == "python" and job.options.get("open_world") is True for job in jobs)
        for version, edition in shelf.editions.items():
            yield _Version(edition, shelf.contracts[version], entry.documents[version].parent, open_world)


def _table(version: _Version, chosen: Sequence[str], folder: Path | None, note: Note) -> Table:
    from codegen import verify
    from codegen.derive import Derivation
    from codegen.verify import corpus

    facts = version.edition.facts
    derivation = Derivation(facts)
    names = {definition.key: definition.name.spelled for definition in facts.public}
    note(f"{version.called}: deriving documents")
    documents = [*_own(version), *(corpus.of_folder(facts, folder) if folder else ()), *corpus.derived(derivation)]
    with ExitStack() as open_:
        subjects = list(_subjects(version, chosen, derivation.judge, names, open_))
        note(f"{version.called}: {len(documents):,} documents")
        return verify.verify(
            version.called,
            lambda key: "" if key is None else names[key],
            documents,
            list(corpus.spoiled(derivation)),
            subjects,
            _Asked(version, derivation.judge),
        )


def _own(version: _Version) -> Iterator[Document]:
    """The documents beside a contract: fixtures say what they are, and examples are right."""
    from dataclasses import replace

    from codegen.verify import corpus

    for name, stated in (("fixtures", None), ("examples", True)):
        folder = version.folder / name
        if folder.is_dir():
            for one in corpus.of_folder(version.edition.facts, folder):
                yield one if stated is None else replace(one, stated=stated)


def _subjects(
    version: _Version, chosen: Sequence[str], judge: Any, names: Mapping[Key, str], open_: ExitStack
) -> Iterator[Subject]:
    from codegen.output import scratch
    from codegen.verify import subjects

    def built(target: str, options: Mapping[str, Any]) -> dict[str, bytes]:
        found, chosen_options = pipeline.target_of(target, options, Origin("options", ""))
        return pipeline.made(found, chosen_options, version.edition, version.loaded)

    if "model" in chosen:
        yield subjects.Modelled(judge, version.edition.model.root)
    if "jsonschema" in chosen:
        yield subjects.Bundled(built("jsonschema", {})["schema.json"], names)
    parts = [name.partition("/")[2] for name in chosen if name.startswith("python/")]
    if parts:
        package = subjects.package_name()
        options = {
            "package": package,
            "open_world": version.open_world,
            "parts": list(dict.fromkeys(["models", *parts])),
        }
        folder = open_.enter_context(scratch.folder(built("python", options)))
        modules = {"models": "codecs", "msgspec": "msgspec_codecs", "pydantic": "pydantic_codecs"}
        wanted = [modules[part] for part in parts] + (["pydantic_models"] if "pydantic" in parts else [])
        found = open_.enter_context(subjects.imported(folder, package, tuple(wanted)))
        for part in parts:
            codecs = found[modules[part]].CODECS
            if part == "pydantic":
                yield subjects.Models("python/pydantic", codecs, names, found["pydantic_models"])
            else:
                yield subjects.Codecs(
                    f"python/{part}", codecs, names, {"unknown": "reject"} if part == "models" else {}
                )


class _Asked:
    """The right verdict: that of the oracle on the contract itself, where a pointer of it means the definition; else the
    model's.

    It is the model's judge for OpenAPI, under overlays, where formats are asserted and where references lead to other
    documents: what the package could read there is not what the contract says.
    """

    def __init__(self, version: _Version, judge: Any) -> None:
        from codegen.verify.oracle import Oracle

        self.judge = judge
        self.root = version.edition.model.root
        self.oracle: Oracle | None = None
        self.mute: set[Key | None] = set()
        loaded = version.loaded
        if loaded.openapi is None and not loaded.overlays and not loaded.formats:
            try:
                self.oracle = Oracle(loaded.documents[""].value, loaded.schemas[0].dialect.uri)
            except ValueError:
                self.oracle = None

    def __call__(self, key: Key | None, value: JsonValue) -> tuple[bool, bool]:
        """The verdict, and whether the oracle gave it."""
        from codegen.model import Union

        facts = self.judge.facts
        definition = None if key is None else facts.definition(key)
        meant = key is None or not (key.document or key.scope or key.part)
        if isinstance(definition, Union) and definition.name.source != "declared":
            meant = False  # of a choice of null or something else, the something else is what has a name
        if self.oracle is not None and meant and key not in self.mute:
            try:
                return self.oracle.accepts("" if key is None else key.pointer, value), True
            except Exception:  # a reference to what it cannot see, or a schema that is judged by itself
                self.mute.add(key)
        if definition is None:
            return self.root is None or self.judge.accepts(self.root, value), False
        return self.judge.is_a(definition, value), False
