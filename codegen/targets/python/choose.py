"""Choices → statements that find the member which builds the value; the half of ``decode`` that speaks of choices.

Must not try what is proven: a dispatch is followed, and where members are tried, a tag that some of them pin leaves out those
that would refuse anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegen.facts import Facts
from codegen.model import (
    Alias,
    ByKeys,
    ByKind,
    ByTag,
    ByTrial,
    Choice,
    JsonKind,
    JsonValue,
    Key,
    Never,
    Ref,
    Switch,
    Type,
    Union,
)
from codegen.targets import quoting
from codegen.targets.python.code import Block, Code
from codegen.targets.python.conditions import of_kinds
from codegen.targets.python.judge import Judge
from codegen.targets.python.names import Names


class Choices:
    """Writes how a choice is made."""

    code: Code
    facts: Facts
    judge: Judge
    names: Names
    owner: str

    if TYPE_CHECKING:

        def function(self, type_: Type) -> str:
            """The decoder of a type."""

        def value(self, type_: Type, x: str, block: Block, kind: str = "") -> str:
            """Statements that refuse or build the value of the variable ``x``."""

    def choice(self, choice: Choice, x: str, block: Block) -> str:
        """The member that the choice's dispatch leads to; what it builds, as an expression."""
        members = [member.type for member in choice.members]
        match choice.dispatch:
            case ByKind(cases=cases):
                return self.by_kind(cases, members, x, block)
            case ByTag(switch=switch) if choice.rest is None:
                return self.switch(switch, members, x)
            case ByKeys(cases=keys, otherwise=otherwise):
                block(f"if type({x}) is not dict: raise Bad")
                result = block.variable()
                block(f"{result}: Any")
                word = "if"
                for name, i in keys:
                    self.branch(f"{word} {quoting.text(name)} in {x}:", members[i], x, result, block)
                    word = "elif"
                last = Never(origin=choice.origin) if otherwise is None else members[otherwise]
                self.branch("else:", last, x, result, block)
                return result
            case ByTrial() | ByTag():
                return self.trial(choice, members, x, block)

    def branch(self, line: str, type_: Type, x: str, result: str, block: Block, kind: str = "") -> None:
        """A branch that puts what ``x`` is built to into ``result``."""
        part = block.part()
        part(f"{result} = {self.value(type_, x, part, kind)}")
        block.take(line, part)

    def by_kind(self, cases: tuple[tuple[JsonKind, int], ...], members: list[Type], x: str, block: Block) -> str:
        """One look at the class of the value."""
        result, class_ = block.variable(), block.variable()
        block(f"{result}: Any; {class_} = type({x})")
        kinds: dict[int, list[JsonKind]] = {}
        for kind, i in cases:
            kinds.setdefault(i, []).append(kind)
        word = "if"
        for i, found in kinds.items():
            self.branch(
                f"{word} {of_kinds(class_, found)}:", members[i], x, result, block, found[0] if len(found) == 1 else ""
            )
            word = "elif"
        block("else: raise Bad")
        return result

    def switch(self, switch: Switch, members: list[Type], x: str, name: str = "") -> str:
        """A look-up of the decoder that the tag leads to, in a table called ``name`` (by default, one of its own).

        Every member checks its own tag again, and by its class, so that ``True``, which finds what 1 leads to, is refused
        there. What is no object, or has no such tag, or one that no table can have, raises something, which is a refusal.
        """
        ways = []
        for case in switch.cases:
            if isinstance(case.to, Switch):
                to = self.code.name("d", self.owner)
                inner = Block()
                inner(f"return {self.switch(case.to, members, 'v')}")
                self.code.function(f"def {to}(v: Any) -> Any:", inner)
            else:
                to = self.function(members[case.to])
            ways.append(f"{quoting.literal(case.value)}: {to}")
        table = self.code.table(f"{{{', '.join(ways)}}}", self.owner, name)
        return f"{table}[{x}[{quoting.text(switch.property)}]]({x})"

    def tagged(self, ref: Ref) -> tuple[str, str]:
        """The table and the tag of a union that a reference comes to, where it is no more than a look-up by tag; else two empty
        texts."""
        type_: Type = ref
        passed: set[Key] = set()
        while isinstance(type_, Ref) and type_.key not in passed:
            passed.add(type_.key)
            definition = self.facts.definition(type_.key)
            if definition.checks or not isinstance(definition, Alias | Union):
                return "", ""
            if isinstance(definition, Union):
                choice = definition.choice
                if isinstance(choice.dispatch, ByTag) and choice.rest is None:
                    return f"t_{self.names.classes[type_.key]}", choice.dispatch.switch.property
                return "", ""
            type_ = definition.type
        return "", ""

    def trial(self, choice: Choice, members: list[Type], x: str, block: Block) -> str:
        """The first member that accepts, or the only one."""
        ways = [self.function(member) for member in members]
        if choice.exclusive:
            judges = [self.judge.named(self.judge.type(member, self.owner), self.owner) for member in members]
            ways = [f"({decode}, {judge})" for decode, judge in zip(ways, judges, strict=True)]
        call = "one_of" if choice.exclusive else "first_of"
        whole = self.code.table(f"({', '.join(ways)},)", self.owner)
        tag, pinned = self.pinned(members)
        if not tag:
            return f"{call}({x}, {whole})"
        values = dict.fromkeys(value for values in pinned for value in values or ())

        def those(*values: JsonValue) -> str:
            kept = [way for way, found in zip(ways, pinned, strict=True) if found is None or set(found) & set(values)]
            return f"({''.join(f'{way}, ' for way in kept)})"

        narrowed = [f"{quoting.literal(value)}: {those(value)}" for value in values]
        table = self.code.table(f"{{{', '.join(narrowed)}}}", self.owner)
        rest = self.code.table(those(), self.owner)
        return f"{call}({x}, narrowed({x}, {quoting.text(tag)}, {table}, {rest}, {whole}))"

    def pinned(self, members: list[Type]) -> tuple[str, list[tuple[JsonValue, ...] | None]]:
        """The required member that most of several members pin to literals, and what each pins it to; "" when it is no help."""
        best: tuple[str, list[tuple[JsonValue, ...] | None]] = ("", [])
        if len(members) < 3:
            return best
        most = 1
        names = {
            field.wire_name: None
            for member in members
            for record in self.facts.records(member) or ()
            for field in record.fields
        }
        for name in names:
            found = [self.facts.tag_values(member, name) for member in members]
            count = sum(values is not None for values in found)
            if count > most:
                best, most = (name, found), count
        return best
