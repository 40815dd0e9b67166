"""Each flavour in its host: it compiles, no id stands twice, links arrive, and a reader sees the text that the author wrote."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from docs_editions import AG_UI, SHARED, edition, edition_of, pages
from hosts import Html, hosted, myst, needs_node

from codegen.edition import Edition
from codegen.errors import ManifestError, OutputError, WireboundError
from codegen.pointer import Origin
from codegen.targets.docs import prose
from codegen.targets.docs.text import plain_blocks
from codegen.targets.markdown import TARGET, Settings
from codegen.targets.options import options

FLAVOURS = ("commonmark", "gfm", "mdx")
PUBLISHED = [
    *sorted(SHARED.glob("corpus/ag-ui/*/schema.json")),
    SHARED / "corpus" / "mcp" / "2026-07-28" / "schema.json",
]
HOSTILE = SHARED / "cases" / "31-text-that-breaks-outputs" / "schema.json"


def all_flavours(edition: Edition, **settings: Any) -> list[tuple[str, str, str]]:
    return [
        (flavour, name, text)
        for flavour in (*FLAVOURS, "myst")
        for name, text in pages(edition, flavours=(flavour,), **settings).items()
    ]


def shown(edition: Edition, **settings: Any) -> list[tuple[str, Html]]:
    """The pages of an edition as their hosts show them, with flavour and name."""
    found = all_flavours(edition, **settings)
    others = hosted((flavour, text) for flavour, _, text in found if flavour != "myst")
    results = []
    for flavour, name, text in found:
        if flavour == "myst":
            html, warnings = myst(text)
            assert warnings == "", f"{name}: {warnings}"
        else:
            html = others.pop(0)
        results.append((f"{flavour} {name}", html))
    return results


@needs_node
@pytest.mark.parametrize("path", [AG_UI, *PUBLISHED, HOSTILE], ids=lambda path: "/".join(path.parts[-4:-1]))
def test_no_id_stands_twice_and_no_link_is_dead(path: Path) -> None:
    if not path.is_file():
        pytest.skip("this contract is beside the checkout, not in it")
    for name, html in shown(edition_of(path), languages=("en", "ko")):
        assert [i for i, count in Counter(html.ids).items() if count > 1] == [], name
        for link in html.links:
            if link.startswith("#"):
                assert link[1:] in html.ids or unquote(link[1:]) in html.ids, f"{name}: {link}"
            else:
                assert re.match("https?://", link), f"{name}: {link}"
        assert "EXPRESSION(" not in " ".join(html.lines), name


@needs_node
def test_hosts_that_make_ids_have_the_same_anchors() -> None:
    """Whoever gives the heading its id: the anchors of definitions and fields are there."""
    wanted = set(re.findall('id="([^"]+)"', pages(edition_of(AG_UI))["en.md"]))
    sections = {"run-input", "outcomes-and-interrupts", "common-types", "events", "messages", "mixins"}
    for name, html in shown(edition_of(AG_UI)):
        assert wanted - sections <= set(html.ids), name


# --- hostile text -----------------------------------------------------------------------------------------------------

PIECES = [
    *(
        "{",
        "}",
        "<",
        ">",
        "|",
        "`",
        "``",
        "*",
        "_",
        "**",
        "__",
        "~",
        "~~",
        "\\",
        "$",
        "$$",
        "^",
        "==",
        "++",
        "#",
        "##",
        "!",
    ),
    *(
        "[",
        "]",
        "(",
        ")",
        "![",
        "](",
        "<b>",
        "</p>",
        "<script>",
        "<!--",
        "-->",
        "*/",
        "/*",
        "{/*",
        "{{",
        "}}",
        "{#",
        "%}",
    ),
    *(
        "&",
        "&amp;",
        "&#60;",
        "&lt",
        ":mm:",
        ":+1:",
        "::",
        ":::",
        "14:30:00",
        "@user",
        "---",
        "***",
        "===",
        "- ",
        "+ ",
        "1. ",
    ),
    *(
        "1) ",
        "> ",
        "| a | b |",
        "import x",
        "export y",
        "% note",
        "(label)=",
        "{ref}`x`",
        "{@link Nobody}",
        "[x](y)",
        "\u202e",
    ),
    *("www.example.org", "a_b_c", "snake_case", "http://", "x@example.org", "http://example.org/a_b_(c)?d=e&f=g*h"),
    *(
        "word",
        "단어",
        "C:\\new",
        '"""',
        "'",
        '"',
        "ends.",
        "\t",
        "  ",
        "\u200b",
        "\x07",
        "e\u0301",
        "\u00a0",
        "🙂",
        "~~~",
        "```x",
    ),
]


def texts(count: int) -> list[str]:
    """Made of pieces that mean something to some format, at the start, inside and at the end of a text."""
    chance = random.Random(31)
    made = [
        "".join(chance.choice(["", " "]) + chance.choice(PIECES) for _ in range(chance.randint(1, 7)))
        for _ in range(count)
    ]
    return [*PIECES, *(f"{piece} after" for piece in PIECES), *(f"before {piece}" for piece in PIECES), *made]


def seen(text: str) -> str:
    """What a reader has to see of a text: its blocks, with invisible characters by their number."""
    from codegen.targets.docs.escape import visible

    return " ".join(visible(plain_blocks(prose.blocks(text, {}))).split())


@needs_node
def test_hostile_text_survives_in_every_flavour(tmp_path: Path) -> None:
    """A reader sees the characters of the description, all of them, whatever a format would like to make of them."""
    written = [text for text in texts(1500) if text.strip() and "\n" not in text]
    contract = {
        "type": "object",
        "title": "Hostile",
        "properties": {f"f{number}": {"description": text} for number, text in enumerate(written)},
        "$defs": {f"D{number}": {"type": "string", "description": text} for number, text in enumerate(written)},
    }
    for name, html in shown(edition(contract, tmp_path)):
        lines = iter(html.lines)
        fields: dict[int, str] = {}
        definitions: dict[int, str] = {}
        heading = ""
        for line in lines:
            if found := re.match(r"f(\d+) — any JSON value, optional\.", line):
                heading, number = "", int(found[1])
                fields[number] = line[found.end() :]
                into: dict[int, str] = fields
            elif found := re.fullmatch(r"D(\d+)", line):
                heading, number, into = "D", int(found[1]), definitions
                definitions[number] = ""
            elif line.startswith("Type: string") or line.startswith("Open: ") or line == "Types":
                heading = "done"
            elif heading != "done" and (fields or definitions):
                into[number] += " " + line
        for number, text in enumerate(written):
            assert " ".join(fields[number].split()) == seen(text), f"{name}, field: {text!r}"
            assert " ".join(definitions[number].split()) == seen(text), f"{name}, definition: {text!r}"
        assert not html.tags & {"b", "script", "table", "del", "blockquote", "ol", "img"}, name


def test_names_of_every_kind_survive(tmp_path: Path) -> None:
    """Wire names, values and defaults are code: no character of theirs is lost or means something."""
    names = [
        "a`b",
        "`",
        "``",
        " padded ",
        "{x}",
        "<b>",
        "a|b",
        "*/",
        "\\",
        "*",
        "a b",
        "#",
        "é",
        "\u202e",
        ":mm:",
        "$ref",
    ]
    contract = {"title": "Named", "properties": {name: {"const": name, "default": name} for name in names}}
    text = pages(edition(contract, tmp_path), flavours=("myst",))["en.md"]
    html, warnings = myst(text)
    assert warnings == ""
    joined = "\n".join(html.lines)
    for name in names:
        assert (name.strip() if name != "\u202e" else "\\u202e") in joined, name


# --- anchors and sections ---------------------------------------------------------------------------------------------


def test_an_anchor_that_two_places_ask_for_is_a_problem_with_the_line_that_settles_it(tmp_path: Path) -> None:
    contract = {"$defs": {"A": {"type": "object", "properties": {"id": {}, "ID": {}}}}}
    with pytest.raises(OutputError) as caught:
        pages(edition(contract, tmp_path))
    (problem,) = caught.value.problems
    assert problem.code == "anchor-clash"
    assert problem.origin == Origin("", "/$defs/A/properties/ID")
    assert "#/$defs/A/properties/id" in problem.message and '"a.id"' in problem.message
    assert problem.help == 'settle it in outline.toml: [anchors] "A.ID" = "…"'
    settled = edition(contract, tmp_path, outline='[anchors]\n"A.ID" = "a.id-in-capitals"\n')
    assert '<a id="a.id-in-capitals">' in pages(settled)["en.md"]


@pytest.mark.parametrize("anchor", ["Upper", "a b", 'x"y', "a/b", ""])
def test_an_anchor_is_what_addresses_and_attributes_can_hold(tmp_path: Path, anchor: str) -> None:
    made = edition({"$defs": {"A": {}}}, tmp_path, outline=f"[anchors]\nA = '{anchor}'\n")
    if anchor:
        with pytest.raises(OutputError, match="bad-anchor"):
            pages(made)
    else:
        assert '<a id="a">' in pages(made)["en.md"]


def test_characters_that_no_anchor_holds_are_percent_encoded(tmp_path: Path) -> None:
    text = pages(edition({"$defs": {"A": {"type": "object", "properties": {"$x y": {}, "키": {}}}}}, tmp_path))["en.md"]
    assert '<a id="a.%24x%20y">' in text and '<a id="a.%ED%82%A4">' in text


OUTLINE = """
[[sections]]
id = "all"
title = "All"
members = [{members}]
"""
UNION = {
    "$defs": {
        "U": {"oneOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/A"}]},
        "A": {
            "type": "object",
            "required": ["t", "b"],
            "properties": {"t": {"const": "a"}, "b": {"$ref": "#/$defs/B"}},
        },
        "B": {"type": "object", "required": ["t"], "properties": {"t": {"const": "b"}}},
        "Z": {"type": "string"},
    }
}


@pytest.mark.parametrize(
    ("members", "order"),
    [
        ('"Z", "A", "B", "U"', "Z A B U"),
        ('"members of U", "U", "Z"', "B A U Z"),
        ('"*"', "B A U Z"),
        ('"[AZ]", "*"', "A Z B U"),
        ('"U", "*"', "U B A Z"),
        ('"members of U", "A", "U", "Z"', "B A U Z"),
    ],
)
def test_members_stand_as_listed_else_dependencies_first(tmp_path: Path, members: str, order: str) -> None:
    text = pages(edition(UNION, tmp_path, outline=OUTLINE.format(members=members)))["en.md"]
    assert re.findall("^### `(.*)`$", text, re.MULTILINE) == order.split()


def test_a_definition_that_no_section_lists_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as caught:
        pages(edition(UNION, tmp_path, outline=OUTLINE.format(members='"A", "U"')))
    assert [(p.code, p.origin.pointer) for p in caught.value.problems] == [
        ("unlisted", "/$defs/B"),
        ("unlisted", "/$defs/Z"),
    ]


def test_an_unlisted_definition_is_asked_for_beside_what_comes_before_it(tmp_path: Path) -> None:
    sections = OUTLINE.format(members='"A"') + '\n[[sections]]\nid = "last"\ntitle = "Last"\nmembers = ["Z", "U"]\n'
    with pytest.raises(OutputError) as caught:
        pages(edition(UNION, tmp_path, outline=sections))
    (problem,) = caught.value.problems
    line = sections.splitlines().index('members = ["A"]') + 1
    assert (
        problem.help
        == f'add "B" to members of section "all" in {tmp_path / "outline.toml"}:{line}, or of another: last'
    )


def test_a_name_that_no_version_defines_is_a_problem_and_one_of_another_version_is_none(tmp_path: Path) -> None:
    from codegen import outline

    made = edition(UNION, tmp_path, outline=OUTLINE.format(members='"members of Nobody", "A", "B", "U", "Z", "New"'))
    with pytest.raises(ManifestError) as caught:
        outline.check(made.outline, {"1": made.model})
    assert [p.origin.pointer for p in caught.value.problems] == ["/sections/0/members/0", "/sections/0/members/5"]
    assert "New" not in pages(made)["en.md"]


def test_without_an_outline_the_kinds_are_the_sections(tmp_path: Path) -> None:
    text = pages(edition(UNION, tmp_path), languages=("en", "ko"))
    assert re.findall("^##+ (.*)$", text["en.md"], re.MULTILINE) == [
        "Records",
        "`B`",
        "`A`",
        "Unions",
        "`U`",
        "Types",
        "`Z`",
    ]
    assert re.findall("^## (.*)$", text["ko.md"], re.MULTILINE) == ["객체", "유니언", "타입"]


def test_a_former_name_leaves_its_anchor_behind(tmp_path: Path) -> None:
    ledger = '[definitions.New]\nanchor = "new"\nplaces."1" = "#/$defs/New"\nformer = ["Old"]\n'
    text = pages(edition({"$defs": {"New": {"type": "string"}}}, tmp_path, ledger=ledger))["en.md"]
    assert text.index('<a id="new">') < text.index('<a id="old">') < text.index("### `New`")
    assert "Formerly `Old`." in text


# --- languages --------------------------------------------------------------------------------------------------------

DESCRIBED = {"$defs": {"A": {"type": "string", "description": "Some text."}}}


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("", "Some text. *(원문)*"),
        ('[entries.a]\ntext = "어떤 글이에요."\nsource = "6d2253d6d39f8bc0"\n', "Some text. *(원문)*"),
        ('[entries.a]\ntext = "어떤 글이에요."\nsource = "{digest}"\n', "어떤 글이에요."),
    ],
    ids=["missing", "stale", "translated"],
)
def test_a_page_falls_back_to_the_source_text_and_shows_it(tmp_path: Path, entry: str, line: str) -> None:
    from codegen.targets.docs.catalogued import digest

    entry = entry.replace("{digest}", digest("Some text."))
    text = pages(edition(DESCRIBED, tmp_path, ko=entry), languages=("en", "ko"))
    assert f"\n{line.replace('(', chr(92) + '(')}\n" in text["ko.md"] or f"\n{line}\n" in text["ko.md"]
    assert "\nSome text.\n" in text["en.md"]
    assert ("1개는 아직 번역되지 않아" in text["ko.md"]) == ("원문" in line)


def test_a_language_without_words_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match='unknown-language: there are no fixed words in language "xx"'):
        pages(edition(DESCRIBED, tmp_path), languages=("xx",))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"flavours": ["commonmark", "gfm"]}, "would be one file"),
        ({"flavours": ["html"]}, "bad-option"),
        ({"languages": []}, "at least one"),
        ({"flavour": "mdx"}, "unknown-option"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(WireboundError, match=message):
        options(TARGET, given, Origin("manifest", "/jobs/0"))
    assert options(TARGET, {"languages": ["ko"]}, Origin("", "")) == Settings(languages=("ko",))


def test_two_renderings_are_equal_bytes() -> None:
    assert pages(edition_of(AG_UI), languages=("ko",)) == pages(edition_of(AG_UI), languages=("ko",))
