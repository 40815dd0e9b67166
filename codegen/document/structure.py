"""Every document of a contract, and what stands where → a digest of what the contract asserts.

Must not depend on how a text is written: the order of members, spaces and every word for people may be mended in a version that
is frozen. Nor on what this tool makes of a contract: a digest that is kept in a file outlives many versions of the tool.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256

from codegen.document import objects
from codegen.document.index import Index, Place
from codegen.document.reading import Document
from codegen.model import JsonValue
from codegen.pointer import escape

PROSE = frozenset(["description", "summary", "$comment", "examples", "example", "externalDocs"])
"""Members of schemas, and of objects of OpenAPI, that are for people alone. Titles are not among them: shapes are called so."""


def digest(documents: Mapping[str, Document], indexes: Mapping[str, Index], openapi: str) -> str:
    """SHA-256 in hex, over everything in each document that was read, with its pointer. ``openapi``: the
    version of OpenAPI, "" for a JSON Schema."""
    whole = sha256()
    for address in sorted(address for address, document in documents.items() if document.digest):
        lines = sorted(_lines(documents[address].value, _prose(indexes[address], openapi)))
        whole.update(json.dumps([address, lines], ensure_ascii=True).encode())
    return whole.hexdigest()


def _prose(index: Index, openapi: str) -> set[str]:
    """The pointers of everything that is for people alone."""
    places = (*index.places.values(), *index.objects.values())
    return {
        f"{place.pointer}/{escape(name)}"
        for place in places
        if isinstance(place.value, dict)
        for name in PROSE & place.value.keys()
        if _is_member(place, name, openapi)
    }


def _is_member(place: Place, name: str, openapi: str) -> bool:
    """``name`` is no name that the contract gave to something, as in a map of schemes."""
    return place.kind == objects.SCHEMA or name in objects.shape(place.kind, openapi).members


def _lines(value: JsonValue, prose: set[str]) -> Iterator[tuple[str, str]]:
    """Pointer and text of every scalar, array and object; iterative, since contracts may be deep."""
    stack: list[tuple[str, JsonValue]] = [("", value)]
    while stack:
        pointer, value = stack.pop()
        if pointer in prose:
            continue
        if isinstance(value, dict):
            yield pointer, "{}"
            stack += [(f"{pointer}/{escape(name)}", inner) for name, inner in value.items()]
        elif isinstance(value, list):
            yield pointer, "[]"
            stack += [(f"{pointer}/{index}", inner) for index, inner in enumerate(value)]
        else:
            yield pointer, json.dumps(value)
