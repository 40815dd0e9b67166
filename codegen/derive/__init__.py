"""Model → documents derived from each definition: right ones, and ones on both sides of each of its borders.

Must not say which of them are valid: the oracle of the tests does, and the codecs that are measured by it; a witness of a
change is a document on which two contracts disagree. Deterministic, and bounded: at most ``MOST`` documents per definition,
each place of it taking its turn; lists, strings and depths as the modules of this package say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from codegen.derive import probes
from codegen.derive.derived import Derived
from codegen.derive.judge import Judge
from codegen.derive.samples import Samples
from codegen.facts import Facts
from codegen.model import JsonValue, Key, Ref, Type

__all__ = ["MOST", "Derivation", "Derived", "Judge"]

MOST = 2_000
"""Documents derived from one definition."""


class Derivation:
    """Documents of one model. ``judge`` says what the model accepts."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._samples = Samples(facts)
        self.judge = Judge(facts)

    def minimal(self, type_: Type) -> Derived | None:
        """A value of the type with only what it requires; None where none was found."""
        self._samples.begin()
        return next((Derived(value, "minimal") for value in self._samples.least(type_)), None)

    def full(self, type_: Type) -> Derived | None:
        """A value with all optional members, each list and map with something in it; where a definition would stand inside
        itself, its minimal value stands. None where none was found."""
        self._samples.begin()
        return next((Derived(value, "full") for value in self._samples.whole(type_)), None)

    def derive(self, key: Key) -> Iterator[Derived]:
        """The documents of the definition at ``key``, each once: minimal and full, and around each border."""
        definition = self.facts.definition(key)
        ref = Ref(key=key, origin=definition.origin)
        seen: set[str] = set()
        for one in _first(self.minimal(ref), self.full(ref), probes.of_definition(self._samples, definition)):
            text = _text(one.value)
            if text and text not in seen:
                seen.add(text)
                yield one
                if len(seen) == MOST:
                    return


def _first(minimal: Derived | None, full: Derived | None, others: Iterator[Derived]) -> Iterator[Derived]:
    yield from (one for one in (minimal, full) if one is not None)
    yield from others


def _text(value: JsonValue) -> str:
    """What tells documents apart: the order of members and the spelling of numbers count. "" for a value that no JSON text
    can be read as, since an integer of it has more digits than are read."""
    try:
        return json.dumps(value)
    except ValueError:
        return ""
