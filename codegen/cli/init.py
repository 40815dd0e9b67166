"""``wirebound init``: a working manifest for a contract at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from codegen import contract_pipeline as pipeline
from codegen.cli import options, terminal
from codegen.paths import display, segment_fault


def _name(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    if given is not None and (fault := segment_fault(given)):
        raise click.BadParameter(fault)
    return given


@click.command("init")
@click.argument("contract", type=click.Path(path_type=Path), required=False)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    default=("python",),
    show_default="python",
    shell_complete=options.completed("targets"),
    help="What to make of it; may be given several times.",
)
@click.option(
    "--name", metavar="NAME", callback=_name, help="What the contract is called, instead of a name from its file."
)
@click.option(
    "--ci",
    type=click.Choice(["github"]),
    help="Write a workflow too: outputs up to date, reference, publishing. Alone, where a manifest is there.",
)
@options.dialect
@options.roots
def command(
    contract: Path | None,
    targets: tuple[str, ...],
    name: str | None,
    ci: Literal["github"] | None,
    dialect: str | None,
    roots: dict[str, Path],
) -> None:
    """Write wirebound.toml for CONTRACT, or for the one contract in this folder. Asks nothing, overwrites nothing.

    Each version of a contract has a folder of its own, schema/<name>/<version>/. A contract that lies elsewhere is copied
    there, with the files it refers to.

    \b
    Examples:
      wirebound init
      wirebound init --ci github
      wirebound init ~/protocol/schema.json --target python --target jsonschema
      wirebound generate
    """
    with terminal.progress() as note:
        written = pipeline.init(contract, targets=targets, name=name, dialect=dialect, roots=roots, ci=ci, note=note)
    for path in written:
        terminal.say(f"wrote   {display(path)}\n")
    terminal.flush()
    terminal.warn("to write the outputs, run: wirebound generate")
