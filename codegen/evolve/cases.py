"""An alternative → several that cover it, where one of them may lie in one alternative of a receiver and one in another.

Must not decide anything, nor cover more than the alternative.
"""

from __future__ import annotations

from dataclasses import replace

from codegen.evolve.atoms import NOTHING, Atom, Atoms, Declared, Members, Values, spread
from codegen.evolve.bounds import integer_bounds
from codegen.model import AnyJson, Boolean, Integer, JsonValue, Literals, Type

MOST_VALUES = 300
"""Values of a finite type that are looked at one by one."""


def cases_of(atoms: Atoms, left: Atom, rights: list[Atom]) -> list[Atom]:
    """The alternatives that cover ``left``, of a model whose types ``atoms`` looks through; none where it is not split.
    ``rights``: what they may lie in."""
    match left.body:
        case AnyJson():
            return list(spread(left))
        case Values(values=values) as body if 1 < len(values) <= MOST_VALUES:
            return [replace(left, body=replace(body, values=(value,))) for value in values]
        case Boolean(origin=origin) if any(isinstance(right.body, Values) for right in rights):
            return [replace(left, body=Values(values=(value,), origin=origin)) for value in (True, False)]
        case Integer() as body:
            return _integers(left, body, rights)
        case Members() as body if len(rights) > 1:
            others = [right.body for right in rights if isinstance(right.body, Members)]
            return _by_tag(atoms, left, body, others) or _by_presence(left, body, others)
    return []


def _integers(left: Atom, body: Integer, rights: list[Atom]) -> list[Atom]:
    """A short range, value by value."""
    if any(isinstance(right.body, Integer) and right.body.literal for right in rights):
        return []  # 1.0 is one of the values, and the literal decides there
    least, most = integer_bounds(body)
    if least is None or most is None or not 0 <= most - least < MOST_VALUES:
        return []
    return [replace(left, body=Values(values=tuple(range(least, most + 1)), origin=body.origin))]


def _by_tag(atoms: Atoms, left: Atom, body: Members, others: list[Members]) -> list[Atom]:
    """An object by the values of a required member that has several."""
    for name, one in body.declared.items():
        if one.required and any(name in other.declared for other in others):
            values = _listed(atoms, one.type)
            if len(values) > 1:
                literals = (Literals(values=(value,), origin=left.origin) for value in values)
                return [_restricted(left, body, name, Declared(literal, True)) for literal in literals]
    return []


def _by_presence(left: Atom, body: Members, others: list[Members]) -> list[Atom]:
    """An object by whether it has an optional member, which some of the others need or refuse, and some do not."""
    for name, one in body.declared.items():
        needed = {name in other.declared and other.declared[name].required for other in others}
        refused = {other.views(name) is None for other in others}
        if not one.required and one.type is not NOTHING and (len(refused) > 1 or True in needed):
            there, gone = Declared(one.type, True), Declared(NOTHING, False)
            return [_restricted(left, body, name, case) for case in (there, gone)]
    return []


def _listed(atoms: Atoms, type_: Type) -> tuple[JsonValue, ...]:
    """The values of a type that has few; none where it has many."""
    found: list[JsonValue] = []
    for atom in atoms.of(type_):
        if not isinstance(atom.body, Values):
            return ()
        found += atom.body.values
    return tuple(found) if len(found) <= MOST_VALUES else ()


def _restricted(left: Atom, body: Members, name: str, one: Declared) -> Atom:
    """The objects whose member ``name`` is as ``one`` says."""
    return replace(left, body=replace(body, declared={**body.declared, name: one}))
