"""Nothing → what became of a contract up to one version: when everything came, changed and was deprecated, release by release.

Must not compare versions (``evolve`` does) nor word anything. A history looks back only, so that a new version changes nothing
that is said of an old one; of what was there from the first version on it says nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from codegen.model import JsonValue, Key, Parameter, ParameterPlace

Group: TypeAlias = Literal["breaking", "added", "changed", "deprecated", "removed", "described"]
GROUPS: tuple[Group, ...] = get_args(Group)
"""How changes are told apart, in the order in which they are told; "described": in words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What became of a definition, a field, a value, an operation or a parameter. ``since``: the version that brought it ("":
    the first one). ``changed``: the versions that changed what it asserts, oldest first. ``deprecated``: the version that
    deprecated it ("": it is not, or always was)."""

    since: str = ""
    changed: tuple[str, ...] = ()
    deprecated: str = ""


UNCHANGED = Past()
"""What has been as it is from the first version on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One change. ``kind`` is that of ``evolve.changes``; ``definition`` (which may be an operation) and ``path`` are where it
    is, and ``shared`` are others that show it. ``field``: the member of the definition, or the parameter of the operation,
    that holds the place ("": it does itself).
    ``before`` and ``after`` are texts as contracts spell them. ``breaks``: for whom it breaks something, or may
    ("write", "read", "source")."""

    kind: str
    group: Group
    definition: str
    field: str = ""
    path: str = ""
    before: str = ""
    after: str = ""
    shared: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What ``version`` changed since ``before``, and by which ``step`` the contract grew."""

    version: str
    before: str
    step: str
    notes: tuple[Note, ...]

    def of(self, group: Group) -> tuple[Note, ...]:
        """The changes of one group."""
        return tuple(note for note in self.notes if note.group == group)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """``releases`` up to the version that this is the history of, oldest first: none for the first version. The past of
    definitions and operations is by key, that of fields by key and wire name, that of an enum's values by key and JSON text,
    that of parameters by key of the operation, place and name; whatever has none is ``UNCHANGED``."""

    releases: tuple[Release, ...] = ()
    definitions: Mapping[Key, Past] = field(default_factory=dict)
    fields: Mapping[tuple[Key, str], Past] = field(default_factory=dict)
    values: Mapping[tuple[Key, str], Past] = field(default_factory=dict)
    operations: Mapping[Key, Past] = field(default_factory=dict)
    parameters: Mapping[tuple[Key, ParameterPlace, str], Past] = field(default_factory=dict)

    def of(self, key: Key) -> Past:
        """The past of a definition."""
        return self.definitions.get(key, UNCHANGED)

    def of_field(self, key: Key, wire_name: str) -> Past:
        """The past of a field, as the record ``key`` has it."""
        return self.fields.get((key, wire_name), UNCHANGED)

    def of_value(self, key: Key, value: JsonValue) -> Past:
        """The past of a value of an enum."""
        return self.values.get((key, json.dumps(value)), UNCHANGED)

    def of_operation(self, key: Key) -> Past:
        """The past of an operation."""
        return self.operations.get(key, UNCHANGED)

    def of_parameter(self, key: Key, parameter: Parameter) -> Past:
        """The past of a parameter, as the operation ``key`` has it."""
        return self.parameters.get((key, parameter.place, parameter.name), UNCHANGED)
