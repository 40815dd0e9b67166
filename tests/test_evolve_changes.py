"""Pairs of small contracts → what changed, with every verdict: ``tests/changes/<what>/{old,new}.json`` and ``changes.txt``.

The goldens are compared as text; the documents in them are judged by the oracle, which knows nothing of the product.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from oracle import Oracle

from codegen.document import load
from codegen.evolve import Assessment, Comparison, Policy, assess, compare
from codegen.evolve.changes import KINDS, WORDS
from codegen.evolve.reasons import MARKS, OPERATIONS
from codegen.evolve.verdicts import AXES, DIRECTIONS
from codegen.facts import Facts
from codegen.resolve import resolve

CASES = sorted(path.parent for path in Path(__file__).parent.glob("changes/*/old.json"))


def compared(folder: Path) -> Comparison:
    old, new = (Facts(resolve(load(folder / name))) for name in ("old.json", "new.json"))
    return compare(old, new)


def text(assessment: Assessment) -> str:
    """What a person compares: each change with its places and its verdicts, then the whole."""
    lines = []
    for one in assessment.changes:
        change, place = one.change, one.change.place
        lines.append(f"{change.kind} {place}: {change.before or '-'} → {change.after or '-'}")
        lines.append(f"  at {place.old or '-'} → {place.new or '-'}")
        if change.shared_by:
            lines.append(f"  also in {', '.join(change.shared_by)}")
        for axis in AXES:
            verdict = one.on(axis)
            lines.append(f"  {axis} {verdict.answer}: {verdict.reason}")
            if verdict.witness:
                lines.append(f"    {json.dumps(verdict.witness.document)} of {verdict.witness.definition}")
    lines += [f"named {one.before or '-'} → {one.after or '-'}: {one.place}" for one in assessment.namings]
    lines += [f"{axis} {assessment.on(axis).answer}" for axis in AXES]
    return "\n".join([*lines, f"step {assessment.step}"]) + "\n"


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_changes(folder: Path) -> None:
    found = text(assess(compared(folder), Policy()))
    golden = folder / "changes.txt"
    if os.environ.get("WIREBOUND_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def schema_at(oracle: Oracle, pointer: str) -> str:
    """The schema at a place of a contract: of a parameter, header or content, the one that it holds."""
    value = oracle.document
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        value = value[int(step)] if isinstance(value, list) else value[step]
    inner = next((name for name in ("schema", "itemSchema") if isinstance(value, dict) and name in value), None)
    return pointer if inner is None or "type" in value else f"{pointer}/{inner}"


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_every_breaking_change_is_shown_by_a_document(folder: Path) -> None:
    comparison = compared(folder)
    owners = {owner.name: owner for owner in comparison.owners}
    oracles = Oracle(folder / "old.json"), Oracle(folder / "new.json")
    for policy in (Policy(), Policy(undeclared="free"), Policy(receivers="tolerant"), Policy(open_world=True)):
        assessment = assess(comparison, policy)
        assert not assessment.unexplained
        for one in assessment.changes:
            for direction in DIRECTIONS:
                verdict = one.on(direction)
                if verdict.answer != "breaking" or one.change.kind in OPERATIONS | MARKS:
                    continue
                assert verdict.witness is not None
                owner = owners[verdict.witness.definition]
                accepted = [
                    oracle.valid(verdict.witness.document, schema_at(oracle, origin.pointer))
                    for oracle, origin in zip(oracles, owner.origins, strict=True)
                ]
                assert accepted == ([True, False] if direction == "write" else [False, True])


def test_every_kind_of_change_has_a_case() -> None:
    told = {line.split(" ")[0] for folder in CASES for line in (folder / "changes.txt").read_text("utf-8").splitlines()}
    assert set(KINDS) <= told
    assert set(WORDS) == set(KINDS)


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_nothing_changes_from_a_contract_to_itself(folder: Path) -> None:
    for name in ("old.json", "new.json"):
        both = (Facts(resolve(load(folder / name))) for _ in range(2))
        assessment = assess(compare(*both), Policy())
        assert (assessment.changes, assessment.namings, assessment.step) == ((), (), "none")


@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_backwards_the_directions_trade_places(folder: Path) -> None:
    old, new = (Facts(resolve(load(folder / name))) for name in ("old.json", "new.json"))
    forth, back = assess(compare(old, new), Policy()), assess(compare(new, old), Policy())
    if any(one.change.kind in ("name-reused", *OPERATIONS) for one in forth.changes):
        pytest.skip("what names and operations mean does not trade places")
    if any(owner.direction for owner in compare(old, new).owners):
        pytest.skip("messages of one direction do not turn round")
    assert (forth.write.answer, forth.read.answer) == (back.read.answer, back.write.answer)
