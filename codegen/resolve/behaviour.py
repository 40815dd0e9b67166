"""What a contract states as ``x-wirebound-…`` → the same as parts of the model.

Must not assert anything about documents: what ``reject`` accepts never depends on a statement. A statement that is unknown,
malformed, at a place of the wrong kind, or that names what does not exist is refused there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from codegen.document.objects import article
from codegen.errors import shown
from codegen.exchange import contents
from codegen.facts import Facts
from codegen.model import (
    Boolean,
    JsonValue,
    ListOf,
    Model,
    Operation,
    Page,
    Resume,
    Signature,
    Streaming,
    Type,
    Union,
)
from codegen.pointer import Origin, split
from codegen.reach import members, reached
from codegen.resolve import streams
from codegen.resolve.statements import PREFIX, Statement, refuse

if TYPE_CHECKING:
    from typing import Literal

    from codegen.resolve.interpret import Interpreter

# Each statement, and what it may stand on.
PLACES = {
    "partial": ("Schema",),
    "secret": ("Schema", "Parameter", "Header"),
    "stream": ("Schema", "Operation"),
    "fold": ("Schema",),
    "page": ("Operation",),
    "signature": ("Operation",),
}
# OpenAPI 3.2.0, 4.20.5, and the event of a stream.
EXPRESSION = re.compile(
    r"\$(?:url|method|statusCode"
    r"|(?:request|response)\.(?:header\.[^\s]+|query\.[^\s]+|path\.[^\s]+|body(?:#[^\s]*)?)"
    r"|event#(?P<event>(?:/[^\s]*)?))"
)


def stated(model: Model, reader: Interpreter) -> Model:
    """``model`` with what the contract states of streams, pages, signatures and secrets."""
    facts = Facts(model)
    _check_places(reader, facts)
    definitions = tuple(
        _union(reader, facts, definition) if isinstance(definition, Union) else definition
        for definition in model.definitions
    )
    operations = tuple(_operation(reader, facts, model, operation) for operation in model.operations)
    return replace(model, definitions=definitions, operations=operations)


def _check_places(reader: Interpreter, facts: Facts) -> None:
    """Every statement of the contract is known, and at a place of its kind."""
    unions = {definition.key.origin for definition in facts.model.definitions if isinstance(definition, Union)}
    for origin, kind, written, value in reader.contract.extensions(PREFIX):
        name, at = written.removeprefix(PREFIX), origin.at(written)
        if name not in PLACES:
            known = ", ".join(f"{PREFIX}{known}" for known in PLACES)
            refuse(reader, "unknown-extension", f"{shown(written)} states nothing", at, f"write one of {known}")
            continue
        reason = ""
        if kind not in PLACES[name]:
            reason = f"it says nothing about {article(kind)}"
        elif name in ("partial", "secret") and value is not True:
            Statement(reader, {}, at).flaw(value, "true", at)
        elif name == "partial" and not _is_object(facts, reader.partial.get(origin)):
            reason = "the place is no record and no union of records that stand elsewhere"
        elif name == "secret" and kind == "Schema" and split(origin.pointer)[-2:-1] != ("properties",):
            reason = "the place is no member"
        elif name in ("stream", "fold") and kind == "Schema" and origin not in unions:
            reason = "the place is no union"
        if reason:
            refuse(
                reader, "misplaced-extension", f"{shown(written)} stands here, and {reason}", at, "move or remove it"
            )


def _is_object(facts: Facts, type_: Type | None) -> bool:
    return type_ is not None and bool(facts.records(type_))


def _union(reader: Interpreter, facts: Facts, union: Union) -> Union:
    extensions = union.notes.extensions
    at = union.key.origin
    stream, fold = extensions.get(f"{PREFIX}stream"), extensions.get(f"{PREFIX}fold")
    if stream is None and fold is None:
        return union
    place = at.at(f"{PREFIX}stream" if stream is not None else f"{PREFIX}fold")
    events = streams.events_of(reader, facts, union, place)
    if events is None:
        return union
    return replace(
        union,
        stream=None if stream is None else streams.stream(events, stream, at.at(f"{PREFIX}stream")),
        fold=None if fold is None else streams.fold(events, fold, at.at(f"{PREFIX}fold")),
    )


# --- operations -------------------------------------------------------------------------------------------------------


def _operation(reader: Interpreter, facts: Facts, model: Model, operation: Operation) -> Operation:
    said = {name.removeprefix(PREFIX): value for name, value in operation.notes.extensions.items()}

    def at(name: str) -> Origin:
        return operation.origin.at(PREFIX + name)

    if "stream" in said:
        statement = Statement(reader, said["stream"], at("stream"))
        operation = replace(operation, streaming=_streaming(reader, facts, model, operation, statement))
    if "page" in said:
        operation = replace(operation, page=_page(facts, operation, Statement(reader, said["page"], at("page"))))
    if "signature" in said:
        operation = replace(operation, signature=_signature(reader, operation, said["signature"], at("signature")))
    return operation


def _streaming(reader: Interpreter, facts: Facts, model: Model, operation: Operation, said: Statement) -> Streaming:
    ask, resume = said.inner("ask"), said.inner("resume")
    said.close()
    name, where = None, None
    if ask is not None:
        name, where = ask.text("name", required=True), ask.text("in", required=True)
        ask.close()
        if where is not None and where not in ("body", "query"):
            ask.flaw(where, '"body" or "query"', ask.origin.at("in"))
        elif name is not None:
            types = _asked(facts, operation, where or "", name)
            if not any(isinstance(facts.unwrap(type_), Boolean) for type_ in types):
                ask.nowhere(f"true or false nowhere in the {where} of the operation", name, ask.origin.at("name"))
    if not any(content.item is not None or content.events for r in operation.responses for content in r.contents):
        message = "no response of the operation is a stream"
        refuse(reader, "misplaced-extension", message, said.origin, 'describe one by "itemSchema"')
    return Streaming(
        ask=name,
        ask_in=cast("Literal['body', 'query'] | None", where),
        resume=None if resume is None else _resume(reader, facts, model, operation, resume),
        origin=said.origin,
    )


def _asked(facts: Facts, operation: Operation, where: str, name: str) -> list[Type]:
    """The types of the member of the body, or of the parameter, that asks for something."""
    if where == "query":
        return [p.type for p in operation.parameters if p.place == "query" and p.name == name]
    bodies = operation.body.contents if operation.body is not None else ()
    return members(facts, [content.type for content in bodies if content.type is not None], name)


def _resume(reader: Interpreter, facts: Facts, model: Model, operation: Operation, said: Statement) -> Resume | None:
    written = said.text("operation", required=True)
    after = said.text("after", required=True)
    given = said.inner("parameters")
    said.close()
    if written is None or after is None:
        return None
    key = next((key for key, known in reader.operation_ids.items() if known == written), None)
    if key is None:
        said.nowhere("the operationId of no operation", written, said.origin.at("operation"))
        return None
    target = next(one for one in model.operations if one.key == key)
    _parameter(target, said, after, said.origin.at("after"))
    parameters = []
    for name, expression in given.value.items() if given is not None else ():
        at = said.origin.at("parameters", name)
        _parameter(target, said, name, at)
        if _is_expression(facts, operation, said, expression, at):
            parameters.append((name, str(expression)))
    return Resume(operation=key, after=after, parameters=tuple(parameters), origin=said.origin)


def _parameter(operation: Operation, said: Statement, name: str, origin: Origin, *places: str) -> None:
    """The operation has such a parameter."""
    if not any(p.name == name and (not places or p.place in places) for p in operation.parameters):
        said.nowhere("no parameter of the operation", name, origin)


def _is_expression(facts: Facts, operation: Operation, said: Statement, value: JsonValue, at: Origin) -> bool:
    match = EXPRESSION.fullmatch(value) if isinstance(value, str) else None
    if match is None or not isinstance(value, str):
        said.flaw(value, 'a runtime expression such as "$request.path.id"', at)
        return False
    pointer = match["event"]
    if pointer is not None:
        types = [case.type for content in contents(operation) for case in content.events]
        if not reached(facts, types, pointer):
            said.nowhere("declared by no event", pointer, at)
    place, _, name = value.removeprefix("$request.").partition(".")
    if value.startswith("$request.") and place in ("path", "query", "header"):
        _parameter(operation, said, name, at, place)
    return True


def _page(facts: Facts, operation: Operation, said: Statement) -> Page:
    pointers = {name: said.pointer(name, required=True) for name in ("items", "next")}
    names = {"token": said.text("token", required=True), "size": said.text("size")}
    said.close()
    types = _answers(operation)
    for name, pointer in pointers.items():
        found = reached(facts, types, pointer) if pointer is not None else []
        if pointer is not None and not found:
            said.nowhere("declared by no response", pointer, said.origin.at(name))
        elif name == "items" and found and not any(isinstance(facts.unwrap(type_), ListOf) for type_ in found):
            said.nowhere("no list in a response", str(pointer), said.origin.at(name))
    for name, parameter in names.items():
        if parameter is not None:
            _parameter(operation, said, parameter, said.origin.at(name), "query")
    return Page(
        items=pointers["items"] or "",
        next=pointers["next"] or "",
        token=names["token"] or "",
        size=names["size"],
        origin=said.origin,
    )


def _answers(operation: Operation) -> list[Type]:
    """The types of what an operation answers with when it has done what was asked."""
    good = [r for r in operation.responses if r.status.startswith("2")] or list(operation.responses)
    return [content.type for response in good for content in response.contents if content.type is not None]


def _signature(reader: Interpreter, operation: Operation, value: JsonValue, origin: Origin) -> Signature | None:
    if operation.role != "webhook":
        message = "the operation is no webhook"
        refuse(reader, "misplaced-extension", message, origin, 'state it on an operation of "webhooks"')
    said = Statement(reader, value, origin)
    scheme = said.text("scheme", required=True)
    tolerance = said.take("tolerance")
    said.close()
    if scheme is not None and scheme != "standard-webhooks":
        said.flaw(scheme, '"standard-webhooks"', origin.at("scheme"))
    if not isinstance(tolerance, int) or isinstance(tolerance, bool) or tolerance < 1:
        if said.has("tolerance"):
            said.flaw(tolerance, "a whole number of seconds from 1", origin.at("tolerance"))
        else:
            said.missing("tolerance")
        return None
    return Signature(scheme="standard-webhooks", tolerance=tolerance, origin=origin)
