"""Ledger, outline and catalogues: what they say, what they refuse, and that a public name stays what it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen import catalogue, ledger, outline
from codegen.errors import ManifestError
from codegen.ledger import Entry, Ledger
from codegen.model import Alias, AnyJson, Closed, Definition, Doc, Field, Key, Model, Name, NameSource, Notes, Record
from codegen.pointer import Origin
from codegen.tables import Source

COMMAND = "wirebound generate"


def shape(name: str, pointer: str, *, source: NameSource = "declared", anchor: str = "", part: str = "") -> Definition:
    origin = Origin("", pointer)
    return Alias(
        key=Key("", pointer, part=part),
        name=Name(spelled=name, words=(name,), source=source),
        doc=Doc(anchor=anchor),
        notes=Notes(),
        type=AnyJson(origin=origin),
        origin=origin,
    )


def record(name: str, *members: str) -> Definition:
    origin = Origin("", f"/$defs/{name}")
    key = Key("", origin.pointer)
    return Record(
        key=key,
        name=Name(spelled=name, words=(name,), source="declared"),
        doc=Doc(),
        notes=Notes(),
        fields=tuple(
            Field(
                wire_name=m,
                type=AnyJson(origin=origin),
                doc=Doc(),
                notes=Notes(),
                declared_in=key,
                origin=origin.at("properties", m),
            )
            for m in members
        ),
        extras=Closed(origin=origin),
        kind_at=origin,
        origin=origin,
    )


def model(*definitions: Definition) -> Model:
    return Model(
        id="", version="", title="", digest="", doc=Doc(), root=None, definitions=definitions, origin=Origin("", "")
    )


def grown(*versions: tuple[str, Model], start: Ledger | None = None) -> Ledger:
    book = start or Ledger()
    for version, contents in versions:
        book = ledger.extend(book, contents, version)
    return book


def read(text: str) -> Ledger:
    return ledger.parse(Source("names.toml", text))


def refused(start: Ledger, contents: Model, version: str) -> str:
    with pytest.raises(ManifestError) as caught:
        ledger.extend(start, contents, version)
    assert all(problem.help for problem in caught.value.problems)
    return str(caught.value)


FIRST = model(shape("A", "/$defs/A", anchor="a"), shape("B", "/$defs/B"))
BOTH = grown(("1.0", FIRST), ("1.1", model(shape("A", "/$defs/A", anchor="a"))))


def test_a_ledger_lists_each_public_name_with_its_anchor_and_its_place_in_every_version() -> None:
    assert ledger.text(BOTH, COMMAND).partition("\n\n")[2] == (
        '[definitions.A]\nanchor = "a"\nplaces."1.0" = "#/$defs/A"\nplaces."1.1" = "#/$defs/A"\n\n'
        '[definitions.B]\nanchor = "B"\nplaces."1.0" = "#/$defs/B"\n'
    )


def test_what_is_written_is_read_back_and_written_alike() -> None:
    book = Ledger(
        entries={
            'odd "name"\u202e\x7f': Entry(
                anchor="x", places={"draft": "#/a~1b", "1.0": "#/ü"}, former=("Old", "Older")
            ),
            "a.b": Entry(anchor="y", places={}, retired="1.0", attributes={"from": "from_", "x y": "x_y"}),
        }
    )
    text = ledger.text(book, COMMAND)
    assert read(text).entries == book.entries
    assert ledger.text(read(text), COMMAND) == text


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8"))))
def test_any_text_survives_the_file(texts: dict[str, str]) -> None:
    entries = {
        name: Entry(anchor=f"{n}{text}", places={text: f"{n}{name}"}) for n, (name, text) in enumerate(texts.items())
    }
    assert read(ledger.text(Ledger(entries=entries), COMMAND)).entries == entries


def test_extending_adds_and_changes_nothing() -> None:
    start = read(
        '[definitions.A]\nanchor = "own"\nplaces."1.0" = "#/$defs/A"\nformer = ["Z"]\nattributes.x = "y"\n'
        '[definitions.Gone]\nanchor = "gone"\nplaces."0.9" = "#/$defs/Gone"\nretired = "1.0"\n'
    )
    book = ledger.extend(start, model(shape("A", "/$defs/A", anchor="own"), shape("New", "/$defs/New")), "1.0")
    assert {name: book.entries[name] for name in start.entries} == dict(start.entries)
    assert book.entries["New"] == Entry(anchor="New", places={"1.0": "#/$defs/New"})
    assert ledger.extend(book, model(shape("A", "/$defs/A", anchor="own")), "1.0").entries == book.entries


def test_shapes_that_are_only_judged_have_no_entry() -> None:
    assert grown(("1.0", model(shape("#/not", "/not", source="pointer")))).entries == {}


def test_a_place_that_holds_several_shapes_is_spelled_with_what_tells_them_apart() -> None:
    assert ledger.place(Key("", "/a")) == "#/a"
    assert ledger.place(Key("sub/b.json", "", (("node", "#/x"),), "object")) == "sub/b.json#!object node=#/x"


def test_a_name_is_found_by_its_place_in_the_version_or_the_newest_before() -> None:
    book = read(
        '[definitions.Old]\nanchor = "o"\nplaces."1.0" = "#/p"\nplaces."1.2" = "#/p"\n'
        '[definitions.New]\nanchor = "n"\nplaces."1.10" = "#/p"\n'
    )
    found = {version: book.name_at(version, "/p") for version in ("0.9", "1.0", "1.1", "1.2", "1.9", "1.10", "draft")}
    assert found == {"0.9": None, "1.0": "Old", "1.1": "Old", "1.2": "Old", "1.9": "Old", "1.10": "New", "draft": "New"}
    assert book.name_at("1.0", "#/p") == "Old"
    assert book.name_at("", "#/p") == "New"
    assert book.name_at("1.0", "/q") is None


def test_an_older_version_knows_nothing_of_a_newer_one() -> None:
    assert BOTH.until("1.0").entries == grown(("1.0", FIRST)).entries
    assert BOTH.until("0.9").entries == {}
    retired = read('[definitions.A]\nanchor = "a"\nplaces."1.0" = "#/a"\nretired = "1.1"\n')
    assert [retired.until(v).entries["A"].retired for v in ("1.0", "1.1")] == ["", "1.1"]


def test_a_declared_definition_may_move_from_one_version_to_the_next() -> None:
    book = grown(("1.0", model(shape("A", "/definitions/A"))), ("1.1", model(shape("A", "/$defs/A"))))
    assert book.entries["A"].places == {"1.0": "#/definitions/A", "1.1": "#/$defs/A"}


def test_a_name_never_moves_within_a_version() -> None:
    message = refused(BOTH, model(shape("A", "/$defs/B", anchor="a")), "1.0")
    assert message.startswith(
        '#/$defs/B: name-taken: the name "A" cannot be given to this shape: the ledger has this name'
    )
    assert 'help: name it in outline.toml: [names."1.0"] "#/$defs/B" = "…"' in message


def test_a_former_name_is_not_given_to_another_shape_but_stays_where_it_was() -> None:
    book = read(
        '[definitions.Old]\nanchor = "old"\nplaces."1.0" = "#/$defs/Old"\n'
        '[definitions.New]\nanchor = "new"\nplaces."1.1" = "#/$defs/New"\nformer = ["Old", "Older"]\n'
    )
    was = model(shape("Old", "/$defs/Old", anchor="old"))
    assert ledger.extend(book, was, "1.0").entries == book.entries
    assert 'it is a former name of "New"' in refused(book, was, "1.1")
    assert 'it is a former name of "New"' in refused(book, model(shape("Older", "/x")), "1.2")


def test_a_retired_name_is_not_given_again() -> None:
    book = read('[definitions.A]\nanchor = "a"\nplaces."1.0" = "#/a"\nretired = "1.1"\n')
    same = model(shape("A", "/a", anchor="a"))
    assert ledger.extend(book, same, "1.0").entries == book.entries
    assert 'it was retired in version "1.1"' in refused(book, same, "1.1")
    assert 'it was retired in version "1.1"' in refused(book, same, "2.0")


def test_a_dropped_name_comes_back_only_for_the_shape_that_had_it() -> None:
    assert ledger.extend(BOTH, model(shape("B", "/$defs/B")), "1.2").entries["B"].places["1.2"] == "#/$defs/B"
    message = refused(BOTH, model(shape("B", "/$defs/C")), "1.2")
    assert 'version "1.1" dropped it, and it was the name of "#/$defs/B"' in message


def test_an_anchor_neither_moves_nor_is_shared() -> None:
    message = refused(BOTH, model(shape("A", "/$defs/A", anchor="elsewhere")), "1.2")
    assert 'anchor-taken: the anchor of "A" cannot be "elsewhere": it was "a"' in message
    assert 'help: state it in outline.toml: [anchors] A = "a"' in message
    message = refused(BOTH, model(shape("C", "/$defs/C", anchor="a")), "1.2")
    assert 'anchor-taken: the anchor of "C" cannot be "a": that is the anchor of "A"' in message
    twins = model(shape("Foo", "/Foo", anchor="foo"), shape("foo", "/foo", anchor="foo"))
    assert 'that is the anchor of "Foo"' in refused(Ledger(), twins, "1.0")


def test_all_refused_names_are_told_at_once() -> None:
    contents = model(shape("A", "/x", anchor="a"), shape("B", "/y"), shape("C", "/z", anchor="a"))
    assert refused(BOTH, contents, "1.0").count(" cannot be ") == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[definitions.A]\n", '1:1: missing-key: "anchor" is missing'),
        ('[definitions.A]\nanchor = "a"\nplace = "x"\n', '3:1: unknown-key: "place" is no key of this table'),
        ('[definitions.A]\nanchor = "a"\nplaces."1.0" = 1\n', "3:1: wrong-type: 1.0 is an integer, not a string"),
        ("[names]\n", '1:1: unknown-key: "names"'),
        ('[definitions.A]\nanchor = "a"\n[definitions.B]\nanchor = "a"\n', '4:1: anchor-taken: anchor "a" belongs to "A"'),
        (
            '[definitions.A]\nanchor = "a"\nplaces.x = "#/p"\n[definitions.B]\nanchor = "b"\nplaces.x = "#/p"\n',
            '6:1: name-taken: "#/p" is called "A" in version "x" already',
        ),
        ('[definitions.A]\nanchor = "a"\nformer = ["A"]\n', '3:11: name-taken: "A" is a name of "A" already'),
        ("<<<<<<< HEAD\n", "1:1: not-toml: "),
    ],
)  # fmt: skip
def test_a_ledger_that_contradicts_itself_is_refused_at_its_place(text: str, expected: str) -> None:
    with pytest.raises(ManifestError) as caught:
        read(text)
    assert f"names.toml:{expected}" in str(caught.value)
    assert all(problem.help for problem in caught.value.problems)


# --- the outline ------------------------------------------------------------------------------------------------------

OUTLINE = """\
[[sections]]
id = "things"
title = { en = "Things", ko = "것" }
members = ["A", "B"]

[[learn_more]]
title = "More"
url = "https://example.org/"

[names]
"#/a" = "A"
"#/b" = "B"

[names."1.1"]
"#/b" = "Bee"

[fields]
"A.x.y" = "xy"

[anchors]
A = "the-a"
"""


def outlined(text: str) -> outline.Outline:
    return outline.parse(Source("outline.toml", text))


def test_an_outline_names_shapes_in_every_version_or_in_one() -> None:
    said = outlined(OUTLINE)
    assert [said.name_at(version, "/b") for version in ("1.0", "1.1")] == ["B", "Bee"]
    assert said.name_at("1.1", "#/a") == "A"
    assert said.name_at("1.0", "/c") is None
    assert (said.attribute("A", "x.y"), said.attribute("A", "x")) == ("xy", None)
    assert (said.anchor("A"), said.anchor("B")) == ("the-a", None)
    assert said.sections[0].title == {"en": "Things", "ko": "것"}
    assert said.learn_more[0].title == {"": "More"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[section]]\n", '1:1: unknown-key: "section" is no key of this table\n  at /section\n  help: write "sections"'),
        ("[[sections]]\nid = \"a b\"\ntitle = \"t\"\n", '2:1: bad-value: id is "a b"'),
        ("[[sections]]\nid = \"a\"\ntitle = { english = \"t\" }\n", '3:11: bad-value: "english" is no language tag'),
        ("[[sections]]\nid = \"a\"\ntitle = \"t\"\nmembers = [\"A\", \"A\"]\n", '4:17: duplicate: "A" is in section "a"'),
        ("[[sections]]\nid = \"a\"\ntitle = \"t\"\n[[sections]]\nid = \"a\"\ntitle = \"t\"\n", '5:1: duplicate: section "a"'),
        ("[[sections]]\nid = \"a\"\ntitle = \"t\"\nmembers = [1]\n", "4:12: wrong-type: an item of members is an integer"),
        ("[[learn_more]]\ntitle = \"t\"\nurl = \"javascript:x\"\n", '3:1: bad-value: url is "javascript:x"'),
        ("[names]\n\"/a\" = \"A\"\n", '2:1: bad-value: "/a" is no place'),
        ("[names]\n\"#/a\" = 1\n", "2:1: wrong-type: #/a is an integer, not a string"),
        ("[fields]\nA = \"x\"\n", '2:1: bad-value: "A" is not Definition.member'),
        ("[anchors]\nA = [1]\n", "2:1: wrong-type: A is an array, not a string"),
    ],
)  # fmt: skip
def test_an_outline_that_cannot_be_followed_is_refused_at_its_place(text: str, expected: str) -> None:
    with pytest.raises(ManifestError) as caught:
        outlined(text)
    assert f"outline.toml:{expected}" in str(caught.value)
    assert all(problem.help for problem in caught.value.problems)


def test_lines_that_speak_of_nothing_are_refused() -> None:
    named = model(record("A", "x.y"), shape("B", "/b", source="configured"), shape("A", "/a", source="configured"))
    later = model(shape("Bee", "/b", source="configured"))
    outline.check(outlined(OUTLINE), {"1.0": named, "1.1": later})
    with pytest.raises(ManifestError) as caught:
        outline.check(outlined(OUTLINE), {"1.0": model(record("B"))})
    told = [line for line in str(caught.value).splitlines() if line.startswith("outline.toml")]
    assert told == [
        'outline.toml:4:12: unknown-name: "A" is in no version of the contract',
        'outline.toml:21:1: unknown-name: "A" is in no version of the contract',
        'outline.toml:18:1: unknown-name: "A.x.y" is in no version of the contract',
        'outline.toml:11:1: unknown-name: "#/a" is in no version of the contract',
        'outline.toml:12:1: unknown-name: "#/b" is in no version of the contract',
        'outline.toml:15:1: unknown-name: "#/b" is in no version of the contract',
    ]


# --- catalogues -------------------------------------------------------------------------------------------------------


def test_a_catalogue_holds_translations_by_anchor(tmp_path: Path) -> None:
    (tmp_path / "pt-BR.toml").write_text(
        '[entries."a.b"]\ntext = "olá"\nsource = "0123456789abcdef"\n', encoding="utf-8"
    )
    read = catalogue.read(tmp_path / "pt-BR.toml")
    assert read.language == "pt-BR"
    assert read.entries == {"a.b": catalogue.Translation(text="olá", source="0123456789abcdef")}


def test_a_catalogue_that_cannot_be_followed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deutsch_.toml"
    path.write_text('[entries.a]\ntext = 1\nsource = "0"\nmore = 1\n')
    with pytest.raises(ManifestError) as caught:
        catalogue.read(path)
    message = str(caught.value)
    for expected in (
        "2:1: wrong-type: text",
        "3:1: bad-value: source",
        "4:1: unknown-key",
        '"deutsch_" is no language tag',
    ):
        assert expected in message
