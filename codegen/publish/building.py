"""The files of a project → its source distribution and its wheel, each the same bytes whenever and wherever it is built.

Must not install or fetch anything: the build backend is the one that is installed beside this tool.
"""

from __future__ import annotations

import io
import os
import sys
import tarfile
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from codegen.output import scratch
from codegen.publish.trouble import need, trouble

Kind: TypeAlias = Literal["sdist", "wheel"]
KINDS: tuple[Kind, ...] = ("sdist", "wheel")

EPOCH = 1580601600
"""The time of every file where SOURCE_DATE_EPOCH states none: 2 February 2020, seconds since 1970 (UTC)."""


def built(
    files: Mapping[str, bytes], *, kinds: Sequence[Kind] = KINDS, epoch: int | None = None, seed: int = 0
) -> dict[str, bytes]:
    """Distributions by their file's name. ``epoch`` is the time of their files, as for ``EPOCH``; ``seed`` that of the hashes
    while they are built, which must not matter.

    Raises OutputError (``missing-extra``; ``build-failed`` with what the build backend says).
    """
    need("build", "hatchling")
    from build import BuildBackendException, BuildException, ProjectBuilder

    made: dict[str, bytes] = {}
    with scratch.folder(files) as project, scratch.folder() as out:
        for kind in kinds:
            said: list[str] = []
            try:
                builder = ProjectBuilder(project, sys.executable, runner=_runner(epoch, seed, said))
                path = builder.build(kind, out)
            except (BuildException, BuildBackendException) as error:
                reason = said[-1] if said else str(error)
                raise trouble(
                    "pyproject.toml", "build-failed", f"the {kind} cannot be built: {reason}", _HELP
                ) from None
            name = os.path.basename(path)
            made[name] = (out / name).read_bytes()
    return made


_HELP = "correct the job's option that this comes from, then run: wirebound generate"


def _runner(epoch: int | None, seed: int, said: list[str]) -> Callable[..., None]:
    import subprocess

    from codegen.publish.trouble import last

    def run(command: Sequence[str], cwd: str | None = None, extra_environ: Mapping[str, str] | None = None) -> None:
        given = os.environ.get("SOURCE_DATE_EPOCH", "")
        time = epoch if epoch is not None else int(given) if given.isdecimal() else EPOCH
        environment = {
            **os.environ,
            **(extra_environ or {}),
            "SOURCE_DATE_EPOCH": str(time),
            "PYTHONHASHSEED": str(seed),
        }
        ran = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
        if ran.returncode:
            said.append(last(ran.stderr or ran.stdout))
            raise subprocess.CalledProcessError(ran.returncode, command)

    return run


def twice(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Both distributions, built from the project and again from what the source distribution holds.

    Raises OutputError as ``built`` does, and ``not-reproducible`` where the bytes are not the same.
    """
    first = built(files)
    second = built(unpacked(next(content for name, content in first.items() if name.endswith(".tar.gz"))), seed=1)
    for name, content in first.items():
        if second.get(name) != content:
            message = f"{name} is not the same when it is built again from the source distribution"
            raise trouble("pyproject.toml", "not-reproducible", message, "report it: this is a fault of wirebound")
    return first


def unpacked(archive: bytes) -> dict[str, bytes]:
    """The files of a source distribution, by their path below its one folder."""
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            if (content := tar.extractfile(member) if member.isfile() else None) is not None:
                files[member.name.partition("/")[2]] = content.read()
    files.pop("PKG-INFO", None)
    return files
