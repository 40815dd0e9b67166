"""The site as files: complete, linked, judged, the same twice, and small."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import zlib
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from site_build import ROOT, SHARED, Page, faults, own_site, project

from codegen import docs_pipeline, search
from codegen.cli import run
from codegen.errors import WireboundError

CONTRACT = "ag-ui/1.0"
PUBLISHED = {
    "ag-ui": [SHARED / "corpus" / "ag-ui" / version / "schema.json" for version in ("1.0", "1.1", "draft")],
    "mcp": [SHARED / "corpus" / "mcp" / "2026-07-28" / "schema.json"],
}


@cache
def page(path: str) -> Page:
    return Page(own_site()[path].decode())


def test_every_page_is_there_in_every_language() -> None:
    site = own_site()
    pages = {"index", "all", "events", "messages", "run-input", "outcomes-and-interrupts", "common-types", "mixins"}
    for language in ("en", "ko"):
        folder = f"{CONTRACT}/{language}/"
        assert {
            path.removeprefix(folder).removesuffix(".html") for path in site if re.match(folder + r"[^/]*\.html", path)
        } == pages
        assert {
            path.removeprefix(folder).removesuffix(".md") for path in site if re.match(folder + r"[^/]*\.md", path)
        } == pages
        assert f"{folder}objects.inv" in site and f"{folder}names.js" in site
    assert {"index.html", "index.ko.html", "llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt"} <= site.keys()
    assert site[f"{CONTRACT}/schema.json"] == (ROOT / "schema" / "ag-ui" / "1.0" / "schema.json").read_bytes()


def test_pages_are_well_formed_and_every_link_arrives() -> None:
    assert list(faults(own_site())) == []


def test_the_page_with_everything_has_every_definition_and_field() -> None:
    model = json.loads((ROOT / "schema" / "ag-ui" / "1.0" / "schema.json").read_bytes())
    for language in ("en", "ko"):
        ids = set(page(f"{CONTRACT}/{language}/all.html").ids)
        for name, schema in model["$defs"].items():
            assert name.lower() in ids
            assert {f"{name}.{field}".lower() for field in schema.get("properties", {})} <= ids


def test_a_definition_stands_on_the_page_of_its_section_alone() -> None:
    places: dict[str, list[str]] = {}
    for path in own_site():
        if path.startswith(f"{CONTRACT}/en/") and path.endswith(".html") and not path.endswith("all.html"):
            for one in page(path).ids:
                places.setdefault(one, []).append(path)
    assert places["textmessagestartevent"] == [f"{CONTRACT}/en/events.html"]
    assert places["message"] == [f"{CONTRACT}/en/messages.html"]
    assert all(len(paths) == 1 for one, paths in places.items() if "." in one)


def test_identifiers_are_not_to_be_translated() -> None:
    for language in ("en", "ko"):
        read = page(f"{CONTRACT}/{language}/events.html")
        for tag in ("code", "pre"):
            for name, attributes, _ in read.blocks:
                if name == tag and not attributes.get("translate"):
                    assert tag == "code"  # inside a pre that says so
        assert own_site()[f"{CONTRACT}/{language}/events.html"].startswith(
            f'<!doctype html>\n<html lang="{language}">'.encode()
        )


def test_what_a_reader_is_told_is_in_the_page_of_each_language() -> None:
    english, korean = (page(f"{CONTRACT}/{language}/events.html") for language in ("en", "ko"))
    assert english.texts("h1") == ["Events"] and korean.texts("h1") == ["이벤트"]
    assert "Begins a text message whose content follows in pieces" in " ".join(english.texts("div", "text"))
    assert "텍스트 메시지를 시작해요." in " ".join(korean.texts("div", "text"))
    assert not korean.texts("p", "untranslated")
    assert english.texts("summary")[-1] != korean.texts("summary")[-1]


def test_a_page_needs_one_stylesheet_and_no_script_before_it_is_seen() -> None:
    for path, content in own_site().items():
        if path.endswith(".html") and b"http-equiv" not in content:
            loaded = Page(content.decode()).loaded
            assert [a["href"] for tag, a in loaded if tag == "link" and a["rel"] == "stylesheet"] == [
                next(
                    str(a["href"]) for tag, a in loaded if tag == "link" and str(a["href"]).endswith("assets/site.css")
                )
            ]
            assert all("defer" in a for tag, a in loaded if tag == "script")
            assert b"<style" not in content and b"style=" not in content and b"onclick" not in content


def test_nothing_is_loaded_from_elsewhere() -> None:
    for path, content in own_site().items():
        if path.endswith((".html", ".css")):
            text = content.decode()
            assert not re.search(r"url\(|@import", text) or path.endswith(".html"), path
            for _, attributes in Page(text).loaded if path.endswith(".html") else ():
                assert "//" not in str(attributes.get("href") or attributes.get("src")), path


def test_pages_are_small_over_the_wire() -> None:
    sizes = {path: len(gzip.compress(content)) for path, content in own_site().items() if path.endswith(".html")}
    assert max(sizes.values()) <= 300_000, max(sizes, key=lambda path: sizes[path])


# --- what goes with a definition --------------------------------------------------------------------------------------


def test_used_by_names_who_refers_to_a_definition() -> None:
    text = " ".join(" ".join(page(f"{CONTRACT}/en/messages.html").texts("details", "used")).split())
    assert "MessagesSnapshotEvent" in text and "messages" in text


def test_a_union_shows_which_tag_leads_where() -> None:
    rows = [" ".join(row.split()) for row in page(f"{CONTRACT}/en/messages.html").texts("tr")]
    assert any(row.startswith('"activity" ActivityMessage') for row in rows)


def test_a_tag_in_an_enum_leads_to_its_variant() -> None:
    assert (
        '<a href="#textmessagestartevent"><code translate="no">TEXT_MESSAGE_START</code></a>'
        in own_site()[f"{CONTRACT}/en/events.html"].decode()
    )


def test_fields_of_mixins_are_folded_in_their_order() -> None:
    folded = [" ".join(text.split()) for text in page(f"{CONTRACT}/en/events.html").texts("summary")]
    assert "From BaseEvent, Attributable: timestamp, rawEvent, metadata, subagentRunId" in folded


def shown_code(language: str) -> dict[str, list[str]]:
    """The code blocks of each definition on the page with everything: JSON, then what makes and reads it."""
    text = own_site()[f"{CONTRACT}/{language}/all.html"].decode()
    found: dict[str, list[str]] = {}
    for article in re.findall('<article class="definition">.*?</article>', text, re.DOTALL):
        read = Page(article)
        panels = re.split('<div class="panel">', article)[1:]
        name = read.texts("h3")[0].strip()
        found[name] = [
            block for panel in panels for block in Page(f"<div>{panel.partition('<details')[0]}").texts("pre")
        ]
    return found


RUNNER = """
import json, sys
failures = []
for name, blocks in json.load(sys.stdin).items():
    example, make, read, make_typed, read_typed = blocks
    space = {"print": lambda *_: None}
    try:
        exec(make + "\\n" + read, space)
        assert json.loads(space["data"]) == json.loads(example), "made something else"
        again = space["value"]
        exec(make_typed + "\\n" + read_typed, space)
        assert space["document"] == json.loads(example), "read something else"
        assert space["value"] == again, "dataclass and TypedDict differ"
    except Exception as error:
        failures.append(f"{name}: {type(error).__name__}: {error}")
print(json.dumps(failures))
"""


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_snippet_that_is_shown_runs_and_gives_the_example(language: str, tmp_path: Path) -> None:
    shown = shown_code(language)
    assert len(shown) == 98
    assert {len(blocks) for blocks in shown.values()} == {5}
    # The very package that users get, not the one in memory from which the snippets were made.
    assert (
        run(
            [
                "build",
                str(ROOT / "schema/ag-ui/1.0/schema.json"),
                "--target",
                "python",
                "--out",
                str(tmp_path),
                "-o",
                "package=ag_ui_bindings",
            ]
        )
        == 0
    )
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(shown),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_examples_are_those_that_people_wrote() -> None:
    for name, blocks in shown_code("en").items():
        first = sorted((ROOT / "schema/ag-ui/1.0/examples" / name).glob("*.json"))[0]
        assert json.loads(blocks[0]) == json.loads(first.read_bytes()), name


SCHEMA: dict[str, Any] = {
    "title": "Shop",
    "$defs": {
        "Order": {
            "type": "object",
            "description": "An order.",
            "required": ["id"],
            "properties": {"id": {"type": "string", "minLength": 2}, "note": {"type": "string"}},
            "additionalProperties": False,
        }
    },
}


def test_an_example_that_its_definition_refuses_is_a_problem_at_its_place(tmp_path: Path) -> None:
    example = '{\n  "id": "x"\n}\n'
    manifest = project(tmp_path, {"shop": {"1": SCHEMA}}, **{"shop/1/examples/Order/bad.json": example})
    with pytest.raises(WireboundError) as caught:
        docs_pipeline.site(manifest)
    (problem,) = caught.value.problems
    assert problem.code == "bad-example"
    assert problem.origin.document.endswith("shop/1/examples/Order/bad.json") and problem.origin.pointer == "/id"
    assert "too-short" in problem.message


def test_without_an_example_the_smallest_document_stands_in_and_says_so(tmp_path: Path) -> None:
    site = docs_pipeline.site(project(tmp_path, {"shop": {"1": SCHEMA}}), search=False)
    read = Page(site["shop/1/en/all.html"].decode())
    assert list(json.loads(read.texts("pre")[0])) == ["id"]
    assert "Derived from the contract: only what is required." in read.texts("p", "note")
    assert len(read.texts("pre")) == 1  # no bindings are generated for it, so no code is shown


# --- for programs -----------------------------------------------------------------------------------------------------


def test_the_list_of_names_is_a_script_with_every_definition() -> None:
    text = own_site()[f"{CONTRACT}/ko/names.js"].decode()
    assert text.startswith("window.wirebound=") and "<" not in text
    listed = json.loads(text.removeprefix("window.wirebound=").rstrip().rstrip(";"))
    assert len(listed["entries"]) == 98
    entry = next(entry for entry in listed["entries"] if entry[0] == "ToolCallStartEvent")
    assert listed["pages"][entry[1]] == "events" and entry[2] == "toolcallstartevent"
    assert ["parentMessageId", "toolcallstartevent.parentmessageid"] in entry[5]
    assert entry[6] == ["TOOL_CALL_START"] and "도구 호출" in entry[4]


def test_the_inventory_names_every_definition_and_field() -> None:
    from myst_parser.inventory import load

    content = own_site()[f"{CONTRACT}/en/objects.inv"]
    import io

    inventory = load(io.BytesIO(content))
    assert (inventory["name"], inventory["version"]) == ("ag-ui", "1.0")
    labels = inventory["objects"]["std"]["label"]
    assert labels["textmessagestartevent"]["loc"] == "events.html#textmessagestartevent"
    assert labels["textmessagestartevent.messageid"]["text"] == "TextMessageStartEvent.messageId"
    for label in labels.values():
        place, _, anchor = label["loc"].partition("#")
        assert anchor in page(f"{CONTRACT}/en/{place}").ids
    assert zlib.decompress(content.split(b"zlib.\n", 1)[1]).count(b"\n") == len(labels)


def test_markdown_twins_link_to_each_other() -> None:
    site = own_site()
    twins = {path: content.decode() for path, content in site.items() if path.endswith(".md")}
    assert {path.replace(".html", ".md") for path in site if re.search(r"/(en|ko)/[^/]+\.html$", path)} == twins.keys()
    ids = {path: set(re.findall('id="([^"]+)"', text)) for path, text in twins.items()}
    for path, text in twins.items():
        for link in re.findall(r"\]\(([^)]+)\)", text):
            if link.startswith("http"):
                continue
            place, _, anchor = link.partition("#")
            target = f"{path.rpartition('/')[0]}/{place}" if place else path
            assert target in twins, f"{path}: {link}"
            assert not anchor or unquote(anchor) in ids[target] or anchor in ids[target], f"{path}: {link}"
    whole = twins[f"{CONTRACT}/en/all.md"]
    assert whole == (ROOT / "generated/ag-ui/1.0/reference/en.md").read_text(encoding="utf-8")
    newest = twins["ag-ui/1.1/en/all.md"]
    assert newest == (ROOT / "generated/ag-ui/1.1/reference/en.md").read_text(encoding="utf-8")
    others = twins["gemini-interactions/v1beta/en/all.md"]
    assert site["llms-full.txt"].decode() == f"{newest}\n{others}"


def test_llms_txt_names_pages_that_are_there() -> None:
    links = re.findall(r"\]\(([^)]+)\)", own_site()["llms.txt"].decode())
    assert set(links) <= own_site().keys()
    assert {link.partition("/")[0] for link in links} == {"ag-ui", "gemini-interactions"}


def test_the_sitemap_has_every_page_with_its_other_languages() -> None:
    site = docs_pipeline.site(ROOT / "pyproject.toml", url="https://docs.example.org/x", search=False)
    tree = ElementTree.fromstring(site["sitemap.xml"].decode())
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    addresses = [str(place.text) for place in tree.findall("s:url/s:loc", names)]
    assert all(address.startswith("https://docs.example.org/x/") for address in addresses)
    paths = [address.removeprefix("https://docs.example.org/x/") for address in addresses]
    pages = [path for path in site if re.fullmatch(r"[^/]+/[^/]+/(en|ko)/[^/]+\.html", path)]
    assert sorted(paths) == sorted(["", *pages])
    alternates = tree.findall("s:url[s:loc='https://docs.example.org/x/ag-ui/1.0/ko/all.html']/x:link", names)
    assert [link.get("hreflang") for link in alternates] == ["en", "ko"]


# --- versions ---------------------------------------------------------------------------------------------------------

OUTLINE = """
[[sections]]
id = "orders"
title = { en = "Orders", ko = "주문" }
members = ["Order"]
[[sections]]
id = "rest"
title = { en = "Rest", ko = "나머지" }
members = ["Old", "New"]
"""
LEDGER = """
[definitions.New]
anchor = "new"
places."2" = "#/$defs/New"
former = ["Old2"]
"""


def two_versions(folder: Path) -> Path:
    old = {**SCHEMA, "$defs": {**SCHEMA["$defs"], "Old": {"type": "string", "description": "Goes."}}}
    new = {**SCHEMA, "$defs": {**SCHEMA["$defs"], "New": {"type": "string", "description": "Comes."}}}
    catalogue = '[entries.order]\ntext = "주문이에요."\nsource = "0000000000000000"\n'
    return project(
        folder,
        {"shop": {"1": old, "2": new}},
        **{"shop/outline.toml": OUTLINE, "shop/names.toml": LEDGER, "shop/i18n/ko.toml": catalogue},
    )


def test_switchers_lead_to_the_same_page_of_other_versions_and_languages(tmp_path: Path) -> None:
    site = docs_pipeline.site(two_versions(tmp_path), search=False)
    assert list(faults(site)) == []
    text = site["shop/1/en/orders.html"].decode()
    switches = re.findall('<details class="switch">.*?</details>', text, re.DOTALL)
    assert [re.findall('href="([^"]+)"', switch) for switch in switches] == [
        ["../../2/en/orders.html", "../../1/en/orders.html"],
        ["../en/orders.html", "../ko/orders.html"],
    ]
    moved = site["shop/index.html"].decode()
    assert 'url=2/en/index.html"' in moved
    landing = Page(site["index.html"].decode())
    assert landing.texts("strong") == ["Shop 2", "Shop 1"] and landing.texts("span", "flag") == ["newest"]


def test_a_former_name_leads_to_the_new_one(tmp_path: Path) -> None:
    site = docs_pipeline.site(two_versions(tmp_path), search=False)
    assert "old2" in Page(site["shop/2/en/rest.html"].decode()).ids
    assert "old2" not in Page(site["shop/1/en/rest.html"].decode()).ids
    assert "Formerly" in site["shop/2/en/rest.html"].decode()


def test_a_text_without_a_translation_is_shown_as_what_it_is(tmp_path: Path) -> None:
    site = docs_pipeline.site(two_versions(tmp_path), search=False)
    text = site["shop/1/ko/orders.html"].decode()
    assert '<p lang="en">An order.</p><p class="untranslated">(원문)</p>' in text
    assert "번역되지 않아" in site["shop/1/ko/index.html"].decode()


# --- whatever contract ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_contracts_have_a_site(name: str, tmp_path: Path) -> None:
    if not PUBLISHED[name][0].is_file():
        pytest.skip("the published contracts are beside the checkout, not in it")
    versions = {path.parent.name: path.read_text(encoding="utf-8") for path in PUBLISHED[name]}
    site = docs_pipeline.site(project(tmp_path, {name: versions}), search=False)
    assert list(faults(site)) == []
    assert sum(path.endswith("all.html") for path in site) == len(versions)


def test_hostile_text_survives_in_html(tmp_path: Path) -> None:
    from test_docs_markdown import seen, texts

    hostile = [text for text in texts(600) if text.strip() and "\n" not in text]
    contract = {
        "title": "Hostile </title><script>",
        "$defs": {
            "<b>&amp;": {
                "type": "object",
                "properties": {f"f{i}<i>\"'": {"description": text} for i, text in enumerate(hostile)},
            }
        },
    }
    site = docs_pipeline.site(project(tmp_path, {"hostile": {"1": contract}}), search=False)
    assert list(faults(site)) == []
    read = Page(site["hostile/1/en/all.html"].decode())
    assert "Hostile </title><script>" in read.texts("title")[0] and "b" not in read.tags
    told = [" ".join(text.split()) for text in read.texts("li") if text.lstrip().startswith("f")]
    assert len(told) == len(hostile)
    for number, text in enumerate(hostile):
        assert told[number] == f"f{number}<i>\"' any JSON value optional {seen(text)}".strip(), repr(text)


# --- building ---------------------------------------------------------------------------------------------------------


def test_two_builds_are_equal_bytes(tmp_path: Path) -> None:
    """In processes of their own, whose sets and dictionaries have another order."""
    code = "import sys; from codegen.cli import run; sys.exit(run(['docs', '--manifest', sys.argv[1], '--out', sys.argv[2]]))"
    trees = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        manifest = str(ROOT / "pyproject.toml")
        subprocess.run([sys.executable, "-c", code, manifest, str(out)], check=True, env=environment, cwd=tmp_path)
        trees.append({p.relative_to(out): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()})
    assert trees[0].keys() == trees[1].keys()
    assert [str(path) for path in trees[0] if trees[0][path] != trees[1][path]] == []
    versions = {path.parts[:2] for path in trees[0] if path.name == "schema.json" or path.name == "openapi.yaml"}
    indexed = {path.parts[:2] for path in trees[0] if path.parts[2:3] == ("pagefind",)}
    assert versions and indexed == (versions if search.is_installed() else set())


def test_what_is_no_longer_part_of_the_site_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path, {"shop": {"1": SCHEMA}, "other": {"1": SCHEMA}})
    assert run(["docs"]) == 0
    assert (tmp_path / "build/site/other/1/en/all.html").is_file()
    project(tmp_path, {"shop": {"1": SCHEMA}})
    assert run(["docs"]) == 0
    assert not (tmp_path / "build/site/other").exists() and (tmp_path / "build/site/shop/1/en/all.html").is_file()


def test_a_folder_with_somebodys_files_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path, {"shop": {"1": SCHEMA}}, **{"public/index.html": "mine"})
    assert run(["docs", "--out", "public"]) == 2
    assert (tmp_path / "public/index.html").read_text() == "mine"


def test_a_manifest_without_contracts_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(WireboundError, match="no-contracts"):
        docs_pipeline.site(project(tmp_path, {}))


def test_links_that_lead_nowhere_are_found() -> None:
    from codegen.targets.site import check

    pages = {
        "a/x.html": b'<p id="1"> <p id="1"> <a href="y.html#2"> <a href="#3"> <a href="z.html"> <a href="y.html"> <a href="https://x">',
        "a/y.html": b"",
    }
    assert [(p.code, p.message.split('"')[1]) for p in check.problems(pages)] == [
        ("duplicate-id", "1"),
        ("dead-link", "#3"),
        ("dead-link", "y.html#2"),
        ("dead-link", "z.html"),
    ]
    assert list(check.problems(own_site())) == []
