"""An edition, a language → what definitions and operations are told with: texts, words, phrases, anchors.

Must not know what is told: ``page`` and ``operations`` do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.edition import Edition
from codegen.history import UNCHANGED, Past
from codegen.model import Default, Doc, JsonValue, Notes, Text, Type
from codegen.targets.docs import prose
from codegen.targets.docs.anchors import anchors
from codegen.targets.docs.catalogued import Texts
from codegen.targets.docs.parts import parts
from codegen.targets.docs.phrases import Phrases
from codegen.targets.docs.phrases import shown as as_json
from codegen.targets.docs.text import Blocks, Link, Plain, Runs, Speech, joined, plain_blocks


class Telling:
    """One edition in one language. ``sections``: the anchors of its sections. Raises OutputError (``anchors``)."""

    def __init__(self, edition: Edition, language: str, sections: Iterable[str]) -> None:
        self.edition = edition
        self.language = language
        self.speech = Speech(edition.words[language])
        self.texts = Texts(edition, language)
        self.anchors = anchors(edition, sections)
        self.phrases = Phrases(edition.facts, self.speech, self.anchors.definitions)

    def blocks(self, doc: Doc, anchor: str = "") -> tuple[Blocks, bool]:
        """A description in the page's language, and whether it is in another."""
        text, untranslated = self.texts.of(doc, anchor)
        return prose.blocks(text, self.anchors.names), untranslated

    def line(self, doc: Doc, anchor: str = "") -> Runs:
        """A description in one line, with the word that it is not in the page's language."""
        text, untranslated = self.texts.of(doc, anchor)
        runs = prose.runs(" ".join(text.split()), self.anchors.names)
        return (*runs, Plain(f" {self.speech.text('page.untranslated')}")) if untranslated and runs else runs

    def flags(self, notes: Notes, past: Past = UNCHANGED) -> tuple[str, ...]:
        """The words for what annotations say, each beside the name."""
        flags = (
            ("deprecated_since" if past.deprecated else "deprecated", notes.deprecated),
            ("read_only", notes.read_only),
            ("write_only", notes.write_only),
            ("secret", notes.secret),
        )
        return tuple(self.speech.text(f"field.{flag}", version=past.deprecated) for flag, said in flags if said)

    def badges(self, past: Past) -> tuple[str, ...]:
        """The words for the versions that brought and changed something."""
        badges = [self.speech.text("field.since", version=past.since)] if past.since else []
        versions = self.speech.text("type.and").join(past.changed)
        return (*badges, self.speech.text("field.changed", versions=versions)) if versions else tuple(badges)

    def type(self, type_: Type) -> Runs:
        """A type where sentences of its own tell how a text is encoded."""
        return self.phrases.type(type_, annotated=not isinstance(type_, Text))

    def annotations(self, type_: Type) -> Iterator[Runs]:
        """How a text is encoded, a sentence each."""
        if isinstance(type_, Text):
            if type_.encoding:
                yield self.speech.say("field.encoding", name=(Plain(type_.encoding),))
            if type_.media_type:
                yield self.speech.say("field.media_type", name=(Plain(type_.media_type),))

    def items(self, type_: Type, anchor: str) -> Iterator[Runs]:
        """What the items of a list are, a sentence each. ``anchor``: what the type belongs to."""
        for part in parts(type_, self.edition.facts):
            key = "item_rest" if part.number < 0 else "item_at" if part.number else "item"
            text = self.line(part.doc, anchor + part.place)
            yield self.speech.say(f"field.{key}", number=(Plain(str(part.number)),), text=text)

    def default(self, default: Default | None) -> Iterator[Runs]:
        """A default, if there is one."""
        if default is not None:
            yield self.speech.say("field.default", value=(as_json(default.value),))

    def examples(self, values: Iterable[JsonValue]) -> Iterator[Runs]:
        """Examples of a value, in a sentence."""
        shown = tuple((as_json(value),) for value in values)
        if shown:
            yield self.speech.say("field.examples", values=joined(shown, self.speech.text("type.and")))

    def elsewhere(self, notes: Notes, anchor: str) -> Iterator[Runs]:
        """The documentation elsewhere that something refers to."""
        if notes.external_docs is not None:
            text = plain_blocks(self.blocks(notes.external_docs.doc, f"{anchor}.external")[0])
            link = Link(text or notes.external_docs.url, notes.external_docs.url)
            yield (*self.speech.say("page.see_also"), Plain(" "), link)
