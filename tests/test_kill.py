"""SIGKILL at any moment of ``generate``: no file is half written, and the next run completes it. Two runs at once do no harm.

``WIREBOUND_KILLS`` is the number of moments (20 by default); ``WIREBOUND_SEED`` repeats a choice of moments. With
``WIREBOUND_KILL_TARGET=python`` it is the real target that is killed, which takes longer.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from paper import MANIFEST, contract, install, record, tree

from codegen import cli

KILLS = int(os.environ.get("WIREBOUND_KILLS", "20"))
SEED = int(os.environ.get("WIREBOUND_SEED", time.time_ns() % 1_000_000))

TARGET = os.environ.get("WIREBOUND_KILL_TARGET", "paper")
SECOND = {"paper": 'title = "TWO"', "python": 'package = "two"'}[TARGET]
JOBS = MANIFEST + f'\n[[jobs]]\ncontract = "shop"\ntarget = "paper"\nname = "second"\n{SECOND}\n'
JOBS = JOBS.replace('target = "paper"', f'target = "{TARGET}"')
SHEETS = 40
OLD = {f"Sheet{number}": record("a", "b") for number in range(SHEETS)}
NEW = {f"Sheet{number}": record("a", "b", "c") for number in range(SHEETS // 4, SHEETS + 8)}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL here")


class Project:
    """A project whose contract has changed since its outputs were written."""

    def __init__(self, folder: Path, site: Path) -> None:
        self.site = site
        self.folder = folder
        self.written = folder.with_name("written")
        contract(folder, **OLD)
        (folder / "wirebound.toml").write_text(JOBS)
        assert self.generate() == 0
        self.old = tree(folder)
        shutil.copytree(folder, self.written)
        contract(folder, **NEW)
        assert self.generate() == 0
        self.new = tree(folder)

    def restore(self) -> None:
        """The outputs of the old contract, beside the new contract."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.written, self.folder)
        contract(self.folder, **NEW)

    def generate(self, *arguments: str) -> int:
        """One run in this process."""
        return cli.run(["generate", "--manifest", str(self.folder / "wirebound.toml"), *arguments])

    def start(self) -> subprocess.Popen[bytes]:
        """One run in a process of its own."""
        command = [sys.executable, "-c", "from codegen.cli import main; main()", "generate"]
        environment = {**os.environ, "PYTHONPATH": f"{self.site}{os.pathsep}{Path(__file__).parents[1]}"}
        return subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def torn(self) -> dict[str, bytes]:
        """The files that are neither as they were nor as they are to be."""
        found = tree(self.folder)
        states = (self.old, self.new)
        torn = {
            path: content for path, content in found.items() if content not in [state.get(path) for state in states]
        }
        gone = [path for path in self.old.keys() & self.new.keys() if path not in found]
        return {**torn, **dict.fromkeys(gone, b"(gone)")}

    @property
    def workshop(self) -> Path:
        return self.folder / ".wirebound"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    base = tmp_path_factory.mktemp("kill")
    (base / "site").mkdir()
    (base / "project").mkdir()
    site = install(base / "site")
    sys.path.insert(0, str(site))
    try:
        yield Project(base / "project", site)
    finally:
        sys.path.remove(str(site))


def until(process: subprocess.Popen[bytes], path: Path, *, there: bool = True) -> None:
    while path.exists() != there and process.poll() is None:
        time.sleep(0.0002)


def test_a_run_killed_at_any_moment_leaves_whole_files_and_the_next_one_completes_it(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = random.Random(SEED)
    project.restore()
    started = time.monotonic()
    with project.start() as process:
        until(process, project.workshop / "staging")
        staged = time.monotonic()
        until(process, project.workshop / "staging", there=False)
        writing = time.monotonic() - staged
        assert process.wait() == 0
    whole = time.monotonic() - started
    moments: Counter[str] = Counter()
    for number in range(KILLS):
        project.restore()
        with project.start() as process:
            if number % 2:
                # Half of the moments fall where it matters: that part of a run is a few milliseconds long.
                until(process, project.workshop / "staging")
                time.sleep(chosen.uniform(0, writing))
            else:
                time.sleep(chosen.uniform(0, whole))
            process.kill()
            process.wait()
        before = tree(project.folder)
        pending = (project.workshop / "journal.json").exists()
        staging = (project.workshop / "staging").exists()
        moments[
            "committed" if pending else "staging" if staging else "before" if before == _mixed(project) else "after"
        ] += 1
        assert project.torn() == {}, f"WIREBOUND_SEED={SEED}, moment {number}"
        assert project.generate("--check") == (0 if before == project.new and not pending and not staging else 1)
        assert tree(project.folder) == before, "--check has written"
        assert project.generate() == 0
        assert tree(project.folder) == project.new, f"WIREBOUND_SEED={SEED}, moment {number}"
        assert not (project.workshop / "journal.json").exists()
        assert not (project.workshop / "staging").exists()
    with capsys.disabled():
        print(
            f"\n{KILLS} kills (seed {SEED}) within {whole:.2f} s, of which writing {writing * 1000:.0f} ms: {dict(moments)}"
        )
    assert moments["before"] < KILLS, "no kill fell into the part of a run that writes"


def _mixed(project: Project) -> dict[str, bytes]:
    """The old outputs beside the new contract."""
    path = "schema/shop/1.0/schema.json"
    return {**project.old, path: project.new[path]}


def test_two_runs_at_once_do_no_harm(project: Project) -> None:
    for _ in range(3):
        project.restore()
        runs = [project.start() for _ in range(2)]
        for process in runs:
            _, errors = process.communicate()
            assert (process.returncode, errors) == (0, b"")
        assert tree(project.folder) == project.new


def test_a_run_that_waits_for_one_that_is_killed_completes_it(project: Project) -> None:
    for _ in range(3):
        project.restore()
        with project.start() as first:
            until(first, project.workshop / "staging")
            with project.start() as second:
                first.kill()
                first.wait()
                _, errors = second.communicate()
                assert (second.returncode, errors) == (0, b"")
        assert tree(project.folder) == project.new
