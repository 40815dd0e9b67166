"""A version of OpenAPI → the dialect of its schemas.

Must not look at documents. 3.0 is a dialect of its own, adapted to the vocabulary that all others are adapted to; from 3.1 on
a schema is one of JSON Schema 2020-12 with a few annotations more (OpenAPI 3.1.1, 4.8.24).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from codegen.document import dialects, objects
from codegen.document.dialects import ALWAYS, DRAFT_4, DRAFT_2020, Dialect, Entries, Entry, Rewrite
from codegen.vocabulary import KEYWORDS, TYPES, Flaw, Judge, Keyword

if TYPE_CHECKING:
    from codegen.model import JsonValue

# What 3.0 has as draft-04 has it; ``null`` is no type there, and ``$ref`` hides what is beside it.
_AS_DRAFT_4 = (
    *("$ref", "title", "description", "default", "format", "multipleOf", "minimum", "maximum"),
    *(
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "uniqueItems",
    ),
    *("minProperties", "maxProperties", "required", "allOf", "anyOf", "oneOf", "not", "properties"),
    "additionalProperties",
)
_AS_2020 = ("items", "deprecated", "readOnly", "writeOnly")
_TYPES = tuple(name for name in TYPES if name != "null")

# Beside ``$ref``, 3.0 gives these no effect either, but they refuse nothing: they are read as notes on the reference.
_NOTES = frozenset(
    ("title", "description", "default", "deprecated", "readOnly", "writeOnly", "example", "externalDocs", "xml")
)


_NULL_TOO = 'remove it, and let null be one more of "anyOf": {"type": "object", "nullable": true, "enum": [null]}'


def _type(value: JsonValue) -> Flaw | None:
    if isinstance(value, str) and value in _TYPES:
        return None
    listed = ", ".join(f'"{name}"' for name in _TYPES)
    names = value if isinstance(value, list) else [value]
    advice = 'write one type, and "nullable": true if null is meant too' if "null" in names or len(names) > 1 else ""
    return Flaw(value, f"one of {listed}", help=advice)


def _enum(value: JsonValue) -> Flaw | None:
    return None if isinstance(value, list) and value else Flaw(value, "an array of at least one value")


def _anything(value: JsonValue) -> Flaw | None:
    return None


def _object(kind: str, version: str) -> Judge:
    return lambda value: objects.operand(kind, version, value)


def _annotations(version: str) -> dict[str, Keyword]:
    """The keywords that OpenAPI adds to those of JSON Schema; they assert nothing."""
    return {
        "discriminator": Keyword("discriminator", _object("Discriminator", version)),
        "xml": Keyword("xml", _object("XML", version)),
        "externalDocs": Keyword("externalDocs", _object("ExternalDocumentation", version)),
        "example": Keyword("example", _anything),
    }


_KEYWORDS_3_0: Mapping[str, Keyword] = {
    **{name: KEYWORDS["draft-04"][name] for name in _AS_DRAFT_4},
    **{name: KEYWORDS["2020-12"][name] for name in _AS_2020},
    "type": Keyword("type", _type, vocabulary="validation"),
    "enum": Keyword("enum", _enum, vocabulary="validation"),
    "nullable": KEYWORDS["draft-04"]["uniqueItems"],
    **_annotations("3.0"),
}


def _nullable_type(schema: Mapping[str, JsonValue], entries: Entries) -> None:
    written = schema["type"]
    entries["type"] = Entry("/type", [written, "null"] if schema.get("nullable") is True else written)


def _nothing(schema: Mapping[str, JsonValue], entries: Entries) -> None:
    pass


def _examples(schema: Mapping[str, JsonValue], entries: Entries) -> None:
    """``example`` is one of the examples."""
    several = schema.get("examples")
    listed = list(several) if isinstance(several, list) else []
    entries["examples"] = Entry(
        "/examples" if "examples" in schema else "/example",
        [*listed, *([schema["example"]] if "example" in schema else [])],
    )


_REWRITES_3_0: Mapping[str, Rewrite] = {
    **{name: rewrite for name, rewrite in DRAFT_4.rewrites.items() if name in _KEYWORDS_3_0 and name != "items"},
    "type": _nullable_type,
    "nullable": _nothing,
    "example": _examples,
}


def _without_effect(schema: Mapping[str, JsonValue]) -> Iterator[tuple[str, str, str]]:
    """Members that 3.0 gives no effect where they stand, though whoever wrote them meant one: keyword, why, what to do."""
    if "$ref" in schema:
        for name in schema:
            if name in _KEYWORDS_3_0 and name != "$ref" and name not in _NOTES:
                help = 'put the reference into "allOf", or let "openapi" say 3.1, which judges by both'
                yield name, 'beside "$ref"', _NULL_TOO if name == "nullable" else help
    elif schema.get("nullable") is True and "type" not in schema:
        listed = schema.get("enum")
        silent = [name for name in ("allOf", "anyOf", "oneOf", "not") if name in schema]
        silent += ["enum"] if isinstance(listed, list) and None not in listed else []
        if silent:
            yield "nullable", f'beside "{silent[0]}" without "type"', _NULL_TOO


def _advise_3_0(name: str) -> str:
    from difflib import get_close_matches

    if name == "const":
        return 'write "enum" with one value, or let "openapi" say 3.1'
    if name == "examples":
        return 'write "example", one value'
    if name in KEYWORDS["2020-12"]:
        return 'OpenAPI 3.1 has it: let "openapi" say so, or remove it'
    if near := get_close_matches(name, _KEYWORDS_3_0, 1, 0.75):
        return f'write "{near[0]}" if that is meant'
    return f'remove it, or call it "x-{name}" if it is a note that asserts nothing'


OPENAPI_3_0 = Dialect(
    name="OpenAPI 3.0",
    uri="https://spec.openapis.org/oas/3.0/dialect",
    keywords=_KEYWORDS_3_0,
    rewrites=_REWRITES_3_0,
    id_keyword="id",  # a name that no schema of 3.0 can have: it has no resources of its own
    ref_hides=True,
    boolean_schemas=False,
    literal_integers=True,
    advise=_advise_3_0,
    without_effect=_without_effect,
)
OPENAPI_3_1, OPENAPI_3_2 = (
    Dialect(
        name=f"OpenAPI {version}",
        uri=f"https://spec.openapis.org/oas/{version}/dialect/base",
        keywords={**KEYWORDS["2020-12"], **_annotations(version)},
        rewrites={**ALWAYS, "example": _examples, "examples": _examples},
        contains_evaluates=True,
        vocabularies={
            **(DRAFT_2020.vocabularies or {}),
            **{f"https://spec.openapis.org/oas/{version}/vocab/{name}": "" for name in ("base", *dates)},
        },
    )
    for version, dates in (("3.1", ("2024-10-25",)), ("3.2", ("2025-09-17",)))
)
BY_VERSION: Mapping[str, Dialect] = {"3.0": OPENAPI_3_0, "3.1": OPENAPI_3_1, "3.2": OPENAPI_3_2}

_SPELLED = re.compile(r"https?://spec\.openapis\.org/oas/(3\.[12])/dialect/(?:base|[0-9]{4}-[0-9]{2}-[0-9]{2})#?")


def recognised(uri: str) -> Dialect | None:
    """The dialect that a ``$schema`` or ``jsonSchemaDialect`` means; None if it is none that is known."""
    match = _SPELLED.fullmatch(uri)
    return dialects.recognised(uri) if match is None else BY_VERSION[match[1]]
