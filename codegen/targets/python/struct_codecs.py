"""An edition → what ``msgspec_codecs.py`` and ``_structs.py`` show: the codecs of Structs, and the exact code behind them.

Must not judge in its own way: decoders and encoders are those of dataclasses, but for how a record is made and what absence is.
"""

from __future__ import annotations

from collections.abc import Mapping

from codegen.facts import Facts
from codegen.model import Definition, Field, Record
from codegen.targets import quoting
from codegen.targets.python.code import Block, Code
from codegen.targets.python.decode import Decoder
from codegen.targets.python.encode import Encoder
from codegen.targets.python.judge import Judge
from codegen.targets.python.names import Names
from codegen.targets.python.native import Native
from codegen.targets.python.package import FastView, Package
from codegen.targets.python.part_codecs import PartCodecsView, part_codecs
from codegen.targets.python.structs import has_extra


class StructPackage:
    """Makes the views of one edition."""

    def __init__(self, package: Package, native: Native) -> None:
        self.package = package
        self.facts = package.facts
        self.names = package.names
        self.native = native
        self.typed = "typed" in package.options.parts

    def code(self) -> FastView:
        """What reads and writes exactly."""
        code = Code()
        judge = Judge(code, self.facts, self.names)
        decoder = StructDecoder(code, self.facts, self.names, judge, self.native)
        encoder = StructEncoder(code, self.facts, self.names)
        for definition in self.facts.public:
            decoder.definition(definition)
            encoder.definition(definition)
        if (root := self.package.root) is not None:
            decoder.root(root.type)
            encoder.root(root.type)
        judge.finish()
        every = ", ".join(f"m_{name}: e_{name}" for name in self.package.records)
        view = self.package.code(code, f"RECORDS: dict[Any, Any] = {{{every}}}")
        return FastView(
            view.banner,
            tuple(line for line in view.classes if not line.startswith("m_variant:")),
            view.constants,
            view.functions,
            view.tables,
        )

    def codecs(self) -> PartCodecsView:
        """The public codecs."""
        doc = f"Codecs of {self.package.title} for Structs: each reads and writes one definition with msgspec, exactly."
        lines = (self.codec(definition, self.package.mark) for definition in self.facts.public)
        return part_codecs(self.package, doc, lines, self.names.former.items())

    def codec(self, definition: Definition, mark: str) -> str:
        """One line of ``msgspec_codecs.py``."""
        name = self.names.classes[definition.key]
        plain = f"dict[str, {mark}JsonValue]" if isinstance(definition, Record) else f"{mark}JsonValue"
        document = f"typed.{name}" if self.typed else plain
        native = f", lambda: msgspec_models.{name}" if definition.key in self.native.definitions else ""
        call = f"{mark}Codec({quoting.text(definition.name.spelled)}, {quoting.text(name)}, {mark}parts{native})"
        return f"{name}: {mark}Codec[msgspec_models.{name}, {document}] = {call}"


class StructDecoder(Decoder):
    """Decoders that make Structs."""

    def __init__(self, code: Code, facts: Facts, names: Names, judge: Judge, native: Native) -> None:
        super().__init__(code, facts, names, judge)
        self.native = native
        self.current: Record | None = None

    def record(self, record: Record, block: Block) -> None:
        """The body of a record's decoder."""
        self.current = record
        super().record(record, block)

    def absence(self, field: Field) -> str:
        """What stands for a member that is not there."""
        return "UNSET"

    def instance(self, built: Mapping[str, str], extra: bool, block: Block) -> None:
        """Return the Struct; its class knows the tag."""
        assert self.current is not None
        tag = self.native.tags.get(self.current.key)
        constant = self.names.attributes[self.current.key][tag.name] if tag else None
        given = [f"{attribute}={value}" for attribute, value in built.items() if attribute != constant]
        if extra:
            given.append("extra=UNSET if x is None else Extra(x)")
        block(f"return m_{self.owner}({', '.join(given)})")


class StructEncoder(Encoder):
    """Encoders of Structs."""

    def __init__(self, code: Code, facts: Facts, names: Names) -> None:
        super().__init__(code, facts, names, False)

    def absence(self, field: Field) -> str:
        """What stands for a member that is not there."""
        return "UNSET"

    def extras(self, record: Record, block: Block) -> None:
        """Members that are not declared."""
        if has_extra(record):
            super().extras(record, block)
