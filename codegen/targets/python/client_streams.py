"""Unions that are streams → the views of ``streams.py`` and ``fold.py``.

Must not know how a stream is read or folded (``_support`` does, by what is written here): each union gives one declaration,
which says what the contract says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codegen.edition import Edition
from codegen.model import ByTag, EventStream, Fold, Step, Steps, Type, Union
from codegen.reach import reached
from codegen.targets import layout, quoting
from codegen.targets.python.models import PROSE
from codegen.targets.python.names import Names

STREAMS = (
    "AsyncStream",
    "Events",
    "Failure",
    "NotResumable",
    "Stream",
    "StreamError",
    "StreamFailed",
    "StreamIncomplete",
)
FOLDS = ("By", "Fold", "FoldError", "Folding", "Step")


@dataclass(frozen=True, slots=True)
class DeclaredView:
    """One declaration: its first line, what stands in its brackets, and its docstring."""

    head: str
    arguments: tuple[str, ...]
    doc: str


@dataclass(frozen=True, slots=True)
class StreamsView:
    """``streams.py`` or ``fold.py``."""

    banner: str
    doc: str
    imports: str
    items: tuple[DeclaredView, ...]
    exported: str


class Streams:
    """Makes the views of one edition."""

    def __init__(self, edition: Edition, names: Names, banner: str, title: str) -> None:
        self.facts = edition.facts
        self.names = names
        self.banner = banner
        self.title = title
        self.streams = [d for d in self.facts.public if isinstance(d, Union) and d.stream is not None]
        self.folds = [d for d in self.facts.public if isinstance(d, Union) and d.fold is not None]
        self.own = frozenset(names.classes[union.key] for union in (*self.streams, *self.folds))

    def ours(self, name: str) -> str:
        """What ``name`` is called beside the declarations, of which one may be called so."""
        while name in self.own:
            name += "_"
        return name

    def streams_view(self) -> StreamsView:
        """``streams.py``."""
        items = [self.stream(union, union.stream) for union in self.streams if union.stream is not None]
        doc = (
            f"Streams of {self.title}: what each union says of its stream, by which bytes are read as typed events.\n\n"
            "``for event in streams.X.read(pieces)`` reads from any iterator of ``bytes``, and\n"
            "``async for event in streams.X.aread(pieces)`` from an asynchronous one."
        )
        return self.view(doc, "streaming", STREAMS, items)

    def fold_view(self) -> StreamsView:
        """``fold.py``."""
        items = [self.fold(union, union.fold) for union in self.folds if union.fold is not None]
        doc = (
            f"Folds of {self.title}: what the events of a stream add up to, by the rules of the contract.\n\n"
            "``fold.X.of(events)`` takes them all, ``fold.X.start()`` one by one."
        )
        return self.view(doc, "folding", FOLDS, items)

    def view(self, doc: str, home: str, ours: Iterable[str], items: Iterable[DeclaredView]) -> StreamsView:
        """A module of declarations, which uses ``ours`` of the support module ``home``."""
        spelled = {name: self.ours(name) for name in ours}
        imports = layout.imported(
            f"._support.{home}", [name if name == local else f"{name} as {local}" for name, local in spelled.items()]
        )
        exported = sorted([*self.own, *spelled.values()])
        return StreamsView(
            banner=self.banner,
            doc=quoting.docstring(doc, 0, PROSE),
            imports=imports,
            items=tuple(items),
            exported=layout.listed("__all__ = [", [quoting.text(name) for name in exported], "]"),
        )

    # --- streams ------------------------------------------------------------------------------------------------------

    def stream(self, union: Union, stream: EventStream) -> DeclaredView:
        """The declaration of a stream."""
        name = self.names.classes[union.key]
        arguments = [
            f"codecs.{name}",
            f"tag={quoting.text(_tag(union))}",
            layout.listed("terminal=(", [*map(quoting.text, stream.terminal)], ")", 4, ","),
        ]
        if stream.done is not None:
            arguments.append(f"done={quoting.text(stream.done)}")
        if stream.event_id is not None:
            arguments.append(f"event_id={quoting.text(stream.event_id)}")
        if stream.error is not None:
            said = {"code": stream.error.code, "message": stream.error.message, "bare": stream.error.bare}
            given = [quoting.text(stream.error.event)]
            given += [f"{word}={quoting.text(value)}" for word, value in said.items() if value is not None]
            arguments.append(layout.listed(f"error={self.ours('Failure')}(", given, ")", 4))
        events = self.ours("Events")
        return DeclaredView(
            f"{name}: {events}[models.{name}] = {events}(",
            tuple(arguments),
            quoting.docstring(f"How events of ``{name}`` are streamed.", 0, PROSE),
        )

    # --- folds --------------------------------------------------------------------------------------------------------

    def fold(self, union: Union, fold: Fold) -> DeclaredView:
        """The declaration of a fold."""
        name, result = self.names.classes[union.key], self.names.classes[fold.result]
        listed = dict(fold.events)
        known = [tag for tag in _tags(union) if tag not in listed]
        events = [self.steps(union, tag, steps) for tag, steps in fold.events]
        arguments = [
            f"codecs.{name}",
            f"codecs.{result}",
            f"tag={quoting.text(_tag(union))}",
            "\n        ".join(["events={", *events]) + "\n    }",
        ]
        if known:
            arguments.append(layout.listed("known=(", [*map(quoting.text, known)], ")", 4, ","))
        kind = self.ours("Fold")
        return DeclaredView(
            f"{name}: {kind}[models.{name}, models.{result}] = {kind}(",
            tuple(arguments),
            quoting.docstring(f"What events of ``{name}`` add up to: ``{result}``.", 0, PROSE),
        )

    def steps(self, union: Union, tag: str, steps: Steps) -> str:
        """What one event adds, as an item of the table of events."""
        left = f"{quoting.text(tag)}: "
        if steps.by is None:
            return self.listed(left, steps.always, 8)
        margin = "\n" + " " * 12
        cases = ["    " + self.listed(f"{quoting.text(case)}: ", found, 16) for case, found in steps.cases]
        lines = [f"{left}{self.ours('By')}(", f"{quoting.text(steps.by)},"]
        lines += ["{", *cases, "},"] if cases else ["{},"]
        if steps.otherwise:
            lines.append(self.listed("otherwise=", steps.otherwise, 12))
        else:
            listed = dict(steps.cases)
            known = [value for value in self.values(union, tag, steps.by) if value not in listed]
            if known:
                lines.append(layout.listed("known=(", [*map(quoting.text, known)], "),", 12, ","))
        return margin.join(lines) + "\n        ),"

    def listed(self, left: str, steps: tuple[Step, ...], indent: int) -> str:
        """Steps as a tuple."""
        return layout.listed(f"{left}(", [self.step(step) for step in steps], "),", indent, ",")

    def step(self, step: Step) -> str:
        """One step as a call."""
        given = [quoting.text(step.action), quoting.text(step.target)]
        if step.source is not None:
            given.append(quoting.text(step.source))
        for word, names in (("keep", step.keep), ("texts", step.texts)):
            if names:
                given.append(f"{word}=({', '.join(map(quoting.text, names))}{',' * (len(names) == 1)})")
        if step.same is not None:
            given.append(f"same={quoting.text(step.same)}")
        return f"{self.ours('Step')}({', '.join(given)})"

    def values(self, union: Union, tag: str, pointer: str) -> list[str]:
        """The values that the contract lists for what is at ``pointer`` in events with this tag."""
        types: list[Type] = [
            member.type
            for member in union.choice.members
            if tag in map(str, self.facts.tag_values(member.type, _tag(union)) or ())
        ]
        return [str(value) for type_ in reached(self.facts, types, pointer) for value in self.facts.pinned(type_) or ()]


def _tag(union: Union) -> str:
    """The member that tells the events of a stream apart: resolving has seen to it that there is one."""
    assert isinstance(union.choice.dispatch, ByTag)
    return union.choice.dispatch.switch.property


def _tags(union: Union) -> Iterator[str]:
    assert isinstance(union.choice.dispatch, ByTag)
    for case in union.choice.dispatch.switch.cases:
        yield str(case.value)
