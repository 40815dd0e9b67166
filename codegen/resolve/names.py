"""Definitions without names → the public ones named, the others known by their place, all in contract order.

Must not change what anything accepts. Names come from the contract (a key of ``$defs``, a title), from the outline, or from
the owner and the path below it; never from a counter. What the ledger knows keeps its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from codegen import exchange
from codegen.errors import Problem, shown
from codegen.facts import Facts, own_types, references
from codegen.ledger import Ledger, place
from codegen.model import JsonValue, Key, Model, Name, Record, Ref, Type
from codegen.outline import Outline
from codegen.pointer import Origin, build, split
from codegen.resolve import anchors, called, rewrite
from codegen.resolve.spelling import (
    COMPONENTS,
    CONTAINERS,
    HOLDERS,
    NAMELESS,
    STEPS,
    joined,
    words_of,
    words_of_declared,
)
from codegen.tables import quoted

if TYPE_CHECKING:
    from codegen.resolve.interpret import Interpreter


def named(
    model: Model, reader: Interpreter, outline: Outline | None, ledger: Ledger | None, version: str
) -> tuple[Model, list[Problem]]:
    """``model`` with names, anchors, links and mixins; and the problems of names that clash."""
    return _Naming(model, reader, outline, ledger, version).whole()


class _Naming:
    def __init__(
        self, model: Model, reader: Interpreter, outline: Outline | None, ledger: Ledger | None, version: str
    ) -> None:
        self.model = model
        self.reader = reader
        self.outline = outline
        self.ledger = ledger
        self.version = version
        self.table = model.table()
        self.names: dict[Key, Name] = {}
        self.problems: list[Problem] = []
        self.owners: Mapping[Origin, tuple[str, ...]] = {}
        self._positions: dict[int, dict[str, int]] = {}

    def whole(self) -> tuple[Model, list[Problem]]:
        ids = self.reader.operation_ids
        self.model, self.problems = called.named(self.model, ids, self.outline, self.ledger, self.version)
        self.owners = called.owners(self.model)
        built = self._built()
        kept = self._reached(built)
        order = sorted(kept, key=lambda key: (key not in built, self._position(key)))
        for key in order:
            if key in built:
                self.names[key] = self._name(key, built)
            else:
                place = str(key.origin) + (f" ({key.part})" if key.part else "")
                self.names[key] = Name(spelled=place, words=(), source="pointer")
        self._tell_scopes_apart([key for key in order if key in built])
        self._refuse_clashes([key for key in order if key in built])
        definitions = tuple(replace(self.table[key], name=self.names[key]) for key in order)
        model = replace(self.model, version=self.version, definitions=definitions)
        return anchors.documented(anchors.with_mixins(model), self.outline, self.ledger), self.problems

    # --- which definitions there are ----------------------------------------------------------------------------------

    def _built(self) -> set[Key]:
        """Definitions that values are built from: the declared ones, the root, and what they are made of."""
        found: set[Key] = set()
        todo = [key for key in self.reader.declared if key in self.table]
        if self.model.root is not None:
            todo += references((self.model.root,))
        for operation in self.model.operations:
            todo += references(exchange.types_of(operation))
        while todo:
            key = todo.pop()
            if key not in found:
                found.add(key)
                definition = self.table[key]
                todo += references(own_types(definition))
                if isinstance(definition, Record):
                    todo += [mixin.key for mixin in definition.mixins]
        return found

    def _reached(self, built: set[Key]) -> set[Key]:
        """Definitions that are built, or judged on the way."""
        found: set[Key] = set()
        todo = list(built)

        def note(type_: Type) -> Type:
            if isinstance(type_, Ref):
                todo.append(type_.key)
            return type_

        if self.model.root is not None:
            rewrite.in_type(self.model.root, note)
        for operation in self.model.operations:
            rewrite.in_operation(operation, note)
        while todo:
            key = todo.pop()
            if key not in found:
                found.add(key)
                rewrite.in_definition(self.table[key], note)
                todo += references(own_types(self.table[key]))
        return found

    def _position(self, key: Key) -> tuple[object, ...]:
        """Where a place stands in its document: contract order, a place before what is below it."""
        document = self.reader.contract.documents.get(key.document)
        value = None if document is None else document.value
        path: list[int] = []
        for token in split(key.pointer):
            if isinstance(value, dict):
                index = self._positions.get(id(value))
                if index is None:
                    index = self._positions[id(value)] = {name: i for i, name in enumerate(value)}
                path.append(index.get(token, len(index)))
                value = value.get(token)
            elif isinstance(value, list) and token.isdigit() and int(token) < len(value):
                path.append(int(token))
                value = value[int(token)]
            else:
                path.append(0)
        return (key.document, path, key.part, key.scope)

    # --- names --------------------------------------------------------------------------------------------------------

    def _name(self, key: Key, built: set[Key]) -> Name:
        where = place(key)
        configured = None if self.outline is None else self.outline.name_at(self.version, where)
        if configured is not None:
            return Name(spelled=configured, words=words_of(configured), source="configured")
        fresh = self._fresh(key, built)
        pinned = self._pinned(key)
        if pinned is None or pinned == fresh.spelled or not self._is_same_shape(key, pinned, built):
            return fresh
        return Name(spelled=pinned, words=words_of(pinned), source=fresh.source)

    def _pinned(self, key: Key) -> str | None:
        return None if self.ledger is None else self.ledger.name_at(self.version, place(key))

    def _is_same_shape(self, key: Key, pinned: str, built: set[Key]) -> bool:
        """The place still holds what the ledger knows there. Only a place inside an array can hold something else: a
        branch that was put before it. Then the pinned name is what its neighbour would be called afresh."""
        tokens = split(key.pointer)
        cut = max((i for i, token in enumerate(tokens) if token.isdigit()), default=-1)
        if cut < 0:
            return True
        branch = replace(key, pointer=build(tokens[: cut + 1]))
        if branch != key and branch in built:
            if branch not in self.names:
                self.names[branch] = self._name(branch, built)
            return self.names[branch].spelled == self._pinned(branch)
        # Only what stands at the same place of another branch: its name does not depend on this one's.
        array = self._written(key, tokens[:cut])
        count = len(array) if isinstance(array, list) else 0
        neighbours = (replace(key, pointer=build((*tokens[:cut], str(i), *tokens[cut + 1 :]))) for i in range(count))
        present = (other for other in neighbours if other != key and other in built)
        return all(self._fresh(other, built).spelled != pinned for other in present)

    def _fresh(self, key: Key, built: set[Key]) -> Name:
        """What the contract alone calls a place."""
        tokens = split(key.pointer)
        component = self.reader.component_names.get(key.origin)
        if component is None and key.document and tokens and tokens[-1] not in HOLDERS:
            # A file of parts: a schema that stands in no other is called as its member is.
            component = tokens[-1] if self.reader.contract.is_outermost(key.origin) else None
        if component is not None:
            name = Name(spelled=component, words=words_of_declared(component), source="declared")
            return self._with_part(name, key)
        if not tokens:
            return self._with_part(self._document_name(key), key)
        if (len(tokens) == 2 and tokens[0] in CONTAINERS) or (len(tokens) == 3 and tokens[:2] == COMPONENTS):
            spelled = tokens[-1] or NAMELESS  # the empty name means the root
            return self._with_part(Name(spelled=spelled, words=words_of_declared(spelled), source="declared"), key)
        schema = self.reader.schemas.get(key)
        title = schema.get("title") if schema is not None and schema.boolean is None else None
        declared = len(tokens) >= 2 and tokens[-2] in CONTAINERS
        if isinstance(title, str) and words_of(title) and not declared:
            words = words_of(title)
            return self._with_part(Name(spelled=joined(words), words=words, source="title"), key)
        owner, below = self._owner(key, built)
        words = (*owner, *below)
        return self._with_part(Name(spelled=joined(words), words=words, source="derived"), key)

    def _document_name(self, key: Key) -> Name:
        schema = self.reader.schemas.get(key)
        title = schema.get("title") if schema is not None and schema.boolean is None else None
        if isinstance(title, str) and words_of(title):
            words = words_of(title)
            return Name(spelled=joined(words), words=words, source="title")
        stem = re.sub(r"\.(json|ya?ml|schema)\b", "", key.document.rstrip("/").rpartition("/")[2])
        words = words_of(stem) if key.document else ()
        return Name(spelled=joined(words) or "Root", words=words or ("Root",), source="derived")

    def _with_part(self, name: Name, key: Key) -> Name:
        if key.part in ("", "within"):
            return name
        words = (*name.words, "Object")
        return Name(spelled=joined(words), words=words, source="derived")

    def _owner(self, key: Key, built: set[Key]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of the nearest definition above a place, and those of the way down from it."""
        tokens = split(key.pointer)
        for cut in range(len(tokens), -1, -1):
            above = Key(key.document, build(tokens[:cut]), key.scope)
            if above.origin in self.owners and (cut == len(tokens) or above not in built):
                return self.owners[above.origin], tuple(self._steps(key, tokens, cut))
            if cut == len(tokens):
                continue
            for candidate in (above, replace(above, scope=())):
                if candidate in built or cut == 0:
                    if candidate not in self.names and candidate in built:
                        self.names[candidate] = self._name(candidate, built)
                    below = tuple(self._steps(key, tokens, cut))
                    if candidate in self.names:
                        return self.names[candidate].words, below
                    return (() if below else ("Root",)), below
        return (), tuple(self._steps(key, tokens, 0))

    def _steps(self, key: Key, tokens: tuple[str, ...], start: int) -> Iterator[str]:
        i = start
        while i < len(tokens):
            token = tokens[i]
            following = tokens[i + 1] if i + 1 < len(tokens) else None
            if token in ("oneOf", "anyOf") and following is not None:
                pointer = build(tokens[: i + 2])
                yield from self._variant(Key(key.document, pointer, key.scope))
                i += 2
            elif token == "allOf" and following is not None:
                if i + 2 == len(tokens):  # a composed part is named only when something refers to it
                    yield f"Part{int(following) + 1}" if following.isdigit() else following
                i += 2
            elif token in ("properties", "dependentSchemas", "dependencies", *CONTAINERS) and following is not None:
                yield from words_of(following) or (NAMELESS,)
                i += 2
            elif token == "patternProperties" and following is not None:
                yield from self._pattern_words(key, tokens[: i + 2])
                yield "Value"
                i += 2
            elif token in ("prefixItems", "items") and following is not None and following.isdigit():
                yield f"Item{int(following) + 1}"
                i += 2
            elif token in STEPS:
                yield STEPS[token]
                i += 1
            else:
                yield from words_of(token)
                i += 1

    def _pattern_words(self, key: Key, tokens: tuple[str, ...]) -> tuple[str, ...]:
        """The letters of a pattern (else its position), where more than one keyword or pattern gives types to undeclared
        members, so that "Value" alone says too little."""
        value = self._written(key, tokens[:-2])
        patterns = value.get("patternProperties") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(patterns, dict):
            return ()
        others = (value.get(keyword) for keyword in ("additionalProperties", "unevaluatedProperties"))
        if len(patterns) == 1 and not any(isinstance(other, dict) for other in others):
            return ()
        return words_of(tokens[-1]) or (f"Pattern{list(patterns).index(tokens[-1]) + 1}",)

    def _written(self, key: Key, tokens: tuple[str, ...]) -> JsonValue:
        """What the contract has at a pointer of the document that ``key`` is in."""
        document = self.reader.contract.documents.get(key.document)
        value = None if document is None else document.value
        for token in tokens:
            if isinstance(value, dict):
                value = value.get(token)
            else:
                value = value[int(token)] if isinstance(value, list) and token.isdigit() else None
        return value

    def _variant(self, key: Key) -> tuple[str, ...]:
        """What tells a variant from its siblings: its tag value, a member that only it requires, else its position."""
        base, _, position = key.pointer.rpartition("/")
        variants = self._variants.get((key.document, base, key.scope), {})
        record = variants.get(position)
        if record is not None:
            siblings = [sibling for other, sibling in variants.items() if other != position]
            pins = self._pins(record)
            others = [self._pins(sibling) for sibling in siblings]
            for name, value in pins.items():
                # A tag: whoever does not pin this member to another value is told apart by one before it.
                tells = all(
                    other[name] != value if name in other else any(other.get(n, v) != v for n, v in pins.items())
                    for other in others
                )
                if tells and words_of(value):
                    return words_of(value)
            demanded = {field.wire_name for sibling in siblings for field in sibling.fields if field.required}
            for field in record.fields:
                if field.required and field.wire_name not in demanded and words_of(field.wire_name):
                    return words_of(field.wire_name)
        return (f"Variant{int(position) + 1}",) if position.isdigit() else ()

    @cached_property
    def _variants(self) -> dict[tuple[str, str, tuple[tuple[str, str], ...]], dict[str, Record]]:
        """Records by the array that they are branches of, then by their position in it."""
        found: dict[tuple[str, str, tuple[tuple[str, str], ...]], dict[str, Record]] = {}
        for key, record in self.table.items():
            if isinstance(record, Record) and key.part in ("", "within"):
                base, _, position = key.pointer.rpartition("/")
                found.setdefault((key.document, base, key.scope), {}).setdefault(position, record)
        return found

    def _pins(self, record: Record) -> dict[str, str]:
        """Required members that a record pins to literals, each with its first value."""
        pinned = ((field, self._facts.pinned(field.type)) for field in record.fields if field.required)
        return {field.wire_name: str(values[0]) for field, values in pinned if values}

    @cached_property
    def _facts(self) -> Facts:
        return Facts(self.model)

    def _tell_scopes_apart(self, keys: list[Key]) -> None:
        """One place under several dynamic scopes: all but the first add the name of the resource that gives the meaning."""
        first: dict[tuple[str, str, str], Key] = {}
        for key in keys:
            place = (key.document, key.pointer, key.part)
            if place not in first:
                first[place] = key
            elif key.scope:
                document, _, pointer = key.scope[-1][1].rpartition("#")
                below = [word for token in split(pointer) if token not in CONTAINERS for word in words_of(token)]
                words = (*self.names[key].words, "In", *(below or words_of(document.rpartition("/")[2])))
                self.names[key] = Name(spelled=joined(words), words=words, source="derived")

    def _refuse_clashes(self, keys: list[Key]) -> None:
        holders: dict[str, Key] = {}
        for key in keys:
            spelled = self.names[key].spelled
            if spelled not in holders:
                holders[spelled] = key
                continue
            other = holders[spelled]
            self.problems.append(
                Problem(
                    code="name-clash",
                    message=f"{shown(spelled)} names this place and {other.origin} as well",
                    origin=key.origin,
                    help=f'choose another name in outline.toml: [names] {quoted(place(key))} = "…"',
                )
            )
