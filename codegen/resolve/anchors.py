"""Named definitions → the same with their anchors, links and mixins.

Must not name anything (``names`` has done so): anchors follow from names, links from the mentions of names in prose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

from codegen import exchange
from codegen.facts import own_types, references
from codegen.ledger import Ledger
from codegen.model import Definition, Doc, Enum, Key, Model, Operation, Record, Union
from codegen.outline import Outline
from codegen.resolve import docs


def anchor_of(name: str) -> str:
    """The anchor of a name: lower case, other characters than ``a-z0-9._-`` percent-encoded."""
    return quote(name.lower(), safe="._-")


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


def _operation(operation: Operation, own: str, linked: Callable[[Doc, str], Doc]) -> Operation:
    """Below the anchor of an operation come its parameters by name, its ``summary``, its ``body``, its responses by status."""
    body = operation.body
    return replace(
        operation,
        doc=linked(operation.doc, own),
        summary=linked(operation.summary, f"{own}.summary"),
        parameters=tuple(replace(p, doc=linked(p.doc, f"{own}.{anchor_of(p.name)}")) for p in operation.parameters),
        body=None if body is None else replace(body, doc=linked(body.doc, f"{own}.body")),
        responses=tuple(replace(r, doc=linked(r.doc, f"{own}.{anchor_of(r.status)}")) for r in operation.responses),
    )
