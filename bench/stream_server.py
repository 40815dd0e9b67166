"""A server on this machine that answers every request with one stream of server-sent events; its port is its first line.

Must not be clever: it serves all subjects the same bytes, in pieces that are cut anywhere, and its time counts for none.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PIECE = 4096


def events(count: int) -> list[dict[str, Any]]:
    """A run as a model reports it: ``count`` events, most of them a few words of text."""
    begin = {"event_type": "interaction.created", "interaction": {"id": "v1_a", "status": "in_progress"}}
    found: list[dict[str, Any]] = [begin]
    while len(found) < count - 1:
        step, at = divmod(len(found) - 1, 100)
        delta: dict[str, Any] = {"type": "text", "text": f" and so it goes on, {at}"}
        if at == 0:
            found.append({"event_type": "step.start", "index": step, "step": {"type": "model_output"}})
        elif at == 99:
            found.append({"event_type": "step.stop", "index": step})
        else:
            if at % 25 == 0:
                delta = {"type": "thought_summary", "content": {"type": "text", "text": "Weigh one against the other."}}
            found.append({"event_type": "step.delta", "index": step, "delta": delta})
    end = {"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": "completed"}}
    return [{**event, "event_id": f"e{i}"} for i, event in enumerate([*found, end])]


def stream(count: int) -> bytes:
    """The bytes of the stream."""
    frames = [f"event: {one['event_type']}\ndata: {json.dumps(one)}\n\n" for one in events(count)]
    return "".join([*frames, "event: done\ndata: [DONE]\n\n"]).encode()


class Handler(BaseHTTPRequestHandler):
    """Any request is asked of the same stream."""

    protocol_version = "HTTP/1.1"
    content = b""

    def do_POST(self) -> None:
        """The stream, in pieces."""
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for at in range(0, len(self.content), PIECE):
            piece = self.content[at : at + PIECE]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


if __name__ == "__main__":
    Handler.content = stream(int(sys.argv[1]))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
