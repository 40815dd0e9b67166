"""A browser, and sites for it on this machine's own address."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser. It is gone after each module: while it is there, its event loop is that of the thread, where tests of others
    could run no coroutine and send no signal.
    """
    if CHROMIUM is None:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def _served(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this repository, on disk."""
    from site_build import own_site, written

    return written(own_site(), tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[str]:
    """Where the site of this repository is."""
    yield from _served(folder)


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the site of a contract with two versions is."""
    from site_build import written
    from test_site_pages import two_versions

    from codegen import docs_pipeline

    manifest = two_versions(tmp_path_factory.mktemp("contract"))
    yield from _served(written(docs_pipeline.site(manifest), tmp_path_factory.mktemp("versions")))


@dataclass
class Watched:
    """A tab, with what went wrong in it and where it went."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def tab(chromium: Any) -> Iterator[Any]:
    """Opens a tab; at the end of the test nothing may have gone wrong in any."""
    contexts: list[Any] = []
    opened: list[Watched] = []

    def open_tab(**settings: Any) -> Watched:
        context = chromium.new_context(**{"viewport": {"width": 1440, "height": 900}, **settings})
        contexts.append(context)
        watched = Watched(context.new_page())
        watched.page.on(
            "console",
            lambda m: watched.errors.append(f"{m.text} {m.location}") if m.type in ("error", "warning") else None,
        )
        watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
        watched.page.on("request", lambda request: watched.requests.append(request.url))
        watched.page.set_default_timeout(8000)
        opened.append(watched)
        return watched

    yield open_tab
    for context in contexts:
        context.close()
    for watched in opened:
        assert watched.errors == []
        origins = {url.split("/")[2] for url in watched.requests if url.startswith("http")}
        assert len(origins) <= 1, origins
