"""Schemas as they are written → findings on keywords that do nothing, or something else than they look like.

Must not report what is there on purpose more often than by mistake: conditions and mixins do without ``type``, so what counts
is that a built type lets other kinds pass.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.derive.judge import same_json
from codegen.errors import Problem, shown
from codegen.lint.subject import Subject, finding
from codegen.model import AnyJson, ByKind, Checked, Choice, Is, JsonValue, NonNull, Record, Type
from codegen.pointer import Origin

OF_KINDS = (
    *("properties", "required", "additionalProperties", "patternProperties", "unevaluatedProperties"),
    *("items", "prefixItems", "minItems", "maxItems"),
    *("minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
)
"""Keywords that say nothing of values of other kinds, and make people think of one kind."""

ANNOTATING = {
    "format": frozenset(["string", "number", "integer"]),
    "contentEncoding": frozenset(["string"]),
    "contentMediaType": frozenset(["string"]),
}
"""Keywords that describe values of some kinds, and the types that say so."""

ALONE = (("then", "if"), ("else", "if"), ("minContains", "contains"), ("maxContains", "contains"))
"""Keywords that mean nothing without another one."""


def ignored(subject: Subject) -> Iterator[Problem]:
    """``ignored-keyword``: what the dialect does not look at, such as siblings of ``$ref`` up to draft-07."""
    for schema in subject.schemas:
        for keyword in schema.hidden:
            origin = Origin(schema.origin.document, schema.origin.pointer).at(keyword)
            if schema.has("$ref") and schema.dialect.ref_hides:
                message = f'"{keyword}" beside "$ref" has no effect in {schema.dialect.name}'
                help = 'put the reference into "allOf", beside which other keywords count'
            else:
                message = f'"{keyword}" has no effect here in {schema.dialect.name}'
                help = "remove it, or state the dialect that it is meant for"
            yield finding("ignored-keyword", message, origin, help)
        for keyword, needed in ALONE:
            if schema.has(keyword) and not schema.has(needed):
                message = f'"{keyword}" has no effect without "{needed}"'
                yield finding("ignored-keyword", message, schema.at(keyword), f'add "{needed}", or remove it')
        if schema.has("if") and not schema.has("then") and not schema.has("else"):
            message = '"if" has no effect without "then" and "else"'
            yield finding("ignored-keyword", message, schema.at("if"), 'add "then" or "else", or remove it')


def idle_annotation(subject: Subject) -> Iterator[Problem]:
    """``idle-annotation``: bindings say formats and encodings of texts and numbers, and not of what may be anything."""
    for schema in subject.schemas:
        for keyword, kinds in ANNOTATING.items():
            if schema.has(keyword) and not (keyword == "format" and schema.format):
                written = schema.get("type")
                names = written if isinstance(written, list) else [written]
                if not kinds.intersection(map(str, names)):
                    what = 'without "type"' if written is None else f"of type {' or '.join(map(str, names))}"
                    message = f'"{keyword}" {what} says nothing: it refuses no value, and no binding shows it'
                    yield finding("idle-annotation", message, schema.at(keyword), 'add "type": "string", or remove it')


def missing_type(subject: Subject) -> Iterator[Problem]:
    """``missing-type``: ``properties`` and their like let every value of another kind pass."""
    for definition in subject.definitions:
        for type_ in subject.types(definition):
            for choice in _open_kinds(type_):
                schema = subject.schema_at(choice.origin)
                written = [keyword for keyword in OF_KINDS if schema is not None and schema.has(keyword)]
                origin = schema.at(written[0]) if schema is not None and written else choice.origin
                said = f'"{written[0]}" stands' if written else "keywords for one kind of value stand"
                kinds = _spoken(choice)
                yield finding(
                    "missing-type",
                    f'{said} without "type": values that are no {" or ".join(kinds)} are accepted as well',
                    origin,
                    f'add "type": {" or ".join(f"{chr(34)}{kind}{chr(34)}" for kind in kinds)}',
                )


def _open_kinds(type_: Type) -> Iterator[Choice]:
    """Choices by kind in which the kinds that nobody speaks of share any JSON."""
    found = [type_]
    if isinstance(type_, Checked):
        found += [check.type for check in type_.checks if isinstance(check, Is)]
    for choice in found:
        if isinstance(choice, Choice) and isinstance(choice.dispatch, ByKind):
            last = choice.members[-1].type
            last = last.inner if isinstance(last, NonNull) else last
            if isinstance(last, AnyJson):
                yield choice


def _spoken(choice: Choice) -> list[str]:
    assert isinstance(choice.dispatch, ByKind)
    last = len(choice.members) - 1
    return [kind for kind, to in choice.dispatch.cases if to != last]


def undeclared_required(subject: Subject) -> Iterator[Problem]:
    """``undeclared-required``: a required name that nothing declares, often a slip of the pen."""
    for definition in subject.definitions:
        if not isinstance(definition, Record):
            continue
        for field in definition.fields:
            if field.origin == field.required_at and isinstance(field.type, AnyJson):
                yield finding(
                    "undeclared-required",
                    f"{shown(field.wire_name)} is required and not declared: any JSON value may stand there",
                    subject.item(field.origin, field.wire_name),
                    f'declare it in "properties", or take it out of "required"{_like(field.wire_name, definition)}',
                )


def _like(name: str, record: Record) -> str:
    from difflib import get_close_matches

    others = [field.wire_name for field in record.fields if field.wire_name != name and not field.required]
    near = get_close_matches(name, others, 1, 0.75)
    return f"; {shown(near[0])} is declared" if near else ""


# --- repetitions ------------------------------------------------------------------------------------------------------


def repeated(subject: Subject) -> Iterator[Problem]:
    """``repeated-branch`` of a composition, and ``repeated-value`` of an enum."""
    for schema in subject.schemas:
        for keyword in ("allOf", "anyOf", "oneOf"):
            for first, again in _twins(schema.get(keyword)):
                effect = ": what both accept, oneOf refuses" if keyword == "oneOf" else ""
                yield finding(
                    "repeated-branch",
                    f"branch {again + 1} of {keyword} repeats branch {first + 1}{effect}",
                    schema.at(keyword).at(again),
                    "remove one of the two",
                )
        for first, again in _twins(schema.get("enum")):
            yield finding(
                "repeated-value",
                f"value {again + 1} of the enum repeats value {first + 1}",
                schema.at("enum").at(again),
                "remove one of the two",
            )


def _twins(values: JsonValue) -> Iterator[tuple[int, int]]:
    """The positions of each item that equals an earlier one."""
    if isinstance(values, list):
        # Texts, the bulk of long enums, are looked up; what is left is compared pair by pair.
        seen: dict[str, int] = {}
        others: list[tuple[int, JsonValue]] = []
        for i, value in enumerate(values):
            if isinstance(value, str):
                first = seen.setdefault(value, i)
            else:
                first = next((j for j, other in others if same_json(other, value)), i)
                others.append((i, value))
            if first != i:
                yield first, i
