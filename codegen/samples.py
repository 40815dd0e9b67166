"""Model and the folder of its contract → the documents that show how requests and responses look, made when they are asked for.

Must not judge what people wrote, nor open the network: an example that is elsewhere is a link. What the contract shows comes
first, else what lies in ``examples/<Definition>/`` beside it, else the smallest document that the model accepts.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import exchange
from codegen.edition import Sample
from codegen.errors import OutputError, Problem, shown
from codegen.facts import Facts
from codegen.model import (
    Checked,
    Choice,
    Content,
    Direction,
    Example,
    JsonValue,
    ListOf,
    MapOf,
    NonNull,
    Nullable,
    Record,
    Ref,
    Type,
    Union,
)
from codegen.paths import path_fault
from codegen.pointer import Origin

if TYPE_CHECKING:
    from codegen.derive import Derivation


class Samples(Mapping[Origin, tuple[Sample, ...]]):
    """The samples of each form of a body, by its place in the contract. ``folder``: where the contract's file is, None for one
    that came as a value. Raises OutputError (``no-example``) for a file that a contract names and that is not there."""

    def __init__(self, facts: Facts, folder: Path | None) -> None:
        self.facts = facts
        self.folder = folder
        self._made: dict[Origin, tuple[Sample, ...]] = {}

    @cached_property
    def _contents(self) -> dict[Origin, Content]:
        operations = self.facts.model.operations
        return {content.origin: content for operation in operations for content in exchange.contents(operation)}

    @cached_property
    def _derivation(self) -> Derivation:
        from codegen.derive import Derivation

        return Derivation(self.facts)

    def __getitem__(self, origin: Origin) -> tuple[Sample, ...]:
        if origin not in self._made:
            content = self._contents[origin]
            found = tuple(map(self._stated, content.examples)) or tuple(self._beside(content))
            self._made[origin] = found or tuple(self._derived(content))
        return self._made[origin]

    def __iter__(self) -> Iterator[Origin]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)

    def paths(self) -> Iterator[Path]:
        """Every file that some sample is, or could be, read from."""
        for content in self._contents.values():
            yield from filter(None, (self._file(example) for example in content.examples if _is_local(example)))
            yield from self._files(content)

    # --- where they come from -----------------------------------------------------------------------------------------

    def _stated(self, example: Example) -> Sample:
        """An example of the contract itself; what is in a file beside it is read."""
        if example.value is not None:
            return Sample(example=example, value=example.value.value)
        if example.text is not None:
            return Sample(example=example, text=example.text)
        if not _is_local(example):
            return Sample(example=example, url=example.url)
        try:
            path = self._file(example)
            if path is None:
                raise FileNotFoundError
            text = path.read_bytes().decode("utf-8")
        except (OSError, ValueError):
            message = f"the example {shown(example.url)} is no text file beside the contract"
            help = "correct the path, which is seen from the contract's file, or remove the example"
            raise OutputError([Problem(code="no-example", message=message, origin=example.origin, help=help)]) from None
        try:
            return Sample(example=example, value=json.loads(text))
        except ValueError:
            return Sample(example=example, text=text)

    def _file(self, example: Example) -> Path | None:
        """The file that an example names, seen from the document that it stands in; None where that is out of reach."""
        below = posixpath.normpath(posixpath.join(posixpath.dirname(example.origin.document), example.url))
        return None if self.folder is None or path_fault(below) else self.folder / below

    def _beside(self, content: Content) -> Iterator[Sample]:
        """The first document that people wrote for the definition that travels, without what is not sent this way."""
        for path in self._files(content)[:1]:
            try:
                value = json.loads(path.read_bytes())
            except ValueError:
                continue  # whoever shows the definition says so
            if content.type is not None:
                yield Sample(value=self._sent(value, content.type, content.direction))

    def _files(self, content: Content) -> list[Path]:
        type_ = content.type
        while isinstance(type_, Checked):
            type_ = type_.inner
        if self.folder is None or not isinstance(type_, Ref):
            return []
        name = self.facts.definition(type_.key).name.spelled
        return [] if path_fault(name) else sorted((self.folder / "examples" / name).glob("*.json"))

    def _derived(self, content: Content) -> Iterator[Sample]:
        found = None if content.type is None else self._derivation.minimal(content.type)
        if found is not None and content.type is not None:
            yield Sample(value=self._sent(found.value, content.type, content.direction), derived=True)

    # --- directions ---------------------------------------------------------------------------------------------------

    def _sent(self, value: JsonValue, type_: Type, direction: Direction) -> JsonValue:
        """``value`` without the members that do not travel in ``direction``."""
        match type_:
            case Checked(inner=inner) | Nullable(inner=inner) | NonNull(inner=inner):
                return self._sent(value, inner, direction)
            case ListOf(item=item) if isinstance(value, list):
                return [self._sent(one, item, direction) for one in value]
            case MapOf(value=inner) if isinstance(value, dict):
                return {name: self._sent(one, inner, direction) for name, one in value.items()}
            case Choice(members=members):
                fitting = (m.type for m in members if self._derivation.judge.accepts(m.type, value))
                found = next(fitting, None)
                return value if found is None else self._sent(value, found, direction)
            case Ref(key=key):
                definition = self.facts.definition(key)
                if isinstance(definition, Record) and isinstance(value, dict):
                    fields = {field.wire_name: field for field in definition.fields}
                    return {
                        name: self._sent(one, fields[name].type, direction) if name in fields else one
                        for name, one in value.items()
                        if name not in fields or fields[name].sent(direction)
                    }
                inner_type = definition.choice if isinstance(definition, Union) else getattr(definition, "type", None)
                return value if inner_type is None else self._sent(value, inner_type, direction)
            case _:
                return value


def _is_local(example: Example) -> bool:
    return bool(example.url) and example.value is None and "://" not in example.url
