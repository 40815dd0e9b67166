"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path

import click


def pairs(_: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Texts of the form ``KEY=VALUE``, as they are."""
    for pair in given:
        if not pair.partition("=")[0] or "=" not in pair:
            raise click.BadParameter(f'"{pair}" is not {parameter.metavar}')
    return given


def _folders(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Path]:
    # A prefix is a URL, which can hold an equals sign itself; a folder seldom does.
    return {prefix: Path(folder) for prefix, _, folder in (p.rpartition("=") for p in pairs(context, parameter, given))}


dialect = click.option("--dialect", metavar="NAME", help="The dialect where $schema is silent: draft-07, 2020-12 …")
roots = click.option(
    "--root",
    "roots",
    multiple=True,
    metavar="PREFIX=DIR",
    callback=_folders,
    help="Read documents whose URL begins with PREFIX below DIR. Nothing is ever fetched.",
)
