"""The patterns of a contract → problems of those that are no regular expressions, or that Python cannot match exactly.

Must not pass over those that nothing uses: a pattern is right or wrong by itself. Comes before all interpretation, which asks
patterns what they match.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.document import Contract
from codegen.errors import Problem, shown
from codegen.patterns import PatternError, translate
from codegen.pointer import Origin


def problems(contract: Contract) -> list[Problem]:
    """One problem for each place of such a pattern."""
    return list(_refused(contract))


def _refused(contract: Contract) -> Iterator[Problem]:
    for source, origin in _patterns(contract):
        try:
            translate(source)
        except PatternError as error:
            where = "" if error.construct == source else f" in the pattern {shown(source)}"
            yield Problem(
                code="unsupported-pattern",
                message=f"{shown(error.construct)}{where} {error.reason}",
                origin=origin,
                help="spell it as ECMA-262 does under flag u, or state the rule without it",
            )


def _patterns(contract: Contract) -> Iterator[tuple[str, Origin]]:
    for schema in contract.every_schema():
        written = schema.get("pattern")
        if isinstance(written, str):
            yield written, schema.at("pattern")
        for source in schema.named("patternProperties"):
            yield source, schema.at("patternProperties").at(source)
