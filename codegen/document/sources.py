"""A URI → the document there: a file below the contract's folder, a file below a root, or a metaschema that is built in.

Must never use the network, nor read a file outside the folders it was given: a contract is input that may be hostile, and the
same contract must mean the same on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from codegen.document import uri as uris
from codegen.document.reading import Document, read
from codegen.errors import shown


class Missing(NamedTuple):
    """Why no document can be had: the problem's code, message and help; no code if the problem was reported already."""

    code: str
    message: str = ""
    help: str = ""


class Sources:
    """The documents of one contract by address, and the places where more may be read."""

    def __init__(self, document: Document, file: Path | None, roots: Mapping[str, Path]) -> None:
        """``document`` is the root document, which came from ``file`` (None: from a Python value)."""
        self.documents: dict[str, Document] = {"": document}
        self._folder = None if file is None else file.parent.resolve()
        self._shown = None if file is None else file.parent
        self._roots = sorted(((prefix, Path(folder)) for prefix, folder in roots.items()), reverse=True)
        self._beside = ""
        self._files: dict[Path, Document] = {} if file is None else {file.resolve(): document}
        self._fetched: dict[str, Document | Missing] = {}

    def lie_beside(self, identifier: str) -> None:
        """The contract's folder is where the root document's ``$id`` says it is: neighbours have URIs next to it."""
        rooted = not uris.is_local(identifier) or identifier.startswith("/")
        self._beside = uris.folder(identifier) if rooted else ""

    def fetch(self, uri: str) -> Document | Missing:
        """The document at ``uri``, read once. Raises ``Unreadable`` the first time that its text is no JSON value."""
        if uri not in self._fetched:
            self._fetched[uri] = Missing("")
            self._fetched[uri] = self._fetch(uri)
        return self._fetched[uri]

    def _fetch(self, uri: str) -> Document | Missing:
        if document := _built_in(uri):
            return self.documents.setdefault(document.address, document)
        if self._beside and uri.startswith(self._beside) and self._folder is not None and self._shown is not None:
            file = _file(self._folder, uri[len(self._beside) :])
            if file is not None and file.is_file():
                return self._read(file, uri, self._shown)
        if uris.is_local(uri):
            return self._below(uri)
        for prefix, folder in self._roots:
            whole = prefix if prefix.endswith(("/", ":")) else prefix + "/"
            if uri == prefix or uri.startswith(whole):
                file = _file(folder.resolve(), uri[len(whole) :])
                if file is None:
                    return _outside(uri, f'the root for "{prefix}"')
                if os.path.isfile(file):  # false, where Path.is_file raises: for a name that no file can have
                    return self._read(file, uri, folder)
                message = f'{shown(uri)} is not in "{folder}", which is the root for "{prefix}"'
                return Missing("unreachable-reference", message, "add the file there, or correct the reference")
        return _no_root(uri)

    def _below(self, uri: str) -> Document | Missing:
        if self._folder is None or self._shown is None:
            message = f"{shown(uri)} is relative, and a contract that is a Python value has no folder"
            help = 'load the contract from its file, or give it an "$id" and a root for it'
            return Missing("unreachable-reference", message, help)
        file = _file(self._folder, uri)
        if file is None:
            return _outside(uri, "the contract's folder")
        if not os.path.isfile(file):
            message = f"{shown(uri)} is not below the contract's folder"
            return Missing("unreachable-reference", message, "add the file there, or correct the reference")
        return self._read(file, uri, self._shown)

    def _read(self, file: Path, uri: str, folder: Path) -> Document:
        """The document in ``file``, a resolved path below ``folder`` as the user gave it; one document per file."""
        if file in self._files:
            return self._files[file]
        address, path = uri, folder / file.relative_to(folder.resolve())
        if self._folder is not None and self._shown is not None and file.is_relative_to(self._folder):
            address = file.relative_to(self._folder).as_posix()
            path = self._shown / address
        document = self._files[file] = self.documents[address] = read(file, str(path), address)
        return document

    def digest(self) -> str:
        """SHA-256 of what was read, in hex; of several documents, over addresses and digests in address order."""
        own = {address: document.digest for address, document in self.documents.items() if document.digest}
        if len(own) == 1:
            return own[""].hex()
        whole = sha256()
        for address, digest in sorted(own.items()):
            whole.update(address.encode() + b"\0" + digest)
        return whole.hexdigest()


def _file(folder: Path, relative: str) -> Path | None:
    """The file at a relative URI below ``folder``; None if that is not below it, links followed."""
    path = uris.decoded(relative)
    if path is None or "\0" in path or path.startswith("/"):
        return None
    file = Path(os.path.realpath(folder / path))  # as Path.resolve, which raises where links lead in circles
    return file if file.is_relative_to(folder) else None


def _outside(uri: str, of: str) -> Missing:
    message = f"{shown(uri)} lies outside of {of}"
    return Missing("outside-reference", message, "move the file below it, or give its URL a root of its own")


def _no_root(uri: str) -> Missing:
    folder = uris.folder(uri)
    message = f"{shown(uri)} is in no document of the contract, and nothing is fetched from the network"
    if not folder:
        return Missing("unreachable-reference", message, f'give a root that maps "{uri}" to its file')
    name = uri[len(folder) :]
    return Missing(
        "unreachable-reference", message, f'give a root that maps "{folder}" to the folder that holds "{name}"'
    )


def _built_in(uri: str) -> Document | None:
    """A metaschema of the five dialects, or one of its vocabularies."""
    scheme, _, rest = uri.partition("://")
    if scheme not in ("http", "https") or not rest.startswith("json-schema.org/draft"):
        return None
    # Imported here: the package brings a whole registry with it, and few contracts refer to metaschemas.
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

    for spelled in (uri, f"http://{rest}", f"https://{rest}"):
        if spelled in REGISTRY and "draft-03" not in spelled:
            return Document(spelled, spelled, REGISTRY.contents(spelled), b"", dict)
    return None
