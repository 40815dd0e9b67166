"""``codegen.build`` and ``codegen.codecs``: the pipeline for callers, with nothing written."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest
from paper import contract, install, record, tree

import codegen

SHOP: dict[str, Any] = {"$ref": "#/$defs/Item", "$defs": {"Item": record("id")}}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "empty").mkdir()
    monkeypatch.syspath_prepend(install(tmp_path / "site"))
    monkeypatch.chdir(tmp_path / "empty")
    return tmp_path


def test_build_gives_the_files_of_a_value_or_a_path(elsewhere: Path) -> None:
    files = codegen.build(SHOP, target="paper", options={"title": "T"})
    assert files == {"sheets/Item.txt": b"T\nid\n", "about.txt": b"contract   codegen.build\n"}
    path = contract(elsewhere / "project", "2.0", Item=record("id"))
    for given in (path, str(path)):
        assert (
            codegen.build(given, target="paper")["about.txt"]
            == b"shop 2.0 2.0 wirebound build schema.json --target paper\n"
        )
    assert list((elsewhere / "empty").iterdir()) == []


NAMES = '[definitions.Measure]\nanchor = "measure"\nplaces."1.0" = "#/$defs/Item/properties/size"\n'
OUTLINE = '[names]\n"#/$defs/Item/properties/size" = "Dimensions"\n'


@pytest.mark.parametrize("version", ["1.0", "current"])
@pytest.mark.parametrize("above", [True, False])
def test_build_reads_outline_and_ledger_beside_the_contract_or_above(
    elsewhere: Path, version: str, above: bool
) -> None:
    if above and version != "1.0":
        version = "1.1"  # the name of an earlier version holds
    path = contract(elsewhere, version, Item={**record("id"), "properties": {"size": record("x")}})
    folder = path.parents[1 if above else 0]

    def sheets() -> set[str]:
        return {
            path.removeprefix("sheets/") for path in codegen.build(path, target="paper") if path.startswith("sheets/")
        }

    assert sheets() == {"Item.txt", "ItemSize.txt"}
    (folder / "names.toml").write_text(NAMES)
    assert sheets() == {"Item.txt", "Measure.txt"}
    (folder / "names.toml").unlink()
    (folder / "outline.toml").write_text(OUTLINE)
    assert sheets() == {"Item.txt", "Dimensions.txt"}
    assert len(tree(folder)) == 2


def test_problems_are_raised_as_one_error_with_places(elsewhere: Path) -> None:
    with pytest.raises(codegen.WireboundError) as caught:
        codegen.build({"type": "objekt"}, target="paper")
    assert caught.value.problems
    with pytest.raises(codegen.WireboundError, match='options:1:1: unknown-option: "colour"'):
        codegen.build(SHOP, target="paper", options={"colour": 1})
    with pytest.raises(codegen.WireboundError, match="options:1:1: unknown-target"):
        codegen.build(SHOP, target="papre")
    with pytest.raises(codegen.WireboundError, match=r"nowhere\.json:1:1: cannot-read"):
        codegen.build("nowhere.json", target="paper")


def test_roots_and_dialect_are_handed_on(elsewhere: Path) -> None:
    (elsewhere / "far.json").write_text(json.dumps(record("far")))
    value = {"$defs": {"Item": {"$ref": "https://example.org/far.json"}}}
    files = codegen.build(value, target="paper", roots={"https://example.org/": str(elsewhere)})
    assert b"paper\nfar\n" in files.values()
    with pytest.raises(codegen.WireboundError, match="unknown-dialect"):
        codegen.build(value, target="paper", dialect="draft-99")


def test_the_package_says_what_it_offers() -> None:
    assert codegen.__version__
    assert set(codegen.__all__) <= set(dir(codegen))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        codegen.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_package_is_cheap() -> None:
    code = "import sys; before = set(sys.modules); import codegen; print(*set(sys.modules) - before)"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=Path(__file__).parents[1], capture_output=True, text=True
    )
    assert not {"click", "jinja2", "dataclasses", "codegen.errors"} & set(loaded.stdout.split())
    assert "codegen" in loaded.stdout


# --- codecs -----------------------------------------------------------------------------------------------------------


def test_codecs_are_built_and_imported_in_memory(elsewhere: Path) -> None:
    modules = set(sys.modules)
    codecs = codegen.codecs(SHOP)
    assert set(codecs) == {"Item", ""}
    item = codecs["Item"].from_json(b'{"id": "a"}')
    assert (item.id, codecs["Item"].to_dict(item)) == ("a", {"id": "a"})
    assert codecs[""].from_dict({"id": "b"}).id == "b"
    assert list((elsewhere / "empty").iterdir()) == []
    assert {name for name in set(sys.modules) - modules if name.startswith("_wirebound")} == set()


def test_all_codecs_share_one_decode_error() -> None:
    one = codegen.codecs(SHOP)["Item"]
    other = codegen.codecs({"$defs": {"Size": {"enum": ["s", "m"]}}}, options={"package": "other"})["Size"]
    errors = []
    for codec, value in ((one, {"id": 1}), (other, "l")):
        with pytest.raises(ValueError) as caught:
            codec.from_dict(value)
        errors.append(caught.value)
    assert type(errors[0]) is type(errors[1])
    assert [fault.code for error in errors for fault in error.errors] == ["wrong-type", "unknown-value"]  # type: ignore[attr-defined]


def test_codecs_go_with_their_last_user() -> None:
    codec = codegen.codecs(SHOP)["Item"]
    kind = weakref.ref(type(codec.from_dict({"id": "a"})))
    gc.collect()
    assert kind() is not None
    with pytest.raises(ValueError):
        codec.from_dict({"id": 1})  # explains itself although nobody holds the mapping any more
    del codec
    gc.collect()
    assert kind() is None


def test_options_of_codecs_are_those_of_the_python_target() -> None:
    with pytest.raises(codegen.WireboundError, match="unknown-option"):
        codegen.codecs(SHOP, options={"colour": 1})
