"""A JSON Schema → verdicts of the package ``jsonschema``, which knows nothing of this tool's model.

Must not reach the network, nor change the package for others: where it is itself not exact, copies of its keywords are. These
are patterns, which it reads as Python's (here: as ECMA-262 has them), ``multipleOf`` in doubles (here: in decimals) and
``uniqueItems`` of values that have no order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from codegen.derive.judge import compiled, is_multiple, same_json
from codegen.model import JsonValue

BASE = "urn:wirebound:contract"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _module(name: str) -> Any:
    """A module of the extra, which has no types."""
    return import_module(name)


class Ecma:
    """What the copies know as ``re``."""

    @staticmethod
    def search(source: str, text: str) -> re.Match[str] | None:
        """A contract's pattern matches somewhere."""
        return compiled(source).search(text)


def _multiple_of(validator: Any, of: Any, instance: Any, schema: Any) -> Iterator[Exception]:
    if validator.is_type(instance, "number") and not is_multiple(instance, Decimal(repr(of))):
        yield _module("jsonschema.exceptions").ValidationError(f"{instance!r} is not a multiple of {of}")


def _unique_items(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Exception]:
    if wanted is not True or not validator.is_type(instance, "array"):
        return
    if any(same_json(one, other) for i, one in enumerate(instance) for other in instance[:i]):
        yield _module("jsonschema.exceptions").ValidationError(f"{instance!r} has equal items")


def _copied(module: ModuleType, others: Mapping[str, Any]) -> dict[str, Any]:
    """The functions of a module, which call one another, ``others`` and ``Ecma``."""
    names = {**vars(module), **others, "re": Ecma}
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__globals__ is vars(module):
            names[name] = FunctionType(value.__code__, names, name, value.__defaults__, value.__closure__)
            names[name].__kwdefaults__ = value.__kwdefaults__
    return names


@cache
def _classes() -> Any:
    """For a dialect, the package's class with the copies in it."""
    keywords_, legacy, utils_, validators = (
        _module(f"jsonschema.{name}") for name in ("_keywords", "_legacy_keywords", "_utils", "validators")
    )
    utils = {name: value for name, value in _copied(utils_, {}).items() if isinstance(value, FunctionType)}
    copies = {module.__name__: _copied(module, utils) for module in (keywords_, legacy)}

    @cache
    def corrected(package: Any) -> Any:
        keywords = {
            keyword: copies.get(function.__module__, {}).get(getattr(function, "__name__", ""), function)
            for keyword, function in package.VALIDATORS.items()
        }
        own = {"multipleOf": _multiple_of, "uniqueItems": _unique_items}
        keywords |= {keyword: function for keyword, function in own.items() if keyword in keywords}
        return validators.extend(package, keywords)

    return corrected


class Oracle:
    """One schema document; ``dialect`` is that of schemas that name none."""

    def __init__(self, document: JsonValue, dialect: str = DIALECT) -> None:
        """Raises ValueError for a dialect that the package does not know."""
        stated = document.get("$schema") if isinstance(document, dict) else None
        uri = stated if isinstance(stated, str) else dialect
        package = _module("jsonschema.validators").validator_for({"$schema": uri}, default=None)
        if package is None:
            raise ValueError(f"{uri} is unknown")
        self._class = _classes()(package)
        resource = _module("referencing.jsonschema").specification_with(uri).create_resource(document)
        self._base = resource.id() or BASE
        self._registry = _module("jsonschema_specifications").REGISTRY.with_resource(self._base, resource)
        self._made: dict[str, Any] = {}

    def accepts(self, pointer: str, value: JsonValue) -> bool:
        """The schema at ``pointer`` accepts the value. Raises what the package does where a reference leads elsewhere."""
        if pointer not in self._made:
            self._made[pointer] = self._class({"$ref": f"{self._base}#{pointer}"}, registry=self._registry)
        return bool(self._made[pointer].is_valid(value))
