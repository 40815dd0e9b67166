"""A manifest and the tool itself → a digest of all that decides what is written.

Must not be committed nor trusted by ``--check``: it only lets a run that would change nothing stop early. Contents are
digested, not times, because checkouts and copies change those.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from codegen.manifest import OVERLAYS, Manifest
from codegen.targets.registry import BUILT_IN

# What the tool is made of beside its own files. Their versions show in the time stamps of what is installed.
_LIBRARIES = ("jinja2", "markupsafe", "ruamel")


def digest(manifest: Manifest, read: Iterable[str]) -> str:
    """The digest of the tool, the manifest and every file that its jobs read; ``read`` names those that contracts refer to.
    Empty where it cannot be had, because a job's target is another distribution's."""
    if any(job.target not in BUILT_IN for job in manifest.jobs):
        return ""
    whole = sha256(f"{sys.version}\0{manifest.folder}\0{manifest.source.path}\0".encode())
    whole.update(manifest.source.text.encode())
    for name in _LIBRARIES:
        spec = find_spec(name)
        for place in (
            [spec.origin] if spec and spec.origin else list(spec.submodule_search_locations or ()) if spec else []
        ):
            state = Path(place).stat()
            whole.update(f"{place}\0{state.st_size}\0{state.st_mtime_ns}\0".encode())
    for path in (*_own(), *_inputs(manifest), *map(Path, sorted(read))):
        whole.update(str(path).encode("utf-8", "surrogateescape") + b"\0")
        whole.update(sha256(path.read_bytes()).digest() if path.is_file() else b"absent")
    for example, size in _examples(manifest):
        whole.update(f"{example}\0{size}\0".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def _own() -> Iterator[Path]:
    """The files of the tool."""
    package = Path(__file__).parent
    for folder in (package, package.parent / "templates"):
        for at, folders, files in os.walk(folder):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            yield from (Path(at, name) for name in sorted(files))


def _inputs(manifest: Manifest) -> Iterator[Path]:
    """The files that a run reads whatever they say, present or not."""
    for folder in dict.fromkeys(job.templates for job in manifest.jobs if job.templates is not None):
        yield from sorted(path for path in folder.rglob("*") if path.is_file())
    for contract in manifest.contracts:
        for document in contract.documents.values():
            yield from (document, *(document.with_name(name) for name in OVERLAYS))
        beside = contract.beside
        yield from (beside.outline, beside.ledger, beside.license, *beside.catalogues)


def _examples(manifest: Manifest) -> Iterator[tuple[str, int]]:
    """The examples from which a run chooses, which it does by name and size; ``read`` has the one that it chose."""
    for contract in manifest.contracts:
        for document in contract.documents.values():
            for at, folders, files in os.walk(document.parent / "examples"):
                folders.sort()
                yield from ((os.path.join(at, name), os.stat(os.path.join(at, name)).st_size) for name in sorted(files))
