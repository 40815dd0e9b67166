"""A contract and its model → what every rule asks about them.

Must not judge: rules do. What is built into the tool (the dialects' metaschemas) is nobody's contract, and left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from codegen.derive import Judge
from codegen.document import Contract, Schema
from codegen.errors import Problem
from codegen.facts import Facts, inner_types, own_types
from codegen.model import Definition, JsonValue, Model, Type
from codegen.pointer import Origin, parent, unescape


@dataclass(frozen=True)
class Subject:
    """What is judged."""

    contract: Contract
    facts: Facts

    @property
    def model(self) -> Model:
        """The model of the contract."""
        return self.facts.model

    @cached_property
    def judge(self) -> Judge:
        """Says whether a value is of a type."""
        return Judge(self.facts)

    @cached_property
    def schemas(self) -> tuple[Schema, ...]:
        """Every schema of the contract that is declared or referred to, each once, in contract order."""
        found: dict[Origin, Schema] = {}
        todo = list(reversed(self.contract.schemas))
        while todo:
            schema = todo.pop()
            if schema.origin in found or self.is_built_in(schema.origin):
                continue
            found[schema.origin] = schema
            below: list[Schema] = []
            for keyword in schema.keywords():
                one = schema.one(keyword)
                below += [*([one] if one is not None else []), *schema.many(keyword), *schema.named(keyword).values()]
            if schema.has("$ref"):
                below.append(self.contract.follow(schema))
            todo.extend(reversed(below))
        return tuple(found.values())

    def schema_at(self, origin: Origin) -> Schema | None:
        """The schema at a place; None where the place is no schema's."""
        try:
            return self.contract.schema(origin)
        except LookupError:
            return None

    def item(self, keyword: Origin, value: JsonValue) -> Origin:
        """The place of ``value`` in the array that a keyword at ``keyword`` holds; of the keyword, where it is not there."""
        schema = self.schema_at(Origin(keyword.document, parent(keyword.pointer)))
        listed = schema.get(unescape(keyword.pointer.rpartition("/")[2])) if schema is not None else None
        places = (keyword.at(i) for i, item in enumerate(listed if isinstance(listed, list) else ()) if item == value)
        return next(places, keyword)

    def is_built_in(self, origin: Origin) -> bool:
        """The place is in a document that the tool brings along."""
        return bool(origin.document) and not self.contract.documents[origin.document].digest

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The definitions that values are built from, in contract order."""
        return tuple(d for d in self.facts.public if not self.is_built_in(d.key.origin))

    def types(self, definition: Definition) -> Iterator[Type]:
        """Every type that a definition states, at any depth, operands of checks left out."""
        todo = list(reversed(own_types(definition)))
        while todo:
            type_ = todo.pop()
            yield type_
            todo.extend(reversed(inner_types(type_)))


def finding(code: str, message: str, origin: Origin, help: str) -> Problem:
    """One finding: it has the form of a problem, and stops nothing."""
    return Problem(code=code, message=message, origin=origin, help=help)
