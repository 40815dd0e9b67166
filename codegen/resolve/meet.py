"""Two types of one place → the type of the values that both accept.

Must not look at schemas. Where the two have no common shape, the first stays the shape and the second becomes a check, so
that the result is exact whatever the operands are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from codegen.facts import kind_of
from codegen.model import (
    AnyJson,
    Boolean,
    Check,
    Checked,
    Integer,
    Is,
    JsonKind,
    JsonValue,
    Limit,
    ListOf,
    Literals,
    MapOf,
    Never,
    NonNull,
    Null,
    Nullable,
    Number,
    Ref,
    Text,
    TupleOf,
    Type,
)
from codegen.pointer import Origin


def same_json(left: JsonValue, right: JsonValue) -> bool:
    """JSON equality: numbers by value, ``true`` is no number, objects ignore order (JSON Schema 2020-12 core, 4.2.2)."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_json, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_json(value, right[name]) for name, value in left.items())
    return left == right and kind_of(left) == kind_of(right)


def identity(value: JsonValue) -> Hashable:
    """What two values have in common if they are the same JSON value, and not otherwise: for long lists of them."""
    if isinstance(value, list):
        return ("array", *map(identity, value))
    if isinstance(value, dict):
        return ("object", frozenset((name, identity(inner)) for name, inner in value.items()))
    return (kind_of(value), value)


def contains_json(values: tuple[JsonValue, ...], value: JsonValue) -> bool:
    """One of ``values`` equals ``value``."""
    return any(same_json(value, other) for other in values)


def checked(type_: Type, checks: tuple[Check, ...], origin: Origin) -> Type:
    """``type_`` with checks added; without any, itself."""
    if not checks:
        return type_
    if isinstance(type_, Checked):
        return replace(type_, checks=(*type_.checks, *checks))
    return Checked(inner=type_, checks=checks, origin=origin)


def higher(left: Limit | None, right: Limit | None) -> Limit | None:
    """The stricter of two lower bounds."""
    if left is None or right is None:
        return left or right
    if left.value == right.value:
        return left if left.exclusive else right
    return left if left.value > right.value else right


def lower(left: Limit | None, right: Limit | None) -> Limit | None:
    """The stricter of two upper bounds."""
    if left is None or right is None:
        return left or right
    if left.value == right.value:
        return left if left.exclusive else right
    return left if left.value < right.value else right


def without_origin(type_: Type) -> object:
    """What two types have in common when they differ in their places alone: comparable by ``==``."""
    match type_:
        case Ref(key=key):
            return ("ref", key)
        case Boolean() | Null() | AnyJson() | Never():
            return type(type_)
        case Text(min_length=low, max_length=high, patterns=patterns):
            bare = replace(type_, min_length=None, max_length=None, patterns=(), origin=_NOWHERE)
            return (bare, _value(low), _value(high), tuple(pattern.source for pattern in patterns))
        case Integer(minimum=low, maximum=high) | Number(minimum=low, maximum=high):
            return (replace(type_, minimum=None, maximum=None, origin=_NOWHERE), _value(low), _value(high))
        case Literals(values=values, enum=enum):
            return ("literals", [(kind_of(value), value) for value in values], enum)
        case ListOf(item=item, min_items=low, max_items=high):
            return ("list", without_origin(item), _value(low), _value(high))
        case MapOf(value=value, key_pattern=pattern):
            return ("map", without_origin(value), None if pattern is None else pattern.source)
        case Nullable(inner=inner) | NonNull(inner=inner):
            return (type(type_), without_origin(inner))
        case _:
            return type_


_NOWHERE = Origin("", "")


def _value(limit: Limit | None) -> tuple[float, bool] | None:
    return None if limit is None else (limit.value, limit.exclusive)


def same(left: Type, right: Type) -> bool:
    """The two types accept the same values for the same reason, told in two places."""
    return left == right or without_origin(left) == without_origin(right)


def meet(left: Type, right: Type, literals_of: Callable[[Ref], Literals | None]) -> Type:
    """Values that both types accept. ``literals_of`` gives the literals of an enum's reference, so that a literal which
    narrows a declared enum keeps its enum."""
    if isinstance(left, AnyJson) or isinstance(right, Never):
        return right
    if isinstance(right, AnyJson) or isinstance(left, Never):
        return left
    if same(left, right):
        return right if isinstance(right, Ref) and right.partial else left
    match left, right:
        case Ref(), Literals():
            return _narrowed(left, right, literals_of)
        case Literals(), Ref():
            return _narrowed(right, left, literals_of)
        case Literals(), Literals():
            allowed = set(map(identity, right.values))
            kept = tuple(value for value in left.values if identity(value) in allowed)
            narrow = left if len(left.values) <= len(right.values) else right
            return replace(narrow, values=kept, enum=left.enum or right.enum) if kept else _never(right, left)
        case Literals(), _:
            return _literals(left, right)
        case _, Literals():
            return _literals(right, left)
        case Text(), Text():
            return replace(
                right,
                min_length=higher(left.min_length, right.min_length),
                max_length=lower(left.max_length, right.max_length),
                patterns=tuple({pattern.source: pattern for pattern in (*left.patterns, *right.patterns)}.values()),
                format=right.format or left.format,
                encoding=right.encoding or left.encoding,
                media_type=right.media_type or left.media_type,
            )
        case (Integer() | Number()), (Integer() | Number()):
            return _number(left, right)
        case ListOf(), ListOf():
            return replace(
                right,
                item=meet(left.item, right.item, literals_of),
                doc=right.doc if right.doc.source else left.doc,
                min_items=higher(left.min_items, right.min_items),
                max_items=lower(left.max_items, right.max_items),
            )
        case TupleOf(), ListOf(item=AnyJson()):
            return _sized(left, right)
        case ListOf(item=AnyJson()), TupleOf():
            return _sized(right, left)
        case MapOf(key_pattern=None), MapOf(key_pattern=None):
            return replace(right, value=meet(left.value, right.value, literals_of))
        case NonNull(inner=AnyJson()), Ref():
            return NonNull(inner=right, origin=left.origin)
        case Ref(), NonNull(inner=AnyJson()):
            return NonNull(inner=left, origin=right.origin)
        case NonNull(inner=AnyJson()), _ if "null" not in shallow_kinds(right):
            return right
        case _, NonNull(inner=AnyJson()) if "null" not in shallow_kinds(left):
            return left
        case _:
            kinds_left, kinds_right = shallow_kinds(left), shallow_kinds(right)
            if kinds_left and kinds_right and not kinds_left & kinds_right:
                return _never(right, left)
            if isinstance(right, Ref) and not isinstance(left, Ref):
                left, right = right, left
            return checked(left, (Is(type=right, origin=right.origin),), right.origin)


def shallow_kinds(type_: Type) -> frozenset[JsonKind]:
    """The JSON kinds of a type that says them itself; empty where it does not (references, choices)."""
    match type_:
        case Text():
            return frozenset({"string"})
        case Integer() | Number():
            return frozenset({"number"})
        case Boolean():
            return frozenset({"boolean"})
        case Null():
            return frozenset({"null"})
        case ListOf() | TupleOf():
            return frozenset({"array"})
        case MapOf():
            return frozenset({"object"})
        case Literals(values=values):
            return frozenset(map(kind_of, values))
        case Checked(inner=inner):
            return shallow_kinds(inner)
        case _:
            return frozenset()


def _never(one: Type, other: Type) -> Never:
    return Never(origin=one.origin, against=None if other.origin == one.origin else other.origin)


def _number(left: Integer | Number, right: Integer | Number) -> Integer | Number:
    low, high = higher(left.minimum, right.minimum), lower(left.maximum, right.maximum)
    format_ = right.format or left.format
    integers = [type_ for type_ in (right, left) if isinstance(type_, Integer)]
    if not integers:
        return Number(minimum=low, maximum=high, format=format_, origin=right.origin)
    literal = any(type_.literal for type_ in integers)
    return Integer(minimum=low, maximum=high, literal=literal, format=format_, origin=integers[0].origin)


def _sized(tuple_: TupleOf, list_: ListOf) -> TupleOf:
    return replace(
        tuple_,
        min_items=higher(tuple_.min_items, list_.min_items),
        max_items=lower(tuple_.max_items, list_.max_items),
    )


def _narrowed(ref: Ref, literals: Literals, literals_of: Callable[[Ref], Literals | None]) -> Type:
    enum = literals_of(ref)
    if enum is None:
        return checked(literals, (Is(type=ref, origin=ref.origin),), ref.origin)
    kept = tuple(value for value in literals.values if contains_json(enum.values, value))
    return replace(literals, values=kept, enum=ref.key) if kept else _never(literals, enum)


def _literals(literals: Literals, other: Type) -> Type:
    """Literals that ``other`` accepts: by kind at once; what a bound or a member would decide stays a check."""
    kinds = shallow_kinds(other)
    if kinds:
        kept = tuple(value for value in literals.values if kind_of(value) in kinds)
        if isinstance(other, Integer):
            kept = tuple(
                value for value in kept if isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            )
        if not kept:
            return _never(literals, other)
        literals = replace(literals, values=kept)
        if plain(other):
            return literals
    elif isinstance(other, NonNull) and isinstance(other.inner, AnyJson):
        kept = tuple(value for value in literals.values if value is not None)
        return replace(literals, values=kept) if kept else _never(literals, other)
    return checked(literals, (Is(type=other, origin=other.origin),), other.origin)


def plain(type_: Type) -> bool:
    """The type asserts a kind (for numbers: integer or not) and nothing more."""
    match type_:
        case Text(min_length=None, max_length=None, patterns=()) | Boolean() | Null() | AnyJson():
            return True
        case Integer(minimum=None, maximum=None, literal=False) | Number(minimum=None, maximum=None):
            return True
        case ListOf(item=AnyJson(), min_items=None, max_items=None) | MapOf(value=AnyJson(), key_pattern=None):
            return True
        case _:
            return False
