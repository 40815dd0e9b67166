"""JSON text of every hostile kind, read by each parser: the right value or a ``DecodeError``, the same from both."""

from __future__ import annotations

import datetime
import decimal
import enum
import importlib
import json
import math
import os
import random
import subprocess
import sys
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mutation import mutated
from tests.python_package import Package

CONTRACT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$ref": "#/$defs/Thing",
    "$defs": {
        "Thing": {
            "type": "object",
            "properties": {
                "id": {"type": "string"},
                "count": {"type": "integer"},
                "size": {"type": "number"},
                "any": True,
                "tree": {"$ref": "#/$defs/Tree"},
                "names": {"type": "array", "items": {"type": "string"}},
                "self": {"type": "string"},
                "__class__": {"type": "string"},
                "__proto__": {"type": "integer"},
            },
        },
        "Tree": {"type": "object", "properties": {"below": {"$ref": "#/$defs/Tree"}}, "additionalProperties": False},
    },
}
PARSERS = ("json", "msgspec")
Parse = Callable[[Any], Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("text"))


@pytest.fixture
def parsers(made: Package) -> Iterator[Callable[[Any], tuple[Any, ...]]]:
    """Reads a text with each parser and tells the outcomes, which must be one."""
    text = importlib.import_module(f"{made.name}._support.text")

    def outcomes(data: Any) -> tuple[Any, ...]:
        found = []
        for parser in PARSERS:
            text.use(parser)
            found.append(outcome(made.module.DecodeError, made.codecs.Thing, data))
        assert found[0] == found[1], data[:200]
        return found[0]

    yield outcomes
    text.use()


def outcome(refusal: type[Exception], codec: Any, data: Any) -> tuple[Any, ...]:
    """The value, spelled so that 1 and 1.0 and the order of members count; or the code of the fault."""
    try:
        value = codec.from_json(data)
    except refusal as error:
        return ("refused", *((fault.code, fault.pointer) for fault in error.errors))  # type: ignore[attr-defined]
    return ("accepted", repr(value), codec.to_json(value))


MEMBER = '{"id":"a","any":%s}'
VALUES = {
    "1.0": 1.0,
    "1e3": 1000.0,
    "-0": 0,
    "-0.0": -0.0,
    "1E+2": 100.0,
    "1e-400": 0.0,
    "5e-324": 5e-324,
    "1.7976931348623157e308": 1.7976931348623157e308,
    "9007199254740993": 9007199254740993,
    "18446744073709551616": 2**64,
    "-9223372036854775809": -(2**63) - 1,
    "9" * 4300: 10**4300 - 1,
    "0." + "0" * 5000 + "1": 0.0,
    "0.1" + "9" * 5000: 0.2,
    "123456789012345678901234567890.5": 123456789012345678901234567890.5,
    '"\\ud83d\\ude00"': "😀",
    '"\\u0000\\u001f\\/\\b"': "\0\x1f/\b",
    '"\x7f\u2028\uffff"': "\x7f\u2028\uffff",
    '{"a":1,"b":2,"a":3}': {"a": 3, "b": 2},
    '{"__class__":1,"self":2,"__proto__":3,"":4}': {"__class__": 1, "self": 2, "__proto__": 3, "": 4},
    '{"' + "k" * 10**6 + '":1}': {"k" * 10**6: 1},
    "[" * 255 + "]" * 255: None,
    "[" + ",".join(["{}"] * 1000) + "]": [{}] * 1000,
    '{"a":' * 255 + "1" + "}" * 255: None,
    '["' + "[{" * 500 + '","\\"","\\\\"]': ["[{" * 500, '"', "\\"],
}
REFUSED = {
    "NaN": "not-finite",
    "Infinity": "not-finite",
    "[-Infinity]": "not-finite",
    "1e400": "number-out-of-range",
    "-1e999999999999": "number-out-of-range",
    "9" * 309 + ".0": "number-out-of-range",
    "9" * 4301: "integer-too-long",
    "-" + "9" * 5000: "integer-too-long",
    '"\\ud800"': "lone-surrogate",
    '"\\udc00\\ud800"': "lone-surrogate",
    '"\\ud83d\\u0041"': "lone-surrogate",
    '{"\\uDFFF":1}': "lone-surrogate",
    '"\\\\\\ud800"': "lone-surrogate",
    "[" * 256 + "]" * 256: "nesting-too-deep",
    '{"a":' * 256 + "1" + "}" * 256: "nesting-too-deep",
    '[{"a\\"}":' * 200 + "1" + "}]" * 200: "nesting-too-deep",
    "[" + '"]}",' * 300 + "[" * 256 + "]" * 257: "nesting-too-deep",
    "[" * 100_000 + "]" * 100_000: "nesting-too-deep",
    '{"a":' * 100_000 + "1" + "}" * 100_000: "nesting-too-deep",
    "01": "invalid-json",
    "1.": "invalid-json",
    "+1": "invalid-json",
    "0x1": "invalid-json",
    "[1,]": "invalid-json",
    '{"a":1,}': "invalid-json",
    "{a:1}": "invalid-json",
    "'a'": "invalid-json",
    '"a\tb"': "invalid-json",
    '"a\0b"': "invalid-json",
    '"\\x41"': "invalid-json",
    '"\\u12"': "invalid-json",
    "tru": "invalid-json",
    "/**/1": "invalid-json",
    "1} x": "invalid-json",
}
WHOLE: list[tuple[bytes, str]] = [
    (b"", "invalid-json"),
    (b" \t\r\n", "invalid-json"),
    (b"\x0b{}", "invalid-json"),
    (b"{}\x00", "invalid-json"),
    (b"{} {}", "invalid-json"),
    (b"[" * 100_000, "nesting-too-deep"),
    (b"\xef\xbb\xbf{}", "byte-order-mark"),
    (b'{"id":"\xff"}', "invalid-utf8"),
    (b'{"\xc3":"a"}', "invalid-utf8"),
    (b'{"id":"\xed\xa0\x80"}', "invalid-utf8"),
    (b'{"id":"\xc0\x80"}', "invalid-utf8"),
    (b'{"id":"\xf4\x90\x80\x80"}', "invalid-utf8"),
    (b'{"id":"a","any":"' + b"a" * 600 + b'\xff"}', "invalid-utf8"),
]


@pytest.mark.parametrize(("literal", "value"), VALUES.items(), ids=lambda value: repr(value)[:30])
@pytest.mark.parametrize("spell", [str, str.encode])
def test_the_right_value(made: Package, parsers: Parse, literal: str, value: Any, spell: Callable[[str], Any]) -> None:
    text = spell(MEMBER % literal)
    kind, *_ = parsers(text)
    assert kind == "accepted"
    thing = made.codecs.Thing.from_json(text)
    assert value is None or (thing.any == value and type(thing.any) is type(value))
    if isinstance(value, float):
        assert math.copysign(1, thing.any) == math.copysign(1, value)
    assert made.codecs.Thing.from_json(made.codecs.Thing.to_json(thing)) == thing


@pytest.mark.parametrize(("literal", "code"), REFUSED.items(), ids=lambda value: repr(value)[:30])
@pytest.mark.parametrize("spell", [str, str.encode])
def test_refused_values(parsers: Parse, literal: str, code: str, spell: Callable[[str], Any]) -> None:
    assert parsers(spell(MEMBER % literal)) == ("refused", (code, ""))


@pytest.mark.parametrize(("text", "code"), WHOLE, ids=lambda value: repr(value)[:30])
def test_refused_texts(parsers: Parse, text: bytes, code: str) -> None:
    assert parsers(text) == ("refused", (code, ""))


@pytest.mark.parametrize("number", ["1.0", "1e3", "-0", "-0.0", "9" * 4300, "1E0"])
def test_integers_by_value(made: Package, parsers: Parse, number: str) -> None:
    text = f'{{"count":{number}}}'
    assert parsers(text)[0] == "accepted"
    count = made.codecs.Thing.from_json(text).count
    assert type(count) is int and count == json.loads(number)


def test_fields_that_are_called_like_python(made: Package, parsers: Parse) -> None:
    text = '{"self":"a","__class__":"b","__proto__":3}'
    assert parsers(text)[0] == "accepted"
    assert made.codecs.Thing.to_dict(made.codecs.Thing.from_json(text)) == json.loads(text)


def test_a_lone_surrogate_of_python(parsers: Parse) -> None:
    for text in (MEMBER % '"\ud800"', MEMBER % f'"{"a" * 600}\ud800"'):
        assert parsers(text) == ("refused", ("lone-surrogate", ""))


def test_text_is_bytes_or_str(made: Package) -> None:
    text = importlib.import_module(f"{made.name}._support.text")
    for parser in PARSERS:
        text.use(parser)
        assert made.codecs.Thing.from_json(bytearray(b'{"id":"a"}')) == made.codecs.Thing.from_json('{"id":"a"}')
        for data in (None, 5, ["{}"]):
            with pytest.raises(TypeError):
                made.codecs.Thing.from_json(data)
    text.use()


def test_nesting_is_measured_exactly(made: Package) -> None:
    """The two estimates of ``shallow`` never say more than is so; random texts whose depth is known by how they are made."""
    text = importlib.import_module(f"{made.name}._support.text")
    source = random.Random(1)

    def value(depth: int) -> tuple[str, int]:
        """A text and how deep it is."""
        if depth <= 0 or source.random() < 0.1:
            return source.choice(['"[\\"{"', '"\\\\"', "1", '"}]"', "null", "[]", "{}"]), 0
        parts = [value(depth - 1), *(value(source.randrange(3)) for _ in range(source.randrange(3)))]
        source.shuffle(parts)
        if source.random() < 0.5:
            return f"[{', '.join(part for part, _ in parts)}]", 1 + max(deep for _, deep in parts)
        members = (f'"a{{\\"{i}":{part}' for i, (part, _) in enumerate(parts))
        return f"{{{','.join(members)}}}", 1 + max(deep for _, deep in parts)

    seen = set()
    for _ in range(400):
        limit = source.randrange(1, 30)
        made_text = value(limit + source.randrange(-3, 4))[0]
        depth = measured(json.loads(made_text))
        text.NESTING_LIMIT = limit
        try:
            assert text.shallow(made_text.encode()) is (depth <= limit)
        finally:
            text.NESTING_LIMIT = 256
        seen.add(depth <= limit)
    assert seen == {True, False}


def measured(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(measured, value.values()), default=0)
    return 1 + max(map(measured, value), default=0) if isinstance(value, list) else 0


# --- writing ----------------------------------------------------------------------------------------------------------

TAGGED: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$ref": "#/$defs/Any",
    "$defs": {
        "Any": {"oneOf": [{"$ref": "#/$defs/One"}, {"$ref": "#/$defs/Two"}]},
        "One": {
            "type": "object",
            "required": ["kind", "text"],
            "properties": {
                "before": {"type": "string"},
                "kind": {"const": "one"},
                "text": {"type": "string"},
                "null": {"type": ["string", "null"]},
                "count": {"type": "integer"},
                "size": {"type": "number"},
                "sure": {"type": "boolean"},
                "any": True,
                "either": {"type": ["string", "integer", "array"], "items": {"$ref": "#/$defs/Two"}},
                "texts": {"type": "array", "items": {"type": "string"}},
                "others": {"type": "array", "items": {"$ref": "#/$defs/Any"}},
                "named": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Two"}},
                "counted": {"type": "object", "additionalProperties": {"type": "integer"}},
                "pair": {"type": "array", "prefixItems": [{"$ref": "#/$defs/Two"}, {"type": "string"}], "items": False},
                "colour": {"$ref": "#/$defs/Colour"},
                "number": {"enum": [1, 2]},
            },
        },
        "Two": {
            "type": "object",
            "required": ["kind"],
            "properties": {"kind": {"const": "two"}, "é": {"type": "string"}, "below": {"$ref": "#/$defs/Two"}},
        },
        "Odd": {"type": "object", "properties": {'a"b': {"type": "string"}, "c\\d": True, "e\nf": {"type": "integer"}}},
        "Little": {"type": "object", "properties": {"a": {"type": "string"}}},
        "Colour": {"enum": ["red", "blue"]},
    },
}


class Word(str):
    """A text of another class."""


class Number(int):
    """An integer of another class, which spells itself in its own way."""

    def __repr__(self) -> str:
        return "five"

    __str__ = __repr__


class Kind(str, enum.Enum):  # noqa: UP042  (not a StrEnum: what this one is must be written as well)
    RED = "red"


EVERY_CHARACTER = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF)
STRANGE: list[Any] = [
    *[None, True, False, 0, 1, -1, 1.0, -0.0, 1e16, 1e22, 1e-7, 5e-324, 1.5, math.nan, math.inf, -math.inf],
    *[2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**4299, 10**5000, Number(5), complex(1, 2)],
    *[
        "",
        "a",
        '"',
        "\\",
        "\0\x1f\x7f\x80\u2028\ud7ff\ue000\uffff\U0010ffff",
        "é" * 50,
        "a" * 50 + '"',
        "\ud800",
        "a" * 50 + "\udfff",
    ],
    *[EVERY_CHARACTER, Word("a"), Word("b" * 60), Kind.RED, "red", b"a", bytearray(b"a"), memoryview(b"a")],
    *[[], ["a"], ["a", 1], ["a", "\ud800"], [Word("a")], ("a",), deque(["a"]), [math.nan], [1e16], [2**70], {"a"}, ...],
    *[
        {},
        {"a": 1},
        {1: "a"},
        {Word("a"): 1},
        {"a": math.nan},
        {"\ud800": 1},
        {"b": {"c": [None]}},
        MappingProxyType({"a": 1}),
    ],
    *[
        datetime.datetime(2026, 1, 1),
        datetime.date(2026, 1, 1),
        decimal.Decimal("1.5"),
        uuid.UUID(int=1),
        range(3),
        object(),
    ],
]


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(TAGGED, tmp_path_factory.mktemp("tagged"))


def written(package: Package, codec: Any, value: Any) -> Any:
    """What each parser's encoder writes, or says; it must be one."""
    text = importlib.import_module(f"{package.name}._support.text")
    found = []
    for parser in PARSERS:
        text.use(parser)
        try:
            found.append(codec.to_json(value))
        except package.module.EncodeError as error:
            found.append(str(error))
    text.use()
    assert found[0] == found[1], type(value)
    return found[0]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "before",
            "kind",
            "text",
            "null",
            "count",
            "size",
            "sure",
            "any",
            "either",
            "texts",
            "others",
            "named",
            "counted",
        ),
        *("pair", "colour", "number", "extra"),
    ],
)
def test_both_write_the_same(tagged: Package, name: str) -> None:
    """Strange values at every kind of place: the same bytes, or the same error."""
    models = tagged.models
    two = models.Two(é="a", below=models.Two(extra={"b": 1.5}), extra={"a": [1]})
    values = [
        *STRANGE,
        two,
        [two],
        (two,),
        {"a": two},
        [two, "a"],
        models.One(text="b", texts=["c"]),
        [models.One(text="d")],
    ]
    seen = set()
    for value in values:
        one = models.One(text="a")
        setattr(one, name, value)
        for codec in (tagged.codecs.One, tagged.codecs.Any):
            seen.add(type(written(tagged, codec, one)))
    assert seen == {bytes, str}


@pytest.mark.parametrize("name", ["", *TAGGED["$defs"]])
def test_both_write_the_same_whole_value(tagged: Package, name: str) -> None:
    for value in STRANGE:
        written(tagged, tagged.codecs.CODECS[name], value)


def test_names_that_no_structure_can_have(tagged: Package) -> None:
    odd = tagged.codecs.Odd.from_dict({'a"b': "é", "c\\d": [1.5, None], "e\nf": 2**70, "more": "\n"})
    expected = '{"a\\"b":"é","c\\\\d":[1.5,null],"e\\nf":1180591620717411303424,"more":"\\n"}'
    assert written(tagged, tagged.codecs.Odd, odd) == expected.encode()
    little = tagged.models.Little()
    assert written(tagged, tagged.codecs.Little, little) == b"{}"
    little.extra = {"b": "\ud7ff"}
    assert written(tagged, tagged.codecs.Little, little) == '{"b":"\ud7ff"}'.encode()


def test_what_contains_itself_cannot_be_written(tagged: Package) -> None:
    two = tagged.models.Two()
    two.below = two
    assert "contains itself" in written(tagged, tagged.codecs.Two, two)


# --- without msgspec, and without asking for it -----------------------------------------------------------------------

CHOICES = """
import sys
sys.path.insert(0, {folder!r})
{before}
import {package}
assert not sys.modules.get("msgspec"), "nothing is imported before the first text"
{package}.codecs.Thing.from_json(b'{{"id":"a"}}')
print(bool(sys.modules.get("msgspec")))
"""


@pytest.mark.parametrize(
    ("before", "environment", "expected"),
    [
        ("", {}, "True"),
        ("", {"WIREBOUND_PARSER": "json"}, "False"),
        ("", {"WIREBOUND_PARSER": "msgspec"}, "True"),
        ("sys.modules['msgspec'] = None", {}, "False"),
    ],
)
def test_the_choice_of_the_parser(made: Package, before: str, environment: dict[str, str], expected: str) -> None:
    code = CHOICES.format(folder=str(made.folder.parent), package=made.name, before=before)
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert (run.stdout.strip(), run.stderr) == (expected, "")


def test_an_unknown_parser_is_refused(made: Package) -> None:
    text = importlib.import_module(f"{made.name}._support.text")
    with pytest.raises(ValueError, match="orjson"):
        text.use("orjson")


def test_an_unknown_parser_of_the_environment_is_told_with_the_first_text(made: Package) -> None:
    for call in ("from_json(b'{{}}')", "to_json({package}.models.Thing())"):
        code = f"import sys; sys.path.insert(0, {str(made.folder.parent)!r}); import {made.name}; {made.name}.codecs.Thing."
        run = subprocess.run(
            [sys.executable, "-c", code + call.format(package=made.name)],
            capture_output=True,
            text=True,
            env={**os.environ, "WIREBOUND_PARSER": "orjson"},
            check=False,
        )
        assert run.stderr.strip().endswith("""ValueError: a parser is "json" or "msgspec", not 'orjson'""")


# --- memory -----------------------------------------------------------------------------------------------------------

LARGE = {
    "a million items": 'b\'{"any":[\' + b",".join([b"1"] * 10**6) + b"]}"',
    "a million names": 'b\'{"names":[\' + b",".join([b\'"ab"\'] * 10**6) + b"]}"',
    # The standard library shares texts of one letter, msgspec does not.
    "a million letters": 'b\'{"names":[\' + b",".join([b\'"a"\'] * 10**6) + b"]}"',
    "letters and numbers": 'b\'{"any":[\' + b",".join([b\'"a",1,[]\'] * 10**5) + b"]}"',
    "a name and a letter": 'b\'{"any":[\' + b",".join([b\'"a","ab"\'] * 10**5) + b"]}"',
    "a megabyte key": 'b\'{"any":{"\' + b"k" * 10**6 + b\'":1}}\'',
    "a megabyte of text": 'b\'{"id":"\' + b"\\xc3\\xa9" * 10**6 + b\'"}\'',
    "a megabyte of escapes": 'b\'{"id":"\' + b"\\\\\\\\" * 10**6 + b\'"}\'',
    "many objects": 'b\'{"any":[\' + b",".join([b\'{"a":{}}\'] * 10**5) + b"]}"',
    "many digits": 'b\'{"any":[\' + b",".join([b"9" * 4000] * 500) + b"]}"',
}
MEASURE = """
import json, sys, tracemalloc
sys.path.insert(0, {folder!r})
import {package}
from {package}._support import text
data = {document}
text.use({parser!r})
codec = {package}.codecs.Thing
codec.from_json(b'{{"id":"a","any":[1]}}')
def peak(read):
    tracemalloc.start()
    read(data)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found
print(peak(json.loads), peak(codec.from_json))
"""


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("document", LARGE)
def test_peak_memory(made: Package, document: str, parser: str) -> None:
    code = MEASURE.format(folder=str(made.folder.parent), package=made.name, document=LARGE[document], parser=parser)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    floor, ours = map(int, run.stdout.split())
    assert ours <= 4 * floor


# --- at random --------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["id", "count", "any", "tree"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text() | st.sampled_from(["any", "id"]), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_bytes(made: Package, data: st.DataObject) -> None:
    text = importlib.import_module(f"{made.name}._support.text")
    value = data.draw(JSON)
    document = json.dumps({"any": value} if data.draw(st.booleans()) else value, ensure_ascii=data.draw(st.booleans()))
    source = random.Random(data.draw(st.integers(0, 2**32)))
    octets = document.encode("utf-8", "surrogatepass")
    for _ in range(data.draw(st.integers(0, 3))):
        octets = mutated(octets, source)
    found = []
    for parser in PARSERS:
        text.use(parser)
        found.append(outcome(made.module.DecodeError, made.codecs.Thing, octets))
    text.use()
    assert found[0] == found[1]


FOUND = sorted((Path(__file__).parent / "texts").glob("*.json"))


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_the_search_found(parsers: Parse, path: Path) -> None:
    """Texts that a search of millions (``tests/fuzz.py``) found to be read otherwise than they should."""
    parsers(path.read_bytes())
