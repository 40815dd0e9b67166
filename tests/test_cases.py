"""Folders of ``tests/cases`` → each contract is understood as its golden says, and each document of it gets its verdict, from
the oracle, from the model and from the codec.

A folder is named after the construct that it shows, and holds

- ``contract.json``, the smallest that shows it, and the files it refers to;
- ``model.txt``, the golden of its model, and perhaps files of targets in folders called like them (``python/models.py``…);
- ``valid/*.json`` and ``invalid/*.json``, documents of the root; beside each invalid one ``.expect.json``: the place in the
  document, the code, and the place of the rule that refuses (a list of them where more than one thing is wrong). Refused for
  another reason is not a pass;
- perhaps ``about.md``: the fault that such a contract was once reported for;
- perhaps ``new.json``, the contract's next version, with ``valid-new/`` and ``invalid-new/``.

``make golden`` rewrites the goldens that are there.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from agreement import complaints
from oracle import Oracle, Refusal

import codegen
from codegen.derive import Derivation
from codegen.document import load
from codegen.dump import dump
from codegen.facts import Facts
from codegen.model import Ref, Union
from codegen.pointer import parent
from codegen.resolve import resolve

CASES = Path(__file__).parent / "cases"
# ``openapi-…`` is for ``test_openapi``: an OpenAPI description has no root, and documents of it are those of its definitions.
FOLDERS = sorted(f.name for f in CASES.iterdir() if f.is_dir() and not f.name.startswith("openapi-"))
TARGETS = ("python", "jsonschema")
GOLDEN = bool(os.environ.get("WIREBOUND_GOLDEN"))

KEYWORDS = {
    "wrong-type": {"type", "not", "oneOf", "anyOf", "enum"},
    "missing-member": {"required", "dependentRequired", "dependencies", "oneOf", "anyOf"},
    "unknown-member": {"additionalProperties", "unevaluatedProperties", "patternProperties"},
    "unknown-tag": {"oneOf", "anyOf"},
    "unknown-value": {"enum", "oneOf", "anyOf"},
    "wrong-value": {"const"},
    "below-minimum": {"minimum", "exclusiveMinimum"},
    "above-maximum": {"maximum", "exclusiveMaximum"},
    "not-multiple": {"multipleOf"},
    "too-short": {"minLength"},
    "too-long": {"maxLength"},
    "pattern-mismatch": {"pattern", "patternProperties"},
    "too-few-items": {"minItems"},
    "too-many-items": {"maxItems"},
    "too-few-members": {"minProperties"},
    "too-many-members": {"maxProperties"},
    "not-unique": {"uniqueItems"},
    "too-few-matches": {"contains", "minContains"},
    "too-many-matches": {"maxContains"},
    "no-variant": {"oneOf", "anyOf"},
    "several-variants": {"oneOf"},
}
"""Which keywords bring a code; ``forbidden`` comes from ``not`` and from false schemas, wherever they stand."""


class Case(NamedTuple):
    """One contract of a folder, as everybody knows it. ``suffix``: "" or "-new"."""

    folder: Path
    contract: Path
    suffix: str
    oracle: Oracle
    derivation: Derivation
    codecs: Any

    @property
    def facts(self) -> Facts:
        return self.derivation.facts


@cache
def case(name: str, suffix: str = "") -> Case:
    folder = CASES / name
    contract = folder / ("new.json" if suffix else "contract.json")
    derivation = Derivation(Facts(resolve(load(contract))))
    return Case(folder, contract, suffix, Oracle(contract), derivation, codegen.codecs(contract))


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def documents(group: str) -> list[Path]:
    """The documents of a group of all folders; their names are their IDs."""
    found = [path for name in FOLDERS for path in sorted((CASES / name / group).glob("*.json"))]
    return [path for path in found if not path.name.endswith(".expect.json")]


def of(path: Path) -> Case:
    return case(path.parts[-3], "-new" if path.parts[-2].endswith("-new") else "")


def title(path: Path) -> str:
    return "/".join([*path.parts[-3:-1], path.stem])


each_case = pytest.mark.parametrize("name", FOLDERS)


# --- the contract -----------------------------------------------------------------------------------------------------


@each_case
def test_model(name: str) -> None:
    model = resolve(load(CASES / name / "contract.json"))
    text = dump(model, Facts(model))
    golden = CASES / name / "model.txt"
    if GOLDEN:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def goldens() -> list[Path]:
    """The files of targets that a folder shows: those that are there, below the target's name and without the package's."""
    return [path for name in FOLDERS for target in TARGETS for path in sorted((CASES / name / target).rglob("*.*"))]


@pytest.mark.parametrize("path", goldens(), ids=lambda path: path.relative_to(CASES).as_posix())
def test_target(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, target, *parts = path.relative_to(CASES).parts
    monkeypatch.chdir(CASES / name)
    made = codegen.build("contract.json", target=target)
    package = "/".join(parts) if target != "python" else next(iter(made)).partition("/")[0] + "/" + "/".join(parts)
    if GOLDEN:
        path.write_bytes(made[package])
    assert path.read_bytes() == made[package]


# --- the documents ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", documents("valid") + documents("valid-new"), ids=title)
def test_accepted(path: Path) -> None:
    one, value = of(path), read(path)
    assert one.oracle.valid(value), one.oracle.refusals(value)
    assert one.derivation.judge.accepts(root(one), value)
    assert list(complaints(one.codecs[""], value, True)) == []


@pytest.mark.parametrize("path", documents("invalid") + documents("invalid-new"), ids=title)
def test_refused_there_by_that_rule(path: Path) -> None:
    one, value = of(path), read(path)
    expected = read(path.with_suffix(".expect.json"))
    wanted = expected if isinstance(expected, list) else [expected]
    assert all(list(want) == ["pointer", "code", "rule"] for want in wanted)
    assert not one.oracle.valid(value)
    assert not one.derivation.judge.accepts(root(one), value)
    refusals = one.oracle.refusals(value)
    for want in wanted:
        assert any(is_meant(want, refusal) for refusal in refusals), refusals
    assert list(complaints(one.codecs[""], value, False, one.oracle.document)) == []
    with pytest.raises(ValueError) as refused:
        one.codecs[""].from_dict(value, errors="all")
    faults = refused.value.errors  # type: ignore[attr-defined]
    assert [{"pointer": fault.pointer, "code": fault.code, "rule": fault.rule} for fault in faults] == wanted


def is_meant(want: dict[str, str], refusal: Refusal) -> bool:
    """The oracle refuses by the expected rule, at the place or, where a member is concerned, at the object around it."""
    keywords = KEYWORDS.get(want["code"])
    by_rule = want["rule"] == refusal.rule or want["rule"].startswith(refusal.rule + "/")
    there = refusal.pointer in (want["pointer"], parent(want["pointer"]))
    # The package does not look below the unevaluated… keywords: then it names the keyword itself.
    coarse = want["rule"] != refusal.rule and refusal.keyword.startswith("unevaluated")
    return by_rule and there and (keywords is None or coarse or refusal.keyword in keywords)


def root(one: Case) -> Any:
    assert one.facts.model.root is not None
    return one.facts.model.root


@each_case
def test_derived_documents(name: str) -> None:
    """Around every border of every definition, too, the three say the same."""
    one = case(name)
    found = []
    for definition in one.facts.public:
        if definition.key.document or definition.key.scope or definition.key.part:
            continue
        ref = Ref(key=definition.key, origin=definition.origin)
        codec = one.codecs[definition.name.spelled]
        # Of a choice that is null or something else, the something else is what has a name.
        hoisted = isinstance(definition, Union) and definition.name.source != "declared"
        solid = {"not": {"type": "null"}} if hoisted and not one.facts.accepts_null(ref) else None
        for document in one.derivation.derive(definition.key):
            valid = one.oracle.valid(document.value, definition.key.pointer, conjunct=solid)
            wrong = list(complaints(codec, document.value, valid, one.oracle.document))
            wrong += ["the model says otherwise"] if one.derivation.judge.accepts(ref, document.value) != valid else []
            found += [f"{definition.name.spelled}: {text}: {json.dumps(document.value)}" for text in wrong]
    assert found == []


@each_case
def test_the_contract_written_back_gives_the_same_verdicts(name: str) -> None:
    """The bundle of the target jsonschema, judged by the oracle: ``resolve`` without a codec in front of it."""
    one = case(name)
    bundle = Oracle(json.loads(codegen.build(one.contract, target="jsonschema")["schema.json"]))
    values = [read(path) for kind in ("valid", "invalid") for path in documents(kind) if path.parts[-3] == name]
    values += [
        document.value
        for definition in one.facts.public
        if definition.key == getattr(root(one), "key", None)
        for document in one.derivation.derive(definition.key)
    ]
    assert [value for value in values if bundle.valid(value) != one.oracle.valid(value)] == []


# --- the folders ------------------------------------------------------------------------------------------------------


@each_case
def test_a_folder_holds_documents_of_both_kinds_and_nothing_astray(name: str) -> None:
    folder = CASES / name
    kinds = {kind: [path for path in documents(kind) if path.parts[-3] == name] for kind in ("valid", "invalid")}
    verdicts = {case(name).oracle.valid(value) for value in (None, True, 0, 1.5, "", "a", [], [0], {}, {"a": 0})}
    # What accepts everything has no invalid document, and what accepts nothing no valid one.
    assert kinds["valid"] or verdicts == {False}
    assert kinds["invalid"] or verdicts == {True}
    known = {folder / "contract.json", folder / "model.txt", folder / "new.json", folder / "about.md"}
    groups = [group + suffix for group in ("valid", "invalid") for suffix in ("", "-new")]
    known |= {path for group in groups for path in documents(group) if path.parts[-3] == name}
    known |= {path.with_suffix(".expect.json") for path in known if path.parent.name.startswith("invalid")}
    known |= {path for target in TARGETS for path in (folder / target).rglob("*")}
    referred = {folder / address for address in load(folder / "contract.json").documents}
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path in known | referred, path
            if path.suffix == ".json" and path.parent not in [folder / target for target in TARGETS]:
                assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*(\.expect)?\.json", path.name), path
                assert path.read_text(encoding="utf-8") == written(read(path)), f"{path} is not written as usual"


def written(value: Any) -> str:
    """How a JSON file of a case is written."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
