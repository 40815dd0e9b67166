"""Names of definitions: where they come from, and that a later version renames nothing."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.document import load
from codegen.errors import WireboundError
from codegen.ledger import Ledger, extend
from codegen.model import Model
from codegen.resolve import resolve

CIRCLE = {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "object", "properties": {"mm": {}}}},
          "required": ["kind"]}  # fmt: skip
SQUARE = {"type": "object", "properties": {"kind": {"const": "square"}}, "required": ["kind"]}
TRIANGLE = {"type": "object", "properties": {"kind": {"const": "triangle"}, "r": {"type": "object", "properties": {"cm": {}}}},
            "required": ["kind"]}  # fmt: skip


def drawing(*variants: Any) -> dict[str, Any]:
    return {"title": "Drawing", "type": "object", "properties": {"shape": {"oneOf": list(variants)}}}


def model(contract: Any, ledger: Ledger | None = None, version: str = "1.0") -> Model:
    return resolve(load(contract), ledger=ledger, version=version)


def named(found: Model) -> dict[str, str]:
    return {
        d.key.pointer + (f"!{d.key.part}" if d.key.part else ""): d.name.spelled
        for d in found.definitions
        if d.name.words
    }


def after(first: Any, second: Any) -> dict[str, str]:
    """The names of ``second`` once ``first`` was published as version 1.0."""
    ledger = extend(Ledger(entries={}), model(first), "1.0")
    return named(model(second, ledger, "1.1"))


def test_inline_shapes_are_called_after_their_owner_their_property_and_their_tag() -> None:
    assert named(model(drawing(CIRCLE, SQUARE))) == {
        "": "Drawing",
        "/properties/shape": "DrawingShape",
        "/properties/shape/oneOf/0": "DrawingShapeCircle",
        "/properties/shape/oneOf/0/properties/r": "DrawingShapeCircleR",
        "/properties/shape/oneOf/1": "DrawingShapeSquare",
    }


def test_a_variant_put_first_renames_and_re_points_nothing() -> None:
    names = after(drawing(CIRCLE, SQUARE), drawing(TRIANGLE, CIRCLE, SQUARE))
    assert names["/properties/shape/oneOf/0"] == "DrawingShapeTriangle"
    assert names["/properties/shape/oneOf/0/properties/r"] == "DrawingShapeTriangleR"
    assert names["/properties/shape/oneOf/1"] == "DrawingShapeCircle"
    assert names["/properties/shape/oneOf/1/properties/r"] == "DrawingShapeCircleR"
    assert names["/properties/shape/oneOf/2"] == "DrawingShapeSquare"


def untagged(*required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in "abc"},
        "required": list(required),
    }


def test_a_variant_that_takes_away_what_told_another_apart_renames_nothing() -> None:
    before = drawing(untagged("a", "b"), untagged("c"))
    assert named(model(before))["/properties/shape/oneOf/0"] == "DrawingShapeA"
    names = after(before, drawing(untagged("a", "b"), untagged("c"), untagged("a")))
    assert names["/properties/shape/oneOf/0"] == "DrawingShapeA"
    assert names["/properties/shape/oneOf/1"] == "DrawingShapeC"


def test_a_changed_title_keeps_the_public_name() -> None:
    names = after(drawing(CIRCLE, SQUARE), {**drawing(CIRCLE, SQUARE), "title": "Sketch"})
    assert names[""] == "Drawing"
    assert names["/properties/shape"] == "DrawingShape"


def test_two_places_with_one_name_are_refused_with_the_line_that_settles_it() -> None:
    contract = {
        "type": "object",
        "properties": {"a": {"title": "Same", "type": "object", "properties": {}},
                       "b": {"title": "Same", "type": "object", "properties": {}}},
    }  # fmt: skip
    with pytest.raises(WireboundError) as refused:
        model(contract)
    (problem,) = refused.value.problems
    assert problem.code == "name-clash"
    assert '[names] "#/properties/b"' in problem.help
