"""Operations → their views: what a reader is told about a request, what comes back, and what is special about either.

Must not know a format. Types are told by ``phrases``; here is what OpenAPI says around them, all of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from codegen.edition import Sample
from codegen.history import UNCHANGED, Past
from codegen.model import (
    Body,
    Content,
    Doc,
    Header,
    Key,
    Operation,
    Parameter,
    PathText,
    Ref,
    Response,
    ResponseLink,
    Streaming,
    Type,
    Union,
)
from codegen.targets.docs import curl
from codegen.targets.docs.catalogued import example_anchor
from codegen.targets.docs.phrases import shown as as_json
from codegen.targets.docs.services import Services
from codegen.targets.docs.telling import Telling
from codegen.targets.docs.text import Blocks, Code, Link, Plain, Runs, joined, plain_blocks
from codegen.targets.docs.views import (
    BodyView,
    ContentView,
    FieldView,
    OperationView,
    ParametersView,
    ResponseView,
    SampleView,
)

_STYLES = {"path": "simple", "query": "form", "header": "simple", "cookie": "form"}


class Operations:
    """Writes the views of operations."""

    def __init__(self, telling: Telling) -> None:
        self.telling = telling
        self.speech = telling.speech
        self.model = telling.edition.model
        self.services = Services(telling)
        self._named = {operation.key: operation for operation in self.model.operations}

    def links(self, key: Key) -> tuple[Link]:
        """An operation by name."""
        return (Link(self._named[key].name.spelled, f"#{self.telling.anchors.operations[key]}", code=True),)

    def operation(self, operation: Operation) -> OperationView:
        """One operation."""
        own = self.telling.anchors.operations[operation.key]
        past = self.telling.edition.history.of_operation(operation.key)
        doc, anchor = operation.doc, own
        if not doc.source.strip():
            doc, anchor = operation.summary, f"{own}.summary"
        text, untranslated = self.telling.blocks(doc, anchor)
        entry = self.telling.edition.ledger.operations.get(operation.name.spelled)
        summary, _ = self.telling.blocks(operation.summary, f"{own}.summary")
        return OperationView(
            key=operation.key,
            name=operation.name.spelled,
            anchor=own,
            former=self.telling.anchors.former[operation.key],
            former_names=entry.former if entry else (),
            role=operation.role,
            role_word=self.speech.text(f"kind.{operation.role}"),
            method=operation.method,
            path=operation.path,
            address=self._address(operation),
            flags=self.telling.flags(operation.notes, past),
            badges=self.telling.badges(past),
            text=text,
            summary=plain_blocks(summary[:1] or text[:1]),
            untranslated=untranslated,
            parameters=tuple(self._parameters(operation)),
            body=self._body(operation.body, own) if operation.body else None,
            responses=tuple(self._response(response) for response in operation.responses),
            statements=tuple(self._statements(operation, own)),
            requests=(
                tuple(self._requests(operation, own))
                if operation.role == "call"
                else tuple(self._bodies(operation, own))
            ),
            answers=tuple(self._answers(operation, own)),
        )

    def _address(self, operation: Operation) -> Runs:
        """The whole address; the name of a webhook and the expression of a callback are none."""
        if operation.role != "call":
            return (Code(operation.path),)
        parameters = {p.name: p for p in operation.parameters if p.place == "path"}
        runs: list[Code | Link] = []
        before = curl.base(operation.servers or self.model.servers)
        for part in operation.parts:
            if isinstance(part, PathText):
                before += part.text
                continue
            found = parameters.get(part.parameter)
            if found is None:
                before += f"{{{part.parameter}}}"
                continue
            if before:
                runs.append(Code(before))
            runs.append(Link(f"{{{part.parameter}}}", f"#{found.doc.anchor}", code=True))
            before = ""
        return (*runs, Code(before)) if before or not runs else tuple(runs)

    # --- requests -----------------------------------------------------------------------------------------------------

    def _parameters(self, operation: Operation) -> Iterator[ParametersView]:
        for place in ("path", "query", "querystring", "header", "cookie"):
            found = tuple(self._parameter(operation, p) for p in operation.parameters if p.place == place)
            if found:
                yield ParametersView(place=place, label=self.speech.text(f"operation.{place}"), parameters=found)

    def _parameter(self, operation: Operation, parameter: Parameter) -> FieldView:
        past = self.telling.edition.history.of_parameter(operation.key, parameter)
        return self._field(parameter, parameter.doc.anchor, tuple(self._sent(parameter)), past)

    def _field(
        self, one: Parameter | Header, anchor: str, notes: tuple[Runs, ...], past: Past = UNCHANGED
    ) -> FieldView:
        text, untranslated = self.telling.blocks(one.doc, anchor)
        stated = [example.value.value for example in one.examples if example.value is not None]
        return FieldView(
            name=one.name,
            anchor=anchor,
            type=self.telling.type(one.type),
            required=one.required,
            requirement=self.speech.text("field.required" if one.required else "field.optional"),
            flags=self.telling.flags(one.notes, past),
            badges=self.telling.badges(past),
            text=text,
            untranslated=untranslated,
            notes=(
                *notes,
                *self.telling.items(one.type, anchor),
                *self.telling.annotations(one.type),
                *self.telling.examples([*stated, *one.notes.examples]),
            ),
            inherited=None,
        )

    def _sent(self, parameter: Parameter) -> Iterator[Runs]:
        say = self.speech.say
        yield from self.telling.default(parameter.default)
        style = parameter.style
        if style is not None and (
            style != _STYLES.get(parameter.place, "") or parameter.explode != (style in ("form", "cookie"))
        ):
            key = "operation.style_exploded" if parameter.explode else "operation.style"
            yield say(key, style=(Code(style),))
        if parameter.content is not None:
            yield say("operation.written_as", media_type=(Code(parameter.content.media_type),))
        if parameter.allow_reserved:
            yield say("operation.reserved")
        if parameter.allow_empty:
            yield say("operation.empty")

    def _body(self, body: Body, own: str) -> BodyView:
        text, untranslated = self.telling.blocks(body.doc, f"{own}.body")
        return BodyView(
            anchor=body.doc.anchor,
            required=body.required,
            requirement=self.speech.text("field.required" if body.required else "field.optional"),
            flags=self.telling.flags(body.notes),
            text=text,
            untranslated=untranslated,
            contents=tuple(map(self._content, body.contents)),
        )

    def _content(self, content: Content) -> ContentView:
        say = self.speech.say
        type_: Runs = () if content.type is None else self.telling.phrases.type(content.type)
        items = [case.type for case in content.events] or ([] if content.item is None else [content.item])
        if items:
            listed = joined(map(self.telling.phrases.type, items), self.speech.text("type.either"))
            type_ = say("operation.events" if content.events else "operation.items", item=listed)
        notes: list[Runs] = [
            say("operation.event", event=(Code(case.event),), type=self.telling.phrases.type(case.type))
            for case in content.events
            if case.event is not None
        ]
        for encoding in content.encodings:
            written: list[Runs] = [(Code(media_type),) for media_type in encoding.media_types]
            if encoding.style is not None:
                key = "operation.part_style_exploded" if encoding.explode else "operation.part_style"
                written.append(say(key, style=(Code(encoding.style),)))
            written += [say("operation.part_header", name=(Code(header.name),)) for header in encoding.headers]
            if written:
                how = joined(written, self.speech.text("type.and"))
                notes.append(say("operation.part", member=(Code(encoding.member),), how=how))
        return ContentView(media_type=content.media_type, type=type_, notes=tuple(notes))

    # --- responses ----------------------------------------------------------------------------------------------------

    def _response(self, response: Response) -> ResponseView:
        doc = response.doc if response.doc.source.strip() else Doc(source=response.summary)
        text, untranslated = self.telling.blocks(doc, response.doc.anchor)
        meaning = ""
        if response.status == "default":
            meaning = self.speech.text("operation.default")
        elif not response.status.isdigit():
            meaning = self.speech.text("operation.range", first=response.status[:1])
        return ResponseView(
            anchor=response.doc.anchor,
            status=response.status,
            meaning=meaning,
            flags=self.telling.flags(response.notes),
            text=text,
            untranslated=untranslated,
            contents=tuple(map(self._content, response.contents)),
            headers_label=self.speech.text("operation.response_headers") if response.headers else "",
            headers=tuple(self._field(h, h.doc.anchor, tuple(self._header(h))) for h in response.headers),
            notes=tuple(self._next(link, f"{response.doc.anchor}.{link.name}") for link in response.links),
        )

    def _header(self, header: Header) -> Iterator[Runs]:
        if header.explode:
            yield self.speech.say("operation.style_exploded", style=(Code("simple"),))
        if header.content is not None:
            yield self.speech.say("operation.written_as", media_type=(Code(header.content.media_type),))

    def _next(self, link: ResponseLink, anchor: str) -> Runs:
        """What can be done with a response."""
        to: Runs = self.links(link.operation) if link.operation in self._named else (Code(link.written),)
        given: list[Runs] = [(Code(name), Plain(" = "), as_json(value)) for name, value in link.parameters]
        if link.body is not None:
            given.append((*self.speech.say("operation.link_body"), Plain(" = "), as_json(link.body.value)))
        runs = self.speech.say("operation.link", name=(Code(link.name),), operation=to)
        if given:
            listed = joined(given, self.speech.text("type.and"))
            runs = self.speech.say("operation.link_with", link=runs, parameters=listed)
        about = self.telling.line(link.doc, anchor)
        return (*runs, Plain(". "), *about) if about else (*runs, Plain("."))

    # --- what is special ----------------------------------------------------------------------------------------------

    def _statements(self, operation: Operation, own: str) -> Iterator[Runs]:
        say = self.speech.say
        if operation.servers:
            yield from (self.services.server(s, f"{own}.servers.{i}") for i, s in enumerate(operation.servers))
        if operation.within is not None:
            yield say("operation.within", operation=self.links(operation.within))
        called = [self.links(one.key) for one in self.model.operations if one.within == operation.key]
        if called:
            yield say("operation.calls_back", operations=joined(called, self.speech.text("type.and")))
        yield from self.services.security(operation.security)
        if operation.streaming is not None:
            yield from self._streaming(operation, operation.streaming)
        if operation.page is not None:
            page = operation.page
            yield say("operation.pages", items=(Code(page.items),), next=(Code(page.next),), token=(Code(page.token),))
            if page.size is not None:
                yield say("operation.page_size", size=(Code(page.size),))
        if operation.signature is not None:
            scheme, tolerance = operation.signature.scheme, str(operation.signature.tolerance)
            yield say("operation.signature", scheme=(Code(scheme),), seconds=(Plain(tolerance),))
        yield from self.telling.elsewhere(operation.notes, own)

    def _streaming(self, operation: Operation, streaming: Streaming) -> Iterator[Runs]:
        say = self.speech.say
        types = [case.type for r in operation.responses for c in r.contents for case in c.events]
        union = next((u for type_ in types if (u := self._union(type_)) is not None), None)
        events = self.telling.phrases.link(union.key) if union is not None else say("operation.untyped_events")
        if streaming.ask is None:
            yield say("operation.stream", events=events)
        else:
            ask: Runs = (Code(streaming.ask),)
            yield say(f"operation.ask_{streaming.ask_in}", name=ask, value=(Code("true"),), events=events)
        if union is not None and union.stream is not None:
            yield self.services.terminal(union.stream)
        if streaming.resume is not None:
            resume = streaming.resume
            yield say("operation.resume", operation=self.links(resume.operation), after=(Code(resume.after),))
            for name, expression in resume.parameters:
                yield self._given((Code(name),), expression)

    def _given(self, name: Runs, expression: str) -> Runs:
        """What a parameter of the operation that resumes is: in words, where the runtime expression is a simple one."""
        say = self.speech.say
        if expression.startswith("$event#"):
            return say("operation.from_event", name=name, pointer=(Code(expression.removeprefix("$event#")),))
        if found := re.fullmatch(r"\$request\.(?:path|query|header)\.(.+)", expression):
            return say("operation.from_request", name=name, other=(Code(found[1]),))
        return say("operation.resume_with", name=name, value=(Code(expression),))

    def _union(self, type_: Type) -> Union | None:
        found = self.telling.edition.facts.table.get(type_.key) if isinstance(type_, Ref) else None
        return found if isinstance(found, Union) else None

    # --- how it looks -------------------------------------------------------------------------------------------------

    def _requests(self, operation: Operation, own: str) -> Iterator[SampleView]:
        content = operation.body.contents[0] if operation.body and operation.body.contents else None
        samples: tuple[Sample | None, ...] = self.telling.edition.samples.get(content.origin, ()) if content else ()
        asking = [_asks(operation, sample) for sample in samples]
        for sample, asks in zip(samples or (None,), asking or [False], strict=True):
            yield self._sample(sample, f"{own}.body", self._command(operation, content, sample, streamed=asks), "bash")
        if operation.streaming is not None and operation.streaming.ask is not None and not any(asking):
            code = self._command(operation, content, next(iter(samples), None), streamed=True)
            title = self.speech.text("operation.asks_for_stream")
            yield SampleView(
                title=title, untranslated=False, text=(), language="bash", code=code, link="", derived=False
            )

    def _command(
        self, operation: Operation, content: Content | None, sample: Sample | None, *, streamed: bool = False
    ) -> str:
        servers = operation.servers or self.model.servers
        always = operation.streaming is not None and operation.streaming.ask is None
        schemes = self.services.schemes
        return curl.command(operation, servers, schemes, content, sample, streamed=streamed or always)

    def _bodies(self, operation: Operation, own: str) -> Iterator[SampleView]:
        """What arrives, where somebody else asks."""
        for content in operation.body.contents[:1] if operation.body else ():
            for sample in self.telling.edition.samples.get(content.origin, ()):
                yield self._sample(sample, f"{own}.body", *_text(sample))

    def _answers(self, operation: Operation, own: str) -> Iterator[SampleView]:
        """The examples of every response; made ones of success alone."""
        for response in operation.responses:
            for content in response.contents:
                for sample in self.telling.edition.samples.get(content.origin, ()):
                    if sample.example is None and not response.status.startswith("2"):
                        continue
                    view = self._sample(sample, response.doc.anchor, *_text(sample))
                    title = f"{response.status} · {view.title}" if view.title else response.status
                    yield replace(view, title=title)

    def _sample(self, sample: Sample | None, own: str, code: str, language: str) -> SampleView:
        example = sample.example if sample else None
        title, other = "", False
        blocks: Blocks = ()
        untranslated = False
        if example is not None:
            anchor = example_anchor(own, example)
            title, other = self.telling.texts.of(Doc(source=example.summary), anchor)
            title = title or example.name
            blocks, untranslated = self.telling.blocks(example.doc, f"{anchor}.about")
        return SampleView(
            title=title,
            untranslated=other or untranslated,
            text=blocks,
            language=language,
            code=code,
            link=sample.url if sample else "",
            derived=sample is not None and sample.derived,
        )


def _asks(operation: Operation, sample: Sample | None) -> bool:
    """Whether a sample of the body asks for a stream itself."""
    streaming, value = operation.streaming, sample.value if sample else None
    if streaming is None or streaming.ask is None or streaming.ask_in != "body":
        return False
    return isinstance(value, dict) and value.get(streaming.ask) is True


def _text(sample: Sample) -> tuple[str, str]:
    """A sample as it travels, and the language that it is in."""
    if sample.text is not None or sample.url:
        return sample.text or "", ""
    return json.dumps(sample.value, ensure_ascii=False, indent=2), "json"
