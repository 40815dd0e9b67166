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
from codegen.targets.docs.changes import ChangesView
from codegen.targets.docs.marks import Marks, indented
from codegen.targets.docs.page import page
from codegen.targets.docs.text import Code, Link, Plain, Runs, Speech, joined
from codegen.targets.docs.views import DefinitionView, FieldView, MemberView, PageView, SectionView, ValueView

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
    """One definition: Markdown, block by block. ``ids``: anchors that are written out."""

    ids: tuple[str, ...]
    heading: str
    text: tuple[str, ...]
    label: str
    items: tuple[str, ...]
    statements: tuple[str, ...]


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
        yield self._paragraph(self.speech.say("page.source", contract=contract))
        if self.view.untranslated:
            count = (Plain(str(self.view.untranslated)),)
            yield self._paragraph(self.speech.say("page.untranslated_page", count=count))
        yield from self._blocks(self.view)

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
                origin=self.edition.facts.definition(d.key).origin,
                help="give the section another title in outline.toml, or the contract another title",
            )
            for section in self.view.sections
            for d in section.definitions
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
            entries=tuple(map(self._entry, section.definitions)),
        )

    def listed(self, told: ChangesView) -> Iterator[Part]:
        """What changed, group by group."""
        for group in told.groups:
            lines = "\n".join(f"- {self.marks.line(entry)}" for entry in group.entries)
            yield Part(ids=(), heading=f"## {escape.markdown(group.title)}", text=(lines,), entries=())

    def _entry(self, definition: DefinitionView) -> Entry:
        text = self._blocks(definition)
        if definition.flags or definition.badges:
            text.insert(0, f"*{escape.markdown(', '.join((*definition.flags, *definition.badges)))}*")
        if definition.former_names:
            names = joined(((Code(name),) for name in definition.former_names), self.speech.text("type.and"))
            text.append(self._paragraph(self.speech.say("page.former", names=names)))
        label, items = self._items(definition)
        statements = [self._paragraph(statement) for statement in definition.statements]
        if definition.examples:
            statements.append(escape.markdown(self.speech.text("definition.examples")))
            statements += ["\n".join(escape.markdown_block(as_json(value), "json")) for value in definition.examples]
        return Entry(
            ids=self._ids(definition.anchor, definition.name, definition.former),
            heading=f"### {escape.markdown_code(definition.name)}",
            text=tuple(text),
            label=label,
            items=tuple(items),
            statements=tuple(statements),
        )

    def _items(self, definition: DefinitionView) -> tuple[str, list[str]]:
        text = self.speech.text
        match definition.kind:
            case "record" | "mixin":
                if not definition.fields:
                    return text("definition.no_fields"), []
                return text("definition.fields"), [self._field(field) for field in definition.fields]
            case "enum":
                if not any(value.text or value.flags or value.badges for value in definition.values):
                    listed = joined(((value.value,) for value in definition.values), " · ")
                    return f"{text('definition.values')} {self.marks.line(listed)}", []
                return text("definition.values"), [self._value(value) for value in definition.values]
            case "union":
                return text("definition.members"), [self._member(member) for member in definition.members]
            case _:
                return f"{text('definition.type')} {self._line(definition.type)}", []

    def _field(self, field: FieldView) -> str:
        words = escape.markdown(", ".join((field.requirement, *field.flags, *field.badges)))
        head = f'{escape.markdown_code(field.name)}<a id="{field.anchor}"></a> — {self._line(field.type)}, {words}.'
        return self._item(head, field, [self._line(note) for note in field.notes])

    def _value(self, value: ValueView) -> str:
        said = (*value.flags, *value.badges)
        words = f" ({escape.markdown(', '.join(said))})" if said else ""
        head = self.marks.line((value.value,)) + words
        return self._item(f"{head} —" if value.text else head, value, [])

    def _member(self, member: MemberView) -> str:
        return self._item(self._line(member.type) + ("." if member.text else ""), member, [])

    def _item(self, head: str, view: FieldView | ValueView | MemberView, notes: list[str]) -> str:
        """A list item: the first paragraph of the text goes on the line of ``head``, short notes after the last."""
        first, *others = self._blocks(view) or [""]
        inline = bool(first) and not first.startswith(("- ", "```", "~~~"))
        lines = [" ".join(filter(None, (head, first if inline else "")))]
        others = others if inline or not first else [first, *others]
        if notes and not others:
            lines[0] = " ".join((lines[0], *notes))
        elif notes:
            others.append(" ".join(notes))
        return "- " + indented("\n\n".join([*lines, *others])).lstrip()

    def _blocks(self, view: DefinitionView | FieldView | ValueView | MemberView | PageView) -> list[str]:
        """The text of a view, and the word that it is not in the page's language."""
        about = view.about if isinstance(view, PageView) else view.text
        untranslated = view.about_untranslated if isinstance(view, PageView) else view.untranslated
        written = self.marks.blocks(about)
        if untranslated and written:
            word = f"*{escape.markdown(self.speech.text('page.untranslated'))}*"
            plain = not written[-1].startswith(("- ", "```"))
            written[-1:] = [f"{written[-1]} {word}"] if plain else [written[-1], word]
        return written

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
