"""The reference page says what the contract says: read back from its Markdown and compared with facts that nobody generated."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import reference_page
from docs_editions import AG_UI, AG_UI_1_1, edition_of, pages

FACTS = Path(__file__).parents[2] / "shared" / "facts"

VERSIONS = {"1.0": AG_UI, "1.1": AG_UI_1_1}
LANGUAGES = ("en", "ko")

each_version = pytest.mark.parametrize("version", VERSIONS)
each_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def page(version: str, language: str) -> reference_page.Page:
    return reference_page.read(pages(edition_of(VERSIONS[version]), languages=(language,))[f"{language}.md"])


@pytest.fixture
def facts(version: str) -> dict[str, Any]:
    path = FACTS / f"ag-ui-{version}.json"
    if not path.is_file():
        pytest.skip("the facts are beside the checkout, not in it")
    return dict(json.loads(path.read_bytes()))


def definitions(version: str, language: str) -> dict[str, reference_page.Definition]:
    return {d.name: d for section in page(version, language).sections.values() for d in section}


@each_version
@each_language
def test_sections_and_their_order_are_those_of_the_contract(version: str, language: str, facts: dict[str, Any]) -> None:
    said = [
        [definition.name for definition in section] for section in page(version, language).sections.values() if section
    ]
    assert said == list(facts["sections"].values())
    if language == "en":
        assert list(page(version, language).sections)[:-1] == list(facts["sections"])


@each_version
@each_language
def test_each_definition_says_its_facts(version: str, language: str, facts: dict[str, Any]) -> None:
    reader = reference_page.Reader(language)
    assert definitions(version, language).keys() == facts["definitions"].keys()
    for name, fact in facts["definitions"].items():
        fact = {key: value for key, value in fact.items() if key != "membersInferred"}
        said = reader.definition(definitions(version, language)[name])
        if "mixin" in fact:
            said.pop("composes", None)  # the source of the facts is silent on what mixins compose
        assert said == fact, name
        assert list(said.get("fields", ())) == list(fact.get("fields", ())), f"{name}: fields in another order"


@each_version
@each_language
def test_each_text_is_on_the_page(version: str, language: str) -> None:
    """Nothing that the contract (or its translation) says is lost: every description stands at its definition or field."""
    from codegen.targets.docs.catalogued import wanted

    edition = edition_of(VERSIONS[version])
    entries = edition.catalogues["ko"].entries
    whole = "\n".join(line for d in definitions(version, language).values() for line in d.lines).replace("`", "")
    for text in wanted(edition):
        if text.anchor == ".":
            continue
        said = text.text if language == "en" else entries[text.anchor].text
        # Links on the page are written as such; words between code spans are enough to find a text.
        longest = max(said.split("`")[::2], key=len).strip()
        assert longest in whole, text.anchor


@each_version
@each_language
def test_anchors_are_names_in_lower_case_and_unique(version: str, language: str) -> None:
    anchors = page(version, language).anchors
    assert len(anchors) == len(set(anchors))
    assert all(anchor == anchor.lower() for anchor in anchors)
    for name, definition in definitions(version, language).items():
        assert name.lower() in anchors
        fields = reference_page.Reader(language).definition(definition).get("fields", {})
        assert {f"{name}.{field}".lower() for field in fields} <= set(anchors)


@each_version
@each_language
def test_every_link_leads_to_an_anchor(version: str, language: str) -> None:
    inside = [link for link in page(version, language).links if link.startswith("#")]
    assert len(inside) > 300
    assert {unquote(link[1:]) for link in inside} <= set(page(version, language).anchors)


def test_what_each_item_is_is_told(tmp_path: Path) -> None:
    """Descriptions of items have no field to stand at: they are sentences behind that of the list, in every language."""
    from docs_editions import edition

    from codegen.targets.docs.catalogued import digest, wanted

    pair = {"type": "array", "prefixItems": [{"type": "string", "description": "A key."}, {"type": "integer"}]}
    tags = {"type": "array", "description": "Tags.", "items": {"type": "string", "description": "A tag."}}
    rows = {"type": "array", "items": {**pair, "items": {"type": "null", "description": "Nothing."}}}
    named = {"type": "array", "items": {"$ref": "#/$defs/Tags", "description": "Tags of a page."}}
    contract = {
        "$defs": {
            "Tags": tags,
            "Own": {"type": "object", "description": "An own.", "properties": {"of": named, "rows": rows}},
            "Whole": {"type": "object", "allOf": [{"$ref": "#/$defs/Own"}], "properties": {}},
            "Owns": {"type": "array", "items": {"$ref": "#/$defs/Own"}},
        }
    }
    catalogue = f'[entries."tags.item"]\ntext = "태그 하나예요."\nsource = "{digest("A tag.")}"\n'
    made = edition(contract, tmp_path, ko=catalogue)
    assert {text.anchor: text.text for text in wanted(made)} == {
        "tags": "Tags.",
        "tags.item": "A tag.",
        "own": "An own.",
        "own.of.item": "Tags of a page.",
        "own.rows.item.item-1": "A key.",
        "own.rows.item.rest": "Nothing.",
    }
    english, korean = (pages(made, languages=(language,))[f"{language}.md"] for language in ("en", "ko"))
    assert english.count("Each item: Tags of a page.") == 2  # the record that composes it tells it too
    assert "Item 1: A key. Each further item: Nothing." in english
    assert "Each item: A tag." in english and "각 항목: 태그 하나예요." in korean
    assert "Each item: An own." not in english


@each_version
def test_the_languages_differ_in_words_only(version: str) -> None:
    """The same links in the same order, but for what the two texts of a description mention."""
    english, korean = page(version, "en"), page(version, "ko")
    assert english.anchors == korean.anchors
    assert {link for link in english.links if link[0] == "#"} == {link for link in korean.links if link[0] == "#"}


def test_badges_tell_what_a_version_brought() -> None:
    """What one version has and the other has not, and nothing else, is marked; the first version is marked nowhere."""
    reader = reference_page.Reader("en")
    marked = "(since|changed in) [0-9.]+[0-9]"
    assert not any(re.search(marked, line) for d in definitions("1.0", "en").values() for line in d.lines)
    for name, definition in definitions("1.1", "en").items():
        grown = [line.split("`")[1] for line in definition.lines if re.search(r", since 1\.1\. ", line)]
        fields = [
            set(said.get("fields", ())) for said in map(reader.definition, (definitions("1.0", "en")[name], definition))
        ]
        assert set(grown) == fields[1] - fields[0]
        assert any(line == "changed in 1.1" for line in definition.lines) is bool(grown), name


def test_fixed_words_are_complete_in_every_language() -> None:
    def flat(value: Any, keys: tuple[str, ...] = ()) -> dict[tuple[str, ...], set[str]]:
        import re

        if isinstance(value, str):
            return {keys: set(re.findall(r"\{([a-z_]+)\}", value))}
        return {k: v for key, inner in value.items() for k, v in flat(inner, (*keys, key)).items()}

    english = flat(reference_page.words("en"))
    for path in (reference_page.ROOT / "templates" / "docs").glob("strings.*.toml"):
        assert flat(reference_page.words(path.name.split(".")[1])) == english, path.name
