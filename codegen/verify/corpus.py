"""A contract and folders of documents → the documents to verify with: its own, derived ones, ones with one bad field.

Must not judge any: a folder may state what a document is, and that statement is verified too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codegen.derive import Derivation, Judge
from codegen.derive.derived import SORTS
from codegen.errors import OutputError, Problem
from codegen.facts import Facts, kind_of
from codegen.model import ByKind, ByTag, Checked, Choice, Definition, Integer, JsonValue, Key, Record, Ref, Type, Union
from codegen.paths import display, top
from codegen.pointer import Origin
from codegen.tables import known


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a definition (None: of the contract's root). ``stated``: what its folder says about it, if anything."""

    definition: Key | None
    value: JsonValue
    what: str
    stated: bool | None = None


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A document that would be right but for the member at ``pointer``."""

    definition: Key
    value: JsonValue
    pointer: str


def of_folder(facts: Facts, folder: Path) -> Iterator[Document]:
    """The JSON files in a folder: directly in it, of the root; in ``<Definition>/``, in its ``valid/`` and ``invalid/``.

    Raises OutputError for a folder that is called like no definition (``unknown-definition``), for what is no JSON
    (``not-json``).
    """
    keys = {definition.name.spelled: definition.key for definition in facts.public}
    problems: list[Problem] = []
    for path in sorted(folder.rglob("*.json")):
        if path.name.endswith(".expect.json"):
            continue
        name, *rest = path.relative_to(folder).parts
        if rest and name not in keys:
            origin = Origin(display(folder / name), "")
            message = f'there is no definition "{name}", of which {display(path)} would be a document'
            problems.append(
                Problem(code="unknown-definition", message=message, origin=origin, help=known(name, list(keys)))
            )
            continue
        try:
            value = json.loads(path.read_bytes())
        except ValueError as error:
            problems.append(
                Problem(code="not-json", message=str(error), origin=Origin(display(path), ""), help="mend it")
            )
            continue
        stated = {"valid": True, "invalid": False}.get(rest[0]) if len(rest) > 1 else None
        yield Document(keys[name] if rest else None, value, display(path), stated)
    if problems:
        raise OutputError(problems, top)


def derived(derivation: Derivation) -> Iterator[Document]:
    """Right documents of each definition, and ones on both sides of its borders."""
    for definition in derivation.facts.public:
        for one in derivation.derive(definition.key):
            where = f"{one.what} at {one.pointer}" if one.pointer else one.what
            yield Document(definition.key, one.value, where)


def spoiled(derivation: Derivation) -> Iterator[Spoiled]:
    """Documents of records, and of unions that tell them apart by a tag, each with one member of a kind that it cannot have."""
    facts = derivation.facts
    for definition in facts.public:
        if isinstance(definition, Record):
            yield from _spoiled(derivation, definition, definition, "")
        elif isinstance(definition, Union) and isinstance(definition.choice.dispatch, ByTag) and not definition.checks:
            tag = definition.choice.dispatch.switch.property
            for member in definition.choice.members:
                record = facts.definition(member.type.key) if isinstance(member.type, Ref) else None
                if isinstance(record, Record):
                    yield from _spoiled(derivation, record, definition, tag)


def _spoiled(derivation: Derivation, record: Record, definition: Definition, tag: str) -> Iterator[Spoiled]:
    facts, judge = derivation.facts, derivation.judge
    ref = Ref(key=record.key, origin=record.origin)
    whole = derivation.full(ref) or derivation.minimal(ref)
    if record.checks or whole is None or not isinstance(whole.value, dict) or not judge.accepts(ref, whole.value):
        return
    for field in record.fields:
        name = field.wire_name
        if name in whole.value and name != tag and _tells(facts, field.type):
            bad = _other(facts, judge, field.type)
            if bad is not None:
                token = name.replace("~", "~0").replace("/", "~1")
                yield Spoiled(definition.key, {**whole.value, name: bad[0]}, f"/{token}")


def _other(facts: Facts, judge: Judge, type_: Type) -> tuple[JsonValue] | None:
    """A value of a kind that the type does not accept."""
    kinds = facts.kinds(type_)
    for _, value in SORTS:
        if kind_of(value) not in kinds:
            return (value,)
    return (1.5,) if isinstance(facts.unwrap(type_), Integer) and not judge.accepts(type_, 1.5) else None


def _tells(facts: Facts, type_: Type) -> bool:
    """A value of another kind breaks one rule of the type: nothing beside its shape judges it."""
    match type_:
        case Checked():
            return False
        case Choice(dispatch=dispatch):
            return isinstance(dispatch, ByTag | ByKind)
        case Ref(key=key):
            definition = facts.definition(key)
            return not definition.checks and (not isinstance(definition, Union) or _tells(facts, definition.choice))
        case _:
            return True
