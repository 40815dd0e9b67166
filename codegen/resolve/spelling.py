"""A spelling → its words, and words → a name or an anchor.

Must not know definitions: ``names`` and ``called`` decide what is called how.
"""

from __future__ import annotations

import re

from codegen.model import Name

UNNAMED = Name(spelled="", words=(), source="pointer")
"""What a definition is called until ``named`` has seen them all."""

NAMELESS = "X"
CONTAINERS = ("$defs", "definitions")
COMPONENTS = ("components", "schemas")
# Members of OpenAPI's objects that hold the schema of something else.
HOLDERS = ("schema", "itemSchema")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
SEGMENT = re.compile(r"[a-z][a-z0-9]*")
STEPS = {
    "items": "Item",
    "contains": "Item",
    "unevaluatedItems": "Item",
    "additionalItems": "Item",
    "additionalProperties": "Value",
    "unevaluatedProperties": "Value",
    "propertyNames": "Name",
    "not": "Not",
    "if": "If",
    "then": "Then",
    "else": "Else",
    "contentSchema": "Content",
}


def words_of(text: str) -> tuple[str, ...]:
    """The words of a spelling: at case changes, digits and characters that no identifier has."""
    return tuple(WORD.findall(text))


def words_of_declared(spelled: str) -> tuple[str, ...]:
    """The words of a declared name. Where it has dots (``io.k8s.api.v1.Pod``), its small segments are words as they are."""
    if "." not in spelled:
        return words_of(spelled)
    return tuple(
        word
        for segment in spelled.split(".")
        for word in ((segment,) if SEGMENT.fullmatch(segment) else words_of(segment))
    )


def joined(words: tuple[str, ...]) -> str:
    """Words as one name, each with a capital."""
    return "".join(word[:1].upper() + word[1:] for word in words)
