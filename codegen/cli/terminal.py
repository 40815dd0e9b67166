"""Text → standard output and standard error, in colour and with progress only where a person is watching.

Must not word results or problems: verbs and stages do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import Any

import click

from codegen.errors import WireboundError


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
        click.echo(text, nl=False, color=False if "NO_COLOR" in os.environ else None)
    except BrokenPipeError:
        _detach()
        raise Closed from None


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
        click.secho(text, err=True, color=False if "NO_COLOR" in os.environ else None, **style)


def complain(error: WireboundError) -> None:
    """Write each problem of ``error`` to standard error."""
    for problem in error.problems:
        head, *rest = problem.text(error.locate).split("\n")
        warn(head, bold=True)
        for line in rest:
            warn(line)


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
