"""Strings of a contract → text that is safe inside a generated file.

Must not know what the text is for. Every string of a contract that reaches Python code passes here: nothing that a contract
says may end a literal, start a statement, or show a reader something else than what is there (bidirectional controls).
The escaped characters are listed, not asked of Python's Unicode tables, so that every version of Python writes the same bytes.
"""

from __future__ import annotations

import re

from codegen.model import JsonValue

UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff0-\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Controls, formats (bidirectional ones among them), invisible letters, separators that are not a space, surrogates."""

SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] in SHORT:
        return SHORT[match[0]]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _plain(value: str) -> bool:
    """Nothing in ``value`` needs a look: what is printable ASCII is the same in every version of Python."""
    return value.isascii() and value.isprintable()


def text(value: str, quote: str = "") -> str:
    """A Python string literal on one line, quoted as black quotes (double unless that needs more escapes) or with ``quote``."""
    if not quote and _plain(value) and '"' not in value and "\\" not in value:
        return f'"{value}"'
    quote = quote or ("'" if value.count('"') > value.count("'") else '"')
    return quote + UNSAFE.sub(_escaped, value.replace("\\", "\\\\").replace(quote, "\\" + quote)) + quote


def literal(value: JsonValue) -> str:
    """A Python expression for a JSON value, on one line."""
    match value:
        case str():
            return text(value)
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case dict():
            return f"{{{', '.join(f'{text(name)}: {literal(item)}' for name, item in value.items())}}}"
        case _:
            return repr(value)


def comment(value: str) -> str:
    """``value`` on one line, for a comment."""
    return UNSAFE.sub(_escaped, value)


def docstring(value: str, indent: int, width: int) -> str:
    """A docstring as black leaves it, for a line that starts at ``indent``; lines are at most ``width`` long if words allow.

    The author's own lines are kept, so that lists and code blocks stay what they are.
    """
    lines: list[str] = []
    for line in _dedented(value.replace("\r\n", "\n").strip().split("\n")):
        if "\\" in line or '"""' in line or not _plain(line):
            line = UNSAFE.sub(_escaped, line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"'))
        lines.extend(_broken(line, width - indent))
    if lines[0].startswith('"'):
        lines[0] = " " + lines[0]
    if len(lines) == 1:
        padding = " " if lines[0].endswith('"') else ""
        return f'"""{lines[0]}{padding}"""'
    margin = " " * indent
    return '"""' + "\n".join([lines[0], *(line and margin + line for line in lines[1:]), margin]) + '"""'


def _dedented(lines: list[str]) -> list[str]:
    """``lines`` without trailing spaces, and those after the first without the margin that they share (PEP 257)."""
    lines = [line.rstrip() for line in lines]
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines[1:] if line), default=0)
    return [lines[0], *(line[margin:] for line in lines[1:])]


def _broken(line: str, width: int) -> list[str]:
    """``line`` broken at spaces; what hangs over keeps the line's own indent."""
    if len(line) <= width:
        return [line]
    words = line.lstrip(" ").split(" ")
    margin = " " * (len(line) - len(line.lstrip(" ")))
    lines: list[str] = []
    current = margin + words[0]
    for word in words[1:]:
        if len(current) + 1 + len(word) > width and current.strip():
            lines.append(current.rstrip())
            current = margin + word
        else:
            current = f"{current} {word}"
    return [*lines, current]
