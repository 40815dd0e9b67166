"""Types, checks and definitions → lines of text.

Must not derive anything: what is printed is in the model (or in ``facts``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from codegen.facts import Facts
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
    Extras,
    Field,
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
    Model,
    MultipleOf,
    Never,
    NonNull,
    Not,
    Null,
    Nullable,
    Number,
    Open,
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


def literal(value: JsonValue) -> str:
    """A JSON value as JSON, members sorted; what would not be seen, or would break a line, is escaped."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def named(name: str) -> str:
    """A member's name as it is where that is plain to see, else as JSON."""
    return name if name.isprintable() and name.strip() == name != "" else literal(name)


class Writer:
    """Spells what is in one model."""

    def __init__(self, model: Model, facts: Facts) -> None:
        self.model = model
        self.facts = facts

    def name(self, key: Key) -> str:
        """The name of the definition at ``key``."""
        return self.facts.definition(key).name.spelled

    def operation_name(self, key: Key) -> str:
        """The name of the operation at ``key``."""
        return next(each.name.spelled for each in self.model.operations if each.key == key)

    # --- types --------------------------------------------------------------------------------------------------------

    def type(self, type_: Type) -> str:
        """One type on one line."""
        match type_:
            case Text(min_length=low, max_length=high, patterns=patterns):
                words = [f"{type_.format}"] if type_.format and all(p.format != type_.format for p in patterns) else []
                words += [word for word in (type_.encoding, type_.media_type) if word]
                words += [_asserted(pattern) for pattern in patterns]
                return _with("text", bounds("length", low, high), *words)
            case Integer(minimum=low, maximum=high):
                return _with(
                    "integer literal" if type_.literal else "integer", bounds("", low, high), type_.format or ""
                )
            case Number(minimum=low, maximum=high):
                return _with("number", bounds("", low, high), type_.format or "")
            case Boolean():
                return "boolean"
            case Null():
                return "null"
            case AnyJson():
                return "any JSON"
            case Never():
                return "never"
            case Literals(values=values, enum=enum):
                listed = "literal " + " | ".join(map(literal, values))
                return listed if enum is None else f"{listed} of {self.name(enum)}"
            case Ref(key=key, partial=partial):
                return f"ref {self.name(key)}{' (partial)' if partial else ''}"
            case ListOf(item=item, min_items=low, max_items=high):
                return _with(f"list of {self.inner(item)}", bounds("items", low, high))
            case TupleOf(items=items, rest=rest, min_items=low, max_items=high):
                places = [self.type(item) for item in items]
                tail = "…any JSON" if rest is None else f"…{self.type(rest)}"
                return _with(f"tuple [{', '.join([*places, tail])}]", bounds("items", low, high))
            case MapOf(value=value, key_pattern=pattern):
                keys = "" if pattern is None else f" by names matching {literal(pattern.source)}"
                return f"map of {self.inner(value)}{keys}"
            case Nullable(inner=inner):
                return f"{self.inner(inner)} or null"
            case NonNull(inner=inner):
                return f"{self.inner(inner)} but not null"
            case Checked(inner=inner, checks=checks):
                return f"{self.inner(inner)} where {'; '.join(map(self.check, checks))}"
            case Choice():
                return self.choice(type_)

    def inner(self, type_: Type) -> str:
        """One type, in brackets where it stands inside another."""
        text = self.type(type_)
        return f"({text})" if isinstance(type_, Choice | Checked | Nullable | NonNull) else text

    def choice(self, choice: Choice) -> str:
        """A choice with its dispatch."""
        members = [self.inner(member.type) for member in choice.members]
        word = "exactly one of" if choice.exclusive else "any of"
        match choice.dispatch:
            case ByTag(switch=switch):
                return f"choice {self.switch(switch, members)}"
            case ByKind(cases=cases):
                grouped: dict[int, list[str]] = {}
                for kind, to in cases:
                    grouped.setdefault(to, []).append(kind)
                return "choice by kind: " + " | ".join(
                    f"{', '.join(kinds)} → {members[i]}" for i, kinds in grouped.items()
                )
            case ByKeys(cases=keyed, otherwise=otherwise):
                ways = [f"{literal(key)} → {members[i]}" for key, i in keyed]
                ways += [] if otherwise is None else [f"else → {members[otherwise]}"]
                return "choice by member: " + ", ".join(ways)
            case ByTrial(reason=reason):
                rest = "; open" if choice.rest is not None else ""
                return f"choice by trial, {word}: {' | '.join(members)} ({reason}{rest})"

    def switch(self, switch: Switch, members: list[str]) -> str:
        """A look-up by a tag; ``members`` are the members' texts."""
        cases = ", ".join(
            f"{literal(case.value)} → "
            + (
                f"({self.switch(case.to, members)})"
                if isinstance(case.to, Switch)
                else members[case.to].removeprefix("ref ")
            )
            for case in switch.cases
        )
        return f"by {switch.property}{' (stated)' if switch.stated else ''}: {cases}"

    # --- checks -------------------------------------------------------------------------------------------------------

    def check(self, check: Check) -> str:
        """One check on one line."""
        match check:
            case Is(type=type_):
                return f"is {self.inner(type_)}"
            case Not(check=inner):
                return f"not ({self.check(inner)})"
            case All(checks=checks):
                return " and ".join(f"({self.check(inner)})" for inner in checks) or "anything"
            case Any(checks=checks):
                return " or ".join(f"({self.check(inner)})" for inner in checks)
            case ExactlyOne(checks=checks):
                return "exactly one of " + ", ".join(f"({self.check(inner)})" for inner in checks)
            case If(condition=condition, then=then, otherwise=otherwise):
                text = f"if ({self.check(condition)})"
                text += "" if then is None else f" then ({self.check(then)})"
                return text + ("" if otherwise is None else f" else ({self.check(otherwise)})")
            case Has(name=name):
                return f"has {literal(name)}"
            case When(name=name, check=inner):
                return f"with {literal(name)}: {self.check(inner)}"
            case Each(of=of, check=inner, pattern=pattern):
                which = "" if pattern is None else f" with names matching {literal(pattern.source)}"
                return f"each of its {of}{which} {self.check(inner)}"
            case Contains(type=type_, minimum=low, maximum=high):
                return _with(f"contains {self.inner(type_)}", bounds("times", low, high))
            case Count(of=of, minimum=low, maximum=high):
                return _with(of, bounds("", low, high))
            case MultipleOf(value=value):
                return f"multiple of {value}"
            case Unique():
                return "unique items"
            case Unevaluated(of=of, seen=seen, type=type_):
                return f"other {of} than ({'; '.join(map(self.seen, seen))}) are {self.inner(type_)}"

    def seen(self, seen: Seen) -> str:
        """What is evaluated elsewhere."""
        words = list(map(literal, seen.names))
        words += [f"names matching {literal(pattern.source)}" for pattern in seen.patterns]
        words += [f"the first {seen.prefix}"] if seen.prefix else []
        words += [f"those that are {self.inner(seen.matching)}"] if seen.matching is not None else []
        words += ["all"] if seen.all else []
        words += [f"({self.seen(inner)})" for inner in seen.inner]
        listed = ", ".join(words)
        return listed if seen.when is None else f"if {self.check(seen.when)}: {listed}"

    # --- definitions --------------------------------------------------------------------------------------------------

    def definition(self, definition: Definition) -> Iterator[str]:
        """The lines of one definition."""
        place = str(definition.key.origin) + (f" ({definition.key.part})" if definition.key.part else "")
        scope = "".join(f" {anchor}={target}" for anchor, target in definition.key.scope)
        place += f" under{scope}" if scope else ""
        name = definition.name.spelled if definition.name.source != "pointer" else "(judged)"
        match definition:
            case Record(fields=fields, mixins=mixins, extras=extras):
                words = [self.extras(extras), "mixin"] if definition.is_mixin else [self.extras(extras)]
                yield f"record {name}  {', '.join(words)}  {place}"
                if mixins:
                    yield f"  mixins {', '.join(self.name(mixin.key) for mixin in mixins)}"
                yield from table([self.field(definition, field) for field in fields])
                yield from (
                    f"  names matching {literal(pattern.source)}: {self.type(type_)}"
                    for pattern, type_ in extras.patterns
                )
            case Enum(base=base, values=values, open=rest):
                word = "open enum" if rest is not None else "enum"
                yield f"{word} {name}  {base}  {place}"
                yield f"  {' | '.join(literal(value.value) for value in values)}"
            case Union(choice=choice):
                yield f"union {name}  {place}"
                yield f"  {self.choice(choice)}"
            case Alias(type=type_):
                yield f"alias {name}  {self.type(type_)}  {place}"
        yield from (f"  check {self.check(check)}" for check in definition.checks)

    def extras(self, extras: Extras) -> str:
        """How undeclared members are judged."""
        match extras:
            case Closed():
                return "closed"
            case Open():
                return "open"
            case Typed(value=value):
                return f"others {self.type(value)}"

    def field(self, record: Record, field: Field) -> list[str]:
        """The columns of one field."""
        columns = [named(field.wire_name), "required" if field.required else "optional", self.type(field.type)]
        notes = []
        if field.default is not None:
            notes.append(f"default {literal(field.default.value)}")
        if field.declared_in != record.key and field.declared_in in self.facts.table:
            notes.append(f"declared in {self.name(field.declared_in)}")
        if field.narrows:
            notes.append("narrowed here")
        flags = (
            ("deprecated", field.notes.deprecated),
            ("read only", field.notes.read_only),
            ("write only", field.notes.write_only),
            ("secret", field.notes.secret),
        )
        notes += [word for word, said in flags if said]
        return [*columns, ", ".join(notes)]


def _asserted(pattern: Pattern) -> str:
    return f"matching {literal(pattern.source)}" if pattern.format is None else f"{pattern.format} asserted"


def _with(text: str, *words: str) -> str:
    said = [word for word in words if word]
    return f"{text} ({', '.join(said)})" if said else text


def bounds(what: str, low: Limit | None, high: Limit | None) -> str:
    """Two bounds as a person writes them: ``length 1..5``, ``> 0``."""
    if low is None and high is None:
        return ""
    if low is not None and high is not None and not low.exclusive and not high.exclusive:
        text = f"{low.value}..{high.value}" if low.value != high.value else f"{low.value}"
    else:
        words = [] if low is None else [f"{'>' if low.exclusive else '>='} {low.value}"]
        words += [] if high is None else [f"{'<' if high.exclusive else '<='} {high.value}"]
        text = " and ".join(words)
    return f"{what} {text}".strip()


def table(rows: list[list[str]]) -> Iterator[str]:
    """Rows as aligned columns."""
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    for row in rows:
        yield (
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)) + "  " + row[3]
        ).rstrip()
