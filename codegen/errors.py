"""Problems of a contract, a manifest or an output folder → what a person reads.

Must not know how places are found in text: whoever loaded the text lends a ``Locate``. Stages collect all their problems
and raise once, so that one run shows everything that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from codegen.pointer import Origin


class Position(NamedTuple):
    """A place in a file; ``line`` and ``column`` count from 1."""

    path: str
    line: int
    column: int


Locate = Callable[[Origin], Position]

LONGEST_VALUE = 60


def shown(value: object) -> str:
    """``value`` in double quotes, cut at 60 characters, on one line: how every message cites what it found."""
    text = value if isinstance(value, str) else str(value)
    text = "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)
    return f'"{text}"' if len(text) <= LONGEST_VALUE else f'"{text[: LONGEST_VALUE - 1]}…"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that stops the run.

    ``code`` is stable and kebab-case; ``message`` says what is, before what was expected, in the present tense; ``origin`` is
    the place; ``help`` is what to do.
    """

    code: str
    message: str
    origin: Origin
    help: str = ""

    def text(self, locate: Locate | None = None) -> str:
        """``path:line:col: code: message``, then the pointer and the help on lines of their own."""
        if locate is None:
            head = str(self.origin)
        else:
            position = locate(self.origin)
            head = f"{position.path}:{position.line}:{position.column}"
        lines = [f"{head}: {self.code}: {self.message}"]
        if self.origin.pointer:
            lines.append(f"  at {self.origin.pointer}")
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


class WireboundError(Exception):
    """Input that cannot be meant, or output that cannot be written. ``problems`` holds every one that the stage found."""

    def __init__(self, problems: Iterable[Problem], locate: Locate | None = None) -> None:
        self.problems = tuple(problems)
        self.locate = locate
        super().__init__(*self.problems)

    def __str__(self) -> str:
        return "\n".join(problem.text(self.locate) for problem in self.problems)


class ContractError(WireboundError):
    """The contract cannot be read or meant."""


class ManifestError(WireboundError):
    """The manifest, outline, ledger or a catalogue says something that the tool cannot follow."""


class OutputError(WireboundError):
    """The output folder holds what the tool must not touch, or a name that cannot be written."""
