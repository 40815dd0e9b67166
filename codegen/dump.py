"""Model → stable text and JSON, to be read by people, by scripts and by tests.

Must not derive anything: what is printed is in the model (or in ``facts``). Goldens of the model are this text, so a change
here changes them all.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator

from codegen.facts import Facts, inner_types
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
from codegen.pointer import Origin

VERSION = 1
"""Version of the JSON form; it grows when a member is renamed or removed."""


def literal(value: JsonValue) -> str:
    """A JSON value as JSON, members sorted."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


class _Dump:
    def __init__(self, model: Model, facts: Facts) -> None:
        self.model = model
        self.facts = facts

    def name(self, key: Key) -> str:
        return self.facts.definition(key).name.spelled

    # --- types --------------------------------------------------------------------------------------------------------

    def type(self, type_: Type) -> str:
        """One type on one line."""
        match type_:
            case Text(min_length=low, max_length=high, patterns=patterns):
                words = [f"{type_.format}"] if type_.format else []
                words += [word for word in (type_.encoding, type_.media_type) if word]
                words += [f"matching {literal(pattern.source)}" for pattern in patterns]
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
            case Ref(key=key):
                return f"ref {self.name(key)}"
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
        text = self.type(type_)
        return f"({text})" if isinstance(type_, Choice | Checked | Nullable | NonNull) else text

    def choice(self, choice: Choice) -> str:
        members = [self.type(member.type) for member in choice.members]
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
                yield from _table([self.field(definition, field) for field in fields])
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
        match extras:
            case Closed():
                return "closed"
            case Open():
                return "open"
            case Typed(value=value):
                return f"others {self.type(value)}"

    def field(self, record: Record, field: Field) -> list[str]:
        columns = [field.wire_name, "required" if field.required else "optional", self.type(field.type)]
        notes = []
        if field.default is not None:
            notes.append(f"default {literal(field.default.value)}")
        if field.declared_in != record.key and field.declared_in in self.facts.table:
            notes.append(f"declared in {self.name(field.declared_in)}")
        if field.narrows:
            notes.append("narrowed here")
        flags = (("deprecated", field.notes.deprecated), ("read only", field.notes.read_only))
        notes += [word for word, said in (*flags, ("write only", field.notes.write_only)) if said]
        return [*columns, ", ".join(notes)]


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


def _table(rows: list[list[str]]) -> Iterator[str]:
    """Rows as aligned columns."""
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    for row in rows:
        yield (
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)) + "  " + row[3]
        ).rstrip()


def dump(model: Model, facts: Facts) -> str:
    """The whole model as text: its root, then every definition."""
    writer = _Dump(model, facts)
    lines = [f"model {model.id or '(no $id)'}  {model.title}".rstrip()]
    lines.append("root " + ("none" if model.root is None else writer.type(model.root)))
    for definition in model.definitions:
        lines += ["", *writer.definition(definition)]
    return "\n".join(lines) + "\n"


def dump_names(model: Model) -> str:
    """Every public name with its place and where the name comes from."""
    rows = [
        [d.name.spelled, d.name.source, type(d).__name__.lower(), str(d.key.origin)]
        for d in model.definitions
        if d.name.source != "pointer"
    ]
    return "\n".join(line.strip() for line in _table(rows)) + "\n" if rows else ""


def dump_unions(model: Model, facts: Facts) -> str:
    """Every choice of the public definitions with its dispatch and why."""
    writer = _Dump(model, facts)
    lines = []
    for definition in facts.public:
        if isinstance(definition, Union):
            lines.append(f"{definition.name.spelled}  {writer.choice(definition.choice)}")
        elif isinstance(definition, Record):
            for field in definition.fields:
                lines += [
                    f"{definition.name.spelled}.{field.wire_name}  {text}" for text in _choices(writer, field.type)
                ]
        elif isinstance(definition, Alias):
            lines += [f"{definition.name.spelled}  {text}" for text in _choices(writer, definition.type)]
    return "\n".join(lines) + "\n" if lines else ""


def _choices(writer: _Dump, type_: Type) -> Iterator[str]:
    if isinstance(type_, Choice):
        yield writer.choice(type_)
    for inner in inner_types(type_):
        yield from _choices(writer, inner)


def dump_json(model: Model, facts: Facts) -> JsonValue:
    """The model as JSON: each class an object with ``kind``, keys of definitions as ``document#pointer``. ``version`` says
    which form it is."""
    form = _json(model)
    assert isinstance(form, dict)
    return {"wirebound": VERSION, **form}


def _json(value: object) -> JsonValue:
    match value:
        case Key():
            return (
                str(value.origin)
                + (f"!{value.part}" if value.part else "")
                + "".join(f"?{a}={t}" for a, t in value.scope)
            )
        case Pattern(source=source):
            return source
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(name): _json(item) for name, item in value.items()}
        case list() | tuple():
            return [_json(item) for item in value]
        case Origin():
            return str(value)
    if dataclasses.is_dataclass(value):
        members: dict[str, JsonValue] = {"kind": type(value).__name__}
        for field in dataclasses.fields(value):
            members[field.name] = _json(getattr(value, field.name))
        return members
    return str(value)


def type_text(type_: Type, facts: Facts) -> str:
    """One type on one line."""
    return _Dump(facts.model, facts).type(type_)


def check_text(check: Check, facts: Facts) -> str:
    """One check on one line."""
    return _Dump(facts.model, facts).check(check)
