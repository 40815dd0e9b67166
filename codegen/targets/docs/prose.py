"""A description as its author wrote it → blocks of runs.

Must not lose a character that a reader would see: only what is certain is understood (paragraphs, ``-`` lists, fenced code,
code spans, absolute links, mentions of definitions), the rest is text. A description is no Markdown document: most contracts
never say that it is one, and an unmatched ``*`` or ``<`` means itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from codegen.targets.docs.text import Block, Blocks, Bullets, Code, Link, Listing, Paragraph, Plain, Run, Runs

_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([\w+-]*)[^`]*$")
_BULLET = re.compile(r"\s*[-*]\s+(?=\S)")
_NUMBERED = re.compile(r"\s*[0-9]{1,3}[.)]\s+(?=\S)")
_MENTION = re.compile(
    r"(?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|\{@link(?:code|plain)?\s+(?P<name>[^\s{}|]+)(?:\s*\|\s*|\s+)?(?P<label>[^{}]*)\}"
    r"|\[(?P<text>[^\[\]`]+)\]\((?P<url>https?://[^\s()<>\"]+)\)"
    r"|(?P<bare>(?<![A-Za-z])https?://[^\s<>\"'`{}|\\^\[\]]*[^\s<>\"'`{}|\\^\[\].,;:!?()])"
)


def blocks(text: str, names: Mapping[str, str]) -> Blocks:
    """``text`` in blocks. ``names``: what can be mentioned (``Name``, ``Name.field``) → its anchor."""
    return tuple(_blocks(text.replace("\r\n", "\n").replace("\r", "\n"), names))


def _blocks(text: str, names: Mapping[str, str]) -> Iterator[Block]:
    lines: list[str] = []
    items: list[list[str]] = []

    def flush() -> Iterator[Block]:
        if lines:
            yield Paragraph(runs(" ".join(lines), names))
        if items:
            yield Bullets(tuple(runs(" ".join(item), names) for item in items))
        lines.clear()
        items.clear()

    rows = text.split("\n")
    end = 0
    for number, row in enumerate(rows):
        if number < end:
            continue
        if (fence := _FENCE.match(row)) and (closing := _closing(rows, number, fence[1])):
            end = closing + 1
            yield from flush()
            yield Listing("\n".join(rows[number + 1 : closing]), fence[2])
        elif not row.strip():
            yield from flush()
        elif bullet := _BULLET.match(row):
            if lines:
                yield from flush()
            items.append([row[bullet.end() :].strip()])
        elif items and row[:1].isspace():
            items[-1].append(row.strip())
        else:
            if items or _NUMBERED.match(row):
                yield from flush()
            lines.append(row.strip())
    yield from flush()


def _closing(rows: list[str], opening: int, fence: str) -> int:
    """The line that closes the fence at line ``opening``; 0 if none does, and it is text."""
    for number in range(opening + 1, len(rows)):
        if rows[number].strip().startswith(fence) and not rows[number].strip().strip(fence[0]):
            return number
    return 0


def runs(text: str, names: Mapping[str, str]) -> Runs:
    """One paragraph of ``text`` in runs."""
    found: list[Run] = []
    last = 0
    for match in _MENTION.finditer(text):
        run = _run(match, names)
        if run is None:
            continue
        if match.start() > last:
            found.append(Plain(text[last : match.start()]))
        found.append(run)
        last = match.end()
    if last < len(text):
        found.append(Plain(text[last:]))
    return tuple(found)


def _run(match: re.Match[str], names: Mapping[str, str]) -> Run | None:
    if code := match["code"]:
        if len(match["ticks"]) > 1 and code.strip():  # "`` ` ``": the spaces only keep backticks apart
            code = code[1:-1] if code[0] == code[-1] == " " else code
        return Link(code, f"#{names[code]}", code=True) if code in names else Code(code)
    if name := match["name"]:
        label = (match["label"] or "").strip()
        return Link(label or name, f"#{names[name]}", code=not label) if name in names else None
    if match["url"]:
        return Link(match["text"], match["url"])
    return Link(match["bare"], match["bare"])
