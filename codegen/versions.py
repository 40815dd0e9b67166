"""Version names → their order.

Must not give a version a meaning beyond "earlier than": folders are called ``1.0``, ``2025-11-25`` or ``draft``, and no
scheme holds for all of them.
"""

from __future__ import annotations

import re

# Ranks of what may stand at one position: ``1.0-rc1`` comes before ``1.0``, ``1.0`` before ``1.0.1``. A name that does
# not begin with a number (``draft``) is work in progress, hence the newest.
_SUFFIX, _END, _NUMBER, _WORD = range(4)


def order(version: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key: runs of digits compare as numbers, a pre-release comes before its release."""
    parts: list[tuple[int, int, str]] = []
    for digits, letters in re.findall(r"([0-9]+)|([^\W\d_]+)", version.removeprefix("v")):
        if digits:
            parts.append((_NUMBER, int(digits), ""))
        else:
            parts.append((_SUFFIX if parts else _WORD, 0, letters.casefold()))
    # The name itself at the end keeps the order total where two spellings mean the same (``1.0`` and ``v1.0``).
    return (*parts, (_END, 0, version))
