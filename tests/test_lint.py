"""Folders of ``tests/lint`` → what is said of each contract is exactly the text beside it; and the detector of slow patterns is
measured against the clock.

A folder is named after the code it shows, and holds ``contract.json`` and ``findings.txt`` (``clean``: there is
nothing to say). ``make golden`` rewrites the texts.
"""

import json
import os
import re
import time
from pathlib import Path

import pytest

from codegen.cli import run
from codegen.document import load
from codegen.facts import Facts
from codegen.lint import CODES, RULES, lint
from codegen.lint.ambiguity import ambiguity
from codegen.patterns import translate, tree
from codegen.resolve import resolve

ROOT = Path(__file__).parents[1]
CASES = ROOT / "tests" / "lint"
FOLDERS = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())


@pytest.mark.parametrize("code", FOLDERS)
def test_findings(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASES / code)
    contract = load("contract.json")
    found = lint(contract, Facts(resolve(contract)))
    text = "".join(problem.text(contract.locate) + "\n" for problem in found)
    golden = Path("findings.txt")
    if os.environ.get("WIREBOUND_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
    assert code in {problem.code for problem in found} or (code == "clean" and not found)
    for problem in found:
        assert problem.help


def test_every_code_has_its_folder() -> None:
    assert set(FOLDERS) == {*CODES, "clean"}
    assert list(CODES) == sorted(CODES)
    assert len(RULES) == len(set(RULES))


def test_the_projects_own_contracts_are_clean() -> None:
    contracts = sorted((ROOT / "schema").glob("*/*/schema.json"))
    assert contracts
    for path in contracts:
        contract = load(path)
        assert [str(problem) for problem in lint(contract, Facts(resolve(contract)))] == []


# --- patterns ---------------------------------------------------------------------------------------------------------

SLOW = [
    r"^(a+)+$",
    r"^(a*)*$",
    r"^(a|a)*$",
    r"^(a|ab|b)*$",
    r"^(aa|aaa)+$",
    r"^(\w+\s?)*$",
    r"^(\s*\w+\s*)*$",
    r"^(x(a*)*y)*$",
    r"^(x((a)?)?y)*$",
    r"^((a|b)(a|b)?)+$",
    r"^(?:(?:a|b)+|c)*d",
    r"(x+x+)+y",
    r"^(.*)*x$",
    r"^(a{1,30}){1,30}$",
    r"^(?=(a+)+$)b",
    r"\b(\w+)+\b$",
    r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*@x$",
    r"^(\p{L}+)*$",
]
SWIFT = [
    r"(a+)+",  # the first match is the last that is tried
    r"^(a+)+b?",
    r"^(a?){20}",
    r"^\w+(\s\w+)*$",
    r"^([a-z]+\.)*[a-z]+$",
    r"^(\d{1,3}\.){3}\d{1,3}$",
    r"^(aa|aab)+$",
    r"^([a-z]|[0-9])+$",
    r"^(?:a(?:b(?:c)?)?)+$",
    r"^(\s*,\s*\w+)*$",
    r"^(a|b)*(a|b)*c$",
    r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
    r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})$",
    r"^(\p{Lu}\p{Ll}*)+$",
    r"(.)\1$",
]


def seconds(pattern: re.Pattern[str], text: str) -> float:
    start = time.perf_counter()
    pattern.search(text)
    return time.perf_counter() - start


@pytest.mark.parametrize("source", SLOW)
def test_a_pattern_that_is_told_of_does_blow_up(source: str) -> None:
    found = ambiguity(tree(source))
    assert found is not None
    pattern = re.compile(translate(source))
    for end in "!\n\0":
        repetitions = 1
        while repetitions < 40 and seconds(pattern, found.prefix + found.pump * repetitions + end) < 0.05:
            repetitions += 1
        if repetitions < 40:
            return
    pytest.fail(f"{found} is matched quickly")


@pytest.mark.parametrize("source", SWIFT)
def test_a_pattern_that_is_matched_quickly_is_not_told_of(source: str) -> None:
    assert ambiguity(tree(source)) is None


@pytest.mark.parametrize(
    "source", ["(a|b)" * 200, "(" * 90 + "a*" + ")" * 90, "((a{8}){8}){8}" * 20, "(?:a{1000}){1000}"]
)
def test_large_patterns_are_judged_at_once(source: str) -> None:
    start = time.perf_counter()
    ambiguity(tree(source))
    assert time.perf_counter() - start < 5


# --- the command ------------------------------------------------------------------------------------------------------


def test_exit_code_and_summary(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASES / "repeated-value")
    assert run(["lint", "contract.json"]) == 1
    shown = capsys.readouterr()
    assert shown.out == Path("findings.txt").read_text(encoding="utf-8")
    assert shown.err == "3 findings\n"
    assert run(["lint", "../clean/contract.json"]) == 0
    assert capsys.readouterr() == ("", "nothing found\n")


def test_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASES / "undocumented-definition")
    assert run(["lint", "contract.json", "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["code"] == "undocumented-definition"
    assert (found["path"], found["line"], found["pointer"]) == ("contract.json", 9, "/$defs/Untold")
    assert run(["lint", "../clean/contract.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_select_and_ignore(capsys: pytest.CaptureFixture[str]) -> None:
    contract = str(CASES / "refused-default" / "contract.json")
    assert run(["lint", contract, "--ignore", "refused-default,refused-example"]) == 0
    assert run(["lint", contract, "--select", "refused-example"]) == 0
    assert run(["lint", contract, "--select", "refused-example", "--select", "refused-default"]) == 1
    assert run(["lint", contract, "--select", "refused-defaults"]) == 2
    assert 'is "refused-default" meant?' in capsys.readouterr().err


def test_the_codes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)


def test_a_contract_that_cannot_be_read_is_a_problem(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["lint", str(tmp_path / "none.json")]) == 2
    assert "cannot-read" in capsys.readouterr().err
