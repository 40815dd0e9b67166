"""Command line → a run of the pipeline, its problems printed, an exit code: 0 fine, 1 a finding, 2 problems.

Must not know stages: the pipeline does. No traceback reaches a user, whatever happens; a verb's module is imported when the
verb is used.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Sequence

import click

from codegen.cli import terminal
from codegen.errors import WireboundError

FINDING = 1
PROBLEM = 2
_INTERRUPTED = 130  # what shells report for a command that the user stopped
_CLOSED = 141  # and for one whose reader went away

VERBS = {
    "init": "codegen.cli.init",
    "generate": "codegen.cli.generate",
    "build": "codegen.cli.build",
    "show": "codegen.cli.show",
    "lint": "codegen.cli.lint",
    "diff": "codegen.cli.diff",
    "bump": "codegen.cli.bump",
    "validate": "codegen.cli.validate",
    "verify": "codegen.cli.verify",
    "i18n": "codegen.cli.i18n",
    "docs": "codegen.cli.docs",
    "package": "codegen.cli.package",
    "publish": "codegen.cli.publish",
    "upgrade-check": "codegen.cli.upgrade",
    "completion": "codegen.cli.completion",
}


class Verbs(click.Group):
    """The verbs by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they are told."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of one verb."""
        if cmd_name not in VERBS:
            from difflib import get_close_matches

            near = get_close_matches(cmd_name, VERBS, 1, 0.5)
            raise click.UsageError(f"No such command {cmd_name!r}." + (f' Is "{near[0]}" meant?' if near else ""), ctx)
        command = importlib.import_module(VERBS[cmd_name]).command
        assert isinstance(command, click.Command)
        return command


def _version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        import codegen

        terminal.say(f"wirebound {codegen.__version__}\n")
        context.exit()


@click.command(
    cls=Verbs,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="Exit codes: 0 fine, 1 a finding (outputs are not up to date), 2 problems. With --json, results and problems are "
    "one JSON value on standard output; progress is shown to a person alone, and colour not where NO_COLOR is set.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version and exit."
)
def wirebound() -> None:
    """One protocol contract in; bindings that accept exactly what it accepts out.

    \b
    To begin:
      wirebound init schema.json       a manifest for a JSON Schema
      wirebound generate               what the manifest asks for
    To look around:
      wirebound show schema.json       what the tool understands of it
      wirebound lint schema.json       what is legal in it, and hurts
      wirebound validate schema.json log.ndjson      whether documents keep to it
    """


def main() -> None:
    """The command ``wirebound``."""
    # A run makes much and drops little before its end: to look for garbage all the time takes a twentieth of it.
    gc.set_threshold(100_000, 50, 50)
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; its exit code."""
    terminal.prepare()
    try:
        code = wirebound.main(args=list(arguments), prog_name="wirebound", standalone_mode=False)
        terminal.flush()
        return code if isinstance(code, int) else 0
    except WireboundError as error:
        if "--json" in arguments:
            terminal.tell({"problems": [terminal.stated(problem, error.locate) for problem in error.problems]})
        else:
            terminal.complain(error)
        return PROBLEM
    except click.ClickException as error:
        error.show()
        return PROBLEM
    except terminal.Closed:
        return _CLOSED
    except (KeyboardInterrupt, click.Abort):
        terminal.warn("interrupted")
        return _INTERRUPTED
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        terminal.warn(f"{place}os-error: {error.strerror or error}")
        return PROBLEM
    except Exception as error:
        if "WIREBOUND_TRACEBACK" in os.environ:
            raise
        terminal.warn(f"internal-error: {type(error).__name__}: {error}")
        terminal.warn("  help: this is a fault of wirebound; WIREBOUND_TRACEBACK=1 shows where, for a report")
        return PROBLEM
