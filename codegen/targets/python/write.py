"""Types → statements that write a value as JSON text at once: the writers in ``_write.py``.

Must not decide anything that the encoders do not: a writer knows the plain case of a type alone (records of the very class,
lists, dicts, texts…) and raises for all others, whereupon the encoder and the standard library write the value, or say what is
wrong with it. What it does write is what they would have written, without the dicts between.
"""

from __future__ import annotations

import json

from codegen.facts import Facts
from codegen.model import (
    Alias,
    Boolean,
    Checked,
    Choice,
    Definition,
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
    Typed,
    Union,
)
from codegen.targets import quoting
from codegen.targets.python import shells
from codegen.targets.python.code import Block, Code
from codegen.targets.python.conditions import TEXTS
from codegen.targets.python.encode import Encoder
from codegen.targets.python.names import Names

LONG = 40
"""Texts from this length on are searched for characters to escape before they are copied with them."""


class Writer:
    """Writes the writers of one package into ``code``, beside what ``encoder`` writes there."""

    letter = "w"
    """What the names of the functions begin with."""

    def __init__(self, code: Code, facts: Facts, names: Names, encoder: Encoder) -> None:
        self.code = code
        self.facts = facts
        self.names = names
        self.encoder = encoder
        self.owner = ""

    def definition(self, definition: Definition) -> None:
        """The function of a definition, and ``s_``: functions by the class of the value."""
        self.owner = self.encoder.owner = self.names.classes[definition.key]
        name = f"{self.letter}_{self.owner}"
        classes = f"Every({name})"
        block = Block()
        match definition:
            case Record():
                self.record(definition, block)
                classes = f"{{m_{self.owner}: {name}}}"
            case Enum():
                block(f"return {self.enum(definition, 'v', block)}")
            case Union(choice=choice):
                written = self.value(choice, "v", block)
                classes = looked_up(written, block) or classes
                block(f"return {written}")
            case Alias(type=type_):
                block(f"return {self.value(type_, 'v', block)}")
        self.code.function(f"def {name}(v: Any) -> Any:", block)
        self.code.table(classes, self.owner, f"s_{self.owner}")

    def root(self, type_: Type, name: str = "") -> None:
        """The function of the document itself, where its type is no definition, or of something else of that ``name``."""
        block = Block()
        block(f"return {self.value(type_, 'v', block)}")
        self.code.function(f"def {self.letter}_{name}(v: Any) -> Any:", block)
        self.code.table(f"Every({self.letter}_{name})", self.owner, f"s_{name}")

    def value(self, type_: Type, x: str, block: Block) -> str:
        """Statements for the value of the variable ``x``; its text, as an expression without quotation marks."""
        match type_:
            case Text():
                return quoted(x)
            case Literals(values=values) if all(isinstance(value, str) for value in values):
                return f"q({x})"
            case Integer():
                block(f"if type({x}) is not int: raise Bad")
                return x
            case Number():
                block(f"if type({x}) is not int: {x} = number({x})")
                return x
            case Boolean():
                block(f"if {x} is not True and {x} is not False: raise Bad")
                return f"TRUE if {x} else FALSE"
            case Null():
                block(f"if {x} is not None: raise Bad")
                return "NULL"
            case Ref(key=key):
                return self.ref(type_, self.facts.definition(key), x, block)
            case ListOf() | MapOf() | Nullable() | Choice() if block.deep:
                return f"j({self.encoder.value(type_, x, block)})"
            case ListOf(item=item):
                block(f"if type({x}) is not list: raise Bad")
                return f"j({x})" if self.encoder.as_is(item) else self.list(item, x, block)
            case MapOf(value=value):
                block(f"if type({x}) is not dict or not {TEXTS.format(x)}: raise Bad")
                return f"j({x})" if self.encoder.as_is(value) else self.map(value, x, block)
            case Nullable(inner=inner) if not self.encoder.as_is(inner) or isinstance(inner, Text):
                part = block.part()
                part(f"{x} = {self.value(inner, x, part)}")
                block(f"if {x} is None: {x} = NULL")
                block.take("else:", part)
                return x
            case NonNull(inner=inner) | Checked(inner=inner):
                return self.value(inner, x, block)
            case Choice() if not self.encoder.as_is(type_):
                return self.choice(type_, x, block)
            case TupleOf():
                return f"j({self.encoder.value(type_, x, block)})"
            case _:
                return f"j({x})"

    def replace(self, type_: Type, x: str, block: Block) -> None:
        """Statements after which the variable ``x`` holds what is written for it."""
        written = self.value(type_, x, block)
        if written != x:
            block(f"{x} = {written}")

    def ref(self, ref: Ref, definition: Definition, x: str, block: Block) -> str:
        """What refers to something short has it in place."""
        held = shells.held(ref, self.facts)
        if held is not None:
            return self.value(held, x, block)
        if isinstance(definition, Enum):
            return self.enum(definition, x, block)
        if isinstance(definition, Alias) and (self.encoder.as_is(ref) or self.encoder.flat(definition.type)):
            return f"j({x})" if isinstance(definition.type, Ref) else self.value(definition.type, x, block)
        return f"{self.letter}_{self.names.classes[ref.key]}({x})"

    def enum(self, enum: Enum, x: str, block: Block) -> str:
        """A value of an enum, listed or not."""
        if enum.base == "string":
            return f"q({x})"
        block(f"if type({x}) is not int: raise Bad")
        return x

    def list(self, item: Type, x: str, block: Block) -> str:
        """The items one after the other."""
        i, result = block.variable(), block.variable()
        part = block.part()
        written = self.value(item, i, part)
        if part.lines:
            block(f"{result}: list[str] = []")
            part(f"{result}.append({written})")
            block.take(f"for {i} in {x}:", part)
        else:
            block(f"{result} = [{written} for {i} in {x}]")
        block(f"{x} = f'[{{C({result})}}]'")
        return x

    def map(self, value: Type, x: str, block: Block) -> str:
        """The members one after the other."""
        k, i, result = block.variable(), block.variable(), block.variable()
        block(f"{result}: list[str] = []")
        part = block.part()
        written = self.value(value, i, part)
        part(f"{result}.append(f'{{q({k})}}:{{{written}}}')")
        block.take(f"for {k}, {i} in {x}.items():", part)
        block(f"{x} = f'{{{{{{C({result})}}}}}}'")
        return x

    def choice(self, choice: Choice, x: str, block: Block) -> str:
        """By the class of the value, where that says everything."""
        kinds = self.encoder.kinds(choice)
        if kinds.whole or len(kinds.lists) > 1 or len(kinds.maps) > 1:
            return f"j({self.encoder.value(choice, x, block)})"
        ways = [f"m_{self.names.classes[key]}: {self.letter}_{self.names.classes[key]}" for key in kinds.records]
        if kinds.variant:
            ways.append("m_variant: J")
        table = self.code.table(f"{{{', '.join(ways)}}}", self.owner) if ways else "NONE"
        if not (kinds.lists or kinds.maps or kinds.scalars):
            return f"{table}[type({x})]({x})"
        class_ = block.variable()
        block(f"{class_} = type({x})")
        word = "if"
        if kinds.scalars:
            self.scalars(class_, x, block)
            word = "elif"
        for name, found in (("list", kinds.lists), ("dict", kinds.maps)):
            for type_ in found:
                part = block.part()
                self.replace(type_, x, part)
                block.take(f"{word} {class_} is {name}:", part)
                word = "elif"
        block(f"else: {x} = {table}[{class_}]({x})")
        return x

    def scalars(self, class_: str, x: str, block: Block) -> None:
        """Scalars of a choice, by the class of the value."""
        block(f"if {class_} is str: {x} = {quoted(x)}")
        block(f"elif {class_} in SCALARS: {x} = j({x})")

    # --- records ------------------------------------------------------------------------------------------------------

    def record(self, record: Record, block: Block) -> None:
        """Members that are always there in one text; an optional one is added to what is there so far, ``o``."""
        attributes = self.names.attributes[record.key]
        certain = next((field for field in record.fields if field.required), None)
        block(f"if type(v) is not m_{self.owner}: raise Bad")
        text = "{{" if certain else ""
        so_far = ""
        begun = False
        for field in record.fields:
            x = block.variable()
            name = literal(json.dumps(field.wire_name, ensure_ascii=False) + ":")
            begun = begun or field is certain
            before, after = ("," if begun and field is not certain else "", "" if begun else ",")
            if field.required:
                block(f"{x} = v.{attributes[field.wire_name]}")
                text += f"{before}{name}{self.required(field, x, block)}"
                continue
            if text or not so_far:
                block(f"o {'+=' if so_far else '='} f'{text}'")
                text, so_far = "", "{o}"
            if certain is None:  # then each has a comma before it, and the first goes without
                before, after = ",", ""
            block(f"{x} = v.{attributes[field.wire_name]}")
            part = block.part()
            part(f"o += f'{before}{name}{{{self.value(field.type, x, part)}}}{after}'")
            block.take(f"if {self.encoder.there(field, x, attributes[field.wire_name])}:", part)
        more = self.extras(record, block)
        if certain is None:
            if not so_far:
                block("o = ''")
            if more:
                block(f"if {self.encoder.undeclared}: o += {more}")
            block("return f'{{{o[1:]}}}'")
            return
        if more:
            block(f"if {self.encoder.undeclared}: return f'{so_far}{text}{{{more}}}}}}}'")
        block(f"return f'{so_far}{text}}}}}'")

    def required(self, field: Field, x: str, block: Block) -> str:
        """The text of a member that is always there; a literal is part of the text around it."""
        type_ = self.facts.unwrap(field.type)
        if isinstance(type_, Literals) and len(type_.values) == 1 and isinstance(type_.values[0], str):
            block(f"if type({x}) is not str or {x} != {quoting.text(type_.values[0])}: raise Bad")
            return literal(json.dumps(type_.values[0], ensure_ascii=False))
        return f"{{{self.value(field.type, x, block)}}}"

    def extras(self, record: Record, block: Block) -> str:
        """The text of members that are not declared, where they can be written at once."""
        if not all(map(self.encoder.as_is, undeclared(record))):
            block(f"if {self.encoder.undeclared}: raise Bad")
            return ""
        names = self.code.texts((field.wire_name for field in record.fields), self.owner) if record.fields else "()"
        return f"more({self.encoder.undeclared}, {names})"


def undeclared(record: Record) -> list[Type]:
    """The types of members that are not declared."""
    types = [type_ for _, type_ in record.extras.patterns]
    return types + ([record.extras.value] if isinstance(record.extras, Typed) else [])


def looked_up(written: str, block: Block) -> str:
    """The table, where a value is written by a look-up of its class and nothing else."""
    end = "[type(v)](v)"
    return written.removesuffix(end) if written.endswith(end) and not block.lines else ""


def quoted(x: str) -> str:
    """A text in quotation marks."""
    return f"q({x}) if len({x}) < {LONG} else Q({x})"


def literal(text: str) -> str:
    """``text`` as it stands in an f-string between single quotation marks."""
    return quoting.text(text, "'")[1:-1].replace("{", "{{").replace("}", "}}")
