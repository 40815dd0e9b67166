"""``wirebound package``: wheels and source distributions of generated packages, proven; or one wheel, verified."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from codegen import package_pipeline as pipeline
from codegen.cli import FINDING, options, terminal
from codegen.paths import display


@click.command("package")
@click.argument("jobs", metavar="[JOB]...", nargs=-1, shell_complete=options.completed("jobs"))
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", default=Path("dist"), help="The folder for them (dist)."
)
@click.option(
    "--python",
    "pythons",
    multiple=True,
    metavar="PROGRAM",
    help="Prove them on this interpreter; may be given several times. Default: the one that runs this command.",
)
@click.option(
    "--verify",
    "wheel",
    type=click.Path(path_type=Path),
    metavar="WHEEL",
    help="Build nothing new: make WHEEL again from the contract in it, and compare the bytes.",
)
@options.manifest
@options.as_json("What was written and proven, or what differs, as one object")
def command(
    jobs: tuple[str, ...],
    out: Path,
    pythons: tuple[str, ...],
    wheel: Path | None,
    manifest: Path | None,
    as_json: bool,
) -> int:
    """Build a wheel and a source distribution of every job with target python, or of each JOB.

    Each is built twice with equal bytes, checked by twine and check-wheel-contents, installed into a new environment without
    anything else, and there every example of the contract comes back as it was. Nothing is written if anything fails.
    It takes the tools of the extra "publish" (pip install wirebound[publish]).

    \b
    Examples:
      wirebound package
      wirebound package my-protocol/python --out dist --python python3.12 --python python3.13
      wirebound package --verify dist/my_protocol-1.0.0-py3-none-any.whl --json
    """
    if wheel is not None:
        if jobs or pythons:
            raise click.UsageError("--verify is about WHEEL alone: name no job and no --python")
        return _verify(wheel, as_json)
    with terminal.progress() as note:
        packages = pipeline.package(manifest, jobs, pythons=pythons, note=note)
        written = pipeline.write(packages, out)
    if as_json:
        proven = [
            {
                "name": one.name,
                "version": one.version,
                "documents": one.documents,
                "python": list(dict.fromkeys(one.proven)),
            }
            for one in packages
        ]
        terminal.tell({"written": list(map(display, written)), "packages": proven})
        return 0
    for path in written:
        terminal.say(f"wrote   {display(path)}\n")
    for package in packages:
        versions = ", ".join(dict.fromkeys(package.proven))
        terminal.say(f"proven  {package.name} {package.version}: {package.documents} documents on Python {versions}\n")
    return 0


def _verify(wheel: Path, as_json: bool) -> int:
    with terminal.progress() as note:
        verified = pipeline.verify(wheel, note=note)
    if as_json:
        terminal.tell(asdict(verified))
        return 0 if verified.same else FINDING
    if verified.same:
        terminal.say(f"{display(wheel)}: the contract in it makes the same bytes\n")
        return 0
    for path in verified.differing:
        terminal.say(f"differs {path}\n")
    for tools in verified.tools:
        terminal.say(f"made by {tools}\n")
    terminal.flush()
    what = "is another wheel" if verified.differing else "holds the same files, packed in another way"
    terminal.warn(f"{display(wheel)}: it {what} than the contract in it makes")
    return FINDING
