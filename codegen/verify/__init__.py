"""Subjects, documents and an oracle → a table of what each subject says and gives back, and where it differs.

Must not know targets: whoever builds subjects does. An oracle that is independent comes first; where it cannot be asked (a
definition that no pointer of the contract means) the model's own judge stands in for it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from codegen.derive.judge import same_json
from codegen.model import JsonValue, Key
from codegen.verify.corpus import Document, Spoiled
from codegen.verify.subjects import Binding, Subject

__all__ = ["Difference", "Row", "Table", "verify"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that differs: ``document`` is JSON text of the smallest document that shows it."""

    definition: str
    what: str
    document: str
    expected: str
    found: str


@dataclass(slots=True)
class Row:
    """What came of one subject. Pairs are numbers that are as they should be, and of all; times are microseconds a document."""

    subject: str
    verdicts: tuple[int, int] = (0, 0)
    trips: tuple[int, int] | None = None
    single: tuple[int, int] | None = None
    read: float | None = None
    write: float | None = None
    differences: list[Difference] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Table:
    """One contract. ``documents`` and ``own`` count all and the contract's own; ``spoiled`` those with one bad field; ``asked``
    how many of all the oracle was asked about, the model's judge about the rest."""

    contract: str
    documents: int
    own: int
    spoiled: int
    asked: int
    rows: tuple[Row, ...]

    @property
    def differences(self) -> int:
        """How many there are."""
        return sum(len(row.differences) for row in self.rows)


class Verdict:
    """What is right, of one document."""

    __slots__ = ("document", "of_oracle", "text", "valid")

    def __init__(self, document: Document, valid: bool, of_oracle: bool) -> None:
        self.document = document
        self.valid = valid
        self.of_oracle = of_oracle
        self.text = json.dumps(document.value, ensure_ascii=False).encode("utf-8", "surrogatepass")


Ask = Callable[[Key | None, JsonValue], "tuple[bool, bool]"]
"""The right verdict on a document, and whether the oracle gave it."""


def verify(
    contract: str,
    called: Callable[[Key | None], str],
    documents: Sequence[Document],
    spoiled: Sequence[Spoiled],
    subjects: Iterable[Subject],
    ask: Ask,
) -> Table:
    """Ask every subject about every document. ``called``: the name of a definition; ``ask`` gives the right verdict."""
    judged = [Verdict(document, *ask(document.definition, document.value)) for document in documents]
    wrong = [one for one in spoiled if not ask(one.definition, one.value)[0]]
    stated = _stated(called, judged)
    rows = [stated] if stated.verdicts[1] else []
    rows += [_row(called, judged, wrong, subject) for subject in subjects]
    return Table(
        contract=contract,
        documents=len(judged),
        own=stated.verdicts[1],
        spoiled=len(wrong),
        asked=sum(one.of_oracle for one in judged),
        rows=tuple(rows),
    )


def _stated(called: Callable[[Key | None], str], judged: Sequence[Verdict]) -> Row:
    """What folders say of their documents."""
    row = Row("folders")
    found = [one for one in judged if one.document.stated is not None]
    wrong = [one for one in found if one.document.stated != one.valid]
    row.verdicts = len(found) - len(wrong), len(found)
    row.differences = [
        Difference(
            called(one.document.definition),
            one.document.what,
            one.text.decode("utf-8", "replace"),
            "valid" if one.valid else "invalid",
            "valid" if one.document.stated else "invalid",
        )
        for one in wrong
    ]
    return row


class _Asked:
    """One subject under questions: its differences, the smallest document of each kind first."""

    def __init__(self, row: Row, called: Callable[[Key | None], str]) -> None:
        self.row = row
        self.called = called

    def differ(self, definition: Key | None, what: str, text: bytes, expected: str, found: str) -> None:
        """Note a difference."""
        shown = text.decode("utf-8", "replace")
        self.row.differences.append(Difference(self.called(definition), what, shown, expected, found))


def _row(called: Callable[[Key | None], str], judged: Sequence[Verdict], wrong: Sequence[Spoiled], subject: Any) -> Row:
    row = Row(subject.name)
    asked = _Asked(row, called)
    known = [one for one in judged if subject.knows(one.document.definition)]
    equal = sum(_verdict(asked, subject, one) for one in known)
    row.verdicts = equal, len(known)
    if hasattr(subject, "back"):
        valid = [one for one in known if one.valid]
        row.trips = sum(_trip(asked, subject, one) for one in valid), len(valid)
        row.single = sum(_single(asked, subject, one) for one in wrong), len(wrong)
        row.read, row.write = _speed(subject, valid)
    row.differences.sort(key=lambda one: (len(one.document), one.definition, one.document, one.what))
    return row


def _verdict(asked: _Asked, subject: Subject, one: Verdict) -> bool:
    words = ("invalid", "valid")
    definition = one.document.definition
    try:
        accepted = subject.accepts(definition, one.document.value, one.text)
    except Exception as error:
        asked.differ(definition, one.document.what, one.text, words[one.valid], f"{type(error).__name__}: {error}")
        return False
    if accepted != one.valid:
        asked.differ(definition, one.document.what, one.text, words[one.valid], words[accepted])
    return accepted == one.valid


def _trip(asked: _Asked, subject: Binding, one: Verdict) -> bool:
    definition, value = one.document.definition, one.document.value
    expected = one.text.decode("utf-8", "replace")
    try:
        for back in subject.back(definition, value, one.text):
            if not same_json(back, value):
                asked.differ(definition, "round trip", one.text, expected, json.dumps(back, ensure_ascii=False))
                return False
    except Exception as error:
        asked.differ(definition, "round trip", one.text, expected, f"{type(error).__name__}: {error}")
        return False
    return True


def _single(asked: _Asked, subject: Binding, one: Spoiled) -> bool:
    text = json.dumps(one.value, ensure_ascii=False).encode()
    try:
        places = subject.faults(one.definition, one.value)
    except Exception as error:
        asked.differ(
            one.definition, "one bad field", text, f"one fault at {one.pointer}", f"{type(error).__name__}: {error}"
        )
        return False
    if places != (one.pointer,):
        found = f"{len(places)} faults: {', '.join(places)}"
        asked.differ(one.definition, "one bad field", text, f"one fault at {one.pointer}", found)
        return False
    return True


def _speed(subject: Binding, valid: Sequence[Verdict]) -> tuple[float | None, float | None]:
    """Microseconds to read and to write a document: the best of three passes over all that are right."""
    ways: dict[Key | None, list[bytes]] = {}
    for one in valid:
        ways.setdefault(one.document.definition, []).append(one.text)
    reading, writing = [], []
    try:
        for _ in range(3):
            taken = [0.0, 0.0]
            for definition, texts in ways.items():
                read, write = subject.reader(definition), subject.writer(definition)
                start = time.process_time()
                values = [read(text) for text in texts]
                between = time.process_time()
                for value in values:
                    write(value)
                taken = [taken[0] + between - start, taken[1] + time.process_time() - between]
            reading.append(taken[0])
            writing.append(taken[1])
    except Exception:  # a difference, which is told of elsewhere
        return None, None
    scale = 1e6 / max(1, len(valid))
    return min(reading) * scale, min(writing) * scale
