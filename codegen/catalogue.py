"""``i18n/<lang>.toml`` → the texts of a contract in another language.

Must not translate nor judge completeness: what a catalogue lacks is shown in the contract's own words, by the target.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codegen.errors import ManifestError, Problem, shown
from codegen.tables import Table, source

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """``messages``: the translation of each description, by the anchor of what it describes. ``language``: BCP 47."""

    language: str
    messages: Mapping[str, str] = field(default_factory=dict)


def read(path: Path) -> Catalogue:
    """The catalogue at ``path``, whose stem is the language. Raises ManifestError for what cannot be followed."""
    file = source(path)
    problems: list[Problem] = []
    root = Table.of(file, problems)
    if not _LANGUAGE.fullmatch(path.stem):
        root.report("bad-value", f"{shown(path.stem)} is no language tag", help="call the file de.toml or pt-BR.toml")
    messages = root.texts("messages")
    root.close()
    if problems:
        raise ManifestError(problems, file.locate)
    return Catalogue(language=path.stem, messages=messages)
