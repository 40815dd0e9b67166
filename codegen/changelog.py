"""A contract's ``CHANGELOG.md``, if there is one, and an edition → the same with what the edition's version changed.

Must not change what is written there by hand: a new version stands above those before it, and that is all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from codegen.edition import Edition
from codegen.targets.docs import escape
from codegen.targets.docs.anchors import anchors
from codegen.targets.docs.changes import changes
from codegen.targets.docs.marks import Marks
from codegen.targets.docs.text import Speech

_SECTION = re.compile(r"^## ", re.MULTILINE)


def extended(text: str | None, editions: Mapping[str, Edition], page: Callable[[str], str], command: str) -> str:
    """``text`` with the release of the last of ``editions`` above the others; with those of all of them where there is no text
    (None) yet.

    ``page`` is the address of a version's reference, as seen from the file ("": it has none). ``command`` is what adds to it.
    """
    newest = editions[list(editions)[-1]]
    if text is not None:
        section = "\n".join(_section(newest, page(newest.version))) + "\n"
        head = _SECTION.search(text)
        if head is None:
            return f"{text.rstrip()}\n\n{section}"
        return f"{text[: head.start()]}{section}\n{text[head.start() :]}"
    about = f"What each version of the contract changed. `{command}` adds the next one; what is written by hand stays."
    lines = [f"# Changelog of {escape.markdown(newest.contract)}", "", about]
    for version in reversed(list(editions)[1:]):
        lines += ["", *_section(editions[version], page(version))]
    return "\n".join(lines) + "\n"


def _section(edition: Edition, address: str) -> Iterator[str]:
    """The newest release of an edition. ``address`` is that of its reference, to which places lead."""
    language = edition.outline.language if edition.outline.language in edition.words else "en"
    known = anchors(edition, []).names if address else {}
    told = changes(edition.history.releases[-1], Speech(edition.words[language]), known)
    marks = Marks(href=lambda target: address + target)
    version = escape.markdown(edition.version)
    yield f"## [{version}]({escape.address(address)})" if address else f"## {version}"
    yield from ("", escape.markdown(told.about))
    for group in told.groups:
        yield from ("", f"### {escape.markdown(group.title)}", "")
        yield from (f"- {marks.line(entry)}" for entry in group.entries)
