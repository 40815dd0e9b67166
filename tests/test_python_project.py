"""The project around a generated package: versions, metadata, a README that runs, and the contract that makes it again."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from paper import contract, record, tree

import codegen
from codegen import cli, manifest, pipeline
from codegen.targets.python import release

ROOT = Path(__file__).parents[1]
MANIFEST = """\
[contracts.shop]
path = "schema/shop"

[[jobs]]
contract = "shop"
target = "python"
"""
ITEM = {**record("id", "size"), "required": ["id"]}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a contract of one version, whose manifest has a job with target python."""
    project = tmp_path / "project"
    contract(project, Item=ITEM, Order=record("items"))
    (project / "wirebound.toml").write_text(MANIFEST)
    monkeypatch.chdir(project)
    return project


def generated(project: Path, version: str = "1.0") -> dict[str, bytes]:
    pipeline.generate(project / "wirebound.toml")
    return tree(project / f"generated/shop/{version}/python")


def option(project: Path, *lines: str) -> None:
    (project / "wirebound.toml").write_text(MANIFEST + "".join(line + "\n" for line in lines))


def pyproject(files: dict[str, bytes]) -> dict[str, Any]:
    return tomllib.loads(files["pyproject.toml"].decode())["project"]


# --- versions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "revision", "expected"),
    [
        ("1.0", 0, "1.0.0"),
        ("1.0", 12, "1.0.12"),
        ("2026-07-28", 0, "2026.7.28.0"),
        ("2025-11-05", 3, "2025.11.5.3"),
        ("v2", 1, "2.1"),
        ("v1beta", 2, "1b2"),
        ("3", 0, "3.0"),
    ],
)
def test_the_package_has_the_version_of_the_contract_and_the_revision(
    version: str, revision: int, expected: str
) -> None:
    assert release.released(release.TEMPLATE, version, revision) == expected


@pytest.mark.parametrize("version", ["draft", "1.0-rc1", "2026-07", "1.0+local"])
def test_what_is_no_version_is_a_problem_that_says_what_to_set(shop: Path, version: str) -> None:
    (shop / "schema/shop/1.0").rename(shop / f"schema/shop/{version}")
    with pytest.raises(codegen.WireboundError) as caught:
        generated(shop)
    text = str(caught.value)
    assert text.startswith(f"schema/shop/{version}/schema.json:1:1: bad-version: ")
    assert f'"{version}"' in text
    assert 'package_version = "0.1.{revision}"' in text
    assert not (shop / "generated").exists()
    option(shop, 'package_version = "0.1.{revision}"', "revision = 4")
    assert pyproject(generated(shop, version))["version"] == "0.1.4"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ('package_version = "{contract}.0"', "it can hold {contract_version} and {revision} alone"),
        ('package_version = "{contract_version"', "whose braces do not match"),
        ('package_version = "{revision:03}"', "it can hold {contract_version} and {revision} alone"),
        ('package_version = "1.0"\nrevision = 2', "revision is 2, and package_version has no place for it"),
        ("revision = -1", "revision is -1, less than 0"),
        ('distribution = "-shop"', 'distribution is "-shop"'),
        ('license = "My own"', 'license is "My own", no SPDX expression'),
        ('description = "a\\nb"', "description is several lines"),
        ('urls = { Home = "shop.example" }', 'urls has "Home" = "shop.example"'),
    ],
)
def test_options_that_no_index_would_take_are_refused_at_the_job(shop: Path, lines: str, expected: str) -> None:
    option(shop, lines)
    with pytest.raises(codegen.WireboundError) as caught:
        pipeline.generate(None)
    assert str(caught.value).startswith("wirebound.toml:4:1: bad-option: ")
    assert expected in str(caught.value)


# --- metadata ---------------------------------------------------------------------------------------------------------


def test_the_folder_of_a_job_is_a_project(shop: Path) -> None:
    files = generated(shop)
    project = pyproject(files)
    assert (project["name"], project["version"]) == ("shop-bindings", "1.0.0")
    assert project["optional-dependencies"] == {"fast": ["msgspec>=0.19,<1"]}
    assert "dependencies" not in project
    assert {"README.md", "CHANGELOG.md", "shop_bindings/py.typed", "shop_bindings/contract/1.0/schema.json"} <= set(
        files
    )
    assert (shop / "schema/shop/1.0/schema.json").read_bytes() == files["shop_bindings/contract/1.0/schema.json"]
    assert b"## 1.0.0\n" in files["CHANGELOG.md"]
    provenance = json.loads(files["provenance.json"])
    assert provenance["generator"] == f"wirebound {codegen.__version__}"
    assert provenance["unknown"] == "reject"
    assert f'"{provenance["contract_digest"]}"' in files["shop_bindings/__init__.py"].decode()


def test_the_version_of_the_tool_stands_in_one_file(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = generated(shop)
    monkeypatch.setattr("codegen.provenance.__version__", "9.8.7")
    pipeline.generate(None, force=True)
    after = tree(shop / "generated/shop/1.0/python")
    changed = {path for path in after if after[path] != before[path]}
    assert changed == {"provenance.json", ".wirebound.json"}


def test_what_a_job_says_of_the_package(shop: Path) -> None:
    option(
        shop,
        'package = "shopping"',
        'distribution = "Shop.Kit"',
        'description = "What a shop says, \\"quoted\\"."',
        'license = "MIT OR Apache-2.0"',
        'authors = ["Ada <ada@shop.example>", "A Team"]',
        'urls = { Homepage = "https://shop.example/", "Source code" = "https://shop.example/code" }',
        'classifiers = ["Development Status :: 4 - Beta"]',
        'unknown = "keep"',
        "open_world = true",
    )
    files = generated(shop)
    project = pyproject(files)
    assert project["name"] == "Shop.Kit"
    assert project["description"] == 'What a shop says, "quoted".'
    assert project["license"] == "MIT OR Apache-2.0"
    assert project["authors"] == [{"name": "Ada", "email": "ada@shop.example"}, {"name": "A Team"}]
    assert project["urls"]["Source code"] == "https://shop.example/code"
    assert "Development Status :: 4 - Beta" in project["classifiers"]
    assert "Typing :: Typed" in project["classifiers"]
    assert b"kept, and written back" in files["README.md"]
    assert json.loads(files["provenance.json"])["open_world"] is True


def test_a_package_without_a_manifest_is_no_project(shop: Path) -> None:
    files = codegen.build(shop / "schema/shop/1.0/schema.json")
    assert "shop_bindings/codecs.py" in files
    assert not [path for path in files if not path.startswith("shop_bindings/") or "/contract/" in path]


@pytest.mark.parametrize(
    ("name", "value"), [("revision", 2), ("license", "MIT"), ("urls", {"Home": "https://x.example"})]
)
def test_what_says_nothing_without_a_manifest_is_refused(shop: Path, name: str, value: Any) -> None:
    with pytest.raises(codegen.WireboundError, match=rf"options:1:1: no-project: {name} would say nothing"):
        codegen.build(shop / "schema/shop/1.0/schema.json", options={name: value})


@pytest.mark.parametrize("text", ["{", "[NaN]", '{"id": 1e999}', ""])
def test_an_example_that_is_no_json_is_not_shown(shop: Path, text: str) -> None:
    examples = shop / "schema/shop/1.0/examples/Item"
    examples.mkdir(parents=True)
    (examples / "bad.json").write_bytes(text.encode())
    readme = generated(shop)["README.md"].decode()
    run(readme, shop / "generated/shop/1.0/python")


HOSTILE = 'A """ `x` ``` --> \\ {{ view }} {% if %} <script>\u202e\n# no heading\n| cell'


def test_hostile_text_stays_text(shop: Path) -> None:
    path = contract(shop, Item=ITEM)
    path.write_text(json.dumps({"title": HOSTILE, "description": HOSTILE, **json.loads(path.read_bytes())}))
    option(shop, f"description = {json.dumps(HOSTILE.replace(chr(10), ' '))}")
    files = generated(shop)
    assert "\n" not in pyproject(files)["description"]
    readme = files["README.md"].decode()
    assert "\u202e" not in readme
    assert len(re.findall(r"^# ", readme, re.MULTILINE)) == 1
    run(readme, shop / "generated/shop/1.0/python")


# --- the README -------------------------------------------------------------------------------------------------------


def snippets(readme: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)


def run(readme: str, folder: Path) -> str:
    """Run the snippets of a README one after another, as a reader would; what they print."""
    found = snippets(readme)
    assert found
    code = "\n".join(found)
    ran = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{code}"],
                         capture_output=True, text=True)  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_quick_start_runs_on_the_contract_s_own_example(shop: Path) -> None:
    examples = shop / "schema/shop/1.0/examples/Item"
    examples.mkdir(parents=True)
    (examples / "long.json").write_text(json.dumps({"id": "a long one", "size": "x" * 200}))
    (examples / "short.json").write_text(json.dumps({"id": "a-17"}))
    files = generated(shop)
    assert 'document = {"id": "a-17"}' in files["README.md"].decode()
    out = run(files["README.md"].decode(), shop / "generated/shop/1.0/python")
    assert out.startswith("Item(id='a-17'")
    assert {path for path in files if "/examples/" in path} == {"shop_bindings/contract/1.0/examples/Item/short.json"}
    # Another choice is an input like any other: the run that would have had nothing to do sees it.
    (examples / "best.json").write_text(json.dumps({"id": "b"}))
    assert 'document = {"id": "b"}' in generated(shop)["README.md"].decode()
    (examples / "best.json").write_text(json.dumps({"id": "c"}))
    assert 'document = {"id": "c"}' in generated(shop)["README.md"].decode()


@pytest.mark.parametrize(
    ("definitions", "shown"),
    [
        ({"Item": ITEM}, "codecs.Item.from_dict(document)"),
        ({"Size": {"enum": ["s", "m"]}}, "codecs.CODECS.items()"),
        (
            {
                "Base": record("x"),
                "Left": {"properties": {"kind": {"const": "left"}}, "required": ["kind"], "type": "object"},
                "Right": {"properties": {"kind": {"const": "right"}}, "required": ["kind"], "type": "object"},
                "Side": {"oneOf": [{"$ref": "#/$defs/Left"}, {"$ref": "#/$defs/Right"}]},
            },
            "codecs.Side.from_dict(document)",
        ),
        ({"DecodeError": record("class")}, "codecs.DecodeError.from_dict(document)"),
        ({"..": record("x"), "a/b": record("y")}, "from_dict(document)"),
    ],
)
def test_a_quick_start_runs_without_examples(shop: Path, definitions: dict[str, Any], shown: str) -> None:
    contract(shop, **definitions)
    readme = generated(shop)["README.md"].decode()
    assert shown in readme
    run(readme, shop / "generated/shop/1.0/python")


def test_the_quick_starts_of_the_committed_packages_run() -> None:
    """Whatever the manifest of this repository makes, without writing it."""
    own = manifest.load(ROOT / "pyproject.toml")
    jobs = [job for job in own.jobs if job.target == "python"]
    assert jobs
    for job, folder in zip(jobs, pipeline.Run(own, pipeline.unheard).folders(jobs), strict=True):
        readme = folder.contents["README.md"].decode()
        assert snippets(readme), job
        assert json.loads(folder.contents["provenance.json"])["contract"] == job.contract.name


# --- made again -------------------------------------------------------------------------------------------------------


def remade(files: dict[str, bytes], package: str, place: Path) -> dict[str, bytes]:
    """What the contract in a package makes, somewhere else."""
    start = f"{package}/contract/"
    for path, content in files.items():
        if path.startswith(start):
            target = place / path.removeprefix(start)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    if "LICENSE" in files:  # it is where installers look for it
        (place / "LICENSE").write_bytes(files["LICENSE"])
    again = manifest.load(place / "manifest.toml")
    (folder,) = pipeline.Run(again, pipeline.unheard).folders(again.jobs)
    return dict(folder.contents)


def test_the_contract_in_a_package_makes_the_package_again(shop: Path, tmp_path: Path) -> None:
    """Several documents, roots inside and outside, names by hand, overlays, two versions, examples, options of every kind."""
    inline = {
        "type": "object",
        "properties": {"x": {"type": "string"}},
        "required": ["x"],
        "additionalProperties": False,
    }
    item = {"type": "object", "properties": {"size": inline, "far": {"$ref": "https://far.example/one/far.json"},
            "near": {"$ref": "parts/near.json"}, "shared": {"$ref": "https://shared.example/shared.json"}}}  # fmt: skip
    contract(shop, "1.0", Item=item, Old=record("o"))
    contract(shop, "1.1", Item=item, New={"type": "object", "properties": {"size": inline, "Size": {"type": "string"}}})
    documents = {
        "schema/shop/1.0/parts/near.json": record("near"),
        "schema/shop/1.1/parts/near.json": record("nearer"),
        "schema/shop/common/shared.json": record("shared"),
        "schema/shop/1.1/examples/Item/one.json": {"size": {"x": "1"}},
        "elsewhere/one/far.json": record("far"),
        "elsewhere/unused.json": {"title": "of no use"},
    }
    for path, value in documents.items():
        (shop / path).parent.mkdir(parents=True, exist_ok=True)
        (shop / path).write_text(json.dumps(value))
    (shop / "schema/shop/1.1/overlay.yaml").write_text(
        "overlay: 1.0.0\ninfo: {title: more, version: 1.0.0}\nactions:\n"
        "  - {target: \"$['$defs'].New\", update: {description: By an overlay.}}\n"
    )
    (shop / "schema/shop/outline.toml").write_text(
        '[[sections]]\nid = "all"\ntitle = "All"\nmembers = ["Item", "New"]\n'
        '[names]\n"#/$defs/Item/properties/size" = "Extent"\n'
        '[names."1.1"]\n"#/$defs/New/properties/size" = "Breadth"\n'
        '[fields]\n"New.Size" = "other_size"\n[anchors]\nNew = "brand-new"\n'
    )
    (shop / "wirebound.toml").write_text(
        '[contracts.shop]\npath = "schema/shop"\n'
        'roots = { "https://far.example/" = "elsewhere", "https://shared.example/" = "schema/shop/common" }\n'
        '[[jobs]]\ncontract = "shop"\ntarget = "python"\npackage = "shopping"\nparts = ["models"]\nrevision = 2\n'
        'templates = "own"\nunknown = "strip"\nopen_world = true\n'
        'urls = { "Source code" = "https://shop.example/" }\nlicense = "MIT"\n'
    )
    for path, text in {
        "own/python/banner.j2": "# {{ view.banner }} It is ours.\n",
        "own/markdown/page.md.j2": "Of another target.\n",
        "schema/shop/LICENSE": "Do as you like.\n",
    }.items():
        (shop / path).parent.mkdir(parents=True, exist_ok=True)
        (shop / path).write_text(text)
    versions = {version: generated(shop, version) for version in ("1.0", "1.1")}
    assert b"It is ours." in versions["1.0"]["shopping/models.py"]
    assert versions["1.0"]["LICENSE"] == b"Do as you like.\n"
    assert pyproject(versions["1.0"])["license-files"] == ["LICENSE"]
    inside = {p.removeprefix("shopping/contract/") for p in versions["1.1"] if p.startswith("shopping/contract/")}
    assert inside == {
        "1.0/schema.json",
        "1.0/parts/near.json",
        "1.1/schema.json",
        "1.1/overlay.yaml",
        "1.1/parts/near.json",
        "1.1/examples/Item/one.json",
        "common/shared.json",
        "roots/0/one/far.json",
        "manifest.toml",
        "templates/python/banner.j2",
        "names.toml",
        "outline.toml",
    }
    assert b"Breadth" not in versions["1.0"]["shopping/contract/outline.toml"]
    assert b"Extent" in versions["1.0"]["shopping/contract/outline.toml"]
    for version, files in versions.items():
        again = remade(files, "shopping", tmp_path / f"again-{version}")
        assert again == {path: content for path, content in files.items() if path != ".wirebound.json"}


def test_a_new_version_and_prose_change_nothing_in_the_package_of_an_old_one(shop: Path) -> None:
    before = generated(shop)
    contract(shop, "1.1", Item=ITEM, Order=record("items"), Cart=record("c"))
    (shop / "schema/shop/outline.toml").write_text(
        '[[sections]]\nid = "all"\ntitle = "All"\nintro = "Words."\nmembers = ["Cart"]\n[anchors]\nCart = "the-cart"\n'
    )
    assert generated(shop) == before


def test_every_package_of_this_repository_can_be_made_again(tmp_path: Path) -> None:
    own = manifest.load(ROOT / "pyproject.toml")
    jobs = [job for job in own.jobs if job.target == "python"]
    for number, folder in enumerate(pipeline.Run(own, pipeline.unheard).folders(jobs)):
        files = dict(folder.contents)
        package = next(path for path in files if path.endswith("/py.typed")).partition("/")[0]
        assert remade(files, package, tmp_path / str(number)) == files


def test_a_person_is_told_how_to_go_on(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / "schema/shop/1.0").rename(shop / "schema/shop/draft")
    assert cli.run(["generate"]) == 2
    err = capsys.readouterr().err
    assert "help: state one in the job" in err
    assert "Traceback" not in err
