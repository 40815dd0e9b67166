"""Nothing → what changes are: their kinds, their places, and what was before and after.

Must not judge. Changes are facts about two contracts, so that verdicts under any policy, a report and a changelog can all be
made from the same list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from codegen.pointer import Origin

OperationKind: TypeAlias = Literal[
    "operation-added",
    "operation-removed",
    "operation-renamed",
    "operation-moved",
    "parameter-added",
    "parameter-removed",
    "parameter-renamed",
    "parameter-required",
    "parameter-optional",
    "parameter-form-changed",
    "body-required",
    "body-optional",
    "request-content-added",
    "request-content-removed",
    "response-added",
    "response-removed",
    "response-content-added",
    "response-content-removed",
    "header-added",
    "header-removed",
    "header-required",
    "header-optional",
    "security-changed",
]
"""What becomes of operations and of what they take and give."""

Kind: TypeAlias = Literal[
    "definition-added",
    "definition-removed",
    "definition-renamed",
    "name-reused",
    "kind-changed",
    "field-added",
    "field-removed",
    "field-required",
    "field-optional",
    "type-changed",
    "null-added",
    "null-removed",
    "member-added",
    "member-removed",
    "exclusivity-changed",
    "value-added",
    "value-removed",
    "minimum-changed",
    "maximum-changed",
    "min-length-changed",
    "max-length-changed",
    "min-items-changed",
    "max-items-changed",
    "pattern-changed",
    "check-added",
    "check-removed",
    "undeclared-changed",
    "pattern-member-added",
    "pattern-member-removed",
    OperationKind,
    "default-changed",
    "format-changed",
    "encoding-changed",
    "media-type-changed",
    "deprecated-changed",
    "read-only-changed",
    "write-only-changed",
    "examples-changed",
    "extension-changed",
    "description-changed",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

WORDS: dict[Kind, str] = {
    "definition-added": "new definition",
    "definition-removed": "definition removed",
    "definition-renamed": "definition renamed",
    "name-reused": "name given to another shape",
    "kind-changed": "definition of another kind",
    "field-added": "new member",
    "field-removed": "member removed",
    "field-required": "member became required",
    "field-optional": "member became optional",
    "type-changed": "type changed",
    "null-added": "null became legal",
    "null-removed": "null is no longer legal",
    "member-added": "new alternative",
    "member-removed": "alternative removed",
    "exclusivity-changed": "how many alternatives may accept changed",
    "value-added": "new value",
    "value-removed": "value removed",
    "minimum-changed": "minimum changed",
    "maximum-changed": "maximum changed",
    "min-length-changed": "minimum length changed",
    "max-length-changed": "maximum length changed",
    "min-items-changed": "minimum of items changed",
    "max-items-changed": "maximum of items changed",
    "pattern-changed": "pattern changed",
    "check-added": "new check",
    "check-removed": "check removed",
    "undeclared-changed": "undeclared members are treated differently",
    "pattern-member-added": "new pattern of member names",
    "pattern-member-removed": "pattern of member names removed",
    "operation-added": "new operation",
    "operation-removed": "operation removed",
    "operation-renamed": "operation renamed",
    "operation-moved": "operation has another method or path",
    "parameter-added": "new parameter",
    "parameter-removed": "parameter removed",
    "parameter-renamed": "parameter of a path renamed",
    "parameter-required": "parameter became required",
    "parameter-optional": "parameter became optional",
    "parameter-form-changed": "parameter is written differently",
    "body-required": "body became required",
    "body-optional": "body became optional",
    "request-content-added": "new form of a request",
    "request-content-removed": "form of a request removed",
    "response-added": "new response",
    "response-removed": "response removed",
    "response-content-added": "new form of a response",
    "response-content-removed": "form of a response removed",
    "header-added": "new header",
    "header-removed": "header removed",
    "header-required": "header is always sent now",
    "header-optional": "header may be missing now",
    "security-changed": "another way to show who asks",
    "default-changed": "default changed",
    "format-changed": "format changed",
    "encoding-changed": "encoding changed",
    "media-type-changed": "media type changed",
    "deprecated-changed": "deprecation changed",
    "read-only-changed": "read-only changed",
    "write-only-changed": "write-only changed",
    "examples-changed": "examples changed",
    "extension-changed": "extension changed",
    "description-changed": "description changed",
}
"""Each kind in words."""

ANNOTATIONS: frozenset[Kind] = frozenset(
    [
        "default-changed",
        "format-changed",
        "encoding-changed",
        "media-type-changed",
        "read-only-changed",
        "write-only-changed",
        "extension-changed",
    ]
)
"""Kinds that assert nothing, and that programs may act on."""

REQUIRED = ", and required"
"""Said of a member that is marked otherwise (read only, write only) and has to be there."""

TEXTS: frozenset[Kind] = frozenset(["description-changed", "examples-changed"])
"""Kinds that people alone read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something changed.

    ``definition`` is the name that holds it (in the newer version, where it is there), ``path`` the way from there: member
    names joined by dots, ``[]`` for items, ``{}`` for undeclared members. ``old`` and ``new`` are the places in both contracts,
    None where the version has none.
    """

    definition: str
    path: str = ""
    old: Origin | None
    new: Origin | None

    def __str__(self) -> str:
        if not self.path or not self.definition:
            return self.definition or self.path or "(root)"
        return self.definition + ("" if self.path[0] in "[{" else ".") + self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference in what two contracts mean or say.

    ``before`` and ``after`` are JSON texts of values, names, or types in words; empty where there is nothing. ``shared_by``:
    other definitions that show the same, because they compose or hold the place.
    """

    kind: Kind
    place: Place
    before: str = ""
    after: str = ""
    shared_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """A shape that stays as it is and is called differently, because it was given a name of its own, or lost it: a matter of
    generated names alone. ``before`` and ``after`` are the names, derived ones included."""

    place: Place
    before: str
    after: str
