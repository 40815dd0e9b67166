"""Edition → the contract as one JSON Schema 2020-12: bundled, flattened, in one dialect.

Must not accept more or less than the contract does. What the model resolved stands resolved: references to other documents,
composition, dialects, dynamic scopes. So the file shows what the tool understood, and serves whoever reads plain schemas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from codegen.edition import Edition
from codegen.targets.base import Raw
from codegen.targets.jsonschema.joining import Members, Schema
from codegen.targets.jsonschema.parts import annotated
from codegen.targets.jsonschema.writing import LITERAL_INTEGER, Writer
from codegen.targets.quoting import UNSAFE

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ANCHOR = re.compile("[A-Za-z_][-A-Za-z0-9._]*")
"""What ``$anchor`` may hold (core, 8.2.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """``file``: what the schema's file is called. ``integers``: of draft-04 contracts, whose integers exclude 1.0. "exact"
    keeps that, by a part in that dialect; "by-value" lets 1.0 pass, for readers that know no second dialect."""

    file: str = "schema.json"
    integers: Literal["exact", "by-value"] = "exact"


class JsonSchema:
    """The target ``jsonschema``."""

    name = "jsonschema"
    Options: type[Any] = Options

    def files(self, edition: Edition, options: Any) -> Iterable[Raw]:
        """One file."""
        text = json.dumps(bundle(edition, options), ensure_ascii=False, indent=2) + "\n"
        yield Raw(options.file, UNSAFE.sub(_escaped, text).encode())


TARGET = JsonSchema()


def bundle(edition: Edition, options: Options) -> Members:
    """The schema as a value."""
    model = edition.model
    writer = Writer(edition.facts, options.integers == "exact")
    root: Schema = True if model.root is None else writer.type(model.root)
    definitions: Members = {}
    public = {definition.name.spelled for definition in edition.facts.public}
    for name, schema in writer.definitions().items():
        has_anchor = name in public and ANCHOR.fullmatch(name)
        definitions[name] = {"$anchor": name, **_members(schema)} if has_anchor else schema
    if writer.literal_integers:
        definitions[_free("_literal-integer", definitions)] = {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "id": LITERAL_INTEGER,
            "description": "A number spelled without fraction and exponent.",
            "type": "integer",
        }
    head: Members = {"$schema": DIALECT}
    identifier = model.id.removesuffix("#")
    if identifier and "#" not in identifier:
        head["$id"] = identifier
    head["$comment"] = f"generated: {edition.command}"
    if model.title:
        head["title"] = model.title
    whole = {**head, **_members(annotated(root, model.doc))}
    return {**whole, "$defs": definitions} if definitions else whole


def _members(schema: Schema) -> Members:
    if isinstance(schema, dict):
        return schema
    return {} if schema else {"not": {}}


def _free(name: str, taken: Members) -> str:
    while name in taken:
        name = "_" + name
    return name


def _escaped(match: re.Match[str]) -> str:
    """What must not stand in a text unseen, as JSON spells it. Line ends stand between strings alone."""
    character = match[0]
    if character == "\n":
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
