"""What others take from this repository for their own checks: the hooks of pre-commit, and a workflow to be called.

Must not only be read: the commands are run as those would run them.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MANIFEST = """\
[contracts.shop]
path = "schema/shop"

[[jobs]]
contract = "shop"
target = "jsonschema"
"""


def read(path: str) -> Any:
    return YAML(typ="safe", pure=True).load(ROOT / path)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def contract(*required: str) -> str:
    order = {"type": "object", "properties": {"id": {"type": "string"}}, "required": list(required)}
    return json.dumps({"$schema": DIALECT, "$defs": {"Order": order}}, indent=1)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    write(tmp_path / "bin/wirebound", f"#!{sys.executable}\nfrom codegen.cli import main\nmain()\n").chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


@pytest.fixture
def shop(tmp_path: Path, environment: dict[str, str]) -> Path:
    """A project in a folder of a repository, generated and committed."""
    folder = tmp_path / "repository/below"
    write(folder / "schema/shop/1.0/schema.json", contract("id"))
    write(folder / "wirebound.toml", MANIFEST)
    subprocess.run(["wirebound", "generate"], cwd=folder, env=environment, check=True, capture_output=True)
    subprocess.run(["git", "init", "-q", "."], cwd=folder.parent, check=True)
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@shop.example", "-c", "commit.gpgsign=false"]
    subprocess.run([*git, "add", "-A"], cwd=folder.parent, check=True)
    subprocess.run([*git, "commit", "-q", "-m", "A state"], cwd=folder, check=True)


def head(folder: Path) -> str:
    ran = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


# --- pre-commit -------------------------------------------------------------------------------------------------------


def hook(name: str) -> dict[str, Any]:
    (found,) = (hook for hook in read(".pre-commit-hooks.yaml") if hook["id"] == name)
    return dict(found)


def test_hooks_are_what_pre_commit_takes() -> None:
    hooks = read(".pre-commit-hooks.yaml")
    assert [hook["id"] for hook in hooks] == ["wirebound-check", "wirebound-diff"]
    for one in hooks:
        assert {"id", "name", "entry", "language"} <= one.keys()
        assert one["language"] == "python" and one["pass_filenames"] is False


def test_hooks_let_pass_what_is_fine_and_stop_what_is_not(shop: Path, environment: dict[str, str]) -> None:
    def hooked(name: str, *arguments: str) -> int:
        command = [*shlex.split(hook(name)["entry"]), *arguments]
        return subprocess.run(command, cwd=shop, env=environment, capture_output=True, check=False).returncode

    sides = ("git:HEAD:./schema/shop", "schema/shop")
    assert (hooked("wirebound-check"), hooked("wirebound-diff", *sides)) == (0, 0)
    write(shop / "schema/shop/1.0/schema.json", contract())
    assert (hooked("wirebound-check"), hooked("wirebound-diff", *sides)) == (1, 1)


# --- the workflow -----------------------------------------------------------------------------------------------------


def test_the_workflow_is_one_to_be_called() -> None:
    workflow = read(".github/workflows/check.yml")
    inputs = workflow["on"]["workflow_call"]["inputs"]
    assert {name for name, one in inputs.items() if one.get("required")} == {"wirebound", "contracts"}
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "an input would be read as a command"


def test_the_workflow_sees_what_breaks_in_each_contract(shop: Path, environment: dict[str, str]) -> None:
    base = head(shop)
    steps = read(".github/workflows/check.yml")["jobs"]["breaking"]["steps"]
    (script,) = (step["run"] for step in steps if "diff" in step.get("run", ""))

    def checked(contracts: str, fail_on: str = "any") -> subprocess.CompletedProcess[str]:
        given = {"BASE": base, "CONTRACTS": contracts, "FAIL_ON": fail_on}
        command = ["bash", "-e", "-o", "pipefail", "-c", script]
        return subprocess.run(command, cwd=shop, env={**environment, **given}, capture_output=True, text=True)

    assert checked("schema/shop\n").returncode == 0
    write(shop / "schema/bank/1.0/schema.json", contract())
    assert checked("schema/bank\nschema/shop\n").returncode == 0, "what is new breaks nobody"
    write(shop / "schema/shop/1.0/schema.json", contract())
    ran = checked("schema/shop\nschema/bank\n")
    assert ran.returncode == 1 and "::error file=" in ran.stdout and "schema/shop/1.0/schema.json" in ran.stdout
    assert checked("schema/shop\n", "write").returncode == 0


def test_the_workflow_checks_outputs(shop: Path, environment: dict[str, str]) -> None:
    steps = read(".github/workflows/check.yml")["jobs"]["outputs"]["steps"]
    (script,) = (step["run"] for step in steps if "wirebound generate" in step.get("run", ""))
    assert subprocess.run(["bash", "-e", "-c", script], cwd=shop, env=environment, capture_output=True).returncode == 0
    write(shop / "schema/shop/1.0/schema.json", contract())
    assert subprocess.run(["bash", "-e", "-c", script], cwd=shop, env=environment, capture_output=True).returncode == 1
