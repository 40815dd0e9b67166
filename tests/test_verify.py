"""``wirebound verify``: nothing differs where everything is right, and whatever differs is found, told and an exit code."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from oracle import Oracle as Measure

from codegen import verify_pipeline as pipeline
from codegen.cli import run
from codegen.derive import Derivation
from codegen.document import load
from codegen.facts import Facts
from codegen.resolve import resolve
from codegen.verify import Row, corpus, verify
from codegen.verify.oracle import Oracle

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
OTHERS = sorted([*CORPUS.glob("mcp/*/schema.json"), *CORPUS.glob("ag-ui/*/schema.json")])
PARTS = ("python/models", "python/msgspec")

CONTRACT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$ref": "#/$defs/Event",
    "$defs": {
        "Event": {"oneOf": [{"$ref": "#/$defs/Added"}, {"$ref": "#/$defs/Paid"}]},
        "Added": {
            "type": "object",
            "properties": {
                "kind": {"const": "added"},
                "code": {"type": "string", "pattern": "^\\d+$"},
                "count": {"type": "integer", "minimum": 1, "multipleOf": 0.5},
            },
            "required": ["kind", "code"],
            "additionalProperties": False,
        },
        "Paid": {"type": "object", "properties": {"kind": {"const": "paid"}, "by": {}}, "required": ["kind"]},
    },
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schema.json").write_text(json.dumps(CONTRACT))
    for path, value in (
        ("fixtures/Added/valid/a.json", {"kind": "added", "code": "1"}),
        ("fixtures/Added/invalid/a.json", {"kind": "added"}),
        ("examples/Event/e.json", {"kind": "paid", "more": [None]}),
    ):
        file = tmp_path / path
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(value))
    return tmp_path


def test_everything_agrees(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "schema.json"]) == 0
    text = capsys.readouterr().out
    assert text.endswith("0 differences\n") and "(3 its own)" in text
    rows = [line.split()[0] for line in text.splitlines()[2:-1]]
    assert rows == ["folders", *pipeline.SUBJECTS]


def test_for_other_tools(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "schema.json", "--target", "python/msgspec", "--target", "model", "--json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)
    assert [row["subject"] for row in table["rows"]] == ["folders", "model", "python/msgspec"]
    last = table["rows"][-1]
    assert last["verdicts"] == [table["documents"]] * 2 and last["single"] == [table["spoiled"]] * 2
    assert last["trips"][0] == last["trips"][1] > 3 and last["read"] > 0 and last["differences"] == []
    assert table["asked"] == table["documents"], "the oracle was asked about everything"


def test_a_folder_that_is_wrong_is_found(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / "fixtures/Added/valid/b.json").write_text('{"kind": "added", "code": "x"}')
    assert run(["verify", "schema.json", "--target", "model"]) == 1
    text = capsys.readouterr().out
    assert "folders: Added: fixtures/Added/valid/b.json\n  expected invalid, found valid" in text
    assert text.endswith("1 difference\n")


def test_documents_of_ones_own(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = shop / "own"
    (own / "Event").mkdir(parents=True)
    (own / "Event/e.json").write_text('{"kind": "paid"}')
    (own / "root.json").write_text('{"kind": "nothing"}')
    assert run(["verify", "schema.json", "--documents", "own"]) == 0
    (own / "Evnt").mkdir()
    (own / "Evnt/e.json").write_text("{}")
    (own / "bad.json").write_text("{")
    assert run(["verify", "schema.json", "--documents", "own"]) == 2
    told = capsys.readouterr().err
    assert 'unknown-definition: there is no definition "Evnt"' in told and "Event" in told
    assert "own/bad.json:1:1: not-json" in told


def test_what_is_unknown_or_not_installed(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["verify", "schema.json", "--target", "python/pydntic"]) == 2
    assert "unknown-target" in capsys.readouterr().err
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "msgspec" else found(name))
    assert run(["verify", "schema.json", "--target", "python/models"]) == 0
    assert run(["verify", "schema.json"]) == 2
    assert "missing-extra: msgspec is not installed" in capsys.readouterr().err


class Spoilt:
    """A binding with a fault of its own."""

    name = "spoilt"

    def __init__(self, codecs: Any, names: Any, fault: str) -> None:
        from codegen.verify.subjects import Codecs

        self.codecs = Codecs("spoilt", codecs, names, {})
        self.fault = fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self.codecs, name)

    def accepts(self, definition: Any, value: Any, text: bytes) -> bool:
        if self.fault == "crash" and isinstance(value, dict):
            raise KeyError("lost")
        if self.fault == "lax" and isinstance(value, dict) and "count" in value:
            return True
        return self.codecs.accepts(definition, value, text)

    def back(self, definition: Any, value: Any, text: bytes) -> Iterator[Any]:
        for back in self.codecs.back(definition, value, text):
            yield back | {"count": None} if self.fault == "null" else back

    def faults(self, definition: Any, value: Any) -> tuple[str, ...]:
        found = self.codecs.faults(definition, value)
        return found * 2 if self.fault == "noise" else found


@pytest.mark.parametrize(
    ("fault", "what", "smallest"),
    [
        ("", "", ""),
        ("crash", "an object", "{}"),
        ("lax", "", '{"kind": "added", "code": "0", "count": 0}'),
        ("null", "round trip", '{"kind": "paid"}'),
        ("noise", "one bad field", ""),
    ],
)
def test_a_target_that_is_wrong_is_found(fault: str, what: str, smallest: str) -> None:
    """Else a table without differences would say nothing."""
    import codegen

    model = resolve(load(CONTRACT))
    derivation = Derivation(Facts(model))
    names = {definition.key: definition.name.spelled for definition in model.definitions}
    judge = derivation.judge
    table = verify(
        "shop",
        lambda key: names.get(key, ""),  # type: ignore[arg-type]
        list(corpus.derived(derivation)),
        list(corpus.spoiled(derivation)),
        [Spoilt(codegen.codecs(CONTRACT), names, fault)],
        lambda key, value: (judge.is_a(derivation.facts.definition(key), value), False),  # type: ignore[arg-type]
    )
    (row,) = table.rows
    assert bool(row.differences) == bool(fault)
    if fault:
        assert what in row.differences[0].what
        assert not smallest or len(row.differences[0].document) <= len(smallest)
        assert row.verdicts[0] < row.verdicts[1] or row.trips[0] < row.trips[1] or row.single[0] < row.single[1]  # type: ignore[index]


def test_the_oracle_is_corrected_and_the_package_left_alone() -> None:
    import jsonschema

    schema = {"type": "string", "pattern": "^\\d$"}
    oracle = Oracle({"$defs": {"A": schema, "B": {"multipleOf": 0.01}, "C": {"uniqueItems": True}}})
    assert not oracle.accepts("/$defs/A", "1\n") and not oracle.accepts("/$defs/A", "١")
    assert oracle.accepts("/$defs/B", 4.35) and not oracle.accepts("/$defs/B", 4.355)
    assert not oracle.accepts("/$defs/C", [{"a": 1}, {"a": 1.0}]) and oracle.accepts("/$defs/C", [1, True])
    assert jsonschema.Draft202012Validator(schema).is_valid("1\n")


@pytest.mark.parametrize("path", sorted(ROOT.glob("schema/*/*/schema.json")), ids=lambda path: path.parent.name)
def test_the_oracle_says_what_the_tests_oracle_says(path: Path) -> None:
    """That one asks node about patterns; this one has only Python."""
    document = json.loads(path.read_bytes())
    measure, oracle = Measure(path), Oracle(document)
    derivation = Derivation(Facts(resolve(load(path))))
    for definition in derivation.facts.public:
        for one in list(derivation.derive(definition.key))[:60]:
            pointer = definition.key.pointer
            assert oracle.accepts(pointer, one.value) == measure.valid(one.value, pointer), (pointer, one)


@pytest.mark.slow
@pytest.mark.parametrize("path", OTHERS, ids=lambda path: "/".join(path.parts[-3:-1]))
def test_public_contracts(path: Path) -> None:
    (table,) = pipeline.verify(path)
    assert table.differences == 0, [row.differences[:1] for row in table.rows]
    assert all(complete(row) for row in table.rows)


@pytest.mark.slow
def test_the_contracts_of_this_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    tables = pipeline.verify(None)
    assert {table.contract for table in tables} == {
        f"{path.parent.parent.name} {path.parent.name}"
        for path in ROOT.glob("schema/*/*/*.*")
        if path.stem in ("schema", "openapi")
    }
    for table in tables:
        assert table.differences == 0, [row.differences[:1] for row in table.rows]
        assert all(complete(row) for row in table.rows)


def complete(row: Row) -> bool:
    """Something was asked."""
    asked = row.verdicts[1] > 0
    return (
        asked
        if row.subject not in PARTS
        else asked and bool(row.trips and row.trips[1] and row.single and row.single[1])
    )


if not OTHERS:

    @pytest.mark.skip(reason="the corpus of public contracts is not here")
    def test_public_contracts_are_here() -> None: ...
