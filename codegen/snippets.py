"""A document and the codecs of its contract → Python code that makes the document and reads it.

Must not guess at names: the document is decoded by the very package that the code uses, and what comes out is written down as
an expression. So the code says what the package has, and running it gives the document back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codegen.edition import Edition
from codegen.model import Definition, JsonValue
from codegen.targets.python.names import Names
from codegen.targets.python.options import Options
from codegen.targets.quoting import literal, text
from codegen.targets.site import Snippet

WIDTH = 56
"""Lines break beyond it: code stands beside the text, in a narrow column."""


class Snippets:
    """Code for one package. ``codecs`` are those of the same package in memory, by the definitions' names."""

    def __init__(self, edition: Edition, options: Options, package: str, codecs: Mapping[str, Any]) -> None:
        self.package = package
        self.codecs = codecs
        self.classes = Names(edition).classes
        self.typed = "typed" in options.parts

    def of(self, definition: Definition, value: JsonValue) -> tuple[Snippet, ...]:
        """How to make and to read ``value``, which the codec of ``definition`` accepts."""
        made = self.codecs[definition.name.spelled].from_dict(value)
        name = self.classes[definition.key]
        snippets = [self._models(name, made)]
        if self.typed:
            snippets.append(self._typed(name, value))
        return tuple(snippets)

    def _models(self, name: str, made: Any) -> Snippet:
        own = type(made).__name__ == name and dataclasses.is_dataclass(made)
        classes = self.records(made)
        expression = written(made, 0, len("value = "))
        if own:
            imported = self.imported([*classes])
            attribute = next(_attributes(made), "")
            read = f"{self.imported([name])}\n\nvalue = {name}.from_json(data)"
            read += f"\nprint(value.{attribute})" if attribute else ""
            data = "value.to_json()"
        else:
            imported = self.imported(["codecs", *classes])
            read = f"{self.imported(['codecs'])}\n\nvalue = codecs.{name}.from_json(data)"
            data = f"codecs.{name}.to_json(value)"
        make = f"{imported}\n\nvalue = {expression}\ndata = {data}"
        return Snippet(label="Python", language="python", make=make, read=read)

    def _typed(self, name: str, value: JsonValue) -> Snippet:
        codecs = self.imported(["codecs"])
        left = f"document: {name} = "
        make = (
            f"import json\n\n{codecs}\nfrom {self.package}.typed import {name}\n\n"
            f"{left}{written(value, 0, len(left))}\n"
            f"codecs.{name}.from_dict(document)  # or DecodeError\n"
            "data = json.dumps(document)"
        )
        read = f"{codecs}\n\nvalue = codecs.{name}.from_json(data)\ndocument = codecs.{name}.to_dict(value)"
        return Snippet(label="TypedDict", language="python", make=make, read=read)

    def records(self, made: Any) -> list[str]:
        """The classes of the records in a decoded value."""
        return sorted({type(part).__name__ for part in _records(made)})

    def imported(self, names: Sequence[str]) -> str:
        """The import of ``names`` from the package."""
        line = f"from {self.package} import {', '.join(names)}"
        if len(line) <= WIDTH or len(names) == 1:
            return line
        return f"from {self.package} import (\n" + "".join(f"    {name},\n" for name in names) + ")"


def _records(value: Any) -> Iterator[Any]:
    """The records in a decoded value."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield value
        for field in dataclasses.fields(value):
            yield from _records(getattr(value, field.name))
    elif isinstance(value, dict):
        for item in value.values():
            yield from _records(item)
    elif isinstance(value, list):
        for item in value:
            yield from _records(item)


def _stated(record: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of a record that a caller has to state: those that differ from their defaults."""
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
        if default is dataclasses.MISSING or type(default) is not type(value) or default != value:
            yield field.name, value


def _attributes(record: Any) -> Iterator[str]:
    """Attributes worth reading: plain ones first."""
    stated = [(name, value) for name, value in _stated(record) if name != "extra"]
    yield from (name for name, value in stated if isinstance(value, str | int))
    yield from (name for name, _ in stated)


def written(value: Any, indent: int, used: int) -> str:
    """``value`` as an expression that starts in column ``used`` of a line at ``indent``, as black breaks it."""
    opening, parts, closing = _parts(value)
    if not parts:
        return opening + closing
    flat = opening + ", ".join(before + written(item, 0, -10_000) for before, item in parts) + closing
    if used + len(flat) <= WIDTH:
        return flat
    margin = "\n" + " " * (indent + 4)
    lines = [before + written(item, indent + 4, indent + 4 + len(before) + 1) + "," for before, item in parts]
    return opening + margin + margin.join(lines) + "\n" + " " * indent + closing


def _parts(value: Any) -> tuple[str, list[tuple[str, Any]], str]:
    """What opens an expression, its inner ones with what stands before each, and what closes it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__name__}(", [(f"{name}=", item) for name, item in _stated(value)], ")"
    if isinstance(value, dict):
        return "{", [(f"{text(name)}: ", item) for name, item in value.items()], "}"
    if isinstance(value, list):
        return "[", [("", item) for item in value], "]"
    return literal(value), [], ""
