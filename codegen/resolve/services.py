"""The root of an OpenAPI description → what holds for all operations: servers, security, tags, links to documentation.

Must not read operations (``operations`` does).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from codegen.document import Element
from codegen.errors import Problem, shown
from codegen.model import (
    Doc,
    ExternalDocs,
    Flow,
    JsonValue,
    Notes,
    Requirement,
    SecurityScheme,
    Server,
    ServerVariable,
    Tag,
)
from codegen.resolve import docs

if TYPE_CHECKING:
    from typing import Literal

    from codegen.resolve.interpret import Interpreter

VARIABLE = re.compile(r"\{([^{}]*)\}")


def doc(element: Element, member: str = "description") -> Doc:
    """The description of an object; empty where it has none."""
    return docs.prose(element.text(member))


def notes(element: Element) -> Notes:
    """The annotations of an object."""
    extensions = dict(element.extensions())
    return Notes(
        deprecated=element.get("deprecated") is True,
        secret=extensions.get("x-wirebound-secret") is True,
        external_docs=external_docs(element),
        extensions=extensions,
    )


def external_docs(element: Element) -> ExternalDocs | None:
    """The documentation elsewhere that an object refers to."""
    found = element.one("externalDocs")
    return None if found is None else ExternalDocs(url=found.text("url"), doc=doc(found))


def servers(reader: Interpreter, element: Element) -> tuple[Server, ...]:
    """The servers that an object names; none where it names none."""
    return tuple(server(reader, found) for found in element.many("servers"))


def server(reader: Interpreter, element: Element) -> Server:
    """One server. Each name in its URL must be a variable."""
    url = element.text("url")
    variables = element.named("variables")
    for name in VARIABLE.findall(url):
        if name not in variables:
            reader.problems.append(
                Problem(
                    code="server-variable",
                    message=f'"url" has a place for {shown(name)}, which is no variable of the server',
                    origin=element.at("url"),
                    help=f'describe {shown(name)} in "variables", or write out what it stands for',
                )
            )
    return Server(
        url=url,
        name=element.text("name"),
        variables=tuple(_variable(name, found) for name, found in variables.items()),
        doc=doc(element),
        origin=element.origin,
    )


def _variable(name: str, element: Element) -> ServerVariable:
    return ServerVariable(
        name=name,
        default=element.text("default"),
        values=texts(element.get("enum")),
        doc=doc(element),
        origin=element.origin,
    )


def texts(value: JsonValue) -> tuple[str, ...]:
    """The strings of an array; none where it is no array."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def tags(root: Element) -> tuple[Tag, ...]:
    """The tags that the description describes; operations may bear others too."""
    return tuple(
        Tag(
            name=tag.text("name"),
            summary=tag.text("summary"),
            doc=doc(tag),
            parent=tag.text("parent"),
            kind=tag.text("kind"),
            external_docs=external_docs(tag),
            origin=tag.origin,
        )
        for tag in root.many("tags")
    )


# --- security ---------------------------------------------------------------------------------------------------------


def schemes(root: Element) -> tuple[SecurityScheme, ...]:
    """The security schemes that requirements name."""
    components = root.one("components")
    found = components.named("securitySchemes") if components is not None else {}
    return tuple(_scheme(name, element) for name, element in found.items())


def _scheme(name: str, element: Element) -> SecurityScheme:
    kind = element.text("type")
    place = element.text("in")
    flows = element.one("flows")
    return SecurityScheme(
        name=name,
        kind=cast("Literal['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect']", kind),
        place=cast("Literal['query', 'header', 'cookie']", place) if kind == "apiKey" else None,
        parameter=element.text("name") if kind == "apiKey" else "",
        # The names of authentication schemes do not distinguish case (RFC 9110, 11.1).
        scheme=element.text("scheme").lower(),
        bearer_format=element.text("bearerFormat"),
        flows=tuple(_flow(way, flow) for way, flow in (flows.named().items() if flows is not None else ())),
        url=element.text("openIdConnectUrl") or element.text("oauth2MetadataUrl"),
        doc=doc(element),
        notes=notes(element),
        origin=element.origin,
    )


def _flow(kind: str, element: Element) -> Flow:
    scopes = element.get("scopes")
    return Flow(
        kind=cast(
            "Literal['implicit', 'password', 'clientCredentials', 'authorizationCode', 'deviceAuthorization']", kind
        ),
        authorization_url=element.text("authorizationUrl"),
        device_authorization_url=element.text("deviceAuthorizationUrl"),
        token_url=element.text("tokenUrl"),
        refresh_url=element.text("refreshUrl"),
        scopes=tuple((name, str(text)) for name, text in scopes.items()) if isinstance(scopes, dict) else (),
        origin=element.origin,
    )


def security(
    reader: Interpreter, root: Element, element: Element, known: Mapping[str, SecurityScheme]
) -> tuple[Requirement, ...]:
    """The requirements of an operation, of which one must be met: its own, else those of the description."""
    said = element if element.has("security") else root
    if not said.has("security"):
        return ()
    found = said.many("security")
    if not found:  # an empty list takes the general requirements back
        return (Requirement(schemes=(), origin=said.at("security")),)
    requirements = []
    for requirement in found:
        names = tuple(requirement.names())
        for name in names:
            if name not in known:
                problem = Problem(
                    code="unknown-security-scheme",
                    message=f"{shown(name)} is no security scheme",
                    origin=requirement.at(name),
                    help='describe it in "components/securitySchemes", or correct the name',
                )
                if problem not in reader.problems:
                    reader.problems.append(problem)
        listed = tuple((name, texts(requirement.get(name))) for name in names)
        requirements.append(Requirement(schemes=listed, origin=requirement.origin))
    return tuple(requirements)
