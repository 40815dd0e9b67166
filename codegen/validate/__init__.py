"""Documents, a codec → every fault of every document, each at its place in the file.

Must not hold on to documents: each is judged, told of and forgotten, so that a file of any size can be gone through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from codegen.validate.frames import EXTENSIONS, FORMATS, READERS, Document, Flaw, Format

if TYPE_CHECKING:
    from codegen.validate.places import Places

__all__ = ["EXTENSIONS", "FORMATS", "READERS", "Format", "Report", "Tally", "judged"]

Unknown: TypeAlias = Literal["reject", "strip", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One fault of the document ``number`` (from 1) of a file, at ``line`` and ``column``; the rest as in ``Fault``.

    ``tolerated``: it is no fault under the policy that was asked for.
    """

    number: int
    line: int
    column: int
    pointer: str
    code: str
    found: str
    expected: str
    definition: str
    rule: str
    tolerated: bool = False


@dataclass(slots=True)
class Tally:
    """What has been judged so far: ``refused`` documents have ``faults``; ``unread`` are files that cannot be read."""

    files: int = 0
    documents: int = 0
    refused: int = 0
    faults: int = 0
    tolerated: int = 0
    unread: int = 0


@dataclass(slots=True)
class _Judged:
    number: int
    frame: Document
    places: Places = field(init=False)

    def __post_init__(self) -> None:
        from codegen.validate.places import Places  # only a fault has a place to be found

        self.places = Places(self.frame.data)

    def report(self, fault: Any, tolerated: bool = False) -> Report:
        spot = self.places.spot(fault.pointer, fault.code)
        line, column = self.frame.place(spot.line, spot.column)
        return Report(
            number=self.number,
            line=line,
            column=column,
            pointer=fault.pointer,
            code=fault.code,
            found=spot.found or fault.found,
            expected=spot.expected or ("" if tolerated else fault.expected),
            definition=fault.definition,
            rule="" if tolerated else fault.rule,
            tolerated=tolerated,
        )


def judged(
    codec: Any,
    frames: Iterable[Document | Flaw],
    tally: Tally,
    *,
    unknown: Unknown = "reject",
    done: bytes | None = None,
) -> Iterator[Report]:
    """What is wrong with the documents of one file, in their order; ``tally`` counts on.

    ``codec`` is a generated one. ``done`` is the data of a frame that is no document, but says that there are no more.
    """
    read = codec.from_json
    tally.files += 1
    number = 0
    for frame in frames:
        if isinstance(frame, Flaw):
            tally.faults += 1
            yield _flaw(number + 1, frame)
            continue
        if frame.data == done:
            continue
        number += 1
        tally.documents += 1
        findings: list[Any] | None = None if unknown == "reject" else []
        try:
            read(frame.data, unknown=unknown, findings=findings, errors="all")
        except ValueError as error:
            faults = getattr(error, "errors", None)
            if faults is None:
                raise
            tally.refused += 1
            tally.faults += len(faults)
            document = _Judged(number, frame)
            yield from map(document.report, faults)
        if findings:
            tally.tolerated += len(findings)
            document = _Judged(number, frame)
            for finding in findings:
                yield document.report(finding, tolerated=True)


def cannot_read(error: OSError, tally: Tally) -> Report:
    """What is told of a file that cannot be read, or not to its end."""
    tally.unread += 1
    return _flaw(1, Flaw("cannot-read", error.strerror or str(error), "a file that can be read", (1, 1)))


def _flaw(number: int, flaw: Flaw) -> Report:
    line, column = flaw.at
    return Report(
        number=number,
        line=line,
        column=column,
        pointer="",
        code=flaw.code,
        found=flaw.found,
        expected=flaw.expected,
        definition="",
        rule="",
    )
