"""Folders of ``tests/problems`` → each contract is refused with exactly the text beside it.

A folder is named after the code it shows (``<code>.<construct>`` where one code has several), and holds ``contract.json`` or
``contract.yaml`` (none: the file is missing), further files it refers to, an ``overlay.yaml`` perhaps, and ``stderr.txt``.
Where it takes more than a contract, ``commands.txt`` says what is typed in a copy of the folder: lines of ``wirebound …``, of
which the last one shows the code, and lines ``put FROM TO``, which copy a file of it. ``make golden`` rewrites the texts.
"""

import ast
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from codegen import ledger
from codegen.cli import run
from codegen.document import load
from codegen.errors import CODES, WireboundError
from codegen.gather import placed
from codegen.publish import index, sending
from codegen.resolve import resolve

ROOT = Path(__file__).parents[1]
PROBLEMS = ROOT / "tests" / "problems"
FOLDERS = sorted(folder.name for folder in PROBLEMS.iterdir() if folder.is_dir())


def refusal(path: str) -> WireboundError:
    """What the stages say of the contract at ``path``; later stages are added below the first."""
    with pytest.raises(WireboundError) as refused:
        contract = load(path, overlays=sorted(Path().glob("overlay.*")))
        resolve(contract)
        if Path("names.toml").is_file():
            with placed(contract.locate):
                ledger.freeze(ledger.read(Path("names.toml")), "1.0", contract.structure)
    return refused.value


def compared(golden: Path, text: str) -> None:
    if os.environ.get("WIREBOUND_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


TYPED = [folder for folder in FOLDERS if (PROBLEMS / folder / "commands.txt").exists()]


@pytest.mark.parametrize("code", TYPED)
def test_refused_when_typed(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "project"
    shutil.copytree(PROBLEMS / code, place, ignore=shutil.ignore_patterns("commands.txt", "stderr.txt"))
    monkeypatch.chdir(place)
    status = 0
    for line in (PROBLEMS / code / "commands.txt").read_text(encoding="utf-8").splitlines():
        assert status == 0, capsys.readouterr().err
        word, *arguments = shlex.split(line)
        if word == "put":
            (place / arguments[1]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place / arguments[0], place / arguments[1])
        else:
            assert word == "wirebound"
            capsys.readouterr()
            status = run(arguments)
    said = capsys.readouterr()
    assert status == (1 if "--check" in line else 2), said
    assert f": {code.partition('.')[0]}: " in said.err
    compared(PROBLEMS / code / "stderr.txt", said.err.replace(str(tmp_path), "<above>"))


@pytest.mark.parametrize("code", [folder for folder in FOLDERS if folder not in TYPED])
def test_refused(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROBLEMS / code)
    contract = next((path.name for path in Path().glob("contract.*")), "contract.json")
    error = refusal(contract)
    text = str(error) + "\n"
    compared(Path("stderr.txt"), text)
    assert code.partition(".")[0] in {problem.code for problem in error.problems}
    for problem in error.problems:
        assert problem.help, problem.code
        assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", problem.code)


REPORTING = {"report", "problem", "_problem", "trouble", "_trouble", "refuse", "fatal", "add", "Missing"}
"""Functions that are given the code of a problem, first or second."""


def codes(source: Path) -> set[str]:
    """The codes that a module reports. One of a single word is seen only where the table has it."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        named = []
        if isinstance(node, ast.Call):
            named = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            if ast.unparse(node.func).rpartition(".")[2] in REPORTING:
                named += node.args[:2]
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            # The code, message and help of a reference that leads nowhere, perhaps beside a place.
            inner = [node.value, *(part for part in node.value.elts if isinstance(part, ast.Tuple))]
            named = [part.elts[0] for part in inner if len(part.elts) == 3]
        for value in named:
            text = value.value if isinstance(value, ast.Constant) else None
            if isinstance(text, str) and re.fullmatch("[a-z]+(-[a-z0-9]+)*", text) and ("-" in text or text in CODES):
                found.add(text)
    return found


# What ``lint`` finds and ``diff`` tells are no problems, and have tables of their own.
OTHERS = ("evolve/", "lint/")
MODULES = [
    path for path in (ROOT / "codegen").rglob("*.py") if not any(f"codegen/{o}" in path.as_posix() for o in OTHERS)
]


def test_the_table_has_every_code_and_no_other() -> None:
    found = set().union(
        *map(codes, MODULES), *(codes(ROOT / f"codegen/evolve/{m}.py") for m in ("policy", "exceptions"))
    )
    assert found == set(CODES)
    assert list(CODES) == sorted(CODES)


ELSEWHERE = {
    "bad-digest": "test_problems",
    "bad-revision": "test_evolve_diff",
    "bad-target": "test_render",
    "bad-text": "test_render",
    "breaking": "test_publish",
    "build-failed": "test_package",
    "dead-link": "test_site_pages",
    "dirty-tree": "test_publish",
    "duplicate-id": "test_site_pages",
    "missing-extra": "test_package",
    "no-git": "test_problems",
    "no-python": "test_package",
    "not-as-asked": "test_python_pydantic",
    "not-proven": "test_package",
    "not-reproducible": "test_package",
    "not-uploaded": "test_problems",
    "not-verified": "test_publish",
    "not-writable": "test_output",
    "other-version": "test_surface",
    "refused-credentials": "test_publish",
    "unknown-revision": "test_evolve_diff",
    "unreachable": "test_publish",
}
"""Codes that take more than files and commands to show (an index, a repository, a fault of a target), and the tests that do."""


def test_every_code_is_shown_by_a_folder_or_a_test() -> None:
    shown = {folder.partition(".")[0] for folder in FOLDERS}
    assert shown & ELSEWHERE.keys() == set()
    assert shown | ELSEWHERE.keys() == set(CODES)
    for code, module in ELSEWHERE.items():
        text = (ROOT / "tests" / f"{module}.py").read_text(encoding="utf-8")
        assert re.search(rf"\b{code}: |match=.*\b{code}\b|== \[\"{code}\"\]|\"{code}\"", text), code


def test_without_git_there_are_no_revisions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert run(["diff", "git:HEAD:old.json", "git:HEAD:new.json"]) == 2
    assert ": no-git: git cannot be run" in capsys.readouterr().err


def test_a_file_that_a_repository_does_not_take(monkeypatch: pytest.MonkeyPatch) -> None:
    said = subprocess.CompletedProcess([], 1, "", "ERROR HTTPError: 400 Bad Request: the description is missing")
    monkeypatch.setattr(sending.subprocess, "run", lambda *_, **__: said)
    with pytest.raises(WireboundError, match=r"not-uploaded: one\.whl was not uploaded: .*the description is missing"):
        sending.send("one.whl", b"", "https://packages.example.org/")


def test_a_file_of_an_index_that_is_not_what_its_digest_says(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = index.Index("https://packages.example.org/simple/")
    monkeypatch.setattr(index.Index, "_get", lambda *_: ("", b"other bytes", ""))
    entry = index.Entry("one.whl", "https://packages.example.org/one.whl", {"sha256": "0" * 64})
    with pytest.raises(WireboundError, match=r"bad-digest: one\.whl is not what its digest says"):
        shelf.content(entry)
