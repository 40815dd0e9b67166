"""What the commands print for other programs: with ``--json``, one value on standard output, results and problems alike.

Must not look at words for people (``test_cli`` does).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from paper import MANIFEST, contract, install, record

from codegen import cli
from codegen.cli import Verbs, terminal, wirebound

PLAIN = {"init", "completion"}
"""Verbs that a person uses once, or a shell reads."""


def commands() -> list[tuple[str, click.Command]]:
    """Every command that does something, verbs of verbs included."""
    found: list[tuple[str, click.Command]] = []
    assert isinstance(wirebound, Verbs)
    context = click.Context(wirebound)
    for verb in wirebound.list_commands(context):
        command = wirebound.get_command(context, verb)
        assert command is not None
        inner = command.commands.items() if isinstance(command, click.Group) else [("", command)]
        found += [(f"{verb} {name}".strip(), one) for name, one in inner]
    return found


@pytest.mark.parametrize(("verb", "command"), commands(), ids=[verb for verb, _ in commands()])
def test_every_verb_that_a_script_reads_has_json(verb: str, command: click.Command) -> None:
    options = {option for parameter in command.params for option in parameter.opts}
    assert ("--json" in options) == (verb not in PLAIN)
    told = command.help or ""
    examples = told.partition("Example")[2]
    assert verb in PLAIN or verb.startswith("i18n ") or f"wirebound {verb}" in examples
    assert verb in PLAIN or verb.startswith("i18n ") or "--json" in examples


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "site").mkdir()
    monkeypatch.syspath_prepend(install(tmp_path / "site"))
    project = tmp_path / "project"
    contract(project, Item=record("id", "price"), Order=record("items"))
    (project / "wirebound.toml").write_text(MANIFEST)
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str, code: int = 0) -> Any:
        assert cli.run([*arguments, "--json"]) == code
        said = capsys.readouterr()
        assert said.err == ""
        return json.loads(said.out)

    return run


OUT = "generated/shop/1.0/paper"
SCHEMA = "schema/shop/1.0/schema.json"


def test_generate_and_check(shop: Path, told: Any) -> None:
    stale = told("generate", "--check", code=1)
    assert {"kind": "missing", "path": f"{OUT}/about.txt"} in stale["changes"] and stale["problems"] == []
    written = told("generate")
    assert written["recovered"] is False
    assert {"kind": "written", "path": f"{OUT}/sheets/Item.txt"} in written["changes"]
    assert told("generate") == {"recovered": False, "changes": []}
    assert told("generate", "--check") == {"changes": [], "problems": []}
    (shop / OUT / "about.txt").write_text("mine")
    edited = told("generate", "--check", code=1)
    assert [change["kind"] for change in edited["changes"]] == ["stale"]
    assert [problem["code"] for problem in edited["problems"]] == ["edited"]


def test_problems_are_a_value_too(shop: Path, told: Any) -> None:
    contract(shop, Bad=record("a"))
    (problem,) = told("generate", code=2)["problems"]
    assert list(problem) == ["code", "message", "help", "path", "line", "column", "pointer"]
    assert (problem["code"], problem["path"], problem["pointer"]) == ("bad-paper", SCHEMA, "/$defs/Bad")
    assert problem["line"] == 4
    assert [one["code"] for one in told("lint", "none.json", code=2)["problems"]] == ["cannot-read"]


def test_build_show_and_lint(shop: Path, told: Any) -> None:
    made = told("build", SCHEMA, "--target", "paper", "--out", "build/paper")
    assert {"kind": "written", "path": "build/paper/about.txt"} in made["changes"]
    assert told("show", SCHEMA)["definitions"]
    assert {finding["code"] for finding in told("lint", SCHEMA, code=1)} >= {"undocumented-field"}


def test_diff(shop: Path, told: Any) -> None:
    contract(shop, "1.1", Item=record("id"), Order=record("items"))
    report = told("diff", "schema/shop/1.0", "schema/shop/1.1", code=1)
    assert any(change["kind"] == "field-removed" for change in report["changes"])


def test_translations(shop: Path, told: Any) -> None:
    schema = json.loads((shop / SCHEMA).read_text())
    schema["$defs"]["Item"]["description"] = "A thing."
    (shop / SCHEMA).write_text(json.dumps(schema))
    updated = told("i18n", "update", "ko")
    assert updated["written"] == ["schema/shop/i18n/ko.toml"]
    expected = {"state": "missing", "place": "item", "text": "A thing."}
    assert {"contract": "shop", **expected} in updated["findings"]
    assert {"contract": "shop", "language": "ko", **expected} in told("i18n", "status", code=1)


def test_docs(shop: Path, told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.docs_pipeline.can_search", lambda: True)
    written = told("docs", "--out", "site")
    assert {"kind": "written", "path": "site/index.html"} in written["changes"]


def test_colour_is_off_where_the_user_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert terminal.is_coloured()
    monkeypatch.setenv("NO_COLOR", "")
    assert terminal.is_coloured()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal.is_coloured()
