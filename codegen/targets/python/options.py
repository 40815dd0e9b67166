"""What a job says → the options of the target ``python``.

Must not know a contract: an option that depends on one is an empty text until the edition is known.
"""

from __future__ import annotations

import keyword
from dataclasses import dataclass
from typing import Literal, TypeAlias

Part: TypeAlias = Literal["models", "typed"]
Unknown: TypeAlias = Literal["reject", "strip", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a job may say.

    ``package`` is the import name ("": the contract's name with ``_bindings``). ``parts``: ``models`` are dataclasses with
    codecs, ``typed`` adds TypedDicts. ``unknown`` is the receiver's policy where a caller states none; ``open_world`` lets
    unions and enums hold what the contract does not list. Raises ValueError for what no package can be.
    """

    package: str = ""
    parts: tuple[Part, ...] = ("models", "typed")
    unknown: Unknown = "reject"
    open_world: bool = False

    def __post_init__(self) -> None:
        if self.package and not (self.package.isascii() and self.package.isidentifier()):
            raise ValueError(f'package is "{self.package}", not letters, digits and underscores')
        if keyword.iskeyword(self.package):
            raise ValueError(f'package is "{self.package}", a keyword of Python')
        if "models" not in self.parts:
            raise ValueError('parts lack "models", on which every other part stands')
        if len(set(self.parts)) < len(self.parts):
            raise ValueError("parts name one part twice")
