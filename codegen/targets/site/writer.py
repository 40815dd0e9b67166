"""Runs, blocks and code → HTML.

Must not know what they say. All text passes ``escape.html``; identifiers are marked as not to be translated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from codegen.model import JsonValue
from codegen.targets.docs.escape import address, html
from codegen.targets.docs.text import Blocks, Bullets, Code, Link, Listing, Paragraph, Plain, Runs


def code(text: str) -> str:
    """An identifier or a value in a line. Long names may break at their seams."""
    return f'<code translate="no">{html(text)}</code>'


def breakable(name: str) -> str:
    """A name that may go on in the next line where a word of it begins."""
    return "<wbr>".join(html(part) for part in re.split(r"(?<=[a-z0-9_])(?=[A-Z])|(?<=[._])(?=[A-Za-z])", name))


def breakable_path(path: str) -> str:
    """A path that may go on in the next line behind a slash."""
    return "<wbr>".join(html(part) for part in re.split("(?<=[^/]/)(?=[^/])", path))


class Html:
    """Writes HTML for one page. ``href``: the address of a link's target as seen from there."""

    def __init__(self, href: Callable[[str], str]) -> None:
        self.href = href

    def link(self, run: Link) -> str:
        """A link; away from the site with ``rel``."""
        text = code(run.text) if run.code else html(run.text)
        away = "" if run.target.startswith("#") else ' rel="external noopener"'
        return f'<a href="{html(address(self.href(run.target)))}"{away}>{text}</a>'

    def line(self, runs: Runs) -> str:
        """One line of text."""
        parts = []
        for run in runs:
            match run:
                case Plain(text=text):
                    parts.append(html(text))
                case Code(text=text):
                    parts.append(code(text))
                case Link():
                    parts.append(self.link(run))
        return "".join(parts)

    def blocks(self, blocks: Blocks, language: str = "") -> str:
        """Blocks one after the other. ``language``: what they are written in, where it is not the page's."""
        written = []
        lang = f' lang="{html(language)}"' if language else ""
        for block in blocks:
            match block:
                case Paragraph(runs=runs):
                    written.append(f"<p{lang}>{self.line(runs)}</p>")
                case Bullets(items=items):
                    listed = "".join(f"<li>{self.line(item)}</li>" for item in items)
                    written.append(f"<ul{lang}>{listed}</ul>")
                case Listing(text=text):
                    written.append(f'<pre translate="no" tabindex="0"><code>{html(text)}</code></pre>')
        return "".join(written)


# --- code -------------------------------------------------------------------------------------------------------------

_JSON = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*")(?=:)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?\d[\d.eE+-]*|true|false|null)'
)
_PYTHON = re.compile(
    r"(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?P<comment>\#.*)"
    r"|(?P<word>\b(?:from|import|with|as|for|in|print|True|False|None)\b)|(?P<number>\b\d[\d_.]*\b)"
)

_SHELL = re.compile(
    r"(?P<word>^curl\b)|(?P<key>(?<= )--?[A-Za-z][\w-]*(?= ))|(?P<string>\"(?:[^\"\\]|\\.)*\"|'[^']*')", re.MULTILINE
)


def _highlighted(text: str, pattern: re.Pattern[str]) -> str:
    parts = []
    last = 0
    for match in pattern.finditer(text):
        parts.append(html(text[last : match.start()]))
        parts.append(f'<span class="{match.lastgroup}">{html(match[0])}</span>')
        last = match.end()
    return "".join([*parts, html(text[last:])])


def json_text(value: JsonValue) -> str:
    """A document as a person writes it: short lists and objects on one line."""
    return _laid_out(value, 0)


def _laid_out(value: JsonValue, indent: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or (indent and len(flat) + indent < 56 and not _nested(value)):
        return flat
    margin = "\n" + "  " * (indent // 2 + 1)
    if isinstance(value, dict):
        inner = [
            f"{json.dumps(name, ensure_ascii=False)}: {_laid_out(item, indent + 2)}" for name, item in value.items()
        ]
        return "{" + margin + f",{margin}".join(inner) + margin[:-2] + "}"
    return "[" + margin + f",{margin}".join(_laid_out(item, indent + 2) for item in value) + margin[:-2] + "]"


def _nested(value: dict[str, JsonValue] | list[JsonValue]) -> bool:
    inner = value.values() if isinstance(value, dict) else value
    return any(isinstance(item, dict | list) and item for item in inner)


def listing(text: str, language: str) -> str:
    """The inside of a code block."""
    pattern = {"json": _JSON, "python": _PYTHON, "bash": _SHELL}.get(language)
    return html(text) if pattern is None else _highlighted(text, pattern)
