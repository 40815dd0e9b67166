"""``wirebound package``: distributions that are the same wherever they are built, proven where nothing else is, made again."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from paper import contract, record, tree

from codegen import cli, package_pipeline
from codegen.publish import building, checking, wheel

ROOT = Path(__file__).parents[1]
MANIFEST = """\
[contracts.shop]
path = "schema/shop"

[[jobs]]
contract = "shop"
target = "python"
license = "MIT"
"""
ITEM = {**record("id", "size"), "required": ["id"]}
WHEEL = "shop_bindings-1.0.0-py3-none-any.whl"


def project(folder: Path, manifest: str = MANIFEST) -> Path:
    contract(folder, Item=ITEM, Order=record("items"))
    (folder / "schema/shop/LICENSE").write_text("Do as you like.\n")
    (folder / "wirebound.toml").write_text(manifest)
    return folder


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = project(tmp_path / "project")
    monkeypatch.chdir(folder)
    assert cli.run(["generate"]) == 0
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The project of the shop, generated."""
    folder = project(tmp_path_factory.mktemp("built"))
    package_pipeline.manifests.load(folder / "wirebound.toml")
    from codegen import pipeline

    pipeline.generate(folder / "wirebound.toml")
    files = tree(folder / "generated/shop/1.0/python")
    files.pop(".wirebound.json")
    return files


class Ran:
    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        capsys.readouterr()
        self.code = cli.run(arguments)
        self.out, self.err = capsys.readouterr()
        assert "Traceback" not in self.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    return lambda *arguments: Ran(capsys, *arguments)


def pythons() -> list[str]:
    """Every Python from 3.11 on that is here, each version once, with the one that runs first."""
    places = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep)]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [Path(sys.executable), *(p for place in places for p in sorted(place.glob("python3.[0-9]*")))]
    found += sorted(pyenv.glob("*/bin/python3"))
    versions: dict[str, str] = {}
    for path in found:
        if path.name.endswith("-config") or "shims" in path.parts:
            continue
        try:
            code = "import sys, venv; print('%d.%d.%d' % sys.version_info[:3] if sys.version_info >= (3, 11) else '')"
            ran = subprocess.run([path, "-c", code], capture_output=True, text=True, timeout=20)
        except OSError:
            continue
        if ran.returncode == 0 and ran.stdout.strip():
            versions.setdefault(ran.stdout.strip(), str(path))
    return list(versions.values())


# --- whole ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("contract", "version", "name"),
    [
        ("ag-ui", "1.0", "ag-ui-bindings 1.0.0"),
        ("ag-ui", "1.1", "ag-ui-bindings 1.1.0"),
        ("gemini-interactions", "v1beta", "gemini-interactions-bindings 1b0"),
    ],
)
def test_the_packages_of_this_repository_are_proven_on_every_python_here(
    tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch, contract: str, version: str, name: str
) -> None:
    """The whole of it on the contracts that are shipped: their own examples come back where nothing else is installed."""
    shutil.copytree(ROOT / "schema", tmp_path / "schema")
    text = (ROOT / "pyproject.toml").read_text().partition("[tool.wirebound.")
    manifest, _, _ = (text[1] + text[2]).partition("\n# What the tool writes")
    (tmp_path / "pyproject.toml").write_text(manifest)
    monkeypatch.chdir(tmp_path)
    assert run("generate", f"{contract}/{version}/python").code == 0
    found = pythons()
    ran = run(
        "package", f"{contract}/{version}/python", *(argument for python in found for argument in ("--python", python))
    )
    assert ran.code == 0, ran.err
    line = ran.out.splitlines()[-1]
    assert line.startswith(f"proven  {name}: ")
    examples = len(list((ROOT / "schema" / contract / version / "examples").glob("*/*.json")))
    assert f": {examples} documents on Python " in line
    assert len(line.rpartition("Python ")[2].split(", ")) == len(found)
    (made,) = (tmp_path / "dist").glob("*.whl")
    ran = run("package", "--verify", str(made))
    assert (ran.code, ran.out) == (0, f"dist/{made.name}: the contract in it makes the same bytes\n")


@pytest.mark.slow
def test_package_builds_judges_proves_and_writes(shop: Path, run) -> None:
    ran = run("package", "--out", "out/dist")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[:2] == ["wrote   out/dist/shop_bindings-1.0.0.tar.gz", f"wrote   out/dist/{WHEEL}"]
    version = ".".join(map(str, sys.version_info[:3]))
    assert ran.out.splitlines()[2] == f"proven  shop-bindings 1.0.0: 4 documents on Python {version}"
    assert {path.name for path in (shop / "out/dist").iterdir()} == {"shop_bindings-1.0.0.tar.gz", WHEEL}
    about = zipfile.ZipFile(shop / "out/dist" / WHEEL)
    provenance = json.loads(about.read("shop_bindings-1.0.0.dist-info/extra_metadata/wirebound.json"))
    assert provenance["contract"] == "shop"
    assert about.read("shop_bindings-1.0.0.dist-info/licenses/LICENSE") == b"Do as you like.\n"
    assert b"License-Expression: MIT\n" in about.read("shop_bindings-1.0.0.dist-info/METADATA")


# --- what keeps a package from being made -----------------------------------------------------------------------------


def test_what_is_not_up_to_date_is_not_packaged(shop: Path, run) -> None:
    contract(shop, Item={**ITEM, "description": "New."}, Order=record("items"))
    ran = run("package")
    assert ran.code == 2
    assert "generated/shop/1.0/python/" in ran.err
    assert ":1:1: stale: this file is stale\n  help: run: wirebound generate\n" in ran.err
    assert not (shop / "dist").exists()


def test_jobs_that_make_no_package_are_told_apart(shop: Path, run) -> None:
    (shop / "wirebound.toml").write_text(MANIFEST + '[[jobs]]\ncontract = "shop"\ntarget = "jsonschema"\n')
    assert run("generate").code == 0
    ran = run("package", "shop/jsonschema")
    assert ran.code == 2
    assert (
        'wirebound.toml:8:1: not-a-package: the target of this job is "jsonschema", which makes no package' in ran.err
    )
    (shop / "wirebound.toml").write_text(MANIFEST.replace('"python"\nlicense = "MIT"', '"jsonschema"'))
    assert "not-a-package: no job makes a package" in run("package").err
    assert "unknown-job" in run("package", "shp").err


def test_two_jobs_do_not_make_one_package(shop: Path, run) -> None:
    second = '[[jobs]]\ncontract = "shop"\ntarget = "python"\nname = "second"\nunknown = "keep"\n'
    (shop / "wirebound.toml").write_text(MANIFEST + second)
    assert run("generate").code == 0
    ran = run("package")
    assert ran.code == 2
    assert "duplicate: shop-bindings 1.0.0 is the package of another job already" in ran.err


def test_an_example_that_the_contract_refuses_stops_the_package(shop: Path, run) -> None:
    examples = shop / "schema/shop/1.0/examples/Order"
    examples.mkdir(parents=True)
    (examples / "good.json").write_text('{"items": "three"}')
    (examples / "bad.json").write_text('{"items": "three", "paid": true}')
    assert run("generate").code == 0
    ran = run("package")
    assert ran.code == 2
    assert "not-proven: on Python " in ran.err
    assert "schema/shop/1.0/examples/Order/bad.json is refused: " in ran.err
    assert "good.json" not in ran.err
    assert not (shop / "dist").exists()


def test_what_the_build_backend_refuses_is_said_in_its_words(shop: Path, run) -> None:
    (shop / "wirebound.toml").write_text(MANIFEST + 'classifiers = ["Colour :: Green"]\n')
    assert run("generate").code == 0
    ran = run("package")
    assert ran.code == 2
    assert "pyproject.toml:1:1: build-failed: the sdist cannot be built: " in ran.err
    assert "Colour :: Green" in ran.err


@pytest.mark.parametrize("python", ["no-such-python", "false"])
def test_an_interpreter_that_is_none_is_told(shop: Path, run, python: str) -> None:
    ran = run("package", "--python", python)
    assert ran.code == 2
    assert f"--python:1:1: no-python: {python} cannot be " in ran.err


def test_the_tools_are_an_extra(shop: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    find = building.need.__globals__["importlib"].util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *rest: None if name == "build" else find(name, *rest))
    ran = run("package")
    assert ran.code == 2
    assert "missing-extra: build is not installed" in ran.err
    assert 'pip install "wirebound[publish]"' in ran.err


def test_a_proof_finds_what_is_not_as_it_should_be(built: dict[str, bytes]) -> None:
    """Each thing that is proven can fail: the proof is run on a package that is not what is expected of it."""
    from codegen.errors import OutputError
    from codegen.publish.proving import Case, Expected, prove

    distribution = next(iter(building.built(built, kinds=["wheel"]).items()))
    expected = Expected(
        distribution="shop-bindings",
        version="1.0.1",
        package="shop_bindings",
        protocol_version="1.1",
        digest="0",
        files={"1.0/schema.json": "0", "names.toml": "0"},
        documents=[Case("one", "Item", '{"id": "a"}'), Case("two", "Item", '{"id": 1}'), Case("three", "Item", "{")],
    )
    with pytest.raises(OutputError) as caught:
        prove(*distribution, expected, sys.executable)
    messages = [problem.message.partition(", ")[2] for problem in caught.value.problems]
    assert [message.partition(" is ")[0] for message in messages] == [
        "the version",
        "PROTOCOL_VERSION",
        "CONTRACT_DIGEST",
        "the digest of contract/1.0/schema.json",
        "the digest of contract/names.toml",
        "two",
        "three",
    ]


def test_a_dependency_is_found_whether_it_is_stated_or_not(built: dict[str, bytes]) -> None:
    """A module may need what an extra brings, and nothing else."""
    from codegen.errors import OutputError
    from codegen.publish.proving import Expected, prove

    expected = Expected(
        distribution="shop-bindings",
        version="1.0.0",
        package="shop_bindings",
        protocol_version="1.0",
        digest=json.loads(built["provenance.json"])["contract_digest"],
        files={},
        documents=[],
    )
    stated = {
        **built,
        "pyproject.toml": built["pyproject.toml"].replace(b"[project]\n", b'[project]\ndependencies = ["attrs"]\n'),
    }
    spare = {**built, "shop_bindings/spare.py": b"import msgspec\n"}
    assert prove(*next(iter(building.built(spare, kinds=["wheel"]).items())), expected, sys.executable)
    other = {**built, "shop_bindings/spare.py": b"import attrs\n"}
    hidden = {**built, "shop_bindings/codecs.py": built["shop_bindings/codecs.py"] + b"\nimport attrs\n"}
    for files, found in (
        (stated, "it cannot be installed: "),
        (hidden, "No module named 'attrs'"),
        (other, "shop_bindings.spare cannot be imported: No module named 'attrs'"),
    ):
        with pytest.raises(OutputError) as caught:
            prove(*next(iter(building.built(files, kinds=["wheel"]).items())), expected, sys.executable)
        assert found in str(caught.value)


# --- the same bytes ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_person_builds_the_same_bytes_by_hand(built: dict[str, bytes], tmp_path: Path) -> None:
    """In a repository whose .gitignore ignores half of it, with strays about, at another time: the bytes are the same."""
    made = building.twice(built)
    folder = tmp_path / "repository/generated/python"
    for path, content in built.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        os.utime(folder / path, (0, 1_700_000_000))
    subprocess.run(["git", "init", "-q", str(tmp_path / "repository")], check=True)
    (tmp_path / "repository/.gitignore").write_text("contract/\n*.json\n*.md\n")
    (folder / "notes.txt").write_text("a stray")
    cache = folder / "shop_bindings/__pycache__"
    cache.mkdir()
    (cache / "models.cpython-311.pyc").write_bytes(b"x")
    environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path / "dist"), str(folder)]
    subprocess.run(command, check=True, capture_output=True, env={**environment, "TZ": "Asia/Seoul"})
    assert {path.name: path.read_bytes() for path in (tmp_path / "dist").iterdir()} == made


def test_what_is_not_reproducible_is_a_problem(built: dict[str, bytes]) -> None:
    from codegen.errors import OutputError

    hook = b"\n[tool.hatch.build.targets.wheel.hooks.custom]\n"
    files = {**built, "pyproject.toml": built["pyproject.toml"] + hook, "hatch_build.py": HOOK.encode()}
    files["pyproject.toml"] = files["pyproject.toml"].replace(
        b'"CHANGELOG.md", ', b'"CHANGELOG.md", "hatch_build.py", '
    )
    with pytest.raises(OutputError, match="not-reproducible"):
        building.twice(files)


HOOK = """
import pathlib, uuid
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

class Custom(BuildHookInterface):
    def initialize(self, version, build_data):
        path = pathlib.Path(self.root, "shop_bindings", "salt.py")
        path.write_text(f"SALT = '{uuid.uuid4()}'")
"""


def test_the_time_of_a_release_can_be_stated(built: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    name, content = next(iter(building.built(built, kinds=["wheel"]).items()))
    given = wheel.read(name, content)
    assert given.epoch == 1700000000
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1600000000")
    assert package_pipeline.verified(name, content).same


def test_the_tools_that_know_wheels_are_asked(built: dict[str, bytes]) -> None:
    from codegen.errors import OutputError

    files = {**built, "shop_bindings/contract/again.json": built["shop_bindings/contract/1.0/schema.json"]}
    files["pyproject.toml"] = files["pyproject.toml"].replace(b'readme = "README.md"\n', b"")
    with pytest.raises(OutputError) as caught:
        checking.check(building.built(files))
    assert [problem.code for problem in caught.value.problems] == ["bad-metadata", "bad-wheel"]
    assert "long_description" in caught.value.problems[0].message
    assert "W002" in caught.value.problems[1].message


# --- verify -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(built: dict[str, bytes]) -> bytes:
    return next(iter(building.built(built, kinds=["wheel"]).values()))


def rewritten(content: bytes, **changes: bytes | None) -> bytes:
    """A wheel with other members, by the end of their names; None for one that is left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            change = [value for name, value in changes.items() if entry.filename.endswith(name)]
            if change != [None]:
                new.writestr(entry, change[0] if change and change[0] is not None else old.read(entry))
    return out.getvalue()


def test_a_wheel_that_was_changed_is_found_out(made: bytes, tmp_path: Path, run) -> None:
    path = tmp_path / WHEEL
    path.write_bytes(made)
    assert run("package", "--verify", str(path)).code == 0
    path.write_bytes(rewritten(made, **{"bindings/models.py": b"import os\n"}))
    ran = run("package", "--verify", str(path))
    assert (ran.code, ran.out) == (1, "differs shop_bindings/models.py\n")
    assert "is another wheel than the contract in it makes" in ran.err
    ran = run("package", "--verify", str(path), "--json")
    assert (ran.code, json.loads(ran.out)) == (
        1,
        {"same": False, "differing": ["shop_bindings/models.py"], "tools": []},
    )


def test_a_contract_that_was_changed_is_found_out(made: bytes, tmp_path: Path, run) -> None:
    path = tmp_path / WHEEL
    schema = json.loads(zipfile.ZipFile(io.BytesIO(made)).read("shop_bindings/contract/1.0/schema.json"))
    schema["$defs"]["Item"]["required"] = []
    path.write_bytes(rewritten(made, **{"contract/1.0/schema.json": json.dumps(schema).encode()}))
    ran = run("package", "--verify", str(path))
    assert ran.code == 1
    assert "differs shop_bindings/models.py\n" in ran.out


def test_what_made_a_wheel_is_said_where_it_is_not_what_makes_it_again(made: bytes, tmp_path: Path, run) -> None:
    path = tmp_path / WHEEL
    about = zipfile.ZipFile(io.BytesIO(made)).read("shop_bindings-1.0.0.dist-info/extra_metadata/wirebound.json")
    older = json.dumps({**json.loads(about), "generator": "wirebound 0.0.1"}, indent=2).encode() + b"\n"
    path.write_bytes(rewritten(made, **{"extra_metadata/wirebound.json": older}))
    ran = run("package", "--verify", str(path))
    assert ran.code == 1
    assert "made by hatchling " in ran.out
    assert "wirebound 0.0.1, now hatchling " in ran.out


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "unreadable: it cannot be read: "),
        (b"no zip", "bad-wheel: it is no wheel: "),
        (b"PK\x03\x04" + b"\0" * 40, "bad-wheel: it is no wheel: "),
    ],
)
def test_what_is_no_wheel_is_told(tmp_path: Path, run, content: bytes | None, expected: str) -> None:
    path = tmp_path / "x.whl"
    if content is not None:
        path.write_bytes(content)
    ran = run("package", "--verify", str(path))
    assert ran.code == 2
    assert expected in ran.err


def test_a_wheel_of_another_tool_holds_no_contract(made: bytes, tmp_path: Path, run) -> None:
    path = tmp_path / WHEEL
    path.write_bytes(rewritten(made, **{"contract/manifest.toml": None}))
    assert (
        "no-contract: this wheel holds no contract to make it again from" in run("package", "--verify", str(path)).err
    )
    path.write_bytes(
        rewritten(made, **{"contract/manifest.toml": b'[[jobs]]\ncontract = "shop"\ntarget = "markdown"\n'})
    )
    assert run("package", "--verify", str(path)).code == 2


def test_a_wheel_does_not_write_where_it_likes(made: bytes, tmp_path: Path, run) -> None:
    path = tmp_path / WHEEL
    out = io.BytesIO(made)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("shop_bindings/contract/../../../escaped.txt", b"x")
    path.write_bytes(out.getvalue())
    ran = run("package", "--verify", str(path))
    assert ran.code == 2
    assert "bad-path" in ran.err
    assert not list(tmp_path.parent.rglob("escaped.txt"))


def test_verify_is_about_one_wheel(shop: Path, run) -> None:
    assert run("package", "shop/python", "--verify", "x.whl").code == 2


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """Whatever comes of a run, its folders are gone."""
    import tempfile

    before = set(Path(tempfile.gettempdir()).glob(f"wirebound-{os.getpid()}-*"))
    yield
    assert set(Path(tempfile.gettempdir()).glob(f"wirebound-{os.getpid()}-*")) == before
