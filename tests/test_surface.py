"""What programs can name of a package, and what of it breaks between two versions of a contract, or of the generator."""

from __future__ import annotations

import ast
import json
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from codegen import cli
from codegen.editions import Shelf
from codegen.evolve.surface import Broken, broken
from codegen.render import render
from codegen.targets.python import TARGET
from codegen.targets.python.options import Options

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Any = {"type": "string"}


def contract(**definitions: Any) -> Any:
    return {"$schema": DIALECT, "$defs": definitions}


def order(*required: str, **members: Any) -> Any:
    return {"type": "object", "properties": {"id": TEXT, **members}, "required": ["id", *required]}


def surface(value: Any, **options: Any) -> dict[str, str]:
    shelf = Shelf()
    edition = shelf.add(value, contract="shop", version="1", command="wirebound generate", rule="folder")
    return dict(TARGET.surface(edition, Options(**options)))


def reasons(old: Any, new: Any, **options: Any) -> dict[str, str]:
    """What breaks in ``models``, by name."""
    found = broken(surface(old, **options), surface(new, **options), open_world=options.get("open_world", False))
    return {one.name.removeprefix("models."): one.reason for one in found if one.name.startswith("models.")}


STATE: Any = {"title": "State", "enum": ["open", "paid"]}
ORDER = contract(Order=order(state={"$ref": "#/$defs/State"}, note=TEXT), State=STATE)


def test_a_surface_has_every_public_name_with_what_it_promises() -> None:
    found = surface(ORDER)
    assert found["models.Order"] == "class (Record['typed.Order'])"
    assert found["models.Order.id"] == "str"
    assert found["models.Order.state"] == "State | None = None"
    assert found["models.State"] == "'open' | 'paid'"
    assert found["models.STATE_VALUES"] == "tuple[State, ...]"
    assert found["typed.Order.note"] == "str = NotRequired"
    assert found["codecs.Order"] == "_Codec[models.Order, typed.Order]"


@pytest.mark.parametrize("parts", [("models",), ("models", "typed"), ("models", "typed", "msgspec")])
def test_what_the_modules_define_is_on_the_surface(parts: tuple[str, ...]) -> None:
    """Read from the files themselves: nothing public is left out."""
    shelf = Shelf()
    edition = shelf.add(ORDER, contract="shop", version="1", command="wirebound generate", rule="folder")
    options = Options(parts=parts)  # type: ignore[arg-type]
    files = render(TARGET.files(edition, options))
    found = TARGET.surface(edition, options)
    for module in ("models", "typed", "codecs", "msgspec_models"):
        text = files.get(f"shop_bindings/{module}.py")
        if text is None:
            continue
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and node.bases:
                assert f"{module}.{node.name}" in found
                members = [one.target.id for one in node.body if isinstance(one, ast.AnnAssign)]  # type: ignore[union-attr]
                assert {f"{module}.{node.name}.{member}" for member in members} <= found.keys()
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id[0] != "_":
                assert f"{module}.{node.target.id}" in found or node.target.id == "CODECS"


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (ORDER, {}),
        (contract(Order=order(state={"$ref": "#/$defs/State"}, note=TEXT, more=TEXT), State=STATE), {}),
        (
            contract(Order=order("more", state={"$ref": "#/$defs/State"}, note=TEXT, more=TEXT), State=STATE),
            {"Order.more": "must be given where the object is made"},
        ),
        (
            contract(Order=order("note", state={"$ref": "#/$defs/State"}, note=TEXT), State=STATE),
            {"Order.note": "must be given now; cannot be None any more"},
        ),
        (
            contract(Order=order(state={"$ref": "#/$defs/State"}, note={"type": ["string", "null"]}), State=STATE),
            {
                "Order.note": "is ABSENT where nothing is given, and was None; can be Absent too: who reads it, or matches "
                "all that it can be, must expect that"
            },
        ),
        (
            contract(Order=order(state={"$ref": "#/$defs/State"}, note={"type": "integer"}), State=STATE),
            {"Order.note": "was str, and is int"},
        ),
        (contract(Order=order(state={"$ref": "#/$defs/State"}), State=STATE), {"Order.note": "is gone"}),
        (
            contract(Order=order(state={"$ref": "#/$defs/State"}, Note=TEXT, comment=TEXT), State=STATE),
            {},
        ),
        (
            contract(Order=order(state={"$ref": "#/$defs/State"}, remark=TEXT), State=STATE),
            {"Order.note": "is called remark now"},
        ),
        (
            contract(
                Order=order(state={"$ref": "#/$defs/State"}, note=TEXT),
                State={**STATE, "enum": ["open", "paid", "late"]},
            ),
            {"State": "can be 'late' too: who reads it, or matches all that it can be, must expect that"},
        ),
        (
            contract(Order=order(state={"$ref": "#/$defs/State"}, note=TEXT), State={**STATE, "enum": ["open"]}),
            {"State": "cannot be 'paid' any more"},
        ),
    ],
)
def test_what_breaks_and_why(new: Any, expected: dict[str, str]) -> None:
    assert reasons(ORDER, new) == expected


def test_an_open_world_expects_values_that_it_does_not_know() -> None:
    new = contract(
        Order=order(state={"$ref": "#/$defs/State"}, note=TEXT), State={**STATE, "enum": ["open", "paid", "late"]}
    )
    assert reasons(ORDER, new, open_world=True) == {}


def test_alternatives_are_told_apart_wherever_bars_stand() -> None:
    old, new = {"a.b": "Mapping[str, int | str] | None = None"}, {"a.b": "Mapping[str, int | str] | int | None = None"}
    assert [one.name for one in broken(old, new)] == ["a.b"]
    assert "can be int too" in broken(old, new)[0].reason
    assert broken(old, old) == ()
    assert broken({"a": "'x | y'"}, {"a": "'x | y' | 'z'"}) == (
        Broken(name="a", reason="can be 'z' too: who reads it, or matches all that it can be, must expect that"),
    )


# --- wirebound diff ---------------------------------------------------------------------------------------------------

MEETING = contract(Order={**order(fooBar=TEXT), "additionalProperties": False})
RENAMING = contract(Order={**order(fooBar=TEXT, foo_bar=TEXT), "additionalProperties": False})


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for version, value in (("1.0", MEETING), ("1.1", RENAMING)):
        path = tmp_path / "schema/shop" / version / "schema.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(value))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def manifest(folder: Path, jobs: str) -> None:
    policy = 'policy = { receivers = "tolerant" }\n'
    (folder / "wirebound.toml").write_text(f'[contracts.shop]\npath = "schema/shop"\n{policy}{jobs}')


def test_a_change_that_breaks_nothing_on_the_wire_may_rename_an_attribute(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["diff", "schema/shop/1.0", "schema/shop/1.1"]
    manifest(shop, "")
    assert cli.run(arguments) == 0
    assert "source compatible · version step minor" in capsys.readouterr().out
    manifest(shop, '\n[[jobs]]\ncontract = "shop"\ntarget = "python"\n')
    assert cli.run([*arguments, "--fail-on", "source"]) == 1
    told = capsys.readouterr().out
    assert "write compatible · read compatible · source breaking · version step major" in told
    assert "source breaking: python: attribute of Order.fooBar was foo_bar, and is fooBar" in " ".join(told.split())
    assert cli.run([*arguments, "--fail-on", "write", "--fail-on", "read"]) == 0
    capsys.readouterr()
    assert cli.run([*arguments, "--format", "json"]) == 1
    assert '"source"' in (told := capsys.readouterr().out) and "attribute of Order.fooBar" in told and json.loads(told)


def test_the_next_version_is_judged_by_what_programs_can_name_too(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest(shop, '\n[[jobs]]\ncontract = "shop"\ntarget = "python"\n')
    shutil.move(shop / "schema/shop/1.1/schema.json", shop / "next.json")
    (shop / "schema/shop/1.1").rmdir()
    assert cli.run(["bump", "next.json", "--version", "1.1", "--dry-run"]) == 0
    told = capsys.readouterr()
    assert "attribute of Order.fooBar was foo_bar, and is fooBar" in " ".join(told.out.split())
    assert "source breaking · version step major" in told.out and "takes a major step" in told.err


# --- wirebound upgrade-check ------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[1]


def wheel(path: Path, **changed: tuple[str, str]) -> Path:
    """This tool as a wheel, with texts of modules changed: {module of the python target: (before, after)}."""
    with zipfile.ZipFile(path, "w") as archive:
        for file in (ROOT / "codegen").rglob("*.py"):
            text = file.read_text("utf-8")
            before, after = changed.get(file.stem, ("", "")) if file.parent.name == "python" else ("", "")
            assert before in text
            archive.writestr(file.relative_to(ROOT).as_posix(), text.replace(before, after) if before else text)
        for file in (ROOT / "templates").rglob("*"):
            if file.is_file():
                archive.write(file, f"codegen/_templates/{file.relative_to(ROOT / 'templates').as_posix()}")
        archive.writestr(
            "wirebound-0.0.1.dist-info/METADATA", "Metadata-Version: 2.1\nName: wirebound\nVersion: 0.0.1\n"
        )
    return path


JOB = '\n[[jobs]]\ncontract = "shop"\ntarget = "python"\n'


def test_an_upgrade_that_changes_nothing(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest(shop, JOB)
    old = wheel(shop / "old.whl")
    before = {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()}
    assert cli.run(["upgrade-check", str(old)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "shop/1.0/python: 0 differences, 0 of them break programs",
        "shop/1.1/python: 0 differences, 0 of them break programs",
    ]
    assert {path: path.read_bytes() for path in shop.rglob("*") if path.is_file()} == before


def test_an_upgrade_after_which_a_name_is_another(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest(shop, JOB)
    old = wheel(shop / "old.whl", names=('_VALUES"', '_ALL"'), models=('right = " = None"', 'right = ""'))
    (shop / "schema/shop/1.1/schema.json").write_text(json.dumps(ORDER))
    assert cli.run(["upgrade-check", str(old)]) == 1
    told = capsys.readouterr().out
    assert "  removed models.STATE_ALL: is called STATE_VALUES now\n" in told
    assert "  added   models.STATE_VALUES\n" in told
    assert "  changed models.Order.note\n" in told, "what need not be given any more breaks nobody"
    assert cli.run(["upgrade-check", str(old), "--json"]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["job"], second["job"]) == ("shop/1.0/python", "shop/1.1/python")
    note = next(one for one in second["differences"] if one["name"] == "models.Order.note")
    assert note == {
        "name": "models.Order.note",
        "kind": "changed",
        "before": "str | None",
        "after": "str | None = None",
        "breaks": "",
    }


def test_a_python_in_which_another_version_is_installed(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest(shop, JOB)
    program = shop / "python"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    assert cli.run(["upgrade-check", str(program)]) == 0


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("gone.whl", None, "other-version: it cannot be read"),
        ("none.whl", b"PK", "bad-wheel"),
        ("python", b"#!/bin/sh\necho no such command >&2\nexit 2\n", "it does not tell what it makes: no such command"),
        ("nothing", None, "other-version: it cannot be run"),
    ],
)
def test_what_cannot_tell(
    shop: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, said: str
) -> None:
    manifest(shop, JOB)
    if content is not None:
        (shop / name).write_bytes(content)
        (shop / name).chmod(0o755)
    assert cli.run(["upgrade-check", name]) == 2
    assert f"{name}:1:1: " in (err := capsys.readouterr().err) and said in err


def test_a_former_name_that_stays_breaks_nobody() -> None:
    old = {
        "models.Item": "class (Record['typed.Item'])",
        "models.Item.sku": "str",
        "models.Order.items": "Sequence[Item]",
        "models.Order.Item": "'Item' | Items",
        "codecs.Item": "_Codec[models.Item, typed.Item]",
        "attribute of Item.sku": "sku",
    }
    new = {
        "models.Thing": "class (Record['typed.Thing'])",
        "models.Thing.sku": "str",
        "models.Order.items": "Sequence[Thing]",
        "models.Order.Item": "'Item' | Items",
        "models.Item": "Thing",
        "codecs.Thing": "_Codec[models.Thing, typed.Thing]",
        "codecs.Item": "Thing",
        "attribute of Thing.sku": "sku",
    }
    assert broken(old, new) == ()
    assert [one.name for one in broken(old, {**new, "models.Thing.sku": "int"})] == ["models.Thing.sku"]
    gone = {name: promise for name, promise in new.items() if name != "codecs.Item"}
    assert [one.name for one in broken(old, gone)] == ["codecs.Item"]
    gone = {name: promise for name, promise in new.items() if not name.endswith(".Item")}
    assert {"models.Item", "codecs.Item"} <= {one.name for one in broken(old, gone)}
