"""Published versions of real contracts → the facts that their authors tell of them, each at its place and in its direction."""

from __future__ import annotations

import json
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from oracle import Oracle

from codegen.document import load
from codegen.evolve import Assessment, Policy, assess, compare
from codegen.evolve.changes import TEXTS, Change, Naming
from codegen.evolve.comparison import Comparison
from codegen.evolve.verdicts import DIRECTIONS, Judged
from codegen.facts import Facts
from codegen.resolve import resolve

SHARED = Path(__file__).parents[2] / "shared"
PAIRS: list[Any] = json.loads((SHARED / "pairs/pairs.json").read_text("utf-8")) if SHARED.is_dir() else []
FACTS = [(pair, fact) for pair in PAIRS for fact in pair["facts"]]

pytestmark = pytest.mark.skipif(not PAIRS, reason="the published versions do not lie beside this checkout")


@cache
def comparison(old: str, new: str) -> Comparison:
    both = (Facts(resolve(load(SHARED / path))) for path in (old, new))
    return compare(*both)


@cache
def assessment(old: str, new: str) -> Assessment:
    return assess(comparison(old, new), Policy())


def places(change: Change | Naming) -> list[str]:
    """The places of a change below the definitions, as the facts spell them."""
    pointers = [origin.pointer for origin in (change.place.old, change.place.new) if origin is not None]
    return [pointer.removeprefix("/definitions/").removeprefix("/$defs/") for pointer in pointers]


def is_at(change: Change | Naming, at: str) -> bool:
    """The change stands at the place ``at``; where that is a keyword without a place of its own here, at its schema."""
    at = at.replace("[", "/").replace("]", "")
    schema, _, keyword = at.rpartition("/")
    if keyword == "required":  # of an object: the members that it requires now
        inside = any(place.rpartition("/")[0] == f"{schema}/properties" for place in places(change))
        return inside and isinstance(change, Change) and change.kind in ("field-required", "field-added")
    if keyword == "format":
        return schema in places(change) and isinstance(change, Change) and change.kind == "format-changed"
    if keyword in ("anyOf", "$ref"):
        return any(place in (at, schema) or place.startswith(at + "/") for place in places(change))
    return at in places(change)


def broken(judged: Judged) -> str:
    """What a change breaks, as the facts say it."""
    ways = [direction for direction in DIRECTIONS if judged.on(direction).answer == "breaking"]
    assert all(judged.on(direction).answer != "unknown" for direction in DIRECTIONS), judged
    if ways:
        return "+".join(ways)
    return "name" if judged.source.answer == "breaking" else "none"


@pytest.mark.parametrize(("pair", "fact"), FACTS, ids=[f"{pair['id']}-{fact['at']}" for pair, fact in FACTS])
def test_a_published_change_is_found(pair: Any, fact: Any) -> None:
    whole = assessment(pair["old"], pair["new"])
    found = {broken(one) for one in whole.changes if is_at(one.change, fact["at"]) and one.change.kind not in TEXTS}
    named = [one for one in whole.namings if is_at(one, fact["at"])]
    if "no wire change" in fact["text"]:
        assert found <= {"name", "none"}
    elif fact["breaks"] == "name":
        assert found == {"name"} or (named and not found)
    else:
        assert found == {fact["breaks"]}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_every_witness_of_published_versions_is_confirmed(pair: Any) -> None:
    whole = assessment(pair["old"], pair["new"])
    owners = {owner.name: owner.keys for owner in comparison(pair["old"], pair["new"]).owners}
    oracles = Oracle(SHARED / pair["old"]), Oracle(SHARED / pair["new"])
    seen = 0
    for one in (*whole.changes, whole):
        for direction in DIRECTIONS:
            verdict = one.on(direction)
            if verdict.answer != "breaking":
                continue
            assert verdict.witness is not None
            keys = owners[verdict.witness.definition]
            assert keys is not None
            accepted = [o.valid(verdict.witness.document, key.pointer) for o, key in zip(oracles, keys, strict=True)]
            assert accepted == ([True, False] if direction == "write" else [False, True])
            seen += 1
    assert seen


def test_tolerant_receivers_make_an_added_member_of_a_closed_object_compatible() -> None:
    pair = next(pair for pair in PAIRS if pair["id"] == "agui-11")
    added = assess(comparison(pair["old"], pair["new"]), Policy(receivers="tolerant"))
    assert {one.on(axis).answer for one in added.changes for axis in ("write", "read", "source")} == {"compatible"}
    assert (added.write.answer, added.read.answer, added.source.answer, added.step) == (
        "compatible",
        "compatible",
        "compatible",
        "minor",
    )


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_a_comparison_is_quick(pair: Any) -> None:
    """Processor time of comparison and verdicts: contracts of up to 240 definitions within half a second."""
    old, new = (Facts(resolve(load(SHARED / pair[side]))) for side in ("old", "new"))
    taken = []
    for _ in range(3):  # the best of three: other processes share the caches
        start = time.process_time()
        assess(compare(old, new), Policy())
        taken.append(time.process_time() - start)
    assert min(taken) < 0.5
