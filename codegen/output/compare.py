"""Folders as they must be + the disk → the changes that make them so, or the reasons against.

Must not write. Reads the files that are wanted or listed, and no others, except to look for strays.
"""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from codegen.errors import OutputError, Problem, shown
from codegen.output.inventory import INVENTORY, Inventory, Owner, content, digest, read
from codegen.paths import display, top
from codegen.pointer import Origin

# What other tools leave beside generated code: not ours, not worth a word.
_CACHES = ("__pycache__", "*.egg-info", "build", ".*cache", ".hypothesis", ".DS_Store", "*.pyc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """An output folder as it must be. ``owner`` None: no job owns it any more, and what is listed in it goes."""

    path: Path
    owner: Owner | None
    contents: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file to write (``content``) or to delete (None). ``was``: digest of the bytes that are there now, None for no
    file. ``top``: the folder up to which emptied folders are removed."""

    path: Path
    content: bytes | None
    was: str | None
    top: Path

    @property
    def kind(self) -> Literal["stale", "missing", "extra"]:
        """What ``--check`` calls it."""
        return "extra" if self.content is None else "missing" if self.was is None else "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``changes`` in the order in which they are applied. ``problems``: hand-made work that they would destroy."""

    changes: tuple[Change, ...]
    problems: tuple[Problem, ...]

    def granted(self, force: bool) -> tuple[Change, ...]:
        """The changes. Raises OutputError with ``problems`` unless ``force`` is set or there are none."""
        if self.problems and not force:
            raise OutputError(self.problems, top)
        return self.changes


def plan(folders: Iterable[Folder], ledgers: Mapping[Path, bytes] | None = None) -> Plan:
    """What has to change on disk. Raises OutputError for what even ``--force`` cannot replace: a folder where a file
    has to be, and what is no folder where one has to be."""
    deletions: list[Change] = []
    writes: list[Change] = []
    inventories: list[Change] = []
    problems: list[Problem] = []
    blocked: list[Problem] = []
    for folder in folders:
        try:
            inventory = read(folder.path)
        except OutputError as error:
            inventory = None
            problems += error.problems
        comparison = _Comparison(folder, inventory)
        deletions += comparison.deletions
        writes += comparison.writes
        inventories += comparison.inventories
        problems += comparison.problems
        blocked += comparison.blocked
    for path, wanted in (ledgers or {}).items():
        held = found(path)
        if held in (FOLDER, LINK):
            origin = Origin(display(path), "")
            message = f"{held} is where the tool has to write the ledger"
            blocked.append(Problem(code="in-the-way", message=message, origin=origin, help="move it away"))
        elif held != digest(wanted):
            writes.append(Change(path=path, content=wanted, was=held, top=path.parent))
    if blocked:
        raise OutputError([*blocked, *problems], top)
    # Deletions first, so that a file can stand where a folder was; inventories last, so that they never list too much.
    return Plan(changes=(*deletions, *writes, *inventories), problems=tuple(problems))


class _Comparison:
    """One folder as it must be and as it is."""

    def __init__(self, folder: Folder, inventory: Inventory | None) -> None:
        self.folder = folder
        self.listed = dict(inventory.files) if inventory else {}
        self.deletions: list[Change] = []
        self.writes: list[Change] = []
        self.inventories: list[Change] = []
        self.problems: list[Problem] = []
        self.blocked: list[Problem] = []
        if inventory and folder.owner and inventory.owner != folder.owner:
            message = f"this folder belongs to {shown(inventory.owner)}, not to {shown(folder.owner)}"
            self.report(INVENTORY, "other-owner", message, "choose another folder, or pass --force to take it over")
        for file, listed in self.listed.items():
            if file not in folder.contents:
                self.unwanted(file, listed)
        for file, wanted in folder.contents.items():
            self.wanted(file, wanted)
        if folder.owner:
            digests = {file: digest(wanted) for file, wanted in folder.contents.items()}
            wanted = content(Inventory(owner=folder.owner, files=digests))
            self.change(self.inventories, INVENTORY, wanted, self.held(INVENTORY))
        elif inventory:
            self.change(self.inventories, INVENTORY, None, self.held(INVENTORY))

    def unwanted(self, file: str, listed: str) -> None:
        """A file that the tool wrote and no longer writes goes, where it is as it was written."""
        held = None if self.obstacle(file) else self.held(file)
        if held in (None, FOLDER):
            return
        if held != listed:
            help = "move the edit elsewhere, or pass --force to lose it"
            self.report(file, "edited", "it was edited by hand, and is no longer written", help)
        self.change(self.deletions, file, None, held)

    def wanted(self, file: str, wanted: bytes) -> None:
        """A file to be written, but not over anything that the tool did not write."""
        obstacle = self.obstacle(file)
        held = None if obstacle else self.held(file)
        if held == FOLDER and self.vanishes(file):
            held = None
        if obstacle or held == FOLDER:
            kind = "folder" if held == FOLDER else "file or link"
            message = f"this {kind} is where the tool has to write {shown(file)}"
            self.report(obstacle or file, "in-the-way", message, "move it away", self.blocked)
        elif held not in (None, digest(wanted), self.listed.get(file)):
            if file in self.listed:
                help = "change the contract or a template instead, or pass --force to lose the edit"
                self.report(file, "edited", "it was edited by hand", help)
            else:
                help = "move it away, or pass --force to replace it"
                self.report(file, "in-the-way", "the tool did not write this file", help)
        self.change(self.writes, file, wanted, held)

    def obstacle(self, file: str) -> str:
        """What stands where a folder above ``file`` has to be; empty for nothing, or for a file that goes in this run.

        A link is an obstacle too: behind it lies a place that is not ours.
        """
        top = self.folder.path
        if not next(path for path in (top, *top.parents) if path.exists()).is_dir():
            return "."
        for index in (i for i, character in enumerate(file) if character == "/"):
            above = file[:index]
            if self.held(above) not in (None, FOLDER):
                return "" if above in self.listed else above
        return ""

    def vanishes(self, folder: str) -> bool:
        """Whether all that is below ``folder`` goes in this run."""
        top = self.folder.path
        below = (Path(at, name) for at, _, names in os.walk(top / folder) for name in names)
        return all(path.relative_to(top).as_posix() in self.listed for path in below)

    def held(self, file: str) -> str | None:
        return found(self.folder.path / file)

    def change(self, changes: list[Change], file: str, wanted: bytes | None, held: str | None) -> None:
        if held != (None if wanted is None else digest(wanted)):
            path = self.folder.path / file
            top = self.folder.path if self.folder.owner else self.folder.path.parents[2]
            changes.append(Change(path=path, content=wanted, was=held, top=top))

    def report(self, file: str, code: str, message: str, help: str, problems: list[Problem] | None = None) -> None:
        origin = Origin(display(self.folder.path / file), "")
        problem = Problem(code=code, message=message, origin=origin, help=help)
        (self.problems if problems is None else problems).append(problem)


FOLDER = "a folder"
LINK = "a link"


def found(path: Path) -> str | None:
    """What stands at ``path``: the digest of a file, None for nothing, a word for what is neither."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISREG(mode):
        return digest(path.read_bytes())
    return FOLDER if stat.S_ISDIR(mode) else LINK


def holds(folder: Path, listing: str) -> bool:
    """Whether the inventory of ``folder`` has the digest ``listing``, and every file that it lists is as it was written."""
    if found(folder / INVENTORY) != listing:
        return False
    inventory = read(folder)
    return inventory is not None and all(found(folder / file) == held for file, held in inventory.files.items())


def strays(folder: Folder) -> Iterator[Path]:
    """Files in an output folder that the tool neither wrote nor writes. They are never deleted, only reported."""
    try:
        inventory = read(folder.path)
    except OutputError:
        inventory = None
    ours = {INVENTORY, *folder.contents, *(inventory.files if inventory else ())}
    for at, folders, files in os.walk(folder.path):
        folders[:] = sorted(name for name in folders if not _is_cache(name))
        for name in sorted(files):
            path = Path(at, name)
            if not _is_cache(name) and path.relative_to(folder.path).as_posix() not in ours:
                yield path


def _is_cache(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in _CACHES)


def orphans(root: Path, folders: Collection[Path]) -> Iterator[Folder]:
    """Folders below ``root`` that no job owns any more, and that lie where the job of their inventory had its own."""
    for path in sorted(root.glob(f"*/*/*/{INVENTORY}")):
        try:
            inventory = None if path.parent in folders else read(path.parent)
        except OutputError:
            continue  # not written by the tool: not the tool's to delete
        if inventory:
            owner = inventory.owner
            if path.parent == root / owner.contract / owner.version / owner.job:
                yield Folder(path=path.parent, owner=None, contents={})
