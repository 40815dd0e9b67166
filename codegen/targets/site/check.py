"""The files of a site → every link that leads nowhere, and every id that stands twice.

Must not parse HTML: the pages are ours, every quote of a text in them is escaped, so an attribute is what looks like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from posixpath import dirname, normpath
from urllib.parse import unquote

from codegen.errors import Problem, shown
from codegen.pointer import Origin

_ID = re.compile(r' id="([^"]*)"')
_LINK = re.compile(r' (?:href|src)="([^"]*)"')
_AWAY = re.compile(r"[a-z][a-z0-9+.-]*:|//")


def problems(contents: Mapping[str, bytes]) -> Iterator[Problem]:
    """``dead-link`` and ``duplicate-id``, each at its page."""
    pages = {path: content.decode() for path, content in contents.items() if path.endswith(".html")}
    ids: dict[str, set[str]] = {}
    for path, text in pages.items():
        found = _ID.findall(text)
        ids[path] = set(map(unescape, found))
        if len(ids[path]) < len(found):
            for twice in sorted({one for one in found if found.count(one) > 1}):
                message = f"the id {shown(unescape(twice))} stands on this page twice"
                yield Problem(code="duplicate-id", message=message, origin=Origin(path, ""), help="report this fault")
    for path, text in pages.items():
        for href in sorted(set(_LINK.findall(text))):
            if not _leads(unescape(href), path, contents, ids):
                message = f"the link {shown(unescape(href))} leads nowhere"
                yield Problem(code="dead-link", message=message, origin=Origin(path, ""), help="report this fault")


def _leads(href: str, path: str, contents: Mapping[str, bytes], ids: Mapping[str, set[str]]) -> bool:
    if _AWAY.match(href):
        return True
    address, _, fragment = href.partition("#")
    target = normpath(f"{dirname(path)}/{unquote(address)}").removeprefix("./").lstrip("/") if address else path
    if target not in contents:
        return False
    return not fragment or target not in ids or fragment in ids[target] or unquote(fragment) in ids[target]
