"""Files → a folder that is gone afterwards, for tools that read and write folders.

Must not be used for what is to stay: a transaction writes that.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from codegen.errors import OutputError, Problem, shown
from codegen.paths import path_fault, top
from codegen.pointer import Origin


@contextmanager
def folder(files: Mapping[str, bytes] | None = None) -> Iterator[Path]:
    """A new folder with ``files``, by their path below it. Raises OutputError (``bad-path``) for one that leads out of it."""
    place = Path(tempfile.mkdtemp(prefix=f"wirebound-{os.getpid()}-")).resolve()
    try:
        put(place, files or {})
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def put(place: Path, files: Mapping[str, bytes]) -> None:
    """Write ``files`` below ``place``; errors as in ``folder``."""
    problems = [
        Problem(code="bad-path", message=f"{shown(path)} cannot be written: {why}", origin=Origin(path, ""))
        for path in files
        if (why := path_fault(path))
    ]
    if problems:
        raise OutputError(problems, top)
    for path, content in files.items():
        file = place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
