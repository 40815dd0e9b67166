"""Verdicts on generated pairs of contracts against an oracle that knows nothing of the product: what is called compatible is
never refused, and what is called breaking is shown by a document that one side accepts and the other refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import mutated
from oracle import Oracle
from schemas import CONTRACTS, DOCUMENTS
from test_evolve_same import SHOP

import codegen
from codegen.derive import Derivation
from codegen.document import load
from codegen.errors import WireboundError
from codegen.evolve import Assessment, Comparison, Policy, assess, compare
from codegen.evolve.parties import Names, Sender
from codegen.evolve.verdicts import DIRECTIONS, Direction
from codegen.facts import Facts
from codegen.model import Ref, Type
from codegen.resolve import resolve

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
REAL = {
    "ag-ui": ROOT / "schema/ag-ui/1.0/schema.json",
    "mcp": SHARED / "corpus/mcp/2025-06-18/schema.json",
    "dap": SHARED / "corpus/dap/v1.71.0/debugAdapterProtocol.json",
}
POLICIES = [Policy(), Policy(undeclared="free"), Policy(receivers="tolerant"), Policy(open_world=True)]
SAMPLES = 60


def facts(contract: Any) -> Facts | None:
    """None where the contract cannot be meant."""
    try:
        return Facts(resolve(load(contract)))
    except WireboundError:
        return None


class Trial:
    """One pair of contracts under one policy, and the oracle's view of both."""

    def __init__(self, old: Any, new: Any, sides: tuple[Facts, Facts], policy: Policy) -> None:
        self.contracts = (old, new)
        self.sides = sides
        self.policy = policy
        self.oracles = Oracle(old), Oracle(new)
        self.comparison: Comparison = compare(*sides)
        self.assessment: Assessment = assess(self.comparison, policy)

    def accepted(self, name: str, document: Any, direction: Direction) -> tuple[bool, bool]:
        """Whether the sender's contract accepts a document, and the receiver's."""
        owner = next(owner for owner in self.comparison.owners if owner.name == name)
        pointers = ("", "") if owner.keys is None else (owner.keys[0].pointer, owner.keys[1].pointer)
        found = [oracle.valid(document, at) for oracle, at in zip(self.oracles, pointers, strict=True)]
        return (found[0], found[1]) if direction == "write" else (found[1], found[0])

    def false_witnesses(self) -> Iterator[Any]:
        """Breaking changes that no document shows, or that the shown document does not prove."""
        for one in (*self.assessment.changes, self.assessment):
            for direction in DIRECTIONS:
                verdict = one.on(direction)
                if verdict.answer == "breaking":
                    witness = verdict.witness
                    if witness is None or self.accepted(witness.definition, witness.document, direction) != (
                        True,
                        False,
                    ):
                        yield direction, verdict

    def counterexamples(self, documents: list[Any]) -> Iterator[Any]:
        """Documents that a compatible direction refuses. Those that the policy says nobody sends are left out."""
        for direction in DIRECTIONS:
            if self.assessment.on(direction).answer != "compatible":
                continue
            sender, receiver = self.sides if direction == "write" else self.sides[::-1]
            sends = Sender(sender, self.policy, Names.of(receiver))
            for owner in self.comparison.owners:
                type_ = owner.old if direction == "write" else owner.new
                for document in [*documents, *self.sampled(sender, type_)]:
                    if sends.accepts(type_, document) and self.accepted(owner.name, document, direction) == (
                        True,
                        False,
                    ):
                        yield direction, owner.name, document

    @staticmethod
    def sampled(side: Facts, type_: Type) -> list[Any]:
        if not isinstance(type_, Ref):
            return []
        return [one.value for one in islice(Derivation(side).derive(type_.key), SAMPLES)]


def judged(old: Any, new: Any, policy: Policy, documents: list[Any], *, sample: bool = True) -> Trial | None:
    """A trial whose verdicts hold; None where one of the contracts cannot be meant."""
    sides = (facts(old), facts(new))
    if sides[0] is None or sides[1] is None:
        return None
    trial = Trial(old, new, (sides[0], sides[1]), policy)
    assert list(trial.false_witnesses()) == []
    # What receivers do beyond the letter, the oracle does not know: those policies have a test of their own.
    if sample and not policy.tolerant and not policy.open_world:
        assert list(islice(trial.counterexamples(documents), 1)) == []
    if not trial.assessment.changes:
        assert all(trial.assessment.on(direction).answer == "compatible" for direction in DIRECTIONS)
    return trial


@given(contract=CONTRACTS, seed=st.integers(0, 2**32), documents=st.lists(DOCUMENTS, max_size=10))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_contracts_with_one_change(contract: Any, seed: int, documents: list[Any]) -> None:
    chance = Random(seed)
    judged(contract, mutated(contract, chance), chance.choice(POLICIES), documents)


@given(old=CONTRACTS, new=CONTRACTS, policy=st.sampled_from(POLICIES), documents=st.lists(DOCUMENTS, max_size=10))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_contracts_that_have_nothing_in_common(old: Any, new: Any, policy: Policy, documents: list[Any]) -> None:
    judged(old, new, policy, documents)


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("seed", range(6))
def test_real_contracts_with_one_change(name: str, seed: int) -> None:
    if not REAL[name].is_file():
        pytest.skip("the published contracts do not lie beside this checkout")
    contract = json.loads(REAL[name].read_text("utf-8"))
    chance = Random(f"{name} {seed}")
    found = None
    while found is None:
        found = judged(contract, mutated(contract, chance), POLICIES[seed % len(POLICIES)], [], sample=False)
    whole, policy = found.assessment, found.policy
    if policy.tolerant or policy.open_world or whole.write.answer == whole.read.answer == "breaking":
        return
    # Only definitions that hold a change can differ.
    names = {name for one in whole.changes for name in (one.change.place.definition, *one.change.shared_by)}
    found.comparison = _only(found.comparison, names)
    assert list(islice(found.counterexamples([]), 1)) == []


def _only(comparison: Comparison, names: set[str]) -> Comparison:
    from dataclasses import replace

    return replace(comparison, owners=tuple(owner for owner in comparison.owners if owner.name in names))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("policy", POLICIES[2:], ids=["tolerant", "open-world"])
def test_bindings_read_what_a_policy_calls_compatible(policy: Policy, seed: int) -> None:
    """Receivers beyond the letter are generated bindings: they must take what the policy says that they take."""
    chance = Random(f"bindings {seed}")
    receiving: dict[str, Any] = {"unknown": "keep" if policy.open_world else "strip"}
    options = {"open_world": policy.open_world}
    for _ in range(80):
        contract = mutated(SHOP, chance)
        sides = (facts(SHOP), facts(contract))
        if sides[1] is None or sides[0] is None:
            continue
        trial = Trial(SHOP, contract, (sides[0], sides[1]), policy)
        beyond = [
            direction
            for direction in DIRECTIONS
            if trial.assessment.on(direction).answer == "compatible"
            and assess(trial.comparison, Policy()).on(direction).answer != "compatible"
        ]
        for direction in beyond:
            receiver = contract if direction == "write" else SHOP
            sender = trial.sides[0 if direction == "write" else 1]
            codecs = codegen.codecs(receiver, options=options)
            sends = Sender(sender, policy, Names.of(trial.sides[1 if direction == "write" else 0]))
            for owner in trial.comparison.owners:
                type_ = owner.old if direction == "write" else owner.new
                for document in trial.sampled(sender, type_):
                    if owner.name in codecs and sends.accepts(type_, document):
                        codecs[owner.name].from_dict(document, **receiving)
        if beyond:
            return
    pytest.skip("no change is compatible under this policy alone")


def chain(length: int, last: Any) -> Any:
    """Definitions that need one another, one after the other."""
    links = {
        f"Link{i}": {"type": "object", "properties": {"next": {"$ref": f"#/$defs/Link{i + 1}"}}, "required": ["next"]}
        for i in range(length)
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {**links, f"Link{length}": last}}


def nested(depth: int, last: Any) -> Any:
    """Objects inside of one another."""
    schema = last
    for _ in range(depth):
        schema = {"type": "object", "properties": {"next": schema}, "required": ["next"]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"Top": schema}}


@pytest.mark.parametrize(
    "make", [lambda last: chain(200, last), lambda last: nested(45, last)], ids=["chain", "nested"]
)
def test_deep_contracts(make: Any) -> None:
    """Neither the stack nor the reader is overtaxed: what is far up the chain is undecided rather than shown at length."""
    old, new = make({"type": "string"}), make({"type": "integer"})
    sides = facts(old), facts(new)
    assert sides[0] is not None and sides[1] is not None
    assessment = assess(compare(sides[0], sides[1]), Policy())
    assert [one.change.kind for one in assessment.changes] == ["type-changed"]
    assert (assessment.write.answer, assessment.read.answer) == ("breaking", "breaking")
    unchanged = assess(compare(sides[0], sides[0]), Policy())
    assert unchanged.step == "none"
