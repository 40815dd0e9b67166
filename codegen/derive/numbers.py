"""Bounds → numbers at and inside of them.

Must not judge: bounds may contradict each other, and then nothing that is offered here is right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from codegen.model import Integer, Limit, Number


def numbers(type_: Integer | Number) -> Iterator[int | float]:
    """Numbers at and inside the bounds, plain ones first."""
    low, high = (limit.value if limit is not None else None for limit in (type_.minimum, type_.maximum))
    offered: list[int | float] = [1, 0]
    for bound in (low, high):
        if bound is not None:
            whole = math.floor(bound)
            offered += [whole, whole + 1, whole - 1]
            if isinstance(type_, Number) and abs(bound) < 2**1000:
                offered += [bound, math.nextafter(bound, math.inf), math.nextafter(bound, -math.inf)]
    if low is not None and high is not None and isinstance(type_, Number) and abs(low) + abs(high) < 2**1000:
        offered.append((low + high) / 2)
    yield from dict.fromkeys(offered)


def count_of(limit: Limit | None, otherwise: int = 0) -> int:
    """A bound of a count as a whole number."""
    return otherwise if limit is None else math.ceil(limit.value)
