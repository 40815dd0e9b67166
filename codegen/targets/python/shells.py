"""An edition → the same, with a definition more for each shell that documents may hold (``x-wirebound-partial``).

A shell is an object that lacks members which its definition requires; only the members that tell it apart are sure to be there.
Must not touch what the contract itself defines: it accepts what it accepted, and a receiver that rejects never builds a shell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from codegen import exchange
from codegen.edition import Edition
from codegen.errors import OutputError, Problem, shown
from codegen.facts import Facts, inner_types, own_types
from codegen.model import (
    Alias,
    ByTag,
    ByTrial,
    Choice,
    Definition,
    Doc,
    Key,
    Member,
    Name,
    Record,
    Ref,
    Switch,
    Type,
)
from codegen.tables import quoted

SUFFIX = "Partial"
"""What is added to the name of a definition for that of its shell."""
PART = "shell"


def shell_of(key: Key) -> Key:
    """What identifies the shell of a definition."""
    return replace(key, part=f"{key.part} {PART}".strip())


def whole_of(key: Key) -> Key:
    """The definition that a shell belongs to; any other definition is its own."""
    return replace(key, part=key.part.removesuffix(PART).rstrip()) if is_shell(key) else key


def is_shell(key: Key) -> bool:
    """The definition is a shell, and not the contract's own."""
    return key.part.split(" ")[-1] == PART


def held(ref: Ref, facts: Facts) -> Type | None:
    """What a lenient receiver may build at a place that is marked: the definition or its shell. None where shells are no other
    than what they belong to, or the place is not marked."""
    key = shell_of(ref.key)
    if not ref.partial or key not in facts.table:
        return None
    shell = Ref(key=key, origin=ref.origin)
    return _choice([replace(ref, partial=False), shell]) if isinstance(facts.table[key], Record) else shell


def with_shells(edition: Edition) -> Edition:
    """``edition`` with its shells, each behind what it belongs to. Raises OutputError (``name-clash``)."""
    facts = edition.facts
    marked = list(dict.fromkeys(ref.key for ref in _references(facts) if ref.partial))
    tags = _tags(facts) if marked else {}
    shells: dict[Key, Definition] = {}
    for key in marked:
        partial = {
            record.key: _record(record, tags.get(record.key, frozenset()))
            for record in facts.records(Ref(key=key, origin=key.origin)) or ()
            if any(field.required and field.wire_name not in tags.get(record.key, ()) for field in record.fields)
        }
        shells |= partial
        definition = facts.definition(key)
        if partial and not isinstance(definition, Record):
            whole = Ref(key=key, origin=definition.origin)
            parts = [Ref(key=shell.key, origin=shell.origin) for shell in partial.values()]
            shells[key] = Alias(
                key=shell_of(key),
                name=_name(definition.name),
                doc=Doc(source=f"``{definition.name.spelled}``, or a variant of it that still lacks members."),
                notes=definition.notes,
                type=_choice([whole, *parts]),
                origin=definition.origin,
            )
    if not shells:
        return edition
    _refuse_taken(facts, shells)
    definitions: list[Definition] = []
    for definition in edition.model.definitions:
        definitions += [definition, *([shells[definition.key]] if definition.key in shells else [])]
    model = replace(edition.model, definitions=tuple(definitions))
    return replace(edition, model=model, facts=Facts(model))


def _record(record: Record, tags: frozenset[str]) -> Record:
    """The shell of a record: only its tags are sure to be there."""
    fields = tuple(field if field.wire_name in tags else replace(field, required_at=None) for field in record.fields)
    doc = Doc(source=f"``{record.name.spelled}`` as long as it may lack members.")
    return replace(record, key=shell_of(record.key), name=_name(record.name), doc=doc, fields=fields)


def _name(name: Name) -> Name:
    return Name(spelled=f"{name.spelled}{SUFFIX}", words=(*name.words, SUFFIX.lower()), source="derived")


def _choice(types: list[Ref]) -> Choice:
    members = tuple(Member(type=type_, doc=Doc(), origin=type_.origin) for type_ in types)
    dispatch = ByTrial(reason="a shell may lack what would tell it apart")
    return Choice(members=members, exclusive=False, dispatch=dispatch, origin=types[0].origin)


def _references(facts: Facts) -> Iterator[Ref]:
    """Every reference from what is built, in order; what is judged alone holds no shells."""
    model = facts.model
    todo = [] if model.root is None else [model.root]
    todo += [type_ for definition in facts.public for type_ in own_types(definition)]
    todo += [type_ for operation in model.operations for type_ in exchange.types_of(operation)]
    todo.reverse()
    while todo:
        type_ = todo.pop()
        if isinstance(type_, Ref):
            yield type_
        todo += reversed(inner_types(type_))


def _tags(facts: Facts) -> dict[Key, frozenset[str]]:
    """The members by which choices tell each record from others."""
    found: dict[Key, frozenset[str]] = {}

    def follow(switch: Switch, choice: Choice, above: frozenset[str]) -> None:
        names = above | {switch.property}
        for case in switch.cases:
            if isinstance(case.to, Switch):
                follow(case.to, choice, names)
            else:
                for record in facts.records(choice.members[case.to].type) or ():
                    found[record.key] = found.get(record.key, frozenset()) | names

    todo = [type_ for definition in facts.public for type_ in own_types(definition)]
    while todo:
        type_ = todo.pop()
        if isinstance(type_, Choice) and isinstance(type_.dispatch, ByTag):
            follow(type_.dispatch.switch, type_, frozenset())
        todo += inner_types(type_)
    return found


def _refuse_taken(facts: Facts, shells: dict[Key, Definition]) -> None:
    """No definition of the contract is called like a shell."""
    named = {definition.name.spelled: definition for definition in facts.public}
    problems = [
        Problem(
            code="name-clash",
            message=f"{shown(shell.name.spelled)} is also what shells of {shown(whole_name)} are called",
            origin=named[shell.name.spelled].origin,
            help=f'name it in outline.toml: [names] {quoted(f"{place.document}#{place.pointer}")} = "…"',
        )
        for key, shell in shells.items()
        if shell.name.spelled in named
        for place in [named[shell.name.spelled].key]
        for whole_name in [facts.definition(key).name.spelled]
    ]
    if problems:
        raise OutputError(problems)
