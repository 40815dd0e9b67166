"""``wirebound build``: one contract and one target, without a manifest."""

from __future__ import annotations

from pathlib import Path

import click

from codegen import pipeline
from codegen.cli import options, terminal
from codegen.cli.generate import told


@click.command("build")
@click.argument("contract", type=click.Path(path_type=Path))
@click.option(
    "--target",
    required=True,
    metavar="NAME",
    shell_complete=options.completed("targets"),
    help="What to make of it, such as python.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder for it; the tool owns it then.",
)
@click.option(
    "-o",
    "--option",
    "pairs",
    multiple=True,
    metavar="KEY=VALUE",
    callback=options.pairs,
    help="An option of the target.",
)
@options.dialect
@options.roots
@options.overlays
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand or are not the tool's.")
@options.as_json("What was written, as one object")
def command(
    contract: Path,
    target: str,
    out: Path,
    pairs: tuple[str, ...],
    dialect: str | None,
    roots: dict[str, Path],
    overlays: tuple[Path, ...],
    force: bool,
    as_json: bool,
) -> None:
    """Write what a target makes of CONTRACT, a JSON Schema or OpenAPI document.

    outline.toml and names.toml are read where they lie beside CONTRACT or in the folder above; neither is written.

    \b
    Examples:
      wirebound build schema.json --target python --out build/bindings -o package=my_bindings
      wirebound build openapi.yaml --target jsonschema --out build/schema --json
    """
    with terminal.progress() as note:
        outcome = pipeline.build_into(
            contract,
            out,
            target=target,
            options=pairs,
            dialect=dialect,
            roots=roots,
            overlays=overlays,
            force=force,
            note=note,
        )
    told(outcome, as_json)
