"""A reference page in Markdown → what it says, read back without the code that wrote it.

Must not import the toolchain: it reads a page as a person does, by its headings, lists and fixed words.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]


def words(language: str) -> dict[str, Any]:
    """The fixed words of a language, by table and key."""
    return tomllib.loads((ROOT / "templates" / "docs" / f"strings.{language}.toml").read_text(encoding="utf-8"))


@dataclass
class Definition:
    """``lines``: each paragraph and list item below the heading, inline marks kept."""

    name: str
    lines: list[str] = field(default_factory=list)


@dataclass
class Page:
    sections: dict[str, list[Definition]] = field(default_factory=dict)
    anchors: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def inline(token: Token, page: Page) -> str:
    """The text of an inline token, with code in backticks and links as ``[text](target)``."""
    text = ""
    targets: list[str] = []
    for child in token.children or []:
        if child.type == "code_inline":
            text += f"`{child.content}`"
        elif child.type == "link_open":
            targets.append(str(child.attrs["href"]))
            page.links.append(targets[-1])
            text += "["
        elif child.type == "link_close":
            text += f"]({targets.pop()})"
        elif child.type == "html_inline":
            page.anchors += re.findall('id="([^"]+)"', child.content)
        elif child.type in ("text", "text_special"):
            text += child.content
    return text


def read(text: str) -> Page:
    """The page that ``text`` is."""
    page = Page()
    tokens = MarkdownIt("commonmark").parse(re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL))
    section: list[Definition] = []
    for before, token in zip([Token("", "", 0), *tokens], tokens, strict=False):
        if token.type == "html_block":
            page.anchors += re.findall('id="([^"]+)"', token.content)
        if token.type != "inline":
            continue
        line = inline(token, page)
        if before.type == "heading_open" and before.tag == "h2":
            section = page.sections.setdefault(line, [])
        elif before.type == "heading_open" and before.tag == "h3":
            section.append(Definition(line.strip("`")))
        elif section and line:
            section[-1].lines.append(line)
    return page


class Reader:
    """Reads definitions in one language back into facts."""

    def __init__(self, language: str) -> None:
        self.words = words(language)

    def pattern(self, table: str, key: str) -> re.Pattern[str]:
        parts = re.split(r"\{([a-z_]+)\}", self.words[table][key])
        return re.compile("".join(f"(?P<{p}>.+?)" if i % 2 else re.escape(p) for i, p in enumerate(parts)))

    def type(self, text: str) -> dict[str, Any]:
        """A type as the facts spell it."""
        for key, fact in (("any", {"any": True, "null": True}), ("any_but_null", {"any": True, "null": False})):
            if text == self.words["type"][key]:
                return dict(fact)
        if text == self.words["type"]["object"]:
            return {"type": "object", "openByKey": True}
        if text in ("string", "boolean", "integer", "number"):
            return {"type": text}
        if found := re.fullmatch(r"\[`(\w+)`\]\(#(\w+)\)", text):
            assert found[2] == found[1].lower()
            return {"ref": found[1]}
        if found := self.pattern("type", "except_null").fullmatch(text):
            return {**self.type(found["inner"]), "null": False}
        if found := self.pattern("type", "matching").fullmatch(text):
            return {"type": "string", "pattern": found["patterns"].strip("`")}
        bounds: dict[str, int] = {}
        if found := re.fullmatch(r"(.+) \(([^()`]+)\)", text):
            text = found[1]
            for bound in found[2].split(self.words["bound"]["and"]):
                for key, name in (("min", "min"), ("max", "max")):
                    if value := self.pattern("bound", key).fullmatch(bound):
                        bounds[name] = json.loads(value["value"])
        if text == "integer":
            return {"type": "integer", "minimum": bounds["min"], "maximum": bounds["max"]}
        if found := re.fullmatch(r"`(\"[^`]*\")` \(\[`(\w+)`\]\(#\w+\)\)", text):
            return {"const": json.loads(found[1]), "narrows": found[2]}
        parts = text.split(self.words["type"]["either"])
        if all(re.fullmatch(r"`\"[^`]*\"`", part) for part in parts):
            values = [json.loads(part.strip("`")) for part in parts]
            return {"const": values[0]} if len(values) == 1 else {"enum": values}
        if len(parts) > 1:
            return {"oneOf": [self.type(part) for part in parts]}
        found = self.pattern("type", "array").fullmatch(text)
        assert found, f"no type: {text}"
        return {"array": self.type(found["item"]), **({"minItems": bounds["min"]} if bounds else {})}

    def field(self, line: str) -> tuple[str, dict[str, Any]]:
        """A field from its list item."""
        required, optional = self.words["field"]["required"], self.words["field"]["optional"]
        found = re.match(rf"`(\w+)` — (.+?), ({required}|{optional})(?:, .+?)?\.(?: |$)", line)
        assert found, line
        fact = {**self.type(found[2]), "required": found[3] == required}
        if default := self.pattern("field", "default").search(line):
            fact["default"] = json.loads(default["value"].strip("`"))
        if encoding := self.pattern("field", "encoding").search(line):
            fact["contentEncoding"] = encoding["name"]
        return found[1], fact

    def definition(self, definition: Definition) -> dict[str, Any]:
        """What the lines of a definition say."""
        said = self.words["definition"]
        for number, line in enumerate(definition.lines):
            if line.startswith(said["values"]):
                return {"kind": "enum", "values": re.findall("`([^`]+)`", line)}
            if line.startswith(said["type"]):
                return {"kind": "alias", "type": self.type(line.removeprefix(said["type"]).strip())}
            if line == said["members"]:
                members = [re.fullmatch(r"\[`(\w+)`\]\(#\w+\)", rest) for rest in definition.lines[number + 1 :]]
                apart = [
                    found["property"].strip("`")
                    for key in ("told_apart_by", "told_apart")
                    for rest in definition.lines
                    if (found := self.pattern("definition", key).fullmatch(rest))
                ]
                return {"kind": "union", "members": [m[1] for m in members if m], "discriminator": apart[0]}
            if line in (said["fields"], said["no_fields"]):
                return self.record(definition.lines[number + 1 :])
        raise AssertionError(f"{definition.name} says nothing")

    def record(self, lines: list[str]) -> dict[str, Any]:
        said = self.words["definition"]
        fact: dict[str, Any] = {"kind": "object", "fields": {}, "closed": said["closed"] in lines}
        for line in lines:
            if line == said["mixin"]:
                fact["mixin"] = True
            elif found := self.pattern("definition", "composes").fullmatch(line):
                fact["composes"] = re.findall("`([^`]+)`", found["mixins"])
            elif line not in (said["closed"], said["open"]):
                name, told = self.field(line)
                fact["fields"][name] = told
        return fact
