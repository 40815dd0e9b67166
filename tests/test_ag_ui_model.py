"""The contract of AG-UI as the product understands it, and the facts of the protocol → agreement, version by version.

Must not look at a page or at generated code: what those say is compared elsewhere. Facts and the published schemas are reading
material beside the checkout; what needs them is skipped where they are absent.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codegen import evolve, manifest, pipeline
from codegen.document import load
from codegen.evolve.changes import TEXTS
from codegen.evolve.policy import Policy
from codegen.facts import Facts
from codegen.model import (
    Alias,
    AnyJson,
    Boolean,
    ByTag,
    Choice,
    Closed,
    Definition,
    Enum,
    Field,
    Integer,
    ListOf,
    Literals,
    MapOf,
    NonNull,
    Number,
    Record,
    Ref,
    Text,
    Type,
    Union,
)
from codegen.resolve import resolve

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
VERSIONS = ("1.0", "1.1")


@cache
def model(version: str) -> Facts:
    """What a version of ours means."""
    return Facts(resolve(load(ROOT / "schema/ag-ui" / version / "schema.json")))


class Telling:
    """Definitions as the facts tell them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def name(self, key: Any) -> str:
        return self.facts.definition(key).name.spelled

    def type(self, type_: Type) -> dict[str, Any]:
        match type_:
            case NonNull(inner=AnyJson()):
                return {"any": True, "null": False}
            case NonNull(inner=inner):
                return {**self.type(inner), "null": False}
            case AnyJson():
                return {"any": True, "null": True}
            case Ref(key=key):
                return {"ref": self.name(key)}
            case ListOf(item=item, min_items=low):
                return {"array": self.type(item), **({} if low is None else {"minItems": low.value})}
            case Literals(values=(value,), enum=enum):
                return {"const": value, **({} if enum is None else {"narrows": self.name(enum)})}
            case Literals(values=values):
                return {"enum": list(values)}
            case Text(patterns=patterns):
                sources = [pattern.source for pattern in patterns]
                return {"type": "string", **({"pattern": sources[0]} if sources else {})}
            case Integer(minimum=low, maximum=high) | Number(minimum=low, maximum=high):
                bounds = {"minimum": low, "maximum": high}
                kind = "integer" if isinstance(type_, Integer) else "number"
                return {"type": kind, **{name: limit.value for name, limit in bounds.items() if limit is not None}}
            case Boolean():
                return {"type": "boolean"}
            case MapOf(value=AnyJson()):
                return {"type": "object", "openByKey": True}
            case Choice(members=members):
                return {"oneOf": [self.type(member.type) for member in members]}
        raise AssertionError(type_)

    def field(self, field: Field) -> dict[str, Any]:
        fact = {**self.type(field.type), "required": field.required}
        if field.default is not None:
            fact["default"] = field.default.value
        if isinstance(field.type, Text) and field.type.encoding:
            fact["contentEncoding"] = field.type.encoding
        return fact

    def definition(self, definition: Definition) -> dict[str, Any]:
        match definition:
            case Record(fields=fields, extras=extras, mixins=mixins, is_mixin=is_mixin):
                fact: dict[str, Any] = {"kind": "object", "fields": {f.wire_name: self.field(f) for f in fields}}
                fact["closed"] = isinstance(extras, Closed)
                if is_mixin:
                    fact["mixin"] = True
                elif mixins:
                    fact["composes"] = [self.name(mixin.key) for mixin in mixins]
                return fact
            case Enum(values=values):
                return {"kind": "enum", "values": [value.value for value in values]}
            case Union(choice=choice):
                assert isinstance(choice.dispatch, ByTag)
                members = [self.name(member.type.key) for member in choice.members if isinstance(member.type, Ref)]
                return {"kind": "union", "members": members, "discriminator": choice.dispatch.switch.property}
            case Alias(type=type_):
                return {"kind": "alias", "type": self.type(type_)}


@pytest.mark.parametrize("version", VERSIONS)
def test_each_definition_means_its_facts(version: str) -> None:
    path = SHARED / "facts" / f"ag-ui-{version}.json"
    if not path.is_file():
        pytest.skip("the facts are beside the checkout, not in it")
    facts = json.loads(path.read_bytes())["definitions"]
    telling = Telling(model(version))
    public = {definition.name.spelled: definition for definition in telling.facts.public}
    assert public.keys() == facts.keys()
    for name, fact in facts.items():
        assert telling.definition(public[name]) == {k: v for k, v in fact.items() if k != "membersInferred"}, name


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_but_words_differs_from_what_is_published(version: str) -> None:
    path = SHARED / "corpus/ag-ui" / version / "schema.json"
    if not path.is_file():
        pytest.skip("the published schemas are beside the checkout, not in it")
    comparison = evolve.compare(Facts(resolve(load(path))), model(version))
    assert {change.kind for change in comparison.changes} <= TEXTS
    assert comparison.namings == ()


def test_what_1_1_brings_is_compatible_for_receivers_that_drop_what_they_do_not_know() -> None:
    comparison = evolve.compare(model("1.0"), model("1.1"))
    places = {str(change.place) for change in comparison.changes if change.kind not in TEXTS}
    owners = ("BaseMessage", "ToolMessage", "ReasoningMessage", "ToolCall", "ReasoningEncryptedValueEvent")
    assert places == {f"{owner}.encryptedValueType" for owner in owners}
    stated = pipeline.shelved(manifest.load(ROOT / "pyproject.toml"), _entry()).policy
    assert stated == Policy(receivers="tolerant")
    tolerant, exact = (evolve.assess(comparison, policy) for policy in (stated, Policy()))
    assert (tolerant.write.answer, tolerant.read.answer, tolerant.step) == ("compatible", "compatible", "minor")
    assert (exact.write.answer, exact.read.answer, exact.step) == ("compatible", "breaking", "major")


def test_the_changelog_tells_each_of_them_with_a_link_that_arrives() -> None:
    text = (ROOT / "schema/ag-ui/CHANGELOG.md").read_text("utf-8")
    page = (ROOT / "generated/ag-ui/1.1/reference/en.md").read_text("utf-8")
    for owner in ("BaseMessage", "ToolMessage", "ReasoningMessage", "ToolCall", "ReasoningEncryptedValueEvent"):
        anchor = f"{owner}.encryptedValueType".lower()
        assert (
            f"- [`{owner}.encryptedValueType`](../../generated/ag-ui/1.1/reference/en.md#{anchor}): new member" in text
        )
        assert f'<a id="{anchor}"></a>' in page


def _entry() -> manifest.ContractEntry:
    return next(one for one in manifest.load(ROOT / "pyproject.toml").contracts if one.name == "ag-ui")
