"""Contracts on disk or in memory → their editions, for the tests of the reference."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from codegen.edition import Edition
from codegen.editions import Shelf
from codegen.render import render
from codegen.targets.markdown import TARGET, Settings
from codegen.versions import order

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
AG_UI = ROOT / "schema" / "ag-ui" / "1.0" / "schema.json"
AG_UI_1_1 = ROOT / "schema" / "ag-ui" / "1.1" / "schema.json"


@cache
def edition_of(path: Path) -> Edition:
    """The edition of the contract at ``path``, with what lies beside it or in the folder above; also the versions before it,
    where the folder is that of a contract of ours."""
    folder = path.parents[1]
    shelf = Shelf(
        outlined=folder / "outline.toml", named=folder / "names.toml", translated=sorted(folder.glob("i18n/*.toml"))
    )
    versions = [path]
    if (folder / "names.toml").is_file():
        beside = sorted(folder.glob(f"*/{path.name}"), key=lambda one: order(one.parent.name))
        versions = beside[: beside.index(path) + 1]
    for one in versions:
        shelf.add(one, contract=folder.name, version=one.parent.name, command="wirebound generate", rule="stated")
    return shelf.editions[path.parent.name]


def edition(
    contract: Any, tmp_path: Path, *, outline: str = "", ledger: str = "", version: str = "1", **catalogues: str
) -> Edition:
    """The edition of a contract given as a value, with the texts of the files beside it."""
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(contract), encoding="utf-8")
    outlined, named = tmp_path / "outline.toml", tmp_path / "names.toml"
    outlined.write_text(outline, encoding="utf-8")
    if ledger:
        named.write_text(ledger, encoding="utf-8")
    translated = []
    for language, text in catalogues.items():
        (tmp_path / "i18n").mkdir(exist_ok=True)
        translated.append(tmp_path / "i18n" / f"{language}.toml")
        translated[-1].write_text(text, encoding="utf-8")
    shelf = Shelf(outlined=outlined, named=named, translated=translated)
    return shelf.add(path, contract="test", version=version, command="wirebound generate", rule="folder")


def pages(edition: Edition, **settings: Any) -> dict[str, str]:
    """The pages of the Markdown target, by file name."""
    return {name: content.decode() for name, content in render(TARGET.files(edition, Settings(**settings))).items()}
