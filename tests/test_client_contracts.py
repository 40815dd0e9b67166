"""Clients of whole contracts: what the README shows, a contract that others wrote, and a server that is made from the contract.

The server of the last part knows the contract as a JSON document alone: it finds the operation by method and path, judges what
it is sent by the schema library that is the oracle elsewhere, and answers with documents that the schemas accept.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import httpx
import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import codegen
from tests.client_contract import CONTRACT
from tests.client_server import Server, frames, says, streams
from tests.client_world import made

ROOT = Path(__file__).parents[1]
GENERATED = ROOT / "generated/gemini-interactions/v1beta/python"
CORPUS = ROOT.parent / "shared" / "corpus" / "openapi"


# --- what the README shows --------------------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


def test_the_readme(server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.test_client_webhooks import signed
    from tests.test_fold import OUTCOME, stream

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("## Clients, streams, webhooks\n")[2].partition("\n## ")[0]
    first, second, third = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    monkeypatch.syspath_prepend(str(GENERATED))
    import gemini_interactions_bindings.client as module

    class Client(module.Client):
        def __init__(self, **given: Any) -> None:
            super().__init__(base_url=server.url, **{**given, "api_key": "k"})

    monkeypatch.setattr(module, "Client", Client)
    names: dict[str, Any] = {}
    page = {"webhooks": [{"id": "1", "uri": "u"}], "next_page_token": "n"}
    missing = says({"error": {"code": "not_found", "message": "no such webhook"}}, 404)
    server.script(says(page), says({"webhooks": [{"id": "2"}]}), missing)
    exec(first, names)
    assert capsys.readouterr().out == "1 u\n2 None\nnot_found no such webhook\n"
    assert [request.path for request in server.requests][-1] == "/webhooks/wh_1:ping"
    documents = [{**document, "event_id": f"e{i}"} for i, document in enumerate(stream())]
    server.script(streams(frames(*documents[:9]), then="reset"), streams(frames(*documents[9:], "[DONE]")))
    exec(second, names)
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith(" e8") and "ended before it was complete" in said[0]
    assert names["folding"].result().to_dict() == OUTCOME and "FunctionResultStep(" in said[-1]
    exec(third, names)
    data = {"id": "b", "output_file_uri": "gs://x"}
    body = json.dumps(
        {"type": "batch.succeeded", "version": "v1", "timestamp": "2026-01-01T00:00:00Z", "data": data}
    ).encode()
    names["receive"](body, signed(body, "whsec_b2xk"))
    assert capsys.readouterr().out == "gs://x\n"
    with pytest.raises(names["webhooks"].SignatureError):
        names["receive"](body, signed(body, "whsec_b3RoZXI="))


# --- a contract that others wrote -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of public contracts is not here")
def test_kubernetes(tmp_path: Path) -> None:
    options = {"package": "batch_client", "parts": ["models", "client"], "unknown": "keep", "open_world": True}
    for path, content in codegen.build(CORPUS / "kubernetes-batch-v1.json", options=options).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "program.py").write_text("""
import httpx
from batch_client import models
from batch_client.client import Client

seen: list[httpx.Request] = []


def answer(request: httpx.Request) -> httpx.Response:
    seen.append(request)
    return httpx.Response(200, json={"kind": "Job", "metadata": {"name": "a"}})


transport = httpx.MockTransport(answer)
with Client(base_url="https://cluster.example", headers={"Authorization": "Bearer t"}, transport=transport) as client:
    job: models.IoK8sApiBatchV1Job = client.read_batch_v1_namespaced_job("default", "a b", pretty="true")
    client.create_batch_v1_namespaced_job("default", job, dry_run="All")
for request in seen:
    print(request.method, request.url, request.headers["authorization"], request.content.decode())
""")
    ran = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True)
    assert (ran.stdout.splitlines(), ran.stderr) == (
        [
            "GET https://cluster.example/apis/batch/v1/namespaces/default/jobs/a%20b?pretty=true Bearer t ",
            "POST https://cluster.example/apis/batch/v1/namespaces/default/jobs?dryRun=All Bearer t "
            '{"kind":"Job","metadata":{"name":"a"}}',
        ],
        "",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "batch_client", "program.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


# --- a server that is made from the contract --------------------------------------------------------------------------


def expanded(schema: Any) -> Any:
    """A schema by itself: the components come with it."""
    return {**schema, "components": CONTRACT["components"]}


class Twin(httpx.BaseTransport):
    """Answers any call of the contract with ``document``, and refuses what the contract does not describe."""

    def __init__(self) -> None:
        self.document: Any = None
        self.received: Any = None
        self.path: dict[str, str] = {}
        self.query: dict[str, list[str]] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        target = urlsplit(request.url.raw_path.decode())
        for template, item in CONTRACT["paths"].items():
            pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]*?)", re.escape(template))
            match = re.fullmatch(pattern, target.path)
            operation = item.get(request.method.lower())
            if match and operation and not any(":" in text for text in match.groupdict().values()):
                break
        else:
            raise AssertionError(f"{request.method} {target.path} is no operation")
        self.path = {name: unquote(text, errors="strict") for name, text in match.groupdict().items()}
        self.query = parse_qs(target.query, keep_blank_values=True, strict_parsing=bool(target.query), errors="strict")
        if "requestBody" in operation:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            self.received = json.loads(request.read())
            assert not read_only(self.received), "what is read only was sent"
            jsonschema.Draft202012Validator(expanded(relaxed(schema))).validate(self.received)
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.Draft202012Validator(expanded(schema)).validate(self.document)
        return httpx.Response(200, json=self.document)


def relaxed(schema: Any) -> Any:
    """A schema for requests, in which what is read only is not required."""
    return {"type": "object", "properties": {"name": {"type": "string", "minLength": 1}}, "required": ["name"]}


def read_only(document: Any) -> bool:
    """A thing with an id, or a part that was made, is somewhere in a document of things."""
    inner = [*document.get("parts", []), *([document["twin"]] if "twin" in document else [])]
    others = [value for name, value in document.items() if name not in ("id", "name", "made", "size", "parts", "twin")]
    inner += [value for value in others if isinstance(value, dict)]
    return "id" in document or "made" in document or any(map(read_only, inner))


names = st.text(min_size=1, max_size=5)
others = st.text("abc", min_size=2, max_size=3)


def things(depth: int = 2) -> st.SearchStrategy[dict[str, Any]]:
    required = {"id": names, "name": names}
    if not depth:
        return st.fixed_dictionaries(required)
    parts = st.builds(
        lambda own, more: {**more, **own},
        st.fixed_dictionaries({}, optional={"made": names, "size": st.integers()}),
        st.dictionaries(others, things(depth - 1), max_size=1),
    )
    return st.fixed_dictionaries(required, optional={"parts": st.lists(parts, max_size=2), "twin": things(depth - 1)})


@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(thing=things(), id=st.text(min_size=1).filter(lambda text: text not in (".", "..")), answer=things())
def test_bodies_and_paths_arrive_as_they_were_meant(made: Any, thing: Any, id: str, answer: Any) -> None:
    twin = Twin()
    value = made.models.Thing.from_dict(thing)
    with made.client.Client(base_url="http://twin.example", key="k", transport=twin) as client:
        twin.document = answer
        assert client.create_thing(value).to_dict() == answer
        assert twin.received["name"] == thing["name"]
        assert value.to_dict() == thing
        try:
            id.encode()
        except UnicodeEncodeError:
            with pytest.raises(made.module.EncodeError):
                client.get_thing(id)
        else:
            assert client.get_thing(id).to_dict() == answer
            assert twin.path == {"id": id}


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(
    after=texts,
    start=texts,
    tags=st.lists(texts, max_size=3),
    limit=st.integers(max_value=100),
    x=st.floats(allow_nan=False, allow_infinity=False),
)
def test_queries_arrive_as_they_were_meant(
    made: Any, after: str, start: str, tags: list[str], limit: int, x: float
) -> None:
    twin = Twin()
    twin.document = {"found": {"items": []}}
    point = made.models.Point(x=x)
    with made.client.Client(base_url="http://twin.example", key="k", transport=twin) as client:
        client.list_things(after=after, from_=start, tags=tags, limit=limit, near=point, filter=point)
    found = {name: values[0] for name, values in twin.query.items() if name != "tags"}
    assert twin.query.get("tags", []) == tags
    assert (found["after"], found["from"], found["limit"]) == (after, start, str(limit))
    assert float(found["near[x]"]) == x and json.loads(found["filter"]) == {"x": x}


# --- the code ---------------------------------------------------------------------------------------------------------


def test_the_code_is_in_blacks_style(made: Any) -> None:
    import black

    mode = black.Mode(line_length=120, target_versions={black.TargetVersion.PY311})
    modules = [path for path in made.files if re.search("/(client|streams|fold|webhooks|_operations)[.]py$", path)]
    support = ("calls", "failures", "folding", "frames", "operations", "parameters", "places", "signing", "streaming")
    committed = (GENERATED / "gemini_interactions_bindings" / "_support" / f"{name}.py" for name in support)
    assert len(modules) == 3
    for source in (*(made.files[path].decode() for path in modules), *(path.read_text("utf-8") for path in committed)):
        assert black.format_str(source, mode=mode) == source


@pytest.mark.slow
def test_the_code_passes_strict_checkers(made: Any, tmp_path: Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text(
        json.dumps({"typeCheckingMode": "strict", "reportMissingModuleSource": False})
    )
    for path, content in made.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "program.py").write_text(f"""
from typing import assert_type

from {made.name} import models, streams
from {made.name}.client import AsyncClient, AsyncPager, AsyncStream, Client, NotFound, Pager, Stream


def plain(client: Client) -> None:
    assert_type(client.get_thing("x"), models.Thing)
    assert_type(client.list_things_items(limit=1), Pager[models.Thing])
    assert_type(client.delete_thing("x"), None)
    with client.start_run_stream(models.Run(what="w")) as events:
        assert_type(events, Stream[models.News])
        for event in events:
            assert_type(event, models.News)
    for event in streams.News.read([b""]):
        assert_type(event, models.News)
    try:
        client.with_options(check=False).put_thing("x")
    except NotFound as error:
        assert_type(error.status, int)


async def waiting(client: AsyncClient) -> None:
    assert_type(await client.get_thing("x"), models.Thing)
    assert_type(client.list_things_items(), AsyncPager[models.Thing])
    async with client.feed_stream() as events:
        assert_type(events, AsyncStream[models.News])
    await client.get_thing(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    await client.get_thing()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
""")
    for command in (["mypy", "--strict"], ["pyright", "-p", ".", "--pythonpath", sys.executable]):
        ran = subprocess.run(
            [sys.executable, "-m", *command, *([made.name, "program.py"] if command[0] == "mypy" else [])],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stdout


def test_codecs_do_without_what_clients_need(monkeypatch: pytest.MonkeyPatch) -> None:
    from codegen import memory

    monkeypatch.setitem(sys.modules, "httpx", None)  # as where it is not installed
    monkeypatch.setattr(memory, "_shared", [])
    codecs = codegen.codecs(CONTRACT, options={"parts": ["models", "client"]})
    assert codecs["Thing"].from_dict({"id": "a", "name": "b"}).name == "b"
