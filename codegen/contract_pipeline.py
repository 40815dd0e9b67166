"""A contract at hand, of which no manifest need speak → findings, a manifest for it, verdicts on documents.

Must not do a stage's work: like ``pipeline``, it says who comes when.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from codegen import manifest as manifests
from codegen import pipeline
from codegen.gather import gathered, raise_all
from codegen.paths import display
from codegen.pipeline import Note, unheard
from codegen.pointer import Origin

if TYPE_CHECKING:
    from codegen.document import Contract
    from codegen.errors import Locate, Problem, WireboundError


def lint(
    contract: Path,
    *,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
    note: Note = unheard,
) -> tuple[tuple[Problem, ...], Locate]:
    """What is legal in a contract and hurts, with its places: findings whose code is in ``select`` (in any, where it is
    empty) and not in ``ignore``."""
    from codegen import lint

    note(display(contract))
    edition, loaded = pipeline.edition_of(contract, "", dialect, roots)
    found = lint.lint(loaded, edition.facts)
    kept = (problem for problem in found if problem.code not in ignore and (not select or problem.code in select))
    return tuple(kept), loaded.locate


def lint_codes() -> Mapping[str, str]:
    """Each code of a finding, and what it stands for."""
    from codegen.lint import CODES

    return CODES


def known(what: Literal["targets", "dialects", "jobs"]) -> Sequence[str]:
    """The names that a command line can give, for shells to complete."""
    if what == "targets":
        from codegen.targets import registry

        return registry.names()
    if what == "dialects":
        from codegen.vocabulary import DIALECTS

        return DIALECTS
    manifest = manifests.load(manifests.find(Path.cwd()))
    return [f"{job.contract.name}/{job.name}" for job in manifest.jobs]


def init(
    contract: Path | None,
    *,
    targets: Sequence[str] = ("python",),
    name: str | None = None,
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
    note: Note = unheard,
) -> tuple[Path, ...]:
    """Write a manifest for a contract (None: the one that lies in the working folder) into the working folder, and the
    contract's own folder where it has none; what was written.

    Everything that the manifest asks for is made once in memory, so that ``generate`` works afterwards. Raises WireboundError
    with every problem, also where something would be overwritten, and has written nothing then.
    """
    from codegen import scaffold
    from codegen.output import compare, transaction

    folder = Path.cwd()
    path = Path(os.path.abspath(contract or scaffold.find(folder)))
    contracts: dict[Path, Contract] = {}
    errors: list[WireboundError] = []
    for document in scaffold.versions(path, folder):
        note(display(document))
        with gathered(errors):
            edition, contracts[document] = pipeline.edition_of(Path(display(document)), "", dialect, roots)
            for target in targets:
                chosen, options = pipeline.target_of(target, {}, Origin("options", ""))
                pipeline.made(chosen, options, edition, contracts[document])
    raise_all(errors)
    files = scaffold.scaffold(contracts, path, folder, targets, name=name, dialect=dialect, roots=roots)
    with transaction.writing(folder) as writer:
        writer.commit([compare.Change(path=p, content=content, was=None, top=folder) for p, content in files.items()])
    return tuple(files)
