"""Errors of several sources → one error, so that one run shows everything that is wrong.

Must not word problems: it keeps what each stage said, and where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from codegen.errors import Locate, Position, Problem, WireboundError
from codegen.paths import top
from codegen.pointer import Origin


@contextmanager
def placed(locate: Locate | None) -> Iterator[None]:
    """Lend ``locate`` to an error of a stage that knows places, and not where they are in the text."""
    try:
        yield
    except WireboundError as error:
        error.locate = error.locate or locate
        raise


@contextmanager
def gathered(errors: list[WireboundError], locate: Locate | None = None) -> Iterator[None]:
    """Put an error aside, so that the rest is judged too. ``locate`` as in ``placed``."""
    try:
        with placed(locate):
            yield
    except WireboundError as error:
        errors.append(error)


def raise_all(errors: Sequence[WireboundError]) -> None:
    """Raise what was put aside, if anything was: as one error, each problem once and at its own place."""
    if len(errors) == 1:
        raise errors[0]
    positions: dict[Origin, Position] = {}
    problems: dict[Problem, None] = {}
    for error in errors:
        for problem in error.problems:
            origin = problem.origin
            position = (error.locate or top)(origin)
            # The place is part of the address: two contracts call their root documents the same.
            moved = Origin(f"{position.path}:{position.line}:{position.column}", origin.pointer)
            positions[moved] = position
            problems[replace(problem, origin=moved)] = None
    if problems:
        kinds = {type(error) for error in errors}
        raise (kinds.pop() if len(kinds) == 1 else WireboundError)(problems, lambda origin: positions[origin])
