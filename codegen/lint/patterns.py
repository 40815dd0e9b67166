"""Patterns of a contract → findings on those that some text makes slow without bound.

Must not judge them (``ambiguity`` does): it finds them, and says what was found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from codegen.errors import Problem, shown
from codegen.lint.ambiguity import Ambiguity, ambiguity
from codegen.lint.subject import Subject, finding
from codegen.patterns import tree
from codegen.pointer import Origin


def exponential(subject: Subject) -> Iterator[Problem]:
    """``exponential-pattern``."""
    for source, origin in _patterns(subject):
        found = judged(source)
        if found is not None:
            text = found.prefix + found.pump * 2 + "…"
            yield finding(
                "exponential-pattern",
                f"matching {shown(source)} takes twice the time for each {shown(found.pump)} in {shown(text)}",
                origin,
                "let each text be read in one way only: what is repeated must not itself be a repetition of the same",
            )


def _patterns(subject: Subject) -> Iterator[tuple[str, Origin]]:
    for schema in subject.schemas:
        written = schema.get("pattern")
        if isinstance(written, str):
            yield written, schema.at("pattern")
        for source in schema.named("patternProperties"):
            yield source, schema.at("patternProperties").at(source)


@lru_cache(maxsize=1024)
def judged(source: str) -> Ambiguity | None:
    """How matching the pattern blows up; None where it does not."""
    return ambiguity(tree(source))
