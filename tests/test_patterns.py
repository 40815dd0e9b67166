"""ECMA-262 patterns against node: what one accepts the other accepts, and both match the same strings."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.patterns import PatternError, translate
from codegen.patterns.codepoints import complement, property_, union

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")

JUDGE = """
const lines = require("readline").createInterface({input: process.stdin});
lines.on("line", line => {
  const [source, texts] = JSON.parse(line);
  let answer;
  const matches = (pattern, text) => {
    for (let at = 0; at <= text.length; at += at < text.length && text.codePointAt(at) > 0xffff ? 2 : 1) {
      pattern.lastIndex = at;
      if (pattern.test(text)) return true;
    }
    return false;
  };
  try { const pattern = new RegExp(source, "uy"); answer = texts.map(text => matches(pattern, text)); }
  catch (error) { answer = null; }
  console.log(JSON.stringify(answer));
});
"""


# Sticky at each code point: an unanchored search of V8 also finds empty matches between the halves of a surrogate pair,
# where the standard (ECMA-262, 22.2.7.2) never looks.


class Node:
    """A node process that says which texts a pattern matches; None when it is no pattern."""

    def __init__(self) -> None:
        assert NODE is not None
        self.process = subprocess.Popen([NODE, "-e", JUDGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def matches(self, source: str, texts: list[str]) -> list[bool] | None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([source, texts]) + "\n")
        self.process.stdin.flush()
        answer: list[bool] | None = json.loads(self.process.stdout.readline())
        return answer


@pytest.fixture(scope="module")
def node() -> Node:
    judge = Node()
    yield judge  # type: ignore[misc]
    judge.process.kill()


def ours(source: str, texts: list[str]) -> list[bool]:
    return [re.search(translate(source), text) is not None for text in texts]


TEXTS = [
    "",
    "a",
    "A",
    "1",
    "٣",
    "é",
    "_",
    "-",
    "\n",
    "\u2028",
    "x\n",
    "ab",
    "aab",
    "😀",
    "\ufeff",
    "\x85",
    "\x1c",
    "ſ",
    "K",
]


@needs_node
@pytest.mark.parametrize(
    "source",
    [
        "^(/([^/~]|~[01])*)*$", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"^\w$", r"\b", r"\B", r"\bab", "a$", "^$",
        "^.$", ".", "a.b",
        "[^]", "[]", "[^a]", "a|", "(?:)", r"[\d\-x]", r"[\b]", r"\x61", r"\u0061", r"\u{61}", r"\ud83d\ude00", "😀",
        "^[😀-😂]$",
        r"\cJ", r"\0", r"[\0]", r"\/", "a{1}", "a{2,}", "a{1,2}b", "a+?b", "(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b",
        "(?<=a|bc)b",
        r"(?<x>a)\k<x>", r"(a)\1", r"(a)?\1b", r"(?:(a)|b)\1", r"(?=(a))\1", r"\p{L}", r"\P{L}", r"^\p{Lu}$",
        r"\p{Script=Greek}",
        r"[\p{Nd}_]", r"[^\P{Nd}]", r"\p{ASCII}", r"\p{Any}", r"^\p{Emoji}$", "[a-z&&b]", "[[]", "[a||b]", r"[\]]",
        "x*", "[-a]",
        "[a-]", "(?:a*)*", "(?:a|b?)*c", r"\t\n\v\f\r", r"[\s\S]", "a(?:b|c)d", r"^\u{1F600}$", "~", "`",
        "@#%&:;'\"<>,=!", " ",
    ],
)  # fmt: skip
def test_same_matches(node: Node, source: str) -> None:
    expected = node.matches(source, TEXTS)
    assert expected is not None, "the pattern is none"
    assert ours(source, TEXTS) == expected


@needs_node
@pytest.mark.parametrize(
    "source",
    [
        "(", ")", "[", "]", "{", "}", "a{", "a{1", "{1}", "*", "+a", "a**", "a{2,1}", "(?a)", "(?<a", r"\k<a>",
        r"\k", r"\1", r"\8",
        r"\a", r"\-", r"\_", r"\u", r"\u{110000}", r"\x1", r"\c1", r"\01", r"[\1]", r"[\B]", r"[a-\d]", r"[\d-a]",
        "[b-a]",
        r"\p", r"\p{}", r"\p{Latin}", r"\p{lu}", r"\p{Script=Nope}", r"\p{L", "(?=a)*", "(?!a)+", "(?<=a)?", "^*",
        r"\b+",
        "(?<x>a)(?<x>b)", "(?<1>a)", "[", "\\", "a|*", r"[\c]", r"\pL",
    ],
)  # fmt: skip
def test_no_pattern(node: Node, source: str) -> None:
    assert node.matches(source, []) is None, "node takes it"
    with pytest.raises(PatternError):
        translate(source)


@pytest.mark.parametrize(
    "source",
    [
        r"(?<=a+)b",
        r"(?<=a|b*)c",
        r"(?<=(a))\1",
        r"(?:(a)|b)*\1",
        r"\1(a)",
        r"(?:(a)\1)+",
        r"(?!(a))\1b",
        r"(a\1)",
        "(?i:a)",
    ],
)
def test_refused_with_its_construct(source: str) -> None:
    """Patterns that are right and that Python cannot match exactly: the error shows which part."""
    with pytest.raises(PatternError) as caught:
        translate(source)
    assert caught.value.construct in source
    assert caught.value.reason


PARTS = st.sampled_from(
    ["a", "b", "_", "1", ".", "^", "$", r"\b", r"\B", r"\d", r"\w", r"\W", r"\s", "[ab]", "[^a]", "[]", "[^]",
    r"[\d_]", "-", "é",
     "😀", "(a)", "(?:b)", r"\1", r"\2", "(?<n>a)", r"\k<n>", r"\p{L}", r"\P{Lu}", "[a-b1]", r"\u{61}", r"\n", "\n",
     "&", "[[&]"]
)  # fmt: skip
PATTERNS = st.recursive(
    PARTS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        st.tuples(st.sampled_from(["(", "(?:", "(?=", "(?!", "(?<=", "(?<!"]), inner).map(lambda p: p[0] + p[1] + ")"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "*?", "{2}", "{1,2}", "{0,1}?", "{1,}"])).map("".join),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}"])).map(lambda p: f"(?:{p[0]}){p[1]}"),
    ),
    max_leaves=8,
)
SUBJECTS = st.lists(st.text(alphabet="ab_1é😀\n -&A", max_size=6), min_size=4, max_size=4)


@needs_node
@settings(max_examples=400, deadline=None)
@given(PATTERNS, SUBJECTS)
def test_random_patterns(node: Node, source: str, texts: list[str]) -> None:
    expected = node.matches(source, texts)
    try:
        found = ours(source, texts)
    except PatternError as error:
        assert expected is None or "Python" in error.reason or "varying length" in error.reason, (source, error)
        return
    assert found == expected, (source, translate(source))


@needs_node
def test_table_is_what_node_knows() -> None:
    """Each property of the pinned table, at its edges, where node knows the same version of Unicode."""
    assert NODE is not None
    version = subprocess.run([NODE, "-p", "process.versions.unicode"], capture_output=True, text=True).stdout.strip()
    if version != "17.0":
        pytest.skip(f"node knows Unicode {version}, the table is of 17.0")
    judge = Node()
    names = ["L", "Lu", "Cn", "C", "LC", "Script=Hangul", "scx=Deva", "sc=Zyyy", "scx=Zinh", "Alphabetic",
    "ID_Start", "gc=punct",
             "Emoji", "White_Space", "XIDC", "Assigned", "M", "Uppercase", "Unified_Ideograph", "Sc",
             "Changes_When_NFKC_Casefolded"]  # fmt: skip
    for name in names:
        ranges = property_(name)
        assert ranges is not None
        edges = {edge for first, last in ranges for edge in (first - 1, first, last, last + 1)}
        texts = [chr(code) for code in sorted(edges) if 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF]
        expected = judge.matches(f"^\\p{{{name}}}$", texts)
        assert expected == [any(first <= ord(text) <= last for first, last in ranges) for text in texts], name
    judge.process.kill()


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 9)).map(lambda p: (p[0], p[0] + p[1])), max_size=5))
def test_complement_is_everything_else(pairs: list[tuple[int, int]]) -> None:
    ranges = union([tuple(pairs)])
    inside = {code for first, last in pairs for code in range(first, last + 1)}
    assert {code for first, last in ranges for code in range(first, last + 1)} == inside
    assert {code for first, last in complement(ranges) for code in range(first, min(last, 200) + 1)} == set(
        range(201)
    ) - inside
    assert complement(complement(ranges)) == ranges
