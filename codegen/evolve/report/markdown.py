"""A report → Markdown for a pull request: the answers, what breaks, and everything else folded away.

Must not trust any text of a contract: descriptions, values and names are shown as what they are, never read as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.evolve.report import Report, telling
from codegen.evolve.verdicts import AXES, Judged


def markdown(report: Report) -> str:
    """The whole report."""
    lines = [f"## {escaped(report.old)} → {escaped(report.new)}", "", *_overall(report)]
    broken = [judged for judged in report.assessment.changes if report.of(judged)]
    if broken or report.assessment.unexplained:
        lines += ["", "### What breaks, or is not proven to be compatible", ""]
        for judged in broken:
            lines += _finding(report, judged)
        for finding in report.findings:
            if finding.judged is None:
                lines += _item(f"whole messages: **{finding.axis} {finding.verdict.answer}**", finding.verdict.reason)
                lines += _document(telling.document(finding.verdict))
    harmless = [judged for judged in report.assessment.changes if not report.of(judged)]
    if harmless:
        lines += ["", "<details>", f"<summary>{len(harmless)} compatible changes</summary>", ""]
        lines += [f"- {code(str(j.change.place))}: {escaped(telling.change(j.change, 200))}" for j in harmless]
        lines += ["", "</details>"]
    if report.unused:
        lines += ["", *(f"- the exception for {code(one.at)} covers nothing: it can go" for one in report.unused)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _overall(report: Report) -> Iterator[str]:
    if not report.assessment.changes:
        yield "Nothing changed."
        yield ""
    yield "| | |"
    yield "|---|---|"
    for axis in AXES:
        verdict = report.assessment.on(axis)
        answer = f"**{verdict.answer}**" if verdict.answer != "compatible" else verdict.answer
        yield f"| {axis} | {answer}: {escaped(verdict.reason)} |"
    yield f"| version step | {report.assessment.step} |"


def _finding(report: Report, judged: Judged) -> Iterator[str]:
    change = judged.change
    where = ""
    if position := report.position(change):
        where = f" ({code(f'{position.path}:{position.line}')})"
    yield f"- {code(str(change.place))}: {escaped(telling.change(change, 200))}{where}"
    for finding in report.of(judged):
        verdict = finding.verdict
        yield f"  - **{finding.axis} {verdict.answer}**: {escaped(verdict.reason)}{escaped(telling.standing(finding))}"
        if verdict.witness is not None:
            yield from ("  " + line for line in _document(telling.document(verdict)))


def _item(head: str, reason: str) -> Iterator[str]:
    yield f"- {head}: {escaped(reason)}"


def _document(text: str) -> Iterator[str]:
    if text:
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        yield from ("", f"  {fence}json", f"  {telling.cut(text)}", f"  {fence}", "")


def escaped(text: str) -> str:
    """Text that stays text, on one line."""
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]#|~@])", r"\\\1", text)


def code(text: str) -> str:
    """Text as a code span, whatever backticks it holds."""
    text = " ".join(text.split())
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
