"""A comparison and a policy → which definitions are messages, which way they go, and what they hold.

Must not judge. What operations send are messages of one direction. Where there are none, and the policy names no messages,
every definition is one, both ways.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from codegen.evolve.comparison import Comparison
from codegen.evolve.policy import Policy
from codegen.evolve.sites import Owner
from codegen.facts import Facts, own_types, references
from codegen.model import Key


class Reach:
    """Messages, and which of them hold a definition."""

    def __init__(self, comparison: Comparison, policy: Policy) -> None:
        self._comparison, self._policy = comparison, policy
        self._below = (_Below(comparison.old), _Below(comparison.new))

    def _goes(self, name: str, direction: Literal["write", "read"]) -> bool:
        """Messages of a definition matter: what old writers send of requests, what old readers get of responses."""
        said = self._policy.roots.get(name)
        return said == "both" or said == ("request" if direction == "write" else "response")

    def is_root(self, name: str, direction: Literal["write", "read"]) -> bool:
        """The policy names the definition a message of that direction."""
        return self._goes(name, direction)

    @cached_property
    def _is_stated(self) -> bool:
        """The policy names messages, or operations say what is one."""
        return bool(self._policy.roots) or any(owner.direction for owner in self._comparison.owners)

    def roots(self, direction: Literal["write", "read"]) -> tuple[Owner, ...]:
        """The messages of both versions that matter in a direction."""
        owners = self._comparison.owners
        return tuple(owner for owner in owners if self._is_message(owner, direction)) if self._is_stated else owners

    def _is_message(self, owner: Owner, direction: Literal["write", "read"]) -> bool:
        if owner.direction is not None:
            return owner.direction == ("request" if direction == "write" else "response")
        return any(self._goes(name, direction) for name in self._names(owner))

    def missing(self, direction: Literal["write", "read"]) -> tuple[str, ...]:
        """Messages that the receiving version does not have."""
        known = {name for owner in self._comparison.owners for name in self._names(owner)}
        side = self._comparison.old if direction == "write" else self._comparison.new
        names = {definition.name.spelled for definition in side.public}
        return tuple(
            name for name in self._policy.roots if self._goes(name, direction) and name in names and name not in known
        )

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names in the policy that neither version defines."""
        names = {d.name.spelled for side in (self._comparison.old, self._comparison.new) for d in side.public}
        return tuple(name for name in self._policy.roots if name not in names)

    def roots_of(self, owner: Owner, direction: Literal["write", "read"]) -> tuple[Owner, ...]:
        """The messages that the policy or operations name and that hold an owner."""
        return tuple(root for root in self.roots(direction) if self._holds(root, owner)) if self._is_stated else ()

    def matters(self, owner: Owner, direction: Literal["write", "read"]) -> bool:
        """Some message of that direction holds the owner."""
        return not self._is_stated or bool(self.roots_of(owner, direction))

    def names_below(self, owner: Owner) -> frozenset[str]:
        """The named definitions that documents of an owner may hold."""
        return frozenset(other.name for other in self._comparison.owners if self._holds(owner, other))

    def _holds(self, root: Owner, owner: Owner) -> bool:
        if root is owner or owner.keys is None:
            return root is owner
        tops = (root.old, root.new)
        return any(owner.keys[side] in self._below[side].of(tuple(references((tops[side],)))) for side in (0, 1))

    def _names(self, owner: Owner) -> tuple[str, ...]:
        if owner.keys is None:
            return (owner.name,)
        return (owner.name, self._comparison.old.definition(owner.keys[0]).name.spelled)


class _Below:
    """What definitions of one model hold, at any depth."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[tuple[Key, ...], frozenset[Key]] = {}

    @cached_property
    def _uses(self) -> dict[Key, tuple[Key, ...]]:
        return {
            definition.key: tuple(references(own_types(definition))) for definition in self._facts.model.definitions
        }

    def of(self, keys: tuple[Key, ...]) -> frozenset[Key]:
        """``keys`` and everything below them."""
        if keys not in self._known:
            found: set[Key] = set()
            todo = list(keys)
            while todo:
                key = todo.pop()
                if key not in found:
                    found.add(key)
                    todo += self._uses[key]
            self._known[keys] = frozenset(found)
        return self._known[keys]
