"""Runs and blocks: text as the reference says it, before any format writes it.

Must not know a format or where the text comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from codegen.wording import PLACE, Words


@dataclass(frozen=True, slots=True)
class Plain:
    """Words to be read."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """An identifier or a value: never translated."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """``text`` that leads to ``target``: ``#anchor`` for a place of the reference, else an address. ``code``: an identifier."""

    text: str
    target: str
    code: bool = False


Run: TypeAlias = Plain | Code | Link
Runs: TypeAlias = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph."""

    runs: Runs


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list without numbers."""

    items: tuple[Runs, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Text whose lines and spaces count. ``language`` as the author named it, mostly empty."""

    text: str
    language: str = ""


Block: TypeAlias = Paragraph | Bullets | Listing
Blocks: TypeAlias = tuple[Block, ...]


def joined(parts: Iterable[Runs], separator: str) -> Runs:
    """``parts`` with ``separator`` between them."""
    runs: list[Run] = []
    for part in parts:
        if runs:
            runs.append(Plain(separator))
        runs += part
    return tuple(runs)


def plain(runs: Runs) -> str:
    """What a reader sees of ``runs``."""
    return "".join(run.text for run in runs)


def plain_blocks(blocks: Blocks) -> str:
    """What a reader sees of ``blocks``, on one line."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case Paragraph(runs=runs):
                parts.append(plain(runs))
            case Bullets(items=items):
                parts += map(plain, items)
            case Listing(text=text):
                parts.append(text)
    return " ".join(" ".join(parts).split())


class Speech:
    """The fixed words of one language, with their places filled in."""

    def __init__(self, words: Words) -> None:
        self.language = words.language
        self.words = words

    def text(self, key: str, **parts: str) -> str:
        """The text at ``key``, its places filled with plain strings."""
        return PLACE.sub(lambda match: parts[match[1]], self.words[key])

    def say(self, key: str, **parts: Runs) -> Runs:
        """The text at ``key`` as runs, its places filled with ``parts``."""
        return fill(self.words[key], parts)

    def count(self, **counted: int) -> str:
        """How much there is of each (``operations=3``), of what there is any."""
        said = (
            self.text(f"site.one_{what[:-1]}") if count == 1 else self.text(f"site.{what}", count=str(count))
            for what, count in counted.items()
            if count
        )
        return self.text("type.and").join(said)


def fill(template: str, parts: Mapping[str, Runs]) -> Runs:
    """``template`` as runs, ``{name}`` replaced by ``parts[name]``."""
    runs: list[Run] = []
    last = 0
    for match in PLACE.finditer(template):
        if match.start() > last:
            runs.append(Plain(template[last : match.start()]))
        runs += parts[match[1]]
        last = match.end()
    if last < len(template):
        runs.append(Plain(template[last:]))
    return tuple(runs)
