"""The place of an object of OpenAPI → an immutable view of it, references followed.

Must not give meaning to members: it says which are there, what they hold and where that stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from codegen.document.index import Place
from codegen.document.schema import Schema
from codegen.pointer import Origin, escape

if TYPE_CHECKING:
    from codegen.model import JsonValue


class Element:
    """One object of an OpenAPI description.

    Where a reference stands, the view is of what it leads to, with the summary and description that the reference gives
    itself. ``origin`` is the place of the object, ``reference`` that of the ``$ref`` that was followed last (None: it stands
    here itself). ``kind`` is the specification's word for it ("Parameter").
    """

    __slots__ = ("_find", "_over", "_place", "_value", "kind", "origin", "reference")

    def __init__(self, place: Place, find: Callable[[str, str], Element | Schema | None]) -> None:
        """``find`` gives the view at a pointer of a document, if an object or a schema stands there."""
        over: dict[str, JsonValue] = {}
        self.reference: Origin | None = None
        while place.target is not None:
            assert isinstance(place.value, dict)
            self.reference = place.origin.at("$ref")
            # The outermost reference has the last word (OpenAPI 3.1.1, 4.8.23).
            for name in ("summary", "description"):
                if name in place.value:
                    over.setdefault(name, place.value[name])
            place = place.target
        assert isinstance(place.value, dict)
        self.kind = place.kind
        self.origin: Origin = place.origin
        self._place = place
        self._value: Mapping[str, JsonValue] = place.value
        self._over = over
        self._find = find

    def has(self, name: str) -> bool:
        """Whether the member is there."""
        return name in self._over or name in self._value

    def get(self, name: str, default: JsonValue = None) -> JsonValue:
        """The value of the member as it is written."""
        return self._over.get(name, self._value.get(name, default))

    def text(self, name: str, default: str = "") -> str:
        """The value of a member that holds a string."""
        value = self.get(name, default)
        return value if isinstance(value, str) else default

    def at(self, *tokens: str | int) -> Origin:
        """The place of a member, or of what is in it."""
        return self.origin.at(*tokens)

    def names(self) -> Iterator[str]:
        """The members that are there, in contract order, without extensions where the object can have some."""
        extensible = self.kind != "SecurityRequirement"
        return (name for name in self._value if not (extensible and name.startswith("x-")))

    def one(self, name: str) -> Element | None:
        """The object that the member holds; None if it is absent, or holds none."""
        return self._element(f"/{escape(name)}")

    def many(self, name: str) -> tuple[Element, ...]:
        """The objects that the member holds as an array."""
        value = self._value.get(name)
        count = len(value) if isinstance(value, list) else 0
        found = (self._element(f"/{escape(name)}/{index}") for index in range(count))
        return tuple(element for element in found if element is not None)

    def named(self, name: str | None = None) -> Mapping[str, Element]:
        """The objects that the member holds by name, in contract order; without ``name``, those in this object itself."""
        value = self._value if name is None else self._value.get(name)
        above = "" if name is None else f"/{escape(name)}"
        found = {key: self._element(f"{above}/{escape(key)}") for key in (value if isinstance(value, Mapping) else ())}
        return {key: element for key, element in found.items() if element is not None}

    def schema(self, name: str) -> Schema | None:
        """The schema that the member holds; None if it is absent."""
        found = self._find(self.origin.document, f"{self.origin.pointer}/{escape(name)}")
        return found if isinstance(found, Schema) else None

    def schemas(self, name: str) -> Mapping[str, Schema]:
        """The schemas that the member holds by name, in contract order."""
        value = self._value.get(name)
        pointer = f"{self.origin.pointer}/{escape(name)}"
        found = {
            key: self._find(self.origin.document, f"{pointer}/{escape(key)}")
            for key in (value if isinstance(value, dict) else ())
        }
        return {key: schema for key, schema in found.items() if isinstance(schema, Schema)}

    def extensions(self) -> Mapping[str, JsonValue]:
        """The ``x-…`` members as written."""
        return {name: value for name, value in self._value.items() if name.startswith("x-")}

    def _element(self, below: str) -> Element | None:
        found = self._find(self.origin.document, self.origin.pointer + below)
        return found if isinstance(found, Element) else None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.origin}>"
