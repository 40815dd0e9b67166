"""An edition → the files of part ``client``: what calls the operations, reads the streams and checks the webhooks that it has.

Must not look into operations (``client_operations`` does) or unions (``client_streams``): it decides which files there are.
Only ``client.py`` needs another package, and only a contract with operations has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.edition import Edition
from codegen.errors import OutputError, Problem
from codegen.targets.base import Rendering
from codegen.targets.python import surfaces
from codegen.targets.python.client_calls import Methods
from codegen.targets.python.client_forms import Entry
from codegen.targets.python.client_modes import ModesView
from codegen.targets.python.client_operations import Operations
from codegen.targets.python.client_streams import Streams
from codegen.targets.python.client_webhooks import Webhooks
from codegen.targets.python.names import Names
from codegen.targets.python.options import Options
from codegen.targets.python.package import SHARED, BannerView


class Client:
    """Makes the files of one edition. ``entries`` are the types that travel and have no codec otherwise."""

    def __init__(self, edition: Edition, options: Options, names: Names) -> None:
        self.edition = edition
        self.names = names
        self.operations = Operations(edition, names, options.open_world)
        self.webhooks = Webhooks(edition, self.operations.forms)
        self.entries: tuple[Entry, ...] = tuple(self.operations.forms.entries)

    def files(self, folder: str, banner: str, title: str) -> Iterator[Rendering]:
        """The files below ``folder``. Raises ``OutputError`` for what a client cannot do, and where it has nothing to do."""
        streams = Streams(self.edition, self.names, banner, title)
        calls = self.operations.planned
        receivers = self.webhooks.receivers
        if not streams.streams and not calls and not receivers:
            self._refuse_idle()

        def support(name: str) -> Rendering:
            return Rendering(f"{folder}/_support/{name}.py", f"python/_support/{name}.py.j2", BannerView(SHARED))

        def twice(name: str) -> Rendering:
            return Rendering(f"{folder}/_support/{name}.py", f"python/_support/{name}.py.j2", ModesView(SHARED))

        if streams.streams:
            yield Rendering(f"{folder}/streams.py", "python/client/streams.py.j2", streams.streams_view())
        if streams.folds:
            yield Rendering(f"{folder}/fold.py", "python/client/streams.py.j2", streams.fold_view())
            yield support("folding")
        if streams.streams or calls:
            yield support("places")
            yield support("frames")
            yield twice("streaming")
        if receivers:
            yield Rendering(f"{folder}/webhooks.py", "python/client/webhooks.py.j2", self.webhooks.view(banner, title))
            yield support("signing")
        if calls:
            data = self.operations.view(banner, title)
            methods = Methods(self.edition, self.names, self.operations).view(banner, title)
            yield Rendering(f"{folder}/_operations.py", "python/client/operations.py.j2", data)
            yield Rendering(f"{folder}/client.py", "python/client/client.py.j2", methods)
            yield support("parameters")
            yield support("operations")
            yield support("failures")
            yield twice("calls")
        if self.operations.forms.problems:
            raise OutputError(self.operations.forms.problems)

    def surface(self) -> dict[str, str]:
        """What programs can name of the part. It says nothing of what a client cannot do: ``files`` refuses that."""
        found: dict[str, str] = {}
        if self.operations.planned:
            found |= surfaces.of_client(Methods(self.edition, self.names, self.operations).view("", ""))
        for planned in self.operations.planned:  # a name that is there before and after may stand for something else
            found[f"method of {planned.operation.name.spelled}"] = planned.method
            for name, one in planned.arguments:
                found[f"argument of {planned.method}.{one.place} {one.name}"] = name
        streams = Streams(self.edition, self.names, "", "")
        if streams.streams:
            found |= surfaces.of_declarations("streams", streams.streams_view())
        if streams.folds:
            found |= surfaces.of_declarations("fold", streams.fold_view())
        if self.webhooks.receivers:
            found |= surfaces.of_webhooks(self.webhooks.view("", ""))
        return found

    def _refuse_idle(self) -> None:
        message = 'the contract has nothing for part "client": no operation, no stream and no signed webhook'
        help = 'leave "client" out of parts, or state x-wirebound-stream on a union of events'
        origin = self.edition.model.origin
        raise OutputError([Problem(code="idle-part", message=message, origin=origin, help=help)])
