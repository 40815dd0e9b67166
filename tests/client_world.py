"""A generated client of either kind, and a server that it calls: what tests of clients share."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from tests.client_contract import CONTRACT
from tests.client_server import Server
from tests.python_package import Package


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = tmp_path_factory.mktemp("client")
    return Package(CONTRACT, folder, parts=["models", "client"], unknown="keep", open_world=True)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def other() -> Iterator[Server]:
    with Server() as server:
        yield server


async def settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def each(items: Any, seen: list[Any] | None = None) -> list[Any]:
    """Everything that something gives, asynchronously or not."""
    seen = [] if seen is None else seen
    if hasattr(items, "__aiter__"):
        async for item in items:
            seen.append(item)
    else:
        for item in items:
            seen.append(item)
    return seen


class World:
    """A client of one kind, and the server that it calls."""

    def __init__(self, made: Package, server: Server, kind: str) -> None:
        self.made = made
        self.server = server
        self.kind = kind
        self.models = made.models
        self.errors = made.client

    def __call__(self, scenario: Callable[[Any], Awaitable[Any]], **settings: Any) -> Any:
        """What a scenario gives, with a client that lives as long as it."""
        settings.setdefault("base_url", self.server.url)
        settings.setdefault("key", "k-secret")
        settings.setdefault("retries", self.made.client.Retries(first=0.01, longest=0.02))

        async def run() -> Any:
            if self.kind == "async":
                async with self.made.client.AsyncClient(**settings) as client:
                    return await scenario(client)
            with self.made.client.Client(**settings) as client:
                return await scenario(client)

        return asyncio.run(run())

    def call(self, method: str, *args: Any, settings: dict[str, Any] | None = None, **given: Any) -> Any:
        """What one call gives."""

        async def scenario(client: Any) -> Any:
            return await settled(getattr(client, method)(*args, **given))

        return self(scenario, **(settings or {}))

    @property
    def last(self) -> Any:
        return self.server.requests[-1]


@pytest.fixture(params=["sync", "async"])
def world(made: Package, server: Server, request: pytest.FixtureRequest) -> World:
    return World(made, server, request.param)
