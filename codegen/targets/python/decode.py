"""Types → statements that refuse or build: the fast pass, in ``_fast.py``.

Must not explain: what is refused raises something (``Bad`` where nothing else does), and the slow pass says why. One function
for each definition; what a type inside one needs is written in place. A check is judged on the document as received, that is,
before the shape is built.
"""

from __future__ import annotations

from collections.abc import Mapping

from codegen.facts import Facts
from codegen.model import (
    Alias,
    AnyJson,
    Boolean,
    ByTag,
    Checked,
    Choice,
    Closed,
    Definition,
    Enum,
    Field,
    Integer,
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
from codegen.targets.python.annotations import whole
from codegen.targets.python.choose import Choices
from codegen.targets.python.code import Block, Code
from codegen.targets.python.conditions import TEXTS, X, bounds
from codegen.targets.python.judge import Judge
from codegen.targets.python.names import Names


class Decoder(Choices):
    """Writes the decoders of one package into ``code``."""

    def __init__(self, code: Code, facts: Facts, names: Names, judge: Judge) -> None:
        self.code = code
        self.facts = facts
        self.names = names
        self.judge = judge
        self.owner = ""

    def definition(self, definition: Definition) -> None:
        """The decoder of a definition."""
        self.owner = self.names.classes[definition.key]
        block = Block()
        for check in definition.checks:
            self.refuse_unless(self.judge.check(check, self.owner), "v", block)
        match definition:
            case Record():
                self.record(definition, block)
            case Enum():
                self.enum(definition, block)
            case Union(choice=Choice(dispatch=ByTag(switch=switch), rest=None) as choice):
                members = [member.type for member in choice.members]
                block(f"return {self.switch(switch, members, 'v', f't_{self.owner}')}")
                if not block.lines[:-1]:  # a codec follows the tag itself
                    way = f"({quoting.text(switch.property)}, t_{self.owner})"
                    self.code.table(way, self.owner, f"s_{self.owner}")
            case Union(choice=choice):
                block(f"return {self.value(choice, 'v', block)}")
            case Alias(type=type_):
                block(f"return {self.value(type_, 'v', block)}")
        self.code.function(f"def d_{self.owner}(v: Any) -> Any:", block)

    def root(self, type_: Type, name: str = "") -> None:
        """The decoder of the document itself, where its type is no definition, or of something else of that ``name``."""
        block = Block()
        block(f"return {self.value(type_, 'v', block)}")
        self.code.function(f"def d_{name}(v: Any) -> Any:", block)

    def function(self, type_: Type) -> str:
        """The decoder of a type: its definition's, or one of its own."""
        if isinstance(type_, Ref):
            return f"d_{self.names.classes[type_.key]}"
        block = Block()
        block(f"return {self.value(type_, 'v', block)}")
        name = self.code.name("d", self.owner)
        self.code.function(f"def {name}(v: Any) -> Any:", block)
        return name

    def refuse_unless(self, condition: str, x: str, block: Block) -> None:
        """Refuse what the condition is not true for."""
        if condition != "True":
            block(f"if not {condition.replace(X, x)}: raise Bad")

    # --- types --------------------------------------------------------------------------------------------------------

    def value(self, type_: Type, x: str, block: Block, kind: str = "") -> str:
        """Statements that refuse the value of the variable ``x``; what it is built to, as an expression.

        ``kind``: the JSON kind that is known already. The variable may hold something else afterwards.
        """
        match type_:
            case AnyJson():
                return x
            case Text() | Number() | Boolean() | Null() | Never():
                self.refuse_unless(self.judge.type(type_, self.owner, kind), x, block)
                return x
            case Integer(minimum=low, maximum=high, literal=literal):
                block(f"if type({x}) is not int: {'raise Bad' if literal else f'{x} = integer({x})'}")
                self.refuse_unless(bounds(X, low, high), x, block)
                return x
            case Literals():
                return self.literals(type_, x, block, kind)
            case Ref(key=key):
                inner = self.judge.inlined(type_)
                table, tag = self.tagged(type_)
                if table:
                    return f"{table}[{x}[{quoting.text(tag)}]]({x})"
                if isinstance(inner, Ref):
                    return f"d_{self.names.classes[key]}({x})"
                return (
                    self.enum_value(inner, x, block, kind)
                    if isinstance(inner, Enum)
                    else self.value(inner, x, block, kind)
                )
            case ListOf() | TupleOf() | MapOf() | Nullable() | Choice() if block.deep:
                return f"{self.function(type_)}({x})"
            case ListOf():
                return self.list(type_, x, block, kind)
            case TupleOf():
                return self.tuple(type_, x, block)
            case MapOf():
                return self.map(type_, x, block, kind)
            case Nullable(inner=inner):
                part = block.part()
                built = self.value(inner, x, part)
                if built != x:
                    part(f"{x} = {built}")
                if part.lines:
                    block.take(f"if {x} is not None:", part)
                return x
            case NonNull(inner=inner):
                block(f"if {x} is None: raise Bad")
                return self.value(inner, x, block, kind)
            case Checked(inner=inner, checks=checks):
                for check in checks:
                    self.refuse_unless(self.judge.check(check, self.owner), x, block)
                return self.value(inner, x, block, kind)
            case Choice() if self.same(type_):
                self.refuse_unless(self.judge.choice(type_, self.owner), x, block)
                return x
            case Choice():
                return self.choice(type_, x, block)

    def same(self, type_: Type) -> bool:
        """What is built is the received value itself."""
        match type_:
            case AnyJson() | Text() | Number() | Boolean() | Null() | Never():
                return True
            case Literals(values=values):
                return all(value is None or isinstance(value, str | bool) for value in values)
            case Nullable(inner=inner) | NonNull(inner=inner) | Checked(inner=inner):
                return self.same(inner)
            case Ref():
                inlined = self.judge.inlined(type_)
                if isinstance(inlined, Enum):
                    return inlined.base == "string"
                return not isinstance(inlined, Ref) and self.same(inlined)
            case Choice(members=members):
                return all(self.same(member.type) for member in members)
            case Integer() | ListOf() | TupleOf() | MapOf():
                return False

    def is_text(self, type_: Type) -> bool:
        """Only texts are of this type, and that is written in place."""
        inlined = self.judge.inlined(type_) if isinstance(type_, Ref) else type_
        if isinstance(inlined, Enum):
            return inlined.base == "string"
        if isinstance(inlined, Literals):
            return all(isinstance(value, str) for value in inlined.values)
        return isinstance(inlined, Text)

    def literals(self, literals: Literals, x: str, block: Block, kind: str) -> str:
        """The contract's own value, so that equal values share one object and 1.0 becomes 1."""
        self.refuse_unless(self.judge.literals(literals.values, self.owner, kind), x, block)
        values = [whole(value) for value in literals.values]
        if len(values) == 1:
            return x if isinstance(values[0], list | dict) else quoting.literal(values[0])
        numbers = [value for value in values if type(value) in (int, float)]
        if numbers:
            pairs = ", ".join(f"{value}: {value}" for value in numbers)
            table = self.code.constant(f"{{{pairs}}}", self.owner)
            block(f"if type({x}) is int or type({x}) is float: {x} = {table}[{x}]")
        return x

    def enum(self, enum: Enum, block: Block) -> None:
        """The body of an enum's decoder."""
        if enum.open is None:
            block(f"return {self.enum_value(enum, 'v', block)}")
        else:
            block(
                f"if {self.judge.enum(enum, self.owner).replace(X, 'v')}: return {'v' if enum.base == 'string' else 'int(v)'}"
            )
            block(f"return {self.value(enum.open, 'v', block)}")

    def enum_value(self, enum: Enum, x: str, block: Block, kind: str = "") -> str:
        """One of an enum's values."""
        self.refuse_unless(self.judge.enum(enum, self.owner, kind), x, block)
        if enum.base == "integer":
            block(f"{x} = int({x})")
        return x

    def list(self, list_: ListOf, x: str, block: Block, kind: str) -> str:
        """A list, made anew: only any-JSON values are shared with the document."""
        if kind != "array":
            block(f"if type({x}) is not list: raise Bad")
        self.refuse_unless(bounds(f"len({X})", list_.min_items, list_.max_items), x, block)
        i, result = block.variable(), block.variable()
        part = block.part()
        built = self.value(list_.item, i, part)
        if not part.lines:
            return f"{x}[:]" if built == i else f"[{built} for {i} in {x}]"
        if part.lines == [f"{'    ' * part.indent}if not type({i}) is str: raise Bad"]:
            block(f"if not {TEXTS.format(x)}: raise Bad")
            return f"{x}[:]"
        block(f"{result}: list[Any] = []")
        part(f"{result}.append({built})")
        block.take(f"for {i} in {x}:", part)
        return result

    def tuple(self, tuple_: TupleOf, x: str, block: Block) -> str:
        """A list whose first items have types of their own."""
        block(f"if type({x}) is not list: raise Bad")
        self.refuse_unless(bounds(f"len({X})", tuple_.min_items, tuple_.max_items), x, block)
        result = block.variable()
        block(f"{result}: list[Any] = {x}[:]")
        i = block.variable()
        for position, item in enumerate(tuple_.items):
            part = block.part()
            part(f"{i} = {x}[{position}]")
            before = len(part.lines)
            built = self.value(item, i, part)
            if built != i or len(part.lines) > before:
                part(f"{result}[{position}] = {built}")
                block.take(f"if len({x}) > {position}:", part)
        if tuple_.rest is not None:
            part = block.part()
            n = block.variable()
            part.variables = block.variables
            part(f"{i} = {x}[{n}]")
            before = len(part.lines)
            built = self.value(tuple_.rest, i, part)
            if built != i or len(part.lines) > before:
                part(f"{result}[{n}] = {built}")
                block.take(f"for {n} in range({len(tuple_.items)}, len({x})):", part)
        return result

    def map(self, map_: MapOf, x: str, block: Block, kind: str) -> str:
        """A dict, made anew."""
        if kind != "object":
            block(f"if type({x}) is not dict: raise Bad")
        block(f"if not {TEXTS.format(x)}: raise Bad")
        k, i, result = block.variable(), block.variable(), block.variable()
        if map_.key_pattern is not None:
            with block.under(f"for {k} in {x}:"):
                block(f"if {self.code.pattern(map_.key_pattern.source, self.owner)}({k}) is None: raise Bad")
        part = block.part()
        built = self.value(map_.value, i, part)
        if not part.lines:
            return f"{x}.copy()" if built == i else f"{{{k}: {built} for {k}, {i} in {x}.items()}}"
        block(f"{result}: dict[str, Any] = {{}}")
        part(f"{result}[{k}] = {built}")
        block.take(f"for {k}, {i} in {x}.items():", part)
        return result

    # --- records ------------------------------------------------------------------------------------------------------

    def record(self, record: Record, block: Block) -> None:
        """The body of a record's decoder: required members first, then a count of what is left, so that a document without
        optional members never asks for them and closedness costs a comparison."""
        attributes = self.names.attributes[record.key]
        required = [field for field in record.fields if field.required]
        optional = [field for field in record.fields if not field.required]
        variables = {field.wire_name: block.variable() for field in record.fields}
        block("if type(v) is not dict: raise Bad")
        for field in required:  # one that is missing is a KeyError, hence a refusal
            block(f"{variables[field.wire_name]} = v[{quoting.text(field.wire_name)}]")
        texts = {field.wire_name for field in required if self.is_text(field.type)}
        if texts:  # one comparison for all of them
            classes = " is ".join(
                f"type({variables[field.wire_name]})" for field in required if field.wire_name in texts
            )
            block(f"if not ({classes} is str): raise Bad")
        built = {}
        for field in required:
            kind = "string" if field.wire_name in texts else ""
            built[field.wire_name] = self.value(field.type, variables[field.wire_name], block, kind)
        block(f"n = len(v) - {len(required)}" if required else "n = len(v)")
        optional_variables = {field.wire_name: variables[field.wire_name] for field in optional}
        built |= optional_variables
        for absent in dict.fromkeys(map(self.absence, optional)):
            those = [optional_variables[field.wire_name] for field in optional if self.absence(field) == absent]
            block("; ".join(f"{x}: Any = {absent}" for x in those))
        rest = block.part()
        for field in optional:
            x = variables[field.wire_name]
            with rest.under(f"if {quoting.text(field.wire_name)} in v:"):
                rest(f"{x} = v[{quoting.text(field.wire_name)}]")
                result = self.value(field.type, x, rest)
                if result != x:
                    rest(f"{x} = {result}")
                rest("n -= 1")
                rest("if not n: break")
        extra = self.extras(record, rest)
        if extra:
            block("x: Any = None")
        # A loop that runs once, so that the last of the optional members ends the search for more.
        block.take("while n:", rest)
        self.instance({attributes[field.wire_name]: built[field.wire_name] for field in record.fields}, extra, block)

    def absence(self, field: Field) -> str:
        """What stands for a member that is not there."""
        return "ABSENT" if self.facts.accepts_null(field.type) else "None"

    def instance(self, built: Mapping[str, str], extra: bool, block: Block) -> None:
        """Return the record, by attribute; ``extra``: the variable ``x`` holds undeclared members, or None."""
        block(f"o: Any = new(m_{self.owner})")
        for attribute, value in built.items():
            block(f"o.{attribute} = {value}")
        block(f"o.extra = {'x' if extra else 'None'}")
        block("return o")

    def extras(self, record: Record, block: Block) -> bool:
        """What becomes of members that are not declared, when some are left; whether the variable ``x`` holds them."""
        extras = record.extras
        if isinstance(extras, Closed) and not extras.patterns:
            block("raise Bad")
            return False
        names = self.code.texts((field.wire_name for field in record.fields), self.owner) if record.fields else "()"
        block("x = {}")
        with block.under("for k, i in v.items():"):
            block(f"if k in {names}: continue")
            block("if type(k) is not str: raise Bad")
            searches = [
                f"{self.code.pattern(pattern.source, self.owner)}(k) is not None" for pattern, _ in extras.patterns
            ]
            word = "if"
            for position, (search, (_, type_)) in enumerate(zip(searches, extras.patterns, strict=True)):
                part = block.part()
                for later, (_, other) in zip(searches[position + 1 :], extras.patterns[position + 1 :], strict=True):
                    condition = self.judge.type(other, self.owner).replace(X, "i")
                    if condition != "True":
                        part(f"if {later} and not {condition}: raise Bad")
                part(f"x[k] = {self.value(type_, 'i', part)}")
                block.take(f"{word} {search}:", part)
                word = "elif"
            rest: Type
            if isinstance(extras, Closed):
                rest = Never(origin=extras.origin)
            else:
                rest = extras.value if isinstance(extras, Typed) else AnyJson(origin=extras.origin)
            part = block.part()
            part(f"x[k] = {self.value(rest, 'i', part)}")
            if searches:
                block.take("else:", part)
            else:
                block.lines += [line[4:] for line in part.lines]
        block("break")
        return True
