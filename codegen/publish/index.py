"""The address of an index → the files of a distribution that it has (the simple repository API, as JSON or HTML).

Must not upload. PEP 503, 691 and 700: whichever form the index speaks, a file has a name, an address and, mostly, a digest.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

from codegen.errors import OutputError
from codegen.publish.trouble import hidden, trouble

ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
PATIENCE = 30
"""Seconds without a byte until an index counts as silent."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of an index. ``digests`` by the name of their algorithm; none where the index states none."""

    name: str
    url: str
    digests: Mapping[str, str]
    yanked: bool = False

    @property
    def version(self) -> Version | None:
        """The version in the file's name; None for what is neither a wheel nor a source distribution."""
        try:
            if self.name.endswith(".whl"):
                return parse_wheel_filename(self.name)[1]
            return parse_sdist_filename(self.name)[1]
        except (InvalidWheelFilename, InvalidSdistFilename):
            return None


class Index:
    """One index. ``url`` is its root, below which each distribution has a page."""

    def __init__(self, url: str, *, with_secret: bool = False) -> None:
        """``with_secret``: it is on the host that the secret in the environment is for, so that it may be shown the secret."""
        self.url = url if url.endswith("/") else url + "/"
        self.secret = _secret() if with_secret else None

    def files(self, distribution: str) -> tuple[Entry, ...]:
        """What the index has; nothing for a distribution that it does not know. Raises OutputError (``unreachable``)."""
        page = urljoin(self.url, canonicalize_name(distribution) + "/")
        try:
            kind, content, place = self._get(page)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return ()
            raise self._trouble(page, f"{error.code} {error.reason}") from None
        if "json" in kind:
            try:
                return tuple(_from_json(json.loads(content), place))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise self._trouble(page, "JSON that is no list of files") from None
        return tuple(_from_html(content.decode(errors="replace"), place))

    def content(self, entry: Entry) -> bytes:
        """The bytes of a file, judged by its digests. Raises OutputError (``unreachable``, ``bad-digest``)."""
        try:
            _, content, _ = self._get(entry.url)
        except urllib.error.HTTPError as error:
            raise self._trouble(entry.url, f"{error.code} {error.reason}") from None
        if not agrees(entry, content, self):
            raise trouble(
                "--index", "bad-digest", f"{entry.name} is not what its digest says", "ask who runs the index"
            )
        return content

    def _get(self, url: str) -> tuple[str, bytes, str]:
        request = urllib.request.Request(url, headers={"Accept": ACCEPT, "User-Agent": "wirebound"})
        if self.secret and urlsplit(url).netloc == urlsplit(self.url).netloc:
            request.add_unredirected_header("Authorization", f"Basic {self.secret}")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.headers.get("Content-Type", ""), answer.read(), answer.url
        except urllib.error.HTTPError:
            raise
        except (OSError, ValueError, urllib.error.URLError) as error:
            raise self._trouble(url, str(getattr(error, "reason", error))) from None

    def _trouble(self, url: str, what: str) -> OutputError:
        message = f"{hidden(url)} cannot be read: {hidden(what)}"
        return trouble("--index", "unreachable", message, "correct the address, or try again when the index is up")


def agrees(entry: Entry, content: bytes, index: Index) -> bool:
    """Whether the index's file has the bytes ``content``: by the strongest digest that it states, else by its bytes."""
    for algorithm in ("sha512", "sha256", "sha1", "md5"):
        if algorithm in entry.digests:
            return (
                hashlib.new(algorithm, content, usedforsecurity=False).hexdigest() == entry.digests[algorithm].lower()
            )
    _, held, _ = index._get(entry.url)
    return held == content


def _secret() -> str | None:
    """What twine would send, as the header spells it."""
    password = os.environ.get("TWINE_PASSWORD")
    if not password:
        return None
    user = os.environ.get("TWINE_USERNAME") or "__token__"
    return base64.b64encode(f"{user}:{password}".encode()).decode()


def _from_json(value: Any, place: str) -> Iterator[Entry]:
    for file in value["files"]:
        yield Entry(
            str(file["filename"]),
            urljoin(place, file["url"]),
            {str(name): str(digest) for name, digest in (file.get("hashes") or {}).items()},
            bool(file.get("yanked", False)),
        )


def _from_html(text: str, place: str) -> Iterator[Entry]:
    page = _Page()
    page.feed(text)
    for href, name, yanked in page.links:
        url, fragment = urldefrag(urljoin(place, href))
        stated = re.fullmatch(r"(\w+)=([0-9a-fA-F]+)", fragment)
        yield Entry(name, url, {stated[1].lower(): stated[2]} if stated else {}, yanked)


class _Page(HTMLParser):
    """The links of a page: address, text, whether the file is yanked."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, str, bool]] = []
        self._open: tuple[str, bool] | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            given = dict(attrs)
            self._open, self._text = (given.get("href") or "", "data-yanked" in given), ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._open:
            self.links.append((self._open[0], self._text.strip(), self._open[1]))
            self._open = None


def index_of(repository: str) -> str:
    """The index that shows what is uploaded to ``repository``, as a rule: an upload host has one without "upload." in its
    name, and an upload address that ends in legacy/ has its index beside it."""
    parts = urlsplit(repository)
    path = re.sub(r"(^|/)legacy/?$", r"\1", parts.path)
    host = parts.netloc.removeprefix("upload.") if path != parts.path else parts.netloc
    return f"{parts.scheme}://{host}{path.rstrip('/')}/simple/"
