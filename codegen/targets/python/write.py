"""Types → statements that write a value as JSON text: the writers in ``_fast.py``.

Must not decide what is written: ``encode`` does, and a writer gives the very text of what the encoder gives, sooner. What is
not common goes through the encoder or raises; then the whole value is written the long way, which also knows the errors.
"""

from __future__ import annotations

import json

from codegen.facts import Facts
from codegen.model import (
    Alias,
    AnyJson,
    Boolean,
    Checked,
    Choice,
    Definition,
    Enum,
    Integer,
    ListOf,
    Literals,
    MapOf,
    NonNull,
    Nullable,
    Number,
    Record,
    Ref,
    Text,
    Type,
    Union,
)
from codegen.targets import quoting
from codegen.targets.python.code import Block, Code
from codegen.targets.python.encode import Encoder
from codegen.targets.python.judge import Judge
from codegen.targets.python.names import Names


class Writer:
    """Writes the writers of one package into ``code``: ``w_`` for each definition."""

    def __init__(self, code: Code, facts: Facts, names: Names, judge: Judge, encoder: Encoder) -> None:
        self.code = code
        self.facts = facts
        self.names = names
        self.judge = judge
        self.encoder = encoder
        self.owner = ""

    def definition(self, definition: Definition) -> None:
        """The writer of a definition."""
        self.owner = self.names.classes[definition.key]
        block = Block()
        match definition:
            case Record():
                self.record(definition, block)
            case Enum(base=base):
                block(f"return {'quoted' if base == 'string' else 'spelled'}(v)")
            case Union(choice=choice):
                block(f"return {self.value(choice, 'v', block)}")
            case Alias(type=type_):
                block(f"return {self.value(type_, 'v', block)}")
        self.code.function(f"def w_{self.owner}(v: Any) -> Any:", block)

    def root(self, type_: Type) -> None:
        """The writer of the document itself, where its type is no definition."""
        block = Block()
        block("return spelled(e_(v))")
        self.code.function("def w_(v: Any) -> Any:", block)

    def value(self, type_: Type, x: str, block: Block) -> str:
        """Statements for the value of the variable ``x``; its text, as an expression."""
        match type_:
            case Text():
                return f"quoted({x})"
            case Integer() | Number():
                return f"(repr({x}) if type({x}) is int else spelled({x}))"
            case Boolean():
                return f'("true" if {x} is True else "false" if {x} is False else spelled({x}))'
            case Literals(values=values) if all(isinstance(value, str) for value in values):
                return f"quoted({x})"
            case AnyJson() | Literals():
                return f"spelled({x})"
            case _ if block.deep and not isinstance(type_, Ref):
                return f"spelled({self.encoder.value(type_, x, block)})"
            case NonNull(inner=inner) | Checked(inner=inner):
                return self.value(inner, x, block)
            case Nullable(inner=inner):
                part = block.part()
                part(f"{x} = {self.value(inner, x, part)}")
                block.take(f"if {x} is not None:", part)
                block(f'else: {x} = "null"')
                return x
            case Ref(key=key):
                inlined = self.judge.inlined(type_)
                if isinstance(inlined, Ref):
                    return f"w_{self.names.classes[key]}({x})"
                if isinstance(inlined, Enum):
                    return f"{'quoted' if inlined.base == 'string' else 'spelled'}({x})"
                return self.value(inlined, x, block)
            case ListOf(item=item):
                i = block.variable()
                part = block.part()
                built = self.value(item, i, part)
                if not part.lines:
                    block(f"if type({x}) is not list: {x} = listed({x})")
                    items = f"map(quoted, {x})" if built == f"quoted({i})" else f"[{built} for {i} in {x}]"
                    return f'"[" + ",".join({items}) + "]"'
            case MapOf(value=item) if not self.encoder.as_is(item):
                k, i = block.variable(), block.variable()
                part = block.part()
                built = self.value(item, i, part)
                if not part.lines:
                    items = f'[quoted({k}) + ":" + {built} for {k}, {i} in {x}.items()]'
                    return f'"{{" + ",".join({items}) + "}}"'
            case Choice():
                found = self.choice(type_, x, block)
                if found:
                    return found
            case _:
                pass
        return f"spelled({self.encoder.value(type_, x, block)})"

    def choice(self, choice: Choice, x: str, block: Block) -> str:
        """Records by their class; texts and lists beside them. "" where the encoder has to look closer."""
        leaves = list(self.encoder.leaves(choice, frozenset()))
        records = dict.fromkeys(leaf.key for leaf in leaves if isinstance(leaf, Ref))
        lists = [leaf for leaf in leaves if isinstance(leaf, ListOf)]
        texts = any(isinstance(leaf, Text) for leaf in leaves)
        if len(lists) > 1 or not (records or lists or texts):
            return ""
        ways = [f"m_{self.names.classes[key]}: w_{self.names.classes[key]}" for key in records]
        table = self.code.table(f"{{{', '.join(ways)}}}", self.owner) if ways else ""
        if len(records) == len(leaves):  # a subclass is written the long way
            return f"{table}[type({x})]({x})"
        result, class_ = block.variable(), block.variable()
        block(f"{result}: Any; {class_} = type({x})")
        word = "if"
        if ways:
            block(f"if {class_} in {table}: {result} = {table}[{class_}]({x})")
            word = "elif"
        if texts:
            block(f"{word} {class_} is str: {result} = quoted({x})")
            word = "elif"
        for leaf in lists:
            part = block.part()
            part(f"{result} = {self.value(leaf, x, part)}")
            block.take(f"{word} {class_} is list:", part)
        block("else: raise Bad")
        return result

    def record(self, record: Record, block: Block) -> None:
        """The body of a record's writer."""
        attributes = self.names.attributes[record.key]
        block(f"if not isinstance(v, m_{self.owner}): raise wrong({quoting.text(self.owner)}, v)")
        if record.key in self.encoder.partial:
            block(f"return spelled(e_{self.owner}(v))")
            return
        block(f"if v.extra: return spelled(e_{self.owner}(v))")
        pieces: list[str] = []
        started = False

        def flush() -> None:
            nonlocal started
            if pieces:
                block(f"s {'+=' if started else '='} {' '.join(pieces)}")
                started = True
                pieces.clear()

        opening = "{" if record.fields and record.fields[0].required else ""
        if not opening:
            block('s = ""')
            started = True
        for field in record.fields:
            place = f"v.{attributes[field.wire_name]}"
            comma = "," if field is not record.fields[0] or not opening else opening
            name = f"{comma}{json.dumps(field.wire_name, ensure_ascii=False)}:"
            if field.required:
                constant = self.constant(field.type)
                if constant is not None:
                    block(f"if {place} != {quoting.text(constant)}: raise Bad")
                    pieces.append(formatted(name + json.dumps(constant, ensure_ascii=False)))
                elif isinstance(field.type, Text):
                    pieces.append(formatted(name, f"quoted({place})"))
                else:
                    x, text = block.variable(), block.variable()
                    block(f"{x}: Any = {place}")
                    block(f"{text} = {self.value(field.type, x, block)}")
                    pieces.append(formatted(name, text))
                continue
            flush()
            x = block.variable()
            block(f"{x}: Any = {place}")
            part = block.part()
            part(f"s += {quoting.text(name)} + {self.value(field.type, x, part)}")
            block.take(f"if {x} is not {'ABSENT' if self.facts.accepts_null(field.type) else 'None'}:", part)
        flush()
        block('return s + "}"' if opening else 'return "{" + s[1:] + "}"')

    def constant(self, type_: Type) -> str | None:
        """The only text that a member can be."""
        if isinstance(type_, Literals) and len(type_.values) == 1 and isinstance(type_.values[0], str):
            return type_.values[0]
        return None


def formatted(text: str, expression: str = "") -> str:
    """A formatted string of ``text`` and then ``expression``."""
    quoted = quoting.text(text)
    if not expression:
        return quoted
    quoted = quoted.replace("{", "{{").replace("}", "}}")
    return f"f{quoted[:-1]}{{{expression}}}{quoted[-1]}"
