"""Two models → changes → verdicts: what a new version of a contract does to those who know the old one.

Must not read, load or write anything. Changes are facts (``compare``), verdicts depend on a policy (``assess``); a report, a
changelog or a badge is made from them elsewhere.
"""

from __future__ import annotations

from codegen.evolve.comparison import Comparison, compare
from codegen.evolve.policy import Policy
from codegen.evolve.verdicts import Assessment, assess

__all__ = ["Assessment", "Comparison", "Policy", "assess", "compare"]
