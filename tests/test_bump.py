"""``wirebound bump``: what it installs, shows and writes, what it refuses, and that it does all or nothing at every moment.

``WIREBOUND_KILLS`` is the number of moments at which a run is killed (8 by default); ``WIREBOUND_SEED`` repeats their choice.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from codegen import cli, docs_pipeline

KILLS = int(os.environ.get("WIREBOUND_KILLS", "8"))
SEED = int(os.environ.get("WIREBOUND_SEED", time.time_ns() % 1_000_000))

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Any = {"type": "string"}
MANIFEST = """\
[contracts.shop]
path = "schema/shop"
protocol_version = "$id"

[[jobs]]
contract = "shop"
target = "python"

[[jobs]]
contract = "shop"
target = "markdown"
name = "reference"
languages = ["en", "ko"]
"""
OUTLINE = '[[sections]]\nid = "all"\ntitle = "All"\nmembers = ["*"]\n'
KOREAN = "schema/shop/i18n/ko.toml"


def contract(version: str = "", about: str = "What somebody wants.", closed: bool = True, **definitions: Any) -> str:
    order: Any = {"description": about, "type": "object", "properties": {"id": TEXT}, "required": ["id"]}
    order["properties"] |= definitions.pop("members", {})
    if closed:
        order["additionalProperties"] = False
    named = {"$id": f"https://shop.example/{version}/schema.json"} if version else {}
    return json.dumps({**named, "$schema": DIALECT, "$defs": {"Order": order, **definitions}}, indent=1)


OLD = contract("1.0")
NEW = contract("1.1", "What somebody wants, and how.", members={"note": {**TEXT, "description": "How."}}, Receipt=TEXT)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a project, but what a run leaves for the next one."""
    found = (path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in found}
    return {name: path.read_bytes() for name, path in names.items() if not name.startswith(".wirebound/")}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one version, generated and translated; the next one lies in ``new/``."""
    folder = tmp_path / "project"
    write(folder / "wirebound.toml", MANIFEST)
    write(folder / "schema/shop/1.0/schema.json", OLD)
    write(folder / "schema/shop/1.0/examples/Order/one.json", '{"id": "a"}\n')
    write(folder / "schema/shop/outline.toml", OUTLINE)
    monkeypatch.chdir(folder)
    assert cli.run(["i18n", "update", "ko"]) == 0
    path = folder / KOREAN
    path.write_text(path.read_text("utf-8").replace('text = ""', 'text = "누군가 바라는 것."'), "utf-8")
    assert cli.run(["generate"]) == 0
    write(tmp_path / "new/shop.json", NEW)
    return folder


class Run:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self.capsys.readouterr()
        code = cli.run(["bump", *arguments])
        told = self.capsys.readouterr()
        return code, told.out, told.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


# --- what it does -----------------------------------------------------------------------------------------------------

TOLD = """\
schema/shop/1.0/schema.json → schema/shop/1.1/schema.json

Order
  + note  new member: optional text
      read breaking: the object is closed: old readers refuse a member that they do not know
        {"id": "text", "note": "text"}  (Order)
      at schema/shop/1.1/schema.json:12:5

Receipt
  + new definition: alias

1 description or examples changed

write compatible · read breaking · source compatible · version step major
"""


def test_everything_that_follows_is_there_at_once(shop: Path, run: Run) -> None:
    before = tree(shop)
    code, out, _ = run("../new/shop.json")
    assert code == 0 and out.startswith(TOLD), out
    after = tree(shop)
    assert after["schema/shop/1.1/schema.json"].decode() == NEW
    assert before.keys() <= after.keys()
    assert {name for name in before if before[name] != after[name]} == {"schema/shop/names.toml", KOREAN}
    assert 'places."1.1" = "#/$defs/Receipt"' in after["schema/shop/names.toml"].decode()
    assert "[frozen]" in after["schema/shop/names.toml"].decode()
    assert cli.run(["generate", "--check"]) == 0
    assert docs_pipeline.site(shop / "wirebound.toml", search=False)["shop/1.1/en/changes.html"]


def test_what_is_told_besides_the_verdict(shop: Path, run: Run) -> None:
    code, out, err = run("../new/shop.json")
    files = len(tree(shop))
    assert code == 0
    assert "  python: package 1.1.0 (after 1.0.0)\n" in out
    assert "  ko: 1 translation missing\n  ko: 1 translation stale\n" in out
    assert "the contract takes a major step, and 1.1.0 is none after 1.0.0" in err
    assert "wirebound i18n status ko" in err and files > 20
    assert "shop 1.1: " in out


def test_a_version_that_says_how_it_grows_is_not_complained_about(shop: Path, run: Run) -> None:
    code, out, err = run("../new/shop.json", "--version", "2.0")
    assert (code, "major step" in err) == (2, False)
    assert '"$id" is "https://shop.example/1.1/schema.json", without a segment "2.0"' in err
    write(shop.parent / "new/shop.json", NEW.replace("/1.1/", "/2.0/"))
    code, out, err = run("../new/shop.json")
    assert code == 0 and "package 2.0.0 (after 1.0.0)" in out and "major step" not in err


def test_a_dry_run_shows_the_same_and_writes_nothing(shop: Path, run: Run) -> None:
    before = {path: path.stat().st_mtime_ns for path in shop.rglob("*")}
    code, dry, _ = run("../new/shop.json", "--dry-run")
    assert code == 0
    assert {path: path.stat().st_mtime_ns for path in shop.rglob("*")} == before
    code, wet, _ = run("../new/shop.json")
    assert code == 0 and dry.replace("would be written", "written") == wet


def test_translations_are_carried_over_and_stale_ones_marked(shop: Path, run: Run) -> None:
    assert run("../new/shop.json")[0] == 0
    text = (shop / KOREAN).read_text("utf-8")
    assert (
        "# What somebody wants, and how.\n" in text and text.count("stale = true") == 2
    )  # one is in the first comment
    assert '[entries."order.note"]\n# How.\ntext = ""' in text
    assert '[entries."order@' in text and text.count("누군가 바라는 것.") == 2
    assert "누군가 바라는 것" in (shop / "generated/shop/1.0/reference/ko.md").read_text("utf-8")
    assert "누군가 바라는 것" not in (shop / "generated/shop/1.1/reference/ko.md").read_text("utf-8")


def test_the_changelog_is_markdown_whose_links_lead_somewhere(shop: Path, run: Run) -> None:
    assert run("../new/shop.json")[0] == 0
    log = shop / "schema/shop/CHANGELOG.md"
    text = log.read_text("utf-8")
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# Changelog of shop",
        "## [1.1](../../generated/shop/1.1/reference/en.md)",
        "### Breaking",
        "### Added",
        "### Described anew",
    ]
    assert ": new member: `optional text` (breaks those who read as before)" in text
    links = [
        child.attrs["href"]
        for token in MarkdownIt().parse(text)
        for child in token.children or []
        if child.type == "link_open"
    ]
    assert len(links) == 4
    for link in links:
        address, _, anchor = str(link).partition("#")
        assert f'<a id="{anchor}"></a>' in (log.parent / address).read_text("utf-8") or not anchor, link


def test_the_next_version_stands_above_and_what_is_written_by_hand_stays(shop: Path, run: Run) -> None:
    assert run("../new/shop.json")[0] == 0
    log = shop / "schema/shop/CHANGELOG.md"
    log.write_text(log.read_text("utf-8").replace("### Breaking", "Be warned: by hand.\n\n### Breaking"), "utf-8")
    held = log.read_text("utf-8")
    write(shop.parent / "new/shop.json", NEW.replace("/1.1/", "/1.2/").replace('"note"', '"remark"'))
    assert run("../new/shop.json")[0] == 0
    text = log.read_text("utf-8")
    head, section, rest = text[: held.index("## ")], text[held.index("## ") : -len(held[held.index("## ") :])], held
    assert text == head + section + rest[rest.index("## ") :]
    assert section.startswith("## [1.2](") and "`Order.remark`" in section and section.endswith("\n\n")


def test_a_contract_without_a_reference_has_a_changelog_without_links(shop: Path, run: Run) -> None:
    write(shop / "wirebound.toml", MANIFEST[: MANIFEST.rindex("[[jobs]]")])
    assert cli.run(["generate"]) == 0
    assert run("../new/shop.json")[0] == 0
    text = (shop / "schema/shop/CHANGELOG.md").read_text("utf-8")
    assert "\n## 1.1\n" in text and "- `Order.note`: new member" in text and "](" not in text


def test_the_folder_of_a_version_comes_with_everything_in_it(shop: Path, run: Run) -> None:
    new = shop.parent / "new/1.1"
    write(new / "schema.json", NEW)
    write(new / "examples/Order/two.json", '{"id": "b", "note": "c"}\n')
    write(new / "fixtures/Order/valid/one.json", '{"id": "b"}\n')
    write(new / ".hidden", "")
    assert run("../new/1.1")[0] == 0
    below = {name.removeprefix("schema/shop/1.1/") for name in tree(shop) if name.startswith("schema/shop/1.1/")}
    assert below == {"schema.json", "examples/Order/two.json", "fixtures/Order/valid/one.json"}
    assert '"note": "c"' in (shop / "generated/shop/1.1/python/README.md").read_text()


def test_an_overlay_is_carried_over_and_other_files_come_along(shop: Path, run: Run) -> None:
    overlay = (
        "overlay: 1.0.0\ninfo: {title: more, version: 1.0.0}\nactions:\n"
        "  - {target: \"$['$defs'].Order\", update: {title: Order}}\n"
    )
    write(shop / "schema/shop/1.0/overlay.yaml", overlay)
    assert cli.run(["generate"]) == 0
    new = json.loads(NEW)
    new["$defs"]["Order"]["properties"]["part"] = {"$ref": "parts/part.json"}
    write(shop.parent / "new/shop.json", json.dumps(new))
    write(shop.parent / "new/parts/part.json", json.dumps({"$schema": DIALECT, "title": "Part", "type": "object"}))
    assert run("../new/shop.json")[0] == 0
    assert (shop / "schema/shop/1.1/overlay.yaml").read_text() == overlay
    assert (shop / "schema/shop/1.1/parts/part.json").is_file()
    assert cli.run(["generate", "--check"]) == 0


def test_a_contract_in_a_revision(shop: Path, run: Run) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], check=True, capture_output=True)

    git("init", "-b", "trunk")
    write(shop / "next/shop.json", NEW)
    git("add", ".")
    git("commit", "-m", "one")
    shutil.rmtree(shop / "next")
    assert run("git:HEAD:next/shop.json")[0] == 0
    assert (shop / "schema/shop/1.1/schema.json").read_text() == NEW


SECOND = """
[contracts.bank]
path = "schema/bank"

[[jobs]]
contract = "bank"
target = "python"
versions = ["2024-01-01"]
"""


def test_the_contract_that_it_belongs_to_is_known_by_its_id_or_named(shop: Path, run: Run) -> None:
    write(shop / "wirebound.toml", MANIFEST + SECOND)
    write(shop / "schema/bank/2024-01-01/schema.json", contract())
    assert cli.run(["generate"]) == 0
    assert run("../new/shop.json")[0] == 0
    write(shop.parent / "new/bank.json", contract(members={"sum": TEXT}))
    code, _, err = run("../new/bank.json", "--version", "2025-01-01")
    assert code == 2 and "bank.json:1:1: which-contract:" in err and "help: pass --contract NAME" in err
    code, _, err = run("../new/bank.json", "--version", "2025-01-01", "--contract", "bang")
    assert code == 2 and 'unknown-contract: there is no contract "bang"' in err and "bank" in err.partition("help: ")[2]
    code, _, err = run("../new/bank.json", "--version", "2025-01-01", "--contract", "bank")
    assert code == 0
    assert 'the job "python" states its versions: add "2025-01-01"' in err
    assert not (shop / "generated/bank/2025-01-01").exists()
    assert cli.run(["generate", "--check"]) == 0


def test_programs_are_told_the_same_as_one_value(shop: Path, run: Run) -> None:
    code, out, _ = run("../new/shop.json", "--json", "--dry-run")
    told = json.loads(out)
    assert code == 0 and told["dry_run"] is True and "schema/shop/1.1/schema.json" in told["written"]
    code, out, _ = run("../new/shop.json", "--json")
    assert code == 0 and json.loads(out) == {**told, "dry_run": False}
    assert (told["contract"], told["version"], told["deleted"]) == ("shop", "1.1", [])
    assert told["packages"] == [{"job": "python", "version": "1.1.0", "before": "1.0.0", "needs_major_step": True}]
    assert {(one["state"], one["place"]) for one in told["translations"]} == {
        ("stale", "order"),
        ("missing", "order.note"),
    }
    assert {change["kind"] for change in told["report"]["changes"]} >= {"field-added", "definition-added"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (contract("", "What somebody wants, and how."), "1.1: the contract takes a docs step"),
        (contract("", Receipt=TEXT), "1.1: the contract takes a minor step"),
        (contract("", members={"note": TEXT}), "2.0: the contract takes a major step"),
    ],
)
def test_a_version_is_suggested_by_what_changed(shop: Path, run: Run, text: str, said: str) -> None:
    write(shop.parent / "new/shop.json", text)
    code, _, err = run("../new/shop.json")
    assert code == 2 and f"help: pass --version VERSION, such as {said} from 1.0" in err


# --- what it refuses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "arguments", "code", "said"),
    [
        (contract(), (), "no-version", "it does not say which version it is"),
        (NEW, ("--version", "1.0"), "version-exists", 'shop has a version "1.0" already'),
        (NEW, ("--version", "0.9"), "version-older", 'version "0.9" is older than "1.0"'),
        (NEW, ("--version", "a/b"), "bad-name", 'the version "a/b" cannot be used'),
        (OLD, ("--version", "1.1"), "same-contract", 'it is version "1.0", byte for byte'),
        ('{"$defs": {"A": {"propertes": {}}}}', ("--version", "1.1"), "unknown-keyword", "propertes"),
        (NEW[:-1], (), "not-json", ""),
    ],
)
def test_refusals_leave_everything_as_it_was(
    shop: Path, run: Run, text: str, arguments: tuple[str, ...], code: str, said: str
) -> None:
    write(shop.parent / "new/shop.json", text)
    before = tree(shop)
    ran = run("../new/shop.json", *arguments)
    assert ran[0] == 2 and f": {code}: " in ran[2] and said in ran[2], ran
    assert "new/shop.json:" in ran[2]
    assert tree(shop) == before and not (shop / "schema/shop/1.1").exists()


def test_problems_of_later_stages_are_told_at_the_places_to_be(shop: Path, run: Run) -> None:
    write(shop / "schema/shop/outline.toml", OUTLINE.replace('"*"', '"Order"'))
    assert cli.run(["generate"]) == 0
    before = tree(shop)
    code, _, err = run("../new/shop.json")
    assert code == 2
    assert err.startswith("schema/shop/1.1/schema.json:") and ' unlisted: "Receipt" stands in no section' in err
    assert 'help: add "Receipt" to members of section "all" in schema/shop/outline.toml:4\n' in err
    assert tree(shop) == before
    write(shop / "schema/shop/outline.toml", OUTLINE.replace('"*"', '"Order", "Receipt"'))
    assert run("../new/shop.json")[0] == 0, "the outline may speak of what is to come"


def test_a_bad_example_of_the_ledger_is_told_with_its_own_name(shop: Path, run: Run) -> None:
    names = shop / "schema/shop/names.toml"
    names.write_text(names.read_text().replace('anchor = "order"', 'anchor = "order"\nformer = ["Receipt"]'))
    before = tree(shop)
    code, _, err = run("../new/shop.json")
    assert code == 2 and "name-taken" in err and "wirebound-" not in err
    assert "or correct schema/shop/names.toml" in err
    assert tree(shop) == before


def test_outputs_that_were_edited_are_not_lost(shop: Path, run: Run) -> None:
    edited = write(shop / "generated/shop/1.0/reference/en.md", "mine\n")
    before = tree(shop)
    code, _, err = run("../new/shop.json")
    assert code == 2 and "generated/shop/1.0/reference/en.md:1:1: edited" in err
    assert tree(shop) == before
    assert run("../new/shop.json", "--force")[0] == 0 and edited.read_text() != "mine\n"


# --- all or nothing ---------------------------------------------------------------------------------------------------


def start(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from codegen.cli import main; main()", "bump", "../new/shop.json"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def until(process: subprocess.Popen[bytes], path: Path, *, there: bool = True) -> None:
    while path.exists() != there and process.poll() is None:
        time.sleep(0.0002)


def test_a_bump_killed_at_any_moment_is_done_or_not_done_after_the_next(shop: Path, run: Run) -> None:
    chosen = random.Random(SEED)
    held = shutil.copytree(shop, shop.with_name("held"))
    old = tree(shop)
    staging, journal = shop / ".wirebound/staging", shop / ".wirebound/journal.json"
    with start(shop) as process:
        until(process, staging)
        begun = time.monotonic()
        until(process, staging, there=False)
        writing = time.monotonic() - begun
        assert process.wait() == 0
    new = tree(shop)
    assert new != old
    committed = 0
    for number in range(KILLS):
        shutil.rmtree(shop)
        os.chdir(shutil.copytree(held, shop))
        with start(shop) as process:
            if number % 4:
                until(process, staging)
                time.sleep(chosen.uniform(0, writing))
            else:
                time.sleep(chosen.uniform(0, 1.0))
            process.kill()
            process.wait()
        found = tree(shop)
        torn = [name for name in found.keys() | old.keys() if found.get(name) not in (old.get(name), new.get(name))]
        assert torn == [], f"WIREBOUND_SEED={SEED}, moment {number}"
        finished = found == new and not journal.exists()
        committed += journal.exists()
        if number % 2 and not finished:  # any writing command ends or discards it, and the bump can be run (again)
            assert cli.run(["generate"]) == 0
            assert tree(shop) in (old, new), f"WIREBOUND_SEED={SEED}, moment {number}"
        if tree(shop) != new:
            code, out, err = run("../new/shop.json")
            assert code == 0, (out, err, f"WIREBOUND_SEED={SEED}, moment {number}")
        assert tree(shop) == new, f"WIREBOUND_SEED={SEED}, moment {number}"
        assert not staging.exists() and not journal.exists()


def test_a_bump_that_was_interrupted_after_its_commit_point_is_finished_by_the_same_command(
    shop: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from codegen.output import transaction

    class Killed(BaseException):
        pass

    def killed(self: transaction.Writer, force: bool) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(transaction.Writer, "apply", killed)
        with pytest.raises(Killed):
            cli.run(["bump", "../new/shop.json"])
    assert not (shop / "schema/shop/1.1").exists() and (shop / ".wirebound/journal.json").exists()
    code, out, _ = run("../new/shop.json")
    assert (code, out) == (0, "an interrupted run was finished: shop 1.1 is installed\n")
    assert cli.run(["generate", "--check"]) == 0


@pytest.mark.parametrize("arguments", [["generate"], ["i18n", "update", "ko"], ["generate", "shop/python"]])
def test_whatever_writes_next_finishes_it_and_takes_nothing_of_it_away(
    shop: Path, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """The version that an interrupted bump brings is one that the manifest has from then on."""
    from codegen.output import transaction

    held = shutil.copytree(shop, shop.with_name("held"))
    assert run("../new/shop.json")[0] == 0
    new = tree(shop)
    os.chdir(held)

    class Killed(BaseException):
        pass

    def killed(self: transaction.Writer, force: bool) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(transaction.Writer, "apply", killed)
        with pytest.raises(Killed):
            cli.run(["bump", "../new/shop.json"])
    assert cli.run(arguments) == 0
    assert tree(held) == new
