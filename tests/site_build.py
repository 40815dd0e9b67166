"""Manifests on disk → their sites, and a reading of every page that shares no code with what wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, normpath
from typing import Any
from urllib.parse import unquote

from codegen import docs_pipeline

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"

VOID = {"meta", "link", "br", "wbr", "input", "img", "path", "rect"}


@cache
def own_site() -> dict[str, bytes]:
    """The site of this repository's manifest."""
    return docs_pipeline.site(ROOT / "pyproject.toml")


def project(folder: Path, contracts: Mapping[str, Mapping[str, Any]], jobs: str = "", **files: str) -> Path:
    """A manifest for contracts given as {name: {version: schema}}, with further files by path. Its path."""
    lines = [jobs]
    for name, versions in contracts.items():
        lines.append(f'[contracts.{name}]\npath = "{name}"\n')
        for version, schema in versions.items():
            below = folder / name / version
            below.mkdir(parents=True, exist_ok=True)
            (below / "schema.json").write_text(
                schema if isinstance(schema, str) else json.dumps(schema), encoding="utf-8"
            )
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    manifest = folder / "wirebound.toml"
    manifest.write_text("\n".join(lines), encoding="utf-8")
    return manifest


def written(contents: Mapping[str, bytes], folder: Path) -> Path:
    """The files of a site on disk."""
    for path, content in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


@dataclass
class Page(HTMLParser):
    """One page as a browser reads it: well nested, with its ids, links, tags and the text of each element."""

    ids: list[str] = field(default_factory=list)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[tuple[str, dict[str, str | None]]] = []
        self.tags: list[str] = []
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.heard: list[list[str]] = []
        self.blocks: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.faults: list[str] = []
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"never closed: {self.open}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append(tag)
        if "id" in attributes:
            self.ids.append(str(attributes["id"]))
        if tag == "a" and "href" in attributes:
            self.links.append(str(attributes["href"]))
        if tag in ("link", "script"):
            self.loaded.append((tag, attributes))
            self.links.append(str(attributes.get("href") or attributes.get("src")))
        if tag not in VOID:
            self.open.append((tag, attributes))
            self.heard.append([])
            self.blocks.append((tag, attributes, self.heard[-1]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> after {[name for name, _ in self.open][-4:]}")
        else:
            self.open.pop()
            self.heard.pop()

    def handle_data(self, data: str) -> None:
        # The text belongs to every element that is open.
        for parts in self.heard:
            parts.append(data)

    def texts(self, tag: str, cls: str = "") -> list[str]:
        """The text of every element of a kind, spaces as in the source."""
        found = []
        for name, attributes, parts in self.blocks:
            if name == tag and (not cls or cls in str(attributes.get("class", "")).split()):
                found.append("".join(parts))
        return found


def faults(contents: Mapping[str, bytes]) -> Iterator[str]:
    """Everything about the pages of a site that cannot be: bad nesting, an id twice, a link that leads nowhere."""
    pages = {path: Page(content.decode()) for path, content in contents.items() if path.endswith(".html")}
    for path, page in pages.items():
        yield from (f"{path}: {fault}" for fault in page.faults)
        yield from (f"{path}: id {one} twice" for one in set(page.ids) if page.ids.count(one) > 1)
        for link in page.links:
            if link.startswith(("http://", "https://")):
                continue
            address, _, fragment = link.partition("#")
            target = normpath(f"{dirname(path)}/{unquote(address)}").lstrip("/") if address else path
            if target not in contents:
                yield f"{path}: {link} leads nowhere"
            elif fragment and target in pages and not {fragment, unquote(fragment)} & set(pages[target].ids):
                yield f"{path}: {link} leads to no place"
