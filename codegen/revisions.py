"""A path, or ``git:REV:PATH`` → the document that is meant, as a file that load can read.

Must not read contracts, nor write anything that outlives the reading: what a revision holds is laid out in a folder that goes
away, because load reads neighbours of a document too. The repository itself is only asked.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from codegen.errors import ContractError, Position, Problem, shown
from codegen.manifest import DOCUMENTS, OVERLAYS
from codegen.paths import display
from codegen.pointer import Origin
from codegen.versions import order

PREFIX = "git:"
"""What a path in a revision begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """``document`` is the file to load, ``overlay`` what lies beside it and is applied to it. ``path`` is where it is in the
    working tree (of a revision: where it would be). ``label`` is what people call it."""

    document: Path
    overlay: Path | None
    path: Path
    label: str
    _folder: str = ""
    _prefix: str = ""

    def called(self, position: Position) -> Position:
        """``position`` with the name of the file as people know it."""
        if self._folder and position.path.startswith(self._folder):
            return position._replace(path=self._prefix + position.path[len(self._folder) :].lstrip("/\\"))
        return position


@contextmanager
def opened(spelled: str) -> Iterator[Opened]:
    """What ``spelled`` means: a document, the folder of a version, a folder of versions (the newest is meant), or any of them
    as ``git:REV:PATH``, where PATH begins at the top of the repository, or with ``./`` at this folder.

    Raises ContractError where nothing such is there.
    """
    if not spelled.startswith(PREFIX):
        document = _document(Path(spelled), spelled)
        yield Opened(document=document, overlay=_overlay(document), path=document, label=display(document))
        return
    revision, colon, path = spelled.removeprefix(PREFIX).partition(":")
    if not colon or not revision:
        raise _problem("bad-revision", f"{shown(spelled)} names no path in a revision", "write git:REV:PATH", spelled)
    with tempfile.TemporaryDirectory(prefix="wirebound-") as name:
        folder = Path(name).resolve()
        top, inside = _laid_out(spelled, revision, path, folder)
        document = _document(folder / inside, spelled)
        below = document.relative_to(folder)
        yield Opened(
            document=document,
            overlay=_overlay(document),
            path=top / below,
            label=f"{PREFIX}{revision}:{below.as_posix()}",
            _folder=str(folder),
            _prefix=f"{PREFIX}{revision}:",
        )


def _document(path: Path, spelled: str) -> Path:
    """The document at a path, in the folder of a version, or of the newest version in a folder."""
    if not path.is_dir():
        return path  # load says what is wrong with a file that is none
    versions = sorted((entry for entry in path.iterdir() if entry.is_dir()), key=lambda entry: order(entry.name))
    for folder in (path, *reversed(versions)):
        for name in DOCUMENTS:
            if (folder / name).is_file():
                return folder / name
    help = f"name a document, or a folder that holds {DOCUMENTS[0]}"
    raise _problem("no-versions", f"{shown(spelled)} holds no version of a contract", help, spelled)


def _overlay(document: Path) -> Path | None:
    found = [document.with_name(name) for name in OVERLAYS if document.with_name(name).is_file()]
    return found[0] if document.name in DOCUMENTS and found else None


# --- revisions --------------------------------------------------------------------------------------------------------


def _laid_out(spelled: str, revision: str, path: str, folder: Path) -> tuple[Path, str]:
    """The top of the repository, and the path from there; what is needed of the revision lies below ``folder`` then."""
    top = Path(_git(spelled, "rev-parse", "--show-toplevel").decode().strip())
    if path.startswith("./"):
        path = (Path.cwd() / path).resolve().relative_to(top.resolve()).as_posix()
    path = path.strip("/")
    # The hash, so that no name of a revision is taken for an option.
    tree = (
        _git(spelled, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}").decode().strip()
    )
    kind = _git(spelled, "cat-file", "-t", f"{tree}:{path}").decode().strip()
    own = path if kind == "tree" else path.rpartition("/")[0]
    above = own.rpartition("/")[0]
    # The folder of the document, and the files about all versions in the folder above it.
    wanted = [own] if own else []
    if own:
        listed = _git(spelled, "ls-tree", "--name-only", f"{tree}:{above}" if above else tree).decode().splitlines()
        wanted += [f"{above}/{name}".lstrip("/") for name in listed if name.endswith(".toml")]
    archive = _git(spelled, "-C", str(top), "archive", "--format=tar", tree, "--", *wanted)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        # Refuses links that lead outside, where Python knows how to.
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        files.extractall(folder, **safely)  # type: ignore[arg-type]
    return top, path


def _git(spelled: str, *arguments: str) -> bytes:
    try:
        run = subprocess.run(["git", *arguments], capture_output=True, check=False)
    except OSError:
        raise _problem("no-git", "git cannot be run", "install git, or name files", spelled) from None
    if run.returncode:
        said = run.stderr.decode(errors="replace").strip().splitlines()
        message = f"git has no {shown(spelled.removeprefix(PREFIX))}" + (f": {said[0]}" if said else "")
        raise _problem("unknown-revision", message, "name a revision and a path that it holds", spelled)
    return run.stdout


def _problem(code: str, message: str, help: str, spelled: str) -> ContractError:
    problem = Problem(code=code, message=message, origin=Origin(spelled, ""), help=help)
    return ContractError([problem], lambda origin: Position(origin.document, 1, 1))
