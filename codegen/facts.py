"""Model → what everybody asks about it, derived once.

Must not interpret schemas or know a language: order, recursion, null, users, tags and disjointness follow from the model
alone, so that no target derives them a second time and differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from codegen.model import (
    JSON_KINDS,
    Alias,
    AnyJson,
    Boolean,
    Check,
    Checked,
    Choice,
    Closed,
    Definition,
    Enum,
    Integer,
    Is,
    JsonKind,
    JsonValue,
    Key,
    ListOf,
    Literals,
    MapOf,
    Model,
    Never,
    NonNull,
    Null,
    Nullable,
    Number,
    Record,
    Ref,
    Text,
    TupleOf,
    Type,
    Typed,
    Union,
)

NO_KINDS: frozenset[JsonKind] = frozenset()
ALL_KINDS: frozenset[JsonKind] = frozenset(JSON_KINDS)


def kind_of(value: JsonValue) -> JsonKind:
    """The JSON kind of a value as ``json.loads`` gives it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def inner_types(type_: Type) -> tuple[Type, ...]:
    """The types directly inside ``type_`` that are built with it (operands of checks are not)."""
    match type_:
        case ListOf(item=item):
            return (item,)
        case TupleOf(items=items, rest=rest):
            return items if rest is None else (*items, rest)
        case MapOf(value=value):
            return (value,)
        case Nullable(inner=inner) | NonNull(inner=inner) | Checked(inner=inner):
            return (inner,)
        case Choice(members=members):
            return tuple(member.type for member in members)
        case _:
            return ()


def own_types(definition: Definition) -> tuple[Type, ...]:
    """The types that a definition itself states, in its order."""
    match definition:
        case Record(fields=fields, extras=extras):
            rest = (extras.value,) if isinstance(extras, Typed) else ()
            return (*(field.type for field in fields), *(type_ for _, type_ in extras.patterns), *rest)
        case Enum(open=open_type):
            return () if open_type is None else (open_type,)
        case Union(choice=choice):
            return (choice,)
        case Alias(type=type_):
            return (type_,)


def references(types: tuple[Type, ...]) -> Iterator[Key]:
    """Keys that ``types`` refer to, in order, at any depth, checks left out; iterative, since types may be deep."""
    todo = list(reversed(types))
    while todo:
        type_ = todo.pop()
        if isinstance(type_, Ref):
            yield type_.key
        elif isinstance(type_, Literals) and type_.enum is not None:
            yield type_.enum
        todo.extend(reversed(inner_types(type_)))


class Facts:
    """Questions about one model. Every answer is derived from the frozen model, so nothing here ever goes stale."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.table: Mapping[Key, Definition] = model.table()
        self._kinds: dict[Key, frozenset[JsonKind]] = {}

    def definition(self, key: Key) -> Definition:
        """The definition at ``key``. KeyError when the model has none."""
        return self.table[key]

    @cached_property
    def public(self) -> tuple[Definition, ...]:
        """Definitions that have a name, in contract order."""
        return tuple(d for d in self.model.definitions if d.name.source != "pointer")

    @cached_property
    def judged(self) -> frozenset[Key]:
        """Definitions reached from checks alone: values are judged by them, never built."""
        return frozenset(d.key for d in self.model.definitions if d.name.source == "pointer")

    @cached_property
    def _uses(self) -> dict[Key, tuple[Key, ...]]:
        uses = {}
        for definition in self.model.definitions:
            mixins = tuple(mixin.key for mixin in definition.mixins) if isinstance(definition, Record) else ()
            uses[definition.key] = tuple(dict.fromkeys((*mixins, *references(own_types(definition)))))
        return uses

    @cached_property
    def components(self) -> tuple[tuple[Key, ...], ...]:
        """Strongly connected components of the references between definitions, dependencies first, contract order within
        (Tarjan's algorithm, iterative: contracts may be deep)."""
        position = {definition.key: i for i, definition in enumerate(self.model.definitions)}
        index: dict[Key, int] = {}
        low: dict[Key, int] = {}
        stack: list[Key] = []
        on_stack: set[Key] = set()
        found: list[tuple[Key, ...]] = []
        for start in position:
            if start in index:
                continue
            work: list[tuple[Key, Iterator[Key]]] = [(start, iter(self._uses[start]))]
            index[start] = low[start] = len(index)
            stack.append(start)
            on_stack.add(start)
            while work:
                key, uses = work[-1]
                for used in uses:
                    if used not in index:
                        index[used] = low[used] = len(index)
                        stack.append(used)
                        on_stack.add(used)
                        work.append((used, iter(self._uses[used])))
                        break
                    if used in on_stack:
                        low[key] = min(low[key], index[used])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[key])
                    if low[key] == index[key]:
                        cut = stack.index(key)
                        component = stack[cut:]
                        del stack[cut:]
                        on_stack.difference_update(component)
                        found.append(tuple(sorted(component, key=position.__getitem__)))
        return tuple(found)

    @cached_property
    def order(self) -> tuple[Key, ...]:
        """Definitions, dependencies first."""
        return tuple(key for component in self.components for key in component)

    @cached_property
    def recursive(self) -> frozenset[Key]:
        """Definitions that reach themselves."""
        return frozenset(
            key for component in self.components for key in component if len(component) > 1 or key in self._uses[key]
        )

    @cached_property
    def used_by(self) -> Mapping[Key, tuple[tuple[Key, str | None], ...]]:
        """For each definition the definitions that use it, with the wire name of the field (None: not through a field)."""
        users: dict[Key, dict[tuple[Key, str | None], None]] = {key: {} for key in self.table}
        for user in self.public:
            if isinstance(user, Record):
                for mixin in user.mixins:
                    users[mixin.key][user.key, None] = None
                for field in user.fields:
                    for key in references((field.type,)):
                        users[key][user.key, field.wire_name] = None
                rest = user.extras.value if isinstance(user.extras, Typed) else None
                others = [type_ for _, type_ in user.extras.patterns] + ([rest] if rest else [])
                for key in references(tuple(others)):
                    users[key][user.key, None] = None
            else:
                for key in references(own_types(user)):
                    users[key][user.key, None] = None
        return {key: tuple(found) for key, found in users.items()}

    def unwrap(self, type_: Type) -> Type:
        """What a type is once alias names and checks are looked through. An alias that only leads to itself stays a Ref."""
        passed: set[Key] = set()
        while True:
            if isinstance(type_, Checked):
                type_ = type_.inner
            elif (
                isinstance(type_, Ref)
                and isinstance(target := self.table[type_.key], Alias)
                and type_.key not in passed
            ):
                passed.add(type_.key)
                type_ = target.type
            else:
                return type_

    def is_any(self, type_: Type) -> bool:
        """Every JSON value is of this type: nothing to check and nothing to build."""
        passed: set[Key] = set()
        while isinstance(type_, Ref) and type_.key not in passed:
            passed.add(type_.key)
            target = self.table[type_.key]
            if not isinstance(target, Alias) or target.checks:
                return False
            type_ = target.type
        return isinstance(type_, AnyJson)

    def accepts_null(self, type_: Type) -> bool:
        """Null may be of this type (False is certain; True may still be refused by a check)."""
        return "null" in self.kinds(type_)

    def kinds(self, type_: Type) -> frozenset[JsonKind]:
        """JSON kinds that the type may accept; a kind that is missing here is certainly refused."""
        return self._kinds_of(type_, frozenset())

    def _kinds_of(self, type_: Type, above: frozenset[Key]) -> frozenset[JsonKind]:
        match type_:
            case Text():
                return frozenset({"string"})
            case Integer() | Number():
                return frozenset({"number"})
            case Boolean():
                return frozenset({"boolean"})
            case Null():
                return frozenset({"null"})
            case AnyJson():
                return ALL_KINDS
            case Never():
                return NO_KINDS
            case Literals(values=values):
                return frozenset(map(kind_of, values))
            case ListOf() | TupleOf():
                return frozenset({"array"})
            case MapOf():
                return frozenset({"object"})
            case Nullable(inner=inner):
                return self._kinds_of(inner, above) | {"null"}
            case NonNull(inner=inner):
                return self._kinds_of(inner, above) - {"null"}
            case Checked(inner=inner, checks=checks):
                return self._narrowed(self._kinds_of(inner, above), checks, above)
            case Choice(members=members):
                return NO_KINDS.union(*(self._kinds_of(member.type, above) for member in members))
            case Ref(key=key):
                return self._kinds_at(key, above)

    def _kinds_at(self, key: Key, above: frozenset[Key]) -> frozenset[JsonKind]:
        known = self._kinds.get(key)
        if known is not None:
            return known
        if key in above:  # an alias through itself adds nothing: the least fixed point
            return NO_KINDS
        above |= {key}
        definition = self.table[key]
        match definition:
            case Record():
                kinds: frozenset[JsonKind] = frozenset({"object"})
            case Enum(base=base):
                kinds = frozenset({"string"} if base == "string" else {"number"})
            case Union(choice=choice):
                kinds = self._kinds_of(choice, above)
            case Alias(type=type_):
                kinds = self._kinds_of(type_, above)
        kinds = self._narrowed(kinds, definition.checks, above)
        if len(above) == 1:  # below another key the answer may lack what the cycle adds
            self._kinds[key] = kinds
        return kinds

    def _narrowed(
        self, kinds: frozenset[JsonKind], checks: tuple[Check, ...], above: frozenset[Key]
    ) -> frozenset[JsonKind]:
        for check in checks:
            if isinstance(check, Is):
                kinds &= self._kinds_of(check.type, above)
        return kinds

    def tag_values(self, type_: Type, name: str) -> tuple[JsonValue, ...] | None:
        """The string or integer literals that the required member ``name`` is pinned to wherever the type accepts an object;
        None when it is not pinned. A union pins it when each of its members does."""
        return self._tag_values(type_, name, frozenset())

    def _tag_values(self, type_: Type, name: str, above: frozenset[Key]) -> tuple[JsonValue, ...] | None:
        match type_:
            case Checked(inner=inner) | NonNull(inner=inner):
                return self._tag_values(inner, name, above)
            case Choice(members=members):
                found: list[JsonValue] = []
                for member in members:
                    values = self._tag_values(member.type, name, above)
                    if values is None:
                        return None
                    found.extend(value for value in values if value not in found)
                return tuple(found)
            case Ref(key=key) if key not in above:
                definition = self.table[key]
                if isinstance(definition, Record):
                    for field in definition.fields:
                        if field.wire_name == name and field.required:
                            return self.pinned(field.type)
                    return None
                if isinstance(definition, Enum):
                    return None
                inner = definition.choice if isinstance(definition, Union) else definition.type
                return self._tag_values(inner, name, above | {key})
            case _:
                return None

    def pinned(self, type_: Type) -> tuple[JsonValue, ...] | None:
        """The literals that a type is pinned to, if all of them are strings, or all of them integers; else None."""
        type_ = self.unwrap(type_)
        values: tuple[JsonValue, ...] | None = None
        if isinstance(type_, Literals):
            values = type_.values
        elif isinstance(type_, Ref) and isinstance(target := self.table[type_.key], Enum) and target.open is None:
            values = tuple(value.value for value in target.values)
        if not values or len({value.__class__ for value in values}) != 1 or values[0].__class__ not in (str, int):
            return None
        return values

    def records(self, type_: Type) -> tuple[Record, ...] | None:
        """The records that the objects of a type are; None when an object may also be something else."""
        return self._records(type_, frozenset())

    def _records(self, type_: Type, above: frozenset[Key]) -> tuple[Record, ...] | None:
        match type_:
            case Checked(inner=inner) | NonNull(inner=inner) | Nullable(inner=inner):
                return self._records(inner, above)
            case Choice(members=members):
                found: dict[Key, Record] = {}
                for member in members:
                    records = self._records(member.type, above)
                    if records is None:
                        return None
                    found.update((record.key, record) for record in records)
                return tuple(found.values())
            case Ref(key=key):
                definition = self.table[key]
                if isinstance(definition, Record):
                    return (definition,)
                if key in above or isinstance(definition, Enum):
                    return ()
                inner = definition.choice if isinstance(definition, Union) else definition.type
                return self._records(inner, above | {key})
            case _:
                return None if "object" in self.kinds(type_) else ()

    def lacks(self, type_: Type, name: str) -> bool:
        """No object of this type can have the member ``name``: its records are closed and do not declare it."""
        records = self.records(type_)
        return records is not None and all(
            isinstance(record.extras, Closed)
            and not record.extras.patterns
            and all(field.wire_name != name or isinstance(field.type, Never) for field in record.fields)
            for record in records
        )
