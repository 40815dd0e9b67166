"""Operations → the same with names, and the words that inline shapes begin with because of where they travel.

Must not name definitions (``names`` does). An operation is called by its ``operationId``, or as the outline says; one without
is called by its method and path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from codegen.errors import Problem, shown
from codegen.ledger import Ledger, place
from codegen.model import Content, Encoding, Key, Model, Name, Operation, PathSlot, PathText, Response
from codegen.outline import Outline
from codegen.pointer import Origin, split
from codegen.resolve.spelling import joined, words_of

# What shapes in reusable components are called after the component itself.
_SECTIONS = {
    "requestBodies": "Request",
    "responses": "Response",
    "parameters": "Parameter",
    "headers": "Header",
    "mediaTypes": "Content",
}
_FORMS = {"application/x-www-form-urlencoded": "Form", "multipart/form-data": "Multipart"}


def named(
    model: Model, ids: Mapping[Key, str], outline: Outline | None, ledger: Ledger | None, version: str
) -> tuple[Model, list[Problem]]:
    """``model`` with its operations named; ``ids`` are their ``operationId``s. And the problems of names that clash."""
    operations: list[Operation] = []
    names: dict[Key, Name] = {}
    for operation in model.operations:
        owner = names[operation.within].words if operation.within is not None else ()
        name = _name(operation, ids.get(operation.key), owner, outline, ledger, version)
        names[operation.key] = name
        operations.append(replace(operation, name=name))
    problems = []
    holders: dict[str, Operation] = {}
    for operation in operations:
        before = holders.setdefault(operation.name.spelled, operation)
        if before is not operation and operation.key not in ids:
            problems.append(
                Problem(
                    code="name-clash",
                    message=f"{shown(operation.name.spelled)} names this operation and {before.key.origin} as well",
                    origin=operation.origin,
                    help='give it an "operationId"',
                )
            )
    return replace(model, operations=tuple(operations)), problems


def _name(
    operation: Operation,
    written: str | None,
    owner: tuple[str, ...],
    outline: Outline | None,
    ledger: Ledger | None,
    version: str,
) -> Name:
    configured = None if outline is None else outline.name_at(version, place(operation.key))
    if configured is not None:
        return Name(spelled=configured, words=words_of(configured), source="configured")
    if written is not None:
        return Name(spelled=written, words=words_of(written) or ("X",), source="declared")
    pinned = None if ledger is None else ledger.calls.name_at(version, place(operation.key))
    if pinned is not None:
        return Name(spelled=pinned, words=words_of(pinned), source="derived")
    words = (operation.method.lower(), *_path_words(operation))
    if operation.role == "callback":  # it is the callback of an operation, whatever the address that it goes to
        words = (*owner, *words_of(split(operation.key.pointer)[-3]))
    return Name(spelled=joined(words), words=words, source="derived")


def _path_words(operation: Operation) -> Iterator[str]:
    """``/pets/{petId}`` is ``PetsByPetId``."""
    for part in operation.parts or (PathText(text=operation.path),):
        if isinstance(part, PathSlot):
            yield from ("By", *words_of(part.parameter))
        else:
            yield from words_of(part.text)


# --- inline shapes ----------------------------------------------------------------------------------------------------


def owners(model: Model) -> Mapping[Origin, tuple[str, ...]]:
    """For each schema that stands in an operation, or in what operations share: the words of a shape that is spelled there."""
    found: dict[Origin, tuple[str, ...]] = {}

    def note(at: Origin, words: tuple[str, ...]) -> None:
        found.setdefault(at, words)

    def of_contents(contents: tuple[Content, ...], words: tuple[str, ...]) -> None:
        """The first form that describes the whole has the words alone, and so has the first that describes items."""
        whole = item = False
        for content in contents:
            media = (*words, *_media_words(content.media_type))
            note(content.origin.at("schema"), media if whole else words)
            note(content.origin.at("itemSchema"), (*(media if item else words), "Item"))
            whole, item = whole or content.type is not None, item or content.item is not None or bool(content.events)
            for encoding in content.encodings:
                of_encoding(encoding, media if whole and content.type is None else words)

    def of_encoding(encoding: Encoding, words: tuple[str, ...]) -> None:
        words = (*words, *words_of(encoding.member))
        for header in encoding.headers:
            note(header.origin.at("schema"), (*words, *words_of(header.name), "Header"))
        for part in encoding.parts:
            of_encoding(part, words)

    for operation in model.operations:
        own = operation.name.words
        for parameter in operation.parameters:
            words = _shared(parameter.origin) or (*_outer(operation, parameter.origin), *words_of(parameter.name))
            note(parameter.origin.at("schema"), words)
            if parameter.content is not None:
                of_contents((parameter.content,), words)
        if operation.body is not None:
            of_contents(operation.body.contents, _shared(operation.body.origin) or (*own, "Request"))
        primary = _primary(operation.responses)
        for response in operation.responses:
            words = (*own, "Response")
            if response is not primary:
                words = (*own, *words_of(response.status), "Response")
            words = _shared(response.origin) or words
            of_contents(response.contents, words)
            for header in response.headers:
                named_words = _shared(header.origin) or (*words, *words_of(header.name), "Header")
                note(header.origin.at("schema"), named_words)
                if header.content is not None:
                    of_contents((header.content,), named_words)
    return found


def _primary(responses: tuple[Response, ...]) -> Response | None:
    """The response that says what an operation is for: the lowest status of success, else the default."""
    success = sorted((r for r in responses if r.status.startswith("2")), key=lambda response: response.status)
    return next(iter((*success, *(response for response in responses if response.status == "default"))), None)


def _shared(origin: Origin) -> tuple[str, ...]:
    """The words of the component that a place is in; none where it is in none."""
    tokens = split(origin.pointer)
    if len(tokens) < 3 or tokens[0] != "components" or tokens[1] not in _SECTIONS:
        return ()
    words, suffix = words_of(tokens[2]), _SECTIONS[tokens[1]]
    return words if words[-1:] == (suffix,) else (*words, suffix)


def _outer(operation: Operation, origin: Origin) -> tuple[str, ...]:
    """The words before those of a parameter: of the operation, or of the path whose operations share it."""
    if origin.pointer.startswith(operation.key.pointer + "/") or operation.key.document != origin.document:
        return operation.name.words
    return tuple(_path_words(operation))


def _media_words(media_type: str) -> tuple[str, ...]:
    """What tells a form of a body from the first one: ``application/x-www-form-urlencoded`` is ``Form``."""
    bare = media_type.partition(";")[0].strip().lower()
    if bare in _FORMS:
        return (_FORMS[bare],)
    return words_of(re.sub(r"^[^/]*/", "", media_type))
