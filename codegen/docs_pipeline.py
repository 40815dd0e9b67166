"""A manifest → its catalogues brought up to date, and the site of all its contracts.

Must not do a stage's work: like ``pipeline``, it says who comes when. Here every version of every contract is read, whether a
job makes something of it or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import manifest as manifests
from codegen.errors import ManifestError, Position, Problem, WireboundError, shown
from codegen.gather import gathered, raise_all
from codegen.manifest import REGENERATE, ContractEntry, Manifest
from codegen.paths import display
from codegen.pointer import Origin
from codegen.tables import known

if TYPE_CHECKING:
    from codegen.editions import Shelf
    from codegen.i18n import Finding
    from codegen.output.compare import Change

Note = Callable[[str], None]
"""Told what is being done, for whoever shows progress."""


def _unheard(_: str) -> None:
    pass


def shelved(manifest: Manifest, entries: Sequence[ContractEntry], note: Note = _unheard) -> Iterator[Shelf]:
    """Every version of each contract. Raises WireboundError with every problem of all of them."""
    from codegen.editions import Shelf

    errors: list[WireboundError] = []
    shelves: list[Shelf] = []
    for entry in entries:
        beside = entry.beside
        with gathered(errors):
            shelf = Shelf(outlined=beside.outline, named=beside.ledger, translated=beside.catalogues)
            for version, path in entry.documents.items():
                note(f"{entry.name} {version}")
                shelf.add(
                    Path(display(path)),
                    contract=entry.name,
                    version=version,
                    command=REGENERATE,
                    rule=entry.protocol_version,
                    dialect=entry.dialect,
                    roots=entry.roots,
                )
            shelf.check_outline()
            shelves.append(shelf)
    raise_all(errors)
    yield from shelves


def _selected(manifest: Manifest, names: Sequence[str]) -> list[ContractEntry]:
    """The contracts called ``names``; all of them where there are none. Raises ManifestError (``unknown-contract``)."""
    held = {entry.name: entry for entry in manifest.contracts}
    problems = [
        Problem(
            code="unknown-contract",
            message=f"there is no contract {shown(name)}",
            origin=Origin(manifest.source.path, "/tool/wirebound/contracts"),
            help=known(name, list(held)),
        )
        for name in names
        if name not in held
    ]
    if problems:
        raise ManifestError(problems, manifest.locate)
    return [held[name] for name in dict.fromkeys(names or held)]


# --- catalogues -------------------------------------------------------------------------------------------------------


def update_catalogue(
    path: Path | None, language: str, names: Sequence[str] = (), *, note: Note = _unheard
) -> tuple[tuple[Change, ...], list[tuple[str, Finding]]]:
    """Bring the catalogue of ``language`` of the contracts ``names`` (of all) up to date, or make it.

    What was changed, and what has to be translated: (contract, finding) each.
    """
    from codegen import i18n
    from codegen.catalogue import Catalogue
    from codegen.outline import LANGUAGE
    from codegen.output import compare, transaction

    manifest = manifests.load(path or manifests.find(Path.cwd()))
    entries = _selected(manifest, names)
    if not LANGUAGE.fullmatch(language):
        problem = Problem(
            code="bad-value",
            message=f"{shown(language)} is no language tag",
            origin=Origin("language", ""),
            help='write "de" or "pt-BR"',
        )
        raise ManifestError([problem], lambda origin: Position(origin.document, 1, 1))
    written: dict[Path, bytes] = {}
    found: list[tuple[str, Finding]] = []
    for entry, shelf in zip(entries, shelved(manifest, entries, note), strict=True):
        if language == shelf.outline.language:
            continue
        catalogue = shelf.catalogues.get(language, Catalogue(language=language))
        updated = i18n.update(catalogue, list(shelf.editions.values()))
        place = entry.beside.folder / "i18n" / f"{language}.toml"
        written[place] = i18n.text(updated, f"wirebound i18n update {language}").encode()
        found += [(entry.name, finding) for finding in i18n.findings(updated, shelf.outline)]
    with transaction.writing(manifest.folder) as writer:
        changes = compare.plan([], written).changes
        writer.commit(changes)
    return changes, found


def catalogue_status(
    path: Path | None, language: str | None, names: Sequence[str] = (), *, note: Note = _unheard
) -> list[tuple[str, str, Finding]]:
    """What is missing, stale or unused in the catalogues of ``language`` (None: of every language that has one), as
    (contract, language, finding)."""
    from codegen import i18n
    from codegen.catalogue import Catalogue

    manifest = manifests.load(path or manifests.find(Path.cwd()))
    entries = _selected(manifest, names)
    found: list[tuple[str, str, Finding]] = []
    for entry, shelf in zip(entries, shelved(manifest, entries, note), strict=True):
        for one in [language] if language else sorted(shelf.catalogues):
            if one != shelf.outline.language:
                catalogue = shelf.catalogues.get(one, Catalogue(language=one))
                updated = i18n.update(catalogue, list(shelf.editions.values()))
                found += [(entry.name, one, finding) for finding in i18n.findings(updated, shelf.outline)]
    return found
