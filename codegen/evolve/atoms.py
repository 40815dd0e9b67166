"""A type → its alternatives, each of one kind, whatever names, references and nesting the contract spells them with.

Must not compare. Two contracts that say the same in different words (a reference or the shape itself, a mixin or the fields, a
constant or an enum of one value) have the same atoms, which is why everything here compares atoms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from codegen.derive.judge import Judge, matches
from codegen.facts import ALL_KINDS, Facts, kind_of
from codegen.model import (
    JSON_KINDS,
    Alias,
    AnyJson,
    Boolean,
    ByKind,
    ByTag,
    ByTrial,
    Check,
    Checked,
    Choice,
    Closed,
    Definition,
    Enum,
    Field,
    Integer,
    Is,
    JsonKind,
    JsonValue,
    Key,
    Limit,
    ListOf,
    Literals,
    MapOf,
    Never,
    NonNull,
    Not,
    Null,
    Nullable,
    Number,
    Pattern,
    Record,
    Ref,
    Switch,
    Text,
    TupleOf,
    Type,
    Typed,
    Union,
)
from codegen.pointer import Origin

NOWHERE = Origin("", "")
ANYTHING = AnyJson(origin=NOWHERE)
NOTHING = Never(origin=NOWHERE)
OF_KIND: Mapping[JsonKind, Type] = {
    "null": Null(origin=NOWHERE),
    "boolean": Boolean(origin=NOWHERE),
    "number": Number(origin=NOWHERE),
    "string": Text(origin=NOWHERE),
    "array": ListOf(item=ANYTHING, origin=NOWHERE),
    "object": MapOf(value=ANYTHING, origin=NOWHERE),
}
"""The type of all values of a kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """A member that an object declares. ``field`` is None where the object was made up."""

    type: Type
    required: bool = False
    field: Field | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Members:
    """Objects. ``rest``: the type of undeclared members that no pattern matches, None where they are refused. ``open``: they
    hold any JSON value. ``record`` says all this in the model (None: a map, or made up). ``is_map``: names are data, and a
    pattern restricts them. ``free``: names are anybody's, since the object is any JSON value. ``type`` is the map that is
    meant."""

    declared: Mapping[str, Declared]
    rest: Type | None
    patterns: tuple[tuple[Pattern, Type], ...] = ()
    open: bool = False
    record: Record | None = None
    is_map: bool = False
    free: bool = False
    type: Type | None = None
    origin: Origin

    def views(self, name: str) -> tuple[Type, ...] | None:
        """The types that a member ``name`` must all be of; None where it is refused."""
        if name in self.declared:
            return (self.declared[name].type,)
        return self.undeclared(name)

    def undeclared(self, name: str) -> tuple[Type, ...] | None:
        """As ``views``, for a name that is not declared."""
        if found := tuple(type_ for pattern, type_ in self.patterns if matches(pattern, name)):
            return found
        return None if self.rest is None else (self.rest,)

    def reserves(self, name: str) -> bool:
        """Nothing but the openness of the object admits a member ``name``."""
        return (
            self.open
            and not self.free
            and name not in self.declared
            and not any(matches(pattern, name) for pattern, _ in self.patterns)
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Items:
    """Arrays: positional ``prefix``, then any number of ``rest``; between ``low`` and ``high`` items. ``type`` says this in the
    model (None: made up)."""

    prefix: tuple[Type, ...]
    rest: Type
    low: Limit | None = None
    high: Limit | None = None
    type: Type | None = None
    origin: Origin

    def at(self, index: int) -> Type:
        """The type of the item at a position."""
        return self.prefix[index] if index < len(self.prefix) else self.rest


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Values:
    """One of some values."""

    values: tuple[JsonValue, ...]
    enum: Enum | None = None
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Exactly:
    """What exactly one of several types accepts, where nothing proves that they never overlap."""

    members: tuple[Type, ...]
    origin: Origin


Body: TypeAlias = Text | Integer | Number | Boolean | Null | AnyJson | Values | Items | Members | Exactly


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Atom:
    """One alternative: a ``body`` and the ``checks`` that narrow it.

    ``keys`` are the definitions that were looked through, outermost first; ``outside[i]`` checks were met before ``keys[i]``.
    """

    body: Body
    checks: tuple[Check, ...] = ()
    keys: tuple[Key, ...] = ()
    outside: tuple[int, ...] = ()
    origin: Origin


@dataclass(frozen=True, slots=True)
class _Way:
    """What was met on the way to an atom."""

    checks: tuple[Check, ...] = ()
    keys: tuple[Key, ...] = ()
    outside: tuple[int, ...] = ()

    def through(self, definition: Definition) -> _Way:
        return _Way((*self.checks, *definition.checks), (*self.keys, definition.key), (*self.outside, len(self.checks)))


class Atoms:
    """The atoms of one model's types; each type is looked through once."""

    def __init__(self, facts: Facts, *, open_world: bool = False) -> None:
        """``open_world``: as receivers see the model who keep tags and enum values that they do not know."""
        self.facts = facts
        self._judge = Judge(facts)
        self._open_world = open_world
        self._known: dict[int, tuple[Type, tuple[Atom, ...]]] = {}

    def of(self, type_: Type) -> tuple[Atom, ...]:
        """The alternatives, in contract order; none where no value is of the type."""
        known = self._known.get(id(type_))
        if known is None:
            # The type is kept, so that its id is not given to another.
            known = self._known[id(type_)] = (type_, tuple(self._of(type_, _Way())))
        return known[1]

    def is_exclusive(self, type_: Type, above: frozenset[Key] = frozenset()) -> bool:
        """The contract says that exactly one of the alternatives may accept, whether or not they could overlap."""
        match type_:
            case Nullable(inner=inner) | NonNull(inner=inner) | Checked(inner=inner):
                return self.is_exclusive(inner, above)
            case Choice(members=members):
                return type_.exclusive or any(self.is_exclusive(member.type, above) for member in members)
            case Ref(key=key) if key not in above:
                definition = self.facts.definition(key)
                if isinstance(definition, Union):
                    return self.is_exclusive(definition.choice, above | {key})
                return isinstance(definition, Alias) and self.is_exclusive(definition.type, above | {key})
        return False

    def kinds(self, atom: Atom) -> frozenset[JsonKind]:
        """The JSON kinds that an atom may accept."""
        kinds = self._body_kinds(atom.body)
        for check in atom.checks:
            if isinstance(check, Is):
                kinds &= self.facts.kinds(check.type)
        return kinds

    def _body_kinds(self, body: Body) -> frozenset[JsonKind]:
        match body:
            case Values(values=values):
                return frozenset(map(kind_of, values))
            case Items():
                return frozenset({"array"})
            case Members():
                return frozenset({"object"})
            case Exactly(members=members):
                return frozenset().union(*map(self.facts.kinds, members))
            case AnyJson():
                return ALL_KINDS
            case _:
                return self.facts.kinds(body)

    def _of(self, type_: Type, way: _Way) -> Iterator[Atom]:
        match type_:
            case Never():
                return
            case Text() | Integer() | Number() | Boolean() | Null() | AnyJson():
                yield _atom(type_, way, type_.origin)
            case Literals(values=values):
                yield from self._listed(Values(values=values, origin=type_.origin), way, type_.origin)
                if self._open_world and (base := open_base(values)):
                    yield _atom(_base(base, type_.origin), way, type_.origin)
            case Ref(key=key):
                if key not in way.keys:  # an alias of itself adds nothing
                    yield from self._definition(self.facts.definition(key), type_.origin, way)
            case ListOf(item=item, min_items=low, max_items=high):
                body = Items(prefix=(), rest=item, low=low, high=high, type=type_, origin=type_.origin)
                yield _atom(body, way, type_.origin)
            case TupleOf(items=items, rest=rest, min_items=low, max_items=high):
                body = Items(prefix=items, rest=rest or ANYTHING, low=low, high=high, type=type_, origin=type_.origin)
                yield _atom(body, way, type_.origin)
            case MapOf():
                yield _atom(self._map(type_), way, type_.origin)
            case Nullable(inner=inner, origin=origin):
                yield from self._of(inner, way)
                yield _atom(Null(origin=origin), way, origin)
            case NonNull(inner=inner):
                for atom in self._of(inner, way):
                    yield from self._restricted(atom, ALL_KINDS - {"null"})
            case Checked(inner=inner, checks=checks):
                yield from self._of(inner, replace(way, checks=(*way.checks, *checks)))
            case Choice():
                yield from self._choice(type_, way)

    def _listed(self, body: Values, way: _Way, origin: Origin) -> Iterator[Atom]:
        """Values, and what their checks leave of them: then they are no longer what the definitions on the way say."""
        kept = tuple(value for value in body.values if all(self._judge.holds(check, value) for check in way.checks))
        if len(kept) == len(body.values):
            yield _atom(body, _Way((), way.keys, (0,) * len(way.keys)), origin)
        elif kept:
            yield _atom(replace(body, values=kept), _Way(), origin)

    def _map(self, type_: MapOf) -> Members:
        """An object whose names are data."""
        if type_.key_pattern is not None:
            patterns = ((type_.key_pattern, type_.value),)
            at = type_.closed or type_.origin
            return Members(declared={}, rest=None, patterns=patterns, is_map=True, type=type_, origin=at)
        is_open = self.facts.is_any(type_.value)
        return Members(declared={}, rest=type_.value, open=is_open, type=type_, origin=type_.origin)

    def _restricted(self, atom: Atom, kinds: frozenset[JsonKind]) -> Iterator[Atom]:
        """The values of the atom that are of some kinds."""
        own = self._body_kinds(atom.body)
        match atom.body:
            case _ if own <= kinds:
                yield atom
            case AnyJson():
                yield from (one for one in spread(atom) if self._body_kinds(one.body) <= kinds)
            case Values(values=values) as body:
                kept = tuple(value for value in values if kind_of(value) in kinds)
                yield replace(atom, body=replace(body, values=kept))
            case _ if own & kinds:
                others = (OF_KIND[kind] for kind in JSON_KINDS if kind in own - kinds)
                refused = (Not(check=Is(type=other, origin=atom.origin), origin=atom.origin) for other in others)
                yield replace(atom, checks=(*atom.checks, *refused))

    def _choice(self, choice: Choice, way: _Way) -> Iterator[Atom]:
        types = tuple(member.type for member in choice.members)
        if choice.exclusive and isinstance(choice.dispatch, ByTrial):
            yield _atom(Exactly(members=types, origin=choice.origin), way, choice.origin)
            return
        if isinstance(choice.dispatch, ByKind):
            # The other kinds of a member are another's to judge.
            for index, type_ in enumerate(types):
                kinds = frozenset(kind for kind, to in choice.dispatch.cases if to == index)
                for atom in self._of(type_, way):
                    yield from self._restricted(atom, kinds)
            return
        for type_ in types:
            yield from self._of(type_, way)
        if self._open_world and isinstance(choice.dispatch, ByTag):
            for body in _unknown_variants(choice.dispatch.switch, {}):
                yield _atom(body, way, choice.origin)

    def _definition(self, definition: Definition, origin: Origin, way: _Way) -> Iterator[Atom]:
        way = way.through(definition)
        match definition:
            case Record():
                yield _atom(_record(definition), way, origin)
            case Enum(values=values, open=rest):
                listed = tuple(value.value for value in values)
                yield from self._listed(
                    Values(values=listed, enum=definition, origin=definition.values_at), way, origin
                )
                if rest is not None:
                    yield from self._of(rest, way)
                elif self._open_world:
                    yield _atom(_base(definition.base, definition.origin), way, origin)
            case Union(choice=choice):
                yield from self._choice(choice, way)
            case Alias(type=type_):
                yield from self._of(type_, way)


def _atom(body: Body, way: _Way, origin: Origin) -> Atom:
    """The atom at the end of a way."""
    return Atom(body=body, checks=way.checks, keys=way.keys, outside=way.outside, origin=origin)


def _base(base: Literal["string", "integer"], origin: Origin) -> Text | Integer:
    return Text(origin=origin) if base == "string" else Integer(origin=origin)


def open_base(values: tuple[JsonValue, ...]) -> Literal["string", "integer"] | None:
    """What an open world adds to values without a name: to two or more strings or integers; a constant stays what it is."""
    if len(values) > 1 and all(isinstance(value, str) for value in values):
        return "string"
    whole = (isinstance(value, int) and not isinstance(value, bool) for value in values)
    return "integer" if len(values) > 1 and all(whole) else None


def _record(record: Record) -> Members:
    extras = record.extras
    rest: Type | None = ANYTHING
    if isinstance(extras, Closed):
        rest = None
    elif isinstance(extras, Typed):
        rest = extras.value
    return Members(
        declared={field.wire_name: Declared(field.type, field.required, field) for field in record.fields},
        rest=rest,
        patterns=extras.patterns,
        open=rest is ANYTHING,
        record=record,
        origin=extras.origin,
    )


def _unknown_variants(switch: Switch, above: Mapping[str, Declared]) -> Iterator[Members]:
    """Objects whose tag is there and leads nowhere."""
    at = switch.origin
    listed = Literals(values=tuple(case.value for case in switch.cases), origin=at)
    other = Checked(inner=ANYTHING, checks=(Not(check=Is(type=listed, origin=at), origin=at),), origin=at)
    declared = {**above, switch.property: Declared(other, required=True)}
    yield Members(declared=declared, rest=ANYTHING, open=True, origin=at)
    for case in switch.cases:
        if isinstance(case.to, Switch):
            literal = Literals(values=(case.value,), origin=at)
            yield from _unknown_variants(case.to, {**above, switch.property: Declared(literal, required=True)})


def spread(atom: Atom) -> Iterator[Atom]:
    """Any JSON value as one atom per kind."""
    at = atom.origin
    bodies: tuple[Body, ...] = (
        Null(origin=at),
        Boolean(origin=at),
        Number(origin=at),
        Text(origin=at),
        Items(prefix=(), rest=ANYTHING, origin=at),
        Members(declared={}, rest=ANYTHING, open=True, free=True, origin=at),
    )
    yield from (replace(atom, body=body) for body in bodies)
