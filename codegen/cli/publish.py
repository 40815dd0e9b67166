"""``wirebound publish``: the packages of a manifest, to a repository."""

from __future__ import annotations

from pathlib import Path

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
@click.option(
    "--manifest", type=click.Path(path_type=Path), metavar="PATH", help="The manifest, instead of the nearest one."
)
def command(
    jobs: tuple[str, ...],
    repository: str,
    index: str | None,
    dry_run: bool,
    yes: bool,
    accept_breaking: bool,
    manifest: Path | None,
) -> int:
    """Package every job with target python, or each JOB, and upload what was made.

    Nothing is sent unless all of it is proven (wirebound package), made again from the contract in it, committed, not yet
    published with other bytes, and no breaking change for those who have the release before it. Then you are asked.

    A token is read from TWINE_PASSWORD (with TWINE_USERNAME, if it is not __token__), or by twine from the keyring.

    \b
    Examples:
      wirebound publish --repository https://packages.example.org/legacy/ --dry-run
      wirebound publish my-protocol/python --repository https://packages.example.org/legacy/
    """
    with terminal.progress() as note:
        releases = pipeline.judge(
            manifest, jobs, repository=repository, index=index, accept_breaking=accept_breaking, note=note
        )
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
    with terminal.progress() as note:
        for release in releases:
            for name in pipeline.send(release, repository=repository, index=index, note=note):
                terminal.say(f"sent    {name}\n")
    return 0


def _agreed(repository: str) -> bool:
    try:
        return click.confirm(f"Upload to {repository}? It cannot be taken back", err=True)
    except click.Abort:
        terminal.warn("")
        return False
