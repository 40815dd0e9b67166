"""Places in documents → JSON Pointers and back.

Must not know lines, columns or files: a place is a document's address and a pointer into its value. Lines are computed
from the text only when a problem is printed (``document.locate``), because almost no place is ever printed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


def escape(token: str) -> str:
    """One reference token as it is written inside a pointer (RFC 6901, section 3)."""
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    """The member name or index that a written reference token stands for (RFC 6901, section 4)."""
    return token.replace("~1", "/").replace("~0", "~")


def join(pointer: str, *tokens: str | int) -> str:
    """``pointer`` extended by unescaped ``tokens``."""
    return pointer + "".join("/" + escape(str(token)) for token in tokens)


def split(pointer: str) -> tuple[str, ...]:
    """The unescaped tokens of ``pointer``; ``""`` has none. ValueError unless it is empty or starts with a slash."""
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f'a JSON Pointer starts with "/": "{pointer}"')
    return tuple(unescape(token) for token in pointer[1:].split("/"))


def parent(pointer: str) -> str:
    """The pointer of the enclosing value; ``""`` is its own parent."""
    return pointer.rpartition("/")[0]


def build(tokens: Iterable[str | int]) -> str:
    """The pointer made of unescaped ``tokens``."""
    return join("", *tokens)


@dataclass(frozen=True, slots=True)
class Origin:
    """A place in a contract.

    ``document`` is the address of the document as the loader knows it (its retrieval URI), ``""`` for the contract's own
    root document; ``pointer`` is a JSON Pointer into its value.
    """

    document: str
    pointer: str

    def at(self, *tokens: str | int) -> Origin:
        """The place below this one."""
        return Origin(self.document, join(self.pointer, *tokens))

    def __str__(self) -> str:
        return f"{self.document}#{self.pointer}"
