"""What another tool, or an index, said → an error that a person can act on.

Must not show a secret: what other programs print passes here.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Sequence

from codegen.errors import OutputError, Problem
from codegen.paths import top
from codegen.pointer import Origin

SECRET = "TWINE_PASSWORD"
"""The variable whose value is never shown."""


def trouble(place: str, code: str, message: str, help: str) -> OutputError:
    """An error of one problem; ``place`` is a file, a folder or an option of the command."""
    return OutputError([Problem(code=code, message=message, origin=Origin(place, ""), help=help)], top)


def need(*modules: str) -> None:
    """Raises OutputError (``missing-extra``) unless the tools of the extra ``publish`` are installed."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        message = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed"
        raise trouble("wirebound", "missing-extra", message, 'install it: pip install "wirebound[publish]"')


def hidden(text: str) -> str:
    """``text`` without colours and without secrets."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    secret = os.environ.get(SECRET)
    return text.replace(secret, "***") if secret else text


def last(text: str, longest: int = 300) -> str:
    """The line of what a program printed that says why it stopped: the last that speaks of an error, else the last."""
    lines = [line.strip() for line in hidden(text).splitlines() if line.strip()]
    told = [line for line in lines if re.match(r"ERROR\b|[\w.]*(?:Error|Exception)\b", line)]
    return re.sub(r"^ERROR:?\s+", "", (told or lines or ["it says nothing"])[-1])[:longest]


def listed(names: Sequence[str], most: int = 5) -> str:
    """Some of ``names``, and how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
