"""Types → statements that make JSON values of Python values: the encoders in ``_write.py``.

Must not judge: what is written is what the value says, in the contract's order, with absent members left out. Where a place may
hold several types, the class of the value decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from codegen.facts import Facts
from codegen.model import (
    Alias,
    AnyJson,
    Boolean,
    ByTag,
    Checked,
    Choice,
    Definition,
    Enum,
    Field,
    Integer,
    Key,
    ListOf,
    Literals,
    MapOf,
    Never,
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
from codegen.targets.python.names import Names

EVERY = "RECORDS"
"""The table of the encoders of all records."""


Leaf: TypeAlias = tuple[Type, Type]
"""A type that a choice comes to, and the type that writes it."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """What a choice comes to: its records, lists and maps; whether any JSON value, scalars, unknown variants are among it.

    A list or map that a reference leads to is that reference, so that each is written by its own definition: written out, a
    definition that comes back to itself would have no end.
    """

    records: list[Key]
    lists: list[Type]
    maps: list[Type]
    whole: bool
    scalars: bool
    variant: bool


class Encoder:
    """Writes the encoders of one package into ``code``. ``variant``: the class of unknown variants is there."""

    undeclared = "v.extra"
    """The members that a record does not declare."""

    def __init__(self, code: Code, facts: Facts, names: Names, variant: bool) -> None:
        self.code = code
        self.facts = facts
        self.names = names
        self.variant = variant
        self.owner = ""

    def definition(self, definition: Definition) -> None:
        """The encoder of a definition."""
        self.owner = self.names.classes[definition.key]
        block = Block()
        match definition:
            case Record():
                self.record(definition, block)
            case Enum():
                block("return v")
            case Union(choice=choice):
                block(f"return {self.value(choice, 'v', block)}")
            case Alias(type=type_):
                block(f"return {self.value(type_, 'v', block)}")
        self.code.function(f"def e_{self.owner}(v: Any) -> Any:", block)

    def root(self, type_: Type, name: str = "") -> None:
        """The encoder of the document itself, where its type is no definition, or of something else of that ``name``."""
        block = Block()
        block(f"return {self.value(type_, 'v', block)}")
        self.code.function(f"def e_{name}(v: Any) -> Any:", block)

    def as_is(self, type_: Type) -> bool:
        """A value of this type is its own JSON value. Iterative: references may lead through any number of definitions."""
        todo, passed = [type_], set[Key]()
        while todo:
            match todo.pop():
                case Text() | Integer() | Number() | Boolean() | Null() | AnyJson() | Never() | Literals():
                    pass
                case ListOf() | TupleOf() | MapOf():
                    return False
                case Nullable(inner=inner) | NonNull(inner=inner) | Checked(inner=inner):
                    todo.append(inner)
                case Choice(members=members):
                    todo += [member.type for member in members]
                case Ref(key=key):
                    definition = self.facts.definition(key)
                    if isinstance(definition, Record):
                        return False
                    if key not in passed and not isinstance(definition, Enum):
                        passed.add(key)
                        todo.append(definition.choice if isinstance(definition, Union) else definition.type)
        return True

    def function(self, type_: Type) -> str:
        """An encoder for a type that is nested too deep to be written in place."""
        name = self.code.name("e", self.owner)
        block = Block()
        block(f"return {self.value(type_, 'v', block)}")
        self.code.function(f"def {name}(v: Any) -> Any:", block)
        return name

    def flat(self, type_: Type) -> bool:
        """A value of this type is its own JSON value, or a dict of such values."""
        return self.as_is(type_) or (isinstance(type_, MapOf) and self.as_is(type_.value))

    def value(self, type_: Type, x: str, block: Block) -> str:
        """Statements for the value of the variable ``x``; what it is written as, as an expression."""
        if self.as_is(type_):
            return x
        match type_:
            case Ref(key=key):
                held = shells.held(type_, self.facts)
                return f"e_{self.names.classes[key]}({x})" if held is None else self.value(held, x, block)
            case _ if block.deep:
                return f"{self.function(type_)}({x})"
            case ListOf(item=item):
                block(f"if type({x}) is not list: {x} = listed({x})")
                return self.items(item, x, block)
            case TupleOf():
                return self.tuple(type_, x, block)
            case MapOf(value=value):
                block(f"if type({x}) is not dict or not {TEXTS.format(x)}: {x} = mapped({x})")
                k, i = block.variable(), block.variable()
                return self.each(value, i, f"{k}, {i} in {x}.items()", f"dict({x})", f"{k}: ", block)
            case Nullable(inner=inner):
                part = block.part()
                part(f"{x} = {self.value(inner, x, part)}")
                block.take(f"if {x} is not None:", part)
                return x
            case NonNull(inner=inner) | Checked(inner=inner):
                return self.value(inner, x, block)
            case Choice():
                return self.choice(type_, x, block)
            case _:
                return x

    def items(self, item: Type, x: str, block: Block) -> str:
        """A new list of items."""
        i = block.variable()
        return self.each(item, i, f"{i} in {x}", f"[*{x}]", "", block)

    def each(self, type_: Type, i: str, loop: str, copy: str, key: str, block: Block) -> str:
        """A list or (``key``: the variable of the name) dict with every part written."""
        result = block.variable()
        part = block.part()
        built = self.value(type_, i, part)
        if not part.lines:
            opening, closing = "{}" if key else "[]"
            return copy if built == i else f"{opening}{key}{built} for {loop}{closing}"
        block(f"{result}: Any = {'{}' if key else '[]'}")
        part(f"{result}[{key[:-2]}] = {built}" if key else f"{result}.append({built})")
        block.take(f"for {loop}:", part)
        return result

    def tuple(self, tuple_: TupleOf, x: str, block: Block) -> str:
        """A list whose first items have types of their own."""
        block(f"if type({x}) is not list: {x} = listed({x})")
        result, i, n = block.variable(), block.variable(), block.variable()
        block(f"{result}: list[Any] = [*{x}]")
        for position, item in enumerate(tuple_.items):
            if not self.as_is(item):
                part = block.part()
                part(f"{i} = {result}[{position}]")
                part(f"{result}[{position}] = {self.value(item, i, part)}")
                block.take(f"if len({result}) > {position}:", part)
        if tuple_.rest is not None and not self.as_is(tuple_.rest):
            part = block.part()
            part(f"{i} = {result}[{n}]")
            part(f"{result}[{n}] = {self.value(tuple_.rest, i, part)}")
            block.take(f"for {n} in range({len(tuple_.items)}, len({result})):", part)
        return result

    # --- choices ------------------------------------------------------------------------------------------------------

    def choice(self, choice: Choice, x: str, block: Block) -> str:
        """By the class of the value. Two kinds of lists or of maps cannot be told apart by their class: then their parts are
        written each by its own class."""
        kinds = self.kinds(choice)
        lists, maps, whole, scalars = kinds.lists, kinds.maps, kinds.whole, kinds.scalars
        ways = [f"m_{self.names.classes[key]}: e_{self.names.classes[key]}" for key in kinds.records]
        if kinds.variant:
            ways.append("m_variant: raw")
        table = self.code.table(f"{{{', '.join(ways)}}}", self.owner) if ways else "NONE"
        if not (lists or maps or scalars):
            f = block.variable()
            block(f"{f} = {table}.get(type({x})) or kin({x}, {table})")
            return f"{f}({x})"
        result, class_ = block.variable(), block.variable()
        block(f"{result}: Any; {class_} = type({x})")
        word = "if"
        if scalars and not whole:
            block(f"if {class_} in SCALARS: {result} = {x}")
            word = "elif"
        for name, found in (("list", lists), ("dict", maps)):
            if len(found) == 1 and not whole:
                part = block.part()
                part(f"{result} = {self.value(found[0], x, part)}")
                block.take(f"{word} {class_} is {name}:", part)
                word = "elif"
        if ways:
            block(f"{word} {class_} in {table}: {result} = {table}[{class_}]({x})")
            word = "elif"
        last = f"{result} = written({x}, {table}, {EVERY})"
        block(last if word == "if" else f"else: {last}")
        return result

    def kinds(self, choice: Choice) -> Kinds:
        """What a choice comes to, by kinds that classes can tell apart."""
        leaves = list(self.leaves(choice, None, frozenset()))
        return Kinds(
            records=list(dict.fromkeys(leaf.key for leaf, _ in leaves if isinstance(leaf, Ref))),
            lists=distinct(by for leaf, by in leaves if isinstance(leaf, ListOf | TupleOf)),
            maps=distinct(by for leaf, by in leaves if isinstance(leaf, MapOf)),
            whole=any(isinstance(leaf, AnyJson) for leaf, _ in leaves),
            scalars=any(not isinstance(leaf, Ref | ListOf | TupleOf | MapOf) for leaf, _ in leaves),
            variant=self.variant and any(isinstance(leaf, ByTag) for leaf in self.dispatches(choice, frozenset())),
        )

    def leaves(self, type_: Type, by: Ref | None, passed: frozenset[Key]) -> Iterable[Leaf]:
        """The types that a choice comes to (records as references, lists, maps, scalars), each with what writes it: itself, or
        the first reference on the way to it, ``by``."""
        match type_:
            case Choice(members=members):
                for member in members:
                    yield from self.leaves(member.type, by, passed)
            case Nullable(inner=inner):
                yield Null(origin=type_.origin), type_
                yield from self.leaves(inner, by, passed)
            case NonNull(inner=inner) | Checked(inner=inner):
                yield from self.leaves(inner, by, passed)
            case Ref(key=key):
                held = shells.held(type_, self.facts)
                definition = self.facts.definition(key)
                if held is not None:
                    yield from self.leaves(held, by, passed)
                elif isinstance(definition, Record):
                    yield type_, type_
                elif isinstance(definition, Enum):
                    yield Null(origin=type_.origin), type_
                elif key not in passed:
                    inner = definition.choice if isinstance(definition, Union) else definition.type
                    yield from self.leaves(inner, by or type_, passed | {key})
            case _:
                yield type_, by or type_

    def dispatches(self, type_: Type, passed: frozenset[Key]) -> Iterable[object]:
        """How the choices that a type comes to are made."""
        match type_:
            case Choice(members=members, dispatch=dispatch):
                yield dispatch
                for member in members:
                    yield from self.dispatches(member.type, passed)
            case Nullable(inner=inner) | NonNull(inner=inner) | Checked(inner=inner):
                yield from self.dispatches(inner, passed)
            case Ref(key=key) if key not in passed:
                definition = self.facts.definition(key)
                if isinstance(definition, Union | Alias):
                    inner = definition.choice if isinstance(definition, Union) else definition.type
                    yield from self.dispatches(inner, passed | {key})
            case _:
                pass

    # --- records ------------------------------------------------------------------------------------------------------

    def record(self, record: Record, block: Block) -> None:
        """The body of a record's encoder: members in the contract's order, then the others in theirs."""
        attributes = self.names.attributes[record.key]
        name = quoting.text(self.owner)
        block(f"if not isinstance(v, m_{self.owner}): raise wrong({name}, v)")
        first: list[str] = []
        fields = list(record.fields)
        while fields and fields[0].required:
            field = fields.pop(0)
            x = f"v.{attributes[field.wire_name]}"
            if not self.as_is(field.type):
                variable = block.variable()
                block(f"{variable} = {x}")
                x = self.value(field.type, variable, block)
            first.append(f"{quoting.text(field.wire_name)}: {x}")
        block(f"o: dict[str, Any] = {{{', '.join(first)}}}")
        for field in fields:
            x = block.variable()
            block(f"{x}: Any = v.{attributes[field.wire_name]}")
            part = block.part()
            part(f"o[{quoting.text(field.wire_name)}] = {self.value(field.type, x, part)}")
            if field.required:
                block.lines += [line[4:] for line in part.lines]
                block.variables = max(block.variables, part.variables)
            else:
                block.take(f"if {self.there(field, x, attributes[field.wire_name])}:", part)
        self.extras(record, block)
        block("return o")

    def there(self, field: Field, x: str, attribute: str) -> str:
        """The member, whose value is the variable ``x``, is to be written."""
        return f"{x} is not {self.absence(field)}"

    def absence(self, field: Field) -> str:
        """What stands for a member that is not there."""
        return "ABSENT" if field.required or self.facts.accepts_null(field.type) else "None"

    def extras(self, record: Record, block: Block) -> None:
        """Members that are not declared, by the types that the contract gives them."""
        extras = record.extras
        names = self.code.texts((field.wire_name for field in record.fields), self.owner) if record.fields else "()"
        types = [type_ for _, type_ in extras.patterns] + ([extras.value] if isinstance(extras, Typed) else [])
        with block.under(f"if {self.undeclared}:"):
            if all(map(self.as_is, types)):
                block(f"extend(o, {self.undeclared}, {names})")
                return
            block("x: dict[str, Any] = {}")
            with block.under(f"for k, i in mapped({self.undeclared}).items():"):
                word = "if"
                for pattern, type_ in extras.patterns:
                    part = block.part()
                    part(f"x[k] = {self.value(type_, 'i', part)}")
                    block.take(f"{word} {self.code.pattern(pattern.source, self.owner)}(k) is not None:", part)
                    word = "elif"
                part = block.part() if extras.patterns else block
                rest = extras.value if isinstance(extras, Typed) else AnyJson(origin=extras.origin)
                part(f"x[k] = {self.value(rest, 'i', part)}")
                if extras.patterns:
                    block.take("else:", part)
            block(f"extend(o, x, {names})")


def distinct(types: Iterable[Type]) -> list[Type]:
    """Each type once; references by what they refer to."""
    return list({type_.key if isinstance(type_, Ref) else id(type_): type_ for type_ in types}.values())
