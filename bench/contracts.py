"""A number → a contract of that many definitions, of the mixture that protocols have.

Must not be random: two runs measure the same contract.
"""

from __future__ import annotations

from typing import Any


def contract(size: int) -> dict[str, Any]:
    """Of ten definitions seven are records, one is an enum, one a tagged union of records before it, one an alias of a map."""
    definitions = {f"Thing{number}": definition(number) for number in range(size)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Scale",
        "$ref": "#/$defs/Thing0",
        "$defs": definitions,
    }


def definition(number: int) -> dict[str, Any]:
    """One definition; what it refers to is near it."""
    kind = number % 10
    near = number - kind
    described = {"description": f"The thing number {number}: what a protocol says of it, in a sentence."}
    if kind == 7:
        return {**described, "enum": [f"value-{number}-{i}" for i in range(6)]}
    if kind == 8:
        return {**described, "oneOf": [{"$ref": f"#/$defs/Thing{near + i}"} for i in range(4)]}
    if kind == 9:
        return {**described, "type": "object", "additionalProperties": {"$ref": f"#/$defs/Thing{near}"}}
    properties: dict[str, Any] = {
        "type": {"const": f"thing-{number}"},
        "id": {"type": "string", "minLength": 1, "description": "What it is called."},
        "createdAt": {"type": "integer", "minimum": 0, "description": "When it was made, in milliseconds."},
        "labels": {"type": "array", "items": {"type": "string"}, "description": "Words to find it by."},
        "weight": {"type": ["number", "null"], "description": "How heavy it is, in kilograms."},
        "metadata": {"type": "object", "description": "Whatever else there is."},
    }
    if kind:
        properties["before"] = {"$ref": f"#/$defs/Thing{number - 1}"}
    return {
        **described,
        "type": "object",
        "properties": properties,
        "required": ["type", "id"],
        "additionalProperties": False,
    }
