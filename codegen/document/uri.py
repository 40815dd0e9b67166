"""References and base URIs → resolved URIs.

Must not know documents or touch disk. Relative bases stay relative, and a ``..`` that climbs above one stays visible, because
a contract without ``$id`` is addressed by its place below its own folder and climbing out of that must be seen. (The
standard library's ``urljoin`` drops such segments, and knows only the schemes on its list.)
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

# RFC 3986, appendix B: matches every string.
_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


class Parts(NamedTuple):
    """The five components of a URI reference (RFC 3986, section 3); None where the delimiter is absent."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


def parts(reference: str) -> Parts:
    """``reference`` taken apart."""
    match = _PARTS.fullmatch(reference)
    assert match is not None
    return Parts(*match.groups())


def split(reference: str) -> tuple[str, str]:
    """``reference`` without its fragment, and the fragment as written ("" for none)."""
    uri, _, fragment = reference.partition("#")
    return uri, fragment


def resolve(base: str, reference: str) -> str:
    """The URI that ``reference`` means below ``base``, without fragment (RFC 3986, section 5.2)."""
    reference = reference.partition("#")[0]
    if not reference:
        return base
    here, there = parts(base), parts(reference)
    scheme, authority, query = here.scheme, here.authority, there.query
    if there.scheme is not None:
        scheme, authority, path = there.scheme, there.authority, settle(there.path)
    elif there.authority is not None:
        authority, path = there.authority, settle(there.path)
    elif not there.path:
        path = here.path
        query = here.query if there.query is None else there.query
    elif there.path.startswith("/"):
        path = settle(there.path)
    elif authority is not None and not here.path:
        path = settle("/" + there.path)
    else:
        path = settle(here.path.rpartition("/")[0] + "/" + there.path if "/" in here.path else there.path)
    return "".join(
        (
            "" if scheme is None else scheme + ":",
            "" if authority is None else "//" + authority,
            path,
            "" if query is None else "?" + query,
        )
    )


def settle(path: str) -> str:
    """``path`` without ``.`` and ``..`` segments; those that climb above a relative path stay in front."""
    if "." not in path:
        return path
    rooted = path.startswith("/")
    segments = path[1:].split("/") if rooted else path.split("/")
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            if kept and kept[-1] != "..":
                kept.pop()
            elif not rooted:
                kept.append(segment)
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", "..") and (not kept or kept[-1] != ""):
        kept.append("")
    return ("/" if rooted else "") + "/".join(kept)


def folder(uri: str) -> str:
    """``uri`` up to and with its last slash; "" if its path has none, so that nothing can lie beside it."""
    scheme, authority, path, _, _ = parts(uri)
    if "/" not in path and authority is None:
        return ""
    head = ("" if scheme is None else scheme + ":") + ("" if authority is None else "//" + authority)
    return head + (path.rpartition("/")[0] + "/")


def is_local(uri: str) -> bool:
    """Whether ``uri`` has neither scheme nor authority: an address below the contract's folder."""
    scheme, authority, _, _, _ = parts(uri)
    return scheme is None and authority is None


def decoded(text: str) -> str | None:
    """``text`` with its percent-encoding undone; None if the octets are not UTF-8."""
    if "%" not in text:
        return text
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return None
