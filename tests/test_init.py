"""``wirebound init``, completion and help: what a person meets first."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from codegen import cli

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {"Item": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}},
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(arguments)
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def manifest(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "wirebound.toml").read_text())


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


# --- init -------------------------------------------------------------------------------------------------------------


def test_a_contract_elsewhere_is_copied_and_generate_works(project: Path, run) -> None:
    source = write(project.parent / "shopContract.json", {"$id": "https://shop.example/v2.1/shop.json", **SCHEMA})
    code, out, err = run("init", str(source), "--target", "python", "--target", "jsonschema")
    assert code == 0, err
    assert out == "wrote   schema/shop-contract/v2.1/schema.json\nwrote   wirebound.toml\n"
    assert err == "to write the outputs, run: wirebound generate\n"
    assert (project / "schema/shop-contract/v2.1/schema.json").read_bytes() == source.read_bytes()
    assert manifest(project) == {
        "contracts": {"shop-contract": {"path": "schema/shop-contract", "protocol_version": "$id"}},
        "jobs": [{"contract": "shop-contract", "target": target} for target in ("python", "jsonschema")],
    }
    assert files(project) == {"schema/shop-contract/v2.1/schema.json", "wirebound.toml"}
    assert run("generate")[0] == 0
    assert (project / "generated/shop-contract/v2.1/jsonschema/schema.json").is_file()
    assert (project / "generated/shop-contract/v2.1/python").is_dir()
    assert run("generate", "--check")[0] == 0


def test_a_contract_in_place_stays_with_all_its_versions(project: Path, run) -> None:
    for version in ("1.0", "1.1"):
        write(project / f"schema/shop/{version}/schema.json", SCHEMA)
    code, out, err = run("init", "schema/shop/1.0/schema.json", "--target", "jsonschema")
    assert (code, out) == (0, "wrote   wirebound.toml\n"), err
    assert manifest(project)["contracts"] == {"shop": {"path": "schema/shop", "protocol_version": "folder"}}
    assert run("generate")[0] == 0
    assert {"generated/shop/1.0/jsonschema/schema.json", "generated/shop/1.1/jsonschema/schema.json"} <= files(project)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["schema.json"], "schema/project/1.0/schema.json"),
        (["letters.schema.json", "package.json"], "schema/letters/1.0/schema.json"),
        (["schema/shop/1.0/schema.json", "schema/shop/2.0/schema.json"], "schema/shop/2.0/schema.json"),
    ],
)
def test_the_one_contract_of_a_folder_is_found(project: Path, run, paths: list[str], expected: str) -> None:
    for path in paths:
        write(
            project / path, SCHEMA if "package" not in path else {"name": "x", "$schema": "https://example.org/package"}
        )
    code, _, err = run("init", "--target", "jsonschema")
    assert code == 0, err
    assert (project / expected).is_file()
    assert run("generate")[0] == 0


def test_without_a_contract_or_with_several_it_says_what_to_name(project: Path, run) -> None:
    code, _, err = run("init")
    assert code == 2
    assert "no-contract" in err and "help: name it: wirebound init PATH" in err
    write(project / "one.json", SCHEMA)
    write(project / "two.json", SCHEMA)
    code, _, err = run("init")
    assert code == 2
    assert "several-contracts: one.json, two.json can be meant" in err
    assert files(project) == {"one.json", "two.json"}


@pytest.mark.parametrize("there", ["wirebound.toml", "schema/shop/1.0/schema.json"])
def test_nothing_is_overwritten(project: Path, run, there: str) -> None:
    source = write(project.parent / "shop.json", SCHEMA)
    write(project / there, "mine")
    code, _, err = run("init", str(source), "--target", "jsonschema")
    assert code == 2
    assert f"{there}:1:1: exists: it is there already" in err
    assert files(project) == {there}
    assert (project / there).read_text() == "mine"


def test_a_manifest_in_pyproject_counts(project: Path, run) -> None:
    write(project / "pyproject.toml", "[tool.wirebound]\n")
    source = write(project.parent / "shop.json", SCHEMA)
    code, _, err = run("init", str(source), "--target", "jsonschema")
    assert code == 2
    assert "pyproject.toml:1:1: exists" in err
    assert files(project) == {"pyproject.toml"}
    write(project / "pyproject.toml", "[project]\nname = 'x'\n")
    assert run("init", str(source), "--target", "jsonschema")[0] == 0


def test_a_contract_that_cannot_be_meant_leaves_no_trace(project: Path, run) -> None:
    source = write(project.parent / "shop.json", {"type": "strin"})
    code, _, err = run("init", str(source))
    assert code == 2
    assert "malformed-keyword" in err
    assert files(project) == set()
    code, _, err = run("init", str(write(source, SCHEMA)), "--target", "pyhton")
    assert code == 2
    assert 'unknown-target: there is no target "pyhton"' in err and 'write "python"' in err
    assert files(project) == set()


def test_files_that_the_contract_refers_to_come_along(project: Path, run) -> None:
    write(project.parent / "contract/parts/money.json", {"$defs": {"Money": {"type": "integer"}}})
    source = write(
        project.parent / "contract/schema.json",
        {**SCHEMA, "title": "Shop", "properties": {"m": {"$ref": "parts/money.json#/$defs/Money"}}},
    )
    code, _, err = run("init", str(source), "--target", "jsonschema")
    assert code == 0, err
    assert files(project) == {
        "schema/shop/1.0/schema.json",
        "schema/shop/1.0/parts/money.json",
        "wirebound.toml",
    }
    assert run("generate")[0] == 0


def test_roots_and_dialect_are_written(project: Path, run) -> None:
    write(project.parent / "remotes/money.json", {"type": "integer"})
    source = write(project.parent / "shop.json", {"properties": {"m": {"$ref": "https://shop.example/money.json"}}})
    root = f"https://shop.example/={project.parent / 'remotes'}"
    code, _, err = run("init", str(source), "--target", "jsonschema", "--root", root, "--dialect", "2019-09")
    assert code == 0, err
    (entry,) = manifest(project)["contracts"].values()
    assert entry["roots"] == {"https://shop.example/": "../remotes"}
    assert entry["dialect"] == "2019-09"
    assert run("generate")[0] == 0


def test_the_name_can_be_given(project: Path, run) -> None:
    source = write(project.parent / "shop.json", SCHEMA)
    assert run("init", str(source), "--name", "a/b")[0] == 2
    assert run("init", str(source), "--name", "store", "--target", "jsonschema")[0] == 0
    assert list(manifest(project)["contracts"]) == ["store"]


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside this checkout")
@pytest.mark.parametrize(
    ("path", "name", "version"),
    [
        ("mcp/2025-11-25/schema.json", "mcp", "2025-11-25"),
        ("dap/v1.71.0/debugAdapterProtocol.json", "debug-adapter-protocol", "v1.71.0"),
        ("ag-ui/1.1/schema.json", "ag-ui-protocol", "1.1"),
    ],
)
def test_published_contracts(project: Path, run, path: str, name: str, version: str) -> None:
    code, _, err = run("init", str(CORPUS / path), "--target", "jsonschema")
    assert code == 0, err
    assert run("generate")[0] == 0
    assert f"generated/{name}/{version}/jsonschema/schema.json" in files(project)


# --- completion -------------------------------------------------------------------------------------------------------


def complete(words: str, cwd: Path) -> list[str]:
    """What a shell would offer for the last of ``words``."""
    environment = {
        **os.environ,
        "_WIREBOUND_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    program = "from codegen.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    return [line.partition(",")[2] for line in ran.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("wirebound ge", ["generate"]),
        ("wirebound build x.json --target js", ["jsonschema"]),
        ("wirebound lint x.json --select untag", ["untaggable-union"]),
        ("wirebound lint x.json --ignore repeated-value,untag", ["repeated-value,untaggable-union"]),
        ("wirebound show x.json --dialect draft-0", ["draft-04", "draft-06", "draft-07"]),
        ("wirebound lint --se", ["--select"]),
    ],
)
def test_words_are_completed(tmp_path: Path, words: str, expected: list[str]) -> None:
    assert complete(words, tmp_path) == expected


def test_jobs_are_completed_where_there_is_a_manifest(project: Path, run) -> None:
    write(project / "schema/shop/1.0/schema.json", SCHEMA)
    assert complete("wirebound generate sh", project) == []
    assert run("init", "--target", "jsonschema")[0] == 0
    assert complete("wirebound generate sh", project) == ["shop/jsonschema"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_of_the_shell(run, shell: str) -> None:
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    assert f"_WIREBOUND_COMPLETE={shell}_complete" in out
    if shutil.which(shell):
        read = "--no-execute" if shell == "fish" else "-n"
        assert subprocess.run([shell, read], input=out, text=True, check=False).returncode == 0


def test_bash_completes_with_the_script(run, tmp_path: Path) -> None:
    if not shutil.which("bash"):
        pytest.skip("there is no bash")
    _, out, _ = run("completion", "bash")
    folder = tmp_path / "bin"
    command = write(
        folder / "wirebound", f"#!/bin/sh\nexec {sys.executable} -c 'from codegen.cli import main; main()' \"$@\"\n"
    )
    command.chmod(0o755)
    script = (
        f'{out}\nCOMP_WORDS=(wirebound comp); COMP_CWORD=1; _wirebound_completion wirebound; echo "${{COMPREPLY[@]}}"'
    )
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert ran.stdout.split() == ["completion"]


# --- help -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_has_examples(run, verb: str) -> None:
    code, out, _ = run(verb, "--help")
    assert code == 0
    assert "Example" in out
    assert f"wirebound {verb}" in out.partition("Example")[2]


def test_help_says_where_to_begin(run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert "wirebound init schema.json" in out
    assert all(f"  {verb} " in out for verb in cli.VERBS)


def test_a_verb_that_is_none_is_told_apart_from_its_neighbours(run) -> None:
    code, _, err = run("generat")
    assert code == 2
    assert 'Is "generate" meant?' in err


# --- continuous integration -------------------------------------------------------------------------------------------


def workflow(folder: Path) -> dict[str, Any]:
    from ruamel.yaml import YAML

    return YAML(typ="safe").load((folder / ".github/workflows/wirebound.yml").read_text())


def commands(jobs: dict[str, Any]) -> list[list[str]]:
    runs = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    lines = [line.split() for run in runs for line in run.splitlines()]
    return [words for words in lines if words[0] == "wirebound"]


def test_a_workflow_checks_builds_and_publishes(project: Path, run) -> None:
    write(project / "schema.json", SCHEMA)
    code, out, err = run("init", "--ci", "github")
    assert code == 0, err
    assert out.splitlines()[-1] == "wrote   .github/workflows/wirebound.yml"
    jobs = workflow(project)["jobs"]
    assert list(jobs) == ["outputs", "breaking", "docs", "publish"]
    assert jobs["publish"]["permissions"]["id-token"] == "write"
    assert jobs["publish"]["needs"] == ["outputs", "docs"]
    assert "tags/v" in jobs["publish"]["if"]
    assert [words[1] for words in commands(jobs)] == ["generate", "diff", "docs", "package"]
    for _, verb, *rest in commands(jobs):
        command = cli.wirebound.get_command(None, verb)  # type: ignore[arg-type]
        command.make_context(verb, list(rest))  # a verb that there is, with options that it has


def test_a_workflow_alone_where_a_manifest_is_there(project: Path, run) -> None:
    write(project / "schema.json", SCHEMA)
    assert run("init", "--target", "jsonschema")[0] == 0
    before = (project / "wirebound.toml").read_bytes()
    code, out, err = run("init", "--ci", "github")
    assert (code, out) == (0, "wrote   .github/workflows/wirebound.yml\n"), err
    assert list(workflow(project)["jobs"]) == ["outputs", "breaking", "docs"]  # there is no package
    assert (project / "wirebound.toml").read_bytes() == before
    code, out, err = run("init", "--ci", "github")
    assert (code, out) == (2, "")
    assert ".github/workflows/wirebound.yml:1:1: exists: it is there already" in err


def test_nothing_is_written_where_the_workflow_is_there(project: Path, run) -> None:
    write(project / "schema.json", SCHEMA)
    write(project / ".github/workflows/wirebound.yml", "mine\n")
    assert run("init", "--ci", "github")[0] == 2
    assert files(project) == {"schema.json", ".github/workflows/wirebound.yml"}


def test_the_workflow_sees_what_breaks(project: Path, run) -> None:
    """Its commands, run as a pull request would: a base without the contract, a base with it, and a change that breaks."""
    write(project / "schema.json", SCHEMA)
    write(project / "readme.txt", "first\n")
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@shop.example"]

    def commit() -> str:
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "A state"], check=True)
        return subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()

    subprocess.run(["git", "init", "-q", "."], check=True)
    first = commit()
    assert run("init", "--name", "a shop", "--ci", "github")[0] == 2  # a name for folders
    assert run("init", "--name", "shop", "--ci", "github")[0] == 0
    second = commit()
    (step,) = (step["run"] for step in workflow(project)["jobs"]["breaking"]["steps"] if "diff" in step.get("run", ""))
    path = project.parent / "bin"
    write(path / "wirebound", f"#!{sys.executable}\nfrom codegen.cli import main\nmain()\n").chmod(0o755)
    environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    def checked(base: str) -> subprocess.CompletedProcess[str]:
        command = ["bash", "-e", "-c", step]
        return subprocess.run(command, env={**environment, "BASE": base}, capture_output=True, text=True)

    assert checked(first).returncode == 0
    assert checked(second).returncode == 0
    changed = {**SCHEMA, "$defs": {"Item": {**SCHEMA["$defs"]["Item"], "required": []}}}
    write(project / "schema/shop/1.0/schema.json", changed)
    ran = checked(second)
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("::error file=schema/shop/1.0/schema.json,line=1,")


@pytest.mark.parametrize("version", ["1.0-draft", "1.0-rc1", "1.0"])
def test_a_version_that_no_package_can_have_is_settled(project: Path, run, version: str) -> None:
    write(project / f"schema/shop/{version}/schema.json", SCHEMA)
    code, _, err = run("init", f"schema/shop/{version}/schema.json")
    assert code == 0, err
    assert run("generate")[0] == 0
    (made,) = (project / "generated/shop").glob("*/python/pyproject.toml")
    assert tomllib.loads(made.read_text())["project"]["version"] == {"1.0": "1.0.0"}.get(version, "0.1.0")
