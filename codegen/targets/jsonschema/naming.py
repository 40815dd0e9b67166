"""A model → what its definitions are called in ``$defs``.

Must not name what has a public name already. A definition that is only judged gets a private name, made of its place, so that
nothing else in the contract can change it.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator

from codegen.facts import Facts
from codegen.model import Doc, Key, Notes, Ref


def references(value: object) -> Iterator[Key]:
    """The definition of each reference inside ``value``, operands of checks among them."""
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, Ref):
            yield part.key
        elif isinstance(part, tuple):
            todo.extend(part)
        elif dataclasses.is_dataclass(part) and not isinstance(part, Key | Doc | Notes):
            todo.extend(getattr(part, field.name) for field in dataclasses.fields(part))


def names(facts: Facts) -> dict[Key, str]:
    """What each definition is called in ``$defs``: its public name; the place of a judged one, after ``_``. A judged one
    that is used once stands where it is used."""
    uses = Counter(references((facts.model.root, facts.model.definitions)))
    found = {definition.key: definition.name.spelled for definition in facts.public}
    taken = set(found.values())
    for definition in facts.model.definitions:
        key = definition.key
        if key not in found and uses[key] > 1:
            part = f"!{key.part}" if key.part else ""
            name = f"_{key.origin}{part}" + "".join(f" {anchor}={bound}" for anchor, bound in key.scope)
            while name in taken:
                name = "_" + name
            found[key] = name
            taken.add(name)
    return found
