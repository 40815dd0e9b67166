"""An output folder's inventory, ``.wirebound.json`` ↔ who owns the folder and which files the tool wrote there.

Must not list what the tool did not write: only listed files are ever deleted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from codegen.errors import OutputError, Problem, shown
from codegen.paths import display, path_fault, top
from codegen.pointer import Origin

INVENTORY = ".wirebound.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose folder it is: one job for one version of a contract."""

    contract: str
    version: str
    job: str
    target: str

    def __str__(self) -> str:
        return "/".join(filter(None, (self.contract, self.version, self.job))) + f" ({self.target})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """``files``: path below the folder → digest of the bytes that the tool wrote."""

    owner: Owner
    files: Mapping[str, str]


def digest(content: bytes) -> str:
    """SHA-256 in hex."""
    return sha256(content).hexdigest()


def content(inventory: Inventory) -> bytes:
    """The inventory's file: the same entries give the same bytes."""
    value = {"wirebound": _FORMAT, **asdict(inventory.owner), "files": dict(sorted(inventory.files.items()))}
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def read(folder: Path) -> Inventory | None:
    """The inventory of ``folder``, None where there is none. Raises OutputError (``bad-inventory``) for one that the
    tool cannot have written: what it lists may be deleted, so nothing in it is taken on trust."""
    path = folder / INVENTORY
    try:
        raw = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _bad(path, f"it cannot be read: {error.strerror}") from None
    try:
        value = json.loads(raw)
        found = Inventory(
            owner=Owner(**{key: value[key] for key in ("contract", "version", "job", "target")}),
            files={str(file): str(listed) for file, listed in value["files"].items()},
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise _bad(path, "it is no inventory") from None
    for file in found.files:
        if (why := path_fault(file)) or file == INVENTORY:
            raise _bad(path, f"it lists {shown(file)}: {why or 'the inventory itself'}")
    return found


def _bad(path: Path, message: str) -> OutputError:
    name = display(path)
    help = "restore the file, or pass --force to write the folder anew"
    problem = Problem(code="bad-inventory", message=message, origin=Origin(name, ""), help=help)
    return OutputError([problem], top)
