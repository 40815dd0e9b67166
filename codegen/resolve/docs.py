"""Annotations of a schema → Doc and Notes.

Must not assert anything. Links are found once every name is known (``linked``), since prose mentions definitions by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from codegen.document import Schema
from codegen.model import Code, Default, Doc, ExternalDocs, Key, Link, Notes, Prose

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|\n\s*\n")
SPAN = re.compile(r"`([^`\n]+)`")


def doc(schema: Schema) -> Doc:
    """The description of a schema; empty where it has none."""
    if schema.boolean is not None:
        return Doc()
    source = schema.get("description")
    return prose(source) if isinstance(source, str) else Doc()


def prose(source: str) -> Doc:
    """What somebody wrote; empty where that is blank."""
    if not source.strip():
        return Doc()
    return Doc(source=source, summary=SENTENCE.split(source.strip(), maxsplit=1)[0], body=(Prose(text=source),))


def notes(schema: Schema) -> Notes:
    """The other annotations of a schema."""
    if schema.boolean is not None:
        return Notes()
    examples, elsewhere = schema.get("examples"), schema.get("externalDocs")
    extensions = dict(schema.extensions())
    external_docs = None
    if isinstance(elsewhere, dict):
        external_docs = ExternalDocs(url=str(elsewhere["url"]), doc=prose(str(elsewhere.get("description", ""))))
    return Notes(
        deprecated=schema.get("deprecated") is True,
        read_only=schema.get("readOnly") is True,
        write_only=schema.get("writeOnly") is True,
        secret=extensions.get("x-wirebound-secret") is True,
        external_docs=external_docs,
        examples=tuple(examples) if isinstance(examples, list) else (),
        extensions=extensions,
    )


def default(schema: Schema) -> Default | None:
    """The default that a schema states; documentation only."""
    if schema.boolean is not None or not schema.has("default"):
        return None
    return Default(value=schema.get("default"))


def linked(text: Doc, keys: Mapping[str, Key], anchor: str) -> Doc:
    """``text`` with its anchor, its code spans and its mentions of definitions (a name in backticks, or ``Name.field``)."""
    if not text.source:
        return Doc(anchor=anchor)
    runs: list[Prose | Code | Link] = []
    last = 0
    for match in SPAN.finditer(text.source):
        if match.start() > last:
            runs.append(Prose(text=text.source[last : match.start()]))
        written = match[1]
        name, dot, field = written.partition(".")
        if written in keys:
            runs.append(Link(text=written, key=keys[written]))
        elif dot and name in keys:
            runs.append(Link(text=written, key=keys[name], field=field))
        else:
            runs.append(Code(text=written))
        last = match.end()
    if last < len(text.source):
        runs.append(Prose(text=text.source[last:]))
    return Doc(source=text.source, summary=text.summary, body=tuple(runs), anchor=anchor)
