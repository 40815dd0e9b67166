"""Names as a contract spells them → identifiers.

Must not invent: no counters, no dictionary of words. A name that a language can spell is kept; where two names of one scope
meet, the one that is spelled so already keeps the identifier, and the others keep their own spelling, with what the language
cannot spell escaped. What still meets is for the caller to report.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])")
_RUNS = re.compile(r"[^0-9A-Za-z\u0080-\U0010ffff]+")

_REACH = 32
"""As many characters before one as may become another character with it."""


def legal(name: str) -> bool:
    """``name`` is an identifier in every version of Python, and the one that Python reads (it normalises them to NFKC)."""
    if name.isascii():
        return name.isidentifier()
    known = all(unicodedata.ucd_3_2_0.category(character) != "Cn" for character in name)
    return known and name.isidentifier() and unicodedata.normalize("NFKC", name) == name


def escaped(name: str) -> str:
    """``name`` with every character that an identifier cannot hold spelled by its number: ``foo-bar`` is ``foo_x2d_bar``,
    ``1st`` is ``x31_st``. Two names do not meet unless one is spelled like the escape of the other."""
    if legal(name):
        return name
    result = ""
    for character in name:
        # A mark may belong to a letter some places before: what Python would compose is no spelling of its own.
        fits = legal("_" + result[-_REACH:] + character) and (result or legal(character))
        result += character if fits else f"{'_' if result else ''}x{ord(character):x}_"
    return result or "_"


def words(name: str) -> tuple[str, ...]:
    """The words of a name: split at what is no letter or digit, and where the case changes (``userIDsURLValue``: ``user``,
    ``IDs``, ``URL``, ``Value``)."""
    return tuple(word for run in _RUNS.split(name) for word in _BOUNDARY.split(run) if word)


def snake(name: str) -> str:
    """``name`` in snake_case, without punctuation and without underscores in front, which would make it look private."""
    result = "_".join(word.lower() for word in words(name))
    result += "" if name.startswith("_") else name[len(name.rstrip("_")) :]
    return result if legal(result) else escaped(name)


def pascal(parts: Sequence[str]) -> str:
    """Words as a class name: each starts with a capital and keeps the rest."""
    result = "".join(part[:1].upper() + part[1:] for word in parts for part in words(word))
    return result if legal(result) else escaped("".join(parts))


def upper(name: str) -> str:
    """``name`` in UPPER_CASE, for constants."""
    result = snake(name).upper()
    return result if legal(result) else escaped(result)


def assigned(
    names: Iterable[tuple[str, str]], convert: Callable[[str], str], finish: Callable[[str], str]
) -> dict[str, str]:
    """Identifiers for the (name, wanted) pairs of one scope, by name.

    ``wanted`` is what a person pinned, or ""; ``convert`` gives the usual identifier, ``finish`` guards keywords. Of names that
    meet, the one whose spelling is the identifier keeps it, and each other is escaped from its own spelling.
    """
    pairs = list(names)
    usual = {name: finish(wanted or convert(name)) for name, wanted in pairs}
    holders: dict[str, list[str]] = {}
    for name, identifier in usual.items():
        holders.setdefault(identifier, []).append(name)
    pinned = {name for name, wanted in pairs if wanted}
    for identifier, meeting in holders.items():
        if len(meeting) > 1:
            exact = [name for name in meeting if name in pinned] or sorted(
                (name for name in meeting if finish(name) == identifier), key=lambda name: name != identifier
            )
            for name in meeting:
                if name not in exact[:1]:
                    usual[name] = finish(escaped(name))
    return usual
