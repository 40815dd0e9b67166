"""Wirebound: one protocol contract → bindings that accept exactly what it accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codegen.api import build, codecs
    from codegen.errors import WireboundError

    __version__: str

__all__ = ["WireboundError", "__version__", "build", "codecs"]


def __getattr__(name: str) -> object:
    # Imported when asked for: the command line comes through here too, and most of its runs need none of this.
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("wirebound")
        except PackageNotFoundError:
            return "0+unknown"
    if name == "WireboundError":
        from codegen.errors import WireboundError

        return WireboundError
    if name in ("build", "codecs"):
        from codegen import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
