"""The version of a contract and a job's revision → the version of the package, as Python spells versions (PEP 440).

Must not guess: what is no version after the template is filled in is for the manifest to state.
"""

from __future__ import annotations

import re
from string import Formatter

from packaging.version import InvalidVersion, Version

TEMPLATE = "{contract_version}.{revision}"
PLACES = frozenset({"contract_version", "revision"})

_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")


def places(template: str) -> frozenset[str]:
    """What is to be filled in. Raises ValueError for a template that names anything else."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError:
        raise ValueError(f'package_version is "{template}", whose braces do not match') from None
    found = frozenset(name for _, name, _, _ in parts if name is not None)
    if found - PLACES or any(form or conversion for _, _, form, conversion in parts):
        raise ValueError(f'package_version is "{template}"; it can hold {{contract_version}} and {{revision}} alone')
    return found


def released(template: str, contract_version: str, revision: int) -> str:
    """The version in its normal form: ``2026-07-28`` and revision 1 give ``2026.7.28.1``. Raises ValueError for none."""
    if date := _DATE.fullmatch(contract_version):
        contract_version = ".".join(str(int(part)) for part in date.groups())
    text = template.format(contract_version=contract_version, revision=revision)
    try:
        version = Version(text)
    except InvalidVersion:
        raise ValueError(f'"{text}" is no version of a Python package (PEP 440)') from None
    if version.local is not None:
        raise ValueError(f'"{text}" is a local version, which no index takes (PEP 440)')
    return str(version)


def is_major(before: Version, after: Version) -> bool:
    """Whether ``after`` may break those who have ``before``: the first number that is not 0 in both grew, or one before it."""
    old, new = (*before.release, 0, 0, 0)[:3], (*after.release, 0, 0, 0)[:3]
    first = next((position for position in range(3) if old[position] or new[position]), 2)
    return (before.epoch, old[: first + 1]) < (after.epoch, new[: first + 1])
