"""A document's value → its OpenAPI objects, each judged at its place, and the schemas that they hold.

Must not follow references (``linking`` does) nor look into schemas (``index`` does). The walk visits every place that is
structurally an object of OpenAPI, once, with its own stack, and refuses there what the version does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from codegen.document import objects
from codegen.document.index import Index, Place, Reference, Resource
from codegen.document.objects import SCHEMA, Shape
from codegen.errors import Problem
from codegen.pointer import Origin, escape, parent, split, unescape
from codegen.vocabulary import Flaw, cited

if TYPE_CHECKING:
    from codegen.document.reading import Document
    from codegen.model import JsonValue

_VERSION = re.compile(r"(3\.[012])\.(?:0|[1-9][0-9]*)(?:-.+)?")


def is_openapi(value: JsonValue) -> bool:
    """Whether a document says that it is an OpenAPI description, of whatever version."""
    return isinstance(value, dict) and ("openapi" in value or "swagger" in value)


def version(document: Document, report: Callable[[Problem], None]) -> str | None:
    """The version that an OpenAPI description says it is written in: "3.0", "3.1" or "3.2"; None if it is none of these."""
    value = document.value
    assert isinstance(value, dict)
    written = value.get("openapi", value.get("swagger"))
    match = _VERSION.fullmatch(written) if isinstance(written, str) and "openapi" in value else None
    if match is not None:
        return match[1]
    name = "openapi" if "openapi" in value else "swagger"
    help = 'write "3.0.4", "3.1.1" or "3.2.0", in quotes'
    if name == "swagger":
        help = 'convert it to OpenAPI 3, whose documents have a member "openapi"'
    report(
        Problem(
            code="openapi-version",
            message=f'"{name}" is {cited(written)}, expected OpenAPI 3.0, 3.1 or 3.2',
            origin=Origin(document.address, f"/{name}"),
            help=help,
        )
    )
    return None


def walk(
    document: Document,
    pointer: str,
    kind: str,
    version: str,
    resource: Resource,
    found: Index,
    report: Callable[[Problem], None],
) -> list[str]:
    """Enters every object from ``pointer`` on, which is to be of ``kind``; the pointers of the schemas that they hold."""
    walker = _Walk(document, version, resource, found, report)
    return walker.whole(pointer, kind, value_at(document.value, pointer))


def value_at(value: JsonValue, pointer: str) -> JsonValue:
    """The value at ``pointer``, which leads to one."""
    for token in split(pointer):
        if isinstance(value, dict):
            value = value[token]
        else:
            assert isinstance(value, list)
            value = value[int(token)]
    return value


class _Walk:
    def __init__(
        self,
        document: Document,
        version: str,
        resource: Resource,
        found: Index,
        report: Callable[[Problem], None],
    ) -> None:
        self.document = document
        self.version = version
        self.resource = resource
        self.found = found
        self.report = report
        self.schemas: list[str] = []

    def whole(self, pointer: str, kind: str, value: JsonValue) -> list[str]:
        stack: list[tuple[str, str, JsonValue]] = [(pointer, kind, value)]
        while stack:
            pointer, kind, value = stack.pop()
            if kind == SCHEMA:
                self.schemas.append(pointer)
            elif pointer not in self.found.objects:
                stack.extend(reversed(list(self.object(pointer, kind, value))))
        return self.schemas

    def object(self, pointer: str, kind: str, value: JsonValue) -> Iterator[tuple[str, str, JsonValue]]:
        """Enters the object at ``pointer``; what is to be visited below it."""
        if not isinstance(value, dict):
            self.flaw(pointer, unescape(pointer.rpartition("/")[2]), Flaw(value, objects.article(kind)))
            return
        place = self.found.objects[pointer] = Place(
            self.document, pointer, value, self.resource.dialect, self.resource, kind=kind
        )
        if "$ref" in value and self.referable(kind):
            self.reference(place, value)
            return
        kind = objects.variant(kind, value)
        shape = objects.shape(kind, self.version)
        for name, item in value.items():
            yield from self.member(pointer, kind, shape, name, item)
        for name, member in shape.members.items():
            if member.required and name not in value:
                self.problem("missing-member", pointer, f'{objects.article(kind)} has no "{name}"', f'add "{name}"')
        self.beside(pointer, kind, value)

    def member(
        self, above: str, kind: str, shape: Shape, name: str, value: JsonValue
    ) -> Iterator[tuple[str, str, JsonValue]]:
        pointer = f"{above}/{escape(name)}"
        member = shape.members.get(name)
        if member is not None:
            holds = member.holds
        elif name.startswith("x-") and shape.extensible:
            return
        elif shape.names is not None and shape.names.fullmatch(name):
            holds = shape.data
            if kind == "Responses":
                self.found.statuses.add(pointer)
        else:
            self.found.refused.add(pointer)
            self.problem(
                "unknown-member",
                pointer,
                f"{cited(name)} is no member of {objects.article(kind)}",
                self.advice(kind, name),
            )
            return
        if holds.startswith("["):
            yield from self.items(pointer, holds[1:-1], value)
        elif holds.startswith("{"):
            yield from self.map(pointer, holds[1:-1], value, objects.MAP_NAMES.get((kind, name)))
        elif not objects.is_scalar(holds):
            yield pointer, holds, value
        elif flaw := objects.scalar_flaw(holds, value):
            self.flaw(pointer, name, flaw)
        else:
            known = objects.words(kind.partition(" ")[0], name, self.version)
            if known and value not in known:
                self.flaw(pointer, name, Flaw(value, _listed(known)))

    def items(self, above: str, kind: str, value: JsonValue) -> Iterator[tuple[str, str, JsonValue]]:
        if not isinstance(value, list):
            self.flaw(above, above.rpartition("/")[2], Flaw(value, "an array"))
            return
        for index, item in enumerate(value):
            yield f"{above}/{index}", kind, item

    def map(
        self, above: str, holds: str, value: JsonValue, names: re.Pattern[str] | None
    ) -> Iterator[tuple[str, str, JsonValue]]:
        if not isinstance(value, dict):
            self.flaw(above, above.rpartition("/")[2], Flaw(value, "an object"))
            return
        for name, item in value.items():
            pointer = f"{above}/{escape(name)}"
            if names is not None and not names.fullmatch(name):
                message = f"{cited(name)} cannot be a name here, expected one that matches {names.pattern}"
                self.problem("malformed-member", pointer, message, "rename it, and correct the references to it")
            if not objects.is_scalar(holds):
                yield pointer, holds, item
            elif flaw := objects.scalar_flaw(holds, item):
                self.flaw(pointer, name, flaw)

    # --- references ---------------------------------------------------------------------------------------------------

    def referable(self, kind: str) -> bool:
        """Whether a reference may stand in the place of an object of ``kind``."""
        return kind in objects.REFERABLE or (kind in objects.REFERABLE_SINCE_3_2 and self.version == "3.2")

    def reference(self, place: Place, value: dict[str, JsonValue]) -> None:
        """The place holds a Reference Object, or a path item that is elsewhere."""
        written = value["$ref"]
        if not isinstance(written, str):
            self.flaw(f"{place.pointer}/$ref", "$ref", Flaw(written, "a string"))
            return
        self.found.references.append(Reference(place, "$ref", written))
        for name, item in value.items():
            # A path item has its reference among its own members, and can be extended; a Reference Object cannot.
            if name == "$ref" or (place.kind == "PathItem" and name.startswith("x-")):
                continue
            if name in ("summary", "description"):
                if flaw := objects.scalar_flaw("text", item):
                    self.flaw(f"{place.pointer}/{name}", name, flaw)
                continue
            pointer = f"{place.pointer}/{escape(name)}"
            self.found.refused.add(pointer)
            self.problem(
                "unknown-member",
                pointer,
                f'{cited(name)} stands beside "$ref", where readers disagree on what it means',
                f"move it into the {objects.title(place.kind)} that is referred to, or write that out here",
            )

    # --- what one member alone cannot show ----------------------------------------------------------------------------

    def beside(self, pointer: str, kind: str, value: dict[str, JsonValue]) -> None:
        for names in objects.EXCLUSIVE.get(kind, ()):
            there = [name for name in names if name in value]
            if len(there) > 1:
                message = f'{objects.article(kind)} has both "{there[0]}" and "{there[1]}"'
                self.problem("conflicting-members", f"{pointer}/{there[1]}", message, "keep one of the two")
            if not there and (kind, names[0]) in objects.EXACTLY_ONE:
                message = f'{objects.article(kind)} has neither "{names[0]}" nor "{names[1]}"'
                self.problem("missing-member", pointer, message, f'add "{names[0]}"')
        match kind:
            case "OpenAPI":
                if self.version != "3.0" and not {"paths", "webhooks", "components"} & value.keys():
                    message = 'the OpenAPI Object has none of "paths", "webhooks" and "components"'
                    self.problem("missing-member", pointer, message, 'add "paths"')
            case "Responses":
                if all(name.startswith("x-") for name in value):
                    self.problem("missing-member", pointer, f"{objects.article(kind)} has no response", 'add "default"')
            case "Parameter" | "Header":
                self.parameter(pointer, kind, value)

    def parameter(self, pointer: str, kind: str, value: dict[str, JsonValue]) -> None:
        place = value.get("in") if kind == "Parameter" else "header"
        content = value.get("content")
        if "content" in value:
            for name in objects.not_beside_content(self.version):
                if name in value:
                    message = f'{objects.article(kind)} has both "content" and "{name}"'
                    help = f'remove "{name}": the media type says how the value is written'
                    self.problem("conflicting-members", f"{pointer}/{name}", message, help)
            if isinstance(content, dict) and len(content) != 1:
                self.flaw(f"{pointer}/content", "content", Flaw(content, "an object with one media type"))
        if not isinstance(place, str):
            return
        if place == "path" and value.get("required") is not True:
            message = 'a parameter in the path is not "required"'
            self.problem("missing-member", pointer, message, 'add "required": true')
        if place == "querystring" and "schema" in value:
            self.flaw(f"{pointer}/schema", "schema", Flaw(value["schema"], '"content" for the whole query'))
        if place != "query" and "allowEmptyValue" in value and kind == "Parameter" and self.version != "3.0":
            message = f'a parameter in the {place} has "allowEmptyValue"'
            self.problem("conflicting-members", f"{pointer}/allowEmptyValue", message, "remove it")
        style, known = value.get("style"), objects.styles(place, self.version)
        if isinstance(style, str) and known and style not in known:
            self.flaw(f"{pointer}/style", "style", Flaw(style, f"{_listed(known)} for a parameter in the {place}"))

    # --- problems -----------------------------------------------------------------------------------------------------

    def problem(self, code: str, pointer: str, message: str, help: str) -> None:
        self.report(Problem(code=code, message=message, origin=Origin(self.document.address, pointer), help=help))

    def flaw(self, pointer: str, name: str, flaw: Flaw) -> None:
        """The value of a member is not what it can be."""
        self.found.refused.add(pointer)
        verb = "holds" if flaw.below else "is"
        above = value_at(self.document.value, parent(pointer))
        subject = "the document" if not pointer else "an item" if isinstance(above, list) else cited(name)
        self.problem(
            "malformed-member",
            pointer + flaw.below,
            f"{subject} {verb} {cited(flaw.found)}, expected {flaw.expected}",
            flaw.help or f"write {flaw.expected}",
        )

    def advice(self, kind: str, name: str) -> str:
        """What to do about a member ``name`` that an object of ``kind`` does not have."""
        from difflib import get_close_matches

        elsewhere = next((other for other in objects.VERSIONS if name in objects.shape(kind, other).members), "")
        if elsewhere:
            return f'OpenAPI {elsewhere} has it: let "openapi" say so, or remove it'
        if near := get_close_matches(name, objects.shape(kind, self.version).members, 1, 0.75):
            return f'write "{near[0]}" if that is meant'
        if kind == "Responses":
            return 'write a status such as "200" or "4XX", or "default"'
        if kind == "Paths":
            return 'write a path that begins with "/"'
        return f'remove it, or call it "x-{name}" if it is a note that means nothing to others'


def _listed(values: tuple[str, ...]) -> str:
    words = [f'"{value}"' for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
