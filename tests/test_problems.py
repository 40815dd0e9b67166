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
from pathlib import Path

import pytest

from codegen import ledger
from codegen.cli import run
from codegen.document import load
from codegen.errors import WireboundError
from codegen.gather import placed
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
    compared(PROBLEMS / code / "stderr.txt", said.err)
    assert str(tmp_path) not in said.err


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


def codes(source: Path) -> set[str]:
    """The codes that a module of the load stage reports."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        named = []
        if isinstance(node, ast.Call):
            named = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            if ast.unparse(node.func).rpartition(".")[2] in ("add", "fatal", "refuse", "problem", "Missing"):
                named += node.args[:2]
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            # The code, message and help of a reference that leads nowhere, perhaps beside a place.
            inner = [node.value, *(part for part in node.value.elts if isinstance(part, ast.Tuple))]
            named = [part.elts[0] for part in inner if len(part.elts) == 3]
        for value in named:
            text = value.value if isinstance(value, ast.Constant) else None
            if isinstance(text, str) and re.fullmatch("[a-z]+(-[a-z0-9]+)*", text):
                found.add(text)
    return found


def test_every_code_of_the_load_stage_has_its_folder() -> None:
    found = set().union(*(codes(source) for source in (ROOT / "codegen" / "document").glob("*.py")))
    assert {"empty", "not-json", "dangling-reference", "unreachable-reference"} <= found
    assert found - set(FOLDERS) == set()


OPENAPI = ("operations", "services", "called", "behaviour", "streams", "statements", "discriminator")


def test_every_code_about_operations_and_behaviour_has_its_folder() -> None:
    found = set().union(*(codes(ROOT / "codegen" / "resolve" / f"{module}.py") for module in OPENAPI))
    assert {"path-parameter", "unknown-security-scheme", "extension-leads-nowhere"} <= found
    assert found - set(FOLDERS) == set()
