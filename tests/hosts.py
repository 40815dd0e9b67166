"""Pages of the reference → what their hosts make of them: HTML, its ids, its text.

Must not know what a page says. Node programs are called once for many pages, since starting them takes longest.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

NODE = Path(__file__).parent / "node"


@dataclass
class Html(HTMLParser):
    """Ids, links and text of a page, in order. ``texts``: the text of each paragraph, list item and heading."""

    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=lambda: [""])

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids, self.links, self.tags, self.texts = [], [], set(), [""]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.add(tag)
        if attributes.get("id"):
            self.ids.append(str(attributes["id"]))
        if tag == "a" and attributes.get("href"):
            self.links.append(str(attributes["href"]))
        if tag in ("p", "li", "h1", "h2", "h3", "h4"):
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1] += data

    @property
    def lines(self) -> list[str]:
        """What a reader sees, one line per paragraph or item."""
        return [" ".join(text.split()) for text in self.texts if text.strip()]


def node_is_ready() -> bool:
    """The Node.js programs are installed (`make setup` installs them where Node.js is)."""
    return shutil.which("node") is not None and (NODE / "node_modules").is_dir()


needs_node = pytest.mark.skipif(not node_is_ready(), reason="needs Node.js and the packages of tests/node")


def hosted(pages: Iterable[tuple[str, str]]) -> list[Html]:
    """Each (flavour, text) as its host shows it."""
    request = json.dumps([{"flavour": flavour, "text": text} for flavour, text in pages])
    run = subprocess.run(
        ["node", str(NODE / "render.mjs")], input=request, capture_output=True, text=True, encoding="utf-8", timeout=300
    )
    assert run.returncode == 0, run.stderr[:3000]
    return [Html(page["html"]) for page in json.loads(run.stdout)]


def myst(text: str) -> tuple[Html, str]:
    """The page in MyST, with what MyST warns of. Extensions that give more characters a meaning are on."""
    from docutils.core import publish_string
    from myst_parser.parsers.docutils_ import Parser

    warnings = io.StringIO()
    html = publish_string(
        text,
        parser=Parser(),
        writer="html5",
        settings_overrides={
            "embed_stylesheet": False,
            "myst_enable_extensions": [
                "attrs_inline",
                "colon_fence",
                "deflist",
                "dollarmath",
                "strikethrough",
                "substitution",
                "tasklist",
            ],
            "myst_heading_anchors": 3,
            "output_encoding": "unicode",
            "report_level": 2,
            "warning_stream": warnings,
        },
    )
    return Html(str(html).partition("<body")[2]), warnings.getvalue()
