"""``wirebound diff``: what changed between two versions of a contract, and whom that breaks."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import get_args

import click

from codegen import diff_pipeline as pipeline
from codegen.cli import FINDING, options, terminal
from codegen.diff_pipeline import FORMATS, FailOn, Format


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="What to print; text by default.")
@options.as_json("The same as --format json")
@click.option(
    "--fail-on",
    "fail_on",
    type=click.Choice(get_args(FailOn)),
    multiple=True,
    default=("any",),
    help="What makes the command fail: what is broken for writers, readers or programs; any of them by default.",
)
@click.option(
    "--policy",
    "policy",
    multiple=True,
    metavar="KEY=VALUE",
    callback=options.pairs,
    help="State the contract's policy otherwise: undeclared=free, receivers=tolerant, open_world=true, roots.NAME=request.",
)
@click.option(
    "--exceptions",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Changes that are accepted, instead of exceptions.toml beside the contract.",
)
@options.manifest
@options.dialect
@options.roots
def command(
    old: str,
    new: str,
    form: Format,
    as_json: bool,
    fail_on: tuple[FailOn, ...],
    policy: tuple[str, ...],
    exceptions: Path | None,
    manifest: Path | None,
    dialect: str | None,
    roots: dict[str, Path],
) -> int:
    """Compare two versions of a contract by what they mean. OLD and NEW are documents, folders of a version, folders of
    versions (the newest is meant), or any of these in a revision, as git:REV:PATH.

    Each change is judged for writers (does what the old version writes still pass?), for readers (does a reader of the old
    version survive what the new one writes?) and for programs. What breaks is shown by a document. What cannot be proven to be
    compatible counts as well.

    \b
    The policy of a contract stands in the manifest:
      [tool.wirebound.contracts.NAME.policy]
      undeclared = "reserved"   # or "free": names that an open object does not declare are unused, or anybody's
      receivers = "exact"       # or "tolerant": they drop members that a closed object does not declare
      open_world = false        # or true: they keep tags and enum values that they do not know
      roots = { NAME = "request" }   # the messages, and which way they go: request, response or both

    \b
    Examples:
      wirebound diff schema/shop/1.0 schema/shop/1.1
      wirebound diff git:main:schema/shop/1.1 schema/shop/1.1 --format markdown
      wirebound diff old.json new.json --fail-on write --fail-on read
      wirebound diff old.json new.json --json > changes.json
    """
    given = dict(pair.split("=", 1) for pair in policy)
    with terminal.progress() as note:
        report = pipeline.diff(
            old,
            new,
            manifest=manifest,
            policy=given,
            exceptions=exceptions,
            fail_on=fail_on,
            dialect=dialect,
            roots=roots,
            note=note,
        )
    color = sys.stdout.isatty() and terminal.is_coloured()
    width = shutil.get_terminal_size((120, 24)).columns if color else 120
    terminal.say(pipeline.render(report, "json" if as_json else form, width=width, color=color))
    return FINDING if report.failures else 0
