"""``x-wirebound-stream`` and ``-fold`` on a union → how its stream runs, and what its events add up to.

Must not read what stands on operations (``behaviour`` does). Every tag, pointer and reference in a statement must lead
somewhere, because one that does not is a slip of the pen that would otherwise show at run time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from codegen.errors import shown
from codegen.facts import Facts
from codegen.model import ByTag, EventStream, Fold, Integer, JsonValue, Key, Ref, Step, Steps, StreamError, Type, Union
from codegen.pointer import Origin
from codegen.reach import members, reached
from codegen.resolve.statements import Statement, refuse

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter

Action: TypeAlias = Literal["set", "merge", "append", "extend", "join", "gather", "parse"]
ACTIONS: tuple[Action, ...] = get_args(Action)
PLACE = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Events:
    """The events of a stream by tag. ``tags`` lead to the members of the union."""

    reader: Interpreter
    facts: Facts
    union: Union
    tags: Mapping[str, tuple[Type, ...]]

    @property
    def all(self) -> tuple[Type, ...]:
        """Every event."""
        return tuple(member.type for member in self.union.choice.members)


def events_of(reader: Interpreter, facts: Facts, union: Union, origin: Origin) -> Events | None:
    """The events of a union that states a stream; None, and a problem, where no tag tells them apart."""
    dispatch = union.choice.dispatch
    if not isinstance(dispatch, ByTag):
        message = "the members of the union have no tag that tells them apart"
        refuse(reader, "misplaced-extension", message, origin, "state streams of tagged unions only")
        return None
    tags: dict[str, tuple[Type, ...]] = {}
    for case in dispatch.switch.cases:
        found = tuple(
            m.type for m in union.choice.members if _has_tag(facts, m.type, dispatch.switch.property, case.value)
        )
        tags[str(case.value)] = found
    return Events(reader, facts, union, tags)


def _has_tag(facts: Facts, type_: Type, name: str, value: JsonValue) -> bool:
    return value in (facts.tag_values(type_, name) or ())


def stream(events: Events, value: JsonValue, origin: Origin) -> EventStream:
    """How the stream runs."""
    said = Statement(events.reader, value, origin)
    terminal = said.texts("terminal", required=True)
    for index, tag in enumerate(terminal):
        _tag(events, said, tag, origin.at("terminal", index))
    event_id = said.pointer("event_id")
    if event_id is not None:
        _leads(events, said, events.all, event_id, origin.at("event_id"))
    error = said.inner("error")
    found = EventStream(
        terminal=terminal,
        done=said.text("done"),
        event_id=event_id,
        error=None if error is None else _error(events, error),
        origin=origin,
    )
    said.close()
    return found


def _error(events: Events, said: Statement) -> StreamError:
    tag = said.text("event", required=True) or ""
    types = events.tags.get(tag, ())
    if tag:
        _tag(events, said, tag, said.origin.at("event"))
    pointers = {name: said.pointer(name) for name in ("code", "message")}
    for name, pointer in pointers.items():
        if pointer is not None and types:
            _leads(events, said, types, pointer, said.origin.at(name))
    found = StreamError(event=tag, code=pointers["code"], message=pointers["message"], bare=said.text("bare"))
    said.close()
    return found


def _tag(events: Events, said: Statement, tag: str, origin: Origin) -> None:
    if tag not in events.tags:
        said.nowhere("the tag of no event", tag, origin)


def _leads(events: Events, said: Statement, types: Iterable[Type], pointer: str, origin: Origin) -> list[Type]:
    found = reached(events.facts, types, pointer)
    if not found:
        said.nowhere("declared by nothing that can be there", pointer, origin)
    return found


# --- folds ------------------------------------------------------------------------------------------------------------


def fold(events: Events, value: JsonValue, origin: Origin) -> Fold | None:
    """What the events add up to; None where the result is not known."""
    reader = events.reader
    said = Statement(reader, value, origin)
    written = said.text("result", required=True)
    result: Key | None = None
    if written is not None:
        schema = reader.contract.find(reader.contract.schema(events.union.key.origin), written)
        result = None if schema is None else reader.key(schema, ())
        if result not in events.facts.table:
            said.nowhere("no definition", written, origin.at("result"))
            result = None
    by_tag = said.inner("events")
    if by_tag is None:
        said.missing("events")
    said.close()
    if result is None or by_tag is None:
        return None
    results = (Ref(key=result, origin=origin),)
    found = []
    for tag, steps in by_tag.value.items():
        at = by_tag.origin.at(tag)
        _tag(events, by_tag, tag, at)
        found.append((tag, _steps(_Fold(events, events.tags.get(tag, ()), results), steps, at)))
    return Fold(result=result, events=tuple(found), origin=origin)


@dataclass(frozen=True, slots=True)
class _Fold:
    """What the steps for one tag go from, and what they add to."""

    events: Events
    sources: tuple[Type, ...]
    results: tuple[Type, ...]


def _steps(of: _Fold, value: JsonValue, origin: Origin) -> Steps:
    if isinstance(value, list):
        return Steps(always=_listed(of, value, origin), origin=origin)
    said = Statement(of.events.reader, value, origin)
    by = said.pointer("by", required=True)
    known = _values(of, said, by, origin) if by is not None and of.sources else None
    cases = said.inner("cases")
    found = []
    for case, steps in cases.value.items() if cases is not None else ():
        at = origin.at("cases", case)
        if known is not None and case not in known:
            said.nowhere(f"never at {shown(by)}", case, at)
        found.append((case, _listed(of, steps, at)))
    otherwise = said.take("otherwise")
    rest = _listed(of, otherwise, origin.at("otherwise")) if said.has("otherwise") else ()
    said.close()
    return Steps(by=by, cases=tuple(found), otherwise=rest, origin=origin)


def _values(of: _Fold, said: Statement, pointer: str, origin: Origin) -> set[str] | None:
    """The values that can be at ``pointer``; None where that is open."""
    found: set[str] = set()
    for type_ in _leads(of.events, said, of.sources, pointer, origin.at("by")):
        values = of.events.facts.pinned(type_)
        if values is None:
            return None
        found |= {str(value) for value in values}
    return found


def _listed(of: _Fold, value: JsonValue, origin: Origin) -> tuple[Step, ...]:
    if not isinstance(value, list):
        Statement(of.events.reader, {}, origin).flaw(value, "an array of steps", origin)
        return ()
    found = (_step(of, item, origin.at(index)) for index, item in enumerate(value))
    return tuple(step for step in found if step is not None)


def _step(of: _Fold, value: JsonValue, origin: Origin) -> Step | None:
    said = Statement(of.events.reader, value, origin)
    named = [action for action in ACTIONS if said.has(action)]
    if len(named) != 1:
        message = "a step has one action" + (f', and this one has "{named[0]}" and "{named[1]}"' if named else "")
        said.problem("malformed-extension", message, origin, f"write one of {', '.join(ACTIONS)}")
        return None
    action = named[0]
    target = said.pointer(action)
    source = said.pointer("from", required=action != "parse") if action != "parse" or said.has("from") else None
    if action == "parse" and source is not None:
        said.problem("malformed-extension", '"parse" takes nothing from the event', origin.at("from"), "remove it")
    step = Step(
        action=action,
        target=target or "",
        source=source,
        keep=said.texts("keep") if action == "merge" else (),
        same=said.text("same") if action in ("merge", "join") else None,
        texts=said.texts("texts", required=True) if action == "join" else (),
        origin=origin,
    )
    said.close()
    if target is not None:
        _leads(of.events, said, of.results, target, origin.at(action))
        for name in PLACE.findall(target):
            positions = members(of.events.facts, of.sources, name)
            if of.sources and not any(isinstance(of.events.facts.unwrap(type_), Integer) for type_ in positions):
                said.nowhere("no whole number in such events", name, origin.at(action))
    if source is not None and of.sources:
        _leads(of.events, said, of.sources, source, origin.at("from"))
    return step
