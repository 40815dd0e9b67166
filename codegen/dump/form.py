"""Model → JSON, for other tools: the versioned public form of the model.

Must not derive anything: what is written is in the model.
"""

from __future__ import annotations

import dataclasses

from codegen.facts import Facts
from codegen.model import JsonValue, Key, Model, Pattern
from codegen.pointer import Origin

VERSION = 1
"""Version of the JSON form; it grows when a member is renamed or removed."""


def dump_json(model: Model, facts: Facts) -> JsonValue:
    """The model as JSON: each class an object with ``kind``, keys of definitions as ``document#pointer``. ``version`` says
    which form it is."""
    form = _json(model)
    assert isinstance(form, dict)
    return {"wirebound": VERSION, **form}


def _json(value: object) -> JsonValue:
    match value:
        case Key():
            return (
                str(value.origin)
                + (f"!{value.part}" if value.part else "")
                + "".join(f"?{a}={t}" for a, t in value.scope)
            )
        case Pattern(source=source):
            return source
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(name): _json(item) for name, item in value.items()}
        case list() | tuple():
            return [_json(item) for item in value]
        case Origin():
            return str(value)
    if dataclasses.is_dataclass(value):
        members: dict[str, JsonValue] = {"kind": type(value).__name__}
        for field in dataclasses.fields(value):
            members[field.name] = _json(getattr(value, field.name))
        return members
    return str(value)
