"""The reference page says what the contract says: read back from its Markdown and compared with facts that nobody generated."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import reference_page
from docs_editions import AG_UI, edition_of, pages

FACTS = Path(__file__).parents[2] / "shared" / "facts" / "ag-ui-1.0.json"

LANGUAGES = ("en", "ko")


@cache
def page(language: str) -> reference_page.Page:
    return reference_page.read(pages(edition_of(AG_UI), languages=(language,))[f"{language}.md"])


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    if not FACTS.is_file():
        pytest.skip("the facts are beside the checkout, not in it")
    return dict(json.loads(FACTS.read_bytes()))


def definitions(language: str) -> dict[str, reference_page.Definition]:
    return {d.name: d for section in page(language).sections.values() for d in section}


@pytest.mark.parametrize("language", LANGUAGES)
def test_sections_and_their_order_are_those_of_the_contract(language: str, facts: dict[str, Any]) -> None:
    said = [[definition.name for definition in section] for section in page(language).sections.values() if section]
    assert said == list(facts["sections"].values())
    if language == "en":
        assert list(page(language).sections)[:-1] == list(facts["sections"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_definition_says_its_facts(language: str, facts: dict[str, Any]) -> None:
    reader = reference_page.Reader(language)
    assert definitions(language).keys() == facts["definitions"].keys()
    for name, fact in facts["definitions"].items():
        fact = {key: value for key, value in fact.items() if key != "membersInferred"}
        said = reader.definition(definitions(language)[name])
        if "mixin" in fact:
            said.pop("composes", None)  # the source of the facts is silent on what mixins compose
        assert said == fact, name
        assert list(said.get("fields", ())) == list(fact.get("fields", ())), f"{name}: fields in another order"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_is_on_the_page(language: str) -> None:
    """Nothing that the contract (or its translation) says is lost: every description stands at its definition or field."""
    from codegen.targets.docs.catalogued import wanted

    edition = edition_of(AG_UI)
    entries = edition.catalogues["ko"].entries
    whole = "\n".join(line for d in definitions(language).values() for line in d.lines).replace("`", "")
    for text in wanted(edition):
        if text.anchor == ".":
            continue
        said = text.text if language == "en" else entries[text.anchor].text
        # Links on the page are written as such; words between code spans are enough to find a text.
        longest = max(said.split("`")[::2], key=len).strip()
        assert longest in whole, text.anchor


@pytest.mark.parametrize("language", LANGUAGES)
def test_anchors_are_names_in_lower_case_and_unique(language: str) -> None:
    anchors = page(language).anchors
    assert len(anchors) == len(set(anchors))
    assert all(anchor == anchor.lower() for anchor in anchors)
    for name, definition in definitions(language).items():
        assert name.lower() in anchors
        fields = reference_page.Reader(language).definition(definition).get("fields", {})
        assert {f"{name}.{field}".lower() for field in fields} <= set(anchors)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_leads_to_an_anchor(language: str) -> None:
    inside = [link for link in page(language).links if link.startswith("#")]
    assert len(inside) > 300
    assert {unquote(link[1:]) for link in inside} <= set(page(language).anchors)


def test_the_languages_differ_in_words_only() -> None:
    """The same links in the same order, but for what the two texts of a description mention."""
    english, korean = page("en"), page("ko")
    assert english.anchors == korean.anchors
    assert {link for link in english.links if link[0] == "#"} == {link for link in korean.links if link[0] == "#"}


def test_fixed_words_are_complete_in_every_language() -> None:
    def flat(value: Any, keys: tuple[str, ...] = ()) -> dict[tuple[str, ...], set[str]]:
        import re

        if isinstance(value, str):
            return {keys: set(re.findall(r"\{([a-z_]+)\}", value))}
        return {k: v for key, inner in value.items() for k, v in flat(inner, (*keys, key)).items()}

    english = flat(reference_page.words("en"))
    for path in (reference_page.ROOT / "templates" / "docs").glob("strings.*.toml"):
        assert flat(reference_page.words(path.name.split(".")[1])) == english, path.name
