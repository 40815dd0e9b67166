"""What a manifest says about the parties to a contract → the policy under which two versions are compared.

Must not judge anything. A policy states what senders and receivers may be relied on to do beyond the letter of the contract;
without one, the letter holds, but for names that nobody declared (``undeclared``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias, get_args

from codegen.errors import ManifestError, Problem, shown
from codegen.pointer import Origin
from codegen.tables import Table, known

Undeclared: TypeAlias = Literal["reserved", "free"]
Receivers: TypeAlias = Literal["exact", "tolerant"]
Direction: TypeAlias = Literal["request", "response", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What is known of the parties.

    ``undeclared``: names that an open object does not declare are "reserved" (nobody uses one before the contract declares it)
    or "free" (anybody may). ``receivers``: they are "exact", or "tolerant": a member that a closed object does not declare is
    dropped or kept, and the rest is read. ``open_world``: receivers keep tags and enum values that they do not know.

    ``roots``: definition → direction of its messages. A "request" is read by the newer side alone, so that only writers of the
    old version matter; a "response" is written by the newer side, so that only its old readers do. Empty: every definition is a
    message, both ways.
    """

    undeclared: Undeclared = "reserved"
    receivers: Receivers = "exact"
    open_world: bool = False
    roots: Mapping[str, Direction] = field(default_factory=dict)

    @property
    def reserved(self) -> bool:
        """Undeclared names of open objects count as unused."""
        return self.undeclared == "reserved"

    @property
    def tolerant(self) -> bool:
        """Undeclared members of closed objects are dropped."""
        return self.receivers == "tolerant"


EXACT = Policy(undeclared="free")
"""The letter of the contract."""


def stated(policy: Policy) -> dict[str, Any]:
    """What a manifest has to say for ``policy``: nothing of what holds anyway."""
    plain = Policy()
    values = {field.name: getattr(policy, field.name) for field in fields(Policy)}
    return {
        name: dict(value) if name == "roots" else value
        for name, value in values.items()
        if value != getattr(plain, name)
    }


def written(value: Mapping[str, Any], origin: Origin, given: Mapping[str, str] | None = None) -> Policy:
    """The policy that a manifest states at ``origin``, with what a command line states instead as ``KEY=VALUE``
    (``roots.NAME=DIRECTION`` for one message). Raises ManifestError for what cannot be followed."""
    problems: list[Problem] = []
    stated = _read(Table(dict(value), origin, problems))
    if given and not problems:
        stated = _read(Table(_overridden(value, given), Origin("--policy", ""), problems))
    if problems:
        raise ManifestError(problems)
    return stated


def _overridden(value: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    whole: dict[str, Any] = {**value, "roots": dict(value.get("roots", {}))}
    for key, text in given.items():
        head, _, name = key.partition(".")
        if head == "roots" and name:
            whole["roots"][name] = text
        else:
            whole[key] = {"true": True, "false": False}.get(text, text)
    return whole


def _read(table: Table) -> Policy:
    undeclared = table.take("undeclared", str, "reserved")
    receivers = table.take("receivers", str, "exact")
    roots = table.texts("roots")
    for name, direction in roots.items():
        _choose(table, direction, get_args(Direction), "roots", name)
    _choose(table, undeclared, get_args(Undeclared), "undeclared")
    _choose(table, receivers, get_args(Receivers), "receivers")
    policy = Policy(
        undeclared="free" if undeclared == "free" else "reserved",
        receivers="tolerant" if receivers == "tolerant" else "exact",
        open_world=table.take("open_world", bool, False),
        roots={name: _direction(direction) for name, direction in roots.items()},
    )
    table.close()
    return policy


def _direction(text: str) -> Direction:
    return "request" if text == "request" else "response" if text == "response" else "both"


def _choose(table: Table, value: str, choices: tuple[str, ...], *keys: str) -> None:
    if value not in choices:
        table.report("bad-value", f"{keys[-1]} is {shown(value)}", *keys, help=known(value, list(choices)))
