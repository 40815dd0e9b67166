"""Editions, a catalogue → the catalogue with every text of every version, and what still has to be translated.

Must not translate, nor drop what a person wrote: a translation whose source has changed is kept and marked, one that nothing
uses any more is kept at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from codegen.catalogue import Catalogue, Translation
from codegen.edition import Edition
from codegen.outline import Outline
from codegen.tables import quoted
from codegen.targets.docs.catalogued import digest, older, wanted

State = Literal["missing", "stale", "unused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """An entry that is not as it should be. ``place``: its anchor, or the key of the outline that lacks a language."""

    state: State
    place: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """``entries`` in the order of the contract, ``unused`` ones after them. ``texts``: what each has to translate."""

    catalogue: Catalogue
    texts: Mapping[str, str]
    unused: Sequence[str]


def update(catalogue: Catalogue, editions: Sequence[Edition]) -> Updated:
    """``catalogue`` with an entry for every text of ``editions`` (oldest first).

    One place has one text, mostly; where versions differ, the newest has the anchor and the others add ``@`` and a digest.
    """
    held = catalogue.entries
    by_source = {(anchor.partition("@")[0], entry.source): entry for anchor, entry in held.items() if not entry.stale}
    entries: dict[str, Translation] = {}
    texts: dict[str, str] = {}
    for edition in reversed(editions):
        for text in wanted(edition):
            source = digest(text.text)
            differs = texts.get(text.anchor, text.text) != text.text
            anchor = older(text.anchor, source) if differs else text.anchor
            if anchor in entries:
                continue
            texts[anchor] = text.text
            found = by_source.get((text.anchor, source))
            if found is None and (before := held.get(anchor) or held.get(text.anchor)) and before.text:
                found = replace(before, source=source, stale=True)
            entries[anchor] = found or Translation(text="", source=source)
    unused = [a for a in held if a not in entries and held[a].text and held[a] not in entries.values()]
    entries.update((anchor, held[anchor]) for anchor in unused)
    return Updated(catalogue=Catalogue(language=catalogue.language, entries=entries), texts=texts, unused=unused)


def findings(updated: Updated, outline: Outline) -> list[Finding]:
    """What is missing, stale or unused in an updated catalogue, and what the outline does not say in its language."""
    found: list[Finding] = []
    for anchor, entry in updated.catalogue.entries.items():
        if anchor in updated.unused:
            found.append(Finding(state="unused", place=anchor, text=entry.text))
        elif not entry.text:
            found.append(Finding(state="missing", place=anchor, text=updated.texts[anchor]))
        elif entry.stale:
            found.append(Finding(state="stale", place=anchor, text=updated.texts[anchor]))
    return found + list(_outlined(outline, updated.catalogue.language))


def _outlined(outline: Outline, language: str) -> Iterable[Finding]:
    said: list[tuple[str, Mapping[str, str]]] = []
    for section in outline.sections:
        said += [(f"sections.{section.id}.title", section.title), (f"sections.{section.id}.intro", section.intro)]
        said += [(f"sections.{section.id}.links", link.title) for link in section.links]
    said += [("learn_more", link.title) for link in outline.learn_more]
    for place, texts in said:
        if texts and "" not in texts and language not in texts:
            yield Finding(state="missing", place=f"outline {place}", text=next(iter(texts.values())))


def text(updated: Updated, command: str) -> str:
    """The file for an updated catalogue: the same entries give the same text. ``command`` keeps it up to date."""
    lines = [
        '# Translations of the contract by anchor (definition, definition.field); "." is the contract itself.',
        f"# `{command}` adds what is missing and marks what is stale; comments are not kept.",
        "# source: the first 16 hex digits of the SHA-256 of the text that was translated. After a stale entry is translated",
        "# anew, remove its line `stale = true`.",
    ]
    for anchor, entry in updated.catalogue.entries.items():
        if updated.unused and anchor == updated.unused[0]:
            lines += ["", "# No version has these any more."]
        lines += ["", f"[entries.{quoted(anchor)}]"]
        if anchor in updated.texts and (not entry.text or entry.stale):
            lines += [f"# {line}".rstrip() for line in _shown(updated.texts[anchor])]
        lines += [f"text = {quoted(entry.text)}", f'source = "{entry.source}"']
        if entry.stale:
            lines.append("stale = true")
    return "\n".join(lines) + "\n"


def _shown(text: str) -> list[str]:
    """The lines of a text, as a TOML comment can hold them."""
    return ["".join(c if c.isprintable() else " " for c in line) for line in text.split("\n")]
