"""What the generator lays out, black leaves alone: single statements at random, and whole modules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import black
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import codegen
from codegen.targets import quoting
from codegen.targets.layout import WIDTH, Either, Expression, Subscript, imported, listed, statement

MODE = black.Mode(line_length=WIDTH, target_versions={black.TargetVersion.PY311})


def unchanged(source: str) -> None:
    assert black.format_str(source, mode=MODE) == source


WORDS = st.integers(1, 40).map(lambda size: "Name" * (size // 4) + "x" * (size % 4 + 1))
TEXTS = st.integers(1, 30).map(lambda size: f'"{"word" * (size // 4)}{"y" * (size % 4 + 1)}"')


def either(parts: list[Expression]) -> Expression:
    flatter: list[Expression] = []
    for part in parts:
        flatter += part.parts if isinstance(part, Either) else (part,)
    unique = list(dict.fromkeys(flatter))
    return unique[0] if len(unique) == 1 else Either(tuple(unique))


LITERALS = st.lists(TEXTS, min_size=1, max_size=12, unique=True).map(lambda texts: Subscript("Literal", tuple(texts)))
EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    st.one_of(WORDS, LITERALS),
    lambda inner: st.one_of(
        inner.map(lambda part: Subscript("Sequence", (part,))),
        inner.map(lambda part: Subscript("Mapping", ("str", part))),
        st.lists(inner, min_size=2, max_size=6).map(either),
    ),
    max_leaves=10,
)


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS)
def test_aliases(expression: Expression) -> None:
    unchanged(statement("Name: TypeAlias = ", expression) + "\n")


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS, st.sampled_from(["", " = None", " = ABSENT"]))
def test_fields(expression: Expression, default: str) -> None:
    unchanged(f"class Record:\n    {statement('field_name: ', expression, default, indent=4)}\n")


@settings(max_examples=200, deadline=None)
@given(st.lists(EXPRESSIONS, min_size=1, max_size=3))
def test_members_of_a_functional_typed_dict(expressions: list[Expression]) -> None:
    lines = "".join(
        f"        {statement(f'{quoting.text(str(number))}: ', Subscript('NotRequired', (expression,)), ',', indent=8)}\n"
        for number, expression in enumerate(expressions)
    )
    unchanged(f'Name = TypedDict(\n    "Name",\n    {{\n{lines}    }},\n)\n')


@settings(max_examples=200, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_displays(texts: list[str]) -> None:
    unchanged(listed("VALUES: tuple[Name, ...] = (", texts, ")", tail=",") + "\n")
    unchanged(listed("__all__ = [", texts, "]") + "\n")


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=12, unique=True))
def test_imports(names: list[str]) -> None:
    unchanged(imported(".module", names) + "\n")


@settings(max_examples=500, deadline=None)
@given(st.text(alphabet=st.sampled_from(list("ab \"'\\\n\t\r{}#é한\u202e\x00\x7f\ufeff")), min_size=1, max_size=40))
def test_docstrings_hold_the_text(text: str) -> None:
    if not text.strip():
        return
    for indent, source in ((0, "{}"), (4, "class Name:\n    {}\n\n    field: int\n    {}")):
        doc = quoting.docstring(text, indent, 400)  # wide enough for 40 characters, whatever they are spelled as
        module = source.replace("{}", doc) + "\n"
        unchanged(module)
        names: dict[str, Any] = {}
        exec(f"value = {doc}", names)
        expected = [line.strip() for line in text.replace("\r\n", "\n").strip().split("\n")]
        assert [line.strip() for line in names["value"].strip().split("\n")] == expected
        assert doc.isprintable() or "\n" in doc


@settings(max_examples=500, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5))  # fmt: skip
def test_literals_are_the_value(value: Any) -> None:
    source = quoting.literal(value)
    assert "\n" not in source
    names: dict[str, Any] = {}
    exec(f"value = {source}", names)
    assert names["value"] == value and repr(names["value"]) == repr(value)


def test_long_lines_break_at_words() -> None:
    text = "word " * 60 + "\n\n    code " + "x" * 120 + "\n- item " + "word " * 30
    lines = quoting.docstring(text, 4, 100).split("\n")
    assert all(len(line) <= 100 for line in lines if "x" * 120 not in line)
    assert any(line.endswith("x" * 120) for line in lines), "what has no spaces is not broken"


CASES = [
    {"title": "Empty"},
    {"type": "object"},
    {"$defs": {"A": {"enum": ["x"]}, "B": {"type": "array", "items": {"$ref": "#/$defs/A"}}}},
    {"$defs": {"A": {"type": "string"}, "B": {"type": "object", "properties": {"a-b": {"$ref": "#/$defs/B"}}}}},
    {
        "$defs": {
            "Bounded": {
                "properties": {
                    "long": {"type": "string", "pattern": "x" * 120, "maxLength": 4000},
                    "pair": {"type": "number", "minimum": -10000.5, "maximum": 1e300},
                    "list": {"type": "array", "items": {"type": "string", "pattern": "^abc$"}, "minItems": 1},
                    "wire name": {"type": "string"},
                    **{f"another rather long wire name {n}": {"type": "string"} for n in range(5)},
                }
            }
        }
    },
    {"$defs": {f"Long{'Name' * 6}{n}": {"enum": [f"value-{i}" for i in range(n * 9)]} for n in range(1, 5)}},
    {
        "$defs": {
            "Wide": {"properties": {"a": {"anyOf": [{"$ref": f"#/$defs/Part{'Name' * 6}{n}"} for n in range(6)]}}},
            **{f"Part{'Name' * 6}{n}": {"type": "object", "properties": {"x": {"type": "integer"}}} for n in range(6)},
        }
    },
]  # fmt: skip


@pytest.mark.parametrize("contract", CASES, ids=lambda contract: str(list(contract.get("$defs", contract)))[:30])
@pytest.mark.parametrize(
    "options", [{}, {"parts": ["models"]}, {"parts": ["models", "msgspec"]}, {"open_world": True}], ids=str
)
def test_modules(contract: Any, options: dict[str, Any]) -> None:
    files = codegen.build(contract, options={"package": "p", **options})
    for name, content in files.items():
        if name.endswith(".py"):
            unchanged(content.decode())


def test_the_contract_of_this_repository() -> None:
    contract = Path(__file__).parents[1] / "schema" / "ag-ui" / "1.0" / "schema.json"
    files = codegen.build(contract, options={"parts": ["models", "typed", "msgspec"]})
    for name, content in files.items():
        if name.endswith(("models.py", "typed.py", "__init__.py", "_support/shapes.py", "_support/structs.py")):
            unchanged(content.decode())
