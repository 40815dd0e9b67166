"""Two fields, definitions or scalars that belong together → what people and programs are told differently about them.

Must not look at what values are legal: annotations assert nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegen.dump import literal
from codegen.evolve.changes import REQUIRED, Kind
from codegen.evolve.sites import Site
from codegen.model import Default, Doc, Field, Integer, Key, Notes, Number, Operation, Parameter, Record, Text
from codegen.pointer import Origin

if TYPE_CHECKING:
    from codegen.evolve.walk import Walk


def of_definitions(walk: Walk, site: Site, old: Key, new: Key) -> None:
    """What two definitions are said to be."""
    before, after = walk.facts[0].definition(old), walk.facts[1].definition(new)
    _doc(walk, site, before.doc, after.doc, before.origin, after.origin)
    _notes(walk, site, before.notes, after.notes, before.origin, after.origin)


def of_fields(walk: Walk, site: Site, old: Field, new: Field) -> None:
    """What two members are said to be."""
    at = (old.origin, new.origin)
    if _default(old.default) != _default(new.default):
        walk.report(
            site, "default-changed", before=_default(old.default), after=_default(new.default), old=at[0], new=at[1]
        )
    inherited = _inherited(walk, 0, old), _inherited(walk, 1, new)
    if inherited[0] is None or inherited[1] is None:
        _doc(walk, site, old.doc, new.doc, *at)
        _notes(walk, site, old.notes, new.notes, *at, required=(old.required, new.required))


def of_operations(walk: Walk, site: Site, old: Operation, new: Operation) -> None:
    """What two operations are said to do."""
    at = (old.origin, new.origin)
    _doc(walk, site, old.summary, new.summary, *at)
    _doc(walk, site, old.doc, new.doc, *at)
    _notes(walk, site, old.notes, new.notes, *at)


def of_parameters(walk: Walk, site: Site, old: Parameter, new: Parameter) -> None:
    """What two parameters are said to be."""
    at = (old.origin, new.origin)
    if _default(old.default) != _default(new.default):
        texts = (_default(old.default), _default(new.default))
        walk.report(site, "default-changed", before=texts[0], after=texts[1], old=at[0], new=at[1])
    _doc(walk, site, old.doc, new.doc, *at)
    _notes(walk, site, old.notes, new.notes, *at)


def _inherited(walk: Walk, side: int, field: Field) -> Field | None:
    """The declaration that a narrowed member has its description from; None where it says something of its own."""
    if not field.narrows:
        return None
    definition = walk.facts[side].table.get(field.declared_in)
    if isinstance(definition, Record):
        for other in definition.fields:
            if (
                other.wire_name == field.wire_name
                and other.origin != field.origin
                and other.doc.source == field.doc.source
            ):
                return other
    return None


def of_scalars(walk: Walk, site: Site, old: Text | Integer | Number, new: Text | Integer | Number) -> None:
    """Format, encoding and media type."""
    pairs: list[tuple[Kind, str | None, str | None]] = [("format-changed", old.format, new.format)]
    if isinstance(old, Text) and isinstance(new, Text):
        pairs.append(("encoding-changed", old.encoding, new.encoding))
        pairs.append(("media-type-changed", old.media_type, new.media_type))
    for kind, before, after in pairs:
        if before != after:
            walk.report(site, kind, before=before or "", after=after or "")


def _default(default: Default | None) -> str:
    return "" if default is None else literal(default.value)


def _doc(walk: Walk, site: Site, before: Doc, after: Doc, old: Origin, new: Origin) -> None:
    if before.source.split() != after.source.split():
        walk.report(site, "description-changed", before=before.source, after=after.source, old=old, new=new)


def _notes(
    walk: Walk,
    site: Site,
    before: Notes,
    after: Notes,
    old: Origin,
    new: Origin,
    required: tuple[bool, bool] = (False, False),
) -> None:
    """``required``: of a member that has to be there, which matters to those whom a mark excused from it."""
    flags: tuple[tuple[Kind, bool, bool], ...] = (
        ("deprecated-changed", before.deprecated, after.deprecated),
        ("read-only-changed", before.read_only, after.read_only),
        ("write-only-changed", before.write_only, after.write_only),
    )
    for kind, was, now in flags:
        if was != now:
            said = [literal(was), literal(now)]
            if kind != "deprecated-changed":
                said = [text + (REQUIRED if must else "") for text, must in zip(said, required, strict=True)]
            walk.report(site, kind, before=said[0], after=said[1], old=old, new=new)
    examples = [[literal(example) for example in notes.examples] for notes in (before, after)]
    if examples[0] != examples[1]:
        walk.report(
            site, "examples-changed", before=", ".join(examples[0]), after=", ".join(examples[1]), old=old, new=new
        )
    for name in {**before.extensions, **after.extensions}:
        texts = [
            f"{name}: {literal(notes.extensions[name])}" if name in notes.extensions else ""
            for notes in (before, after)
        ]
        if texts[0] != texts[1]:
            walk.report(site, "extension-changed", before=texts[0], after=texts[1], old=old, new=new)
