"""Streams of generated clients from a server here that cuts, delays and fails; the same without and with ``async``."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from tests.client_server import frames, says, streams
from tests.client_world import World, each, made, server, settled, world

OPENED, CLOSED = {"kind": "opened", "run": "r/1"}, {"kind": "closed"}


def told(text: str) -> dict[str, str]:
    return {"kind": "told", "text": text}


def dicts(world: World, events: list[Any]) -> list[Any]:
    return [world.made.codecs.News.to_dict(event) for event in events]


def read(world: World, method: str, *args: Any, settings: dict[str, Any] | None = None, **given: Any) -> list[Any]:
    """The events of one stream; what was read before a failure is in its last argument."""
    seen: list[Any] = []

    async def scenario(client: Any) -> None:
        stream = getattr(client, method)(*args, **given)
        if world.kind == "async":
            async with stream:
                await each(stream, seen)
        else:
            with stream:
                await each(stream, seen)

    try:
        world(scenario, **(settings or {}))
    except Exception as error:
        error.args = (*error.args, dicts(world, seen))
        raise
    return dicts(world, seen)


def run(world: World) -> Any:
    return world.models.Run(what="w", live=False)


# --- asking -----------------------------------------------------------------------------------------------------------


def test_the_body_asks_for_a_stream(world: World) -> None:
    world.server.script(streams(frames(OPENED, told("a"), CLOSED)))
    assert read(world, "start_run_stream", run(world)) == [OPENED, told("a"), CLOSED]
    assert world.last.document == {"what": "w", "live": True}
    assert world.last.headers["accept"] == "text/event-stream"
    world.server.script(says({"what": "w"}))
    assert world.call("start_run", world.models.Run(what="w", live=True)) == world.models.Run(what="w")
    assert world.last.document == {"what": "w"} and world.last.headers["accept"] == "application/json"


def test_the_query_asks_for_a_stream(world: World) -> None:
    world.server.script(streams(frames(CLOSED)))
    assert read(world, "watch_run_stream", "r", x_since="7") == [CLOSED]
    assert world.last.path == "/runs/r?live=true" and world.last.headers["x-since"] == "7"
    world.server.script(says({"what": "w"}))
    world.call("watch_run", "r")
    assert world.last.path == "/runs/r"


def test_an_operation_that_always_streams(world: World) -> None:
    world.server.script(streams(frames(CLOSED)))
    assert read(world, "feed_stream", topic="t") == [CLOSED]
    assert world.last.path == "/feed?topic=t"
    assert not hasattr(world.made.client.Client, "feed")


def test_nothing_is_sent_before_the_stream_is_read(world: World) -> None:
    world.server.script(streams(frames(CLOSED)))

    async def scenario(client: Any) -> None:
        stream = client.feed_stream()
        assert world.server.requests == []
        assert len(await each(stream)) == 1  # without "with"
        assert len(world.server.requests) == 1

    world(scenario)


# --- refusals and failures --------------------------------------------------------------------------------------------


def test_a_refusal_instead_of_a_stream(world: World) -> None:
    world.server.script(says({"code": 5, "message": "no"}, 404))
    with pytest.raises(world.errors.StatusError):
        read(world, "feed_stream")


def test_something_else_instead_of_a_stream(world: World) -> None:
    world.server.script(says({"what": "w"}))
    with pytest.raises(world.errors.ResponseError, match="the body is application/json, no text/event-stream"):
        read(world, "feed_stream")


def test_opening_is_tried_again(world: World) -> None:
    world.server.script(says(status=503), says(status=429), streams(frames(CLOSED)))
    assert read(world, "feed_stream") == [CLOSED]
    world.server.script(says(status=503), streams(frames(CLOSED)))
    with pytest.raises(world.errors.ServerError):
        read(world, "start_run_stream", run(world))


@pytest.mark.parametrize("then", ["end", "cut", "reset"])
def test_a_stream_that_breaks_off_is_incomplete(world: World, then: str) -> None:
    world.server.script(streams(frames(OPENED), b"id: 4\n" + frames(told("a")), frames(CLOSED)[:-6], then=then))
    with pytest.raises(world.made.streams.StreamIncomplete) as raised:
        read(world, "feed_stream")
    assert raised.value.args[-1] == [OPENED, told("a")] and raised.value.last_event_id == "4"
    if then != "end":
        assert isinstance(raised.value.__cause__, world.errors.ConnectionFailed)


@pytest.mark.parametrize("then", ["end", "cut", "reset"])
def test_a_complete_stream_may_break_off(world: World, then: str) -> None:
    world.server.script(streams(frames(OPENED, CLOSED), then=then))
    assert read(world, "feed_stream") == [OPENED, CLOSED]


def test_silence_is_not_waited_for(world: World) -> None:
    slow = streams(frames(OPENED), frames(CLOSED), pause=6)
    world.server.script(slow)
    begun = time.monotonic()
    with pytest.raises(world.made.streams.StreamIncomplete, match=r"nothing came for 0\.3 s") as raised:
        read(world, "feed_stream", settings={"timeouts": world.errors.Timeouts(idle=0.3)})
    assert time.monotonic() - begun < 5
    assert raised.value.args[-1] == [OPENED] and isinstance(raised.value.__cause__, world.errors.TimedOut)


def test_a_slow_stream_may_take_longer_than_a_call(world: World) -> None:
    pieces = [bytes([byte]) for byte in frames(CLOSED)]
    world.server.script(streams(*pieces, pause=0.06))
    begun = time.monotonic()
    assert read(world, "feed_stream", settings={"timeouts": world.errors.Timeouts(total=1, idle=1)}) == [CLOSED]
    assert time.monotonic() - begun > 1


def test_a_large_event(world: World) -> None:
    whole = frames(told("é" * 5_000_000), CLOSED)
    world.server.script(streams(*(whole[at : at + 16_384] for at in range(0, len(whole), 16_384))))
    begun = time.process_time()
    first, last = read(world, "feed_stream")
    assert len(first["text"]) == 5_000_000 and last == CLOSED
    assert time.process_time() - begun < 20  # quadratic time would be minutes


def test_a_compressed_stream(world: World) -> None:
    import zlib

    packer = zlib.compressobj(wbits=31)
    pieces = [
        packer.compress(frames(OPENED)) + packer.flush(zlib.Z_SYNC_FLUSH),
        packer.compress(frames(CLOSED)) + packer.flush(),
    ]

    def answer(handler: Any) -> None:
        handler.start(200, content_type="text/event-stream", content_encoding="gzip", transfer_encoding="chunked")
        for piece in pieces:
            handler.piece(piece)
        handler.wfile.write(b"0\r\n\r\n")

    world.server.script(answer)
    assert read(world, "feed_stream") == [OPENED, CLOSED]


# --- leaving ----------------------------------------------------------------------------------------------------------


def test_leaving_closes_the_connection(world: World) -> None:
    world.server.script(streams(frames(OPENED), then="wait"))

    async def scenario(client: Any) -> None:
        if world.kind == "async":
            async with client.feed_stream() as stream:
                await anext(stream)
        else:
            with client.feed_stream() as stream:
                next(stream)
        assert await asyncio.to_thread(world.server.gone.wait, 3)

    world(scenario)


def test_cancelling_closes_the_connection(world: World) -> None:
    if world.kind == "sync":
        pytest.skip("nothing is cancelled without async")
    world.server.script(streams(frames(OPENED), then="wait"))

    async def scenario(client: Any) -> None:
        begun = asyncio.Event()

        async def consume() -> None:
            async for _ in client.feed_stream():
                begun.set()

        task = asyncio.create_task(consume())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(world.server.gone.wait, 3)

    world(scenario)


# --- going on ---------------------------------------------------------------------------------------------------------


def resumed(world: World, method: str, *args: Any, **given: Any) -> tuple[list[Any], list[Any]]:
    """The events of a stream that breaks off, and those of the stream that goes on."""
    first: list[Any] = []
    second: list[Any] = []

    async def scenario(client: Any) -> None:
        stream = getattr(client, method)(*args, **given)
        with pytest.raises(world.made.streams.StreamIncomplete):
            await each(stream, first)
        await each(stream.resume(), second)

    world(scenario)
    return dicts(world, first), dicts(world, second)


def test_a_stream_goes_on_by_another_operation(world: World) -> None:
    world.server.script(
        streams(b"id: 1\n" + frames(OPENED), b"id: 2\n" + frames(told("a")), then="reset"),
        streams(b"id: 3\n" + frames(told("b")), frames(CLOSED)),
    )
    assert resumed(world, "start_run_stream", run(world)) == ([OPENED, told("a")], [told("b"), CLOSED])
    assert (world.last.method, world.last.path) == ("GET", "/runs/r%2F1?live=true")
    assert world.last.headers["x-since"] == "2"


def test_a_stream_goes_on_by_its_own_operation_again_and_again(world: World) -> None:
    world.server.script(
        streams(b"id: 1\n" + frames(told("a"))),
        streams(b"id: 2\n" + frames(told("b"))),
        says(status=503),
        streams(frames(CLOSED)),
    )
    seen: list[Any] = []

    async def scenario(client: Any) -> None:
        stream = client.feed_stream(topic="t", since="0")
        while not stream.complete:
            try:
                await each(stream, seen)
            except world.made.streams.StreamIncomplete:
                stream = stream.resume()

    world(scenario)
    assert dicts(world, seen) == [told("a"), told("b"), CLOSED]
    assert [request.path for request in world.server.requests] == [
        "/feed?since=0&topic=t",
        "/feed?since=1&topic=t",
        "/feed?since=2&topic=t",
        "/feed?since=2&topic=t",
    ]


@pytest.mark.parametrize(
    ("method", "pieces", "why"),
    [
        ("feed_stream", frames(told("a")), "no event had an id"),
        ("start_run_stream", b"id: 1\n" + frames(told("a")), r"\$event#/run gives nothing for run"),
        ("watch_run_stream", b"id: 1\n" + frames(told("a")), "does not say how"),
    ],
)
def test_streams_that_cannot_go_on_say_so(world: World, method: str, pieces: bytes, why: str) -> None:
    world.server.script(streams(pieces))
    args = {"start_run_stream": [run(world)], "watch_run_stream": ["r"]}.get(method, [])
    with pytest.raises(world.made.streams.NotResumable, match=why):
        resumed(world, method, *args)
    assert len(world.server.requests) == 1


def test_a_stream_without_any_event_is_asked_for_again(world: World) -> None:
    world.server.script(streams(b": hello\n\n"), streams(frames(CLOSED)))
    assert resumed(world, "feed_stream", since="5") == ([], [CLOSED])
    assert world.last.path == "/feed?since=5"


# --- a contract of this repository ------------------------------------------------------------------------------------


def test_interactions(tmp_path_factory: pytest.TempPathFactory, server: Any) -> None:
    from tests.python_package import Package
    from tests.test_fold import FOLDER, OUTCOME, stream

    made = Package(
        FOLDER / "openapi.yaml",
        tmp_path_factory.mktemp("interactions"),
        parts=["models", "client"],
        unknown="keep",
        open_world=True,
        overlay=str(FOLDER / "overlay.yaml"),
    )
    documents = [{**document, "event_id": f"e{i}"} for i, document in enumerate(stream())]
    request = made.models.CreateInteractionRequest(model="m", input="Hi")

    async def scenario(client: Any) -> None:
        server.script(
            streams(frames(*documents[:8]), then="reset"),
            streams(frames(*documents[8:], "[DONE]")),
        )
        folding = made.fold.InteractionSseEvent.start()
        events = client.create_interaction_stream(request)
        while not events.complete:
            try:
                for event in await each(events):
                    folding.add(event)
            except made.streams.StreamIncomplete as error:
                for document in documents[:8]:
                    folding.add(document)
                assert error.last_event_id == "e7"
                events = events.resume()
        assert folding.result().to_dict() == OUTCOME
        first, second = server.requests
        assert (first.method, first.path) == ("POST", "/v1beta/interactions")
        assert first.document == {"model": "m", "input": "Hi", "stream": True}
        assert second.path == "/v1beta/interactions/v1_a?last_event_id=e7&stream=true"
        assert second.headers["x-goog-api-key"] == "k"

        error = {"error": {"code": "deadline_exceeded", "message": ""}}
        for piece in (frames({"event_type": "error", **error}), json.dumps(error).encode() + b"\n"):
            server.script(streams(frames(documents[0]), piece))
            seen = await each(client.create_interaction_stream(request))
            assert seen[-1].error.code == "deadline_exceeded"
            with pytest.raises(made.streams.StreamFailed, match="deadline_exceeded"):
                await each(client.create_interaction_stream(request, raise_errors=True))

        server.script(says(error, 403))
        with pytest.raises(made.client.Forbidden, match="403 deadline_exceeded"):
            await each(client.create_interaction_stream(request))

        server.script(says({"webhooks": [{"id": "1"}], "next_page_token": "n"}), says({"webhooks": [{"id": "2"}]}))
        assert [webhook.id for webhook in await each(client.list_webhooks_items(page_size=1))] == ["1", "2"]
        server.script(says(b""))
        await settled(client.ping_webhook("a b", made.models.PingWebhookRequest()))
        assert server.requests[-1].path == "/v1beta/webhooks/a%20b:ping" and server.requests[-1].document == {}

    async def both() -> None:
        with made.client.Client(api_key="k", base_url=f"{server.url}/v1beta") as client:
            await scenario(client)
        async with made.client.AsyncClient(api_key="k", base_url=f"{server.url}/v1beta") as client:
            await scenario(client)

    asyncio.run(both())
