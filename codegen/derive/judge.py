"""A type of the model, a JSON value → whether the value is of the type.

Must not build anything, explain a refusal or be fast: it says in the shortest way what the model means. So it can choose
among derived values before any binding exists, and is a measure of ``resolve`` that no generated code stands in front of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from codegen.facts import Facts, kind_of
from codegen.model import (
    Alias,
    All,
    Any,
    AnyJson,
    Boolean,
    ByKeys,
    ByKind,
    ByTag,
    ByTrial,
    Check,
    Checked,
    Choice,
    Closed,
    Contains,
    Count,
    Definition,
    Each,
    Enum,
    ExactlyOne,
    Has,
    If,
    Integer,
    Is,
    JsonValue,
    Limit,
    ListOf,
    Literals,
    MapOf,
    MultipleOf,
    Never,
    NonNull,
    Not,
    Null,
    Nullable,
    Number,
    Pattern,
    Record,
    Ref,
    Seen,
    Switch,
    Text,
    TupleOf,
    Type,
    Typed,
    Unevaluated,
    Union,
    Unique,
    When,
)
from codegen.patterns import translate


def same_json(left: JsonValue, right: JsonValue) -> bool:
    """JSON equality: numbers by value, ``true`` is no number, objects ignore order (JSON Schema 2020-12 core, 4.2.2)."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_json, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_json(value, right[name]) for name, value in left.items())
    return kind_of(left) == kind_of(right) and left == right


@lru_cache(maxsize=4096)
def compiled(source: str) -> re.Pattern[str]:
    """A contract's pattern as Python knows it."""
    return re.compile(translate(source))


def matches(pattern: Pattern, text: str) -> bool:
    """``text`` matches somewhere."""
    return compiled(pattern.source).search(text) is not None


def within(number: int | float, low: Limit | None, high: Limit | None) -> bool:
    """``number`` keeps both bounds."""
    if low is not None and (number < low.value or (low.exclusive and number == low.value)):
        return False
    return high is None or not (number > high.value or (high.exclusive and number == high.value))


def is_multiple(number: int | float, of: Decimal) -> bool:
    """In decimal arithmetic on the literals: 0.3 is a multiple of 0.1."""
    return Fraction(Decimal(repr(number))) % Fraction(of) == 0


class Judge:
    """Verdicts under one model. Recursion follows the value, so values may be some hundred levels deep, not more."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    # --- types --------------------------------------------------------------------------------------------------------

    def accepts(self, type_: Type, value: JsonValue) -> bool:
        """``value`` is of ``type_``."""
        match type_:
            case AnyJson():
                return True
            case Never():
                return False
            case Null():
                return value is None
            case Boolean():
                return isinstance(value, bool)
            case Integer(minimum=low, maximum=high, literal=literal):
                if isinstance(value, bool) or not isinstance(value, int | float):
                    return False
                whole = isinstance(value, int) or (value.is_integer() and not literal)
                return whole and within(value, low, high)
            case Number(minimum=low, maximum=high):
                return isinstance(value, int | float) and not isinstance(value, bool) and within(value, low, high)
            case Text(min_length=low, max_length=high, patterns=patterns):
                if not isinstance(value, str) or not within(len(value), low, high):
                    return False
                return all(matches(pattern, value) for pattern in patterns)
            case Literals(values=values):
                return any(same_json(value, literal) for literal in values)
            case Ref(key=key):
                return self.is_a(self.facts.definition(key), value)
            case ListOf(item=item, min_items=low, max_items=high):
                if not isinstance(value, list) or not within(len(value), low, high):
                    return False
                return all(self.accepts(item, one) for one in value)
            case TupleOf():
                return isinstance(value, list) and self._tuple(type_, value)
            case MapOf(value=inner, key_pattern=pattern):
                if not isinstance(value, dict):
                    return False
                if pattern is not None and not all(matches(pattern, name) for name in value):
                    return False
                return all(self.accepts(inner, member) for member in value.values())
            case Nullable(inner=inner):
                return value is None or self.accepts(inner, value)
            case NonNull(inner=inner):
                return value is not None and self.accepts(inner, value)
            case Checked(inner=inner, checks=checks):
                return self.accepts(inner, value) and all(self.holds(check, value) for check in checks)
            case Choice():
                return self._choice(type_, value)

    def _tuple(self, type_: TupleOf, value: list[JsonValue]) -> bool:
        if not within(len(value), type_.min_items, type_.max_items):
            return False
        if not all(self.accepts(item, one) for item, one in zip(type_.items, value, strict=False)):
            return False
        return type_.rest is None or all(self.accepts(type_.rest, one) for one in value[len(type_.items) :])

    def _choice(self, choice: Choice, value: JsonValue) -> bool:
        members = [member.type for member in choice.members]
        match choice.dispatch:
            case ByKind(cases=kinds):
                return any(kind == kind_of(value) and self.accepts(members[i], value) for kind, i in kinds)
            case ByTag(switch=switch):
                to = _looked_up(switch, value)
                return to is not None and self.accepts(members[to], value)
            case ByKeys(cases=keys, otherwise=otherwise):
                if not isinstance(value, dict):
                    return False
                to = next((i for name, i in keys if name in value), otherwise)
                return to is not None and self.accepts(members[to], value)
            case ByTrial():
                accepting = (True for member in members if self.accepts(member, value))
                return next(accepting, False) and not (choice.exclusive and next(accepting, False))

    # --- definitions --------------------------------------------------------------------------------------------------

    def is_a(self, definition: Definition, value: JsonValue) -> bool:
        """``value`` is what the definition describes."""
        return self.has_shape(definition, value) and all(self.holds(check, value) for check in definition.checks)

    def has_shape(self, definition: Definition, value: JsonValue) -> bool:
        """``value`` is what the definition describes, its checks left out."""
        match definition:
            case Record():
                return isinstance(value, dict) and self._members(definition, value)
            case Enum(values=values, open=rest):
                listed = any(same_json(value, literal.value) for literal in values)
                return listed or (rest is not None and self.accepts(rest, value))
            case Union(choice=choice):
                return self._choice(choice, value)
            case Alias(type=type_):
                return self.accepts(type_, value)

    def _members(self, record: Record, value: dict[str, JsonValue]) -> bool:
        for field in record.fields:
            if field.wire_name in value:
                if not self.accepts(field.type, value[field.wire_name]):
                    return False
            elif field.required:
                return False
        names = {field.wire_name for field in record.fields}
        return all(self.takes_extra(record, name, member) for name, member in value.items() if name not in names)

    def takes_extra(self, record: Record, name: str, value: JsonValue) -> bool:
        """The record admits the undeclared member ``name`` with ``value``, its checks left out."""
        types = [type_ for pattern, type_ in record.extras.patterns if matches(pattern, name)]
        if types:
            return all(self.accepts(type_, value) for type_ in types)
        if isinstance(record.extras, Typed):
            return self.accepts(record.extras.value, value)
        return not isinstance(record.extras, Closed)

    # --- checks -------------------------------------------------------------------------------------------------------

    def holds(self, check: Check, value: JsonValue) -> bool:
        """``check`` passes for ``value``; it does for kinds that it does not speak of."""
        match check:
            case Is(type=type_):
                return self.accepts(type_, value)
            case Not(check=inner):
                return not self.holds(inner, value)
            case All(checks=checks):
                return all(self.holds(inner, value) for inner in checks)
            case Any(checks=checks):
                return any(self.holds(inner, value) for inner in checks)
            case ExactlyOne(checks=checks):
                return sum(self.holds(inner, value) for inner in checks) == 1
            case If(condition=condition, then=then, otherwise=otherwise):
                branch = then if self.holds(condition, value) else otherwise
                return branch is None or self.holds(branch, value)
            case Has(name=name):
                return not isinstance(value, dict) or name in value
            case When(name=name, check=inner):
                return not isinstance(value, dict) or name not in value or self.holds(inner, value)
            case Each():
                return all(self.holds(check.check, one) for one in _spoken_of(check, value))
            case Contains(type=type_, minimum=low, maximum=high):
                if not isinstance(value, list):
                    return True
                return within(sum(self.accepts(type_, one) for one in value), low, high)
            case Count(of=of, minimum=low, maximum=high):
                if not isinstance(value, dict if of == "members" else list):
                    return True
                return within(len(value), low, high)
            case MultipleOf(value=of):
                return isinstance(value, bool) or not isinstance(value, int | float) or is_multiple(value, of)
            case Unique():
                if not isinstance(value, list):
                    return True
                return not any(same_json(one, other) for i, one in enumerate(value) for other in value[:i])
            case Unevaluated(of="members", seen=seen, type=type_):
                if not isinstance(value, dict):
                    return True
                return all(self.accepts(type_, value[name]) for name in self._unseen_members(seen, value))
            case Unevaluated(seen=seen, type=type_):
                if not isinstance(value, list):
                    return True
                return all(self.accepts(type_, value[i]) for i in self._unseen_items(seen, value))

    def _unseen_members(self, seen: tuple[Seen, ...], value: dict[str, JsonValue]) -> list[str]:
        names = list(value)
        for part in seen:
            if part.when is not None and not self.holds(part.when, value):
                continue
            if part.all:
                return []
            names = [
                name
                for name in names
                if name not in part.names and not any(matches(pattern, name) for pattern in part.patterns)
            ]
            inner = set(self._unseen_members(part.inner, value))
            names = [name for name in names if name in inner]
        return names

    def _unseen_items(self, seen: tuple[Seen, ...], value: list[JsonValue]) -> list[int]:
        places = list(range(len(value)))
        for part in seen:
            if part.when is not None and not self.holds(part.when, value):
                continue
            if part.all:
                return []
            places = [
                i
                for i in places
                if i >= part.prefix and (part.matching is None or not self.accepts(part.matching, value[i]))
            ]
            inner = set(self._unseen_items(part.inner, value))
            places = [i for i in places if i in inner]
        return places


def _looked_up(switch: Switch, value: JsonValue) -> int | None:
    """The member that a value's tags lead to; None when they lead nowhere."""
    to: int | Switch | None = switch
    while isinstance(to, Switch):
        if not isinstance(value, dict) or to.property not in value:
            return None
        tag = value[to.property]
        to = next((case.to for case in to.cases if same_json(case.value, tag)), None)
    return to


def _spoken_of(check: Each, value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, list) and check.of == "items":
        return value
    if isinstance(value, dict) and check.of == "names":
        return value
    if isinstance(value, dict) and check.of == "values":
        pattern = check.pattern
        return [member for name, member in value.items() if pattern is None or matches(pattern, name)]
    return ()
