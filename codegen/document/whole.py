"""Linked documents → the problems that only the whole shows.

Must not follow references to documents (``linking`` has done so).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from codegen.document import objects
from codegen.document.index import Index, Reference, is_refused
from codegen.document.reading import Document
from codegen.errors import Problem
from codegen.pointer import Origin


def check_chains(references: Iterable[Reference], report: Callable[[Problem], None]) -> None:
    """Refuses references between objects of OpenAPI that lead round in a circle."""
    for reference in references:
        place, passed = reference.place.target, {reference.place}
        if reference.place.kind == objects.SCHEMA:
            continue
        while place is not None and place not in passed:
            passed.add(place)
            place = place.target
        if place is reference.place:
            report(
                Problem(
                    code="endless-reference",
                    message=f"the reference leads back to itself, and to no {objects.title(place.kind)}",
                    origin=reference.origin,
                    help="let one of the references lead to what is meant",
                )
            )


def check_keys(
    documents: Mapping[str, Document], indexes: Mapping[str, Index], report: Callable[[Problem], None]
) -> None:
    """Refuses integers as keys, which YAML has, but where they are statuses of responses."""
    for address, document in documents.items():
        found = indexes.get(address, Index())
        for pointer in document.integers:
            if pointer not in found.statuses and not is_refused(pointer, found):
                key = pointer.rpartition("/")[2]
                report(
                    Problem(
                        code="non-string-key",
                        message=f'a key is "{key}", expected a string',
                        origin=Origin(address, pointer),
                        help="put the key in quotes",
                    )
                )
