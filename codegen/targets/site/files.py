"""Books → what programs read: the list of names, an inventory, texts for language models, a sitemap.

Must not be needed to read the site: pages work without any of these.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

from codegen.targets.base import Raw, Rendering
from codegen.targets.docs.escape import html, markdown, script, visible
from codegen.targets.docs.text import plain, plain_blocks
from codegen.targets.docs.views import DefinitionView, OperationView
from codegen.targets.site.book import Book


def names(book: Book) -> bytes:
    """A script with everything that can be found by name. A script, because a page from the disk may load no data.

    One entry per operation and definition: name, page, anchor, kind, text, [fields: name, anchor], [values, tags or paths],
    [former anchors].
    """
    pages = list(dict.fromkeys(book.names.values()))
    entries = [
        [
            one.name,
            pages.index(book.names[section.anchor]),
            one.anchor,
            one.role_word if isinstance(one, OperationView) else one.kind_word,
            _about(one)[:400],
            [[field.name, field.anchor] for field in one.fields],
            _paths(one) if isinstance(one, OperationView) else _values(one),
            [*one.former],
        ]
        for section in book.view.sections
        for one in section.entries
    ]
    sections = [[section.title, book.names[section.anchor], section.anchor] for section in book.view.sections]
    return f"window.wirebound={script({'pages': pages, 'sections': sections, 'entries': entries})};\n".encode()


def _about(one: OperationView | DefinitionView) -> str:
    """How an entry begins about itself; an operation in the few words of its summary first."""
    text = plain_blocks(one.text)
    if isinstance(one, OperationView) and one.summary and not text.startswith(one.summary):
        return f"{one.summary}. {text}"
    return text


def _paths(operation: OperationView) -> list[str]:
    """What a reader may look for an operation by: its path, with the method, and with the server."""
    if operation.role != "call":
        return [operation.path]
    return [operation.path, f"{operation.method} {operation.path}", plain(operation.address)]


def _values(definition: DefinitionView) -> list[str]:
    """The literals by which a reader may look for a definition: an enum's values, or the ones that a field is pinned to."""
    if definition.kind == "enum":
        return [value.value.text for value in definition.values]
    pinned = [run.text.strip('"') for field in definition.fields for run in field.type[:1] if run.text.startswith('"')]
    return list(dict.fromkeys(pinned))


def inventory(book: Book) -> bytes:
    """A Sphinx inventory (version 2): each operation, definition and field is a label, which is its anchor."""
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
        for one in section.entries:
            places = [(one.anchor, one.name)]
            places += [(field.anchor, f"{one.name}.{field.name}") for field in one.fields]
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
            name = book.names[section.anchor]
            lines.append(f"- [{markdown(section.title)}]({book.folder}{name}.md): {markdown(section.count)}")
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
