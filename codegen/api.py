"""A contract → files, or codecs ready for use: what ``import codegen`` offers.

Must not do more than the command line can: it is the same pipeline.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen import memory, pipeline

if TYPE_CHECKING:
    from codegen.model import JsonValue


def build(
    contract: str | os.PathLike[str] | JsonValue,
    *,
    target: str = "python",
    options: Mapping[str, Any] | None = None,
    dialect: str | None = None,
    roots: Mapping[str, str | os.PathLike[str]] | None = None,
) -> dict[str, bytes]:
    """The files that ``target`` makes of ``contract``, by path; nothing is written.

    ``contract`` is a path (``str`` or path-like) or a value as ``json.loads`` gives it. ``options`` are the target's own,
    ``overlay`` (paths of overlays) and ``assert_formats`` (names of formats that are to refuse, or true).
    ``dialect`` ("draft-07", "2020-12" …) holds where ``$schema`` is silent. ``roots`` maps URL prefixes to the folders that
    stand for them. ``outline.toml`` and ``names.toml`` are read from the contract's folder or its parent if they are there.
    Raises ``WireboundError`` with every problem found.
    """
    return pipeline.build(contract, target=target, options=options, dialect=dialect, roots=_folders(roots))


def codecs(
    contract: str | os.PathLike[str] | JsonValue,
    *,
    dialect: str | None = None,
    roots: Mapping[str, str | os.PathLike[str]] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Mapping[str, Any]:
    """The codecs of ``contract`` by the definitions' names as the contract spells them; ``""`` is the root.

    The Python bindings are built and imported in memory: no file is written, and the package lives as long as a codec of it
    is held. All such packages share their support code, hence one ``DecodeError``. Arguments and errors as in ``build``.
    """
    return memory.codecs(build(contract, dialect=dialect, roots=roots, options=options))


def _folders(roots: Mapping[str, str | os.PathLike[str]] | None) -> dict[str, Path]:
    return {prefix: Path(folder) for prefix, folder in (roots or {}).items()}
