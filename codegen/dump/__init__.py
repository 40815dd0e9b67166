"""Model → stable text and JSON, to be read by people, by scripts and by tests.

Must not derive anything: what is printed is in the model (or in ``facts``). Goldens of the model are this text, so a change
here changes them all.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.dump.form import VERSION, dump_json
from codegen.dump.operations import around, operation, stream
from codegen.dump.text import Writer, bounds, literal, table
from codegen.facts import Facts, inner_types
from codegen.model import Alias, Check, Choice, Model, Record, Type, Union

__all__ = [
    "VERSION",
    "bounds",
    "check_text",
    "dump",
    "dump_json",
    "dump_names",
    "dump_unions",
    "literal",
    "type_text",
]


def dump(model: Model, facts: Facts) -> str:
    """The whole model as text: its root, or its operations; then every definition."""
    writer = Writer(model, facts)
    lines = [f"model {model.id or '(no $id)'}  {model.title}".rstrip()]
    if model.root is not None:
        lines.append(f"root {writer.type(model.root)}")
    lines += around(model)
    for each in model.operations:
        lines += ["", *operation(each, writer)]
    for definition in model.definitions:
        lines += ["", *writer.definition(definition)]
        if isinstance(definition, Union):
            lines += stream(definition, writer)
    return "\n".join(lines) + "\n"


def dump_names(model: Model) -> str:
    """Every public name with its place and where the name comes from."""
    rows = [
        [d.name.spelled, d.name.source, type(d).__name__.lower(), str(d.key.origin)]
        for d in (*model.operations, *model.definitions)
        if d.name.source != "pointer"
    ]
    return "\n".join(line.strip() for line in table(rows)) + "\n" if rows else ""


def dump_unions(model: Model, facts: Facts) -> str:
    """Every choice of the public definitions with its dispatch and why."""
    writer = Writer(model, facts)
    lines = []
    for definition in facts.public:
        if isinstance(definition, Union):
            lines.append(f"{definition.name.spelled}  {writer.choice(definition.choice)}")
        elif isinstance(definition, Record):
            for field in definition.fields:
                lines += [
                    f"{definition.name.spelled}.{field.wire_name}  {text}" for text in _choices(writer, field.type)
                ]
        elif isinstance(definition, Alias):
            lines += [f"{definition.name.spelled}  {text}" for text in _choices(writer, definition.type)]
    return "\n".join(lines) + "\n" if lines else ""


def _choices(writer: Writer, type_: Type) -> Iterator[str]:
    if isinstance(type_, Choice):
        yield writer.choice(type_)
    for inner in inner_types(type_):
        yield from _choices(writer, inner)


def type_text(type_: Type, facts: Facts) -> str:
    """One type on one line."""
    return Writer(facts.model, facts).type(type_)


def check_text(check: Check, facts: Facts) -> str:
    """One check on one line."""
    return Writer(facts.model, facts).check(check)
