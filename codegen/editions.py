"""A contract's files → its editions, oldest version first.

Must not know manifests, targets or outputs. Load and resolve meet here, with the files that people and the tool keep beside
a contract; an older version is resolved first, because its names hold for the newer ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from codegen import catalogue, document, ledger, outline, provenance
from codegen.document import Contract
from codegen.edition import Edition
from codegen.errors import ContractError, Problem, WireboundError, shown
from codegen.evolve.policy import Policy, stated
from codegen.facts import Facts
from codegen.gather import gathered, placed, raise_all
from codegen.history import History
from codegen.model import JsonValue, Model
from codegen.paths import display, templates
from codegen.pointer import Origin
from codegen.resolve import resolve
from codegen.samples import Samples
from codegen.wording import Shipped

Rule: TypeAlias = Literal["$id", "info.version", "folder", "stated"]
"""Where ``PROTOCOL_VERSION`` comes from; "stated": ``info.version`` if the contract has it, else the folder."""


class Shelf:
    """The editions of one contract by version, with the documents that they were read from, and what they share."""

    def __init__(
        self,
        *,
        outlined: Path | None = None,
        named: Path | None = None,
        translated: Iterable[Path] = (),
        policy: Policy | None = None,
    ) -> None:
        """``outlined``, ``named``: outline and ledger, which need not exist. ``translated``: catalogues. ``policy``: under
        which one version is compared with the next.

        Raises ManifestError with everything in them that cannot be followed.
        """
        self.outline = outline.Outline()
        self.ledger = ledger.Ledger(path=display(named)) if named else ledger.Ledger()
        self.catalogues: dict[str, catalogue.Catalogue] = {}
        self.editions: dict[str, Edition] = {}
        self.contracts: dict[str, Contract] = {}
        self.policy = policy or Policy()
        self.words = Shipped(templates() / "docs")
        errors: list[WireboundError] = []
        with gathered(errors):
            if outlined and outlined.is_file():
                self.outline = outline.read(outlined)
        with gathered(errors):
            if named and named.is_file():
                self.ledger = ledger.read(named)
        for path in translated:
            with gathered(errors):
                self.catalogues[path.stem] = catalogue.read(path)
        raise_all(errors)

    def add(
        self,
        source: str | os.PathLike[str] | JsonValue,
        *,
        contract: str,
        version: str,
        command: str,
        rule: Rule,
        dialect: str | None = None,
        roots: Mapping[str, Path] | None = None,
        overlays: Sequence[str | os.PathLike[str]] = (),
        formats: Sequence[str] = (),
    ) -> Edition:
        """Load and resolve a version that is newer than those before it, and extend the ledger by it. Arguments as in
        ``Edition`` and ``document.load``. Raises WireboundError with every problem of the version."""
        loaded = document.load(source, dialect=dialect, roots=roots, overlays=overlays, formats=formats)
        model = resolve(loaded, outline=self.outline, ledger=self.ledger, version=version)
        with placed(loaded.locate):
            self.ledger = ledger.extend(self.ledger, model, version)
            protocol_version = _protocol_version(rule, loaded, model, version)
        facts, named = Facts(model), self.ledger.until(version)
        history = self._history(facts, version)
        sources = None
        if rule != "stated" and loaded.path is not None:
            sources = provenance.gathered(
                loaded,
                facts,
                named,
                self.outline,
                folder=Path(loaded.path).absolute().parent.parent,
                version=version,
                command=command,
                protocol_version=rule,
                dialect=dialect,
                roots=roots or {},
                older={v: (self.contracts[v], one.facts) for v, one in self.editions.items()},
                policy=stated(self.policy) if self.editions else {},
                formats=formats,
            )
        self.contracts[version] = loaded
        edition = self.editions[version] = Edition(
            model=model,
            facts=facts,
            ledger=named,
            outline=self.outline,
            contract=contract,
            version=version,
            protocol_version=protocol_version,
            command=command,
            catalogues=self.catalogues,
            words=self.words,
            samples=Samples(facts, Path(loaded.path).absolute().parent if loaded.path else None),
            sources=sources,
            history=history,
        )
        return edition

    def _history(self, facts: Facts, version: str) -> History:
        """What became of the contract since the versions that are here already."""
        if not self.editions:
            return History()
        # Imported here: a contract with one version has no past.
        from codegen.evolve.chronicle import grown

        before = next(reversed(self.editions.values()))
        return grown(
            before.facts,
            before.history,
            facts,
            self.ledger.until(version),
            self.policy,
            before=before.version,
            version=version,
        )

    def freeze(self, versions: Iterable[str]) -> None:
        """Pin what ``versions`` assert, or see that they still assert it. Raises WireboundError (``frozen-version``)."""
        errors: list[WireboundError] = []
        for version in versions:
            with gathered(errors, self.contracts[version].locate):
                self.ledger = ledger.freeze(self.ledger, version, self.contracts[version].structure)
        raise_all(errors)

    def check_outline(self) -> None:
        """Refuse lines of the outline that speak of nothing in any version."""
        outline.check(self.outline, {version: edition.model for version, edition in self.editions.items()})

    def documents(self) -> list[Path]:
        """Every file that some version was read from."""
        read = (d for c in self.contracts.values() for d in (*c.documents.values(), *c.overlays))
        paths = [Path(document.path) for document in read]
        for version, edition in self.editions.items():
            # Examples are among the sources alone.
            folder = Path(self.contracts[version].path or "").absolute().parent.parent
            paths += [folder / name for name in (edition.sources.files if edition.sources else ())]
            paths += edition.samples.paths() if isinstance(edition.samples, Samples) else ()
        return sorted({path.absolute() for path in paths if path.is_file()})


def _protocol_version(rule: Rule, contract: Contract, model: Model, version: str) -> str:
    """What ``PROTOCOL_VERSION`` says. Raises ContractError where the contract does not say it as ``rule`` has it."""
    if rule == "folder":
        return version
    if rule == "$id":
        if version in model.id.split("/"):
            return version
        message, place = f'"$id" is {shown(model.id)}, without a segment {shown(version)}', Origin("", "/$id")
    else:
        value = contract.documents[""].value
        about = value.get("info") if isinstance(value, dict) else None
        stated = about.get("version") if isinstance(about, dict) else None
        if isinstance(stated, str):
            return stated
        if rule == "stated":
            return version
        message, place = 'there is no "version" in "info"', Origin("", "/info")
    help = f'correct the contract, or choose another protocol_version than "{rule}" in the manifest'
    raise ContractError([Problem(code="protocol-version", message=message, origin=place, help=help)])
