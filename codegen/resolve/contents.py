"""Media types, headers and examples of an OpenAPI description → contents, typed.

Must not know operations: it reads what carries a value, wherever that stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from codegen.document import Element, Schema
from codegen.errors import ContractError
from codegen.model import AnyJson, Content, Default, Direction, Encoding, EventCase, Example, Header, Style, Type
from codegen.resolve import docs, flatten
from codegen.resolve.services import doc, notes

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter

EVENTS = "text/event-stream"


def bare(media_type: str) -> str:
    """A media type without parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def type_of(reader: Interpreter, schema: Schema) -> Type:
    """The type of a schema that an object of OpenAPI holds."""
    try:
        return reader.type_of(schema, reader.contract.enter((), schema))
    except ContractError as error:
        reader.problems.extend(error.problems)
        return AnyJson(origin=schema.origin)


def contents(reader: Interpreter, element: Element, direction: Direction) -> tuple[Content, ...]:
    """The forms in which a body can come, in contract order."""
    return tuple(content(reader, name, found, direction) for name, found in element.named("content").items())


def content(reader: Interpreter, media_type: str, element: Element, direction: Direction) -> Content:
    """One form of a body."""
    whole, item = element.schema("schema"), element.schema("itemSchema")
    item_type = None if item is None else type_of(reader, item)
    events: tuple[EventCase, ...] = ()
    if item is not None and item_type is not None and bare(media_type) == EVENTS:
        frames = _frames(reader, item)
        if frames is None:  # the data alone is described
            events = (EventCase(event=None, type=item_type),)
            item_type = None
        else:
            events = tuple(case for frame in frames for case in _event(reader, frame))
    return Content(
        media_type=media_type,
        direction=direction,
        type=None if whole is None else type_of(reader, whole),
        item=item_type,
        events=events,
        encodings=_encodings(reader, element),
        examples=examples(element),
        notes=notes(element),
        origin=element.origin,
    )


# --- server-sent events -----------------------------------------------------------------------------------------------


def _frames(reader: Interpreter, schema: Schema) -> list[Schema] | None:
    """The schemas of the server-sent events that an item may be (OpenAPI 3.2.0, 4.15.4): objects with a member ``data``. None
    where no such objects are described, but the data itself."""
    schema = _followed(reader, schema)
    if schema.boolean is not None:
        return None
    if "data" in schema.named("properties"):
        return [schema]
    found: list[Schema] = []
    for branch in (*schema.many("oneOf"), *schema.many("anyOf")):
        below = _frames(reader, branch)
        if below is None:
            return None
        found += below
    return found or None


def _followed(reader: Interpreter, schema: Schema) -> Schema:
    passed = set()
    while schema.boolean is None and schema.has("$ref") and schema.origin not in passed:
        if "properties" in schema.keywords():
            break
        passed.add(schema.origin)
        schema = reader.contract.follow(schema)
    return schema


def _event(reader: Interpreter, frame: Schema) -> list[EventCase]:
    """What the data of such an event holds, where it is JSON text of a known type."""
    data, name = frame.named("properties")["data"], frame.named("properties").get("event")
    data = _followed(reader, data)
    inner = data.one("contentSchema")
    if inner is None:
        return []
    known = name.get("const") if name is not None else None
    return [EventCase(event=known if isinstance(known, str) else None, type=type_of(reader, inner))]


# --- forms, headers, examples -----------------------------------------------------------------------------------------


def _encodings(reader: Interpreter, element: Element) -> tuple[Encoding, ...]:
    """How the parts of a form are sent: by name, by position, and all others."""
    found = [_encoding(reader, name, part) for name, part in element.named("encoding").items()]
    found += [_encoding(reader, str(i), part) for i, part in enumerate(element.many("prefixEncoding"))]
    rest = element.one("itemEncoding")
    return (*found, *([] if rest is None else [_encoding(reader, "*", rest)]))


def _encoding(reader: Interpreter, member: str, element: Element) -> Encoding:
    styled = element.has("style") or element.has("explode") or element.has("allowReserved")
    style = element.text("style", "form") if styled else None
    return Encoding(
        member=member,
        media_types=tuple(part.strip() for part in element.text("contentType").split(",") if part.strip()),
        headers=headers(reader, element, "request"),
        style=cast("Style | None", style),
        explode=element.get("explode", style == "form") is True,
        allow_reserved=element.get("allowReserved") is True,
        parts=_encodings(reader, element),
        origin=element.origin,
    )


def headers(reader: Interpreter, element: Element, direction: Direction) -> tuple[Header, ...]:
    """The headers that an object describes. ``Content-Type`` is said by the media type (OpenAPI 3.1.1, 4.8.17)."""
    found = element.named("headers").items()
    return tuple(_header(reader, name, header, direction) for name, header in found if name.lower() != "content-type")


def _header(reader: Interpreter, name: str, element: Element, direction: Direction) -> Header:
    type_, only = value_type(reader, element, direction)
    return Header(
        name=name,
        required=element.get("required") is True,
        type=type_,
        explode=element.get("explode") is True,
        content=only,
        examples=examples(element),
        doc=doc(element),
        notes=notes(element),
        origin=element.origin,
    )


def value_type(reader: Interpreter, element: Element, direction: Direction) -> tuple[Type, Content | None]:
    """The type of a parameter or header, and the content that it is written as, if it is."""
    schema = element.schema("schema")
    if schema is not None:
        return type_of(reader, schema), None
    found = contents(reader, element, direction)
    return found[0].type or AnyJson(origin=found[0].origin), found[0]


def examples(element: Element) -> tuple[Example, ...]:
    """The examples of an object by name; the only one, where it has no name, is called ""."""
    found = tuple(_example(name, example) for name, example in element.named("examples").items())
    if element.has("example"):
        value = Default(value=element.get("example"))
        return (*found, Example(name="", doc=docs.prose(""), value=value, origin=element.at("example")))
    return found


def _example(name: str, element: Element) -> Example:
    member = next((member for member in ("dataValue", "value") if element.has(member)), None)
    serialized = element.get("serializedValue")
    return Example(
        name=name,
        summary=element.text("summary"),
        doc=doc(element),
        value=None if member is None else Default(value=element.get(member)),
        text=serialized if isinstance(serialized, str) else None,
        url=element.text("externalValue"),
        origin=element.origin,
    )


def schema_default(reader: Interpreter, element: Element) -> Default | None:
    """The default that the schema of a parameter states, or what that refers to."""
    schema = element.schema("schema")
    while schema is not None and schema.boolean is None:
        stated = docs.default(schema)
        lone = flatten.lone_reference(schema)
        if stated is not None or lone is None or not lone.has("$ref"):
            return stated
        schema = reader.contract.follow(lone)
    return None
