"""Contracts, documents derived from each definition → codec and oracle say the same of every one, and what is accepted comes
back as it was.

The model's own judge is asked too: where it alone errs, the fault is in ``resolve``.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from agreement import complaints
from hypothesis import HealthCheck, given, reject, settings
from oracle import Oracle
from schemas import CONTRACTS

import codegen
from codegen.derive import Derivation
from codegen.document import load
from codegen.errors import WireboundError
from codegen.facts import Facts
from codegen.model import Definition, Ref, Union
from codegen.resolve import resolve

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
OWN = sorted(ROOT.glob("schema/*/*/schema.json"))
OTHERS = sorted([*CORPUS.glob("mcp/*/schema.json"), *CORPUS.glob("ag-ui/*/schema.json"), *CORPUS.glob("dap/*/*.json")])


class Subject(NamedTuple):
    """One contract, as everybody knows it."""

    oracle: Oracle
    derivation: Derivation
    codecs: Any

    def disagreements(self, definition: Definition) -> list[str]:
        """What the judge and the codec say otherwise than the oracle, over all derived documents."""
        found = []
        ref = Ref(key=definition.key, origin=definition.origin)
        codec = self.codecs[definition.name.spelled]
        for document in self.derivation.derive(definition.key):
            valid = self.oracle.valid(document.value, definition.key.pointer)
            wrong = [*complaints(codec, document.value, valid, self.oracle.document)]
            if self.derivation.judge.accepts(ref, document.value) != valid:
                wrong.insert(0, "the model accepts" if not valid else "the model refuses")
            found += [
                f"{text}: {document.what} at {document.pointer!r}: {json.dumps(document.value)}" for text in wrong
            ]
        return found


@cache
def subject(path: Path) -> Subject:
    return Subject(Oracle(path), Derivation(Facts(resolve(load(path)))), codegen.codecs(path))


def judgeable(path: Path) -> list[Definition]:
    """The definitions that a pointer means: a place in the contract's own document, whole, in no dynamic scope."""
    public = subject(path).derivation.facts.public
    return [one for one in public if not (one.key.document or one.key.scope or one.key.part)]


def short(path: Path) -> str:
    return "/".join(path.parts[-3:-1])


EACH = [(path, one) for path in OWN for one in judgeable(path)]


@pytest.mark.parametrize(("path", "definition"), EACH, ids=[f"{short(path)}/{d.name.spelled}" for path, d in EACH])
def test_codec_and_oracle_agree(path: Path, definition: Definition) -> None:
    assert subject(path).disagreements(definition) == []


@pytest.mark.parametrize("path", OTHERS, ids=short)
def test_codec_and_oracle_agree_on_public_contracts(path: Path) -> None:
    assert [text for one in judgeable(path) for text in subject(path).disagreements(one)] == []


if not OTHERS:

    @pytest.mark.skip(reason="the corpus of public contracts is not here")
    def test_public_contracts() -> None: ...


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(CONTRACTS)
def test_codec_and_oracle_agree_on_random_contracts(contract: Any) -> None:
    try:
        derivation = Derivation(Facts(resolve(load(contract))))
        codecs = codegen.codecs(contract)
    except WireboundError:
        reject()
    oracle = Oracle(contract)
    for definition in derivation.facts.public:
        if definition.key.part:
            continue
        ref = Ref(key=definition.key, origin=definition.origin)
        # Of a choice that is null or something else, the something else is what has a name.
        hoisted = isinstance(definition, Union) and definition.name.source != "declared"
        solid = {"not": {"type": "null"}} if hoisted and not derivation.facts.accepts_null(ref) else None
        for document in islice(derivation.derive(definition.key), 200):
            try:
                valid = oracle.valid(document.value, definition.key.pointer, conjunct=solid)
            except RecursionError:
                reject()  # a schema that is judged by itself at the same place: nobody can say
            assert derivation.judge.accepts(ref, document.value) == valid, (definition.key, document)
            codec = codecs[definition.name.spelled]
            assert list(complaints(codec, document.value, valid, contract)) == [], (definition.key, document)


def test_every_definition_has_documents_of_both_verdicts() -> None:
    """Else agreement would say little. A definition that accepts everything has no other side."""
    for path, definition in EACH:
        one = subject(path)
        ref = Ref(key=definition.key, origin=definition.origin)
        verdicts = [one.oracle.valid(d.value, definition.key.pointer) for d in one.derivation.derive(definition.key)]
        assert any(verdicts), definition.name
        assert not all(verdicts) or one.derivation.facts.is_any(ref), definition.name


# --- the suite itself can fail ----------------------------------------------------------------------------------------

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "s": {"type": "string"}},
    "required": ["n"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ({"required": []}, {}),
        ({"additionalProperties": True}, {"n": 1, "x": 0}),
        ({"properties": {"n": {"type": "number", "minimum": 1}, "s": {}}}, {"n": 1.5}),
        ({"properties": {"n": {"type": "integer", "exclusiveMinimum": 1}, "s": {}}}, {"n": 1}),
    ],
)
def test_a_codec_of_another_contract_is_found_out(change: dict[str, Any], value: Any) -> None:
    codec = codegen.codecs({**SCHEMA, **change})["Root"]
    oracle = Oracle(SCHEMA)
    found = list(complaints(codec, value, oracle.valid(value)))
    assert any("fast pass" in text for text in found) and any("slow pass" in text for text in found)
    one = Derivation(Facts(resolve(load(SCHEMA))))
    documents = [document.value for document in one.derive(one.facts.public[0].key)]
    assert any(list(complaints(codec, document, oracle.valid(document))) for document in documents)


class Lossy:
    """A codec whose encoder is not its decoder's inverse."""

    def __init__(self, codec: Any, spoil: Any) -> None:
        self.codec, self.spoil = codec, spoil

    def __getattr__(self, name: str) -> Any:
        return getattr(self.codec, name)

    def to_dict(self, value: Any, **how: Any) -> Any:
        return self.spoil(dict(self.codec.to_dict(value, **how)))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda value: value | {"s": None},
        lambda value: {"n": value["n"]},
        lambda value: value | {"n": True},
        lambda value: value | {"n": value["n"] + 1},
    ],
)
def test_a_codec_that_gives_another_value_back_is_found_out(spoil: Any) -> None:
    codec = codegen.codecs(SCHEMA)["Root"]
    value = {"n": 1, "s": "text"}
    assert list(complaints(codec, value, True)) == []
    assert [text for text in complaints(Lossy(codec, spoil), value, True) if "to_dict gives" in text]
