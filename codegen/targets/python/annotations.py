"""Types of the model → annotations, in the words of one module.

Must not narrow: an annotation admits every value that the codec builds. ``None`` stands last, and a type that is named twice
stands once.
"""

from __future__ import annotations

from codegen.model import (
    AnyJson,
    Boolean,
    ByTag,
    Checked,
    Choice,
    Enum,
    Integer,
    JsonValue,
    ListOf,
    Literals,
    MapOf,
    Never,
    NonNull,
    Null,
    Nullable,
    Number,
    Ref,
    Text,
    TupleOf,
    Type,
)
from codegen.targets import quoting
from codegen.targets.layout import Call, Either, Expression, Subscript, flat
from codegen.targets.python import shells
from codegen.targets.python.names import Names, Scope

LARGEST_LITERAL = 2**63 - 1
"""``Literal`` may hold any integer, and checkers read 64 bits of it."""


class Annotations:
    """What the types of one module are called. ``open_world`` widens enums and tagged choices."""

    def __init__(self, names: Names, scope: Scope, open_world: bool) -> None:
        self.names = names
        self.scope = scope
        self.open_world = open_world

    def of(self, type_: Type, hidden: frozenset[str] = frozenset()) -> Expression:
        """The annotation of a type, inside a body where the names ``hidden`` mean something else."""
        return joined(self.parts(type_, hidden))

    def parts(self, type_: Type, hidden: frozenset[str]) -> list[Expression]:
        """The alternatives of an annotation."""

        def symbol(name: str) -> str:
            return self.scope.symbol(name, hidden)

        match type_:
            case Text():
                return [symbol("str")]
            case Integer():
                return [symbol("int")]
            case Number():
                return [symbol("float")]
            case Boolean():
                return [symbol("bool")]
            case Null():
                return ["None"]
            case AnyJson():
                return [symbol("JsonValue")]
            case Never():
                return [symbol("Never")]
            case Literals(values=values):
                return self.literals(values, hidden)
            case Ref(key=key):
                held = shells.held(type_, self.names.facts)
                return [self.scope.own(self.names.classes[key], hidden)] if held is None else self.parts(held, hidden)
            case ListOf(item=item):
                return [Subscript(symbol("Sequence"), (self.of(item, hidden),))]
            case TupleOf(items=items, rest=rest):
                any_ = [symbol("JsonValue")] if rest is None else self.parts(rest, hidden)
                inner = [part for item in items for part in self.parts(item, hidden)]
                inner += [] if isinstance(rest, Never) else any_
                return [Subscript(symbol("Sequence"), (joined(inner),))]
            case MapOf(value=value):
                return [Subscript(symbol("Mapping"), (symbol("str"), self.of(value, hidden)))]
            case Nullable(inner=inner):
                return [*self.parts(inner, hidden), "None"]
            case NonNull(inner=inner):
                return [part for part in self.parts(inner, hidden) if part != "None"] or [symbol("Never")]
            case Checked(inner=inner):
                return self.parts(inner, hidden)
            case Choice(members=members, dispatch=dispatch):
                found = [part for member in members for part in self.parts(member.type, hidden)]
                if self.open_world and isinstance(dispatch, ByTag):
                    found.append(self.scope.own(self.names.variant, hidden))
                return found

    def literals(self, values: tuple[JsonValue, ...], hidden: frozenset[str]) -> list[Expression]:
        """One of some values; what ``Literal`` cannot hold widens to its type."""
        texts: list[Expression] = []
        parts: list[Expression] = []
        for value in map(whole, values):
            match value:
                case None:
                    parts.append("None")
                case int() if abs(value) > LARGEST_LITERAL:
                    parts.append(self.scope.symbol("int", hidden))
                case bool() | int() | str():
                    texts.append(quoting.literal(value))
                case float():
                    parts.append(self.scope.symbol("float", hidden))
                case _:
                    parts.append(self.scope.symbol("JsonValue", hidden))
        if texts:
            parts.insert(0, Subscript(self.scope.symbol("Literal", hidden), tuple(dict.fromkeys(texts))))
        if self.open_world and (base := open_kind(values)):
            parts.append(self.scope.symbol("str" if base == "string" else "int", hidden))
        return parts or [self.scope.symbol("Never", hidden)]

    def enum(self, enum: Enum) -> Expression:
        """The values of an enum, and what else it may hold."""
        values = tuple(value.value for value in enum.values)
        parts = self.literals(values, frozenset())
        if enum.open is not None:
            parts += self.parts(enum.open, frozenset())
        elif self.open_world:
            parts.append(self.scope.symbol("str" if enum.base == "string" else "int"))
        return joined(parts)


def joined(parts: list[Expression]) -> Expression:
    """Alternatives as one annotation, each once, ``None`` last."""
    unique = [part for part in dict.fromkeys(parts) if part != "None"]
    if "None" in parts:
        unique.append("None")
    return unique[0] if len(unique) == 1 else Either(tuple(unique))


def whole(value: JsonValue) -> JsonValue:
    """``value``, an integer where it is one mathematically: 1.0 is the JSON value 1."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def open_kind(values: tuple[JsonValue, ...]) -> str:
    """The kind that an open world may add to these values: "string" or "number" for an enum of strings or of integers of two
    values or more, else "" (a constant is no enum)."""
    if len(values) < 2:
        return ""
    if all(isinstance(value, str) for value in values):
        return "string"
    return "number" if all(type(whole(value)) is int for value in values) else ""


class Evaluated:
    """Annotations that Python evaluates where they stand: what is defined further down is named in quotes.

    Quotes go around as little as Python allows: an argument alone, or a whole choice, since ``|`` cannot take a text.
    """

    def __init__(self, own: frozenset[str]) -> None:
        self.own = own
        """Classes and aliases of the module."""
        self.defined: set[str] = set()
        self.texts: set[str] = set()
        """Aliases whose value is a text."""
        self.nothings: set[Expression] = {"None"}
        """``None``, and aliases whose value it is."""

    def define(self, name: str, expression: Expression | None = None) -> Expression | None:
        """``expression`` as it can be evaluated here, and ``name`` defined by it (None: a class)."""
        safe = None if expression is None else self.safe(expression)
        if isinstance(safe, str) and (safe.startswith(('"', "'")) or safe in self.texts):
            self.texts.add(name)
        if safe in self.nothings:
            self.nothings.add(name)
        self.defined.add(name)
        return safe

    def ahead(self, name: str) -> bool:
        """It is defined further down."""
        return name in self.own and name not in self.defined

    def safe(self, expression: Expression) -> Expression:
        """``expression`` as it can be evaluated here."""
        match expression:
            case str():
                return quoting.text(expression) if self.ahead(expression) else expression
            case Subscript(head=head, arguments=arguments) if not head.endswith("Literal"):
                return Subscript(head, tuple(map(self.safe, arguments)))
            case Subscript() | Call():
                return expression
            case Either(parts=parts):
                if any(isinstance(part, str) and (part in self.texts or self.ahead(part)) for part in parts):
                    return quoting.text(flat(expression))
                if sum(part in self.nothings for part in parts) > 1:  # to Python, None | None is no type
                    return quoting.text(flat(expression))
                return Either(tuple(map(self.safe, parts)))
