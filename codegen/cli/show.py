"""``wirebound show``: what the tool understands of a contract."""

from __future__ import annotations

from pathlib import Path

import click

from codegen import pipeline
from codegen.cli import options, terminal


@click.command("show")
@click.argument("contract", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The whole model, for other tools.")
@click.option("--names", is_flag=True, help="The public names, and where each comes from.")
@click.option("--unions", is_flag=True, help="How the members of each union are told apart.")
@options.dialect
@options.roots
@options.overlays
def command(
    contract: Path,
    as_json: bool,
    names: bool,
    unions: bool,
    dialect: str | None,
    roots: dict[str, Path],
    overlays: tuple[Path, ...],
) -> None:
    """Print the model of CONTRACT: every operation, definition, field, type and check.

    \b
    Examples:
      wirebound show schema.json
      wirebound show schema.json --unions
      wirebound show schema.json --json
      wirebound show openapi.yaml --overlay overlay.yaml
    """
    asked = [what for what, flag in (("json", as_json), ("names", names), ("unions", unions)) if flag]
    if len(asked) > 1:
        raise click.UsageError("--json, --names and --unions exclude each other")
    terminal.say(pipeline.show(contract, *asked, dialect=dialect, roots=roots, overlays=overlays))
