"""The Gemini contract and the facts of its API → agreement, definition by definition, field by field, operation by operation.

Must not use the product: this is the truth about the contract that the product is measured with. The facts are reading
material beside the checkout; what needs them is skipped where they are absent.
"""

import copy
import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from ruamel.yaml import YAML
from test_contract_fixtures import contract, overlaid

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "schema/gemini-interactions/v1beta"
FACTS = ROOT.parent / "shared/facts/gemini-interactions.json"
SCHEMAS = "#/components/schemas/"

# Definitions of the contract that the facts have in another place, or not at all, each with the reason.
OURS = {
    **dict.fromkeys(("WebhookUpdate", "ListWebhooksResponse", "Empty"), "body or response of an operation"),
    **dict.fromkeys(("RotateSigningSecretRequest", "RotateSigningSecretResponse"), "body or response of an operation"),
    **dict.fromkeys(("PingWebhookRequest", "PingWebhookResponse"), "body or response of an operation"),
    **dict.fromkeys(("ErrorResponse", "ApiError"), "errors, which the reference does not show"),
    **dict.fromkeys(("InteractionInput", "ToolResult"), "a choice that several fields share"),
    **dict.fromkeys(("WebhookEventType", "RevocationBehavior"), "values that are listed at a field"),
    **dict.fromkeys(("AudioResponseMimeType", "TextResponseMimeType"), "values that are listed at a field"),
    **dict.fromkeys(("ImageResponseMimeType", "ResponseDelivery"), "values that are listed at a field"),
    **dict.fromkeys(("ImageAspectRatio", "ImageSize"), "values that are listed at a field"),
}


@cache
def facts() -> dict[str, Any]:
    if not FACTS.exists():
        pytest.skip("the facts are not beside this checkout")
    return json.loads(FACTS.read_text("utf-8"))


def yaml(name: str) -> Any:
    return YAML(typ="safe", pure=True).load(FOLDER / name)


@cache
def document() -> dict[str, Any]:
    """The contract without its overlay: what the reference shows."""
    return yaml("openapi.yaml")


@cache
def whole() -> dict[str, Any]:
    return overlaid(copy.deepcopy(document()), yaml("overlay.yaml"))


def schemas() -> dict[str, Any]:
    return document()["components"]["schemas"]


def name_of(ref: str) -> str:
    return ref.removeprefix(SCHEMAS)


# --- one notation for both ------------------------------------------------------------------------------------------


def inline(name: str) -> bool:
    """The facts spell the definition out where it is used: it has a name for readers only."""
    return name in OURS or name == "ResponseFormatList" or "name_note" in facts()["models"][name]


def shape(schema: dict[str, Any]) -> Any:
    """A schema of the contract in the notation of the facts."""
    if "$ref" in schema:
        name = name_of(schema["$ref"])
        return shape(schemas()[name]) if inline(name) else name
    if "const" in schema:
        return {"const": schema["const"]}
    if "enum" in schema:
        assert schema["type"] == "string"
        return {"enum": schema["enum"]}
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            parts = schema[choice]
            if any("const" in part for part in parts):
                assert parts[-1] == {"type": "string"}
                return {"open_enum": [part["const"] for part in parts[:-1]]}
            return {"one_of": [shape(part) for part in parts]}
    kind = schema.get("type", "any")
    if kind == "array":
        return {"array_of": shape(schema["items"])}
    if kind == "object":
        assert "properties" not in schema
        rest = schema["additionalProperties"]
        return {"map_of": "any" if rest is True else shape(rest)}
    return kind


def resolved(field: dict[str, Any]) -> Any:
    """The type of a field of the facts, in the same notation."""

    def spelled(kind: Any) -> Any:
        if isinstance(kind, dict):
            ((word, of),) = kind.items()
            if word == "open_enum_ref":
                return of
            if word == "one_of":
                return {word: [spelled(one) for one in of]}
            return {word: spelled(of) if word.endswith("_of") else of}
        if match := re.fullmatch(r"array \((.+)\)", kind):
            return {"array_of": spelled("enum" if match[1].startswith("enum") else match[1])}
        fixed = {"enum": {"enum": field.get("enum")}, "any (JSON Schema)": "any", "object": {"map_of": "any"}}
        return fixed.get(kind, kind)

    return spelled(field["resolved_type"])


def annotations(schema: dict[str, Any]) -> dict[str, Any]:
    found = {"format": schema["format"]} if "format" in schema else {}
    if "contentEncoding" in schema:
        found["format"] = schema["contentEncoding"]
    return found | {word: True for word in ("readOnly", "deprecated") if schema.get(word)}


def annotated(field: dict[str, Any]) -> dict[str, Any]:
    written = field.get("format", "")
    found = {"format": "base64" if "byte" in written else written} if written else {}
    marks = {"readOnly": "read_only", "deprecated": "deprecated"}
    return found | {word: True for word, fact in marks.items() if field.get(fact)}


# --- definitions ----------------------------------------------------------------------------------------------------


def defined() -> list[str]:
    return list(json.loads(FACTS.read_text("utf-8"))["models"]) if FACTS.exists() else ["(facts absent)"]


def test_every_model_has_its_definition_and_every_definition_its_reason() -> None:
    assert set(schemas()) == set(facts()["models"]) | set(OURS)
    counts = facts()["counts"]
    models = facts()["models"].values()
    kinds = [model["kind"] for model in models if model.get("defined_in_seed", True)]
    assert (kinds.count("object"), kinds.count("union")) == (counts["object_models_in_seed"], counts["unions_in_seed"])


@pytest.mark.parametrize("name", defined())
def test_definition(name: str) -> None:
    fact, schema = facts()["models"][name], schemas()[name]
    if fact["kind"] == "object" and isinstance(fact["fields"], list):
        fields = fact["fields"]
        assert schema["type"] == "object"
        assert list(schema["properties"]) == [field["name"] for field in fields]
        assert schema.get("required", []) == [field["name"] for field in fields if field["required_seed"]]
        for field in fields:
            member = schema["properties"][field["name"]]
            assert shape(member) == resolved(field), field["name"]
            assert annotations(member) == annotated(field), field["name"]
    elif fact["kind"] == "object":
        assert schema["required"] == ["type"]
        assert list(schema["properties"]) == list(fact["fields"])
        for field, said in fact["fields"].items():
            member = schema["properties"][field]
            spelled = {"int32": "integer", "map any (JSON Schema)": {"map_of": "any"}}
            want = {"enum": said} if isinstance(said, list) else spelled.get(said, {"const": said.split()[-1]})
            assert shape(member) == want, field
            assert member.get("format") == ("int32" if said == "int32" else None)
    elif fact["kind"] == "union" and isinstance(fact["members"][0], dict):
        members = {member["tag"]: member["name"] for member in fact["members"]}
        assert [name_of(part["$ref"]) for part in schema["oneOf"]] == list(members.values())
        stated = schema["discriminator"]
        assert stated["propertyName"] == fact["discriminator"]
        assert {tag: name_of(ref) for tag, ref in stated["mapping"].items()} == members
        for tag, member in members.items():
            assert schemas()[member]["properties"][fact["discriminator"]]["const"] == tag
    elif fact["kind"] == "union":
        *named, last = schema["anyOf"]
        assert [name_of(part["$ref"]) for part in named] == fact["members"][:-1]
        assert fact["members"][-1].startswith("object") and shape(last) == {"map_of": "any"}
    elif fact["kind"] == "alias":
        assert shape(schema) == fact["of"]
    else:
        assert shape(schema) == {fact["kind"]: fact["values"]}
        described = {part["const"] for part in schema.get("anyOf", []) if part.get("description") and "const" in part}
        assert described == set(fact.get("gist_en", {}))


def test_objects_are_open_and_no_shape_hides_inside_another() -> None:
    def visit(schema: Any, top: bool) -> None:
        if isinstance(schema, dict):
            assert schema.get("additionalProperties") is not False and "unevaluatedProperties" not in schema
            assert top or "properties" not in schema
            for key, value in schema.items():
                for part in value.values() if key == "properties" else [value]:
                    visit(part, False)
        elif isinstance(schema, list):
            for part in schema:
                visit(part, False)

    for schema in whole()["components"]["schemas"].values():
        visit(schema, True)


# --- operations -----------------------------------------------------------------------------------------------------


def operations(of: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Method, whole URL and operation by operationId."""
    (server,) = of["servers"]
    base = server["url"]
    for variable, stated in server["variables"].items():
        base = base.replace(f"{{{variable}}}", stated["default"])
    return {
        operation["operationId"]: (method.upper(), base + path, operation)
        for path, item in of["paths"].items()
        for method, operation in item.items()
    }


def test_the_operations_are_those_of_the_reference() -> None:
    assert set(operations(document())) == {fact["name"] for fact in facts()["operations"]}
    assert len(facts()["operations"]) == facts()["counts"]["operations"]


@pytest.mark.parametrize("position", range(7))
def test_operation(position: int) -> None:
    fact = facts()["operations"][position]
    method, url, operation = operations(document())[fact["name"]]
    assert (method, url) == (fact["method"], fact["server"] + fact["path"])
    assert operation["summary"] and operation["description"] and operation["tags"]
    parameters = operation.get("parameters", [])
    assert [(one["name"], one["in"], one.get("required", False)) for one in parameters] == [
        (field["name"], field["in"], field["required_seed"]) for field in fact["parameters"]
    ]
    for one, field in zip(parameters, fact["parameters"], strict=True):
        assert shape(one["schema"]) == resolved(field)
        assert field.get("format") in (None, one["schema"].get("format"))
    assert ("requestBody" in operation) == (fact["body"] is not None)
    if fact["body"]:
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        name = name_of(body["$ref"])
        assert name == fact["body"]["openapi_schema"]
        members = schemas()[name]["properties"]
        sent = {name: member for name, member in members.items() if not member.get("readOnly")}
        assert list(sent) == [field["name"] for field in fact["body"]["fields"]]
        required = schemas()[name].get("required", []) + body.get("required", [])
        assert required == [field["name"] for field in fact["body"]["fields"] if field["required_seed"]]
        for field in fact["body"]["fields"]:
            assert shape(sent[field["name"]]) == resolved(field), field["name"]
    assert set(operation["responses"]) == {"200", "default"}
    answer = name_of(operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"])
    assert answer == fact["response"]["openapi_schema"]
    fields = fact["response"]["fields"]
    assert list(schemas()[answer]["properties"]) == ([] if fields == "empty" else fields)
    failure = operation["responses"]["default"]["content"]["application/json"]["schema"]
    assert name_of(failure["$ref"]) == "ErrorResponse"


def test_limits_of_a_page() -> None:
    _, _, operation = operations(document())["ListWebhooks"]
    (size,) = (one for one in operation["parameters"] if one["name"] == "page_size")
    said = next(field for field in facts()["operations"][1]["parameters"] if field["name"] == "page_size")["gist_en"]
    assert [size["schema"]["default"], size["schema"]["maximum"]] == [int(n) for n in re.findall(r"\d+", said)]


def test_the_key_goes_into_its_header() -> None:
    (scheme,) = document()["components"]["securitySchemes"].values()
    assert (scheme["type"], scheme["in"], scheme["name"]) == ("apiKey", "header", facts()["wire"]["auth_header"])
    assert document()["security"] == [{name: []} for name in document()["components"]["securitySchemes"]]


# --- what the overlay adds --------------------------------------------------------------------------------------------


def test_the_overlay_opens_and_resumes_streams() -> None:
    found = operations(whole())
    base = facts()["wire"]["base_url"]
    assert found["CreateInteraction"][:2] == ("POST", f"{base}/v1beta/interactions")
    assert found["GetInteraction"][:2] == ("GET", f"{base}/v1beta/interactions/{{id}}")
    query = [one["name"] for one in found["GetInteraction"][2]["parameters"] if one["in"] == "query"]
    assert query == re.findall(r"(\w+)=", facts()["wire"]["sse"]["resume"])
    for name in ("CreateInteraction", "GetInteraction"):
        operation = found[name][2]
        frame = operation["responses"]["200"]["content"]["text/event-stream"]["itemSchema"]
        assert name_of(frame["properties"]["data"]["contentSchema"]["$ref"]) == "InteractionSseEvent"
        resume = operation["x-wirebound-stream"]["resume"]
        assert resume["operation"] == "GetInteraction" and resume["after"] in query
    union = whole()["components"]["schemas"]["InteractionSseEvent"]
    assert f"data: {union['x-wirebound-stream']['done']}" in facts()["wire"]["sse"]["terminator"]


def test_the_request_has_what_an_interaction_lets_a_caller_say() -> None:
    request = whole()["components"]["schemas"]["CreateInteractionRequest"]["properties"]
    said = {
        name: member
        for name, member in whole()["components"]["schemas"]["Interaction"]["properties"].items()
        if not member.get("readOnly")
    }
    assert set(request) - set(said) == {"stream", "store", "background"}
    for name, member in said.items():
        assert shape(request[name]) == shape(member), name


def test_deliveries() -> None:
    fact = facts()["wire"]["webhook_delivery"]
    receive = whole()["webhooks"]["delivery"]["post"]
    assert [one["name"] for one in receive["parameters"] if one["in"] == "header"] == fact["headers"]
    added = whole()["components"]["schemas"]
    union = added[name_of(receive["requestBody"]["content"]["application/json"]["schema"]["$ref"])]
    mapping = union["discriminator"]["mapping"]
    assert set(mapping) == set(fact["data_fields"])
    for event, ref in mapping.items():
        member = added[name_of(ref)]
        envelope = added[name_of(member["allOf"][0]["$ref"])]
        assert {*envelope["properties"], *member["properties"]} == set(fact["envelope"])
        assert {*envelope["required"], *member["required"]} == set(fact["envelope"])
        subject = added[name_of(member["properties"]["data"]["$ref"])]
        assert list(subject["properties"]) == fact["data_fields"][event]
    known = [part["const"] for part in added["WebhookEventType"]["anyOf"] if "const" in part]
    assert set(mapping) == {*known, *fact["extra_event_types_in_guide"]}
    assert contract(FOLDER).validator("WebhookDelivery").is_valid(fact["envelope"])


def at(value: Any, steps: str) -> Any:
    """What is at a plain path of names below a schema, through references and items; None: nothing is declared there."""
    for step in [step for step in steps.split("/") if step]:
        while "$ref" in value or "items" in value:
            value = value["items"] if "items" in value else whole()["components"]["schemas"][name_of(value["$ref"])]
        if re.fullmatch(r"\{.+\}|-1", step):
            continue
        if "oneOf" in value:
            found = [at(part, step) for part in value["oneOf"]]
            value = next((one for one in found if one is not None), None)
        else:
            value = value.get("properties", {}).get(step)
        if value is None:
            return None
    return value


def test_the_fold_speaks_of_events_and_members_that_are_there() -> None:
    added = whole()["components"]["schemas"]
    union = added["InteractionSseEvent"]
    fold = union["x-wirebound-fold"]
    result = {"$ref": fold["result"]}
    members = {tag: {"$ref": ref} for tag, ref in union["discriminator"]["mapping"].items()}
    assert set(fold["events"]) == set(members) - {"error"}
    deltas = {tag: {"$ref": ref} for tag, ref in added["StepDeltaData"]["discriminator"]["mapping"].items()}
    assert set(fold["events"]["step.delta"]["cases"]) == set(deltas)

    def rules() -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
        for tag, said in fold["events"].items():
            for case, steps in said["cases"].items() if isinstance(said, dict) else [("", said)]:
                for step in steps:
                    source = step.get("from")
                    if case and source is not None:
                        assert source.startswith("/delta")
                        yield step, deltas[case], source.removeprefix("/delta")
                    else:
                        yield step, members[tag], source or ""

    for step, event, source in rules():
        assert at(event, source) is not None, step
        target = next(
            step[word] for word in ("merge", "set", "append", "extend", "join", "gather", "parse") if word in step
        )
        assert at(result, target) is not None, step
    stream = union["x-wirebound-stream"]
    assert {*stream["terminal"], stream["error"]["event"]} <= set(members)
    assert all(at(ref, stream["event_id"]) is not None for ref in members.values())
    assert all(at(members["error"], stream["error"][word]) is not None for word in ("code", "message"))


def test_shells_are_marked_where_real_streams_send_them() -> None:
    marked = {
        (name, field)
        for name, schema in whole()["components"]["schemas"].items()
        for field, member in schema.get("properties", {}).items()
        if member.get("x-wirebound-partial")
    }
    assert marked == {
        ("StepStart", "step"),
        ("InteractionCreatedEvent", "interaction"),
        ("InteractionCompletedEvent", "interaction"),
    }


def test_secrets_are_marked() -> None:
    marked = {
        f"{name}.{field}"
        for name, schema in whole()["components"]["schemas"].items()
        for field, member in schema.get("properties", {}).items()
        if member.get("x-wirebound-secret")
    }
    secret = {f"{name}.{field}" for name, schema in schemas().items() for field in schema.get("properties", {})}
    assert marked == {one for one in secret if one.endswith("_secret") or one.endswith(".secret")} | {
        "McpServer.headers"
    }


# --- examples -------------------------------------------------------------------------------------------------------


def members_of(value: Any) -> Any:
    """The structure of a document: its members without their values."""
    if isinstance(value, dict):
        return {name: members_of(one) for name, one in value.items()}
    return [members_of(value[0])] if isinstance(value, list) and value else type(value).__name__


def example(path: str) -> Any:
    return json.loads((FOLDER / "examples" / path).read_text("utf-8"))


@pytest.mark.parametrize(
    ("operation", "path", "without"),
    [
        ("CreateWebhook", "Webhook/created.json", set()),
        ("ListWebhooks", "ListWebhooksResponse/first-page.json", {"new_signing_secret"}),
        # The reference fills in every member; only the response to CreateWebhook has the whole secret.
        ("GetWebhook", "Webhook/fetched.json", {"new_signing_secret"}),
        ("UpdateWebhook", "Webhook/updated.json", {"new_signing_secret"}),
        ("RotateSigningSecret", "RotateSigningSecretResponse/rotated.json", set()),
    ],
)
def test_example_of_a_response(operation: str, path: str, without: set[str]) -> None:
    (fact,) = (one for one in facts()["operations"] if one["name"] == operation)

    def known(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: known(one) for name, one in value.items() if name not in without}
        return [known(one) for one in value] if isinstance(value, list) else value

    assert members_of(example(path)) == members_of(known(fact["example_response"]))


def test_examples_of_events() -> None:
    shown = facts()["sse_examples"]
    assert len(shown) == facts()["counts"]["sse_events"]
    for one in shown:
        path = f"InteractionSseEvent/{re.sub('[._]', '-', one['payload']['event_type'])}.json"
        assert members_of(example(path)) == members_of(one["payload"])
        assert example(path)["event_type"] == one["payload"]["event_type"]
    given = [one for one in facts()["operations"] if one["example_response"]]
    assert len(shown) + len(given) == facts()["counts"]["examples"]


def test_operations_point_to_examples_that_fit() -> None:
    seen = 0

    def visit(value: Any) -> None:
        nonlocal seen
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
            visit(one)
        if isinstance(value, dict) and "examples" in value and "$ref" in value.get("schema", {}):
            for shown in value["examples"].values():
                _, definition, name = shown["externalValue"].split("/")
                assert definition == name_of(value["schema"]["$ref"])
                sent = example(f"{definition}/{name}")
                assert contract(FOLDER).validator(definition).is_valid(sent)
                assert set(value["schema"].get("required", [])) <= set(sent)
                seen += 1

    visit(whole()["paths"])
    visit(whole()["webhooks"])
    assert seen == 12


def test_offsets_of_citations_count_bytes() -> None:
    shown = example("TextContent/with-citations-in-bytes.json")
    text = shown["text"].encode()
    for citation in shown["annotations"]:
        assert text[citation["start_index"] : citation["end_index"]].decode().endswith(".")
    assert len(text) != len(shown["text"])


# --- words ----------------------------------------------------------------------------------------------------------


def described() -> Iterator[tuple[str, str]]:
    """Everything that the contract says to readers of the reference, by anchor."""

    def anchor(*parts: str) -> str:
        return ".".join(quote(part.lower(), safe="._-") for part in parts)

    def shown(own: str, body: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for content in body.get("content", {}).values():
            for example, about in content.get("examples", {}).items():
                yield f"{own}.{example}", about["summary"]

    yield ".", whole()["info"]["description"]
    for number, server in enumerate(whole()["servers"]):
        yield f".servers.{number}", server["description"]
        for variable, about in server["variables"].items():
            yield f".servers.{number}.{variable}", about["description"]
    for scheme, about in whole()["components"]["securitySchemes"].items():
        yield f".security.{scheme}", about["description"]
    items = [*whole()["paths"].values(), *whole()["webhooks"].values()]
    for operation in (operation for item in items for operation in item.values()):
        name = operation["operationId"]
        yield anchor(name), operation["description"]
        yield anchor(name, "summary"), operation["summary"]
        for parameter in operation.get("parameters", []):
            yield anchor(name, parameter["name"]), parameter["description"]
        if "requestBody" in operation:
            yield anchor(name, "body"), operation["requestBody"]["description"]
            yield from shown(anchor(name, "body"), operation["requestBody"])
        for status, response in operation["responses"].items():
            yield anchor(name, status), response["description"]
            yield from shown(anchor(name, status), response)
    for name, schema in whole()["components"]["schemas"].items():
        yield anchor(name), schema["description"]
        for field, member in schema.get("properties", {}).items():
            yield anchor(name, field), member["description"]
        for part in schema.get("anyOf", []):
            if "const" in part:
                yield anchor(name, part["const"]), part["description"]


def test_every_description_is_translated_as_it_stands() -> None:
    catalogue = tomllib.loads((FOLDER.parent / "i18n/ko.toml").read_text("utf-8"))["entries"]
    said = dict(described())
    assert len(said) == len(list(described())) and set(catalogue) == set(said)
    for anchor, text in said.items():
        assert catalogue[anchor]["source"] == hashlib.sha256(text.encode()).hexdigest()[:16], anchor
        translated = catalogue[anchor]["text"]
        assert re.search("[가-힣]", translated), anchor
        assert set(re.findall(r"`[^`]+`", translated)) == set(re.findall(r"`[^`]+`", text)), anchor


def test_the_damage_of_the_translated_reference_stays_out() -> None:
    for name in ("openapi.yaml", "overlay.yaml"):
        assert not re.search("[가-힣]", (FOLDER / name).read_text("utf-8"))
    korean = (FOLDER.parent / "i18n/ko.toml").read_text("utf-8") + (FOLDER.parent / "outline.toml").read_text("utf-8")
    for fact in facts()["translation_damage"]:
        if fact["kind"] in ("prose", "example title"):
            assert fact["in_seed"] not in korean
    assert "ContentDelta" not in korean


def test_every_operation_and_definition_stands_in_one_section() -> None:
    outline = tomllib.loads((FOLDER.parent / "outline.toml").read_text("utf-8"))
    members = [name for section in outline["sections"] for name in section.get("members", [])]
    bodies = ["CreateWebhookRequest"]  # the one body that stands in its operation, where the reference has it
    assert sorted(members) == sorted([*whole()["components"]["schemas"], *bodies])
    listed = [name for section in outline["sections"] for name in section.get("operations", [])]
    received = [item["post"]["operationId"] for item in whole()["webhooks"].values()]
    assert sorted(listed) == sorted([*operations(whole()), *received])
    for section in outline["sections"]:
        assert section["title"].keys() == section["intro"].keys() == {"en", "ko"}


def test_the_operations_come_in_the_order_of_the_reference() -> None:
    outline = tomllib.loads((FOLDER.parent / "outline.toml").read_text("utf-8"))
    assert outline["sections"][0]["operations"] == [fact["name"] for fact in facts()["operations"]]
