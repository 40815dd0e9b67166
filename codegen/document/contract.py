"""A path or a value → the contract: every schema of every document, each at its place, references followed.

Must not interpret: ``resolve`` asks for schemas and gives them meaning. All problems of all documents are raised at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from codegen import formats as asserted
from codegen.document import dialects
from codegen.document.element import Element
from codegen.document.index import Place, Resource
from codegen.document.linking import Links
from codegen.document.overlay import applied, read_overlay
from codegen.document.reading import Document, Unreadable, from_value, read
from codegen.document.schema import Schema
from codegen.document.sources import Sources
from codegen.document.structure import digest as digest_of
from codegen.errors import ContractError, Position, Problem, shown
from codegen.pointer import Origin

if TYPE_CHECKING:
    from codegen.model import JsonValue

# What dynamic anchors are bound to: (name, "document#pointer"), sorted by name.
Scope: TypeAlias = tuple[tuple[str, str], ...]

# Members that hold schemas which are not evaluated where they stand.
_APART = ("$defs", "definitions", "contentSchema")


class Contract:
    """A contract whose every schema was judged and whose every reference leads to what is expected.

    ``path`` is the root document's file as given (None: it came as a value), ``digest`` the SHA-256 of what was read, in hex,
    ``id`` the root's ``$id`` (in OpenAPI ``$self``) or "". ``schemas`` are the outermost schemas of the root document, in
    contract order: a JSON Schema is one itself. ``openapi`` is the root of an OpenAPI description, whose version is
    ``version``; None and "" for a JSON Schema. ``overlays`` are what was applied to the root document. ``formats`` assert
    what they say.
    """

    def __init__(
        self,
        links: Links,
        path: str | None,
        overlays: tuple[Document, ...] = (),
        formats: frozenset[str] = frozenset(),
    ) -> None:
        """Made by ``load``."""
        self.formats = formats
        self._links = links
        self._indexes = links.indexes
        self.path = path
        self.overlays = overlays
        self.documents: Mapping[str, Document] = links.sources.documents
        self.digest = links.sources.digest()
        self.version = links.openapi
        index = self._indexes[""]
        self.schemas = tuple(self._view(index.places[pointer]) for pointer in index.starts)
        self.openapi = self._element(index.objects[""]) if links.openapi else None
        value = self.documents[""].value
        # As written: beside a ``$ref`` it may set no base URI, and still be what the contract is called.
        keyword = "$self" if links.openapi else self.schemas[0].dialect.id_keyword
        written = value.get(keyword) if isinstance(value, dict) else None
        self.id = written if isinstance(written, str) else ""
        self._bindings = _bindings(links)
        self._bound: dict[str, Place] = {}
        self._scopes: dict[Resource, Scope] = {}
        self._scoped: set[Place] | None = None

    @property
    def root(self) -> Schema:
        """The schema that the whole contract is. LookupError for an OpenAPI description, which is none."""
        if self.openapi is not None:
            raise LookupError("an OpenAPI description is no schema")
        return self.schemas[0]

    @property
    def structure(self) -> str:
        """The digest of what the contract asserts, whatever it says to people, in hex."""
        return digest_of(self.documents, self._indexes, self.version)

    def schema(self, origin: Origin) -> Schema:
        """The schema at ``origin``: one object per place. LookupError if no schema stands there."""
        return self._view(self._indexes[origin.document].places[origin.pointer])

    def every_schema(self) -> Iterator[Schema]:
        """Every schema of every document that was read, used or not; those that the tool brings along are left out."""
        for address, index in self._indexes.items():
            if self.documents[address].digest:
                yield from map(self._view, index.places.values())

    def follow(self, schema: Schema) -> Schema:
        """The schema that the ``$ref`` of ``schema`` leads to. LookupError if it has none."""
        target = self._at(schema).target
        if target is None:
            raise LookupError(f"no $ref at {schema.origin}")
        return self._view(target)

    def find(self, schema: Schema, reference: str) -> Schema | None:
        """The schema that ``reference`` means at ``schema``, among the documents read; None if there is none.

        For references that are no keyword's operand, such as those in the mapping of a discriminator.
        """
        place = self._links.find(schema.resource, reference)
        return None if place is None else self._view(place)

    def dynamic(self, schema: Schema, scope: Scope) -> Schema:
        """The schema that the ``$dynamicRef`` (or ``$recursiveRef``) of ``schema`` leads to under ``scope``.

        LookupError if it has none. 2020-12 core, 8.2.3.2; 2019-09 core, 8.2.4.2.
        """
        place = self._at(schema)
        if place.dynamic is None:
            raise LookupError(f"no $dynamicRef at {schema.origin}")
        if place.anchor:
            for name, bound in scope:
                if name == place.anchor:
                    return self._view(self._bound[bound])
        return self._view(place.dynamic)

    def enter(self, scope: Scope, schema: Schema) -> Scope:
        """``scope`` once the resource of ``schema`` is entered: its dynamic anchors are bound unless they are already.

        Only anchors that some reference means, and that more than one resource has, are ever bound.
        """
        if not self._bindings:
            return ()
        resource = self._at(schema).resource
        own = self._scopes.get(resource)
        if own is None:
            own = self._scopes[resource] = self._own(resource)
        if not own:
            return scope
        return tuple(sorted({**dict(own), **dict(scope)}.items()))

    def is_outermost(self, origin: Origin) -> bool:
        """Whether the schema at ``origin`` stands in no other schema."""
        return origin.pointer in self._indexes[origin.document].starts

    def extensions(self, prefix: str) -> Iterator[tuple[Origin, str, str, JsonValue]]:
        """Every extension member whose name begins with ``prefix``, of schemas (kind "Schema") and of the objects of OpenAPI:
        the place and the kind of its holder, its name, its value."""
        for index in self._indexes.values():
            for place in (*index.objects.values(), *index.places.values()):
                for name, value in place.value.items() if isinstance(place.value, dict) else ():
                    if name.startswith(prefix):
                        yield place.origin, place.kind, name, value

    def needs_scope(self, schema: Schema) -> bool:
        """Whether a dynamic reference with several possible targets can be reached from ``schema``."""
        if not self._bindings:
            return False
        if self._scoped is None:
            self._scoped = self._reaching()
        return self._at(schema) in self._scoped

    def locate(self, origin: Origin) -> Position:
        """Path, line and column of ``origin``; of the nearest enclosing place if it is not in the text."""
        return self.documents[origin.document].position(origin.pointer)

    def _at(self, schema: Schema) -> Place:
        return self._indexes[schema.origin.document].places[schema.origin.pointer]

    def _view(self, place: Place) -> Schema:
        if place.schema is None:
            place.schema = Schema(place, self._beside, self.formats)
        return place.schema

    def _element(self, place: Place) -> Element:
        return Element(place, self._find)

    def _find(self, address: str, pointer: str) -> Element | Schema | None:
        index = self._indexes[address]
        if pointer in index.objects:
            return self._element(index.objects[pointer])
        return self._view(index.places[pointer]) if pointer in index.places else None

    def _beside(self, place: Place, pointer: str) -> Schema | None:
        other = self._indexes[place.document.address].places.get(pointer)
        return None if other is None else self._view(other)

    def _own(self, resource: Resource) -> Scope:
        own = []
        for name, pointer in resource.dynamic.items():
            if name in self._bindings:
                place = self._indexes[resource.document.address].places[pointer]
                bound = str(place.origin)
                self._bound[bound] = place
                own.append((name, bound))
        return tuple(own)

    def _reaching(self) -> set[Place]:
        """The places from which a dynamic reference is reached, backwards from these."""
        above: dict[Place, list[Place]] = {}
        for index in self._indexes.values():
            for place in index.places.values():
                if place.target is not None:
                    above.setdefault(place.target, []).append(place)
                if place.dynamic is not None:
                    above.setdefault(place.dynamic, []).append(place)
                schema = self._view(place)
                for keyword in schema.keywords():
                    if keyword in _APART:
                        continue
                    below = [schema.one(keyword), *schema.many(keyword), *schema.named(keyword).values()]
                    for inner in below:
                        if inner is not None:
                            above.setdefault(self._at(inner), []).append(place)
        reaching = {
            reference.place
            for reference in self._links.references
            if reference.place.anchor in self._bindings and reference.place.anchor
        }
        pending = list(reaching)
        while pending:
            for place in above.get(pending.pop(), ()):
                if place not in reaching:
                    reaching.add(place)
                    pending.append(place)
        return reaching


def _bindings(links: Links) -> frozenset[str]:
    """The dynamic anchors whose binding can matter: some reference means them, and several places have them."""
    used = {reference.place.anchor for reference in links.references} - {""}
    if not used:
        return frozenset()
    places: dict[str, int] = {}
    for index in links.indexes.values():
        for resource in index.resources:
            for name in resource.dynamic:
                places[name] = places.get(name, 0) + 1
    return frozenset(name for name in used if places[name] > 1)


def load(
    source: str | os.PathLike[str] | JsonValue,
    *,
    dialect: str | None = None,
    roots: Mapping[str, Path] | None = None,
    overlays: Sequence[str | os.PathLike[str]] = (),
    formats: Sequence[str] = (),
) -> Contract:
    """The contract in the file ``source`` (JSON, or YAML by its suffix), or that ``source`` is, as ``json.loads`` gives it.

    ``dialect`` ("draft-04" … "2020-12") holds where ``$schema`` is silent; 2020-12 by default. An OpenAPI description is never
    silent: its version says what its schemas are. ``roots`` maps prefixes of URLs to the folders that stand for them.
    ``overlays`` are files whose actions are applied to the root document, in this order, before anything else is looked at.
    ``formats`` are to be asserted ("all": each that can be), where ``format`` would only describe.
    Raises ``ContractError`` with every problem, sorted by place.
    """
    chosen = dialects.DRAFT_2020 if dialect is None else dialects.called(dialect)
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else None
    unreadable: list[Unreadable] = []
    changes: list[Document] = []
    for overlay in overlays:
        try:
            changes.append(read_overlay(overlay))
        except Unreadable as error:
            unreadable.append(error)
    try:
        document = from_value(source) if path is None else read(Path(path), path, "")
    except Unreadable as error:
        raise _failure([], [error, *unreadable], {}) from None
    if chosen is None:
        message = f"dialect {shown(dialect)} is not known"
        help = f"give one of {', '.join(dialects.BY_NAME)}"
        problem = Problem(code="unknown-dialect", message=message, origin=Origin("", ""), help=help)
        raise _failure([problem], [], {"": document})
    problems = [_unknown_format(name) for name in asserted.unknown(formats)]
    if problems:
        raise _failure(problems, [], {"": document})
    if changes or unreadable:
        document = applied(document, changes, problems.append)
        if problems or unreadable:
            raise _failure(problems, unreadable, {each.address: each for each in (document, *changes)})
    links = Links(Sources(document, None if path is None else Path(path), roots or {}), chosen, problems.append)
    links.link()
    if problems or links.unreadable:
        raise _failure(problems, links.unreadable, links.sources.documents)
    return Contract(links, path, tuple(changes), asserted.chosen(formats))


def _unknown_format(name: str) -> Problem:
    return Problem(
        code="unknown-format",
        message=f"the format {shown(name)} cannot be asserted",
        origin=Origin("", ""),
        help=f"leave it to describe, or name some of {', '.join(asserted.FORMATS)}",
    )


def _failure(
    problems: list[Problem],
    unreadable: list[Unreadable],
    documents: Mapping[str, Document],
) -> ContractError:
    """The error with all problems in the order of their places. A text that is no JSON has places, but no pointers to them."""
    problems = [*problems, *(problem for error in unreadable for problem in error.problems)]
    problems = list(dict.fromkeys(problems))  # a file that two references name by different URIs fails twice
    fixed = {origin: position for error in unreadable for origin, position in error.positions.items()}

    def locate(origin: Origin) -> Position:
        return fixed[origin] if origin in fixed else documents[origin.document].position(origin.pointer)

    def order(problem: Problem) -> tuple[bool, str, int, int]:
        position = locate(problem.origin)
        return (problem.origin.document != "", *position)

    return ContractError(sorted(problems, key=order), locate)
