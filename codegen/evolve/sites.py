"""Nothing → where two versions are compared, and what has to be decided about a change found there.

Must not decide anything: a claim is a question that any policy may be asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from codegen.evolve.atoms import Atom, Items, Members
from codegen.evolve.changes import Change
from codegen.model import Direction, Key, Pattern, Type
from codegen.pointer import Origin


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The way into one value: the member called ``at``, the item number ``at``, or an undeclared member whose name matches one
    of two patterns or, where ``at`` is None, none. ``old`` and ``new`` are what it leads into."""

    old: Members | Items
    new: Members | Items
    at: str | int | tuple[Pattern, Pattern] | None


@dataclass(frozen=True, slots=True, eq=False)
class Owner:
    """A pair of types whose documents show changes: a definition in both versions, the root, or what an operation sends.

    ``keys`` are those of the definitions, ``origins`` the places of the schemas. ``home``: the operation, of which ``name`` is
    one message, and ``direction`` which way that goes.
    """

    name: str
    old: Type
    new: Type
    keys: tuple[Key, Key] | None
    origins: tuple[Origin, Origin]
    home: str = ""
    direction: Direction | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A change is harmless in one direction if everything in ``sent`` is received as ``received``. What is received is a type
    of the receiving version, or alternatives that say no more than what the change is about."""

    sent: tuple[Atom, ...]
    received: Type | tuple[Atom, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A choice that a change is inside of, and of which exactly one alternative may accept: what is harmless to the alternative
    need not be to the choice."""

    steps: tuple[Step, ...]
    write: Claim
    read: Claim


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A place of both versions. ``types`` are what stands there, ``origins`` where they do; ``seen``: pairs of definitions
    that were looked through on the way, so that a recursion without a name ends."""

    owner: Owner
    types: tuple[Type, Type]
    origins: tuple[Origin, Origin]
    path: str = ""
    steps: tuple[Step, ...] = ()
    guards: tuple[Guard, ...] = ()
    seen: frozenset[tuple[Key, Key]] = frozenset()

    def into(self, step: Step, path: str, types: tuple[Type, Type], origins: tuple[Origin, Origin]) -> Site:
        """The site below this one."""
        joint = "." if self.path and path[0] not in "[{" else ""
        return replace(self, types=types, origins=origins, path=self.path + joint + path, steps=(*self.steps, step))


@dataclass(frozen=True, slots=True, eq=False)
class Occurrence:
    """A change as documents of one owner show it. ``write``: sent by the old version, received by the new; ``read``: the other
    way round. None: the change is harmless by its nature."""

    owner: Owner
    steps: tuple[Step, ...]
    write: Claim | None
    read: Claim | None
    guards: tuple[Guard, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A change and all its occurrences. ``asks_back``: of an operation by which the server asks."""

    change: Change
    occurrences: tuple[Occurrence, ...]
    asks_back: bool = False


Claims: TypeAlias = tuple[Claim | None, Claim | None]
"""What to decide for writing and for reading."""

HARMLESS: Claims = (None, None)


_KEYWORDS = frozenset(
    ["type", "$ref", "enum", "const", "anyOf", "oneOf", "not", "$dynamicRef", "$recursiveRef", "nullable"]
)
_NAMED = frozenset(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "schemas"])


def schema_place(origin: Origin) -> Origin:
    """The schema that holds the keyword at ``origin``."""
    above, _, last = origin.pointer.rpartition("/")
    if last in _KEYWORDS and above.rpartition("/")[2] not in _NAMED:
        return Origin(origin.document, above)
    return origin
