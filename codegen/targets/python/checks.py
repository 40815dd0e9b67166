"""Checks → conditions, as ``judge`` writes them for types.

Must not decide what a check means for values of other kinds than its own: it passes for them, always.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from codegen.model import (
    All,
    Any,
    Check,
    Contains,
    Count,
    Each,
    ExactlyOne,
    Has,
    If,
    Is,
    MultipleOf,
    Not,
    Seen,
    Type,
    Unevaluated,
    Unique,
    When,
)
from codegen.targets import quoting
from codegen.targets.python.code import Block, Code
from codegen.targets.python.conditions import X, bounds, every, some


class Checks:
    """The half of the judge that speaks of checks."""

    code: Code

    if TYPE_CHECKING:

        def type(self, type_: Type, owner: str, kind: str = "") -> str:
            """``X`` is of this type."""

        def short(self, condition: str, owner: str) -> str:
            """The condition, or a call of a function that is the condition."""

    def check(self, check: Check, owner: str) -> str:
        """``X`` passes the check."""
        match check:
            case Is(type=type_):
                text = self.type(type_, owner)
            case Not(check=inner):
                text = f"(not {self.check(inner, owner)})"
            case All(checks=checks):
                text = every(self.check(inner, owner) for inner in checks)
            case Any(checks=checks):
                text = some(self.check(inner, owner) for inner in checks)
            case ExactlyOne(checks=checks):
                text = f"({' + '.join(f'bool({self.check(inner, owner)})' for inner in checks)} == 1)"
            case If(condition=condition, then=then, otherwise=otherwise):
                yes = "True" if then is None else self.check(then, owner)
                no = "True" if otherwise is None else self.check(otherwise, owner)
                text = f"({yes} if {self.check(condition, owner)} else {no})"
            case Has(name=name):
                text = f"(type({X}) is not dict or {quoting.text(name)} in {X})"
            case When(name=name, check=inner):
                text = some([f"type({X}) is not dict", f"{quoting.text(name)} not in {X}", self.check(inner, owner)])
            case Each():
                text = self.each(check, owner)
            case Contains(type=type_, minimum=low, maximum=high):
                matches = self.type(type_, owner).replace(X, "i")
                text = some([f"type({X}) is not list", bounds(f"sum(bool({matches}) for i in {X})", low, high)])
            case Count(of=of, minimum=low, maximum=high):
                kind = "dict" if of == "members" else "list"
                text = some([f"type({X}) is not {kind}", bounds(f"len({X})", low, high)])
            case MultipleOf(value=value):
                numerator, denominator = value.as_integer_ratio()
                text = f"multiple({X}, {numerator}, {denominator})"
            case Unique():
                text = f"unique({X})"
            case Unevaluated():
                text = self.unevaluated(check, owner)
            case _:
                assert_never(check)
        return self.short(text, owner)

    def each(self, check: Each, owner: str) -> str:
        """Every part of ``X`` passes."""
        inner = self.check(check.check, owner)
        if check.of == "items":
            return some([f"type({X}) is not list", f"all({inner.replace(X, 'i')} for i in {X})"])
        part = "k" if check.of == "names" else "i"
        matches = "" if check.pattern is None else f" if {named(self.code.pattern(check.pattern.source, owner))}"
        return some([f"type({X}) is not dict", f"all({inner.replace(X, part)} for k, i in {X}.items(){matches})"])

    def unevaluated(self, check: Unevaluated, owner: str) -> str:
        """What nothing evaluates is of the type: a function that first asks which keywords evaluate anything at all."""
        members = check.of == "members"
        block = Block()
        block(f"if type(v) is not {'dict' if members else 'list'}: return True")
        covered = [text for seen in check.seen for text in self.covered(seen, "", members, owner, block)]
        with block.under(f"for {'k, i in v.items()' if members else 'k, i in enumerate(v)'}:"):
            block(f"if not {some([*covered, self.type(check.type, owner).replace(X, 'i')])}: return False")
        block("return True")
        name = self.code.name("j", owner)
        self.code.function(f"def {name}(v: Any) -> bool:", block)
        return f"{name}({X})"

    def covered(self, seen: Seen, under: str, members: bool, owner: str, block: Block) -> list[str]:
        """Conditions, any of which says that the part ``i`` at ``k`` is evaluated by ``seen``."""
        if seen.when is not None:
            passes = self.check(seen.when, owner).replace(X, "v")
            flag = block.variable()
            block(f"{flag} = {every([under, passes]) if under else passes}")
            under = flag
        found = ["True"] if seen.all else []
        if members:
            found += [f"k in {self.code.texts(seen.names, owner)}"] if seen.names else []
            found += [named(self.code.pattern(pattern.source, owner)) for pattern in seen.patterns]
        else:
            found += [f"k < {seen.prefix}"] if seen.prefix else []
            found += [self.type(seen.matching, owner).replace(X, "i")] if seen.matching is not None else []
        own = some(found)
        conditions = [every([under, own]) if under else own] if found else []
        return conditions + [text for inner in seen.inner for text in self.covered(inner, under, members, owner, block)]


def named(search: str) -> str:
    """The name ``k`` of a member matches. What is no string matches nothing: checks come before shapes."""
    return f"(type(k) is str and {search}(k) is not None)"
