"""``wirebound bump``: the next version of a contract, and everything that follows from it."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from codegen import bump_pipeline as pipeline
from codegen.bump_pipeline import Bumped
from codegen.cli import options, terminal
from codegen.paths import display


@click.command("bump")
@click.argument("new", metavar="NEW-CONTRACT")
@click.option("--version", "version", metavar="VERSION", help="Which version it is, where it does not say so itself.")
@click.option(
    "--contract", metavar="NAME", help="The contract that it is a version of, where the manifest has several."
)
@click.option("--dry-run", is_flag=True, help="Show the verdict and what would be written, and write nothing.")
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand or are not the tool's.")
@options.manifest
@options.as_json("The verdict, what was written and what is left to do, as one object")
def command(
    new: str,
    version: str | None,
    contract: str | None,
    dry_run: bool,
    force: bool,
    manifest: Path | None,
    as_json: bool,
) -> int:
    """Install NEW-CONTRACT as the next version of a contract. It is a document, or the folder of a version with examples and
    whatever else belongs to it, or either in a revision, as git:REV:PATH.

    The verdict on the changes is shown. New names go into the ledger, translations are carried over (what has to be translated
    anew is marked), and so is an overlay. Every output is generated, and CHANGELOG.md beside the contract says what changed.
    All is written, or nothing.

    \b
    Examples:
      wirebound bump ~/Downloads/schema.json --dry-run
      wirebound bump ~/Downloads/schema.json --dry-run --json
      wirebound bump ~/Downloads/schema.json --version 1.1
      wirebound bump git:origin/next:spec/schema.json --contract shop
    """
    with terminal.progress() as note:
        bumped = pipeline.bump(
            new, version=version, contract=contract, manifest=manifest, dry_run=dry_run, force=force, note=note
        )
    if as_json:
        terminal.tell(_value(bumped, dry_run))
        return 0
    if bumped.report is None:
        terminal.say(f"an interrupted run was finished: {bumped.contract} {bumped.version} is installed\n")
        return 0
    color = sys.stdout.isatty() and terminal.is_coloured()
    width = shutil.get_terminal_size((120, 24)).columns if color else 120
    terminal.say(pipeline.render(bumped.report, "text", width=width, color=color))
    told(bumped, dry_run)
    return 0


def _value(bumped: Bumped, dry_run: bool) -> dict[str, Any]:
    """What was done, for programs. ``report`` is null where an interrupted run was finished."""
    return {
        "contract": bumped.contract,
        "version": bumped.version,
        "document": display(bumped.document),
        "dry_run": dry_run,
        "report": None if bumped.report is None else json.loads(pipeline.render(bumped.report, "json")),
        "written": [display(change.path) for change in bumped.changes if change.content is not None],
        "deleted": [display(change.path) for change in bumped.changes if change.content is None],
        "packages": [
            {"job": one.job, "version": one.version, "before": one.before, "needs_major_step": one.is_short}
            for one in bumped.packages
        ],
        "translations": [
            {"language": language, "state": one.state, "place": one.place} for language, one in bumped.translations
        ],
        "jobs_without_it": list(bumped.unasked),
    }


def told(bumped: Bumped, dry_run: bool) -> None:
    """Say what comes of the verdict, and what is left to do."""
    written = sum(change.content is not None for change in bumped.changes)
    done = "would be " if dry_run else ""
    terminal.say(f"\n{bumped.contract} {bumped.version}: {written} files {done}written\n")
    terminal.say(f"  {display(bumped.document.parent)}\n")
    for proposal in bumped.packages:
        terminal.say(f"  {proposal.job}: package {proposal.version} (after {proposal.before})\n")
        if proposal.is_short:
            terminal.warn(
                f"{proposal.job}: the contract takes a major step, and {proposal.version} is none after {proposal.before}: "
                "choose another --version, or a package_version in the job"
            )
    for (language, state), count in sorted(
        Counter((language, one.state) for language, one in bumped.translations).items()
    ):
        terminal.say(f"  {language}: {count} translation{'' if count == 1 else 's'} {state}\n")
    for language in sorted({language for language, one in bumped.translations if one.state != "unused"}):
        terminal.warn(f"to see what has to be translated, run: wirebound i18n status {language}")
    for job in bumped.unasked:
        terminal.warn(f'the job "{job}" states its versions: add "{bumped.version}" to have it made of this one')
