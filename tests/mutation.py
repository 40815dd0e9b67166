"""Bytes → other bytes near them: what breaks readers of JSON more often than chance alone would.

Must not know JSON well: the point is to leave it.
"""

from __future__ import annotations

import random

PIECES = [
    *(b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b" ", b"\n", b"null", b"true", b"/**/", b"'"),
    *(b"0", b"-", b".", b"e", b"E+", b"1e400", b"1e3", b"1.0", b"-0", b"NaN", b"Infinity", b"9" * 20, b"9" * 400),
    *(b"\\ud800", b"\\udc00", b"\\u0000", b"\\ud83d\\ude00", b"\\u00e9", b"\x00", b"\x1f"),
    *(b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80"),
    *(b"[" * 300, b'{"a":' * 300, b"]" * 300),
]
"""What is put in: the alphabet of JSON, and what receivers differ on."""


def mutated(octets: bytes, source: random.Random) -> bytes:
    """``octets`` with one place changed: a piece put in, a piece cut out or doubled, a byte replaced, a bit turned."""
    if not octets:
        return source.choice(PIECES)
    start = source.randrange(len(octets))
    match source.randrange(6):
        case 0:
            return octets[:start] + source.choice(PIECES) + octets[start:]
        case 1:
            return octets[:start] + octets[start + source.randrange(1, 9) :]
        case 2:
            end = start + source.randrange(1, 40)
            return octets[:end] + octets[start:end] + octets[end:]
        case 3:
            return octets[:start] + source.choice(PIECES) + octets[start + 1 :]
        case 4:
            return octets[:start] + bytes([octets[start] ^ 1 << source.randrange(8)]) + octets[start + 1 :]
        case _:
            return octets[:start]
