"""Operations → the types that travel with them, and what those need not carry.

Must not interpret schemas or know a language; like ``facts``, it derives once for everybody what follows from the model alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codegen.facts import Facts, own_types, references
from codegen.model import Content, Encoding, Field, Key, Model, Operation, Record, Type


def contents(operation: Operation) -> Iterator[Content]:
    """Every form of a body that travels with an operation, in its order."""
    for parameter in operation.parameters:
        if parameter.content is not None:
            yield parameter.content
    if operation.body is not None:
        yield from operation.body.contents
    for response in operation.responses:
        yield from response.contents


def types_of(operation: Operation) -> tuple[Type, ...]:
    """The types that travel with an operation: parameters, bodies, headers of responses."""
    return (
        *(parameter.type for parameter in operation.parameters),
        *(type_ for content in contents(operation) for type_ in content_types(content)),
        *(header.type for response in operation.responses for header in response.headers),
    )


def content_types(content: Content) -> tuple[Type, ...]:
    """The types of one form of a body: the whole, its items, the headers of its parts. Of server-sent events whose data is
    typed it is the data: nobody builds the frame around it."""
    items = tuple(case.type for case in content.events) or (content.item,)
    return (
        *(type_ for type_ in (content.type, *items) if type_ is not None),
        *(header.type for encoding in _encodings(content.encodings) for header in encoding.headers),
    )


def _encodings(encodings: tuple[Encoding, ...]) -> Iterator[Encoding]:
    for encoding in encodings:
        yield encoding
        yield from _encodings(encoding.parts)


def used_in(model: Model) -> Mapping[Key, tuple[Operation, ...]]:
    """For each definition that operations take or give themselves, those operations in contract order."""
    users: dict[Key, list[Operation]] = {}
    for operation in model.operations:
        for key in dict.fromkeys(references(types_of(operation))):
            users.setdefault(key, []).append(operation)
    return {key: tuple(found) for key, found in users.items()}


@dataclass(frozen=True, slots=True)
class Spared:
    """A required member that need not be there, and the record that requires it."""

    record: Record
    field: Field


def spared(facts: Facts, content: Content) -> tuple[Spared, ...]:
    """The required members that ``content`` need not carry, at any depth: in a request what is read only, in a response what is
    write only. Everything else about the types holds in both directions."""
    found: list[Spared] = []
    passed: set[Key] = set()
    todo = list(references(content_types(content)))
    while todo:
        key = todo.pop(0)
        if key in passed:
            continue
        passed.add(key)
        definition = facts.definition(key)
        todo += references(own_types(definition))
        if isinstance(definition, Record):
            spare = (f for f in definition.fields if f.required and not f.required_in(content.direction))
            found += (Spared(definition, field) for field in spare)
    return tuple(found)
