"""OpenAPI descriptions → operations, definitions and names, as the case folders show them; and what no folder can show.

A folder ``tests/cases/openapi-…`` holds ``contract.yaml``, perhaps an ``overlay.yaml``, and ``model.txt``, which
``make golden`` rewrites.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import codegen
from codegen import cli, exchange, ledger, outline
from codegen.document import load
from codegen.dump import dump, dump_json, dump_names
from codegen.errors import WireboundError
from codegen.facts import Facts
from codegen.ledger import Ledger
from codegen.model import Field, Model, Operation, Record, Ref, Union
from codegen.pointer import Origin
from codegen.resolve import resolve
from codegen.tables import Source

ROOT = Path(__file__).parents[1]
CASES = ROOT / "tests" / "cases"
FOLDERS = sorted(path.name for path in CASES.glob("openapi-*"))
CORPUS = ROOT.parent / "shared" / "corpus" / "openapi"


def overlays(folder: Path) -> list[Path]:
    return sorted(folder.glob("overlay.*"))


@cache
def case(name: str) -> Model:
    folder = CASES / name
    return resolve(load(folder / "contract.yaml", overlays=overlays(folder)))


@pytest.mark.parametrize("name", FOLDERS)
def test_model(name: str) -> None:
    text = dump(case(name), Facts(case(name)))
    golden = CASES / name / "model.txt"
    if os.environ.get("WIREBOUND_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FOLDERS)
def test_every_model_is_json_and_makes_bindings(name: str) -> None:
    model = case(name)
    form = dump_json(model, Facts(model))
    assert isinstance(form, dict) and json.loads(json.dumps(form)) == form
    folder = CASES / name
    given = {"overlay": overlays(folder)}
    codecs = codegen.codecs(folder / "contract.yaml", options=given)
    assert set(codecs) == {d.name.spelled for d in model.definitions if d.name.source != "pointer"}


def described(paths: Any = None, version: str = "3.1.1", **more: Any) -> dict[str, Any]:
    return {"openapi": version, "info": {"title": "T", "version": "1"}, "paths": paths or {}, **more}


def model(value: Any, **how: Any) -> Model:
    return resolve(load(value), **how)


def operation(model: Model, name: str) -> Operation:
    return next(one for one in model.operations if one.name.spelled == name)


def problems(value: Any, **options: Any) -> list[tuple[str, str]]:
    with pytest.raises(WireboundError) as refused:
        resolve(load(value, **options))
    assert all(problem.help for problem in refused.value.problems)
    return [(problem.code, str(problem.origin)) for problem in refused.value.problems]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


OK = {"responses": {"default": {"description": "Done."}}}


# --- what a document is -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "version"),
    [("3.0.0", "3.0"), ("3.0.4", "3.0"), ("3.1.0", "3.1"), ("3.1.1", "3.1"), ("3.2.0", "3.2"), ("3.2.0-rc1", "3.2")],
)
def test_the_version_decides_the_dialect(written: str, version: str) -> None:
    contract = load(described(version=written, components={"schemas": {"A": {"type": "string"}}}))
    assert contract.version == version
    assert [schema.dialect.name for schema in contract.schemas] == [f"OpenAPI {version}"]
    with pytest.raises(LookupError):
        contract.root  # noqa: B018


@pytest.mark.parametrize("written", ["2.0", "3", "3.1", "3.3.0", "3.1.01", 3.1, None])
def test_another_version_is_refused(written: Any) -> None:
    assert problems(described() | {"openapi": written}) == [("openapi-version", "#/openapi")]


def test_a_schema_is_no_description() -> None:
    contract = load({"type": "object", "properties": {"openapi": {"type": "string"}}})
    assert contract.openapi is None and contract.version == "" and contract.schemas == (contract.root,)


def test_statuses_may_be_integers_in_yaml_and_nothing_else(tmp_path: Path) -> None:
    text = """\
        openapi: 3.1.1
        info: {title: T, version: '1'}
        paths:
          /a:
            get:
              responses:
                200: {description: Done.}
                4XX: {description: Wrong.}
        components:
          responses:
            200: {description: This is a name.}
          examples:
            one: {value: {responses: {404: looks like a status}}}
        """
    path = write(tmp_path, "openapi.yaml", text)
    assert problems(path) == [
        ("non-string-key", "#/components/responses/200"),
        ("non-string-key", "#/components/examples/one/value/responses/404"),
    ]
    kept = write(tmp_path, "right.yaml", text.partition("        components:")[0])
    assert [r.status for r in model(kept).operations[0].responses] == ["200", "4XX"]
    # No schema has statuses.
    schema = write(tmp_path, "schema.yaml", "type: object\ndefault: {responses: {200: {}}}\n")
    assert problems(schema) == [("non-string-key", "#/default/responses/200")]


# --- schemas ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keyword", "operand", "code"),
    [
        ("const", 1, "unknown-keyword"),
        ("examples", [1], "unknown-keyword"),
        ("type", ["string", "null"], "malformed-keyword"),
        ("type", "null", "malformed-keyword"),
        ("exclusiveMinimum", 1, "malformed-keyword"),
        ("items", [{}], "not-a-schema"),
        ("items", True, "not-a-schema"),
        ("patternProperties", {}, "unknown-keyword"),
        ("$defs", {}, "unknown-keyword"),
        ("nullable", "yes", "malformed-keyword"),
        ("discriminator", "kind", "malformed-keyword"),
        ("discriminator", {"propertyName": "kind", "nope": 1}, "malformed-keyword"),
        ("xml", {"attribute": "yes"}, "malformed-keyword"),
        ("externalDocs", {"description": "nowhere"}, "malformed-keyword"),
        ("nope", 1, "unknown-keyword"),
    ],
)
def test_what_3_0_does_not_have_is_refused(keyword: str, operand: Any, code: str) -> None:
    value = described(version="3.0.4", components={"schemas": {"A": {keyword: operand}}})
    ((found, origin),) = problems(value)
    assert (found, origin.startswith(f"#/components/schemas/A/{keyword}")) == (code, True)


def test_nullable_adds_null_to_the_type_alone() -> None:
    schemas = {
        "A": {"type": "string", "nullable": True},
        "B": {"type": "string", "nullable": True, "enum": ["a"]},
        "C": {"type": "object", "nullable": False},
    }
    codecs = codegen.codecs(described(version="3.0.4", components={"schemas": schemas}))
    assert codecs["A"].from_dict(None) is None
    for name in ("B", "C"):
        with pytest.raises(ValueError, match="null"):
            codecs[name].from_dict(None)


def test_3_1_has_null_as_a_type() -> None:
    value = described(components={"schemas": {"A": {"type": "string", "nullable": True}}})
    with pytest.raises(WireboundError, match='add "null" to "type"'):
        load(value)


def test_an_example_is_one_of_the_examples() -> None:
    schema = {"type": "object", "properties": {"a": {"example": 1}, "b": {"examples": [2], "example": None}}}
    record = model(described(components={"schemas": {"A": schema}})).definitions[0]
    assert isinstance(record, Record)
    assert [field.notes.examples for field in record.fields] == [(1,), (2, None)]


def test_documentation_elsewhere_is_kept() -> None:
    schema = {"type": "string", "externalDocs": {"url": "https://example.com", "description": "More."}}
    found = model(described(components={"schemas": {"A": schema}})).definitions[0].notes.external_docs
    assert found is not None and (found.url, found.doc.source) == ("https://example.com", "More.")


def test_a_dialect_that_is_known_nowhere() -> None:
    value = described(jsonSchemaDialect="https://example.com/dialect")
    assert problems(value) == [("unknown-dialect", "#/jsonSchemaDialect")]
    plain = described(
        jsonSchemaDialect="https://json-schema.org/draft/2020-12/schema", components={"schemas": {"A": {"xml": {}}}}
    )
    assert problems(plain) == [("unknown-keyword", "#/components/schemas/A/xml")]


# --- references -------------------------------------------------------------------------------------------------------


def test_a_reference_says_what_it_refers_to_in_its_own_words() -> None:
    ref = {"$ref": "#/components/parameters/size", "description": "How many pets."}
    value = described(
        {"/a": {"get": {"parameters": [ref], **OK}}, "/b": {"get": {"parameters": [{"$ref": ref["$ref"]}], **OK}}},
        components={
            "parameters": {
                "size": {"$ref": "#/components/parameters/limit"},
                "limit": {"name": "limit", "in": "query", "description": "How many.", "schema": {"type": "integer"}},
            }
        },
    )
    first, second = (one.parameters[0] for one in model(value).operations)
    assert (first.doc.source, second.doc.source) == ("How many pets.", "How many.")
    assert first.origin == second.origin == Origin("", "/components/parameters/limit")


def test_a_reference_into_another_description(tmp_path: Path) -> None:
    common = described(
        version="3.0.4",
        components={
            "schemas": {"Error": {"type": "object", "properties": {"code": {"type": "integer", "nullable": True}}}}
        },
    )
    write(tmp_path, "common.json", json.dumps(common))
    own = described(components={"schemas": {"Error": {"$ref": "common.json#/components/schemas/Error"}}})
    path = write(tmp_path, "openapi.json", json.dumps(own))
    found = model(path)
    assert [(d.name.spelled, str(d.key.origin)) for d in found.definitions] == [
        ("Error", "common.json#/components/schemas/Error")
    ]


def test_parts_of_a_file_are_judged_where_references_lead(tmp_path: Path) -> None:
    write(tmp_path, "parts.yaml", "good: {type: string}\nbad: {type: strin}\nparameter: {name: a}\n")
    good = write(
        tmp_path, "good.json", json.dumps(described(components={"schemas": {"A": {"$ref": "parts.yaml#/good"}}}))
    )
    assert [d.name.spelled for d in model(good).definitions] == ["A"]
    bad = write(tmp_path, "bad.json", json.dumps(described(components={"schemas": {"A": {"$ref": "parts.yaml#/bad"}}})))
    assert problems(bad) == [("malformed-keyword", "parts.yaml#/bad/type")]
    twice = described(
        {"/a": {"get": {"parameters": [{"$ref": "parts.yaml#/good"}], **OK}}},
        components={"schemas": {"A": {"$ref": "parts.yaml#/good"}}},
    )
    path = write(tmp_path, "twice.json", json.dumps(twice))
    assert {code for code, _ in problems(path)} <= {
        "missing-member",
        "unknown-member",
        "malformed-member",
        "wrong-kind",
    }
    lost = write(
        tmp_path, "lost.json", json.dumps(described(components={"schemas": {"A": {"$ref": "parts.yaml#/no"}}}))
    )
    assert problems(lost) == [("dangling-reference", "#/components/schemas/A/$ref")]


# --- operations -------------------------------------------------------------------------------------------------------


def test_operations_are_in_contract_order_and_webhooks_follow() -> None:
    found = case("openapi-webhooks-and-callbacks")
    assert [(one.role, one.name.spelled) for one in found.operations] == [
        ("call", "subscribe"),
        ("callback", "SubscribeOnEvent"),
        ("callback", "ended"),
        ("webhook", "PostBorn"),
    ]
    assert found.operations[1].within == found.operations[0].key


def test_paths_are_taken_apart() -> None:
    found = operation(case("openapi-paths"), "PingPet")
    assert [getattr(part, "text", None) or getattr(part, "parameter", None) for part in found.parts] == [
        "/v1/",
        "id",
        ":ping",
    ]


def test_parameters_have_the_defaults_of_their_place() -> None:
    found = {p.name: p for p in operation(case("openapi-parameters"), "getPet").parameters}
    assert (found["id"].style, found["id"].explode) == ("simple", False)
    assert (found["verbose"].style, found["verbose"].explode, found["verbose"].required) == ("form", True, True)
    assert (found["ids"].style, found["ids"].explode) == ("pipeDelimited", False)
    assert found["query"].style is None and found["query"].content is not None
    assert found["raw"].default is not None and found["raw"].default.value == "/"
    assert found["session"].notes.secret
    assert "Authorization" not in found


def test_what_is_read_only_is_not_demanded_of_a_request() -> None:
    found = case("openapi-read-and-write")
    created = operation(found, "createUser")
    assert created.body is not None
    request, response = created.body.contents[0], created.responses[0].contents[0]
    assert (request.direction, response.direction) == ("request", "response")

    def spared(content: Any) -> list[str]:
        return [f"{one.record.name.spelled}.{one.field.wire_name}" for one in exchange.spared(Facts(found), content)]

    assert spared(request) == ["User.id", "Home.since"]
    assert spared(response) == ["User.password"]
    user = next(d for d in found.definitions if isinstance(d, Record))
    fields: dict[str, Field] = {field.wire_name: field for field in user.fields}
    assert (fields["id"].required, fields["id"].required_in("request"), fields["id"].sent("request")) == (
        True,
        False,
        False,
    )
    assert (fields["password"].required_in("response"), fields["password"].required_in("request")) == (False, True)
    assert fields["name"].required_in("request") and fields["name"].required_in("response")
    # One class for both directions.
    assert [d.name.spelled for d in found.definitions] == ["User", "Password", "Home"]


def test_streams_say_what_their_events_hold() -> None:
    found = case("openapi-streams")
    frames = operation(found, "frames").responses[0].contents[0]
    assert [case.event for case in frames.events] == ["add"] and frames.item is not None
    short = operation(found, "short").responses[0].contents[0]
    assert short.item is None and [case.event for case in short.events] == [None]
    lines = operation(found, "lines").responses[0].contents[1]
    assert lines.events == () and lines.item is not None


def test_a_link_leads_to_its_operation() -> None:
    found = case("openapi-bodies")
    (link,) = operation(found, "create-pet").responses[0].links
    assert link.operation == operation(found, "get-pet").key


def test_security_that_is_taken_back_differs_from_none_that_is_said() -> None:
    found = case("openapi-security")
    assert [one.schemes for one in operation(found, "clear").security] == [()]
    assert operation(case("openapi-paths"), "PingPet").security == ()


def test_definitions_know_the_operations_that_use_them() -> None:
    found = case("openapi-several-files")
    used = exchange.used_in(found)
    (pet,) = (d for d in found.definitions if d.name.spelled == "Pet")
    assert [one.name.spelled for one in used[pet.key]] == ["listPets"]


def test_a_mixin_that_a_body_is_as_well_is_no_mixin() -> None:
    schemas = {
        "Base": {"type": "object", "properties": {"a": {"type": "string"}}},
        "More": {"allOf": [{"$ref": "#/components/schemas/Base"}], "type": "object", "properties": {"b": {}}},
    }
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Base"}}}}
    for paths, is_mixin in (({}, True), ({"/a": {"post": {"requestBody": body, **OK}}}, False)):
        base = model(described(paths, components={"schemas": schemas})).definitions[0]
        assert isinstance(base, Record) and base.is_mixin is is_mixin


# --- names ------------------------------------------------------------------------------------------------------------


def json_body(schema: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def inline(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties or {"a": {}}}


def names(model: Model) -> dict[str, str]:
    return {d.key.pointer: d.name.spelled for d in model.definitions}


def test_inline_shapes_are_named_after_their_operation() -> None:
    responses = {
        "201": {"description": "D", **json_body({"type": "array", "items": inline()})},
        "200": {"description": "D", **json_body(inline(inner=inline()))},
        "default": {"description": "D", **json_body(inline())},
    }
    post = {"operationId": "make-it", "requestBody": json_body({**inline(), "title": "Wish"}), "responses": responses}
    found = names(model(described({"/a": {"post": post}})))
    at = "/paths/~1a/post/responses/{}/content/application~1json/schema"
    assert found == {
        "/paths/~1a/post/requestBody/content/application~1json/schema": "Wish",
        at.format(201) + "/items": "MakeIt201ResponseItem",
        at.format(200): "MakeItResponse",
        at.format(200) + "/properties/inner": "MakeItResponseInner",
        at.format("default"): "MakeItDefaultResponse",
    }


def test_without_success_the_default_is_the_response() -> None:
    value = described(
        {"/a": {"get": {"operationId": "get", "responses": {"default": {"description": "D", **json_body(inline())}}}}}
    )
    assert list(names(model(value)).values()) == ["GetResponse"]


def test_the_outline_names_operations_and_what_they_carry() -> None:
    value = described({"/a": {"get": {"responses": {"200": {"description": "D", **json_body(inline())}}}}})
    text = '[names]\n"#/paths/~1a/get" = "FindA"\n'
    found = model(value, outline=outline.parse(Source("outline.toml", text)))
    assert [(o.name.spelled, o.name.source) for o in found.operations] == [("FindA", "configured")]
    assert list(names(found).values()) == ["FindAResponse"]
    outline.check(outline.parse(Source("outline.toml", text)), {"": found})
    with pytest.raises(WireboundError, match="unknown-name"):
        outline.check(outline.parse(Source("outline.toml", '[names]\n"#/paths/~1b/get" = "FindB"\n')), {"": found})


def test_the_outline_lists_operations_in_sections() -> None:
    found = model(described({"/a": {"get": {"operationId": "getA", **OK}}}))
    text = '[[sections]]\nid = "s"\ntitle = "S"\noperations = ["getA"]\n'
    book = outline.parse(Source("outline.toml", text))
    assert book.sections[0].operations == ("getA",)
    outline.check(book, {"": found})
    with pytest.raises(WireboundError, match="getB"):
        outline.check(outline.parse(Source("outline.toml", text.replace("getA", "getB"))), {"": found})
    with pytest.raises(WireboundError, match="duplicate"):
        outline.parse(Source("outline.toml", text.replace('"getA"', '"getA", "getA"')))


def test_the_ledger_pins_operations_apart_from_definitions() -> None:
    search = {"type": "object", "properties": {"a": {"type": "string"}}}
    value = described({"/a": {"get": {"operationId": "Search", **OK}}}, components={"schemas": {"Search": search}})
    found = model(value, version="1")
    book = ledger.extend(Ledger(), found, "1")
    assert {name: entry.anchor for name, entry in book.operations.items()} == {"Search": "operation-search"}
    assert {name: entry.anchor for name, entry in book.entries.items()} == {"Search": "search"}
    assert book.operations["Search"].places == {"1": "#/paths/~1a/get"}
    again = ledger.parse(Source("names.toml", ledger.text(book, "make it")))
    assert (again.entries, again.operations) == (book.entries, book.operations)
    assert book.until("0").operations == {}


def test_an_operation_keeps_its_anchor_when_a_definition_comes_that_would_have_it() -> None:
    plain = described({"/a": {"get": {"operationId": "Search", **OK}}})
    book = ledger.extend(Ledger(), model(plain, version="1"), "1")
    assert book.operations["Search"].anchor == "search"
    later = {**plain, "components": {"schemas": {"Search": {"type": "object", "properties": {}}}}}
    with pytest.raises(WireboundError, match="anchor-taken"):
        ledger.extend(book, model(later, ledger=book, version="2"), "2")


def test_an_operation_without_id_keeps_the_name_that_the_ledger_knows() -> None:
    first = described({"/a/{id}": {"get": {"parameters": [ID], **OK}}})
    book = ledger.extend(Ledger(), model(first, version="1"), "1")
    assert list(book.operations) == ["GetAById"]
    renamed = ledger.parse(
        Source("names.toml", ledger.text(book, "").replace("GetAById", "FindA").replace("getabyid", "finda"))
    )
    assert [o.name.spelled for o in model(first, ledger=renamed, version="2").operations] == ["FindA"]


ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}


def test_anchors_of_what_belongs_to_an_operation() -> None:
    found = operation(case("openapi-bodies"), "create-pet")
    assert found.body is not None
    assert found.doc.anchor == "create-pet" and found.summary.anchor == "create-pet.summary"
    assert found.body.doc.anchor == "create-pet.body"
    assert [response.doc.anchor for response in found.responses] == [
        "create-pet.201",
        "create-pet.409",
        "create-pet.4xx",
        "create-pet.default",
    ]


# --- overlays ---------------------------------------------------------------------------------------------------------


def test_what_an_overlay_made_is_in_its_file(tmp_path: Path) -> None:
    contract = write(tmp_path, "contract.yaml", "type: object\nproperties:\n  a: {type: strin}\n  b: {type: string}\n")
    overlay = write(
        tmp_path,
        "overlay.yaml",
        """\
        overlay: 1.0.0
        info: {title: T, version: '1'}
        actions:
          - target: $.properties
            update:
              c:
                type: numbr
          - target: $.properties.b
            remove: true
          - target: $
            update: {required: [a], properties: {b: {tipe: string}}}
        """,
    )
    with pytest.raises(WireboundError) as refused:
        load(contract, overlays=[overlay])
    found = [(p.code, *refused.value.locate(p.origin)[:2]) for p in refused.value.problems]  # type: ignore[misc]
    assert found == [
        ("malformed-keyword", str(contract), 3),
        ("malformed-keyword", str(overlay), 7),
        ("unknown-keyword", str(overlay), 11),
    ]


def test_what_a_removal_moves_is_still_where_it_was(tmp_path: Path) -> None:
    contract = write(tmp_path, "contract.yaml", "allOf:\n- {type: object}\n- {type: string}\n- {type: strin}\n")
    overlay = {"overlay": "1.0.0", "info": {"title": "T", "version": "1"}}
    actions = [{"target": "$.allOf[0]", "remove": True}, {"target": "$.allOf", "update": {"type": "nr"}}]
    path = write(tmp_path, "overlay.json", json.dumps({**overlay, "actions": actions}))
    with pytest.raises(WireboundError) as refused:
        load(contract, overlays=[path])
    found = {str(p.origin): refused.value.locate(p.origin)[:2] for p in refused.value.problems}  # type: ignore[misc]
    assert found == {"#/allOf/1/type": (str(contract), 4), "#/allOf/2/type": (str(path), 1)}


def test_overlays_are_applied_in_their_order(tmp_path: Path) -> None:
    head = {"overlay": "1.0.0", "info": {"title": "T", "version": "1"}}
    first = write(
        tmp_path, "a.json", json.dumps({**head, "actions": [{"target": "$", "update": {"title": "A", "enum": [1]}}]})
    )
    second = write(
        tmp_path, "b.json", json.dumps({**head, "actions": [{"target": "$", "update": {"title": "B", "enum": [2]}}]})
    )
    value = {"type": "integer", "enum": [0]}
    one, other = (load(value, overlays=order) for order in ([first, second], [second, first]))
    assert (one.root.get("title"), one.root.get("enum")) == ("B", [0, 1, 2])
    assert (other.root.get("title"), other.root.get("enum")) == ("A", [0, 2, 1])
    assert len({load(value).digest, one.digest, other.digest}) == 3
    assert value == {"type": "integer", "enum": [0]}


def test_an_overlay_that_is_none(tmp_path: Path) -> None:
    path = write(tmp_path, "overlay.yaml", "overlay: 1.0.0\ninfo: {title: T}\nactions: []\nnope: 1\n")
    assert sorted(problems({"type": "object"}, overlays=[path])) == [
        ("missing-member", f"overlay {path}#/actions"),
        ("missing-member", f"overlay {path}#/info"),
        ("unknown-member", f"overlay {path}#/nope"),
    ]
    assert problems({"type": "object"}, overlays=[tmp_path / "no.yaml"]) == [
        ("cannot-read", f"overlay {tmp_path / 'no.yaml'}#")
    ]


def test_an_overlay_cannot_nest_deeper_than_a_document(tmp_path: Path) -> None:
    deep: Any = {"type": "object"}
    for _ in range(45):
        deep = {"properties": {"a": deep}}
    target = "$" + ".properties.a" * 40
    head = {"overlay": "1.0.0", "info": {"title": "T", "version": "1"}}
    path = write(tmp_path, "overlay.json", json.dumps({**head, "actions": [{"target": target, "update": deep}]}))
    contract: Any = {"title": "end"}
    for _ in range(40):
        contract = {"properties": {"a": contract}}
    assert {code for code, _ in problems(contract, overlays=[path])} == {"nesting-too-deep"}


def test_generate_applies_the_overlay_of_a_version_and_notices_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        "schema/c/v1/openapi.json",
        json.dumps(described(components={"schemas": {"A": inline(a={"type": "string"})}})),
    )
    write(
        tmp_path,
        "wirebound.toml",
        """\
        [contracts.c]
        path = "schema/c"
        [[jobs]]
        contract = "c"
        target = "jsonschema"
        """,
    )
    assert cli.run(["generate"]) == 0
    made = tmp_path / "generated/c/v1/jsonschema/schema.json"
    assert '"B"' not in made.read_text("utf-8")
    head = {"overlay": "1.0.0", "info": {"title": "T", "version": "1"}}
    update = {"B": inline(b={"type": "integer"})}
    write(
        tmp_path,
        "schema/c/v1/overlay.json",
        json.dumps({**head, "actions": [{"target": "$.components.schemas", "update": update}]}),
    )
    assert cli.run(["generate", "--check"]) == 1
    assert cli.run(["generate"]) == 0
    assert '"B"' in made.read_text("utf-8")


def test_build_and_show_apply_an_overlay_where_it_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = CASES / "openapi-overlay"
    contract, overlay = str(folder / "contract.yaml"), str(folder / "overlay.yaml")

    def said(*arguments: str) -> str:
        assert cli.run(arguments) == 0
        return capsys.readouterr().out

    assert cli.run(["show", contract]) == 2
    capsys.readouterr()
    assert said("show", contract, "--overlay", overlay) == (folder / "model.txt").read_text("utf-8")
    assert said("show", contract, "--overlay", overlay, "--names") == dump_names(case("openapi-overlay"))
    made = codegen.build(contract, options={"overlay": overlay})
    assert made == codegen.build(contract, options={"overlay": [overlay]})
    with pytest.raises(WireboundError, match="no-effect"):
        codegen.build(contract)
    with pytest.raises(WireboundError, match="bad-option"):
        codegen.build(contract, options={"overlay": 7})
    out = tmp_path / "out"
    said("build", contract, "--overlay", overlay, "--target", "jsonschema", "--out", str(out))
    assert any(out.iterdir())


def test_lint_sees_what_the_overlay_made(capsys: pytest.CaptureFixture[str]) -> None:
    contract, overlay = (str(CASES / "openapi-overlay" / f"{name}.yaml") for name in ("contract", "overlay"))
    assert cli.run(["lint", contract, "--overlay", overlay, "--select", "undocumented-field"]) == 1
    found = capsys.readouterr().out
    assert "contract.yaml:22:9: undocumented-field" in found and "overlay.yaml" not in found


def test_lint_says_why_a_discriminator_does_not_dispatch(capsys: pytest.CaptureFixture[str]) -> None:
    contract = str(CASES / "openapi-discriminators" / "contract.yaml")
    assert cli.run(["lint", contract, "--select", "untaggable-union"]) == 1
    assert capsys.readouterr().out.count('the discriminator is "kind", which not every member requires') == 2


# --- statements of behaviour ------------------------------------------------------------------------------------------


def test_statements_are_parts_of_the_model() -> None:
    found = case("openapi-behaviour")
    event = next(d for d in found.definitions if isinstance(d, Union))
    assert event.stream is not None and event.stream.terminal == ("end",) and event.stream.error is not None
    assert event.fold is not None and [tag for tag, _ in event.fold.events] == ["begin", "add", "end"]
    begin = next(d for d in found.definitions if d.name.spelled == "Begin")
    assert isinstance(begin, Record)
    assert [f.wire_name for f in begin.fields if isinstance(f.type, Ref) and f.type.partial] == ["step"]
    started = operation(found, "startRun")
    assert started.streaming is not None and started.streaming.resume is not None
    assert started.streaming.resume.operation == operation(found, "watchRun").key


def test_statements_hold_without_operations() -> None:
    value = {
        "$defs": {
            "Event": {
                "oneOf": [{"$ref": "#/$defs/Run"}, {"$ref": "#/$defs/End"}],
                "x-wirebound-stream": {"terminal": ["END"], "error": {"event": "END", "message": "/message"}},
            },
            "Run": {"type": "object", "required": ["type"], "properties": {"type": {"const": "RUN"}}},
            "End": {
                "type": "object",
                "required": ["type"],
                "properties": {"type": {"const": "END"}, "message": {"type": "string"}},
            },
        }
    }
    event = next(d for d in resolve(load(value)).definitions if isinstance(d, Union))
    assert event.stream is not None and event.stream.error is not None and event.stream.error.message == "/message"


def test_a_statement_changes_no_verdict() -> None:
    plain = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {**inline(b={}), "required": ["b"]}},
    }
    stated = {**plain, "properties": {"a": {"$ref": "#/$defs/A", "x-wirebound-partial": True}}}
    for value in (plain, stated):
        with pytest.raises(ValueError, match="missing-member"):
            codegen.codecs(value)[""].from_dict({"a": {}})


# --- contracts that others wrote --------------------------------------------------------------------------------------


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of public contracts is not here")
def test_kubernetes_batch() -> None:
    path = CORPUS / "kubernetes-batch-v1.json"
    found = model(path)
    written = json.loads(path.read_bytes())
    assert [d.name.spelled for d in found.definitions] == list(written["components"]["schemas"])
    ids = [
        way["operationId"] for item in written["paths"].values() for name, way in item.items() if name != "parameters"
    ]
    assert [one.name.spelled for one in found.operations] == ids
    job = next(d for d in found.definitions if d.name.spelled == "io.k8s.api.batch.v1.CronJob")
    assert job.name.words == ("io", "k8s", "api", "batch", "v1", "Cron", "Job")
    read = operation(found, "readBatchV1NamespacedCronJob")
    assert [p.name for p in read.parameters if p.place == "path"] == ["name", "namespace"]
    content = read.responses[0].contents[0]
    assert isinstance(content.type, Ref) and content.type.key == job.key


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of public contracts is not here")
def test_kubernetes_documents_pass_through_codecs() -> None:
    codecs = codegen.codecs(CORPUS / "kubernetes-batch-v1.json")
    container = {"name": "main", "image": "busybox", "command": ["date"]}
    template = {"spec": {"containers": [container], "restartPolicy": "OnFailure"}}
    job = {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "hello", "labels": {"a": "b"}},
        "spec": {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": template}}},
    }
    codec = codecs["io.k8s.api.batch.v1.CronJob"]
    assert codec.to_dict(codec.from_dict(job)) == job
    del container["name"]
    with pytest.raises(ValueError, match="/spec/jobTemplate/spec/template/spec/containers/0/name"):
        codec.from_dict(job)


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of public contracts is not here")
def test_kubernetes_bindings_are_imported_and_checked(tmp_path: Path) -> None:
    options = {"package": "batch", "unknown": "keep", "open_world": True}
    for path, content in codegen.build(CORPUS / "kubernetes-batch-v1.json", options=options).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "program.py").write_text(
        "from batch import IoK8sApiBatchV1CronJob, IoK8sApiBatchV1CronJobSpec, codecs\n"
        'job = IoK8sApiBatchV1CronJob.from_json(b\'{"kind": "CronJob", "new": [1]}\')\n'
        "spec: IoK8sApiBatchV1CronJobSpec | None = job.spec\n"
        'print(codecs.CODECS["io.k8s.api.batch.v1.CronJob"].to_json(job).decode(), spec)\n'
    )
    env = {**os.environ, "PYTHONPATH": ""}
    ran = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, env=env)
    assert (ran.stdout, ran.stderr) == ('{"kind":"CronJob","new":[1]} None\n', "")
    command = [sys.executable, "-m", "mypy", "--strict", "batch", "program.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=env)
    assert ran.returncode == 0, ran.stdout
