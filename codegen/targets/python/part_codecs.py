"""A part and its lines → what its module of codecs shows: ``msgspec_codecs.py``, ``pydantic_codecs.py``.

Must not say what a codec reads or writes: the part does, line by line. What is the same in all parts stands here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codegen.model import Ref
from codegen.targets import quoting
from codegen.targets.python.models import PROSE
from codegen.targets.python.package import Package


@dataclass(frozen=True, slots=True)
class PartCodecsView:
    """A module of codecs; ``typed``, ``plain``: documents have types of their own, or have none."""

    banner: str
    doc: str
    typed: bool
    plain: bool
    mark: str
    codecs: tuple[str, ...]
    former: tuple[str, ...]
    table: tuple[str, ...]


def part_codecs(package: Package, doc: str, codecs: Iterable[str], former: Iterable[tuple[str, str]]) -> PartCodecsView:
    """The module of a part. ``codecs``: a line for each public definition; ``former``: other names of codecs."""
    mark, facts, names = package.mark, package.facts, package.names
    typed = "typed" in package.options.parts
    root = package.edition.model.root
    table = {definition.name.spelled: names.classes[definition.key] for definition in facts.public}
    if isinstance(root, Ref):
        table[""] = names.classes[root.key]
    elif root is not None:
        table[""] = f'{mark}Codec("", "", {mark}parts)'
    return PartCodecsView(
        banner=package.banner,
        doc=quoting.docstring(doc, 0, PROSE),
        typed=typed and bool(facts.public),
        plain=not typed and bool(facts.public),
        mark=mark,
        codecs=tuple(codecs),
        former=tuple(f"{old} = {name}" for old, name in former),
        table=tuple(
            f"{quoting.text(name)}: {codec}," for name, codec in sorted(table.items(), key=lambda item: item[0] != "")
        ),
    )
