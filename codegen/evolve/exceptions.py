"""``exceptions.toml`` → changes that are accepted although they break, each with a reason and until when.

Must not hide anything: an accepted change is told like any other, with its reason, and it counts again once its time is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from codegen.errors import ManifestError, Problem, shown
from codegen.evolve.changes import KINDS, Change
from codegen.evolve.verdicts import AXES, Axis
from codegen.pointer import Origin
from codegen.tables import Source, Table, known, source


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """One accepted change: where it is (``Definition`` or ``Definition.path``), of which kind (empty: any), on which axes, why,
    and the last day on which it holds."""

    at: str
    kind: str
    axes: tuple[Axis, ...]
    reason: str
    expires: date
    origin: Origin

    def covers(self, change: Change, axis: Axis) -> bool:
        """It is about the change, whether or not its time is over."""
        return str(change.place) == self.at and self.kind in ("", change.kind) and axis in self.axes


def read(path: Path) -> tuple[Accepted, ...]:
    """The exceptions at ``path``. Raises ManifestError for anything in it that cannot be followed."""
    return parse(source(path))


def parse(file: Source) -> tuple[Accepted, ...]:
    """The exceptions that a file spells."""
    problems: list[Problem] = []
    root = Table.of(file, problems)
    found = tuple(_exception(table) for table in root.tables("exceptions"))
    root.close()
    if problems:
        raise ManifestError(problems, file.locate)
    return found


def _exception(table: Table) -> Accepted:
    kind = table.take("kind", str, "")
    if kind and kind not in KINDS:
        table.report("bad-value", f"kind is {shown(kind)}", "kind", help=known(kind, list(KINDS)))
    axes = table.strings("axes")
    for index, axis in enumerate(axes or ()):
        if axis not in AXES:
            table.report("bad-value", f"an axis is {shown(axis)}", "axes", index, help=known(axis, list(AXES)))
    made = Accepted(
        at=table.need("at"),
        kind=kind,
        axes=AXES if axes is None else tuple(axis for axis in AXES if axis in axes),
        reason=table.need("reason"),
        expires=_day(table, table.need("expires")),
        origin=table.origin,
    )
    if "reason" in table.value and not made.reason.strip():
        table.report("bad-value", "reason is empty", "reason", help="say why the change is accepted")
    table.close()
    return made


def _day(table: Table, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        if text:
            help = 'write the last day on which it holds, such as "2030-01-31"'
            table.report("bad-value", f"expires is {shown(text)}", "expires", help=help)
        return date.min
