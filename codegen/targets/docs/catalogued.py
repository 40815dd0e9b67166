"""A description and a catalogue → the text in the page's language, or the source text and the fact that it is.

Must not show a stale translation: once the contract has moved on, it says something else than the contract does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from codegen.catalogue import Catalogue
from codegen.edition import Edition
from codegen.model import Doc, Enum, Field, Key, Operation, Record


def digest(text: str) -> str:
    """What a catalogue keeps of the text that was translated: the first 16 hex digits of its SHA-256."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def older(anchor: str, source: str) -> str:
    """Where a catalogue keeps the translation of an older version's text, when the newest version says something else."""
    return f"{anchor}@{source}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text of the contract that a catalogue has to translate, by its anchor."""

    anchor: str
    text: str


CONTRACT = "."
"""The anchor of the contract's own description, which has no place on the page: no definition can have it."""


def wanted(edition: Edition) -> Iterator[Wanted]:
    """Every text of an edition once: of the contract, its operations, its definitions, their fields and values, in contract
    order.

    A field that a record only inherits is translated where it is declared.
    """
    if edition.model.doc.source.strip():
        yield Wanted(CONTRACT, edition.model.doc.source)
    for operation in edition.model.operations:
        yield from (Wanted(doc.anchor, doc.source) for doc in _docs(operation) if doc.source.strip())
    for definition in edition.facts.public:
        if definition.doc.source.strip():
            yield Wanted(definition.doc.anchor, definition.doc.source)
        if isinstance(definition, Record):
            for field in definition.fields:
                if field.doc.source.strip() and not _declared(edition, definition.key, field):
                    yield Wanted(field.doc.anchor, field.doc.source)
        elif isinstance(definition, Enum):
            for value in definition.values:
                if value.doc.source.strip():
                    yield Wanted(value.doc.anchor, value.doc.source)


def _docs(operation: Operation) -> Iterator[Doc]:
    """What is said of an operation and its parts, in the order in which a page shows it."""
    yield operation.summary
    yield operation.doc
    for parameter in operation.parameters:
        yield parameter.doc
    if operation.body is not None:
        yield operation.body.doc
    for response in operation.responses:
        yield response.doc


def _declared(edition: Edition, owner: Key, field: Field) -> Doc | None:
    """The description that ``field`` has from the mixin that declares it; None when it has one of its own."""
    if field.declared_in == owner:
        return None
    mixin = edition.facts.table.get(field.declared_in)
    if isinstance(mixin, Record) and mixin.name.source != "pointer":
        for declared in mixin.fields:
            if declared.wire_name == field.wire_name and declared.doc.source == field.doc.source:
                return declared.doc
    return None


class Texts:
    """Descriptions in one language."""

    def __init__(self, edition: Edition, language: str) -> None:
        self.edition = edition
        catalogue = edition.catalogues.get(language)
        self.entries = catalogue.entries if isinstance(catalogue, Catalogue) else {}
        self.is_source = language == edition.outline.language
        self.missing = 0

    def of(self, doc: Doc, anchor: str = "") -> tuple[str, bool]:
        """The text of ``doc``, and whether it is not in the page's language. ``anchor`` where the description has none."""
        if not doc.source.strip() or self.is_source:
            return doc.source, False
        source = digest(doc.source)
        for place in (anchor or doc.anchor, older(anchor or doc.anchor, source)):
            entry = self.entries.get(place)
            if entry is not None and entry.text and entry.source == source and not entry.stale:
                return entry.text, False
        self.missing += 1
        return doc.source, True

    def of_field(self, owner: Key, field: Field) -> tuple[str, bool]:
        """The text of a field: as its own, else as that of the mixin that declares it."""
        declared = _declared(self.edition, owner, field)
        if declared is None or field.doc.anchor in self.entries:
            return self.of(field.doc)
        return self.of(declared)
