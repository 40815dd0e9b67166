"""A dialect's name → its keywords: which exist, what their operands look like, where subschemas sit.

Must not know documents, references or what a keyword asserts: ``document`` walks with these tables and ``resolve`` gives the
meaning. One table serves the walk that refuses unknown keywords and the walk that finds subschemas, so that nothing can
hide where no reader looks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from codegen.errors import shown
from codegen.pointer import escape

if TYPE_CHECKING:
    from codegen.model import JsonValue

DIALECTS = ("draft-04", "draft-06", "draft-07", "2019-09", "2020-12")
TYPES = ("null", "boolean", "object", "array", "number", "string", "integer")

# What an operand holds: no schema; one; an array of them; members that are schemas; one or an array (``items`` up to
# 2019-09); members that are schemas or lists of names (``dependencies``).
Holds: TypeAlias = Literal["nothing", "one", "many", "named", "one-or-many", "named-or-names"]


class Flaw(NamedTuple):
    """What is wrong with an operand: the value at fault, what is expected instead, its pointer below the keyword."""

    found: JsonValue
    expected: str
    below: str = ""
    help: str = ""


Judge: TypeAlias = Callable[["JsonValue"], "Flaw | None"]


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword of one dialect.

    ``vocabulary`` is the last segment of the vocabulary that defines it ("" for annotations, which no vocabulary switches
    off). ``booleans``: its subschema may be ``true`` or ``false`` even where the dialect has no boolean schemas.
    """

    name: str
    judge: Judge
    holds: Holds = "nothing"
    vocabulary: str = ""
    booleans: bool = False


def cited(value: JsonValue) -> str:
    """``value`` as messages cite it: in double quotes, spelled as JSON."""
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def is_extension(name: str) -> bool:
    """Whether a member is private to whoever wrote it: ``x-…``, or ``_…`` as some generators' sources have it."""
    return name.startswith(("x-", "_"))


def subschemas(keyword: Keyword, operand: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """The subschemas in an operand that ``keyword.judge`` accepts, each with its pointer below the keyword."""
    holds = keyword.holds
    if holds == "one" or (holds == "one-or-many" and not isinstance(operand, list)):
        yield "", operand
    elif isinstance(operand, list):
        for index, item in enumerate(operand):
            yield f"/{index}", item
    elif isinstance(operand, dict):
        for name, value in operand.items():
            if holds == "named" or not isinstance(value, list):
                yield f"/{escape(name)}", value


# --- operands ---------------------------------------------------------------------------------------------------------


def _anything(value: JsonValue) -> Flaw | None:
    return None


def _text(value: JsonValue) -> Flaw | None:
    return None if isinstance(value, str) else Flaw(value, "a string")


def _flag(value: JsonValue) -> Flaw | None:
    return None if isinstance(value, bool) else Flaw(value, "true or false")


def _number(value: JsonValue) -> Flaw | None:
    return Flaw(value, "a number") if isinstance(value, bool) or not isinstance(value, int | float) else None


def _positive(value: JsonValue) -> Flaw | None:
    right = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    return None if right else Flaw(value, "a number above 0")


def _count(value: JsonValue) -> Flaw | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 and value == int(value):
        return None
    return Flaw(value, "a whole number from 0")


def _array(value: JsonValue) -> Flaw | None:
    return None if isinstance(value, list) else Flaw(value, "an array")


def _some(value: JsonValue) -> Flaw | None:
    return None if isinstance(value, list) and value else Flaw(value, "an array of at least one schema")


def _object(value: JsonValue) -> Flaw | None:
    return None if isinstance(value, dict) else Flaw(value, "an object")


def _one_or_some(value: JsonValue) -> Flaw | None:
    return Flaw(value, "a schema or an array of at least one schema") if value == [] else None


def _distinct(values: list[JsonValue]) -> int | None:
    """The index of the first value that is equal to an earlier one (1 and 1.0 are, 1 and true are not)."""
    seen = set()
    for index, value in enumerate(values):
        spelled = json.dumps(_plain(value), sort_keys=True)
        if spelled in seen:
            return index
        seen.add(spelled)
    return None


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value


def _names(value: JsonValue, least: int = 0) -> Flaw | None:
    if not isinstance(value, list) or len(value) < least:
        bound = " of at least one member name" if least else " of member names"
        return Flaw(value, f"an array{bound}", help=_REQUIRED_HELP if isinstance(value, bool) else "")
    for index, name in enumerate(value):
        if not isinstance(name, str):
            return Flaw(name, "a member name", f"/{index}")
    if len(set(map(str, value))) < len(value):
        again = _distinct(value)
        assert again is not None
        return Flaw(value[again], "each name once", f"/{again}", help="remove the repetition")
    return None


_REQUIRED_HELP = 'list the required names in the schema that has "properties"'


def _some_names(value: JsonValue) -> Flaw | None:
    return _names(value, 1)


def _types(value: JsonValue) -> Flaw | None:
    if isinstance(value, str):
        return None if value in TYPES else _type(value, "")
    if not isinstance(value, list) or not value:
        return Flaw(value, "the name of a type or an array of such names")
    for index, name in enumerate(value):
        if not isinstance(name, str) or name not in TYPES:
            return _type(name, f"/{index}")
        if name in value[:index]:
            return Flaw(name, "each type once", f"/{index}", help="remove the repetition")
    return None


def _type(name: JsonValue, below: str) -> Flaw:
    advice = 'leave "type" out: every value is accepted then' if name == "any" else ""
    return Flaw(name, "one of " + ", ".join(f'"{known}"' for known in TYPES), below, advice)


def _values(value: JsonValue) -> Flaw | None:
    """``enum`` up to draft-06: never empty, never twice the same."""
    if not isinstance(value, list) or not value:
        return Flaw(value, "an array of at least one value")
    again = _distinct(value)
    return None if again is None else Flaw(value[again], "each value once", f"/{again}", "remove the repetition")


def _dependent(value: JsonValue) -> Flaw | None:
    if not isinstance(value, dict):
        return Flaw(value, "an object whose members are arrays of member names")
    for name, names in value.items():
        if flaw := _names(names):
            return flaw._replace(below=f"/{escape(name)}{flaw.below}")
    return None


def _dependencies(least: int) -> Judge:
    def judge(value: JsonValue) -> Flaw | None:
        if not isinstance(value, dict):
            return Flaw(value, "an object")
        for name, operand in value.items():
            if isinstance(operand, list) and (flaw := _names(operand, least)):
                return flaw._replace(below=f"/{escape(name)}{flaw.below}")
        return None

    return judge


def _matching(pattern: str, expected: str) -> Judge:
    whole = re.compile(pattern)

    def judge(value: JsonValue) -> Flaw | None:
        return None if isinstance(value, str) and whole.fullmatch(value) else Flaw(value, expected)

    return judge


def _vocabularies(value: JsonValue) -> Flaw | None:
    if not isinstance(value, dict):
        return Flaw(value, "an object of vocabulary URIs")
    for name, needed in value.items():
        if not isinstance(needed, bool):
            return Flaw(needed, "true or false", f"/{escape(name)}")
    return None


def _discriminator(value: JsonValue) -> Flaw | None:
    if not isinstance(value, dict) or not isinstance(value.get("propertyName"), str):
        return Flaw(value, 'an object with the member "propertyName", a string')
    mapping = value.get("mapping", {})
    if not isinstance(mapping, dict):
        return Flaw(mapping, "an object that gives each tag its schema", "/mapping")
    for tag, target in mapping.items():
        if not isinstance(target, str):
            return Flaw(target, "a reference to a schema", f"/mapping/{escape(tag)}")
    return None


_ID_UNTIL_7 = _matching(r"[^#]*#?|#.*", "a URI reference, or a fragment alone")
_ID = _matching(r"[^#]*#?", "a URI reference without fragment")
_ANCHOR_2019 = _matching(r"[A-Za-z][-A-Za-z0-9.:_]*", "a name of letters, digits and - . : _ that starts with a letter")
_ANCHOR = _matching(r"[A-Za-z_][-A-Za-z0-9._]*", "a name of letters, digits and - . _ that starts with a letter or _")


# --- the tables -------------------------------------------------------------------------------------------------------
# (names, judge, holds, vocabulary, first dialect, last dialect). A keyword whose operand changed has several rows.

_Row: TypeAlias = tuple[str, Judge, Holds, str, str, str]

_ROWS: tuple[_Row, ...] = (
    ("id", _ID_UNTIL_7, "nothing", "core", "draft-04", "draft-04"),
    ("$id", _ID_UNTIL_7, "nothing", "core", "draft-06", "draft-07"),
    ("$id", _ID, "nothing", "core", "2019-09", "2020-12"),
    ("$schema $ref", _text, "nothing", "core", "draft-04", "2020-12"),
    ("$anchor", _ANCHOR_2019, "nothing", "core", "2019-09", "2019-09"),
    ("$anchor $dynamicAnchor", _ANCHOR, "nothing", "core", "2020-12", "2020-12"),
    ("$dynamicRef", _text, "nothing", "core", "2020-12", "2020-12"),
    ("$recursiveAnchor", _flag, "nothing", "core", "2019-09", "2019-09"),
    ("$recursiveRef", _matching("#", 'the string "#"'), "nothing", "core", "2019-09", "2019-09"),
    ("$vocabulary", _vocabularies, "nothing", "core", "2019-09", "2020-12"),
    ("$defs definitions", _object, "named", "core", "draft-04", "2020-12"),
    ("allOf anyOf oneOf", _some, "many", "applicator", "draft-04", "2020-12"),
    ("not", _anything, "one", "applicator", "draft-04", "2020-12"),
    ("if then else", _anything, "one", "applicator", "draft-07", "2020-12"),
    ("properties patternProperties", _object, "named", "applicator", "draft-04", "2020-12"),
    ("additionalProperties", _anything, "one", "applicator", "draft-04", "2020-12"),
    ("propertyNames contains", _anything, "one", "applicator", "draft-06", "2020-12"),
    ("items", _one_or_some, "one-or-many", "applicator", "draft-04", "2019-09"),
    ("additionalItems", _anything, "one", "applicator", "draft-04", "2019-09"),
    ("items", _anything, "one", "applicator", "2020-12", "2020-12"),
    ("prefixItems", _some, "many", "applicator", "2020-12", "2020-12"),
    ("dependencies", _dependencies(1), "named-or-names", "applicator", "draft-04", "draft-04"),
    ("dependencies", _dependencies(0), "named-or-names", "applicator", "draft-06", "draft-07"),
    ("dependentSchemas", _object, "named", "applicator", "2019-09", "2020-12"),
    ("unevaluatedItems unevaluatedProperties", _anything, "one", "applicator", "2019-09", "2019-09"),
    ("unevaluatedItems unevaluatedProperties", _anything, "one", "unevaluated", "2020-12", "2020-12"),
    ("type", _types, "nothing", "validation", "draft-04", "2020-12"),
    ("enum", _values, "nothing", "validation", "draft-04", "draft-06"),
    ("enum", _array, "nothing", "validation", "draft-07", "2020-12"),
    ("const", _anything, "nothing", "validation", "draft-06", "2020-12"),
    ("multipleOf", _positive, "nothing", "validation", "draft-04", "2020-12"),
    ("minimum maximum", _number, "nothing", "validation", "draft-04", "2020-12"),
    ("exclusiveMinimum exclusiveMaximum", _flag, "nothing", "validation", "draft-04", "draft-04"),
    ("exclusiveMinimum exclusiveMaximum", _number, "nothing", "validation", "draft-06", "2020-12"),
    ("minLength maxLength minItems maxItems", _count, "nothing", "validation", "draft-04", "2020-12"),
    ("minProperties maxProperties", _count, "nothing", "validation", "draft-04", "2020-12"),
    ("minContains maxContains", _count, "nothing", "validation", "2019-09", "2020-12"),
    ("pattern", _text, "nothing", "validation", "draft-04", "2020-12"),
    ("uniqueItems", _flag, "nothing", "validation", "draft-04", "2020-12"),
    ("required", _some_names, "nothing", "validation", "draft-04", "draft-04"),
    ("required", _names, "nothing", "validation", "draft-06", "2020-12"),
    ("dependentRequired", _dependent, "nothing", "validation", "2019-09", "2020-12"),
    ("title description format", _text, "nothing", "", "draft-04", "2020-12"),
    ("default", _anything, "nothing", "", "draft-04", "2020-12"),
    ("$comment", _text, "nothing", "", "draft-07", "2020-12"),
    ("examples", _array, "nothing", "", "draft-06", "2020-12"),
    ("readOnly writeOnly", _flag, "nothing", "", "draft-07", "2020-12"),
    ("contentEncoding contentMediaType", _text, "nothing", "", "draft-07", "2020-12"),
    ("contentSchema", _anything, "one", "", "2019-09", "2020-12"),
    ("deprecated", _flag, "nothing", "", "2019-09", "2020-12"),
    ("discriminator", _discriminator, "nothing", "", "draft-04", "2020-12"),
)

# Members that assert nothing in any dialect: the annotations of later dialects, which an earlier one ignores without harm,
# and those that editors read. A dialect that defines one of them judges its operand.
_FREE = (
    *("$comment", "examples", "readOnly", "writeOnly", "deprecated"),
    *("contentEncoding", "contentMediaType", "contentSchema"),
    *("enumDescriptions", "enumItemLabels", "markdownDescription", "markdownEnumDescriptions", "defaultSnippets"),
    *("deprecationMessage", "errorMessage", "patternErrorMessage", "doNotSuggest", "suggestSortText"),
)


def _table(dialect: str) -> dict[str, Keyword]:
    at = DIALECTS.index(dialect)
    table = {name: Keyword(name, _anything) for name in _FREE}
    for names, judge, holds, vocabulary, first, last in _ROWS:
        if DIALECTS.index(first) <= at <= DIALECTS.index(last):
            for name in names.split():
                booleans = name in ("additionalProperties", "additionalItems")
                table[name] = Keyword(name, judge, holds, vocabulary, booleans)
    return table


KEYWORDS: Mapping[str, Mapping[str, Keyword]] = {dialect: _table(dialect) for dialect in DIALECTS}

# What to do about members that people write and a dialect does not know.
_ADVICE = {
    "additionalItems": 'write "prefixItems" for the first items and "items" for the rest',
    "dependencies": 'write "dependentRequired" for lists of names and "dependentSchemas" for schemas',
    "$recursiveRef": 'write "$dynamicRef" and "$dynamicAnchor"',
    "$recursiveAnchor": 'write "$dynamicRef" and "$dynamicAnchor"',
    "id": 'write "$id"',
    "$id": 'write "id"',
    "divisibleBy": 'write "multipleOf"',
    "extends": 'write "allOf"',
    "disallow": 'write "not"',
    "nullable": 'add "null" to "type"',
    "example": 'write "examples", an array',
}


def advice(name: str, dialect: str) -> str:
    """What to do about a member ``name`` that is no keyword of ``dialect``."""
    elsewhere = [other for other in DIALECTS if name in KEYWORDS[other]]
    if name in _ADVICE:
        return _ADVICE[name]
    if elsewhere:
        return f'name a dialect that has it in "$schema" ({", ".join(elsewhere)}), or remove it'
    # Looked for only here, where the run has failed already: the import costs as much as loading a small contract.
    from difflib import get_close_matches

    if near := get_close_matches(name, KEYWORDS[dialect], 1, 0.75):
        return f'write "{near[0]}" if that is meant'
    return f'remove it, or call it "x-{name}" if it is a note that asserts nothing'
