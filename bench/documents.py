"""A seed → documents of AG-UI 1.0 as agents send them: a run of 100 streamed events, and a snapshot of a conversation of 35 kB.

Must not read anything: the documents are made here, the same ones on every machine.
"""

from __future__ import annotations

import json
import random
from typing import Any

TEXT = (
    "the order left warehouse on Monday and should reach you by Thursday evening if customs release it a refund takes "
    "three working days because our bank settles in batches please check label photograph before writing to seller"
)
WORDS = TEXT.split()


def text(source: random.Random, words: int) -> str:
    """A sentence of so many words; one in ten has a letter beyond ASCII."""
    made = " ".join(source.choice(WORDS) for _ in range(words))
    return made + (" — naïve “quote”" if source.random() < 0.1 else "")


def identifier(source: random.Random, kind: str) -> str:
    """An identifier as protocols use them."""
    return f"{kind}_{source.getrandbits(96):024x}"


def stream(seed: int = 1) -> list[dict[str, Any]]:
    """One run in 100 events: two messages in pieces, two tool calls with their arguments in pieces, state, steps."""
    source = random.Random(seed)
    thread, run = identifier(source, "thread"), identifier(source, "run")
    clock = 1_769_508_000_000
    events: list[dict[str, Any]] = []

    def send(type_: str, **members: Any) -> None:
        nonlocal clock
        clock += source.randrange(5, 60)
        timed = {"timestamp": clock} if source.random() < 0.5 else {}
        events.append({"type": type_, **timed, **members})

    def message(pieces: int) -> None:
        name = identifier(source, "msg")
        send("TEXT_MESSAGE_START", messageId=name, role="assistant")
        for _ in range(pieces):
            send("TEXT_MESSAGE_CONTENT", messageId=name, delta=text(source, source.randrange(1, 5)) + " ")
        send("TEXT_MESSAGE_END", messageId=name)

    def call(pieces: int) -> None:
        name = identifier(source, "call")
        send("TOOL_CALL_START", toolCallId=name, toolCallName="find_parcel", parentMessageId=identifier(source, "msg"))
        for _ in range(pieces):
            send("TOOL_CALL_ARGS", toolCallId=name, delta=json.dumps({"q": text(source, 2)})[: source.randrange(4, 20)])
        send("TOOL_CALL_END", toolCallId=name)
        send(
            "TOOL_CALL_RESULT",
            messageId=identifier(source, "msg"),
            toolCallId=name,
            content=text(source, 12),
            role="tool",
        )

    send("RUN_STARTED", threadId=thread, runId=run, protocolVersion="1.0")
    send("STEP_STARTED", stepName="look up")
    message(34)
    call(8)
    call(8)
    send("STATE_DELTA", delta=[{"op": "replace", "path": "/parcel/status", "value": "in transit"}])
    send(
        "STATE_SNAPSHOT", snapshot={"parcel": {"status": "in transit", "hops": [1, 2, 3]}, "open": True, "weight": 1.25}
    )
    send("STEP_FINISHED", stepName="look up")
    send("STEP_STARTED", stepName="answer")
    message(30)
    send("CUSTOM", name="progress", value={"done": 3, "of": 4})
    send("STEP_FINISHED", stepName="answer")
    send("RUN_FINISHED", threadId=thread, runId=run, usage=[{"model": "small", "inputTokens": 812, "outputTokens": 96}])
    while len(events) < 100:
        events.insert(-1, {"type": "TEXT_MESSAGE_CHUNK", "messageId": "msg_last", "delta": text(source, 3)})
    assert len(events) == 100
    return events


def snapshot(seed: int = 2, size: int = 35_000) -> dict[str, Any]:
    """A conversation of ``size`` bytes: users, with pictures too, assistants with tool calls, and what the tools answer."""
    source = random.Random(seed)
    messages: list[dict[str, Any]] = [
        {"id": identifier(source, "msg"), "role": "system", "content": text(source, 60)},
    ]
    document = {"type": "MESSAGES_SNAPSHOT", "timestamp": 1_769_508_000_000, "messages": messages}
    while len(line(document)) < size:
        call = identifier(source, "call")
        content: Any = text(source, source.randrange(8, 40))
        if source.random() < 0.25:
            picture = {
                "type": "url",
                "value": f"https://files.example/{identifier(source, 'img')}",
                "mimeType": "image/png",
            }
            content = [{"type": "text", "text": content}, {"type": "image", "source": picture}]
        messages.append({"id": identifier(source, "msg"), "role": "user", "content": content})
        function = {"name": "find_parcel", "arguments": json.dumps({"number": identifier(source, "parcel")})}
        messages.append(
            {
                "id": identifier(source, "msg"),
                "role": "assistant",
                "content": text(source, source.randrange(20, 80)),
                "toolCalls": [{"id": call, "type": "function", "function": function}],
            }
        )
        messages.append(
            {"id": identifier(source, "msg"), "role": "tool", "content": text(source, 15), "toolCallId": call}
        )
    return document


def line(document: dict[str, Any]) -> bytes:
    """The document as it travels: compact, in UTF-8."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
