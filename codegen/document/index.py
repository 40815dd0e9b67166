"""A document's value → its schema places, resources and anchors, and the references that leave them.

Must not follow references or read files (``linking`` does), nor know what else than schemas a document holds (``openapi``
does). The walk visits every place that is structurally a schema, once, with its own stack, and refuses there what its
dialect does not know; so nothing is reached later that was not judged here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from codegen.document import oas, uri
from codegen.document.dialects import RECURSIVE_ANCHOR, Dialect, base_name
from codegen.document.reading import Document
from codegen.errors import Problem
from codegen.pointer import Origin, escape, parent
from codegen.vocabulary import advice, cited, is_extension, subschemas

if TYPE_CHECKING:
    from codegen.document.schema import Schema
    from codegen.model import JsonValue


@dataclass(slots=True, eq=False)
class Resource:
    """A schema resource: the root of a document, or a schema with an ``$id`` of its own.

    ``uri`` is its base URI. ``anchors`` and ``dynamic`` give the pointers, in the document, of its plain-name fragments; an
    anchor in ``dynamic`` is in ``anchors`` too, but for the nameless one of ``$recursiveAnchor``.
    """

    uri: str
    document: Document
    pointer: str
    dialect: Dialect
    anchors: dict[str, str] = field(default_factory=dict)
    dynamic: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Place:
    """A schema place, or the place of an object of OpenAPI, whose ``kind`` is another than "Schema".

    Once linked, ``target`` is where ``$ref`` leads, and ``dynamic`` where ``$dynamicRef`` leads outside of any scope;
    ``anchor`` is the name that a scope may bind to another place ("": none may). ``schema`` is the view, once asked for.
    """

    document: Document
    pointer: str
    value: JsonValue
    dialect: Dialect
    resource: Resource
    target: Place | None = None
    dynamic: Place | None = None
    anchor: str = ""
    schema: Schema | None = None
    kind: str = "Schema"

    @property
    def origin(self) -> Origin:
        """The place, for messages and for whoever is outside."""
        return Origin(self.document.address, self.pointer)


@dataclass(slots=True, eq=False)
class Reference:
    """A reference keyword: the place that holds it, the keyword as written, its operand."""

    place: Place
    keyword: str
    text: str

    @property
    def origin(self) -> Origin:
        """The place of the keyword."""
        return self.place.origin.at(self.keyword)


@dataclass(slots=True, eq=False)
class Index:
    """What walks found: the places of one document by pointer, its resources (the root's first), its references.

    ``objects``: the places of objects of OpenAPI, and ``starts`` the schemas that they hold, in their order; ``statuses`` are
    members of Responses Objects. ``refused``: pointers of what was reported and not walked, so that a reference into it is no
    second problem. ``whole``: the document was walked from its root on; else only what references lead to.
    """

    places: dict[str, Place] = field(default_factory=dict)
    resources: list[Resource] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    objects: dict[str, Place] = field(default_factory=dict)
    starts: dict[str, None] = field(default_factory=dict)
    statuses: set[str] = field(default_factory=set)
    whole: bool = True


def is_refused(pointer: str, found: Index) -> bool:
    """Whether what is at ``pointer`` was reported, or is in something that was."""
    while pointer not in found.refused:
        if not pointer:
            return False
        pointer = parent(pointer)
    return True


# Finds the dialect of a ``$schema`` that is none of the five (None: not found, and reported).
FindDialect = Callable[[str, Origin], Dialect | None]


def begin(document: Document, base: str, dialect: Dialect) -> Index:
    """An index of ``document`` with its outermost resource alone; ``dialect`` is what holds where ``$schema`` is silent."""
    return Index(resources=[Resource(base, document, "", dialect)])


def index(
    found: Index, start: str, value: JsonValue, find_dialect: FindDialect, report: Callable[[Problem], None]
) -> None:
    """Enters the schema ``value`` at the pointer ``start`` and every schema below it."""
    outermost = found.resources[0]
    document, dialect = outermost.document, outermost.dialect
    places, references, address = found.places, found.references, document.address
    # Schemas still to visit: pointer, value, enclosing resource, its dialect, and whether a boolean may stand there.
    stack: list[tuple[str, JsonValue, Resource, Dialect, bool]] = [(start, value, outermost, dialect, False)]
    while stack:
        pointer, value, resource, dialect, boolean = stack.pop()
        if pointer in places:  # a walk from further inside was here
            continue
        if not isinstance(value, dict):
            if isinstance(value, bool) and (boolean or dialect.boolean_schemas):
                places[pointer] = Place(document, pointer, value, dialect, resource)
            else:
                report(_no_schema(Origin(address, pointer), value, dialect))
                found.refused.add(pointer)
            continue
        written = value.get("$schema")
        # A document that says what it is written in is: it may be one of another dialect, or of one that has no such keyword.
        if isinstance(written, str) and ("$schema" in dialect.keywords or not pointer):
            declared = oas.recognised(written) or find_dialect(written, Origin(address, pointer).at("$schema"))
            if declared is None:
                found.refused.add(pointer)
                continue
            dialect = declared
            if pointer == start and pointer and dialect is not resource.dialect:
                # A schema that an object of OpenAPI holds may speak another dialect: the same resource, seen so.
                resource = replace(resource, dialect=dialect)
        resource = _resource(value, pointer, resource, dialect, found, report)
        place = places[pointer] = Place(document, pointer, value, resource.dialect, resource)
        keywords = dialect.keywords
        below: list[tuple[str, JsonValue, Resource, Dialect, bool]] = []
        for name, operand in value.items():
            keyword = keywords.get(name)
            if keyword is None:
                if not is_extension(name):
                    report(_unknown(Origin(address, pointer).at(name), name, dialect))
                    found.refused.add(f"{pointer}/{escape(name)}")
                continue
            flaw = keyword.judge(operand)
            if flaw is not None:
                verb = "holds" if flaw.below else "is"
                problem = Problem(
                    code="malformed-keyword",
                    message=f'"{name}" {verb} {cited(flaw.found)}, expected {flaw.expected}',
                    origin=Origin(address, f"{pointer}/{name}{flaw.below}"),
                    help=flaw.help or f'write {flaw.expected}, or leave "{name}" out',
                )
                report(problem)
                found.refused.add(f"{pointer}/{name}")
            elif keyword.holds != "nothing":
                for suffix, schema in subschemas(keyword, operand):
                    below.append((f"{pointer}/{name}{suffix}", schema, resource, dialect, keyword.booleans))
            elif name in _REFERENCES and isinstance(operand, str):
                references.append(Reference(place, name, operand))
        _check_beside(value, place, report)
        below.reverse()
        stack.extend(below)


_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


def _resource(
    schema: dict[str, JsonValue],
    pointer: str,
    around: Resource,
    dialect: Dialect,
    found: Index,
    report: Callable[[Problem], None],
) -> Resource:
    """The resource that ``schema`` belongs to, with its anchors entered."""
    written = schema.get(dialect.id_keyword)
    named = dialect.named_by_id and isinstance(written, str) and (not written or written.startswith("#"))
    resource = around
    if pointer == "":
        around.dialect = dialect
    if isinstance(written, str) and not named and not (dialect.ref_hides and "$ref" in schema):
        absolute = uri.resolve(around.uri, written)
        if pointer == "":
            around.uri = absolute
        else:
            resource = Resource(absolute, around.document, pointer, dialect)
            found.resources.append(resource)
    if resource is around and dialect is not around.dialect and "$schema" in schema:
        report(
            Problem(
                code="malformed-keyword",
                message=f'"$schema" changes the dialect from {around.dialect.name} to {dialect.name} inside a resource',
                origin=Origin(around.document.address, pointer).at("$schema"),
                help=f'give this schema an "{dialect.id_keyword}", or remove "$schema"',
            )
        )
    if named and isinstance(written, str):
        if len(written) > 1 and written[1] != "/" and not (dialect.ref_hides and "$ref" in schema):
            _enter(written[1:], pointer, dialect.id_keyword, resource, report)
    elif not dialect.named_by_id:
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = schema.get(keyword)
            if isinstance(name, str) and keyword in dialect.keywords:
                _enter(name, pointer, keyword, resource, report)
                if keyword == "$dynamicAnchor":
                    resource.dynamic[name] = pointer
    return resource


def _enter(name: str, pointer: str, keyword: str, resource: Resource, report: Callable[[Problem], None]) -> None:
    before = resource.anchors.setdefault(name, pointer)
    if before != pointer:
        report(
            Problem(
                code="duplicate-anchor",
                message=f'anchor {cited(name)} is also at "#{before}"',
                origin=Origin(resource.document.address, pointer).at(keyword),
                help="rename one of the two, and the references that mean it",
            )
        )


def _check_beside(schema: dict[str, JsonValue], place: Place, report: Callable[[Problem], None]) -> None:
    """What one operand alone cannot show."""
    keywords = place.dialect.keywords
    if place.dialect.without_effect is not None:
        for keyword, where, help in place.dialect.without_effect(schema):
            message = f'"{keyword}" stands {where}, where it has no effect in {place.dialect.name}'
            report(Problem(code="no-effect", message=message, origin=place.origin.at(keyword), help=help))
    if not place.dialect.boolean_schemas:
        for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if schema.get(exclusive) is True and bound not in schema:
                report(
                    Problem(
                        code="malformed-keyword",
                        message=f'"{exclusive}" is there without "{bound}"',
                        origin=place.origin.at(exclusive),
                        help=f'{place.dialect.name} excludes the bound that "{bound}" gives: add it',
                    )
                )
    if schema.get("$recursiveAnchor") is True and "$recursiveAnchor" in keywords:
        if place.pointer == place.resource.pointer:
            place.resource.dynamic[RECURSIVE_ANCHOR] = place.pointer
        else:
            report(
                Problem(
                    code="malformed-keyword",
                    message='"$recursiveAnchor" is inside a resource, expected at its root',
                    origin=place.origin.at("$recursiveAnchor"),
                    help='move it beside the "$id" of the resource, or remove it',
                )
            )
    one, other = schema.get("$defs"), schema.get("definitions")
    if isinstance(one, dict) and isinstance(other, dict):
        for name in other:
            if name in one:
                report(
                    Problem(
                        code="duplicate-definition",
                        message=f'definition {cited(name)} is in both "$defs" and "definitions"',
                        origin=place.origin.at("definitions", name),
                        help="rename or remove one of the two",
                    )
                )


def _no_schema(origin: Origin, value: JsonValue, dialect: Dialect) -> Problem:
    if isinstance(value, bool):
        instead = "{}" if value else '{"not": {}}'
        return Problem(
            code="not-a-schema",
            message=f"a schema is {cited(value)}, which {dialect.name} does not have",
            origin=origin,
            help=f"write {instead}",
        )
    expected = "an object, true or false" if dialect.boolean_schemas else "an object"
    help = "write a schema here"
    if isinstance(value, list) and origin.pointer.endswith("/items"):
        help = f'{dialect.name} has "prefixItems" for positional items, and "items" for the rest'
    return Problem(
        code="not-a-schema", message=f"a schema is {cited(value)}, expected {expected}", origin=origin, help=help
    )


def _unknown(origin: Origin, name: str, dialect: Dialect) -> Problem:
    return Problem(
        code="unknown-keyword",
        message=f"{cited(name)} is no keyword of {dialect.name}",
        origin=origin,
        help=dialect.advise(name) if dialect.advise else advice(name, base_name(dialect)),
    )
