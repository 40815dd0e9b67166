"""A document and overlays → the document that their actions make of it, which knows where each of its places is from.

Must not judge the result: it is indexed like any other document. Overlay Specification 1.0.0; what it leaves open is refused
where the choice would matter: an action that matches nothing, an update that would replace an object or an array.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from codegen.document import objects
from codegen.document import uri as uris
from codegen.document.dialects import DRAFT_2020
from codegen.document.index import begin
from codegen.document.openapi import walk
from codegen.document.reading import MAX_DEPTH, Document, read
from codegen.errors import Problem, shown
from codegen.pointer import Origin, escape, join
from codegen.vocabulary import cited

if TYPE_CHECKING:
    from codegen.model import JsonValue

_VERSION = re.compile(r"1\.0\.(?:0|[1-9][0-9]*)")
_Location: TypeAlias = tuple[str | int, ...]


@dataclass(slots=True, eq=False)
class _Part:
    """A value and where it is from: ``pointer`` in ``document``. ``below``: its members or items."""

    document: Document
    pointer: str
    below: dict[str, _Part] | list[_Part] | None = None


def read_overlay(path: str | os.PathLike[str]) -> Document:
    """The overlay at ``path``. Raises ``Unreadable``."""
    name = os.fspath(path)
    return read(Path(name), name, f"overlay {name}")


def applied(document: Document, overlays: Sequence[Document], report: Callable[[Problem], None]) -> Document:
    """``document`` after every action of every overlay, in their order."""
    work = _Work(document, report)
    for overlay in overlays:
        if _is_sound(overlay, document, report):
            work.apply(overlay)
    elsewhere, integers = work.places()
    whole = sha256()
    for part in (document, *overlays):
        whole.update(part.digest)
    return replace(document, value=work.value, digest=whole.digest(), elsewhere=elsewhere, integers=integers)


def _is_sound(overlay: Document, document: Document, report: Callable[[Problem], None]) -> bool:
    """Whether an overlay is one, of a version that is known, and for this document."""
    problems: list[Problem] = []
    found = begin(overlay, "", DRAFT_2020)
    walk(overlay, "", "Overlay", objects.VERSIONS[-1], found.resources[0], found, problems.append)
    value = overlay.value
    if isinstance(value, dict):
        version, extends = value.get("overlay"), value.get("extends")
        if isinstance(version, str) and not _VERSION.fullmatch(version):
            problems.append(
                Problem(
                    code="overlay-version",
                    message=f'"overlay" is {cited(version)}, expected a version 1.0',
                    origin=Origin(overlay.address, "/overlay"),
                    help='write "1.0.0"',
                )
            )
        if value.get("actions") == []:
            problems.append(
                Problem(
                    code="missing-member",
                    message="the overlay has no action",
                    origin=Origin(overlay.address, "/actions"),
                    help="add one, or remove the overlay",
                )
            )
        if isinstance(extends, str) and not _extends(overlay, extends, document):
            problems.append(
                Problem(
                    code="overlay-extends",
                    message=f"the overlay extends {shown(extends)}, and is applied to {shown(document.path)}",
                    origin=Origin(overlay.address, "/extends"),
                    help='apply it to that document, or correct "extends"',
                )
            )
    for problem in problems:
        report(problem)
    return not problems


def _extends(overlay: Document, extends: str, document: Document) -> bool:
    """Whether an overlay says that it is for ``document``, as far as that can be known without the network."""
    path = uris.decoded(extends)
    if not uris.is_local(extends) or path is None or document.path.startswith("<"):
        return True
    named = Path(overlay.path).parent / path
    return os.path.realpath(named) == os.path.realpath(document.path)


class _Work:
    """A document while it is changed: its value, and a tree of the same form that says where everything is from."""

    def __init__(self, document: Document, report: Callable[[Problem], None]) -> None:
        self.document = document
        self.overlays: list[Document] = []
        self.report = report
        self.value, self.part = _copied(document.value, document, "")

    def apply(self, overlay: Document) -> None:
        """Every action of a sound overlay."""
        assert isinstance(overlay.value, dict)
        self.overlays.append(overlay)
        actions = overlay.value["actions"]
        for number, action in enumerate(actions if isinstance(actions, list) else ()):
            assert isinstance(action, dict)
            at = Origin(overlay.address, f"/actions/{number}")
            locations = self.select(str(action["target"]), at)
            if locations is None:
                continue
            if not locations:
                self.problem(
                    "overlay-no-match",
                    f"{shown(action['target'])} matches nothing in the document",
                    at.at("target"),
                    "correct the path, or remove the action",
                )
            elif action.get("remove") is True:
                self.remove(locations, at)
            elif "update" in action:
                for location in locations:
                    self.update(location, action["update"], overlay, at.at("update"))
            else:
                self.problem(
                    "missing-member",
                    'the action has neither "update" nor "remove"',
                    at,
                    'say what it does: add "update" or "remove": true',
                )

    def select(self, path: str, at: Origin) -> list[_Location] | None:
        """The places that a JSONPath selects, each once; None if it is none."""
        # Imported here: few contracts have overlays.
        from jsonpath_rfc9535 import JSONPathError, find

        try:
            found = [tuple(node.location) for node in find(path, self.value)]
        except JSONPathError:  # the words of the library differ from version to version
            help = "write it as RFC 9535 has it: $.paths['/a'].get"
            self.problem("overlay-path", f"{shown(path)} is no JSONPath", at.at("target"), help)
            return None
        return list(dict.fromkeys(found))

    # --- actions ------------------------------------------------------------------------------------------------------

    def remove(self, locations: list[_Location], at: Origin) -> None:
        if () in locations:
            self.problem(
                "overlay-mismatch", "the action removes the whole document", at.at("target"), "name a part of it"
            )
            return
        # From the end, so that no removal moves what is still to be removed.
        order = sorted(locations, key=lambda location: [(isinstance(t, int), t) for t in location], reverse=True)
        for location in order:
            value, part = self.at(location[:-1])
            token = location[-1]
            if isinstance(value, dict) and isinstance(part.below, dict):
                del value[str(token)], part.below[str(token)]
            elif isinstance(value, list) and isinstance(part.below, list) and isinstance(token, int):
                del value[token], part.below[token]

    def update(self, location: _Location, update: JsonValue, overlay: Document, at: Origin) -> None:
        value, part = self.at(location)
        if isinstance(value, list) and isinstance(part.below, list):
            copy, origin = _copied(update, overlay, at.pointer)
            value.append(copy)
            part.below.append(origin)
        elif isinstance(value, dict) and isinstance(update, dict):
            self.merge(value, part, update, overlay, at)
        elif isinstance(value, dict):
            message = f'the target is an object, and "update" is {cited(update)}'
            self.problem("overlay-mismatch", message, at, "write an object whose members are to be set")
        else:
            message = f"the target holds {cited(value)}, expected an object or an array"
            self.problem("overlay-mismatch", message, at, "let the target be the object around it")

    def merge(
        self, value: dict[str, JsonValue], part: _Part, update: dict[str, JsonValue], overlay: Document, at: Origin
    ) -> None:
        """Members are set; those that are objects on both sides are merged, and arrays are joined."""
        assert isinstance(part.below, dict)
        for name, new in update.items():
            place = at.at(name)
            if name not in value:
                value[name], part.below[name] = _copied(new, overlay, place.pointer)
                continue
            old, below = value[name], part.below[name]
            if isinstance(old, dict) and isinstance(new, dict):
                self.merge(old, below, new, overlay, place)
            elif isinstance(old, list) and isinstance(new, list):
                assert isinstance(below.below, list)
                for index, item in enumerate(new):
                    copy, origin = _copied(item, overlay, join(place.pointer, index))
                    old.append(copy)
                    below.below.append(origin)
            elif isinstance(old, dict | list):
                message = f"{cited(name)} holds {cited(old)}, and would become {cited(new)}"
                self.problem("overlay-mismatch", message, place, "remove it by an action of its own first")
            else:
                value[name], part.below[name] = _copied(new, overlay, place.pointer)

    def at(self, location: _Location) -> tuple[JsonValue, _Part]:
        value, part = self.value, self.part
        for token in location:
            if isinstance(value, dict) and isinstance(part.below, dict):
                value, part = value[str(token)], part.below[str(token)]
            else:
                assert isinstance(value, list) and isinstance(part.below, list) and isinstance(token, int)
                value, part = value[token], part.below[token]
        return value, part

    def problem(self, code: str, message: str, origin: Origin, help: str) -> None:
        self.report(Problem(code=code, message=message, origin=origin, help=help))

    # --- where everything is from -------------------------------------------------------------------------------------

    def places(self) -> tuple[dict[str, tuple[Document, str]], tuple[str, ...]]:
        """The places that are not where they were, or not what they were: each with its document and its pointer there; and the
        members whose keys are integers in the text that they come from."""
        elsewhere: dict[str, tuple[Document, str]] = {}
        integers: list[str] = []
        written = {id(document): frozenset(document.integers) for document in (self.document, *self.overlays)}
        # Parts with their pointer, their depth, and where they are from if they have not been moved in what they are in.
        pending = [("", 0, self.part, self.document, "")]
        while pending:
            pointer, depth, part, document, place = pending.pop()
            if part.document is not document or part.pointer != place:
                elsewhere[pointer] = (part.document, part.pointer)
            if part.pointer in written[id(part.document)]:
                integers.append(pointer)
            if depth > MAX_DEPTH:
                self.problem(
                    "nesting-too-deep",
                    f"more than {MAX_DEPTH} arrays and objects are nested in one another",
                    Origin(part.document.address, part.pointer),
                    "move inner schemas into definitions of their own and refer to them",
                )
                break
            below = part.below
            for token, inner in below.items() if isinstance(below, dict) else enumerate(below or ()):
                step = f"/{escape(token)}" if isinstance(token, str) else f"/{token}"
                pending.append((pointer + step, depth + 1, inner, part.document, part.pointer + step))
        return elsewhere, tuple(integers)


def _copied(value: JsonValue, document: Document, pointer: str) -> tuple[JsonValue, _Part]:
    """A copy of ``value``, which stands at ``pointer`` in ``document``; depth is bounded, since documents are."""
    if isinstance(value, dict):
        members = {name: _copied(item, document, join(pointer, name)) for name, item in value.items()}
        return (
            {name: copy for name, (copy, _) in members.items()},
            _Part(document, pointer, {name: part for name, (_, part) in members.items()}),
        )
    if isinstance(value, list):
        items = [_copied(item, document, f"{pointer}/{index}") for index, item in enumerate(value)]
        return [copy for copy, _ in items], _Part(document, pointer, [part for _, part in items])
    return value, _Part(document, pointer)
