"""Nothing → what a question about two types may be answered with.

Must not decide: whoever asks puts answers together, and a failure is no refusal before both sides have judged a document.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from codegen.model import JsonValue

MOST_WITNESSES = 8
"""Documents kept of one failure: one of them may be refused where another is not."""


@dataclass(frozen=True, slots=True)
class Included:
    """Everything that is sent is received."""


@dataclass(frozen=True, slots=True)
class Failing:
    """Not proven; ``witnesses`` are documents that may show why, the most telling first, none of them judged."""

    reason: str
    witnesses: tuple[JsonValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """``witness`` is sent and not received."""

    witness: JsonValue


@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither a proof nor a witness was found."""

    reason: str


Result: TypeAlias = Included | Refused | Undecided
INCLUDED = Included()


def all_of(results: Iterable[Included | Failing]) -> Included | Failing:
    """Included if each is; else what the failing ones have to show."""
    reason, failed = "", False
    witnesses: list[JsonValue] = []
    for result in results:
        if isinstance(result, Failing):
            failed = True
            reason = reason or result.reason
            witnesses += result.witnesses
            if len(witnesses) >= MOST_WITNESSES:
                break
    return Failing(reason, tuple(witnesses[:MOST_WITNESSES])) if failed else INCLUDED
