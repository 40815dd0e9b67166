"""Two public surfaces of one target → what changes for those who program against it.

Must not know a language: a target tells its surface as names with what is promised about each, and equal texts promise the
same. So a wire-compatible change that renames an attribute or widens a type is found by what the target itself says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One name of a surface. ``before`` and ``after`` are what is promised about it; empty where it is not there."""

    name: str
    kind: Literal["added", "removed", "changed"]
    before: str = ""
    after: str = ""

    @property
    def is_breaking(self) -> bool:
        """A name that is new breaks nobody."""
        return self.kind != "added"


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[Difference, ...]:
    """What differs, in the order of the newer surface, what went at the end."""
    found = []
    for name, after in new.items():
        if name not in old:
            found.append(Difference(name=name, kind="added", after=after))
        elif old[name] != after:
            found.append(Difference(name=name, kind="changed", before=old[name], after=after))
    gone = (name for name in old if name not in new)
    return (*found, *(Difference(name=name, kind="removed", before=old[name]) for name in gone))
