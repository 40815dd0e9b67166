"""Options of a caller → those that are no target's: which overlays are applied, which formats are asserted.

Must not look at a target's own options (``targets.options`` does), nor know formats or overlays: it reads what is asked.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from codegen.errors import ManifestError, Problem, shown
from codegen.paths import top
from codegen.pointer import Origin


def taken(options: dict[str, Any]) -> tuple[list[str | os.PathLike[str]], Sequence[str]]:
    """The overlays and the formats that ``options`` name, taken out of them: ``overlay`` is a path, or several;
    ``assert_formats`` true (each format that can be), names, or names in one text with commas. Raises ManifestError."""
    return _overlays(options.pop("overlay", ())), _formats(options.pop("assert_formats", ()))


def _overlays(given: Any) -> list[str | os.PathLike[str]]:
    paths = [given] if isinstance(given, str | os.PathLike) else given
    if not isinstance(paths, list | tuple) or not all(isinstance(path, str | os.PathLike) for path in paths):
        raise _bad("overlay", f"{shown(given)}, no path and no list of paths", "name the file of an overlay")
    return list(paths)


def _formats(given: Any) -> Sequence[str]:
    if given is True or given == "true":
        return ("all",)
    names = list(filter(None, given.split(","))) if isinstance(given, str) else given or ()
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise _bad("assert_formats", f"{shown(given)}, no list of names and not true", "name formats")
    return names


def _bad(option: str, what: str, help: str) -> ManifestError:
    origin = Origin("options", "").at(option)
    return ManifestError([Problem(code="bad-option", message=f"{option} is {what}", origin=origin, help=help)], top)
