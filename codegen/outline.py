"""``outline.toml`` → what people say about a contract beside it: sections of the reference, and names.

Must not guess: what the outline leaves out is decided by ``resolve`` and the targets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codegen.errors import ManifestError, Problem, shown
from codegen.ledger import place
from codegen.model import Model, Record
from codegen.pointer import Origin
from codegen.tables import Source, Table, source

LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A chapter of the reference, with ``links`` to prose about it. Title and introduction are by language (BCP 47; "" where
    the outline has one text for all).

    ``members`` are definitions in reading order: a spelled name, ``members of <union>``, or a pattern with ``*``, ``?`` or
    ``[…]``. ``operations`` are the operations of the section by name, in reading order.
    """

    id: str
    title: Mapping[str, str]
    intro: Mapping[str, str]
    members: tuple[str, ...]
    operations: tuple[str, ...] = ()
    links: tuple[LearnMore, ...] = ()
    origin: Origin

    def names(self) -> Iterator[tuple[int, str]]:
        """The names that ``members`` speak of, with the position of each line; a pattern speaks of none."""
        for index, member in enumerate(self.members):
            if member.startswith(UNION):
                yield index, member.removeprefix(UNION)
            elif not set("*?[") & set(member):
                yield index, member


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnMore:
    """A link for readers of the reference; its title by language, as in ``Section``."""

    title: Mapping[str, str]
    url: str


UNION = "members of "
"""How a line of ``Section.members`` begins that stands for the members of a union."""


@dataclass(frozen=True, kw_only=True)
class Outline:
    """``names`` are by version ("" for every version) and place, ``attributes`` by definition and wire name, ``anchors`` by
    definition or ``Definition.member``. ``language`` is the one that the contract is written in."""

    language: str = "en"
    sections: tuple[Section, ...] = ()
    learn_more: tuple[LearnMore, ...] = ()
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    attributes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    anchors: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = field(default=None, compare=False, repr=False)

    def name_at(self, version: str, pointer: str) -> str | None:
        """The name that the outline gives to the shape at a place; a line for ``version`` wins over a general one.

        ``pointer`` is a JSON Pointer into the contract's root document, or ``document#pointer``.
        """
        where = f"#{pointer}" if not pointer or pointer.startswith("/") else pointer
        return self.names.get(version, {}).get(where) or self.names.get("", {}).get(where)

    def attribute(self, definition: str, wire_name: str) -> str | None:
        """The attribute that the outline gives to the member ``wire_name`` of ``definition`` (its spelled name)."""
        return self.attributes.get((definition, wire_name))

    def anchor(self, name: str) -> str | None:
        """The anchor that the outline gives to the definition ``name``, or to the field ``Definition.member``."""
        return self.anchors.get(name)


def read(path: Path) -> Outline:
    """The outline at ``path``. Raises ManifestError for anything in it that cannot be followed."""
    return parse(source(path))


def parse(source: Source) -> Outline:
    """The outline that ``source`` spells; whether what it speaks of exists is ``check``'s question."""
    problems: list[Problem] = []
    root = Table.of(source, problems)
    language = root.take("language", str, "en")
    if not LANGUAGE.fullmatch(language):
        root.report(
            "bad-value", f"language is {shown(language)}, no language tag", "language", help='write "de" or "pt-BR"'
        )
    sections = tuple(map(_section, root.tables("sections")))
    _refuse_twins(root, sections)
    links = tuple(map(_link, root.tables("learn_more")))
    names = _names(root.table("names"))
    attributes: dict[tuple[str, str], str] = {}
    fields = root.table("fields")
    for path in fields.value if fields else ():
        definition, dot, wire_name = path.partition(".")
        if fields and (attribute := fields.take(path, str)) is not None:
            attributes[definition, wire_name] = attribute
            if not dot:
                fields.report(
                    "bad-value", f"{shown(path)} is not Definition.member", path, help='write "Definition.member"'
                )
    anchors = root.texts("anchors")
    root.close()
    if problems:
        raise ManifestError(problems, source.locate)
    return Outline(
        language=language,
        sections=sections,
        learn_more=links,
        names=names,
        attributes=attributes,
        anchors=anchors,
        source=source,
    )


def _section(table: Table) -> Section:
    section = Section(
        id=table.need("id"),
        title=_texts(table, "title"),
        intro=_texts(table, "intro") if "intro" in table.value else {},
        members=table.strings("members") or (),
        operations=table.strings("operations") or (),
        links=tuple(map(_link, table.tables("links"))) if "links" in table.value else (),
        origin=table.origin,
    )
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", section.id):
        message = f"id is {shown(section.id)}, not a letter followed by letters, digits, _ and -"
        table.report("bad-value", message, "id", help="choose another id")
    table.close()
    return section


def _link(table: Table) -> LearnMore:
    link = LearnMore(title=_texts(table, "title"), url=table.need("url"))
    if not re.match(r"https?://", link.url):
        message = f"url is {shown(link.url)}, not an http or https address"
        table.report("bad-value", message, "url", help='write "https://…"')
    table.close()
    return link


def _texts(table: Table, key: str) -> dict[str, str]:
    if not isinstance(table.value.get(key), dict):
        return {"": table.need(key)}
    texts = table.texts(key)
    for language in texts:
        if not LANGUAGE.fullmatch(language):
            table.report(
                "bad-value", f"{shown(language)} is no language tag", key, language, help='write "de" or "pt-BR"'
            )
    return texts


def _refuse_twins(root: Table, sections: Iterable[Section]) -> None:
    ids: set[str] = set()
    members: dict[tuple[str, str], tuple[str, int]] = {}
    for number, section in enumerate(sections):
        if section.id in ids:
            message = f"section {shown(section.id)} is there twice"
            root.report("duplicate", message, "sections", number, "id", help="choose another id")
        ids.add(section.id)
        for kind, listed in (("members", section.members), ("operations", section.operations)):
            for index, member in enumerate(listed):
                holder = members.setdefault((kind, member), (section.id, index))
                if holder != (section.id, index):
                    root.report(
                        "duplicate",
                        f"{shown(member)} is in section {shown(holder[0])} already",
                        *("sections", number, kind, index),
                        help="list each name once",
                    )


def _names(table: Table | None) -> dict[str, dict[str, str]]:
    """``"#/place" = "Name"`` for every version; a table named like a version for that one."""
    names: dict[str, dict[str, str]] = {"": {}}
    for key in table.value if table else ():
        if table is None:
            break
        if key and isinstance(table.value[key], dict):
            names[key] = table.texts(key)
        else:
            names[""][key] = table.take(key, str, "")
        for where in names.get(key, (key,)):
            if "#" not in where:
                table.report("bad-value", f"{shown(where)} is no place", key, help='write "#" and a JSON Pointer')
    return names


def check(outline: Outline, models: Mapping[str, Model]) -> None:
    """Raise ManifestError for every name that no version has: a line that does nothing is a typing error."""
    if outline.source is None:
        return
    definitions = {d.name.spelled: d for model in models.values() for d in model.definitions}
    operations = {operation.name.spelled for model in models.values() for operation in model.operations}
    members = {
        (d.name.spelled, f.wire_name)
        for model in models.values()
        for d in model.definitions
        if isinstance(d, Record)
        for f in d.fields
    }
    problems: list[Problem] = []

    def report(what: str, *tokens: str | int) -> None:
        origin = Origin(outline.source.path if outline.source else "", "").at(*tokens)
        message = f"{shown(what)} is in no version of the contract"
        problems.append(Problem(code="unknown-name", message=message, origin=origin, help="correct or remove it"))

    for number, section in enumerate(outline.sections):
        for index, member in section.names():
            if member not in definitions:
                report(member, "sections", number, "members", index)
        for index, operation in enumerate(section.operations):
            if operation not in operations:
                report(operation, "sections", number, "operations", index)
    for name in outline.anchors:
        split = ((name[:at], name[at + 1 :]) for at, character in enumerate(name) if character == ".")
        if name not in definitions and name not in operations and not any(pair in members for pair in split):
            report(name, "anchors", name)
    for definition, wire_name in outline.attributes:
        if (definition, wire_name) not in members:
            report(f"{definition}.{wire_name}", "fields", f"{definition}.{wire_name}")
    for version, names in outline.names.items():
        given = {
            place(d.key)
            for v, model in models.items()
            if version in ("", v)
            for d in (*model.definitions, *model.operations)
            if d.name.source == "configured"
        }
        for where in names:
            if where not in given:
                report(where, "names", *([version] if version else []), where)
    if problems:
        raise ManifestError(problems, outline.source.locate)
