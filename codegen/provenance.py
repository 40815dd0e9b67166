"""A loaded and resolved version of a contract → the files that it was made from, as a package carries them.

Must not decide what becomes of them. They are a contract's folder with this version and the documents of those before it,
whatever else lies beside it: a new version, or a word in the prose of the outline, must not change what is made of an old one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from codegen import __version__, ledger
from codegen.document import Contract
from codegen.edition import Sources
from codegen.facts import Facts
from codegen.ledger import Ledger
from codegen.manifest import Beside
from codegen.model import ByTag, Choice, Definition, JsonValue, Record, Ref, Union
from codegen.outline import Outline
from codegen.paths import segment_fault
from codegen.tables import bare, quoted

ROOTS = "roots"
"""The folder for documents that do not lie in the contract's own."""

TEMPLATES = "templates"
"""The folder for templates of one's own."""

LONGEST_EXAMPLE = 1_000
"""Bytes of an example that a reader takes in at one look."""


def gathered(
    contract: Contract,
    facts: Facts,
    named: Ledger,
    outline: Outline,
    *,
    folder: Path,
    version: str,
    command: str,
    protocol_version: str,
    dialect: str | None,
    roots: Mapping[str, Path],
    formats: Sequence[str] = (),
    older: Mapping[str, tuple[Contract, Facts]] | None = None,
    policy: Mapping[str, Any] | None = None,
) -> Sources:
    """The sources of the edition that ``contract`` became. ``folder`` holds the contract's versions; the rest is as in a
    manifest, ``command`` as in ``Edition``. ``older``: the versions before this one, without which nobody could tell again what
    is new in it; ``policy``: as in ``Sources``."""
    older = older or {}
    shelved = {prefix: _shelved(below, folder, number) for number, (prefix, below) in enumerate(sorted(roots.items()))}
    places = [(folder, ""), *((roots[prefix].absolute(), f"{below}/") for prefix, below in shelved.items())]
    assert contract.path is not None
    document = Path(contract.path).absolute()
    read = [path for one in (*(before for before, _ in older.values()), contract) for path in _read(one)]
    files = {_place(path, places): path.read_bytes() for path in read}
    files["names.toml"] = ledger.text(named, command).encode()
    lines = list(_spoken(outline, {**{name: before for name, (_, before) in older.items()}, version: facts}))
    if lines:
        files["outline.toml"] = "\n".join(["# The names that people gave.", *lines, ""]).encode()
    definition, value, file = _example(facts, document.parent / "examples") or (None, None, None)
    if file is not None:
        files[_place(file, places)] = file.read_bytes()
    terms = Beside(folder).license
    return Sources(
        files=files,
        document=_place(document, places),
        protocol_version=protocol_version,
        dialect=dialect,
        roots=shelved,
        formats=tuple(formats),
        example=None if definition is None else (definition.key, value),
        license=terms.read_bytes() if terms.is_file() else None,
        generator=__version__,
        policy=policy or {},
    )


def _read(contract: Contract) -> Iterator[Path]:
    """The files of one version: its document first."""
    assert contract.path is not None
    yield Path(contract.path).absolute()
    yield from (Path(one.path).absolute() for address, one in contract.documents.items() if address and one.digest)
    yield from (Path(overlay.path).absolute() for overlay in contract.overlays)


def templated(sources: Sources, folder: Path, target: str) -> Sources:
    """``sources`` with the templates in ``folder`` that replace those of ``target``."""
    found = sorted(path for path in (folder / target).rglob("*.j2") if path.is_file())
    templates = {f"{TEMPLATES}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found}
    return replace(sources, files={**sources.files, **templates}, templates=TEMPLATES if templates else "")


def _shelved(below: Path, folder: Path, number: int) -> str:
    """Where the documents of a root lie in the sources."""
    inside = below.absolute()
    return inside.relative_to(folder).as_posix() if inside.is_relative_to(folder) else f"{ROOTS}/{number}"


def _place(path: Path, places: Iterable[tuple[Path, str]]) -> str:
    above, below = next((above, below) for above, below in places if path.is_relative_to(above))
    return below + path.relative_to(above).as_posix()


def _spoken(outline: Outline, versions: Mapping[str, Facts]) -> Iterator[str]:
    """The lines of the outline that say what something in these versions is called."""
    models = {version: facts.model for version, facts in versions.items()}
    named = {version: (*model.definitions, *model.operations) for version, model in models.items()}
    spelled = {one.name.spelled for ones in named.values() for one in ones}
    records = [d for model in models.values() for d in model.definitions if isinstance(d, Record)]
    spelled |= {f"{record.name.spelled}.{field.wire_name}" for record in records for field in record.fields}
    given = {v: {ledger.place(one.key) for one in ones if one.name.source == "configured"} for v, ones in named.items()}
    every = set().union(*given.values())
    fields = {f"{definition}.{wire_name}": name for (definition, wire_name), name in outline.attributes.items()}
    tables: dict[str, Mapping[str, str]] = {
        "names": {where: name for where, name in outline.names.get("", {}).items() if where in every},
        **{
            f"names.{quoted(v)}": {w: name for w, name in outline.names.get(v, {}).items() if w in given[v]}
            for v in versions
        },
        "fields": {path: name for path, name in fields.items() if path in spelled},
        "anchors": {name: anchor for name, anchor in outline.anchors.items() if name in spelled},
    }
    for head, table in tables.items():
        if table:
            yield from ("", f"[{head}]", *(f"{bare(key)} = {quoted(value)}" for key, value in sorted(table.items())))


def _example(facts: Facts, folder: Path) -> tuple[Definition, JsonValue, Path | None] | None:
    """A short document of a definition that matters, with its file: the contract's own, else the least that there can be."""
    shown = list(_worth_showing(facts))
    for definition in shown:
        if segment_fault(definition.name.spelled):
            continue
        files = (folder / definition.name.spelled).glob("*.json")
        for path in sorted(files, key=lambda path: (path.stat().st_size, path.name))[:1]:
            if path.stat().st_size <= LONGEST_EXAMPLE:
                with suppress(ValueError):  # whoever judges all examples says what is wrong with this one
                    value = json.loads(path.read_bytes())
                    json.dumps(value, allow_nan=False)
                    return definition, value, path
    if not shown:
        return None
    # Imported here: it takes longer than everything else in this module.
    from codegen.derive import Derivation

    least = Derivation(facts).minimal(Ref(key=shown[0].key, origin=shown[0].origin))
    return None if least is None else (shown[0], least.value, None)


def _worth_showing(facts: Facts) -> Iterator[Definition]:
    """Definitions of objects: what the document itself is, then what is told apart by tags, then records."""
    public = [definition for definition in facts.public if not (isinstance(definition, Record) and definition.is_mixin)]
    root = facts.model.root
    order = [
        *(definition for definition in public if isinstance(root, Ref) and definition.key == root.key),
        *(definition for definition in public if isinstance(definition, Union)),
        *(definition for definition in public if isinstance(definition, Record)),
    ]
    for definition in {definition.key: definition for definition in order}.values():
        match definition:
            case Record() | Union(choice=Choice(dispatch=ByTag())):
                yield definition
