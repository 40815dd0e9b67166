"""Two models → changes → verdicts: what a new version of a contract does to those who know the old one.

Must not read, load or write anything. Changes are facts (``compare``), verdicts depend on a policy (``assess``); a report, a
changelog or a badge is made from them elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codegen.evolve.comparison import Comparison, compare
    from codegen.evolve.policy import Policy
    from codegen.evolve.verdicts import Assessment, assess

__all__ = ["Assessment", "Comparison", "Policy", "assess", "compare"]


def __getattr__(name: str) -> object:
    # Imported when asked for: whoever has one version has a policy and nothing to compare.
    if name in ("Comparison", "compare"):
        from codegen.evolve import comparison

        return getattr(comparison, name)
    if name == "Policy":
        from codegen.evolve.policy import Policy

        return Policy
    if name in ("Assessment", "assess"):
        from codegen.evolve import verdicts

        return getattr(verdicts, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
