"""Servers, security schemes and streams of an API → what a reader is told about them, in runs.

Must not know operations (``operations`` does): what is here holds for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.model import EventStream, Flow, Fold, Requirement, SecurityScheme, Server
from codegen.targets.docs.catalogued import scheme_anchor, server_anchor
from codegen.targets.docs.telling import Telling
from codegen.targets.docs.text import Code, Link, Plain, Runs, joined


class Services:
    """Tells what holds for all operations."""

    def __init__(self, telling: Telling) -> None:
        self.telling = telling
        self.speech = telling.speech
        self.model = telling.edition.model
        self.schemes = {scheme.name: scheme for scheme in self.model.security}

    def whole(self) -> Iterator[Runs]:
        """Each server, then each security scheme."""
        yield from (self.server(server, server_anchor(i)) for i, server in enumerate(self.model.servers))
        yield from map(self._scheme, self.model.security)

    def server(self, server: Server, anchor: str) -> Runs:
        """A server, with what stands in its address."""
        say = self.speech.say
        runs = say("operation.server", url=(Code(server.url),))
        for variable in server.variables:
            values = joined(((Code(value),) for value in variable.values), self.speech.text("type.either"))
            about = self.telling.line(variable.doc, f"{anchor}.{variable.name}")
            default = say("operation.server_variable", name=(Code(variable.name),), default=(Code(variable.default),))
            listed = say("operation.server_values", values=values) if values else ()
            runs = _sentences(runs, default, listed, about)
        return _sentences(runs, self.telling.line(server.doc, anchor))

    def _scheme(self, scheme: SecurityScheme) -> Runs:
        runs = self.speech.say("operation.scheme", name=(Code(scheme.name),), how=self._how(scheme))
        flows = [self._flow(flow, scheme) for flow in scheme.flows]
        return _sentences(runs, *flows, self.telling.line(scheme.doc, scheme_anchor(scheme)))

    def _how(self, scheme: SecurityScheme) -> Runs:
        say = self.speech.say
        match scheme.kind:
            case "apiKey":
                return say(f"operation.key_{scheme.place}", parameter=(Code(scheme.parameter),))
            case "http":
                known = f" {scheme.bearer_format}" if scheme.bearer_format else ""
                return say("operation.http", scheme=(Code(f"{scheme.scheme}{known}"),))
            case "mutualTLS":
                return say("operation.mutual_tls")
            case "oauth2" | "openIdConnect":
                at: Runs = (Plain(" "), Link(scheme.url, scheme.url)) if scheme.url else ()
                return (*say("operation.oauth2" if scheme.kind == "oauth2" else "operation.open_id"), *at)

    def _flow(self, flow: Flow, scheme: SecurityScheme) -> Runs:
        urls = (flow.authorization_url, flow.device_authorization_url, flow.token_url, flow.refresh_url)
        places = joined(((Link(url, url),) for url in urls if url), self.speech.text("type.and"))
        scopes = joined(
            ((Code(name), Plain(f" ({text})")) if text else (Code(name),) for name, text in flow.scopes),
            self.speech.text("type.and"),
        )
        runs = self.speech.say("operation.flow", kind=(Code(flow.kind),), places=places)
        return _sentences(runs, self.speech.say("operation.scopes", scopes=scopes) if scopes else ())

    def security(self, requirements: tuple[Requirement, ...]) -> Iterator[Runs]:
        """What an operation asks of its caller; nothing where the contract says nothing."""
        ways = [self._way(requirement) for requirement in requirements]
        if ways:
            yield self.speech.say("operation.security", ways=joined(ways, self.speech.text("operation.security_or")))

    def _way(self, requirement: Requirement) -> Runs:
        if not requirement.schemes:
            return self.speech.say("operation.security_none")
        parts: list[Runs] = []
        for name, scopes in requirement.schemes:
            scheme = self.schemes.get(name)
            how: Runs = (Plain(" ("), *self._how(scheme), Plain(")")) if scheme else ()
            needed = joined(((Code(scope),) for scope in scopes), self.speech.text("type.and"))
            with_scopes = self.speech.say("operation.with_scopes", scopes=needed) if needed else ()
            parts.append((Code(name), *how, *with_scopes))
        return joined(parts, self.speech.text("operation.security_and"))

    # --- streams ------------------------------------------------------------------------------------------------------

    def terminal(self, stream: EventStream) -> Runs:
        """When a stream is complete."""
        events: list[Runs] = [(Code(event),) for event in stream.terminal]
        if stream.done is not None:
            events.append(self.speech.say("stream.done", done=(Code(stream.done),)))
        return self.speech.say("stream.terminal", events=joined(events, self.speech.text("check.or")))

    def stream(self, stream: EventStream) -> Iterator[Runs]:
        """How a stream of the events of a union runs."""
        say = self.speech.say
        yield self.terminal(stream)
        if stream.event_id is not None:
            yield say("stream.event_id", pointer=(Code(stream.event_id),))
        if stream.error is not None:
            error = stream.error
            runs = say("stream.error", event=(Code(error.event),))
            code = say("stream.error_code", pointer=(Code(error.code),)) if error.code is not None else ()
            text = say("stream.error_message", pointer=(Code(error.message),)) if error.message is not None else ()
            bare = say("stream.error_bare", member=(Code(error.bare),)) if error.bare is not None else ()
            yield _sentences(runs, code, text, bare)

    def fold(self, fold: Fold) -> Runs:
        """What the events of a stream add up to."""
        return self.speech.say("stream.fold", result=self.telling.phrases.link(fold.result))


def _sentences(*parts: Runs) -> Runs:
    return joined((part for part in parts if part), " ")
