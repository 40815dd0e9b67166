"""``$schema`` → a dialect: a record of tables and functions that the rest of the stage consults.

Must not look at documents: where an unknown ``$schema`` may be found is the concern of ``linking``. A dialect is a record and
no class hierarchy, because what differs between dialects is facts, and a metaschema with a ``$vocabulary`` of its own is one
more record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from codegen.pointer import escape
from codegen.vocabulary import DIALECTS, KEYWORDS, Keyword

if TYPE_CHECKING:
    from codegen.model import JsonValue

# The name that a 2019-09 resource with ``$recursiveAnchor`` is bound to: no ``$dynamicAnchor`` can be spelled so.
RECURSIVE_ANCHOR = "$recursiveAnchor"


class Entry(NamedTuple):
    """A keyword in the normalised vocabulary.

    ``at`` is the pointer of its true place, from the schema; ``value`` its normalised operand. ``parts``: pointers, from the
    schema, of the subschemas of a keyword with named ones, where they are not simply below ``at``.
    """

    at: str
    value: JsonValue
    parts: Mapping[str, str] | None = None


Entries: TypeAlias = dict[str, Entry]
# Takes the schema and the entries so far; adds what one written keyword means. True if that keyword asserts nothing here.
Rewrite: TypeAlias = Callable[[Mapping[str, "JsonValue"], Entries], "bool | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What one dialect says.

    ``id_keyword`` names the member that gives a resource its URI; ``named_by_id``: a fragment there is an anchor.
    ``ref_hides``: what is beside ``$ref`` asserts nothing. ``boolean_schemas``: ``true`` and ``false`` are schemas.
    ``literal_integers``: 1.0 is no integer. ``contains_evaluates``: items that ``contains`` matches count as evaluated.
    ``silent``: keywords that assert nothing, because the metaschema leaves their vocabulary out. ``unmet``: a vocabulary
    that the metaschema requires and nobody here knows. ``advise`` says what to do about a member that is no keyword (None: as
    for other dialects); ``without_effect`` gives the members of a schema that the dialect ignores there and that are refused
    for it, because they say something else than they do: keyword, where it stands, what to do.
    """

    name: str
    uri: str
    keywords: Mapping[str, Keyword]
    rewrites: Mapping[str, Rewrite]
    id_keyword: str = "$id"
    named_by_id: bool = False
    ref_hides: bool = False
    boolean_schemas: bool = True
    literal_integers: bool = False
    contains_evaluates: bool = False
    vocabularies: Mapping[str, str] | None = None
    silent: frozenset[str] = frozenset()
    unmet: str | None = None
    advise: Callable[[str], str] | None = None
    without_effect: Callable[[Mapping[str, JsonValue]], Iterable[tuple[str, str, str]]] | None = None


def normalise(schema: Mapping[str, JsonValue], dialect: Dialect) -> tuple[Entries, tuple[str, ...]]:
    """The keywords of ``schema`` in the vocabulary of 2020-12, in contract order, and the members that have no effect."""
    entries: Entries = {}
    hidden = []
    only_reference = dialect.ref_hides and "$ref" in schema
    rewrites, keywords, silent = dialect.rewrites, dialect.keywords, dialect.silent
    for name, operand in schema.items():
        if name not in keywords:
            continue
        if (only_reference and name not in _BESIDE_REFERENCE) or name in silent:
            hidden.append(name)
        elif name not in rewrites:
            entries[name] = Entry("/" + name, operand)
        elif rewrites[name](schema, entries):
            hidden.append(name)
    return entries, tuple(hidden)


# Beside a ``$ref`` that hides its siblings, these stay: they assert nothing, references reach definitions, and people write
# descriptions there to be read.
_BESIDE_REFERENCE = frozenset(
    (
        *("$ref", "$schema", "$defs", "definitions", "$comment", "title", "description"),
        *("default", "example", "examples", "deprecated", "readOnly", "writeOnly"),
    )
)


# --- rewrites ---------------------------------------------------------------------------------------------------------


def _definitions(name: str) -> Rewrite:
    def rewrite(schema: Mapping[str, JsonValue], entries: Entries) -> None:
        operand = schema[name]
        assert isinstance(operand, dict)
        before = entries.get("$defs")
        parts = {key: f"/{name}/{escape(key)}" for key in operand}
        if before is None:
            entries["$defs"] = Entry("/" + name, operand, parts)
        else:
            assert isinstance(before.value, dict)
            entries["$defs"] = Entry(before.at, before.value | operand, {**(before.parts or {}), **parts})

    return rewrite


def _whole(name: str) -> Rewrite:
    """A count: 2.0 is 2."""

    def rewrite(schema: Mapping[str, JsonValue], entries: Entries) -> None:
        operand = schema[name]
        assert isinstance(operand, int | float)
        entries[name] = Entry("/" + name, int(operand))

    return rewrite


def _items(schema: Mapping[str, JsonValue], entries: Entries) -> None:
    name = "prefixItems" if isinstance(schema["items"], list) else "items"
    entries[name] = Entry("/items", schema["items"])


def _additional_items(schema: Mapping[str, JsonValue], entries: Entries) -> bool:
    positional = isinstance(schema.get("items"), list)
    if positional:
        entries["items"] = Entry("/additionalItems", schema["additionalItems"])
    return not positional


def _dependencies(schema: Mapping[str, JsonValue], entries: Entries) -> None:
    operand = schema["dependencies"]
    assert isinstance(operand, dict)
    names: dict[str, JsonValue] = {key: value for key, value in operand.items() if isinstance(value, list)}
    schemas: dict[str, JsonValue] = {key: value for key, value in operand.items() if key not in names}
    if names:
        entries["dependentRequired"] = Entry("/dependencies", names)
    if schemas:
        parts = {key: f"/dependencies/{escape(key)}" for key in schemas}
        entries["dependentSchemas"] = Entry("/dependencies", schemas, parts)


def _bound(name: str, exclusive: str) -> Rewrite:
    """draft-04: the flag beside the bound says which bound it is."""

    def rewrite(schema: Mapping[str, JsonValue], entries: Entries) -> None:
        entries[exclusive if schema.get(exclusive) is True else name] = Entry("/" + name, schema[name])

    return rewrite


def _nothing(schema: Mapping[str, JsonValue], entries: Entries) -> None:
    pass


def _identifier(name: str) -> Rewrite:
    """Up to draft-07, ``$id`` with a fragment alone is an anchor; one that looks like a pointer names nothing new."""

    def rewrite(schema: Mapping[str, JsonValue], entries: Entries) -> None:
        operand = schema[name]
        assert isinstance(operand, str)
        if not operand.startswith("#"):
            entries["$id"] = Entry("/" + name, operand)
        elif len(operand) > 1 and operand[1] != "/":
            entries["$anchor"] = Entry("/" + name, operand[1:])

    return rewrite


def _recursive_reference(schema: Mapping[str, JsonValue], entries: Entries) -> None:
    entries["$dynamicRef"] = Entry("/$recursiveRef", "#")


def _recursive_anchor(schema: Mapping[str, JsonValue], entries: Entries) -> None:
    if schema["$recursiveAnchor"] is True:
        entries["$dynamicAnchor"] = Entry("/$recursiveAnchor", RECURSIVE_ANCHOR)


_COUNTED = ("Length", "Items", "Properties", "Contains")
ALWAYS: dict[str, Rewrite] = {
    **{f"{end}{what}": _whole(f"{end}{what}") for end in ("min", "max") for what in _COUNTED},
    "$defs": _definitions("$defs"),
    "definitions": _definitions("definitions"),
}
_BEFORE_2020: dict[str, Rewrite] = {**ALWAYS, "items": _items, "additionalItems": _additional_items}
_UNTIL_7: dict[str, Rewrite] = {**_BEFORE_2020, "dependencies": _dependencies, "$id": _identifier("$id")}
_DRAFT_4: dict[str, Rewrite] = {
    **{name: rewrite for name, rewrite in _UNTIL_7.items() if name != "$id"},
    "id": _identifier("id"),
    "minimum": _bound("minimum", "exclusiveMinimum"),
    "maximum": _bound("maximum", "exclusiveMaximum"),
    "exclusiveMinimum": _nothing,
    "exclusiveMaximum": _nothing,
}


# --- the dialects -----------------------------------------------------------------------------------------------------


def _vocabularies(dialect: str, segments: str) -> dict[str, str]:
    return {f"https://json-schema.org/draft/{dialect}/vocab/{segment}": segment for segment in segments.split()}


DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020 = (
    Dialect(
        name="draft-04",
        uri="http://json-schema.org/draft-04/schema",
        keywords=KEYWORDS["draft-04"],
        rewrites=_DRAFT_4,
        id_keyword="id",
        named_by_id=True,
        ref_hides=True,
        boolean_schemas=False,
        literal_integers=True,
    ),
    Dialect(
        name="draft-06",
        uri="http://json-schema.org/draft-06/schema",
        keywords=KEYWORDS["draft-06"],
        rewrites=_UNTIL_7,
        named_by_id=True,
        ref_hides=True,
    ),
    Dialect(
        name="draft-07",
        uri="http://json-schema.org/draft-07/schema",
        keywords=KEYWORDS["draft-07"],
        rewrites=_UNTIL_7,
        named_by_id=True,
        ref_hides=True,
    ),
    Dialect(
        name="2019-09",
        uri="https://json-schema.org/draft/2019-09/schema",
        keywords=KEYWORDS["2019-09"],
        rewrites={
            **_BEFORE_2020,
            "$recursiveRef": _recursive_reference,
            "$recursiveAnchor": _recursive_anchor,
        },
        vocabularies=_vocabularies("2019-09", "core applicator validation meta-data format content"),
    ),
    Dialect(
        name="2020-12",
        uri="https://json-schema.org/draft/2020-12/schema",
        keywords=KEYWORDS["2020-12"],
        rewrites=ALWAYS,
        contains_evaluates=True,
        vocabularies=_vocabularies(
            "2020-12", "core applicator unevaluated validation meta-data format-annotation content"
        ),
    ),
)
BY_NAME: Mapping[str, Dialect] = {
    dialect.name: dialect for dialect in (DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020)
}

# Spellings in use: http or https, with or without "#" or slash at the end, "www.", "draft-4" for "draft-04".
_SPELLED = re.compile(r"https?://(?:www\.)?json-schema\.org/(?:draft-0?([467])|draft/(2019-09|2020-12))/schema/?#?")
_SHORT = re.compile(r"(?:draft-?)?0?([467])|(?:draft-?)?(2019-09|2020-12)")


def recognised(uri: str) -> Dialect | None:
    """The dialect that a ``$schema`` means, however it is spelled; None if it is none of the five."""
    return _matched(_SPELLED.fullmatch(uri))


def called(name: str) -> Dialect | None:
    """The dialect that a person calls ``name``: "draft-07", "draft7", "2020-12", or its ``$schema``."""
    return _matched(_SHORT.fullmatch(name)) or recognised(name)


def _matched(match: re.Match[str] | None) -> Dialect | None:
    if match is None:
        return None
    draft, year = match.groups()
    return BY_NAME[year or f"draft-0{draft}"]


def narrowed(dialect: Dialect, metaschema: str, vocabularies: Mapping[str, bool]) -> Dialect:
    """``dialect`` as ``metaschema`` composes it: ``vocabularies`` are the URIs it lists, and whether it requires them.

    Keywords of a vocabulary that is left out assert nothing (2020-12 core, 8.1.2); core itself always holds.
    """
    known = dialect.vocabularies
    if known is None:
        return replace(dialect, uri=metaschema)
    unmet = next((uri for uri, needed in vocabularies.items() if needed and uri not in known), None)
    present = {known[uri] for uri in vocabularies if uri in known} | {"core", ""}
    silent = {name for name, keyword in dialect.keywords.items() if keyword.vocabulary not in present}
    keywords = {
        name: Keyword(name, _accepted) if name in silent else keyword for name, keyword in dialect.keywords.items()
    }
    return replace(dialect, uri=metaschema, keywords=keywords, silent=frozenset(silent), unmet=unmet)


def base_name(dialect: Dialect) -> str:
    """The dialect of JSON Schema that ``dialect`` is or is made of."""
    return dialect.name if dialect.name in DIALECTS else DIALECTS[-1]


def _accepted(value: JsonValue) -> None:
    return None


assert tuple(BY_NAME) == DIALECTS
