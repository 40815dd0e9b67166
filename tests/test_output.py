"""Output folders: what is written, what is spared, what is reported; and the transaction that writes it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from codegen.errors import OutputError
from codegen.output import compare, lock, transaction
from codegen.output.compare import Change, Folder
from codegen.output.inventory import INVENTORY, Inventory, Owner, content, digest, read

OWNER = Owner(contract="shop", version="1.0", job="python", target="python")
FILES = {"pkg/__init__.py": b"# a\n", "pkg/models.py": b"# b\n", "README.md": b"# c\n"}


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def out(base: Path) -> Path:
    return base / "generated/shop/1.0/python"


def folder(out: Path, files: dict[str, bytes] = FILES, owner: Owner | None = OWNER) -> Folder:
    return Folder(path=out, owner=owner, contents=files)


def write(
    base: Path, *folders: Folder, force: bool = False, ledgers: dict[Path, bytes] | None = None
) -> tuple[Change, ...]:
    with transaction.writing(base, force=force) as writer:
        changes = compare.plan(folders, ledgers).granted(force)
        writer.commit(changes)
    return changes


def refused(*folders: Folder) -> str:
    with pytest.raises(OutputError) as caught:
        compare.plan(folders).granted(force=False)
    assert all(problem.help for problem in caught.value.problems)
    return str(caught.value)


def there(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def written(files: dict[str, bytes], owner: Owner = OWNER) -> dict[str, bytes]:
    listing = content(Inventory(owner=owner, files={path: digest(c) for path, c in files.items()}))
    return {INVENTORY: listing, **files}


def kinds(*folders: Folder) -> list[tuple[str, str]]:
    return sorted((change.kind, change.path.name) for change in compare.plan(folders).changes)


# --- what is written --------------------------------------------------------------------------------------------------


def test_a_folder_is_written_with_an_inventory_and_nothing_stays_behind(base: Path, out: Path) -> None:
    write(base, folder(out))
    assert there(out) == written(FILES)
    assert [path.name for path in base.iterdir()] == ["generated"]
    assert json.loads((out / INVENTORY).read_bytes()) == {
        "wirebound": 1,
        "contract": "shop",
        "version": "1.0",
        "job": "python",
        "target": "python",
        "files": {path: digest(FILES[path]) for path in sorted(FILES)},
    }


def test_equal_files_are_left_alone(base: Path, out: Path) -> None:
    write(base, folder(out))
    times = {path: (out / path).stat().st_mtime_ns for path in FILES}
    assert write(base, folder(out)) == ()
    changed = {**FILES, "pkg/models.py": b"# new\n"}
    assert [change.path.name for change in write(base, folder(out, changed))] == ["models.py", INVENTORY]
    assert there(out) == written(changed)
    assert (out / "README.md").stat().st_mtime_ns == times["README.md"]


def test_what_is_no_longer_produced_goes_with_the_folders_it_empties(base: Path, out: Path) -> None:
    write(base, folder(out, {**FILES, "old/deep/x.py": b"", "pkg/gone.py": b""}))
    (out / "pkg/__pycache__").mkdir()
    (out / "pkg/__pycache__/gone.pyc").write_bytes(b"")
    write(base, folder(out))
    assert there(out) == {**written(FILES), "pkg/__pycache__/gone.pyc": b""}
    assert not (out / "old").exists()


def test_a_file_can_take_the_place_of_a_folder_and_the_other_way_round(base: Path, out: Path) -> None:
    write(base, folder(out, {"a": b"1", "b/c": b"2", "b/d/e": b"3"}))
    swapped = {"a/x/y": b"4", "b": b"5"}
    write(base, folder(out, swapped))
    assert there(out) == written(swapped)


def test_ledgers_are_written_in_the_same_transaction_before_the_inventories(base: Path, out: Path) -> None:
    names = base / "schema/shop/names.toml"
    changes = write(base, folder(out), ledgers={names: b"# names\n"})
    assert names.read_bytes() == b"# names\n"
    assert [change.path.name for change in changes][-2:] == ["names.toml", INVENTORY]


def test_a_ledger_that_is_a_folder_or_a_link_is_a_problem(base: Path) -> None:
    (base / "folder").mkdir()
    (base / "link").symlink_to(base / "folder")
    with pytest.raises(OutputError) as caught:
        compare.plan([], {base / "folder": b"", base / "link": b""})
    assert [problem.code for problem in caught.value.problems] == ["in-the-way"] * 2


def test_orphaned_folders_are_those_of_jobs_that_are_gone(base: Path, out: Path) -> None:
    write(base, folder(out))
    moved = base / "generated/shop/2.0/python"
    moved.mkdir(parents=True)
    (moved / INVENTORY).write_bytes((out / INVENTORY).read_bytes())
    (base / "generated/shop/1.0/hand").mkdir()
    (base / "generated/shop/1.0/hand" / INVENTORY).write_text("not ours")
    assert list(compare.orphans(base / "generated", [out])) == []
    gone = list(compare.orphans(base / "generated", []))
    assert [f.path for f in gone] == [out]
    assert {kind for kind, _ in kinds(*gone)} == {"extra"}
    write(base, *gone)
    assert not out.exists()
    assert (moved / INVENTORY).exists()


def test_an_orphaned_folder_that_was_alone_goes_with_the_folders_above(base: Path, out: Path) -> None:
    write(base, folder(out))
    write(base, *compare.orphans(base / "generated", []))
    assert list(base.iterdir()) == []


# --- what is spared ---------------------------------------------------------------------------------------------------


def test_a_file_edited_by_hand_is_a_problem_unless_forced(base: Path, out: Path) -> None:
    write(base, folder(out))
    (out / "pkg/models.py").write_bytes(b"# mine\n")
    message = refused(folder(out))
    assert message.startswith("generated/shop/1.0/python/pkg/models.py:1:1: edited: it was edited by hand\n  help: ")
    assert refused(folder(out, {**FILES, "pkg/models.py": b"# new\n"})) == message
    assert "edited by hand, and is no longer written" in refused(folder(out, {"README.md": FILES["README.md"]}))
    assert kinds(folder(out)) == [("stale", "models.py")]
    write(base, folder(out), force=True)
    assert there(out) == written(FILES)


def test_an_edit_that_says_what_would_be_written_is_none(base: Path, out: Path) -> None:
    write(base, folder(out))
    (out / "pkg/models.py").write_bytes(b"# new\n")
    write(base, folder(out, {**FILES, "pkg/models.py": b"# new\n"}))


def test_a_file_of_others_in_the_way_is_a_problem_unless_forced(base: Path, out: Path) -> None:
    (out / "pkg").mkdir(parents=True)
    (out / "pkg/models.py").write_bytes(b"# mine\n")
    (out / "README.md").write_bytes(FILES["README.md"])
    message = refused(folder(out))
    assert "models.py:1:1: in-the-way: the tool did not write this file" in message
    assert "README" not in message
    write(base, folder(out), force=True)
    assert there(out) == written(FILES)


def test_the_folder_of_another_job_is_a_problem_unless_forced(base: Path, out: Path) -> None:
    other = Owner(contract="shop", version="1.0", job="python", target="proto")
    write(base, folder(out, {"x.proto": b""}, other))
    message = refused(folder(out))
    assert 'other-owner: this folder belongs to "shop/1.0/python (proto)", not to "shop/1.0/python (python)"' in message
    write(base, folder(out), force=True)
    assert there(out) == written(FILES)


@pytest.mark.parametrize("listed", ["../../../names.toml", "/etc/passwd", INVENTORY, "a/../../b"])
def test_an_inventory_that_lists_what_is_not_ours_is_a_problem_and_deletes_nothing(
    base: Path, out: Path, listed: str
) -> None:
    (base / "generated/names.toml").parent.mkdir(parents=True)
    (base / "generated/names.toml").write_bytes(b"")
    out.mkdir(parents=True)
    (out / INVENTORY).write_bytes(content(Inventory(owner=OWNER, files={listed: digest(b"")})))
    assert "bad-inventory: it lists" in refused(folder(out))
    write(base, folder(out), force=True)
    assert there(out) == written(FILES)
    assert (base / "generated/names.toml").exists()


@pytest.mark.parametrize("text", ["", "[]", '{"wirebound": 1}', '{"files": {}}', "[" * 100_000, "<<<<<<< ours"])
def test_an_inventory_that_is_none_is_a_problem_unless_forced(base: Path, out: Path, text: str) -> None:
    out.mkdir(parents=True)
    (out / INVENTORY).write_text(text)
    assert "python/.wirebound.json:1:1: bad-inventory: it is no inventory" in refused(folder(out))
    write(base, folder(out), force=True)
    assert there(out) == written(FILES)


def test_no_force_replaces_a_folder_or_writes_through_a_link(base: Path, out: Path) -> None:
    elsewhere = base / "elsewhere"
    elsewhere.mkdir()
    out.mkdir(parents=True)
    (out / "pkg").symlink_to(elsewhere)
    (out / "README.md").mkdir()
    (out / "README.md/mine.txt").write_text("")
    with pytest.raises(OutputError) as caught:
        compare.plan([folder(out)])
    message = str(caught.value)
    assert 'python/pkg:1:1: in-the-way: this file or link is where the tool has to write "pkg/__init__.py"' in message
    assert 'python/README.md:1:1: in-the-way: this folder is where the tool has to write "README.md"' in message
    assert list(elsewhere.iterdir()) == []


def test_a_file_where_the_output_folder_has_to_be_is_a_problem(base: Path, out: Path) -> None:
    out.parent.parent.mkdir(parents=True)
    out.parent.write_text("")
    with pytest.raises(OutputError, match="in-the-way"):
        compare.plan([folder(out)])


def test_a_link_at_the_place_of_a_file_is_replaced_not_followed(base: Path, out: Path) -> None:
    (base / "target.txt").write_text("keep")
    out.mkdir(parents=True)
    (out / "README.md").symlink_to(base / "target.txt")
    assert "in-the-way" in refused(folder(out))
    write(base, folder(out), force=True)
    assert (base / "target.txt").read_text() == "keep"
    assert not (out / "README.md").is_symlink()


def test_problems_of_all_folders_are_told_at_once_and_nothing_is_written(base: Path, out: Path) -> None:
    second = base / "generated/shop/1.0/second"
    for place in (out, second):
        (place / "pkg").mkdir(parents=True)
        (place / "pkg/models.py").write_bytes(b"# mine\n")
    before = there(base)
    assert refused(folder(out), folder(second)).count("in-the-way") == 2
    with pytest.raises(OutputError):
        write(base, folder(out), folder(second))
    assert there(base) == before


# --- what is reported -------------------------------------------------------------------------------------------------


def test_comparing_names_what_is_missing_stale_and_extra(base: Path, out: Path) -> None:
    assert {kind for kind, _ in kinds(folder(out))} == {"missing"}
    write(base, folder(out))
    (out / "README.md").unlink()
    assert kinds(folder(out)) == [("missing", "README.md")]
    assert kinds(folder(out, {"pkg/__init__.py": b"# z\n"})) == [
        ("extra", "models.py"),
        ("stale", INVENTORY),
        ("stale", "__init__.py"),
    ]


def test_strays_are_files_that_nobody_lists_but_not_what_tools_leave(base: Path, out: Path) -> None:
    write(base, folder(out))
    for path in (
        "pkg/__pycache__/a.pyc",
        "x.egg-info/PKG-INFO",
        "build/lib/a.py",
        ".mypy_cache/3.11/a.json",
        "pkg/a.pyc",
    ):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text("")
    assert list(compare.strays(folder(out))) == []
    (out / "pkg/mine.py").write_text("")
    (out / "notes").mkdir()
    (out / "notes/todo.md").write_text("")
    assert [path.relative_to(out).as_posix() for path in compare.strays(folder(out))] == [
        "notes/todo.md",
        "pkg/mine.py",
    ]


def test_a_folder_holds_while_its_inventory_and_its_files_are_as_they_were_written(base: Path, out: Path) -> None:
    assert not compare.holds(out, digest(b""))
    write(base, folder(out))
    listing = digest((out / INVENTORY).read_bytes())
    assert compare.holds(out, listing)
    assert not compare.holds(out, digest(b""))
    (out / "README.md").write_bytes(b"# d\n")
    assert not compare.holds(out, listing)
    (out / "README.md").unlink()
    assert not compare.holds(out, listing)


def test_no_inventory_is_no_inventory(out: Path) -> None:
    assert read(out) is None


# --- the transaction --------------------------------------------------------------------------------------------------


def killed(base: Path, changes: tuple[Change, ...], moves: int) -> None:
    """Leave ``base`` as a run does that dies after its commit point and ``moves`` renames or deletions."""

    class Killed(BaseException):
        pass

    with pytest.MonkeyPatch.context() as patch:
        calls = iter(range(moves + 2))  # the rename of the journal comes first
        for name in ("replace", "unlink"):
            original = getattr(os, name)

            def counted(*arguments: object, original: object = original, **more: object) -> object:
                if next(calls) == moves + 1:
                    raise Killed
                return original(*arguments, **more)  # type: ignore[operator]

            patch.setattr(os, name, counted)
        with pytest.raises(Killed), transaction.writing(base) as writer:
            writer.commit(changes)


OLD = {"a": b"old a\n", "b/c": b"old c\n", "same": b"same\n", "d": b"old d\n"}
NEW = {"a": b"new a\n", "b": b"new b\n", "same": b"same\n", "e": b"new e\n"}


@pytest.mark.parametrize("moves", range(6))
def test_a_run_that_dies_leaves_whole_files_and_the_next_one_completes_it(base: Path, out: Path, moves: int) -> None:
    write(base, folder(out, OLD))
    killed(base, compare.plan([folder(out, NEW)]).changes, moves)
    states = {INVENTORY: (written(OLD)[INVENTORY], written(NEW)[INVENTORY])}
    for path, found in there(out).items():
        assert found in states.get(path, (OLD.get(path), NEW.get(path)))
    assert transaction.pending(base) == base / ".wirebound/journal.json"
    with transaction.writing(base) as writer:
        assert writer.recovered
    assert there(out) == written(NEW)
    assert transaction.pending(base) is None


def test_a_run_that_dies_before_its_commit_point_is_discarded(base: Path, out: Path) -> None:
    write(base, folder(out, OLD))
    staging = base / ".wirebound/staging"
    staging.mkdir(parents=True)
    (staging / "0").write_bytes(b"half")
    (staging / "journal").write_bytes(b"{")
    assert transaction.pending(base) == staging
    with transaction.writing(base) as writer:
        assert not writer.recovered
    assert there(out) == written(OLD)
    assert transaction.pending(base) is None


def test_completing_a_run_does_not_lose_what_was_edited_since(base: Path, out: Path) -> None:
    write(base, folder(out, OLD))
    killed(base, compare.plan([folder(out, NEW)]).changes, 1)
    (out / "a").write_bytes(b"mine\n")
    with pytest.raises(OutputError, match=r"python/a:1:1: edited: it was edited after a run was interrupted"):
        write(base)
    assert (out / "a").read_bytes() == b"mine\n"
    assert transaction.pending(base)
    write(base, force=True)
    assert there(out) == written(NEW)


@pytest.mark.parametrize(
    "journal",
    [
        "",
        "{}",
        "[]",
        '{"steps": [{"path": "../x", "top": ".", "was": null, "digest": null}]}',
        '{"steps": [{"path": "/etc/x", "top": "/", "was": null, "digest": null}]}',
        '{"steps": [{"path": "x", "top": "."}]}',
    ],
)
def test_a_journal_that_the_tool_did_not_write_is_refused(base: Path, journal: str) -> None:
    (base / ".wirebound").mkdir()
    (base / ".wirebound/journal.json").write_text(journal)
    (base.parent / "x").write_text("keep")
    with pytest.raises(OutputError, match=r"\.wirebound/journal\.json:1:1: bad-journal"):
        write(base)
    assert (base.parent / "x").exists()


def test_a_folder_that_cannot_be_written_is_refused_before_the_commit_point(
    base: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out.mkdir(parents=True)
    # Permissions would not stop an administrator, under whom tests may run.
    monkeypatch.setattr(os, "access", lambda path, mode: path != out)
    with pytest.raises(
        OutputError, match=r"generated/shop/1\.0/python:1:1: not-writable: this folder cannot be written"
    ):
        write(base, folder(out))
    assert transaction.pending(base) is None
    assert there(out) == {}


def test_another_file_system_is_refused_before_the_commit_point(
    base: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = Path.stat

    def elsewhere(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        found = stat(self, follow_symlinks=follow_symlinks)
        fields = list(found)
        fields[2] += self == base / ".wirebound"
        return os.stat_result(fields)

    monkeypatch.setattr(Path, "stat", elsewhere)
    with transaction.writing(base) as writer, pytest.raises(OutputError, match=r"not-writable: .*file system"):
        writer.commit(compare.plan([folder(out)]).changes)
    assert not out.exists()


def test_a_stamp_is_read_back_and_keeps_the_workshop(base: Path) -> None:
    with transaction.writing(base) as writer:
        writer.stamp({"inputs": "x"})
    assert transaction.stamp(base) == {"inputs": "x"}
    assert (base / ".wirebound/.gitignore").read_text() == "*\n"
    (base / ".wirebound/stamp").write_text("[")
    assert transaction.stamp(base) == {}


def test_writers_take_turns(base: Path) -> None:
    order: list[str] = []
    held = threading.Event()

    def second() -> None:
        with transaction.writing(base, waiting=lambda: (order.append("waits"), held.set())):  # type: ignore[func-returns-value, arg-type, return-value]
            order.append("second")

    with transaction.writing(base):
        thread = threading.Thread(target=second)
        thread.start()
        assert held.wait(10)
        time.sleep(0.05)
        order.append("first")
    thread.join(10)
    assert order == ["waits", "first", "second"]
    assert list(base.iterdir()) == []


def test_a_lock_goes_with_the_process_that_held_it(base: Path) -> None:
    path = base / ".wirebound/lock"
    code = f"from codegen.output.lock import *; acquire(Path({str(path)!r})); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout and holder.stdout.readline()
        waited = threading.Event()

        def wait() -> None:
            lock.release(lock.acquire(path, waited.set))

        thread = threading.Thread(target=wait)
        thread.start()
        assert waited.wait(10)
        assert thread.is_alive()
        holder.kill()
        thread.join(10)
        assert not thread.is_alive()
