"""What a job says → the options of the target ``python``.

Must not know a contract: an option that depends on one is an empty text until the edition is known.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from codegen.targets.python import release

Part: TypeAlias = Literal["models", "typed", "msgspec", "pydantic", "client"]
Unknown: TypeAlias = Literal["reject", "strip", "keep"]


PROJECT = ("distribution", "package_version", "revision", "description", "license", "authors", "urls", "classifiers")
"""The options that say nothing of the package itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a job may say.

    ``package`` is the import name ("": the contract's name with ``_bindings``). ``parts``: ``models`` are dataclasses with
    codecs, ``typed`` adds TypedDicts, ``msgspec`` Structs and ``pydantic`` models with codecs of their own, ``client`` what
    calls the operations, reads the streams and checks the webhooks that the contract has. ``unknown`` is the receiver's policy
    where a caller states none; ``open_world`` lets unions and enums hold what the contract does not list.

    The rest is about the project around the package (``PROJECT``), which the job of a manifest has. ``distribution`` is what is
    installed ("": ``package`` with hyphens). ``package_version`` is a template; ``revision`` is raised when the package changes
    and the contract does not. ``license`` is an SPDX expression, an author ``Name <address>`` or either; ``classifiers`` come
    after the usual ones.
    Raises ValueError for what no package can be.
    """

    package: str = ""
    parts: tuple[Part, ...] = ("models", "typed")
    unknown: Unknown = "reject"
    open_world: bool = False
    distribution: str = ""
    package_version: str = release.TEMPLATE
    revision: int = 0
    description: str = ""
    license: str = ""
    authors: tuple[str, ...] = ()
    urls: Mapping[str, str] = field(default_factory=dict)
    classifiers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.package and not (self.package.isascii() and self.package.isidentifier()):
            raise ValueError(f'package is "{self.package}", not letters, digits and underscores')
        if keyword.iskeyword(self.package):
            raise ValueError(f'package is "{self.package}", a keyword of Python')
        if "models" not in self.parts:
            raise ValueError('parts lack "models", on which every other part stands')
        if len(set(self.parts)) < len(self.parts):
            raise ValueError("parts name one part twice")
        self._judge_project()

    def _judge_project(self) -> None:
        if self.distribution and not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", self.distribution):
            raise ValueError(f'distribution is "{self.distribution}", not letters, digits and . _ - between them')
        places = release.places(self.package_version)
        if self.revision < 0:
            raise ValueError(f"revision is {self.revision}, less than 0")
        if self.revision and "revision" not in places:
            raise ValueError(f"revision is {self.revision}, and package_version has no place for it: {{revision}}")
        if "\n" in self.description:
            raise ValueError("description is several lines, not one")
        for label, url in self.urls.items():
            if not (1 <= len(label) <= 32 and re.fullmatch(r"https?://\S+", url)):
                raise ValueError(f'urls has "{label}" = "{url}", not a label of at most 32 letters and a web address')
        if self.license:
            # Imported here: its list of licences is long, and only a project that has one needs it.
            from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

            try:
                canonicalize_license_expression(self.license)
            except InvalidLicenseExpression:
                raise ValueError(f'license is "{self.license}", no SPDX expression such as "MIT"') from None
