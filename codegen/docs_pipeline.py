"""A manifest → its catalogues brought up to date, and the site of all its contracts.

Must not do a stage's work: like ``pipeline``, it says who comes when. Here every version of every contract is read, whether a
job makes something of it or not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen import manifest as manifests
from codegen.errors import Locate, ManifestError, OutputError, Position, Problem, WireboundError, shown
from codegen.gather import gathered, placed, raise_all
from codegen.manifest import ContractEntry, Manifest
from codegen.paths import display, path_fault
from codegen.pointer import Origin
from codegen.tables import known

if TYPE_CHECKING:
    from codegen.derive import Derivation
    from codegen.editions import Shelf
    from codegen.i18n import Finding
    from codegen.model import Definition, Key
    from codegen.output.compare import Change
    from codegen.pipeline import Outcome
    from codegen.targets.site import Example, Snippet, Volume

Note = Callable[[str], None]
"""Told what is being done, for whoever shows progress."""


def _unheard(_: str) -> None:
    pass


def shelved(manifest: Manifest, entries: Sequence[ContractEntry], note: Note = _unheard) -> Iterator[Shelf]:
    """Every version of each contract. Raises WireboundError with every problem of all of them."""
    from codegen import pipeline

    errors: list[WireboundError] = []
    shelves: list[Shelf] = []
    for entry in entries:
        with gathered(errors):
            shelves.append(pipeline.shelved(manifest, entry, note=note))
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

    path = path or manifests.find(Path.cwd())
    manifest = manifests.load(path)
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
    with transaction.writing(manifest.folder) as writer:
        if writer.recovered:  # it may have brought a version, and texts with it
            manifest = manifests.load(path)
            entries = _selected(manifest, names)
        for entry, shelf in zip(entries, shelved(manifest, entries, note), strict=True):
            if language == shelf.outline.language:
                continue
            catalogue = shelf.catalogues.get(language, Catalogue(language=language))
            updated = i18n.update(catalogue, list(shelf.editions.values()))
            place = entry.beside.folder / "i18n" / f"{language}.toml"
            written[place] = i18n.text(updated, f"wirebound i18n update {language}").encode()
            found += [(entry.name, finding) for finding in i18n.findings(updated, shelf.outline)]
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


# --- the site ---------------------------------------------------------------------------------------------------------


def site(
    path: Path | None, *, url: str = "http://localhost:8000/", search: bool = True, note: Note = _unheard
) -> dict[str, bytes]:
    """The site of every version of every contract of the manifest at ``path`` (None: the nearest), by path.

    ``url``: where it will be. ``search``: with a full-text index, if Pagefind is installed. Raises WireboundError: what
    contracts and outlines cannot say, an example that its definition refuses (``bad-example``), a link that leads nowhere.
    """
    from codegen import search as full_text
    from codegen.render import render
    from codegen.targets.site import Settings, check, files, pages

    manifest = manifests.load(path or manifests.find(Path.cwd()))
    errors: list[WireboundError] = []
    volumes: list[Volume] = []
    locates: dict[int, Locate] = {}
    for entry, shelf in zip(manifest.contracts, shelved(manifest, manifest.contracts, note), strict=True):
        for version in shelf.editions:
            note(f"{entry.name} {version}: examples")
            with gathered(errors):
                volumes.append(_volume(manifest, entry, shelf, version))
                locates[id(volumes[-1])] = shelf.contracts[version].locate
    raise_all(errors)
    if not volumes:
        problem = Problem(
            code="no-contracts", message="the manifest has no contracts", origin=Origin(manifest.source.path, "")
        )
        raise ManifestError([problem], manifest.locate)
    searchable = search and full_text.is_installed()
    made = pages.Site(volumes, Settings(url=url, searchable=searchable))
    for book in made.books:
        with gathered(errors, locates[id(book.volume)]):
            note(f"{book.title}: {book.language}")
            assert book.view  # finds out everything that cannot be said
    raise_all(errors)
    contents = render(made.files())
    contents["llms-full.txt"] = files.whole(made.books, contents)
    if searchable:
        # One for each version, and no filter in a common one, which Pagefind writes in another order each time.
        for volume in volumes:
            folder = f"{volume.edition.contract}/{volume.edition.version}/"
            note(f"{folder}: full-text index")
            indexed = {
                p: c for p, c in contents.items() if p.startswith(folder) and b" data-pagefind-body" in c[:200_000]
            }
            index = full_text.index({path.removeprefix(folder): content.decode() for path, content in indexed.items()})
            contents.update({folder + path: content for path, content in index.items()})
    problems = list(check.problems(contents))
    if problems:
        raise OutputError(problems, lambda origin: Position(origin.document, 1, 1))
    return contents


def _volume(manifest: Manifest, entry: ContractEntry, shelf: Shelf, version: str) -> Volume:
    """A version with its examples, judged by its own codecs, and the code that the same codecs give for them."""
    from codegen import memory
    from codegen.derive import Derivation
    from codegen.render import render
    from codegen.snippets import Snippets
    from codegen.targets import registry
    from codegen.targets.options import options
    from codegen.targets.site import Volume

    edition = shelf.editions[version]
    job = next(
        (j for j in manifest.jobs if j.contract is entry and j.version == version and j.target == "python"), None
    )
    with placed(manifest.locate):
        target = registry.find("python", Origin(manifest.source.path, ""))
        chosen = options(target, job.options if job else {}, job.origin if job else Origin(manifest.source.path, ""))
    with placed(shelf.contracts[version].locate):
        # The codecs alone: what would be published of them is nothing to the site.
        files = render(target.files(replace(edition, sources=None), chosen))
    codecs = memory.codecs(files)
    package = next(iter(files)).partition("/")[0]
    made = Snippets(edition, chosen, package, codecs) if job else None
    folder = entry.folder / version / "examples"
    examples: dict[Key, tuple[Example, ...]] = {}
    snippets: dict[Key, tuple[Snippet, ...]] = {}
    problems: list[Problem] = []
    derivation = Derivation(edition.facts)
    for definition in edition.facts.public:
        found = list(_examples(folder, definition, codecs, problems)) or _derived(derivation, definition)
        if found:
            examples[definition.key] = tuple(found)
            if made:
                snippets[definition.key] = made.of(definition, found[0].value)
    if problems:
        raise OutputError(problems, lambda origin: Position(origin.document, 1, 1))
    document = entry.documents[version]
    calls = {}
    if made and "client" in chosen.parts and edition.model.operations:
        from codegen.call_snippets import CallSnippets

        callers = CallSnippets(edition, chosen, made, codecs)
        calls = {operation.key: callers.of(operation) for operation in edition.model.operations}
    return Volume(
        edition=edition,
        document_name=document.name,
        document=document.read_bytes(),
        examples=examples,
        snippets=snippets,
        calls=calls,
    )


def _examples(
    folder: Path, definition: Definition, codecs: Mapping[str, Any], problems: list[Problem]
) -> Iterator[Example]:
    """The examples that people wrote for a definition, each accepted by it."""
    from codegen.targets.site import Example

    below = folder / definition.name.spelled
    if path_fault(definition.name.spelled) or not below.is_dir():
        return
    for path in sorted(below.glob("*.json")):
        try:
            codec = codecs[definition.name.spelled]
            value = codec.to_dict(codec.from_json(path.read_bytes()))
        except ValueError as error:
            fault = next(iter(getattr(error, "errors", ())), None)
            place = Origin(display(path), fault.pointer if fault else "")
            message = f"this is no {definition.name.spelled}: " + (
                f"{fault.code}, {shown(fault.found)} where it is to be {fault.expected}" if fault else str(error)
            )
            problems.append(Problem(code="bad-example", message=message, origin=place, help="correct or remove it"))
        else:
            yield Example(name=path.stem.replace("-", " "), value=value)


def _derived(derivation: Derivation, definition: Definition) -> list[Example]:
    """The smallest document of a definition for which nobody wrote one."""
    from codegen.model import Ref
    from codegen.targets.site import Example

    found = derivation.minimal(Ref(key=definition.key, origin=definition.origin))
    return [Example(name="", value=found.value, derived=True)] if found else []


def can_search() -> bool:
    """Whether a site gets a full-text index."""
    from codegen import search

    return search.is_installed()


def write_site(
    path: Path | None, out: Path | None, *, url: str, force: bool = False, note: Note = _unheard
) -> tuple[Path, Outcome]:
    """The site in the folder ``out`` (None: ``build/site`` beside the manifest): one transaction, staged beside it. Where it
    is, and what was changed. Arguments and errors as in ``site``."""
    from codegen.output import compare, transaction
    from codegen.output.inventory import Owner
    from codegen.pipeline import Outcome

    found = path or manifests.find(Path.cwd())
    contents = site(found, url=url, note=note)
    folder = Path(os.path.normpath((out or Path(found).absolute().parent / "build" / "site").absolute()))
    owner = Owner(contract="", version="", job="docs", target="site")
    with transaction.writing(folder.parent, force=force) as writer:
        changes = compare.plan([compare.Folder(path=folder, owner=owner, contents=contents)]).granted(force)
        writer.commit(changes)
        return folder, Outcome(changes=changes, recovered=writer.recovered)
