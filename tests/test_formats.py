"""Formats that are asserted → the same verdicts as the standard library's, the JSON Schema test suite's, and the model's.

Must not list what the table does: texts are made, or come from the suite (skipped where it is not there).
"""

from __future__ import annotations

import calendar
import ipaddress
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from agreement import complaints

import codegen
from codegen.cli import run
from codegen.derive import Derivation
from codegen.document import load
from codegen.dump import dump
from codegen.errors import WireboundError
from codegen.facts import Facts
from codegen.formats import FORMATS
from codegen.lint.ambiguity import ambiguity
from codegen.manifest import load as read_manifest
from codegen.model import Ref
from codegen.patterns import translate, tree
from codegen.resolve import resolve

ROOT = Path(__file__).parents[1]
SUITE = ROOT.parent / "shared/corpus/json-schema-test-suite/tests"
DIALECTS = {"draft4": "draft-04", "draft6": "draft-06", "draft7": "draft-07", "draft2019-09": "2019-09"}
DIALECTS["draft2020-12"] = "2020-12"
MATCHES = {name: re.compile(translate(source)).search for name, source in FORMATS.items()}


def suite() -> list[tuple[str, dict[str, Any]]]:
    """Each group of the suite about a format that can be asserted, with its dialect."""
    found = []
    for folder, dialect in DIALECTS.items():
        for path in sorted((SUITE / folder / "optional/format").glob("*.json")):
            groups = json.loads(path.read_text(encoding="utf-8"))
            found += [(dialect, group) for group in groups if group["schema"].get("format") in FORMATS]
    return found


@pytest.mark.skipif(not SUITE.is_dir(), reason="the JSON Schema test suite is not there")
def test_the_suite() -> None:
    wrong, judged = [], 0
    made: dict[str, Any] = {}
    for dialect, group in suite():
        key = dialect + json.dumps(group["schema"])
        if key not in made:
            options = {"assert_formats": [group["schema"]["format"]]}
            made[key] = codegen.codecs(group["schema"], dialect=dialect, options=options)[""]
        for test in group["tests"]:
            judged += 1
            wrong += [
                f"{dialect} {group['schema']['format']}: {test['description']}: {text}"
                for text in complaints(made[key], test["data"], test["valid"])
            ]
    assert judged > 1500
    assert wrong == []


def test_dates_are_those_of_the_calendar() -> None:
    for year in (*range(0, 10_000, 4), 1, 1999, 2023):
        leap = calendar.isleap(year)
        assert bool(MATCHES["date"](f"{year:04}-02-29")) == leap, year
        for month in range(14):
            last = 0 if not 1 <= month <= 12 else calendar.monthrange(2024 if leap else 2023, month)[1]
            for day in (0, 1, 28, 29, 30, 31, 32):
                text = f"{year:04}-{month:02}-{day:02}"
                assert bool(MATCHES["date"](text)) == (1 <= day <= last), text


def test_the_leap_second_is_the_last_of_a_day_of_universal_time() -> None:
    for offset in range(-1439, 1440):
        sign, (hours, minutes) = "-" if offset < 0 else "+", divmod(abs(offset), 60)
        right = (23 * 60 + 59 + offset) % 1440
        for clock in {right, (right + 1) % 1440, (right - 1) % 1440, (right + 60) % 1440}:
            text = f"{clock // 60:02}:{clock % 60:02}:60.5{sign}{hours:02}:{minutes:02}"
            assert bool(MATCHES["time"](text)) == (clock == right), text
            assert bool(MATCHES["date-time"](f"1998-12-31t{text}")) == (clock == right), text
    assert MATCHES["time"]("23:59:60z") and not MATCHES["time"]("22:59:60Z")


def accepts(read: Any, text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "read", "parts"),
    [
        ("ipv4", ipaddress.IPv4Address, ["0", "1", "10", "99", "199", "249", "250", "255", "256", "01", "", "a"]),
        ("ipv6", ipaddress.IPv6Address, ["0", "1", "ffff", "00", "0Db8", "abcde", "1.2.3.4", "256.1.1.1", "g", "", ""]),
    ],
)
def test_addresses_are_those_of_the_standard_library(name: str, read: Any, parts: list[str]) -> None:
    chance, seen = random.Random(1), set()
    for _ in range(50_000):
        mark = "." if name == "ipv4" else ":"
        count = chance.choice((3, 4, 4, 4, 5)) if name == "ipv4" else chance.randint(1, 9)
        some = [chance.choice(parts if chance.random() < 0.1 else parts[:3]) for _ in range(count)]
        at = chance.randint(0, count)
        gap = name == "ipv6" and chance.random() < 0.9
        text = mark.join(some[:at]) + "::" + mark.join(some[at:]) if gap else mark.join(some)
        right = accepts(read, text)
        seen.add(right)
        assert bool(MATCHES[name](text)) == right, text
    assert seen == {True, False}


def test_identifiers_are_those_of_the_standard_library_as_they_are_written() -> None:
    chance = random.Random(2)
    for _ in range(2_000):
        text = str(UUID(int=chance.getrandbits(128)))
        assert MATCHES["uuid"](text) and MATCHES["uuid"](text.upper())
        at = chance.randrange(36)
        for spoilt in (text[:at] + text[at + 1 :], text[:at] + "g" + text[at + 1 :], text[:at] + "-" + text[at:]):
            assert not MATCHES["uuid"](spoilt), spoilt


@pytest.mark.parametrize("name", FORMATS)
def test_no_text_makes_them_slow(name: str) -> None:
    assert ambiguity(tree(FORMATS[name])) is None


# --- wherever a format stands -------------------------------------------------------------------------------------------

CONTRACT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "format": "date", "pattern": "^2"},
        "any": {"format": "uuid"},
        "beside": {"$ref": "#/$defs/Text", "format": "ipv4"},
        "listed": {"enum": ["1.2.3.4", "x", 1], "format": "ipv4"},
        "other": {"type": "string", "format": "email"},
        "refused": {"type": "string", "not": {"format": "date"}},
        "either": {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "json-pointer"}]},
        "both": {"allOf": [{"type": "string", "format": "json-pointer"}, {"format": "uri-reference"}]},
    },
    "unevaluatedProperties": {"format": "date"},
    "$defs": {"Text": {"type": "string"}},
}


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        ({"text": "2024-02-29"}, None),
        ({"text": "2023-02-29"}, "#/properties/text/format"),
        ({"any": 1}, None),
        ({"any": "x"}, "#/properties/any/format"),
        ({"beside": "1.2.3.4"}, None),
        ({"beside": "1.2.3"}, "#/properties/beside/format"),
        ({"listed": "1.2.3.4"}, None),
        ({"listed": 1}, None),
        ({"listed": "x"}, "#/properties/listed/format"),
        ({"other": "no address"}, None),
        ({"refused": "2024-02-29"}, "#/properties/refused/not"),
        ({"either": "/a"}, None),
        ({"either": "a"}, "#/properties/either/anyOf"),
        ({"both": "/a"}, None),
        ({"both": "a"}, "#/properties/both/allOf/0/format"),
        ({"both": "/<"}, "#/properties/both/allOf/1/format"),
        ({"more": "2024-02-29"}, None),
        ({"more": "today"}, "#/unevaluatedProperties/format"),
    ],
)
def test_every_place_asserts(document: Any, rule: str | None) -> None:
    describing, codec = (codegen.codecs(CONTRACT, options={"assert_formats": given})[""] for given in (None, True))
    # Described only, a format refuses nothing; but ``not`` of what refuses nothing refuses everything.
    assert list(complaints(describing, document, "refused" not in document, CONTRACT)) == []
    assert list(complaints(codec, document, rule is None, CONTRACT)) == []
    if rule is not None:
        with pytest.raises(ValueError) as refused:
            codec.from_dict(document)
        (fault,) = refused.value.errors  # type: ignore[attr-defined]
        assert fault.rule == rule
        assert fault.code == {"not": "forbidden", "anyOf": "no-variant"}.get(rule.split("/")[-1], "wrong-format")


def test_the_model_says_the_same_around_every_border() -> None:
    model = resolve(load(CONTRACT, formats=["all"]))
    derivation = Derivation(Facts(model))
    codec = codegen.codecs(CONTRACT, options={"assert_formats": "all"})[""]
    assert isinstance(model.root, Ref)
    documents = list(derivation.derive(model.root.key))
    assert len(documents) > 20
    for document in documents:
        valid = derivation.judge.accepts(model.root, document.value)
        assert list(complaints(codec, document.value, valid, CONTRACT)) == []
    assert 'text (matching "^2", date asserted)' in dump(model, Facts(model))


def test_only_what_is_asked_for() -> None:
    codec = codegen.codecs(CONTRACT, options={"assert_formats": "ipv4,uuid"})[""]
    codec.from_dict({"more": "today"})
    with pytest.raises(ValueError):
        codec.from_dict({"any": "x"})


# --- who can ask for it -------------------------------------------------------------------------------------------------


def test_a_format_that_cannot_be_asserted_is_a_problem() -> None:
    for names in (["email"], "date,email"):
        with pytest.raises(WireboundError) as refused:
            codegen.codecs(CONTRACT, options={"assert_formats": names})
        assert [problem.code for problem in refused.value.problems] == ["unknown-format"]
    with pytest.raises(WireboundError, match='assert_formats is "1", no list of names'):
        codegen.codecs(CONTRACT, options={"assert_formats": 1})


MANIFEST = """\
[contracts.shop]
path = "schema/shop"
assert_formats = {formats}

[[jobs]]
contract = "shop"
target = "python"
"""


def project(folder: Path, formats: str) -> None:
    (folder / "schema/shop/1.0").mkdir(parents=True)
    (folder / "schema/shop/1.0/schema.json").write_text(json.dumps({"title": "Order", **CONTRACT}))
    (folder / "wirebound.toml").write_text(MANIFEST.format(formats=formats))


@pytest.mark.parametrize(
    ("formats", "chosen"), [("true", ("all",)), ("false", ()), ("[]", ()), ('["date", "uuid"]', ("date", "uuid"))]
)
def test_a_manifest_asks_for_a_contract(tmp_path: Path, formats: str, chosen: tuple[str, ...]) -> None:
    project(tmp_path, formats)
    (entry,) = read_manifest(tmp_path / "wirebound.toml").contracts
    assert entry.formats == chosen


def test_a_manifest_with_an_unknown_format_is_refused_at_its_line(tmp_path: Path) -> None:
    project(tmp_path, '["date", "mail"]')
    with pytest.raises(WireboundError, match=r'toml:3:1: unknown-format: the format "mail" cannot'):
        read_manifest(tmp_path / "wirebound.toml")


def test_validate_asserts_and_a_package_says_what_it_was_made_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, '["date"]')
    monkeypatch.chdir(tmp_path)
    document = tmp_path / "one.json"
    document.write_text('{"text": "2023-02-29"}')
    contract = "schema/shop/1.0/schema.json"
    assert run(["validate", contract, str(document)]) == 0
    assert run(["validate", contract, "--assert-format", "date", str(document)]) == 1
    assert 'one.json:1:2: wrong-format: found "2023-02-29", expected text of the format' in capsys.readouterr().out
    assert run(["validate", contract, "--assert-format", "mail", str(document)]) == 2
    assert run(["generate"]) == 0
    made = tmp_path / "generated/shop/1.0/python"
    (kept,) = made.rglob("manifest.toml")
    assert 'assert_formats = ["date"]' in kept.read_text()
    script = "import shop_bindings as b; b.codecs.Order.from_dict({'text': '2023-02-29'})"
    done = subprocess.run([sys.executable, "-c", script], cwd=made, capture_output=True, text=True)
    assert "wrong-format" in done.stderr, done.stderr
