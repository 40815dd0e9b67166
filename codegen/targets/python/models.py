"""An edition → what ``models.py`` shows: dataclasses, aliases and enums, in the contract's order as far as Python allows.

Must not know the wire: names of members there, and what is accepted, belong to the codec. The module is documentation too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from codegen.edition import Edition
from codegen.facts import Facts
from codegen.history import Past
from codegen.model import (
    Alias,
    Closed,
    Default,
    Definition,
    Enum,
    Field,
    JsonValue,
    Literals,
    Record,
    Type,
    Typed,
    Union,
)
from codegen.targets import layout, naming, quoting
from codegen.targets.layout import Either, Expression, Subscript
from codegen.targets.python import docs
from codegen.targets.python.annotations import Annotations, Evaluated, joined, whole
from codegen.targets.python.names import Names, Scope
from codegen.targets.python.options import Options

PROSE = 100
"""Width of prose in docstrings."""


@dataclass(frozen=True, slots=True)
class FieldView:
    """A field's line, and its docstring ("": none)."""

    line: str
    doc: str


@dataclass(frozen=True, slots=True)
class ItemView:
    """A class with its fields, or (``is_class`` false) statements; ``doc`` is the docstring of either ("": none).
    ``apart``: two empty lines stand before it; ``decorator``: what stands above a class."""

    is_class: bool
    head: str
    doc: str
    fields: tuple[FieldView, ...] = ()
    statements: tuple[str, ...] = ()
    apart: bool = True
    decorator: str = ""


@dataclass(frozen=True, slots=True)
class ModelsView:
    """What the template shows."""

    banner: str
    doc: str
    imports: tuple[str, ...]
    typed: str
    items: tuple[ItemView, ...]
    aliases: tuple[str, ...]
    former: tuple[str, ...]


class Models:
    """Makes the view of one edition."""

    def __init__(self, edition: Edition, options: Options, names: Names) -> None:
        self.facts = edition.facts
        self.history = edition.history
        self.options = options
        self.names = names
        self.scope = Scope(names)
        self.annotations = Annotations(names, self.scope, options.open_world)
        self.evaluated = Evaluated(frozenset(names.classes.values()) | {names.variant})

    def view(self, banner: str, doc: str) -> ModelsView:
        """The whole module."""
        items = []
        if self.has_variants:
            self.evaluated.define(self.names.variant)
            items.append(self.variant())
        items += map(self.item, ordered(self.facts))
        classes = any(item.is_class for item in items)
        checking = self.scope.symbol("TYPE_CHECKING") if classes and typed(self.options) else ""
        if not checking:
            items = after_imports(items)
        alias = self.scope.symbol("TypeAlias") if self.scope.aliases or self.names.former else ""
        aliases = [f"{local}: {alias} = {quoting.text(name)}" for local, name in sorted(self.scope.aliases.items())]
        return ModelsView(
            banner=banner,
            doc=quoting.docstring(doc, 0, PROSE),
            imports=tuple(self.scope.import_lines()),
            typed=checking,
            items=tuple(items),
            aliases=tuple(aliases),
            former=former(self.names, alias),
        )

    @property
    def has_variants(self) -> bool:
        """The package has a class for variants that the contract does not list."""
        return self.options.open_world and bool(self.names.tag_attributes())

    def item(self, definition: Definition) -> ItemView:
        """One definition."""
        name = self.names.classes[definition.key]
        match definition:
            case Record():
                self.evaluated.define(name)
                return self.record(definition, name)
            case Enum():
                expression = self.annotations.enum(definition)
                values = [quoting.literal(value.value) for value in definition.values]
                whole_ = Subscript(self.scope.symbol("tuple"), (name, "..."))
                listed = layout.listed(
                    f"{self.names.values[definition.key]}: {layout.flat(whole_)} = (", values, ")", tail=","
                )
                statements: tuple[str, ...] = (self.alias(name, expression), listed)
            case Union(choice=choice):
                statements = (self.alias(name, self.annotations.of(choice)),)
            case Alias(type=type_):
                statements = (self.alias(name, self.annotations.of(type_)),)
        return ItemView(
            False, name, self.docstring(docs.definition(definition, self.history), 0), statements=statements
        )

    def alias(self, name: str, expression: Expression) -> str:
        """``name`` as another name of ``expression``."""
        left = f"{name}: {self.scope.symbol('TypeAlias')} = "
        return layout.statement(left, self.evaluated.define(name, expression) or "")

    def record(self, record: Record, name: str) -> ItemView:
        """A dataclass."""
        attributes = self.names.attributes[record.key]
        hidden = frozenset(attributes.values()) | {"extra"}
        pasts = [self.history.of_field(record.key, field.wire_name) for field in record.fields]
        fields = [
            self.field(field, attributes[field.wire_name], hidden, past)
            for field, past in zip(record.fields, pasts, strict=True)
        ]
        fields.append(self.extra(record, hidden))
        base = self.scope.symbol("Record")
        if typed(self.options):
            document = f'"typed.{name}"'
        else:
            document = f"{self.scope.symbol('dict')}[{self.scope.symbol('str')}, {self.scope.symbol('JsonValue')}]"
        doc = quoting.docstring(docs.record(record, self.names, self.history), 4, PROSE)
        decorator = self.dataclass(any(field.notes.secret for field in record.fields))
        head = layout.derived(name, f"{base}[{document}]")
        return ItemView(True, head, doc, fields=tuple(fields), decorator=decorator)

    def dataclass(self, secrets: bool = False) -> str:
        """The decorator of a class. Where there are secrets, the base says what is shown of it."""
        return f"@{self.scope.symbol('dataclass')}(slots=True, kw_only=True{', repr=False' if secrets else ''})"

    def field(self, field: Field, attribute: str, hidden: frozenset[str], past: Past) -> FieldView:
        """One member: what may stand for its absence follows from whether null is legal."""
        parts = self.annotations.parts(field.type, hidden)
        absent = ""
        if field.required:
            literal = self.default(field.type)
            right = "" if literal is None else f" = {quoting.literal(literal.value)}"
        elif self.facts.accepts_null(field.type):
            absent = self.scope.symbol("Absent", hidden)
            right = f" = {self.scope.symbol('ABSENT', hidden)}"
        else:
            parts.append("None")
            right = " = None"
        expression = joined(parts)
        if absent:
            expression = Either((*(expression.parts if isinstance(expression, Either) else (expression,)), absent))
        if field.notes.secret:
            default = right.replace(" = ", "default=") + ", " if right else ""
            right = f" = {self.scope.symbol('field', hidden)}({default}repr=False)"
        line = layout.statement(f"{attribute}: ", expression, right, indent=4)
        mechanical = naming.legal(field.wire_name) and naming.snake(field.wire_name) == attribute
        return FieldView(line, self.docstring(docs.field(field, mechanical, past), 4))

    def default(self, type_: Type) -> Default | None:
        """A required literal needs no saying: the only value that the member can have."""
        type_ = self.facts.unwrap(type_)
        if isinstance(type_, Literals) and len(type_.values) == 1:
            value: JsonValue = whole(type_.values[0])
            return None if isinstance(value, list | dict) else Default(value=value)
        return None

    def extra(self, record: Record, hidden: frozenset[str]) -> FieldView:
        """Members beyond the declared ones."""
        parts: list[Expression] = []
        for _, type_ in record.extras.patterns:
            parts += self.annotations.parts(type_, hidden)
        if isinstance(record.extras, Typed):
            parts += self.annotations.parts(record.extras.value, hidden)
        else:
            parts.append(self.scope.symbol("JsonValue", hidden))
        whole_ = Subscript(self.scope.symbol("dict", hidden), (self.scope.symbol("str", hidden), joined(parts)))
        line = layout.statement("extra: ", joined([whole_, "None"]), " = None", indent=4)
        closed = isinstance(record.extras, Closed) and not record.extras.patterns
        doc = (
            "Members that the contract does not list, from a receiver that keeps them."
            if closed
            else "All other members."
        )
        return FieldView(line, self.docstring(doc, 4))

    def variant(self) -> ItemView:
        """The class of variants that the contract does not list: no tag of the contract is equal to any of its tags."""
        attributes = self.names.tag_attributes()
        hidden = frozenset(attributes) | {"tag", "raw", "tag_", "raw_"}
        unknown = self.scope.symbol("Unknown", hidden)
        literal = f"{self.scope.symbol('Literal', hidden)}[{unknown}.UNKNOWN]"
        text, number = self.scope.symbol("str", hidden), self.scope.symbol("int", hidden)
        mapping = f"{self.scope.symbol('Mapping', hidden)}[{text}, {self.scope.symbol('JsonValue', hidden)}]"
        tag, raw = ("tag_" if "tag" in attributes else "tag"), ("raw_" if "raw" in attributes else "raw")
        fields = [
            FieldView(f"{tag}: {text} | {number}", self.docstring("The tag, as received.", 4)),
            FieldView(f"{raw}: {mapping}", self.docstring("The whole object, as received; written back as it is.", 4)),
            *(FieldView(f"{attribute}: {literal} = {unknown}.UNKNOWN", "") for attribute in attributes),
        ]
        doc = "A variant that the contract does not list, from a receiver that keeps it."
        doc = self.docstring(doc, 4)
        return ItemView(True, self.names.variant, doc, fields=tuple(fields), decorator=self.dataclass())

    def docstring(self, text: str, indent: int) -> str:
        """A docstring, or nothing."""
        return quoting.docstring(text, indent, PROSE) if text else ""


def former(names: Names, alias: str) -> tuple[str, ...]:
    """Lines for the names of earlier versions, each with a docstring."""
    lines = []
    for old, name in names.former.items():
        lines += [f"{old}: {alias} = {name}", f'"""Deprecated: the former name of ``{name}``."""']
    return tuple(lines)


def after_imports(items: list[ItemView]) -> list[ItemView]:
    """Black wants one empty line between imports and a statement, two before a class."""
    return [replace(item, apart=item.is_class) for item in items[:1]] + items[1:]


def typed(options: Options) -> bool:
    """Documents have types of their own (``typed.py`` is there and says all that can be written)."""
    return "typed" in options.parts and not options.open_world


def ordered(facts: Facts) -> list[Definition]:
    """Definitions to be built, dependencies first; of those that need each other, classes before what names them."""
    return [
        definition
        for component in facts.components
        for definition in sorted(map(facts.definition, component), key=lambda d: not isinstance(d, Record | Enum))
        if definition.key not in facts.judged
    ]
