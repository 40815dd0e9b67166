"""An edition → what ``pydantic_codecs.py`` and ``_pydantic.py`` show: the codecs of pydantic's models, and the code behind.

Must not judge in its own way: decoders, encoders and writers are those of dataclasses, but for how a model is made, and for
where it remembers which members were there.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace

from codegen.facts import Facts
from codegen.model import Definition, Field, Key, Record
from codegen.targets import quoting
from codegen.targets.python.code import Block, Code
from codegen.targets.python.decode import Decoder
from codegen.targets.python.encode import Encoder
from codegen.targets.python.judge import Judge
from codegen.targets.python.names import Names
from codegen.targets.python.package import FastView, Package
from codegen.targets.python.part_codecs import PartCodecsView, part_codecs
from codegen.targets.python.structs import has_extra
from codegen.targets.python.write import Writer


class ModelPackage:
    """Makes the views of one edition. ``classes``, ``attributes``: what definitions and members are called in the models."""

    def __init__(
        self, package: Package, classes: Mapping[Key, str], attributes: Mapping[Key, Mapping[str, str]]
    ) -> None:
        self.classes = classes
        self.package = package
        self.facts = package.facts
        self.names = copy.copy(package.names)
        self.names.attributes = {key: dict(own) for key, own in attributes.items()}
        self.typed = "typed" in package.options.parts

    def read(self) -> FastView:
        """What reads."""
        code = Code()
        judge = Judge(code, self.facts, self.names)
        decoder = ModelDecoder(code, self.facts, self.names, judge)
        for definition in self.facts.public:
            decoder.definition(definition)
        if (root := self.package.root) is not None:
            decoder.root(root.type)
        judge.finish()
        return self._viewed(code)

    def write(self) -> FastView:
        """What writes."""
        code = Code()
        encoder = ModelEncoder(code, self.facts, self.names)
        writer = Writer(code, self.facts, self.names, encoder)
        for definition in self.facts.public:
            encoder.definition(definition)
            writer.definition(definition)
        if (root := self.package.root) is not None:
            encoder.root(root.type)
            writer.root(root.type)
        every = ", ".join(f"m_{name}: e_{name}" for name in self.package.records)
        return self._viewed(code, f"RECORDS: dict[Any, Any] = {{{every}}}")

    def _viewed(self, code: Code, *tables: str) -> FastView:
        records = [definition.key for definition in self.facts.public if isinstance(definition, Record)]
        classes = tuple(f"m_{self.names.classes[key]}: Any = models.{self.classes[key]}" for key in records)
        return replace(self.package.code(code, *tables), classes=classes)

    def codecs(self) -> PartCodecsView:
        """The public codecs."""
        doc = f"Codecs of {self.package.title} for pydantic's models: each reads and writes one definition, exactly."
        lines = (self.codec(definition, self.package.mark) for definition in self.facts.public)
        return part_codecs(self.package, doc, lines, (*self.names.former.items(), *self._others()))

    def _others(self) -> list[tuple[str, str]]:
        """Models that are called otherwise than their codecs, with those: a model finds its codec by its own name."""
        names = self.names.classes
        return [(called, names[key]) for key, called in self.classes.items() if called != names[key]]

    def codec(self, definition: Definition, mark: str) -> str:
        """One line of ``pydantic_codecs.py``. What is no class is Any for checkers: its type is made when the module runs."""
        name = self.names.classes[definition.key]
        record = isinstance(definition, Record)
        plain = f"dict[str, {mark}JsonValue]" if record else f"{mark}JsonValue"
        document = f"typed.{name}" if self.typed else plain
        call = f"{mark}Codec({quoting.text(definition.name.spelled)}, {quoting.text(name)}, {mark}parts)"
        value = f"pydantic_models.{self.classes[definition.key]}" if record else f"{mark}Any"
        return f"{name}: {mark}Codec[{value}, {document}] = {call}"


class ModelDecoder(Decoder):
    """Decoders that make pydantic's models, without their validators: everything is known to be right."""

    def __init__(self, code: Code, facts: Facts, names: Names, judge: Judge) -> None:
        super().__init__(code, facts, names, judge)
        self.current: Record | None = None

    def record(self, record: Record, block: Block) -> None:
        """The body of a record's decoder."""
        self.current = record
        super().record(record, block)

    def instance(self, built: Mapping[str, str], extra: bool, block: Block) -> None:
        """Return the model: the members, which of them were there, and the others."""
        record = self.current
        assert record is not None
        attributes = self.names.attributes[record.key]
        required = [quoting.text(attributes[field.wire_name]) for field in record.fields if field.required]
        optional = [field for field in record.fields if not field.required]
        block(f"f = {{{', '.join(required)}}}" if required else "f: Any = set()")
        if optional:
            with block.under(f"if len(v) > {len(required)}:"):
                for field in optional:
                    attribute = attributes[field.wire_name]
                    block(f"if {built[attribute]} is not {self.absence(field)}: f.add({quoting.text(attribute)})")
        nullable = {attributes[field.wire_name] for field in optional if self.facts.accepts_null(field.type)}
        members = [
            f"{quoting.text(attribute)}: {f'(None if {value} is ABSENT else {value})' if attribute in nullable else value}"
            for attribute, value in built.items()
        ]
        block(f"o: Any = new(m_{self.owner})")
        block(f"members(o, {{{', '.join(members)}}})")
        block("given(o, f)")
        others = ("x or {}" if extra else "{}") if has_extra(record) else "None"
        block(f"others(o, {others})")
        block("private(o, None)")
        block("return o")


class ModelEncoder(Encoder):
    """Encoders of pydantic's models."""

    undeclared = "v.__pydantic_extra__"

    def __init__(self, code: Code, facts: Facts, names: Names) -> None:
        super().__init__(code, facts, names, False)

    def there(self, field: Field, x: str, attribute: str) -> str:
        """The member is to be written: null only where it was given."""
        if self.facts.accepts_null(field.type):
            return f"{x} is not None or {quoting.text(attribute)} in v.__pydantic_fields_set__"
        return f"{x} is not None"
