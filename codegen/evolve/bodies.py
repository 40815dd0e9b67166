"""Two alternatives that belong together → their differences: members, items, values, bounds, patterns.

Must not judge. Each difference comes with the question that decides it, asked about nothing else: of two bounds that changed,
one may be harmless and the other not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from codegen.dump import literal
from codegen.evolve import remarks
from codegen.evolve.atoms import ANYTHING, NOWHERE, Atom, Declared, Items, Members, Values
from codegen.evolve.bounds import integer_bounds
from codegen.evolve.changes import Kind
from codegen.evolve.likeness import canonical
from codegen.evolve.sites import Claim, Claims, Site, Step, schema_place
from codegen.model import EnumValue, Integer, JsonValue, Limit, Number, Pattern, Text, Type
from codegen.pointer import Origin

if TYPE_CHECKING:
    from codegen.evolve.walk import Walk


def compare(walk: Walk, site: Site, left: Atom, right: Atom) -> None:
    """Report the differences of two alternatives of one kind."""
    match left.body, right.body:
        case Members() as old, Members() as new:
            _objects(walk, site, left, right, old, new)
        case Items() as old, Items() as new:
            _arrays(walk, site, left, right, old, new)
        case Values() as old, Values() as new:
            _values(walk, site, old, new)
        case Text() as old, Text() as new:
            _texts(walk, site, left, right, old, new)
            remarks.of_scalars(walk, site, old, new)
        case (Integer() | Number()) as old, (Integer() | Number()) as new:
            _numbers(walk, site, left, right, old, new)
            remarks.of_scalars(walk, site, old, new)


def _both(left: Atom, right: Atom, old: Atom, new: Atom) -> Claims:
    """Questions about one aspect: ``old`` and ``new`` say nothing else of what the two alternatives say."""
    return Claim((left,), (new,)), Claim((right,), (old,))


def _only(body: Text | Number | Items | Members) -> Atom:
    return Atom(body=body, origin=body.origin)


# --- objects ----------------------------------------------------------------------------------------------------------


def _objects(walk: Walk, site: Site, left: Atom, right: Atom, old: Members, new: Members) -> None:
    for name in {**old.declared, **new.declared}:
        one, other = old.declared.get(name), new.declared.get(name)
        if one is not None and other is not None:
            _member(walk, site, left, right, name, one, other)
        elif other is not None:
            after = f"{'required' if other.required else 'optional'} {walk.words(1, other.type)}"
            claims = (Claim((left,), (_holding(name, other),)), Claim((_listed(right),), (_beside(old, new, name),)))
            origin = other.field.origin if other.field else new.origin
            walk.report(site, "field-added", claims, after=after, new=origin, path=name, everywhere=False)
        elif one is not None:
            before = f"{'required' if one.required else 'optional'} {walk.words(0, one.type)}"
            claims = (Claim((_listed(left),), (_beside(new, old, name),)), Claim((right,), (_holding(name, one),)))
            origin = one.field.origin if one.field else old.origin
            walk.report(site, "field-removed", claims, before=before, old=origin, path=name, everywhere=False)
    _undeclared(walk, site, left, right, old, new)


def _holding(name: str, one: Declared) -> Atom:
    """Objects of which nothing is known but one member."""
    return _only(Members(declared={name: one}, rest=ANYTHING, open=True, origin=NOWHERE))


def _listed(atom: Atom) -> Atom:
    """The objects that have no undeclared members."""
    assert isinstance(atom.body, Members)
    return replace(atom, body=replace(atom.body, rest=None, patterns=(), open=False))


def _beside(body: Members, other: Members, name: str) -> Atom:
    """Objects that treat the member ``name``, which they do not declare, as ``body`` does, and take all others."""
    declared = {known: Declared(ANYTHING) for known in {**body.declared, **other.declared} if known != name}
    return _only(replace(body, declared=declared, record=None))


def _loose(body: Members, names: Mapping[str, Declared], patterns: tuple[tuple[Pattern, Type], ...]) -> Atom:
    """Objects that treat undeclared members as ``body`` does, and take all others."""
    declared = {name: Declared(ANYTHING) for name in {**body.declared, **names}}
    return _only(replace(body, declared=declared, patterns=patterns, record=None))


def _member(walk: Walk, site: Site, left: Atom, right: Atom, name: str, one: Declared, other: Declared) -> None:
    assert isinstance(left.body, Members) and isinstance(right.body, Members)
    places = tuple(
        declared.field.origin if declared.field else origin
        for declared, origin in zip((one, other), site.origins, strict=True)
    )
    below = site.into(Step(left.body, right.body, name), name, (one.type, other.type), (places[0], places[1]))
    if one.required != other.required:
        needed = _holding(name, Declared(ANYTHING, required=True))
        claim = Claim((left if other.required else right,), (needed,))
        kind: Kind = "field-required" if other.required else "field-optional"
        claims = (claim, None) if other.required else (None, claim)
        at = [declared.field.required_at if declared.field else None for declared in (one, other)]
        walk.report(site, kind, claims, old=at[0] or places[0], new=at[1] or places[1], path=name)
    if one.field is not None and other.field is not None:
        remarks.of_fields(walk, below, one.field, other.field)
    walk.types(below)


def _undeclared(walk: Walk, site: Site, left: Atom, right: Atom, old: Members, new: Members) -> None:
    if old.rest is not None and new.rest is not None and not (old.open or new.open):
        step = Step(old, new, None)
        places = (schema_place(old.rest.origin), schema_place(new.rest.origin))
        walk.types(site.into(step, "{}", (old.rest, new.rest), places))
    elif old.rest is not new.rest and not (old.open and new.open):
        claims = _both(left, right, _loose(old, new.declared, old.patterns), _loose(new, old.declared, new.patterns))
        words = [_rest(walk, side, body) for side, body in enumerate((old, new))]
        walk.report(site, "undeclared-changed", claims, before=words[0], after=words[1], old=old.origin, new=new.origin)
    before = {pattern.source: (pattern, type_) for pattern, type_ in old.patterns}
    after = {pattern.source: (pattern, type_) for pattern, type_ in new.patterns}
    for source in {**before, **after}:
        if source in before and source in after:
            (pattern, one), (other_pattern, other) = before[source], after[source]
            step = Step(old, new, (pattern, other_pattern))
            walk.types(site.into(step, f"{{{source}}}", (one, other), (pattern.origin, other_pattern.origin)))
            continue
        added = source in after
        pattern, type_ = (after if added else before)[source]
        body, atom = (new, right) if added else (old, left)
        rest = old if added else new
        stated = _only(replace(body, declared={}, rest=ANYTHING, open=True, patterns=((pattern, type_),), record=None))
        names = {**old.declared, **new.declared}
        forth = Claim((left if added else right,), (stated,))
        back = Claim((replace(atom, body=replace(body, rest=None, open=False)),), (_loose(rest, names, rest.patterns),))
        told = f"{source}: {walk.words(1 if added else 0, type_)}"
        at = pattern.origin
        if added:
            walk.report(site, "pattern-member-added", (forth, back), after=told, new=at, everywhere=False)
        else:
            walk.report(site, "pattern-member-removed", (back, forth), before=told, old=at, everywhere=False)


def _rest(walk: Walk, side: int, body: Members) -> str:
    if body.rest is None:
        return "refused"
    return "any JSON" if body.open else walk.words(side, body.rest)


# --- arrays -----------------------------------------------------------------------------------------------------------


def _arrays(walk: Walk, site: Site, left: Atom, right: Atom, old: Items, new: Items) -> None:
    loose = (Items(prefix=(), rest=ANYTHING, origin=old.origin), Items(prefix=(), rest=ANYTHING, origin=new.origin))
    sides: tuple[tuple[Kind, str], ...] = (("min-items-changed", "low"), ("max-items-changed", "high"))
    for kind, name in sides:
        one, other = getattr(old, name), getattr(new, name)
        if _value(one) != _value(other):
            aspects = (replace(loose[0], **{name: one}), replace(loose[1], **{name: other}))
            claims = _both(left, right, _only(aspects[0]), _only(aspects[1]))
            _bound(walk, site, kind, claims, one, other)
    count = max(len(old.prefix), len(new.prefix))
    for index in range(count + 1):
        types = (old.at(index), new.at(index))
        step = Step(old, new, index)
        path = f"[{index}]" if index < count else "[]"
        walk.types(site.into(step, path, types, (_place(types[0], old), _place(types[1], new))))


def _place(type_: Type, items: Items) -> Origin:
    return items.origin if type_ is ANYTHING else schema_place(type_.origin)


# --- scalars ----------------------------------------------------------------------------------------------------------


def _values(walk: Walk, site: Site, old: Values, new: Values) -> None:
    before = {canonical(value): value for value in old.values}
    after = {canonical(value): value for value in new.values}
    enums = [{canonical(value.value): value for value in body.enum.values} if body.enum else {} for body in (old, new)]
    for mark, value in before.items():
        if mark not in after:
            claim = Claim((_value_atom(value, old),), site.types[1])
            at = _value_place(enums[0].get(mark), old)
            walk.report(site, "value-removed", (claim, None), before=literal(value), old=at, new=new.origin)
        elif mark in enums[0] and mark in enums[1]:
            one, other = enums[0][mark], enums[1][mark]
            if one.doc.source.split() != other.doc.source.split():
                walk.report(
                    site,
                    "description-changed",
                    before=one.doc.source,
                    after=other.doc.source,
                    old=one.origin,
                    new=other.origin,
                )
    for mark, value in after.items():
        if mark not in before:
            claim = Claim((_value_atom(value, new),), site.types[0])
            at = _value_place(enums[1].get(mark), new)
            walk.report(site, "value-added", (None, claim), after=literal(value), old=old.origin, new=at)


def _value_atom(value: JsonValue, body: Values) -> Atom:
    return Atom(body=replace(body, values=(value,)), origin=body.origin)


def _value_place(value: EnumValue | None, body: Values) -> Origin:
    return body.origin if value is None else value.origin


def _texts(walk: Walk, site: Site, left: Atom, right: Atom, old: Text, new: Text) -> None:
    plain = (Text(origin=old.origin), Text(origin=new.origin))
    sides: tuple[tuple[Kind, str], ...] = (("min-length-changed", "min_length"), ("max-length-changed", "max_length"))
    for kind, name in sides:
        one, other = getattr(old, name), getattr(new, name)
        if _value(one) != _value(other):
            aspects = (replace(plain[0], **{name: one}), replace(plain[1], **{name: other}))
            _bound(walk, site, kind, _both(left, right, _only(aspects[0]), _only(aspects[1])), one, other)
    sources = [[pattern.source for pattern in type_.patterns] for type_ in (old, new)]
    if set(sources[0]) != set(sources[1]):
        aspects = (replace(plain[0], patterns=old.patterns), replace(plain[1], patterns=new.patterns))
        places = [type_.patterns[0].origin if type_.patterns else None for type_ in (old, new)]
        walk.report(
            site,
            "pattern-changed",
            _both(left, right, _only(aspects[0]), _only(aspects[1])),
            before=" and ".join(sources[0]),
            after=" and ".join(sources[1]),
            old=places[0],
            new=places[1],
        )


def _numbers(walk: Walk, site: Site, left: Atom, right: Atom, old: Integer | Number, new: Integer | Number) -> None:
    kinds = [(type(body), isinstance(body, Integer) and body.literal) for body in (old, new)]
    if kinds[0] != kinds[1]:
        bare = [Atom(body=replace(body, minimum=None, maximum=None), origin=body.origin) for body in (old, new)]
        words = [walk.words(side, body) for side, body in enumerate((old, new))]
        claims = _both(left, right, bare[0], bare[1])
        walk.report(site, "type-changed", claims, before=words[0], after=words[1], old=old.origin, new=new.origin)
    lows, highs = zip(_limits(old), _limits(new), strict=True)
    sides: tuple[tuple[Kind, str, tuple[Limit | None, Limit | None]], ...] = (
        ("minimum-changed", "minimum", lows),
        ("maximum-changed", "maximum", highs),
    )
    for kind, name, (one, other) in sides:
        if _value(one) != _value(other):
            aspects = [
                Number(origin=body.origin, **{name: limit}) for body, limit in ((old, one), (new, other))  # type: ignore[arg-type]
            ]
            _bound(walk, site, kind, _both(left, right, _only(aspects[0]), _only(aspects[1])), one, other)


def _limits(type_: Integer | Number) -> tuple[Limit | None, Limit | None]:
    """The bounds, those of integers without what makes no difference."""
    if not isinstance(type_, Integer):
        return type_.minimum, type_.maximum
    low, high = integer_bounds(type_)
    return (
        None if low is None or type_.minimum is None else replace(type_.minimum, value=low, exclusive=False),
        None if high is None or type_.maximum is None else replace(type_.maximum, value=high, exclusive=False),
    )


def _value(limit: Limit | None) -> tuple[float, bool] | None:
    return None if limit is None else (limit.value, limit.exclusive)


def _bound(walk: Walk, site: Site, kind: Kind, claims: Claims, one: Limit | None, other: Limit | None) -> None:
    texts = ["" if limit is None else f"{'beyond ' if limit.exclusive else ''}{limit.value}" for limit in (one, other)]
    places = [None if limit is None else limit.origin for limit in (one, other)]
    walk.report(site, kind, claims, before=texts[0], after=texts[1], old=places[0], new=places[1])
