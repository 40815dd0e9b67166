"""Bounds and patterns of texts and numbers of two versions → whether those of the first keep those of the second.

Must not approximate: an integer above 0.5 is one from 1 on, and a pattern is kept only by the same pattern.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from codegen.model import Integer, Limit, Number, Text

LONGEST = 10_000
"""Code points and items of a document that shows a change."""


def integer_bounds(type_: Integer) -> tuple[int | None, int | None]:
    """The least and the greatest integer; None where there is none."""
    low, high = type_.minimum, type_.maximum
    least = None if low is None else math.floor(low.value) + 1 if low.exclusive else math.ceil(low.value)
    greatest = None if high is None else math.ceil(high.value) - 1 if high.exclusive else math.floor(high.value)
    return least, greatest


def least_count(limit: Limit | None) -> int:
    """A lower bound of a count."""
    return 0 if limit is None else max(0, math.ceil(limit.value))


def greatest_count(limit: Limit | None) -> int | None:
    """An upper bound of a count; None where there is none."""
    return None if limit is None else math.floor(limit.value)


def lower_kept(left: Limit | None, right: Limit | None) -> bool:
    """Whatever is above ``left`` is above ``right``."""
    if right is None:
        return True
    if left is None or left.value < right.value:
        return False
    return left.value > right.value or left.exclusive or not right.exclusive


def upper_kept(left: Limit | None, right: Limit | None) -> bool:
    """Whatever is below ``left`` is below ``right``."""
    if right is None:
        return True
    if left is None or left.value > right.value:
        return False
    return left.value < right.value or left.exclusive or not right.exclusive


def text_kept(left: Text, right: Text) -> bool:
    """Every text of ``left`` is one of ``right``."""
    high, bound = greatest_count(left.max_length), greatest_count(right.max_length)
    return (
        least_count(left.min_length) >= least_count(right.min_length)
        and (bound is None or (high is not None and high <= bound))
        and {pattern.source for pattern in right.patterns} <= {pattern.source for pattern in left.patterns}
    )


def number_kept(left: Integer | Number, right: Integer | Number) -> bool:
    """Every number of ``left`` is one of ``right``."""
    if isinstance(right, Integer):
        if not isinstance(left, Integer) or (right.literal and not left.literal):
            return False
        (low, high), (least, greatest) = integer_bounds(left), integer_bounds(right)
        return (least is None or (low is not None and low >= least)) and (
            greatest is None or (high is not None and high <= greatest)
        )
    if isinstance(left, Integer):
        low, high = integer_bounds(left)
        origin = left.origin
        return lower_kept(None if low is None else Limit(value=low, origin=origin), right.minimum) and upper_kept(
            None if high is None else Limit(value=high, origin=origin), right.maximum
        )
    return lower_kept(left.minimum, right.minimum) and upper_kept(left.maximum, right.maximum)


# --- values near the bounds -------------------------------------------------------------------------------------------


def texts_beyond(left: Text, right: Text) -> Iterator[str]:
    """Texts that may be of ``left`` and not of ``right``, where lengths decide."""
    least, most = least_count(left.min_length), greatest_count(left.max_length)
    bound = greatest_count(right.max_length)
    for length in (least, least_count(right.min_length) - 1, None if bound is None else bound + 1, most):
        if length is not None and least <= length <= LONGEST and (most is None or length <= most):
            yield "a" * length
            yield "0" * length
    yield from ("", "a", "A", "0", " ", "-", "\n", "a b", "é", "text")


def numbers_beyond(left: Integer | Number, right: Integer | Number) -> Iterator[int | float]:
    """Numbers that may be of ``left`` and not of ``right``."""
    bounds = [limit.value for limit in (left.minimum, left.maximum, right.minimum, right.maximum) if limit is not None]
    for bound in bounds:
        whole = math.floor(bound)
        yield from (bound, whole, whole + 1, whole - 1)
        if abs(bound) < 2**1000:
            yield from (math.nextafter(bound, math.inf), math.nextafter(bound, -math.inf))
    if isinstance(right, Integer) and not isinstance(left, Integer):
        for bound in (0, *bounds):
            if abs(bound) < 2**50:
                yield from (bound + 0.5, bound - 0.5, bound + 0.25)
    yield from (1.0, 0, 1, -1, 0.5, 10**20, -(10**20), 1e300, -1e300)
