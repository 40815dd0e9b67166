"""``wirebound lint``: what is legal in a contract, and hurts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from codegen import contract_pipeline as pipeline
from codegen.cli import FINDING, options, terminal
from codegen.errors import Locate, Problem


def _complete(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """For shells: codes, the last of a list as well."""
    before, comma, last = begun.rpartition(",")
    return [f"{before}{comma}{code}" for code in pipeline.lint_codes() if code.startswith(last)]


def _codes(_: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Codes, each option a list separated by commas."""
    known = pipeline.lint_codes()
    codes = tuple(code for text in given for code in text.split(",") if code)
    for code in codes:
        if code not in known:
            from difflib import get_close_matches

            near = get_close_matches(code, known, 1, 0.5)
            raise click.BadParameter(
                f'there is no code "{code}"' + (f'; is "{near[0]}" meant?' if near else "; --list shows them")
            )
    return codes


def _list(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        for code, meaning in pipeline.lint_codes().items():
            terminal.say(f"{code:<24}{meaning}\n")
        context.exit()


@click.command("lint")
@click.argument("contract", type=click.Path(path_type=Path))
@click.option(
    "--select",
    multiple=True,
    metavar="CODES",
    callback=_codes,
    shell_complete=_complete,
    help="Only these findings, such as a,b.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="CODES",
    callback=_codes,
    shell_complete=_complete,
    help="All findings but these.",
)
@click.option("--json", "as_json", is_flag=True, help="The findings as one array, for other tools.")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="Print the codes and exit."
)
@options.dialect
@options.roots
@options.overlays
def command(
    contract: Path,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    as_json: bool,
    dialect: str | None,
    roots: dict[str, Path],
    overlays: tuple[Path, ...],
) -> int:
    """Say what is legal in CONTRACT and hurts: unions without a tag, keywords without effect, values that are refused.

    Exits with 1 where something is found.

    \b
    Examples:
      wirebound lint schema.json
      wirebound lint schema.json --ignore undocumented-field,undocumented-definition
      wirebound lint schema.json --json
      wirebound lint --list
    """
    with terminal.progress() as note:
        found, locate = pipeline.lint(
            contract, select=select, ignore=ignore, dialect=dialect, roots=roots, overlays=overlays, note=note
        )
    if as_json:
        terminal.tell([terminal.stated(problem, locate) for problem in found])
    else:
        _tell(found, locate)
    return FINDING if found else 0


def _tell(found: Sequence[Problem], locate: Locate) -> None:
    number = len(found)
    for problem in found:
        terminal.say(problem.text(locate) + "\n")
    terminal.flush()
    terminal.warn(f"{number} finding{'' if number == 1 else 's'}" if number else "nothing found")
