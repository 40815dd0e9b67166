"""All books → the first page of the site, once per language.

Must not go deeper than versions: each contract's own pages do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codegen.targets.base import Rendering
from codegen.targets.docs.escape import html
from codegen.targets.site.book import Book, labels
from codegen.targets.site.chapters import Chapters
from codegen.targets.site.views import Card, Choice, LandingHtml, Shelf, Shell


def landings(books: Sequence[Book]) -> Iterator[Rendering]:
    """``index.html`` in the first language, ``index.<language>.html`` in the others."""
    languages = list(dict.fromkeys(book.language for book in books))
    for language in languages:
        yield Rendering(_path(language, languages), "docs/site/landing.html.j2", _landing(books, language, languages))


def _path(language: str, languages: Sequence[str]) -> str:
    return "index.html" if language == languages[0] else f"index.{language}.html"


def _landing(books: Sequence[Book], language: str, languages: Sequence[str]) -> LandingHtml:
    speech = next(book for book in books if book.language == language).speech
    ways = tuple(
        Choice(
            label=html(next(book for book in books if book.language == one).speech.text("name")),
            href=_path(one, languages),
            current=one == language,
            lang=html(one),
        )
        for one in languages
    )
    shell = Shell(
        lang=html(language),
        title=html(speech.text("site.home")),
        description=html(speech.text("site.home_about")),
        root="",
        names="",
        pagefind="",
        twin="",
        alternates=tuple(way for way in ways if not way.current),
        labels=labels(speech),
        brand=html(speech.text("site.home")),
        brand_href=_path(language, languages),
        version="",
        versions=(),
        language=html(speech.text("name")),
        languages=ways,
        links=(),
    )
    return LandingHtml(
        shell=shell,
        heading=html(speech.text("site.home")),
        text=html(speech.text("site.home_about")),
        shelves=tuple(_shelves(books, language)),
    )


def _shelves(books: Sequence[Book], language: str) -> Iterator[Shelf]:
    for contract in dict.fromkeys(book.volume.edition.contract for book in books):
        own = [book for book in books if book.volume.edition.contract == contract]
        versions = list(dict.fromkeys(book.volume.edition.version for book in own))
        # In the reader's language where the contract has it, else in its first.
        chosen = [
            min(
                (book for book in own if book.volume.edition.version == version),
                key=lambda book: book.language != language,
            )
            for version in reversed(versions)
        ]
        newest = chosen[0]
        yield Shelf(
            title=html(newest.view.contract_title),
            text=_about(newest, language),
            cards=tuple(_card(book, newest=book is newest and len(chosen) > 1) for book in chosen),
        )


def _about(book: Book, language: str) -> str:
    """How a contract begins about itself."""

    def href(target: str) -> str:
        return book.folder + book.href(target, "") if target.startswith("#") else target

    view = book.view
    spoken = view.source_language if view.about_untranslated else book.language
    chapters = Chapters(book.volume, view, book.speech, href)
    return chapters.html.blocks(view.about[:1], "" if spoken == language else spoken)


def _card(book: Book, *, newest: bool) -> Card:
    sections = book.view.sections
    operations, definitions = sum(len(s.operations) for s in sections), sum(len(s.definitions) for s in sections)
    return Card(
        title=html(book.title),
        href=html(f"{book.folder}index.html"),
        text=html(book.speech.count(operations=operations, definitions=definitions)),
        note=html(book.speech.text("site.newest")) if newest else "",
        lang=html(book.language),
    )
