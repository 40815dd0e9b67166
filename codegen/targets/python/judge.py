"""Types and checks → conditions: expressions of ``_fast.py`` that are true exactly for the values that are accepted.

Must not build. A condition is written for the variable ``X``; what is too long or needs a loop becomes a function of its own,
and definitions that are only judged get one when the first condition asks for it.
"""

from __future__ import annotations

from codegen.facts import Facts
from codegen.model import (
    Alias,
    AnyJson,
    Boolean,
    ByKeys,
    ByKind,
    ByTag,
    ByTrial,
    Checked,
    Choice,
    Closed,
    Enum,
    Integer,
    JsonKind,
    JsonValue,
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
    Switch,
    Text,
    TupleOf,
    Type,
    Typed,
    Union,
)
from codegen.targets import quoting
from codegen.targets.python.annotations import whole
from codegen.targets.python.checks import Checks
from codegen.targets.python.code import Block, Code
from codegen.targets.python.conditions import LONGEST, TEXTS, X, bounds, every, of_kinds, some
from codegen.targets.python.names import Names


class Judge(Checks):
    """Writes conditions, and the functions they need, into ``code``."""

    def __init__(self, code: Code, facts: Facts, names: Names) -> None:
        self.code = code
        self.facts = facts
        self.names = names
        self.judged: dict[Key, str] = {}
        self.waiting: list[Key] = []
        self._positions = {definition.key: i for i, definition in enumerate(facts.model.definitions)}

    # --- conditions ---------------------------------------------------------------------------------------------------

    def type(self, type_: Type, owner: str, kind: str = "") -> str:
        """``X`` is of this type. ``kind``: the JSON kind that is known already."""
        match type_:
            case AnyJson():
                return "True"
            case Never():
                return "False"
            case Null():
                return f"{X} is None"
            case Boolean():
                return f"type({X}) is bool"
            case Text(min_length=low, max_length=high, patterns=patterns):
                is_text = "True" if kind == "string" else f"type({X}) is str"
                matches = [f"{self.code.pattern(pattern.source, owner)}({X}) is not None" for pattern in patterns]
                return every([is_text, bounds(f"len({X})", low, high), *matches])
            case Integer(minimum=low, maximum=high, literal=literal):
                is_whole = (
                    f"type({X}) is int" if literal else f"(type({X}) is int or type({X}) is float and {X}.is_integer())"
                )
                return every([is_whole, bounds(X, low, high)])
            case Number(minimum=low, maximum=high):
                is_finite = f"(type({X}) is int or type({X}) is float and -LARGEST <= {X} <= LARGEST)"
                return every([is_finite, bounds(X, low, high)])
            case Literals(values=values):
                return self.literals(values, owner, kind)
            case Ref(key=key):
                inner = self.inlined(type_)
                return (
                    self.enum(inner, owner, kind)
                    if isinstance(inner, Enum)
                    else (f"{self.function_of(key)}({X})" if isinstance(inner, Ref) else self.type(inner, owner, kind))
                )
            case ListOf(item=item, min_items=low, max_items=high):
                is_list = "True" if kind == "array" else f"type({X}) is list"
                sized = every([is_list, bounds(f"len({X})", low, high)])
                condition = self.type(item, owner)
                if condition == "True":
                    return sized
                if condition == f"type({X}) is str":
                    return every([sized, TEXTS.format(X)])
                return self.short(every([sized, f"all({condition.replace(X, 'i')} for i in {X})"]), owner)
            case TupleOf():
                return self.tuple(type_, owner)
            case MapOf():
                return self.map(type_, owner, kind)
            case Nullable(inner=inner):
                return self.short(some([f"{X} is None", self.type(inner, owner)]), owner)
            case NonNull(inner=inner):
                return self.short(every([f"{X} is not None", self.type(inner, owner)]), owner)
            case Checked(inner=inner, checks=checks):
                return self.short(
                    every([self.type(inner, owner), *(self.check(check, owner) for check in checks)]), owner
                )
            case Choice():
                return self.choice(type_, owner)

    def inlined(self, ref: Ref) -> Type | Enum:
        """What a reference comes to when it is written out: the type of a plain alias, a closed enum, or the reference."""
        type_: Type = ref
        passed: set[Key] = set()
        while isinstance(type_, Ref) and type_.key not in passed:
            passed.add(type_.key)
            definition = self.facts.definition(type_.key)
            if isinstance(definition, Enum) and definition.open is None and not definition.checks:
                return definition
            if not isinstance(definition, Alias) or definition.checks:
                return ref
            type_ = definition.type
        inner = type_.inner if isinstance(type_, Nullable | NonNull) else type_
        plain = isinstance(inner, Text | Integer | Number | Boolean | Null | AnyJson | Never | Literals)
        return type_ if plain else ref

    def literals(self, values: tuple[JsonValue, ...], owner: str, kind: str = "") -> str:
        """``X`` is one of these JSON values."""
        texts = [value for value in values if isinstance(value, str)]
        numbers = [whole(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
        others = [value for value in values if isinstance(value, list | dict)]
        parts = [f"{X} is {value}" for value in (None, True, False) if any(value is other for other in values)]
        if texts:
            equal = f"{X} == {quoting.text(texts[0])}" if len(texts) == 1 else f"{X} in {self.code.texts(texts, owner)}"
            parts.append(equal if kind == "string" else f"(type({X}) is str and {equal})")
        if numbers:
            spelled = ", ".join(map(repr, numbers))
            several = len(numbers) > 1 and self.code.constant(f"frozenset(({spelled},))", owner)
            equal = f"{X} in {several}" if several else f"{X} == {spelled}"
            parts.append(f"((type({X}) is int or type({X}) is float) and {equal})")
        if others:
            listed = self.code.constant(f"({', '.join(map(quoting.literal, others))},)", owner)
            parts.append(f"among({X}, {listed})")
        return some(parts)

    def enum(self, enum: Enum, owner: str, kind: str = "") -> str:
        """``X`` is one of the values of an enum."""
        values: tuple[JsonValue, ...] = tuple(value.value for value in enum.values)
        return self.literals(values, self.stem(enum.key), kind)

    def map(self, map_: MapOf, owner: str, kind: str) -> str:
        """``X`` is an object whose names and values are of these types."""
        is_map = "True" if kind == "object" else f"type({X}) is dict"
        parts = [is_map, TEXTS.format(X)]
        if map_.key_pattern is not None:
            parts.append(f"all({self.code.pattern(map_.key_pattern.source, owner)}(k) is not None for k in {X})")
        condition = self.type(map_.value, owner)
        if condition != "True":
            parts.append(f"all({condition.replace(X, 'i')} for i in {X}.values())")
        return self.short(every(parts), owner)

    def tuple(self, tuple_: TupleOf, owner: str) -> str:
        """``X`` is an array of these items."""
        parts = [f"type({X}) is list", bounds(f"len({X})", tuple_.min_items, tuple_.max_items)]
        for i, item in enumerate(tuple_.items):
            condition = self.type(item, owner)
            if condition != "True":
                parts.append(some([f"len({X}) <= {i}", self.short(condition, owner).replace(X, f"{X}[{i}]")]))
        rest = "True" if tuple_.rest is None else self.type(tuple_.rest, owner)
        if rest != "True":
            parts.append(f"all({rest.replace(X, 'i')} for i in {X}[{len(tuple_.items)}:])")
        return self.short(every(parts), owner)

    def choice(self, choice: Choice, owner: str) -> str:
        """``X`` is of one of the members, by the choice's own dispatch."""
        members = [member.type for member in choice.members]
        match choice.dispatch:
            case ByTag(switch=switch) if choice.rest is None:
                return self.switch(switch, members, owner)
            case ByKeys(cases=cases, otherwise=otherwise):
                text = "False" if otherwise is None else self.type(members[otherwise], owner)
                for name, i in reversed(cases):
                    text = f"({self.type(members[i], owner)} if {quoting.text(name)} in {X} else {text})"
                return self.short(every([f"type({X}) is dict", text]), owner)
            case ByTrial() if choice.exclusive:
                conditions = (f"bool({self.type(member, owner)})" for member in members)
                return self.short(f"{' + '.join(conditions)} == 1", owner)
            case ByKind(cases=cases):
                kinds: dict[int, list[JsonKind]] = {}
                for kind, i in cases:
                    kinds.setdefault(i, []).append(kind)
                ways = []
                for i, found in kinds.items():
                    apart = self.facts.kinds(members[i]) <= set(found)
                    known = "True" if apart else of_kinds(f"type({X})", found)
                    ways.append(every([known, self.type(members[i], owner)]))
                return self.short(some(ways), owner)
            case ByTrial() | ByTag():
                return self.short(some(self.type(member, owner) for member in members), owner)

    def switch(self, switch: Switch, members: list[Type], owner: str) -> str:
        """A look-up of the judge that the tag leads to."""
        ways = []
        for case in switch.cases:
            to = (
                self.switch(case.to, members, owner)
                if isinstance(case.to, Switch)
                else self.type(members[case.to], owner)
            )
            ways.append(f"{quoting.literal(case.value)}: {self.named(to, owner)}")
        table = self.code.table(f"{{{', '.join(ways)}}}", owner)
        return f"tagged({X}, {quoting.text(switch.property)}, {table})"

    # --- functions ----------------------------------------------------------------------------------------------------

    def short(self, condition: str, owner: str) -> str:
        """The condition, or a call of a function that is the condition."""
        return condition if len(condition) <= LONGEST else f"{self.named(condition, owner)}({X})"

    def named(self, condition: str, owner: str) -> str:
        """A function that is the condition."""
        if condition.endswith(f"({X})") and condition[: -len(f"({X})")].isidentifier():
            return condition[: -len(f"({X})")]
        name = self.code.name("j", owner)
        block = Block()
        block(f"return {condition.replace(X, 'v')}")
        self.code.function(f"def {name}(v: Any) -> bool:", block)
        return name

    def stem(self, key: Key) -> str:
        """What names of functions for a definition end in."""
        return self.names.classes.get(key) or str(self._positions[key])

    def function_of(self, key: Key) -> str:
        """The judge of a definition."""
        if key not in self.judged:
            self.judged[key] = f"j_{self.stem(key)}"
            self.waiting.append(key)
        return self.judged[key]

    def finish(self) -> None:
        """Write the judges of all definitions that were asked for."""
        while self.waiting:
            key = self.waiting.pop(0)
            definition = self.facts.definition(key)
            owner = self.stem(key)
            block = Block()
            for check in definition.checks:
                block(f"if not {self.check(check, owner).replace(X, 'v')}: return False")
            match definition:
                case Record():
                    self.record(definition, owner, block)
                case Enum():
                    rest = [] if definition.open is None else [self.type(definition.open, owner)]
                    block(f"return {some([self.enum(definition, owner), *rest]).replace(X, 'v')}")
                case Union(choice=choice):
                    block(f"return {self.choice(choice, owner).replace(X, 'v')}")
                case Alias(type=type_):
                    block(f"return {self.type(type_, owner).replace(X, 'v')}")
            self.code.function(f"def {self.judged[key]}(v: Any) -> bool:", block)

    def record(self, record: Record, owner: str, block: Block) -> None:
        """The judge of a record: required members first, then a count of those that are there."""
        block("if type(v) is not dict: return False")
        required = [field for field in record.fields if field.required]
        block(f"n = len(v) - {len(required)}")
        for field in record.fields:
            name, condition = quoting.text(field.wire_name), self.type(field.type, owner)
            test = "" if condition == "True" else f"i = v[{name}]"
            if field.required:
                block(f"if {name} not in v: return False")
                if test:
                    block(test)
                    block(f"if not {condition.replace(X, 'i')}: return False")
            else:
                with block.under(f"if {name} in v:"):
                    block("n -= 1")
                    if test:
                        block(test)
                        block(f"if not {condition.replace(X, 'i')}: return False")
        extras = record.extras
        if isinstance(extras, Closed) and not extras.patterns:
            block("return n == 0")
            return
        with block.under("if n:"):
            names = self.code.texts((field.wire_name for field in record.fields), owner) if record.fields else "()"
            with block.under("for k, i in v.items():"):
                block(f"if k in {names}: continue")
                block("if type(k) is not str: return False")
                covered = []
                for pattern, type_ in extras.patterns:
                    matches = f"{self.code.pattern(pattern.source, owner)}(k) is not None"
                    covered.append(matches)
                    condition = self.type(type_, owner).replace(X, "i")
                    block(f"if {matches} and not {condition}: return False")
                rest = (
                    self.type(extras.value, owner) if isinstance(extras, Typed) else str(not isinstance(extras, Closed))
                )
                if rest != "True":
                    block(f"if not {some([rest.replace(X, 'i'), *covered])}: return False")
        block("return True")
