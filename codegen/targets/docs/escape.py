"""Text of a contract → the same text in a format: a reader sees what the author wrote, whatever it looks like to a program.

Must not know views. Nothing that a contract says may open a tag, an expression, a directive or a list, or show a reader
something else than what is there (bidirectional controls): such characters are shown by their number.
"""

from __future__ import annotations

import html as python_html
import json
import re
from functools import lru_cache
from urllib.parse import quote

from codegen.targets.quoting import UNSAFE

# What means something to some host inside a line: also colons and brackets that look like emoji (`:mm:`, `:)`, `8-)`), and what
# looks like an address, which some make a link of before they read escapes.
_INLINE = re.compile(
    r"[\\`*{}\[\]<>~$^]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=#?\w+;)|(?<!\S)#|==+|\|\|"
    r"|:(?=[\w+-]+:|:)|(?<![A-Za-z0-9]):(?=\S)|(?<=[-:;])[()]|!\Z|(?<=www)\.|(?<=\S)@(?=\S)"
)
_SPACES = re.compile("[ \t\r\n]+")
_START = re.compile(r"[-+=%:(|@\"'#>!]|[0-9]+(?=[.)])")
_ESM = re.compile(r"(?:import|export)\b")
_KNOWN = frozenset({"bash", "html", "http", "javascript", "json", "python", "sh", "typescript", "xml", "yaml"})
_ADDRESS_SAFE = "%/:?#[]@!$&'*+,;=-._~"


def visible(text: str) -> str:
    """``text`` on one line, with invisible and bidirectional characters by their number (``\\u202e``)."""
    return UNSAFE.sub(lambda match: _number(match[0]), _SPACES.sub(" ", text))


def _number(character: str) -> str:
    if character in "\n\r\t":
        return " "
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# --- Markdown ---------------------------------------------------------------------------------------------------------


@lru_cache(4096)  # a page says the same again in each language, and each flavour what the others say
def markdown(text: str) -> str:
    """Plain text inside a paragraph of any Markdown (MDX too)."""
    return _INLINE.sub(lambda match: "".join("\\" + character for character in match[0]), visible(text))


def started(line: str) -> str:
    """A rendered paragraph whose first run is plain text: nothing at its start makes it a list, a heading or code.

    In MDX a paragraph that starts with ``import`` or ``export`` is code: one letter is written by its number, in any flavour.
    """
    line = line.lstrip()
    if _ESM.match(line):
        return f"&#{ord(line[0])};{line[1:]}"
    if found := _START.match(line):
        return line[: found.end()] + "\\" + line[found.end() :] if found[0].isdigit() else "\\" + line
    return line


@lru_cache(4096)
def markdown_code(text: str) -> str:
    """A code span."""
    shown = UNSAFE.sub(lambda match: _number(match[0]), text)
    if not shown:
        return ""
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1 if longest else 1)
    padded = shown[0] in "` " or shown[-1] in "` "
    return f"{fence} {shown} {fence}" if padded and shown.strip() else fence + shown + fence


def markdown_block(text: str, language: str) -> list[str]:
    """The lines of a fenced code block. Only languages that every host knows are named: some warn of others."""
    lines = [UNSAFE.sub(lambda match: _number(match[0]), line.replace("\t", "    ")) for line in text.split("\n")]
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + (language if language in _KNOWN else ""), *lines, fence]


def address(url: str) -> str:
    """``url`` inside the brackets of a link."""
    return quote(url, safe=_ADDRESS_SAFE).replace("(", "%28").replace(")", "%29")


def front_matter(text: str) -> str:
    """A YAML scalar in double quotes (every JSON string is one)."""
    return json.dumps(visible(text), ensure_ascii=False)


def comment(text: str) -> str:
    """Text that ends neither an HTML comment nor a JavaScript one."""
    return visible(text).replace("*/", "* /").replace("<", "\u2039").replace(">", "\u203a")


# --- HTML -------------------------------------------------------------------------------------------------------------


def html(text: str) -> str:
    """Text inside an element or a quoted attribute. Spaces and line ends are kept."""
    shown = UNSAFE.sub(lambda match: match[0] if match[0] in "\n\t" else _number(match[0]), text)
    return python_html.escape(shown, quote=True)


def script(value: object) -> str:
    """A value as JSON that stands inside a script: no text in it ends the element, and the file may be any script's."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", text)
