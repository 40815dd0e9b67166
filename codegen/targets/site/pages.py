"""Volumes → the pages of the site, each at its path.

Must not know templates beyond their names. Addresses are relative, so that a site works in any folder, and from the disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from codegen.targets.base import Raw, Rendering
from codegen.targets.docs.changes import ChangesView
from codegen.targets.docs.escape import html
from codegen.targets.docs.text import Link, Plain
from codegen.targets.docs.views import DefinitionView, OperationView, SectionView
from codegen.targets.markdown import Page as MarkdownPage
from codegen.targets.markdown import Writer
from codegen.targets.site import files
from codegen.targets.site.book import CHANGES, INDEX, WHOLE, Book, books, labels, languages
from codegen.targets.site.chapters import Chapters
from codegen.targets.site.landing import landings
from codegen.targets.site.views import (
    Card,
    Choice,
    ContentsPart,
    MovedHtml,
    PageHtml,
    SectionHtml,
    Shell,
)
from codegen.targets.site.volume import Settings, Volume
from codegen.targets.site.writer import breakable


class Site:
    """Every book of the site; ``files`` are its files."""

    def __init__(self, volumes: Sequence[Volume], settings: Settings) -> None:
        self.settings = settings
        self.volumes = volumes
        self.books = books(volumes)

    def files(self) -> Iterator[Rendering | Raw]:
        """All files."""
        yield Rendering("assets/site.css", "docs/site/site.css.j2", None)
        yield Rendering("assets/site.js", "docs/site/site.js.j2", None)
        yield Rendering("assets/icon.svg", "docs/site/icon.svg.j2", None)
        yield from landings(self.books)
        for volume in self.volumes:
            yield from self._of_volume(volume)
        for book in self.books:
            yield from self._of_book(book)
        yield from files.for_programs(self.books, self.settings.url)

    def _of_volume(self, volume: Volume) -> Iterator[Rendering | Raw]:
        edition = volume.edition
        folder = f"{edition.contract}/{edition.version}/"
        yield Raw(folder + volume.document_name, volume.document)
        language = languages(volume)[0]
        yield Rendering(f"{folder}index.html", "docs/site/moved.html.j2", self._moved(volume, f"{language}/index.html"))
        newest = [v for v in self.volumes if v.edition.contract == edition.contract][-1]
        if newest is volume:
            href = f"{edition.version}/{language}/index.html"
            yield Rendering(f"{edition.contract}/index.html", "docs/site/moved.html.j2", self._moved(volume, href))

    def _moved(self, volume: Volume, href: str) -> MovedHtml:
        language = languages(volume)[0]
        title = html(volume.edition.model.title or volume.edition.contract)
        return MovedHtml(lang=language, title=title, href=html(href), label=title)

    def _of_book(self, book: Book) -> Iterator[Rendering | Raw]:
        sections = book.view.sections
        order = [INDEX, *book.names.values(), *book.changes_page, WHOLE]
        shown: list[tuple[str, tuple[SectionView, ...]]] = [(INDEX, ())]
        shown += [(book.names[section.anchor], (section,)) for section in sections]
        shown.append((WHOLE, sections))
        for name, listed in shown:
            path = f"{book.folder}{name}"
            view = self._page(book, name, listed, order)
            yield Rendering(f"{path}.html", "docs/site/page.html.j2", view)
            yield Rendering(f"{path}.md", "docs/page.md.j2", self._twin(book, name, listed))
        if book.changes is not None:
            path = f"{book.folder}{CHANGES}"
            yield Rendering(f"{path}.html", "docs/site/page.html.j2", self._changes_page(book, book.changes, order))
            yield Rendering(f"{path}.md", "docs/page.md.j2", self._changes_twin(book, book.changes))
        yield Raw(f"{book.folder}names.js", files.names(book))
        yield Raw(f"{book.folder}objects.inv", files.inventory(book))

    def _twin(self, book: Book, name: str, listed: tuple[SectionView, ...]) -> MarkdownPage:
        view = replace(book.view, sections=listed)
        if name not in (INDEX, WHOLE):
            view = replace(view, title=f"{listed[0].title}: {view.title}", about=(), learn_more=(), untranslated=0)
        writer = Writer(
            book.volume.edition, view, "commonmark", hosted=False, href=lambda target: book.href(target, name, "md")
        )
        written = writer.page()
        if name == INDEX:
            links = tuple(
                f"- {writer.marks.line((Link(s.title, f'{book.names[s.anchor]}.md'),))}" for s in book.view.sections
            )
            written = replace(written, text=(*written.text, "\n".join(links)))
        return written

    # --- pages --------------------------------------------------------------------------------------------------------

    def _page(self, book: Book, name: str, listed: tuple[SectionView, ...], order: Sequence[str]) -> PageHtml:
        speech, view = book.speech, book.view
        chapters = Chapters(book.volume, view, speech, lambda target: book.href(target, name))
        alone = name not in (INDEX, WHOLE)
        if alone:
            heading, text = html(listed[0].title), chapters.intro(listed[0])
        else:
            heading, text = html(view.title), self._opening(book, chapters)
        sections = tuple(chapters.section(section, alone=alone) for section in listed)
        links = () if alone else view.learn_more
        before, after = self._ways(book, name, order)
        return PageHtml(
            shell=self._shell(book, name, heading if alone else ""),
            indexed=name != WHOLE,
            contents=tuple(self._contents(book, name)),
            heading=heading,
            text=text,
            cards=tuple(self._cards(book)) if name == INDEX else (),
            level="h2",
            below="h2" if alone else "h3",
            sections=sections,
            more=html(speech.text("page.learn_more")) if links else "",
            learn_more=tuple(chapters.html.link(link) for link in links),
            before=before,
            after=after,
            previous=html(speech.text("site.previous")),
            next=html(speech.text("site.next")),
        )

    def _ways(self, book: Book, name: str, order: Sequence[str]) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
        """The pages before and after one."""
        text, at = book.speech.text, order.index(name)
        titles = {book.names[s.anchor]: s.title for s in book.view.sections}
        titles |= {INDEX: text("site.overview"), CHANGES: text("changes.link"), WHOLE: text("site.everything")}
        before, after = order[max(at - 1, 0) : at], order[at + 1 : at + 2]
        ways = [tuple(Choice(label=html(titles[n]), href=f"{n}.html") for n in names) for names in (before, after)]
        return ways[0], ways[1]

    def _changes_page(self, book: Book, told: ChangesView, order: Sequence[str]) -> PageHtml:
        speech = book.speech
        chapters = Chapters(book.volume, book.view, speech, lambda target: book.href(target, CHANGES))
        before, after = self._ways(book, CHANGES, order)
        sections = tuple(
            SectionHtml(
                id=group.id,
                title=html(group.title),
                link=html(speech.text("site.link_to", name=group.title)),
                text="",
                see_also="",
                operations=(),
                definitions=(),
                entries=tuple(map(chapters.html.line, group.entries)),
            )
            for group in told.groups
        )
        return PageHtml(
            shell=self._shell(book, CHANGES, html(told.title)),
            indexed=True,
            contents=tuple(self._contents(book, CHANGES)),
            heading=html(told.title),
            text=f"<p>{html(told.about)}</p>",
            cards=(),
            level="h2",
            below="h3",
            sections=sections,
            more="",
            learn_more=(),
            before=before,
            after=after,
            previous=html(speech.text("site.previous")),
            next=html(speech.text("site.next")),
        )

    def _changes_twin(self, book: Book, told: ChangesView) -> MarkdownPage:
        view = replace(book.view, title=f"{told.title}: {book.view.title}", sections=(), about=(), learn_more=())
        writer = Writer(
            book.volume.edition, view, "commonmark", hosted=False, href=lambda to: book.href(to, CHANGES, "md")
        )
        return replace(
            writer.page(), text=(writer.marks.paragraph((Plain(told.about),)),), parts=tuple(writer.listed(told))
        )

    def _opening(self, book: Book, chapters: Chapters) -> str:
        view = book.view
        file = (
            f'<a href="../{html(book.volume.document_name)}">{html(view.contract_id or book.volume.document_name)}</a>'
        )
        source = html(view.source).replace("{contract}", file)
        language = view.source_language if view.about_untranslated else ""
        text = chapters.html.blocks(view.about, language)
        text += "".join(f'<p class="source">{chapters.html.line(statement)}</p>' for statement in view.service)
        text += f'<p class="source">{source}</p>'
        if view.untranslated:
            count = book.speech.text("page.untranslated_page", count=str(view.untranslated))
            text += f'<p class="untranslated">{html(count)}</p>'
        return text

    def _cards(self, book: Book) -> Iterator[Card]:
        for section in book.view.sections:
            chapters = Chapters(book.volume, book.view, book.speech, lambda target: book.href(target, INDEX))
            yield Card(
                title=html(section.title),
                href=f"{book.names[section.anchor]}.html",
                text=chapters.intro(section),
                note=html(section.count),
            )

    def _contents(self, book: Book, name: str) -> Iterator[ContentsPart]:
        for section in book.view.sections:
            own = book.names[section.anchor]
            yield ContentsPart(
                title=html(section.title),
                about=html(book.speech.text("site.introduction")),
                href=html(book.href(f"#{section.anchor}", name) if own != name else f"{own}.html"),
                opened=own == name,
                entries=tuple(
                    Choice(label=self._label(one), href=html(book.href(f"#{one.anchor}", name)))
                    for one in section.entries
                ),
            )

    def _label(self, one: OperationView | DefinitionView) -> str:
        verb = f'<span class="verb">{html(one.method)}</span> ' if isinstance(one, OperationView) else ""
        return verb + breakable(one.name)

    # --- the frame ----------------------------------------------------------------------------------------------------

    def _shell(self, book: Book, name: str, part: str) -> Shell:
        edition, speech = book.volume.edition, book.speech
        title = html(book.view.title)
        siblings = [b for b in self.books if b.volume.edition.contract == edition.contract]
        versions = tuple(
            Choice(
                label=html(b.volume.edition.version),
                href=html(f"../../{b.volume.edition.version}/{book.language}/{self._counterpart(b, name)}.html"),
                current=b is book,
            )
            for b in reversed(siblings)
            if b.language == book.language
        )
        languages = tuple(
            Choice(
                label=html(b.speech.text("name")),
                href=html(f"../{b.language}/{self._counterpart(b, name)}.html"),
                current=b is book,
                lang=html(b.language),
            )
            for b in siblings
            if b.volume is book.volume
        )
        return Shell(
            lang=html(book.language),
            title=f"{part} · {title}" if part else title,
            description=html(book.view.description),
            root="../../../",
            names="names.js",
            pagefind="../pagefind/pagefind.js" if self.settings.searchable else "",
            twin=f"{name}.md",
            alternates=tuple(choice for choice in languages if not choice.current),
            labels=labels(speech),
            brand=html(book.title),
            brand_href="index.html",
            version=html(edition.version),
            versions=versions,
            language=html(speech.text("name")),
            languages=languages,
            links=(
                Choice(label=html(speech.text("site.overview")), href="index.html", current=name == INDEX),
                *(
                    Choice(label=html(speech.text("changes.link")), href=f"{page}.html", current=name == page)
                    for page in book.changes_page
                ),
                Choice(label=html(speech.text("site.everything")), href="all.html", current=name == WHOLE),
                Choice(label=html(speech.text("site.contract")), href=f"../{html(book.volume.document_name)}"),
                Choice(label=html(speech.text("site.markdown")), href=f"{name}.md"),
                Choice(label=html(speech.text("site.inventory")), href="objects.inv"),
            ),
        )

    def _counterpart(self, book: Book, name: str) -> str:
        """The page of another book that is called like one of this."""
        return name if name in (INDEX, WHOLE, *book.changes_page, *book.names.values()) else INDEX
