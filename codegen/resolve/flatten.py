"""Schema → the tree of schemas that hold at the same place: itself, what it refers to, what its ``allOf`` composes.

Must not make types. A reference is either *expanded* (its target's assertions become part of the place: a mixin) or kept
*whole* (a named type of its own). Which of the two is right depends on what both sides assert, and is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codegen.document import Schema
from codegen.errors import ContractError, Problem
from codegen.model import JSON_KINDS, JsonKind, Key, Ref
from codegen.pointer import Origin

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter

Scope = tuple[tuple[str, str], ...]

ANNOTATIONS = frozenset(
    [
        "$schema",
        "$id",
        "$anchor",
        "$dynamicAnchor",
        "$recursiveAnchor",
        "$comment",
        "$defs",
        "definitions",
        "$vocabulary",
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "format",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "discriminator",
        "externalDocs",
        "xml",
    ]
)
"""Keywords that never refuse a value, but for a ``format`` that is asserted."""

SCALAR = frozenset(
    [
        "type",
        "enum",
        "const",
        "minLength",
        "maxLength",
        "pattern",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "format",
    ]
)
"""Keywords that a type says by itself: neither a choice nor a check comes of them."""

MEMBERS = frozenset(["properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "required"])
"""Keywords that say which members an object has."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A reference that keeps its target's name: the value is of that type."""

    ref: Ref
    target: Schema
    scope: Scope


@dataclass(frozen=True, slots=True)
class Node:
    """One schema that holds at the place, and what it composes.

    ``home`` is the definition that declares its members; ``mixin`` the place of the reference through which it was reached.
    ``after``: trees whose members come after its own (a form that the place takes).
    """

    schema: Schema
    scope: Scope
    home: Key
    mixin: Origin | None
    inner: tuple[Node | Whole, ...]
    after: tuple[Node, ...] = ()

    def nodes(self) -> Iterator[Node]:
        """Every schema of the tree in composition order: what is composed first, the schema itself after it."""
        for part in self.inner:
            if isinstance(part, Node):
                yield from part.nodes()
        yield self
        for form in self.after:
            yield from form.nodes()

    def wholes(self) -> Iterator[Whole]:
        """Every reference kept whole, in composition order."""
        for part in self.inner:
            if isinstance(part, Whole):
                yield part
            else:
                yield from part.wholes()

    def mixins(self) -> Iterator[Node]:
        """Nodes that were reached through a reference, outermost first."""
        for part in (*self.inner, *self.after):
            if isinstance(part, Node):
                if part.mixin is not None:
                    yield part
                yield from part.mixins()


def asserts(schema: Schema) -> frozenset[str]:
    """The keywords of a schema that can refuse a value."""
    keywords = frozenset(schema.keywords()).difference(ANNOTATIONS)
    return keywords if schema.format is None else keywords | {"format"}


def lone_reference(schema: Schema) -> Schema | None:
    """The schema that holds the reference, when a schema is nothing but one (``allOf`` with one such member included)."""
    while schema.boolean is None:
        keywords = asserts(schema)
        if keywords == {"$ref"} or keywords == {"$dynamicRef"}:
            return schema
        if keywords != {"allOf"} or len(schema.many("allOf")) != 1:
            return None
        schema = schema.many("allOf")[0]
    return None


def flatten(reader: Interpreter, schema: Schema, scope: Scope, home: Key) -> Node:
    """The tree of a schema that is not a lone reference."""
    tree = _tree(reader, schema, scope, home, None, (), expand=True)
    if _is_composite(tree):
        return tree
    return _tree(reader, schema, scope, home, None, (), expand=False)


def composed(reader: Interpreter, schema: Schema, scope: Scope, home: Key) -> Node | None:
    """The tree of a schema that is an object whose members are all declared by the tree itself; else None."""
    tree = _tree(reader, schema, scope, home, None, (), expand=True)
    return tree if _is_object(reader, tree) else None


def _is_composite(tree: Node) -> bool:
    """Expanding references makes one object out of several: there is an object, and more than one schema speaks of it."""
    speaking = [node for node in tree.nodes() if asserts(node.schema) & MEMBERS]
    if not speaking or not any(node.mixin is not None for node in tree.nodes()):
        return False
    own = [node for node in tree.nodes() if node.mixin is None and asserts(node.schema) & MEMBERS]
    mixins = list(tree.mixins())
    return "object" in allowed_kinds(tree) and (bool(own) or len(mixins) + len(list(tree.wholes())) > 1)


def allowed_kinds(tree: Node) -> frozenset[JsonKind]:
    """JSON kinds that every ``type`` keyword of the tree allows."""
    kinds: frozenset[JsonKind] = frozenset(JSON_KINDS)
    for node in tree.nodes():
        kinds &= kinds_of_type(node.schema)
    return kinds


def type_names(schema: Schema) -> tuple[str, ...] | None:
    """The ``type`` keyword as a tuple; None where it is absent."""
    value = schema.get("type")
    if value is None:
        return None
    return (value,) if isinstance(value, str) else tuple(str(name) for name in value)  # type: ignore[union-attr]


MOST_COMPOSED = 100
"""As many schemas as may stand inside one another by ``allOf`` and references, at one place of a value."""


def kinds_of_type(schema: Schema) -> frozenset[JsonKind]:
    """JSON kinds that the ``type`` keyword of one schema allows."""
    if schema.boolean is not None:
        return frozenset(JSON_KINDS) if schema.boolean else frozenset()
    names = type_names(schema)
    if names is None:
        return frozenset(JSON_KINDS)
    return frozenset(kind for kind in JSON_KINDS if kind in names or (kind == "number" and "integer" in names))


def _tree(
    reader: Interpreter,
    schema: Schema,
    scope: Scope,
    home: Key,
    mixin: Origin | None,
    above: tuple[Origin, ...],
    *,
    expand: bool,
) -> Node:
    if schema.origin in above:
        raise ContractError([endless(schema.origin)])
    if len(above) == MOST_COMPOSED:
        message = f"more than {MOST_COMPOSED} schemas compose one another here"
        raise ContractError(
            [
                Problem(
                    code="nesting-too-deep", message=message, origin=schema.origin, help="compose fewer levels of them"
                )
            ]
        )
    above = (*above, schema.origin)
    inner: list[Node | Whole] = []
    if schema.boolean is None:
        for keyword in schema.keywords():
            if keyword in ("$ref", "$dynamicRef"):
                inner.append(_reference(reader, schema, keyword, scope, above, expand=expand))
            elif keyword == "allOf":
                for part in schema.many("allOf"):
                    inner_scope = reader.contract.enter(scope, part)
                    lone = lone_reference(part)
                    if lone is not None:
                        keyword_ = "$ref" if lone.has("$ref") else "$dynamicRef"
                        inner.append(_reference(reader, lone, keyword_, inner_scope, above, expand=expand))
                    else:
                        inner.append(_tree(reader, part, inner_scope, home, None, above, expand=expand))
    return Node(schema, scope, home, mixin, tuple(inner))


def _reference(
    reader: Interpreter, schema: Schema, keyword: str, scope: Scope, above: tuple[Origin, ...], *, expand: bool
) -> Node | Whole:
    target = reader.target(schema, keyword, scope)
    inner_scope = reader.contract.enter(scope, target)
    whole = Whole(reader.ref(target, inner_scope, schema.at(keyword)), target, inner_scope)
    if not expand:
        return whole
    node = _tree(reader, target, inner_scope, whole.ref.key, schema.at(keyword), above, expand=True)
    return node if _is_object(reader, node) else whole


def _is_object(reader: Interpreter, tree: Node) -> bool:
    """The target is an object whose members are all declared by the tree itself, so that it can be composed."""
    if allowed_kinds(tree) != {"object"} and not any(asserts(node.schema) & MEMBERS for node in tree.nodes()):
        return False
    if "object" not in allowed_kinds(tree) or any(node.schema.boolean is not None for node in tree.nodes()):
        return False
    if any(asserts(node.schema) & {"enum", "const"} for node in tree.nodes()) or any(True for _ in tree.wholes()):
        return False
    return not any(
        declares(reader, branch, reader.contract.enter(node.scope, branch), ())
        for node in tree.nodes()
        for keyword in ("anyOf", "oneOf")
        for branch in node.schema.many(keyword)
    )


def declares(reader: Interpreter, schema: Schema, scope: Scope, above: tuple[Origin, ...]) -> bool:
    """A schema, or one that it composes or chooses from, declares members with a shape of their own."""
    if schema.boolean is not None or schema.origin in above:
        return False
    above = (*above, schema.origin)
    if schema.named("properties") or schema.named("patternProperties"):
        return True
    for keyword in ("$ref", "$dynamicRef"):
        if schema.has(keyword):
            target = reader.target(schema, keyword, scope)
            if declares(reader, target, reader.contract.enter(scope, target), above):
                return True
    return any(
        declares(reader, part, reader.contract.enter(scope, part), above)
        for keyword in ("allOf", "anyOf", "oneOf")
        for part in schema.many(keyword)
    )


def endless(origin: Origin) -> Problem:
    """The problem of a schema that is defined by itself at the same place, so that no value can ever be judged."""
    return Problem(
        code="endless-reference",
        message="the schema refers to itself without taking a step into the value",
        origin=origin,
        help="let the reference stand below a member or an item, or remove it",
    )
