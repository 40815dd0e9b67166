"""A folder → what in its git working tree is not committed.

Must not change anything in it.
"""

from __future__ import annotations

import subprocess
from pathlib import Path


def uncommitted(folder: Path) -> tuple[str, ...]:
    """Paths that differ from the commit, or are unknown to it, in the whole tree; nothing where there is no git or no tree."""
    command = ["git", "-C", str(folder), "status", "--porcelain", "-z", "--untracked-files=normal"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    except OSError:
        return ()
    entries = ran.stdout.split("\0") if ran.returncode == 0 else []
    return tuple(entry[3:] for entry in entries if entry[2:3] == " ")
