"""A loaded contract and a document → is it valid: JSON Schema's evaluation, straight from the specification.

Must not be quick or clever, nor know any dialect: it sees schemas only through their normalised views, so that a verdict that
differs from the test suite's is a fault of the load stage. Patterns are Python's, which most of the suite's are too.
"""

import re
from fractions import Fraction
from typing import Any

from codegen.document import Contract, Schema, Scope


class Seen:
    """The members and items that a schema evaluated."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.items: set[int] = set()

    def add(self, other: "Seen") -> None:
        self.names |= other.names
        self.items |= other.items


def valid(contract: Contract, value: Any) -> bool:
    return evaluate(contract, contract.root, value, ()) is not None


def plain(value: Any) -> Any:
    """A hashable form in which values are equal as JSON has it: 1 is 1.0 and not true."""
    if isinstance(value, dict):
        return ("object", frozenset((name, plain(item)) for name, item in value.items()))
    if isinstance(value, list):
        return ("array", tuple(plain(item) for item in value))
    return (isinstance(value, bool), value)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_of(name: str, value: Any, literal: bool) -> bool:
    if name == "number":
        return is_number(value)
    if name == "integer":
        return is_number(value) and (isinstance(value, int) or (not literal and value.is_integer()))
    kind = {"null": type(None), "boolean": bool, "object": dict, "array": list, "string": str}[name]
    return isinstance(value, kind)


def matching(pattern: str, text: str) -> bool:
    return re.search(re.sub(r"(?<!\\)\$$", r"\\Z", pattern), text) is not None


def evaluate(contract: Contract, schema: Schema, value: Any, scope: Scope) -> Seen | None:
    """What ``schema`` evaluates of ``value``; None if it refuses it."""
    if schema.boolean is not None:
        return Seen() if schema.boolean else None
    scope = contract.enter(scope, schema)
    seen = Seen()

    def judge(inner: Schema | None, part: Any) -> Seen | None:
        return Seen() if inner is None else evaluate(contract, inner, part, scope)

    def here(inner: Schema) -> bool:
        found = judge(inner, value)
        if found is not None:
            seen.add(found)
        return found is not None

    if schema.has("$ref") and not here(contract.follow(schema)):
        return None
    if schema.has("$dynamicRef") and not here(contract.dynamic(schema, scope)):
        return None
    if not all(here(inner) for inner in schema.many("allOf")):
        return None
    # Every member is judged: each that accepts adds to what was seen.
    if schema.has("anyOf") and sum([here(inner) for inner in schema.many("anyOf")]) == 0:
        return None
    if schema.has("oneOf") and sum([here(inner) for inner in schema.many("oneOf")]) != 1:
        return None
    if (inner := schema.one("not")) is not None and judge(inner, value) is not None:
        return None
    if (condition := schema.one("if")) is not None:
        branch = schema.one("then" if here(condition) else "else")
        if branch is not None and not here(branch):
            return None
    if not assertions(schema, value):
        return None
    if isinstance(value, dict) and not members(schema, value, judge, here, seen):
        return None
    if isinstance(value, list) and not elements(schema, value, judge, seen):
        return None
    return seen


def assertions(schema: Schema, value: Any) -> bool:
    get: Any = schema.get
    if schema.has("type"):
        names = get("type")
        literal = schema.dialect.literal_integers
        if not any(is_of(name, value, literal) for name in ([names] if isinstance(names, str) else names)):
            return False
    if schema.has("enum") and plain(value) not in [plain(item) for item in get("enum")]:
        return False
    if schema.has("const") and plain(value) != plain(get("const")):
        return False
    if is_number(value):
        bounds = {
            "minimum": lambda bound: value >= bound,
            "maximum": lambda bound: value <= bound,
            "exclusiveMinimum": lambda bound: value > bound,
            "exclusiveMaximum": lambda bound: value < bound,
            "multipleOf": lambda step: Fraction(repr(value)) % Fraction(repr(step)) == 0,
        }
        return all(holds(get(keyword)) for keyword, holds in bounds.items() if schema.has(keyword))
    sizes = {str: "Length", list: "Items", dict: "Properties"}
    what = sizes.get(type(value))
    if what and not get(f"min{what}", 0) <= len(value) <= get(f"max{what}", len(value)):
        return False
    if isinstance(value, str):
        return not schema.has("pattern") or matching(get("pattern"), value)
    if isinstance(value, list) and get("uniqueItems"):
        return len({plain(item) for item in value}) == len(value)
    if isinstance(value, dict):
        needed = set(get("required", []))
        for name, others in get("dependentRequired", {}).items():
            needed |= set(others) if name in value else set()
        return needed <= set(value)
    return True


def members(schema: Schema, value: dict[str, Any], judge: Any, here: Any, seen: Seen) -> bool:
    declared = schema.named("properties")
    patterns = schema.named("patternProperties")
    rest = set()
    for name, item in value.items():
        if schema.has("propertyNames") and judge(schema.one("propertyNames"), name) is None:
            return False
        judges = [declared[name]] if name in declared else []
        judges += [inner for pattern, inner in patterns.items() if matching(pattern, name)]
        if any(judge(inner, item) is None for inner in judges):
            return False
        if judges:
            seen.names.add(name)
        else:
            rest.add(name)
    for name, inner in schema.named("dependentSchemas").items():
        if name in value and not here(inner):
            return False
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        names = rest if keyword == "additionalProperties" else set(value) - seen.names
        if schema.has(keyword):
            if any(judge(schema.one(keyword), value[name]) is None for name in names):
                return False
            seen.names |= names
    return True


def elements(schema: Schema, value: list[Any], judge: Any, seen: Seen) -> bool:
    prefix = schema.many("prefixItems")
    for at, item in enumerate(value):
        inner = prefix[at] if at < len(prefix) else schema.one("items")
        if judge(inner, item) is None:
            return False
        if inner is not None:
            seen.items.add(at)
    if schema.has("contains"):
        found = {at for at, item in enumerate(value) if judge(schema.one("contains"), item) is not None}
        least: Any = schema.get("minContains", 1)
        most: Any = schema.get("maxContains", len(value))
        if not least <= len(found) <= most:
            return False
        if schema.dialect.contains_evaluates:
            seen.items |= found
    if schema.has("unevaluatedItems"):
        left = set(range(len(value))) - seen.items
        if any(judge(schema.one("unevaluatedItems"), value[at]) is None for at in left):
            return False
        seen.items |= left
    return True
