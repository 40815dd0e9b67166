"""Books → what programs read: the list of names, an inventory, texts for language models, a sitemap.

Must not be needed to read the site: pages work without any of these.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

from codegen.targets.base import Raw, Rendering
from codegen.targets.docs.escape import html, markdown, script, visible
from codegen.targets.docs.text import plain_blocks
from codegen.targets.docs.views import DefinitionView
from codegen.targets.site.book import Book


def names(book: Book) -> bytes:
    """A script with everything that can be found by name. A script, because a page from the disk may load no data.

    One entry per definition: name, page, anchor, kind, text, [fields: name, anchor], [values or tags], [former anchors].
    """
    pages = list(dict.fromkeys(book.names.values()))
    entries = [
        [
            definition.name,
            pages.index(book.names[section.anchor]),
            definition.anchor,
            definition.kind_word,
            plain_blocks(definition.text)[:400],
            [[field.name, field.anchor] for field in definition.fields],
            _values(definition),
            [*definition.former],
        ]
        for section in book.view.sections
        for definition in section.definitions
    ]
    sections = [[section.title, book.names[section.anchor], section.anchor] for section in book.view.sections]
    return f"window.wirebound={script({'pages': pages, 'sections': sections, 'entries': entries})};\n".encode()


def _values(definition: DefinitionView) -> list[str]:
    """The literals by which a reader may look for a definition: an enum's values, or the ones that a field is pinned to."""
    if definition.kind == "enum":
        return [value.value.text for value in definition.values]
    pinned = [run.text.strip('"') for field in definition.fields for run in field.type[:1] if run.text.startswith('"')]
    return list(dict.fromkeys(pinned))


def inventory(book: Book) -> bytes:
    """A Sphinx inventory (version 2): each definition and field is a label, which is its anchor."""
    edition = book.volume.edition
    head = (
        "# Sphinx inventory version 2\n"
        f"# Project: {visible(edition.contract)}\n"
        f"# Version: {visible(edition.version)}\n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    lines = []
    for section in book.view.sections:
        page = f"{book.names[section.anchor]}.html"
        for definition in section.definitions:
            places = [(definition.anchor, definition.name)]
            places += [(field.anchor, f"{definition.name}.{field.name}") for field in definition.fields]
            lines += [f"{anchor} std:label -1 {page}#{anchor} {visible(name)}\n" for anchor, name in places]
    # Stored, not squeezed: what squeezes well differs from one zlib to the next, and the bytes of a build must not.
    return head.encode() + zlib.compress("".join(lines).encode(), 0)


def for_programs(books: Sequence[Book], url: str) -> Iterator[Rendering | Raw]:
    """``llms.txt`` and ``sitemap.xml``. ``llms-full.txt`` is put together from the Markdown pages (``whole``)."""
    base = url.rstrip("/") + "/"
    yield Raw("llms.txt", _llms(books).encode())
    yield Raw("sitemap.xml", _sitemap(books, base).encode())
    yield Raw("robots.txt", f"User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n".encode())


def _llms(books: Sequence[Book]) -> str:
    """The pages in Markdown, by contract and version (llmstxt.org)."""
    first = books[0].speech
    lines = [f"# {markdown(first.text('site.home'))}", "", f"> {markdown(first.text('site.home_about'))}"]
    for book in books:
        lines += ["", f"## {markdown(book.title)} ({markdown(book.speech.text('name'))})", ""]
        lines.append(f"- [{markdown(book.speech.text('site.everything'))}]({book.folder}all.md)")
        for section in book.view.sections:
            count = book.speech.text("site.definitions", count=str(len(section.definitions)))
            name = book.names[section.anchor]
            lines.append(f"- [{markdown(section.title)}]({book.folder}{name}.md): {markdown(count)}")
        for name in book.changes_page:
            lines.append(f"- [{markdown(book.speech.text('changes.link'))}]({book.folder}{name}.md)")
        lines.append(f"- [{markdown(book.speech.text('site.contract'))}]({_document(book)})")
    return "\n".join(lines) + "\n"


def _document(book: Book) -> str:
    edition = book.volume.edition
    return f"{edition.contract}/{edition.version}/{book.volume.document_name}"


def whole(books: Sequence[Book], contents: dict[str, bytes]) -> bytes:
    """``llms-full.txt``: every contract's newest version, whole, in its own language."""
    newest: dict[str, Book] = {}
    for book in books:
        held = newest.get(book.volume.edition.contract)
        if held is None or held.volume is not book.volume:
            newest[book.volume.edition.contract] = book
    return b"\n".join(contents[f"{book.folder}all.md"] for book in newest.values())


def _sitemap(books: Sequence[Book], base: str) -> str:
    """Every page, with the same page in other languages."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
        f"<url><loc>{html(base)}</loc></url>",
    ]
    for book in books:
        siblings = [other for other in books if other.volume is book.volume]
        for name in ("index", *book.names.values(), *book.changes_page, "all"):
            links = "".join(
                f'<xhtml:link rel="alternate" hreflang="{html(other.language)}" '
                f'href="{html(base + other.folder)}{name}.html"/>'
                for other in siblings
                if len(siblings) > 1
            )
            lines.append(f"<url><loc>{html(base + book.folder)}{name}.html</loc>{links}</url>")
    return "\n".join([*lines, "</urlset>"]) + "\n"
