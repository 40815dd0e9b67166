"""Distributions → the same, at a repository: one after another, through twine.

Must not see a secret: twine takes it from the environment or the keyring. It is never an argument of a program, because
everybody on the machine can read these, and never printed.
"""

from __future__ import annotations

import ipaddress
import os
import re
import subprocess
import sys
from urllib.parse import urlsplit

from codegen.output import scratch
from codegen.publish.trouble import hidden, last, need, trouble

_WRONG = re.compile(r"\b(?:401|403)\b")
_EXISTS = re.compile(r"\b409\b|already exist", re.IGNORECASE)
_UNREACHABLE = re.compile(r"Connection|Max retries|timed out|Temporary failure|SSL|ProtocolError|\b50[234]\b")


def judge(address: str, option: str = "--repository") -> None:
    """Raises OutputError (``bad-address``) for an address that a secret must not be sent to, or stands in; ``option`` is what
    of the command it is."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        parts, host = urlsplit(""), ""
    help = "name it like https://host/path/, with the token in TWINE_PASSWORD or in the keyring"
    if parts.username or parts.password:
        raise trouble(option, "bad-address", "the address holds credentials, which others can read", help)
    if parts.scheme not in ("http", "https") or not host:
        raise trouble(option, "bad-address", f'"{hidden(address)}" is no http or https address', help)
    if parts.scheme == "http" and not _is_here(host):
        raise trouble(option, "bad-address", f'"{hidden(address)}" would be spoken to in the clear', help)


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def send(name: str, content: bytes, repository: str) -> None:
    """Upload one distribution. Raises OutputError: ``refused-credentials``, ``exists``, ``unreachable``, ``not-uploaded``."""
    need("twine")
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "1000", "PYTHONUTF8": "1"}
    if environment.get("TWINE_PASSWORD"):
        environment.setdefault("TWINE_USERNAME", "__token__")
    command = ["twine", "upload", "--non-interactive", "--disable-progress-bar", "--repository-url", repository, name]
    with scratch.folder({name: content}) as folder:
        ran = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
    if ran.returncode == 0:
        return
    said = hidden(ran.stdout + "\n" + ran.stderr)
    why = last(ran.stderr if ran.stderr.strip() else ran.stdout)
    place = "--repository"
    if _EXISTS.search(said):
        help = "raise the job's revision, then run: wirebound generate"
        raise trouble(place, "exists", f"{name} is there already: {why}", help)
    if _WRONG.search(said):
        help = "put user and password, or a token, into TWINE_USERNAME and TWINE_PASSWORD, or into the keyring"
        raise trouble(place, "refused-credentials", f"{name} is not accepted from whoever this is: {why}", help)
    if _UNREACHABLE.search(said):
        raise trouble(place, "unreachable", f"{name} did not get through: {why}", "run the command again")
    raise trouble(place, "not-uploaded", f"{name} was not uploaded: {why}", "correct what the repository asks for")
