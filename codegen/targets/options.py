"""Options as written in a manifest, on a command line or by a caller → a target's ``Options``.

Must not know what an option means. What an option can hold is read off its annotation, so that a target declares it once:
``str``, ``bool``, ``int``, ``Literal``, ``tuple[…, ...]``, ``Mapping[str, …]`` and these or None.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Literal, Union, get_args, get_origin

from codegen.errors import ManifestError, Problem, shown
from codegen.pointer import Origin
from codegen.tables import kind_of, known
from codegen.targets.base import Target


def options(target: Target, given: Mapping[str, Any], origin: Origin) -> Any:
    """``target.Options`` with the values of ``given``; each option's place is its name below ``origin``.

    Raises ManifestError with every unknown option and every value that the option cannot hold.
    """
    kinds = _kinds(target)
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for name, value in given.items():
        at = origin.at(name)
        if name not in kinds:
            message = f"{shown(name)} is no option of target {shown(target.name)}"
            problems.append(Problem(code="unknown-option", message=message, origin=at, help=known(name, list(kinds))))
            continue
        try:
            values[name] = _value(kinds[name], value)
        except ValueError as error:
            problems.append(
                Problem(code="bad-option", message=f"{name} is {error}", origin=at, help="correct the value")
            )
    if not problems:
        try:
            return target.Options(**values)
        except ValueError as error:  # the target's own judgement of one or several values
            problems.append(Problem(code="bad-option", message=str(error), origin=origin, help="correct the option"))
    raise ManifestError(problems)


def spelled(target: Target, pairs: Iterable[str]) -> dict[str, Any]:
    """Options as written in a manifest, from ``KEY=VALUE`` texts. Lists are separated by commas. An unknown key keeps its
    text, for ``options`` to refuse."""
    kinds = _kinds(target)
    values: dict[str, Any] = {}
    for pair in pairs:
        key, _, text = pair.partition("=")
        values[key] = _spelled(kinds.get(key, str), text)
    return values


def _kinds(target: Target) -> dict[str, Any]:
    hints = typing.get_type_hints(target.Options)
    return {field.name: hints[field.name] for field in fields(target.Options) if field.init}


def _value(kind: Any, value: Any) -> Any:
    """``value`` as an option of ``kind``. Raises ValueError that says what it is and what was expected."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if origin is Literal:
        if any(value == choice and type(value) is type(choice) for choice in arguments):
            return value
        raise ValueError(f"{shown(value)}, not one of {', '.join(shown(choice) for choice in arguments)}")
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_value(arguments[0], item) for item in value)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in arguments:
            return None
        return _value(next(choice for choice in arguments if choice is not type(None)), value)
    if origin is not None and issubclass(origin, Mapping) and isinstance(value, dict):
        return {str(key): _value(arguments[1], item) for key, item in value.items()}
    if isinstance(kind, type) and type(value) is kind:
        return value
    expected = "an array" if origin is tuple else "a table" if origin else kind_of(kind())
    raise ValueError(f"{kind_of(value)}, not {expected}")


def _spelled(kind: Any, text: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _spelled(next(choice for choice in arguments if choice is not type(None)), text)
    if origin is tuple:
        return [_spelled(arguments[0], item) for item in text.split(",") if item]
    if origin is Literal:
        return next((choice for choice in arguments if str(choice) == text), text)
    if kind is bool:
        return {"true": True, "false": False}.get(text, text)
    if kind is int and re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    return text
