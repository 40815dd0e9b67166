"""Generated clients against a server on this machine that misbehaves: the same scenarios without and with ``async``."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import time
from email.utils import formatdate
from typing import Any

import httpx
import pytest

from tests.client_server import Server, breaks, closes, drips, frames, says, sleeps, streams
from tests.client_world import World, each, made, other, server, settled, world
from tests.python_package import Package

THING = {"id": "t", "name": "n"}


# --- requests ---------------------------------------------------------------------------------------------------------


def test_a_call(world: World) -> None:
    world.server.script(says(THING))
    assert world.call("get_thing", "t") == world.models.Thing(id="t", name="n")
    assert (world.last.method, world.last.path) == ("GET", "/things/t")
    assert world.last.headers["x-key"] == "k-secret" and world.last.headers["accept"] == "application/json"


@pytest.mark.parametrize(
    ("id", "spelled"),
    [("a/b", "a%2Fb"), ("a b", "a%20b"), ("ü?#", "%C3%BC%3F%23"), ("%41", "%2541"), (":x", "%3Ax"), ("...", "...")],
)
def test_parameters_in_paths_are_escaped(world: World, id: str, spelled: str) -> None:
    world.server.script(says({}))
    world.call("poke_thing", id)
    assert world.last.path == f"/things/{spelled}:poke"


@pytest.mark.parametrize(("id", "what"), [("", "id is empty"), (".", "another path"), ("..", "another path")])
def test_what_would_make_another_path_is_refused_before_it_is_sent(world: World, id: str, what: str) -> None:
    world.server.script(says(THING))
    with pytest.raises(ValueError, match=what):
        world.call("get_thing", id)
    assert world.server.requests == []


def test_styles(world: World) -> None:
    world.server.script(says({}))
    point = world.models.Point(x=1.5, y=2)
    world.call("styles", ["a", "b,c"], point, point, [1, 2])
    assert world.last.path == "/styles/.a,b%2Cc/;x=1.5;y=2/x=1.5,y=2/1,2"
    with pytest.raises(ValueError, match="many is empty"):
        world.call("styles", ["a"], point, point, [])
    with pytest.raises(ValueError, match="matrix is empty"):
        world.call("styles", ["a"], world.models.Point(), point, [1])


def test_query_header_and_cookie(world: World) -> None:
    world.server.script(says({}))
    point = world.models.Point(x=1, y=2)
    world.call(
        "list_things",
        limit=5,
        tags=["a", "b&c"],
        sort=["x", "-y"],
        near=point,
        x_trace=["u", "v"],
        seen=3,
        from_="a/b?c&d",
        filter=point,
    )
    assert world.last.path == (
        "/things?limit=5&tags=a&tags=b%26c&sort=x%7C-y&near%5Bx%5D=1&near%5By%5D=2&from=a/b?c%26d"
        "&filter=%7B%22x%22%3A1%2C%22y%22%3A2%7D"
    )
    assert world.last.headers["x-trace"] == "u,v" and world.last.headers["cookie"] == "seen=3"
    world.call("list_things", tags=[])
    assert world.last.path == "/things" and "cookie" not in world.last.headers


def test_what_has_no_spelling_is_refused_before_it_is_sent(world: World) -> None:
    world.server.script(says({}))
    error = world.made.module.EncodeError
    for given in (
        {"x_trace": ["a\r\nX-Key: b"]},
        {"x_trace": ["Zoë"]},
        {"x_trace": [" a"]},
        {"tags": [["a"]]},
        {"after": b"a"},
        {"limit": float("nan")},
        {"after": "\ud800"},
    ):
        with pytest.raises(error):
            world.call("list_things", **given)
    assert world.server.requests == []


def test_what_is_read_only_is_not_sent_at_any_depth(world: World) -> None:
    world.server.script(says(THING))
    models = world.models
    part = models.Part(
        made="now", size=1, extra={"more": models.Thing(id="3", name="c", parts=[models.Part(made="then")])}
    )
    thing = models.Thing(id="1", name="a", parts=[part], twin=models.Thing(id="2", name="b"), extra={"id2": "kept"})
    world.call("create_thing", thing)
    assert world.last.document == {
        "name": "a",
        "parts": [{"size": 1, "more": {"name": "c", "parts": [{}]}}],
        "twin": {"name": "b"},
        "id2": "kept",
    }
    assert thing.twin.id == "2" and part.made == "now"
    assert world.last.headers["content-type"] == "application/json"


def test_a_body_that_the_contract_does_not_accept_is_not_sent(world: World) -> None:
    world.server.script(says(THING))
    bad = world.models.Thing(id="1", name="")
    with pytest.raises(world.made.module.EncodeError, match="/name"):
        world.call("create_thing", bad)
    assert world.server.requests == []
    world.call("create_thing", bad, settings={"check": False})
    assert world.last.document == {"name": ""}


def test_a_body_may_be_absent_where_it_is_optional(world: World) -> None:
    world.server.script(says(THING))
    world.call("put_thing", "t")
    assert world.last.body == b"" and "content-type" not in world.last.headers


def test_bodies_without_a_definition(world: World) -> None:
    world.server.script(says([THING]), says(7), says([THING] * 3))
    assert world.call("all_things") == [world.models.Thing(id="t", name="n")]
    assert world.call("put_counts", {"a": 1}) == 7 and world.last.document == {"a": 1}
    with pytest.raises(world.errors.ResponseError, match="all_things, response 200") as raised:
        world.call("all_things")
    assert isinstance(raised.value.__cause__, world.made.module.DecodeError) and raised.value.status == 200
    with pytest.raises(world.made.module.EncodeError):
        world.call("put_counts", {"a": "x"})


def test_text_and_bytes(world: World) -> None:
    world.server.script(says("é".encode("latin-1"), content_type="text/plain; charset=latin-1"))
    assert world.call("get_text", settings={"asked": "q"}) == "é"
    world.server.script(says(b"\x00\xff", content_type="application/octet-stream"))
    assert world.call("get_bytes") == b"\x00\xff"
    world.server.script(says(status=204))
    assert world.call("put_text", "é") is None
    assert world.last.body == "é".encode() and world.last.headers["content-type"] == "text/plain"
    assert world.call("put_bytes", b"\x00") is None
    assert world.last.body == b"\x00"
    for method, wrong in (("put_text", b""), ("put_bytes", "")):
        with pytest.raises(world.made.module.EncodeError):
            world.call(method, wrong)


def test_forms(world: World) -> None:
    world.server.script(says({}))
    world.call("send_form", world.models.Form(a="x y&", b=["1", "2"], c=True))
    assert world.last.body == b"a=x%20y%26&b=1&b=2&c=true"
    assert world.last.headers["content-type"] == "application/x-www-form-urlencoded"


def test_an_object_without_members_may_be_missing(world: World) -> None:
    world.server.script(says(b""))
    assert world.call("poke_thing", "t") == world.models.Nothing()
    with pytest.raises(world.errors.ResponseError):
        world.call("get_thing", "t")
    world.server.script(says(status=204))
    assert world.call("delete_thing", "t") is None


def test_settings(world: World) -> None:
    world.server.script(says({}))
    world.call("list_things", settings={"headers": {"X-More": "m"}, "base_url": f"{world.server.url}/v9/"})
    assert world.last.path == "/v9/things" and world.last.headers["x-more"] == "m"

    async def scenario(client: Any) -> None:
        other = client.with_options(headers={"X-Two": "2"}, check=False)
        await settled(other.list_things())
        assert (world.last.headers["x-more"], world.last.headers["x-two"]) == ("m", "2")
        await settled(client.list_things())
        assert "x-two" not in world.last.headers

    world(scenario, headers={"X-More": "m"})


def test_headers_are_the_same_in_any_case(world: World) -> None:
    seen = []

    def transport(request: httpx.Request) -> httpx.Response:
        seen.append((request.headers.get_list("accept"), request.headers.get_list("x-more")))
        return httpx.Response(200, json={})

    async def scenario(client: Any) -> None:
        await settled(client.list_things())
        await settled(client.with_options(headers={"x-more": "n"}).list_things())

    world(scenario, headers={"accept": "x/y", "X-MORE": "m"}, transport=httpx.MockTransport(transport))
    assert seen == [(["x/y"], ["m"]), (["x/y"], ["n"])]


@pytest.mark.parametrize(
    "headers", [{"X-A": "a\nb"}, {"X-A": "ë"}, {"X-A": "a "}, {"X A": "a"}, {"X:A": "a"}, {"": "a"}]
)
def test_headers_that_are_none_are_refused(made: Package, headers: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="header"):
        made.client.Client(key="k", base_url="http://localhost", headers=headers)
    with made.client.Client(key="k", base_url="http://localhost") as client, pytest.raises(ValueError, match="header"):
        client.with_options(headers=headers)


@pytest.mark.parametrize(
    "url",
    ["", "/v1", "example.org", "ftp:x", "ftp://x", "http:///v1", "http://x:123456", "http://x?a=b", "http://x/#a"],
)
def test_an_address_that_is_none_is_refused(made: Package, url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        made.client.Client(base_url=url, key="k")


def test_the_address_of_the_contract(made: Package) -> None:
    seen = []

    def transport(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        return httpx.Response(200, json={})

    for edition in ("two", "one"):
        with made.client.Client(key="k", edition=edition, transport=httpx.MockTransport(transport)) as client:
            client.list_things()
    assert seen == ["http://127.0.0.1:1/two/things", "http://127.0.0.1:1/one/things"]


# --- who is calling ---------------------------------------------------------------------------------------------------


def test_each_way_to_show_who_is_calling(world: World) -> None:
    world.server.script(says(7))
    basic = "Basic " + base64.b64encode("Zoë:p:w".encode()).decode()
    world.call("put_counts", {}, settings={"person": ("Zoë", "p:w"), "token": "t"})
    assert world.last.headers["authorization"] == basic
    world.call("put_counts", {}, settings={"token": "t"})
    assert world.last.headers["authorization"] == "Bearer t"
    world.call("put_counts", {})
    assert world.last.headers["x-key"] == "k-secret" and "authorization" not in world.last.headers
    tokens = iter("ab")
    world.call("put_counts", {}, settings={"token": lambda: next(tokens)})
    assert world.last.headers["authorization"] == "Bearer a"
    world.server.script(says(b"x", content_type="text/plain"))
    world.call("get_text", settings={"asked": "a b&c"})
    assert world.last.path == "/text?key=a%20b%26c"
    world.server.script(says(status=204))
    world.call("put_text", "", settings={"baked": "s"})
    assert world.last.headers["cookie"] == "session=s"
    world.call("put_text", "")
    assert "cookie" not in world.last.headers


def test_calls_without_what_they_need_are_not_sent(world: World) -> None:
    world.server.script(says(b"x"))
    with pytest.raises(ValueError, match="get_text needs asked, which the client was not given"):
        world.call("get_text")
    with pytest.raises(ValueError, match="put_counts needs person or token or key"):
        world.call("put_counts", {}, settings={"key": None})
    assert world.server.requests == []


def test_secrets_are_not_shown(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    world.server.script(says({"code": 1}, 403), says(status=503), breaks)
    secrets = {
        "key": "k-secret",
        "asked": "q-secret",
        "token": "t-secret",
        "person": ("me", "p-secret"),
        "baked": "b-secret",
    }
    texts = []

    async def scenario(client: Any) -> None:
        texts.append(repr(client) + repr(client._settings) + repr(vars(client)))
        for method in ("get_text", "get_text", "get_thing", "put_counts"):
            try:
                await settled(getattr(client, method)(*({"get_thing": ["x"], "put_counts": [{}]}.get(method, []))))
            except Exception as error:
                texts.append(f"{error!r} {error} {error.__cause__!r} {vars(error)}")

    world(scenario, **secrets)
    assert len(texts) == 5
    records = [record.getMessage() for record in caplog.records]
    assert any(record.startswith(f"GET {world.server.url}/text: 403") for record in records)
    assert any("HTTP Request" in record for record in records), "httpx logs addresses"
    assert "secret" not in "\n".join([*texts, *records])
    assert "key='***'" in texts[0]


@pytest.mark.parametrize("key", ["k-secret\n", "k-secret\r\nX-Evil: 1", "k-secrét", " k-secret", None, b"k-secret"])
def test_a_secret_that_cannot_be_sent_is_neither_sent_nor_shown(
    world: World, caplog: pytest.LogCaptureFixture, key: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    world.server.script(says(THING))
    for scheme, settings in (("key", {"key": lambda: key}), ("token", {"token": lambda: key})):
        with pytest.raises(ValueError, match=scheme) as caught:
            world.call(*(("get_thing", "t") if scheme == "key" else ("put_counts", {})), settings=settings)
        error = caught.value
        assert "secr" not in f"{error} {error!r} {error.__cause__!r} {error.__context__!r}"
    assert world.server.requests == [] and "secr" not in caplog.text


def test_an_address_with_a_password_is_refused_and_not_shown(made: Package) -> None:
    for scheme in ("https", "ftp"):
        with pytest.raises(ValueError, match="base_url holds a name or a password") as caught:
            made.client.Client(key="k", base_url=f"{scheme}://me:secret@example.org/")
        assert "secret" not in str(caught.value)


def test_an_address_that_is_too_long_is_not_called(world: World) -> None:
    world.server.script(says(THING))
    with pytest.raises(ValueError, match="get_thing cannot be called"):
        world.call("get_thing", "a" * 70_000)
    assert world.server.requests == []


@pytest.mark.parametrize("location", ["mailto:a", "http://[bad", "http://x:123456/", "/" + "a" * 70_000])
def test_redirects_to_what_is_no_address(world: World, location: str) -> None:
    world.server.script(says(status=302, location=location))
    with pytest.raises(world.errors.ClientError):
        world.call("get_thing", "t")


@pytest.mark.parametrize("charset", ["nonesuch", "base64", "idna"])
def test_a_text_in_a_charset_that_is_none(world: World, charset: str) -> None:
    world.server.script(says("Zoë".encode(), content_type=f"text/plain; charset={charset}"))
    assert world.call("get_text", settings={"asked": "q"}) == "Zoë"


def test_another_host_is_not_told_who_is_calling(world: World, other: Server) -> None:
    other.script(says(THING))
    world.server.script(says(status=302, location=f"{other.url}/moved?x=1"))
    headers = {"Authorization": "Bearer mine", "X-Other": "private", "Cookie": "c=1"}
    assert world.call("get_thing", "t", settings={"headers": headers}).id == "t"
    (moved,) = other.requests
    assert moved.path == "/moved?x=1"
    assert not {"x-key", "authorization", "x-other", "cookie"} & set(moved.headers)
    other.script(says(b"x", content_type="text/plain"))
    assert world.call("get_text", settings={"asked": "q"}) == "x"
    assert other.requests[0].path == "/moved?x=1"


def test_another_host_on_the_way_back_is_not_told_either(world: World, other: Server) -> None:
    other.script(says(status=307, location=f"{world.server.url}/again"))
    world.server.script(says(status=302, location=f"{other.url}/"), says(THING))
    world.call("get_thing", "t")
    assert "x-key" in world.server.requests[0].headers and "x-key" not in world.server.requests[1].headers


def test_redirects(world: World) -> None:
    world.server.script(says(status=308, location="/elsewhere"), says(THING))
    world.call("get_thing", "t")
    assert [request.path for request in world.server.requests] == ["/things/t", "/elsewhere"]
    assert world.last.headers["x-key"] == "k-secret"
    world.server.script(says(status=302, location="/round"))
    with pytest.raises(world.errors.StatusError, match="302 to /round"):
        world.call("get_thing", "t")
    assert len(world.server.requests) == 6
    world.server.script(says(status=307, location="/elsewhere"), says(THING))
    with pytest.raises(world.errors.StatusError, match="307 to /elsewhere"):
        world.call("create_thing", world.models.Thing(id="1", name="a"))
    assert len(world.server.requests) == 1
    world.server.script(says(status=302, location="file:///etc/passwd"))
    with pytest.raises(world.errors.StatusError):
        world.call("get_thing", "t")


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (400, "BadRequest"),
        (401, "Unauthorized"),
        (403, "Forbidden"),
        (409, "Conflict"),
        (418, "StatusError"),
        (422, "Unprocessable"),
        (429, "TooManyRequests"),
    ],
)
def test_refusals(world: World, status: int, name: str) -> None:
    refusal = {"problem": {"reason": "no", "detail": "not so"}, "more": 1}
    world.server.script(says(refusal, status, x_id="7"))
    with pytest.raises(world.errors.ClientError) as raised:
        world.call("get_thing", "t", settings={"retries": world.errors.Retries(limit=0)})
    error = raised.value
    assert type(error).__name__ == name and isinstance(error, world.errors.StatusError)
    assert (error.status, error.code, error.message, error.headers["x-id"]) == (status, "no", "not so", "7")
    assert error.document == world.models.Refusal.from_dict(refusal)
    assert str(error) == f"GET {world.server.url}/things/t: {status} no: not so"


def test_each_status_has_its_own_document(world: World) -> None:
    world.server.script(says({"code": 12, "message": "gone"}, 404))
    with pytest.raises(world.errors.NotFound) as raised:
        world.call("get_thing", "t")
    assert (raised.value.code, raised.value.message) == (12, "gone")
    assert type(raised.value.document).__name__ == "Gone"


@pytest.mark.parametrize("body", [b"<html>", b"", b'{"problem": 1}', b"[1]", b"\xff"])
def test_refusals_that_say_something_else(world: World, body: bytes) -> None:
    world.server.script(says(body, 400))
    with pytest.raises(world.errors.BadRequest) as raised:
        world.call("get_thing", "t")
    assert (raised.value.code, raised.value.body) == (None, body)
    assert raised.value.document == (json.loads(body) if body[:1] in (b"{", b"[") else None)


def test_a_response_that_the_contract_does_not_describe(world: World) -> None:
    world.server.script(says(THING, 201), says(b"{"), says({"id": 1}))
    for reason in ("does not describe", "invalid-json", "/id"):
        with pytest.raises(world.errors.ResponseError, match=reason):
            world.call("get_thing", "t")


def test_findings(world: World) -> None:
    findings: list[Any] = []
    world.server.script(streams(frames({"kind": "sung"}, {"kind": "closed"})))

    async def scenario(client: Any) -> list[Any]:
        return await each(client.feed_stream())

    assert len(world(scenario, unknown="strip", findings=findings)) == 1
    assert [finding.code for finding in findings] == ["unknown-tag"]


# --- trying again -----------------------------------------------------------------------------------------------------


def test_a_pause_that_the_server_asks_for_is_kept(world: World) -> None:
    world.server.script(says(status=429, retry_after=1), says(THING))
    begun = time.monotonic()
    assert world.call("create_thing", world.models.Thing(id="1", name="a")).id == "t"
    assert 1.0 <= time.monotonic() - begun < 10.0 and len(world.server.requests) == 2
    world.server.script(says(status=503, retry_after=formatdate(time.time() + 2, usegmt=True)), says(THING))
    begun = time.monotonic()
    world.call("get_thing", "t")
    assert 0.5 < time.monotonic() - begun < 20.0


def test_a_pause_that_is_too_long_is_not_kept(world: World) -> None:
    world.server.script(says(status=429, retry_after=3600), says(THING))
    with pytest.raises(world.errors.TooManyRequests):
        world.call("get_thing", "t")
    assert len(world.server.requests) == 1


@pytest.mark.parametrize("answer", [says(status=503), says(status=500), says(status=408), breaks, closes])
def test_reading_is_tried_again(world: World, answer: Any) -> None:
    world.server.script(answer, answer, says(THING))
    assert world.call("get_thing", "t").id == "t"
    assert len(world.server.requests) == 3
    world.server.script(answer)
    with pytest.raises(world.errors.ClientError):
        world.call("get_thing", "t")
    assert len(world.server.requests) == 4


def test_a_body_that_breaks_off_is_tried_again(world: World) -> None:
    world.server.script(streams(b'{"id"', then="cut", kind="application/json"), says(THING))
    assert world.call("get_thing", "t").id == "t"


@pytest.mark.parametrize("answer", [says(status=503), says(status=500), breaks, closes])
def test_what_may_have_had_an_effect_is_not_tried_again(world: World, answer: Any) -> None:
    world.server.script(answer, says(THING))
    with pytest.raises(world.errors.ClientError):
        world.call("create_thing", world.models.Thing(id="1", name="a"))
    assert len(world.server.requests) == 1


def test_what_certainly_had_no_effect_is_tried_again(world: World) -> None:
    thing = world.models.Thing(id="1", name="a")
    for answer in (says(status=429), says(status=503, retry_after=0)):
        world.server.script(answer, says(THING))
        assert world.call("create_thing", thing).id == "t"
        assert len(world.server.requests) == 2
    with Server() as gone:
        address = gone.url
    with pytest.raises(world.errors.ConnectionFailed) as raised:
        world.call("create_thing", thing, settings={"base_url": address})
    assert not raised.value.sent and isinstance(raised.value, ConnectionError)


def test_statuses_that_another_try_cannot_change(world: World) -> None:
    world.server.script(says(status=501))
    with pytest.raises(world.errors.ServerError):
        world.call("get_thing", "t")
    assert len(world.server.requests) == 1


def test_pauses_grow_and_differ(made: Package) -> None:
    retries = made.client.Retries(first=1, longest=8)
    pauses = [[retries.pause(tries) for _ in range(200)] for tries in (1, 2, 3, 4, 5)]
    for found, most in zip(pauses, (1, 2, 4, 8, 8), strict=True):
        assert most / 2 <= min(found) < max(found) <= most and len(set(found)) > 100


# --- time -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [sleeps(9), drips(0.05, 180), streams(b" ", then="wait", kind="application/json")])
def test_a_call_takes_no_longer_than_it_may(world: World, answer: Any) -> None:
    world.server.script(answer)
    begun = time.monotonic()
    with pytest.raises(world.errors.TimedOut):
        world.call("get_thing", "t", settings={"timeouts": world.errors.Timeouts(total=0.4)})
    assert 0.3 < time.monotonic() - begun < 3.5  # the shortest of the answers takes four seconds


def test_tries_and_pauses_count(world: World) -> None:
    world.server.script(says(status=503))
    retries = world.errors.Retries(limit=1000, first=0.1, longest=0.1)
    begun = time.monotonic()
    with pytest.raises(world.errors.ServerError):
        world.call("get_thing", "t", settings={"retries": retries, "timeouts": world.errors.Timeouts(total=0.5)})
    assert time.monotonic() - begun < 20 and 1 < len(world.server.requests) < 12


def test_no_time_limit(world: World) -> None:
    world.server.script(sleeps(0.2))
    world.call("poke_thing", "t", settings={"timeouts": world.errors.Timeouts(connect=None, total=None)})


# --- pages ------------------------------------------------------------------------------------------------------------


def page(*ids: str, next: Any = "", items: bool = True) -> Any:
    found = {"items": [{"id": id, "name": "n"} for id in ids]} if items else {}
    return says({"found": found} | ({"next": next} if next != "" else {}))


def test_all_pages(world: World) -> None:
    world.server.script(page("a", "b", next="2"), page(next="3"), page(items=False, next="4"), page("c"))

    async def scenario(client: Any) -> list[str]:
        return [item.id for item in await each(client.list_things_items(limit=2, tags=["x"]))]

    assert world(scenario) == ["a", "b", "c"]
    assert [request.path for request in world.server.requests] == [
        "/things?limit=2&tags=x",
        "/things?limit=2&after=2&tags=x",
        "/things?limit=2&after=3&tags=x",
        "/things?limit=2&after=4&tags=x",
    ]


@pytest.mark.parametrize("last", [says({}), says({"next": None}), says({"next": ""}), says({"next": "2"})])
def test_the_last_page(world: World, last: Any) -> None:
    world.server.script(page("a", next="2"), last, page("never"))

    async def scenario(client: Any) -> list[Any]:
        return await each(client.list_things_items())

    assert len(world(scenario)) == 1 and len(world.server.requests) == 2


def test_pages_in_a_circle_end(world: World) -> None:
    world.server.script(page("a", next="2"), page("b", next="3"), page("c", next="2"), page("never", next="3"))

    async def scenario(client: Any) -> list[Any]:
        return await each(client.list_things_items())

    assert len(world(scenario)) == 3


def test_pages_are_fetched_when_they_are_needed(world: World) -> None:
    world.server.script(page("a", next="2"), page("b"))

    async def scenario(client: Any) -> None:
        items = client.list_things_items(after="1")
        first = await anext(items) if world.kind == "async" else next(items)
        assert first.id == "a" and [request.path for request in world.server.requests] == ["/things?after=1"]
        pages = await each(client.list_things_items().pages())
        assert [type(one).__name__ for one in pages] == ["Page"]

    world(scenario)


# --- the package ------------------------------------------------------------------------------------------------------


def test_a_transport_of_ones_own_stands_in_for_the_network(made: Package) -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=THING)

    async def run() -> None:
        async with made.client.AsyncClient(key="k", transport=httpx.MockTransport(answer)) as client:
            await client.get_thing("x")

    with made.client.Client(key="k", transport=httpx.MockTransport(answer)) as client:
        client.get_thing("x")
    asyncio.run(run())
    assert [request.headers["x-key"] for request in seen] == ["k", "k"]


def test_only_the_client_imports_httpx(made: Package, tmp_path: Any) -> None:
    import subprocess
    import sys

    code = (
        f"import sys; sys.path.insert(0, {str(made.folder.parent)!r}); from {made.name} import codecs, models, streams;"
        " assert 'httpx' not in sys.modules and 'anyio' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert [path for path, text in made.files.items() if b"import httpx" in text] == [
        f"{made.name}/client.py",
        f"{made.name}/_support/calls.py",
    ]
