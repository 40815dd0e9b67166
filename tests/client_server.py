"""A scripted HTTP server on this machine: each request is recorded, and answered by what a test puts in line for it.

Answers are functions that write to the connection, so that a test can cut, delay and break off as no real server would admit.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Request(NamedTuple):
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)


Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def answer(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append(Request(self.command, self.path, headers, body))
        with self.server.lock:
            answers = self.server.answers
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
        try:
            answer(self)
        except OSError:  # the client has gone
            self.server.gone.set()
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = answer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def start(self, status: int = 200, **headers: Any) -> None:
        """The head of a response."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def piece(self, content: bytes) -> None:
        """A chunk of a body without a length."""
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    def reset(self) -> None:
        """Break the connection off with a reset."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # Both files and the socket itself have to go for the system to send it.
        self.rfile.close()
        self.connection.close()
        self.close_connection = True


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.requests: list[Request] = []
        self.answers: list[Answer] = []
        self.gone = threading.Event()
        """A client has closed its connection before its answer was written."""
        self.thread = threading.Thread(target=lambda: self.serve_forever(poll_interval=0.02), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Server:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass

    def script(self, *answers: Answer) -> None:
        """What the next requests are answered by; the last one answers all that follow."""
        self.answers = list(answers)
        self.requests.clear()
        self.gone.clear()


# --- answers ----------------------------------------------------------------------------------------------------------


def says(document: Any = None, status: int = 200, **headers: Any) -> Answer:
    """JSON, or bytes as they are."""

    def answer(handler: Handler) -> None:
        content = (
            document if isinstance(document, bytes) else b"" if document is None else json.dumps(document).encode()
        )
        given = {"content_type": "application/json", **headers, "content_length": len(content)}
        handler.start(status, **given)
        if handler.command != "HEAD":
            handler.wfile.write(content)

    return answer


def frames(*documents: Any) -> bytes:
    """Server-sent events."""
    spelled = (one if isinstance(one, str) else json.dumps(one) for one in documents)
    return b"".join(b"data: " + one.encode() + b"\n\n" for one in spelled)


def streams(
    *pieces: bytes, pause: float = 0, then: str = "end", status: int = 200, kind: str = "text/event-stream"
) -> Answer:
    """A stream in pieces. ``then``: "end" it, "cut" it without an end, "reset" the connection, or "wait" with it open."""

    def answer(handler: Handler) -> None:
        handler.start(status, content_type=kind, transfer_encoding="chunked")
        for piece in pieces:
            handler.piece(piece)
            time.sleep(pause)
        if then == "end":
            handler.wfile.write(b"0\r\n\r\n")
        elif then == "cut":
            handler.close_connection = True
        elif then == "reset":
            time.sleep(0.05)  # a reset overtakes what has not been read
            handler.reset()
        else:
            for _ in range(200):  # until the client goes away
                time.sleep(0.02)
                handler.piece(b": still here\n\n")

    return answer


def breaks(handler: Handler) -> None:
    """No answer: the connection is reset."""
    handler.reset()


def closes(handler: Handler) -> None:
    """No answer: the connection is closed."""
    handler.close_connection = True


def sleeps(seconds: float) -> Answer:
    """An answer that takes its time."""

    def answer(handler: Handler) -> None:
        time.sleep(seconds)
        says({})(handler)

    return answer


def drips(seconds: float, count: int) -> Answer:
    """A body that comes byte by byte."""

    def answer(handler: Handler) -> None:
        handler.start(200, content_type="application/json", content_length=count)
        for _ in range(count):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(seconds)

    return answer
