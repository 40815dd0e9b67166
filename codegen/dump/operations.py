"""Operations, and what holds for all of them → lines of text.

Must not derive anything: what is printed is in the model.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.dump.text import Writer, literal
from codegen.model import (
    Content,
    Encoding,
    Header,
    Model,
    Notes,
    Operation,
    Parameter,
    Requirement,
    Response,
    Step,
    Steps,
    Union,
)


def around(model: Model) -> Iterator[str]:
    """Servers, security schemes and tags."""
    for server in model.servers:
        yield f"server {server.url}"
        for variable in server.variables:
            listed = f" of {', '.join(map(literal, variable.values))}" if variable.values else ""
            yield f"  {variable.name} = {literal(variable.default)}{listed}"
    for scheme in model.security:
        words = [scheme.kind, scheme.place or "", scheme.parameter, scheme.scheme, scheme.bearer_format, scheme.url]
        yield f"security {scheme.name}  {' '.join(word for word in words if word)}"
        for flow in scheme.flows:
            urls = (flow.authorization_url, flow.device_authorization_url, flow.token_url, flow.refresh_url)
            yield f"  {flow.kind}  {' '.join(url for url in urls if url)}"
            yield from (f"    {name}: {text}" for name, text in flow.scopes)
    for tag in model.tags:
        yield f"tag {tag.name}" + (f" under {tag.parent}" if tag.parent else "") + (
            f" ({tag.kind})" if tag.kind else ""
        )


def operation(each: Operation, writer: Writer) -> Iterator[str]:
    """The lines of one operation."""
    role = "operation" if each.role == "call" else each.role
    yield f"{role} {each.name.spelled}  {each.method} {each.path}  {each.key.origin}"
    yield from _columns(_rows(each, writer))
    for streaming in (each.streaming,) if each.streaming else ():
        asked = f"if {literal(streaming.ask)} in the {streaming.ask_in}" if streaming.ask else "always"
        resume = streaming.resume
        yield f"  streams {asked}"
        if resume is not None:
            given = "".join(f", {name} = {expression}" for name, expression in resume.parameters)
            yield f"    resumed by {writer.operation_name(resume.operation)} after {resume.after}{given}"
    if each.page is not None:
        size = f", size {each.page.size}" if each.page.size else ""
        yield f"  pages of {each.page.items}, next {each.page.next} as {each.page.token}{size}"
    if each.signature is not None:
        yield f"  signed by {each.signature.scheme}, at most {each.signature.tolerance} seconds old"


def _rows(each: Operation, writer: Writer) -> Iterator[list[str]]:
    if each.tags:
        yield ["tags", ", ".join(each.tags)]
    yield from (["server", server.url] for server in each.servers)
    if each.security:
        yield ["security", " or ".join(map(_requirement, each.security))]
    for parameter in each.parameters:
        yield _parameter(parameter, writer)
    if each.body is not None:
        for content in each.body.contents:
            flag = "required" if each.body.required else "optional"
            yield ["body", content.media_type, flag, *_content(content, writer)]
            yield from _encodings(content.encodings, writer)
    for response in each.responses:
        yield from _response(response, writer)
    for flag in _flags(each.notes):
        yield [flag]


def _requirement(requirement: Requirement) -> str:
    named = [f"{name} ({', '.join(scopes)})" if scopes else name for name, scopes in requirement.schemes]
    return " and ".join(named) or "nothing"


def _parameter(parameter: Parameter, writer: Writer) -> list[str]:
    words = [parameter.content.media_type if parameter.content is not None else str(parameter.style)]
    words += ["exploded"] if parameter.explode else []
    words += ["reserved characters as they are"] if parameter.allow_reserved else []
    words += ["may be empty"] if parameter.allow_empty else []
    words += [f"default {literal(parameter.default.value)}"] if parameter.default is not None else []
    words += _flags(parameter.notes)
    flag = "required" if parameter.required else "optional"
    return [parameter.place, parameter.name, flag, writer.type(parameter.type), ", ".join(words)]


def _response(response: Response, writer: Writer) -> Iterator[list[str]]:
    for header in response.headers:
        yield [response.status, *_header(header, writer)]
    for content in response.contents:
        yield [response.status, content.media_type, "", *_content(content, writer)]
    if not response.contents:
        yield [response.status, "(no content)"]
    for link in response.links:
        target = link.written if link.operation is None else writer.operation_name(link.operation)
        given = [f"{name} = {literal(value)}" for name, value in link.parameters]
        given += [f"body = {literal(link.body.value)}"] if link.body is not None else []
        yield [response.status, f"link {link.name}", "", target, ", ".join(given)]


def _header(header: Header, writer: Writer) -> list[str]:
    flag = "required" if header.required else "optional"
    return [f"header {header.name}", flag, writer.type(header.type), ", ".join(_flags(header.notes))]


def _content(content: Content, writer: Writer) -> list[str]:
    words = [] if content.type is None else [writer.type(content.type)]
    words += [] if content.item is None else [f"stream of {writer.inner(content.item)}"]
    for case in content.events:
        which = "event data" if case.event is None else f"data of {literal(case.event)}"
        words.append(f"{which} {writer.inner(case.type)}")
    return ["; ".join(words) or "(not described)", ", ".join(_flags(content.notes))]


def _encodings(encodings: tuple[Encoding, ...], writer: Writer, depth: str = "") -> Iterator[list[str]]:
    for encoding in encodings:
        words = list(encoding.media_types)
        words += [encoding.style or ""] if encoding.style else []
        words += ["exploded"] if encoding.explode and encoding.style else []
        words += ["reserved characters as they are"] if encoding.allow_reserved else []
        yield ["part", f"{depth}{encoding.member}", "", ", ".join(words)]
        yield from (["part", *_header(header, writer)] for header in encoding.headers)
        yield from _encodings(encoding.parts, writer, f"{depth}{encoding.member}.")


def _flags(notes: Notes) -> list[str]:
    return [word for word, said in (("deprecated", notes.deprecated), ("secret", notes.secret)) if said]


def _columns(rows: Iterator[list[str]]) -> Iterator[str]:
    """Rows as aligned columns; a row may have fewer."""
    listed = list(rows)
    widths = [max((len(row[i]) for row in listed if len(row) > i + 1), default=0) for i in range(4)]
    for row in listed:
        cells = [cell.ljust(widths[i]) if i < 4 and i + 1 < len(row) else cell for i, cell in enumerate(row)]
        yield ("  " + "  ".join(cells)).rstrip()


# --- streams ----------------------------------------------------------------------------------------------------------


def stream(union: Union, writer: Writer) -> Iterator[str]:
    """How the stream runs whose events a union is, and what they add up to."""
    said = union.stream
    if said is not None:
        words = [f"until {' or '.join(map(literal, said.terminal))}"]
        words += [f"or the data {literal(said.done)}"] if said.done is not None else []
        words += [f"resumed after {said.event_id}"] if said.event_id is not None else []
        yield f"  stream {', '.join(words)}"
        if said.error is not None:
            parts = (("code", said.error.code), ("message", said.error.message), ("bare", said.error.bare))
            given = "".join(f", {name} {part}" for name, part in parts if part is not None)
            yield f"    fails by {literal(said.error.event)}{given}"
    if union.fold is not None:
        yield f"  fold to {writer.name(union.fold.result)}"
        for tag, steps in union.fold.events:
            yield from _steps(tag, steps)


def _steps(tag: str, steps: Steps) -> Iterator[str]:
    if steps.by is None:
        yield from (f"    {literal(tag)}: {_step(step)}" for step in steps.always)
        return
    for case, listed in steps.cases:
        yield from (f"    {literal(tag)} with {steps.by} {literal(case)}: {_step(step)}" for step in listed)
    yield from (f"    {literal(tag)} with any other {steps.by}: {_step(step)}" for step in steps.otherwise)


def _step(step: Step) -> str:
    words = [step.action, literal(step.target)]
    words += [f"from {step.source}"] if step.source is not None else []
    words += [f"keeping {', '.join(step.keep)}"] if step.keep else []
    words += [f"where {step.same} is the same"] if step.same is not None else []
    words += [f"adding to {', '.join(step.texts)}"] if step.texts else []
    return " ".join(words)
