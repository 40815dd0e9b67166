"""A model → the schemas of its shapes, for datamodel-code-generator: what annotations can say, under the package's own names.

Must not promise exactness: checks, and whatever only some tools know, are left out, because the generated decoders judge. For
the rest it is the bundle of the target ``jsonschema``, with our names for its definitions and our docstrings as descriptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from codegen.edition import Edition
from codegen.model import (
    ByTag,
    Check,
    Checked,
    Choice,
    Definition,
    Enum,
    Field,
    Integer,
    Key,
    Literals,
    MapOf,
    Never,
    Number,
    Record,
    Text,
    TupleOf,
    Type,
)
from codegen.targets import naming
from codegen.targets.docs import escape
from codegen.targets.jsonschema.joining import Members, Schema
from codegen.targets.jsonschema.writing import Writer
from codegen.targets.python import docs
from codegen.targets.python.names import Names
from codegen.targets.python.native import integral, lengths, literal, numeric, plain_pattern


class Shapes(Writer):
    """Writes the schemas of one edition. ``classes``, ``attributes``: what definitions and members are
    called in the module."""

    def __init__(
        self, edition: Edition, names: Names, classes: Mapping[Key, str], attributes: Mapping[Key, Mapping[str, str]]
    ) -> None:
        super().__init__(edition.facts, False)
        self.history = edition.history
        self.own = names
        self.attributes = attributes
        self.names = dict(classes)

    def bundle(self) -> Members:
        """All definitions."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": {self.names[d.key]: self._named(d) for d in self.facts.public},
        }

    def _named(self, definition: Definition) -> Schema:
        if isinstance(definition, Record):
            said = docs.record(definition, self.own, self.history)
            schema: Schema = self._whole_record(definition)
        else:
            said = docs.definition(definition, self.history)
            schema = self._whole(definition)
        return _said(schema, said)

    def _whole_record(self, record: Record) -> Members:
        own = self.attributes[record.key]
        properties: Members = {}
        for field in record.fields:
            mechanical = naming.legal(field.wire_name) and naming.snake(field.wire_name) == own[field.wire_name]
            past = self.history.of_field(record.key, field.wire_name)
            properties[field.wire_name] = _said(self.type(field.type), docs.field(field, mechanical, past))
        schema: Members = {"type": "object", "properties": properties}
        if required := [field.wire_name for field in record.fields if field.required]:
            schema["required"] = [*required]
        if not record.extras.patterns and type(record.extras).__name__ == "Closed":
            schema["additionalProperties"] = False
        return schema

    def _enum(self, enum: Enum) -> Schema:
        values = [value.value for value in enum.values]
        listed: Schema = {"enum": [*values]} if literal(values) else True
        return listed if enum.open is None else True

    def _field(self, field: Field) -> Schema:
        return self.type(field.type)

    def _checks(self, checks: Iterable[Check]) -> Iterator[Schema]:
        return iter(())

    def type(self, type_: Type) -> Schema:
        """The schema of a type's shape, or of more."""
        match type_:
            case Checked(inner=inner):
                return self.type(inner)
            case Never():
                return True
            case TupleOf():
                return {"type": "array"}
            case Literals(values=values) if not literal(values):
                return True
            case Integer(minimum=low, maximum=high) if integral(low, high) is None:
                return {"type": "integer"}
            case Number(minimum=low, maximum=high) if numeric(low, high) is None:
                return {"type": "number"}
            case Text(min_length=low, max_length=high, patterns=patterns):
                schema: Members = {"type": "string"}
                if lengths(low, high) is not None:
                    schema |= {"minLength": int(low.value)} if low else {}
                    schema |= {"maxLength": int(high.value)} if high else {}
                if len(patterns) == 1 and plain_pattern(patterns[0].source):
                    schema["pattern"] = patterns[0].source
                return schema
            case MapOf(value=value):
                schema_of_value = self.type(value)
                return {
                    "type": "object",
                    "additionalProperties": schema_of_value if isinstance(schema_of_value, dict) else {},
                }
            case _:
                return super().type(type_)

    def _choice(self, choice: Choice) -> Schema:
        members = [self.type(member.type) for member in choice.members]
        dispatch = choice.dispatch
        if (
            isinstance(dispatch, ByTag)
            and choice.rest is None
            and all(isinstance(c.to, int) for c in dispatch.switch.cases)
        ):
            return {"oneOf": [*members], "discriminator": self._discriminator(choice, dispatch)}
        return {"anyOf": [*members]}


def _said(schema: Schema, said: str) -> Schema:
    """A schema with its description."""
    if not said:
        return schema
    lines = "\n".join(map(escape.visible, said.split("\n")))
    return {"description": lines, **(schema if isinstance(schema, dict) else {})}
