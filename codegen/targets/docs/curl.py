"""An operation and what is sent with it → the same request as a command line for curl.

Must not trust a text of the contract: names, values and addresses are quoted for the shell, whatever they hold. What only the
caller knows stands as a variable of the shell.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

from codegen.edition import Sample
from codegen.model import Content, JsonValue, Operation, Parameter, PathText, SecurityScheme, Server

EVENTS = "text/event-stream"
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the shell."""

    name: str


Word: TypeAlias = tuple[str | Variable, ...]

_BARE = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_PLAIN = re.compile(r"[^\"$`\\!\x00-\x1f\x7f]*")
# Names that a shell, or what it starts, gives a meaning of its own.
_TAKEN = re.compile(
    "BASH.*|CDPATH|ENV|EUID|FUNCNAME|GROUPS|HIST.*|HOME|HOSTNAME|IFS|LANG|LC_.*|LINENO|LOGNAME|MAIL|OLDPWD|OPT(ARG|ERR|IND)|PATH"
    "|PPID|PS[0-9]|PWD|RANDOM|REPLY|SECONDS|SHELL|SHELLOPTS|SHLVL|TERM|TMPDIR|UID|USER"
)


def variable(name: str) -> Variable:
    """The variable for what a contract calls ``name``: ``pageToken`` → ``PAGE_TOKEN``."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    made = re.sub("[^A-Z0-9]+", "_", spaced.upper()).strip("_") or "VALUE"
    if made[0].isdigit() or _TAKEN.fullmatch(made):
        made = f"THE_{made}"
    return Variable(made)


def shell(word: Word) -> str:
    """One word of a command line. Variables are expanded, everything else means itself."""
    if not any(isinstance(part, Variable) for part in word):
        text = "".join(part for part in word if isinstance(part, str))
        return text if _BARE.fullmatch(text) else shlex.quote(text)
    if all(isinstance(part, Variable) or _PLAIN.fullmatch(part) for part in word):
        return f'"{"".join(_inside(word))}"'
    return "".join(f'"${part.name}"' if isinstance(part, Variable) else shlex.quote(part) for part in word if part)


def _inside(word: Word) -> Iterator[str]:
    for part, after in zip(word, (*word[1:], ""), strict=True):
        if isinstance(part, str):
            yield part
        elif isinstance(after, str) and re.match(r"\w|\[", after):
            yield f"${{{part.name}}}"
        else:
            yield f"${part.name}"


# --- addresses --------------------------------------------------------------------------------------------------------


def base(servers: tuple[Server, ...]) -> str:
    """The address of the first server, its variables as they are by default, without a slash at the end. It may be relative."""
    if not servers:
        return ""
    defaults = {one.name: one.default for one in servers[0].variables}
    url = re.sub(r"\{([^{}]*)\}", lambda match: defaults.get(match[1], match[0]), servers[0].url)
    return url.rstrip("/")


def _encoded(text: str, safe: str = "") -> str:
    return quote(text, safe=f"-._~{safe}")


def _address(operation: Operation, servers: tuple[Server, ...], query: list[Word]) -> Word:
    written = base(servers)
    parts: list[str | Variable] = [] if "://" in written else [Variable("BASE_URL")]
    parts.append(_encoded(written, "/:@%?&=+,;[]"))
    for part in operation.parts:
        if isinstance(part, PathText):
            parts.append(_encoded(part.text, "/:@%+,;=&"))
        else:
            found = next((p for p in operation.parameters if p.place == "path" and p.name == part.parameter), None)
            parts += _path_value(found) if found is not None else (variable(part.parameter),)
    for number, one in enumerate(query):
        parts += ("&" if number else "?", *one)
    return tuple(parts)


def _path_value(parameter: Parameter) -> Word:
    value = shown(parameter)
    prefix = {"label": ".", "matrix": f";{_encoded(parameter.name)}="}.get(parameter.style or "", "")
    return (prefix, variable(parameter.name) if value is None else _encoded(value, ","))


def shown(parameter: Parameter) -> str | None:
    """A value of a parameter as one text, from the contract's own examples; None where it has none that is one."""
    stated = [example.value.value for example in parameter.examples if example.value is not None]
    for value in (*stated, *parameter.notes.examples):
        if isinstance(value, str | int | float) and value != "":
            return value if isinstance(value, str) else json.dumps(value)
        if isinstance(value, list) and value and all(isinstance(item, str | int) for item in value):
            return ",".join(item if isinstance(item, str) else json.dumps(item) for item in value)
    return None


# --- the whole --------------------------------------------------------------------------------------------------------


def command(
    operation: Operation,
    servers: tuple[Server, ...],
    schemes: Mapping[str, SecurityScheme],
    content: Content | None,
    sample: Sample | None,
    *,
    streamed: bool = False,
) -> str:
    """The command line: what is required, with ``sample`` as the body. ``streamed``: it asks for a stream."""
    asked = operation.streaming.ask if operation.streaming and streamed else None
    in_query = operation.streaming is not None and operation.streaming.ask_in == "query"
    query: list[Word] = []
    options: list[tuple[str, Word | None]] = []
    for parameter in operation.parameters:
        if parameter.place in ("query", "querystring") and (
            parameter.required or (in_query and parameter.name == asked)
        ):
            query.append(_query(parameter, "true" if in_query and parameter.name == asked else None))
        elif parameter.required and parameter.place in ("header", "cookie"):
            options.append(_beside(parameter))
    for requirement in operation.security[:1]:
        for name, _ in requirement.schemes:
            if name in schemes:
                options += _credentials(schemes[name], query)
    if content is not None and sample is not None:
        options += _body(content, sample, asked if not in_query else None)
    method: list[tuple[str, Word | None]] = []
    sends = any(name.startswith(("-d", "--data", "-F", "--form")) for name, _ in options)
    if operation.method == "HEAD":
        method = [("--head", None)]
    elif operation.method != ("POST" if sends else "GET"):
        method = [("-X", (operation.method,))]
    if streamed:
        method.append(("--no-buffer", None))
    lines = [" ".join(["curl", *map(_option, method), shell(_address(operation, servers, query))])]
    return " \\\n  ".join([*lines, *map(_option, options)])


def _option(option: tuple[str, Word | None]) -> str:
    name, word = option
    return name if word is None else f"{name} {shell(word)}"


def _query(parameter: Parameter, value: str | None) -> Word:
    given = value if value is not None else shown(parameter)
    if parameter.place == "querystring":
        return (variable(parameter.name),)
    return (f"{_encoded(parameter.name)}=", variable(parameter.name) if given is None else _encoded(given, ","))


def _beside(parameter: Parameter) -> tuple[str, Word]:
    value = shown(parameter)
    given = variable(parameter.name) if value is None else value
    if parameter.place == "cookie":
        return "-b", (f"{parameter.name}=", given)
    return "-H", (f"{parameter.name}: ", given)


def _credentials(scheme: SecurityScheme, query: list[Word]) -> Iterator[tuple[str, Word | None]]:
    match scheme.kind:
        case "apiKey":
            key = variable("api key")
            if scheme.place == "query":
                query.append((f"{_encoded(scheme.parameter)}=", key))
            elif scheme.place == "cookie":
                yield "-b", (f"{scheme.parameter}=", key)
            else:
                yield "-H", (f"{scheme.parameter}: ", key)
        case "http" if scheme.scheme == "basic":
            yield "-u", (Variable("USER_NAME"), ":", Variable("PASSWORD"))
        case "http" if scheme.scheme != "bearer":
            yield "-H", (f"Authorization: {scheme.scheme} ", Variable("CREDENTIALS"))
        case "mutualTLS":
            yield "--cert", (Variable("CERTIFICATE"),)
            yield "--key", (Variable("PRIVATE_KEY"),)
        case _:
            yield "-H", ("Authorization: Bearer ", Variable("TOKEN"))


def _body(content: Content, sample: Sample, asked: str | None) -> Iterator[tuple[str, Word | None]]:
    bare = content.media_type.partition(";")[0].strip().lower()
    value = sample.value
    if sample.text is None and asked is not None and isinstance(value, dict):
        value = {**value, asked: True}
    if sample.text is None and isinstance(value, dict) and bare == FORM:
        yield from (("--data-urlencode", (f"{name}={_field(one)}",)) for name, one in value.items())
    elif sample.text is None and isinstance(value, dict) and bare.startswith("multipart/"):
        yield from (("--form-string", (f"{name}={_field(one)}",)) for name, one in value.items())
    else:
        text = sample.text if sample.text is not None else json.dumps(value, ensure_ascii=False, indent=2)
        yield "-H", (f"Content-Type: {content.media_type}",)
        yield "--data-raw", (text,)


def _field(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
