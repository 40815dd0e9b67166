"""A newer contract, as it is given → which contract it is a version of, and the files to install.

Must not install anything, nor judge versions: ``bump_pipeline`` does.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from codegen.errors import ManifestError, Problem, WireboundError, shown
from codegen.manifest import DOCUMENTS, ContractEntry, Manifest
from codegen.paths import top
from codegen.pointer import Origin
from codegen.revisions import PREFIX, Opened
from codegen.tables import known

if TYPE_CHECKING:
    from codegen.document import Contract


def is_folder(spelled: str) -> bool:
    """Whether a version is given with everything in its folder."""
    path = Path(spelled)
    return not spelled.startswith(PREFIX) and path.is_dir() and any((path / name).is_file() for name in DOCUMENTS)


class Given:
    """The newer contract as it is given: its documents, and the files to install, by their path in the version's folder."""

    def __init__(self, opened: Opened, *, is_whole: bool) -> None:
        self.opened = opened
        self.path = opened.document.absolute()
        self.is_whole = is_whole

    def load(self, entry: ContractEntry) -> Contract:
        """What it says, read as ``entry`` is read."""
        from codegen import document

        overlays = [self.opened.overlay] if self.opened.overlay else []
        try:
            return document.load(
                self.path, dialect=entry.dialect, roots=entry.roots, overlays=overlays, formats=entry.formats
            )
        except WireboundError as error:
            locate = error.locate or top
            error.locate = lambda origin: self.opened.called(locate(origin))
            raise

    def files(self, loaded: Contract) -> dict[str, bytes]:
        """The files to install."""
        from codegen import scaffold

        if self.is_whole:
            folder = self.path.parent
            found = (path for path in sorted(folder.rglob("*")) if path.is_file())
            inside = {path.relative_to(folder).as_posix(): path for path in found}
            return {name: path.read_bytes() for name, path in inside.items() if not _is_hidden(name)}
        files = dict(scaffold.documents(loaded, self.path))
        if overlay := self.opened.overlay:
            files[overlay.name] = overlay.read_bytes()
        return files


def _is_hidden(path: str) -> bool:
    return any(segment.startswith(".") for segment in path.split("/"))


def chosen(manifest: Manifest, given: Given, name: str | None) -> ContractEntry:
    """The contract called ``name``; without a name, the only one, or the one that says the same of itself but for its version.

    Raises ManifestError (``unknown-contract``, ``which-contract``).
    """
    entries = {entry.name: entry for entry in manifest.contracts}
    if name is not None and name in entries:
        return entries[name]
    found = list(entries.values()) if name is None else []
    if len(found) > 1:
        found = [entry for entry in found if _is_kin(entry, given)]
    if len(found) == 1:
        return found[0]
    if name is not None:
        problem = Problem(
            code="unknown-contract",
            message=f"there is no contract {shown(name)}",
            origin=Origin(manifest.source.path, ""),
            help=known(name, list(entries)),
        )
    else:
        problem = Problem(
            code="which-contract",
            message=f"it can be a version of several contracts, or of none: {', '.join(entries)}",
            origin=Origin(given.opened.label, ""),
            help="pass --contract NAME",
        )
    raise ManifestError([problem], top)


def _is_kin(entry: ContractEntry, given: Given) -> bool:
    """What the newest version of a contract is called, and what ``given`` is called, are the same but for the version."""
    from codegen import document
    from codegen.scaffold import VERSION

    def called(contract: Contract) -> tuple[object, ...]:
        value = contract.documents[""].value
        about = value.get("info") if isinstance(value, dict) else None
        title = about.get("title") if isinstance(about, dict) else None
        segments = tuple(segment for segment in contract.id.split("/") if not VERSION.fullmatch(segment))
        return (segments, title) if contract.id or title else ()

    newest = list(entry.documents)[-1]
    overlays = [entry.overlays[newest]] if newest in entry.overlays else []
    try:
        held = document.load(
            entry.documents[newest],
            dialect=entry.dialect,
            roots=entry.roots,
            overlays=overlays,
            formats=entry.formats,
        )
        name = called(held)
        return name != () and name == called(given.load(entry))
    except WireboundError:
        return False
