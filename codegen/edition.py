"""Model, facts, ledger and outline of one version → what a target sees.

Must not interpret schemas or know a language. An edition looks back only: it knows versions up to its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from codegen.catalogue import Catalogue
from codegen.facts import Facts
from codegen.history import History
from codegen.ledger import Ledger
from codegen.model import Example, JsonValue, Key, Model
from codegen.outline import Outline
from codegen.pointer import Origin
from codegen.wording import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What an edition was made from, for a target that hands it on so that others can make the same again.

    ``files`` are by their path below the contract's folder: ``document`` and what it refers to, overlays, the part of the
    ledger and of the outline that speaks of this version, and the file of ``example``. ``protocol_version``, ``dialect``,
    ``roots`` (prefix → folder) and ``formats`` are what a manifest says of a contract; ``templates`` is the folder of what
    replaces built-in ones, "" for none. ``policy`` is what the manifest knows of the parties: empty where no older version is
    among the files, since nothing is judged then. ``license`` is the text of the contract's licence. ``example`` is a document
    that is typical, with its definition. ``generator`` is the version of this tool.
    """

    files: Mapping[str, bytes]
    document: str
    protocol_version: str
    dialect: str | None
    roots: Mapping[str, str]
    example: tuple[Key, JsonValue] | None
    license: bytes | None
    generator: str
    templates: str = ""
    policy: Mapping[str, Any] = field(default_factory=dict)
    formats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a body can look like: ``value``, where ``text`` is None, or the text as it travels; or, where ``url`` is set, what
    is there. ``example``: what the contract says of it, if it has it; ``derived``: made from the contract, by nobody.
    """

    example: Example | None = None
    value: JsonValue = None
    text: str | None = None
    url: str = ""
    derived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One version of a contract with everything that belongs to it.

    ``contract`` is the contract's name in the manifest (its folder's name for a one-off build), ``version`` the version
    folder's name, ``protocol_version`` what ``PROTOCOL_VERSION`` says. ``command`` regenerates the output (for banners).
    ``catalogues`` (translations of the contract) and ``words`` (fixed words of the reference) are by language. ``samples``:
    how each form of a body looks, by the place of the form; made when they are asked for. ``sources`` is None for a one-off
    build, which no manifest speaks of. ``history`` says what became of the contract up to this version.
    """

    model: Model
    facts: Facts
    ledger: Ledger
    outline: Outline
    contract: str
    version: str
    protocol_version: str
    command: str
    catalogues: Mapping[str, Catalogue] = field(default_factory=dict)
    words: Mapping[str, Words] = field(default_factory=dict)
    samples: Mapping[Origin, tuple[Sample, ...]] = field(default_factory=dict)
    sources: Sources | None = None
    history: History = field(default_factory=History)
