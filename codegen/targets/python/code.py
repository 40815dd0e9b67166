"""Statements and constants of ``_fast.py`` → its text.

Must not know types: this is paper. Everything public is elsewhere, so that every name here is the generator's own and no
name of a contract can hide a builtin. Each name begins with what it is: ``d_`` decodes, ``e_`` encodes, ``w_`` and ``b_``
write text, ``j_`` judges, ``m_`` is a class, ``n_`` a structure, ``t_`` a table, ``s_`` what a codec starts with, ``c_`` a
constant, ``p_`` a pattern; then the definition it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from codegen.patterns import translate
from codegen.targets import quoting

DEEPEST = 8
"""Python takes no more than 20 blocks in each other: what is nested deeper becomes a function of its own."""


class Block:
    """The lines of one function, and names for its variables."""

    def __init__(self, indent: int = 1) -> None:
        self.lines: list[str] = []
        self.indent = indent
        self.variables = 0

    def __call__(self, line: str) -> None:
        """Write a statement."""
        self.lines.append("    " * self.indent + line)

    @property
    def deep(self) -> bool:
        """Nothing more may be nested here."""
        return self.indent > DEEPEST

    @contextmanager
    def under(self, line: str) -> Iterator[None]:
        """Write a statement that opens a block; what is written inside belongs to it."""
        self(line)
        self.indent += 1
        at = len(self.lines)
        yield
        if len(self.lines) == at:
            self("pass")
        self.indent -= 1

    def part(self) -> Block:
        """A block of its own for lines that may not be needed; ``take`` puts them here."""
        part = Block(self.indent + 1)
        part.variables = self.variables
        return part

    def take(self, line: str, part: Block) -> None:
        """Write a statement that opens a block, and the lines of ``part`` inside it."""
        self(line)
        self.lines += part.lines
        self.variables = max(self.variables, part.variables)

    def variable(self) -> str:
        """A fresh name."""
        self.variables += 1
        return f"a{self.variables}"


class Code:
    """The module: functions in the order in which they are needed, constants before and tables after them."""

    def __init__(self) -> None:
        self.constants: dict[str, str] = {}
        self.functions: list[str] = []
        self.tables: list[str] = []
        self._patterns: dict[str, str] = {}
        self._numbers: dict[tuple[str, str], int] = {}

    def name(self, prefix: str, owner: str) -> str:
        """A name for something that belongs to ``owner`` beside its own functions: ``d1_Event``, ``d2_Event``…"""
        number = self._numbers[prefix, owner] = self._numbers.get((prefix, owner), 0) + 1
        return f"{prefix}{number}_{owner}"

    def function(self, head: str, block: Block) -> None:
        """Add a function."""
        self.functions.append("\n".join([head, *block.lines]))

    def constant(self, expression: str, owner: str) -> str:
        """A name for a constant expression; equal expressions share one."""
        if expression not in self.constants:
            self.constants[expression] = self.name("c", owner)
        return self.constants[expression]

    def texts(self, values: Iterable[str], owner: str) -> str:
        """A name for a set of strings."""
        return self.constant(f"frozenset(({', '.join(map(quoting.text, values))},))", owner)

    def pattern(self, source: str, owner: str) -> str:
        """A name for the search of a pattern, which is compiled when it is first used."""
        if source not in self._patterns:
            name = self._patterns[source] = self.name("p", owner)
            self.constants[f"pattern({quoting.text(translate(source))}, globals(), {quoting.text(name)})"] = name
        return self._patterns[source]

    def table(self, expression: str, owner: str, name: str = "") -> str:
        """A name for a table of functions, which may stand further down than what uses it."""
        name = name or self.name("t", owner)
        self.tables.append(f"{name}: Any = {expression}")
        return name
