"""Edition and language → the page: the one place where the reference finds out what it says.

Must not know a format, nor read anything: words and catalogues come with the edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from codegen import exchange
from codegen.edition import Edition
from codegen.errors import OutputError, Problem, shown
from codegen.model import (
    Alias,
    ByKeys,
    ByKind,
    ByTag,
    ByTrial,
    Choice,
    Closed,
    Definition,
    Enum,
    Extras,
    Field,
    JsonValue,
    Key,
    Open,
    Operation,
    Record,
    Ref,
    Switch,
    Typed,
    Union,
)
from codegen.targets.docs import prose
from codegen.targets.docs.catalogued import CONTRACT, home
from codegen.targets.docs.operations import Operations
from codegen.targets.docs.phrases import shown as as_json
from codegen.targets.docs.sections import Chapter, chapters
from codegen.targets.docs.telling import Telling
from codegen.targets.docs.text import Code, Link, Runs, joined, plain_blocks
from codegen.targets.docs.views import (
    DefinitionView,
    FieldView,
    MemberView,
    PageView,
    SectionView,
    UseView,
    ValueView,
)

_SENTENCE = re.compile(r"(?<=[.!?\u3002])\s+(?=\S)")


def page(edition: Edition, language: str) -> PageView:
    """The reference of ``edition`` in ``language``.

    Raises OutputError: ``unlisted``, ``anchor-clash``, ``bad-anchor``, ``unknown-language``.
    """
    return Author(edition, language).page()


class Author:
    """Writes the views of one edition in one language."""

    def __init__(self, edition: Edition, language: str) -> None:
        if language not in edition.words:
            known = ", ".join(edition.words)
            message = f"there are no fixed words in language {shown(language)}"
            help = f"add templates/docs/strings.{language}.toml, or choose one of {known}"
            origin = edition.model.origin
            raise OutputError([Problem(code="unknown-language", message=message, origin=origin, help=help)])
        self.edition = edition
        self.facts = edition.facts
        self.language = language
        self.chapters = chapters(edition)
        self.telling = Telling(edition, language, [chapter.anchor for chapter in self.chapters])
        self.speech, self.texts = self.telling.speech, self.telling.texts
        self.anchors, self.phrases = self.telling.anchors, self.telling.phrases
        self.operations = Operations(self.telling)

    def page(self) -> PageView:
        """The whole reference."""
        model = self.edition.model
        title = model.title or self.edition.contract
        about, untranslated = self.telling.blocks(model.doc, CONTRACT)
        api = "_api" if model.operations else ""
        service = tuple(self.operations.services.whole()) if model.operations else ()
        sections = tuple(map(self.section, self.chapters))
        named = (
            title if not self.edition.version or self.edition.version in title else f"{title} {self.edition.version}"
        )
        return PageView(
            language=self.language,
            source_language=self.edition.outline.language,
            title=self.speech.text("page.title", title=named),
            description=self.speech.text(f"page.description{api}", title=title, version=self.edition.protocol_version),
            contract_title=title,
            contract_id=model.id,
            version=self.edition.version,
            source=self.speech.words[f"page.source{api}"],
            about=about,
            about_untranslated=untranslated,
            service=service,
            sections=sections,
            learn_more=tuple(
                Link(self._by_language(link.title)[0], link.url) for link in self.edition.outline.learn_more
            ),
            untranslated=self.texts.missing,
        )

    def section(self, chapter: Chapter) -> SectionView:
        """One section with all its definitions."""
        outlined = chapter.outlined
        title, untranslated = self._by_language(outlined.title) if outlined else ("", False)
        intro, source = self._by_language(outlined.intro) if outlined else ("", False)
        return SectionView(
            anchor=chapter.anchor,
            title=title or self.speech.text(f"section.{chapter.kind}"),
            intro=prose.blocks(intro, self.anchors.names) if intro else (),
            untranslated=untranslated or source,
            links=(
                tuple(Link(self._by_language(link.title)[0], link.url) for link in outlined.links) if outlined else ()
            ),
            operations=tuple(map(self.operations.operation, chapter.operations)),
            definitions=tuple(map(self.definition, chapter.definitions)),
            count=self.speech.count(operations=len(chapter.operations), definitions=len(chapter.definitions)),
        )

    def _by_language(self, texts: Mapping[str, str]) -> tuple[str, bool]:
        """The text of an outline in the page's language; else another, and that it is another."""
        if not texts:
            return "", False
        source = self.edition.outline.language
        for language in (self.language, "", source, *texts):
            if language in texts:
                other = language not in (self.language, "")
                self.texts.missing += other
                return texts[language], other
        raise AssertionError

    # --- definitions --------------------------------------------------------------------------------------------------

    def definition(self, definition: Definition) -> DefinitionView:
        """One definition."""
        text, untranslated = self.telling.blocks(definition.doc)
        summary = _SENTENCE.split(plain_blocks(text[:1]), maxsplit=1)[0]
        kind = _kind(definition)
        members: tuple[MemberView, ...] = ()
        tag: tuple[str, ...] = ()
        if isinstance(definition, Union):
            members, tag = self._members(definition.choice)
        entry = self.edition.ledger.entries.get(definition.name.spelled)
        past = self.edition.history.of(definition.key)
        return DefinitionView(
            key=definition.key,
            name=definition.name.spelled,
            anchor=self.anchors.definitions[definition.key],
            former=self.anchors.former[definition.key],
            former_names=entry.former if entry else (),
            kind=kind,
            kind_word=self.speech.text(f"kind.{kind}"),
            flags=self.telling.flags(definition.notes, past),
            badges=self.telling.badges(past),
            text=text,
            summary=summary,
            untranslated=untranslated,
            fields=self._fields(definition) if isinstance(definition, Record) else (),
            values=self._values(definition) if isinstance(definition, Enum) else (),
            members=members,
            tag=tag,
            type=self.phrases.type(definition.type, annotated=False) if isinstance(definition, Alias) else (),
            statements=tuple(self._statements(definition)),
            examples=definition.notes.examples,
            used_by=self._used_by(definition.key),
        )

    def _statements(self, definition: Definition) -> Iterator[Runs]:
        say = self.speech.say
        match definition:
            case Record(extras=extras, mixins=mixins, is_mixin=is_mixin):
                yield from self._extras(extras, is_mixin)
                if mixins:
                    links = joined((self.phrases.link(use.key) for use in mixins), self.speech.text("type.and"))
                    yield say("definition.composes", mixins=links)
            case Enum(open=rest):
                if rest is not None:
                    yield say("definition.open_enum", type=self.phrases.type(rest))
            case Union(choice=choice):
                yield from self._told_apart(choice)
                if definition.stream is not None:
                    yield from self.operations.services.stream(definition.stream)
                if definition.fold is not None:
                    yield self.operations.services.fold(definition.fold)
            case Alias(type=type_):
                yield from self.telling.annotations(type_)
                yield from self.telling.items(type_, definition.doc.anchor)
        for check in definition.checks:
            yield say("definition.check", check=self.phrases.check(check))
        yield from self.telling.elsewhere(definition.notes, definition.doc.anchor)

    def _extras(self, extras: Extras, is_mixin: bool) -> Iterator[Runs]:
        say = self.speech.say
        for pattern, type_ in extras.patterns:
            yield say("definition.pattern", pattern=(Code(pattern.source),), type=self.phrases.type(type_))
        match extras:
            case Closed():
                yield say("definition.closed")
            case Open() if not is_mixin:
                yield say("definition.open")
            case Typed(value=value):
                yield say("definition.typed", type=self.phrases.type(value))
        if is_mixin:
            yield say("definition.mixin")

    def _told_apart(self, choice: Choice) -> Iterator[Runs]:
        say = self.speech.say
        match choice.dispatch:
            case ByTag(switch=switch):
                tag = joined(((Code(name),) for name in _properties(switch)), self.speech.text("type.and"))
                if switch.enum is None:
                    yield say("definition.told_apart", property=tag)
                else:
                    yield say("definition.told_apart_by", property=tag, enum=self.phrases.link(switch.enum))
            case ByKind():
                yield say("definition.told_by_kind")
            case ByKeys():
                yield say("definition.told_by_keys")
            case ByTrial():
                yield say("definition.told_by_only" if choice.exclusive else "definition.told_by_first")
        if choice.rest is not None:
            yield say("definition.rest", type=self.phrases.type(choice.rest))

    def _members(self, choice: Choice) -> tuple[tuple[MemberView, ...], tuple[str, ...]]:
        tags: dict[int, list[tuple[JsonValue, ...]]] = {}
        tag: tuple[str, ...] = ()
        if isinstance(choice.dispatch, ByTag):
            tag = _properties(choice.dispatch.switch)
            for values, position in _cases(choice.dispatch.switch, ()):
                tags.setdefault(position, []).append(values)
        views = []
        named = choice.members if choice.rest is None else choice.members[:-1]
        for index, member in enumerate(named):
            text, untranslated = self.telling.blocks(member.doc)
            views.append(
                MemberView(
                    type=self.phrases.type(member.type),
                    tags=tuple(tuple(map(as_json, values)) for values in tags.get(index, [])),
                    text=text,
                    untranslated=untranslated,
                )
            )
        return tuple(views), tag

    def _values(self, enum: Enum) -> tuple[ValueView, ...]:
        views = []
        for value in enum.values:
            text, untranslated = self.telling.blocks(value.doc)
            past = self.edition.history.of_value(enum.key, value.value)
            views.append(
                ValueView(
                    value=Code(value.value) if isinstance(value.value, str) and value.value else as_json(value.value),
                    text=text,
                    untranslated=untranslated,
                    flags=self.telling.flags(value.notes, past),
                    badges=self.telling.badges(past),
                    variants=self._tagged.get((enum.key, value.value), ()),
                )
            )
        return tuple(views)

    @cached_property
    def _tagged(self) -> dict[tuple[Key, JsonValue], tuple[Link, ...]]:
        """The definitions that a union tells by a value of an enum, by enum and value."""
        found: dict[tuple[Key, JsonValue], dict[Link, None]] = {}
        for union in self.facts.public:
            if not isinstance(union, Union) or not isinstance(union.choice.dispatch, ByTag):
                continue
            switch = union.choice.dispatch.switch
            for case in switch.cases:
                member = union.choice.members[case.to].type if isinstance(case.to, int) else None
                if switch.enum is not None and isinstance(member, Ref) and member.key in self.anchors.definitions:
                    name = self.facts.definition(member.key).name.spelled
                    link = Link(name, f"#{self.anchors.definitions[member.key]}", code=True)
                    found.setdefault((switch.enum, case.value), {})[link] = None
        return {value: tuple(links) for value, links in found.items()}

    def _used_by(self, key: Key) -> tuple[UseView, ...]:
        fields: dict[Key, list[Link]] = {}
        for user, wire_name in self.facts.used_by.get(key, ()):
            if user == key and wire_name is None:
                continue
            found = fields.setdefault(user, [])
            if wire_name is not None:
                found.append(Link(wire_name, f"#{self.anchors.fields[user, wire_name]}", code=True))
        definitions = tuple(
            UseView(
                link=Link(self.facts.definition(user).name.spelled, f"#{self.anchors.definitions[user]}", code=True),
                fields=tuple(links),
            )
            for user, links in fields.items()
        )
        operations = (
            UseView(link=link, fields=()) for one in self._taken.get(key, ()) for link in self.operations.links(one.key)
        )
        return (*definitions, *operations)

    @cached_property
    def _taken(self) -> Mapping[Key, tuple[Operation, ...]]:
        return exchange.used_in(self.edition.model)

    # --- fields -------------------------------------------------------------------------------------------------------

    def _fields(self, record: Record) -> tuple[FieldView, ...]:
        return tuple(self._field(record, field) for field in record.fields)

    def _field(self, record: Record, field: Field) -> FieldView:
        text, untranslated = self.texts.of_field(record.key, field)
        past = self.edition.history.of_field(record.key, field.wire_name)
        inherited: Link | None = None
        if field.declared_in != record.key and not field.narrows and field.declared_in in self.anchors.definitions:
            name = self.facts.definition(field.declared_in).name.spelled
            inherited = Link(name, f"#{self.anchors.definitions[field.declared_in]}", code=True)
        return FieldView(
            name=field.wire_name,
            anchor=self.anchors.fields[record.key, field.wire_name],
            type=self.telling.type(field.type),
            required=field.required,
            requirement=self.speech.text("field.required" if field.required else "field.optional"),
            flags=self.telling.flags(field.notes, past),
            badges=self.telling.badges(past),
            text=prose.blocks(text, self.anchors.names),
            untranslated=untranslated,
            notes=tuple(self._notes(record, field)),
            inherited=inherited,
        )

    def _notes(self, record: Record, field: Field) -> Iterator[Runs]:
        yield from self.telling.items(field.type, home(self.edition, record.key, field))
        yield from self.telling.default(field.default)
        yield from self.telling.annotations(field.type)
        yield from self.telling.examples(field.notes.examples)


def _kind(definition: Definition) -> str:
    match definition:
        case Record(is_mixin=is_mixin):
            return "mixin" if is_mixin else "record"
        case Enum():
            return "enum"
        case Union():
            return "union"
        case Alias():
            return "alias"


def _properties(switch: Switch) -> tuple[str, ...]:
    """The members that are looked at, from the outside in, each once."""
    inner = [_properties(case.to) for case in switch.cases if isinstance(case.to, Switch)]
    return tuple(dict.fromkeys((switch.property, *(name for names in inner for name in names))))


def _cases(switch: Switch, above: tuple[JsonValue, ...]) -> Iterator[tuple[tuple[JsonValue, ...], int]]:
    """The tag values that lead to each member, from the outside in."""
    for case in switch.cases:
        if isinstance(case.to, Switch):
            yield from _cases(case.to, (*above, case.value))
        else:
            yield (*above, case.value), case.to
