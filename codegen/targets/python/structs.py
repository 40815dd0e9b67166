"""An edition → what ``msgspec_models.py`` shows: Structs, aliases and enums.

Must not be exact by itself: a Struct says what msgspec can say, and the codecs of ``msgspec_codecs`` close the gap. Annotations
are deferred: so classes come first, and aliases, which are evaluated as they stand, after all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from codegen.edition import Edition
from codegen.model import (
    Closed,
    Field,
    Integer,
    ListOf,
    MapOf,
    NonNull,
    Number,
    Pattern,
    Record,
    Text,
    Type,
    Typed,
)
from codegen.patterns import translate
from codegen.targets import layout, naming, quoting
from codegen.targets.layout import Call, Expression, Subscript
from codegen.targets.python import docs
from codegen.targets.python.annotations import Annotations, joined
from codegen.targets.python.models import PROSE, FieldView, ItemView, Models, ModelsView, after_imports, former, ordered
from codegen.targets.python.names import Names, Scope
from codegen.targets.python.native import Bounds, Native, integral, lengths, numeric, speakable
from codegen.targets.python.options import Options

CAMEL = re.compile("[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*")


class StructScope(Scope):
    """The names at the top of the module. ``Extra`` is for those who make values, too."""

    EXPORTED: ClassVar[frozenset[str]] = frozenset({"Extra"})
    HOMES: ClassVar[Mapping[str, str]] = {
        **Scope.HOMES,
        **dict.fromkeys(("Annotated", "ClassVar"), "typing"),
        **dict.fromkeys(
            ("Extra", "JsonNonNull", "JsonValue", "Meta", "Record", "UNSET", "UnsetType"), "._support.structs"
        ),
    }


class StructAnnotations(Annotations):
    """Annotations that msgspec reads: bounds stand in ``Meta``."""

    def parts(self, type_: Type, hidden: frozenset[str]) -> list[Expression]:
        """The alternatives of an annotation."""
        match type_:
            case Text(min_length=low, max_length=high, patterns=patterns):
                pattern = (matching(patterns[0]),) if len(patterns) == 1 else ()
                return [self.bounded(self.scope.symbol("str", hidden), hidden, (*(lengths(low, high) or ()), *pattern))]
            case Integer(minimum=low, maximum=high):
                return [self.bounded(self.scope.symbol("int", hidden), hidden, integral(low, high) or ())]
            case Number(minimum=low, maximum=high):
                whole, double = numeric(low, high) or ((), ())
                return [
                    self.bounded(self.scope.symbol("int", hidden), hidden, whole),
                    self.bounded(self.scope.symbol("float", hidden), hidden, double),
                ]
            case ListOf(min_items=low, max_items=high):
                found = super().parts(type_, hidden)
                return [self.bounded(found[0], hidden, lengths(low, high) or ())]
            case MapOf(value=value, key_pattern=pattern) if pattern is not None:
                text = self.scope.symbol("str", hidden)
                name = self.bounded(text, hidden, (matching(pattern),))
                return [Subscript(self.scope.symbol("Mapping", hidden), (name, self.of(value, hidden)))]
            case NonNull(inner=inner) if self.names.facts.is_any(inner):
                return [self.scope.symbol("JsonNonNull", hidden)]
            case _:
                return super().parts(type_, hidden)

    def bounded(self, type_: Expression, hidden: frozenset[str], bounds: Bounds) -> Expression:
        """``type_`` with what ``Meta`` says of it, if anything."""
        if not bounds:
            return type_
        meta = Call(self.scope.symbol("Meta", hidden), bounds)
        return Subscript(self.scope.symbol("Annotated", hidden), (type_, meta))


def matching(pattern: Pattern) -> str:
    """The argument of ``Meta`` for a pattern, in Python's words."""
    return f"pattern={quoting.text(translate(pattern.source))}"


class Structs(Models):
    """Makes the view of one edition."""

    def __init__(self, edition: Edition, options: Options, names: Names, native: Native) -> None:
        super().__init__(edition, options, names)
        self.native = native
        self.scope = StructScope(names)
        self.annotations = StructAnnotations(names, self.scope, False)

    def view(self, banner: str, doc: str) -> ModelsView:
        """The whole module."""
        definitions = ordered(self.facts)
        classes = [definition for definition in definitions if isinstance(definition, Record)]
        others = [definition for definition in definitions if not isinstance(definition, Record)]
        items = after_imports([self.item(definition) for definition in (*classes, *others)])
        alias = self.scope.symbol("TypeAlias") if self.scope.aliases or self.names.former else ""
        aliases = [f"{local}: {alias} = {quoting.text(name)}" for local, name in sorted(self.scope.aliases.items())]
        return ModelsView(
            banner=banner,
            doc=quoting.docstring(doc, 0, PROSE),
            imports=tuple(self.scope.import_lines()),
            typed="",
            items=tuple(items),
            aliases=tuple(aliases),
            former=former(self.names, alias),
        )

    def record(self, record: Record, name: str) -> ItemView:
        """A Struct."""
        attributes = self.names.attributes[record.key]
        hidden = frozenset(attributes.values()) | {"extra"}
        fields = [self.member(record, field, attributes[field.wire_name], hidden) for field in record.fields]
        if has_extra(record):
            fields.append(self.extra(record, hidden))
        tag = self.native.tags.get(record.key)
        how = [self.scope.symbol("Record"), "kw_only=True"]
        if tag is not None:
            how += [f"tag_field={quoting.text(tag.name)}", f"tag={quoting.literal(tag.value)}"]
        wire_names = {a: wire_name for wire_name, a in attributes.items() if not (tag and tag.name == wire_name)}
        how += self.renamed(record, wire_names)
        head = layout.listed(f"class {name}(", how, "):").removeprefix("class ").removesuffix(":")
        doc = quoting.docstring(docs.record(record, self.names, self.history), 4, PROSE)
        secret = [quoting.text(attributes[field.wire_name]) for field in record.fields if field.notes.secret]
        if secret:
            names = Subscript(self.scope.symbol("frozenset", hidden), (self.scope.symbol("str", hidden),))
            constant = Subscript(self.scope.symbol("ClassVar", hidden), (names,))
            left = f"__secrets__: {layout.flat(constant)} = {self.scope.symbol('frozenset', hidden)}(("
            fields.insert(0, FieldView(layout.listed(left, secret, "))", indent=4, tail=","), ""))
        return ItemView(True, head, doc, fields=tuple(fields))

    def renamed(self, record: Record, wire_names: Mapping[str, str]) -> list[str]:
        """How the members are called on the wire, where that is not what their attributes are called."""
        if all(attribute == wire_name for attribute, wire_name in wire_names.items()):
            return []
        if all(CAMEL.fullmatch(attribute) and camel(attribute) == name for attribute, name in wire_names.items()):
            return ['rename="camel"']
        pairs = [
            f"{quoting.text(attribute)}: {quoting.text(name if speakable(name) else naming.escaped(name))}"
            for attribute, name in wire_names.items()
            if attribute != name
        ]
        if has_extra(record) and "extra" in wire_names.values():  # no document holds the attribute of this name
            free = "extra_"
            while free in wire_names.values():
                free += "_"
            pairs.append(f'"extra": {quoting.text(free)}')
        return [layout.listed("rename={", pairs, "}", indent=4)]

    def member(self, record: Record, field: Field, attribute: str, hidden: frozenset[str]) -> FieldView:
        """One member: what is absent is UNSET, so that null keeps its meaning."""
        tag = self.native.tags.get(record.key)
        mechanical = naming.legal(field.wire_name) and naming.snake(field.wire_name) == attribute
        doc = self.docstring(docs.field(field, mechanical, self.history.of_field(record.key, field.wire_name)), 4)
        if tag is not None and tag.name == field.wire_name:
            literal = quoting.literal(tag.value)
            only = Subscript(self.scope.symbol("Literal", hidden), (literal,))
            constant = Subscript(self.scope.symbol("ClassVar", hidden), (only,))
            return FieldView(layout.statement(f"{attribute}: ", constant, f" = {literal}", indent=4), doc)
        parts = self.annotations.parts(field.type, hidden)
        right = ""
        if not field.required:
            parts = [*parts, self.scope.symbol("UnsetType", hidden)]
            right = f" = {self.scope.symbol('UNSET', hidden)}"
        return FieldView(layout.statement(f"{attribute}: ", joined(parts), right, indent=4), doc)

    def extra(self, record: Record, hidden: frozenset[str]) -> FieldView:
        """Members beyond the declared ones."""
        parts: list[Expression] = []
        for _, type_ in record.extras.patterns:
            parts += self.annotations.parts(type_, hidden)
        if isinstance(record.extras, Typed):
            parts += self.annotations.parts(record.extras.value, hidden)
        elif not isinstance(record.extras, Closed):
            parts.append(self.scope.symbol("JsonValue", hidden))
        whole = joined([Subscript(self.scope.symbol("Extra", hidden), (joined(parts),)), self.unset(hidden)])
        line = layout.statement("extra: ", whole, f" = {self.scope.symbol('UNSET', hidden)}", indent=4)
        return FieldView(line, self.docstring("All other members.", 4))

    def unset(self, hidden: frozenset[str]) -> str:
        """The type of what is absent."""
        return self.scope.symbol("UnsetType", hidden)


def camel(attribute: str) -> str:
    """What msgspec makes of an attribute of the form ``CAMEL`` under ``rename="camel"``."""
    first, *others = attribute.split("_")
    return first + "".join(word.capitalize() for word in others)


def has_extra(record: Record) -> bool:
    """A document may hold members that the record does not declare."""
    return not isinstance(record.extras, Closed) or bool(record.extras.patterns)
