"""Sections and definitions → HTML views, as seen from one page.

Must not find out anything about a contract: it arranges what the views of ``docs`` say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from codegen.targets.docs.escape import html
from codegen.targets.docs.text import Blocks, Link, Speech, joined
from codegen.targets.docs.views import DefinitionView, FieldView, MemberView, PageView, SectionView, ValueView
from codegen.targets.site.operations import Operations
from codegen.targets.site.views import (
    Block,
    DefinitionHtml,
    FieldGroup,
    FieldHtml,
    Row,
    SectionHtml,
    Tab,
    Table,
    Tabs,
)
from codegen.targets.site.volume import Example, Snippet, Volume
from codegen.targets.site.writer import Html, code, json_text, listing

MOST_INHERITED = 1
"""Inherited fields are folded where there are more of them than this."""


class Chapters:
    """Writes the sections of one page. ``href``: where an anchor is, as seen from that page."""

    def __init__(self, volume: Volume, view: PageView, speech: Speech, href: Callable[[str], str]) -> None:
        self.volume = volume
        self.view = view
        self.speech = speech
        self.html = Html(href)
        self.operations = Operations(volume, speech, self.html, self._text, self._field)
        self.summaries: Mapping[str, str] = {f"#{d.anchor}": d.summary for s in view.sections for d in s.definitions}

    def section(self, section: SectionView, *, alone: bool) -> SectionHtml:
        """A section. ``alone``: the page is the section, and has its title and text."""
        return SectionHtml(
            id="" if alone else html(section.anchor),
            title=html(section.title),
            link=self._link_to(section.title),
            text=self.intro(section),
            see_also=self.see_also(section),
            operations=tuple(map(self.operations.operation, section.operations)),
            definitions=tuple(map(self.definition, section.definitions)),
        )

    def intro(self, section: SectionView) -> str:
        """The introduction of a section."""
        return self._text(section.intro, section.untranslated)

    def see_also(self, section: SectionView) -> str:
        """The links of a section; empty without any."""
        if not section.links:
            return ""
        listed = joined(((link,) for link in section.links), self.speech.text("type.and"))
        return f"{html(self.speech.text('page.see_also'))} {self.html.line(listed)}"

    def _link_to(self, name: str) -> str:
        return html(self.speech.text("site.link_to", name=name))

    def _text(self, blocks: Blocks, untranslated: bool) -> str:
        language = self.view.source_language if untranslated else ""
        written = self.html.blocks(blocks, language)
        if untranslated and written:
            written += f'<p class="untranslated">{html(self.speech.text("page.untranslated"))}</p>'
        return written

    # --- definitions --------------------------------------------------------------------------------------------------

    def definition(self, definition: DefinitionView) -> DefinitionHtml:
        """One definition."""
        former = ""
        if definition.former_names:
            names = ", ".join(map(code, definition.former_names))
            former = f"<p>{html(self.speech.words['page.former']).replace('{names}', names)}</p>"
        label, groups, tables, chips = self._inside(definition)
        return DefinitionHtml(
            id=html(definition.anchor),
            former=tuple(map(html, definition.former)),
            name=code(definition.name),
            link=self._link_to(definition.name),
            kind=html(definition.kind_word),
            flags=tuple(map(html, definition.flags)),
            badges=tuple(map(html, definition.badges)),
            text=self._text(definition.text, definition.untranslated) + former,
            label="" if tables else html(label),
            region=html(f"{definition.name}: {label}"),
            groups=groups,
            tables=tables,
            chips=chips,
            type=self.html.line(definition.type),
            statements=tuple(map(self.html.line, definition.statements)),
            used=(
                html(self.speech.text("site.used_by", count=str(len(definition.used_by)))) if definition.used_by else ""
            ),
            users=tuple(self._user(definition)),
            examples=self._examples(definition),
        )

    def _user(self, definition: DefinitionView) -> Iterator[str]:
        for use in definition.used_by:
            fields = joined(((field,) for field in use.fields), ", ")
            yield self.html.link(use.link) + (f" <span>{self.html.line(fields)}</span>" if fields else "")

    def _inside(
        self, definition: DefinitionView
    ) -> tuple[str, tuple[FieldGroup, ...], tuple[Table, ...], tuple[str, ...]]:
        text = self.speech.text
        match definition.kind:
            case "record" | "mixin":
                label = text("site.fields") if definition.fields else ""
                return label, tuple(self._groups(definition.fields)), (), ()
            case "union":
                return text("site.members"), (), (self._members(definition),), ()
            case "enum":
                tables, chips = self._values(definition)
                return text("site.values"), (), tables, chips
            case _:
                return text("site.type"), (), (), ()

    # --- fields -------------------------------------------------------------------------------------------------------

    def _groups(self, fields: tuple[FieldView, ...]) -> Iterator[FieldGroup]:
        """Neighbours that come from mixins are one group, unless they are few."""
        for folded, group in groupby(fields, key=lambda field: field.inherited is not None):
            members = tuple(group)
            summary = ""
            if folded and len(members) > MOST_INHERITED:
                mixins = dict.fromkeys(code(member.inherited.text) for member in members if member.inherited)
                names = ", ".join(code(member.name) for member in members)
                template = html(self.speech.words["site.inherited"])
                summary = template.replace("{mixins}", ", ".join(mixins)).replace("{names}", names)
            yield FieldGroup(summary=summary, fields=tuple(map(self._field, members)))

    def _field(self, field: FieldView) -> FieldHtml:
        return FieldHtml(
            id=html(field.anchor),
            name=code(field.name),
            type=self.html.line(field.type),
            requirement=html(field.requirement),
            required=field.required,
            flags=tuple(map(html, field.flags)),
            badges=tuple(map(html, field.badges)),
            text=self._text(field.text, field.untranslated),
            notes=tuple(map(self.html.line, field.notes)),
            link=self._link_to(field.name),
        )

    # --- unions and enums ---------------------------------------------------------------------------------------------

    def _members(self, definition: DefinitionView) -> Table:
        text = self.speech.text
        told = any(member.tags for member in definition.members)
        rows = []
        for member in definition.members:
            cells = [self.html.line(member.type) + self._about(member)]
            if told:
                cells.insert(0, "<br>".join(", ".join(code(value.text) for value in tags) for tags in member.tags))
            rows.append(Row(cells=tuple(cells)))
        tags = (", ".join(map(code, definition.tag)),) if told else ()
        return Table(head=(*tags, html(text("site.variant"))), rows=tuple(rows))

    def _about(self, member: MemberView) -> str:
        """What the union says of a member, else how the member begins about itself."""
        if member.text:
            return self._text(member.text, member.untranslated)
        target = next((run.target for run in member.type if isinstance(run, Link)), "")
        summary = self.summaries.get(target, "")
        return f"<p>{html(summary)}</p>" if summary else ""

    def _values(self, definition: DefinitionView) -> tuple[tuple[Table, ...], tuple[str, ...]]:
        told = any(value.text or value.flags or value.badges for value in definition.values)
        if not told:
            return (), tuple(map(self._value, definition.values))
        rows = tuple(
            Row(cells=(self._value(value), self._text(value.text, value.untranslated))) for value in definition.values
        )
        head = (html(self.speech.text("site.values")), html(self.speech.text("site.about")))
        return (Table(head=head, rows=rows),), ()

    def _value(self, value: ValueView) -> str:
        shown = code(value.value.text)
        if len(value.variants) == 1:
            shown = f'<a href="{html(self.html.href(value.variants[0].target))}">{shown}</a>'
        words = [f'<span class="flag">{html(flag)}</span>' for flag in value.flags]
        words += [f'<span class="badge">{html(badge)}</span>' for badge in value.badges]
        return " ".join((shown, *words))

    # --- examples -----------------------------------------------------------------------------------------------------

    def _examples(self, definition: DefinitionView) -> tuple[Tabs, ...]:
        examples = self.volume.examples.get(definition.key, ())
        if not examples:
            return ()
        text = self.speech.text
        first, *others = examples
        snippets = self.volume.snippets.get(definition.key, ())
        tabs = [
            Tab(
                id=html(f"{definition.anchor}:0"),
                label="JSON",
                checked=True,
                note=html(text("site.derived")) if first.derived else "",
                blocks=(Block(title="", code=listing(json_text(first.value), "json")),),
                more=html(text("site.examples_more", count=str(len(others)))) if others else "",
                others=tuple(self._other(example) for example in others),
            )
        ]
        for number, snippet in enumerate(snippets, 1):
            tabs.append(self._snippet(f"{definition.anchor}:{number}", snippet))
        legend = html(text("site.formats", name=definition.name))
        return (Tabs(group=html(definition.anchor), legend=legend, tabs=tuple(tabs)),)

    def _other(self, example: Example) -> Block:
        return Block(title=html(example.name), code=listing(json_text(example.value), "json"))

    def _snippet(self, id: str, snippet: Snippet) -> Tab:
        return Tab(
            id=html(id),
            label=html(snippet.label),
            checked=False,
            note="",
            blocks=(
                Block(title=html(self.speech.text("site.make")), code=listing(snippet.make, snippet.language)),
                Block(title=html(self.speech.text("site.read")), code=listing(snippet.read, snippet.language)),
            ),
            more="",
            others=(),
        )
