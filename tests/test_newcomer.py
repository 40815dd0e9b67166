"""A newcomer's path: the toolchain's own wheel, an empty folder, and a small contract of one's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONTRACT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "https://tea.example/2.0/schema.json",
    "title": "Tea",
    "description": "What a tea machine hears and says.",
    "$ref": "#/$defs/Message",
    "$defs": {
        "Message": {"description": "Either way.", "oneOf": [{"$ref": "#/$defs/Brew"}, {"$ref": "#/$defs/Ready"}]},
        "Brew": {
            "description": "A wish.",
            "type": "object",
            "properties": {
                "kind": {"const": "brew"},
                "leaves": {"description": "Grams of leaves.", "type": "number", "exclusiveMinimum": 0},
                "steps": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["kind", "leaves"],
            "additionalProperties": False,
        },
        "Ready": {
            "description": "An answer.",
            "type": "object",
            "properties": {"kind": {"const": "ready"}, "cups": {"type": "integer"}},
            "required": ["kind", "cups"],
            "additionalProperties": False,
        },
    },
}


def ran(command: list[str], folder: Path, **environment: str) -> str:
    keep = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    }
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**keep, **environment})
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def environment(folder: Path, *wanted: str, beside: bool, index: str = "") -> Path:
    """A new environment with what is ``wanted``: wheels, or distributions of an ``index``; its interpreter. ``beside``: what
    they need is found where the tests run, so that nothing is fetched."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    if beside:
        (place,) = folder.glob("lib/python*/site-packages")
        (place / "beside.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "--python", str(python)]
    source = ["--index-url", index, "--no-cache-dir"] if index else ["--no-index", "--no-deps"]
    ran([*pip, "install", "--quiet", *source, *wanted], folder)
    return python


@pytest.fixture(scope="module")
def toolchain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the toolchain, built from this checkout."""
    out = tmp_path_factory.mktemp("wheel")
    ran([sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(out), str(ROOT)], out)
    (wheel,) = out.glob("wirebound-*.whl")
    return wheel


def test_the_wheel_holds_the_templates_and_nothing_of_the_checkout(toolchain: Path) -> None:
    names = zipfile.ZipFile(toolchain).namelist()
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"codegen"}
    held = {name.removeprefix("codegen/_templates/") for name in names if name.startswith("codegen/_templates/")}
    listed = subprocess.run(["git", "ls-files", "templates"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {f"templates/{name}" for name in held} >= set(listed.stdout.split())
    assert "codegen/py.typed" in names


@pytest.mark.slow
def test_a_newcomer_in_an_empty_folder(toolchain: Path, tmp_path: Path) -> None:
    place = tmp_path
    python = environment(place / "tools", str(toolchain), beside=True)
    command = str(python.with_name("wirebound"))
    folder = place / "tea"
    folder.mkdir()
    where = ran([str(python), "-c", "import codegen; print(codegen.__file__)"], folder)
    assert where.startswith(str(place / "tools")), "the installed toolchain, not the checkout"
    (folder / "tea.json").write_text(json.dumps(CONTRACT, indent=2))
    assert ran([command, "--version"], folder).startswith("wirebound ")
    assert "wrote   wirebound.toml\n" in ran(
        [command, "init", "--target", "python", "--target", "markdown", "--ci", "github"], folder
    )
    assert "files written" in ran([command, "generate"], folder)
    assert ran([command, "generate", "--check"], folder) == ""
    assert "proven  tea-bindings 2.0.0: " in ran([command, "package"], folder)
    assert "files written" in ran([command, "docs", "--out", "site"], folder)
    assert (folder / "schema/tea/2.0/schema.json").read_bytes() == (folder / "tea.json").read_bytes()
    assert {path.name for path in (folder / "dist").iterdir()} == {
        "tea_bindings-2.0.0-py3-none-any.whl",
        "tea_bindings-2.0.0.tar.gz",
    }
    assert (folder / "generated/tea/2.0/markdown").is_dir()
    assert (folder / "site/index.html").is_file()
    assert (folder / ".github/workflows/wirebound.yml").is_file()
