"""Distributions → what the tools that know indexes and wheels have against them.

Must not judge anything itself.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

from codegen.errors import OutputError, Problem
from codegen.output import scratch
from codegen.paths import top
from codegen.pointer import Origin
from codegen.publish.trouble import hidden, need


def check(distributions: Mapping[str, bytes]) -> None:
    """Raises OutputError: what twine has against the metadata (``bad-metadata``), what check-wheel-contents has against the
    wheel (``bad-wheel``), ``missing-extra``."""
    need("twine", "check_wheel_contents")
    problems: list[Problem] = []
    with scratch.folder(distributions) as folder:
        wheels = [name for name in distributions if name.endswith(".whl")]
        for code, command in (
            ("bad-metadata", ["twine", "check", "--strict", *distributions]),
            ("bad-wheel", ["check_wheel_contents", "--no-config", *wheels]),
        ):
            ran = subprocess.run(
                [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL
            )
            if ran.returncode:
                lines = [line.strip() for line in hidden(ran.stdout + ran.stderr).splitlines() if line.strip()]
                message = f"{command[0]} says: {'; '.join(lines)[:500]}"
                help = "correct the job's option that this comes from, then run: wirebound generate"
                problems.append(Problem(code=code, message=message, origin=Origin("pyproject.toml", ""), help=help))
    if problems:
        raise OutputError(problems, top)
