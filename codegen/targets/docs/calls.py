"""Views of operations → Markdown, block by block.

Must not find out anything about a contract: the views say it all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codegen.targets.docs import escape
from codegen.targets.docs.items import Items
from codegen.targets.docs.marks import Marks
from codegen.targets.docs.text import Code, Link, Plain, Runs, Speech, joined, plain
from codegen.targets.docs.views import BodyView, ContentView, OperationView, ResponseView, SampleView


class Calls:
    """Writes operations."""

    def __init__(self, items: Items, marks: Marks, speech: Speech) -> None:
        self.items = items
        self.marks = marks
        self.speech = speech

    def blocks(self, operation: OperationView) -> Iterator[str]:
        """Everything below the heading of an operation."""
        role = () if operation.role == "call" else (operation.role_word,)
        yield escape.markdown_code(f"{operation.method} {plain(operation.address)}")
        yield from self.items.opening(operation, (*role, *operation.flags, *operation.badges))
        for group in operation.parameters:
            yield f"{group.label}:"
            yield "\n".join(map(self.items.field, group.parameters))
        if operation.body is not None:
            yield from self._body(operation.body)
        if operation.responses:
            yield f"{self.speech.text('operation.responses')}:"
            yield "\n".join(map(self._response, operation.responses))
        yield from map(self.marks.paragraph, operation.statements)
        asked = "operation.request" if operation.role == "call" else "operation.arrives"
        yield from self._samples(asked, operation.requests)
        yield from self._samples("operation.response", operation.answers)

    def _body(self, body: BodyView) -> Iterator[str]:
        words = escape.markdown(", ".join((body.requirement, *body.flags)))
        label = self.speech.text("operation.body")
        yield from self.items.run_in(f'{label}:<a id="{body.anchor}"></a> {words}.', body)
        if body.contents:
            yield "\n".join(f"- {self._content(content)}" for content in body.contents)

    def _content(self, content: ContentView) -> str:
        line = self.marks.line(self._form(content))
        return " ".join((f"{line}.", *map(self.marks.line, content.notes)))

    def _form(self, content: ContentView) -> Runs:
        return (Code(content.media_type), *((Plain(" — "), *content.type) if content.type else ()))

    def _response(self, response: ResponseView) -> str:
        words = ", ".join(filter(None, (response.meaning, *response.flags)))
        status = f'{escape.markdown_code(response.status)}<a id="{response.anchor}"></a>'
        forms: Runs = joined(map(self._form, response.contents), "; ")
        forms = forms or (Plain(self.speech.text("operation.no_content")),)
        head = f"{status}{f' ({escape.markdown(words)})' if words else ''}: {self.marks.line(forms)}."
        notes = [note for content in response.contents for note in content.notes] + list(response.notes)
        below = []
        if response.headers:
            below = [f"{response.headers_label}:", "\n".join(map(self.items.field, response.headers))]
        return self.items.item(head, response, list(map(self.marks.line, notes)), below)

    def _samples(self, what: str, samples: Sequence[SampleView]) -> Iterator[str]:
        for sample in samples:
            title = escape.markdown(self.speech.text(what) + (f": {sample.title}" if sample.title else ""))
            yield f"{title} {self._source_word()}" if sample.untranslated else title
            yield from self.marks.blocks(sample.text)
            if sample.link:
                yield self.marks.link(Link(sample.link, sample.link))
            else:
                yield "\n".join(escape.markdown_block(sample.code, sample.language))
            if sample.derived:
                yield f"*{escape.markdown(self.speech.text('operation.derived'))}*"

    def _source_word(self) -> str:
        return f"*{escape.markdown(self.speech.text('page.untranslated'))}*"
