"""Definitions and members → the identifiers that they have in Python.

Must not rename silently: where two names meet, the exact spelling wins and the others keep their own; what still meets is a
problem whose help is the line of the outline that settles it.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping
from typing import ClassVar

from codegen.edition import Edition
from codegen.errors import OutputError, Problem, shown
from codegen.model import ByTag, Choice, Definition, Enum, Key, Record, Type, Union
from codegen.tables import quoted
from codegen.targets import layout, naming
from codegen.targets.python import shells

VERBS = frozenset({"from_dict", "from_json", "to_dict", "to_json"})
MEMBERS = VERBS | {"extra"}
"""Attributes of every record."""

MODULES = frozenset(
    {
        "models",
        "codecs",
        "typed",
        "msgspec_models",
        "msgspec_codecs",
        "annotations",
        "client",
        "streams",
        "fold",
        "webhooks",
    }
)
CONSTANTS = frozenset({"CODECS", "PROTOCOL_VERSION", "CONTRACT_DIGEST"})
"""Names in which the package itself speaks; a definition that is called so gets an underscore."""

_BUILTINS = """
abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr
dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int
isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range
repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
"""
BUILTINS = frozenset(_BUILTINS.split())
"""Functions and types that everybody's code calls by these names, so that no definition takes them; pinned, since versions of
Python differ. Members are free to be called so."""

OURS = (
    "Absent",
    "ABSENT",
    "Codec",
    "DecodeError",
    "EncodeError",
    "Fault",
    "Finding",
    "JsonValue",
    "Record",
    "UnknownVariantError",
)
"""What the package exports beside the contract's names. These give way to the contract: they get the underscore."""


def safe(name: str, reserved: frozenset[str]) -> str:
    """``name``, or the nearest that means nothing to Python: not a keyword, not reserved, not mangled inside a class."""
    if name.startswith("__") and not name.endswith("__"):
        return "x5f_" + name[1:]
    special = name.startswith("__") and len(name) > 4
    return name + "_" if special or keyword.iskeyword(name) or name in reserved else name


class Names:
    """Every identifier of one package, settled once.

    ``classes`` are the public definitions' by key, ``attributes`` the members' by record and wire name, ``values`` the
    tuples of an enum's values, ``former`` names of earlier versions. Raises ``OutputError``.
    """

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.facts = edition.facts
        self.problems: list[Problem] = []
        self.classes = self._classes()
        self.values = {
            definition.key: f"{naming.upper(self.classes[definition.key])}_VALUES"
            for definition in self.facts.public
            if isinstance(definition, Enum)
        }
        self.attributes: dict[Key, dict[str, str]] = {}
        for definition in self.edition.model.definitions:
            if isinstance(definition, Record):
                held = self.attributes.get(shells.whole_of(definition.key))
                self.attributes[definition.key] = held or self._attributes(definition)
        self._refuse_meeting_values()
        if self.problems:
            raise OutputError(self.problems)
        self.former = self._former()
        self.taken = frozenset({*self.classes.values(), *self.values.values(), *self.former})
        """Names that the contract has at the top of a module."""
        self.variant = self.ours("UnknownVariant")
        self.private = any(name.startswith("_") for name in self.taken)
        """Some definition is called like something private, which it is not."""

    def ours(self, name: str) -> str:
        """What the package's own ``name`` is called: itself, unless the contract has it."""
        while name in self.taken:
            name += "_"
        return name

    def tag_attributes(self) -> dict[str, None]:
        """The attributes of the members that tell variants apart, in contract order."""
        found: dict[str, None] = {}
        for definition in self.facts.public:
            if isinstance(definition, Union):
                for name, member in _tags(definition.choice):
                    for record in self.facts.records(member) or ():
                        if name in self.attributes[record.key]:
                            found[self.attributes[record.key][name]] = None
        return found

    def _classes(self) -> dict[Key, str]:
        """Public definitions by what they are called in Python."""
        by_name = {definition.name.spelled: definition for definition in self.facts.public}

        def convert(name: str) -> str:
            return name if naming.legal(name) else naming.pascal(by_name[name].name.words or (name,))

        def finish(name: str) -> str:
            return safe(name, MODULES | CONSTANTS | BUILTINS)

        found = naming.assigned(((name, "") for name in by_name), convert, finish)
        for identifier, meeting in _meeting(found.items()):
            definition = by_name[meeting[-1]]
            where = f"{definition.key.document}#{definition.key.pointer}"
            self._report(
                definition,
                f"{' and '.join(map(shown, meeting))} are both {shown(identifier)} in Python",
                f'name one in outline.toml: [names] {quoted(where)} = "…"',
            )
        return {by_name[name].key: identifier for name, identifier in found.items()}

    def _former(self) -> dict[str, str]:
        """Names that definitions had in earlier versions, with what they are called now."""
        current = {*self.classes.values(), *self.values.values()}
        found = {}
        for definition in self.facts.public:
            entry = self.edition.ledger.entries.get(definition.name.spelled)
            shell = self.classes.get(shells.shell_of(definition.key))
            for old in entry.former if entry else ():
                legal = old if naming.legal(old) else naming.pascal((old,))
                identifier = safe(legal, MODULES | CONSTANTS | BUILTINS)
                if identifier not in current:
                    found[identifier] = self.classes[definition.key]
                if shell and legal + shells.SUFFIX not in current:
                    found[legal + shells.SUFFIX] = shell
        return found

    def _attributes(self, record: Record) -> dict[str, str]:
        """The members of a record by what they are called in Python."""
        spelled = record.name.spelled
        outline, ledger = self.edition.outline, self.edition.ledger
        pinned = {
            field.wire_name: outline.attribute(spelled, field.wire_name)
            or ledger.attribute(spelled, field.wire_name)
            or ""
            for field in record.fields
        }
        for wire_name, attribute in pinned.items():
            if attribute and (not naming.legal(attribute) or safe(attribute, MEMBERS) != attribute):
                self._report(
                    record,
                    f"the attribute {shown(attribute)} of {shown(f'{spelled}.{wire_name}')} cannot be one in Python",
                    "give it another in outline.toml",
                )
        found = naming.assigned(pinned.items(), naming.snake, lambda name: safe(name, MEMBERS))
        for identifier, meeting in _meeting(found.items()):
            self._report(
                record,
                f"the members {' and '.join(map(shown, meeting))} of {shown(spelled)} are both {shown(identifier)} in Python",
                f'name one in outline.toml: [fields] {quoted(f"{spelled}.{meeting[-1]}")} = "…"',
            )
        return found

    def _refuse_meeting_values(self) -> None:
        classes = {identifier: key for key, identifier in self.classes.items()}
        for key, identifier in self.values.items():
            if identifier in classes:
                definition = self.facts.definition(classes[identifier])
                where = f"{definition.key.document}#{definition.key.pointer}"
                self._report(
                    definition,
                    f"{shown(identifier)} is also what the values of {shown(self.classes[key])} are called",
                    f'name it in outline.toml: [names] {quoted(where)} = "…"',
                )

    def _report(self, definition: Definition, message: str, help: str) -> None:
        self.problems.append(Problem(code="name-clash", message=message, origin=definition.origin, help=help))


def _meeting(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Identifiers that several names got, with the names."""
    found: dict[str, list[str]] = {}
    for name, identifier in pairs:
        found.setdefault(identifier, []).append(name)
    return [(identifier, names) for identifier, names in found.items() if len(names) > 1]


def _tags(choice: Choice) -> list[tuple[str, Type]]:
    """Every tag property of a choice with a member that it leads to."""
    found: list[tuple[str, Type]] = []
    todo = [choice.dispatch.switch] if isinstance(choice.dispatch, ByTag) else []
    while todo:
        switch = todo.pop()
        found += [(switch.property, member.type) for member in choice.members]
        todo += [case.to for case in switch.cases if not isinstance(case.to, int)]
    return found


class Scope:
    """The names at the top of one module: what is imported there under which name, and what has to be imported.

    Must be asked for every name that annotations use, since a definition or a field may be called like it.
    """

    EXPORTED: ClassVar[frozenset[str]] = frozenset()
    """Imported names that are the module's own as well."""
    HOMES: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("Literal", "Never", "NotRequired", "TypeAlias", "TypedDict", "TYPE_CHECKING"), "typing"),
        **dict.fromkeys(("Mapping", "Sequence"), "collections.abc"),
        **dict.fromkeys(("ABSENT", "Absent", "JsonValue", "Record", "Unknown"), "._support"),
        **dict.fromkeys(("dataclass", "field"), "dataclasses"),
    }
    """Where the names come from that are no builtins."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.imports: dict[str, set[tuple[str, str]]] = {}
        self.aliases: dict[str, str] = {}
        """Other names of the module's own classes, for bodies that hide the first one."""
        self._claims: dict[str, str] = {}
        self._usual: dict[str, str] = {}

    def symbol(self, name: str, hidden: frozenset[str] = frozenset()) -> str:
        """What a name of ``HOMES`` or of Python's builtins is called here, in a body where ``hidden`` mean something else."""
        local = self._usual.get(name)
        if local is None or local in hidden:
            home = self.HOMES.get(name, "builtins")
            local = self._free(name, home, hidden, frozenset())
            if home != "builtins" or local != name:
                self.imports.setdefault(home, set()).add((name, local))
            if name not in hidden:
                self._usual[name] = local
        return local

    def own(self, identifier: str, hidden: frozenset[str] = frozenset()) -> str:
        """What a class or alias of this module is called inside a body where ``hidden`` mean something else."""
        local = self._free(identifier, "here", hidden, frozenset({identifier}))
        if local != identifier:
            self.aliases[local] = identifier
        return local

    def _free(self, name: str, home: str, hidden: frozenset[str], but: frozenset[str]) -> str:
        local = name
        while (
            local in hidden
            or (local in self.names.taken and local not in but)
            or self._claims.setdefault(local, f"{home} {name}") != f"{home} {name}"
        ):
            local = "_" + local
        return local

    def import_lines(self) -> list[str]:
        """The import statements, as isort orders them within each part: the standard library's, then the package's own."""
        homes = sorted(self.imports, key=lambda home: (home.startswith("."), home))
        lines: list[str] = []
        for home in homes:
            names = sorted(self.imports[home], key=lambda pair: (not pair[0].isupper(), pair[0].islower(), pair))
            spelled = [
                name if name == local and name not in self.EXPORTED else f"{name} as {local}" for name, local in names
            ]
            if lines and home.startswith(".") and not lines[-1].startswith("from ."):
                lines.append("")
            lines.append(layout.imported(home, spelled))
        return lines
