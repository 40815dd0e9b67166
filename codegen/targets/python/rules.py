"""Definitions → ``_rules.py``: what the contract says, as data for the slow pass.

Must not interpret: one expression for each type and check, with the place in the contract of every keyword that refuses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from codegen.facts import Facts
from codegen.model import (
    JSON_KINDS,
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
    Field,
    Has,
    If,
    Integer,
    Is,
    JsonKind,
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
from codegen.pointer import Origin
from codegen.targets.python import shells
from codegen.targets.python.annotations import open_kind, whole
from codegen.targets.python.names import Names
from codegen.targets.quoting import literal, text


def call(name: str, *arguments: str) -> str:
    """A call; trailing arguments that are None are left out, since every parameter that may be None is so by default."""
    given = list(arguments)
    while given and given[-1] == "None":
        given.pop()
    return f"{name}({', '.join(given)})"


def tuple_(items: Iterable[str]) -> str:
    """A tuple display."""
    listed = list(items)
    return f"({', '.join(listed)}{',' * (len(listed) == 1)})"


def place(origin: Origin) -> str:
    """A place in the contract, as faults tell it."""
    return text(str(origin))


def bound(limit: Limit | None) -> str:
    """A limit on a count."""
    return "None" if limit is None else f"({whole(limit.value)!r}, {place(limit.origin)})"


def limit(limit: Limit | None) -> str:
    """A limit on a number."""
    return "None" if limit is None else f"({whole(limit.value)!r}, {limit.exclusive}, {place(limit.origin)})"


class Rules:
    """Writes the rules of one package."""

    def __init__(self, facts: Facts, names: Names) -> None:
        self.facts = facts
        self.names = names

    def key(self, key: Key) -> str:
        """What a definition is called among the rules: its class, or its place where it has none; "" is the document itself."""
        if key in self.names.classes:
            return text(self.names.classes[key])
        return text(f"judged {key.document}#{key.pointer} {key.part} {key.scope or ''}".strip())

    def definition(self, definition: Definition) -> str:
        """The rule of a definition."""
        match definition:
            case Record():
                rule = self.record(definition)
            case Enum():
                values = tuple(value.value for value in definition.values)
                base: JsonKind = "string" if definition.base == "string" else "number"
                rest = None if definition.open is None else self.type(definition.open)
                rule = self.literals(values, definition.values_at, definition.kind_at, base, rest)
            case Union(choice=choice):
                rule = self.type(choice)
            case Alias(type=type_):
                rule = self.type(type_)
        whole = self.facts.table.get(shells.whole_of(definition.key), definition)
        return call("e.Definition", text(whole.name.spelled), rule, *map(self.check, definition.checks))

    def type(self, type_: Type) -> str:
        """The rule of a type."""
        at = place(type_.origin)
        match type_:
            case AnyJson():
                return "s.Everything()"
            case Never():
                return call("s.Never", at)
            case Null():
                return call("s.Scalar", at, '"null"')
            case Boolean():
                return call("s.Scalar", at, '"boolean"')
            case Text(min_length=low, max_length=high, patterns=patterns):
                spelled = tuple_(self.pattern(pattern, pattern.origin) for pattern in patterns) if patterns else "None"
                return call("s.Text", at, bound(low), bound(high), spelled)
            case Integer(minimum=low, maximum=high, literal=strict):
                return call("s.Integer", at, limit(low), limit(high), "True" if strict else "None")
            case Number(minimum=low, maximum=high):
                return call("s.Number", at, limit(low), limit(high))
            case Literals(values=values):
                base = open_kind(values)
                return self.literals(
                    values, type_.origin, type_.kind_at, "string" if base == "string" else "number" if base else None
                )
            case Ref(key=key):
                return call("e.Ref" if shells.held(type_, self.facts) is None else "e.Shell", self.key(key))
            case ListOf(item=item, min_items=low, max_items=high):
                return call("s.ListOf", at, "()", self.type(item), bound(low), bound(high))
            case TupleOf(items=items, rest=rest, min_items=low, max_items=high):
                last = "None" if rest is None else self.type(rest)
                return call("s.ListOf", at, tuple_(map(self.type, items)), last, bound(low), bound(high))
            case MapOf(value=value, key_pattern=pattern, closed=closed):
                names = "None" if pattern is None else self.pattern(pattern, closed or pattern.origin)
                return call("s.MapOf", at, self.type(value), names)
            case Nullable(inner=inner):
                return call("s.Nullable", self.type(inner))
            case NonNull(inner=inner):
                return call("s.NonNull", at, self.type(inner))
            case Checked(inner=inner, checks=checks):
                return call("s.Checked", self.type(inner), *map(self.check, checks))
            case Choice():
                return self.choice(type_)

    def pattern(self, pattern: Pattern, at: Origin) -> str:
        """A pattern in Python's spelling and the contract's, and what refuses."""
        return f"({text(translate(pattern.source))}, {text(pattern.format or pattern.source)}, {place(at)})"

    def literals(
        self,
        values: tuple[JsonValue, ...],
        at: Origin,
        kind_at: Origin | None,
        open_: JsonKind | None,
        rest: str | None = None,
    ) -> str:
        """Some values. One under ``const`` is a constant, others are an enum."""
        constant = len(values) == 1 and at.pointer.endswith("/const")
        return call(
            "s.Literals",
            place(at),
            text("wrong-value" if constant else "unknown-value"),
            tuple_(literal(whole(value)) for value in values),
            "None" if kind_at is None else place(kind_at),
            "None" if open_ is None else text(open_),
            rest or "None",
        )

    def choice(self, choice: Choice) -> str:
        """A choice with its dispatch."""
        at = place(choice.origin)
        members = [member.type for member in choice.members]
        match choice.dispatch:
            case ByTag(switch=switch):
                rest = "None" if choice.rest is None else self.type(choice.rest)
                return call(
                    "c.Tagged",
                    at,
                    self.switch(switch, members),
                    rest,
                    "True" if choice.exclusive and choice.rest else "None",
                )
            case ByKind(cases=cases):
                ways = (f"{text(kind)}: {self.type(members[i])}" for kind, i in cases)
                return call("c.ByKind", at, f"{{{', '.join(ways)}}}")
            case ByKeys(cases=keys, otherwise=otherwise):
                positions = tuple_(f"({text(name)}, {i})" for name, i in keys)
                return call("c.ByKeys", at, tuple_(map(self.type, members)), positions, repr(otherwise))
            case ByTrial():
                alike = all(isinstance(member, Ref) and member.key.part == "within" for member in members)
                return call(
                    "c.Trial",
                    at,
                    str(choice.exclusive),
                    tuple_(map(self.type, members)),
                    self.takers(members),
                    "True" if alike else "None",
                )

    def takers(self, members: list[Type]) -> str:
        """For each JSON kind that is not for several members to judge: the one that is of it, or none."""
        kinds = [self.facts.kinds(member) for member in members]
        found = {kind: [i for i, own in enumerate(kinds) if kind in own] for kind in JSON_KINDS}
        if all(len(takers) > 1 for takers in found.values()):
            return "None"
        ways = (f"{text(kind)}: {takers[0] if len(takers) == 1 else -1}" for kind, takers in found.items() if takers)
        return f"{{{', '.join(ways)}}}"

    def switch(self, switch: Switch, members: list[Type]) -> str:
        """A look-up by tag."""
        ways = []
        for case in switch.cases:
            to = self.switch(case.to, members) if isinstance(case.to, Switch) else self.type(members[case.to])
            ways.append(f"{literal(case.value)}: {to}")
        return call("c.Switch", text(switch.property), f"{{{', '.join(ways)}}}")

    # --- records ------------------------------------------------------------------------------------------------------

    def record(self, record: Record) -> str:
        """A record, one line for each member."""
        name = self.names.classes.get(record.key)
        attributes = self.names.attributes[record.key]
        fields = "".join(f"\n        {self.field(field, attributes[field.wire_name])}," for field in record.fields)
        extras = record.extras
        extra = call(
            "s.Extras",
            place(extras.origin) if isinstance(extras, Closed) else "None",
            self.type(extras.value) if isinstance(extras, Typed) else "None",
            (
                tuple_(f"({text(translate(pattern.source))}, {self.type(type_)})" for pattern, type_ in extras.patterns)
                if extras.patterns
                else "None"
            ),
        )
        make = "None" if name is None else f"lambda: new(models.{name})"
        key = shells.shell_of(record.key)
        shell = self.key(key) if key in self.facts.table else "None"
        return call("s.Record", place(record.kind_at), make, f"({fields}\n    )" if fields else "()", extra, shell)

    def field(self, field: Field, attribute: str) -> str:
        """A declared member."""
        required = "None" if field.required_at is None else place(field.required_at)
        absent = "ABSENT" if not field.required and self.facts.accepts_null(field.type) else "None"
        secret = "True" if field.notes.secret else "None"
        return call("s.Field", text(field.wire_name), text(attribute), self.type(field.type), required, absent, secret)

    # --- checks -------------------------------------------------------------------------------------------------------

    def check(self, check: Check) -> str:
        """The rule of a check."""
        match check:
            case Is(type=type_):
                return self.type(type_)
            case Not(check=inner):
                return call("c.Not", place(check.origin), self.check(inner))
            case All(checks=checks):
                return call("c.All", *map(self.check, checks))
            case Any(checks=checks):
                return call("c.Some", place(check.origin), *map(self.check, checks))
            case ExactlyOne(checks=checks):
                return call("c.ExactlyOne", place(check.origin), *map(self.check, checks))
            case If(condition=condition, then=then, otherwise=otherwise):
                ways = ("None" if way is None else self.check(way) for way in (then, otherwise))
                return call("c.If", self.check(condition), *ways)
            case Has(name=name):
                return call("c.Has", place(check.origin), text(name))
            case When(name=name, check=inner):
                return call("c.When", text(name), self.check(inner))
            case Each(of=of, check=inner, pattern=pattern):
                spelled = "None" if pattern is None else text(translate(pattern.source))
                return call("c.Each", text(of), self.check(inner), spelled)
            case Contains(type=type_, minimum=low, maximum=high):
                return call("c.Contains", self.type(type_), bound(low), bound(high))
            case Count(of=of, minimum=low, maximum=high):
                return call("c.Count", text(of), bound(low), bound(high))
            case MultipleOf(value=value):
                numerator, denominator = value.as_integer_ratio()
                return call("c.MultipleOf", place(check.origin), repr(numerator), repr(denominator), text(str(value)))
            case Unique():
                return call("c.Unique", place(check.origin))
            case Unevaluated(of=of, seen=seen, type=type_):
                rule = self.type(type_)
                if of == "members" and isinstance(type_, Never):
                    rule = call("s.Never", place(type_.origin), '"unknown-member"')
                return call("c.Unevaluated", text(of), tuple_(map(self.seen, seen)), rule)
            case _:
                assert_never(check)

    def seen(self, seen: Seen) -> str:
        """What some keywords evaluate."""
        return call(
            "c.Seen",
            "None" if seen.when is None else self.check(seen.when),
            f"frozenset({tuple_(map(text, seen.names))})",
            tuple_(text(translate(pattern.source)) for pattern in seen.patterns),
            repr(seen.prefix),
            "None" if seen.matching is None else self.type(seen.matching),
            repr(seen.all),
            tuple_(map(self.seen, seen.inner)),
        )
