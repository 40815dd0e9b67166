"""Views of operations → HTML views, as seen from one page.

Must not find out anything about a contract: it arranges what the views of ``docs`` say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from codegen.targets.docs.escape import address, html
from codegen.targets.docs.text import Blocks, Code, Link, Plain, Runs, Speech, joined
from codegen.targets.docs.views import ContentView, FieldView, OperationView, ResponseView, SampleView
from codegen.targets.site.views import Block, FieldHtml, OperationHtml, PartHtml, Tab, Tabs
from codegen.targets.site.volume import Snippet, Volume
from codegen.targets.site.writer import Html, breakable_path, code, listing

Told = Callable[[Blocks, bool], str]
Shown = Callable[[FieldView], FieldHtml]


class Operations:
    """Writes the operations of one page. ``told`` writes a text that may be in another language, ``field`` a parameter."""

    def __init__(self, volume: Volume, speech: Speech, html: Html, told: Told, field: Shown) -> None:
        self.volume = volume
        self.speech = speech
        self.html = html
        self.told = told
        self.field = field

    def operation(self, operation: OperationView) -> OperationHtml:
        """One operation."""
        former = ""
        if operation.former_names:
            names = ", ".join(map(code, operation.former_names))
            former = f"<p>{html(self.speech.words['page.former']).replace('{names}', names)}</p>"
        return OperationHtml(
            id=html(operation.anchor),
            former=tuple(map(html, operation.former)),
            name=code(operation.name),
            link=html(self.speech.text("site.link_to", name=operation.name)),
            kind=html(operation.role_word),
            flags=tuple(map(html, operation.flags)),
            badges=tuple(map(html, operation.badges)),
            method=html(operation.method),
            address="".join(map(self._piece, operation.address)),
            text=self.told(operation.text, operation.untranslated) + former,
            parts=tuple(self._parts(operation)),
            statements=tuple(map(self.html.line, operation.statements)),
            examples=tuple(self._examples(operation)),
        )

    def _piece(self, run: Plain | Code | Link) -> str:
        """A piece of an address, which is code as a whole."""
        shown = breakable_path(run.text)
        return f'<a href="{html(address(self.html.href(run.target)))}">{shown}</a>' if isinstance(run, Link) else shown

    # --- parts --------------------------------------------------------------------------------------------------------

    def _parts(self, operation: OperationView) -> Iterator[PartHtml]:
        for group in operation.parameters:
            yield PartHtml(label=html(group.label), fields=tuple(map(self.field, group.parameters)))
        if operation.body is not None:
            body = operation.body
            yield PartHtml(
                id=html(body.anchor),
                label=html(self.speech.text("operation.body")),
                requirement=html(body.requirement),
                required=body.required,
                flags=tuple(map(html, body.flags)),
                text=self.told(body.text, body.untranslated),
                fields=tuple(map(self._content, body.contents)),
            )
        if operation.responses:
            label = html(self.speech.text("operation.responses"))
            yield PartHtml(label=label, fields=tuple(map(self._response, operation.responses)))

    def _content(self, content: ContentView) -> FieldHtml:
        return FieldHtml(
            id="",
            name=code(content.media_type),
            type=self.html.line(content.type),
            requirement="",
            required=False,
            flags=(),
            badges=(),
            text="",
            notes=tuple(map(self.html.line, content.notes)),
            link="",
        )

    def _response(self, response: ResponseView) -> FieldHtml:
        forms = joined(map(self._form, response.contents), "; ")
        notes = [note for content in response.contents for note in content.notes] + list(response.notes)
        return FieldHtml(
            id=html(response.anchor),
            name=code(response.status),
            type=self.html.line(forms) or html(self.speech.text("operation.no_content")),
            requirement=html(response.meaning),
            required=False,
            flags=tuple(map(html, response.flags)),
            badges=(),
            text=self.told(response.text, response.untranslated),
            notes=tuple(map(self.html.line, notes)),
            link=html(self.speech.text("site.link_to", name=response.status)),
            inner_label=html(response.headers_label),
            inner=tuple(map(self.field, response.headers)),
        )

    def _form(self, content: ContentView) -> Runs:
        """What a body is; its media type too, unless that is what everybody expects."""
        if content.type and content.media_type == "application/json":
            return content.type
        return (Code(content.media_type), *((Plain(" "), *content.type) if content.type else ()))

    # --- how it looks -------------------------------------------------------------------------------------------------

    def _examples(self, operation: OperationView) -> Iterator[Tabs]:
        asked = "curl" if operation.role == "call" else self.speech.text("operation.arrives")
        if operation.requests:
            snippets = self.volume.calls.get(operation.key, ())
            tabs = [self._tab(f"{operation.anchor}:0", asked, operation.requests, checked=True)]
            tabs += [
                Tab(
                    id=html(f"{operation.anchor}:{number}"),
                    label=html(snippet.label),
                    checked=False,
                    note="",
                    blocks=tuple(self._code(snippet)),
                    more="",
                    others=(),
                )
                for number, snippet in enumerate(snippets, 1)
            ]
            yield self._tabs(operation, "operation.request", operation.anchor, tabs)
        if operation.answers:
            group = f"{operation.anchor}:answer"
            label = self.speech.text("operation.response")
            yield self._tabs(
                operation, "operation.response", group, [self._tab(f"{group}:0", label, operation.answers)]
            )

    def _code(self, snippet: Snippet) -> Iterator[Block]:
        yield Block(title="", code=listing(snippet.make, snippet.language))
        if snippet.read:
            title = html(self.speech.text(snippet.reads))
            yield Block(title=title, code=listing(snippet.read, snippet.language))

    def _tabs(self, operation: OperationView, what: str, group: str, tabs: Sequence[Tab]) -> Tabs:
        legend = f"{operation.name}: {self.speech.text(what)}"
        return Tabs(group=html(group), legend=html(legend), tabs=tuple(tabs))

    def _tab(self, id: str, label: str, samples: Sequence[SampleView], *, checked: bool = True) -> Tab:
        first, *others = samples
        return Tab(
            id=html(id),
            label=html(label),
            checked=checked,
            note=html(self.speech.text("operation.derived")) if first.derived else "",
            blocks=(self._block(first),),
            more=self._more(others),
            others=tuple(self._block(one if len(others) > 1 else replace(one, title="")) for one in others),
        )

    def _more(self, others: Sequence[SampleView]) -> str:
        """What further samples are behind: one is called by its name."""
        if len(others) == 1 and others[0].title:
            return html(others[0].title)
        return html(self.speech.text("site.examples_more", count=str(len(others)))) if others else ""

    def _block(self, sample: SampleView) -> Block:
        title = html(sample.title)
        if sample.untranslated and title:
            title += f" {html(self.speech.text('page.untranslated'))}"
        about = self.told(sample.text, sample.untranslated)
        if sample.link:
            return Block(title=f"{title} {self.html.link(Link(sample.link, sample.link))}", code="", about=about)
        return Block(title=title, code=listing(sample.code, sample.language), about=about)
