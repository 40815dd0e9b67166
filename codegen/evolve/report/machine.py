"""A report → what other programs read: JSON, annotations of GitHub, JUnit, SARIF.

Must not be read by people first: each form follows its reader's rules. The JSON form is ours; ``wirebound`` in it says which
version of the form it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from codegen.evolve.changes import WORDS, Change
from codegen.evolve.report import Finding, Report, telling
from codegen.evolve.verdicts import AXES, Verdict
from codegen.pointer import Origin

VERSION = 1
"""Version of the JSON form; it grows when a member is renamed or removed."""


# --- JSON -------------------------------------------------------------------------------------------------------------


def as_json(report: Report) -> str:
    """Everything there is to tell."""
    whole = {
        "wirebound": VERSION,
        "old": report.old,
        "new": report.new,
        "step": report.assessment.step,
        "overall": {axis: _verdict(report.assessment.on(axis)) for axis in AXES},
        "unexplained": list(report.assessment.unexplained),
        "changes": [
            {
                "kind": judged.change.kind,
                "definition": judged.change.place.definition,
                "path": judged.change.place.path,
                "before": judged.change.before,
                "after": judged.change.after,
                "shared_by": list(judged.change.shared_by),
                "at": _place(report, judged.change),
                "verdicts": {axis: _verdict(judged.on(axis)) for axis in AXES},
                "accepted": {f.axis: _accepted(f) for f in report.of(judged) if f.accepted is not None},
            }
            for judged in report.assessment.changes
        ],
        "names": [
            {"definition": n.place.definition, "path": n.place.path, "before": n.before, "after": n.after}
            for n in report.assessment.namings
        ],
        "failures": len(report.failures),
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _verdict(verdict: Verdict) -> dict[str, Any]:
    told: dict[str, Any] = {"answer": verdict.answer, "reason": verdict.reason}
    if verdict.witness is not None:
        told["witness"] = {"definition": verdict.witness.definition, "document": verdict.witness.document}
    return told


def _place(report: Report, change: Change) -> dict[str, Any]:
    told: dict[str, Any] = {"old": _pointer(change.place.old), "new": _pointer(change.place.new)}
    if position := report.position(change):
        told |= {"file": position.path, "line": position.line, "column": position.column}
    return told


def _pointer(origin: Origin | None) -> str | None:
    return None if origin is None else str(origin)


def _accepted(finding: Finding) -> dict[str, Any]:
    assert finding.accepted is not None
    return {"reason": finding.accepted.reason, "expires": str(finding.accepted.expires), "over": finding.over}


# --- GitHub -----------------------------------------------------------------------------------------------------------


def github(report: Report) -> str:
    """Workflow commands: an annotation for each finding, at its line."""
    lines = []
    for finding in report.findings:
        command = "error" if finding in report.failures else "warning"
        title = f"{finding.axis} {finding.verdict.answer}"
        place = ""
        if finding.judged is not None and (position := report.position(finding.judged.change)):
            place = f"file={_property(position.path)},line={position.line},col={position.column},"
        message = telling.finding(finding)
        if document := telling.document(finding.verdict):
            message += "\n" + telling.cut(document)
        lines.append(f"::{command} {place}title={_property(title)}::{_message(message)}")
    lines.append(f"::notice title=wirebound diff::{_message(telling.overall(report))}")
    return "\n".join(lines) + "\n"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


# --- JUnit ------------------------------------------------------------------------------------------------------------


def junit(report: Report) -> str:
    """A test case for each change and each axis of the whole; findings fail them, accepted ones skip them."""
    name = f"{report.old} → {report.new}"
    suite = ElementTree.Element("testsuite", name=_xml(name))
    failed = skipped = 0
    for judged in report.assessment.changes:
        case = _case(suite, judged.change)
        found = report.of(judged)
        failures = [finding for finding in found if finding in report.failures]
        for finding in failures[:1]:
            failed += 1
            text = "\n".join(filter(None, (line for f in failures for line in _lines(f))))
            failure = ElementTree.SubElement(case, "failure", message=_xml(telling.finding(finding)), type=finding.axis)
            failure.text = _xml(text)
        if found and not failures:
            skipped += 1
            ElementTree.SubElement(case, "skipped", message=_xml("; ".join(telling.finding(f) for f in found)))
    for axis in AXES:
        case = ElementTree.SubElement(suite, "testcase", classname="overall", name=axis)
        unexplained = [finding for finding in report.failures if finding.judged is None and finding.axis == axis]
        for finding in unexplained:
            failed += 1
            failure = ElementTree.SubElement(case, "failure", message=_xml(finding.verdict.reason), type=axis)
            failure.text = _xml(telling.document(finding.verdict))
    suite.attrib |= {
        "tests": str(len(report.assessment.changes) + len(AXES)),
        "failures": str(failed),
        "skipped": str(skipped),
        "errors": "0",
    }
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, change: Change) -> ElementTree.Element:
    classname, name = change.place.definition or "(root)", f"{change.place}: {telling.change(change, 200)}"
    return ElementTree.SubElement(suite, "testcase", classname=_xml(classname), name=_xml(name))


def _lines(finding: Finding) -> Iterator[str]:
    yield telling.finding(finding)
    yield telling.document(finding.verdict)


def _xml(text: str) -> str:
    """Without the characters that XML 1.0 cannot hold."""
    return "".join(c if c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff") else "\ufffd" for c in text)


# --- SARIF ------------------------------------------------------------------------------------------------------------


def sarif(report: Report) -> str:
    """SARIF 2.1.0: a result for each finding; accepted ones are suppressed, with their reason."""
    words = {"whole-messages": "whole messages are refused"} | {str(kind): said for kind, said in WORDS.items()}
    kinds = dict.fromkeys(_rule(finding) for finding in report.findings)
    rules = [{"id": kind, "shortDescription": {"text": words[kind]}} for kind in kinds]
    run = {
        "tool": {"driver": {"name": "wirebound", "rules": rules}},
        "results": [_result(report, finding) for finding in report.findings],
        "columnKind": "unicodeCodePoints",
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(finding: Finding) -> str:
    return finding.judged.change.kind if finding.judged else "whole-messages"


def _result(report: Report, finding: Finding) -> dict[str, Any]:
    text = telling.finding(finding)
    if document := telling.document(finding.verdict):
        text += f"\n{telling.cut(document)}"
    told: dict[str, Any] = {
        "ruleId": _rule(finding),
        "level": "error" if finding in report.failures else "warning",
        "message": {"text": text},
    }
    if finding.judged is not None and (position := report.position(finding.judged.change)):
        region = {"startLine": position.line, "startColumn": position.column}
        physical = {"artifactLocation": {"uri": _uri(position.path)}, "region": region}
        logical = {"fullyQualifiedName": str(finding.judged.change.place)}
        told["locations"] = [{"physicalLocation": physical, "logicalLocations": [logical]}]
    if finding.accepted is not None and not finding.over:
        told["suppressions"] = [{"kind": "external", "justification": finding.accepted.reason}]
    return told


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path, safe="/:")
