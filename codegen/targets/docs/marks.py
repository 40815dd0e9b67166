"""Runs and blocks → Markdown.

Must not know what they say. One paragraph is one line, so that nothing in a text can start a construct but at the start of it.
"""

from __future__ import annotations

from codegen.targets.docs import escape
from codegen.targets.docs.text import Blocks, Bullets, Code, Link, Listing, Paragraph, Plain, Runs


def link(run: Link, *, raw: bool = False) -> str:
    """A link; ``raw``: as HTML, for a host that checks targets and does not know this one."""
    if raw:
        text = f"<code>{escape.html(run.text)}</code>" if run.code else escape.html(run.text)
        return f'<a href="{escape.html(escape.address(run.target))}">{text}</a>'
    text = escape.markdown_code(run.text) if run.code else escape.markdown(run.text)
    return f"[{text}]({escape.address(run.target)})"


def line(runs: Runs, *, raw_fields: bool = False) -> str:
    """One line of text. ``raw_fields``: links to fields are HTML (see ``link``)."""
    parts: list[str] = []
    for run in runs:
        match run:
            case Plain(text=text):
                parts.append(escape.markdown(text))
            case Code(text=text):
                if parts and parts[-1].endswith("`"):
                    parts.append("\u200b")  # two spans that touch are one
                parts.append(escape.markdown_code(text))
            case Link():
                raw = raw_fields and run.target.startswith("#") and "." in run.target
                parts.append(link(run, raw=raw))
    return "".join(parts).strip()


def paragraph(runs: Runs, *, raw_fields: bool = False) -> str:
    """One paragraph that stands by itself."""
    text = line(runs, raw_fields=raw_fields)
    return escape.started(text) if runs and isinstance(runs[0], Plain) else text


def blocks(blocks: Blocks, *, raw_fields: bool = False) -> list[str]:
    """Each block as Markdown, one or more lines of text."""
    written: list[str] = []
    for block in blocks:
        match block:
            case Paragraph(runs=runs):
                written.append(paragraph(runs, raw_fields=raw_fields))
            case Bullets(items=items):
                written.append("\n".join(f"- {paragraph(item, raw_fields=raw_fields)}" for item in items))
            case Listing(text=text, language=language):
                written.append("\n".join(escape.markdown_block(text, language)))
    return [text for text in written if text]


def indented(text: str, indent: int = 2) -> str:
    """``text`` inside a list item; empty lines stay empty."""
    margin = " " * indent
    return "\n".join(margin + row if row else row for row in text.split("\n"))
