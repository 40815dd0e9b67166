"""Types → statements that make what msgspec's encoder writes at once: ``_octets.py``, used where msgspec is installed.

Must not decide anything that the encoders do not, and must not leave anything to msgspec that it spells otherwise than
the standard library. Like a writer, each function knows the plain case alone and raises for all others. A record becomes a
structure of msgspec's, whose members have their names and their order from the contract; strings, integers, true, false
and null are looked at, by their class, and stay; everything else is text by the standard library inside.
"""

from __future__ import annotations

from typing import TypeAlias

from codegen.model import (
    Boolean,
    Checked,
    Choice,
    Enum,
    Field,
    Integer,
    ListOf,
    Literals,
    MapOf,
    NonNull,
    Null,
    Nullable,
    Number,
    Record,
    Ref,
    Text,
    TupleOf,
    Type,
)
from codegen.targets import quoting
from codegen.targets.python.code import Block
from codegen.targets.python.conditions import TEXTS
from codegen.targets.python.write import Writer, undeclared

Texts: TypeAlias = list[str]
"""Variables that must hold texts."""


class Octets(Writer):
    """Writes the functions of one package into ``code``, beside what ``encoder`` writes there."""

    letter = "b"

    def value(self, type_: Type, x: str, block: Block) -> str:
        """Statements for the value of the variable ``x``; what msgspec is given for it, as an expression."""
        match type_:
            case Text():
                block(f"if type({x}) is not str: raise Bad")
                return x
            case Literals(values=values) if all(isinstance(value, str) for value in values):
                block(f"if type({x}) is not str: raise Bad")
                return x
            case Integer():
                block(f"if type({x}) is not int: raise Bad")
                return x
            case Number():
                block(f"if type({x}) is not int: {x} = number({x})")
                return x
            case Boolean():
                block(f"if {x} is not True and {x} is not False: raise Bad")
                return x
            case Null():
                block(f"if {x} is not None: raise Bad")
                return x
            case Ref(key=key):
                return self.ref(type_, self.facts.definition(key), x, block)
            case ListOf() | MapOf() | Nullable() | Choice() if block.deep:
                return f"j({self.encoder.value(type_, x, block)})"
            case ListOf(item=item):
                block(f"if type({x}) is not list: raise Bad")
                if isinstance(item, Text):
                    return f"{x} if {TEXTS.format(x)} else j({x})"
                return f"j({x})" if self.encoder.as_is(item) else self.list(item, x, block)
            case MapOf(value=value):
                block(f"if type({x}) is not dict or not {TEXTS.format(x)}: raise Bad")
                return f"j({x})" if self.encoder.as_is(value) else self.map(value, x, block)
            case Nullable(inner=inner) if not self.encoder.as_is(inner) or isinstance(inner, Text):
                part = block.part()
                self.replace(inner, x, part)
                block.take(f"if {x} is not None:", part)
                return x
            case NonNull(inner=inner) | Checked(inner=inner):
                return self.value(inner, x, block)
            case Choice() if not self.encoder.as_is(type_):
                return self.choice(type_, x, block)
            case TupleOf():
                return f"j({self.encoder.value(type_, x, block)})"
            case _:
                return f"j({x})"

    def enum(self, enum: Enum, x: str, block: Block) -> str:
        """A value of an enum, listed or not."""
        block(f"if type({x}) is not {'str' if enum.base == 'string' else 'int'}: raise Bad")
        return x

    def list(self, item: Type, x: str, block: Block) -> str:
        """A new list."""
        i, result = block.variable(), block.variable()
        part = block.part()
        written = self.value(item, i, part)
        if not part.lines:
            return f"[{written} for {i} in {x}]"
        block(f"{result}: list[Any] = []")
        part(f"{result}.append({written})")
        block.take(f"for {i} in {x}:", part)
        return result

    def map(self, value: Type, x: str, block: Block) -> str:
        """A new dict."""
        k, i, result = block.variable(), block.variable(), block.variable()
        part = block.part()
        written = self.value(value, i, part)
        if not part.lines:
            return f"{{{k}: {written} for {k}, {i} in {x}.items()}}"
        block(f"{result}: dict[str, Any] = {{}}")
        part(f"{result}[{k}] = {written}")
        block.take(f"for {k}, {i} in {x}.items():", part)
        return result

    def scalars(self, class_: str, x: str, block: Block) -> None:
        """Scalars of a choice, by the class of the value."""
        block(f"if {class_} in SCALARS: {x} = j({x})")

    # --- records ------------------------------------------------------------------------------------------------------

    def record(self, record: Record, block: Block) -> None:
        """A structure of msgspec's, made of the members one after the other; absent ones are left out by it."""
        if not all(plain(field.wire_name) for field in record.fields):
            block("raise Bad")
            return
        attributes = self.names.attributes[record.key]
        block(f"if type(v) is not m_{self.owner}: raise Bad")
        variables = {field.wire_name: block.variable() for field in record.fields}
        block("; ".join([f"{x} = v.{attributes[name]}" for name, x in variables.items()] + ["x = v.extra"]))
        texts: Texts = []
        members = []
        for field in record.fields:
            x = variables[field.wire_name]
            if field.required:
                absent = "..."
                self.given(field, x, texts, block)
            else:
                absent = self.encoder.absence(field)
                part = block.part()
                self.replace(field.type, x, part)
                block.take(f"if {x} is not {absent}:", part)
            members.append(f"({quoting.text(field.wire_name)}, {absent}), ")
        if texts:
            block(f"if not ({' is '.join(f'type({x})' for x in texts)} is str): raise Bad")
        structure = f"n_{self.owner}"
        made = f"{structure}({', '.join(variables.values())})"
        self.code.constants[f'structure(globals(), "{structure}", ({"".join(members)}))'] = structure
        if all(map(self.encoder.as_is, undeclared(record))):
            names = self.code.texts(variables, self.owner) if variables else "()"
            block(f"if x: return more({made}, x, {names})")
        else:
            block("if x: raise Bad")
        block(f"return {made}")

    def given(self, field: Field, x: str, texts: Texts, block: Block) -> None:
        """A member that is always there; texts among them are looked at together."""
        type_ = self.facts.unwrap(field.type)
        if isinstance(type_, Literals) and len(type_.values) == 1 and isinstance(type_.values[0], str):
            texts.append(x)
            block(f"if {x} != {quoting.text(type_.values[0])}: raise Bad")
        elif isinstance(type_, Text):
            texts.append(x)
        else:
            self.replace(field.type, x, block)


def plain(name: str) -> bool:
    """msgspec takes the name for a member of a structure."""
    return not any(character in '"\\' or character < " " or "\ud800" <= character <= "\udfff" for character in name)
