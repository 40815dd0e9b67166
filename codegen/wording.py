"""``strings.<lang>.toml`` beside the templates of the reference → its fixed words in a language.

Must not know where a word is used. The files are part of the tool, as the templates are: a language is added by adding a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from codegen.errors import ManifestError, Problem, shown
from codegen.pointer import Origin
from codegen.tables import source

PLACE = re.compile(r"\{([a-z_]+)\}")
"""A place in a text that is filled in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The texts of ``language`` (BCP 47) by their dotted keys, ``"field.required"``. KeyError for a key that no text has."""

    language: str
    texts: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.texts[key]


def read(path: Path) -> Words:
    """The words in the file at ``path``, whose name is ``strings.<language>.toml``. Raises ManifestError."""
    file = source(path)
    texts: dict[str, str] = {}
    problems: list[Problem] = []

    def take(value: object, keys: tuple[str, ...]) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                take(inner, (*keys, key))
        elif isinstance(value, str):
            texts[".".join(keys)] = value
        else:
            message = f"{shown('.'.join(keys))} is no text"
            problems.append(Problem(code="wrong-type", message=message, origin=Origin(file.path, "").at(*keys)))

    take(file.value, ())
    if problems:
        raise ManifestError(problems, file.locate)
    return Words(language=path.name.split(".")[1], texts=texts)


class Shipped(Mapping[str, Words]):
    """The words by language that the files of ``folder`` hold, each read when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, Words] = {}

    def __getitem__(self, language: str) -> Words:
        if language not in self._read:
            path = self.folder / f"strings.{language}.toml"
            if language not in self:
                raise KeyError(language)
            self._read[language] = read(path)
        return self._read[language]

    def __contains__(self, language: object) -> bool:
        return language in set(self)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(path.name.split(".")[1] for path in self.folder.glob("strings.*.toml")))

    def __len__(self) -> int:
        return sum(1 for _ in self)
