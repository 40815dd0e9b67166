"""Types, checks and definitions of the model → schemas in the vocabulary of 2020-12.

Must not change what is accepted, in either direction: each kind of the model has one spelling, and where flat keywords would
mean something else the parts stand in ``allOf`` or ``anyOf``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import assert_never
from urllib.parse import quote

from codegen.facts import Facts
from codegen.model import (
    Alias,
    All,
    Any,
    AnyJson,
    Boolean,
    ByKind,
    ByTag,
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
    ListOf,
    Literals,
    MapOf,
    MultipleOf,
    Never,
    NonNull,
    Not,
    Notes,
    Null,
    Nullable,
    Number,
    Open,
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
from codegen.pointer import escape
from codegen.targets.jsonschema.joining import Members, Schema, by_kind, joined, names_of
from codegen.targets.jsonschema.naming import names
from codegen.targets.jsonschema.parts import annotated, demanded, literals, nullable, numeric, sized

LITERAL_INTEGER = "urn:wirebound:literal-integer"
"""Where a bundle keeps the integers of draft-04, of which 1.0 is none."""

FRAGMENT = "!$&'()*+,;=:@/?-._~"
"""What a URI's fragment may hold beside letters and digits (RFC 3986, 3.5)."""


class Writer:
    """Writes the schemas of one model. ``literal_integers`` says that some schema refers to ``LITERAL_INTEGER``."""

    def __init__(self, facts: Facts, exact_integers: bool) -> None:
        self.facts = facts
        self.exact_integers = exact_integers
        self.literal_integers = False
        self.names = names(facts)

    # --- definitions --------------------------------------------------------------------------------------------------

    def definitions(self) -> dict[str, Schema]:
        """The operand of ``$defs``: each definition that has a name there."""
        return {self.names[d.key]: self._named(d) for d in self.facts.model.definitions if d.key in self.names}

    def _named(self, definition: Definition) -> Schema:
        return annotated(self._whole(definition), definition.doc, definition.notes)

    def _whole(self, definition: Definition) -> Schema:
        match definition:
            case Record():
                schema = self._record(definition)
            case Enum():
                schema = self._enum(definition)
            case Union(choice=choice):
                schema = self.type(choice)
            case Alias(type=type_):
                schema = self.type(type_)
            case _:
                assert_never(definition)
        return joined([schema, *self._checks(definition.checks)])

    def _record(self, record: Record) -> Schema:
        schema: Members = {"type": "object"}
        if record.fields:
            schema["properties"] = {field.wire_name: self._field(field) for field in record.fields}
        if required := [field.wire_name for field in record.fields if field.required]:
            schema["required"] = [*required]
        extras = record.extras
        if extras.patterns:
            by_pattern: dict[str, list[Schema]] = {}
            for pattern, type_ in extras.patterns:
                by_pattern.setdefault(pattern.source, []).append(self.type(type_))
            schema["patternProperties"] = {source: joined(schemas) for source, schemas in by_pattern.items()}
        match extras:
            case Closed():
                schema["additionalProperties"] = False
            case Typed(value=value):
                schema["additionalProperties"] = self.type(value)
            case Open():
                pass
            case _:
                assert_never(extras)
        return schema

    def _field(self, field: Field) -> Schema:
        return annotated(self.type(field.type), field.doc, field.notes, field.default)

    def _enum(self, enum: Enum) -> Schema:
        type_: Schema = {"type": enum.base} if enum.kind_at is not None else True
        values: list[JsonValue] = [value.value for value in enum.values]
        told = any(value.doc.source or value.notes != Notes() for value in enum.values)
        constants: list[Schema] = [annotated({"const": v.value}, v.doc, v.notes) for v in enum.values]
        if enum.open is not None:
            listed = constants if told else [{"enum": values}]
            return {"anyOf": [*listed, self.type(enum.open)]}
        return joined([type_, {"oneOf": [*constants]} if told else {"enum": values}])

    # --- types --------------------------------------------------------------------------------------------------------

    def type(self, type_: Type) -> Schema:
        """The schema that accepts what ``type_`` accepts."""
        match type_:
            case AnyJson():
                return True
            case Never():
                return False
            case Boolean():
                return {"type": "boolean"}
            case Null():
                return {"type": "null"}
            case Text():
                return self._text(type_)
            case Integer(literal=literal) if literal and self.exact_integers:
                self.literal_integers = True
                return {"$ref": LITERAL_INTEGER, **numeric(type_)}
            case Integer():
                return {"type": "integer", **numeric(type_)}
            case Number():
                return {"type": "number", **numeric(type_)}
            case Literals():
                return literals(type_)
            case Ref(key=key):
                return self._reference(key)
            case ListOf(item=item):
                schema = self.type(item)
                own: Members = {} if schema is True else {"items": schema}
                return {"type": "array", **own, **sized(type_.min_items, type_.max_items, "Items")}
            case TupleOf(items=items, rest=rest):
                own = {"prefixItems": [self.type(item) for item in items]}
                if rest is not None and (schema := self.type(rest)) is not True:
                    own["items"] = schema
                return {"type": "array", **own, **sized(type_.min_items, type_.max_items, "Items")}
            case MapOf(value=value, key_pattern=pattern):
                schema = self.type(value)
                if pattern is not None:
                    own = {"patternProperties": {pattern.source: schema}, "additionalProperties": False}
                else:
                    own = {} if schema is True else {"additionalProperties": schema}
                return {"type": "object", **own}
            case Nullable(inner=inner):
                return nullable(self.type(inner))
            case NonNull(inner=inner):
                return joined([self.type(inner), {"not": {"type": "null"}}])
            case Checked(inner=inner, checks=checks):
                return joined([self.type(inner), *self._checks(checks)])
            case Choice():
                return self._choice(type_)
            case _:
                assert_never(type_)

    def _text(self, text: Text) -> Schema:
        schema: Members = {"type": "string", **sized(text.min_length, text.max_length, "Length")}
        if text.patterns:
            schema["pattern"] = text.patterns[0].source
        annotations = (
            ("format", text.format),
            ("contentEncoding", text.encoding),
            ("contentMediaType", text.media_type),
        )
        schema.update((keyword, value) for keyword, value in annotations if value is not None)
        further: list[Schema] = [{"pattern": pattern.source} for pattern in text.patterns[1:]]
        return joined([schema, *further])

    def _reference(self, key: Key) -> Schema:
        if key in self.names:
            return {"$ref": self._place(key)}
        return self._named(self.facts.definition(key))

    def _place(self, key: Key) -> str:
        return f"#/$defs/{quote(escape(self.names[key]), safe=FRAGMENT)}"

    # --- choices ------------------------------------------------------------------------------------------------------

    def _choice(self, choice: Choice) -> Schema:
        schemas = [annotated(self.type(member.type), member.doc) for member in choice.members]
        if isinstance(choice.dispatch, ByKind):
            kinds: dict[int, list[JsonKind]] = {}
            for kind, to in choice.dispatch.cases:
                kinds.setdefault(to, []).append(kind)
            parts = [(tuple(kinds.get(i, ())), schema) for i, schema in enumerate(schemas)]
            flat = by_kind(parts)
            if flat is not None:
                return flat
            # A member may accept more kinds than lead to it.
            schemas = [
                schema if self._keeps(member.type, own) else joined([{"type": names_of(own)}, schema])
                for member, (own, schema) in zip(choice.members, parts, strict=True)
            ]
        whole: Members = {"oneOf" if choice.exclusive else "anyOf": [*schemas]}
        if isinstance(choice.dispatch, ByTag):
            whole["discriminator"] = self._discriminator(choice, choice.dispatch)
        return whole

    def _keeps(self, type_: Type, kinds: tuple[JsonKind, ...]) -> bool:
        return self.facts.kinds(type_) <= set(kinds)

    def _discriminator(self, choice: Choice, dispatch: ByTag) -> Members:
        """An annotation: the tag, and which value leads to which definition where that is one of text."""
        mapping: Members = {}
        for case in dispatch.switch.cases:
            member = choice.members[case.to].type if isinstance(case.to, int) else None
            if isinstance(member, Ref) and member.key in self.names and isinstance(case.value, str):
                mapping[case.value] = self._place(member.key)
        stated: Members = {"propertyName": dispatch.switch.property}
        return {**stated, "mapping": mapping} if mapping else stated

    # --- checks -------------------------------------------------------------------------------------------------------

    def _checks(self, checks: Iterable[Check]) -> Iterator[Schema]:
        return map(self.check, checks)

    def check(self, check: Check) -> Schema:
        """The schema that accepts what passes ``check``."""
        match check:
            case Is(type=type_):
                return self.type(type_)
            case Not(check=inner):
                schema = self.check(inner)
                return not schema if isinstance(schema, bool) else {"not": schema}
            case All(checks=checks):
                return joined(self._checks(checks))
            case Any(checks=checks):
                return {"anyOf": [*self._checks(checks)]}
            case ExactlyOne(checks=checks):
                return {"oneOf": [*self._checks(checks)]}
            case If(condition=condition, then=then, otherwise=otherwise):
                branches = (("then", then), ("else", otherwise))
                written = {keyword: self.check(branch) for keyword, branch in branches if branch is not None}
                return {"if": self.check(condition), **written}
            case Has(name=name):
                return {"required": [name]}
            case When(name=name, check=inner):
                if needed := demanded(inner):
                    return {"dependentRequired": {name: [*needed]}}
                return {"dependentSchemas": {name: self.check(inner)}}
            case Each(of="items", check=inner):
                return {"items": self.check(inner)}
            case Each(of="names", check=inner):
                return {"propertyNames": self.check(inner)}
            case Each(check=inner, pattern=pattern):
                schema = self.check(inner)
                return {"patternProperties": {pattern.source: schema}} if pattern else {"additionalProperties": schema}
            case Contains(type=type_, minimum=low, maximum=high):
                bounds = {"minContains": 0, **sized(low, high, "Contains")}
                if bounds["minContains"] == 1:  # which is what ``contains`` alone means
                    del bounds["minContains"]
                return {"contains": self.type(type_), **bounds}
            case Count(of=of, minimum=low, maximum=high):
                return {**sized(low, high, "Properties" if of == "members" else "Items")}
            case MultipleOf(value=value):
                return {"multipleOf": int(value) if value == value.to_integral_value() else float(value)}
            case Unique():
                return {"uniqueItems": True}
            case Unevaluated(of="members", seen=seen, type=type_):
                return self._unevaluated("unevaluatedProperties", self.type(type_), self._seen_members, seen)
            case Unevaluated(seen=seen, type=type_):
                return self._unevaluated("unevaluatedItems", self.type(type_), self._seen_items, seen)
            case _:
                assert_never(check)

    def _unevaluated(self, keyword: str, schema: Schema, own: Callable[[Seen], Schema], seen: Sequence[Seen]) -> Schema:
        """``allOf`` holds what is evaluated; each part of it accepts everything."""
        parts = [part for part in (self._seen(one, own) for one in seen) if part is not True]
        if len(parts) == 1 and isinstance(parts[0], dict):
            return {**parts[0], keyword: schema}
        return {"allOf": [*parts], keyword: schema} if parts else {keyword: schema}

    def _seen(self, seen: Seen, own: Callable[[Seen], Schema]) -> Schema:
        whole = joined([own(seen), *(self._seen(inner, own) for inner in seen.inner)])
        if seen.when is None or whole is True:
            return whole
        # What the condition itself evaluates must not count: under ``not``, nothing does (core, 7.7.1.2).
        condition = self.check(seen.when)
        if isinstance(condition, dict) and condition.keys() <= {"required"}:
            return {"if": condition, "then": whole}
        return {"if": {"not": condition}, "else": whole}

    def _seen_members(self, seen: Seen) -> Schema:
        schema: Members = {}
        if seen.names:
            schema["properties"] = dict.fromkeys(seen.names, True)
        if seen.patterns:
            schema["patternProperties"] = {pattern.source: True for pattern in seen.patterns}
        if seen.all:
            schema["additionalProperties"] = True
        return schema or True

    def _seen_items(self, seen: Seen) -> Schema:
        schema: Members = {}
        if seen.prefix:
            schema["prefixItems"] = [True] * seen.prefix
        if seen.all:
            schema["items"] = True
        if seen.matching is not None:
            schema.update({"contains": self.type(seen.matching), "minContains": 0})
        return schema or True
