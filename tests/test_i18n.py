"""Catalogues: what `wirebound i18n` adds, marks, keeps and reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen import catalogue, docs_pipeline
from codegen.cli import run
from codegen.errors import WireboundError
from codegen.targets.docs.catalogued import digest

ROOT = Path(__file__).parents[1]


def contract(a: str = "Text of A.", field: str = "Text of x.", **more: str) -> dict[str, Any]:
    return {
        "description": "The whole.",
        "$defs": {
            "A": {"type": "object", "description": a, "properties": {"x": {"type": "string", "description": field}}},
            **{name: {"type": "string", "description": text} for name, text in more.items()},
        },
    }


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wirebound.toml").write_text('[contracts.c]\npath = "c"\n', encoding="utf-8")
    write(tmp_path, "1", contract())
    return tmp_path


def write(project: Path, version: str, value: Any) -> None:
    folder = project / "c" / version
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.json").write_text(json.dumps(value), encoding="utf-8")


def entries(project: Path, language: str = "ko") -> dict[str, catalogue.Translation]:
    return dict(catalogue.read(project / "c" / "i18n" / f"{language}.toml").entries)


def translate(project: Path, **texts: str) -> None:
    """What a person does to the entries called so: a text, and no mark."""
    path = project / "c" / "i18n" / "ko.toml"
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    for number, block in enumerate(blocks):
        for anchor, text in texts.items():
            if f'[entries."{anchor}"]' in block:
                lines = [line for line in block.split("\n") if not line.startswith(("text", "stale"))]
                blocks[number] = "\n".join([*lines, f'text = "{text}"']).replace("\n\n", "\n")
    path.write_text("\n\n".join(blocks), encoding="utf-8")


def status(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[list[str]]]:
    code = run(["i18n", "status", *arguments])
    return code, [line.split(maxsplit=4) for line in capsys.readouterr().out.splitlines()]


def test_the_committed_catalogues_are_complete_and_as_the_tool_writes_them() -> None:
    from codegen import i18n, manifest

    loaded = manifest.load(ROOT / "pyproject.toml")
    for entry, shelf in zip(loaded.contracts, docs_pipeline.shelved(loaded, loaded.contracts), strict=True):
        for language, held in shelf.catalogues.items():
            updated = i18n.update(held, list(shelf.editions.values()))
            assert i18n.findings(updated, shelf.outline) == [], f"{entry.name} {language}"
            path = entry.folder / "i18n" / f"{language}.toml"
            assert path.read_text(encoding="utf-8") == i18n.text(updated, f"wirebound i18n update {language}")


def test_a_new_language_has_every_text_and_none_translated(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["i18n", "update", "ko"]) == 0
    assert "3 missing" in capsys.readouterr().out
    assert {anchor: entry.text for anchor, entry in entries(project).items()} == {".": "", "a": "", "a.x": ""}
    assert "# Text of A.\ntext" in (project / "c" / "i18n" / "ko.toml").read_text(encoding="utf-8")
    code, lines = status(capsys)
    assert code == 1
    assert [line[:4] for line in lines] == [["missing", "c", "ko", place] for place in (".", "a", "a.x")]


def test_a_translated_catalogue_is_fine_and_stays_as_it_is(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["i18n", "update", "ko"])
    translate(project, **{".": "전체", "a": "에이", "a.x": "엑스"})
    capsys.readouterr()
    assert status(capsys) == (0, [])
    run(["i18n", "update", "ko"])
    before = (project / "c" / "i18n" / "ko.toml").read_bytes()
    assert run(["i18n", "update", "ko"]) == 0
    assert (project / "c" / "i18n" / "ko.toml").read_bytes() == before
    assert b"# Text of A." not in before


def test_what_the_contract_changed_is_stale_until_it_is_translated_anew(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["i18n", "update", "ko"])
    translate(project, **{".": "전체", "a": "에이", "a.x": "엑스"})
    write(project, "1", contract(a="Another text."))
    capsys.readouterr()
    assert status(capsys)[1] == [["stale", "c", "ko", "a", '"Another text."']]
    run(["i18n", "update", "ko"])
    assert entries(project)["a"] == catalogue.Translation(text="에이", source=digest("Another text."), stale=True)
    assert status(capsys)[0] == 1
    translate(project, a="새 에이")
    capsys.readouterr()
    assert status(capsys) == (0, [])
    assert entries(project)["a"] == catalogue.Translation(text="새 에이", source=digest("Another text."))


def test_a_translation_that_nothing_uses_is_kept_and_is_no_finding(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "1", contract(B="Text of B."))
    run(["i18n", "update", "ko"])
    translate(project, **{".": "전체", "a": "에이", "a.x": "엑스", "b": "비"})
    write(project, "1", contract())
    run(["i18n", "update", "ko"])
    assert entries(project)["b"].text == "비"
    capsys.readouterr()
    assert status(capsys) == (0, [["unused", "c", "ko", "b", '"비"']])


def test_versions_that_differ_have_a_translation_each(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["i18n", "update", "ko"])
    translate(project, **{".": "전체", "a": "에이", "a.x": "엑스"})
    write(project, "2", contract(a="Newer text.", B="Text of B."))
    run(["i18n", "update", "ko"])
    held = entries(project)
    assert held["a"] == catalogue.Translation(text="에이", source=digest("Newer text."), stale=True)
    assert held[f"a@{digest('Text of A.')}"] == catalogue.Translation(text="에이", source=digest("Text of A."))
    capsys.readouterr()
    assert [line[0] + line[3] for line in status(capsys)[1]] == ["stalea", "missingb"]
    from codegen.targets.docs.catalogued import Texts

    manifest = docs_pipeline.manifests.load(project / "wirebound.toml")
    (shelf,) = docs_pipeline.shelved(manifest, manifest.contracts)
    said = {v: Texts(e, "ko").of(e.facts.public[0].doc) for v, e in shelf.editions.items()}
    assert said == {"1": ("에이", False), "2": ("Newer text.", True)}


def test_what_the_outline_does_not_say_in_a_language_is_missing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["i18n", "update", "ko"])
    translate(project, **{".": "전체", "a": "에이", "a.x": "엑스"})
    (project / "c" / "outline.toml").write_text(
        '[[sections]]\nid = "all"\ntitle = { en = "All" }\nintro = "Any language."\nmembers = ["A"]\n'
        '[[learn_more]]\ntitle = { en = "More", ko = "더" }\nurl = "https://example.org"\n',
        encoding="utf-8",
    )
    capsys.readouterr()
    assert run(["i18n", "status", "ko"]) == 1
    assert capsys.readouterr().out == 'missing c ko  outline sections.all.title  "All"\n'


def test_the_language_of_the_contract_needs_no_catalogue(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["i18n", "update", "en"]) == 0
    assert not (project / "c" / "i18n" / "en.toml").exists()
    assert status(capsys, "en")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["i18n", "update", "Korean!"], "bad-value"), (["i18n", "status", "ko", "d"], "unknown-contract")],
)
def test_what_cannot_be_meant_is_a_problem(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: str
) -> None:
    assert run(arguments) == 2
    assert f": {code}: " in capsys.readouterr().err


def test_a_mark_that_is_no_mark_is_refused(project: Path) -> None:
    path = project / "ko.toml"
    path.write_text('[entries.a]\ntext = "x"\nsource = "0123456789abcdef"\nstale = "yes"\n', encoding="utf-8")
    with pytest.raises(WireboundError, match="4:1: wrong-type"):
        catalogue.read(path)
