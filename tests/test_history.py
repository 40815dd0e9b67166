"""What became of a contract, version by version: since, changed, deprecated; where it is told; and versions that are frozen."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from site_build import project

from codegen import cli, docs_pipeline, manifest, pipeline
from codegen.document import load
from codegen.editions import Shelf
from codegen.errors import WireboundError
from codegen.evolve.changes import KINDS, WORDS
from codegen.history import History, Past
from codegen.wording import read

ROOT = Path(__file__).parents[1]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Any = {"type": "string"}
Contracts = dict[str, Any]


def contract(**definitions: Any) -> Any:
    return {"$schema": DIALECT, "$defs": definitions}


def order(*required: str, **members: Any) -> Any:
    return {"type": "object", "properties": {"id": TEXT, **members}, "required": ["id", *required]}


BASE: Any = {"type": "object", "properties": {"at": {"type": "integer"}}}
STATE: Any = {"enum": ["open", "paid"]}
FIRST = contract(
    Base=BASE, State=STATE, Order={"allOf": [{"$ref": "#/$defs/Base"}], **order(state={"$ref": "#/$defs/State"})}
)
SECOND = contract(
    Base={"type": "object", "properties": {"at": {"type": "integer", "minimum": 0}, "by": TEXT}},
    State={"enum": ["open", "paid", "late"]},
    Order={"allOf": [{"$ref": "#/$defs/Base"}], **order(state={"$ref": "#/$defs/State"}, note=TEXT)},
    Receipt=order(sum=TEXT),
)
THIRD = contract(
    Base={
        "type": "object",
        "properties": {"at": {"type": "integer", "minimum": 0}, "by": {**TEXT, "deprecated": True}},
    },
    State={"enum": ["open", "paid", "late"], "description": "How far it is."},
    Order={"allOf": [{"$ref": "#/$defs/Base"}], **order("note", state={"$ref": "#/$defs/State"}, note=TEXT)},
    Bill={**order(sum={"type": "integer"}), "deprecated": True},
)
VERSIONS = {"1.0": FIRST, "1.1": SECOND, "2.0": THIRD}
NAMES = """\
[definitions.Bill]
anchor = "bill"
former = ["Receipt"]

[definitions.Receipt]
anchor = "receipt"
places."1.1" = "#/$defs/Receipt"
"""


def shelf(tmp_path: Path, versions: Contracts = VERSIONS, named: str = "") -> Shelf:
    names = tmp_path / "names.toml"
    if named:
        names.write_text(named)
    made = Shelf(named=names)
    for version, value in versions.items():
        made.add(value, contract="shop", version=version, command="wirebound generate", rule="folder")
    return made


def told(shelf: Shelf, version: str) -> dict[str, Past]:
    """Everything with a past, by name."""
    edition = shelf.editions[version]
    names = {definition.key: definition.name.spelled for definition in edition.facts.public}
    history: History = edition.history
    return {
        **{names[key]: past for key, past in history.definitions.items()},
        **{f"{names[key]}.{field}": past for (key, field), past in history.fields.items()},
        **{f"{names[key]} {value}": past for (key, value), past in history.values.items()},
    }


def test_the_first_version_has_no_past(tmp_path: Path) -> None:
    assert shelf(tmp_path).editions["1.0"].history == History()


def test_since_and_changed_per_definition_field_and_value(tmp_path: Path) -> None:
    assert told(shelf(tmp_path), "1.1") == {
        "Base": Past(changed=("1.1",)),
        "Base.at": Past(changed=("1.1",)),
        "Base.by": Past(since="1.1"),
        "State": Past(changed=("1.1",)),
        'State "late"': Past(since="1.1"),
        "Order": Past(changed=("1.1",)),
        "Order.at": Past(changed=("1.1",)),
        "Order.by": Past(since="1.1"),
        "Order.note": Past(since="1.1"),
        "Receipt": Past(since="1.1"),
    }


def test_a_past_is_carried_on_also_under_another_name(tmp_path: Path) -> None:
    found = told(shelf(tmp_path, named=NAMES), "2.0")
    assert found["Bill"] == Past(since="1.1", changed=("2.0",), deprecated="2.0")
    assert found["Bill.sum"] == Past(changed=("2.0",))
    assert found["Order.note"] == Past(since="1.1", changed=("2.0",))
    assert found["Base.by"] == found["Order.by"] == Past(since="1.1", deprecated="2.0")
    assert found["Base"] == Past(changed=("1.1",)), "a deprecation changes nothing that is asserted"
    assert found["State"] == Past(changed=("1.1",)), "nor does a description"
    assert found["Base.at"] == Past(changed=("1.1",))


def test_without_a_line_in_the_ledger_another_shape_of_another_name_is_new(tmp_path: Path) -> None:
    assert told(shelf(tmp_path), "2.0")["Bill"] == Past(since="2.0")


def test_a_shape_that_gets_a_name_of_its_own_was_there_before(tmp_path: Path) -> None:
    inline = contract(Order=order(line={"title": "Line", **order(count=TEXT)}))
    named = contract(Order=order(line={"$ref": "#/$defs/Row"}), Row=order(count=TEXT))
    made = shelf(tmp_path, {"1": inline, "2": named})
    assert made.editions["2"].history.releases[-1].notes == ()
    assert told(made, "2") == {}


def test_releases_are_told_in_groups_with_their_step(tmp_path: Path) -> None:
    made = shelf(tmp_path, named=NAMES)
    first, second = made.editions["2.0"].history.releases
    assert (first.version, first.before, first.step) == ("1.1", "1.0", "major")
    assert {(note.kind, note.definition, note.field) for note in first.of("breaking")} == {
        ("minimum-changed", "Base", "at"),
        ("value-added", "State", ""),
    }
    assert {(note.kind, note.definition, note.field) for note in first.of("added")} == {
        ("field-added", "Base", "by"),
        ("field-added", "Order", "note"),
        ("definition-added", "Receipt", ""),
    }
    shared = next(note for note in first.notes if note.kind == "field-added" and note.definition == "Base")
    assert shared.shared == ("Order",)
    assert [note.definition for note in second.of("described")] == ["State"]
    assert {note.definition for note in second.of("deprecated")} == {"Base", "Bill"}
    assert {note.kind for note in second.of("breaking")} == {"type-changed", "field-required"}
    assert made.editions["1.1"].history.releases == (first,), "an edition looks back only"


def test_every_kind_of_change_has_words(tmp_path: Path) -> None:
    for path in (ROOT / "templates/docs").glob("strings.*.toml"):
        words = read(path)
        assert {key.removeprefix("change.") for key in words.texts if key.startswith("change.")} == set(KINDS), path
        if words.language == "en":
            assert {kind: words[f"change.{kind}"] for kind in KINDS} == WORDS


# --- where it is told -------------------------------------------------------------------------------------------------

JOBS = '[[jobs]]\ncontract = "shop"\ntarget = "python"\n\n[[jobs]]\ncontract = "shop"\ntarget = "markdown"\n\n'


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with three versions, generated."""
    project(tmp_path, {"shop": VERSIONS}, JOBS, **{"shop/names.toml": NAMES})
    monkeypatch.chdir(tmp_path)
    assert cli.run(["generate"]) == 0
    return tmp_path


def test_docstrings_say_it(shop: Path) -> None:
    models = (shop / "generated/shop/2.0/python/shop_bindings/models.py").read_text()
    head = models.index("class Bill(")
    assert "Deprecated since 2.0." in models[head : head + 300] and "New in 1.1. Changed in 2.0." in models[head:]
    assert '    """New in 1.1. Changed in 2.0."""' in models[models.index("class Order(") :]
    typed = (shop / "generated/shop/1.1/python/shop_bindings/typed.py").read_text()
    assert '    note: NotRequired[str]\n    """New in 1.1."""' in typed
    assert '- "late": New in 1.1.' in (shop / "generated/shop/1.1/python/shop_bindings/models.py").read_text()
    for file in ("models", "typed"):
        first = (shop / f"generated/shop/1.0/python/shop_bindings/{file}.py").read_text()
        assert not {"New in", "Changed in", "since"} & {*first.split("\n")}


def test_the_reference_says_it_and_has_no_page_about_it(shop: Path) -> None:
    page = (shop / "generated/shop/2.0/markdown/en.md").read_text()
    assert "required, since 1.1, changed in 2.0." in page
    assert "*deprecated since 2.0, since 1.1, changed in 2.0*" in page
    assert sorted(path.name for path in (shop / "generated/shop/2.0/markdown").iterdir()) == [
        ".wirebound.json",
        "en.md",
    ]


def test_a_new_version_changes_nothing_that_was_made_of_older_ones(shop: Path, tmp_path: Path) -> None:
    def tree(version: str) -> dict[str, bytes]:
        folder = shop / "generated/shop" / version
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    before = {version: tree(version) for version in ("1.0", "1.1")}
    shutil.rmtree(shop / "shop/2.0")
    shutil.rmtree(shop / "generated")
    assert cli.run(["generate"]) == 0
    assert {version: tree(version) for version in before} == before
    shutil.rmtree(shop / "shop/1.1")
    (shop / "shop/names.toml").unlink()
    assert cli.run(["generate"]) == 0
    assert tree("1.0") == before["1.0"]


def test_the_changelog_of_a_package_goes_back_to_the_first_version(shop: Path) -> None:
    text = (shop / "generated/shop/2.0/python/CHANGELOG.md").read_text()
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads == ["## 2.0.0", "## 1.1.0", "## 1.0.0"]
    assert "- `Order.note`: member became required (breaks those who write as before, programs)" in text
    assert "- `Receipt`: new definition: `record`" in text and "Compared with 1.0: a major step." in text
    first = (shop / "generated/shop/1.0/python/CHANGELOG.md").read_text()
    assert [line for line in first.splitlines() if line.startswith(("## ", "- "))] == [
        "## 1.0.0",
        "- Bindings for shop 1.0.",
    ]


def test_a_package_makes_the_same_again_from_the_versions_in_it(shop: Path) -> None:
    made = manifest.load(shop / "wirebound.toml")
    contents = {job.version: pipeline.Run(made, pipeline.unheard).folders([job])[0].contents for job in made.jobs[:3]}
    for version, files in contents.items():
        inside = shop / f"inside-{version}"
        prefix = "shop_bindings/contract/"
        for path, content in files.items():
            if path.startswith(prefix):
                place = inside / path.removeprefix(prefix)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
        place = inside / "wirebound.toml"
        (inside / "manifest.toml").rename(place)
        again = manifest.load(place)
        assert dict(pipeline.Run(again, pipeline.unheard).folders(again.jobs)[0].contents) == dict(files), version


def test_the_site_has_badges_and_a_page_about_each_version_but_the_first(shop: Path) -> None:
    pages = docs_pipeline.site(shop / "wirebound.toml", search=False)
    assert "shop/1.0/en/changes.html" not in pages and b"changes.html" not in pages["shop/1.0/en/index.html"]
    assert b'class="badge"' not in pages["shop/1.0/en/all.html"]
    page = pages["shop/2.0/en/changes.html"].decode()
    assert "<h1>What changed in 2.0</h1>" in page and "Compared with 1.1: a major step." in page
    assert '<h2 class="part-title" id="breaking">' in page and '<h2 class="part-title" id="deprecated">' in page
    assert 'href="all-records.html#order.note"' in page
    everything = pages["shop/2.0/en/all.html"].decode()
    assert (
        '<span class="badge">since 1.1</span>' in everything
        and '<span class="flag">deprecated since 2.0</span>' in everything
    )
    assert "- [`Order.note`](all-records.md#order.note)" in pages["shop/2.0/en/changes.md"].decode()
    assert b"shop/1.1/en/changes.html" in pages["sitemap.xml"] and b"(shop/1.1/en/changes.md)" in pages["llms.txt"]


# --- frozen versions --------------------------------------------------------------------------------------------------


def test_older_versions_are_pinned_and_the_newest_is_not(shop: Path) -> None:
    text = (shop / "shop/names.toml").read_text()
    pinned = text[text.index("[frozen]") :]
    assert [line.partition(" = ")[0] for line in pinned.splitlines()[1:]] == ['"1.0"', '"1.1"']
    assert cli.run(["generate", "--check"]) == 0


def test_a_missing_pin_is_found_and_added(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = shop / "shop/names.toml"
    whole = names.read_text()
    names.write_text(whole[: whole.index("[frozen]")])
    assert cli.run(["generate", "--check"]) == 1
    assert cli.run(["generate"]) == 0
    assert names.read_text() == whole


def test_a_frozen_version_can_be_described_better_and_not_be_changed(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shop / "shop/1.0/schema.json"
    mended = json.loads(path.read_text())
    mended["$defs"]["Order"]["description"] = "What somebody wants."
    mended["$defs"]["Order"]["properties"]["id"] = {**TEXT, "examples": ["a"], "$comment": "no number"}
    path.write_text(json.dumps(mended, indent=2, sort_keys=True))
    assert cli.run(["generate"]) == 0
    mended["$defs"]["Order"]["properties"]["description"] = TEXT
    path.write_text(json.dumps(mended))
    before = {one: one.read_bytes() for one in shop.rglob("*") if one.is_file()}
    for arguments in (["generate"], ["generate", "--check"]):
        capsys.readouterr()
        assert cli.run(arguments) == 2
        said = capsys.readouterr().err
        assert 'shop/1.0/schema.json:1:1: frozen-version: version "1.0" asserts something else' in said
        assert "[frozen] in shop/names.toml" in said
    assert {one: one.read_bytes() for one in shop.rglob("*") if one.is_file()} == before
    with pytest.raises(WireboundError, match="frozen-version"):
        docs_pipeline.site(shop / "wirebound.toml", search=False)


OPENAPI: Any = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1", "description": "All of it."},
    "paths": {"/a": {"get": {"summary": "Ask.", "responses": {"200": {"description": "Told."}}}}},
    "components": {"schemas": {"description": {**order(description=TEXT), "description": "A shape."}}},
}


@pytest.mark.parametrize(
    ("place", "value", "same"),
    [
        (("info", "description"), "All.", True),
        (("paths", "/a", "get", "summary"), "Ask!", True),
        (("paths", "/a", "get", "responses", "200", "description"), "Said.", True),
        (("components", "schemas", "description", "description"), "Another.", True),
        (("components", "schemas", "description", "properties", "description"), {"type": "integer"}, False),
        (("components", "schemas", "description", "required"), [], False),
        (("components", "schemas", "description", "default"), {"description": "a"}, False),
        (("paths", "/a", "get", "responses", "201"), {"description": "Made."}, False),
        (("paths", "/a", "get", "deprecated"), True, False),
    ],
)
def test_what_a_pin_holds(place: tuple[str, ...], value: Any, same: bool) -> None:
    changed = json.loads(json.dumps(OPENAPI))
    inside = changed
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = value
    assert (load(changed).structure == load(OPENAPI).structure) is same


def test_a_pin_does_not_hold_the_order_of_members() -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: turned(value[name]) for name in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    assert load(turned(FIRST)).structure == load(FIRST).structure
