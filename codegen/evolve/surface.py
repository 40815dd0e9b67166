"""Two public surfaces of one target → what changes for those who program against it.

Must not know a language: a target tells its surface as names with what is promised about each, and equal texts promise the
same. So a wire-compatible change that renames an attribute or widens a type is found by what the target itself says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from codegen.evolve.verdicts import Assessment, Verdict, worse


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One name of a surface. ``before`` and ``after`` are what is promised about it; empty where it is not there."""

    name: str
    kind: Literal["added", "removed", "changed"]
    before: str = ""
    after: str = ""

    @property
    def is_breaking(self) -> bool:
        """A name that is new breaks nobody."""
        return self.kind != "added"

    @property
    def owner(self) -> str:
        """What the name is a member of."""
        return self.name.rpartition(".")[0]


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[Difference, ...]:
    """What differs, in the order of the newer surface, what went at the end."""
    found = []
    for name, after in new.items():
        if name not in old:
            found.append(Difference(name=name, kind="added", after=after))
        elif old[name] != after:
            found.append(Difference(name=name, kind="changed", before=old[name], after=after))
    gone = (name for name in old if name not in new)
    return (*found, *(Difference(name=name, kind="removed", before=old[name]) for name in gone))


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A name that programs cannot go on using as they do, and why."""

    name: str
    reason: str


def broken(old: Mapping[str, str], new: Mapping[str, str], *, open_world: bool = False) -> tuple[Broken, ...]:
    """What breaks programs, in the order of ``differences``. ``open_world``: they expect values and variants that they do not
    know already."""
    old = _renamed(old, new)
    found = differences(old, new)
    return tuple(
        Broken(name=one.name, reason=reason)
        for one in found
        if (reason := _reason(one, found, old, open_world=open_world))
    )


def _renamed(old: Mapping[str, str], new: Mapping[str, str]) -> Mapping[str, str]:
    """The older surface with the newer names, where the former ones stay as other names of the same: whoever uses those notices
    nothing. A former name that did not stay is as it was, and gone."""
    names = {
        name.rpartition(".")[2]: promise
        for name, promise in new.items()
        if name in old and old[name] != promise and f"{name.rpartition('.')[0]}.{promise}" in new
    }
    if not names:
        return old
    words = "|".join(map(re.escape, names))
    head, word = re.compile(rf"^(\w[\w ]*[. ])({words})(?=\.|$)"), re.compile(rf"(?<!['\"\w])({words})(?!\w)")
    found = {}
    for name, promise in old.items():
        if name.count(".") != 1 or name in new or name.partition(" ")[1]:
            name = head.sub(lambda met: met[1] + names[met[2]], name)
        found[name] = word.sub(lambda met: names[met[1]], promise)
    return found


def _reason(one: Difference, found: Collection[Difference], old: Mapping[str, str], *, open_world: bool) -> str:
    """Why a difference breaks programs; empty where it does not."""
    if one.kind == "added":
        must = one.owner in old and " = " not in one.after
        came_as = any(other.kind == "removed" and _is_twin(other, one) for other in found)
        where = " where the object is made" if must and old[one.owner].startswith("class") else ""
        return f"must be given{where}" if must and not came_as else ""
    if one.kind == "removed":
        twins = [other.name for other in found if other.kind == "added" and _is_twin(one, other)]
        return f"is called {twins[0].rpartition('.')[2]} now" if len(twins) == 1 else "is gone"
    return "; ".join(_changed(one, open_world=open_world))


def _is_twin(gone: Difference, come: Difference) -> bool:
    return gone.owner == come.owner and gone.before == come.after


def _changed(one: Difference, *, open_world: bool) -> Iterator[str]:
    (way, before), (turned, after) = _way(one.before), _way(one.after)
    if way != turned:
        yield f"was {one.before}, and is {one.after}"
        return
    (was, stood), (now, stands) = _parts(before), _parts(after)
    more = [part for part in now if part not in was]
    less = [part for part in was if part not in now]
    if stood is not None and stands is None:
        yield "must be given now"
    elif stood is not None and stands is not None and stood != stands:
        yield f"is {stands} where nothing is given, and was {stood}"
    if way == "takes":
        if less:
            yield f"does not take {' | '.join(less)} any more"
    elif less and more:
        yield f"was {' | '.join(less)}, and is {' | '.join(more)}"
    elif more and not open_world:
        yield f"can be {' | '.join(more)} too: who reads it, or matches all that it can be, must expect that"
    elif less and not way:
        yield f"cannot be {' | '.join(less)} any more"


_WAY = re.compile(r"(takes|gives|awaited, gives) ")


def _way(promise: str) -> tuple[str, str]:
    """Which way what a promise is about goes ("": both), and the promise."""
    found = _WAY.match(promise)
    return (found[1], promise[found.end() :]) if found else ("", promise)


def _parts(promise: str) -> tuple[list[str], str | None]:
    """The alternatives of a promise, and what stands where nothing is given (None: something has to be)."""
    type_, equals, default = promise.partition(" = ")
    parts, depth, start = [], 0, 0
    for index, character in enumerate(type_):
        depth += (character in "[({") - (character in "])}")
        if depth == 0 and type_.startswith(" | ", index):
            parts.append(type_[start:index])
            start = index + 3
    return [*parts, type_[start:]], default if equals else None


def extended(assessment: Assessment, target: str, found: Collection[Broken]) -> Assessment:
    """``assessment`` with what a target's surface breaks that no change explains: of a definition whose changes break programs
    anyway, nothing is said twice."""
    told = {
        name.lower().replace("_", "")
        for one in assessment.changes
        if one.source.answer != "compatible"
        for name in (one.change.place.definition, *one.change.shared_by, one.change.before, one.change.after)
    }
    new = [one for one in found if not {part.lower().replace("_", "") for part in re.split("[. ]", one.name)} & told]
    if not new:
        return assessment
    more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
    verdict = Verdict(answer="breaking", reason=f"{target}: {new[0].name} {new[0].reason}{more}")
    alone = assessment.source.answer == "compatible"
    return replace(
        assessment,
        source=worse(assessment.source, verdict),
        unexplained=(*assessment.unexplained, "source") if alone else assessment.unexplained,
        step="major",
    )
