"""A description and a catalogue → the text in the page's language, or the source text and the fact that it is.

Must not show a stale translation: once the contract has moved on, it says something else than the contract does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from codegen.catalogue import Catalogue
from codegen.edition import Edition
from codegen.model import (
    Alias,
    Content,
    Doc,
    Enum,
    Example,
    ExternalDocs,
    Field,
    Key,
    Operation,
    Record,
    SecurityScheme,
    Server,
    Type,
)
from codegen.targets.docs.parts import parts


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


def server_anchor(number: int) -> str:
    """Where a catalogue keeps what is said of a server of the contract; of its variables, below."""
    return f".servers.{number}"


def scheme_anchor(scheme: SecurityScheme) -> str:
    """Where a catalogue keeps what is said of a security scheme."""
    return f".security.{scheme.name}"


def example_anchor(own: str, example: Example) -> str:
    """Where a catalogue keeps the summary of an example; ``own``: the anchor of the body that it shows."""
    return f"{own}.{example.name}"


def wanted(edition: Edition) -> Iterator[Wanted]:
    """Every text of an edition once: of the contract, its operations, its definitions, their fields and values, in contract
    order.

    A field that a record only inherits is translated where it is declared.
    """
    for anchor, text in _wanted(edition):
        if text.strip():
            yield Wanted(anchor, text)


def _wanted(edition: Edition) -> Iterator[tuple[str, str]]:
    model = edition.model
    yield CONTRACT, model.doc.source
    yield from _elsewhere(CONTRACT, model.external_docs)
    for number, server in enumerate(model.servers):
        yield from _server(server, server_anchor(number))
    for scheme in model.security:
        yield scheme_anchor(scheme), scheme.doc.source
    for operation in model.operations:
        yield from _operation(operation, edition)
    yield from _definitions(edition)


def _elsewhere(own: str, docs: ExternalDocs | None) -> Iterator[tuple[str, str]]:
    if docs is not None:
        yield f"{own}.external", docs.doc.source


def _server(server: Server, own: str) -> Iterator[tuple[str, str]]:
    yield own, server.doc.source
    for variable in server.variables:
        yield f"{own}.{variable.name}", variable.doc.source


def _operation(operation: Operation, edition: Edition) -> Iterator[tuple[str, str]]:
    own = operation.doc.anchor
    yield operation.summary.anchor or f"{own}.summary", operation.summary.source
    yield own, operation.doc.source
    yield from _elsewhere(own, operation.notes.external_docs)
    for number, server in enumerate(operation.servers):
        yield from _server(server, f"{own}.servers.{number}")
    for parameter in operation.parameters:
        yield parameter.doc.anchor, parameter.doc.source
        yield from _parts(parameter.type, parameter.doc.anchor, edition)
    if operation.body is not None:
        yield operation.body.doc.anchor, operation.body.doc.source
        yield from _examples(operation.body.contents, operation.body.doc.anchor)
    for response in operation.responses:
        yield response.doc.anchor, response.doc.source if response.doc.source.strip() else response.summary
        for header in response.headers:
            yield header.doc.anchor, header.doc.source
            yield from _parts(header.type, header.doc.anchor, edition)
        for link in response.links:
            yield f"{response.doc.anchor}.{link.name}", link.doc.source
        yield from _examples(response.contents, response.doc.anchor)


def _examples(contents: tuple[Content, ...], own: str) -> Iterator[tuple[str, str]]:
    for content in contents:
        for example in content.examples:
            yield example_anchor(own, example), example.summary
            yield f"{example_anchor(own, example)}.about", example.doc.source


def _definitions(edition: Edition) -> Iterator[tuple[str, str]]:
    for definition in edition.facts.public:
        yield definition.doc.anchor, definition.doc.source
        yield from _elsewhere(definition.doc.anchor, definition.notes.external_docs)
        if isinstance(definition, Record):
            for field in definition.fields:
                if not _declared(edition, definition.key, field):
                    yield field.doc.anchor, field.doc.source
                if home(edition, definition.key, field) == field.doc.anchor:
                    yield from _parts(field.type, field.doc.anchor, edition)
        elif isinstance(definition, Enum):
            for value in definition.values:
                yield value.doc.anchor, value.doc.source
        elif isinstance(definition, Alias):
            yield from _parts(definition.type, definition.doc.anchor, edition)


def _parts(type_: Type, own: str, edition: Edition) -> Iterator[tuple[str, str]]:
    for part in parts(type_, edition.facts):
        yield own + part.place, part.doc.source


def home(edition: Edition, owner: Key, field: Field) -> str:
    """The anchor below which a catalogue keeps what is said of the parts of a field's type: that of the mixin's field, where
    the type is the mixin's."""
    mixin = edition.facts.table.get(field.declared_in)
    if field.declared_in != owner and isinstance(mixin, Record) and mixin.name.source != "pointer":
        for declared in mixin.fields:
            if declared.wire_name == field.wire_name and declared.type == field.type:
                return declared.doc.anchor
    return field.doc.anchor


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
