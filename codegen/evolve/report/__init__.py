"""Verdicts, exceptions, places in files → what is told, in one of several forms.

Must not judge: what counts as a finding follows from the verdicts, from what the caller asks to fail on, and from what was
accepted. Every form is made from the same ``Report``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from codegen.errors import Position
from codegen.evolve.changes import Change
from codegen.evolve.exceptions import Accepted
from codegen.evolve.verdicts import AXES, Assessment, Axis, Judged, Verdict

Format: TypeAlias = Literal["text", "json", "markdown", "github", "junit", "sarif"]
FORMATS: tuple[Format, ...] = get_args(Format)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A verdict that is not compatible. ``judged`` is the change (None: of whole messages, where no change explains it).
    ``accepted``: the exception that covers it; ``over``: its time is over, so that it covers nothing."""

    judged: Judged | None
    axis: Axis
    verdict: Verdict
    accepted: Accepted | None = None
    over: bool = False

    @property
    def counts(self) -> bool:
        """Nobody accepted it."""
        return self.accepted is None or self.over


@dataclass(frozen=True)
class Report:
    """Everything that is told of two versions. ``old`` and ``new`` are what people call them; ``position`` finds a change in
    one of the two texts; ``failing``: the axes on which findings make the command fail."""

    old: str
    new: str
    assessment: Assessment
    position: Callable[[Change], Position | None]
    failing: tuple[Axis, ...] = AXES
    exceptions: tuple[Accepted, ...] = ()
    today: date = date.min

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Every verdict that is not compatible, change by change, then those of whole messages."""
        found = []
        for judged in self.assessment.changes:
            for axis in AXES:
                verdict = judged.on(axis)
                if verdict.answer != "compatible":
                    found.append(self._finding(judged, axis, verdict))
        for axis in self.assessment.unexplained:
            found.append(Finding(judged=None, axis=axis, verdict=self.assessment.on(axis)))
        return tuple(found)

    def _finding(self, judged: Judged, axis: Axis, verdict: Verdict) -> Finding:
        covering = [one for one in self.exceptions if one.covers(judged.change, axis)]
        if not covering:
            return Finding(judged=judged, axis=axis, verdict=verdict)
        last = max(covering, key=lambda one: one.expires)
        return Finding(judged=judged, axis=axis, verdict=verdict, accepted=last, over=last.expires < self.today)

    @cached_property
    def failures(self) -> tuple[Finding, ...]:
        """The findings that make the command fail. What is not proven to be compatible counts like what is broken."""
        return tuple(finding for finding in self.findings if finding.counts and finding.axis in self.failing)

    @cached_property
    def unused(self) -> tuple[Accepted, ...]:
        """Exceptions that cover nothing."""
        used = {finding.accepted.origin for finding in self.findings if finding.accepted is not None}
        return tuple(one for one in self.exceptions if one.origin not in used)

    def of(self, judged: Judged) -> tuple[Finding, ...]:
        """The findings of one change."""
        return tuple(finding for finding in self.findings if finding.judged is judged)


def render(report: Report, form: Format, *, width: int = 120, color: bool = False) -> str:
    """The report in a form. ``width`` and ``color`` are a terminal's."""
    # Imported here: each form is for another reader, and most runs have one.
    from codegen.evolve.report import machine, markdown, terminal

    match form:
        case "text":
            return terminal.text(report, width=width, color=color)
        case "markdown":
            return markdown.markdown(report)
        case "json":
            return machine.as_json(report)
        case "github":
            return machine.github(report)
        case "junit":
            return machine.junit(report)
        case "sarif":
            return machine.sarif(report)
