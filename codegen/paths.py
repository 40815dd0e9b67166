"""Names and relative paths → the reason why they cannot be written, or nothing.

Must not read or write, only look where the tool's own templates are. One rule for every system, so that what one machine
generates another can check out.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath

from codegen.errors import Position
from codegen.pointer import Origin

_SEGMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))]
)


def segment_fault(name: str) -> str:
    """Why ``name`` cannot name one folder of the output root; empty when it can.

    Contract, version and job names stand in banners and on command lines: letters, digits and ``._+-`` only.
    """
    if not _SEGMENT.fullmatch(name):
        return "it is not one folder name of letters, digits and . _ + -, beginning with a letter or digit"
    return _portable_fault(name)


def path_fault(path: str) -> str:
    """Why ``path`` cannot be a file below an output folder; empty when it can. Segments are separated by slashes."""
    for segment in path.split("/"):
        if segment in ("", ".", ".."):
            return "it does not stay inside the output folder"
        if any(c in '\\:*?"<>|' or not c.isprintable() for c in segment):
            return "it holds a character that is no part of a file name on every system"
        if fault := _portable_fault(segment):
            return fault
    return ""


def _portable_fault(segment: str) -> str:
    if segment[-1] in ". ":
        return "it ends with a dot or a space, which some systems drop"
    if segment.partition(".")[0].casefold() in _DEVICES:
        return "it is the name of a device on some systems"
    if len(segment.encode("utf-8", "surrogatepass")) > 255:
        return "it is longer than 255 bytes"
    return ""


def top(origin: Origin) -> Position:
    """Where a problem of a whole file or folder is shown: ``document`` is its path."""
    return Position(origin.document, 1, 1)


def display(path: PurePath) -> str:
    """``path`` as messages name it: from the working folder if it lies below, with forward slashes."""
    absolute = os.path.abspath(path)
    try:
        return Path(absolute).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return Path(absolute).as_posix()


def templates() -> Path:
    """The folder of the built-in templates: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "_templates"
    return installed if installed.is_dir() else package.parent / "templates"
