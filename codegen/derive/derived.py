"""Nothing → what derived documents are.

Must not know how they are derived: whoever judges or shows them needs no more than this.
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.model import JsonValue


@dataclass(frozen=True, slots=True)
class Derived:
    """One document. ``what`` says how it was derived, ``pointer`` is the place in it that this is about.

    Values share parts with one another: whoever changes one copies it first.
    """

    value: JsonValue
    what: str
    pointer: str = ""


SORTS: tuple[tuple[str, JsonValue], ...] = (
    ("null", None),
    ("true", True),
    ("an integer", 0),
    ("a fraction", 1.5),
    ("a string", ""),
    ("a list", []),
    ("an object", {}),
)
"""One value of each sort that JSON knows, integers apart from other numbers."""
