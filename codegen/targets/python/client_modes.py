"""The words of code without ``async`` ↔ those of the same code with it: one template makes both.

Must not hold more than words: where the two differ in more, they are two.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """The words in which code without and with ``async`` differs, so that both are made from one template."""

    how: str
    with_: str
    client: str
    calls: str
    keyed: str
    base: str
    transport: str
    stream: str
    pager: str
    iterator: str
    none: str
    fetched: str
    def_: str
    await_: str
    for_: str
    iter: str
    next: str
    step: str
    enter: str
    exit: str
    close: str
    handle: str
    pieces: str
    sleep: str


SYNC = Mode(
    how="",
    with_="with",
    client="Client",
    calls="SyncCalls",
    keyed="Keyed",
    base="BaseTransport",
    transport="HTTPTransport",
    stream="Stream",
    pager="Pager",
    iterator="Iterator",
    none="None",
    fetched="Any",
    def_="def",
    await_="",
    for_="for",
    iter="__iter__",
    next="__next__",
    step="next",
    enter="__enter__",
    exit="__exit__",
    close="close",
    handle="handle_request",
    pieces="iter_bytes",
    sleep="time.sleep",
)
ASYNC = Mode(
    how=" for asynchronous programs",
    with_="async with",
    client="AsyncClient",
    calls="AsyncCalls",
    keyed="AsyncKeyed",
    base="AsyncBaseTransport",
    transport="AsyncHTTPTransport",
    stream="AsyncStream",
    pager="AsyncPager",
    iterator="AsyncIterator",
    none="Awaitable[None]",
    fetched="Awaitable[Any]",
    def_="async def",
    await_="await ",
    for_="async for",
    iter="__aiter__",
    next="__anext__",
    step="anext",
    enter="__aenter__",
    exit="__aexit__",
    close="aclose",
    handle="handle_async_request",
    pieces="aiter_bytes",
    sleep="_asleep",
)
MODES = (SYNC, ASYNC)


@dataclass(frozen=True, slots=True)
class ModesView:
    """A file of ``_support`` that says some things once for each mode."""

    banner: str
    modes: tuple[Mode, ...] = MODES
