"""Scalars, bounds and annotations of the model → keywords.

Must not refer to definitions (``writing`` does).
"""

from __future__ import annotations

from codegen.facts import kind_of
from codegen.model import JSON_KINDS, All, Check, Default, Doc, Has, Integer, Limit, Literals, Notes, Number
from codegen.targets.jsonschema.joining import Members, Schema, kinds_named


def annotated(schema: Schema, doc: Doc, notes: Notes | None = None, default: Default | None = None) -> Schema:
    """``schema`` with what the contract says about it, said first."""
    notes = notes or Notes()
    said: Members = {"description": doc.source} if doc.source else {}
    flags = (("deprecated", notes.deprecated), ("readOnly", notes.read_only), ("writeOnly", notes.write_only))
    said.update((keyword, True) for keyword, is_set in flags if is_set)
    if default is not None:
        said["default"] = default.value
    if notes.examples:
        said["examples"] = [*notes.examples]
    said.update(notes.extensions)
    if not said:
        return schema
    if isinstance(schema, bool):
        return said if schema else {**said, "not": {}}
    return {**said, "allOf": [schema]} if said.keys() & schema.keys() else {**said, **schema}


def numeric(type_: Integer | Number) -> Members:
    """The bounds and the format of a number."""
    schema: Members = {}
    for bound, limit in (("Minimum", type_.minimum), ("Maximum", type_.maximum)):
        if limit is not None:
            schema[f"exclusive{bound}" if limit.exclusive else bound.lower()] = limit.value
    return schema if type_.format is None else {**schema, "format": type_.format}


def sized(low: Limit | None, high: Limit | None, what: str) -> Members:
    """Bounds on a count of ``what``: Length, Items, Properties, Contains."""
    bounds = ((f"min{what}", low), (f"max{what}", high))
    return {keyword: limit.value for keyword, limit in bounds if limit is not None}


def literals(type_: Literals) -> Schema:
    """``const`` or ``enum``, with ``type`` where the contract has one beside it."""
    values = type_.values
    schema: Members = {"const": values[0]} if len(values) == 1 else {"enum": [*values]}
    if type_.kind_at is None or not values:
        return schema
    kinds = {kind_of(value) for value in values}
    whole = all(isinstance(value, int) for value in values if kind_of(value) == "number")
    names = ["integer" if kind == "number" and whole else kind for kind in JSON_KINDS if kind in kinds]
    return {"type": names[0] if len(names) == 1 else [*names], **schema}


def nullable(schema: Schema) -> Schema:
    """``schema``, or null."""
    if isinstance(schema, bool):
        return schema or {"type": "null"}
    kinds = kinds_named(schema)
    if kinds is None:
        return {"anyOf": [schema, {"type": "null"}]}
    written = schema["type"]
    names = written if isinstance(written, list) else [written]
    return schema if "null" in kinds else {**schema, "type": [*names, "null"]}


def demanded(check: Check) -> list[str]:
    """The names that a check demands, when it does nothing else."""
    parts = check.checks if isinstance(check, All) else (check,)
    names = [part.name for part in parts if isinstance(part, Has)]
    return names if len(names) == len(parts) else []
