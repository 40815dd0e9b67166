"""An edition → what ``msgspec_codecs.py`` and ``_structs.py`` show: the codecs of Structs, and the exact code behind them.

Must not judge in its own way: decoders and encoders are those of dataclasses, but for how a record is made and what absence is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from codegen.facts import Facts
from codegen.model import Definition, Field, Record, Ref
from codegen.targets import quoting
from codegen.targets.python.code import Block, Code
from codegen.targets.python.decode import Decoder
from codegen.targets.python.encode import Encoder
from codegen.targets.python.judge import Judge
from codegen.targets.python.models import PROSE
from codegen.targets.python.names import Names
from codegen.targets.python.native import Native
from codegen.targets.python.package import FastView, Package
from codegen.targets.python.structs import has_extra


@dataclass(frozen=True, slots=True)
class StructCodecsView:
    """``msgspec_codecs.py``; ``plain``: some documents have no type of their own."""

    banner: str
    doc: str
    typed: bool
    plain: bool
    mark: str
    codecs: tuple[str, ...]
    former: tuple[str, ...]
    table: tuple[str, ...]


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

    def codecs(self) -> StructCodecsView:
        """The public codecs."""
        mark = self.package.mark
        root = self.package.edition.model.root
        table = {d.name.spelled: self.names.classes[d.key] for d in self.facts.public}
        if isinstance(root, Ref):
            table[""] = self.names.classes[root.key]
        elif root is not None:
            table[""] = f'{mark}Codec("", "", {mark}parts)'
        doc = f"Codecs of {self.package.title} for Structs: each reads and writes one definition with msgspec, exactly."
        return StructCodecsView(
            banner=self.package.banner,
            doc=quoting.docstring(doc, 0, PROSE),
            typed=self.typed and bool(self.facts.public),
            plain=not self.typed and bool(self.facts.public),
            mark=mark,
            codecs=tuple(self.codec(definition, mark) for definition in self.facts.public),
            former=tuple(f"{old} = {name}" for old, name in self.names.former.items()),
            table=tuple(
                f"{quoting.text(name)}: {codec},"
                for name, codec in sorted(table.items(), key=lambda item: item[0] != "")
            ),
        )

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
