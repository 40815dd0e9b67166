"""An edition → what ``typed.py`` shows: TypedDicts of the documents, under the contract's own member names.

Must not say more than the contract: aliases stay closed whatever the receiver's policy is. Closedness itself is no part of a
TypedDict's type before PEP 728, so that it is in the docstring. The module is evaluated as it stands (no deferred annotations),
so that ``__required_keys__`` is right for whoever asks at run time.
"""

from __future__ import annotations

import keyword
from dataclasses import dataclass

from codegen.edition import Edition
from codegen.model import Alias, Definition, Enum, Field, Record, Union
from codegen.targets import layout, quoting
from codegen.targets.layout import Call, Either, Expression, Subscript
from codegen.targets.python import docs
from codegen.targets.python.annotations import Annotations, Evaluated
from codegen.targets.python.models import PROSE, FieldView, ItemView, after_imports, former, ordered
from codegen.targets.python.names import Names, Scope


@dataclass(frozen=True, slots=True)
class TypedView:
    """What the template shows."""

    banner: str
    doc: str
    imports: tuple[str, ...]
    items: tuple[ItemView, ...]
    former: tuple[str, ...]


class Typed:
    """Makes the view of one edition."""

    def __init__(self, edition: Edition, names: Names) -> None:
        self.facts = edition.facts
        self.history = edition.history
        self.names = names
        self.scope = Scope(names)
        self.annotations = Annotations(names, self.scope, False)
        self.evaluated = Evaluated(frozenset(names.classes.values()))

    def view(self, banner: str, doc: str) -> TypedView:
        """The whole module."""
        items = after_imports([self.item(definition) for definition in ordered(self.facts)])
        lines = former(self.names, self.scope.symbol("TypeAlias") if self.names.former else "")
        return TypedView(
            banner=banner,
            doc=quoting.docstring(doc, 0, PROSE),
            imports=tuple(self.scope.import_lines()),
            items=tuple(items),
            former=lines,
        )

    def item(self, definition: Definition) -> ItemView:
        """One definition."""
        name = self.names.classes[definition.key]
        match definition:
            case Record():
                item = self.record(definition, name)
                self.evaluated.define(name)
                return item
            case Enum():
                expression = self.annotations.enum(definition)
            case Union(choice=choice):
                expression = self.annotations.of(choice)
            case Alias(type=type_):
                expression = self.annotations.of(type_)
        left = f"{name}: {self.scope.symbol('TypeAlias')} = "
        right = self.evaluated.define(name, expression) or ""
        doc = self.docstring(docs.summary(definition), 0)
        return ItemView(False, name, doc, statements=(layout.statement(left, right),))

    def record(self, record: Record, name: str) -> ItemView:
        """A TypedDict: a class where every member can be written in one, else a call."""
        doc = docs.record(record, self.names, self.history)
        fields = [field for field in record.fields if field.wire_name]
        if len(fields) < len(record.fields):
            doc += "\n\nThere is also a member whose name is empty, which no TypedDict can declare."
        wires = {field.wire_name for field in fields}
        types = [self.annotations.of(field.type) for field in fields]
        values = [self.value(type_, field) for type_, field in zip(types, fields, strict=True)]
        base = self.scope.symbol("TypedDict")
        if all(map(_plain, wires)) and not wires & names_in(types) and "NotRequired" not in wires:
            views = tuple(
                FieldView(
                    layout.statement(f"{field.wire_name}: ", value, indent=4),
                    self.docstring(docs.told(field, self.history.of_field(record.key, field.wire_name)), 4),
                )
                for field, value in zip(fields, values, strict=True)
            )
            return ItemView(True, layout.derived(name, base), quoting.docstring(doc, 4, PROSE), fields=views)
        lines = [f"{name} = {base}(", f"    {quoting.text(name)},", "    {"]
        lines += [
            f"        {layout.statement(quoting.text(field.wire_name) + ': ', value, ',', indent=8)}"
            for field, value in zip(fields, values, strict=True)
        ]
        statement = "\n".join([*lines, "    },", ")"])
        return ItemView(False, name, self.docstring(doc, 0), statements=(statement,))

    def value(self, type_: Expression, field: Field) -> Expression:
        """What a member holds."""
        expression = self.evaluated.safe(type_)
        return expression if field.required else Subscript(self.scope.symbol("NotRequired"), (expression,))

    def docstring(self, text: str, indent: int) -> str:
        """A docstring, or nothing."""
        return quoting.docstring(text, indent, PROSE) if text else ""


def _plain(wire_name: str) -> bool:
    """A class can have a member of this name."""
    return (
        wire_name.isascii()
        and wire_name.isidentifier()
        and not keyword.iskeyword(wire_name)
        and not wire_name.startswith("__")
    )


def names_in(expressions: list[Expression]) -> set[str]:
    """Every name that stands in some annotations."""
    found: set[str] = set()
    todo = list(expressions)
    while todo:
        match todo.pop():
            case str() as name:
                found.add(name)
            case Subscript(head=head, arguments=arguments):
                found.add(head)
                todo += arguments
            case Either(parts=parts):
                todo += parts
            case Call(head=head):
                found.add(head)
    return found
