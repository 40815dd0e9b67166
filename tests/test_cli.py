"""The commands: what they print, write and answer; and that no traceback reaches anyone."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from paper import MANIFEST, contract, install, record, tree

from codegen import cli, pipeline
from codegen.cli import terminal

ROOT = Path(__file__).parents[1]
OUT = "generated/shop/1.0/paper"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one contract of one version and one job."""
    (tmp_path / "site").mkdir()
    monkeypatch.syspath_prepend(install(tmp_path / "site"))
    project = tmp_path / "project"
    contract(project, Item=record("id", "price"), Order=record("items"))
    (project / "wirebound.toml").write_text(MANIFEST)
    monkeypatch.chdir(project)
    return project


class Ran:
    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = cli.run(arguments)
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    return lambda *arguments: Ran(capsys, *arguments)


@contextmanager
def as_in_front() -> Iterator[None]:
    """SIGINT interrupts, as it does in a terminal. What a shell starts in the background ignores it, and so do its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# --- generate ---------------------------------------------------------------------------------------------------------


def test_generate_writes_every_job_and_the_ledger(shop: Path, run) -> None:
    ran = run("generate")
    assert (ran.code, ran.out, ran.err) == (0, "5 files written\n", "")
    written = tree(shop)
    assert written[f"{OUT}/sheets/Item.txt"] == b"paper\nid\nprice\n"
    assert written[f"{OUT}/about.txt"] == b"shop 1.0 1.0 wirebound generate\n"
    assert (
        b'[definitions.Order]\nanchor = "order"\nplaces."1.0" = "#/$defs/Order"\n' in written["schema/shop/names.toml"]
    )
    assert json.loads(written[f"{OUT}/.wirebound.json"])["target"] == "paper"
    assert run("generate").out == "nothing to do\n"
    assert run("generate", "--check").code == 0
    assert tree(shop) == written


def test_a_change_in_the_contract_changes_only_what_it_touches(shop: Path, run) -> None:
    run("generate")
    before = tree(shop)
    contract(shop, Item=record("id", "price", "size"), Order=record("items"), Cart=record())
    assert run("generate").out == "4 files written\n"
    after = tree(shop)
    assert {path for path in after if after[path] != before.get(path)} == {
        "schema/shop/1.0/schema.json",
        "schema/shop/names.toml",
        f"{OUT}/sheets/Item.txt",
        f"{OUT}/sheets/Cart.txt",
        f"{OUT}/.wirebound.json",
    }
    assert after["schema/shop/names.toml"].startswith(before["schema/shop/names.toml"].partition(b"[")[0])


def test_check_lists_what_is_stale_missing_and_extra_and_writes_nothing(shop: Path, run) -> None:
    run("generate")
    contract(shop, Item=record("id"), Cart=record())
    (shop / OUT / "mine.txt").write_text("")
    before = tree(shop)
    ran = run("generate", "--check")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        f"stale   {OUT}/.wirebound.json",
        f"missing {OUT}/sheets/Cart.txt",
        f"stale   {OUT}/sheets/Item.txt",
        f"extra   {OUT}/sheets/Order.txt",
        "stale   schema/shop/names.toml",
        f"extra   {OUT}/mine.txt",
    ]
    assert "run: wirebound generate\n" in ran.err
    assert "1 file found that the tool did not write" in ran.err
    assert tree(shop) == before
    assert not (shop / ".wirebound/lock").exists() or (shop / ".wirebound/stamp").exists()


def test_check_on_a_fresh_project_leaves_no_trace(shop: Path, run) -> None:
    assert run("generate", "--check").code == 1
    assert {path.name for path in shop.iterdir()} == {"schema", "wirebound.toml"}


def test_check_fails_on_a_name_that_the_ledger_lacks(shop: Path, run) -> None:
    run("generate")
    names = shop / "schema/shop/names.toml"
    names.write_text(names.read_text().partition("\n[definitions.Order]")[0])
    ran = run("generate", "--check")
    assert (ran.code, ran.out) == (1, "stale   schema/shop/names.toml\n")
    assert run("generate").out == "1 file written\n"


def test_a_name_that_is_pinned_to_another_place_is_a_problem(shop: Path, run) -> None:
    run("generate")
    names = shop / "schema/shop/names.toml"
    names.write_text(names.read_text().replace("#/$defs/Order", "#/$defs/Purchase"))
    ran = run("generate")
    assert ran.code == 2
    assert 'schema/shop/1.0/schema.json:16:5: name-taken: the name "Order" cannot be given to this shape' in ran.err


def test_a_problem_in_one_job_keeps_all_from_being_written(shop: Path, run) -> None:
    run("generate")
    before = tree(shop)
    contract(shop, Item=record("new"))
    contract(shop, "1.1", Item=record("id"), BadOne=record())
    contract(shop, "1.2", Item={"type": "objekt"})
    (shop / "wirebound.toml").write_text(MANIFEST + 'colour = "red"\n')
    expected = {**before, **{path: content for path, content in tree(shop).items() if path not in before}}
    expected["schema/shop/1.0/schema.json"] = (shop / "schema/shop/1.0/schema.json").read_bytes()
    expected["wirebound.toml"] = (shop / "wirebound.toml").read_bytes()
    ran = run("generate")
    assert ran.code == 2
    assert 'wirebound.toml:7:1: unknown-option: "colour" is no option of target "paper"' in ran.err
    assert "schema/shop/1.2/schema.json:5:7: " in ran.err
    assert "Traceback" not in ran.err
    assert tree(shop) == expected


def test_a_target_s_problem_is_placed_in_the_contract(shop: Path, run) -> None:
    contract(shop, "1.1", BadOne=record())
    ran = run("generate")
    assert ran.code == 2
    assert ran.err.startswith("schema/shop/1.1/schema.json:4:5: bad-paper: BadOne is bad\n  at /$defs/BadOne\n")
    assert not (shop / "generated").exists()
    assert not (shop / ".wirebound").exists()


def test_problems_of_several_versions_each_have_their_own_place(shop: Path, run) -> None:
    contract(shop, BadOne=record())
    contract(shop, "1.1", Good=record(), BadOne=record())
    heads = [line for line in run("generate").err.splitlines() if not line.startswith(" ")]
    assert heads == [
        "schema/shop/1.0/schema.json:4:5: bad-paper: BadOne is bad",
        "schema/shop/1.1/schema.json:9:5: bad-paper: BadOne is bad",
    ]


def test_jobs_are_chosen_by_name_and_others_left_alone(shop: Path, run) -> None:
    contract(shop, "1.1", Item=record("id"))
    second = '\n[[jobs]]\ncontract = "shop"\ntarget = "paper"\nname = "loud"\ntitle = "LOUD"\n'
    (shop / "wirebound.toml").write_text(MANIFEST + second)
    run("generate", "shop/1.1/loud")
    assert sorted(path.parent.name for path in (shop / "generated").glob("shop/*/*/about.txt")) == ["loud"]
    assert (shop / "generated/shop/1.1/loud/sheets/Item.txt").read_bytes() == b"LOUD\nid\n"
    assert run("generate", "--check", "shop/1.1/loud").code == 0
    assert run("generate", "--check", "paper").code == 1
    ran = run("generate", "papre")
    assert ran.code == 2
    assert 'unknown-job: there is no job "papre"' in ran.err


def test_a_job_that_is_gone_takes_its_outputs_along_in_a_run_of_all(shop: Path, run) -> None:
    contract(shop, "1.1", Item=record("id"))
    run("generate")
    (shop / "wirebound.toml").write_text(MANIFEST + 'versions = ["1.1"]\n')
    assert f"extra   {OUT}/about.txt\n" in run("generate", "--check").out
    assert run("generate", "paper").out == "nothing to do\n"
    assert run("generate").out == "4 files deleted\n"
    assert [path.name for path in (shop / "generated/shop").iterdir()] == ["1.1"]


def test_hand_made_work_is_a_problem_unless_forced(shop: Path, run) -> None:
    run("generate")
    (shop / OUT / "about.txt").write_text("mine\n")
    ran = run("generate")
    assert ran.code == 2
    assert ran.err.startswith(f"{OUT}/about.txt:1:1: edited: it was edited by hand\n  help: ")
    assert (shop / OUT / "about.txt").read_text() == "mine\n"
    ran = run("generate", "--check")
    assert (ran.code, ran.out) == (1, f"stale   {OUT}/about.txt\n")
    assert "edited: it was edited by hand" in ran.err
    assert run("generate", "--force").out == "1 file written\n"
    assert run("generate", "--check", "--force").code == 2


def test_check_reports_an_interrupted_run_and_the_next_run_finishes_it(
    shop: Path, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("generate")
    contract(shop, Item=record("new"))
    with monkeypatch.context() as patch, as_in_front():
        patch.setattr("codegen.output.transaction.Writer.apply", lambda *_, **__: os.kill(os.getpid(), signal.SIGINT))
        assert run("generate").code == 130
    ran = run("generate", "--check")
    assert ran.code == 1
    assert ran.out.startswith("pending .wirebound/journal.json\n")
    assert run("generate").out == "an interrupted run was finished first\nnothing to do\n"
    assert run("generate", "--check").code == 0
    assert (shop / OUT / "sheets/Item.txt").read_bytes() == b"paper\nnew\n"


def test_the_manifest_can_be_named_and_is_found_from_below(shop: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop / "schema/shop")
    assert run("generate").code == 0
    monkeypatch.chdir(shop.parent)
    assert run("generate", "--manifest", "project/wirebound.toml").out == "nothing to do\n"
    ran = run("generate", "--manifest", "nowhere.toml")
    assert ran.code == 2
    assert ran.err.startswith("nowhere.toml:1:1: unreadable: ")
    monkeypatch.chdir("/")
    assert "no-manifest" in run("generate").err


def test_protocol_version_comes_from_where_the_manifest_says(shop: Path, run) -> None:
    (shop / "wirebound.toml").write_text(MANIFEST.replace('shop"\n\n', 'shop"\nprotocol_version = "$id"\n\n'))
    ran = run("generate")
    assert ran.code == 2
    assert 'schema/shop/1.0/schema.json:1:1: protocol-version: "$id" is "", without a segment "1.0"' in ran.err
    path = shop / "schema/shop/1.0/schema.json"
    schema = {"$id": "https://example.org/1.0/schema.json", **json.loads(path.read_text())}
    path.write_text(json.dumps(schema))
    assert run("generate").code == 0


# --- build ------------------------------------------------------------------------------------------------------------


def test_build_writes_one_folder_and_nothing_else(shop: Path, run, tmp_path: Path) -> None:
    path = contract(tmp_path / "lone", Item=record("id"))
    before = tree(tmp_path)
    ran = run(
        "build",
        str(path),
        "--target",
        "paper",
        "--out",
        str(tmp_path / "a/b/out"),
        "-o",
        "title=Hello",
        "-o",
        "loud=true",
    )
    assert (ran.code, ran.out) == (0, "3 files written\n")
    out = tree(tmp_path / "a/b/out")
    assert out["sheets/Item.txt"] == b"Hello\nid\n"
    assert out["about.txt"] == b"shop 1.0 1.0 wirebound build schema.json --target paper\n"
    assert {path: content for path, content in tree(tmp_path).items() if not path.startswith("a/")} == before
    assert [entry.name for entry in (tmp_path / "a/b").iterdir()] == ["out"]


def test_build_reads_the_ledger_and_writes_none(shop: Path, run, tmp_path: Path) -> None:
    run("generate")
    names = shop / "schema/shop/names.toml"
    names.write_text(names.read_text().replace("#/$defs/Order", "#/$defs/Other"))
    before = tree(shop)
    ran = run("build", "schema/shop/1.0/schema.json", "--target", "paper", "--out", str(tmp_path / "out"))
    assert ran.code == 2
    assert "name-taken" in ran.err
    assert tree(shop) == before
    assert not (tmp_path / "out").exists()


def test_build_spares_what_it_does_not_own(shop: Path, run, tmp_path: Path) -> None:
    run("generate")
    arguments = ("build", "schema/shop/1.0/schema.json", "--target", "paper", "--out")
    ran = run(*arguments, OUT)
    assert ran.code == 2
    assert 'other-owner: this folder belongs to "shop/1.0/paper (paper)", not to "shop/1.0 (paper)"' in ran.err
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/about.txt").write_text("mine")
    assert "in-the-way" in run(*arguments, str(tmp_path / "mine")).err
    assert (tmp_path / "mine/about.txt").read_text() == "mine"
    assert run(*arguments, str(tmp_path / "mine"), "--force").code == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--target", "none"], "options:1:1: unknown-target: there is no target \"none\""),
        (["--target", "paper", "-o", "titel=x"], '"titel" is no option of target "paper"\n  at /titel\n  help: write "title"'),
        (["--target", "paper", "-o", "loud=yes"], "options:1:1: bad-option: loud is a string, not true or false"),
        (["--target", "paper", "-o", "loud"], '"loud" is not KEY=VALUE'),
        (["--target", "paper", "-o", "=x"], '"=x" is not KEY=VALUE'),
        (["--target", "paper", "--root", "https://x/"], '"https://x/" is not PREFIX=DIR'),
        (["--target", "paper", "--dialect", "draft-99"], "unknown-dialect"),
        ([], "Missing option '--target'"),
    ],
)  # fmt: skip
def test_build_refuses_what_it_cannot_follow(shop: Path, run, arguments: list[str], expected: str) -> None:
    ran = run("build", "schema/shop/1.0/schema.json", "--out", "out", *arguments)
    assert ran.code == 2
    assert expected in ran.err
    assert not (shop / "out").exists()


# --- show -------------------------------------------------------------------------------------------------------------


def test_show_prints_the_model(shop: Path, run) -> None:
    ran = run("show", "schema/shop/1.0/schema.json")
    assert ran.code == 0
    assert "record Item  closed  #/$defs/Item\n" in ran.out
    assert [line.split()[0] for line in run("show", "schema/shop/1.0/schema.json", "--names").out.splitlines()] == [
        "Item",
        "Order",
    ]
    assert run("show", "schema/shop/1.0/schema.json", "--unions").out == ""
    shown = json.loads(run("show", "schema/shop/1.0/schema.json", "--json").out)
    assert isinstance(shown, dict)
    assert run("show", "schema/shop/1.0/schema.json", "--json", "--names").code == 2


def test_show_reads_documents_below_a_root(shop: Path, run, tmp_path: Path) -> None:
    path = contract(shop, "2.0", Item={"$ref": "https://example.org/x=y/other.json"})
    (tmp_path / "other.json").write_text(json.dumps(record("far")))
    assert run("show", str(path)).code == 2
    ran = run("show", str(path), "--root", f"https://example.org/x=y/={tmp_path}")
    assert "far" in ran.out


# --- whatever happens -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe", b"[1, 2]", b'{"a": 1, "a": 2}', b'{"type": "objekt"}', b"[" * 100_000]
)
def test_a_bad_contract_is_a_problem_with_a_place(shop: Path, run, content: bytes) -> None:
    run("generate")
    before = tree(shop / "generated")
    (shop / "schema/shop/1.0/schema.json").write_bytes(content)
    for arguments in (["generate"], ["generate", "--check"], ["show", "schema/shop/1.0/schema.json"]):
        ran = run(*arguments)
        assert ran.code == 2
        assert ran.err.startswith("schema/shop/1.0/schema.json:1:"), ran.err
        assert "help: " in ran.err
        assert "Traceback" not in ran.err
    assert tree(shop / "generated") == before


def test_unexpected_failures_are_told_in_a_line(shop: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(error: BaseException):
        def show(*_: object, **__: object) -> str:
            raise error

        monkeypatch.setattr(pipeline, "show", show)
        return run("show", "x")

    ran = fails(OSError(errno.ENOSPC, "No space left on device", "/some/file"))
    assert (ran.code, ran.err) == (2, "/some/file: os-error: No space left on device\n")
    ran = fails(OSError("odd"))
    assert (ran.code, ran.err) == (2, "os-error: odd\n")
    ran = fails(ZeroDivisionError("by zero"))
    assert ran.code == 2
    assert ran.err.startswith("internal-error: ZeroDivisionError: by zero\n  help: ")
    ran = fails(RecursionError("maximum recursion depth exceeded"))
    assert (ran.code, "Traceback" in ran.err) == (2, False)
    ran = fails(KeyboardInterrupt())
    assert (ran.code, ran.err.strip()) == (130, "interrupted")
    monkeypatch.setenv("WIREBOUND_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        fails(ZeroDivisionError("by zero"))


def test_text_that_the_terminal_cannot_show_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="latin-1", newline="\n")
    monkeypatch.setattr(sys, "stdout", stream)
    terminal.prepare()
    terminal.say("ü → \udce4\n")
    terminal.flush()
    assert stream.buffer.getvalue() == b"\xfc \\u2192 \\udce4\n"  # type: ignore[attr-defined]


def wirebound(*arguments: str, **more: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from codegen.cli import main; main()", *arguments]
    # Unbuffered, Python drops what a pipe does not take, and nobody learns of it.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)  # type: ignore[call-overload, no-any-return]


def test_a_reader_that_goes_away_ends_the_command_in_silence(tmp_path: Path) -> None:
    path = contract(tmp_path, **{f"Item{number}": record("a" * 200) for number in range(2000)})
    with wirebound("show", str(path)) as process:
        assert process.stdout and process.stderr
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_a_full_disk_behind_standard_output_is_told(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    path = contract(tmp_path, Item=record("a"))
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-c", "from codegen.cli import main; main()", "show", str(path)]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith(b"os-error: No space left on device\n")
    assert b"Traceback" not in ran.stderr


def test_usage(run) -> None:
    assert run("--version").out.startswith("wirebound ")
    assert run("--help").code == 0
    for verb in cli.VERBS:
        ran = run(verb, "--help")
        assert ran.code == 0
        assert "Example" in ran.out
    ran = run("generat")
    assert ran.code == 2
    assert "No such command 'generat'" in ran.err
    assert run("generate", "--nope").code == 2
    assert run().code == 2


def test_progress_is_for_people_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert not terminal.is_watched()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert terminal.is_watched()
    with terminal.progress() as note:
        note("[bold]shop[/] 1.0")
    assert "[bold]shop[/] 1.0" in capsys.readouterr().err
    monkeypatch.setenv("CI", "true")
    with terminal.progress() as note:
        note("shop 1.0")
    assert capsys.readouterr().err == ""


def test_importing_the_package_and_the_commands_is_cheap() -> None:
    code = "import sys, codegen, codegen.cli, codegen.cli.generate; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {
        "jinja2",
        "rich",
        "ruamel",
        "jsonschema",
        "importlib.metadata",
        "codegen.model",
        "codegen.resolve",
        "codegen.document",
    }
    assert not heavy & set(loaded)


# --- a run with nothing to do -----------------------------------------------------------------------------------------


@pytest.fixture
def bindings(shop: Path, monkeypatch: pytest.MonkeyPatch, run) -> Path:
    """A project whose outputs, of a built-in target, are up to date; a run that goes on to load contracts fails in it."""
    (shop / "wirebound.toml").write_text(MANIFEST.replace('"paper"', '"python"') + 'package = "shop"\n')
    far = {"Distant": {"$ref": "https://example.org/far.json"}}
    contract(shop, Item=record("id"), **far)
    (shop / "far").mkdir()
    (shop / "far/far.json").write_text(json.dumps(record("far")))
    roots = (shop / "wirebound.toml").read_text().replace("\n\n", '\nroots = { "https://example.org/" = "far" }\n\n', 1)
    (shop / "wirebound.toml").write_text(roots)
    ran = run("generate")
    assert (ran.code, ran.err) == (0, "")

    def loads(*_: object) -> None:
        raise AssertionError("the run went on")

    monkeypatch.setattr(pipeline.Run, "folders", loads)
    return shop


def test_a_run_with_nothing_to_do_stops_before_it_loads_anything(bindings: Path, run) -> None:
    assert run("generate").out == "nothing to do\n"
    assert run("generate", "shop/python").out == "nothing to do\n"


@pytest.mark.parametrize(
    "path",
    [
        "wirebound.toml",
        "schema/shop/1.0/schema.json",
        "schema/shop/names.toml",
        "schema/shop/outline.toml",
        "schema/shop/i18n/ko.toml",
        "schema/shop/1.1/schema.json",
        "far/far.json",
        "generated/shop/1.0/python/shop/models.py",
        "generated/shop/1.0/python/.wirebound.json",
    ],
)
def test_whatever_decides_the_outputs_makes_a_run_go_on(bindings: Path, run, path: str) -> None:
    file = bindings / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes((file.read_bytes() if file.exists() else b"{}" if file.suffix == ".json" else b"") + b"\n")
    ran = run("generate")
    assert "the run went on" in ran.err, ran.out


@pytest.mark.parametrize(
    "path", ["schema/shop/names.toml", "generated/shop/1.0/python/shop/py.typed", ".wirebound/stamp"]
)
def test_whatever_is_gone_makes_a_run_go_on(bindings: Path, run, path: str) -> None:
    (bindings / path).unlink()
    assert "the run went on" in run("generate").err


def test_outputs_of_another_checkout_are_not_taken_for_ours(bindings: Path, run) -> None:
    """An inventory and its files can agree, and still be those of another version of the contract."""
    out = bindings / "generated/shop/1.0/python"
    listing = json.loads((out / ".wirebound.json").read_bytes())
    del listing["files"]["shop/py.typed"]
    (out / "shop/py.typed").unlink()
    (out / ".wirebound.json").write_text(json.dumps(listing, indent=2) + "\n")
    assert "the run went on" in run("generate").err


def test_a_run_goes_on_when_the_tool_has_changed(bindings: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    from codegen import stamp

    monkeypatch.setattr(stamp, "_own", lambda: iter([Path(__file__)]))
    assert "the run went on" in run("generate").err


def test_no_stamp_is_trusted_by_check_or_force(bindings: Path, run) -> None:
    assert "the run went on" in run("generate", "--check").err
    assert "the run went on" in run("generate", "--force").err


# --- templates of one's own -------------------------------------------------------------------------------------------


def python_job(shop: Path, templates: str) -> None:
    (shop / "wirebound.toml").write_text(
        '[contracts.shop]\npath = "schema/shop"\n\n[[jobs]]\ncontract = "shop"\ntarget = "python"\npackage = "shop"\n'
        f'templates = "{templates}"\n'
    )


def test_a_folder_of_templates_replaces_single_ones(shop: Path, run) -> None:
    python_job(shop, "mine")
    banner = shop / "mine/python/banner.j2"
    banner.parent.mkdir(parents=True)
    banner.write_text("# House style. {{ view.banner }}\n")
    assert run("generate").code == 0
    models = shop / "generated/shop/1.0/python/shop/models.py"
    assert models.read_text().startswith("# House style. Generated by Wirebound")
    assert run("generate").out == "nothing to do\n"
    banner.write_text("# Our style. {{ view.banner }}\n")
    assert run("generate", "--check").code == 1
    assert run("generate").code == 0
    assert models.read_text().startswith("# Our style.")


def test_a_folder_of_templates_that_is_none_is_refused_at_its_line(shop: Path, run) -> None:
    python_job(shop, "mine")
    ran = run("generate")
    assert ran.code == 2
    assert ran.err.startswith("wirebound.toml:8:1: no-folder: mine is no folder\n")


def test_a_template_that_asks_for_what_its_view_lacks_is_a_problem(shop: Path, run) -> None:
    python_job(shop, "mine")
    (shop / "mine/python").mkdir(parents=True)
    (shop / "mine/python/banner.j2").write_text("# {{ view.colour }}\n")
    ran = run("generate")
    assert ran.code == 2
    assert "bad-template" in ran.err
    assert not (shop / "generated").exists()
