"""A model and a policy → what its senders write and its receivers take, value by value.

Must not widen a verdict of the judge by anything that the policy does not state. Checks are judged by the letter, on the value
as it was received.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from codegen.derive.judge import Judge, matches, same_json
from codegen.evolve.atoms import Atom, Exactly, Items, Members, Values, open_base
from codegen.evolve.bounds import greatest_count, least_count
from codegen.evolve.policy import Policy
from codegen.facts import Facts
from codegen.model import (
    ByKind,
    ByTag,
    ByTrial,
    Check,
    Choice,
    Closed,
    Definition,
    Enum,
    JsonValue,
    Literals,
    MapOf,
    Open,
    Pattern,
    Record,
    Switch,
    Type,
)


@dataclass(frozen=True, slots=True)
class Names:
    """Names and patterns of names that the objects of a model declare."""

    names: frozenset[str]
    patterns: tuple[Pattern, ...]

    @classmethod
    def of(cls, facts: Facts) -> Names:
        """Those of every record of the model."""
        records = [definition for definition in facts.model.definitions if isinstance(definition, Record)]
        names = frozenset(field.wire_name for record in records for field in record.fields)
        patterns = {pattern.source: pattern for record in records for pattern, _ in record.extras.patterns}
        return cls(names, tuple(patterns.values()))

    def __contains__(self, name: str) -> bool:
        return name in self.names or any(matches(pattern, name) for pattern in self.patterns)


class Sender:
    """Whoever writes by the model. Under a policy that reserves undeclared names, none that the other version declares
    anywhere is used: a document that uses one shows nothing."""

    def __init__(self, facts: Facts, policy: Policy, others: Names) -> None:
        self._exact = Judge(facts)
        self._reserving = _Reserving(facts, others) if policy.reserved else None

    def accepts(self, type_: Type, value: JsonValue) -> bool:
        """``value`` may be written where ``type_`` is."""
        return self._exact.accepts(type_, value) and (self._reserving is None or self._reserving.accepts(type_, value))


class _Reserving(Judge):
    """Refuses undeclared members of open objects whose names the other version declares."""

    def __init__(self, facts: Facts, others: Names) -> None:
        super().__init__(facts)
        self._others = others
        self._exact = Judge(facts)

    def accepts(self, type_: Type, value: JsonValue) -> bool:
        if isinstance(type_, MapOf) and isinstance(value, dict) and self._is_open(type_):
            return not any(name in self._others for name in value)
        return super().accepts(type_, value)

    def _is_open(self, type_: MapOf) -> bool:
        return type_.key_pattern is None and self.facts.is_any(type_.value)

    def takes_extra(self, record: Record, name: str, value: JsonValue) -> bool:
        unnamed = not any(matches(pattern, name) for pattern, _ in record.extras.patterns)
        if isinstance(record.extras, Open) and unnamed and name in self._others:
            return False
        return super().takes_extra(record, name, value)

    def holds(self, check: Check, value: JsonValue) -> bool:
        return self._exact.holds(check, value)

    def _choice(self, choice: Choice, value: JsonValue) -> bool:
        # How many members accept is a matter of the letter; that one of them writes the value is what is asked here.
        if isinstance(choice.dispatch, ByKind):
            return super()._choice(choice, value)
        return any(self.accepts(member.type, value) for member in choice.members)


class Receiver(Judge):
    """Whoever reads by the model, as the policy says."""

    def __init__(self, facts: Facts, policy: Policy) -> None:
        super().__init__(facts)
        self._policy = policy

    @cached_property
    def _exact(self) -> Judge:
        return Judge(self.facts)

    def accepts(self, type_: Type, value: JsonValue) -> bool:
        """Values that are not listed are kept in an open world."""
        if super().accepts(type_, value):
            return True
        if not (self._policy.open_world and isinstance(type_, Literals)):
            return False
        return _is_of_base(open_base(type_.values), value)

    def takes_extra(self, record: Record, name: str, value: JsonValue) -> bool:
        """Undeclared members of closed objects are dropped."""
        unnamed = not any(matches(pattern, name) for pattern, _ in record.extras.patterns)
        if self._policy.tolerant and isinstance(record.extras, Closed) and unnamed:
            return True
        return super().takes_extra(record, name, value)

    def has_shape(self, definition: Definition, value: JsonValue) -> bool:
        """Unknown enum values are kept in an open world."""
        if super().has_shape(definition, value):
            return True
        return self._policy.open_world and isinstance(definition, Enum) and _is_of_base(definition.base, value)

    def holds(self, check: Check, value: JsonValue) -> bool:
        """By the letter, on the value as it was received."""
        return self._exact.holds(check, value)

    def _choice(self, choice: Choice, value: JsonValue) -> bool:
        match choice.dispatch:
            case ByKind():
                return super()._choice(choice, value)
            case ByTag(switch=switch):
                return super()._choice(choice, value) or (self._policy.open_world and _is_unknown(switch, value))
            case ByTrial() if choice.exclusive:
                # By the letter first; only what no member accepts is read as the policy says.
                accepting = sum(self._exact.accepts(member.type, value) for member in choice.members)
                if accepting:
                    return accepting == 1
        return any(self.accepts(member.type, value) for member in choice.members)


def _is_of_base(base: str | None, value: JsonValue) -> bool:
    """The value could be one more of its enum."""
    if base == "string":
        return isinstance(value, str)
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return base == "integer" and whole and not isinstance(value, bool)


def _is_unknown(switch: Switch, value: JsonValue) -> bool:
    """The value has a tag that leads nowhere."""
    to: int | Switch | None = switch
    while isinstance(to, Switch):
        if not isinstance(value, dict) or to.property not in value:
            return False
        tag = value[to.property]
        to = next((case.to for case in to.cases if same_json(case.value, tag)), None)
    return to is None


def takes(judge: Judge, atom: Atom, value: JsonValue) -> bool:
    """``value`` is of the atom, in the eyes of ``judge``: also of one that was made up, which no type spells."""
    if not all(judge.holds(check, value) for check in atom.checks):
        return False
    match atom.body:
        case Members() as body:
            return isinstance(value, dict) and _takes_members(judge, body, value)
        case Items(low=low, high=high) as body:
            most = greatest_count(high)
            return (
                isinstance(value, list)
                and len(value) >= least_count(low)
                and (most is None or len(value) <= most)
                and all(judge.accepts(body.at(index), item) for index, item in enumerate(value))
            )
        case Values(values=values, origin=origin):
            return judge.accepts(Literals(values=values, origin=origin), value)
        case Exactly(members=members):
            return sum(judge.accepts(member, value) for member in members) == 1
        case type_:
            return judge.accepts(type_, value)


def _takes_members(judge: Judge, body: Members, value: dict[str, JsonValue]) -> bool:
    if any(one.required and name not in value for name, one in body.declared.items()):
        return False
    for name, member in value.items():
        views = body.views(name)
        if views is None or not all(judge.accepts(type_, member) for type_ in views):
            return False
    return True
