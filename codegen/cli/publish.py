"""``wirebound publish``: the packages of a manifest, to a repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from codegen import publish_pipeline as pipeline
from codegen.cli import PROBLEM, options, terminal


@click.command("publish")
@click.argument("jobs", metavar="[JOB]...", nargs=-1, shell_complete=options.completed("jobs"))
@click.option("--repository", required=True, metavar="URL", help="Where to upload; no credentials in it.")
@click.option(
    "--index", metavar="URL", help="The simple API that shows what the repository has, if it is not the usual one."
)
@click.option("--dry-run", is_flag=True, help="Do everything but upload.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--accept-breaking", is_flag=True, help="Publish a breaking change although the version has no major step."
)
@options.manifest
@options.as_json("What is there, what is to be sent and what was sent, as one object")
def command(
    jobs: tuple[str, ...],
    repository: str,
    index: str | None,
    dry_run: bool,
    yes: bool,
    accept_breaking: bool,
    manifest: Path | None,
    as_json: bool,
) -> int:
    """Package every job with target python, or each JOB, and upload what was made.

    Nothing is sent unless all of it is proven (wirebound package), made again from the contract in it, committed, not yet
    published with other bytes, and no breaking change for those who have the release before it. Then you are asked.

    A token is read from TWINE_PASSWORD (with TWINE_USERNAME, if it is not __token__), or by twine from the keyring.

    \b
    Examples:
      wirebound publish --repository https://packages.example.org/legacy/ --dry-run
      wirebound publish --repository https://packages.example.org/legacy/ --dry-run --json
      wirebound publish my-protocol/python --repository https://packages.example.org/legacy/
    """
    with terminal.progress() as note:
        releases = pipeline.judge(
            manifest, jobs, repository=repository, index=index, accept_breaking=accept_breaking, note=note
        )
    if as_json:
        if not dry_run and not yes:
            raise click.UsageError("with --json nobody is asked: say --dry-run or --yes")
        sent = [] if dry_run else [name for release in releases for name in _sent(release, repository, index)]
        terminal.tell({"releases": list(map(_stated, releases)), "sent": sent})
        return 0
    for release in releases:
        for name in release.there:
            terminal.say(f"there   {name}\n")
        for name, content in release.files.items():
            terminal.say(f"{'ready' if dry_run else 'to send':<8}{name} ({len(content):,} bytes)\n")
    terminal.flush()
    if dry_run:
        terminal.warn("nothing was sent")
        return 0
    if not yes and not _agreed(repository):
        terminal.warn("nothing was sent")
        return PROBLEM
    for release in releases:
        for name in _sent(release, repository, index):
            terminal.say(f"sent    {name}\n")
    return 0


def _sent(release: pipeline.Release, repository: str, index: str | None) -> Iterator[str]:
    with terminal.progress() as note:
        yield from pipeline.send(release, repository=repository, index=index, note=note)


def _stated(release: pipeline.Release) -> dict[str, Any]:
    return {
        "name": release.package.name,
        "version": release.package.version,
        "there": list(release.there),
        "files": [{"name": name, "bytes": len(content)} for name, content in release.files.items()],
    }


def _agreed(repository: str) -> bool:
    try:
        return click.confirm(f"Upload to {repository}? It cannot be taken back", err=True)
    except click.Abort:
        terminal.warn("")
        return False
