"""Commands → the processor time that each takes in a process of its own, side by side.

Must not look into them. Processor time of the process and its children, not the time of the wall: on a machine that does other
things as well, it is what stays the same.
"""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Command = tuple[Sequence[str], Path, Mapping[str, str]]
"""Arguments, folder, environment beside the present one."""


def seconds(command: Command) -> float:
    """Processor time of one run. Raises ``CalledProcessError``."""
    arguments, folder, environment = command
    given = {**os.environ, **environment}
    given.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are compiled once, as wherever something is installed
    child = subprocess.Popen(arguments, cwd=folder, env=given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr is not None
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, arguments, stderr=errors)
    return usage.ru_utime + usage.ru_stime


def medians(commands: Mapping[str, Callable[[], Command]], rounds: int) -> dict[str, float]:
    """The median of each command's times; one run of each first, for caches and compiled modules, then all in turn."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            taken = seconds(command())
            if number:
                times[name].append(taken)
    return {name: statistics.median(found) for name, found in times.items()}
