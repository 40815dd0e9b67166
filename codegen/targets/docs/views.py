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
    """A definition or operation that uses a definition, by the fields that do (none: not through a field)."""

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
class ContentView:
    """One form of a body: its media type, and what it is (nothing where the contract does not say). ``notes``: how it is
    sent."""

    media_type: str
    type: Runs
    notes: tuple[Runs, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyView:
    """What a request carries."""

    anchor: str
    required: bool
    requirement: str
    flags: tuple[str, ...]
    text: Blocks
    untranslated: bool
    contents: tuple[ContentView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseView:
    """What is answered with one ``status``; ``meaning`` says which that are where it is no number. ``headers`` are written as
    fields are, and so are ``notes``."""

    anchor: str
    status: str
    meaning: str
    flags: tuple[str, ...]
    text: Blocks
    untranslated: bool
    contents: tuple[ContentView, ...]
    headers_label: str
    headers: tuple[FieldView, ...]
    notes: tuple[Runs, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParametersView:
    """The parameters of one place (``path``, ``query``…). ``label`` says which."""

    place: str
    label: str
    parameters: tuple[FieldView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleView:
    """A request or a response as it looks. ``language`` is that of ``code``; where ``link`` is set, it is there instead."""

    title: str
    untranslated: bool
    text: Blocks
    language: str
    code: str
    link: str
    derived: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationView:
    """One operation. ``role``: "call", "webhook" or "callback"; ``role_word`` says it in the page's language. ``address`` is
    the whole address, in pieces (the parameters among them are links); ``path`` is what is searched for."""

    key: Key
    name: str
    anchor: str
    former: tuple[str, ...]
    former_names: tuple[str, ...]
    role: str
    role_word: str
    method: str
    path: str
    address: Runs
    flags: tuple[str, ...]
    badges: tuple[str, ...]
    text: Blocks
    summary: str
    untranslated: bool
    parameters: tuple[ParametersView, ...]
    body: BodyView | None
    responses: tuple[ResponseView, ...]
    statements: tuple[Runs, ...]
    requests: tuple[SampleView, ...]
    answers: tuple[SampleView, ...]

    @property
    def fields(self) -> tuple[FieldView, ...]:
        """Everything in it that is written as a field, with an anchor of its own."""
        listed = [field for group in self.parameters for field in group.parameters]
        return (*listed, *(header for response in self.responses for header in response.headers))

    @property
    def anchors(self) -> tuple[str, ...]:
        """The anchors of what belongs to it."""
        body = (self.body.anchor,) if self.body else ()
        return (*(field.anchor for field in self.fields), *body, *(response.anchor for response in self.responses))


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section: its operations, then its definitions. ``links``: pages of prose about it. ``count`` says what it holds."""

    anchor: str
    title: str
    intro: Blocks
    untranslated: bool
    links: tuple[Link, ...]
    operations: tuple[OperationView, ...]
    definitions: tuple[DefinitionView, ...]
    count: str

    @property
    def entries(self) -> tuple[OperationView | DefinitionView, ...]:
        """Everything in it that has a heading of its own, in reading order."""
        return (*self.operations, *self.definitions)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """The whole reference of one version in one language.

    ``source``: a sentence about where all this comes from, with a place for ``{contract}``. ``service``: what holds for all
    operations, servers and ways to show who one is. ``untranslated``: how many texts are in the contract's language, which is
    ``source_language``.
    """

    language: str
    source_language: str
    title: str
    description: str
    contract_title: str
    contract_id: str
    version: str
    source: str
    about: Blocks
    about_untranslated: bool
    service: tuple[Runs, ...]
    sections: tuple[SectionView, ...]
    learn_more: tuple[Link, ...]
    untranslated: int
