"""``wirebound generate``: every output of a manifest, written or compared."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from codegen import pipeline
from codegen.cli import FINDING, options, terminal
from codegen.errors import OutputError
from codegen.manifest import REGENERATE
from codegen.paths import display, top


@click.command("generate")
@click.argument("jobs", metavar="[JOB]...", nargs=-1, shell_complete=options.completed("jobs"))
@click.option("--check", is_flag=True, help="Write nothing; list what is not up to date and exit 1.")
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand or are not the tool's.")
@options.manifest
@options.as_json("What was written, or what is not up to date, as one object")
def command(jobs: tuple[str, ...], check: bool, force: bool, manifest: Path | None, as_json: bool) -> int:
    """Write the outputs of every job, or of each JOB alone: contract/job, contract/version/job or job.

    The manifest is [tool.wirebound] in pyproject.toml, or wirebound.toml, of this folder or the nearest above.
    All is written, or nothing: a problem in any job leaves every output as it was.

    \b
    Examples:
      wirebound generate
      wirebound generate --check
      wirebound generate my-protocol/python
      wirebound generate --check --json
    """
    if check and force:
        raise click.UsageError("--check writes nothing, so there is nothing to --force")
    with terminal.progress() as note:
        if check:
            outcome = pipeline.check(manifest, jobs, note=note)
        else:
            outcome = pipeline.generate(manifest, jobs, force=force, note=note)
    if check:
        return compared(outcome, as_json)
    told(outcome, as_json)
    return 0


def told(outcome: pipeline.Outcome, as_json: bool = False) -> None:
    """Say what was written."""
    if as_json:
        done = [("deleted" if change.content is None else "written", change.path) for change in outcome.changes]
        terminal.tell({"recovered": outcome.recovered, "changes": _listed(done)})
        return
    if outcome.recovered:
        terminal.say("an interrupted run was finished first\n")
    written = sum(change.content is not None for change in outcome.changes)
    deleted = len(outcome.changes) - written
    parts = [_files(written, "written")] if written else []
    parts += [_files(deleted, "deleted")] if deleted else []
    terminal.say((", ".join(parts) or "nothing to do") + "\n")


def compared(outcome: pipeline.Outcome, as_json: bool = False) -> int:
    """Say what is not up to date; the exit code."""
    lines = [("pending", outcome.pending)] if outcome.pending else []
    lines += sorted([(change.kind, change.path) for change in outcome.changes], key=lambda line: line[1])
    lines += [("extra", path) for path in outcome.strays]
    if as_json:
        problems = [terminal.stated(problem, top) for problem in outcome.problems]
        terminal.tell({"changes": _listed(lines), "problems": problems})
        return FINDING if lines else 0
    for kind, path in lines:
        terminal.say(f"{kind:<8}{display(path)}\n")
    terminal.flush()
    if outcome.problems:
        terminal.complain(OutputError(outcome.problems, top))
    if outcome.pending or outcome.changes:
        terminal.warn(f"to bring the outputs up to date, run: {REGENERATE}")
    if outcome.strays:
        terminal.warn(
            f"{_files(len(outcome.strays), 'found')} that the tool did not write: move what is extra elsewhere"
        )
    return FINDING if lines else 0


def _listed(lines: Iterable[tuple[str, Path]]) -> list[dict[str, str]]:
    return [{"kind": kind, "path": display(path)} for kind, path in lines]


def _files(number: int, what: str) -> str:
    return f"{number} file{'' if number == 1 else 's'} {what}"
