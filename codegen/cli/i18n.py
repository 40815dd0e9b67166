"""``wirebound i18n``: the translations of contracts, brought up to date or judged."""

from __future__ import annotations

from pathlib import Path

import click

from codegen import docs_pipeline
from codegen.cli import FINDING, options, terminal
from codegen.errors import shown
from codegen.paths import display


@click.group("i18n")
def command() -> None:
    """Translations of contracts: schema/<contract>/i18n/<language>.toml.

    \b
    Examples:
      wirebound i18n update ko
      wirebound i18n status
      wirebound i18n status ko --json
    """


@command.command("update")
@click.argument("language")
@click.argument("contracts", metavar="[CONTRACT]...", nargs=-1)
@options.manifest
@options.as_json("What was written, and what is missing or stale, as one object")
def update(language: str, contracts: tuple[str, ...], manifest: Path | None, as_json: bool) -> None:
    """Add what LANGUAGE lacks, and mark what is stale, for every CONTRACT (all of the manifest where none is named).

    A new entry has an empty text; a stale one keeps its translation and has a line `stale = true`, to be removed once the
    text is translated anew. Above both stands the text of the contract.
    """
    with terminal.progress() as note:
        changes, found = docs_pipeline.update_catalogue(manifest, language, contracts, note=note)
    if as_json:
        written = [display(change.path) for change in changes]
        states = [
            {"contract": contract, **_stated(finding.state, finding.place, finding.text)} for contract, finding in found
        ]
        terminal.tell({"written": written, "findings": states})
        return
    for change in changes:
        terminal.say(f"{display(change.path)} written\n")
    for state in ("missing", "stale", "unused"):
        if count := sum(finding.state == state for _, finding in found):
            terminal.say(f"{count} {state}\n")
    if not changes:
        terminal.say("nothing to do\n")


@command.command("status")
@click.argument("language", required=False)
@click.argument("contracts", metavar="[CONTRACT]...", nargs=-1)
@options.manifest
@options.as_json("The list as one array")
def status(language: str | None, contracts: tuple[str, ...], manifest: Path | None, as_json: bool) -> int:
    """List what is missing or stale in LANGUAGE (in every language that has a catalogue), and exit 1 if anything is."""
    with terminal.progress() as note:
        found = docs_pipeline.catalogue_status(manifest, language, contracts, note=note)
    exit_code = FINDING if any(finding.state != "unused" for *_, finding in found) else 0
    if as_json:
        terminal.tell(
            [
                {"contract": name, "language": spoken, **_stated(one.state, one.place, one.text)}
                for name, spoken, one in found
            ]
        )
        return exit_code
    for contract, spoken, finding in found:
        terminal.say(f"{finding.state:<8}{contract} {spoken}  {finding.place}  {shown(finding.text)}\n")
    terminal.flush()
    return exit_code


def _stated(state: str, place: str, text: str) -> dict[str, str]:
    return {"state": state, "place": place, "text": text}
