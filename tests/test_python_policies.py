"""The receiver's policies: a row for every cell of the table, at every kind of place, under the fast and the slow pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.python_package import Package

SCHEMA = "https://json-schema.org/draft/2020-12/schema"


def closed(tag: str | None, required: tuple[str, ...], /, **properties: Any) -> dict[str, Any]:
    """A closed object, with a tag where one is given."""
    if tag is not None:
        properties = {"kind": {"const": tag}, **properties}
        required = ("kind", *required)
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


CONTRACT: dict[str, Any] = {
    "$schema": SCHEMA,
    "$ref": "#/$defs/Place",
    "$defs": {
        "Event": {"oneOf": [{"$ref": "#/$defs/Start"}, {"$ref": "#/$defs/Stop"}]},
        "Start": closed("start", ("id",), id={"type": "string"}, colour={"$ref": "#/$defs/Colour"}),
        "Stop": closed("stop", (), count={"type": "integer"}),
        "Colour": {"type": "string", "enum": ["red", "green"]},
        "Place": closed(
            None,
            (),
            required={"$ref": "#/$defs/Holder"},
            optional={"$ref": "#/$defs/Event"},
            nullable={"anyOf": [{"$ref": "#/$defs/Event"}, {"type": "null"}]},
            list={"type": "array", "items": {"$ref": "#/$defs/Event"}, "minItems": 1},
            map={"type": "object", "additionalProperties": {"$ref": "#/$defs/Event"}},
            tuple={"type": "array", "prefixItems": [{"$ref": "#/$defs/Event"}], "items": {"$ref": "#/$defs/Event"}},
            mixed={"oneOf": [{"type": "string"}, {"$ref": "#/$defs/Event"}]},
            untagged={"anyOf": [{"$ref": "#/$defs/Left"}, {"$ref": "#/$defs/Right"}]},
            tried={"anyOf": [{"$ref": "#/$defs/Left"}, {"$ref": "#/$defs/Wide"}]},
            colour={"$ref": "#/$defs/Colour"},
            inline={"enum": ["x", "y"]},
            number={"enum": [1, 2]},
            constant={"const": "c"},
            open={"$ref": "#/$defs/Open"},
            rest={"$ref": "#/$defs/Rest"},
            partial={"$ref": "#/$defs/Event", "x-wirebound-partial": True},
            checked={"$ref": "#/$defs/Checked"},
        ),
        "Holder": closed(None, ("event",), event={"$ref": "#/$defs/Event"}),
        "Left": closed(None, ("left",), left={"type": "string"}),
        "Right": closed(None, ("right",), right={"type": "string"}, left={"type": "integer"}),
        "Wide": closed(None, (), left={"type": ["string", "integer"]}, wide={"type": "string"}),
        "Open": {"type": "object", "properties": {"a": {"type": "integer"}}},
        "Rest": {
            "type": "object",
            "properties": {"a": {"type": "integer"}},
            "additionalProperties": {"$ref": "#/$defs/Left"},
        },
        "Checked": {**closed(None, (), a={"type": "integer"}, b={"type": "integer"}), "maxProperties": 1},
    },
}

START = {"kind": "start", "id": "1"}
NEW = {"kind": "pause", "since": 3}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("closed"))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("open"), open_world=True)


def outcome(package: Package, document: Any, unknown: str) -> Any:
    """What comes of a document: (the document that is written back, findings), or the name of the error and its fault codes."""
    findings: list[Any] = []
    codec = package.codecs.Place
    try:
        value = codec.from_dict(document, unknown=unknown, findings=findings)
    except ValueError as error:
        return type(error).__name__, [f"{fault.pointer} {fault.code}" for fault in error.errors]  # type: ignore[attr-defined]
    return codec.to_dict(value), [f"{finding.pointer} {finding.code}" for finding in findings]


def ok(document: Any, *findings: str) -> Any:
    return document, list(findings)


def bad(*faults: str) -> Any:
    return "DecodeError", list(faults)


def new(*faults: str) -> Any:
    return "UnknownVariantError", list(faults)


ROWS: list[tuple[str, Any, str, Any, Any]] = [
    # what, document, policy, outcome in a closed world, outcome in an open one (None: the same)
    # --- a member that is not listed
    ("member", {"required": {"event": START, "x": 1}}, "reject", bad("/required/x unknown-member"), None),
    ("member", {"required": {"event": START, "x": 1}},
     "strip", ok({"required": {"event": START}}, "/required/x unknown-member"), None),
    ("member", {"required": {"event": START, "x": 1}}, "keep", ok({"required": {"event": START, "x": 1}}), None),
    ("member in a list", {"list": [{**START, "x": [1]}]},
     "strip", ok({"list": [START]}, "/list/0/x unknown-member"), None),
    ("member in a list", {"list": [{**START, "x": [1]}]}, "keep", ok({"list": [{**START, "x": [1]}]}), None),
    ("member of the document", {"zz": None}, "strip", ok({}, "/zz unknown-member"), None),
    ("member of the document", {"zz": None}, "keep", ok({"zz": None}), None),
    # --- a tag that is not listed
    ("tag, optional member", {"optional": NEW}, "reject", bad("/optional/kind unknown-tag"), None),
    ("tag, optional member", {"optional": NEW}, "strip", ok({}, "/optional/kind unknown-tag"), None),
    ("tag, optional member", {"optional": NEW}, "keep", bad("/optional/kind unknown-tag"), ok({"optional": NEW})),
    ("tag, nullable member", {"nullable": NEW}, "strip", ok({}, "/nullable/kind unknown-tag"), None),
    ("tag, nullable member", {"nullable": NEW}, "keep", bad("/nullable/kind unknown-tag"), ok({"nullable": NEW})),
    ("tag, list", {"list": [START, NEW, START]},
     "strip", ok({"list": [START, START]}, "/list/1/kind unknown-tag"), None),
    ("tag, list", {"list": [START, NEW]}, "keep", bad("/list/1/kind unknown-tag"), ok({"list": [START, NEW]})),
    ("tag, only item: bounds judge what was received", {"list": [NEW]},
     "strip", ok({"list": []}, "/list/0/kind unknown-tag"), None),
    ("tag, required member", {"required": {"event": NEW}}, "strip", new("/required/event/kind unknown-tag"), None),
    ("tag, required member", {"required": {"event": NEW}},
     "keep", bad("/required/event/kind unknown-tag"), ok({"required": {"event": NEW}})),
    ("tag, map", {"map": {"a": NEW}}, "strip", new("/map/a/kind unknown-tag"), None),
    ("tag, map", {"map": {"a": NEW}}, "keep", bad("/map/a/kind unknown-tag"), ok({"map": {"a": NEW}})),
    ("tag, tuple", {"tuple": [NEW]}, "strip", new("/tuple/0/kind unknown-tag"), None),
    ("tag, rest of a tuple", {"tuple": [START, NEW]},
     "strip", ok({"tuple": [START]}, "/tuple/1/kind unknown-tag"), None),
    ("tag, choice by kind", {"mixed": NEW}, "strip", ok({}, "/mixed/kind unknown-tag"), None),
    ("tag, choice by kind", {"mixed": NEW}, "keep", bad("/mixed/kind unknown-tag"), ok({"mixed": NEW})),
    # --- malformed rather than new: fatal under every policy
    ("tag missing", {"list": [{"id": "1"}]}, "strip", bad("/list/0/kind missing-member"), None),
    ("tag of another kind", {"list": [{"kind": 3}]}, "strip", bad("/list/0/kind unknown-tag"), None),
    ("tag of another kind", {"list": [{"kind": True}]}, "keep", bad("/list/0/kind unknown-tag"), None),
    ("known member malformed", {"list": [{"kind": "start", "id": 1}]}, "strip", bad("/list/0/id wrong-type"), None),
    ("known member malformed", {"list": [{"kind": "start", "id": 1, "x": 1}]},
     "keep", bad("/list/0/id wrong-type"), None),
    ("required member missing", {"list": [{"kind": "start", "x": 1}]}, "strip", bad("/list/0/id missing-member"), None),
    ("no object", {"optional": "pause"}, "strip", bad("/optional wrong-type"), None),
    # --- an enum value that is not listed
    ("enum", {"colour": "blue"}, "reject", bad("/colour unknown-value"), None),
    ("enum", {"colour": "blue"},
     "strip", bad("/colour unknown-value"), ok({"colour": "blue"}, "/colour unknown-value")),
    ("enum", {"colour": "blue"}, "keep", bad("/colour unknown-value"), ok({"colour": "blue"})),
    ("enum in a variant", {"list": [{**START, "colour": "blue"}]},
     "keep", bad("/list/0/colour unknown-value"), ok({"list": [{**START, "colour": "blue"}]})),
    ("enum in place", {"inline": "z"},
     "strip", bad("/inline unknown-value"), ok({"inline": "z"}, "/inline unknown-value")),
    ("enum of integers", {"number": 3}, "keep", bad("/number unknown-value"), ok({"number": 3})),
    ("enum of another kind", {"colour": 5}, "keep", bad("/colour wrong-type"), None),
    ("enum of integers, fraction", {"number": 1.5}, "keep", bad("/number unknown-value"), None),
    ("a constant is no enum", {"constant": "d"}, "keep", bad("/constant wrong-value"), None),
    # --- a required member at a partial place
    ("partial", {"partial": {"kind": "start"}}, "reject", bad("/partial/id missing-member"), None),
    ("partial", {"partial": {"kind": "start"}}, "strip", ok({"partial": {"kind": "start"}}), None),
    ("partial", {"partial": {"kind": "start"}}, "keep", ok({"partial": {"kind": "start"}}), None),
    ("partial: the tag is needed", {"partial": {"id": "1"}}, "strip", bad("/partial/kind missing-member"), None),
    # --- choices without tags: exactly first, then under the policy in contract order
    ("untagged, exact", {"untagged": {"right": "r"}}, "strip", ok({"untagged": {"right": "r"}}), None),
    ("untagged", {"untagged": {"left": "l", "x": 1}},
     "strip", ok({"untagged": {"left": "l"}}, "/untagged/x unknown-member"), None),
    ("untagged", {"untagged": {"right": "r", "x": 1}}, "keep", ok({"untagged": {"right": "r", "x": 1}}), None),
    ("untagged, second as first strays", {"untagged": {"right": 1, "left": "l"}},
     "strip", ok({"untagged": {"left": "l"}}, "/untagged/right unknown-member"), None),
    ("untagged, none", {"untagged": {"x": 1}}, "strip", bad("/untagged/left missing-member"), None),
    ("tried, exact", {"tried": {"left": 1}}, "strip", ok({"tried": {"left": 1}}), None),
    ("tried, exact second before lenient first", {"tried": {"left": "l", "wide": "w"}},
     "strip", ok({"tried": {"left": "l", "wide": "w"}}), None),
    ("tried", {"tried": {"left": "l", "x": 1}}, "strip", ok({"tried": {"left": "l"}}, "/tried/x unknown-member"), None),
    ("tried", {"tried": {"wide": "w", "x": 1}}, "keep", ok({"tried": {"wide": "w", "x": 1}}), None),
    ("tried, none", {"tried": {"left": None}}, "strip", bad("/tried no-variant"), None),
    # --- members that an open record admits are never unknown
    ("open record", {"open": {"b": 1}}, "strip", ok({"open": {"b": 1}}), None),
    ("typed rest", {"rest": {"b": {"left": "l"}}}, "strip", ok({"rest": {"b": {"left": "l"}}}), None),
    ("typed rest, malformed", {"rest": {"b": {}}}, "strip", bad("/rest/b/left missing-member"), None),
    ("typed rest, unknown inside", {"rest": {"b": {"left": "l", "x": 1}}},
     "strip", ok({"rest": {"b": {"left": "l"}}}, "/rest/b/x unknown-member"), None),
    # --- checks judge the document as received
    ("check", {"checked": {"a": 1, "x": 1}}, "strip", bad("/checked too-many-members"), None),
    ("check", {"checked": {"x": 1}}, "strip", ok({"checked": {}}, "/checked/x unknown-member"), None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("document", "unknown", "expected"),
    [pytest.param(row[1], row[2], row[3], id=f"{row[0]}, {row[2]}") for row in ROWS],
)
def test_closed_world(made: Package, document: Any, unknown: str, expected: Any) -> None:
    assert outcome(made, document, unknown) == expected


@pytest.mark.parametrize(
    ("document", "unknown", "expected"),
    [pytest.param(row[1], row[2], row[3] if row[4] is None else row[4], id=f"{row[0]}, {row[2]}") for row in ROWS],
)
def test_open_world(world: Package, document: Any, unknown: str, expected: Any) -> None:
    assert outcome(world, document, unknown) == expected


def test_the_whole_document_may_be_unknown(made: Package, world: Package) -> None:
    codec = made.codecs.Event
    with pytest.raises(made.module.UnknownVariantError) as caught:
        codec.from_dict(NEW, unknown="strip")
    assert [fault.pointer for fault in caught.value.errors] == ["/kind"]
    kept = world.codecs.Event.from_dict(NEW, unknown="keep")
    assert isinstance(kept, world.models.UnknownVariant)
    assert (kept.tag, kept.raw) == ("pause", NEW)
    assert kept.kind is world._support.Unknown.UNKNOWN
    assert world.codecs.Event.to_json(kept) == b'{"kind":"pause","since":3}'


def test_nothing_is_found_in_a_document_that_is_refused(made: Package) -> None:
    findings: list[Any] = []
    document = {"list": [{**START, "x": 1}, {"kind": "start", "id": 1}]}
    with pytest.raises(made.module.DecodeError):
        made.codecs.Place.from_dict(document, unknown="strip", findings=findings)
    assert findings == []


def test_all_errors_tell_unknown_variants_apart_from_faults(made: Package) -> None:
    codec, error = made.codecs.Place, made.module.DecodeError
    both = {"required": {"event": NEW}, "map": {"a": {"kind": "start", "id": 1}}}
    with pytest.raises(error) as caught:
        codec.from_dict(both, unknown="strip", errors="all")
    assert type(caught.value) is error
    assert [fault.code for fault in caught.value.errors] == ["unknown-tag", "wrong-type"]
    with pytest.raises(made.module.UnknownVariantError):
        codec.from_dict({"required": {"event": NEW}, "map": {"a": NEW}}, unknown="strip", errors="all")


def test_the_default_policy_is_the_packages(tmp_path: Path) -> None:
    package = Package(CONTRACT, tmp_path, unknown="strip")
    assert package.codecs.Place.to_dict(package.codecs.Place.from_dict({"zz": 1})) == {}
    assert package.models.Place.from_json(b'{"zz": 1}') == package.models.Place()
    with pytest.raises(package.module.DecodeError):
        package.codecs.Place.from_dict({"zz": 1}, unknown="reject")


def test_a_policy_that_is_none_is_a_mistake_of_the_caller(made: Package) -> None:
    with pytest.raises(ValueError, match="unknown is"):
        made.codecs.Place.from_dict({"zz": 1}, unknown="ignore")


def test_kept_members_are_in_extra_and_their_order_stays(made: Package) -> None:
    value = made.codecs.Place.from_json(
        b'{"z": 1, "optional": {"kind": "stop", "b": 1, "a": 2}, "y": 2}', unknown="keep"
    )
    assert value.extra == {"z": 1, "y": 2}
    assert made.codecs.Place.to_json(value) == b'{"optional":{"kind":"stop","b":1,"a":2},"z":1,"y":2}'
