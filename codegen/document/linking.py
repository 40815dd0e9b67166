"""The documents of a contract → places whose references lead to places.

Must not interpret keywords. References are followed breadth first, and a document is read when the first one needs it; those
that lead nowhere yet are tried again at the end, because a document read later may hold the resource that they name. A
document beside an OpenAPI description that says nothing of itself is walked only where references lead, as what they expect.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from codegen.document import dialects, oas, objects, openapi, whole
from codegen.document import uri as uris
from codegen.document.dialects import RECURSIVE_ANCHOR, Dialect
from codegen.document.index import Index, Place, Reference, Resource, begin, index, is_refused
from codegen.document.reading import Document, Unreadable
from codegen.document.sources import Missing, Sources
from codegen.errors import Problem, shown
from codegen.pointer import Origin, join, parent, split, unescape

if TYPE_CHECKING:
    from codegen.model import JsonValue

# Names among which a similar one is looked for when a reference is wrong: the search is slow, and each wrong one makes it.
MOST_NAMES = 500


class Links:
    """The indexes of all documents by address, and the resources by URI."""

    def __init__(self, sources: Sources, dialect: Dialect, report: Callable[[Problem], None]) -> None:
        """``dialect`` holds in documents that name none."""
        self.sources = sources
        self.indexes: dict[str, Index] = {}
        self.resources: dict[str, Resource] = {}
        self.references: list[Reference] = []
        self._dialect = dialect
        self._report = report
        self._retrieved: dict[str, Resource] = {}
        self._dialects: dict[str, Dialect | None] = {}
        self._unreadable: list[Unreadable] = []
        # The version of OpenAPI that the root document is written in ("": it is a JSON Schema).
        self.openapi = ""

    @property
    def unreadable(self) -> list[Unreadable]:
        """Documents that references lead to and that cannot be read."""
        return self._unreadable

    def link(self) -> None:
        """Indexes the root document and whatever its references lead to, and gives every reference its target."""
        document = self.sources.documents[""]
        # Read off the text: the walk needs it already, where ``$schema`` names a metaschema beside the contract.
        if isinstance(document.value, dict):
            for keyword in ("$id", "id", "$self"):
                identifier = document.value.get(keyword)
                if isinstance(identifier, str):
                    self.sources.lie_beside(uris.resolve("", identifier))
        self._add(document, "")
        self._dialect = self.indexes[""].resources[0].dialect
        later: list[Reference] = []
        self._follow(deque(self.references), later.append)
        while later:
            again, later = later, []
            for reference in again:
                resource = self._resource(reference, fetch=False)
                if resource is None:
                    self._lost(reference)
                else:
                    known = len(self.references)
                    self._aim(reference, resource)
                    self._follow(deque(self.references[known:]), later.append)
        whole.check_chains(self.references, self._report)
        whole.check_keys(self.sources.documents, self.indexes, self._report)

    def _follow(self, waiting: deque[Reference], later: Callable[[Reference], None]) -> None:
        """Gives each reference its target, and each that is found on the way; those without a document are for later."""
        while waiting:
            reference = waiting.popleft()
            known = len(self.references)
            resource = self._resource(reference, fetch=True)
            if resource is None:
                later(reference)
            else:
                self._aim(reference, resource)
            waiting.extend(self.references[known:])

    def _add(self, document: Document, base: str) -> Resource:
        """Indexes ``document``, retrieved from ``base``; its outermost resource."""
        found = self.indexes[document.address] = begin(document, base, self._dialect)
        outermost = found.resources[0]
        self._retrieved.setdefault(base, outermost)
        if openapi.is_openapi(document.value):
            self._add_openapi(found, outermost)
        elif self.openapi and document.address and not _is_schema(document.value):
            found.whole = False
            self.resources.setdefault(base, outermost)
        else:
            self._walk(found, "", objects.SCHEMA)
        return outermost

    def _add_openapi(self, found: Index, outermost: Resource) -> None:
        """Indexes an OpenAPI description from its root on."""
        value, address = outermost.document.value, outermost.document.address
        version = openapi.version(outermost.document, self._report)
        if version is None or not isinstance(value, dict):
            found.refused.add("")
            return
        if not address:
            self.openapi = version
        outermost.dialect = oas.BY_VERSION[version]
        stated = value.get("jsonSchemaDialect")
        if version != "3.0" and isinstance(stated, str):
            place = Origin(address, "/jsonSchemaDialect")
            outermost.dialect = oas.recognised(stated) or self._find_dialect(stated, place) or outermost.dialect
        if version == "3.2" and isinstance(value.get("$self"), str):
            outermost.uri = uris.resolve(outermost.uri, str(value["$self"]))
        self._walk(found, "", "OpenAPI", version)

    def _walk(self, found: Index, pointer: str, kind: str, version: str = "") -> None:
        """Enters what is at ``pointer`` as what ``kind`` says, and whatever is below it."""
        outermost = found.resources[0]
        document = outermost.document
        references, resources = len(found.references), len(found.resources) if pointer else 0
        starts = [pointer]
        if kind != objects.SCHEMA:
            version = version or self.openapi
            starts = openapi.walk(document, pointer, kind, version, outermost, found, self._report)
        found.starts.update(dict.fromkeys(starts))
        for start in starts:
            index(found, start, openapi.value_at(document.value, start), self._find_dialect, self._report)
        self.references.extend(found.references[references:])
        for resource in found.resources[resources:]:
            before = self.resources.setdefault(resource.uri, resource)
            if before is not resource:
                place = Origin(before.document.address, before.pointer)
                self._report(
                    Problem(
                        code="duplicate-anchor",
                        message=f'resource {shown(resource.uri)} is also at "{place}"',
                        origin=Origin(document.address, resource.pointer).at(resource.dialect.id_keyword),
                        help="give one of the two another URI, and correct the references that mean it",
                    )
                )

    # --- following ----------------------------------------------------------------------------------------------------

    def find(self, base: str, reference: str) -> Place | None:
        """The schema that ``reference`` means below ``base``, among the documents that are there."""
        uri = uris.resolve(base, reference)
        resource = self.resources.get(uri) or self._retrieved.get(uri)
        return None if resource is None else self._place(resource, uris.split(reference)[1])[0]

    def _resource(self, reference: Reference, fetch: bool) -> Resource | None:
        uri = uris.resolve(reference.place.resource.uri, reference.text)
        resource = self.resources.get(uri) or self._retrieved.get(uri)
        if resource is not None or not fetch:
            return resource
        document = self._fetch(uri)
        if isinstance(document, Missing):
            return None
        known = self.indexes.get(document.address)
        if known is not None:
            return self._retrieved.setdefault(uri, known.resources[0])
        return self._add(document, uri)

    def _fetch(self, uri: str) -> Document | Missing:
        try:
            return self.sources.fetch(uri)
        except Unreadable as error:
            self._unreadable.append(error)
            return Missing("")

    def _lost(self, reference: Reference) -> None:
        missing = self._fetch(uris.resolve(reference.place.resource.uri, reference.text))
        if isinstance(missing, Missing) and missing.code:
            self._report(
                Problem(code=missing.code, message=missing.message, origin=reference.origin, help=missing.help)
            )

    def _aim(self, reference: Reference, resource: Resource) -> None:
        fragment = uris.split(reference.text)[1]
        place = reference.place
        self._reach(resource, fragment, place.kind)
        target, problem = self._place(resource, fragment, place.kind)
        if target is None:
            if problem is not None:
                code, message, help = problem
                self._report(Problem(code=code, message=message, origin=reference.origin, help=help))
        elif reference.keyword == "$ref":
            place.target = target
        else:
            place.dynamic = target
            name = RECURSIVE_ANCHOR if reference.keyword == "$recursiveRef" else (uris.decoded(fragment) or "")
            if resource.dynamic.get(name) == target.pointer:
                place.anchor = name

    def _reach(self, resource: Resource, fragment: str, kind: str) -> None:
        """Walks the part of a document that a reference leads to, where the document was not walked as a whole."""
        found = self.indexes[resource.document.address]
        pointer = uris.decoded(fragment)
        if found.whole or pointer is None:
            return
        if pointer and not pointer.startswith("/"):
            pointer = ""  # an anchor: only schemas have some, and it may be anywhere
        known = pointer in found.places or pointer in found.objects or is_refused(pointer, found)
        if not known and _exists(resource.document.value, pointer):
            self._walk(found, pointer, kind)

    def _place(
        self, resource: Resource, fragment: str, kind: str = objects.SCHEMA
    ) -> tuple[Place | None, tuple[str, str, str] | None]:
        """The place of ``fragment`` in ``resource``, or the problem's code, message and help (None: reported elsewhere)."""
        found = self.indexes[resource.document.address]
        name = uris.decoded(fragment)
        if name is None or (name and not name.startswith("/")):
            anchor = None if name is None else resource.anchors.get(name)
            if anchor is not None:
                return found.places[anchor], None
            return None, _no_anchor(fragment, resource)
        pointer = resource.pointer + name
        place = found.places.get(pointer) or found.objects.get(pointer)
        if place is not None and place.kind == kind:
            return place, None
        if place is None and is_refused(pointer, found):
            return None, None
        where = f' of "{resource.document.path}"' if resource.document.address else ""
        if place is not None or (kind != objects.SCHEMA and _exists(resource.document.value, pointer)):
            what = "nothing of OpenAPI" if place is None else objects.article(place.kind)
            message = f'{shown("#" + pointer)}{where} is {what}, expected {objects.article(kind)}'
            return None, ("wrong-kind", message, "refer to what is expected, or move it where that stands")
        if _exists(resource.document.value, pointer):
            message = f'{shown("#" + pointer)}{where} is in no place where a schema stands'
            home = "components/schemas" if self.openapi else "$defs"
            return None, ("not-a-schema", message, f'move it into "{home}", and refer to it there')
        message = f'nothing is at {shown("#" + pointer)}{where}'
        return None, ("dangling-reference", message, _nearest(pointer, resource.document.value))

    # --- dialects -----------------------------------------------------------------------------------------------------

    def _find_dialect(self, written: str, origin: Origin) -> Dialect | None:
        """The dialect that the metaschema at ``written`` describes: another one, less the vocabularies it leaves out."""
        if written not in self._dialects:
            self._dialects[written] = None  # what a metaschema that describes itself by itself comes to
            self._dialects[written] = self._described(written)
        dialect = self._dialects[written]
        if dialect is None:
            known = ", ".join(f'"{known.uri}"' for known in dialects.BY_NAME.values())
            help = f"write one of {known}"
            if not uris.is_local(written) and "//json-schema.org/" not in written:
                missing = self._fetch(written.partition("#")[0])
                if isinstance(missing, Missing) and missing.code:
                    help += f"; for a metaschema of your own, {missing.help}"
            keyword = origin.pointer.rpartition("/")[2]
            message = f'"{keyword}" is {shown(written)}, which is no dialect that is known'
            self._report(Problem(code="unknown-dialect", message=message, origin=origin, help=help))
        elif isinstance(dialect.unmet, str):
            self._report(
                Problem(
                    code="unknown-vocabulary",
                    message=f"metaschema {shown(written)} requires vocabulary {shown(dialect.unmet)}, which is not known",
                    origin=origin,
                    help='name a metaschema in "$schema" whose required vocabularies are those of JSON Schema',
                )
            )
            return None
        return dialect

    def _described(self, written: str) -> Dialect | None:
        uri = written.partition("#")[0]
        metaschema = self._embedded(uri)
        if metaschema is None and not uris.is_local(uri):
            document = self._fetch(uri)
            metaschema = document.value if isinstance(document, Document) else None
        if not isinstance(metaschema, dict):
            return None
        above = metaschema.get("$schema")
        if not isinstance(above, str):
            return None
        dialect = oas.recognised(above)
        if dialect is None:
            if above not in self._dialects:
                self._dialects[above] = None
                self._dialects[above] = self._described(above)
            dialect = self._dialects[above]
        vocabularies = metaschema.get("$vocabulary")
        if dialect is None or not isinstance(vocabularies, dict):
            return dialect
        return dialects.narrowed(dialect, uri, {name: needed is True for name, needed in vocabularies.items()})

    def _embedded(self, uri: str) -> JsonValue:
        """The object with that ``$id`` anywhere in the documents so far (before it is found, no walk knows its keywords)."""
        for document in self.sources.documents.values():
            pending = [document.value]
            while pending:
                value = pending.pop()
                if isinstance(value, dict):
                    for keyword in ("$id", "id"):
                        identifier = value.get(keyword)
                        if isinstance(identifier, str) and identifier.partition("#")[0] == uri and "$schema" in value:
                            return value
                    pending.extend(value.values())
                elif isinstance(value, list):
                    pending.extend(value)
        return None


def _is_schema(value: JsonValue) -> bool:
    """Whether a document says of itself that it is a schema as a whole."""
    return isinstance(value, dict) and not {"$schema", "$id"}.isdisjoint(value)


def _exists(value: JsonValue, pointer: str) -> bool:
    for token in split(pointer):
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdecimal() and token.isascii() and int(token) < len(value):
            value = value[int(token)]
        else:
            return False
    return True


def _no_anchor(fragment: str, resource: Resource) -> tuple[str, str, str]:
    message = f"no anchor is called {shown(fragment)}"
    if resource.uri:
        message += f" in {shown(resource.uri)}"
    name = fragment.lstrip("#")
    for container in ("$defs", "definitions"):
        holder = _member(_member(resource.document.value, resource.pointer), f"/{container}")
        if isinstance(holder, dict) and name in holder:
            return "dangling-reference", message, f'write "#/{container}/{name}"'
    return (
        "dangling-reference",
        message,
        f'add "$anchor": {shown(fragment)} to the schema that is meant, or correct the name',
    )


def _member(value: JsonValue, pointer: str) -> JsonValue:
    for token in split(pointer):
        if isinstance(value, dict):
            value = value.get(token)
        elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        else:
            return None
    return value


def _nearest(pointer: str, value: JsonValue) -> str:
    from difflib import get_close_matches

    # Names beside the one that is missing, or of the definitions at the root.
    for holder in (parent(pointer), "/$defs", "/definitions", "/components/schemas"):
        names = _member(value, holder)
        if isinstance(names, dict) and len(names) <= MOST_NAMES:
            near = get_close_matches(unescape(pointer.rpartition("/")[2]), names, 1, 0.75)
            if near:
                return f"write {shown(f'#{join(holder, near[0])}')} if that is meant"
    return "correct the reference, or add what it means"
