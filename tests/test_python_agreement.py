"""Random contracts and documents: the fast pass, the slow pass and the oracle say the same, and JSON comes back the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import codegen
from codegen.resolve.meet import same_json
from tests.oracle import Oracle
from tests.schemas import CONTRACTS, DOCUMENTS

EXAMPLES = 150


def slow(codec: Any, document: Any, unknown: str = "reject") -> Any:
    """What the slow pass alone makes of a document: the value and the faults."""
    rules = codec._parts.rules()
    run = type(rules).__init__.__globals__["Run"](rules, "", unknown, True, [])
    value = rules[codec._rule].read(document, run)
    return value, run.faults


def made(contract: Any) -> Any:
    """The codecs of a contract; None where it is refused, with a reason."""
    try:
        return codegen.codecs(contract)
    except codegen.WireboundError as error:
        assert all(problem.code and problem.message for problem in error.problems)
        return None


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(CONTRACTS, st.lists(DOCUMENTS, min_size=4, max_size=8))
def test_verdicts(contract: Any, documents: list[Any]) -> None:
    codecs = made(contract)
    if codecs is None:
        return
    oracle = Oracle(contract)
    codec = codecs[""]
    for document in documents:
        before = json.dumps(document)
        value, faults = slow(codec, document)
        try:
            built = codec.from_dict(document)
        except ValueError as error:
            assert type(error).__name__ == "DecodeError"
            assert faults, "the slow pass accepts what the fast one refuses"
            assert error.errors == tuple(faults[:1])  # type: ignore[attr-defined]
            assert not oracle.valid(document)
        else:
            assert not faults, "the slow pass refuses what the fast one accepts"
            assert repr(value) == repr(built)
            assert oracle.valid(document)
            assert same_json(codec.to_dict(built, check=True), document)
            text = json.dumps(codec.to_dict(built), ensure_ascii=False, separators=(",", ":"))
            assert codec.to_json(built) == text.encode()
            assert repr(codec.from_json(before)) == repr(built)
        assert json.dumps(document) == before, "documents are not changed"


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(CONTRACTS, st.lists(DOCUMENTS, min_size=4, max_size=8), st.sampled_from(["strip", "keep"]), st.booleans())
def test_lenient_receivers(contract: Any, documents: list[Any], unknown: str, open_world: bool) -> None:
    """What is accepted exactly is accepted the same under every policy; what a policy accepts can be written, and with "keep"
    it is the whole document."""
    try:
        codecs = codegen.codecs(contract, options={"open_world": open_world})
    except codegen.WireboundError:
        return
    codec = codecs[""]
    for document in documents:
        findings: list[Any] = []
        try:
            built = codec.from_dict(document, unknown=unknown, findings=findings)
        except ValueError as error:
            with pytest.raises(ValueError):
                codec.from_dict(document)
            assert error.errors  # type: ignore[attr-defined]
            continue
        value, faults = slow(codec, document)
        if not faults:
            assert repr(value) == repr(built) and not findings
        written = codec.to_dict(built)
        assert codec.to_json(built) == json.dumps(written, ensure_ascii=False, separators=(",", ":")).encode()
        if unknown == "keep":
            assert same_json(written, document)
        elif not findings:
            assert same_json(written, document) or not faults


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(CONTRACTS, st.text(alphabet='{}[]",:\\ud8a0nultresf1.eE+- \t\ufeff', max_size=30))
def test_text_is_a_value_or_an_error(contract: Any, text: str) -> None:
    codecs = made(contract)
    if codecs is None:
        return
    for data in (text, text.encode("utf-8", "surrogatepass"), text.encode("utf-16-le", "surrogatepass")):
        try:
            codecs[""].from_json(data)
        except ValueError as error:
            assert type(error).__name__ == "DecodeError"
            assert not any(fault.code == "internal" for fault in error.errors)  # type: ignore[attr-defined]
