"""``i18n/<lang>.toml`` → the texts of a contract in another language.

Must not translate nor judge completeness: what a catalogue lacks is shown in the contract's own words, by the target.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codegen.errors import ManifestError, Problem, shown
from codegen.outline import LANGUAGE
from codegen.tables import Table, source


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """A description in the catalogue's language; empty where nobody has translated it. ``source``: the first 16 hex digits
    of the SHA-256 of the text that was translated, which tells when the contract has moved on. ``stale``: it has, and
    ``source`` is the text that has to be translated now."""

    text: str
    source: str
    stale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The translations by the anchor of what is described (``Doc.anchor``). ``language``: BCP 47."""

    language: str
    entries: Mapping[str, Translation] = field(default_factory=dict)


def read(path: Path) -> Catalogue:
    """The catalogue at ``path``, whose stem is the language. Raises ManifestError for what cannot be followed."""
    file = source(path)
    problems: list[Problem] = []
    root = Table.of(file, problems)
    if not LANGUAGE.fullmatch(path.stem):
        root.report("bad-value", f"{shown(path.stem)} is no language tag", help="call the file de.toml or pt-BR.toml")
    entries: dict[str, Translation] = {}
    for anchor, table in root.named("entries"):
        stale = table.take("stale", bool, False)
        entries[anchor] = Translation(text=table.need("text"), source=table.need("source"), stale=stale)
        if not re.fullmatch(r"[0-9a-f]{16}", entries[anchor].source):
            message = f"source is {shown(entries[anchor].source)}, not 16 hex digits"
            table.report("bad-value", message, "source", help="write the digest of the text that was translated")
        table.close()
    root.close()
    if problems:
        raise ManifestError(problems, file.locate)
    return Catalogue(language=path.stem, entries=entries)
