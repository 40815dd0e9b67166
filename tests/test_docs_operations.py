"""Operations in the reference: what a contract says of them survives in every host, and each command line is safe to run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from docs_editions import ROOT, edition, edition_of
from hosts import needs_node
from site_build import Page, faults, project
from test_docs_markdown import seen, shown, texts

from codegen import docs_pipeline
from codegen.edition import Edition
from codegen.editions import Shelf
from codegen.errors import OutputError
from codegen.targets.docs import curl
from codegen.targets.docs.page import page
from codegen.targets.docs.views import OperationView

API = ROOT / "schema" / "gemini-interactions"
CASES = [
    path
    for path in sorted((ROOT / "tests" / "cases").glob("openapi-*/contract.*"))
    if not list(path.parent.glob("overlay.*"))
]

HOSTILE_PATH = "/a'b\"c$(touch hurt)`touch hurt`!d\\e;touch hurt&f|g<b>&amp;/{i d}/{PATH}:go"
HOSTILE_NAME = "x'y\"$(touch hurt)`touch hurt`!\\;&|<b>"
HOSTILE_VALUE = 'it\'s "$HOME" `touch hurt` $(touch hurt) !! \\ ; touch hurt # <b> & * ~ \u202e'


def api() -> Edition:
    shelf = Shelf(outlined=API / "outline.toml", translated=sorted(API.glob("i18n/*.toml")))
    return shelf.add(
        API / "v1beta/openapi.yaml",
        contract="api",
        version="v1beta",
        command="wirebound generate",
        rule="folder",
        overlays=[API / "v1beta/overlay.yaml"],
    )


def operations(edition: Edition, language: str = "en") -> dict[str, OperationView]:
    return {o.name: o for section in page(edition, language).sections for o in section.operations}


def hostile(described: list[str]) -> dict[str, Any]:
    """An API whose every text is one of ``described``, or means something to a shell."""
    chosen = iter(described)
    operation: dict[str, Any] = {
        "operationId": "hurt",
        "description": next(chosen),
        "summary": next(chosen),
        "parameters": [
            {"name": "i d", "in": "path", "required": True, "schema": {"type": "string"}, "description": next(chosen)},
            {"name": "PATH", "in": "path", "required": True, "schema": {"type": "string"}},
            {
                "name": HOSTILE_NAME,
                "in": "query",
                "required": True,
                "schema": {"type": "string"},
                "example": HOSTILE_VALUE,
            },
            {"name": "token", "in": "query", "required": True, "schema": {"type": "string"}},
            {
                "name": "x-name",
                "in": "header",
                "required": True,
                "schema": {"type": "string"},
                "example": HOSTILE_VALUE,
            },
        ],
        "requestBody": {
            "required": True,
            "description": next(chosen),
            "content": {
                "application/json": {
                    "schema": {"type": "object", "additionalProperties": True},
                    "examples": {HOSTILE_NAME: {"summary": next(chosen), "value": {HOSTILE_NAME: HOSTILE_VALUE}}},
                }
            },
        },
        "responses": {
            "200": {
                "description": next(chosen),
                "headers": {"X-Rate": {"schema": {"type": "integer"}, "description": next(chosen)}},
                "content": {"application/json": {"schema": {}, "example": {"</script>": "*/ ``` ~~~ <b>"}}},
            }
        },
    }
    return {
        "openapi": "3.1.1",
        "info": {"title": "Hurt", "version": "1"},
        "servers": [{"url": "https://example.org/v1"}],
        "security": [{"key": [], "token": []}],
        "paths": {HOSTILE_PATH: {"post": operation}},
        "components": {
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "query", "name": HOSTILE_NAME, "description": next(chosen)},
                "token": {"type": "http", "scheme": "bearer"},
            }
        },
    }


# --- hosts ------------------------------------------------------------------------------------------------------------


@needs_node
@pytest.mark.parametrize("name", ["api", "hostile", *(path.parent.name for path in CASES)])
def test_no_id_stands_twice_and_no_link_is_dead(name: str, tmp_path: Path) -> None:
    if name == "api":
        made = api()
    elif name == "hostile":
        made = edition(
            hostile([f"{piece} text" for piece in ("<b>", "{x}", "```", "|", "*", "@a", ":mm:", "$x")] * 3), tmp_path
        )
    else:
        made = edition_of(next(path for path in CASES if path.parent.name == name))
    for host, html in shown(made, languages=("en", "ko")):
        assert [i for i, count in Counter(html.ids).items() if count > 1] == [], host
        for link in html.links:
            if link.startswith("#"):
                assert link[1:] in html.ids or unquote(link[1:]) in html.ids, f"{host}: {link}"
        assert not html.tags & {"b", "script"}, host


@needs_node
def test_hostile_text_survives_in_every_flavour(tmp_path: Path) -> None:
    """Each text of an operation is what its reader sees, character by character."""
    pieces = [text for text in texts(60) if text.strip() and "\n" not in text]
    for start in range(0, len(pieces) - 9, 45):  # hosts take long: every fifth nine
        described = pieces[start : start + 9]
        folder = tmp_path / str(start)
        folder.mkdir()
        for host, html in shown(edition(hostile(described), folder)):
            joined = " ".join(html.lines)
            for text in (described[0], *described[2:4], *described[5:8]):
                assert seen(text) in joined, f"{host}: {text!r}"


def test_a_site_shows_hostile_operations(tmp_path: Path) -> None:
    described = [f"<b>{i}</b> & {{x}} </script> \u202e" for i in range(9)]
    manifest = project(tmp_path, {"hurt": {}}, **{"hurt/1/openapi.json": json.dumps(hostile(described))})
    site = docs_pipeline.site(manifest, search=False)
    assert list(faults(site)) == []
    read = Page(site["hurt/1/en/all.html"].decode())
    assert "b" not in read.tags
    told = " ".join(" ".join(read.texts("div", "told")).split())
    for i in (0, 2, 3, 5, 6):
        assert f"<b>{i}</b> & {{x}} </script> \\u202e" in told, i
    assert (
        "/a'b\"c$(touch hurt)`touch hurt`!d\\e;touch hurt&f|g<b>&amp;/{i d}/{PATH}:go" in read.texts("p", "address")[0]
    )


# --- command lines ----------------------------------------------------------------------------------------------------


def ran(command: str, folder: Path, **variables: str) -> list[str]:
    """The arguments that curl is called with when a shell runs a command line."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    script = f"set -u\ncurl() {{ printf '%s\\0' \"$@\"; }}\n{command}\n"
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", **variables}
    run = subprocess.run([bash, "-c", script], capture_output=True, cwd=folder, env=environment, timeout=20)
    assert run.returncode == 0, run.stderr.decode()
    return [part.decode() for part in run.stdout.split(b"\0")[:-1]]


def test_a_shell_runs_nothing_but_curl(tmp_path: Path) -> None:
    made = edition(hostile(["text"] * 9), tmp_path)
    (request,) = operations(made)["hurt"].requests
    work = tmp_path / "work"
    work.mkdir()
    values = {"I_D": "7", "THE_PATH": "p", "TOKEN": "t", "API_KEY": "k"}
    address, *arguments = ran(request.code, work, **values)
    assert list(work.iterdir()) == []
    assert unquote(address.partition("?")[0]) == "https://example.org/v1" + HOSTILE_PATH.replace("{i d}", "7").replace(
        "{PATH}", "p"
    )
    query = [part.split("=", 1) for part in address.partition("?")[2].split("&")]
    assert [(unquote(name), unquote(value)) for name, value in query] == [
        (HOSTILE_NAME, HOSTILE_VALUE),
        ("token", "t"),
        (HOSTILE_NAME, "k"),
    ]
    headers = [value for option, value in pairwise(arguments) if option == "-H"]
    assert headers == [f"x-name: {HOSTILE_VALUE}", "Authorization: Bearer t", "Content-Type: application/json"]
    (body,) = (value for option, value in pairwise(arguments) if option == "--data-raw")
    assert json.loads(body) == {HOSTILE_NAME: HOSTILE_VALUE}


def test_every_command_line_of_the_api_is_what_the_operation_says(tmp_path: Path) -> None:
    found = operations(api())
    for name, operation in found.items():
        if operation.role != "call":
            continue
        plain = "".join(run.text for run in operation.address)
        for request in operation.requests:
            arguments = ran(request.code, tmp_path, ID="7", API_KEY="secret")
            (address,) = (one for one in arguments if one.startswith("https://"))
            assert address.partition("?")[0] == plain.replace("{id}", "7"), name
            method = arguments[arguments.index("-X") + 1] if "-X" in arguments else None
            sends = "--data-raw" in arguments
            assert (method or ("POST" if sends else "GET")) == operation.method, name
            assert "x-goog-api-key: secret" in arguments
            if sends:
                json.loads(arguments[arguments.index("--data-raw") + 1])
    stream = found["CreateInteraction"].requests[-1]
    assert json.loads(ran(stream.code, tmp_path, API_KEY="k")[-1])["stream"] is True and "--no-buffer" in stream.code
    assert "?stream=true" in found["GetInteraction"].requests[-1].code


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("pageToken", "PAGE_TOKEN"),
        ("id", "ID"),
        ("path", "THE_PATH"),
        ("1st", "THE_1ST"),
        ("…", "VALUE"),
        ("x-y z", "X_Y_Z"),
    ],
)
def test_variables_are_called_so_that_a_shell_has_none_of_them(name: str, variable: str) -> None:
    assert curl.variable(name).name == variable


@pytest.mark.parametrize(
    ("word", "written"),
    [
        (("a b",), "'a b'"),
        (("https://x/", curl.Variable("ID"), ":ping"), '"https://x/$ID:ping"'),
        (("x/", curl.Variable("ID"), "s"), '"x/${ID}s"'),
        (("key: ", curl.Variable("K")), '"key: $K"'),
        (("$(x)", curl.Variable("K"), "!"), "'$(x)'\"$K\"'!'"),
    ],
)
def test_a_word_is_quoted_as_little_as_can_be(word: curl.Word, written: str) -> None:
    assert curl.shell(word) == written


# --- samples ----------------------------------------------------------------------------------------------------------

PETS: dict[str, Any] = {
    "openapi": "3.1.1",
    "info": {"title": "Pets", "version": "1"},
    "paths": {
        "/pets": {
            "post": {
                "operationId": "addPet",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
                "responses": {
                    "201": {
                        "description": "The pet.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}},
                    }
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Pet": {
                "type": "object",
                "required": ["id", "name", "pin"],
                "properties": {
                    "id": {"type": "integer", "readOnly": True},
                    "name": {"type": "string", "minLength": 1},
                    "pin": {"type": "string", "writeOnly": True},
                },
            }
        }
    },
}


def test_without_examples_the_smallest_document_is_shown_and_said_to_be_made(tmp_path: Path) -> None:
    """A request has no read-only member, a response no write-only one, though the schema requires both."""
    operation = operations(edition(PETS, tmp_path))["addPet"]
    (request,), (answer,) = operation.requests, operation.answers
    assert request.derived and answer.derived
    sent = json.loads(ran(request.code, tmp_path, BASE_URL="https://x")[-1])
    assert sent.keys() == {"name", "pin"} and sent["name"]
    assert json.loads(answer.code).keys() == {"id", "name"}


def test_documents_beside_the_contract_come_before_made_ones(tmp_path: Path) -> None:
    place = tmp_path / "examples" / "Pet"
    place.mkdir(parents=True)
    (place / "rex.json").write_text('{"id": 7, "name": "Rex", "pin": "0"}')
    operation = operations(edition(PETS, tmp_path))["addPet"]
    assert not operation.requests[0].derived
    assert json.loads(operation.answers[0].code) == {"id": 7, "name": "Rex"}


def test_a_file_that_is_not_there_is_a_problem_at_its_place(tmp_path: Path) -> None:
    changed = json.loads(json.dumps(PETS))
    content = changed["paths"]["/pets"]["post"]["responses"]["201"]["content"]["application/json"]
    for url in ("pets/none.json", "../../outside.json"):
        content["examples"] = {"none": {"externalValue": url}}
        with pytest.raises(OutputError, match="no-example") as caught:
            operations(edition(changed, tmp_path))
        assert caught.value.problems[0].origin.pointer.endswith("/examples/none")
    content["examples"] = {"far": {"externalValue": "https://example.org/pet.json"}}
    assert operations(edition(changed, tmp_path))["addPet"].answers[0].link == "https://example.org/pet.json"


# --- anchors and sections ---------------------------------------------------------------------------------------------


def test_parts_of_one_operation_that_are_called_alike_have_anchors_of_their_own(tmp_path: Path) -> None:
    changed = json.loads(json.dumps(PETS))
    changed["paths"]["/pets/{id}"] = {
        "get": {
            "operationId": "getPet",
            "parameters": [
                {"name": name, "in": place, "required": True, "schema": {"type": "string"}}
                for name, place in (
                    ("id", "query"),
                    ("id", "path"),
                    ("body", "query"),
                    ("200", "header"),
                    ("ID", "header"),
                )
            ],
            "responses": {"200": {"description": "A pet."}},
        }
    }
    fields = operations(edition(changed, tmp_path))["getPet"].fields
    assert {(field.name, field.anchor) for field in fields} == {
        ("id", "getpet.id"),
        ("id", "getpet.query.id"),
        ("body", "getpet.query.body"),
        ("200", "getpet.header.200"),
        ("ID", "getpet.header.id"),
    }


def test_an_operation_stands_in_one_section_or_is_missed(tmp_path: Path) -> None:
    outline = '[[sections]]\nid = "all"\ntitle = "All"\nmembers = ["Pet"]\noperations = [{}]\n'
    with pytest.raises(OutputError, match='unlisted: "addPet"'):
        page(edition(PETS, tmp_path, outline=outline.format("")), "en")
    (section,) = page(edition(PETS, tmp_path, outline=outline.format('"addPet"')), "en").sections
    assert [o.name for o in section.operations] == ["addPet"] and section.count == "1 operation, 1 definition"


def test_a_definition_says_which_operations_use_it(tmp_path: Path) -> None:
    (pet,) = (d for s in page(edition(PETS, tmp_path), "en").sections for d in s.definitions)
    assert [(use.link.text, use.link.target) for use in pet.used_by] == [("addPet", "#addpet")]


def test_names_of_the_site_find_operations_by_name_path_and_parameter() -> None:
    from site_build import own_site

    text = own_site()["gemini-interactions/v1beta/ko/names.js"].decode()
    held = json.loads(re.sub(r"\Awindow\.wirebound=|;\s*\Z", "", text))
    (entry,) = (entry for entry in held["entries"] if entry[0] == "PingWebhook")
    assert held["pages"][entry[1]] == "webhook-operations" and entry[2] == "pingwebhook"
    assert ["id", "pingwebhook.id"] in entry[5] and "POST /webhooks/{id}:ping" in entry[6]


# --- code -------------------------------------------------------------------------------------------------------------


def shown_code(name: str) -> list[str]:
    """The code of the tab Python of an operation, as the site shows it."""
    text = docs_site()["gemini-interactions/v1beta/en/all.html"].decode()
    (article,) = re.findall(
        rf'<article class="definition operation">(?:(?!</article>).)*id="{name.lower()}".*?</article>', text, re.S
    )
    panels = re.split('<div class="panel">', article)[1:]
    labels = re.findall("</?label[^>]*>([^<]+)</label>", article)
    return Page(f"<div>{panels[labels.index('Python')]}").texts("pre") if "Python" in labels else []


def docs_site() -> dict[str, bytes]:
    from site_build import own_site

    return own_site()


@pytest.mark.parametrize("name", [o for o, view in operations(api()).items() if view.role == "call"])
def test_the_code_of_an_operation_asks_for_what_the_operation_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run against a transport: method, address, key and body are those of the command line beside it."""
    import httpx

    blocks = shown_code(name)
    assert blocks
    monkeypatch.syspath_prepend(str(ROOT / "generated/gemini-interactions/v1beta/python"))
    monkeypatch.setenv("API_KEY", "secret")
    client = __import__("gemini_interactions_bindings.client", fromlist=["Client"])
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        if b'"stream":true' in request.content.replace(b" ", b"") or request.url.params.get("stream") == "true":
            events = b'data: {"event_type": "interaction.completed", "interaction": {}}\n\ndata: [DONE]\n\n'
            return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=events)
        return httpx.Response(200, json={})

    real = client.Client
    monkeypatch.setattr(client, "Client", lambda **given: real(**given, transport=httpx.MockTransport(answer)))
    space: dict[str, Any] = {"print": lambda *_: None}
    for block in blocks:
        exec(block, space)
    assert len(asked) == len(blocks)
    operation = operations(api())[name]
    plain = "".join(run.text for run in operation.address)
    for request in asked:
        assert request.method == operation.method and request.headers["x-goog-api-key"] == "secret"
        assert unquote(str(request.url.copy_with(query=None))).rstrip("?") == plain.replace("{id}", "…")
    if operation.body is not None:
        (sent,) = re.findall(r"--data-raw '(.*)'$", operation.requests[0].code, re.S)
        wanted = json.loads(sent)
        wanted.pop("stream", None)  # asked for by the name of the method
        assert json.loads(asked[0].content) == wanted
    if name in ("CreateInteraction", "GetInteraction"):
        assert b"stream" in asked[1].content + asked[1].url.query
