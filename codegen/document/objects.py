"""The version of a document and the kind of an object → its members: which there are, what each holds, which exclude others.

Must not walk documents: ``openapi`` does. One table serves the walk that refuses unknown members and the walk that finds
schemas, so that nothing can hide where no reader looks. Sources: the OpenAPI Specification 3.0.4, 3.1.1 and 3.2.0, and the
Overlay Specification 1.0.0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from codegen.pointer import escape
from codegen.vocabulary import Flaw

if TYPE_CHECKING:
    from codegen.model import JsonValue

VERSIONS = ("3.0", "3.1", "3.2")

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
"""Members of a path item that hold an operation each; the last is new in 3.2."""

SCHEMA = "Schema"


class Member(NamedTuple):
    """A member of a kind of object.

    ``holds``: a word for a value without objects (``is_scalar``), or a kind of object; ``[Kind]`` is an array of them, and
    ``{Kind}`` a map whose names are data. ``required``: the object is none without it.
    """

    holds: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of object in one version. ``names``: what the names of members that are data look like (None: there are none),
    and ``data`` what those hold. ``extensible``: ``x-…`` members may be there."""

    members: Mapping[str, Member]
    names: re.Pattern[str] | None = None
    data: str = ""
    extensible: bool = True


_Row: TypeAlias = tuple[str, ...]

# (names, what they hold, first version, last version); "!" behind a name: required.
_DESCRIBED: _Row = ("description", "text")
_EXAMPLES: tuple[_Row, ...] = (("example", "any"), ("examples", "{Example}"))
_STYLED: tuple[_Row, ...] = (
    ("style", "text"),
    ("explode", "flag"),
    ("schema", SCHEMA),
    ("content", "{MediaType}"),
    ("deprecated required", "flag"),
    *_EXAMPLES,
)
_ROWS: Mapping[str, tuple[_Row, ...]] = {
    "OpenAPI": (
        ("openapi!", "text"),
        ("$self", "reference", "3.2"),
        ("info!", "Info"),
        ("jsonSchemaDialect", "reference", "3.1"),
        ("servers", "[Server]"),
        ("paths!", "Paths", "3.0", "3.0"),
        ("paths", "Paths", "3.1"),
        ("webhooks", "{PathItem}", "3.1"),
        ("components", "Components"),
        ("security", "[SecurityRequirement]"),
        ("tags", "[Tag]"),
        ("externalDocs", "ExternalDocumentation"),
    ),
    "Info": (
        ("title! version!", "text"),
        ("summary", "text", "3.1"),
        ("description termsOfService", "text"),
        ("contact", "Contact"),
        ("license", "License"),
    ),
    "Contact": (("name url email", "text"),),
    "License": (("name! url", "text"), ("identifier", "text", "3.1")),
    "Server": (("url!", "text"), ("name", "text", "3.2"), _DESCRIBED, ("variables", "{ServerVariable}")),
    "ServerVariable": (("default!", "text"), ("enum", "some texts"), _DESCRIBED),
    "Components": (
        ("schemas", "{Schema}"),
        ("responses", "{Response}"),
        ("parameters", "{Parameter}"),
        ("examples", "{Example}"),
        ("requestBodies", "{RequestBody}"),
        ("headers", "{Header}"),
        ("securitySchemes", "{SecurityScheme}"),
        ("links", "{Link}"),
        ("callbacks", "{Callback}"),
        ("pathItems", "{PathItem}", "3.1"),
        ("mediaTypes", "{MediaType}", "3.2"),
    ),
    "Paths": (),
    "PathItem": (
        ("$ref summary description", "text"),
        (" ".join(METHODS[:-1]), "Operation"),
        (METHODS[-1], "Operation", "3.2"),
        ("additionalOperations", "{Operation}", "3.2"),
        ("servers", "[Server]"),
        ("parameters", "[Parameter]"),
    ),
    "Operation": (
        ("tags", "texts"),
        ("summary description operationId", "text"),
        ("externalDocs", "ExternalDocumentation"),
        ("parameters", "[Parameter]"),
        ("requestBody", "RequestBody"),
        ("responses!", "Responses", "3.0", "3.0"),
        ("responses", "Responses", "3.1"),
        ("callbacks", "{Callback}"),
        ("deprecated", "flag"),
        ("security", "[SecurityRequirement]"),
        ("servers", "[Server]"),
    ),
    "ExternalDocumentation": (("url!", "text"), _DESCRIBED),
    "Parameter": (("name! in! description", "text"), ("allowEmptyValue allowReserved", "flag"), *_STYLED),
    "Header": (_DESCRIBED, ("allowEmptyValue allowReserved", "flag", "3.0", "3.0"), *_STYLED),
    "RequestBody": (_DESCRIBED, ("content!", "{MediaType}"), ("required", "flag")),
    "MediaType": (
        ("description", "text", "3.2"),
        ("schema", SCHEMA),
        ("itemSchema", SCHEMA, "3.2"),
        *_EXAMPLES,
        ("encoding", "{Encoding}"),
        ("prefixEncoding", "[Encoding]", "3.2"),
        ("itemEncoding", "Encoding", "3.2"),
    ),
    "Encoding": (
        ("contentType style", "text"),
        ("headers", "{Header}"),
        ("explode allowReserved", "flag"),
        ("encoding", "{Encoding}", "3.2"),
        ("prefixEncoding", "[Encoding]", "3.2"),
        ("itemEncoding", "Encoding", "3.2"),
    ),
    "Responses": (("default", "Response"),),
    "Response": (
        ("summary", "text", "3.2"),
        ("description!", "text", "3.0", "3.1"),
        ("description", "text", "3.2"),
        ("headers", "{Header}"),
        ("content", "{MediaType}"),
        ("links", "{Link}"),
    ),
    "Callback": (),
    "Example": (
        ("summary description externalValue", "text"),
        ("value", "any"),
        ("dataValue", "any", "3.2"),
        ("serializedValue", "text", "3.2"),
    ),
    "Link": (
        ("operationRef operationId description", "text"),
        ("parameters", "{any}"),
        ("requestBody", "any"),
        ("server", "Server"),
    ),
    "Tag": (
        ("name! description", "text"),
        ("summary parent kind", "text", "3.2"),
        ("externalDocs", "ExternalDocumentation"),
    ),
    "SecurityRequirement": (),
    "SecurityScheme": (("type! description", "text"), ("deprecated", "flag", "3.2")),
    "SecurityScheme apiKey": (("name! in!", "text"),),
    "SecurityScheme http": (("scheme! bearerFormat", "text"),),
    "SecurityScheme mutualTLS": (),
    "SecurityScheme oauth2": (("flows!", "OAuthFlows"), ("oauth2MetadataUrl", "text", "3.2")),
    "SecurityScheme openIdConnect": (("openIdConnectUrl!", "text"),),
    "OAuthFlows": (
        ("implicit", "ImplicitFlow"),
        ("password clientCredentials", "TokenFlow"),
        ("authorizationCode", "AuthorizationCodeFlow"),
        ("deviceAuthorization", "DeviceFlow", "3.2"),
    ),
    "ImplicitFlow": (("authorizationUrl! refreshUrl", "text"), ("scopes!", "{text}")),
    "TokenFlow": (("tokenUrl! refreshUrl", "text"), ("scopes!", "{text}")),
    "AuthorizationCodeFlow": (("authorizationUrl! tokenUrl! refreshUrl", "text"), ("scopes!", "{text}")),
    "DeviceFlow": (("deviceAuthorizationUrl! tokenUrl! refreshUrl", "text"), ("scopes!", "{text}")),
    "Discriminator": (
        ("propertyName!", "text"),
        ("mapping", "{text}"),
        ("defaultMapping", "text", "3.2"),
    ),
    "XML": (
        ("name namespace prefix", "text"),
        ("attribute wrapped", "flag"),
        ("nodeType", "text", "3.2"),
    ),
    "Overlay": (("overlay!", "text"), ("info!", "OverlayInfo"), ("extends", "reference"), ("actions!", "[Action]")),
    "OverlayInfo": (("title! version! description", "text"),),
    "Action": (("target! description", "text"), ("update", "any"), ("remove", "flag")),
}

_STATUS = re.compile(r"[1-5](?:[0-9][0-9]|XX)")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_COMPONENT = re.compile(r"[A-Za-z0-9._-]+")
_ANY = re.compile(r".*", re.DOTALL)

# Kinds whose members are named by data: how such names look, what they hold.
_OPEN: Mapping[str, tuple[re.Pattern[str], str]] = {
    "Paths": (re.compile(r"/.*", re.DOTALL), "PathItem"),
    "Responses": (_STATUS, "Response"),
    "Callback": (_ANY, "PathItem"),
    "SecurityRequirement": (_ANY, "texts"),
}

# Names in the maps of these members are restricted too.
MAP_NAMES: Mapping[tuple[str, str], re.Pattern[str]] = {
    ("PathItem", "additionalOperations"): _TOKEN,
    **{("Components", name): _COMPONENT for row in _ROWS["Components"] for name in row[0].split()},
}

# Where a Reference Object may stand instead. A path item has a ``$ref`` of its own.
REFERABLE = frozenset(
    ("Response", "Parameter", "Example", "RequestBody", "Header", "SecurityScheme", "Link", "Callback", "PathItem")
)
REFERABLE_SINCE_3_2 = frozenset(("MediaType",))

# At most one of these members, and where ``EXACTLY_ONE`` says so, one.
EXCLUSIVE: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "License": (("identifier", "url"),),
    "Parameter": (("schema", "content"), ("example", "examples")),
    "Header": (("schema", "content"), ("example", "examples")),
    "MediaType": (("example", "examples"), ("encoding", "prefixEncoding"), ("encoding", "itemEncoding")),
    "Encoding": (("encoding", "prefixEncoding"), ("encoding", "itemEncoding")),
    "Example": (
        ("value", "externalValue"),
        ("value", "dataValue"),
        ("value", "serializedValue"),
        ("serializedValue", "externalValue"),
    ),
    "Link": (("operationRef", "operationId"),),
}
EXACTLY_ONE = frozenset((("Parameter", "schema"), ("Header", "schema"), ("Link", "operationRef")))


def not_beside_content(version: str) -> tuple[str, ...]:
    """Members of a parameter or header that say nothing where ``content`` says how it is written."""
    return ("style", "explode", "allowReserved", *(("example", "examples") if version != "3.2" else ()))


STYLES: Mapping[str, tuple[str, ...]] = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form",),
}
"""The styles of parameters by their place; the first is the default. 3.2 adds the place "querystring", which has none, and the
style "cookie" for cookies."""

_WORDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("SecurityScheme", "type"): ("apiKey", "http", "oauth2", "openIdConnect"),
    ("SecurityScheme", "in"): ("query", "header", "cookie"),
    ("Encoding", "style"): STYLES["query"],
}


def words(kind: str, member: str, version: str) -> tuple[str, ...]:
    """The values that a text member may have; empty where any will do."""
    found = _WORDS.get((kind, member), ())
    if (kind, member) == ("SecurityScheme", "type") and version != "3.0":
        return (*found, "mutualTLS")
    if (kind, member) == ("Parameter", "in"):
        return (*STYLES, "querystring") if version == "3.2" else tuple(STYLES)
    return found


def styles(place: str, version: str) -> tuple[str, ...]:
    """The styles that a parameter at ``place`` may have, the default first."""
    return (*STYLES.get(place, ()), *(("cookie",) if place == "cookie" and version == "3.2" else ()))


@cache
def shape(kind: str, version: str) -> Shape:
    """What an object of ``kind`` consists of in ``version``."""
    members: dict[str, Member] = {}
    base, _, variant = kind.partition(" ")
    for names, holds, *span in (*_ROWS[base], *(_ROWS[kind] if variant else ())):
        first = span[0] if span else VERSIONS[0]
        last = span[1] if len(span) > 1 else VERSIONS[-1]
        if first <= version <= last:
            for name in names.split():
                members[name.rstrip("!")] = Member(holds, name.endswith("!"))
    pattern, data = _OPEN.get(kind, (None, ""))
    return Shape(members, pattern, data, extensible=kind not in ("SecurityRequirement",))


def variant(kind: str, value: Mapping[str, JsonValue]) -> str:
    """The kind with what its members depend on: a security scheme is one by its ``type``."""
    if kind != "SecurityScheme":
        return kind
    found = f"{kind} {value.get('type')}"
    return found if found in _ROWS else kind


def title(kind: str) -> str:
    """What messages call an object of ``kind``."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", kind.partition(" ")[0].replace("OpenAPI", "Openapi"))
    spelled = " ".join(words).replace("Openapi", "OpenAPI")
    return f"{spelled} Object"


def article(kind: str) -> str:
    """``title`` with its article; of a schema, its word in JSON Schema."""
    name = "schema" if kind == SCHEMA else title(kind)
    return f"{'an' if name[0] in 'AEIOX' else 'a'} {name}"


def scalar_flaw(holds: str, value: JsonValue) -> Flaw | None:
    """What is wrong with the value of a member that holds no object."""
    match holds:
        case "text" | "reference":
            return None if isinstance(value, str) else Flaw(value, "a string")
        case "flag":
            return None if isinstance(value, bool) else Flaw(value, "true or false")
        case "texts" | "some texts":
            if not isinstance(value, list) or (holds == "some texts" and not value):
                return Flaw(value, "an array of strings" if holds == "texts" else "an array of at least one string")
            wrong = next((i for i, item in enumerate(value) if not isinstance(item, str)), None)
            return None if wrong is None else Flaw(value[wrong], "a string", f"/{wrong}")
        case _:
            return None


def is_scalar(holds: str) -> bool:
    """Whether a member holds neither objects nor schemas."""
    return holds in ("text", "reference", "flag", "any", "texts", "some texts")


def operand(kind: str, version: str, value: JsonValue) -> Flaw | None:
    """What is wrong with ``value`` as an object of ``kind`` that holds no objects in turn: the operand of a keyword."""
    expected = article(kind)
    if not isinstance(value, dict):
        return Flaw(value, expected)
    known = shape(kind, version)
    for name, item in value.items():
        member = known.members.get(name)
        if member is None:
            if not name.startswith("x-"):
                return Flaw(name, f"a member of {expected}", f"/{escape(name)}")
            continue
        if member.holds == "{text}":
            if not isinstance(item, dict):
                return Flaw(item, "an object whose members are strings", f"/{name}")
            for key, text in item.items():
                if not isinstance(text, str):
                    return Flaw(text, "a string", f"/{name}/{escape(key)}")
        elif flaw := scalar_flaw(member.holds, item):
            return flaw._replace(below=f"/{name}{flaw.below}")
    missing = next((name for name, member in known.members.items() if member.required and name not in value), None)
    return None if missing is None else Flaw(value, f'{expected} with the member "{missing}"')
