"""Problems of a contract, a manifest or an output folder → what a person reads.

Must not know how places are found in text: whoever loaded the text lends a ``Locate``. Stages collect all their problems
and raise once, so that one run shows everything that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from codegen.pointer import Origin


class Position(NamedTuple):
    """A place in a file; ``line`` and ``column`` count from 1."""

    path: str
    line: int
    column: int


Locate = Callable[[Origin], Position]

LONGEST_VALUE = 60


def printable(text: str) -> str:
    """``text`` with what would break the line, move the cursor or turn the direction of writing spelled by its number."""
    return text if text.isprintable() else "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)


def shown(value: object) -> str:
    """``value`` in double quotes, cut at 60 characters, on one line: how every message cites what it found."""
    text = printable(value if isinstance(value, str) else str(value))
    return f'"{text}"' if len(text) <= LONGEST_VALUE else f'"{text[: LONGEST_VALUE - 1]}…"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that stops the run.

    ``code`` is stable and kebab-case; ``message`` says what is, before what was expected, in the present tense; ``origin`` is
    the place; ``help`` is what to do.
    """

    code: str
    message: str
    origin: Origin
    help: str = ""

    def text(self, locate: Locate | None = None) -> str:
        """``path:line:col: code: message``, then the pointer and the help on lines of their own."""
        if locate is None:
            head = str(self.origin)
        else:
            position = locate(self.origin)
            head = f"{position.path}:{position.line}:{position.column}"
        lines = [f"{head}: {self.code}: {self.message}"]
        if self.origin.pointer:
            lines.append(f"  at {self.origin.pointer}")
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(map(printable, lines))


class WireboundError(Exception):
    """Input that cannot be meant, or output that cannot be written. ``problems`` holds every one that the stage found."""

    def __init__(self, problems: Iterable[Problem], locate: Locate | None = None) -> None:
        self.problems = tuple(problems)
        self.locate = locate
        super().__init__(*self.problems)

    def __str__(self) -> str:
        return "\n".join(problem.text(self.locate) for problem in self.problems)


class ContractError(WireboundError):
    """The contract cannot be read or meant."""


class ManifestError(WireboundError):
    """The manifest, outline, ledger or a catalogue says something that the tool cannot follow."""


class OutputError(WireboundError):
    """The output folder holds what the tool must not touch, or a name that cannot be written."""


CODES = {
    "alias-expansion": "aliases of a YAML file that would come to more values than any contract has",
    "anchor-clash": "an anchor that two places of the reference ask for",
    "anchor-taken": "an anchor that the ledger has given to another name",
    "bad-address": "an address to publish to that is none, or gives something away",
    "bad-anchor": "an anchor with characters that none can have",
    "bad-digest": "a file of an index that is not what its digest says",
    "bad-example": "an example that the contract refuses",
    "bad-inventory": "an inventory of an output folder that cannot be read",
    "bad-journal": "a journal of an interrupted run that cannot be read",
    "bad-name": "a name that cannot be used as one segment of a path",
    "bad-option": "a value that an option cannot hold",
    "bad-path": "a path that cannot be written, or lies outside the output folder",
    "bad-revision": "a revision of a repository that is not spelled as one",
    "bad-target": "an installed target that is none, or cannot be imported",
    "bad-template": "a template that cannot be read, or asks for what its view lacks",
    "bad-text": "text that UTF-8 cannot hold",
    "bad-value": "a value that a key cannot have",
    "bad-version": "a version that no package can have",
    "bad-wheel": "a file that is no wheel",
    "breaking": "a breaking change that is published without a major step",
    "build-failed": "a package that cannot be built",
    "cannot-read": "a file that cannot be read",
    "conflicting-members": "members of an OpenAPI description that exclude each other",
    "dangling-reference": "a reference that leads to nothing",
    "dead-link": "a link of the site that leads nowhere",
    "dirty-tree": "changes that are not committed when a package is published",
    "discriminator-mismatch": "a discriminator that its variants contradict",
    "duplicate": "something that is stated twice",
    "duplicate-anchor": "an anchor that two schemas of one resource have",
    "duplicate-definition": "one URI for two schemas",
    "duplicate-id": "an id that occurs twice on one page",
    "duplicate-member": "a member that occurs twice in one object",
    "duplicate-operation": "one name for two operations",
    "edited": "an output that was edited by hand",
    "empty": "a contract without a word",
    "endless-reference": "a schema that is defined by itself without a step into the value",
    "exists": "a file, or a distribution, that is there already",
    "extension-leads-nowhere": "a statement about what does not exist",
    "frozen-version": "a version that has changed since another followed it",
    "idle-part": "a part of a package that the contract has nothing for",
    "in-the-way": "a file in the way that the tool did not write",
    "lone-surrogate": "half of a surrogate pair in a text",
    "malformed-extension": "a statement that is not spelled as it must be",
    "malformed-keyword": "an operand that a keyword cannot have",
    "malformed-member": "a value that a member of an OpenAPI description cannot have",
    "malformed-path": "a path template that is none",
    "merge-key": "a merge key of YAML 1.1",
    "misplaced-extension": "a statement at a place that it says nothing about",
    "missing-extra": "tools that an extra of this distribution brings",
    "missing-key": "a key that must be there",
    "missing-member": "a member of an OpenAPI description that must be there",
    "name-clash": "one name for two things",
    "name-taken": "a former or retired name that another shape asks for",
    "nesting-too-deep": "more levels than are read",
    "no-contract": "a place without a contract",
    "no-contracts": "a manifest without contracts",
    "no-effect": "a keyword that is ignored where it stands, and says something else than it does",
    "no-example": "an example in a file that is not there",
    "no-folder": "a folder that is not there",
    "no-git": "a revision where git cannot be run",
    "no-manifest": "a folder without a manifest, here or above",
    "no-project": "an option about a project where there is none",
    "no-python": "an interpreter that cannot be run",
    "no-root": "a contract that asserts nothing at its root",
    "no-version": "a contract that does not say which version it is",
    "no-versions": "a contract's folder without a version",
    "non-string-key": "a key of a YAML mapping that is no string",
    "not-a-package": "a job that makes no Python package",
    "not-a-schema": "a value where a schema must be",
    "not-as-asked": "a module that another generator does not write as it was asked to",
    "not-json": "text that is no JSON",
    "not-proven": "a package that does not work in an empty environment",
    "not-reproducible": "two builds that differ",
    "not-toml": "text that is no TOML",
    "not-uploaded": "a file that a repository refuses",
    "not-utf8": "bytes that are not UTF-8",
    "not-verified": "a wheel that the contract in it does not make",
    "not-writable": "a folder that cannot be written to",
    "not-yaml": "text that is no YAML 1.2",
    "number-out-of-range": "a number that no double can hold",
    "openapi-version": "a version of OpenAPI that is not known",
    "other-owner": "an output folder that belongs to another job",
    "other-version": "another version of the tool that does not tell what it makes",
    "outside": "a folder outside that of the manifest",
    "outside-reference": "a reference that leads out of the folders that may be read",
    "overlay-extends": "an overlay of another document",
    "overlay-mismatch": "an update that its place cannot take",
    "overlay-no-match": "a target of an overlay that matches nothing",
    "overlay-path": "a target of an overlay that is no path",
    "overlay-version": "a version of Overlay that is not known",
    "parameter-conflict": "parameters that exclude each other",
    "path-parameter": "a path and its parameters that do not agree",
    "protocol-version": "a contract that does not state its version as the manifest says",
    "refused-credentials": "credentials that a repository does not accept",
    "same-contract": "the newest version, given as the next",
    "server-variable": "an address of a server and its variables that do not agree",
    "several-contracts": "more than one contract where one is meant",
    "stale": "outputs that are not up to date when they are packaged",
    "two-documents": "two documents for one version",
    "two-manifests": "two manifests in one folder",
    "unknown-contract": "a contract that the manifest does not have",
    "unknown-definition": "a definition that the contract does not have",
    "unknown-dialect": "a dialect of JSON Schema that is not known",
    "unknown-extension": "a statement that is not known",
    "unknown-format": "a format that cannot be asserted",
    "unknown-job": "a job that the manifest does not have",
    "unknown-key": "a key that nobody asks for",
    "unknown-keyword": "a keyword that the dialect does not have",
    "unknown-language": "a language without the fixed words of the reference",
    "unknown-member": "a member that the kind of object in an OpenAPI description does not have",
    "unknown-name": "a name in an outline that the contract does not have",
    "unknown-operation": "an operation that the description does not have",
    "unknown-option": "an option that the target does not have",
    "unknown-revision": "a revision that the repository does not have",
    "unknown-security-scheme": "a security scheme that the description does not have",
    "unknown-target": "a target that is not installed",
    "unknown-version": "a version that the contract does not have",
    "unknown-vocabulary": "a vocabulary that is required and not known",
    "unlisted": "an operation or a definition that no section of the outline lists",
    "unreachable": "an index or a repository that cannot be reached",
    "unreachable-reference": "a reference to a document that is not at hand",
    "unreadable": "a file beside the contract that cannot be read",
    "unsupported-call": "an operation, a parameter or a body that a generated client cannot do",
    "unsupported-pattern": "a pattern that ECMA-262 does not have, or that Python cannot match exactly",
    "version-exists": "a next version that is there already",
    "version-older": "a next version that is older than the newest",
    "which-contract": "a contract of which it is not clear what it is a version of",
    "wrong-kind": "a reference that leads to another kind of thing than is meant",
    "wrong-type": "a value of another kind than a key takes",
}
"""Each code of a problem, and what is told under it. Findings of ``lint`` have their own, and so have targets of others."""
