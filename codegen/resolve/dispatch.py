"""Choices that are still undecided → choices whose members are proven apart, or tried.

Must not read schemas but for a stated discriminator. A dispatch is used only where it is proven to give the verdict that
``anyOf`` or ``oneOf`` would give; everything else is tried, which is slower and always right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from codegen.facts import ALL_KINDS, Facts
from codegen.model import (
    Alias,
    ByKeys,
    ByKind,
    ByTag,
    ByTrial,
    Case,
    Check,
    Checked,
    Choice,
    Definition,
    Dispatch,
    Doc,
    Enum,
    Integer,
    Is,
    JsonKind,
    JsonValue,
    Key,
    Literals,
    MapOf,
    Member,
    Model,
    Never,
    NonNull,
    Null,
    Nullable,
    Open,
    Record,
    Ref,
    Switch,
    Type,
    Union,
)
from codegen.pointer import Origin, parent
from codegen.resolve import discriminator, docs, rewrite
from codegen.resolve.choices import UNDECIDED
from codegen.resolve.discriminator import Stated
from codegen.resolve.meet import plain, shallow_kinds
from codegen.resolve.spelling import UNNAMED

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter


def decided(model: Model, reader: Interpreter) -> Model:
    """``model`` with every choice decided, and every tagged choice that stands inside another type made a definition."""
    return _Decision(model, reader).whole()


class _Decision:
    def __init__(self, model: Model, reader: Interpreter) -> None:
        self.model = model
        self.reader = reader
        self.facts = Facts(model)
        # What is hoisted is asked about as well: a tagged choice may be a member of another choice.
        self._table = self.facts.table = model.table()
        self.hoisted: dict[Key, Union] = {}
        self.scope: tuple[tuple[str, str], ...] = ()

    def whole(self) -> Model:
        definitions = tuple(self._definition(definition) for definition in self.model.definitions)
        self.scope = ()
        root = None if self.model.root is None else rewrite.in_type(self.model.root, self._type)
        operations = tuple(rewrite.in_operation(operation, self._type) for operation in self.model.operations)
        definitions = (*definitions, *self.hoisted.values())
        return replace(self.model, definitions=definitions, root=root, operations=operations)

    def _definition(self, definition: Definition) -> Definition:
        self.scope = definition.key.scope
        if isinstance(definition, Union):
            return self._named(definition, rewrite.in_definition(definition, self._type))
        if isinstance(definition, Alias) and isinstance(definition.type, Choice | Checked):
            inner: Type = definition.type
            checks: tuple[Check, ...] = ()
            if isinstance(inner, Checked):
                checks, inner = rewrite.in_checks(inner.checks, self._type), inner.inner
            if isinstance(inner, Choice):
                union = Union(
                    key=definition.key,
                    name=definition.name,
                    doc=definition.doc,
                    notes=definition.notes,
                    choice=rewrite.in_choice(inner, self._type),
                    checks=checks,
                    origin=definition.origin,
                )
                return self._named(union, union)
        return rewrite.in_definition(definition, self._type)

    def _named(self, before: Union, union: Definition) -> Definition:
        assert isinstance(union, Union)
        type_ = self.decide(union.choice)
        if isinstance(type_, Choice):
            return replace(union, choice=type_)
        if union.checks:
            type_ = Checked(inner=type_, checks=union.checks, origin=union.origin)
        return Alias(key=union.key, name=union.name, doc=union.doc, notes=union.notes, type=type_, origin=union.origin)

    def _type(self, type_: Type) -> Type:
        if isinstance(type_, NonNull) and not self.facts.accepts_null(type_.inner):
            return type_.inner
        if isinstance(type_, Checked):
            return self._checked(type_)
        if not isinstance(type_, Choice):
            return type_
        type_ = self.decide(type_)
        if isinstance(type_, Nullable):
            return replace(type_, inner=self._hoist(type_.inner))
        return self._hoist(type_)

    def _checked(self, type_: Checked) -> Type:
        """Checks that only repeat the kinds of the shape say nothing."""
        kinds = self.facts.kinds(type_.inner)
        checks = tuple(
            check
            for check in type_.checks
            if not isinstance(check, Is)
            or isinstance(check.type, Integer)
            or not (plain(check.type) and kinds <= self.facts.kinds(check.type))
        )
        return replace(type_, checks=checks) if checks else type_.inner

    def _hoist(self, type_: Type) -> Type:
        """A tagged choice that stands inside another type becomes a definition, unless its place already is one."""
        if not isinstance(type_, Choice) or not isinstance(type_.dispatch, ByTag):
            return type_
        schema = self.reader.contract.schema(Origin(type_.origin.document, parent(type_.origin.pointer)))
        key = self.reader.key(
            schema, self.scope
        )  # without a scope that cannot matter there: else one place had two names
        known = self.hoisted.get(key)
        if known is not None and known.choice == type_:
            return Ref(key=key, origin=known.origin)
        if key in self._table:  # as a definition of its own, or for the other of two choices that stand there
            return type_
        self._table[key] = self.hoisted[key] = Union(
            key=key, name=UNNAMED, doc=docs.doc(schema), notes=docs.notes(schema), choice=type_, origin=schema.origin
        )
        return Ref(key=key, origin=schema.origin)

    # --- one choice ---------------------------------------------------------------------------------------------------

    def decide(self, choice: Choice) -> Type:
        """``choice`` with the best dispatch that can be proven; a simpler type where only one member is left."""
        if choice.dispatch is not UNDECIDED:
            return choice
        members = [member for member in choice.members if self.facts.kinds(member.type)]
        if not members:
            return Never(origin=choice.origin)
        if len(members) == 1:
            return members[0].type
        nulls = [member for member in members if isinstance(member.type, Null)]
        others = [member for member in members if not isinstance(member.type, Null)]
        if len(nulls) == 1 and others:
            twice = choice.exclusive and any(self.facts.accepts_null(member.type) for member in others)
            if not twice:
                rest = others[0].type if len(others) == 1 else self._apart(choice, others)
                return rest if isinstance(rest, Nullable) else Nullable(inner=rest, origin=choice.origin)
        return self._apart(choice, members)

    def _apart(self, choice: Choice, members: list[Member]) -> Choice:
        """Members grouped by the JSON kinds that they share; each group of several is told apart in its own way."""
        groups = self._groups(members)
        if len(groups) == 1:
            return self._one_kind(choice, members)
        outer: list[Member] = []
        cases: list[tuple[JsonKind, int]] = []
        for i, (kinds, group) in enumerate(groups):
            if len(group) == 1:
                outer.append(group[0])
            else:
                inner = self._one_kind(choice, group)
                outer.append(Member(type=inner, doc=Doc(), origin=choice.origin))
            cases += [(kind, i) for kind in sorted(kinds)]
        return Choice(
            members=tuple(outer),
            exclusive=choice.exclusive,
            dispatch=ByKind(cases=tuple(cases)),
            origin=choice.origin,
        )

    def _groups(self, members: list[Member]) -> list[tuple[frozenset[JsonKind], list[Member]]]:
        groups: list[tuple[frozenset[JsonKind], list[int]]] = []
        for i, member in enumerate(members):
            kinds = self.facts.kinds(member.type)
            joined: list[int] = []
            apart = []
            for other_kinds, group in groups:
                if other_kinds & kinds:
                    kinds |= other_kinds
                    joined = group if not joined else joined + group
                else:
                    apart.append((other_kinds, group))
            joined.append(i)
            groups = [*apart, (kinds, joined)]
        groups = sorted(((kinds, sorted(group)) for kinds, group in groups), key=lambda group: group[1][0])
        return [(kinds, [members[i] for i in group]) for kinds, group in groups]

    def _one_kind(self, choice: Choice, members: list[Member]) -> Choice:
        rest = members[-1].type if not choice.exclusive and self._catches_all(members) else None
        dispatch: Dispatch
        if rest is not None:
            dispatch = ByTrial(reason="the last member also accepts what the others do not")
        else:
            dispatch = self._by_tag(choice, members) or self._by_keys(members) or self._by_trial(choice, members)
        return Choice(
            members=tuple(members), exclusive=choice.exclusive, dispatch=dispatch, rest=rest, origin=choice.origin
        )

    def _catches_all(self, members: list[Member]) -> bool:
        """The last of several members accepts every value of the kinds that the others are of (an open union)."""
        last = self.facts.unwrap(members[-1].type)
        kinds: frozenset[JsonKind] = frozenset().union(*(self.facts.kinds(member.type) for member in members[:-1]))
        if self.facts.is_any(members[-1].type):
            return True
        if isinstance(members[-1].type, Checked):
            return False
        match last:
            case MapOf(value=value, key_pattern=None):
                return self.facts.is_any(value) and kinds == {"object"}
            case Ref(key=key) if isinstance(record := self.facts.definition(key), Record):
                harmless = all(not f.required and self.facts.is_any(f.type) for f in record.fields)
                return isinstance(record.extras, Open) and not record.extras.patterns and harmless and not record.checks
            case _:
                return plain(last) and shallow_kinds(last) == kinds

    # --- proofs -------------------------------------------------------------------------------------------------------

    def _by_tag(self, choice: Choice, members: list[Member]) -> ByTag | None:
        if any(self.facts.kinds(member.type) != {"object"} for member in members):
            return None
        stated = discriminator.stated(self.reader, choice)
        switch = self._switch(choice, members, list(range(len(members))), (), stated)
        if switch is None:
            return None
        if stated is not None and switch.property == stated.property:
            values = self._pinned(members, list(range(len(members))), (), stated)[stated.property]
            discriminator.agree(self.reader, stated, choice, members, values)
        return ByTag(switch=switch)

    def _pinned(
        self, members: list[Member], indices: list[int], used: tuple[str, ...], stated: Stated | None
    ) -> dict[str, list[tuple[JsonValue, ...]]]:
        """The required members that each of ``indices`` pins to literals, with the literals of each; a stated one first."""
        records = self.facts.records(members[indices[0]].type) or ()
        names = [field.wire_name for record in records[:1] for field in record.fields if field.required]
        if stated is not None and stated.property in names:
            names = [stated.property, *(name for name in names if name != stated.property)]
        found = {}
        for name in names:
            values = [self.facts.tag_values(members[i].type, name) for i in indices] if name not in used else [None]
            if all(value is not None for value in values):
                found[name] = [value for value in values if value is not None]
        return found

    def _switch(
        self,
        choice: Choice,
        members: list[Member],
        indices: list[int],
        used: tuple[str, ...],
        stated: Stated | None,
    ) -> Switch | None:
        """A look-up that leads each of ``indices`` apart: by one property where one is enough, else nested. A nested look-up
        needs a property that those alone pin whom the outer one leaves together."""
        nested: Switch | None = None
        for name, values in self._pinned(members, indices, used, stated).items():
            groups: dict[JsonValue, list[int]] = {}
            for i, own in zip(indices, values, strict=True):
                for value in own:
                    groups.setdefault(value, []).append(i)
            if len(groups) < 2:
                continue
            ways = {
                value: group[0] if len(group) == 1 else self._switch(choice, members, group, (*used, name), None)
                for value, group in groups.items()
            }
            cases = [Case(value=value, to=to) for value, to in ways.items() if to is not None]
            if len(cases) < len(ways):
                continue
            single = all(isinstance(case.to, int) for case in cases)
            is_stated = stated is not None and stated.property == name
            enum = self._tag_enum(members, indices, name)
            switch = Switch(property=name, cases=tuple(cases), enum=enum, stated=is_stated, origin=choice.origin)
            if single:
                return switch
            nested = nested or switch
        return nested

    def _tag_enum(self, members: list[Member], indices: Iterable[int], name: str) -> Key | None:
        """The enum that the tags of all members are values of."""
        enums: set[Key | None] = set()
        for i in indices:
            for record in self.facts.records(members[i].type) or ():
                for field in record.fields:
                    if field.wire_name == name:
                        type_ = self.facts.unwrap(field.type)
                        if isinstance(type_, Literals):
                            enums.add(type_.enum)
                        else:
                            target = type_ if isinstance(type_, Ref) else None
                            is_enum = target is not None and isinstance(self.facts.definition(target.key), Enum)
                            enums.add(target.key if target is not None and is_enum else None)
        return next(iter(enums)) if len(enums) == 1 else None

    def _by_keys(self, members: list[Member]) -> ByKeys | None:
        """Closed records, each but one with a required member that none of the others can have."""
        if any(self.facts.kinds(member.type) != {"object"} for member in members):
            return None
        cases: list[tuple[str, int]] = []
        without: list[int] = []
        for i, member in enumerate(members):
            key = next(
                (
                    name
                    for name in self._required(member.type)
                    if all(self.facts.lacks(other.type, name) for j, other in enumerate(members) if j != i)
                ),
                None,
            )
            if key is None:
                without.append(i)
            else:
                cases.append((key, i))
        if len(without) > 1:
            return None
        return ByKeys(cases=tuple(cases), otherwise=without[0] if without else None)

    def _required(self, type_: Type) -> list[str]:
        """Members that every object of the type has."""
        records = self.facts.records(type_)
        if not records:
            return []
        names = [field.wire_name for field in records[0].fields if field.required]
        for record in records[1:]:
            own = {field.wire_name for field in record.fields if field.required}
            names = [name for name in names if name in own]
        return names

    def _by_trial(self, choice: Choice, members: list[Member]) -> ByTrial:
        stated = discriminator.stated(self.reader, choice)
        if stated is not None:
            reason = f'the discriminator is "{stated.property}", which not every member requires as a literal'
            return ByTrial(reason=reason)
        kinds: frozenset[JsonKind] = ALL_KINDS
        for member in members:
            kinds &= self.facts.kinds(member.type)
        shared = ", ".join(sorted(kinds)) or "the same kinds of values"
        reason = f"no required literal and no key of a closed object tells members apart that accept {shared}"
        return ByTrial(reason=reason)
