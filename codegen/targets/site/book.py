"""One version of a contract in one language → its pages' names, and the way from one to an anchor on another.

Must not write anything: ``pages`` does, and asks here where things are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

from codegen.targets.docs.anchors import anchors
from codegen.targets.docs.changes import ChangesView, changes
from codegen.targets.docs.escape import html
from codegen.targets.docs.page import page
from codegen.targets.docs.text import Speech
from codegen.targets.docs.views import PageView
from codegen.targets.site.views import Labels
from codegen.targets.site.volume import Volume

INDEX, CHANGES, WHOLE = "index", "changes", "all"
"""The names of the page that opens a book, of the one about what the version changed, and of the one that holds all of it."""


@dataclass(frozen=True)
class Book:
    """One version of a contract in one language, with the names of its pages."""

    volume: Volume
    language: str

    @cached_property
    def view(self) -> PageView:
        """What it says."""
        return page(self.volume.edition, self.language)

    @cached_property
    def speech(self) -> Speech:
        """Its fixed words."""
        return Speech(self.volume.edition.words[self.language])

    @cached_property
    def changes(self) -> ChangesView | None:
        """What the version changed; None for the first."""
        edition = self.volume.edition
        releases = edition.history.releases
        return changes(releases[-1], self.speech, anchors(edition, []).names) if releases else None

    @property
    def changes_page(self) -> tuple[str, ...]:
        """The page about it, if there is one."""
        return (CHANGES,) if self.volume.edition.history.releases else ()

    @property
    def folder(self) -> str:
        """Where its pages are, with a slash at the end."""
        return f"{self.volume.edition.contract}/{self.volume.edition.version}/{self.language}/"

    @property
    def title(self) -> str:
        """The contract and its version, as they are called here."""
        view = self.view
        return view.contract_title if view.version in view.contract_title else f"{view.contract_title} {view.version}"

    @cached_property
    def names(self) -> dict[str, str]:
        """The page of each section, by its anchor, without a suffix."""
        taken = {INDEX, WHOLE, *self.changes_page}
        return {s.anchor: f"section-{s.anchor}" if s.anchor in taken else s.anchor for s in self.view.sections}

    @cached_property
    def pages(self) -> dict[str, str]:
        """The page of every anchor, without a suffix."""
        found: dict[str, str] = {}
        for section in self.view.sections:
            name = self.names[section.anchor]
            found[section.anchor] = name
            for operation in section.operations:
                for anchor in (operation.anchor, *operation.former, *operation.anchors):
                    found[anchor] = name
            for definition in section.definitions:
                for anchor in (definition.anchor, *definition.former, *(field.anchor for field in definition.fields)):
                    found[anchor] = name
        return found

    def href(self, target: str, at: str, suffix: str = "html") -> str:
        """Where ``target`` (``#anchor``, or an address) is, as seen from the page called ``at``."""
        if not target.startswith("#"):
            return target
        anchor = target[1:]
        if at == WHOLE or self.pages[anchor] == at:
            return target
        # A section is its page: its anchor stands only where all sections are.
        fragment = "" if anchor in self.names else target
        return f"{self.pages[anchor]}.{suffix}{fragment}"


def languages(volume: Volume) -> list[str]:
    """The languages in which a version is told: the contract's own, and every one with a catalogue; where a catalogue's
    language has no fixed words, ``page`` says so."""
    edition = volume.edition
    source = edition.outline.language if edition.outline.language in edition.words else "en"
    return list(dict.fromkeys((source, *sorted(edition.catalogues))))


def labels(speech: Speech) -> Labels:
    """The fixed words of the frame."""
    return Labels(**{field.name: html(speech.words[f"site.{field.name}"]) for field in fields(Labels)})


def books(volumes: Sequence[Volume]) -> list[Book]:
    """Every version in every language."""
    return [Book(volume, language) for volume in volumes for language in languages(volume)]
