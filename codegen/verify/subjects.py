"""What a target made of a contract → somebody who can be asked about documents: what it accepts, gives back, and complains of.

Must not compare: ``verify`` does. Packages are imported from a folder, since libraries look modules up where Python has them.
"""

from __future__ import annotations

import importlib
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from codegen.derive import Judge
from codegen.model import JsonValue, Key, Type
from codegen.verify.oracle import Oracle

Places = tuple[str, ...]
"""Where the faults of a document are, one pointer for each."""


class Subject(Protocol):
    """One row of the table."""

    name: str

    def knows(self, definition: Key | None) -> bool:
        """There is something to ask about the documents of this definition."""
        ...

    def accepts(self, definition: Key | None, value: JsonValue, text: bytes) -> bool:
        """The verdict on a document, as a value and as text; they must be one. Raises what is no verdict."""
        ...


class Binding(Subject, Protocol):
    """A subject that builds values and writes them."""

    def reader(self, definition: Key | None) -> Callable[[bytes], Any]:
        """What reads a text that is right."""
        ...

    def writer(self, definition: Key | None) -> Callable[[Any], bytes]:
        """What writes a value."""
        ...

    def back(self, definition: Key | None, value: JsonValue, text: bytes) -> Iterator[JsonValue]:
        """What comes back of a document that is right, by each way through."""
        ...

    def faults(self, definition: Key | None, value: JsonValue) -> Places:
        """The faults of a document that is wrong."""
        ...


class Disagreement(Exception):
    """Two ways through one subject differ."""


class Modelled:
    """The model, by its own judge: where it alone differs, the contract was misunderstood."""

    name = "model"

    def __init__(self, judge: Judge, root: Type | None) -> None:
        self.judge = judge
        self.root = root

    def knows(self, definition: Key | None) -> bool:
        """Everything."""
        return definition is not None or self.root is not None

    def accepts(self, definition: Key | None, value: JsonValue, text: bytes) -> bool:
        """The judge's verdict."""
        if definition is None:
            return self.root is None or self.judge.accepts(self.root, value)
        return self.judge.is_a(self.judge.facts.definition(definition), value)


class Bundled:
    """The bundle of the target ``jsonschema``, read by the package of that name."""

    name = "jsonschema"

    def __init__(self, bundle: bytes, names: Mapping[Key, str]) -> None:
        self.oracle = Oracle(json.loads(bundle))
        self.names = names

    def knows(self, definition: Key | None) -> bool:
        """Everything."""
        return True

    def accepts(self, definition: Key | None, value: JsonValue, text: bytes) -> bool:
        """The verdict of the package."""
        name = "" if definition is None else self.names[definition].replace("~", "~0").replace("/", "~1")
        return self.oracle.accepts("" if definition is None else f"/$defs/{_escaped(name)}", value)


def _escaped(token: str) -> str:
    """A token as a fragment of a URL holds it."""
    from urllib.parse import quote

    return quote(token, safe="~!$&'()*+,;=:@/?-._")


class Codecs:
    """Codecs of a Python package, by the name of the definition; ``how`` are arguments of every reading."""

    def __init__(self, name: str, codecs: Mapping[str, Any], names: Mapping[Key, str], how: Mapping[str, Any]) -> None:
        self.name = name
        self.codecs = codecs
        self.names = names
        self.how = dict(how)

    def codec(self, definition: Key | None) -> Any:
        """The codec of a definition."""
        return self.codecs["" if definition is None else self.names[definition]]

    def knows(self, definition: Key | None) -> bool:
        """There is a codec."""
        return ("" if definition is None else self.names[definition]) in self.codecs

    def accepts(self, definition: Key | None, value: JsonValue, text: bytes) -> bool:
        """The verdict, on the value and on the text."""
        codec = self.codec(definition)
        verdicts = {self._accepts(codec.from_dict, value), self._accepts(codec.from_json, text)}
        if len(verdicts) > 1:
            raise Disagreement("from_dict and from_json differ")
        return verdicts.pop()

    def _accepts(self, read: Callable[..., Any], given: Any) -> bool:
        try:
            read(given, **self.how)
        except ValueError as error:
            if not hasattr(error, "errors") or any(fault.code == "internal" for fault in error.errors):
                raise
            return False
        return True

    def reader(self, definition: Key | None) -> Callable[[bytes], Any]:
        """``from_json``."""
        read, how = self.codec(definition).from_json, self.how
        return (lambda text: read(text, **how)) if how else read

    def writer(self, definition: Key | None) -> Callable[[Any], bytes]:
        """``to_json``."""
        return self.codec(definition).to_json  # type: ignore[no-any-return]

    def back(self, definition: Key | None, value: JsonValue, text: bytes) -> Iterator[JsonValue]:
        """By values and by texts."""
        codec = self.codec(definition)
        yield codec.to_dict(codec.from_dict(value, **self.how), check=True)
        yield json.loads(codec.to_json(codec.from_json(text, **self.how)))

    def faults(self, definition: Key | None, value: JsonValue) -> Places:
        """All faults."""
        try:
            self.codec(definition).from_dict(value, errors="all", **self.how)
        except ValueError as error:
            return tuple(fault.pointer for fault in error.errors)  # type: ignore[attr-defined]
        return ()


class Models(Codecs):
    """Codecs whose records are models, which read and write by themselves as well: ``models`` is their module."""

    def __init__(self, name: str, codecs: Mapping[str, Any], names: Mapping[Key, str], models: Any) -> None:
        super().__init__(name, codecs, names, {})
        self.models = models

    def model(self, definition: Key | None) -> Any:
        """The class of a definition that has one."""
        codec = self.codec(definition)
        found = getattr(self.models, codec.rule, None)
        return found if isinstance(found, type) and hasattr(found, "model_validate") else None

    def accepts(self, definition: Key | None, value: JsonValue, text: bytes) -> bool:
        """The verdict of the codec, which is the model's, too."""
        accepted = super().accepts(definition, value, text)
        model = self.model(definition)
        for read, given in ((model.model_validate, value), (model.model_validate_json, text)) if model else ():
            try:
                read(given)
                own = True
            except ValueError:
                own = False
            if own != accepted:
                raise Disagreement(f"{read.__name__} {'accepts' if own else 'refuses'}")
        return accepted

    def back(self, definition: Key | None, value: JsonValue, text: bytes) -> Iterator[JsonValue]:
        """By the codec, and by the model."""
        yield from super().back(definition, value, text)
        model = self.model(definition)
        if model:
            yield model.model_validate(value).model_dump()
            yield json.loads(model.model_validate_json(text).model_dump_json())


_numbers = itertools.count(1)


@contextmanager
def imported(folder: Path, package: str, modules: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Modules of the package in ``folder``, which are forgotten afterwards."""
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield {module: importlib.import_module(f"{package}.{module}") for module in modules}
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]


def package_name() -> str:
    """A name that no other package has."""
    return f"_wirebound_verified_{next(_numbers)}"
