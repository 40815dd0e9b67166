"""The operations of two models → what changed in how a server is asked and answers.

Must not judge. What travels is compared like any other type, as a message of one direction; the rest follows from lists: what
is there in both, and what in one alone. Operations are paired by their names, else by method and path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from codegen.evolve import remarks
from codegen.evolve.atoms import ANYTHING
from codegen.evolve.changes import Change, Kind, Place
from codegen.evolve.sites import Found, Owner, Site
from codegen.evolve.walk import Walk
from codegen.model import (
    Body,
    Content,
    Direction,
    Header,
    Operation,
    Parameter,
    PathSlot,
    PathText,
    Requirement,
    Response,
    Type,
)
from codegen.pointer import Origin

K = TypeVar("K")
T = TypeVar("T")


class Operations:
    """Compares what ``walk`` compares types for. ``owners``: the messages that were found; ``pairs``: the operations that both
    versions have."""

    def __init__(self, walk: Walk, former: Mapping[str, str]) -> None:
        """``former``: names of the older version → what the ledger says that they became."""
        self.walk = walk
        self.former = former
        self.owners: list[Owner] = []
        self.pairs: list[tuple[Operation, Operation]] = []

    def run(self) -> None:
        """Report every change of operations, in the order of the newer contract."""
        old, new = (facts.model.operations for facts in self.walk.facts)
        pairs = dict(self._paired(old, new))
        for after in new:
            before = pairs.get(after.key)
            if before is None:
                self._report(after, "operation-added", after=_asked(after), new=after.origin)
            else:
                self.pairs.append((before, after))
                self._operation(before, after)
        gone = {before.key for before in pairs.values()}
        for before in old:
            if before.key not in gone:
                self._report(before, "operation-removed", before=_asked(before), old=before.origin)

    def _paired(self, old: Iterable[Operation], new: Iterable[Operation]) -> Iterator[tuple[object, Operation]]:
        """The key of each newer operation with the older one that it is."""
        rest = {operation.key: operation for operation in old}
        come = list(new)
        signs: list[tuple[Callable[[Operation], object], Callable[[Operation], object]]] = [
            (lambda o: self.former.get(o.name.spelled), lambda o: o.name.spelled),
            (lambda o: o.name.spelled, lambda o: o.name.spelled),
            (_route, _route),
        ]
        for before, after in signs:
            groups: dict[object, list[Operation]] = {}
            for operation in rest.values():
                groups.setdefault(before(operation), []).append(operation)
            for operation in list(come):
                found = groups.get(after(operation), [])
                if len(found) == 1 and found[0].key in rest:
                    yield operation.key, rest.pop(found[0].key)
                    come.remove(operation)

    # --- one operation ------------------------------------------------------------------------------------------------

    def _operation(self, old: Operation, new: Operation) -> None:
        if old.name.spelled != new.name.spelled:
            names = (old.name.spelled, new.name.spelled)
            stated = self.former.get(names[0]) == names[1]
            kind: Kind = "operation-renamed"
            if not stated:
                self._report(new, kind, before=names[0], after=names[1], old=old.origin, new=new.origin)
        if _route(old) != _route(new):
            self._report(new, "operation-moved", before=_asked(old), after=_asked(new), old=old.origin, new=new.origin)
        remarks.of_operations(self.walk, self._site(new, "", (ANYTHING, ANYTHING), (old.origin, new.origin)), old, new)
        self._parameters(old, new)
        self._body(new, old, new)
        self._responses(new, old.responses, new.responses)
        before, after = _schemes(old.security), _schemes(new.security)
        if set(before) != set(after):
            words = (" or ".join(before), " or ".join(after))
            self._report(new, "security-changed", before=words[0], after=words[1], old=old.origin, new=new.origin)

    def _parameters(self, old: Operation, operation: Operation) -> None:
        for before, after in parameters(old, operation):
            if before is None and after is not None:
                said = f"{'required' if after.required else 'optional'} {self.walk.words(1, after.type)}"
                self._report(operation, "parameter-added", part_of(after), after=said, new=after.origin)
            elif after is None and before is not None:
                said = f"{'required' if before.required else 'optional'} {self.walk.words(0, before.type)}"
                self._report(operation, "parameter-removed", part_of(before), before=said, old=before.origin)
            elif before is not None and after is not None:
                at = (before.origin, after.origin)
                if before.name.lower() != after.name.lower():
                    names = (before.name, after.name)
                    self._report(
                        operation,
                        "parameter-renamed",
                        part_of(after),
                        before=names[0],
                        after=names[1],
                        old=at[0],
                        new=at[1],
                    )
                if before.required != after.required:
                    kind: Kind = "parameter-required" if after.required else "parameter-optional"
                    self._report(operation, kind, part_of(after), old=at[0], new=at[1])
                forms = [f"{one.style or 'content'}{', exploded' if one.explode else ''}" for one in (before, after)]
                if forms[0] != forms[1]:
                    part = part_of(after)
                    self._report(
                        operation, "parameter-form-changed", part, before=forms[0], after=forms[1], old=at[0], new=at[1]
                    )
                site = self._message(operation, part_of(after), "request", (before.type, after.type), at)
                remarks.of_parameters(self.walk, site, before, after)

    def _body(self, operation: Operation, before: Operation, after: Operation) -> None:
        none = Body(required=False, contents=(), doc=after.doc, notes=after.notes, origin=after.origin)
        old, new = before.body or none, after.body or none
        if old.required != new.required:
            kind: Kind = "body-required" if new.required else "body-optional"
            self._report(operation, kind, "request", old=old.origin, new=new.origin)
        self._contents(operation, "request", "request", old.contents, new.contents)

    def _responses(self, operation: Operation, old: tuple[Response, ...], new: tuple[Response, ...]) -> None:
        for before, after in _matched({one.status: one for one in old}, {one.status: one for one in new}):
            if before is None and after is not None:
                # What the older version says of a status that it does not list is what it says of all others.
                covering = _covering(old, after.status)
                said = "covered" if covering is not None else ""
                part = f"response {after.status}"
                self._report(operation, "response-added", part, before=said, after=after.status, new=after.origin)
                if covering is not None:
                    self._contents(operation, part, "response", covering.contents, after.contents)
            elif after is None and before is not None:
                part = f"response {before.status}"
                self._report(operation, "response-removed", part, before=before.status, old=before.origin)
            elif before is not None and after is not None:
                part = f"response {after.status}"
                self._contents(operation, part, "response", before.contents, after.contents)
                self._headers(operation, part, before.headers, after.headers)

    def _headers(self, operation: Operation, part: str, old: tuple[Header, ...], new: tuple[Header, ...]) -> None:
        marked = [{header.name.lower(): header for header in headers} for headers in (old, new)]
        for before, after in _matched(marked[0], marked[1]):
            if before is None and after is not None:
                said = self.walk.words(1, after.type)
                self._report(operation, "header-added", f"{part} header {after.name}", after=said, new=after.origin)
            elif after is None and before is not None:
                said = f"{'required' if before.required else 'optional'} {self.walk.words(0, before.type)}"
                self._report(
                    operation, "header-removed", f"{part} header {before.name}", before=said, old=before.origin
                )
            elif before is not None and after is not None:
                name, at = f"{part} header {after.name}", (before.origin, after.origin)
                if before.required != after.required:
                    kind: Kind = "header-required" if after.required else "header-optional"
                    self._report(operation, kind, name, old=at[0], new=at[1])
                self._message(operation, name, "response", (before.type, after.type), at)

    def _contents(
        self,
        operation: Operation,
        part: str,
        direction: Direction,
        old: tuple[Content, ...],
        new: tuple[Content, ...],
    ) -> None:
        several = len(old) > 1 or len(new) > 1
        marked = [{content.media_type.lower(): content for content in contents} for contents in (old, new)]
        for before, after in _matched(marked[0], marked[1]):
            one = after or before
            assert one is not None
            name = f"{part} {one.media_type}" if several else part
            if before is None:
                kind: Kind = "request-content-added" if direction == "request" else "response-content-added"
                self._report(operation, kind, name, after=one.media_type, new=one.origin)
            elif after is None:
                kind = "request-content-removed" if direction == "request" else "response-content-removed"
                self._report(operation, kind, name, before=one.media_type, old=one.origin)
            else:
                at = (before.origin, after.origin)
                for inner, types in _travelling(before, after):
                    self._message(operation, f"{name}{inner}", direction, types, at)

    # --- messages -----------------------------------------------------------------------------------------------------

    def _message(
        self,
        operation: Operation,
        part: str,
        direction: Direction,
        types: tuple[Type, Type],
        origins: tuple[Origin, Origin],
    ) -> Site:
        """Compare what travels, and note it as a message. Of a webhook or callback, the server asks."""
        if operation.role != "call":
            direction = "response" if direction == "request" else "request"
        site = self._site(operation, part, types, origins, direction)
        self.owners.append(site.owner)
        self.walk.types(site)
        return site

    def _site(
        self,
        operation: Operation,
        part: str,
        types: tuple[Type, Type],
        origins: tuple[Origin, Origin],
        direction: Direction | None = None,
    ) -> Site:
        name = operation.name.spelled
        owner = Owner(f"{name} {part}".strip(), *types, keys=None, origins=origins, home=name, direction=direction)
        return Site(owner, types, origins, path=part)

    def _report(
        self,
        operation: Operation,
        kind: Kind,
        part: str = "",
        *,
        before: str = "",
        after: str = "",
        old: Origin | None = None,
        new: Origin | None = None,
    ) -> None:
        place = Place(definition=operation.name.spelled, path=part, old=old, new=new)
        change = Change(kind=kind, place=place, before=before, after=after)
        self.walk.found.append(Found(change, (), asks_back=operation.role != "call"))


def _asked(operation: Operation) -> str:
    """How an operation is asked for, in words."""
    return f"{operation.method} {operation.path}"


def _route(operation: Operation) -> object:
    """What reaches an operation, whatever the parts of its path are called."""
    if not operation.parts:
        return (operation.role, operation.method, operation.path)
    parts = tuple(part.text if isinstance(part, PathText) else None for part in operation.parts)
    return (operation.role, operation.method, parts)


def _mark(parameter: Parameter, operation: Operation) -> object:
    if parameter.place == "path":
        slots = [part.parameter for part in operation.parts if isinstance(part, PathSlot)]
        return ("path", slots.index(parameter.name) if parameter.name in slots else parameter.name)
    return (parameter.place, parameter.name.lower() if parameter.place == "header" else parameter.name)


def parameters(old: Operation, new: Operation) -> Iterator[tuple[Parameter | None, Parameter | None]]:
    """Parameters by place and name; those of a path by position, since what they are called nobody sends."""
    marked = [{_mark(one, operation): one for one in operation.parameters} for operation in (old, new)]
    return _matched(marked[0], marked[1])


def part_of(parameter: Parameter) -> str:
    """A parameter as the place of a change names it."""
    return f"{parameter.place} {parameter.name}"


def _schemes(security: tuple[Requirement, ...]) -> list[str]:
    """Each requirement in words, its schemes in order."""
    words = []
    for requirement in security:
        schemes = (f"{name}({', '.join(sorted(scopes))})" if scopes else name for name, scopes in requirement.schemes)
        words.append(" and ".join(sorted(schemes)) or "nothing")
    return words


def _covering(responses: tuple[Response, ...], status: str) -> Response | None:
    """What is said of a status that is not listed: by its class, else by default."""
    by = {response.status.upper(): response for response in responses}
    return by.get(status[:1] + "XX") or by.get("DEFAULT")


def _travelling(old: Content, new: Content) -> Iterator[tuple[str, tuple[Type, Type]]]:
    """The types that two contents have in common: of the whole, of what streams, of the data of each event."""
    for name, before, after in (("", old.type, new.type), (" item", old.item, new.item)):
        if before is not None or after is not None:
            yield name, (before or ANYTHING, after or ANYTHING)
    events = {case.event: case.type for case in old.events}
    for case in new.events:
        if case.event in events:
            yield f" event {case.event or 'data'}", (events[case.event], case.type)


def _matched(old: Mapping[K, T], new: Mapping[K, T]) -> Iterator[tuple[T | None, T | None]]:
    """Those with one mark together, in the order of the newer; those that went at the end."""
    yield from ((old.get(mark), one) for mark, one in new.items())
    yield from ((one, None) for mark, one in old.items() if mark not in new)
