"""A change and an answer → why, in words that a maintainer can check.

Must not decide about documents. Whether programs against generated code go on is decided here, since it follows from the kind
of a change alone; what exactly a target makes of it, the comparison of surfaces tells (``surface``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from codegen.evolve.changes import ANNOTATIONS, REQUIRED, TEXTS, Change, Kind, OperationKind
from codegen.evolve.policy import Policy

if TYPE_CHECKING:
    from codegen.evolve.verdicts import Answer, Direction

NOTHING = "nothing changed"
STAYS = "names and types stay"
UNDECLARED = "is not declared"
"""How the reason of a failure ends where a closed object refuses a member."""

_WRITE = "what the old version writes is still accepted"
_READ = "an old reader accepts what the new version writes"

_BREAKING: dict[Kind, tuple[str, str]] = {
    "kind-changed": (
        "what the old definition wrote is not what the new one accepts",
        "what the new definition writes is not what the old one accepted",
    ),
    "field-added": (
        "old writers were free to use the name for other values",
        "the new version sends a member that is not what old readers take it for",
    ),
    "field-removed": (
        "old writers send a member that is not what the new version takes it for",
        "old readers require a member that the new version no longer sends",
    ),
    "field-required": ("old writers may leave the member out", ""),
    "field-optional": ("", "old readers require a member that the new version may leave out"),
    "type-changed": (
        "old writers send values that are not of the new type",
        "the new version sends values that old readers do not take",
    ),
    "null-added": ("", "old readers do not take null"),
    "null-removed": ("old writers may send null", ""),
    "member-added": (
        "with the new alternative, more than one takes what old writers send",
        "old readers meet an alternative that they do not know",
    ),
    "member-removed": (
        "old writers send an alternative that is gone",
        "without the alternative, more than one or none takes what the new version sends",
    ),
    "exclusivity-changed": (
        "what old writers send is taken by another number of alternatives than the new version admits",
        "what the new version sends is taken by another number of alternatives than old readers admit",
    ),
    "value-added": ("", "old readers meet a value that they do not know"),
    "value-removed": ("old writers send a value that is gone", ""),
    "pattern-member-added": (
        "old writers may use such names for other values",
        "old readers refuse members with such names",
    ),
    "pattern-member-removed": (
        "old writers send members with such names, which the new version refuses",
        "the new version may use such names for values that old readers refuse",
    ),
    "undeclared-changed": (
        "old writers may send undeclared members that the new version refuses",
        "the new version may send undeclared members that old readers refuse",
    ),
}
_BOUND = (
    "old writers may send what is out of the new bounds",
    "the new version may send what is out of the bounds that old readers keep",
)
_RULE = (
    "old writers may send what the new rule refuses",
    "the new version may send what a rule that old readers keep refuses",
)
_BOUNDS = frozenset(
    [
        "minimum-changed",
        "maximum-changed",
        "min-length-changed",
        "max-length-changed",
        "min-items-changed",
        "max-items-changed",
    ]
)


def breaking(change: Change, direction: Direction, why: str = "") -> str:
    """Why a change breaks a direction. ``why``: what was found where it was decided."""
    if change.kind == "field-added":
        if direction == "read" and why.endswith(UNDECLARED):
            return "the object is closed: old readers refuse a member that they do not know"
        if direction == "write" and change.after.startswith("required"):
            return "the new version requires a member that old writers leave out"
    if change.kind == "field-removed" and direction == "write" and why.endswith(UNDECLARED):
        return "the object is closed: old writers send a member that the new version refuses"
    pair = _BREAKING.get(change.kind) or (_BOUND if change.kind in _BOUNDS else _RULE)
    return pair[0 if direction == "write" else 1] or _RULE[0 if direction == "write" else 1]


def harmless(change: Change, direction: Direction) -> str:
    """Why a change does not."""
    if change.kind in TEXTS or change.kind in ANNOTATIONS or change.kind == "deprecated-changed":
        return "it asserts nothing"
    if change.kind in ("definition-added", "definition-removed"):
        return "what is sent changes where something holds it, and is told there"
    if change.kind in ("definition-renamed", "name-reused"):
        return "names of definitions are in no document"
    if change.kind == "field-added":
        return "old writers leave the member out" if direction == "write" else "old readers take the member"
    if change.kind == "field-removed":
        return "the member is still taken" if direction == "write" else "old readers do without the member"
    return _WRITE if direction == "write" else _READ


def unsent(direction: Direction) -> str:
    """Why a direction does not matter."""
    return "no old writer sends it" if direction == "write" else "no old reader gets it"


def absorbed(direction: Direction) -> str:
    """Why a change inside of something does not break it."""
    if direction == "write":
        return "whatever old writers send where this stands is accepted in another way"
    return "whatever the new version sends where this stands is accepted in another way"


def gone(direction: Direction) -> str:
    """Why a message that one version alone has breaks."""
    return "the message is no longer defined" if direction == "write" else "old readers do not know the message"


def unknown(change: Change, why: str) -> str:
    """Why nothing could be decided."""
    if change.kind in ("pattern-changed", "check-added", "check-removed"):
        return "no document was found that shows a difference, and rules of this kind are not compared"
    return f"neither a proof nor a document that shows a difference was found ({why})"


def messages(direction: Direction) -> str:
    """Why all is well."""
    return _WRITE if direction == "write" else _READ


def refused(name: str, direction: Direction) -> str:
    """Why messages of a definition break."""
    what = name or "the root"
    if direction == "write":
        return f"{what}: a document of the old version is refused by the new one"
    return f"{what}: a document of the new version is refused by the old one"


def undecided(name: str, why: str) -> str:
    """Why nothing is known of messages of a definition."""
    return f"{name or 'the root'}: neither a proof nor a refused document was found ({why})"


# --- operations -------------------------------------------------------------------------------------------------------
# No document shows these: what is asked is refused before anybody reads it, or what is answered is not what was asked for.

OPERATIONS: frozenset[Kind] = frozenset(get_args(OperationKind))
"""Kinds that are about operations themselves, not about what travels."""

_ASKED: dict[Kind, str] = {
    "operation-removed": "those who ask for it are refused",
    "operation-moved": "those who ask as before are refused",
    "parameter-required": "those who leave it out are refused",
    "parameter-form-changed": "those who write it as before are misread",
    "body-required": "those who send none are refused",
    "request-content-removed": "those who send this form are refused",
}
_ANSWERED: dict[Kind, str] = {
    "response-content-removed": "those who read this form get another",
    "header-optional": "those who rely on the header may not get it",
}


MARKS: frozenset[Kind] = frozenset(["read-only-changed", "write-only-changed"])
"""Kinds that no document shows. To operations they say who writes a member: what is read only is not sent, what is write only
not answered, though it is required."""


def mark(change: Change, direction: Direction) -> tuple[Answer, str]:
    """What a change of such a mark does (OpenAPI 3.1.1, 4.8.24; JSON Schema 2020-12 Validation, 9.4)."""
    now, required = change.after.startswith("true"), change.after.endswith(REQUIRED)
    if (change.kind, direction) == ("read-only-changed", "write"):
        if now:
            return (
                "unknown",
                "nothing says whether a member that became read only is ignored or refused when it is sent",
            )
        if required:
            return "breaking", "old writers leave out what was read only to them, and the new version requires it"
    if (change.kind, direction) == ("write-only-changed", "read") and now and change.before.endswith(REQUIRED):
        return "breaking", "old readers require a member that is not answered any more"
    return "compatible", _WRITE if direction == "write" else _READ


def operation(change: Change, direction: Direction) -> tuple[Answer, str]:
    """What a change of an operation does to those who ask ("write") and who read the answers ("read")."""
    required = (change.before or change.after).startswith("required")
    if direction == "write":
        if change.kind in _ASKED:
            return "breaking", _ASKED[change.kind]
        if change.kind == "parameter-added" and required:
            return "breaking", "those who do not send it are refused"
        if change.kind == "parameter-removed":
            return "unknown", "nothing says whether a parameter that is no longer known is ignored or refused"
        if change.kind == "security-changed" and not _is_widened(change):
            return "breaking", "those who show who they are as before are refused"
        return "compatible", "what was asked before is still answered"
    if change.kind in _ANSWERED:
        return "breaking", _ANSWERED[change.kind]
    if change.kind == "header-removed" and required:
        return "breaking", "those who rely on the header do not get it"
    if change.kind == "response-added" and not change.before and change.after[:1] not in ("4", "5"):
        return "breaking", "those who ask as before get an answer that they do not know"
    return "compatible", "what is answered is known"


def _is_widened(change: Change) -> bool:
    """Every way to show who asks is still one, or none is needed."""
    before, after = (set(text.split(" or ")) - {""} for text in (change.before, change.after))
    return not after or "nothing" in after or (bool(before) and before <= after)


# --- programs ---------------------------------------------------------------------------------------------------------

_NAMES = "programs that use the name stop working"
_TYPES = "the type that programs see changes"
_SOURCE: dict[Kind, str] = {
    "definition-removed": _NAMES,
    "name-reused": "the name stands for another shape in programs",
    "kind-changed": "the name stands for another kind of thing in programs",
    "field-removed": "programs that use the member stop working",
    "field-required": "programs that build the object must give the member",
    "field-optional": "programs that read the member must expect that it is absent",
    "operation-removed": _NAMES,
    "operation-renamed": _NAMES,
    "parameter-removed": "programs that give the parameter stop working",
    "parameter-renamed": "programs that give the parameter by its name stop working",
    "parameter-required": "programs that ask must give the parameter",
    "body-required": "programs that ask must give a body",
    "type-changed": _TYPES,
    "null-added": "programs that read the value must expect null",
    "null-removed": "programs that write null stop working",
    "member-added": "a match over the alternatives is no longer exhaustive",
    "member-removed": "programs that use the alternative stop working",
    "value-added": "a match over the values is no longer exhaustive",
    "value-removed": "programs that use the value stop working",
}


def left_out(change: Change) -> tuple[Answer, str]:
    """What a change of what requests leave out does to programs that ask through a generated client."""
    if change.after.startswith("true"):
        return "breaking", f"{STAYS}, but clients leave the member out of requests though programs give it"
    return "compatible", f"{STAYS}; clients send the member now where programs give it"


def source(change: Change, policy: Policy, stated: bool) -> tuple[Answer, str]:
    """What a change does to programs. ``stated``: the ledger knows of the renaming."""
    match change.kind:
        case "definition-renamed" if stated:
            return "compatible", "the former name stays as an alias"
        case "definition-renamed":
            return "breaking", f'{_NAMES}; former = ["{change.before}"] in the ledger would keep it as an alias'
        case "parameter-added" if change.after.startswith("required"):
            return "breaking", "programs that ask must give the parameter"
        case "field-added" if change.after.startswith("required"):
            return "breaking", "programs that build the object must give the member"
        case "member-added" | "value-added" if policy.open_world:
            return "compatible", "programs expect what they do not know already"
        case "undeclared-changed" if {change.before, change.after} - {"refused", "any JSON"}:
            return "breaking", "the type of undeclared members changes"
    if change.kind in _SOURCE:
        return "breaking", _SOURCE[change.kind]
    return "compatible", STAYS
