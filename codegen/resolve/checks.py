"""Assertions without a shape → checks.

Must not make definitions of its own: operands are ordinary types, read like any other place, which are judged and never
built. Semantics: JSON Schema 2020-12 validation (6) and core (10, 11).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from codegen.document import Schema
from codegen.errors import ContractError
from codegen.model import (
    All,
    Check,
    Contains,
    Count,
    Each,
    Has,
    If,
    Is,
    Limit,
    MultipleOf,
    Not,
    Pattern,
    Seen,
    Type,
    Unevaluated,
    Unique,
    When,
)
from codegen.pointer import Origin
from codegen.resolve.flatten import Node, Scope, asserts, endless
from codegen.resolve.kinds import excluded_null, limit

if TYPE_CHECKING:
    from typing import Literal

    from codegen.resolve.interpret import Interpreter


def check_of(reader: Interpreter, schema: Schema, scope: Scope) -> Check:
    """A schema as an operand: demanded members stay what they are, everything else is judged by its type."""
    if schema.boolean is None and asserts(schema) == {"required"}:
        names = schema.get("required")
        at = schema.at("required")
        has = tuple(Has(name=str(name), origin=at) for name in (names if isinstance(names, list) else ()))
        return has[0] if len(has) == 1 else All(checks=has, origin=at)
    return Is(type=reader.type_of(schema, scope), origin=schema.origin)


def residual(reader: Interpreter, tree: Node) -> tuple[Check, ...]:
    """The checks of every schema of the tree, but for its choices and the members that a record declares."""
    found: list[Check] = []
    for node in tree.nodes():
        if node.schema.boolean is None:
            found += _of_schema(reader, node)
    return tuple(found)


def _of_schema(reader: Interpreter, node: Node) -> list[Check]:
    schema, scope = node.schema, node.scope
    found: list[Check] = []
    refused = schema.one("not")
    if refused is not None and excluded_null(schema) is None:
        found.append(Not(check=check_of(reader, refused, scope), origin=schema.at("not")))
    condition = schema.one("if")
    if condition is not None and (schema.has("then") or schema.has("else")):
        then, otherwise = schema.one("then"), schema.one("else")
        found.append(
            If(
                condition=check_of(reader, condition, scope),
                then=None if then is None else check_of(reader, then, scope),
                otherwise=None if otherwise is None else check_of(reader, otherwise, scope),
                origin=schema.at("if"),
            )
        )
    for name, dependent in schema.named("dependentSchemas").items():
        at = schema.at("dependentSchemas").at(name)
        found.append(When(name=name, check=check_of(reader, dependent, scope), origin=at))
    required = schema.get("dependentRequired")
    for name, names in required.items() if isinstance(required, dict) else ():
        at = schema.at("dependentRequired").at(name)
        has = tuple(Has(name=str(other), origin=at) for other in (names if isinstance(names, list) else ()))
        found.append(When(name=name, check=All(checks=has, origin=at), origin=at))
    found += _counts(schema)
    found += _items(reader, node)
    names_schema = schema.one("propertyNames")
    if names_schema is not None:
        at = schema.at("propertyNames")
        found.append(Each(of="names", check=check_of(reader, names_schema, scope), origin=at))
    multiple = schema.get("multipleOf")
    if isinstance(multiple, int | float):
        found.append(MultipleOf(value=Decimal(repr(multiple)), origin=schema.at("multipleOf")))
    return found


def _counts(schema: Schema) -> list[Check]:
    low, high = limit(schema, "minProperties"), limit(schema, "maxProperties")
    return [] if low is None and high is None else [Count(of="members", minimum=low, maximum=high)]


def _items(reader: Interpreter, node: Node) -> list[Check]:
    schema, scope = node.schema, node.scope
    found: list[Check] = []
    contained = schema.one("contains")
    if contained is not None:
        low = limit(schema, "minContains") or Limit(value=1, origin=schema.at("contains"))
        found.append(
            Contains(
                type=reader.type_of(contained, scope),
                minimum=low,
                maximum=limit(schema, "maxContains"),
                origin=schema.at("contains"),
            )
        )
    if schema.get("uniqueItems") is True:
        found.append(Unique(origin=schema.at("uniqueItems")))
    unevaluated = schema.one("unevaluatedItems")
    if unevaluated is not None and unevaluated.boolean is not True:
        seen = seen_by(reader, node, "items")
        if not any(part.all and part.when is None for part in seen):
            type_ = reader.type_of(unevaluated, scope)
            found.append(Unevaluated(of="items", seen=seen, type=type_, origin=unevaluated.origin))
    return found


# --- what has been evaluated ------------------------------------------------------------------------------------------


def seen_by(
    reader: Interpreter, node: Node, of: Literal["members", "items"], chosen: Schema | None = None
) -> tuple[Seen, ...]:
    """What the keywords beside an ``unevaluated…`` keyword evaluate, unconditionally or when their schema accepts.

    ``chosen``: a branch of a choice that is known to be the one that accepts.
    """
    return _seen(reader, node.schema, node.scope, of, (), outermost=True, chosen=chosen)


def sees_nothing(seen: Seen) -> bool:
    """Nothing is evaluated, whatever the condition says."""
    own = seen.names or seen.patterns or seen.prefix or seen.matching is not None or seen.all
    return not own and all(map(sees_nothing, seen.inner))


def _seen(
    reader: Interpreter,
    schema: Schema,
    scope: Scope,
    of: Literal["members", "items"],
    above: tuple[Origin, ...],
    *,
    outermost: bool = False,
    chosen: Schema | None = None,
) -> tuple[Seen, ...]:
    if schema.boolean is not None:
        return ()
    if schema.origin in above:
        raise ContractError([endless(schema.origin)])
    above = (*above, schema.origin)
    found = [_own(reader, schema, scope, of, outermost)]

    def below(part: Schema) -> tuple[Seen, ...]:
        return _seen(reader, part, reader.contract.enter(scope, part), of, above)

    def under(check: Check, *parts: Schema) -> None:
        found.append(Seen(when=check, inner=tuple(seen for part in parts for seen in below(part))))

    for keyword in ("$ref", "$dynamicRef"):
        if schema.has(keyword):
            found += below(reader.target(schema, keyword, scope))
    for part in schema.many("allOf"):
        found += below(part)
    for keyword in ("anyOf", "oneOf"):
        branches = schema.many(keyword)
        if chosen is not None and chosen in branches:
            found += below(chosen)
            continue
        for part in branches:
            under(check_of(reader, part, scope), part)
    condition, then, otherwise = schema.one("if"), schema.one("then"), schema.one("else")
    if condition is not None:
        check = check_of(reader, condition, scope)
        under(check, condition, *([then] if then is not None else []))
        if otherwise is not None:
            under(Not(check=check, origin=otherwise.origin), otherwise)
    for name, part in schema.named("dependentSchemas").items() if of == "members" else ():
        under(Has(name=name, origin=part.origin), part)
    return tuple(seen for seen in found if not sees_nothing(seen))


def _own(reader: Interpreter, schema: Schema, scope: Scope, of: Literal["members", "items"], outermost: bool) -> Seen:
    if of == "members":
        place = schema.at("patternProperties") if schema.has("patternProperties") else schema.origin
        return Seen(
            names=tuple(schema.named("properties")),
            patterns=tuple(
                Pattern(source=source, origin=place.at(source)) for source in schema.named("patternProperties")
            ),
            all=schema.has("additionalProperties") or (not outermost and schema.has("unevaluatedProperties")),
        )
    contained = schema.one("contains") if schema.dialect.contains_evaluates else None
    matching: Type | None = None if contained is None else reader.type_of(contained, scope)
    return Seen(
        prefix=len(schema.many("prefixItems")),
        matching=matching,
        all=schema.has("items") or (not outermost and schema.has("unevaluatedItems")),
    )
