"""Pages in HTML → the files of a full-text index, one per language, by Pagefind.

Must not touch the disk: the index is made in memory and handed back. Pagefind is an optional part of the installation; without
it a site has its list of names, and no full text. Its program is spoken to directly: its own Python client waits a tenth of a
second for every answer, and cannot take an index of more than two megabytes.
"""

from __future__ import annotations

import json
import os
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from threading import Thread
from typing import IO, Any

FOLDER = "pagefind/"
_UNUSED = ("pagefind-ui", "pagefind-modular-ui", "pagefind-component-ui", "pagefind-highlight")


def is_installed() -> bool:
    """Whether Pagefind is there."""
    return find_spec("pagefind") is not None and find_spec("pagefind_bin") is not None


def index(pages: Mapping[str, str]) -> dict[str, bytes]:
    """The files of the index of ``pages`` (path → HTML), below ``pagefind/``. The same pages give the same bytes.

    Raises OSError where the program cannot be run or does not answer as it should.
    """
    requests: list[dict[str, Any]] = [{"type": "NewIndex", "config": {"keep_index_url": True}}]
    for path, html in sorted(pages.items()):
        requests.append({"type": "AddFile", "index_id": 0, "file_path": path, "file_contents": html, "url": None})
    requests.append({"type": "GetFiles", "index_id": 0})
    files = {
        file["path"]: b64decode(file["content"])
        for answer in _answers(requests)
        for file in answer.get("files", ())
        if not file["path"].startswith(_UNUSED)
    }
    return {FOLDER + path: _ordered(path, files[path]) for path in sorted(files)}


def _answers(requests: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What the program answers to each request, in order. Messages are JSON in base64, each with a comma after it."""
    from pagefind.service import get_executable

    program = get_executable()
    with subprocess.Popen([str(program), "--service"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        # Written from the side: the program may wait until its answers are read.
        writing = Thread(target=_write, args=(process.stdin, requests))
        writing.start()
        try:
            buffer = b""
            answered = 0
            while answered < len(requests):
                chunk = os.read(process.stdout.fileno(), 1 << 20)
                if not chunk:
                    raise OSError("the program of Pagefind has ended early")
                *messages, buffer = (buffer + chunk).split(b",")
                for message in messages:
                    payload = json.loads(b64decode(message))["payload"]
                    if payload["type"] == "Error":
                        raise OSError(f"Pagefind: {payload['message']}")
                    answered += 1
                    yield payload
        finally:
            process.terminate()
            writing.join()


def _write(stream: IO[bytes], requests: list[dict[str, Any]]) -> None:
    try:
        for number, payload in enumerate(requests, 1):
            stream.write(b64encode(json.dumps({"message_id": number, "payload": payload}).encode()) + b",")
        stream.flush()
    except OSError:
        pass  # the reading side tells that it has ended


def _ordered(path: str, content: bytes) -> bytes:
    """The list of languages comes in any order."""
    if path != "pagefind-entry.json":
        return content
    return json.dumps(json.loads(content), sort_keys=True, separators=(",", ":")).encode()
