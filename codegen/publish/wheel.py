"""A wheel's bytes → its members, and the contract in it.

Must not unpack anything to disk or run anything: a wheel may come from anywhere.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from codegen.publish.trouble import trouble

MANIFEST = "manifest.toml"
LARGEST = 200_000_000
"""Bytes of a wheel's members together that are still read."""


@dataclass(frozen=True)
class Wheel:
    """``members`` are bytes by path. ``epoch``: the time of its files, in seconds since 1970 (UTC)."""

    name: str
    members: Mapping[str, bytes]
    epoch: int

    @cached_property
    def contract(self) -> dict[str, bytes]:
        """The files of the contract in the package, with the manifest that makes the package again.

        Raises OutputError (``no-contract``) where there is none.
        """
        tops = {path.split("/")[0] for path in self.members if path.split("/")[1:] == ["contract", MANIFEST]}
        if len(tops) != 1:
            help = "name a wheel that wirebound package has made"
            raise trouble(self.name, "no-contract", "this wheel holds no contract to make it again from", help)
        start = f"{tops.pop()}/contract/"
        files = {path.removeprefix(start): content for path, content in self.members.items() if path.startswith(start)}
        # The licence is where installers look for it, and nowhere else.
        licenses = [content for path, content in self.members.items() if path.endswith(".dist-info/licenses/LICENSE")]
        return {**files, "LICENSE": licenses[0]} if licenses else files


def read(name: str, content: bytes) -> Wheel:
    """The wheel in ``content``; ``name`` is what messages call it. Raises OutputError (``bad-wheel``)."""
    help = "name a wheel (*.whl) that is whole"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if sum(entry.file_size for entry in entries) > LARGEST:
                raise trouble(name, "bad-wheel", f"it unpacks to more than {LARGEST:,} bytes", help)
            members = {entry.filename: archive.read(entry) for entry in entries}
            times = [datetime(*entry.date_time, tzinfo=UTC) for entry in entries]
    except (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise trouble(name, "bad-wheel", f"it is no wheel: {error}", help) from None
    return Wheel(name, members, int(min(times).timestamp()) if times else 0)


def differing(left: Wheel, right: Wheel) -> list[str]:
    """Members that are not the same in both, or in one alone."""
    paths = sorted({*left.members, *right.members})
    return [path for path in paths if left.members.get(path) != right.members.get(path)]
