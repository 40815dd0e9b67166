"""A contract at hand → a manifest for it, the folder of its version where it does not lie in one yet, and a workflow for CI.

Must not write or ask: what cannot be known is chosen so that ``generate`` works, and stands in the manifest to be changed.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codegen.errors import ManifestError, Problem
from codegen.manifest import DOCUMENTS, Manifest, load
from codegen.manifest import find as find_manifest
from codegen.paths import display, segment_fault, top
from codegen.pointer import Origin
from codegen.tables import bare, quoted
from codegen.versions import order

if TYPE_CHECKING:
    from codegen.document import Contract

MANIFEST = "wirebound.toml"
WORKFLOW = ".github/workflows/wirebound.yml"
SCHEMAS = "schema"
"""The folder for contracts that lie elsewhere."""

VERSION = re.compile(r"v?[0-9]+(?:[.-][0-9]+)*(?:[-.+][0-9A-Za-z.]+)?")
GENERIC = frozenset(["api", "contract", "index", "openapi", "root", "schema", "spec", "swagger"])
"""Names of files that say nothing about what is in them."""

CONTRACT = re.compile(
    r"""(?:^|[{,])\s*["']?"""
    r"""(?:\$schema["']?\s*:\s*["']?https?://(?:www\.)?json-schema\.org/|openapi["']?\s*:\s*["']?3\.)""",
    re.MULTILINE,
)
"""How a contract begins that says what it is."""


def find(folder: Path) -> Path:
    """The contract that lies in ``folder``: in the folder of a version below it, or loose in it.

    Raises ManifestError (``no-contract``, ``several-contracts``) unless there is exactly one.
    """
    versions: dict[Path, list[Path]] = {}
    for name in DOCUMENTS:
        for path in folder.glob(f"*/*/*/{name}"):
            if is_in_place(path, folder):
                versions.setdefault(path.parent.parent, []).append(path)
    found = [max(paths, key=lambda path: order(path.parent.name)) for paths in versions.values()]
    if not found:
        found = [folder / name for name in DOCUMENTS if (folder / name).is_file()]
    if not found:
        loose = (path for path in folder.iterdir() if path.suffix in (".json", ".yaml", ".yml") and path.is_file())
        found = [path for path in sorted(loose) if CONTRACT.search(_beginning(path))]
    if len(found) == 1:
        return found[0]
    if not found:
        message, help = "there is no contract in this folder", "name it: wirebound init PATH"
        raise _problem("no-contract", message, folder, help)
    listed = ", ".join(display(path) for path in sorted(found))
    raise _problem("several-contracts", f"{listed} can be meant", folder, "name one of them: wirebound init PATH")


def _beginning(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(4096).decode(errors="replace")


def is_in_place(path: Path, folder: Path) -> bool:
    """The document is in the folder of a version, in the folder of a contract, below ``folder``."""
    version = path.parent
    return (
        path.name in DOCUMENTS
        and VERSION.fullmatch(version.name) is not None
        and version.parent != folder
        and version.parent.is_relative_to(folder)
        and not segment_fault(version.parent.name)
    )


def versions(path: Path, folder: Path) -> list[Path]:
    """The documents that a manifest in ``folder`` covers with the one at ``path``: every version that lies beside it."""
    if not is_in_place(path, folder):
        return [path]
    found = (entry / name for entry in path.parent.parent.iterdir() for name in DOCUMENTS)
    return sorted(
        (document for document in found if document.is_file()), key=lambda document: order(document.parent.name)
    )


def scaffold(
    contracts: Mapping[Path, Contract],
    path: Path,
    folder: Path,
    targets: Sequence[str],
    *,
    name: str | None = None,
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
    stated: Callable[[str, Sequence[str]], Mapping[str, str]] = lambda target, versions: {},
) -> dict[Path, bytes]:
    """The files to write, by path: the manifest in ``folder`` for the contract at ``path``, both absolute, and the contract
    itself where it lies elsewhere. ``contracts`` are the loaded ``versions``; ``name`` is chosen where it is None. ``stated``
    are the options that a job for a target must state, where it is for versions that are called so.

    Raises ManifestError with everything that is there already.
    """
    files: dict[Path, bytes] = {}
    if is_in_place(path, folder) and name in (None, path.parent.parent.name):
        place = path.parent.parent
        name = place.name
        rules = {_rule(contract, document.parent.name) for document, contract in contracts.items()}
        rule = rules.pop() if len(rules) == 1 else "folder"
        named = [document.parent.name for document in contracts]
    else:
        contract = contracts[path]
        name, version = name or _name(contract, path), _version(contract, path)
        rule = _rule(contract, version)
        named = [version]
        place = folder / SCHEMAS / name
        files = {place / version / file: content for file, content in documents(contract, path)}
    jobs = [(target, stated(target, named)) for target in targets]
    text = _manifest(name, place.relative_to(folder), rule, jobs, dialect, roots or {}, folder)
    files[folder / MANIFEST] = text.encode()
    there = [path for path in files if path.exists()]
    manifest = _held(folder)
    there += [manifest] if manifest and manifest not in there else []
    if there:
        problems = [_exists(path) for path in there]
        raise ManifestError(problems, top)
    return files


def _held(folder: Path) -> Path | None:
    with suppress(ManifestError):
        path = find_manifest(folder)
        return path if path.parent == folder else None
    return None


def held(folder: Path) -> Manifest | None:
    """The manifest that lies in ``folder``. Raises ManifestError for one that cannot be followed."""
    path = _held(folder)
    return load(path) if path else None


@dataclass(frozen=True, slots=True)
class WorkflowView:
    """A workflow: ``version`` is that of this tool, ``python`` that of its Python; ``contracts`` are folders, quoted for a
    shell; ``package``: there is one to publish."""

    version: str
    python: str
    contracts: tuple[str, ...]
    package: bool
    base: str = "${{ github.event.pull_request.base.sha }}"


def contracts(manifest: bytes) -> list[Path]:
    """The folders of the contracts in a manifest that was scaffolded."""
    return [Path(entry["path"]) for entry in tomllib.loads(manifest.decode())["contracts"].values()]


def workflow(folder: Path) -> Path:
    """Where the workflow of a project in ``folder`` is. Raises ManifestError (``exists``) where there is one."""
    path = folder / WORKFLOW
    if path.exists():
        raise ManifestError([_exists(path)], top)
    return path


def _exists(path: Path) -> Problem:
    by_hand = path.name in (MANIFEST, Path(WORKFLOW).name)
    help = "move it away, or change it by hand" if by_hand else "move it away"
    return Problem(code="exists", message="it is there already", origin=Origin(display(path), ""), help=help)


def documents(contract: Contract, path: Path) -> Iterable[tuple[str, bytes]]:
    """Every file that the contract at ``path`` is made of, the document itself first, each by its path from there."""
    kind = "openapi" if _member(contract, "openapi") else "schema"
    yield kind + path.suffix.lower(), path.read_bytes()
    for address in contract.documents:
        if address and (path.parent / address).is_file():
            yield address, (path.parent / address).read_bytes()


# --- what it is called ------------------------------------------------------------------------------------------------


def _member(contract: Contract, *names: str) -> str:
    value = contract.documents[""].value
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _name(contract: Contract, path: Path) -> str:
    """From the file, else the title, else the folder."""
    stem = path.name.partition(".")[0]
    titles = (_member(contract, "title"), _member(contract, "info", "title"))
    folders = (path.parent.name, path.parent.parent.name)
    for text in (stem if stem.lower() not in GENERIC else "", *titles, *folders):
        words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", text)
        name = "-".join(words).lower()
        if name and not VERSION.fullmatch(name) and not segment_fault(name):
            return name
    return "contract"


def _version(contract: Contract, path: Path) -> str:
    return stated_version(contract, path) or "1.0"


def stated_version(contract: Contract, path: Path) -> str:
    """The version that a contract states, else that of the folder in which it lies; empty where neither is one."""
    segments = [segment for segment in contract.id.split("/") if VERSION.fullmatch(segment)]
    for version in (_member(contract, "info", "version"), *segments[-1:], path.parent.name):
        if VERSION.fullmatch(version) and not segment_fault(version):
            return version
    return ""


def _rule(contract: Contract, version: str) -> str:
    if version in contract.id.split("/"):
        return "$id"
    return "info.version" if _member(contract, "info", "version") == version else "folder"


def _manifest(
    name: str,
    place: Path,
    rule: str,
    jobs: Iterable[tuple[str, Mapping[str, str]]],
    dialect: str | None,
    roots: Mapping[str, Path],
    folder: Path,
) -> str:
    lines = [
        "# What `wirebound generate` writes into generated/, and from what.",
        "",
        f"[contracts.{bare(name)}]",
        f"path = {quoted(place.as_posix())} # its versions are the folders in it",
        f"protocol_version = {quoted(rule)}",
    ]
    if dialect is not None:
        lines.append(f"dialect = {quoted(dialect)}")
    if roots:
        written = (f"{quoted(prefix)} = {quoted(_from(folder, below))}" for prefix, below in roots.items())
        lines.append(f"roots = {{ {', '.join(written)} }}")
    for target, options in jobs:
        lines += ["", "[[jobs]]", f"contract = {quoted(name)}", f"target = {quoted(target)}"]
        lines += [f"{key} = {quoted(value)}" for key, value in options.items()]
    return "\n".join(lines) + "\n"


def _from(folder: Path, below: Path) -> str:
    return Path(os.path.relpath(below.absolute(), folder)).as_posix()


def _problem(code: str, message: str, folder: Path, help: str) -> ManifestError:
    return ManifestError([Problem(code=code, message=message, origin=Origin(display(folder), ""), help=help)], top)
