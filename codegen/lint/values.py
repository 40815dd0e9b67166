"""Values that a contract states about its own places → findings on those that the place refuses.

Must not judge on its own: the judge of ``derive`` says what a type accepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen.errors import Problem, shown
from codegen.facts import kind_of
from codegen.lint.subject import Subject, finding
from codegen.model import Checked, JsonValue, Literals, Record, Ref, Type
from codegen.pointer import Origin


def refused(subject: Subject) -> Iterator[Problem]:
    """``refused-default`` and ``refused-example``."""
    seen: set[Origin] = set()
    for origin, type_ in _places(subject):
        schema = subject.schema_at(origin)
        if schema is None or schema.boolean is not None or origin in seen:
            continue
        seen.add(origin)
        if schema.has("default") and not subject.judge.accepts(type_, schema.get("default")):
            yield _finding("refused-default", "default", schema.get("default"), schema.at("default"))
        examples = schema.get("examples")
        for i, example in enumerate(examples if isinstance(examples, list) else ()):
            if not subject.judge.accepts(type_, example):
                yield _finding("refused-example", "example", example, schema.at("examples").at(i))


def _finding(code: str, what: str, value: JsonValue, origin: Origin) -> Problem:
    message = f"the {what} {shown(_spelled(value))} is refused by its own schema"
    return finding(code, message, origin, f"correct the {what} or the schema")


def _spelled(value: JsonValue) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _places(subject: Subject) -> Iterator[tuple[Origin, Type]]:
    """The places whose type is known: definitions and fields."""
    for definition in subject.definitions:
        if not definition.key.part:
            yield definition.key.origin, Ref(key=definition.key, origin=definition.origin)
        for field in definition.fields if isinstance(definition, Record) else ():
            yield field.origin, field.type


def refused_values(subject: Subject) -> Iterator[Problem]:
    """``refused-value``: a value of an enum (or a constant) that the rest of its schema refuses."""
    for schema in subject.schemas:
        for keyword in ("enum", "const"):
            if schema.has(keyword) and schema.has("type"):
                written = schema.get(keyword)
                values = written if keyword == "enum" and isinstance(written, list) else [written]
                names = schema.get("type")
                allowed = set(map(str, names)) if isinstance(names, list) else {str(names)}
                for i, value in enumerate(values):
                    if not _is_of(value, allowed):
                        at = schema.at(keyword).at(i) if keyword == "enum" else schema.at(keyword)
                        yield _value(value, at)
    for definition in subject.definitions:
        for type_ in subject.types(definition):
            if isinstance(type_, Checked) and isinstance(type_.inner, Literals):
                yield from _unpassed(subject, type_, type_.inner)


def _unpassed(subject: Subject, type_: Checked, literals: Literals) -> Iterable[Problem]:
    out = [value for value in literals.values if not subject.judge.accepts(type_, value)]
    if len(out) < len(literals.values):  # none at all is another finding
        for value in out:
            yield _value(value, subject.item(literals.origin, value))


def _value(value: JsonValue, origin: Origin) -> Problem:
    message = f"the value {shown(_spelled(value))} is listed, and refused by the rest of its schema"
    return finding("refused-value", message, origin, "remove the value, or correct what refuses it")


def _is_of(value: JsonValue, names: set[str]) -> bool:
    kind = kind_of(value)
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return kind in names or (kind == "number" and "integer" in names and whole)
