"""A wheel and what is known of its package → the same, proven: installed where nothing else is, imported, and put to work.

Must not use what is installed beside this tool: the interpreter is new, and sees the standard library alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from codegen.errors import OutputError, Problem
from codegen.output import scratch
from codegen.paths import top
from codegen.pointer import Origin
from codegen.publish import proof
from codegen.publish.trouble import hidden, last, need, trouble

_VERSION = "import sys; print('%d.%d.%d' % sys.version_info[:3])"


@dataclass(frozen=True, slots=True)
class Case:
    """A document of a definition, as JSON text; ``name`` is what messages call it."""

    name: str
    definition: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What must be found: ``files`` are digests of the package's contract by path; every document must come back as it was."""

    distribution: str
    version: str
    package: str
    protocol_version: str
    digest: str
    files: Mapping[str, str]
    documents: Sequence[Case]


def prove(name: str, wheel: bytes, expected: Expected, python: str) -> str:
    """Install ``wheel``, whose file is called ``name``, with the interpreter ``python`` and prove it; the version of Python.

    Raises OutputError: ``no-python`` for an interpreter that cannot be used, ``not-proven`` with everything that is wrong.
    """
    need("pip")
    files = {name: wheel, "expected.json": json.dumps(asdict(expected)).encode(), "proof.py": _script()}
    with scratch.folder(files) as folder:
        version = _ran([python, "-c", _VERSION], folder, python).strip()
        _ran([python, "-m", "venv", "--without-pip", "environment"], folder, python)
        places = [folder / "environment" / place for place in ("bin/python", "Scripts/python.exe")]
        new = str(next(place for place in places if place.exists()))
        pip = [sys.executable, "-I", "-m", "pip", "--isolated", "--disable-pip-version-check", "--python", new]
        ran = _run([*pip, "install", "--no-index", "--quiet", name], folder)
        if ran.returncode:
            raise _unproven(name, version, [f"it cannot be installed: {last(ran.stderr)}"])
        ran = _run([new, "-I", "proof.py", "expected.json"], folder)
        if ran.returncode:
            lines = [line for line in hidden(ran.stdout).splitlines() if line]
            raise _unproven(name, version, lines or [last(ran.stderr)])
    return version


def _script() -> bytes:
    return Path(proof.__file__).read_bytes()


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def _ran(command: Sequence[str], folder: Path, python: str) -> str:
    try:
        ran = _run(command, folder)
    except OSError as error:
        raise trouble("--python", "no-python", f"{python} cannot be run: {error.strerror}", "name another") from None
    if ran.returncode:
        message = f"{python} cannot be used: {last(ran.stderr or ran.stdout)}"
        raise trouble("--python", "no-python", message, "name Python 3.11 or newer, with its module venv")
    return ran.stdout


def _unproven(name: str, version: str, lines: Sequence[str]) -> OutputError:
    help = "correct the contract or its examples; what neither explains is a fault of wirebound"
    return OutputError(
        [
            Problem(code="not-proven", message=f"on Python {version}, {line}", origin=Origin(name, ""), help=help)
            for line in lines[:20]
        ],
        top,
    )
