"""Runs and blocks → Markdown.

Must not know what they say. One paragraph is one line, so that nothing in a text can start a construct but at the start of it.
"""

from __future__ import annotations

from collections.abc import Callable

from codegen.targets.docs import escape
from codegen.targets.docs.text import Blocks, Bullets, Code, Link, Listing, Paragraph, Plain, Runs


class Marks:
    """Writes Markdown. ``raw_fields``: links to fields are HTML, for a host that checks targets and does not know these.
    ``href``: the address of a link's target, where that is not the target itself."""

    def __init__(self, *, raw_fields: bool = False, href: Callable[[str], str] = lambda target: target) -> None:
        self.raw_fields = raw_fields
        self.href = href

    def link(self, run: Link) -> str:
        """A link."""
        address = escape.address(self.href(run.target))
        if self.raw_fields and run.target.startswith("#") and "." in run.target:
            text = f"<code>{escape.html(run.text)}</code>" if run.code else escape.html(run.text)
            return f'<a href="{escape.html(address)}">{text}</a>'
        text = escape.markdown_code(run.text) if run.code else escape.markdown(run.text)
        return f"[{text}]({address})"

    def line(self, runs: Runs) -> str:
        """One line of text."""
        parts: list[str] = []
        for run in runs:
            match run:
                case Plain(text=text):
                    parts.append(escape.markdown(text))
                case Code(text=text):
                    if parts and parts[-1].endswith("`"):
                        parts.append("\u200b")  # two spans that touch would be one
                    parts.append(escape.markdown_code(text))
                case Link():
                    parts.append(self.link(run))
        return "".join(parts).strip()

    def paragraph(self, runs: Runs) -> str:
        """One paragraph that stands by itself."""
        text = self.line(runs)
        return escape.started(text) if runs and isinstance(runs[0], Plain) else text

    def blocks(self, blocks: Blocks) -> list[str]:
        """Each block as Markdown, one or more lines of text."""
        written: list[str] = []
        for block in blocks:
            match block:
                case Paragraph(runs=runs):
                    written.append(self.paragraph(runs))
                case Bullets(items=items):
                    written.append("\n".join(f"- {self.paragraph(item)}" for item in items))
                case Listing(text=text, language=language):
                    written.append("\n".join(escape.markdown_block(text, language)))
        return [text for text in written if text]


def indented(text: str, indent: int = 2) -> str:
    """``text`` inside a list item; empty lines stay empty."""
    margin = " " * indent
    return "\n".join(margin + row if row else row for row in text.split("\n"))
