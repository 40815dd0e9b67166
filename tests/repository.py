"""A real package index on loopback, and one that goes down: what tests of publishing talk to.

Must not reach beyond this machine: the index does not pass requests on.
"""

from __future__ import annotations

import socket
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

USER, PASSWORD = "__token__", "sesame-7719"


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def index(folder: Path) -> Iterator[str]:
    """pypiserver with its files in ``folder``; its address, below which is ``simple/``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a library in it
        import pypiserver

    app = pypiserver.app(
        roots=[folder],
        authenticate=["update"],
        password_file="none",
        auther=lambda user, password: (user, password) == (USER, PASSWORD),
        disable_fallback=True,
        backend_arg="simple-dir",
    )
    server = make_server("127.0.0.1", 0, app, server_class=_Server, handler_class=_Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def going_down(after: int) -> Iterator[tuple[str, list[int]]]:
    """A server that reads ``after`` bytes of each request and is gone; its address, and how much of each request it read."""
    read: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    read.append(0)
                    while read[-1] < after and (part := connection.recv(min(65536, after - read[-1]))):
                        read[-1] += len(part)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/", read
        finally:
            server.shutdown(socket.SHUT_RDWR)
    thread.join()
