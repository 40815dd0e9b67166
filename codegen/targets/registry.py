"""A target's name → the target: a built-in one, or one that an installed distribution adds.

Must not import a target that nobody asked for. The built-in names come first: an installed package can add a target, and
cannot change what a manifest means.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

from codegen.errors import ManifestError, Problem, shown
from codegen.pointer import Origin
from codegen.tables import known

if TYPE_CHECKING:
    from codegen.targets.base import Target

GROUP = "wirebound.targets"
"""The entry-point group: ``name = "package.module:TARGET"``."""

BUILT_IN = {
    "python": "codegen.targets.python",
    "jsonschema": "codegen.targets.jsonschema",
    "markdown": "codegen.targets.markdown",
}


def find(name: str, origin: Origin) -> Target:
    """The target called ``name``; ``origin`` is where it is asked for. Raises ManifestError (``unknown-target``,
    ``bad-target``)."""
    if name in BUILT_IN:
        return cast("Target", importlib.import_module(BUILT_IN[name]).TARGET)
    # Imported here: looking through what is installed takes longer than a run that has nothing to do.
    from importlib.metadata import entry_points

    found = [point for point in entry_points(group=GROUP) if point.name == name]
    if not found:
        raise _problem("unknown-target", f"there is no target {shown(name)}", origin, known(name, names()))
    if len(found) > 1:
        values = " and ".join(sorted(point.value for point in found))
        raise _problem("bad-target", f"{values} are both called {shown(name)}", origin, "uninstall one of them")
    try:
        target = found[0].load()
    except Exception as error:  # whatever a package does when it is imported
        message = f"the target {shown(name)} cannot be imported: {type(error).__name__}: {error}"
        raise _problem("bad-target", message, origin, f"repair or uninstall {found[0].value}") from error
    missing = [attribute for attribute in ("name", "Options", "files") if not hasattr(target, attribute)]
    if missing or target.name != name:
        message = f"{found[0].value} is no target called {shown(name)}: " + (
            f"it has no {missing[0]}" if missing else f"it calls itself {shown(target.name)}"
        )
        raise _problem("bad-target", message, origin, f"repair or uninstall {found[0].value}")
    return cast("Target", target)


def names() -> list[str]:
    """The targets that are there."""
    from importlib.metadata import entry_points

    return sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))})


def _problem(code: str, message: str, origin: Origin, help: str) -> ManifestError:
    return ManifestError([Problem(code=code, message=message, origin=origin, help=help)])
