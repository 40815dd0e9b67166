"""A project with a contract and a third-party target, for tests of the commands: the target is a distribution of its own.

Must not stand in for the built-in targets: what it writes is as plain as can be, so that a test can say what is expected.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

TARGET = """
from dataclasses import dataclass
from codegen.errors import OutputError, Problem
from codegen.targets.base import Raw

@dataclass(frozen=True)
class Options:
    title: str = "paper"
    loud: bool = False

class Paper:
    name = "paper"
    Options = Options

    def files(self, edition, options):
        refused = [d for d in edition.model.definitions if d.name.spelled.startswith("Bad")]
        if refused:
            raise OutputError(
                [Problem(code="bad-paper", message=f"{d.name.spelled} is bad", origin=d.origin) for d in refused]
            )
        for definition in edition.model.definitions:
            text = "\\n".join(field.wire_name for field in getattr(definition, "fields", ()))
            yield Raw(f"sheets/{definition.name.spelled}.txt", f"{options.title}\\n{text}\\n".encode())
        yield Raw("about.txt", f"{edition.contract} {edition.version} {edition.protocol_version} {edition.command}\\n".encode())

TARGET = Paper()
"""

MANIFEST = """\
[contracts.shop]
path = "schema/shop"

[[jobs]]
contract = "shop"
target = "paper"
"""


def install(site: Path) -> Path:
    """Put the distribution of the target ``paper`` into ``site``, a folder of the import path."""
    (site / "paper_target.py").write_text(TARGET)
    about = site / "paper_target-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: paper-target\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[wirebound.targets]\npaper = paper_target:TARGET\n")
    return site


def record(*members: str) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {member: {"type": "string"} for member in members},
        "additionalProperties": False,
    }


def contract(folder: Path, version: str = "1.0", **definitions: object) -> Path:
    """Write a version of the contract ``shop`` below ``folder``."""
    path = folder / "schema/shop" / version / "schema.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}
    path.write_text(json.dumps(schema, indent=2))
    return path


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below ``folder`` but what the tool keeps for itself."""
    found: dict[str, bytes] = {}
    for at, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".wirebound", "__pycache__")]
        for name in files:
            path = Path(at, name)
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found
