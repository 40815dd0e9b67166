"""``wirebound completion``: the script by which a shell completes the command."""

from __future__ import annotations

import click

from codegen.cli import terminal

VARIABLE = "_WIREBOUND_COMPLETE"
"""By which the shell's script asks the command; click derives the name from that of the command."""


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that makes SHELL complete verbs, options, files and names.

    \b
    Examples:
      bash:  eval "$(wirebound completion bash)"       in ~/.bashrc
      zsh:   eval "$(wirebound completion zsh)"        in ~/.zshrc, after compinit
      fish:  wirebound completion fish > ~/.config/fish/completions/wirebound.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    complete = kind(context.find_root().command, {}, "wirebound", VARIABLE)
    # Not ``source()``: it starts the shell to see how old it is, and complains on standard output.
    terminal.say(complete.source_template % complete.source_vars())
