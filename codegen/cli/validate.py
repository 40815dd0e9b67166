"""``wirebound validate``: documents against a contract, each fault at its place in the file."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from codegen import contract_pipeline as pipeline
from codegen.cli import FINDING, PROBLEM, options, terminal
from codegen.contract_pipeline import Format, Report, Tally, Unknown


@click.command("validate")
@click.argument("contract", type=click.Path(path_type=Path))
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--definition", metavar="NAME", help="What each document is, instead of what the contract says at its root."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(pipeline.FORMATS),
    help="How documents stand in a file: one; one a line; as the items of one array; as the data of server-sent events. "
    "By the file's name where left out: .ndjson, .jsonl, .sse, else json.",
)
@click.option(
    "--unknown",
    type=click.Choice(("reject", "strip", "keep")),
    default="reject",
    show_default=True,
    help="What to make of members and variants that the contract does not list; tolerated ones are told of.",
)
@click.option("--done", metavar="MARKER", help="Data that ends a stream and is no document, such as [DONE].")
@click.option("--json", "as_json", is_flag=True, help="Each fault as one line of JSON, for other tools.")
@click.option(
    "--assert-format",
    "formats",
    multiple=True,
    metavar="NAME",
    help="Refuse texts that are not of the format that the contract gives them: date-time, uuid … (all: each that can be).",
)
@options.dialect
@options.roots
def command(
    contract: Path,
    files: tuple[str, ...],
    definition: str | None,
    format_: Format | None,
    unknown: Unknown,
    done: str | None,
    as_json: bool,
    formats: tuple[str, ...],
    dialect: str | None,
    roots: dict[str, Path],
) -> int:
    """Judge the documents in each FILE ("-" is standard input) by CONTRACT, and tell of every fault.

    Logs of any size are gone through in constant memory. Exits with 1 where a document is refused.

    \b
    Examples:
      wirebound validate schema.json document.json
      wirebound validate schema.json --definition Order orders.ndjson
      wirebound validate schema.json --assert-format date-time --json orders.ndjson
      curl -sN https://example.org/stream | wirebound validate schema.json - --format sse --done [DONE]
    """
    with terminal.progress() as note:
        codec = pipeline.codec(contract, definition, dialect=dialect, roots=roots, formats=formats, note=note)
    tally = Tally()
    for path in files:
        name = "<stdin>" if path == "-" else path
        for report in pipeline.validate(codec, path, tally, format=format_, unknown=unknown, done=done):
            terminal.say(_json(name, report) if as_json else _text(name, report))
    terminal.flush()
    terminal.warn(_summary(tally))
    return PROBLEM if tally.unread else FINDING if tally.faults else 0


def _text(path: str, report: Report) -> str:
    expected = f", expected {report.expected}" if report.expected else ", tolerated" if report.tolerated else ""
    lines = [f"{path}:{report.line}:{report.column}: {report.code}: found {report.found}{expected}"]
    if report.pointer:
        lines.append(f"  at {report.pointer}")
    if report.rule:
        lines.append(f"  rule {report.rule}" + (f" of {report.definition}" if report.definition else ""))
    return "\n".join(lines) + "\n"


def _json(path: str, report: Report) -> str:
    return json.dumps({"path": path, **asdict(report)}, ensure_ascii=False) + "\n"


def _summary(tally: Tally) -> str:
    text = f"{_number(tally.documents, 'document')} in {_number(tally.files, 'file')}: "
    text += f"{_number(tally.faults, 'fault')} in {tally.refused:,}" if tally.faults else "no fault"
    text += f", {tally.tolerated:,} tolerated" if tally.tolerated else ""
    return text + (f"; {_number(tally.unread, 'file')} cannot be read" if tally.unread else "")


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
