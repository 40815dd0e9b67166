"""A pattern → strings that match it, and strings that nearly do.

Must not judge: what is offered as matching was searched for with the pattern itself. The tree of the pattern is walked once;
look-arounds and back-references are not solved but hoped for, so that for a pattern which needs them nothing may be found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from codegen.derive.judge import compiled, matches
from codegen.model import Pattern, Text
from codegen.patterns import tree
from codegen.patterns.reading import Alternatives, Chars, Group, Item, Look, Repeat, Sequence

MAX_LENGTH = 2_000
"""Code points of a derived string; bounds beyond are not walked up to."""
TRIES = 64
"""Strings tried for one pattern."""
FORMATS = {
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "date-time": "2026-01-31T12:00:00Z",
    "duration": "PT1M",
    "email": "someone@example.com",
    "idn-email": "someone@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uri-reference": "/a",
    "iri": "https://example.com/",
    "iri-reference": "/a",
    "uri-template": "/a/{b}",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "json-pointer": "/a",
    "relative-json-pointer": "0",
    "regex": "^a",
    "byte": "YQ==",
    "binary": "YQ==",
}
"""An example of each format; formats assert nothing, but an example should be one."""
CHARACTERS = "a0A-_. /:@#z9Z~\n\u00e9\u4e2d\U0001f600"
"""Characters tried first for a set; then the ends of its ranges."""
FEW = 6
"""Ways of one part that are combined with those of the others."""


def strings(text: Text) -> Iterator[str]:
    """Strings of the type, the most natural first; none where the patterns are too hard."""
    low = 0 if text.min_length is None else min(MAX_LENGTH, text.min_length.value)
    high = MAX_LENGTH if text.max_length is None else text.max_length.value
    natural = FORMATS.get(text.format or "", "text")
    length = int(min(max(low, min(high, len(natural))), MAX_LENGTH))
    offered: Iterable[str] = dict.fromkeys((natural, natural[:length].ljust(length, "a"), ""))
    if text.patterns:
        each = [list(islice(matching(pattern, length), TRIES)) for pattern in text.patterns]
        joined = ("".join(chosen) for chosen in islice(product(*each), TRIES)) if len(each) > 1 else ()
        offered = (*offered, *(one for found in each for one in found), *joined)
    for one in offered:
        if low <= len(one) <= high and all(matches(pattern, one) for pattern in text.patterns):
            yield one


def matching(pattern: Pattern, length: int = 0) -> Iterator[str]:
    """Different strings that match; ``length`` is how long they should be, where the pattern leaves room for it."""
    search = compiled(pattern.source).search
    found: set[str] = set()
    for fill in dict.fromkeys((0, 1, min(length, MAX_LENGTH))):
        for one in islice(_alternatives(tree(pattern.source), fill), TRIES):
            for padded in (one, one.ljust(min(length, MAX_LENGTH), "a"), one + "a", one + "b", "a" + one):
                if padded not in found and len(padded) <= MAX_LENGTH and search(padded):
                    found.add(padded)
                    yield padded


def near_misses(one: str) -> Iterator[str]:
    """Strings that differ from a matching one in what patterns are mostly about: ends, length, case, kind of character."""
    changed = [
        one + "\n",
        one + " ",
        " " + one,
        one[:-1],
        one[1:],
        one + one,
        one.swapcase(),
        one + "\u00e9",
        "\u0663",
        "",
    ]
    yield from (other for other in dict.fromkeys(changed) if other != one)


def _alternatives(body: Alternatives, fill: int) -> Iterator[str]:
    """Strings of each branch in turn; ``fill``: how often a repetition should repeat, where it may."""
    running = [_sequence(branch, fill) for branch in body.branches]
    while running:
        still = []
        for stream in running:
            for one in islice(stream, 1):
                yield one
                still.append(stream)
        running = still


def _sequence(sequence: Sequence, fill: int) -> Iterator[str]:
    """The plainest string, then each part's other ways alone, then all combinations."""
    ways = [list(dict.fromkeys(islice(_item(item, fill), FEW))) for item in sequence.items]
    if not all(ways):
        return
    plainest = [way[0] for way in ways]
    yield "".join(plainest)
    for i, way in enumerate(ways):
        yield from ("".join([*plainest[:i], other, *plainest[i + 1 :]]) for other in way[1:])
    yield from ("".join(chosen) for chosen in product(*ways))


def _item(item: Item, fill: int) -> Iterator[str]:
    match item:
        case Chars(ranges=ranges):
            yield from (c for c in CHARACTERS if any(first <= ord(c) <= last for first, last in ranges))
            yield from (chr(end) for pair in ranges for end in pair if not 0xD800 <= end <= 0xDFFF)
        case Group(body=body):
            yield from _alternatives(body, fill)
        case Look(body=body, negative=False):
            # What must also match here is written down in front, which often does: (?=.*[0-9])[a-z0-9]+
            yield ""
            yield from islice(_alternatives(body, fill), FEW - 1)
        case Repeat(body=inner, low=low, high=high):
            once = list(islice(_item(inner, fill), FEW))
            most = low + 3 if high is None else high
            counts = (max(low, min(fill, most)), low, min(low + 1, most), min(low + 3, most))
            for count in dict.fromkeys(count for count in counts if count <= MAX_LENGTH):
                yield from ((one * count for one in once) if count else ("",))
        case _:
            yield ""
