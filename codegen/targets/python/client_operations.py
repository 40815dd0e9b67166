"""Operations → what each is called in Python, what it takes and gives; and ``_operations.py``, which says it as data.

Must not write methods (``client_calls`` does).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codegen.edition import Edition
from codegen.errors import shown
from codegen.model import (
    Content,
    Key,
    Operation,
    Parameter,
    Ref,
    Requirement,
    Response,
    Resume,
    SecurityScheme,
    Server,
    Union,
)
from codegen.tables import quoted
from codegen.targets import layout, naming, quoting
from codegen.targets.layout import Expression
from codegen.targets.python.annotations import joined
from codegen.targets.python.client_forms import EVENTS, Form, Forms, bare
from codegen.targets.python.models import PROSE
from codegen.targets.python.names import Names, safe

METHODS = frozenset({"models", "streams", "close", "aclose", "with_options", "operations"})
"""Names that mean something else inside the classes of clients."""
ARGUMENTS = frozenset({"self", "body", "unknown", "findings", "raise_errors", "token"})
"""Arguments that methods have of their own."""
OURS = ("Answer", "Body", "Operation", "Resume", "Streaming", "Unsent")


@dataclass(frozen=True, slots=True)
class OperationsView:
    """``_operations.py``: ``unsent`` are the entries of the table of what is read only."""

    banner: str
    doc: str
    imports: tuple[str, ...]
    unsent: tuple[str, ...]
    items: tuple[DeclaredOperation, ...]
    constants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeclaredOperation:
    """One operation: its first line and what stands in its brackets."""

    head: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One operation as callers see it. ``arguments`` are its parameters with their names in Python; ``union`` are the events
    that it can answer with; ``plain``: it can answer otherwise."""

    operation: Operation
    method: str
    arguments: tuple[tuple[str, Parameter], ...]
    request: Form | None
    result: Expression
    union: Union | None
    plain: bool

    @property
    def constant(self) -> str:
        """What its data is called."""
        return naming.upper(self.method)


class Operations:
    """Plans the operations of one edition."""

    def __init__(self, edition: Edition, names: Names, open_world: bool) -> None:
        self.edition = edition
        self.names = names
        calls = [operation for operation in edition.model.operations if operation.role == "call"]
        self.schemes = {scheme.name: scheme for scheme in edition.model.security}
        methods = self._methods(calls)
        self.forms = Forms(edition, names, open_world, frozenset(methods.values()) | METHODS)
        self.methods = methods
        self._refuse_meeting(calls)
        self.planned = tuple(self.plan(operation) for operation in calls)
        bodies = [content.type for p in self.planned for content in self._sent(p) if content.type is not None]
        self.unsent = self.forms.unsent(bodies)

    def _methods(self, calls: list[Operation]) -> dict[Key, str]:
        by_name = {operation.name.spelled: operation.key for operation in calls}
        found = naming.assigned(((name, "") for name in by_name), naming.snake, lambda name: safe(name, METHODS))
        return {by_name[name]: method for name, method in found.items()}

    def _refuse_meeting(self, calls: list[Operation]) -> None:
        """Two operations, or one and what another gives in another form, must not be called the same."""
        holders: dict[str, Operation] = {}
        for operation in calls:
            method = self.methods[operation.key]
            also = [f"{method}_stream"] if operation.streaming is not None else []
            also += [f"{method}_items"] if operation.page is not None else []
            for name in (method, *also):
                before = holders.setdefault(name, operation)
                if before is not operation:
                    where = f"{operation.key.document}#{operation.key.pointer}"
                    self.forms.refuse(
                        f"{shown(operation.name.spelled)} and {shown(before.name.spelled)} would both be {name}()",
                        operation.origin,
                        f'name one in outline.toml: [names] {quoted(where)} = "…"',
                    )

    def plan(self, operation: Operation) -> Planned:
        """One operation."""
        method = self.methods[operation.key]
        good = self._good(operation)
        union = self._union(operation, good)
        request = self.forms.request(operation, method)
        results: list[Expression] = []
        plain = union is None
        for response in good:
            contents = [content for content in response.contents if bare(content.media_type) != EVENTS]
            if contents or not response.contents:
                form = self.forms.response(contents, method, f"response {response.status}", operation)
                results.append(form.annotation)
                plain = True
        if not good:
            results.append(self.forms.symbol("bytes"))
        return Planned(
            operation=operation,
            method=method,
            arguments=self._arguments(operation),
            request=request,
            result=joined([part for result in results for part in _parts(result)]) if results else "None",
            union=union,
            plain=plain,
        )

    def _good(self, operation: Operation) -> list[Response]:
        """What an operation answers when it has done what was asked."""
        good = [response for response in operation.responses if response.status.startswith("2")]
        return good or [response for response in operation.responses if response.status == "default"]

    def _union(self, operation: Operation, good: list[Response]) -> Union | None:
        """The events of the stream that an operation can answer with."""
        contents = [c for response in good for c in response.contents if bare(c.media_type) == EVENTS]
        others = [c for response in good for c in response.contents if bare(c.media_type) != EVENTS]
        if not contents or (operation.streaming is None and others):
            return None
        cases = [case for content in contents for case in content.events]
        union = None
        if len({case.type for case in cases}) == 1 and isinstance(case := cases[0].type, Ref):
            definition = self.forms.facts.definition(case.key)
            union = definition if isinstance(definition, Union) and definition.stream is not None else None
        if union is None:
            self.forms.refuse(
                "the stream that the operation answers with is no union of events that says how it ends",
                contents[0].origin,
                "give itemSchema (OpenAPI 3.2) one union of events, and state x-wirebound-stream on it",
            )
        return union

    def _arguments(self, operation: Operation) -> tuple[tuple[str, Parameter], ...]:
        """The parameters with their names in Python: those of the path in its order, then the others in theirs."""
        streaming = operation.streaming
        ask = streaming.ask if streaming is not None and streaming.ask_in == "query" else None
        order = [part.parameter for part in operation.parts if hasattr(part, "parameter")]
        inside = sorted((p for p in operation.parameters if p.place == "path"), key=lambda p: order.index(p.name))
        others = [p for p in operation.parameters if p.place != "path" and not (p.place == "query" and p.name == ask)]
        found: list[tuple[str, Parameter]] = []
        taken: set[str] = set()
        for parameter in (*inside, *others):
            self.forms.check_parameter(parameter)
            name = safe(naming.snake(parameter.name), ARGUMENTS)
            if name in taken:  # the same name in another place, or two spellings of one
                name = safe(f"{naming.snake(parameter.name)}_{parameter.place}", ARGUMENTS)
            if name in taken:
                name = safe(naming.escaped(parameter.name), ARGUMENTS)
            if name in taken:
                self.forms.refuse(
                    f"parameter {shown(parameter.name)} is called like another one in Python",
                    parameter.origin,
                    "rename one of the two",
                )
            taken.add(name)
            found.append((name, parameter))
        return tuple(found)

    def _sent(self, planned: Planned) -> Iterable[Content]:
        return planned.operation.body.contents if planned.operation.body is not None else ()

    # --- the view -----------------------------------------------------------------------------------------------------

    def view(self, banner: str, title: str) -> OperationsView:
        """``_operations.py``."""
        items = tuple(self.declared(planned) for planned in self.planned)
        lines = [line for item in items for line in item.arguments]
        text = "\n".join([*lines, *(item.head for item in items), "models." * bool(self.unsent)])
        modules = [name for name in ("codecs", "models", "streams") if f"{name}." in text]
        banner += "\n# pyright: reportPrivateUsage=false" if self.forms.entries else ""
        used = sorted(
            {"Operation", *(name for name in OURS if f"{name}(" in text), *(["Unsent"] if self.unsent else [])}
        )
        always = [("collections.abc", "Mapping"), ("typing", "Any"), *(("._support.operations", name) for name in used)]
        always += [("._support.parameters", "Parameter")] if "Parameter(" in text else []
        always += [(".", name) for name in modules]
        return OperationsView(
            banner=banner,
            doc=quoting.docstring(f"Operations of {title}, as data: what is sent, and what comes back.", 0, PROSE),
            imports=tuple(self.forms.scope.imported(text, *always)),
            unsent=tuple(f"models.{self.names.classes[key]}: {rule}," for key, rule in self.unsent.items()),
            items=items,
            constants=tuple(planned.constant for planned in self.planned),
        )

    def declared(self, planned: Planned) -> DeclaredOperation:
        """One operation as data."""
        operation = planned.operation
        given = [quoting.text(planned.method), quoting.text(operation.method), quoting.text(operation.path)]
        if planned.arguments:
            spelled = [self._parameter(parameter) for _, parameter in planned.arguments]
            given.append(layout.listed("parameters=(", spelled, ")", 4, ","))
        if planned.request is not None:
            given.append(self._body(planned, planned.request))
        good = [response.status for response in self._good(operation)]
        answers = [self._answer(planned, response, True) for response in operation.responses if response.status in good]
        failures = [
            self._answer(planned, response, False)
            for response in operation.responses
            if not response.status.startswith("2")
        ]
        given.append(layout.listed("answers={", answers or ['"2XX": Answer("bytes")'], "}", 4))
        if failures:
            given.append(layout.listed("failures={", failures, "}", 4))
        if ways := self._security(operation.security):
            given.append(f"security=({', '.join(ways)}{',' * (len(ways) == 1)})")
        if operation.servers:
            given.append(f"server={quoting.text(self.address(operation.servers[0]))}")
        if planned.union is not None:
            given.append(self._streaming(operation, planned.union))
        result = layout.flat(planned.result)
        return DeclaredOperation(f"{planned.constant}: Operation[{result}] = Operation(", tuple(given))

    def _parameter(self, parameter: Parameter) -> str:
        style = "json" if parameter.content is not None else parameter.style or "simple"
        given = [quoting.text(parameter.place), quoting.text(parameter.name), quoting.text(style)]
        given += ["True"] if parameter.explode or parameter.allow_reserved else []
        if parameter.allow_reserved:
            given = [*given[:3], str(parameter.explode), "reserved=True"]
        return f"Parameter({', '.join(given)})"

    def _body(self, planned: Planned, form: Form) -> str:
        given = [form.expression, quoting.text(form.media_type)]
        if form.media_type == "application/x-www-form-urlencoded":
            given.append("is_form=True")
        types = [content.type for content in self._sent(planned) if content.type is not None]
        if self.forms.unsent(types):
            given.append("unsent=READ_ONLY")
        return f"body=Body({', '.join(given)})"

    def _answer(self, planned: Planned, response: Response, good: bool) -> str:
        what = f"response {response.status}"
        form = self.forms.response(response.contents, planned.method, what, planned.operation)
        given = [form.expression]
        content = next((content for content in response.contents if form.expression.startswith("codecs.")), None)
        if content is not None and good and self.forms.is_empty(content):
            given.append("empty=True")
        if content is not None and not good:
            code, message = self.forms.told(content)
            said = {"code": code, "message": message}
            given += [f"{word}={quoting.text(pointer)}" for word, pointer in said.items() if pointer is not None]
        return f"{quoting.text(response.status)}: Answer({', '.join(given)})"

    def _security(self, requirements: tuple[Requirement, ...]) -> list[str]:
        """Sets of schemes, those that show who the caller is before the one that needs nothing."""
        ways = []
        for requirement in sorted(requirements, key=lambda one: not one.schemes):
            names = [name for name, _ in requirement.schemes if self._scheme(name).kind != "mutualTLS"]
            ways.append(f"({', '.join(map(quoting.text, names))}{',' * (len(names) == 1)})")
        return ways

    def _scheme(self, name: str) -> SecurityScheme:
        scheme = self.schemes[name]
        if scheme.kind == "http" and scheme.scheme not in ("basic", "bearer"):
            self.forms.refuse(
                f"the client cannot do the authentication {shown(scheme.scheme)}",
                scheme.origin,
                'use "basic" or "bearer", or leave it out of the security of the operations',
            )
        return scheme

    def _streaming(self, operation: Operation, union: Union) -> str:
        given = [f"streams.{self.names.classes[union.key]}"]
        stated = operation.streaming
        if stated is not None and stated.ask is not None:
            given.append(f"ask=({quoting.text(stated.ask_in or '')}, {quoting.text(stated.ask)})")
        if stated is not None and stated.resume is not None:
            given.append(self._resume(stated.resume))
        return layout.listed("streaming=Streaming(", given, ")", 4)

    def _resume(self, resume: Resume) -> str:
        for _, expression in resume.parameters:
            if not expression.startswith(("$event#", "$request.")):
                self.forms.refuse(
                    f"the client does not keep what {shown(expression)} stands for",
                    resume.origin.at("parameters"),
                    "use $request or $event",
                )
        target = next(planned for planned in self.planned if planned.operation.key == resume.operation)
        if target.union is None:
            self.forms.refuse(
                f"{shown(target.operation.name.spelled)} answers with no stream",
                resume.origin.at("operation"),
                "name an operation whose stream goes on where this one broke off",
            )
        given = [quoting.text(target.method), quoting.text(resume.after)]
        if resume.parameters:
            pairs = [f"({quoting.text(name)}, {quoting.text(value)})" for name, value in resume.parameters]
            given.append(f"({', '.join(pairs)}{',' * (len(pairs) == 1)})")
        return f"resume=Resume({', '.join(given)})"

    def address(self, server: Server) -> str:
        """The address of a server of an operation, its variables as they are by default."""
        url = server.url
        for variable in server.variables:
            url = url.replace(f"{{{variable.name}}}", variable.default)
        if not url.startswith(("http://", "https://")):
            self.forms.refuse(
                f"{shown(server.url)} is no whole address",
                server.origin,
                "begin it with https://, or remove the server",
            )
        return url


def _parts(expression: Expression) -> tuple[Expression, ...]:
    return expression.parts if isinstance(expression, layout.Either) else (expression,)
