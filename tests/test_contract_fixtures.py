"""Contract folders with fixtures → a verdict on each of their documents, by the jsonschema package alone.

Must not import the product: its verdicts are measured against these documents, so these have to stand without it.
And must not be content with "invalid": a document refused for another reason would still be refused if the rule that it
shows vanished.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import ValidationError, validators
from referencing import Registry
from referencing.jsonschema import specification_with
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
FOLDERS = sorted(fixtures.parent for fixtures in ROOT.glob("schema/*/*/fixtures"))

CODES = {
    "type": "wrong-type",
    "required": "missing-member",
    "additionalProperties": "unknown-member",
    "unevaluatedProperties": "unknown-member",
    "enum": "unknown-value",
    "const": "wrong-value",
    "minimum": "below-minimum",
    "exclusiveMinimum": "below-minimum",
    "maximum": "above-maximum",
    "exclusiveMaximum": "above-maximum",
    "multipleOf": "not-multiple",
    "minLength": "too-short",
    "maxLength": "too-long",
    "pattern": "pattern-mismatch",
    "minItems": "too-few-items",
    "maxItems": "too-many-items",
    "minProperties": "too-few-members",
    "maxProperties": "too-many-members",
    "uniqueItems": "not-unique",
    "contains": "too-few-matches",
    "minContains": "too-few-matches",
    "maxContains": "too-many-matches",
    "not": "forbidden",
}
CHOICES = ("oneOf", "anyOf")
CLOSING = ("additionalProperties", "unevaluatedProperties")
# Where several keywords refuse one value at the same depth, the first of these is the rule: a const says all, and a
# wrong kind says more than "not in the list".
FIRST = ("const", "type", "enum")
ANNOTATIONS = {
    *("$anchor", "$comment", "$id", "$schema", "title", "description", "default", "examples", "deprecated"),
    *("readOnly", "writeOnly", "format", "contentEncoding", "contentMediaType", "contentSchema", "discriminator"),
}
NAMED = ("$defs", "definitions", "properties", "patternProperties", "dependentSchemas")
LISTED = ("allOf", "anyOf", "oneOf", "prefixItems")
SINGLE = ("items", "additionalProperties", "unevaluatedProperties", "contains", "propertyNames", "if", "then", "else")
KINDS = (None, True, 1, "", [], {})
TYPES = ["null", "boolean", "number", "string", "array", "object"]


class Fault(NamedTuple):
    """What an `.expect.json` states: the place in the document, the code, the place of the keyword in the contract."""

    pointer: str
    code: str
    rule: str


class Document(NamedTuple):
    """One file: `group` is "examples", "valid" or "invalid"."""

    folder: Path
    group: str
    definition: str
    path: Path

    def __str__(self) -> str:
        return "/".join([*self.folder.parts[-2:], self.group, self.definition, self.path.stem])


def token(name: str | int) -> str:
    """One step of a JSON Pointer."""
    return "/" + str(name).replace("~", "~0").replace("/", "~1")


def kind(value: Any) -> Any:
    """What two values of the same JSON kind have in common: true is no number."""
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value)


def same(one: Any, other: Any) -> bool:
    """JSON equality of scalars."""
    return bool(one == other) and kind(one) == kind(other)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a document, which must not have a member twice."""
    members = dict(pairs)
    assert len(members) == len(pairs), "a member occurs twice"
    return members


def read(path: Path) -> Any:
    """The JSON value of a file."""
    return json.loads(path.read_bytes().decode("utf-8"), object_pairs_hook=once)


def ecma_pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """The keyword `pattern` with `$` as the very end; Python's also matches before a last newline."""
    ends = re.sub(r"\\.|\[(?:\\.|[^\]])*\]|\$", lambda m: r"\Z" if m[0] == "$" else m[0], pattern)
    if isinstance(instance, str) and not re.search(ends, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def declares(parts: Iterable[dict[str, Any]], name: str) -> bool:
    """Whether one of the schemas, fulfilled or not, has a word on the member."""
    return any(
        name in part.get("properties", {})
        or any(re.search(pattern, name) for pattern in part.get("patternProperties", {}))
        or part.get("additionalProperties", False) is not False
        for part in parts
    )


@dataclass(frozen=True)
class Contract:
    """A contract as the jsonschema package sees it, and where each of its schemas sits."""

    folder: Path
    document: dict[str, Any]

    @cached_property
    def definitions(self) -> dict[str, Any]:
        return self.resolve(self.prefix)

    @cached_property
    def prefix(self) -> str:
        if "openapi" in self.document:
            return "#/components/schemas"
        return "#/$defs" if "$defs" in self.document else "#/definitions"

    @cached_property
    def base(self) -> str:
        return self.document.get("$id", "urn:contract")

    @cached_property
    def dialect(self) -> Any:
        return validators.extend(validators.validator_for(self.document), {"pattern": ecma_pattern})

    @cached_property
    def registry(self) -> Registry[Any]:
        dialect = specification_with(self.document.get("$schema", "https://json-schema.org/draft/2020-12/schema"))
        return Registry().with_resource(self.base, dialect.create_resource(self.document))

    @cached_property
    def places(self) -> dict[int, str]:
        """The pointer of each object in the contract, by identity: errors keep the very schema that refused."""
        found: dict[int, str] = {}

        def visit(node: Any, place: str) -> None:
            if isinstance(node, dict):
                found[id(node)] = place
            for step, value in node.items() if isinstance(node, dict) else enumerate(node):
                if isinstance(value, dict | list):
                    visit(value, place + token(step))

        visit(self.document, "#")
        return found

    def resolve(self, ref: str) -> Any:
        return self.registry.resolver(self.base).lookup(ref).contents

    def in_place(self, schema: Any, *keywords: str) -> Iterator[dict[str, Any]]:
        """The schema and those it applies to the same value through `$ref` and the keywords."""
        if isinstance(schema, dict):
            yield schema
            if "$ref" in schema:
                yield from self.in_place(self.resolve(schema["$ref"]), *keywords)
            for keyword in keywords:
                branches = schema.get(keyword, [])
                for branch in branches if isinstance(branches, list) else [branches]:
                    yield from self.in_place(branch, *keywords)

    def pinned(self, schema: Any) -> dict[str, list[Any]]:
        """The required members whose values the schema lists, with the values; the narrowest list counts."""
        parts = list(self.in_place(schema, "allOf"))
        required = {name for part in parts for name in part.get("required", [])}
        pins: dict[str, list[Any]] = {}
        for part in parts:
            for name, member in part.get("properties", {}).items():
                for value in self.in_place(member, "allOf"):
                    values = [value["const"]] if "const" in value else value.get("enum")
                    if name in required and values and len(values) <= len(pins.get(name, values)):
                        pins[name] = values
        return pins

    def tag(self, branches: list[Any]) -> tuple[str, list[list[Any]]] | None:
        """The member that tells the branches apart, with the values of each branch."""
        pins = [self.pinned(branch) for branch in branches]
        for name in pins[0]:
            values = [pin.get(name, []) for pin in pins]
            flat = [json.dumps(value) for some in values for value in some]
            if all(values) and len(set(flat)) == len(flat):
                return name, values
        return None

    def takes(self, branch: Any, instance: Any) -> bool:
        """Whether the branch admits the JSON kind of the instance."""
        for part in self.in_place(branch, "allOf"):
            values = [part["const"]] if "const" in part else part.get("enum", [instance])
            if not self.dialect({"type": part.get("type", TYPES)}).is_valid(instance):
                return False
            if not any(kind(value) == kind(instance) for value in values):
                return False
            for keyword in CHOICES:
                if keyword in part and not any(self.takes(inner, instance) for inner in part[keyword]):
                    return False
        return True

    def apart(self, branches: list[Any]) -> bool:
        """Whether a tag or the JSON kind says which branch is meant: else only the choice as a whole can refuse."""
        takers = [sum(self.takes(branch, one) for branch in branches) for one in KINDS]
        return max(takers) <= 1 or self.tag(branches) is not None

    def validator(self, definition: str) -> Any:
        return self.dialect({"$ref": f"{self.base}{self.prefix}/{definition}"}, registry=self.registry)

    def faults(self, definition: str, instance: Any) -> list[Fault]:
        """One fault for each bad place, named by the outermost keyword that refuses what is there."""
        errors = self.validator(definition).iter_errors(instance)
        outermost: dict[str, Fault] = {}
        for _, fault in sorted((entry for error in errors for entry in self.explain(error)), reverse=True):
            outermost[fault.pointer] = fault
        return sorted(outermost.values())

    def explain(self, error: ValidationError) -> Iterator[tuple[tuple[int, int], Fault]]:
        """The faults that an error stands for, each with a rank: the lower, the nearer to the outside."""
        keyword, schema, instance = str(error.validator), error.schema, error.instance
        at = "".join(map(token, error.absolute_path))
        rule = f"{self.places[id(schema)]}/{keyword}"
        rank = (len(error.absolute_schema_path), FIRST.index(keyword) if keyword in FIRST else len(FIRST))
        if keyword in CHOICES:
            meant = self.meant(error, at)
            if isinstance(meant, tuple):
                yield rank, Fault(*meant, rule)
            else:
                for inner in error.context or []:
                    if inner.relative_schema_path[0] == meant:
                        yield from self.explain(inner)
        elif keyword == "required":
            for name in error.validator_value:
                if name not in instance:
                    yield rank, Fault(at + token(name), CODES[keyword], rule)
        elif keyword in CLOSING and error.validator_value is False:
            # The package also counts the members of a failed branch as unknown; they are at fault under their own rule.
            through = (*CHOICES, "allOf", "if", "then", "else")
            parts = [schema] if keyword == "additionalProperties" else list(self.in_place(schema, *through))
            for name in instance:
                if not declares(parts, name):
                    yield rank, Fault(at + token(name), CODES[keyword], rule)
        elif keyword == "not" and error.validator_value.keys() == {"type"}:
            yield rank, Fault(at, CODES["type"], rule)
        else:
            yield rank, Fault(at, CODES[keyword], rule)

    def meant(self, error: ValidationError, at: str) -> int | tuple[str, str]:
        """The branch that the instance was meant for; else the place and the code of the fault of the choice itself."""
        branches, instance = error.validator_value, error.instance
        if not error.context:
            return at, "several-variants"
        fitting = [i for i, branch in enumerate(branches) if self.takes(branch, instance)]
        if not fitting:
            return at, "wrong-type"
        tag = self.tag(branches)
        if not tag or not isinstance(instance, dict):
            return fitting[0] if len(fitting) == 1 else (at, "no-variant")
        name, values = tag
        if name not in instance:
            return at + token(name), "missing-member"
        owners = [i for i, some in enumerate(values) if any(same(instance[name], value) for value in some)]
        return owners[0] if owners else (at + token(name), "unknown-tag")

    def refusable(self, schema: Any) -> bool:
        """Whether some JSON value may be invalid: there is more than annotations, through references."""
        return schema is not True and any(
            self.refusable(self.resolve(value)) if key == "$ref" else key not in ANNOTATIONS
            for key, value in schema.items()
        )

    def rules(self) -> Iterator[tuple[str, str]]:
        """Every keyword of the definitions that can refuse, with the member for `required`."""

        def visit(schema: Any, idle: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
            if not isinstance(schema, dict):
                return
            for key, value in schema.items():
                open_to_some = key in CLOSING and value is not False
                refuses = (key in CHOICES or key in CODES) and key not in idle and not open_to_some
                for name in value if key == "required" else [""] if refuses else []:
                    yield f"{self.places[id(schema)]}/{key}", name
                parts = value.values() if key in NAMED else value if key in LISTED else [value] if key in SINGLE else []
                if key in CHOICES and not self.apart(value):
                    continue
                for part in parts:
                    # The kind of a branch decides which branch is meant; the choice is what refuses.
                    yield from visit(part, idle=("type",) if key in CHOICES else ())

        for definition in self.definitions.values():
            yield from visit(definition)


def overlaid(document: Any, overlay: Any) -> Any:
    """An OpenAPI document with the updates of an overlay, whose targets are plain paths of names."""
    for action in overlay["actions"]:
        assert re.fullmatch(r"\$(\.\w+|\['[^']*'\])*", action["target"]) and "remove" not in action
        place, update = document, action["update"]
        for name, quoted in re.findall(r"\.(\w+)|\['([^']*)'\]", action["target"]):
            place = place[name or quoted]
        if isinstance(place, list):
            place.append(update)
        else:
            merge(place, update)
    return document


def merge(place: dict[str, Any], update: Mapping[str, Any]) -> None:
    """Objects member by member, everything else in place of what was there (Overlay 1.0.0, 4.4.3)."""
    for name, value in update.items():
        if isinstance(value, dict) and isinstance(place.get(name), dict):
            merge(place[name], value)
        else:
            place[name] = value


@cache
def contract(folder: Path) -> Contract:
    """The contract of a folder, with its overlay if there is one."""
    if (folder / "schema.json").exists():
        return Contract(folder, read(folder / "schema.json"))
    yaml = YAML(typ="safe", pure=True)
    document = yaml.load(folder / "openapi.yaml")
    overlay = folder / "overlay.yaml"
    return Contract(folder, overlaid(document, yaml.load(overlay)) if overlay.exists() else document)


def files(folder: Path, group: str) -> Iterator[Document]:
    """The documents of a group, by definition and name."""
    pattern = "examples/*/*.json" if group == "examples" else f"fixtures/*/{group}/*.json"
    for path in sorted(folder.glob(pattern)):
        if not path.name.endswith(".expect.json"):
            yield Document(folder, group, path.relative_to(folder).parts[1], path)


def expected(path: Path) -> Mapping[str, str]:
    """What the file beside an invalid document says of it."""
    return read(path.with_name(f"{path.stem}.expect.json"))


ACCEPTED = [one for folder in FOLDERS for group in ("examples", "valid") for one in files(folder, group)]
REFUSED = [one for folder in FOLDERS for one in files(folder, "invalid")]
each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: "/".join(folder.parts[-2:]))


# What the contracts at hand have no rule for, so that the judge's own words are tried as well.
SMALL = {
    "$id": "https://wirebound.example/small.json",
    "$defs": {
        "Size": {
            "oneOf": [
                {"type": "number", "multipleOf": 2},
                {"type": "number", "exclusiveMinimum": 9},
                {"type": "string"},
            ]
        },
        "Shut": {"properties": {"a": {"uniqueItems": True, "contains": {"const": 1}}}, "additionalProperties": False},
        "Odd": {"not": {"multipleOf": 2}},
        "Open": {"anyOf": [{"const": "a"}, {"const": "b"}, {"type": "string"}]},
        "Lists": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Open"}}, {"$ref": "#/$defs/Open"}]},
        "Some": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    },
}


@pytest.mark.parametrize(
    ("definition", "instance", "want"),
    [
        ("Size", 4, []),
        ("Size", 7, [Fault("", "no-variant", "#/$defs/Size/oneOf")]),
        ("Size", 12, [Fault("", "several-variants", "#/$defs/Size/oneOf")]),
        ("Size", None, [Fault("", "wrong-type", "#/$defs/Size/oneOf")]),
        ("Shut", {"a": [1, 2]}, []),
        ("Shut", {"a": [1, 1]}, [Fault("/a", "not-unique", "#/$defs/Shut/properties/a/uniqueItems")]),
        ("Shut", {"a": [2]}, [Fault("/a", "too-few-matches", "#/$defs/Shut/properties/a/contains")]),
        ("Shut", {"a/~": 1}, [Fault("/a~1~0", "unknown-member", "#/$defs/Shut/additionalProperties")]),
        ("Odd", 2, [Fault("", "forbidden", "#/$defs/Odd/not")]),
        ("Open", "c", []),
        ("Open", 1, [Fault("", "wrong-type", "#/$defs/Open/anyOf")]),
        ("Lists", ["c", 1], [Fault("/1", "wrong-type", "#/$defs/Open/anyOf")]),
        ("Lists", 1, [Fault("", "wrong-type", "#/$defs/Lists/anyOf")]),
        ("Some", {"c": 1}, [Fault("", "no-variant", "#/$defs/Some/anyOf")]),
    ],
)
def test_the_judge_names_place_code_and_rule(definition: str, instance: Any, want: list[Fault]) -> None:
    assert Contract(Path(), SMALL).faults(definition, instance) == want


def test_some_contract_has_fixtures() -> None:
    assert FOLDERS and ACCEPTED and REFUSED


@pytest.mark.parametrize("one", ACCEPTED, ids=str)
def test_accepted(one: Document) -> None:
    subject, instance = contract(one.folder), read(one.path)
    assert subject.validator(one.definition).is_valid(instance), subject.faults(one.definition, instance)


@pytest.mark.parametrize("one", REFUSED, ids=str)
def test_refused_there_by_that_rule_and_for_nothing_else(one: Document) -> None:
    want = expected(one.path)
    assert list(want) == ["pointer", "code", "rule"]
    assert contract(one.folder).faults(one.definition, read(one.path)) == [Fault(**want)]


@each_folder
def test_each_definition_has_documents(folder: Path) -> None:
    subject = contract(folder)
    for group in ("examples", "valid", "invalid"):
        covered = {one.definition for one in files(folder, group)}
        wanted = {
            name for name, schema in subject.definitions.items() if group != "invalid" or subject.refusable(schema)
        }
        assert covered == wanted, group


@each_folder
def test_each_rule_refuses_some_document(folder: Path) -> None:
    """Else it could vanish from the contract, or from a binding, with every test still green."""
    shown = set()
    for one in files(folder, "invalid"):
        want = expected(one.path)
        name = want["pointer"].rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        shown.add((want["rule"], name if want["rule"].endswith("/required") else ""))
    assert set(contract(folder).rules()) - shown == set()


@each_folder
def test_folders_hold_documents_and_nothing_else(folder: Path) -> None:
    known = {one.path for group in ("examples", "valid", "invalid") for one in files(folder, group)}
    known |= {one.path.with_name(f"{one.path.stem}.expect.json") for one in files(folder, "invalid")}
    found = {path for top in ("examples", "fixtures") for path in (folder / top).rglob("*") if path.is_file()}
    assert found == known
    for path in sorted(found):
        text = path.read_bytes().decode("utf-8")
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*(\.expect)?\.json", path.name), path
        assert text.endswith("\n") and text == text.strip() + "\n" and "\r" not in text and "\t" not in text, path
        assert all(char.isprintable() or char == "\n" for char in text), f"{path}: an invisible character is there raw"
