"""OpenAPI's own schemas of its documents → the walk over objects gives the same verdicts, but for a listed few.

The schemas come with openapi-spec-validator. Documents are the contracts of the cases, each changed at one place after the
other: a member removed, added, or given another value.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator, Draft202012Validator
from ruamel.yaml import YAML

from codegen.document import load
from codegen.errors import WireboundError
from codegen.pointer import join

CASES = Path(__file__).parent / "cases"
EACH = 31
"""Each so many-th change of every contract is tried, so that the test stays a matter of seconds."""

VALUES: tuple[Any, ...] = (None, True, 7, "other", [], ["other"], {})
OURS = frozenset(("unknown-member", "missing-member", "malformed-member", "conflicting-members", "not-a-schema"))

# Where we are stricter on purpose: a part of our message, and why.
STRICTER = (
    ('stands beside "$ref"', "members beside a reference are ignored: whoever wrote them meant something"),
    ('both "example" and "examples"', "the text of 3.1 says that they exclude each other, its schema does not"),
    ('neither "operationRef" nor "operationId"', "the text of 3.0 demands one of them, its schema does not"),
)
# Where we are laxer on purpose: a part of the other message, and why.
LAXER = (
    ("is not of type 'string'", "/links/", "the values of a link's parameters may be any, by the text of 3.1 and 3.2"),
    ("'bearerFormat'", "/securitySchemes/", "a hint, whatever the scheme"),
    ("1 is not of type 'object'", "/callbacks/", "callbacks may be extended, by the text"),
)


@cache
def official(version: str) -> Any:
    path = files("openapi_spec_validator") / "resources" / "schemas" / f"v{version}" / "schema.json"
    schema = json.loads(path.read_text("utf-8"))
    return (Draft4Validator if version == "3.0" else Draft202012Validator)(schema)


def text_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): text_keys(item) for name, item in value.items()}
    return [text_keys(item) for item in value] if isinstance(value, list) else value


def contracts() -> list[tuple[str, Any]]:
    """The contracts of the cases that are one file and need no overlay."""
    paths = (path for path in sorted(CASES.glob("openapi-*/contract.yaml")))
    # A change of the dialect makes other schemas of the same texts, which is not the matter here.
    plain = (path for path in paths if "dialect" not in path.parent.name)
    alone = (path for path in plain if len(list(path.parent.rglob("*.yaml"))) == 1)
    return [(path.parent.name, text_keys(YAML(typ="safe", pure=True).load(path))) for path in alone]


def objects(value: Any) -> Iterator[str]:
    """The places of objects that are no schemas and not in one, nor in a value that means nothing to OpenAPI."""
    pending = [("", value)]
    while pending:
        pointer, item = pending.pop()
        if isinstance(item, dict):
            yield pointer
            for name, inner in item.items():
                within_map = pointer.rpartition("/")[2] in ("content", "headers", "variables", "securitySchemes")
                opaque = name in ("schema", "itemSchema", "schemas", "example", "value", "dataValue", "requestBody")
                body = name == "requestBody" and "/links/" not in pointer
                if (not opaque or within_map or body) and not name.startswith("x-"):
                    pending.append((join(pointer, name), inner))
        elif isinstance(item, list):
            pending += [(join(pointer, index), inner) for index, inner in enumerate(item)]


def changed(value: Any) -> Iterator[tuple[str, Any]]:
    """``value`` with one change after the other."""
    for pointer in objects(value):

        def at(pointer: str = pointer) -> tuple[Any, Any]:
            whole = copy.deepcopy(value)
            place = whole
            for token in pointer.split("/")[1:]:
                token = token.replace("~1", "/").replace("~0", "~")
                place = place[int(token)] if isinstance(place, list) else place[token]
            return whole, place

        for name in at()[1]:
            whole, place = at()
            del place[name]
            yield f"{pointer} without {name}", whole
            for other in VALUES:
                whole, place = at()
                place[name] = other
                yield f"{pointer} with {name} {other}", whole
        for name, other in (("nope", 1), ("x-nope", 1), ("examples", {}), ("description", "Said.")):
            whole, place = at()
            place.setdefault(name, other)
            yield f"{pointer} with {name}", whole


def refusals(value: Any) -> list[str]:
    try:
        load(value)
    except WireboundError as error:
        # Lost references are effects of a change elsewhere, which these schemas do not look at.
        return [p.message for p in error.problems if p.code in OURS or p.code == "openapi-version"]
    return []


@pytest.mark.parametrize(("name", "value"), contracts())
def test_each_contract_is_one(name: str, value: Any) -> None:
    assert not refusals(value)
    assert not list(official(value["openapi"][:3]).iter_errors(value))


@pytest.mark.parametrize(("name", "value"), contracts())
def test_verdicts_agree(name: str, value: Any) -> None:
    version = value["openapi"][:3]
    schema = official(version)
    wrong = []
    for number, (change, document) in enumerate(changed(value)):
        if number % EACH or not str(document.get("openapi", "")).startswith(version):
            continue
        ours = refusals(document)
        theirs = [error.message[:200] for error in schema.iter_errors(document)]
        if not theirs:
            ours = [message for message in ours if not any(part in message for part, _ in STRICTER)]
        if theirs and all(any(part in m and place in change for part, place, _ in LAXER) for m in theirs):
            continue
        if bool(ours) != bool(theirs):
            wrong.append((change, ours, theirs[:2]))
    assert not wrong, "\n".join(map(str, wrong[:20]))
