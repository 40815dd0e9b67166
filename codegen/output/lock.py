"""A path → this process alone holds it, until it lets go or dies.

Must not outlive the process: the system drops the lock with it, so a killed run never has to be unlocked by hand.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int, wait: bool) -> bool:
        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
                return True
            except OSError:
                if not wait:
                    return False
                time.sleep(0.1)

else:
    import fcntl

    def _take(descriptor: int, wait: bool) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            return True
        except BlockingIOError:
            return False


def acquire(path: Path, waiting: Callable[[], None] = lambda: None) -> int:
    """Lock ``path``, which is created with its folder; calls ``waiting`` once if another process holds it, then waits.
    Returns the descriptor for ``release``."""
    while True:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:
            continue  # the last holder removed the folder between the two lines
        try:
            if not _take(descriptor, wait=False):
                waiting()
                _take(descriptor, wait=True)
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # the last holder removed the file that we had waited for


def release(descriptor: int) -> None:
    """Let go."""
    os.close(descriptor)
