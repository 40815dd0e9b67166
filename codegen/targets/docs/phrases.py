"""Types and checks → what a reader is told about them, in runs.

Must not decide anything: it words what the model says, all of it. Matches over kinds are exhaustive, so that a new kind of
type or check cannot be left out of the reference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import assert_never

from codegen.facts import Facts
from codegen.model import (
    Alias,
    All,
    Any,
    AnyJson,
    Boolean,
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
    Key,
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
    Record,
    Ref,
    Seen,
    Text,
    TupleOf,
    Type,
    Typed,
    Unevaluated,
    Union,
    Unique,
    When,
)
from codegen.targets.docs.text import Code, Link, Plain, Run, Runs, Speech, joined


def shown(value: JsonValue) -> Code:
    """A JSON value as JSON. Members keep their order."""
    return Code(json.dumps(value, ensure_ascii=False))


class Phrases:
    """The wording of one model in one language. ``anchors``: the anchor of each definition that has a place."""

    def __init__(self, facts: Facts, speech: Speech, anchors: Mapping[Key, str]) -> None:
        self.facts = facts
        self.speech = speech
        self.anchors = anchors
        self._inside: list[Key] = []

    def link(self, key: Key) -> Runs:
        """A definition by name, as a link; by its place where it has no name."""
        definition = self.facts.definition(key)
        if key in self.anchors:
            return (Link(definition.name.spelled, f"#{self.anchors[key]}", code=True),)
        return (Code(str(key.origin)),)

    # --- types --------------------------------------------------------------------------------------------------------

    def type(self, type_: Type, *, annotated: bool = True) -> Runs:
        """A type. ``annotated``: with encoding and media type of a text, which fields tell in sentences of their own."""
        say = self.speech.say
        match type_:
            case Text():
                return self._text(type_, annotated)
            case Integer(minimum=low, maximum=high, format=format_, literal=literal):
                head = say("type.literal_integer" if literal else "type.integer")
                return self._with(head, *self._bounds(low, high), *self._annotations(format_))
            case Number(minimum=low, maximum=high, format=format_):
                return self._with(say("type.number"), *self._bounds(low, high), *self._annotations(format_))
            case Boolean():
                return say("type.boolean")
            case Null():
                return say("type.null")
            case AnyJson():
                return say("type.any")
            case Never():
                return say("type.never")
            case Literals(values=values, enum=enum):
                listed = joined(((shown(value),) for value in values), self.speech.text("type.either"))
                return listed if enum is None else (*listed, Plain(" ("), *self.link(enum), Plain(")"))
            case Ref(key=key, partial=partial):
                runs = self.link(key) if key in self.anchors else self._judged(key)
                return say("type.partial", type=runs) if partial else runs
            case ListOf(item=item, min_items=low, max_items=high):
                return self._with(say("type.array", item=self._inner(item)), *self._bounds(low, high))
            case TupleOf(items=items, rest=rest, min_items=low, max_items=high):
                places = (Plain("["), *joined(map(self.type, items), self.speech.text("type.and")), Plain("]"))
                if isinstance(rest, Never):
                    return self._with(say("type.tuple", items=places), *self._bounds(low, high))
                others = say("type.any") if rest is None else self._inner(rest)
                return self._with(say("type.tuple_rest", items=places, rest=others), *self._bounds(low, high))
            case MapOf(value=value, key_pattern=pattern):
                if pattern is not None:
                    return say("type.map_keys", pattern=(Code(pattern.source),), value=self._inner(value))
                return say("type.object") if isinstance(value, AnyJson) else say("type.map", value=self._inner(value))
            case Nullable(inner=inner):
                return say("type.nullable", inner=self._inner(inner))
            case NonNull(inner=inner):
                if isinstance(inner, AnyJson):
                    return say("type.any_but_null")
                return say("type.except_null", inner=self._inner(inner))
            case Checked(inner=inner, checks=checks):
                return say("type.checked", inner=self._inner(inner), checks=self.checks(checks))
            case Choice(members=members):
                return joined((self.type(member.type) for member in members), self.speech.text("type.either"))
            case _:
                assert_never(type_)

    def _inner(self, type_: Type) -> Runs:
        """A type inside another: in brackets where the words would run into each other."""
        runs = self.type(type_)
        several = isinstance(type_, Choice | Checked | Nullable) or (
            isinstance(type_, Literals) and len(type_.values) > 1
        )
        return (Plain("("), *runs, Plain(")")) if several else runs

    def _text(self, type_: Text, annotated: bool) -> Runs:
        head = self.speech.say("type.string")
        sources = [pattern.source for pattern in type_.patterns if pattern.format is None]
        if sources:
            patterns = joined(((Code(source),) for source in sources), self.speech.text("type.and"))
            head = self.speech.say("type.matching", patterns=patterns)
        length = self._bounds(type_.min_length, type_.max_length)
        notes: list[Runs] = []
        if length:
            notes.append(self.speech.say("bound.length", bounds=joined(length, self.speech.text("bound.and"))))
        notes += self._annotations(type_.format)
        if annotated and type_.encoding:
            notes.append(self.speech.say("bound.encoding", name=(Code(type_.encoding),)))
        if annotated and type_.media_type:
            notes.append(self.speech.say("bound.media_type", name=(Code(type_.media_type),)))
        return self._with(head, *notes)

    def _annotations(self, format_: str | None) -> list[Runs]:
        return [self.speech.say("bound.format", name=(Code(format_),))] if format_ else []

    def _bounds(self, low: Limit | None, high: Limit | None) -> list[Runs]:
        def bound(key: str, limit: Limit) -> Runs:
            return self.speech.say(key, value=(Plain(json.dumps(limit.value)),))

        if low and high and low.value == high.value and not low.exclusive and not high.exclusive:
            return [bound("bound.exactly", low)]
        bounds: list[Runs] = []
        if low is not None:
            bounds.append(bound("bound.more_than" if low.exclusive else "bound.min", low))
        if high is not None:
            bounds.append(bound("bound.less_than" if high.exclusive else "bound.max", high))
        return bounds

    def _with(self, head: Runs, *notes: Runs) -> Runs:
        if not notes:
            return head
        return (*head, Plain(" ("), *joined(notes, self.speech.text("bound.and")), Plain(")"))

    # --- what has no place of its own ---------------------------------------------------------------------------------

    def _judged(self, key: Key) -> Runs:
        """A definition that only judges, in line; by its place where it is inside itself."""
        if key in self._inside:
            return (Code(str(key.origin)),)
        self._inside.append(key)
        try:
            return self._definition(self.facts.definition(key))
        finally:
            self._inside.pop()

    def _definition(self, definition: Definition) -> Runs:
        match definition:
            case Record():
                runs = self._record(definition)
            case Enum(values=values, open=rest):
                runs = joined(((shown(value.value),) for value in values), self.speech.text("type.either"))
                if rest is not None:
                    runs = joined([runs, self.type(rest)], self.speech.text("type.either"))
            case Union(choice=choice):
                runs = self.type(choice)
            case Alias(type=type_):
                runs = self.type(type_)
            case _:
                assert_never(definition)
        if definition.checks:
            runs = self.speech.say("type.checked", inner=runs, checks=self.checks(definition.checks))
        return runs

    def _record(self, record: Record) -> Runs:
        members: list[Runs] = []
        for field in record.fields:
            name: Runs = (Code(field.wire_name),)
            if field.required:
                name = self.speech.say("type.required_member", name=name)
            members.append(name if isinstance(field.type, AnyJson) else (*name, Plain(": "), *self._inner(field.type)))
        closed = "_closed" if isinstance(record.extras, Closed) and not record.extras.patterns else ""
        if members:
            runs = self.speech.say(f"type.record{closed}", members=joined(members, self.speech.text("type.and")))
        else:
            runs = self.speech.say(f"type.record_empty{closed}")
        for pattern, type_ in record.extras.patterns:
            named = (Code(pattern.source),)
            runs = self.speech.say("type.record_named", record=runs, pattern=named, type=self._inner(type_))
        if isinstance(record.extras, Typed):
            runs = self.speech.say("type.record_typed", record=runs, type=self._inner(record.extras.value))
        return runs

    # --- checks -------------------------------------------------------------------------------------------------------

    def checks(self, checks: Iterable[Check]) -> Runs:
        """All of ``checks``."""
        return joined(map(self.check, checks), self.speech.text("check.and"))

    def check(self, check: Check) -> Runs:
        """One check, as a condition on the value."""
        say = self.speech.say
        match check:
            case Is(type=Never()):
                return say("check.nothing")
            case Is(type=type_):
                return say("check.is", type=self._inner(type_))
            case Not(check=inner):
                return say("check.not", check=self.check(inner))
            case All(checks=checks):
                return self._several(checks, "check.and") if checks else say("check.anything")
            case Any(checks=checks):
                return self._several(checks, "check.or") if checks else say("check.nothing")
            case ExactlyOne(checks=checks):
                return say("check.one", checks=self._several(checks, "check.one_separator"))
            case If(condition=condition, then=then, otherwise=otherwise):
                return self._conditional(condition, then, otherwise)
            case Has(name=name):
                return say("check.has", name=(Code(name),))
            case When(name=name, check=inner):
                return say("check.when", name=(Code(name),), check=self._operand(inner))
            case Each(of=of, check=inner, pattern=pattern):
                if pattern is not None:
                    return say("check.values_matching", pattern=(Code(pattern.source),), check=self._operand(inner))
                return say(f"check.{of}", check=self._operand(inner))
            case Contains(type=type_, minimum=low, maximum=high):
                bounds = joined(self._bounds(low, high), self.speech.text("bound.and"))
                if not bounds:
                    return say("check.contains_any", type=self._inner(type_))
                return say("check.contains", type=self._inner(type_), bounds=bounds)
            case Count(of=of, minimum=low, maximum=high):
                bounds = joined(self._bounds(low, high), self.speech.text("bound.and"))
                return say("check.members" if of == "members" else "check.count", bounds=bounds)
            case MultipleOf(value=value):
                return say("check.multiple", value=(Plain(str(value)),))
            case Unique():
                return say("check.unique")
            case Unevaluated(of=of, seen=seen, type=type_):
                listed = joined(filter(None, map(self._seen, seen)), self.speech.text("type.and"))
                listed = listed or say("check.seen_nothing")
                if isinstance(type_, Never):
                    return say(f"check.no_other_{of}", seen=listed)
                return say(f"check.other_{of}", seen=listed, type=self._inner(type_))
            case _:
                assert_never(check)

    def _conditional(self, condition: Check, then: Check | None, otherwise: Check | None) -> Runs:
        runs = self.speech.say("check.if", condition=self._operand(condition))
        if then is not None:
            runs = self.speech.say("check.then", condition=runs, then=self._operand(then))
        if otherwise is not None:
            runs = self.speech.say("check.else", condition=runs, otherwise=self._operand(otherwise))
        return runs

    def _several(self, checks: Iterable[Check], separator: str) -> Runs:
        return joined(map(self._operand, checks), self.speech.text(separator))

    def _operand(self, check: Check) -> Runs:
        runs: tuple[Run, ...] = self.check(check)
        several = isinstance(check, All | Any | ExactlyOne | If | When | Each)
        return (Plain("("), *runs, Plain(")")) if several else runs

    def _seen(self, seen: Seen) -> Runs:
        parts: list[Runs] = [(Code(name),) for name in seen.names]
        parts += [self.speech.say("check.seen_pattern", pattern=(Code(pattern.source),)) for pattern in seen.patterns]
        if seen.prefix:
            parts.append(self.speech.say("check.seen_prefix", number=(Plain(str(seen.prefix)),)))
        if seen.matching is not None:
            parts.append(self.speech.say("check.seen_matching", type=self._inner(seen.matching)))
        if seen.all:
            parts.append(self.speech.say("check.seen_all"))
        parts += [inner for inner in map(self._seen, seen.inner) if inner]
        runs = joined(parts, self.speech.text("type.and"))
        if runs and seen.when is not None:
            runs = self.speech.say("check.seen_when", seen=runs, check=self._operand(seen.when))
        return runs
