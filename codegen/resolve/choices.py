"""``anyOf`` and ``oneOf`` → choices, literals or checks.

Must not decide how members are told apart: that needs every definition (``dispatch``). Here it is only decided whether the
branches give the place its shape, or merely narrow the shape that it has.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codegen.document import Schema
from codegen.model import (
    Any,
    ByTrial,
    Check,
    Choice,
    ExactlyOne,
    Integer,
    Is,
    JsonValue,
    Literals,
    Member,
    Number,
    Text,
    Type,
)
from codegen.resolve import checks, docs, records
from codegen.resolve.flatten import Node, asserts, declares, lone_reference
from codegen.resolve.meet import identity, plain, shallow_kinds

if TYPE_CHECKING:
    from codegen.resolve.flatten import Scope
    from codegen.resolve.interpret import Interpreter

UNDECIDED = ByTrial(reason="undecided")
SHAPING = frozenset(
    [
        "$ref",
        "$dynamicRef",
        "type",
        "enum",
        "const",
        "properties",
        "patternProperties",
        "additionalProperties",
        "items",
        "prefixItems",
        "allOf",
        "anyOf",
        "oneOf",
    ]
)
"""Keywords of a branch that say what a value looks like, rather than narrow what it looks like anyway."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One ``anyOf`` or ``oneOf`` of ``schema``. When it ``shapes`` its place, ``type`` is the shape; ``check`` says the same as
    a check."""

    schema: Schema
    keyword: str
    shapes: bool
    type: Type
    check: Check


def is_enum(values: tuple[JsonValue, ...]) -> bool:
    """The values can be an enum: all strings, or all integers."""
    return bool(values) and (
        all(isinstance(value, str) for value in values)
        or all(isinstance(value, int) and not isinstance(value, bool) for value in values)
    )


def variants(reader: Interpreter, tree: Node) -> tuple[Variant, ...]:
    """Every choice that holds at the place of the tree, in composition order."""
    is_record = records.is_record(tree)
    found = []
    for node in tree.nodes():
        if node.schema.boolean is not None:
            continue
        for keyword in node.schema.keywords():
            if keyword in ("anyOf", "oneOf"):
                found.append(_variant(reader, node, keyword, is_record))
    return tuple(found)


def _variant(reader: Interpreter, node: Node, keyword: str, is_record: bool) -> Variant:
    branches = node.schema.many(keyword)
    shapes = any(branch.boolean is not None or asserts(branch) & SHAPING for branch in branches)
    if is_record:
        shapes = any(declares(reader, branch, reader.contract.enter(node.scope, branch), ()) for branch in branches)
    at = node.schema.at(keyword)
    if shapes:
        type_ = choice(reader, node.schema, keyword, node.scope)
        return Variant(node.schema, keyword, True, type_, Is(type=type_, origin=at))
    operands = tuple(checks.check_of(reader, branch, node.scope) for branch in branches)
    check = ExactlyOne(checks=operands, origin=at) if keyword == "oneOf" else Any(checks=operands, origin=at)
    return Variant(node.schema, keyword, False, Literals(values=(), origin=at), check)


def literal_values(schema: Schema) -> tuple[JsonValue, ...] | None:
    """The values of a schema that is an ``enum`` or ``const`` of one kind and nothing more; else None."""
    if schema.boolean is not None or not asserts(schema) <= {"type", "enum", "const"}:
        return None
    if schema.has("const"):
        values: tuple[JsonValue, ...] = (schema.get("const"),)
    elif schema.has("enum"):
        listed = schema.get("enum")
        values = tuple(listed) if isinstance(listed, list) else ()
    else:
        return None
    if schema.has("type"):
        name = schema.get("type")
        if not all(
            (name == "string" and isinstance(value, str))
            or (name == "integer" and isinstance(value, int) and not isinstance(value, bool))
            for value in values
        ):
            return None
    return values


def described_values(schema: Schema) -> Mapping[JsonValue, Schema]:
    """For an enum that is spelled as a choice of constants: each value's own schema, with its description."""
    found: dict[JsonValue, Schema] = {}
    if schema.boolean is None:
        for keyword in ("anyOf", "oneOf"):
            for branch in schema.many(keyword):
                values = literal_values(branch)
                if values is not None and len(values) == 1 and isinstance(values[0], str | int):
                    found[values[0]] = branch
    return found


def choice(reader: Interpreter, schema: Schema, keyword: str, scope: Scope) -> Type:
    """The type of an ``anyOf`` or ``oneOf``: its literals, its only branch, or a choice still to be decided."""
    at = schema.at(keyword)
    exclusive = keyword == "oneOf"
    branches = schema.many(keyword)
    if len(branches) == 1:
        return reader.type_of(branches[0], scope)
    listed = [literal_values(branch) if lone_reference_free(branch) else None for branch in branches]
    stated = [value for values in listed for value in values or ()]
    distinct: dict[Hashable, JsonValue] = {}
    for value in stated:
        distinct.setdefault(identity(value), value)
    gathered = tuple(distinct.values())
    repeated = len(gathered) < len(stated)
    if gathered and not (exclusive and repeated):
        literals = Literals(values=gathered, origin=at)
        if all(values is not None for values in listed):
            return literals
        others = [branch for branch, values in zip(branches, listed, strict=True) if values is None]
        if not exclusive and len(others) == 1 and is_enum(gathered):
            rest = reader.type_of(others[0], scope)
            if (
                plain(rest)
                and isinstance(rest, Text | Integer | Number)
                and shallow_kinds(rest) == shallow_kinds(literals)
            ):
                both = (
                    Member(
                        type=literals, doc=docs.doc(branches[0]) if len(branches) == 2 else docs.doc(schema), origin=at
                    ),
                    Member(type=rest, doc=docs.doc(others[0]), origin=others[0].origin),
                )
                return Choice(members=both, exclusive=False, dispatch=UNDECIDED, rest=rest, origin=at)
    members = tuple(
        Member(type=reader.type_of(branch, scope), doc=docs.doc(branch), origin=branch.origin) for branch in branches
    )
    return Choice(members=members, exclusive=exclusive, dispatch=UNDECIDED, origin=at)


def lone_reference_free(schema: Schema) -> bool:
    """The schema is spelled out here; a reference keeps the name of what it refers to."""
    return schema.boolean is not None or lone_reference(schema) is None
