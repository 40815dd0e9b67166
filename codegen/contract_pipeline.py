"""A contract at hand, of which no manifest need speak → findings, a manifest for it, verdicts on documents.

Must not do a stage's work: like ``pipeline``, it says who comes when.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from io import BufferedIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from codegen import manifest as manifests
from codegen import pipeline
from codegen.gather import gathered, raise_all
from codegen.paths import display
from codegen.pipeline import Note, unheard
from codegen.pointer import Origin
from codegen.validate import FORMATS, Format, Report, Tally, Unknown

__all__ = [
    "FORMATS",
    "Format",
    "Report",
    "Tally",
    "Unknown",
    "codec",
    "init",
    "known",
    "lint",
    "lint_codes",
    "validate",
]

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
    overlays: Sequence[Path] = (),
    note: Note = unheard,
) -> tuple[tuple[Problem, ...], Locate]:
    """What is legal in a contract and hurts, with its places: findings whose code is in ``select`` (in any, where it is
    empty) and not in ``ignore``."""
    from codegen import lint

    note(display(contract))
    edition, loaded = pipeline.edition_of(contract, "", dialect, roots, overlays)
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
    ci: Literal["github"] | None = None,
    note: Note = unheard,
) -> tuple[Path, ...]:
    """Write a manifest for a contract (None: the one that lies in the working folder) into the working folder, and the
    contract's own folder where it has none; what was written.

    Everything that the manifest asks for is made once in memory, so that ``generate`` works afterwards. Raises WireboundError
    with every problem, also where something would be overwritten, and has written nothing then. ``ci`` adds a workflow; without
    ``contract``, and where the manifest is there, that alone.
    """
    from codegen import scaffold
    from codegen.output import compare, transaction

    folder = Path.cwd()
    errors: list[WireboundError] = []
    files: dict[Path, bytes] = {}
    held = scaffold.held(folder) if ci and contract is None else None
    with gathered(errors):
        if held is None:
            files |= _scaffolded(contract, folder, targets, name, dialect, roots, note)
    with gathered(errors):
        if ci:
            place = scaffold.workflow(folder)
            if held is not None:
                folders = [entry.folder.relative_to(folder) for entry in held.contracts]
                files[place] = _workflow(folders, [job.target for job in held.jobs])
            elif files:
                files[place] = _workflow(scaffold.contracts(files[folder / scaffold.MANIFEST]), targets)
    raise_all(errors)
    with transaction.writing(folder) as writer:
        writer.commit([compare.Change(path=p, content=content, was=None, top=folder) for p, content in files.items()])
    return tuple(files)


def _scaffolded(
    contract: Path | None,
    folder: Path,
    targets: Sequence[str],
    name: str | None,
    dialect: str | None,
    roots: Mapping[str, Path] | None,
    note: Note,
) -> dict[Path, bytes]:
    """A manifest and what goes with it, as ``scaffold`` has them; everything that it asks for was made once."""
    from codegen import scaffold

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
    return scaffold.scaffold(contracts, path, folder, targets, name=name, dialect=dialect, roots=roots, stated=_stated)


def _stated(target: str, versions: Sequence[str]) -> dict[str, str]:
    """The options without which a target cannot do for versions that are called so."""
    if target == "python":
        from codegen.targets.python.release import TEMPLATE, released

        try:
            for version in versions:
                released(TEMPLATE, version, 0)
        except ValueError:
            return {"package_version": "0.1.{revision}"}
    return {}


def _workflow(folders: Sequence[Path], targets: Collection[str]) -> bytes:
    import shlex
    import sys

    import codegen
    from codegen import scaffold
    from codegen.render import render
    from codegen.targets.base import Rendering

    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    quoted = tuple(shlex.quote(folder.as_posix()) for folder in folders)
    view = scaffold.WorkflowView(codegen.__version__, python, quoted, "python" in targets)
    (content,) = render([Rendering("workflow.yml", "ci/github.yml.j2", view)]).values()
    return content


def codec(
    contract: Path,
    definition: str | None = None,
    *,
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
    formats: Sequence[str] = (),
    note: Note = unheard,
) -> Any:
    """The codec of a definition, or of what the contract asserts at its root, built in memory.

    Raises ContractError (``unknown-definition``; ``no-root`` where the root asserts nothing).
    """
    from codegen import memory
    from codegen.errors import ContractError, Problem, shown
    from codegen.tables import known

    note(display(contract))
    edition, loaded = pipeline.edition_of(contract, "", dialect, roots, formats=formats)
    names = [public.name.spelled for public in edition.facts.public]
    problem = None
    if definition is None and (edition.model.root is None or edition.facts.is_any(edition.model.root)):
        message = "the contract asserts nothing at its root: any document would pass"
        help = "name what the documents are: --definition NAME" + (f", such as {names[0]}" if names else "")
        problem = Problem(code="no-root", message=message, origin=Origin("", ""), help=help)
    elif definition is not None and definition not in names:
        message = f"there is no definition {shown(definition)}"
        problem = Problem(
            code="unknown-definition", message=message, origin=Origin("", ""), help=known(definition, names)
        )
    if problem is not None:
        raise ContractError([problem], loaded.locate)
    target, options = pipeline.target_of("python", {"parts": ["models"]}, Origin("options", ""))
    return memory.codecs(pipeline.made(target, options, edition, loaded))[definition or ""]


def validate(
    codec: Any,
    path: str,
    tally: Tally,
    *,
    format: Format | None = None,
    unknown: Unknown = "reject",
    done: str | None = None,
) -> Iterator[Report]:
    """What is wrong with the documents in the file ``path`` ("-" is standard input), one after another, in constant memory.

    ``format`` is that of the file's name where it is None. ``done`` is the text of a frame that ends a stream and is no
    document. A file that cannot be read is told of like a fault (``cannot-read``).
    """
    import sys

    from codegen.validate import EXTENSIONS, READERS, cannot_read, judged

    chosen: Format = format or EXTENSIONS.get(Path(path).suffix.lower(), "json")
    marker = None if done is None else done.encode()
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            assert isinstance(file, BufferedIOBase)
            yield from judged(codec, READERS[chosen](file), tally, unknown=unknown, done=marker)
    except OSError as error:
        yield cannot_read(error, tally)
