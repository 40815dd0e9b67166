"""The paths, webhooks and callbacks of an OpenAPI description → operations.

Must not interpret schemas (``interpret`` does) nor name anything (``called`` does): it reads who can be asked for what, and
hands every schema on its way to the interpreter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from codegen.document import Element
from codegen.document.objects import METHODS, styles
from codegen.errors import Problem, shown
from codegen.model import (
    Body,
    Default,
    Key,
    Model,
    Operation,
    Parameter,
    ParameterPlace,
    PathSlot,
    PathText,
    Response,
    ResponseLink,
    SecurityScheme,
    Style,
)
from codegen.pointer import Origin
from codegen.resolve import services
from codegen.resolve.contents import contents, examples, headers, schema_default, value_type
from codegen.resolve.services import doc, notes
from codegen.resolve.spelling import UNNAMED

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter

Role: TypeAlias = Literal["call", "webhook", "callback"]
SLOT = re.compile(r"\{([^{}/?#]+)\}")

# Described by other means: such a parameter is ignored (OpenAPI 3.1.1, 4.8.12.2.1).
_NO_PARAMETERS = ("accept", "content-type", "authorization")


def described(reader: Interpreter, root: Element, model: Model) -> Model:
    """``model`` with all that an OpenAPI description says beside its schemas."""
    about = root.one("info")
    schemes = services.schemes(root)
    return replace(
        model,
        title="" if about is None else about.text("title"),
        doc=model.doc if about is None else doc(about),
        # The paths, then webhooks; the callbacks of an operation follow it.
        operations=_Operations(reader, root, {scheme.name: scheme for scheme in schemes}).whole(),
        servers=services.servers(reader, root),
        security=schemes,
        tags=services.tags(root),
        external_docs=services.external_docs(root),
    )


class _Operations:
    def __init__(self, reader: Interpreter, root: Element, schemes: Mapping[str, SecurityScheme]) -> None:
        self.reader = reader
        self.root = root
        self.schemes = schemes
        self.found: list[Operation] = []
        self.ids: dict[str, Key] = {}

    def whole(self) -> tuple[Operation, ...]:
        paths = self.root.one("paths")
        for path, item in paths.named().items() if paths is not None else ():
            self.item("call", path, item, Origin("", "/paths").at(path))
        self.refuse_twins()
        for name, item in self.root.named("webhooks").items():
            self.item("webhook", name, item, Origin("", "/webhooks").at(name))
        return tuple(self.linked(operation) for operation in self.found)

    def refuse_twins(self) -> None:
        """One method and one path are one operation: the names of the parameters in a path tell none apart."""
        holders: dict[tuple[str, str], Operation] = {}
        for operation in self.found:
            if operation.role == "call":
                way = (operation.method, SLOT.sub("{}", operation.path))
                before = holders.setdefault(way, operation)
                if before is not operation:
                    message = f"{operation.method} {shown(operation.path)} is asked like {shown(before.path)}"
                    self.problem("malformed-path", message, operation.key.origin, "keep one of the two")

    def item(self, role: Role, path: str, item: Element, at: Origin, within: Key | None = None) -> None:
        """The operations of the path item that stands at ``at``, perhaps by a reference."""
        parts = self.parts(path, at) if role == "call" else ()
        for name in item.names():
            element = item.one(name) if name in METHODS else None
            if element is not None:
                place = at.at(name)
                key = Key(place.document, place.pointer)
                self.operation(key, role, name.upper(), path, parts, item, element, within)
        for method, element in item.named("additionalOperations").items():
            place = at.at("additionalOperations", method)
            self.operation(Key(place.document, place.pointer), role, method, path, parts, item, element, within)

    def parts(self, path: str, at: Origin) -> tuple[PathText | PathSlot, ...]:
        """``path`` as literal pieces and places of parameters, in turn."""
        found: list[PathText | PathSlot] = []
        slots: list[str] = []
        for i, piece in enumerate(SLOT.split(path)):
            if i % 2:
                found.append(PathSlot(parameter=piece))
                slots.append(piece)
            elif piece:
                found.append(PathText(text=piece))
        if set("{}?#") & set(SLOT.sub("", path)):
            help = 'write a place for a parameter as "{name}", and describe a query by parameters'
            self.problem("malformed-path", f"{shown(path)} is no path with places for parameters", at, help)
        elif len(set(slots)) < len(slots):
            twice = next(name for name in slots if slots.count(name) > 1)
            message = f"{shown(path)} has two places for {shown(twice)}"
            self.problem("malformed-path", message, at, "rename one of the two")
        return tuple(found)

    def operation(
        self,
        key: Key,
        role: Role,
        method: str,
        path: str,
        parts: tuple[PathText | PathSlot, ...],
        item: Element,
        element: Element,
        within: Key | None,
    ) -> None:
        self.take_id(element, key)
        body = element.one("requestBody")
        responses = element.one("responses")
        operation = Operation(
            key=key,
            name=UNNAMED,
            role=role,
            method=method,
            path=path,
            parts=parts,
            parameters=self.parameters(role, parts, item, element),
            body=None if body is None else self.body(body),
            responses=tuple(
                self.response(status, response)
                for status, response in (responses.named().items() if responses is not None else ())
            ),
            security=services.security(self.reader, self.root, element, self.schemes),
            servers=services.servers(self.reader, element) or services.servers(self.reader, item),
            tags=services.texts(element.get("tags")),
            within=within,
            summary=doc(element, "summary"),
            doc=doc(element),
            notes=notes(element),
            origin=element.origin,
        )
        self.found.append(operation)
        for name, callback in element.named("callbacks").items():
            for expression, inner in callback.named().items():
                self.item("callback", expression, inner, key.origin.at("callbacks", name, expression), key)

    def take_id(self, element: Element, key: Key) -> None:
        written = element.get("operationId")
        if not isinstance(written, str):
            return
        before = self.ids.setdefault(written, key)
        self.reader.operation_ids[key] = written
        if before != key:
            self.problem(
                "duplicate-operation",
                f"{shown(written)} is the operation at {before.origin} as well",
                element.at("operationId"),
                "give each operation an operationId of its own",
            )

    # --- parameters ---------------------------------------------------------------------------------------------------

    def parameters(
        self,
        role: Role,
        parts: tuple[PathText | PathSlot, ...],
        item: Element,
        element: Element,
    ) -> tuple[Parameter, ...]:
        """Those of the path item, unless the operation has its own of that name and place, and those of the operation."""
        found: dict[tuple[str, str], Element] = {}
        for source in (item, element):
            own: set[tuple[str, str]] = set()
            for parameter in source.many("parameters"):
                place, name = parameter.text("in"), parameter.text("name")
                identity = (place, name.lower() if place == "header" else name)
                if identity in own:
                    message = f"parameter {shown(name)} in the {place} is there twice"
                    self.problem("parameter-conflict", message, parameter.origin, "remove one of the two")
                own.add(identity)
                found[identity] = parameter
        places = [place for place, _ in found]
        for place, parameter in zip(places, found.values(), strict=True):
            if place == "querystring" and ("query" in places or places.count("querystring") > 1):
                message = "the whole query is one parameter, and there are others in it"
                self.problem("parameter-conflict", message, parameter.origin, "describe the query in one way only")
        if role != "callback":
            self.match_slots(parts, found, item, element)
        kept = (
            parameter
            for (place, name), parameter in found.items()
            if not (place == "header" and name in _NO_PARAMETERS)
        )
        return tuple(self.parameter(parameter) for parameter in kept)

    def match_slots(
        self,
        parts: tuple[PathText | PathSlot, ...],
        found: Mapping[tuple[str, str], Element],
        item: Element,
        element: Element,
    ) -> None:
        """Every place in the path has its parameter, and every parameter in the path its place."""
        slots = [part.parameter for part in parts if isinstance(part, PathSlot)]
        for name in slots:
            if ("path", name) not in found:
                self.problem(
                    "path-parameter",
                    f"the path has a place for {shown(name)}, and no parameter is called so",
                    element.origin,
                    f'add the parameter {{"name": "{name}", "in": "path", "required": true, "schema": …}}',
                )
        for (place, name), parameter in found.items():
            if place == "path" and name not in slots:
                self.problem(
                    "path-parameter",
                    f"parameter {shown(name)} is in the path, which has no place for it",
                    parameter.origin,
                    f'write "{{{name}}}" in the path, or say that the parameter is somewhere else',
                )

    def parameter(self, element: Element) -> Parameter:
        type_, only = value_type(self.reader, element, "request")
        place = cast(ParameterPlace, element.text("in"))
        default_style = next(iter(styles(place, self.reader.contract.version)), None)
        style = None if only is not None else element.text("style", default_style or "") or None
        # Exploded by default in the styles of forms (OpenAPI 3.2.0, 4.12.2.2).
        explode = element.get("explode", style in ("form", "cookie")) is True
        return Parameter(
            name=element.text("name"),
            place=place,
            required=element.get("required") is True,
            type=type_,
            style=cast("Style | None", style),
            explode=explode,
            allow_reserved=element.get("allowReserved") is True,
            allow_empty=element.get("allowEmptyValue") is True,
            content=only,
            default=schema_default(self.reader, element),
            examples=examples(element),
            doc=doc(element),
            notes=notes(element),
            origin=element.origin,
        )

    # --- bodies -------------------------------------------------------------------------------------------------------

    def body(self, element: Element) -> Body:
        return Body(
            required=element.get("required") is True,
            contents=contents(self.reader, element, "request"),
            doc=doc(element),
            notes=notes(element),
            origin=element.origin,
        )

    def response(self, status: str, element: Element) -> Response:
        return Response(
            status=status,
            contents=contents(self.reader, element, "response"),
            headers=headers(self.reader, element, "response"),
            links=tuple(self.link(name, link) for name, link in element.named("links").items()),
            summary=element.text("summary"),
            doc=doc(element),
            notes=notes(element),
            origin=element.origin,
        )

    def link(self, name: str, element: Element) -> ResponseLink:
        parameters = element.get("parameters")
        server = element.one("server")
        return ResponseLink(
            name=name,
            operation=None,
            written=element.text("operationId") or element.text("operationRef"),
            parameters=tuple(parameters.items()) if isinstance(parameters, dict) else (),
            body=Default(value=element.get("requestBody")) if element.has("requestBody") else None,
            server=None if server is None else services.server(self.reader, server),
            doc=doc(element),
            origin=element.origin,
        )

    def linked(self, operation: Operation) -> Operation:
        """The operation with its links aimed, once every operation is known."""
        if not any(response.links for response in operation.responses):
            return operation
        return replace(
            operation,
            responses=tuple(
                replace(response, links=tuple(map(self.aimed, response.links))) for response in operation.responses
            ),
        )

    def aimed(self, link: ResponseLink) -> ResponseLink:
        document, _, pointer = link.written.partition("#")
        by_place = {operation.key.origin: operation.key for operation in self.found}
        if link.written in self.ids:
            return replace(link, operation=self.ids[link.written])
        if pointer and not document:
            key = by_place.get(Origin("", pointer))
            if key is not None:
                return replace(link, operation=key)
        elif pointer or "/" in document:
            return link  # in another description
        problem = Problem(
            code="unknown-operation",
            message=f"{shown(link.written)} is no operation of the contract",
            origin=link.origin,
            help="write the operationId of one, or remove the link",
        )
        if problem not in self.reader.problems:
            self.reader.problems.append(problem)
        return link

    def problem(self, code: str, message: str, origin: Origin, help: str) -> None:
        problem = Problem(code=code, message=message, origin=origin, help=help)
        if problem not in self.reader.problems:
            self.reader.problems.append(problem)
