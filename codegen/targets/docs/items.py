"""Views of fields and texts → Markdown: list items and paragraphs, as every part of a page has them.

Must not know what definitions or operations are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from codegen.targets.docs import escape
from codegen.targets.docs.marks import Marks, indented
from codegen.targets.docs.text import Blocks, Code, Speech, joined
from codegen.targets.docs.views import FieldView


class Described(Protocol):
    """What has a text."""

    @property
    def text(self) -> Blocks:
        """The text."""

    @property
    def untranslated(self) -> bool:
        """Whether it is not in the page's language."""


class Named(Described, Protocol):
    """What has a heading."""

    @property
    def former_names(self) -> tuple[str, ...]:
        """What it was called before."""


class Items:
    """Writes what pages consist of."""

    def __init__(self, marks: Marks, speech: Speech) -> None:
        self.marks = marks
        self.speech = speech

    def opening(self, view: Named, flags: Sequence[str]) -> Iterator[str]:
        """What stands below a heading: the flags, the text, the former names."""
        if flags:
            yield f"*{escape.markdown(', '.join(flags))}*"
        yield from self.blocks(view.text, view.untranslated)
        if view.former_names:
            names = joined(((Code(name),) for name in view.former_names), self.speech.text("type.and"))
            yield self.marks.paragraph(self.speech.say("page.former", names=names))

    def field(self, field: FieldView) -> str:
        """A field or parameter as a list item."""
        words = escape.markdown(", ".join((field.requirement, *field.flags, *field.badges)))
        name = f'{escape.markdown_code(field.name)}<a id="{field.anchor}"></a>'
        return self.item(
            f"{name} — {self.marks.line(field.type)}, {words}.", field, list(map(self.marks.line, field.notes))
        )

    def item(self, head: str, view: Described, notes: Sequence[str] = (), below: Sequence[str] = ()) -> str:
        """A list item: the first paragraph of the text goes on the line of ``head``, short notes after the last, then
        ``below``."""
        return "- " + indented("\n\n".join([*self.run_in(head, view, notes), *below])).lstrip()

    def run_in(self, head: str, view: Described, notes: Sequence[str] = ()) -> list[str]:
        """``head``, the text and ``notes`` as paragraphs, the first of which begins with ``head``."""
        first, *others = self.blocks(view.text, view.untranslated) or [""]
        inline = bool(first) and not first.startswith(("- ", "```", "~~~"))
        lines = [" ".join(filter(None, (head, first if inline else "")))]
        others = others if inline or not first else [first, *others]
        if notes and not others:
            lines[0] = " ".join((lines[0], *notes))
        elif notes:
            others.append(" ".join(notes))
        return [*lines, *others]

    def blocks(self, text: Blocks, untranslated: bool) -> list[str]:
        """A text, and the word that it is not in the page's language."""
        written = self.marks.blocks(text)
        if untranslated and written:
            word = f"*{escape.markdown(self.speech.text('page.untranslated'))}*"
            plain = not written[-1].startswith(("- ", "```"))
            written[-1:] = [f"{written[-1]} {word}"] if plain else [written[-1], word]
        return written
