"""The resolved model of the Gemini contract, the facts of its API → agreement, as ``test_gemini_facts`` finds it in the text.

What that test reads off the contract, this one reads off the model that every output is made of: the toolchain loses nothing
on the way, and adds nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import openapi_spec_validator
import pytest
from test_gemini_facts import FOLDER, OURS, annotated, defined, facts, inline, resolved

from codegen.document import load
from codegen.facts import Facts
from codegen.model import (
    Alias,
    AnyJson,
    Boolean,
    ByTag,
    Choice,
    Content,
    Definition,
    Enum,
    Field,
    Integer,
    ListOf,
    Literals,
    MapOf,
    Model,
    Number,
    Open,
    Operation,
    PathSlot,
    Record,
    Ref,
    Text,
    Type,
    Union,
)
from codegen.resolve import resolve


@cache
def model(overlaid: bool = False) -> Model:
    """The contract, without its overlay (what the reference shows) or with it."""
    overlays = [FOLDER / "overlay.yaml"] if overlaid else []
    return resolve(load(FOLDER / "openapi.yaml", overlays=overlays))


def definitions(overlaid: bool = False) -> dict[str, Definition]:
    return {definition.name.spelled: definition for definition in model(overlaid).definitions}


def named(type_: Type | None) -> str:
    assert isinstance(type_, Ref)
    return next(d.name.spelled for d in model(True).definitions if d.key == type_.key)


def enumerated(enum: Enum) -> Any:
    return {"enum" if enum.open is None else "open_enum": [value.value for value in enum.values]}


def shape(type_: Type) -> Any:
    """A type in the notation of the facts."""
    match type_:
        case Ref():
            definition = definitions(True)[named(type_)]
            if not inline(definition.name.spelled):
                return definition.name.spelled
            match definition:
                case Enum():
                    return enumerated(definition)
                case Union():
                    return shape(definition.choice)
                case Alias():
                    return shape(definition.type)
        case Literals(values=(value,)):
            return {"const": value}
        case ListOf():
            return {"array_of": shape(type_.item)}
        case MapOf():
            return {"map_of": shape(type_.value)}
        case Choice():
            # Members that share a kind are grouped by it; the facts list them flat.
            parts = [shape(member.type) for member in type_.members]
            flat = [one for part in parts for one in (part["one_of"] if is_choice(part) else [part])]
            return {"one_of": flat}
    words = {Text: "string", Integer: "integer", Number: "number", Boolean: "boolean", AnyJson: "any"}
    return words[type(type_)]


def is_choice(part: Any) -> bool:
    return isinstance(part, dict) and "one_of" in part


def unordered(value: Any) -> Any:
    """Choices without their order: the model groups members by their JSON kind."""
    if isinstance(value, dict):
        return {
            word: sorted((unordered(one) for one in of), key=str) if word == "one_of" else unordered(of)
            for word, of in value.items()
        }
    return value


def marks(field: Field) -> dict[str, Any]:
    type_ = field.type
    format_ = getattr(type_, "format", None) or getattr(type_, "encoding", None)
    found = {"format": format_} if format_ else {}
    flags = (("readOnly", field.notes.read_only), ("deprecated", field.notes.deprecated))
    return found | {word: True for word, said in flags if said}


@pytest.mark.parametrize("overlays", [[], ["overlay.yaml"]])
def test_the_contract_is_openapi_for_others_too(overlays: list[str]) -> None:
    contract = load(FOLDER / "openapi.yaml", overlays=[FOLDER / name for name in overlays])
    openapi_spec_validator.validate(contract.documents[""].value)


# --- definitions ------------------------------------------------------------------------------------------------------


def test_every_definition_is_there_and_none_is_made_up() -> None:
    derived = {name for name, d in definitions().items() if d.name.source != "declared"}
    assert set(definitions()) - derived == set(facts()["models"]) | set(OURS)
    assert derived == {"CreateWebhookRequest"}
    kinds = {name: type(d).__name__ for name, d in definitions().items()}
    for name, fact in facts()["models"].items():
        expected = {"object": "Record", "alias": "Alias", "enum": "Enum", "open_enum": "Enum"}.get(fact["kind"])
        assert kinds[name] == expected or fact["kind"] == "union", name


@pytest.mark.parametrize("name", defined())
def test_definition(name: str) -> None:
    fact, definition = facts()["models"][name], definitions()[name]
    match definition:
        case Record() if isinstance(fact["fields"], list):
            assert isinstance(definition.extras, Open) and not definition.checks
            assert [f.wire_name for f in definition.fields] == [field["name"] for field in fact["fields"]]
            for field, said in zip(definition.fields, fact["fields"], strict=True):
                assert field.required == bool(said["required_seed"]), field.wire_name
                assert unordered(shape(field.type)) == unordered(resolved(said)), field.wire_name
                assert marks(field) == annotated(said), field.wire_name
                assert field.doc.source, field.wire_name
        case Record():
            assert [f.wire_name for f in definition.fields] == list(fact["fields"])
            assert [f.wire_name for f in definition.fields if f.required] == ["type"]
        case Enum():
            assert enumerated(definition) == {fact["kind"]: fact["values"]}
            assert {str(v.value) for v in definition.values if v.doc.source} == set(fact.get("gist_en", {}))
        case Union() if isinstance(fact["members"][0], dict):
            dispatch = definition.choice.dispatch
            assert isinstance(dispatch, ByTag) and dispatch.switch.stated
            assert dispatch.switch.property == fact["discriminator"]
            members = [named(member.type) for member in definition.choice.members]
            found = [(case.value, members[case.to]) for case in dispatch.switch.cases if isinstance(case.to, int)]
            assert found == [(member["tag"], member["name"]) for member in fact["members"]]
        case Union():
            *known, last = definition.choice.members
            assert [named(member.type) for member in known] == fact["members"][:-1]
            assert fact["members"][-1].startswith("object") and shape(last.type) == {"map_of": "any"}
        case Alias():
            assert shape(definition.type) == fact["of"]


def test_the_references_are_acyclic_as_the_facts_say() -> None:
    assert not Facts(model()).recursive and not Facts(model(True)).recursive


# --- operations -------------------------------------------------------------------------------------------------------


def operations(overlaid: bool = False) -> dict[str, Operation]:
    return {operation.name.spelled: operation for operation in model(overlaid).operations}


def url(operation: Operation, overlaid: bool = False) -> str:
    (server,) = model(overlaid).servers
    base = server.url
    for variable in server.variables:
        base = base.replace(f"{{{variable.name}}}", variable.default)
    parts = (f"{{{p.parameter}}}" if isinstance(p, PathSlot) else p.text for p in operation.parts)
    return base + "".join(parts)


def only(contents: tuple[Content, ...]) -> Content:
    (content,) = contents
    assert content.media_type == "application/json"
    return content


def test_the_operations_are_those_of_the_reference() -> None:
    assert set(operations()) == {fact["name"] for fact in facts()["operations"]}


@pytest.mark.parametrize("position", range(7))
def test_operation(position: int) -> None:
    fact = facts()["operations"][position]
    operation = operations()[fact["name"]]
    assert (operation.method, url(operation)) == (fact["method"], fact["server"] + fact["path"])
    assert operation.doc.source and operation.summary.source and operation.tags
    assert [(p.name, p.place, p.required) for p in operation.parameters] == [
        (field["name"], field["in"], field["required_seed"]) for field in fact["parameters"]
    ]
    for parameter, field in zip(operation.parameters, fact["parameters"], strict=True):
        assert shape(parameter.type) == resolved(field)
        assert field.get("format") in (None, getattr(parameter.type, "format", None))
    assert (operation.body is not None) == (fact["body"] is not None)
    if operation.body is not None:
        body = definitions()[named(only(operation.body.contents).type)]
        assert isinstance(body, Record)
        assert fact["body"]["openapi_schema"] in {body.name.spelled, *(named_key(m.key) for m in body.mixins)}
        sent = [field for field in body.fields if field.sent("request")]
        assert [f.wire_name for f in sent] == [field["name"] for field in fact["body"]["fields"]]
        for member, field in zip(sent, fact["body"]["fields"], strict=True):
            assert member.required_in("request") == bool(field["required_seed"]), member.wire_name
            assert shape(member.type) == resolved(field), member.wire_name
    answers = {response.status: only(response.contents) for response in operation.responses}
    assert set(answers) == {"200", "default"}
    answer = definitions()[named(answers["200"].type)]
    assert isinstance(answer, Record) and answer.name.spelled == fact["response"]["openapi_schema"]
    fields = fact["response"]["fields"]
    assert [f.wire_name for f in answer.fields if f.sent("response")] == ([] if fields == "empty" else fields)
    assert named(answers["default"].type) == "ErrorResponse"


def named_key(key: Any) -> str:
    return next(d.name.spelled for d in model().definitions if d.key == key)


def test_the_key_goes_into_its_header() -> None:
    (scheme,) = model().security
    assert (scheme.kind, scheme.place, scheme.parameter) == ("apiKey", "header", facts()["wire"]["auth_header"])
    assert all([r.schemes for r in operation.security] == [((scheme.name, ()),)] for operation in operations().values())


# --- what the overlay adds --------------------------------------------------------------------------------------------


def test_the_overlay_changes_what_it_says_and_nothing_else() -> None:
    before, after = definitions(), definitions(True)
    moved = {name for name in before if before[name] != after[name]}
    # Marks of partial objects and secrets, the new name of a member, and the stream of events.
    assert moved == {
        "ArgumentsDelta",
        "StepStart",
        "InteractionCreatedEvent",
        "InteractionCompletedEvent",
        "InteractionSseEvent",
        "Webhook",
        "CreateWebhookRequest",
        "RotateSigningSecretResponse",
        "SigningSecret",
        "McpServer",
    }
    assert {operation for operation in operations(True) if operation not in operations()} == {
        "CreateInteraction",
        "GetInteraction",
        "ReceiveDelivery",
    }


def test_streams_resume_and_end_as_the_facts_say() -> None:
    wire = facts()["wire"]
    for name in ("CreateInteraction", "GetInteraction"):
        operation = operations(True)[name]
        assert url(operation, True).startswith(f"{wire['base_url']}/v1beta/interactions")
        (stream,) = (c for r in operation.responses for c in r.contents if c.item is not None)
        assert stream.media_type == "text/event-stream"
        assert [(case.event, named(case.type)) for case in stream.events] == [(None, "InteractionSseEvent")]
        assert operation.streaming is not None and operation.streaming.resume is not None
        assert operation.streaming.resume.operation == operations(True)["GetInteraction"].key
    union = definitions(True)["InteractionSseEvent"]
    assert isinstance(union, Union) and union.stream is not None and union.fold is not None
    assert f"data: {union.stream.done}" in wire["sse"]["terminator"]
    assert union.fold.result == definitions(True)["Interaction"].key


def test_what_streams_send_in_part_is_marked_where_it_stands() -> None:
    partial = {
        (d.name.spelled, field.wire_name)
        for d in model(True).definitions
        if isinstance(d, Record)
        for field in d.fields
        if isinstance(field.type, Ref) and field.type.partial
    }
    assert partial == {
        ("StepStart", "step"),
        ("InteractionCreatedEvent", "interaction"),
        ("InteractionCompletedEvent", "interaction"),
    }


def test_deliveries_are_a_union_by_what_happened() -> None:
    fact = facts()["wire"]["webhook_delivery"]
    receive = operations(True)["ReceiveDelivery"]
    assert receive.role == "webhook" and receive.signature is not None
    assert [p.name for p in receive.parameters if p.place == "header"] == fact["headers"]
    assert receive.body is not None
    union = definitions(True)[named(only(receive.body.contents).type)]
    assert isinstance(union, Union) and isinstance(union.choice.dispatch, ByTag)
    members = [definitions(True)[named(member.type)] for member in union.choice.members]
    for case in union.choice.dispatch.switch.cases:
        assert isinstance(case.to, int)
        record = members[case.to]
        assert isinstance(record, Record)
        assert {f.wire_name for f in record.fields if f.required} == set(fact["envelope"])
        subject = definitions(True)[named(next(f.type for f in record.fields if f.wire_name == "data"))]
        assert isinstance(subject, Record)
        assert [f.wire_name for f in subject.fields] == fact["data_fields"][case.value]
