"""Contract folders with fixtures → what the codecs make of each of their documents.

What the documents state is the oracle's verdict (``test_contract_fixtures``); here it is the codecs': accepted and given
back the same, or refused there, by that rule, and for nothing else.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from agreement import complaints
from test_contract_fixtures import ACCEPTED, FOLDERS, REFUSED, expected, read

import codegen


@cache
def codecs(folder: Path) -> Any:
    contract = next(path for name in ("schema.json", "openapi.yaml") if (path := folder / name).exists())
    overlays = [str(path) for path in folder.glob("overlay.yaml")]
    return codegen.codecs(contract, options={"overlay": overlays} if overlays else None)


DEFINITIONS = sorted({(one.folder, one.definition) for one in (*ACCEPTED, *REFUSED)})
each_definition = pytest.mark.parametrize(
    ("folder", "definition"), DEFINITIONS, ids=["/".join([*folder.parts[-2:], name]) for folder, name in DEFINITIONS]
)


@each_definition
def test_documents_of_a_definition(folder: Path, definition: str) -> None:
    codec = codecs(folder)[definition]
    found = []
    for one in (one for one in ACCEPTED if (one.folder, one.definition) == (folder, definition)):
        found += [f"{one}: {text}" for text in complaints(codec, read(one.path), True)]
    for one in (one for one in REFUSED if (one.folder, one.definition) == (folder, definition)):
        found += [f"{one}: {text}" for text in complaints(codec, read(one.path), False)]
        with pytest.raises(ValueError) as refused:
            codec.from_dict(read(one.path), errors="all")
        faults = refused.value.errors  # type: ignore[attr-defined]
        stated = [{"pointer": fault.pointer, "code": fault.code, "rule": fault.rule} for fault in faults]
        found += [f"{one}: {stated}"] if stated != [dict(expected(one.path))] else []
    assert found == []


def test_every_contract_is_here() -> None:
    assert {folder for folder, _ in DEFINITIONS} == set(FOLDERS)
