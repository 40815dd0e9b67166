"""A change, a verdict → the sentences that every form of a report has in common.

Must not lay anything out.
"""

from __future__ import annotations

import json

from codegen.evolve.changes import WORDS, Change
from codegen.evolve.report import Finding, Report
from codegen.evolve.verdicts import AXES, Verdict

LONGEST = 2_000
"""Characters of a document, a description or a type that are shown."""


def cut(text: str, longest: int = LONGEST) -> str:
    """``text`` on one line, not longer than that."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def change(one: Change, longest: int = LONGEST) -> str:
    """What changed, with what was before and after."""
    said = [cut(text, longest) for text in (one.before, one.after)]
    if all(said) or (any(said) and one.kind.endswith("-changed")):
        return f"{WORDS[one.kind]}: {said[0] or 'none'} → {said[1] or 'none'}"
    return f"{WORDS[one.kind]}: {said[0] or said[1]}" if any(said) else WORDS[one.kind]


def document(verdict: Verdict) -> str:
    """The witness of a verdict as JSON; empty where there is none."""
    if verdict.witness is None:
        return ""
    return json.dumps(verdict.witness.document, ensure_ascii=False)


def finding(one: Finding) -> str:
    """A finding on one line."""
    where = str(one.judged.change.place) + ": " + change(one.judged.change, 200) if one.judged else "whole messages"
    return f"{where}: {one.axis} {one.verdict.answer}: {one.verdict.reason}{standing(one)}"


def standing(one: Finding) -> str:
    """Whether somebody accepted a finding."""
    if one.accepted is None:
        return ""
    if one.over:
        return f" (accepted until {one.accepted.expires}, which is over: {one.accepted.reason})"
    return f" (accepted until {one.accepted.expires}: {one.accepted.reason})"


def overall(report: Report) -> str:
    """The answers and the step on one line."""
    answers = ", ".join(f"{axis} {report.assessment.on(axis).answer}" for axis in AXES)
    return f"{answers}; version step: {report.assessment.step}"
