"""An edition → the files of part ``client``: what calls the operations, reads the streams and checks the webhooks that it has.

Must not look into operations (``client_calls`` does) or unions (``client_streams``): it decides which files there are. Only
``client.py`` needs another package, and only a contract with operations has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codegen.edition import Edition
from codegen.errors import OutputError, Problem
from codegen.targets.base import Rendering
from codegen.targets.python.client_streams import Streams
from codegen.targets.python.names import Names
from codegen.targets.python.package import SHARED, BannerView


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """The words in which code without and with ``async`` differs, so that both are made from one template."""

    stream: str
    iterator: str
    iterable: str
    none: str
    def_: str
    await_: str
    for_: str
    iter: str
    next: str
    step: str
    enter: str
    exit: str
    close: str


MODES = (
    Mode(
        stream="Stream",
        iterator="Iterator",
        iterable="Iterable",
        none="None",
        def_="def",
        await_="",
        for_="for",
        iter="__iter__",
        next="__next__",
        step="next",
        enter="__enter__",
        exit="__exit__",
        close="close",
    ),
    Mode(
        stream="AsyncStream",
        iterator="AsyncIterator",
        iterable="AsyncIterable",
        none="Awaitable[None]",
        def_="async def",
        await_="await ",
        for_="async for",
        iter="__aiter__",
        next="__anext__",
        step="anext",
        enter="__aenter__",
        exit="__aexit__",
        close="aclose",
    ),
)


@dataclass(frozen=True, slots=True)
class ModesView:
    """A file of ``_support`` that is written once for each mode."""

    banner: str
    modes: tuple[Mode, ...] = MODES


class Client:
    """Makes the files of one edition."""

    def __init__(self, edition: Edition, names: Names, banner: str, title: str) -> None:
        self.edition = edition
        self.streams = Streams(edition, names, banner, title)

    def files(self, folder: str) -> Iterator[Rendering]:
        """The files below ``folder``. Raises ``OutputError`` where the contract has nothing for them."""
        if not self.streams.streams:
            raise OutputError(
                [
                    Problem(
                        code="idle-part",
                        message='the contract has nothing for part "client": no operation, no stream and no signed webhook',
                        origin=self.edition.model.origin,
                        help='leave "client" out of parts, or state x-wirebound-stream on a union of events',
                    )
                ]
            )
        yield Rendering(f"{folder}/_support/places.py", "python/_support/places.py.j2", BannerView(SHARED))
        if self.streams.streams:
            yield Rendering(f"{folder}/streams.py", "python/client/streams.py.j2", self.streams.streams_view())
            yield Rendering(f"{folder}/_support/frames.py", "python/_support/frames.py.j2", BannerView(SHARED))
            yield Rendering(f"{folder}/_support/streaming.py", "python/_support/streaming.py.j2", ModesView(SHARED))
        if self.streams.folds:
            yield Rendering(f"{folder}/fold.py", "python/client/streams.py.j2", self.streams.fold_view())
            yield Rendering(f"{folder}/_support/folding.py", "python/_support/folding.py.j2", BannerView(SHARED))
