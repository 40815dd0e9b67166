"""Views of the reference: what a page says, ready to be written in any format.

Must not know a format. Text is in runs and blocks; whatever a reader is told about a contract is a field of these.
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.model import JsonValue, Key
from codegen.targets.docs.text import Blocks, Code, Link, Runs


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """A field of a record. ``flags``: words beside required or optional. ``badges``: since when it is there, and what changed
    it. ``notes``: sentences after the description. ``inherited``: the mixin that declares it, when the record does not say more
    about it."""

    name: str
    anchor: str
    type: Runs
    required: bool
    requirement: str
    flags: tuple[str, ...]
    badges: tuple[str, ...]
    text: Blocks
    untranslated: bool
    notes: tuple[Runs, ...]
    inherited: Link | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueView:
    """A value of an enum. ``variants``: the definitions whose tag it is."""

    value: Code
    text: Blocks
    untranslated: bool
    flags: tuple[str, ...]
    badges: tuple[str, ...]
    variants: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberView:
    """A member of a union. ``tags``: the values by which it is told (in a nested look-up, from the outside in)."""

    type: Runs
    tags: tuple[tuple[Code, ...], ...]
    text: Blocks
    untranslated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UseView:
    """A definition that uses another, by the fields that do (none: not through a field)."""

    link: Link
    fields: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionView:
    """One definition. ``kind``: "record", "mixin", "union", "enum" or "alias"; ``kind_word`` says it in the page's language.

    ``type`` is an alias's. ``statements``: what else holds, a sentence each. ``tag``: the members by which the union's members
    are told apart, from the outside in.
    """

    key: Key
    name: str
    anchor: str
    former: tuple[str, ...]
    former_names: tuple[str, ...]
    kind: str
    kind_word: str
    flags: tuple[str, ...]
    badges: tuple[str, ...]
    text: Blocks
    summary: str
    untranslated: bool
    fields: tuple[FieldView, ...]
    values: tuple[ValueView, ...]
    members: tuple[MemberView, ...]
    tag: tuple[str, ...]
    type: Runs
    statements: tuple[Runs, ...]
    examples: tuple[JsonValue, ...]
    used_by: tuple[UseView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section. ``links``: pages of prose about it."""

    anchor: str
    title: str
    intro: Blocks
    untranslated: bool
    links: tuple[Link, ...]
    definitions: tuple[DefinitionView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """The whole reference of one version in one language. ``untranslated``: how many texts are in the contract's language,
    which is ``source_language``."""

    language: str
    source_language: str
    title: str
    description: str
    contract_title: str
    contract_id: str
    version: str
    about: Blocks
    about_untranslated: bool
    sections: tuple[SectionView, ...]
    learn_more: tuple[Link, ...]
    untranslated: int
