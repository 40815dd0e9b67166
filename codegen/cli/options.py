"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from codegen.errors import WireboundError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def pairs(_: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Texts of the form ``KEY=VALUE``, as they are."""
    for pair in given:
        if not pair.partition("=")[0] or "=" not in pair:
            raise click.BadParameter(f'"{pair}" is not {parameter.metavar}')
    return given


def _folders(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Path]:
    # A prefix is a URL, which can hold an equals sign itself; a folder seldom does.
    return {prefix: Path(folder) for prefix, _, folder in (p.rpartition("=") for p in pairs(context, parameter, given))}


Completion = Callable[[click.Context, click.Parameter, str], list[str]]


def completed(what: Literal["targets", "dialects", "jobs"]) -> Completion:
    """What a shell offers where one of these names is being typed; nothing where they cannot be had."""

    def offer(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
        from codegen import contract_pipeline as pipeline

        with suppress(WireboundError):
            return [name for name in dict.fromkeys(pipeline.known(what)) if name.startswith(begun)]
        return []

    return offer


def as_json(what: str) -> Callable[[Decorated], Decorated]:
    """The option ``--json``: ``what`` is printed for other programs."""
    return click.option("--json", "as_json", is_flag=True, help=f"{what}, for other tools.")


manifest = click.option(
    "--manifest", type=click.Path(path_type=Path), metavar="PATH", help="The manifest, instead of the nearest one."
)
dialect = click.option(
    "--dialect",
    metavar="NAME",
    shell_complete=completed("dialects"),
    help="The dialect where $schema is silent: draft-07, 2020-12 …",
)
roots = click.option(
    "--root",
    "roots",
    multiple=True,
    metavar="PREFIX=DIR",
    callback=_folders,
    help="Read documents whose URL begins with PREFIX below DIR. Nothing is ever fetched.",
)
overlays = click.option(
    "--overlay",
    "overlays",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Apply an OpenAPI Overlay to CONTRACT first; several in the order given.",
)
