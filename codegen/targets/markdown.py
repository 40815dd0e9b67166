"""Edition → the reference as one page per language and flavour.

Must not find out anything about a contract: ``docs`` does, for every format. Here is only what the flavours differ in: how a
host makes anchors of headings, how comments are spelled, and what the file is called.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from codegen.edition import Edition
from codegen.errors import OutputError, Problem, shown
from codegen.model import JsonValue
from codegen.targets.base import Raw, Rendering
from codegen.targets.docs import escape
from codegen.targets.docs.calls import Calls
from codegen.targets.docs.changes import ChangesView
from codegen.targets.docs.items import Items
from codegen.targets.docs.marks import Marks
from codegen.targets.docs.page import page
from codegen.targets.docs.text import Code, Link, Plain, Runs, Speech, fill, joined
from codegen.targets.docs.views import DefinitionView, MemberView, OperationView, PageView, SectionView, ValueView

Flavour = Literal["commonmark", "gfm", "mdx", "myst"]

SUFFIXES: dict[str, str] = {"commonmark": "md", "gfm": "md", "mdx": "mdx", "myst": "md"}
HOSTED = ("mdx", "myst")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """``languages``: one page each (BCP 47). ``flavours``: the kinds of Markdown, each page in all of them.

    ``heading_ids``: who gives headings their ids: "explicit", this page; "host", whatever shows it (None: the host for mdx
    and myst). Raises ValueError for pages that would be one file.
    """

    languages: tuple[str, ...] = ("en",)
    flavours: tuple[Flavour, ...] = ("commonmark",)
    heading_ids: Literal["explicit", "host"] | None = None

    def __post_init__(self) -> None:
        suffixes = [SUFFIXES[flavour] for flavour in self.flavours]
        if len(set(suffixes)) < len(suffixes):
            raise ValueError(f"flavours {' and '.join(self.flavours)} would be one file: give each a job of its own")
        if not self.languages or not self.flavours:
            raise ValueError("languages and flavours name at least one each")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One operation or definition: Markdown, block by block. ``ids``: anchors that are written out."""

    ids: tuple[str, ...]
    heading: str
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One section."""

    ids: tuple[str, ...]
    heading: str
    text: tuple[str, ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole file. ``in_jsx``: comments are JavaScript's. ``heading`` is empty where the host shows the title."""

    title: str
    description: str
    in_jsx: bool
    generated: str
    heading: str
    text: tuple[str, ...]
    parts: tuple[Part, ...]
    learn_more: str
    links: tuple[str, ...]


class Markdown:
    """The target."""

    name = "markdown"
    Options = Settings

    def files(self, edition: Edition, options: Settings) -> Iterable[Rendering | Raw]:
        """``<language>.md`` or ``.mdx`` for each language and flavour."""
        for language in options.languages:
            view = page(edition, language)
            for flavour in options.flavours:
                hosted = flavour in HOSTED if options.heading_ids is None else options.heading_ids == "host"
                written = Writer(edition, view, flavour, hosted).page()
                yield Rendering(f"{language}.{SUFFIXES[flavour]}", "docs/page.md.j2", written)


class Writer:
    """Writes one page in one flavour. ``hosted``: whoever shows the page gives headings their ids."""

    def __init__(
        self,
        edition: Edition,
        view: PageView,
        flavour: str,
        hosted: bool,
        href: Callable[[str], str] = lambda target: target,
    ) -> None:
        self.edition = edition
        self.view = view
        self.flavour = flavour
        self.speech = Speech(edition.words[view.language])
        self.marks = Marks(raw_fields=flavour == "myst", href=href)
        self.items = Items(self.marks, self.speech)
        self.calls = Calls(self.items, self.marks, self.speech)
        self.slugs: set[str] | None = set() if hosted else None

    def page(self) -> Page:
        """The whole page."""
        view = self.view
        parts = tuple(map(self._part, view.sections))
        self._refuse_taken()
        return Page(
            title=escape.front_matter(view.title),
            description=escape.front_matter(view.description),
            in_jsx=self.flavour == "mdx",
            generated=self._comment(),
            heading="" if self.flavour == "mdx" else f"# {escape.markdown(view.title)}",
            text=tuple(self._opening()),
            parts=parts,
            learn_more=self.speech.text("page.learn_more") if view.learn_more else "",
            links=tuple(f"- {self.marks.link(link)}" for link in view.learn_more),
        )

    def _comment(self) -> str:
        contract = self.view.contract_id or self.edition.contract
        text = self.speech.text("page.generated", contract=contract, command=self.edition.command)
        return escape.comment(text)

    def _opening(self) -> Iterator[str]:
        address = self.view.contract_id
        if address.startswith(("https://", "http://")):
            contract: Runs = (Link(address, address),)
        else:
            contract = (Code(address or self.edition.contract),)
        yield self._paragraph(fill(self.view.source, {"contract": contract}))
        if self.view.untranslated:
            count = (Plain(str(self.view.untranslated)),)
            yield self._paragraph(self.speech.say("page.untranslated_page", count=count))
        yield from self.items.blocks(self.view.about, self.view.about_untranslated)
        yield from map(self._paragraph, self.view.service)

    # --- anchors ------------------------------------------------------------------------------------------------------

    def _ids(self, anchor: str, heading: str, former: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The anchors to be written out for a heading: those that its host does not make."""
        if self.slugs is None:
            return (anchor, *former)
        slug = slugged(heading)
        made = slug == anchor and slug not in self.slugs
        made = made and (self.flavour != "myst" or docutils_id(heading) == anchor)
        self.slugs.add(slug)
        return former if made else (anchor, *former)

    def _refuse_taken(self) -> None:
        """A title must not make the id that is the anchor of a definition: the host would give it to the first of the two."""
        if self.slugs is None:
            return
        made = docutils_id if self.flavour == "myst" else slugged
        titles = {made(section.title): section.title for section in self.view.sections}
        if self.flavour != "mdx":
            titles[made(self.view.title)] = self.view.title
        problems = [
            Problem(
                code="anchor-clash",
                message=f"the heading {shown(titles[d.anchor])} takes the anchor {shown(d.anchor)} of {shown(d.name)}",
                origin=d.key.origin,
                help="give the section another title in outline.toml, or the contract another title",
            )
            for section in self.view.sections
            for d in section.entries
            if d.anchor in titles
        ]
        if problems:
            raise OutputError(problems)

    # --- parts --------------------------------------------------------------------------------------------------------

    def _part(self, section: SectionView) -> Part:
        text = self.marks.blocks(section.intro)
        if section.links:
            listed = joined(((link,) for link in section.links), self.speech.text("type.and"))
            text.append(self._paragraph((*self.speech.say("page.see_also"), Plain(" "), *listed)))
        return Part(
            ids=self._ids(section.anchor, section.title),
            heading=f"## {escape.markdown(section.title)}",
            text=tuple(text),
            entries=(
                *(self._headed(one, self.calls.blocks(one)) for one in section.operations),
                *(self._headed(one, self._definition(one)) for one in section.definitions),
            ),
        )

    def listed(self, told: ChangesView) -> Iterator[Part]:
        """What changed, group by group."""
        for group in told.groups:
            lines = "\n".join(f"- {self.marks.line(entry)}" for entry in group.entries)
            yield Part(ids=(), heading=f"## {escape.markdown(group.title)}", text=(lines,), entries=())

    def _headed(self, one: OperationView | DefinitionView, blocks: Iterable[str]) -> Entry:
        return Entry(
            ids=self._ids(one.anchor, one.name, one.former),
            heading=f"### {escape.markdown_code(one.name)}",
            blocks=tuple(blocks),
        )

    def _definition(self, definition: DefinitionView) -> Iterator[str]:
        yield from self.items.opening(definition, (*definition.flags, *definition.badges))
        label, items = self._items(definition)
        yield label
        if items:
            yield "\n".join(items)
        yield from map(self._paragraph, definition.statements)
        if definition.examples:
            yield escape.markdown(self.speech.text("definition.examples"))
            for value in definition.examples:
                yield "\n".join(escape.markdown_block(as_json(value), "json"))

    def _items(self, definition: DefinitionView) -> tuple[str, list[str]]:
        text = self.speech.text
        match definition.kind:
            case "record" | "mixin":
                if not definition.fields:
                    return text("definition.no_fields"), []
                return text("definition.fields"), [self.items.field(field) for field in definition.fields]
            case "enum":
                if not any(value.text or value.flags or value.badges for value in definition.values):
                    listed = joined(((value.value,) for value in definition.values), " · ")
                    return f"{text('definition.values')} {self.marks.line(listed)}", []
                return text("definition.values"), [self._value(value) for value in definition.values]
            case "union":
                return text("definition.members"), [self._member(member) for member in definition.members]
            case _:
                return f"{text('definition.type')} {self._line(definition.type)}", []

    def _value(self, value: ValueView) -> str:
        said = (*value.flags, *value.badges)
        words = f" ({escape.markdown(', '.join(said))})" if said else ""
        head = self.marks.line((value.value,)) + words
        return self.items.item(f"{head} —" if value.text else head, value)

    def _member(self, member: MemberView) -> str:
        return self.items.item(self._line(member.type) + ("." if member.text else ""), member)

    def _line(self, runs: Runs) -> str:
        return self.marks.line(runs)

    def _paragraph(self, runs: Runs) -> str:
        return self.marks.paragraph(runs)


def slugged(heading: str) -> str:
    """The id that hosts make of a heading: in lower case, spaces as hyphens, nothing but letters, digits, ``-`` and ``_``."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def docutils_id(heading: str) -> str:
    """The id that docutils, under MyST, makes of a heading: what is no ASCII letter or digit becomes a hyphen."""
    ascii_only = unicodedata.normalize("NFKD", heading.lower()).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "-", ascii_only).strip("-")


def as_json(value: JsonValue) -> str:
    """A JSON value as a person writes it."""
    return json.dumps(value, ensure_ascii=False, indent=2)


TARGET = Markdown()
