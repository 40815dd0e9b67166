"""``wirebound diff``: what it compares, what it prints in each form, what makes it fail, and what is accepted."""

from __future__ import annotations

import json
import subprocess
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from codegen import cli, diff_pipeline
from codegen.errors import ManifestError, WireboundError
from codegen.evolve.surface import differences

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Any = {"type": "string"}


def order(closed: bool = True, **members: Any) -> Any:
    schema = {"type": "object", "properties": {"id": TEXT, **members}, "required": ["id"]}
    return {**schema, "additionalProperties": False} if closed else schema


def contract(**definitions: Any) -> str:
    return json.dumps({"$schema": DIALECT, "$defs": definitions}, indent=1)


OLD = contract(Order=order(state={"enum": ["open", "paid"]}, sum={"type": "integer"}))
NEW = contract(
    Order=order(state={"enum": ["open", "paid", "late"]}, sum={"type": "integer", "minimum": 0}, note=TEXT),
    Receipt=order(),
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two versions of a contract."""
    for version, text in (("1.0", OLD), ("1.1", NEW)):
        (tmp_path / "schema/shop" / version).mkdir(parents=True)
        (tmp_path / "schema/shop" / version / "schema.json").write_text(text)
    (tmp_path / "wirebound.toml").write_text('[contracts.shop]\npath = "schema/shop"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Run:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        code = cli.run(["diff", *arguments])
        told = self.capsys.readouterr()
        return code, told.out, told.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


VERSIONS = ("schema/shop/1.0", "schema/shop/1.1")

TOLD = """\
schema/shop/1.0/schema.json → schema/shop/1.1/schema.json

Order
  + state  new value: "late"
      read breaking: old readers meet a value that they do not know
        {"id": "text", "state": "late"}  (Order)
      source breaking: a match over the values is no longer exhaustive
      at schema/shop/1.1/schema.json:11:6
  ~ sum  minimum changed: none → 0
      write breaking: old writers may send what is out of the new bounds
        {"id": "text", "sum": -1}  (Order)
      at schema/shop/1.1/schema.json:19:6
  + note  new member: optional text
      read breaking: the object is closed: old readers refuse a member that they do not know
        {"id": "text", "note": "text"}  (Order)
      at schema/shop/1.1/schema.json:21:5

Receipt
  + new definition: record

write breaking · read breaking · source breaking · version step major
"""


# --- what is compared -------------------------------------------------------------------------------------------------


def test_documents_folders_of_a_version_and_of_versions(shop: Path, run: Run) -> None:
    assert run(*VERSIONS) == (1, TOLD, "")
    assert run(*(f"{version}/schema.json" for version in VERSIONS)) == (1, TOLD, "")
    assert run("schema/shop/1.0", "schema/shop") == (1, TOLD, "")


def test_nothing_changed(shop: Path, run: Run) -> None:
    code, out, err = run("schema/shop/1.1", "schema/shop")
    assert (code, err) == (0, "")
    assert "nothing changed" in out and "version step none" in out


def git(*arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], check=True, capture_output=True)


def test_revisions(shop: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "-b", "trunk")
    git("add", ".")
    git("commit", "-m", "one")
    (shop / "schema/shop/1.1/schema.json").write_text(OLD)
    git("commit", "-am", "two")
    code, out, err = run("git:HEAD:schema/shop/1.1", "git:HEAD~1:schema/shop/1.1/schema.json")
    assert (code, err) == (1, "")
    assert out.startswith("git:HEAD:schema/shop/1.1/schema.json → git:HEAD~1:schema/shop/1.1/schema.json\n")
    assert "at git:HEAD~1:schema/shop/1.1/schema.json:11:6" in out
    # The newest version of a folder; from here, where a path begins so.
    assert run("git:HEAD:schema/shop", "schema/shop/1.0")[0] == 0
    monkeypatch.chdir(shop / "schema")
    assert run("git:HEAD:./shop/1.0", "git:HEAD~1:schema/shop")[0] == 1
    # What a revision holds beside a document is read from the revision too.
    monkeypatch.chdir(shop)
    parts = contract(Order=order(by={"$ref": "people.json#/$defs/Person"}))
    (shop / "schema/shop/1.1/schema.json").write_text(parts)
    (shop / "schema/shop/1.1/people.json").write_text(contract(Person=order()))
    git("add", ".")
    git("commit", "-am", "three")
    (shop / "schema/shop/1.1/people.json").unlink()
    assert run("git:HEAD:schema/shop/1.1", "git:HEAD:schema/shop/1.1")[0] == 0


def test_names_of_the_ledger_hold_for_a_revision(shop: Path, run: Run) -> None:
    (shop / "schema/shop/names.toml").write_text(
        '[definitions.Purchase]\nanchor = "Purchase"\nplaces."1.1" = "#/$defs/Purchase"\nformer = ["Order"]\n'
    )
    (shop / "schema/shop/1.1/schema.json").write_text(contract(Purchase=order(note=TEXT)))
    (shop / "schema/shop/1.0/schema.json").write_text(contract(Order=order(note=TEXT)))
    git("init", "-b", "trunk")
    git("add", ".")
    git("commit", "-m", "one")
    for sides in (VERSIONS, tuple(f"git:HEAD:{version}" for version in VERSIONS)):
        code, out, _ = run(*sides)
        assert (code, "definition renamed: Order → Purchase" in out) == (0, True)


@pytest.mark.parametrize(
    ("spelled", "code"),
    [
        ("git:HEAD", "bad-revision"),
        ("git::a", "bad-revision"),
        ("git:nowhere:schema/shop/1.0", "unknown-revision"),
        ("git:HEAD:schema/nothing", "unknown-revision"),
        ("git:--upload-pack=x:schema", "unknown-revision"),
        ("git:HEAD:empty", "no-versions"),
        ("empty", "no-versions"),
        ("nothing.json", "cannot-read"),
    ],
)
def test_what_is_not_there(shop: Path, run: Run, spelled: str, code: str) -> None:
    (shop / "empty").mkdir()
    (shop / "empty/readme").write_text("")
    git("init", "-b", "trunk")
    git("add", ".")
    git("commit", "-m", "one")
    exit_code, out, err = run(spelled, "schema/shop/1.1")
    assert (exit_code, out) == (2, "")
    assert f": {code}: " in err and "help: " in err and "Traceback" not in err


def test_problems_of_both_versions_at_their_places(shop: Path, run: Run) -> None:
    for version in VERSIONS:
        (shop / version / "schema.json").write_text(contract(Order={"$ref": "#/$defs/Nothing"}))
    git("init", "-b", "trunk")
    git("add", ".")
    git("commit", "-m", "one")
    code, _, err = run(f"git:HEAD:{VERSIONS[0]}", VERSIONS[1])
    assert code == 2
    assert "git:HEAD:schema/shop/1.0/schema.json:5:4: dangling-reference" in err
    assert "\nschema/shop/1.1/schema.json:5:4: dangling-reference" in err


# --- what fails -------------------------------------------------------------------------------------------------------


def test_what_makes_it_fail(shop: Path, run: Run) -> None:
    (shop / "schema/shop/1.1/schema.json").write_text(
        contract(Order=order(state={"enum": ["open"]}, sum={"type": "integer"}))
    )
    assert run(*VERSIONS, "--fail-on", "write")[0] == 1
    assert run(*VERSIONS, "--fail-on", "read")[0] == 0
    assert run(*VERSIONS, "--fail-on", "read", "--fail-on", "source")[0] == 1
    assert run(*VERSIONS, "--fail-on", "none")[0] == 0


def test_what_is_not_proven_counts(shop: Path, run: Run) -> None:
    for version, pattern in zip(VERSIONS, ("^(?=.*a)(?=.*b)[ab]{40}$", "^(?=.*b)(?=.*a)[ab]{40}$"), strict=True):
        text = contract(Order=order(code={"type": "string", "pattern": pattern}))
        (shop / version / "schema.json").write_text(text)
    code, out, _ = run(*VERSIONS)
    assert code == 1
    assert "write unknown" in out and "breaking" not in out


# --- policies ---------------------------------------------------------------------------------------------------------

POLICY = """
[contracts.shop.policy]
receivers = "tolerant"
open_world = true
roots = { Order = "response" }
"""


def test_the_policy_of_the_manifest(shop: Path, run: Run) -> None:
    manifest = shop / "wirebound.toml"
    manifest.write_text(manifest.read_text() + POLICY)
    code, out, err = run(*VERSIONS)
    assert (code, err) == (0, "")
    assert out.endswith("write compatible · read compatible · source compatible · version step minor\n")
    # A command line states some of it otherwise.
    assert "read breaking" in run(*VERSIONS, "--policy", "receivers=exact")[1]
    assert "write breaking" in run(*VERSIONS, "--policy", "roots.Order=request")[1]


def test_reserved_and_free_names(shop: Path, run: Run) -> None:
    for version, members in zip(VERSIONS, ({}, {"note": TEXT}), strict=True):
        (shop / version / "schema.json").write_text(contract(Order=order(closed=False, **members)))
    assert run(*VERSIONS)[0] == 0
    code, out, _ = run(*VERSIONS, "--policy", "undeclared=free")
    assert code == 1
    assert "write breaking: old writers were free to use the name for other values" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('receivers = "lenient"', 'wirebound.toml:4:1: bad-value: receivers is "lenient"'),
        ("open_world = 1", "wirebound.toml:4:1: wrong-type: open_world is an integer"),
        ('reserved = "yes"', 'wirebound.toml:4:1: unknown-key: "reserved"'),
        ('roots = { Order = "sideways" }', 'wirebound.toml:4:11: bad-value: Order is "sideways"'),
        (
            'roots = { Nothing = "both" }',
            'wirebound.toml:4:11: unknown-definition: neither version has a definition "Nothing"',
        ),
    ],
)
def test_a_policy_that_cannot_be_followed(shop: Path, run: Run, text: str, message: str) -> None:
    manifest = shop / "wirebound.toml"
    manifest.write_text(manifest.read_text() + f"[contracts.shop.policy]\n{text}\n")
    code, out, err = run(*VERSIONS)
    assert (code, out) == (2, "")
    assert message in err


def test_a_policy_on_the_command_line_that_cannot_be_followed(shop: Path, run: Run) -> None:
    code, _, err = run(*VERSIONS, "--policy", "undeclared=maybe")
    assert (code, 'bad-value: undeclared is "maybe"' in err) == (2, True)
    assert run(*VERSIONS, "--policy", "undeclared")[0] == 2


def test_messages_and_their_directions(shop: Path) -> None:
    """What is inside of messages alone is judged by them; what is in none breaks nobody on the wire."""
    old = contract(
        Ask={"type": "object", "properties": {"part": {"$ref": "#/$defs/Part"}}},
        Part=order(),
        Loose=order(),
        Gone=order(),
    )
    new = contract(
        Ask={"type": "object", "properties": {"part": {"anyOf": [{"$ref": "#/$defs/Part"}, {"type": "object"}]}}},
        Part={**order(extra=TEXT), "required": ["id", "extra"]},
        Loose=order(extra=TEXT),
    )
    for version, text in zip(VERSIONS, (old, new), strict=True):
        (shop / version / "schema.json").write_text(text)
    roots = {"roots.Ask": "request"}
    report = diff_pipeline.diff(*VERSIONS, policy=roots)
    answers = {
        (one.change.kind, str(one.change.place)): (one.write.answer, one.read.answer)
        for one in report.assessment.changes
    }
    # A part without "extra" is still taken, as any object: the message that holds it is received.
    assert answers["field-added", "Part.extra"] == ("compatible", "compatible")
    assert answers["field-added", "Loose.extra"] == ("compatible", "compatible")
    assert (report.assessment.write.answer, report.assessment.read.answer) == ("compatible", "compatible")
    gone = diff_pipeline.diff(*VERSIONS, policy={"roots.Gone": "request"}).assessment
    assert gone.write.answer == "breaking"
    assert [one.write.answer for one in gone.changes if one.change.place.definition == "Gone"] == ["breaking"]


# --- exceptions -------------------------------------------------------------------------------------------------------

ACCEPTED = """
[[exceptions]]
at = "Order.sum"
kind = "minimum-changed"
reason = "Nobody pays less than nothing."
expires = "2030-06-30"

[[exceptions]]
at = "Order.state"
axes = ["source"]
reason = "Matches have a default."
expires = "2030-12-31"

[[exceptions]]
at = "Order.gone"
reason = "Long gone."
expires = "2030-12-31"
"""


def test_accepted_changes(shop: Path, run: Run) -> None:
    (shop / "schema/shop/exceptions.toml").write_text(ACCEPTED)
    report = diff_pipeline.diff(*VERSIONS, today=date(2030, 6, 30))
    assert {(str(one.judged.change.place), one.axis) for one in report.failures if one.judged} == {
        ("Order.state", "read"),
        ("Order.note", "read"),
    }
    assert [one.at for one in report.unused] == ["Order.gone"]
    later = diff_pipeline.diff(*VERSIONS, today=date(2030, 7, 1))
    assert ("Order.sum", "write") in {(str(one.judged.change.place), one.axis) for one in later.failures if one.judged}
    told = diff_pipeline.render(report, "text", width=120, color=False)
    assert (
        "write breaking: old writers may send what is out of the new bounds (accepted until 2030-06-30: Nobody" in told
    )
    assert "the exception for Order.gone covers nothing: it can go" in told
    assert "which is over" in diff_pipeline.render(later, "text", width=120, color=False)
    # Elsewhere than beside the contract.
    (shop / "schema/shop/exceptions.toml").rename(shop / "mine.toml")
    assert run(*VERSIONS, "--fail-on", "source")[0] == 1
    assert run(*VERSIONS, "--fail-on", "source", "--exceptions", "mine.toml")[0] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('at = "A"\nexpires = "2030-01-01"', 'missing-key: "reason"'),
        ('at = "A"\nreason = " "\nexpires = "2030-01-01"', "bad-value: reason is empty"),
        ('at = "A"\nreason = "b"', 'missing-key: "expires"'),
        ('at = "A"\nreason = "b"\nexpires = "soon"', 'bad-value: expires is "soon"'),
        ('at = "A"\nreason = "b"\nexpires = "2030-01-01"\nkind = "changed"', 'bad-value: kind is "changed"'),
        ('at = "A"\nreason = "b"\nexpires = "2030-01-01"\naxes = ["wire"]', 'bad-value: an axis is "wire"'),
        ('at = "A"\nreason = "b"\nexpires = "2030-01-01"\nuntil = 1', 'unknown-key: "until"'),
    ],
)
def test_exceptions_that_cannot_be_followed(shop: Path, text: str, message: str) -> None:
    (shop / "schema/shop/exceptions.toml").write_text(f"[[exceptions]]\n{text}\n")
    with pytest.raises(ManifestError, match=r"exceptions\.toml:") as refused:
        diff_pipeline.diff(*VERSIONS)
    assert message in str(refused.value)


# --- forms ------------------------------------------------------------------------------------------------------------

HOSTILE = contract(Order=order(**{"a`|<b>\u202e%,:": TEXT}, note={**TEXT, "description": "a\n::error::b\n```"}))


@pytest.fixture
def hostile(shop: Path) -> tuple[str, str]:
    (shop / "schema/shop/1.1/schema.json").write_text(HOSTILE)
    return VERSIONS


def test_json(shop: Path, run: Run) -> None:
    (shop / "schema/shop/exceptions.toml").write_text(ACCEPTED)
    code, out, _ = run(*VERSIONS, "--format", "json")
    told = json.loads(out)
    assert (code, told["wirebound"], told["step"]) == (1, 1, "major")
    assert {axis: verdict["answer"] for axis, verdict in told["overall"].items()} == dict.fromkeys(
        ("write", "read", "source"), "breaking"
    )
    added = next(change for change in told["changes"] if change["path"] == "note")
    assert added["kind"] == "field-added"
    assert added["at"] == {
        "old": None,
        "new": "#/$defs/Order/properties/note",
        "file": "schema/shop/1.1/schema.json",
        "line": 21,
        "column": 5,
    }
    assert added["verdicts"]["read"]["witness"] == {"definition": "Order", "document": {"id": "text", "note": "text"}}
    accepted = next(change for change in told["changes"] if change["path"] == "sum")["accepted"]
    assert accepted["write"]["reason"] == "Nobody pays less than nothing."


def test_github(hostile: tuple[str, str], run: Run) -> None:
    _, out, _ = run(*hostile, "--format", "github")
    lines = out.splitlines()
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)
    assert lines[-1].startswith("::notice title=wirebound diff::write breaking")
    assert any(line.startswith("::error file=schema/shop/1.1/schema.json,line=") for line in lines)


def test_junit(hostile: tuple[str, str], run: Run) -> None:
    _, out, _ = run(*hostile, "--format", "junit")
    suite = ElementTree.fromstring(out)
    cases = suite.findall("testcase")
    assert suite.attrib["tests"] == str(len(cases))
    assert suite.attrib["failures"] == str(len(suite.findall("testcase/failure"))) != "0"
    assert {case.attrib["name"] for case in cases} >= {"write", "read", "source"}


def test_junit_tells_accepted_changes_as_skipped(shop: Path, run: Run) -> None:
    (shop / "schema/shop/exceptions.toml").write_text(ACCEPTED)
    suite = ElementTree.fromstring(run(*VERSIONS, "--format", "junit")[1])
    assert [
        case.attrib["name"].split(":")[0] for case in suite.findall("testcase") if case.find("skipped") is not None
    ] == ["Order.sum"]


def test_sarif(hostile: tuple[str, str], run: Run) -> None:
    _, out, _ = run(*hostile, "--format", "sarif")
    log = json.loads(out)
    assert log["version"] == "2.1.0"
    (one,) = log["runs"]
    rules = {rule["id"] for rule in one["tool"]["driver"]["rules"]}
    assert one["results"] and {result["ruleId"] for result in one["results"]} == rules
    for result in one["results"]:
        assert result["level"] in ("error", "warning")
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].startswith("schema/shop/1.")
        assert place["region"]["startLine"] > 0


def test_sarif_suppresses_what_is_accepted(shop: Path, run: Run) -> None:
    (shop / "schema/shop/exceptions.toml").write_text(ACCEPTED)
    results = json.loads(run(*VERSIONS, "--format", "sarif")[1])["runs"][0]["results"]
    accepted = [result for result in results if "suppressions" in result]
    assert [result["ruleId"] for result in accepted] == ["value-added", "minimum-changed"]
    assert all(result["level"] == "warning" for result in accepted)


def test_markdown(hostile: tuple[str, str], run: Run) -> None:
    _, out, _ = run(*hostile, "--format", "markdown")
    html = MarkdownIt().enable("table").render(out)
    assert "&lt;b&gt;" in html and "<b>" not in html
    assert "a`|" in html  # the backtick of a name ends no code span
    assert "| version step | major |" in out and "<td>major</td>" in html


def test_colour_only_for_a_terminal(shop: Path) -> None:
    report = diff_pipeline.diff(*VERSIONS)
    assert "\x1b[" not in diff_pipeline.render(report, "text", width=80, color=False)
    assert "\x1b[" in diff_pipeline.render(report, "text", width=80, color=True)


def test_nothing_is_written(shop: Path, run: Run) -> None:
    before = sorted(shop.rglob("*"))
    run(*VERSIONS)
    assert sorted(shop.rglob("*")) == before


# --- surfaces ---------------------------------------------------------------------------------------------------------


def test_surfaces_of_a_target() -> None:
    old = {"Order.id": "str", "Order.note": "str | None", "Order.old": "str"}
    new = {"Order.id": "str", "Order.note": "str | None | Absent", "Order.tag": "str"}
    found = [(one.kind, one.name, one.before, one.after, one.is_breaking) for one in differences(old, new)]
    assert found == [
        ("changed", "Order.note", "str | None", "str | None | Absent", True),
        ("added", "Order.tag", "", "str", False),
        ("removed", "Order.old", "str", "", True),
    ]
    assert differences(old, old) == ()


def test_problems_of_a_manifest_are_told(shop: Path) -> None:
    (shop / "wirebound.toml").write_text("[contracts.shop]\n")
    with pytest.raises(WireboundError, match="missing-key"):
        diff_pipeline.diff(*VERSIONS)
