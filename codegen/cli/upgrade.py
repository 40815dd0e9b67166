"""``wirebound upgrade-check``: what another version of the tool makes of the same contracts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from codegen import upgrade_pipeline as pipeline
from codegen.cli import FINDING, options, terminal
from codegen.upgrade_pipeline import Upgrade


@click.command("upgrade-check")
@click.argument("other", required=False, type=click.Path(path_type=Path), metavar="OTHER")
@click.option("--print", "printed", is_flag=True, help="Print what this version makes, as JSON, and compare nothing.")
@options.manifest
@options.as_json("Every difference, and why it breaks programs")
def command(other: Path | None, printed: bool, manifest: Path | None, as_json: bool) -> int:
    """Compare what OTHER, another version of this tool, makes of the contracts with what this one makes: every name that
    programs can use, and what it promises. OTHER is a wheel, or a Python in which that version is installed.

    Exits 1 where an upgrade from OTHER to this version breaks programs. Nothing is written.

    \b
    Examples:
      wirebound upgrade-check wirebound-0.1.0-py3-none-any.whl
      wirebound upgrade-check ~/.venvs/old/bin/python
      wirebound upgrade-check ~/.venvs/old/bin/python --json
    """
    if printed:
        terminal.say(json.dumps(pipeline.surfaces(manifest), indent=1, ensure_ascii=False) + "\n")
        return 0
    if other is None:
        raise click.UsageError("name another version: a wheel, or a Python in which it is installed")
    with terminal.progress() as note:
        upgrades = pipeline.check(other, manifest, note=note)
    code = FINDING if any(upgrade.broken for upgrade in upgrades) else 0
    if as_json:
        terminal.tell([_value(upgrade) for upgrade in upgrades])
        return code
    for upgrade in upgrades:
        reasons = {one.name: one.reason for one in upgrade.broken}
        terminal.say(f"{upgrade.job}: {len(upgrade.differences)} differences, {len(reasons)} of them break programs\n")
        for one in upgrade.differences:
            terminal.say(
                f"  {one.kind:<8}{one.name}" + (f": {reasons[one.name]}" if one.name in reasons else "") + "\n"
            )
    return code


def _value(upgrade: Upgrade) -> dict[str, Any]:
    reasons = {one.name: one.reason for one in upgrade.broken}
    told = [
        {
            "name": one.name,
            "kind": one.kind,
            "before": one.before,
            "after": one.after,
            "breaks": reasons.get(one.name, ""),
        }
        for one in upgrade.differences
    ]
    return {"job": upgrade.job, "differences": told}
