"""An operation and a sample of its body → Python code that calls it through the generated client.

Must not guess at names: methods, arguments and classes are those that the package has. An operation whose required arguments
cannot be written down in a line has no code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codegen.edition import Edition
from codegen.model import Boolean, Content, Integer, Operation, Parameter, Ref, SecurityScheme, Text
from codegen.snippets import Snippets, written
from codegen.targets.docs import curl
from codegen.targets.python.client_calls import Methods
from codegen.targets.python.client_operations import Operations, Planned
from codegen.targets.python.names import Names
from codegen.targets.python.options import Options
from codegen.targets.quoting import literal, text
from codegen.targets.site import Snippet


class CallSnippets:
    """Code for the client of one package. ``snippets`` and ``codecs`` are of the same package."""

    def __init__(self, edition: Edition, options: Options, snippets: Snippets, codecs: Mapping[str, Any]) -> None:
        self.edition = edition
        self.snippets = snippets
        self.codecs = codecs
        names = Names(edition)
        operations = Operations(edition, names, options.open_world)
        self.methods = Methods(edition, names, operations)
        self.planned = {planned.operation.key: planned for planned in operations.planned}

    def of(self, operation: Operation) -> tuple[Snippet, ...]:
        """How to call ``operation``; for one that can stream, or whose list comes in pages, how to read it all as well."""
        planned = self.planned.get(operation.key)
        arguments = None if planned is None else self._arguments(planned)
        if planned is None or arguments is None:
            return ()
        body = self._body(operation)
        if body is None and operation.body is not None and operation.body.required:
            return ()
        head, classes = body or ("", [])
        given = ", ".join([*arguments, *(["body=body"] if head else [])])
        opened = f"with Client({', '.join(self._settings(operation))}) as client:"
        imported = [f"from {self.snippets.package}.client import Client"]
        if classes:
            imported.insert(0, self.snippets.imported(classes))
        if "os.environ" in opened:
            imported[:0] = ["import os", ""]
        whole, reads = "", ""
        if planned.union is not None:
            whole = f"{opened}\n    with client.{planned.method}_stream({given}) as events:\n"
            whole += "        for event in events:\n            print(event)"
            reads = "operation.asks_for_stream"
        elif operation.page is not None:
            whole = f"{opened}\n    for item in client.{planned.method}_items({given}):\n        print(item)"
            reads = "operation.all_pages"
        called = f"{opened}\n    answer = client.{planned.method}({given})" if planned.plain else whole
        make = "\n".join([*imported, "", *([head] if head else []), called])
        return (
            Snippet(
                label="Python",
                language="python",
                make=make,
                read=whole if planned.plain else "",
                reads=reads if planned.plain else "",
            ),
        )

    def _settings(self, operation: Operation) -> Iterator[str]:
        """What a client is made with: the first way in which a caller can show who it is."""
        if self.methods.server is None:
            yield 'base_url=os.environ["BASE_URL"]'
        held = {scheme.name: scheme for scheme in self.methods.schemes}
        for requirement in operation.security[:1]:
            for name, _ in requirement.schemes:
                if name in held:
                    yield f"{self.methods.keys[name]}={_secret(held[name])}"

    def _arguments(self, planned: Planned) -> list[str] | None:
        """The required arguments; None where one has no short value."""
        found = []
        for name, parameter in planned.arguments:
            if parameter.required:
                value = _value(parameter)
                if value is None:
                    return None
                found.append(f"{name}={value}")
        return found

    def _body(self, operation: Operation) -> tuple[str, list[str]] | None:
        """A statement that makes the body, and the classes that it needs; None without a sample that the package reads."""
        content: Content | None = next(iter(operation.body.contents), None) if operation.body is not None else None
        if content is None or not isinstance(content.type, Ref):
            return None
        samples = [s for s in self.edition.samples.get(content.origin, ()) if s.text is None and not s.url]
        name = self.edition.facts.definition(content.type.key).name.spelled
        for sample in samples[:1]:
            try:
                made = self.codecs[name].from_dict(sample.value)
            except ValueError:
                continue
            return f"body = {written(made, 0, len('body = '))}", self.snippets.records(made)
        return None


def _secret(scheme: SecurityScheme) -> str:
    if scheme.kind == "http" and scheme.scheme == "basic":
        return '(os.environ["USER_NAME"], os.environ["PASSWORD"])'
    return f"os.environ[{text('API_KEY' if scheme.kind == 'apiKey' else 'TOKEN')}]"


def _value(parameter: Parameter) -> str | None:
    """A value of a required parameter: an example of the contract, else a place that a reader fills in."""
    stated = curl.shown(parameter)
    match parameter.type:
        case Text():
            return literal(stated or "…")
        case Integer():
            return stated if stated and stated.isdigit() else "1"
        case Boolean():
            return "True"
        case _:
            return None
