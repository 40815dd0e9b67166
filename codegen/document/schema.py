"""A schema place → an immutable view of it in the vocabulary of 2020-12.

Must not give meaning to keywords: it says which are there, with which operands and where they truly stand, whatever the
dialect spells them like. Views are made when asked for; most places of a contract are asked for once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from codegen.document.dialects import Dialect, Entries, normalise
from codegen.document.index import Place
from codegen.pointer import Origin, escape
from codegen.vocabulary import KEYWORDS, is_extension

if TYPE_CHECKING:
    from codegen.model import JsonValue

# The keywords of the normalised vocabulary that hold schemas, by how they hold them.
_ONE, _MANY, _NAMED = (
    frozenset(name for name, keyword in KEYWORDS["2020-12"].items() if keyword.holds == holds)
    for holds in ("one", "many", "named")
)


class Schema:
    """One schema of a contract; there is one object per place, so identity is equality.

    ``boolean`` is the schema itself where it is ``true`` or ``false``, else None; a boolean schema has no keywords.
    ``format``: the format that it asserts, None where ``format`` is absent or only describes.
    ``hidden``: members without effect in this dialect here (siblings of ``$ref`` up to draft-07, say).
    """

    __slots__ = (
        "_entries",
        "_named",
        "_place",
        "_view",
        "boolean",
        "dialect",
        "format",
        "hidden",
        "origin",
        "resource",
    )

    def __init__(
        self, place: Place, view: Callable[[Place, str], Schema | None], formats: frozenset[str] = frozenset()
    ) -> None:
        """``view`` gives the schema at a pointer of the same document; ``formats`` are those that assert something."""
        value = place.value
        self.origin: Origin = place.origin
        self.boolean: bool | None = value if isinstance(value, bool) else None
        self.dialect: Dialect = place.dialect
        self.resource: str = place.resource.uri
        self.hidden: tuple[str, ...] = ()
        self._place = place
        self._view = view
        self._entries: Entries = {}
        self._named: dict[str, Mapping[str, Schema]] = {}
        if isinstance(value, dict):
            self._entries, self.hidden = normalise(value, place.dialect)
        written = self.get("format")
        self.format: str | None = written if isinstance(written, str) and written in formats else None

    def has(self, keyword: str) -> bool:
        """Whether ``keyword`` is there."""
        return keyword in self._entries

    def get(self, keyword: str, default: JsonValue = None) -> JsonValue:
        """The operand of ``keyword``; counts are integers, however they are spelled."""
        entry = self._entries.get(keyword)
        return default if entry is None else entry.value

    def at(self, keyword: str) -> Origin:
        """The true place of ``keyword``; of an absent one, where it would be."""
        entry = self._entries.get(keyword)
        return Origin(
            self.origin.document, self.origin.pointer + (f"/{escape(keyword)}" if entry is None else entry.at)
        )

    def one(self, keyword: str) -> Schema | None:
        """The schema that ``keyword`` holds; None if it is absent, or holds no single schema."""
        entry = self._entries.get(keyword)
        return None if entry is None or keyword not in _ONE else self._view(self._place, self.origin.pointer + entry.at)

    def many(self, keyword: str) -> tuple[Schema, ...]:
        """The schemas that ``keyword`` holds as an array; none if it is absent, or holds none so."""
        entry = self._entries.get(keyword)
        if entry is None or keyword not in _MANY or not isinstance(entry.value, list):
            return ()
        pointer = self.origin.pointer + entry.at
        schemas = (self._view(self._place, f"{pointer}/{index}") for index in range(len(entry.value)))
        return tuple(schema for schema in schemas if schema is not None)

    def named(self, keyword: str) -> Mapping[str, Schema]:
        """The schemas that ``keyword`` holds by name, in contract order; none if it is absent, or holds none so."""
        schemas = self._named.get(keyword)
        if schemas is None:
            schemas = self._named[keyword] = self._read_named(keyword)
        return schemas

    def _read_named(self, keyword: str) -> Mapping[str, Schema]:
        entry = self._entries.get(keyword)
        if entry is None or keyword not in _NAMED or not isinstance(entry.value, dict):
            return {}
        schemas = {}
        for name in entry.value:
            suffix = f"{entry.at}/{escape(name)}" if entry.parts is None else entry.parts[name]
            schema = self._view(self._place, self.origin.pointer + suffix)
            if schema is not None:
                schemas[name] = schema
        return schemas

    def keywords(self) -> tuple[str, ...]:
        """The keywords that are there, in contract order, without extension members."""
        return tuple(self._entries)

    def states(self, name: str) -> bool:
        """Whether the extension member ``name`` is ``true``."""
        value = self._place.value
        return isinstance(value, dict) and value.get(name) is True

    def extensions(self) -> Mapping[str, JsonValue]:
        """The ``x-…`` members as written."""
        value = self._place.value
        if not isinstance(value, dict):
            return {}
        return {name: item for name, item in value.items() if is_extension(name) and not name.startswith("_")}

    def __repr__(self) -> str:
        return f"<Schema {self.origin}>"
