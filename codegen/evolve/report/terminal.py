"""A report → text for a terminal, definition by definition.

Must not leave out a finding. What is harmless takes one line, and changed descriptions are only counted: other forms have them
all.
"""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from codegen.evolve.changes import TEXTS
from codegen.evolve.report import Finding, Report, telling
from codegen.evolve.verdicts import AXES, Judged

_STYLES = {"compatible": "green", "unknown": "yellow", "breaking": "red"}
_SIGNS = {"added": "+", "removed": "-"}


def text(report: Report, *, width: int, color: bool) -> str:
    """The whole report."""
    out = StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        no_color=not color,
        color_system="standard" if color else None,
        highlight=False,
        soft_wrap=False,
    )
    console.print(Text(f"{report.old} → {report.new}", style="bold"), soft_wrap=True)
    told = [judged for judged in report.assessment.changes if judged.change.kind not in TEXTS]
    last = None
    for judged in told:
        definition = judged.change.place.definition or "(root)"
        if definition != last:
            console.print()
            console.print(Text(definition, style="bold"), soft_wrap=True)
        last = definition
        _change(console, report, judged)
    _rest(console, report, len(report.assessment.changes) - len(told))
    console.print()
    line = Text()
    for axis in AXES:
        answer = report.assessment.on(axis).answer
        line.append(f"{axis} ").append(answer, style=_STYLES[answer]).append(" · ")
    line.append(f"version step {report.assessment.step}", style="bold")
    console.print(line)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _change(console: Console, report: Report, judged: Judged) -> None:
    change = judged.change
    sign = _SIGNS.get(change.kind.rpartition("-")[2], "~")
    head = Text(f"{sign} ").append(change.place.path, style="bold")
    head.append(("  " if change.place.path else "") + telling.change(change, 120))
    console.print(Padding(head, (0, 0, 0, 2)))
    if change.shared_by:
        shown = ", ".join(change.shared_by[:5])
        more = len(change.shared_by) - 5
        console.print(Padding(Text(f"also in {shown}" + (f" and {more} more" if more > 0 else "")), (0, 0, 0, 6)))
    found = report.of(judged)
    for finding in found:
        _finding(console, finding)
    if found and (position := report.position(change)):
        place = f"at {position.path}:{position.line}:{position.column}"
        console.print(Padding(Text(place, style="dim"), (0, 0, 0, 6)), soft_wrap=True)


def _finding(console: Console, finding: Finding) -> None:
    line = Text(f"{finding.axis} ")
    line.append(finding.verdict.answer, style=_STYLES[finding.verdict.answer] if finding.counts else "dim")
    line.append(f": {finding.verdict.reason}{telling.standing(finding)}")
    console.print(Padding(line, (0, 0, 0, 6)))
    if finding.verdict.witness is not None:
        shown = telling.cut(telling.document(finding.verdict))
        console.print(
            Padding(Text(f"{shown}  ({finding.verdict.witness.definition or 'root'})", style="dim"), (0, 0, 0, 8))
        )


def _rest(console: Console, report: Report, texts: int) -> None:
    for finding in report.findings:
        if finding.judged is None:
            console.print()
            console.print(Text("whole messages", style="bold"))
            _finding(console, finding)
    told = {
        (j.change.before, j.change.after) for j in report.assessment.changes if j.change.kind == "definition-renamed"
    }
    named = {
        (naming.before, naming.after) for naming in report.assessment.namings if naming.before != naming.after
    } - told
    if texts or named:
        console.print()
    if texts:
        console.print(f"{texts} description{'' if texts == 1 else 's'} or examples changed")
    for before, after in sorted(named):
        if before and after:
            said = f"{before} is called {after} now"
        else:
            said = f"{after} has a name of its own now" if after else f"{before} has no name of its own any more"
        console.print(Text(said + ": a name that no document holds"))
    for unused in report.unused:
        console.print(Text(f"the exception for {unused.at} covers nothing: it can go", style="yellow"))
    if not report.assessment.changes:
        console.print()
        console.print("nothing changed")
