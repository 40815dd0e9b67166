"""Commands → the processor time that each takes in a process of its own, side by side.

Must not look into them. Processor time of the process and its children, not the time of the wall: on a machine that does other
things as well, it is what stays the same.
"""

from __future__ import annotations

import math
import os
import resource
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Command = tuple[Sequence[str], Path, Mapping[str, str]]
"""Arguments, folder, environment beside the present one."""


class Stopped(Exception):
    """A command that takes longer than anybody waits."""


def seconds(command: Command, limit: int = 0) -> float:
    """Processor time of one run. Raises ``CalledProcessError``, and ``Stopped`` after ``limit`` seconds (0: never)."""

    def limited() -> None:
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))

    arguments, folder, environment = command
    given = {**os.environ, **environment}
    given.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are compiled once, as wherever something is installed
    child = subprocess.Popen(
        arguments, cwd=folder, env=given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limited
    )
    assert child.stderr is not None
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    taken = usage.ru_utime + usage.ru_stime
    if limit and taken >= limit:
        raise Stopped(f"{arguments[0]} was stopped after {limit} seconds")
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, arguments, stderr=errors)
    return taken


def medians(commands: Mapping[str, Callable[[], Command]], rounds: int, limit: int = 0) -> dict[str, float]:
    """The median of each command's times; one run of each first, for caches and compiled modules, then all in turn. With a
    ``limit`` there is no first run, and what is stopped has taken forever."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(1 if limit else 0, rounds + 1):
        for name, command in commands.items():
            try:
                taken = seconds(command(), limit)
            except Stopped:
                taken = math.inf
            if number:
                times[name].append(taken)
    return {name: statistics.median(found) for name, found in times.items()}
