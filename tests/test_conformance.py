"""The JSON Schema test suite → the verdicts of the codecs, of the model alone and of the oracle; and the committed report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conformance import (
    FOLDERS,
    HEAD,
    REPORT,
    SUITE,
    Row,
    by_codec,
    by_model,
    by_models,
    by_oracle,
    by_structs,
    rows,
    section,
)

pytestmark = pytest.mark.skipif(not SUITE.is_dir(), reason="the JSON Schema test suite is not here")

each_dialect = pytest.mark.parametrize("dialect", FOLDERS)

# Where the oracle itself is wrong, which its package's authors know as well; the other suites stay clear of these.
ORACLE_IS_WRONG = {
    "2019-09": {
        "unevaluatedProperties with adjacent non-bool additionalProperties: with additional properties",
        "schema that uses custom metaschema with with no validation vocabulary: "
        "no validation: invalid number, but it still validates",
    },
    "2020-12": {
        "schema that uses custom metaschema with with no validation vocabulary: "
        "no validation: invalid number, but it still validates",
    },
}


def required(way: Callable[..., Any], dialect: str) -> list[Row]:
    return [row for name, row in rows(way, dialect).items() if not name.startswith("optional/")]


@each_dialect
@pytest.mark.parametrize("way", [by_codec, by_model], ids=["codec", "model"])
def test_no_required_verdict_is_wrong(way: Callable[..., Any], dialect: str) -> None:
    found = required(way, dialect)
    assert sum(row.total for row in found) > 600
    assert [f"{row.file}: {text}" for row in found for text in row.wrong] == []


@each_dialect
@pytest.mark.parametrize("way", [by_codec, by_model], ids=["codec", "model"])
def test_no_required_schema_is_refused(way: Callable[..., Any], dialect: str) -> None:
    assert {row.file: dict(row.refused) for row in required(way, dialect) if row.refused} == {}


@pytest.mark.slow
@each_dialect
@pytest.mark.parametrize("way", [by_structs, by_models], ids=["msgspec", "pydantic"])
def test_no_verdict_of_a_part_is_wrong(way: Callable[..., Any], dialect: str) -> None:
    """One group in forty, a package for each; ``make conformance`` takes all of them."""
    found = [row for name, row in rows(way, dialect, 40).items() if not name.startswith("optional/")]
    assert sum(row.total for row in found) > 10
    assert [f"{row.file}: {text}" for row in found for text in row.wrong] == []


@each_dialect
def test_the_oracle_is_right_where_it_is_asked(dialect: str) -> None:
    wrong = {text for row in required(by_oracle, dialect) for text in row.wrong}
    assert {text.partition(" (")[0] for text in wrong} == ORACLE_IS_WRONG.get(dialect, set())


@each_dialect
def test_optional_verdicts_are_wrong_for_the_stated_reasons_alone(dialect: str) -> None:
    """``format`` and ``content…`` are annotations; nothing else that the suite calls optional is judged otherwise."""
    annotations = ("optional/format/", "optional/content.json", "optional/format-assertion.json")
    wrong = [
        f"{row.file}: {text}"
        for name, row in rows(by_codec, dialect).items()
        if not name.startswith(annotations)
        for text in row.wrong
    ]
    assert wrong == []


@each_dialect
def test_the_committed_report_says_what_is_so(dialect: str) -> None:
    report = REPORT.read_text(encoding="utf-8")
    assert report.startswith(HEAD)
    assert section(dialect) in report, "make conformance"
