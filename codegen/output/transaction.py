"""Changes → a written set, whole or not at all.

Must not judge the changes (``compare`` does). The order of steps is what makes a kill harmless at every moment:

1. all new bytes go into ``.wirebound/staging/``, which nobody reads;
2. the journal, which says what goes where, is renamed into place: the commit point;
3. files are deleted, and each staged file is renamed over its target, in the journal's order;
4. the journal is removed.

Killed before 2, the run has changed nothing and the next one discards it. Killed after, the next run finishes 3 and 4:
what is no longer staged has been moved already. A rename is atomic, so no reader ever sees half a file. Nothing is
flushed to the disk's platters: against a loss of power there is version control, and a second run.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from codegen.errors import OutputError, Problem
from codegen.output import lock
from codegen.output.compare import FOLDER, Change, found
from codegen.output.inventory import digest
from codegen.paths import display, path_fault, top
from codegen.pointer import Origin

WORKSHOP = ".wirebound"
STAMP = "stamp"
_FORMAT = 1


class Writer:
    """The one process that may write below ``base``. ``recovered``: it has finished an interrupted run first."""

    def __init__(self, base: Path) -> None:
        """Made by ``writing`` only, which holds the lock."""
        self.base = base
        self.recovered = False
        self.workshop = base / WORKSHOP
        self.staging = self.workshop / "staging"
        self.journal = self.workshop / "journal.json"

    def recover(self, force: bool) -> None:
        """Finish the run that was interrupted after its commit point, or discard what was staged before it.

        Raises OutputError (``edited``) where a file is neither as it was nor as it was to become, unless ``force``.
        """
        if self.journal.exists():
            self.apply(force)
            self.recovered = True
        shutil.rmtree(self.staging, ignore_errors=True)

    def commit(self, changes: Sequence[Change]) -> None:
        """Write ``changes`` as one. Raises OutputError (``not-writable``) before anything is touched."""
        if not changes:
            return
        self.preflight(changes)
        self.staging.mkdir()
        steps: list[dict[str, str | None]] = []
        for number, change in enumerate(changes):
            step = {
                "path": self.relative(change.path),
                "top": self.relative(change.top),
                "was": change.was,
                "digest": None,
            }
            if change.content is not None:
                (self.staging / str(number)).write_bytes(change.content)
                step["digest"] = digest(change.content)
            steps.append(step)
        written = self.staging / "journal"
        written.write_text(json.dumps({"wirebound": _FORMAT, "steps": steps}, indent=1), encoding="utf-8")
        os.replace(written, self.journal)
        self.apply(force=True)
        shutil.rmtree(self.staging)

    def apply(self, force: bool) -> None:
        """Steps 3 and 4."""
        steps = self.steps()
        if not force:
            self.refuse_edits(steps)
        for number, step in enumerate(steps):
            path, staged = self.base / step["path"], self.staging / str(number)
            if step["digest"] is None:
                _delete(path, self.base / step["top"])
            elif staged.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                os.replace(staged, path)
        self.journal.unlink()

    def steps(self) -> list[dict[str, Any]]:
        """The journal's steps. Raises OutputError for a journal that the tool cannot have written."""
        try:
            steps = json.loads(self.journal.read_text(encoding="utf-8"))["steps"]
            paths = [step[key] for step in steps for key in ("path", "top")]
            if not any(path != "." and path_fault(path) for path in paths) and all("digest" in step for step in steps):
                return list(steps)
        except (ValueError, TypeError, KeyError, AttributeError):
            pass
        raise _problem(
            self.journal, "bad-journal", "it is no journal of this tool", "remove it, then run the command again"
        )

    def refuse_edits(self, steps: list[dict[str, Any]]) -> None:
        """What somebody changed after the kill is not to be lost."""
        # A folder is no edit: a step of this run may remove it, and a rename cannot replace it.
        paths = [(self.base / s["path"], (s["was"], s["digest"], FOLDER)) for s in steps]
        edited = [path for path, states in paths if found(path) not in states]
        if edited:
            help = "restore it, or pass --force to finish the interrupted run over it"
            problems = [_problem(path, "edited", "it was edited after a run was interrupted", help) for path in edited]
            raise OutputError([p for error in problems for p in error.problems], problems[0].locate)

    def preflight(self, changes: Sequence[Change]) -> None:
        """Refuse before the commit point what would fail after it."""
        device = self.workshop.stat().st_dev
        for folder in {change.path.parent for change in changes}:
            existing = next(path for path in (folder, *folder.parents) if path.is_dir())
            if not os.access(existing, os.W_OK | os.X_OK):
                raise _problem(existing, "not-writable", "this folder cannot be written", "change its permissions")
            if existing.stat().st_dev != device:
                message = f"this folder is not on the file system of {display(self.workshop)}"
                raise _problem(
                    existing, "not-writable", message, "files cannot be renamed into it: use one file system"
                )

    def relative(self, path: Path) -> str:
        """``path`` as the journal spells it."""
        return path.relative_to(self.base).as_posix()

    def clear(self) -> None:
        """Remove the workshop where nothing in it is worth keeping."""
        if {entry.name for entry in self.workshop.iterdir()} <= {"lock", ".gitignore"}:
            shutil.rmtree(self.workshop, ignore_errors=True)

    def stamp(self, value: Mapping[str, Any]) -> None:
        """Note what this run was made from and what it left, for the next run to compare."""
        written = self.workshop / f"{STAMP}.new"
        written.write_text(json.dumps(value, indent=1), encoding="utf-8")
        os.replace(written, self.workshop / STAMP)


@contextmanager
def writing(base: Path, *, force: bool = False, waiting: Callable[[], None] = lambda: None) -> Iterator[Writer]:
    """Hold the lock of ``base``, and bring an interrupted run to its end. ``waiting``: called if another has it."""
    writer = Writer(base)
    descriptor = lock.acquire(writer.workshop / "lock", waiting)
    try:
        (writer.workshop / ".gitignore").write_text("*\n")
        writer.recover(force)
        yield writer
    finally:
        if not writer.journal.exists():
            shutil.rmtree(writer.staging, ignore_errors=True)
        writer.clear()
        lock.release(descriptor)


def pending(base: Path) -> Path | None:
    """What an interrupted run left below ``base``: its journal, or what it had staged before its commit point."""
    writer = Writer(base)
    return next((path for path in (writer.journal, writer.staging) if path.exists()), None)


def stamp(base: Path) -> Mapping[str, Any]:
    """What the last run noted; empty when there is no such note."""
    try:
        value = json.loads((base / WORKSHOP / STAMP).read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _delete(path: Path, top: Path) -> None:
    """Delete a file and the folders up to ``top`` that are empty then."""
    try:
        path.unlink(missing_ok=True)
        for folder in path.relative_to(top).parents:
            (top / folder).rmdir()
    except OSError:
        if path.is_file() or path.is_symlink():
            raise


def _problem(path: Path, code: str, message: str, help: str) -> OutputError:
    name = display(path)
    problem = Problem(code=code, message=message, origin=Origin(name, ""), help=help)
    return OutputError([problem], top)
