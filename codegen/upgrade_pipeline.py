"""A manifest and another version of this tool → what programs would notice of an upgrade: the surfaces that both make of it.

Must not do a stage's work: like ``pipeline``, it says who comes when. The other version runs in a process of its own, where
nothing of this one is, and tells what it makes of the same contracts; nothing is written.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import manifest as manifests
from codegen import pipeline
from codegen.errors import OutputError, Problem
from codegen.gather import placed
from codegen.paths import display, top
from codegen.pipeline import Note, unheard
from codegen.pointer import Origin

if TYPE_CHECKING:
    from codegen.evolve.surface import Broken, Difference

Surfaces = Mapping[str, Mapping[str, str]]
"""Every public name with its promise, by contract, version and job."""

_RUN = "import sys; from codegen.cli import run; sys.exit(run(sys.argv[1:]))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgrade:
    """What becomes of one job's output: every difference, and what of them breaks programs."""

    job: str
    differences: tuple[Difference, ...]
    broken: tuple[Broken, ...]


def surfaces(path: Path | None, *, note: Note = unheard) -> dict[str, dict[str, str]]:
    """The surfaces of every job of the manifest at ``path`` (None: the nearest) whose target has one."""
    manifest = manifests.load(path or manifests.find(Path.cwd()))
    found: dict[str, dict[str, str]] = {}
    for entry in manifest.contracts:
        jobs = [job for job in manifest.jobs if job.contract is entry]
        if not jobs:
            continue
        shelf = pipeline.shelved(manifest, entry, jobs[-1].version, note)
        for job in jobs:
            with placed(manifest.locate):
                target, options = pipeline.target_of(job.target, job.options, job.origin)
            told = getattr(target, "surface", None)
            if told is not None:
                with placed(shelf.contracts[job.version].locate):
                    found[f"{entry.name}/{job.version}/{job.name}"] = dict(told(shelf.editions[job.version], options))
    return found


def check(other: Path, path: Path | None, *, note: Note = unheard) -> list[Upgrade]:
    """What changes from the version ``other`` to this one: a wheel of this tool, or a Python in which it is installed.

    Raises OutputError (``other-version``) where that cannot tell what it makes.
    """
    from codegen.evolve.surface import broken, differences

    manifest = (path or manifests.find(Path.cwd())).absolute()
    note(f"{display(other)}: surfaces")
    before = _of(other, manifest)
    now = surfaces(manifest, note=note)
    return [
        Upgrade(
            job=job,
            differences=differences(before.get(job, {}), now.get(job, {})),
            broken=broken(before.get(job, {}), now.get(job, {})),
        )
        for job in dict.fromkeys((*now, *before))
    ]


def _of(other: Path, manifest: Path) -> Surfaces:
    with _runnable(other) as (program, place):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        arguments = [program, "-c", _RUN, "upgrade-check", "--print", "--manifest", str(manifest)]
        try:
            ran = subprocess.run(arguments, cwd=place, env=environment, capture_output=True, check=False)
        except OSError as error:
            raise _problem(other, f"it cannot be run: {error.strerror}") from None
    try:
        told = json.loads(ran.stdout)
    except ValueError:
        said = ran.stderr.decode(errors="replace").strip().splitlines()
        raise _problem(other, "it does not tell what it makes" + (f": {said[-1]}" if said else "")) from None
    return {job: {str(name): str(text) for name, text in names.items()} for job, names in told.items()}


@contextmanager
def _runnable(other: Path) -> Iterator[tuple[str, Path]]:
    """A Python, and the folder to run it in, from which it imports what is there."""
    from codegen.output import scratch
    from codegen.publish import wheel

    if other.suffix == ".whl":
        try:
            content = other.read_bytes()
        except OSError as error:
            raise _problem(other, f"it cannot be read: {error.strerror}") from None
        with scratch.folder(wheel.read(display(other), content).members) as place:
            yield sys.executable, place
    else:
        with scratch.folder() as place:
            yield str(other.absolute()), place


def _problem(other: Path, message: str) -> OutputError:
    help = "name a wheel of wirebound that has this command, or a Python in which it is installed"
    return OutputError(
        [Problem(code="other-version", message=message, origin=Origin(display(other), ""), help=help)], top
    )
