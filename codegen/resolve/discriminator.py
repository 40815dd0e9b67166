"""A stated discriminator → what it says, and whether that agrees with the members of its choice.

Must not decide how members are told apart (``dispatch`` does). A discriminator asserts nothing in JSON Schema (OpenAPI 3.1.1,
4.8.25): without a literal that every member pins, it is believed by nobody here, neither its mapping nor the names of the
components that it means without one; such a choice is tried, and says so in its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codegen.document import Schema
from codegen.errors import Problem
from codegen.model import Choice, JsonValue, Member, Ref
from codegen.pointer import Origin, parent

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter


@dataclass(frozen=True, slots=True)
class Stated:
    """A discriminator: the member that tells apart, the tags that it maps, its place."""

    property: str
    mapping: Mapping[str, JsonValue]
    origin: Origin


def stated(reader: Interpreter, choice: Choice) -> Stated | None:
    """The discriminator beside a choice."""
    place = Origin(choice.origin.document, parent(choice.origin.pointer))
    schema = reader.contract.schema(place)
    written = schema.get("discriminator") if schema.boolean is None else None
    if not isinstance(written, dict) or not isinstance(written.get("propertyName"), str):
        return None
    mapping = written.get("mapping")
    return Stated(
        str(written["propertyName"]), mapping if isinstance(mapping, dict) else {}, schema.at("discriminator")
    )


def agree(
    reader: Interpreter,
    stated: Stated,
    choice: Choice,
    members: list[Member],
    pinned: list[tuple[JsonValue, ...]],
) -> None:
    """Each mapping entry must lead to a member of ``choice``; and if that is one of ``members``, which are told apart by the
    discriminator, under a value that the member's literal allows (an array beside them has no members to look at).

    An entry is a reference, or the name of a component (OpenAPI 3.1.1, 4.8.25).
    """
    place = reader.contract.schema(Origin(stated.origin.document, parent(stated.origin.pointer)))
    for value, written in stated.mapping.items():
        target = reader.contract.find(place, str(written))
        led = None if target is None else target.origin
        others = [(member, None) for member in choice.members if member not in members]
        for member, values in (*zip(members, pinned, strict=True), *others):
            key = member.type.key if isinstance(member.type, Ref) else None
            if key is None or not (key.origin == led or key.pointer.endswith(f"/{written}")):
                continue
            if values is not None and value not in values:
                listed = ", ".join(f'"{literal}"' for literal in values)
                _mismatch(
                    reader,
                    f'the mapping leads "{value}" to a member whose "{stated.property}" is {listed}',
                    stated.origin.at("mapping", value),
                    f"make the mapping agree with the literal at {key.pointer}",
                )
            break
        else:
            _mismatch(
                reader,
                f'the mapping leads "{value}" to "{written}", which is no member',
                stated.origin.at("mapping", value),
                "name one of the members, or remove the entry",
            )


def check(reader: Interpreter, schema: Schema) -> None:
    """Refuse a mapping of ``schema`` that leads to no schema of the contract, whether a choice is told apart by it or not."""
    written = schema.get("discriminator") if schema.boolean is None else None
    mapping = written.get("mapping") if isinstance(written, dict) else None
    for value, target in mapping.items() if isinstance(mapping, dict) else ():
        if reader.contract.find(schema, str(target)) is None and str(target) not in reader.components:
            _mismatch(
                reader,
                f'the mapping leads "{value}" to "{target}", which is no schema of the contract',
                schema.at("discriminator").at("mapping", value),
                "correct the reference, or remove the entry",
            )


def _mismatch(reader: Interpreter, message: str, origin: Origin, help: str) -> None:
    problem = Problem(code="discriminator-mismatch", message=message, origin=origin, help=help)
    if problem not in reader.problems:
        reader.problems.append(problem)
