"""``wirebound verify``: whether everything that is made of a contract agrees with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import click

from codegen import verify_pipeline as pipeline
from codegen.cli import FINDING, options, terminal
from codegen.verify import Row, Table

MOST = 5
"""Differences of a row that are shown."""


@click.command("verify")
@click.argument("contract", required=False, type=click.Path(path_type=Path))
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help=f"Only this: {', '.join(pipeline.SUBJECTS)}; python is all of its parts.",
)
@click.option(
    "--documents",
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Documents of your own: DIR/<Definition>/*.json, or in valid/ and invalid/ there; DIR/*.json are the root's.",
)
@click.option("--json", "as_json", is_flag=True, help="The tables as one JSON value, with every difference.")
@options.dialect
@options.roots
@options.overlays
def command(
    contract: Path | None,
    targets: tuple[str, ...],
    documents: Path | None,
    as_json: bool,
    dialect: str | None,
    roots: dict[str, Path],
    overlays: tuple[Path, ...],
) -> int:
    """Prove that what is made of CONTRACT agrees with it: of each contract of the manifest, where none is named.

    The contract's own documents (fixtures, examples), and thousands that are derived from its definitions on both sides of
    their borders, go through every target and through an oracle, the package jsonschema. The table says how many verdicts are
    equal, how many documents come back as they were, how many bad fields are one fault, and how long a document takes. Exits
    with 1 where anything differs.

    \b
    Examples:
      wirebound verify
      wirebound verify schema.json --target python/msgspec
      wirebound verify schema.json --documents recorded/ --json
    """
    with terminal.progress() as note:
        tables = pipeline.verify(
            contract, targets=targets, documents=documents, dialect=dialect, roots=roots, overlays=overlays, note=note
        )
    if as_json:
        terminal.tell([asdict(table) for table in tables])
    else:
        terminal.say("\n".join(map(_text, tables)))
    return FINDING if any(table.differences for table in tables) else 0


def _text(table: Table) -> str:
    head = f"{table.contract}: {table.documents:,} documents"
    head += f" ({table.own:,} its own)" if table.own else ""
    head += f", of {table.asked:,} the oracle's verdict" if table.asked < table.documents else ""
    lines = [f"{head}; {table.spoiled:,} with one bad field"]
    cells = [["", "verdicts", "round trips", "one fault", "read, µs", "write, µs"]]
    cells += [_cells(row) for row in table.rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    for line in cells:
        first, *others = [
            cell.ljust(width) if not i else cell.rjust(width) for i, (cell, width) in _counted(line, widths)
        ]
        lines.append(f"  {first}  {'  '.join(others)}".rstrip())
    for row in table.rows:
        for one in islice(row.differences, MOST):
            lines.append(f"{row.subject}: {one.definition or 'the root'}: {one.what}")
            lines.append(f"  expected {one.expected}, found {one.found}")
            lines.append(f"  of {_cut(one.document)}")
        if len(row.differences) > MOST:
            lines.append(f"{row.subject}: {len(row.differences) - MOST:,} more")
    lines.append(f"{table.differences:,} difference{'' if table.differences == 1 else 's'}")
    return "\n".join(lines) + "\n"


def _counted(line: Sequence[str], widths: Sequence[int]) -> enumerate[tuple[str, int]]:
    return enumerate(zip(line, widths, strict=True))


def _cells(row: Row) -> list[str]:
    def pair(numbers: tuple[int, int] | None) -> str:
        if numbers is None:
            return ""
        return f"{numbers[1]:,}" if numbers[0] == numbers[1] else f"{numbers[0]:,} of {numbers[1]:,}"

    def time(value: float | None) -> str:
        return "" if value is None else f"{value:.1f}"

    return [row.subject, *map(pair, (row.verdicts, row.trips, row.single)), *map(time, (row.read, row.write))]


def _cut(text: str) -> str:
    return text if len(text) <= 400 else text[:399] + "…"
