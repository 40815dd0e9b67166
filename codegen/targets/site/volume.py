"""What the site is made of, beside views: editions with examples and code.

Must not judge or make any of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from codegen.edition import Edition
from codegen.model import JsonValue, Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A document that a definition accepts. ``name`` tells it from others; ``derived``: made from the contract, by nobody."""

    name: str
    value: JsonValue
    derived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """Code for one example: how to make it, and how to read it (``reads``: the fixed words that say so, where it is an
    operation). ``label`` names the language or the part of the bindings."""

    label: str
    language: str
    make: str
    read: str
    reads: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """One version of a contract. ``document`` are the bytes of the contract's file, ``document_name`` is what it is called.
    ``examples`` and ``snippets`` are by definition, ``calls`` (how to ask; ``Snippet.make`` alone) by operation."""

    edition: Edition
    document_name: str
    document: bytes
    examples: Mapping[Key, tuple[Example, ...]] = field(default_factory=dict)
    snippets: Mapping[Key, tuple[Snippet, ...]] = field(default_factory=dict)
    calls: Mapping[Key, tuple[Snippet, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """``url``: where the site will be (for the sitemap, which needs whole addresses). ``searchable``: a full-text index is
    made of the pages."""

    url: str = "http://localhost:8000/"
    searchable: bool = False
