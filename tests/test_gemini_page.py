"""The reference of the Gemini contract says what the facts of its API say: read back from Markdown, in both languages.

Like ``test_docs_page`` it shares no code with what wrote the page: definitions, fields and operations are read by headings,
lists and fixed words, and compared in the notation of the facts.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
import reference_page
from docs_editions import ROOT
from test_gemini_facts import OURS, annotated, defined, facts, inline, resolved
from test_gemini_model import unordered

LANGUAGES = ("en", "ko")


@cache
def page(language: str) -> reference_page.Page:
    path = ROOT / "generated/gemini-interactions/v1beta/reference" / f"{language}.md"
    return reference_page.read(path.read_text(encoding="utf-8"))


def entries(language: str) -> dict[str, reference_page.Definition]:
    found = [definition for section in page(language).sections.values() for definition in section]
    assert len({d.name for d in found}) == len(found)
    return {definition.name: definition for definition in found}


class Reader:
    """Reads definitions and operations of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.words = reference_page.words(language)

    def pattern(self, table: str, key: str) -> re.Pattern[str]:
        parts = re.split(r"\{([a-z_]+)\}", self.words[table][key])
        return re.compile("".join(f"(?P<{p}>.+)" if i % 2 else re.escape(p) for i, p in enumerate(parts)))

    # --- types --------------------------------------------------------------------------------------------------------

    def type(self, text: str) -> Any:
        """A type in the notation of the facts, without annotations."""
        parts = self.split(text)
        if len(parts) > 1:
            if all(re.fullmatch('`"[^`]*"`', part) for part in parts):
                return {"enum": [part.strip('`"') for part in parts]}
            shapes = [self.type(part) for part in parts]
            flat = [one for s in shapes for one in (s["one_of"] if isinstance(s, dict) and "one_of" in s else [s])]
            return {"one_of": flat}
        if text.startswith("(") and text.endswith(")"):
            return self.type(text[1:-1])
        if found := re.fullmatch(r'`"([^`]*)"`', text):
            return {"const": found[1]}
        if found := re.fullmatch(r"\[`(\w+)`\]\(#(\w+)\)", text):
            assert found[2] == found[1].lower()
            return self.named(found[1])
        said = self.words["type"]
        if text == said["any"]:
            return "any"
        if text == said["object"]:
            return {"map_of": "any"}
        for key, word, inner in (("map", "map_of", "value"), ("array", "array_of", "item")):
            if found := self.pattern("type", key).fullmatch(text):
                return {word: self.type(found[inner])}
        if found := self.pattern("type", "partial").fullmatch(text):
            return self.type(found["type"])
        if found := re.fullmatch(r"(\w+) \(([^()]*)\)", text):  # bounds and formats, which are compared apart
            text = found[1]
        assert text in ("string", "integer", "number", "boolean"), text
        return text

    def split(self, text: str) -> list[str]:
        """The members of a choice: what ``|`` parts outside of brackets."""
        parts, depth, last = [], 0, 0
        either = self.words["type"]["either"]
        for i, character in enumerate(text):
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth == 0 and text.startswith(either, i):
                parts.append(text[last:i])
                last = i + len(either)
        return [*parts, text[last:]]

    def named(self, name: str) -> Any:
        if not inline(name):
            return name
        lines = entries(self.language)[name].lines
        said = self.words["definition"]
        for number, line in enumerate(lines):
            if line.startswith(said["type"]):
                return self.type(line.removeprefix(said["type"]).strip())
            if line == said["members"]:
                return self.type(self.words["type"]["either"].join(self.members(lines[number + 1 :])))
        return self.enum(lines)

    def enum(self, lines: list[str]) -> Any:
        said = self.words["definition"]["values"]
        number = next(i for i, line in enumerate(lines) if line.startswith(said))
        values = re.findall("`([^`]+)`", lines[number])
        if not values:
            found = (re.match("`([^`]+)`(?: \\([^()]+\\))?(?: —|$)", line) for line in lines[number + 1 :])
            values = [match[1] for match in found if match]
        is_open = any(self.pattern("definition", "open_enum").fullmatch(line) for line in lines)
        return {"open_enum" if is_open else "enum": values}

    def members(self, lines: list[str]) -> list[str]:
        """The types of a union's members, which come before what is said of all."""
        apart = [self.pattern("definition", key) for key in ("told_apart", "told_by_kind", "told_by_first")]
        found = []
        for line in lines:
            if any(one.fullmatch(line) for one in apart):
                return found
            found.append(line.partition(". ")[0])
        raise AssertionError(lines)

    # --- fields and operations ----------------------------------------------------------------------------------------

    def field(self, line: str) -> tuple[str, dict[str, Any]]:
        """A field or parameter from its list item."""
        words = self.words["field"]
        need = f"{words['required']}|{words['optional']}"
        found = re.match(rf"`([\w-]+)` — (.+?), ({need})((?:, [^.]+)?)\.(?: |$)", line)
        assert found, line
        about: dict[str, Any] = {"type": self.type(found[2]), "required": found[3] == words["required"]}
        flags = found[4].removeprefix(", ").split(", ") if found[4] else []
        marks = {"read_only": "readOnly", "deprecated": "deprecated", "secret": "secret"}
        about["marks"] = {mark: True for flag, mark in marks.items() if words[flag] in flags}
        assert len(about["marks"]) == len(flags), line
        if noted := re.search(
            self.pattern("bound", "format").pattern.replace(".+", "[^`]+").replace("(?P<name>", "`(?P<name>") + "`",
            found[2],
        ):
            about["marks"]["format"] = noted["name"]
        if encoding := re.search(self.pattern("field", "encoding").pattern.replace(".+", r"\w+"), line):
            about["marks"]["format"] = encoding["name"]
        return found[1], about

    def fields(self, name: str) -> dict[str, dict[str, Any]]:
        lines = entries(self.language)[name].lines
        said = self.words["definition"]
        if said["no_fields"] in lines:
            return {}
        found = {}
        for line in lines[lines.index(said["fields"]) + 1 :]:
            if not re.match("`[^`]+` — ", line):
                break
            field, about = self.field(line)
            found[field] = about
        return found

    def operation(self, name: str) -> dict[str, Any]:
        said = self.words["operation"]
        lines = entries(self.language)[name].lines
        found: dict[str, Any] = {"address": lines[0].strip("`"), "parameters": [], "body": None, "responses": {}}
        where = ""
        labels = {f"{said[key]}:": key for key in ("path", "query", "header", "responses")}
        for line in lines[1:]:
            if line in labels:
                where = labels[line]
            elif line.startswith(f"{said['body']}: "):
                where = "body"
            elif where in ("path", "query", "header") and line.startswith("`"):
                parameter, about = self.field(line)
                found["parameters"].append((parameter, where, about["required"], about))
            elif where == "body" and (match := re.match(r"`application/json` — (\[`\w+`\]\(#\w+\))\.", line)):
                found["body"] = re.findall("`(\\w+)`", match[1])[0]
            elif where == "responses" and (
                match := re.match(r"`(\w+)`(?: \([^()]+\))?: `application/json` — \[`(\w+)`\]", line)
            ):
                found["responses"][match[1]] = match[2]
            elif not line.startswith("`"):
                where = ""
        return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_definition_and_operation_is_on_the_page(language: str) -> None:
    shown = set(entries(language))
    wanted = {*facts()["models"], *OURS, *(fact["name"] for fact in facts()["operations"])}
    assert wanted <= shown
    assert {"CreateInteraction", "GetInteraction", "ReceiveDelivery"} <= shown - wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_anchors_are_unique_and_links_arrive(language: str) -> None:
    anchors = page(language).anchors
    assert len(anchors) == len(set(anchors))
    assert {name.lower() for name in entries(language)} <= set(anchors)
    inside = {link[1:] for link in page(language).links if link.startswith("#")}
    assert len(inside) > 100 and inside <= set(anchors)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", defined())
def test_definition(name: str, language: str) -> None:
    fact, reader = facts()["models"][name], Reader(language)
    lines = entries(language)[name].lines
    if fact["kind"] == "object":
        shown = reader.fields(name)
        shown.pop("arguments", None) if name == "ArgumentsDelta" else None  # from the overlay
        if not isinstance(fact["fields"], list):
            assert list(shown) == list(fact["fields"])
            return
        assert list(shown) == [field["name"] for field in fact["fields"]]
        for field in fact["fields"]:
            about = shown[field["name"]]
            assert about["required"] == bool(field["required_seed"]), field["name"]
            assert unordered(about["type"]) == unordered(resolved(field)), field["name"]
            assert {m: v for m, v in about["marks"].items() if m != "secret"} == annotated(field), field["name"]
    elif fact["kind"] == "union" and isinstance(fact["members"][0], dict):
        members = reader.members(lines[lines.index(reader.words["definition"]["members"]) + 1 :])
        assert [re.findall(r"`(\w+)`", member)[0] for member in members] == [m["name"] for m in fact["members"]]
        apart = reader.pattern("definition", "told_apart")
        assert [found["property"] for line in lines if (found := apart.fullmatch(line))] == [
            f"`{fact['discriminator']}`"
        ]
        for member in fact["members"]:
            assert reader.fields(member["name"])[fact["discriminator"]]["type"] == {"const": member["tag"]}
    elif fact["kind"] == "union":
        known = reader.members(lines[lines.index(reader.words["definition"]["members"]) + 1 :])
        assert [reader.type(member) for member in known] == fact["members"][:-1]
        rest = reader.pattern("definition", "rest")
        (other,) = (reader.type(found["type"]) for line in lines if (found := rest.fullmatch(line)))
        assert fact["members"][-1].startswith("object") and other == {"map_of": "any"}
    elif fact["kind"] == "alias":
        (line,) = (line for line in lines if line.startswith(reader.words["definition"]["type"]))
        assert reader.type(line.removeprefix(reader.words["definition"]["type"]).strip()) == fact["of"]
    else:
        assert reader.enum(lines) == {fact["kind"]: fact["values"]}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("position", range(7))
def test_operation(position: int, language: str) -> None:
    fact, reader = facts()["operations"][position], Reader(language)
    shown = reader.operation(fact["name"])
    assert shown["address"] == f"{fact['method']} {fact['server']}{fact['path']}"
    assert [parameter[:3] for parameter in shown["parameters"]] == [
        (field["name"], field["in"], field["required_seed"]) for field in fact["parameters"]
    ]
    for (_, _, _, about), field in zip(shown["parameters"], fact["parameters"], strict=True):
        assert about["type"] == resolved(field)
        assert field.get("format") in (None, about["marks"].get("format"))
    assert (shown["body"] is not None) == (fact["body"] is not None)
    if fact["body"]:
        sent = {name: about for name, about in reader.fields(shown["body"]).items() if "readOnly" not in about["marks"]}
        assert list(sent) == [field["name"] for field in fact["body"]["fields"]]
        for field in fact["body"]["fields"]:
            assert sent[field["name"]]["required"] == bool(field["required_seed"]), field["name"]
            assert sent[field["name"]]["type"] == resolved(field), field["name"]
    assert shown["responses"] == {"200": fact["response"]["openapi_schema"], "default": "ErrorResponse"}
    answered = list(reader.fields(shown["responses"]["200"]))
    assert answered == ([] if fact["response"]["fields"] == "empty" else fact["response"]["fields"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_streams_and_secrets_are_told(language: str) -> None:
    said = reference_page.words(language)
    flat = "\n".join(line for definition in entries(language).values() for line in definition.lines)
    create = "\n".join(entries(language)["CreateInteraction"].lines)
    assert "`text/event-stream`" in create and "[`InteractionSseEvent`](#interactionsseevent)" in create
    assert "[`GetInteraction`](#getinteraction)" in create and "`last_event_id`" in create
    events = entries(language)["InteractionSseEvent"].lines
    assert any("`[DONE]`" in line and "`interaction.completed`" in line for line in events)
    assert any("[`Interaction`](#interaction)" in line for line in events)
    assert said["type"]["partial"].removeprefix("{type}") in flat
    secrets = {
        (name, field)
        for name in ("Webhook", "SigningSecret", "RotateSigningSecretResponse", "McpServer")
        for field, about in Reader(language).fields(name).items()
        if "secret" in about["marks"]
    }
    assert secrets == {
        ("Webhook", "new_signing_secret"),
        ("SigningSecret", "truncated_secret"),
        ("RotateSigningSecretResponse", "secret"),
        ("McpServer", "headers"),
    }


def test_nothing_on_the_korean_page_is_in_english() -> None:
    text = (ROOT / "generated/gemini-interactions/v1beta/reference/ko.md").read_text(encoding="utf-8")
    assert reference_page.words("ko")["page"]["untranslated"].strip("()") not in text.replace("\\", "")
