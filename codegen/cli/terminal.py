"""Text → standard output and standard error, in colour and with progress only where a person is watching.

Must not word results or problems: verbs and stages do.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import Any

import click

from codegen.errors import Locate, Position, Problem, WireboundError


class Closed(Exception):
    """Nobody reads our standard output any more."""


def prepare() -> None:
    """Let no character of a contract or a path be one that the terminal's encoding cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", newline="\n")


def say(text: str) -> None:
    """Write to standard output. Raises ``Closed``."""
    try:
        click.echo(text, nl=False, color=None if is_coloured() else False)
    except BrokenPipeError:
        _detach()
        raise Closed from None


def tell(value: Any) -> None:
    """Write a value to standard output as JSON. Raises ``Closed``."""
    say(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def flush() -> None:
    """Write what is buffered. Raises ``Closed``."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        _detach()
        raise Closed from None


def _detach() -> None:
    """Python flushes standard output once more at its end, and would complain then."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def warn(text: str, **style: Any) -> None:
    """Write a line to standard error; what cannot be written there is lost."""
    with suppress(OSError):
        click.secho(text, err=True, color=None if is_coloured() else False, **style)


def complain(error: WireboundError) -> None:
    """Write each problem of ``error`` to standard error."""
    for problem in error.problems:
        head, *rest = problem.text(error.locate).split("\n")
        warn(head, bold=True)
        for line in rest:
            warn(line)


def stated(problem: Problem, locate: Locate | None) -> dict[str, str | int]:
    """A problem for other programs."""
    position = locate(problem.origin) if locate is not None else Position(problem.origin.document, 1, 1)
    return {
        "code": problem.code,
        "message": problem.message,
        "help": problem.help,
        "path": position.path,
        "line": position.line,
        "column": position.column,
        "pointer": problem.origin.pointer,
    }


def is_coloured() -> bool:
    """Whether the user lets us use colour (https://no-color.org: set, and not empty, means no)."""
    return not os.environ.get("NO_COLOR")


def is_watched() -> bool:
    """Whether a person watches standard error."""
    return (
        sys.stderr is not None and sys.stderr.isatty() and "CI" not in os.environ and os.environ.get("TERM") != "dumb"
    )


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Shows what is being done, as a line that goes away: to a person, and not before there is something to tell."""
    status: list[Any] = []

    def note(text: str) -> None:
        if not is_watched():
            return
        from rich.console import Console
        from rich.text import Text

        if not status:
            status.append(Console(stderr=True).status(Text(text)))
            status[0].start()
        status[0].update(Text(text))

    try:
        yield note
    finally:
        for started in status:
            started.stop()
