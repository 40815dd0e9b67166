"""A codec, a JSON value and the oracle's verdict on it → what is wrong with the codec, in words; nothing when it agrees.

Must not derive or judge: it asks every question that promise 1 makes ("accepts exactly; gives the same JSON back") of one
document, so that the suites differ in their documents alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from codegen.pointer import split


def same_json(left: Any, right: Any) -> bool:
    """Equal as JSON values: numbers by value, true is no number, the order of members is of no account."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_json, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_json(value, right[name]) for name, value in left.items())
    return (type(left) is type(right) and left == right) or (is_number(left) and is_number(right) and left == right)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def complaints(codec: Any, value: Any, valid: bool, contract: Any = None) -> Iterator[str]:
    """What the codec does otherwise than it should. ``contract``: the contract's value, in which rules are looked up."""
    fast = fast_pass(codec, value)
    if bool(fast) != valid:
        yield f"the fast pass {'accepts' if fast else 'refuses'}"
    slow, errors = slow_pass(codec, value)
    if bool(slow) != valid:
        yield f"the slow pass {'accepts' if slow else f'refuses: {errors}'}"
    if fast and slow and fast != slow:
        yield f"the passes build different values: {fast[0]!r}, {slow[0]!r}"
    if fast and valid:
        yield from accepted(codec, value)
    elif not fast and not valid:
        yield from refused(codec, value, contract)


def fast_pass(codec: Any, value: Any) -> tuple[Any, ...]:
    """What the pass without bookkeeping makes of the value; nothing where it refuses."""
    try:
        return (codec._decode(value),)
    except RecursionError:
        raise
    except Exception:  # each is a refusal; one that the slow pass does not share is an "internal" fault
        return ()


def slow_pass(codec: Any, value: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What the explaining pass makes of the value under "reject", or the faults that it finds. As it is asked only about what
    the other pass refused, it says of a value that it accepts that the two disagree; then "keep" has it built."""
    try:
        return (codec._explain(value, "reject", None, "all"),), ()
    except ValueError as error:
        faults = error.errors  # type: ignore[attr-defined]
    if [fault.code for fault in faults] == ["internal"]:
        return (codec._explain(value, "keep", None, "all"),), ()
    return (), faults


def accepted(codec: Any, value: Any) -> Iterator[str]:
    """The same JSON value back, by both ways; both ways give the same Python value."""
    decoded = codec.from_dict(value)
    if not same_json(codec.to_dict(decoded, check=True), value):
        yield f"to_dict gives {codec.to_dict(decoded)!r}"
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False).encode()):
        if codec.from_json(text) != decoded:
            yield f"from_json gives {codec.from_json(text)!r}, from_dict {decoded!r}"
    if not same_json(json.loads(codec.to_json(decoded)), value):
        yield f"to_json gives {codec.to_json(decoded)!r}"


def refused(codec: Any, value: Any, contract: Any) -> Iterator[str]:
    """Every verb refuses, names a place in the document and a rule in the contract, and the first fault is among all."""
    faults = {}
    for errors in ("first", "all"):
        for read in (codec.from_dict, lambda one, **how: codec.from_json(json.dumps(one), **how)):
            try:
                read(value, errors=errors)
            except ValueError as error:
                faults[errors] = error.errors  # type: ignore[attr-defined]
            else:
                yield f"{read} accepts"
    if len(faults.get("first", ())) != 1 or not faults.get("all"):
        yield f"the first fault is {faults.get('first')}, all are {faults.get('all')}"
        return
    if faults["first"][0] not in faults["all"]:
        yield f"the first fault, {faults['first'][0]}, is not among {faults['all']}"
    for fault in faults["all"]:
        absent = fault.code == "missing-member"
        if there(value, fault.pointer) == absent:
            yield f"no such place in the document: {fault}"
        if contract is not None and fault.rule.startswith("#") and not there(contract, fault.rule[1:]):
            yield f"no such place in the contract: {fault}"


def there(value: Any, pointer: str) -> bool:
    """The pointer leads somewhere."""
    for token in split(pointer):
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdigit() and int(token) < len(value):
            value = value[int(token)]
        else:
            return False
    return True
