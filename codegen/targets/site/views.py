"""Views of the templates of the site: HTML that is ready, in the order in which it is shown.

Must not compute: ``pages`` fills them, templates loop over them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One way of a switcher or one link of a list. ``lang``: the language of the label, where it is not the page's."""

    label: str
    href: str
    current: bool = False
    lang: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsPart:
    """A section of the contents; ``about`` is what the link to its beginning is called, ``opened`` where its page is shown."""

    title: str
    about: str
    href: str
    opened: bool
    entries: tuple[Choice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldHtml:
    """A field of a record, or what is written like one, ready. ``id`` is empty where it has no anchor. ``inner``: what belongs
    to it, under ``inner_label``."""

    id: str
    name: str
    type: str
    requirement: str
    required: bool
    flags: tuple[str, ...]
    badges: tuple[str, ...]
    text: str
    notes: tuple[str, ...]
    link: str
    inner_label: str = ""
    inner: tuple[FieldHtml, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """Fields that follow each other: ``summary`` is set where they come from mixins, and are folded."""

    summary: str
    fields: tuple[FieldHtml, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the table of a union, or of the values of an enum."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with a heading for each column."""

    head: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Code with a title and a text, mostly none; or these alone."""

    title: str
    code: str
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One format of an example. ``checked``: it is shown first."""

    id: str
    label: str
    checked: bool
    note: str
    blocks: tuple[Block, ...]
    more: str
    others: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabs:
    """The formats of one example. ``group`` tells its buttons from those of others."""

    group: str
    legend: str
    tabs: tuple[Tab, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionHtml:
    """A definition, ready. ``label`` and what follows it: fields, values or a type; a table says by its head what it holds, and
    ``region`` tells it from others."""

    id: str
    former: tuple[str, ...]
    name: str
    link: str
    kind: str
    flags: tuple[str, ...]
    badges: tuple[str, ...]
    text: str
    label: str
    region: str
    groups: tuple[FieldGroup, ...]
    tables: tuple[Table, ...]
    chips: tuple[str, ...]
    type: str
    statements: tuple[str, ...]
    used: str
    users: tuple[str, ...]
    examples: tuple[Tabs, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartHtml:
    """A part of an operation: its parameters in one place, its body, its responses. ``id`` is empty where it has no anchor."""

    id: str = ""
    label: str
    requirement: str = ""
    required: bool = False
    flags: tuple[str, ...] = ()
    text: str = ""
    fields: tuple[FieldHtml, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationHtml:
    """An operation, ready. ``address`` is what stands inside code."""

    id: str
    former: tuple[str, ...]
    name: str
    link: str
    kind: str
    flags: tuple[str, ...]
    badges: tuple[str, ...]
    method: str
    address: str
    text: str
    parts: tuple[PartHtml, ...]
    statements: tuple[str, ...]
    examples: tuple[Tabs, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionHtml:
    """A section, ready: ``definitions``, or ``entries``, the lines of a list. ``id`` is empty where the page is the section."""

    id: str
    title: str
    link: str
    text: str
    see_also: str
    operations: tuple[OperationHtml, ...]
    definitions: tuple[DefinitionHtml, ...]
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A link with a sentence about where it leads."""

    title: str
    href: str
    text: str
    note: str
    lang: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The fixed words of the frame."""

    home: str
    skip: str
    search: str
    search_label: str
    contents: str
    filter: str
    versions: str
    languages: str
    fields: str
    copy: str
    copied: str
    search_names: str
    search_texts: str
    search_none: str
    search_count: str
    not_here: str
    footer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """What every page has around its content. ``root`` leads to the top of the site, ``names`` to the list of names.
    ``pagefind`` leads to the full-text search of the version; it is empty where there is none."""

    lang: str
    title: str
    description: str
    root: str
    names: str
    pagefind: str
    twin: str
    alternates: tuple[Choice, ...]
    labels: Labels
    brand: str
    brand_href: str
    version: str
    versions: tuple[Choice, ...]
    language: str
    languages: tuple[Choice, ...]
    links: tuple[Choice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHtml:
    """A page of a contract. ``indexed``: the full-text search reads it. ``level``, ``below``: the heading elements of
    sections and of definitions."""

    shell: Shell
    indexed: bool
    contents: tuple[ContentsPart, ...]
    heading: str
    text: str
    cards: tuple[Card, ...]
    level: str
    below: str
    sections: tuple[SectionHtml, ...]
    more: str
    learn_more: tuple[str, ...]
    before: tuple[Choice, ...]
    after: tuple[Choice, ...]
    previous: str
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A contract on the landing page."""

    title: str
    text: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LandingHtml:
    """The first page."""

    shell: Shell
    heading: str
    text: str
    shelves: tuple[Shelf, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedHtml:
    """A page that only leads to another."""

    lang: str
    title: str
    href: str
    label: str
