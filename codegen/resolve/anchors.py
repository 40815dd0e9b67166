"""Named definitions → the same with their anchors, links and mixins.

Must not name anything (``names`` has done so): anchors follow from names, links from the mentions of names in prose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from codegen import exchange
from codegen.facts import own_types, references
from codegen.ledger import Ledger, anchor_of
from codegen.model import Definition, Doc, Enum, Key, Model, Operation, Parameter, Record, Response, Union
from codegen.outline import Outline
from codegen.resolve import docs


def with_mixins(model: Model) -> Model:
    """Records that others compose, and that nothing else uses."""
    composed: set[Key] = set()
    used: set[Key] = set() if model.root is None else set(references((model.root,)))
    for operation in model.operations:
        used.update(references(exchange.types_of(operation)))
    for definition in model.definitions:
        if isinstance(definition, Record):
            composed.update(mixin.key for mixin in definition.mixins)
        used.update(references(own_types(definition)))
    return replace(
        model,
        definitions=tuple(
            replace(d, is_mixin=True) if isinstance(d, Record) and d.key in composed - used else d
            for d in model.definitions
        ),
    )


def documented(model: Model, outline: Outline | None, ledger: Ledger | None = None) -> Model:
    """``model`` with an anchor for each definition, field, value, operation and what belongs to it, and the mentions in its
    prose turned into links."""
    keys = {definition.name.spelled: definition.key for definition in model.definitions if definition.name.words}

    def anchor(spelled: str) -> str:
        configured = None if outline is None else outline.anchor(spelled)
        return configured or anchor_of(spelled)

    def member(definition: Definition, own: str, wire_name: str) -> str:
        path = f"{definition.name.spelled}.{wire_name}"
        configured = None if outline is None else outline.anchor(path)
        return configured or f"{own}.{anchor_of(wire_name)}"

    def of(definition: Definition) -> Definition:
        if definition.name.source == "pointer":
            return definition
        own = anchor(definition.name.spelled)
        definition = replace(definition, doc=docs.linked(definition.doc, keys, own))
        if isinstance(definition, Record):
            fields = tuple(
                replace(f, doc=docs.linked(f.doc, keys, member(definition, own, f.wire_name)))
                for f in definition.fields
            )
            return replace(definition, fields=fields)
        if isinstance(definition, Enum):
            values = tuple(
                replace(v, doc=docs.linked(v.doc, keys, f"{own}.{anchor_of(str(v.value))}")) for v in definition.values
            )
            return replace(definition, values=values)
        if isinstance(definition, Union):
            members = tuple(replace(m, doc=docs.linked(m.doc, keys, "")) for m in definition.choice.members)
            return replace(definition, choice=replace(definition.choice, members=members))
        return definition

    definitions = tuple(map(of, model.definitions))
    taken = {definition.doc.anchor for definition in definitions}

    def of_operation(operation: Operation) -> Operation:
        name = operation.name.spelled
        configured = None if outline is None or name in keys else outline.anchor(name)
        pinned = None if ledger is None else ledger.calls.anchor(name)
        fresh = anchor_of(name)
        own = configured or pinned or (f"operation-{fresh}" if fresh in taken else fresh)
        return _operation(operation, own, lambda doc, anchor: docs.linked(doc, keys, anchor))

    return replace(
        model,
        doc=docs.linked(model.doc, keys, ""),
        definitions=definitions,
        operations=tuple(map(of_operation, model.operations)),
    )


_PLACES = ("path", "query", "querystring", "header", "cookie")


def _operation(operation: Operation, own: str, linked: Callable[[Doc, str], Doc]) -> Operation:
    """Below the anchor of an operation come its parameters by name, its ``summary``, its ``body``, its responses by status, and
    the headers of a response by name."""
    body = operation.body
    anchors = _parameters(operation)

    def response(found: Response) -> Response:
        at = f"{own}.{anchor_of(found.status)}"
        headers = tuple(replace(h, doc=linked(h.doc, f"{at}.{anchor_of(h.name)}")) for h in found.headers)
        return replace(found, doc=linked(found.doc, at), headers=headers)

    return replace(
        operation,
        doc=linked(operation.doc, own),
        summary=linked(operation.summary, f"{own}.summary"),
        parameters=tuple(
            replace(p, doc=linked(p.doc, f"{own}.{anchors[p.place, p.name]}")) for p in operation.parameters
        ),
        body=None if body is None else replace(body, doc=linked(body.doc, f"{own}.body")),
        responses=tuple(map(response, operation.responses)),
    )


def _parameters(operation: Operation) -> dict[tuple[str, str], str]:
    """What is added to an operation's anchor for each parameter, by place and name: the name; with the place before it where
    another part of the operation is called so. The places come in an order of their own, so that the order in which a contract
    lists parameters means nothing."""
    taken = {"summary", "body", *(anchor_of(response.status) for response in operation.responses)}
    found: dict[tuple[str, str], str] = {}

    def rank(parameter: Parameter) -> int:
        return _PLACES.index(parameter.place)

    for parameter in sorted(operation.parameters, key=rank):
        anchor = anchor_of(parameter.name)
        if anchor in taken:
            anchor = f"{parameter.place}.{anchor}"
        taken.add(anchor)
        found[parameter.place, parameter.name] = anchor
    return found
