"""Contract → definitions, each place read once.

Must not build what one keyword means (the neighbouring modules do): it walks places, gives each an identity before it is
read, so that recursion is ordinary, and joins what holds at a place into a shape plus checks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace

from codegen.document import Contract, Schema
from codegen.errors import ContractError, Problem
from codegen.model import (
    Alias,
    AnyJson,
    Check,
    Checked,
    Choice,
    Definition,
    Doc,
    Enum,
    EnumValue,
    Integer,
    Is,
    Key,
    Literals,
    Model,
    Name,
    Never,
    NonNull,
    Notes,
    Nullable,
    Ref,
    Text,
    Type,
    Union,
)
from codegen.pointer import Origin
from codegen.resolve import checks, choices, discriminator, docs, flatten, kinds, operations, records, within
from codegen.resolve.flatten import Node, Scope
from codegen.resolve.meet import checked, meet, plain, shallow_kinds
from codegen.resolve.spelling import UNNAMED


class Interpreter:
    """Reads one contract. ``problems`` collects what cannot be meant; ``table`` holds the definitions read so far."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.problems: list[Problem] = []
        self.table: dict[Key, Definition] = {}
        self.schemas: dict[Key, Schema] = {}
        self.declared: set[Key] = set()
        self.components: Mapping[str, Schema] = {}
        # Components that only say where a schema is, which bears their name then: by the place of either.
        self.elsewhere: dict[Origin, Schema] = {}
        self.component_names: dict[Origin, str] = {}
        self.operation_ids: dict[Key, str] = {}
        self.partial: dict[Origin, Type] = {}
        self._queue: deque[tuple[Key, Schema, Scope]] = deque()
        self._queued: set[Key] = set()
        self._targets: set[Origin] = set()
        self._open: set[Key] = set()

    # --- places -------------------------------------------------------------------------------------------------------

    def key(self, schema: Schema, scope: Scope, part: str = "") -> Key:
        """The identity of a place; a scope that cannot matter there is left out of it."""
        if scope and not self.contract.needs_scope(schema):
            scope = ()
        key = Key(schema.origin.document, schema.origin.pointer, scope, part)
        self.schemas.setdefault(key, schema)
        return key

    def ref(self, schema: Schema, scope: Scope, at: Origin) -> Ref:
        """A reference to the definition at ``schema``, which is read later if it has not been."""
        schema = self.elsewhere.get(schema.origin, schema)
        key = self.key(schema, scope)
        if key not in self._queued:
            self._queued.add(key)
            self._queue.append((key, schema, scope))
        return Ref(key=key, origin=at)

    def target(self, schema: Schema, keyword: str, scope: Scope) -> Schema:
        """What a reference of ``schema`` leads to under a dynamic scope."""
        if keyword == "$dynamicRef":
            return self.contract.dynamic(schema, scope)
        return self.contract.follow(schema)

    def walk(self, schema: Schema) -> Iterator[Schema]:
        """``schema`` and every schema below it, in contract order."""
        todo = [schema]
        while todo:
            schema = todo.pop()
            yield schema
            below: list[Schema] = []
            for keyword in schema.keywords():
                one = schema.one(keyword)
                below += [*([one] if one is not None else []), *schema.many(keyword), *schema.named(keyword).values()]
            todo.extend(reversed(below))

    # --- the whole ----------------------------------------------------------------------------------------------------

    def model(self, version: str) -> Model:
        """The model with every definition read; dispatch and names are still to be decided."""
        contract = self.contract
        schemas = tuple(schema for start in contract.schemas for schema in self.walk(start))
        self._targets = {contract.follow(schema).origin for schema in schemas if schema.has("$ref")}
        components = None if contract.openapi is None else contract.openapi.one("components")
        self.components = components.schemas("schemas") if components is not None else {}
        for name, schema in self.components.items():
            self._send_elsewhere(name, schema)
        for schema in self.components.values():
            self._declare(schema)
        if contract.openapi is not None:
            for schema in schemas:
                discriminator.check(self, schema)
        root_type = None if contract.openapi is not None else self._root(contract.root)
        for schema in schemas:
            for definition in schema.named("$defs").values():
                self._declare(definition)
        if isinstance(root_type, Ref):
            self.declared.add(root_type.key)
        model = Model(
            id=contract.id,
            version=version,
            title="",
            digest=contract.digest,
            doc=Doc(),
            root=root_type,
            definitions=(),
            origin=Origin("", ""),
        )
        if contract.openapi is not None:
            model = operations.described(self, contract.openapi, model)
        elif contract.root.boolean is None:
            model = replace(model, title=str(contract.root.get("title", "")), doc=docs.doc(contract.root))
        self._read_all()
        return replace(model, definitions=tuple(self.table.values()))

    def _root(self, root: Schema) -> Type:
        """What the contract itself asserts."""
        scope = self.contract.enter((), root)
        lone = flatten.lone_reference(root)
        if lone is not None:
            return self._lone(lone, scope)
        if root.boolean is None and flatten.asserts(root):
            return self.ref(root, scope, root.origin)
        return self.type_of(root, scope)

    def _send_elsewhere(self, name: str, schema: Schema) -> None:
        """A component that is nothing but a reference to what is no component here gives that its name."""
        if schema.keywords() != ("$ref",) or schema.extensions():
            return
        target = self.contract.follow(schema)
        is_component = any(target is component for component in self.components.values())
        if not is_component and target.origin not in self.component_names:
            self.elsewhere[schema.origin] = target
            self.component_names[target.origin] = name

    def _declare(self, schema: Schema) -> None:
        """Make a schema that the contract gives a name to a definition, whether anything uses it or not."""
        self.declared.add(self.ref(schema, self.contract.enter((), schema), schema.origin).key)

    def _read_all(self) -> None:
        while self._queue:
            key, schema, scope = self._queue.popleft()
            if key in self.table:
                continue
            try:
                type_ = self.shape(schema, scope, key)
                if key not in self.table:
                    self.table[key] = self.named(key, schema, type_)
            except ContractError as error:
                self.problems.extend(error.problems)

    def named(self, key: Key, schema: Schema, type_: Type) -> Definition:
        """The definition that gives a type a name."""
        inner, own_checks = (type_.inner, type_.checks) if isinstance(type_, Checked) else (type_, ())
        doc, notes = docs.doc(schema), docs.notes(schema)
        match inner:
            case Literals(values=values) if choices.is_enum(values):
                return self._enum(key, schema, inner, None, own_checks)
            case Choice(members=members, rest=Text() as rest) if (
                len(members) == 2 and isinstance(members[0].type, Literals) and choices.is_enum(members[0].type.values)
            ):
                return self._enum(key, schema, members[0].type, rest, own_checks)
            case Choice():
                return Union(
                    key=key, name=UNNAMED, doc=doc, notes=notes, choice=inner, checks=own_checks, origin=schema.origin
                )
            case _:
                return Alias(key=key, name=UNNAMED, doc=doc, notes=notes, type=type_, origin=schema.origin)

    def _enum(self, key: Key, schema: Schema, literals: Literals, rest: Text | None, own: tuple[Check, ...]) -> Enum:
        described = choices.described_values(schema)
        values = []
        for i, value in enumerate(literals.values):
            assert isinstance(value, str | int)
            of_value = described.get(value)
            values.append(
                EnumValue(
                    value=value,
                    name=Name(spelled=str(value), words=(), source="declared"),
                    doc=docs.doc(of_value) if of_value is not None else Doc(),
                    notes=docs.notes(of_value) if of_value is not None else Notes(),
                    origin=of_value.origin if of_value is not None else literals.origin.at(i),
                )
            )
        return Enum(
            key=key,
            name=UNNAMED,
            doc=docs.doc(schema),
            notes=docs.notes(schema),
            base="string" if isinstance(values[0].value, str) else "integer",
            values=tuple(values),
            open=rest,
            checks=own,
            kind_at=literals.kind_at,
            values_at=literals.origin,
            origin=schema.origin,
        )

    def describe(self, key: Key, schema: Schema) -> None:
        """Give the record at ``key`` the documentation of the schema that it is a form of."""
        definition = self.table[key]
        self.table[key] = replace(definition, doc=docs.doc(schema), notes=docs.notes(schema), origin=schema.origin)

    def place(self, definition: Definition) -> None:
        """Enter a definition that was read as part of another place."""
        self.table[definition.key] = definition

    # --- one place ----------------------------------------------------------------------------------------------------

    def type_of(self, schema: Schema, scope: Scope) -> Type:
        """The type at an inline place: what needs a class or a name of its own becomes a definition, the rest stays."""
        type_ = self._type_of(schema, scope)
        if schema.states("x-wirebound-partial"):
            type_ = self.partial[schema.origin] = shells(type_)
        return type_

    def _type_of(self, schema: Schema, scope: Scope) -> Type:
        scope = self.contract.enter(scope, schema)
        lone = flatten.lone_reference(schema) if schema.boolean is None else None
        if lone is not None:
            return self._lone(lone, scope)
        key = self.key(schema, scope)
        if schema.origin in self._targets or key in self.declared or key in self._open:
            return self.ref(schema, scope, schema.origin)
        type_ = self.shape(schema, scope, key)
        inner = type_.inner if isinstance(type_, Checked) else type_
        if isinstance(inner, Literals) and schema.has("title") and choices.is_enum(inner.values) and schema.has("enum"):
            self.place(self.named(key, schema, type_))
            return Ref(key=key, origin=schema.origin)
        return type_

    def _lone(self, schema: Schema, scope: Scope) -> Ref:
        keyword = "$ref" if schema.has("$ref") else "$dynamicRef"
        scope = self.contract.enter(scope, schema)
        target = self.target(schema, keyword, scope)
        return self.ref(target, self.contract.enter(scope, target), schema.at(keyword))

    def shape(self, schema: Schema, scope: Scope, key: Key) -> Type:
        """What holds at a place, as one type. A record is entered under ``key`` when the place is nothing else."""
        # A place can contain itself through what it composes; while it is being read, it is referred to.
        self._open.add(key)
        try:
            return self._shape(schema, scope, key)
        finally:
            self._open.discard(key)

    def _shape(self, schema: Schema, scope: Scope, key: Key) -> Type:
        if schema.boolean is not None:
            return AnyJson(origin=schema.origin) if schema.boolean else Never(origin=schema.origin)
        lone = flatten.lone_reference(schema)
        if lone is not None:
            return self._lone(lone, scope)
        if flatten.asserts(schema) <= flatten.SCALAR:
            return kinds.own_type(self, Node(schema, scope, key, None, ()), self.key(schema, scope, "object"))
        tree = flatten.flatten(self, schema, scope, key)
        variants = choices.variants(self, tree)
        residual = checks.residual(self, tree)
        record_kinds = flatten.allowed_kinds(tree)
        shaping = next((variant for variant in variants if variant.shapes), None)
        others = tuple(variant.check for variant in variants if variant is not shaping)
        wholes = [whole.ref for whole in tree.wholes()]

        if shaping is None and record_kinds == {"object"} and records.is_record(tree) and not kinds.has_literals(tree):
            all_checks = (*others, *residual, *(Is(type=ref, origin=ref.origin) for ref in wholes))
            return records.record(self, tree, key, all_checks)

        if shaping is not None and shaping.schema is schema and not wholes:
            forms = within.forms(self, tree, shaping.keyword)
            if forms is not None:
                type_ = within.choice(self, tree, shaping.keyword, forms)
                return checked(type_, (*others, *residual), schema.origin)

        part = "own" if shaping is not None or wholes else "object"
        own = kinds.own_type(self, tree, self.key(schema, scope, part))
        candidates: list[Type] = [*wholes]
        if shaping is not None:
            candidates.append(shaping.type)
        type_ = self._joined(candidates, own, schema.origin)
        return checked(type_, (*others, *residual), schema.origin)

    def _joined(self, candidates: list[Type], own: Type, at: Origin) -> Type:
        """One shape for a place: literals before named types, named types before what the place says beside them."""
        if not candidates:
            return own
        first, *rest = candidates
        type_ = meet(first, own, self.literals_of) if isinstance(own, Literals | NonNull | AnyJson | Never) else first
        if type_ is first and not isinstance(own, AnyJson):
            known = shallow_kinds(own)
            if isinstance(own, Integer) or not (plain(own) and known and known >= self._kinds_below(first)):
                type_ = checked(first, (Is(type=own, origin=own.origin),), at)
        return checked(type_, tuple(Is(type=other, origin=other.origin) for other in rest), at)

    def _kinds_below(self, type_: Type) -> frozenset[str]:
        """JSON kinds of a choice or a reference as far as its own schemas say them; all, where they do not."""
        match type_:
            case Ref(key=key):
                schema = self.schemas[key]
                if schema.boolean is not None or self._referring(schema):
                    return frozenset(("?",))
                return flatten.kinds_of_type(schema)
            case Choice(members=members):
                return frozenset().union(*(self._kinds_below(member.type) for member in members))
            case _:
                return shallow_kinds(type_) or frozenset(("?",))

    def _referring(self, schema: Schema) -> bool:
        return not schema.has("type")

    def literals_of(self, ref: Ref) -> Literals | None:
        """The literals of the enum that a reference leads to; None when it is no plain enum."""
        schema = self.schemas[ref.key]
        if schema.boolean is not None or not flatten.asserts(schema) <= {"type", "enum"} or not schema.has("enum"):
            return None
        type_ = self.shape(schema, ref.key.scope, ref.key)
        return type_ if isinstance(type_, Literals) else None


def shells(type_: Type) -> Type:
    """``type_`` where documents hold shells of it."""
    match type_:
        case Ref():
            return replace(type_, partial=True)
        case Nullable(inner=inner) | NonNull(inner=inner) | Checked(inner=inner):
            return replace(type_, inner=shells(inner))
        case Choice(members=members):
            return replace(type_, members=tuple(replace(member, type=shells(member.type)) for member in members))
        case _:
            return type_
