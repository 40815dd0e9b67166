"""Values that nearly fit, the checks that they must hold → values that fit.

Must not know types: it changes a value around one check after the other, as the probes do, and lets the judge say whether
that was an improvement. What needs more than two changes at once is not found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from codegen.derive.judge import same_json
from codegen.derive.sure import Sure
from codegen.model import Check, JsonValue

if TYPE_CHECKING:
    from codegen.derive.samples import Members, Samples

TRIES = 24
"""Candidates tried for one type."""
CHANGES = 200
"""Changes around one check that are tried to mend one candidate."""
AGAIN = 4
"""Changes to start from once more, where none mends at once; none while another value is being mended."""
SEEDS = 6
"""Candidates that are mended, where none fits."""


PATIENCE = 4_000
"""Changes tried in all for one definition: contracts that cannot be satisfied are the ones that would take for ever."""
DEEPEST = 2
"""Values mended inside one another: what is needed to mend a value may itself need mending."""


class Fit:
    """A shape and checks: how many of them a value fails."""

    def __init__(self, judge: Sure, shape: Callable[[JsonValue], bool], checks: tuple[Check, ...]) -> None:
        self.judge, self.shape, self.checks = judge, shape, checks

    def __call__(self, value: JsonValue) -> bool:
        """The value fails none."""
        return self.shape(value) and all(self.judge.holds(check, value) for check in self.checks)

    def failing(self, value: JsonValue) -> int:
        """The shape counts like one check."""
        return (not self.shape(value)) + sum(not self.judge.holds(check, value) for check in self.checks)


def mended(samples: Samples, offered: Iterator[JsonValue], fits: Fit, pool: Members) -> Iterator[JsonValue]:
    """The offered values that fit; else what becomes of them when they are changed, step by step, to fit better."""
    seeds = list(islice(offered, TRIES))
    fitting = [value for value in seeds if fits(value)]
    if fitting:
        yield from fitting
        return
    for value in seeds[:SEEDS] if samples.mending < DEEPEST else ():
        failing = fits.failing(value)
        for _ in range(2 * len(fits.checks)):
            better = _better(samples, value, failing, fits, pool)
            if better is None:
                break
            value, failing = better
            if not failing:
                yield value
                return


def _better(samples: Samples, value: JsonValue, failing: int, fits: Fit, pool: Members) -> tuple[JsonValue, int] | None:
    """The first change that fits better; where none does, the first that does so after one that fits no worse."""
    samples.mending += 1
    try:
        return _first_better(samples, value, failing, fits, pool)
    finally:
        samples.mending -= 1


def _first_better(
    samples: Samples, value: JsonValue, failing: int, fits: Fit, pool: Members
) -> tuple[JsonValue, int] | None:
    no_worse: list[JsonValue] = []
    for changed in _changes(samples, value, fits, pool):
        now = fits.failing(changed)
        if now < failing:
            return changed, now
        if now == failing and len(no_worse) < AGAIN and not any(same_json(changed, other) for other in no_worse):
            no_worse.append(changed)
    for between in no_worse if samples.mending == 1 else ():
        for changed in _changes(samples, between, fits, pool):
            now = fits.failing(changed)
            if now < failing:
                return changed, now
    return None


def _changes(samples: Samples, value: JsonValue, fits: Fit, pool: Members) -> Iterator[JsonValue]:
    """Changes of ``value`` around each check, those that fail first."""
    for check in sorted(fits.checks, key=lambda check: samples.judge.holds(check, value)):
        for probe in islice(samples.around(check, value, pool), CHANGES):
            samples.patience -= 1
            if samples.patience < 0:
                return
            yield probe.value
