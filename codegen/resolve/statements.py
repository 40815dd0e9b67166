"""A value of ``x-wirebound-…`` → its members, each as what it must be, or a problem at its place.

Must not know what statements mean (``behaviour`` does). A member that nobody asks for is refused: a typing error would
otherwise be silence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codegen.errors import Problem, shown
from codegen.model import JsonValue
from codegen.pointer import Origin
from codegen.vocabulary import cited

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter

PREFIX = "x-wirebound-"
POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")


def refuse(reader: Interpreter, code: str, message: str, origin: Origin, help: str) -> None:
    """Report a problem, once."""
    problem = Problem(code=code, message=message, origin=origin, help=help)
    if problem not in reader.problems:
        reader.problems.append(problem)


class Statement:
    """An object that a contract states. Members are taken one by one; ``close`` refuses what nobody took."""

    def __init__(self, reader: Interpreter, value: JsonValue, origin: Origin) -> None:
        self.reader = reader
        self.origin = origin
        self.value: dict[str, JsonValue] = {}
        self._taken: set[str] = set()
        if isinstance(value, dict):
            self.value = value
        else:
            self.flaw(value, "an object", origin)

    def has(self, name: str) -> bool:
        """Whether the member is there."""
        return name in self.value

    def take(self, name: str) -> JsonValue:
        """The member as written."""
        self._taken.add(name)
        return self.value.get(name)

    def text(self, name: str, *, required: bool = False) -> str | None:
        """A member that holds a string that is not empty."""
        value = self.take(name)
        if isinstance(value, str) and value:
            return value
        if name in self.value:
            self.flaw(value, "a string that is not empty", self.origin.at(name))
        elif required:
            self.missing(name)
        return None

    def texts(self, name: str, *, required: bool = False) -> tuple[str, ...]:
        """A member that holds an array of strings."""
        value = self.take(name)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(str(item) for item in value)
        if name in self.value:
            self.flaw(value, "an array of strings", self.origin.at(name))
        elif required:
            self.missing(name)
        return ()

    def pointer(self, name: str, *, required: bool = False) -> str | None:
        """A member that holds a JSON Pointer."""
        value = self.take(name)
        if isinstance(value, str) and POINTER.fullmatch(value):
            return value
        if name in self.value:
            self.flaw(value, 'a JSON Pointer such as "/id"', self.origin.at(name))
        elif required:
            self.missing(name)
        return None

    def inner(self, name: str) -> Statement | None:
        """A member that holds an object; None where it is absent."""
        value = self.take(name)
        return Statement(self.reader, value, self.origin.at(name)) if name in self.value else None

    def missing(self, name: str) -> None:
        """The member is not there, and must be."""
        self.problem("malformed-extension", f'the statement has no "{name}"', self.origin, f'add "{name}"')

    def flaw(self, found: JsonValue, expected: str, origin: Origin) -> None:
        """A value is not what it must be."""
        name = origin.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        message = f'"{name}" is {cited(found)}, expected {expected}'
        self.problem("malformed-extension", message, origin, f"write {expected}")

    def nowhere(self, what: str, name: str, origin: Origin, help: str = "correct it, or remove the statement") -> None:
        """What is named does not exist."""
        self.problem("extension-leads-nowhere", f"{shown(name)} is {what}", origin, help)

    def close(self) -> None:
        """Refuse members that nobody asked for."""
        for name in self.value:
            if name not in self._taken:
                self.problem(
                    "malformed-extension",
                    f"the statement has no member {shown(name)}",
                    self.origin.at(name),
                    f"remove it, or write one of {', '.join(sorted(self._taken))}",
                )

    def problem(self, code: str, message: str, origin: Origin, help: str) -> None:
        """Report a problem of the statement."""
        refuse(self.reader, code, message, origin, help)
