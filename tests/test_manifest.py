"""Manifests: what is found, what becomes a job, what is refused and where."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codegen import manifest
from codegen.errors import ManifestError
from codegen.paths import path_fault, segment_fault
from codegen.pointer import Origin
from codegen.tables import Source
from codegen.versions import order

CONTRACT = '[contracts.shop]\npath = "schema/shop"\n'
JOB = '[[jobs]]\ncontract = "shop"\ntarget = "python"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for version in ("1.0", "1.10", "1.2", "draft"):
        (tmp_path / "schema/shop" / version).mkdir(parents=True)
        (tmp_path / "schema/shop" / version / "schema.json").write_text("true")
    (tmp_path / "schema/shop/i18n").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(folder: Path, text: str) -> manifest.Manifest:
    (folder / "wirebound.toml").write_text(text, encoding="utf-8")
    return manifest.load(folder / "wirebound.toml")


def refused(folder: Path, text: str) -> str:
    with pytest.raises(ManifestError) as caught:
        load(folder, text)
    assert all(problem.help for problem in caught.value.problems)
    return str(caught.value)


def test_a_version_is_a_folder_with_a_document_and_each_has_a_folder_per_job(folder: Path) -> None:
    jobs = load(folder, CONTRACT + JOB + 'package = "p"\n').jobs
    assert [job.path for job in jobs] == [f"generated/shop/{v}/python" for v in ("1.0", "1.2", "1.10", "draft")]
    assert [dict(job.options) for job in jobs] == [{"package": "p"}] * 4
    assert jobs[0].contract.documents["1.0"] == folder / "schema/shop/1.0/schema.json"


def test_versions_and_name_narrow_a_job(folder: Path) -> None:
    jobs = load(folder, CONTRACT + JOB + 'versions = ["1.10", "1.0"]\nname = "py"\n').jobs
    assert [job.path for job in jobs] == ["generated/shop/1.0/py", "generated/shop/1.10/py"]


def test_a_pyproject_holds_a_manifest_in_its_tool_table(folder: Path) -> None:
    text = '[project]\nname = "x"\n[tool.wirebound.contracts.shop]\npath = "schema/shop"\n[[tool.wirebound.jobs]]\n'
    (folder / "pyproject.toml").write_text(text + 'contract = "shop"\ntarget = "python"\nversions = ["1.0"]\n')
    loaded = manifest.load(manifest.find(folder / "schema/shop"))
    assert [job.path for job in loaded.jobs] == ["generated/shop/1.0/python"]
    assert loaded.locate(loaded.jobs[0].origin)[1:] == (5, 1)


def test_the_nearest_manifest_upward_is_found(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.wirebound]\n")
    inner = folder / "schema/shop"
    (inner / "pyproject.toml").write_text('[project]\nname = "not-ours"\n')
    (inner / "setup.toml").write_text("")
    assert manifest.find(inner / "1.0") == folder / "pyproject.toml"
    (inner / "wirebound.toml").write_text("")
    assert manifest.find(inner / "1.0") == inner / "wirebound.toml"


def test_two_manifests_in_one_folder_are_refused(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.wirebound]\n")
    (folder / "wirebound.toml").write_text("")
    with pytest.raises(ManifestError, match=r"wirebound.toml:1:1: two-manifests: pyproject.toml holds a manifest too"):
        manifest.find(folder)


def test_a_broken_pyproject_of_others_does_not_stop_the_search_but_a_broken_one_of_ours_does(folder: Path) -> None:
    (folder / "wirebound.toml").write_text("")
    inner = folder / "schema"
    (inner / "pyproject.toml").write_text("[tool.black\n")
    assert manifest.find(inner) == folder / "wirebound.toml"
    (inner / "pyproject.toml").write_text("[tool.wirebound\n")
    with pytest.raises(ManifestError, match=r"schema/pyproject.toml:1:16: not-toml: "):
        manifest.load(manifest.find(inner))


def test_no_manifest_at_all(folder: Path) -> None:
    with pytest.raises(ManifestError, match="no-manifest"):
        manifest.find(folder)
    for text in ("[project]\n", "tool = 1\n", "tool.wirebound = 1\n"):
        (folder / "pyproject.toml").write_text(text)
        with pytest.raises(ManifestError, match=r"pyproject.toml:1:1: no-manifest"):
            manifest.load(folder / "pyproject.toml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('contracts = 1\n', "1:1: wrong-type: contracts is an integer, not a table"),
        ('[contracts.shop]\npath = "schema/shop"\npaht = 1\n', '3:1: unknown-key: "paht" is no key of this table'),
        ('[tool.wirebound]\n', '1:1: unknown-key: "tool" is no key of this table'),
        ('[contracts.shop]\n', '1:1: missing-key: "path" is missing'),
        ('[contracts.shop]\npath = "schema/none"\n', "2:1: no-folder: schema/none is no folder"),
        ('[contracts.shop]\npath = "schema"\n', "2:1: no-versions: schema holds no version"),
        ('[contracts.shop]\npath = "schema/../.."\n', "2:1: outside: "),
        ('[contracts.shop]\npath = "/tmp"\n', "2:1: outside: "),
        ('[contracts."../x"]\npath = "schema/shop"\n', '1:1: bad-name: the contract name "../x" cannot be used'),
        (CONTRACT + 'protocol_version = "id"\n', '3:1: bad-value: protocol_version is "id"'),
        (CONTRACT + 'roots = { "https://x/" = "nowhere" }\n', "3:11: no-folder: nowhere is no folder"),
        (CONTRACT + "[[jobs]]\ntarget = \"python\"\n", '3:1: missing-key: "contract" is missing'),
        (CONTRACT + '[[jobs]]\ncontract = "shup"\ntarget = "x"\n', '4:1: unknown-contract: there is no contract "shup"'),
        (CONTRACT + JOB + 'name = "a/b"\n', '6:1: bad-name: the job name "a/b" cannot be used'),
        (CONTRACT + JOB + 'name = ".."\n', '6:1: bad-name: the job name ".." cannot be used'),
        (CONTRACT + JOB + 'name = "NUL.x"\n', "6:1: bad-name: "),
        (CONTRACT + JOB + 'name = ""\n', "6:1: bad-name: "),
        (CONTRACT + '[[jobs]]\ncontract = "shop"\ntarget = "../up"\n', "5:1: bad-name: "),
        (CONTRACT + JOB + 'versions = ["1.0", "2.0"]\n', '6:20: unknown-version: shop has no version "2.0"'),
        (CONTRACT + JOB + "versions = []\n", "6:1: bad-value: versions is empty"),
        (CONTRACT + JOB + JOB, '6:1: duplicate: "generated/shop/1.0/python" is the folder of another job already'),
        (CONTRACT + JOB + JOB + 'name = "Python"\n', '6:1: duplicate: "generated/shop/1.0/Python"'),
        (CONTRACT + '[contracts.twin]\npath = "schema/./shop"\n', '3:1: duplicate: "schema/shop" is the folder of another'),
        ("jobs = [1]\n", "1:9: wrong-type: an item of jobs is an integer, not a table"),
        ("[[jobs]]\nx = 1\n[[jobs\n", "3:7: not-toml: "),
        ("x = " + "9" * 5000, "1:1: not-toml: "),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused_at_its_place(folder: Path, text: str, expected: str) -> None:
    assert f"wirebound.toml:{expected}" in refused(folder, text)


def test_all_problems_are_told_at_once(folder: Path) -> None:
    assert refused(folder, '[contracts.shop]\n[[jobs]]\n[[jobs]]\ncontract = "x"\n').count("\nwirebound.toml:") == 4


def test_two_documents_in_one_version_are_refused(folder: Path) -> None:
    (folder / "schema/shop/1.0/openapi.yaml").write_text("{}")
    assert "two-documents: schema/shop/1.0 holds schema.json and openapi.yaml" in refused(folder, CONTRACT)


def test_a_version_folder_whose_name_no_folder_can_have_everywhere_is_refused(folder: Path) -> None:
    os.rename(folder / "schema/shop/draft", folder / "schema/shop/draft 2")
    assert 'bad-name: the version folder "draft 2" cannot be used' in refused(folder, CONTRACT)


def test_a_file_that_is_not_utf_8_is_refused(folder: Path) -> None:
    (folder / "wirebound.toml").write_bytes(b"# caf\xe9\n")
    with pytest.raises(ManifestError, match=r"wirebound.toml:1:1: unreadable: it is not UTF-8 at byte 5"):
        manifest.load(folder / "wirebound.toml")


def test_jobs_are_selected_by_name(folder: Path) -> None:
    text = CONTRACT + JOB + JOB + 'name = "two"\nversions = ["1.0"]\n'
    loaded = load(folder, text)
    assert len(loaded.select([])) == 5
    assert [job.path for job in loaded.select(["two"])] == ["generated/shop/1.0/two"]
    assert len(loaded.select(["shop/python"])) == 4
    assert [job.version for job in loaded.select(["shop/1.2/python"])] == ["1.2"]
    with pytest.raises(ManifestError, match='unknown-job: there is no job "shop/twos"') as caught:
        loaded.select(["shop/twos", "two"])
    assert 'help: write "shop/two"' in str(caught.value)


def test_versions_are_ordered_as_people_mean_them() -> None:
    spelled = ["1.0-rc1", "1.0", "1.0.1", "1.2", "1.10", "v2", "2.1", "2024-11-05", "2025-03-26", "draft"]
    assert sorted(set(spelled), key=order) == spelled


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "a\\b", ".hidden", "con", "COM1.x", "a.", "ä", "a b", "x" * 256]
)
def test_names_that_are_no_folder_name_everywhere(name: str) -> None:
    assert segment_fault(name)


@pytest.mark.parametrize(
    "path", ["", "/a", "a//b", "../a", "a/./b", "a/..", "a\\b", "C:/a", "a\0", "a/b.", "a\n", "aux/b", "a/\u202e"]
)
def test_paths_that_leave_the_folder_or_cannot_be_written_everywhere(path: str) -> None:
    assert path_fault(path)


@pytest.mark.parametrize("path", ["a", "a/b.py", "ag_ui/__init__.py", ".hidden", "ünï/x y"])
def test_paths_that_can_be_written(path: str) -> None:
    assert not path_fault(path)


def test_keys_are_located_however_they_are_spelled() -> None:
    text = (
        '# a = 1\n"b c".d = """x\n]""\\"""" # e = 1\n[t.u]\nx = [ 1, # y = 1\n  { k = "v", \'l\' = [2,3] },\n]\n'
        '[[j]]\n[j.sub]\nz = \'[a]\'\n[[j]]\n[[j.q]]\nr = 1\n"es\\"c" = 2020-01-01\n'
    )
    source = Source("f.toml", text)
    places = {
        "/b c/d": (2, 1),
        "/t/u/x/0": (5, 7),
        "/t/u/x/1/k": (6, 5),
        "/t/u/x/1/l/1": (6, 23),
        "/j/0/sub/z": (10, 1),
        "/j/1": (11, 1),
        "/j/1/q/0/r": (13, 1),
        '/j/1/q/0/es"c': (14, 1),
        "/j/1/q/0/absent": (12, 1),
        "/nothing": (1, 1),
    }
    assert {pointer: source.locate(Origin("f.toml", pointer))[1:] for pointer in places} == places
