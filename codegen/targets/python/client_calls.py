"""Planned operations → the view of ``client.py``: two classes, without and with ``async``, with one method for each operation.

Must not know how calls are made (``_support`` does): a method says what it takes and gives, and hands its arguments on. An
operation that can answer with a stream has a second method for it, ``…_stream``, and one whose list comes in pages another,
``…_items``: what a method gives is said by its name, not by the value of a flag, and the asynchronous stream can be entered
without ``await``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codegen.edition import Edition
from codegen.history import Past
from codegen.model import ListOf, Operation, Page, Parameter, SecurityScheme, Server
from codegen.pointer import split
from codegen.reach import reached
from codegen.targets import layout, naming, quoting
from codegen.targets.layout import Either, Expression, Subscript
from codegen.targets.python import docs
from codegen.targets.python.annotations import joined
from codegen.targets.python.client_modes import ASYNC, SYNC, Mode
from codegen.targets.python.client_operations import Operations, Planned
from codegen.targets.python.models import PROSE
from codegen.targets.python.names import Names, safe

SETTINGS = frozenset(
    {"self", "base_url", "headers", "timeouts", "retries", "unknown", "findings", "check", "transport"}
)
"""Arguments that clients have of their own."""
FAILURES = (
    "BadRequest",
    "ClientError",
    "Conflict",
    "ConnectionFailed",
    "Forbidden",
    "NotFound",
    "ResponseError",
    "ServerError",
    "StatusError",
    "TimedOut",
    "TooManyRequests",
    "Unauthorized",
    "Unprocessable",
)


@dataclass(frozen=True, slots=True)
class MethodView:
    """One method: its head up to the colon, its docstring, and its one statement."""

    head: str
    doc: str
    statement: str


@dataclass(frozen=True, slots=True)
class ClassView:
    """One class of clients."""

    name: str
    calls: str
    base: str
    doc: str
    init: str
    methods: tuple[MethodView, ...]


@dataclass(frozen=True, slots=True)
class ClientView:
    """``client.py``. ``arguments`` are what the contract adds to those of every client; ``keys`` its security schemes."""

    banner: str
    doc: str
    imports: tuple[str, ...]
    exported: str
    arguments: tuple[str, ...]
    base_url: str
    keys: tuple[str, ...]
    classes: tuple[ClassView, ...]


class Methods:
    """Makes the view of one edition."""

    def __init__(self, edition: Edition, names: Names, operations: Operations) -> None:
        self.edition = edition
        self.facts = edition.facts
        self.names = names
        self.operations = operations
        self.forms = operations.forms
        used = {name for planned in operations.planned for r in planned.operation.security for name, _ in r.schemes}
        self.schemes = [s for s in edition.model.security if s.name in used and s.kind != "mutualTLS"]
        self.server = self._server()
        variables = [(variable.name, "") for variable in self.server.variables] if self.server is not None else []
        named = naming.assigned(
            [*((f"key {scheme.name}", naming.snake(scheme.name)) for scheme in self.schemes), *variables],
            naming.snake,
            lambda name: safe(name, SETTINGS),
        )
        self.keys = {scheme.name: named[f"key {scheme.name}"] for scheme in self.schemes}
        self.variables = {name: named[name] for name, _ in variables}

    def _server(self) -> Server | None:
        """The server that calls go to unless callers name another; None where the contract names no whole address."""
        found = self.edition.model.servers[:1]
        return found[0] if found and found[0].url.startswith(("http://", "https://")) else None

    def view(self, banner: str, title: str) -> ClientView:
        """The whole module."""
        classes = tuple(self.class_(mode, title) for mode in (SYNC, ASYNC))
        planned = self.operations.planned
        arguments = tuple(self._arguments())
        support = ["AsyncCalls", "Key", "Retries", "Secret", "Settings", "SyncCalls", "Timeouts"]
        support += ["AsyncPager", "Pager"] if any(p.operation.page is not None for p in planned) else []
        streams = ["AsyncStream", "Stream"] if any(p.union is not None for p in planned) else []
        text = "\n".join([*arguments, *(method.head for one in classes for method in one.methods)])
        always = [("collections.abc", "Mapping"), ("._support", "Finding"), ("._support", "Receive")]
        always += [("._operations", name) for name in ("OPERATIONS", *(p.constant for p in planned))]
        always += [("._support.calls", name) for name in support if name not in ("Key", "Secret") or self.schemes]
        always += [("._support.failures", name) for name in FAILURES]
        always += [("._support.streaming", name) for name in streams]
        always += [(".", "models")] if "models." in text else []
        pagers = [name for name in support if name.endswith("Pager")]
        exported = ["AsyncClient", "Client", "Retries", "Timeouts", *FAILURES, *streams, *pagers]
        doc = (
            f"Clients of {title}: ``Client`` and, for ``async`` programs, ``AsyncClient``, with a method for each"
            " operation.\n\nWhat can go wrong: ``EncodeError`` and other ``ValueError`` before anything is sent; a"
            " ``StatusError``, ``NotFound`` for example, when the server refuses; ``ConnectionFailed`` and ``TimedOut`` when"
            " it does not answer; ``ResponseError`` when its answer is not what the contract describes. All but the first are"
            " a ``ClientError``."
        )
        return ClientView(
            banner=banner,
            doc=quoting.docstring(doc, 0, PROSE),
            imports=tuple(self._imports(text, always)),
            exported=layout.listed("__all__ = [", [quoting.text(name) for name in sorted(exported)], "]"),
            arguments=arguments,
            base_url=self._base_url(),
            keys=tuple(self._key(scheme) for scheme in self.schemes),
            classes=classes,
        )

    def _imports(self, text: str, always: list[tuple[str, str]]) -> list[str]:
        """The imports of the module, that of httpx between Python's own and the package's."""
        lines = self.forms.scope.imported(text, *always)
        gap = lines.index("")
        return [*lines[:gap], "", "import httpx", *lines[gap:]]

    # --- the client itself --------------------------------------------------------------------------------------------

    def _arguments(self) -> Iterable[str]:
        for scheme in self.schemes:
            yield f"{self.keys[scheme.name]}: Secret | None = None"
        if self.server is None:
            yield "base_url: str"
            return
        yield "base_url: str | None = None"
        for variable in self.server.variables:
            kind = layout.flat(Subscript(self.forms.scope.symbol("Literal"), tuple(map(quoting.text, variable.values))))
            kind = kind if variable.values else "str"
            yield f"{self.variables[variable.name]}: {kind} = {quoting.text(variable.default)}"

    def _base_url(self) -> str:
        """The address of the server, as an expression."""
        if self.server is None:
            return "base_url"
        spelled = quoting.text(self.server.url)
        for name, argument in self.variables.items():
            spelled = spelled.replace(f"{{{name}}}", f"{{{argument}}}")
        return f"{'f' if self.variables else ''}{spelled} if base_url is None else base_url"

    def _key(self, scheme: SecurityScheme) -> str:
        argument = self.keys[scheme.name]
        given = [quoting.text(argument), argument]
        if scheme.kind == "apiKey":
            given += [quoting.text(scheme.place or "header"), quoting.text(scheme.parameter)]
        elif scheme.kind == "http" and scheme.scheme == "basic":
            given.append('scheme="Basic"')
        else:  # OAuth 2 and OpenID Connect end in a token, too
            given.append('scheme="Bearer"')
        return f"{quoting.text(scheme.name)}: Key({', '.join(given)}),"

    def _init(self) -> str:
        lines = [f"``{self.keys[scheme.name]}``: {self._told(scheme)}" for scheme in self.schemes]
        if self.server is None:
            lines.append("``base_url``: the address that all paths are below.")
        else:
            lines.append(f"``base_url``: the address that all paths are below, instead of ``{self.server.url}``.")
            for variable in self.server.variables:
                values = f" One of {', '.join(variable.values)}." if variable.values else ""
                lines.append(f"``{self.variables[variable.name]}``: {variable.doc.source or variable.name}{values}")
        lines += [
            "``headers``: what is sent with every request besides.",
            "``timeouts``, ``retries``: how long calls may take, and how often they are tried again.",
            "``unknown``: the policy for what the contract does not list (None: this package's own); ``findings`` takes what"
            " was passed over.",
            "``check``: whether a body is judged by the contract before it is sent.",
            "``transport``: what sends the requests, instead of the network.",
        ]
        return "\n\n".join(lines)

    def _told(self, scheme: SecurityScheme) -> str:
        if scheme.kind == "http" and scheme.scheme == "basic":
            kind = "name and password"
        else:
            kind = "the text, or what gives it whenever it is needed"
        return f"{docs.said(scheme.doc, scheme.notes)} ({kind})".strip() if scheme.doc.source else f"{kind}."

    # --- methods ------------------------------------------------------------------------------------------------------

    def class_(self, mode: Mode, title: str) -> ClassView:
        """One class."""
        methods: list[MethodView] = []
        for planned in self.operations.planned:
            if planned.plain:
                methods.append(self.plain(planned, mode))
            if planned.union is not None:
                methods.append(self.stream(planned, mode))
            if planned.operation.page is not None:
                methods.append(self.items(planned, planned.operation.page, mode))
        doc = (
            f"A client of {title}{mode.how}. Close it after use, or write ``{mode.with_} {mode.client}(…) as client:``."
        )
        return ClassView(
            name=mode.client,
            calls=mode.calls,
            base=mode.base,
            doc=quoting.docstring(doc, 4, PROSE),
            init=quoting.docstring(self._init(), 8, PROSE),
            methods=tuple(methods),
        )

    def plain(self, planned: Planned, mode: Mode) -> MethodView:
        """The method that calls an operation."""
        head = self._head(mode.def_, planned.method, self._taken(planned), planned.result)
        statement = f"return {mode.await_}self._send({self._given(planned)})"
        return MethodView(head, self._doc(planned, ""), statement)

    def stream(self, planned: Planned, mode: Mode) -> MethodView:
        """The method that asks for the stream of an operation."""
        assert planned.union is not None
        taken, keyword = self._taken(planned)
        keyword = [
            *keyword,
            "unknown: Receive | None = None",
            "findings: list[Finding] | None = None",
            "raise_errors: bool = False",
        ]
        events = f"models.{self.names.classes[planned.union.key]}"
        head = self._head("def", f"{planned.method}_stream", (taken, keyword), Subscript(mode.stream, (events,)))
        given = [planned.constant, self._values(planned), "body" if planned.request is not None else "None"]
        statement = f"return self._stream({', '.join(given)}, unknown, findings, raise_errors)"
        more = (
            "The answer is a stream of events; the request is sent when the stream is entered or first read. ``raise_errors``:"
            " an event that reports failure is raised."
        )
        return MethodView(head, self._doc(planned, more), statement)

    def items(self, planned: Planned, page: Page, mode: Mode) -> MethodView:
        """The method that gives the items of all pages."""
        item, items = self._inside(planned, page.items, page)
        _, following = self._inside(planned, page.next, page)
        argument = next((name for name, p in planned.arguments if p.name == page.token and p.place == "query"), "None")
        handed = [name if p.place == "path" else f"{name}={name}" for name, p in planned.arguments]
        handed = [f"{argument}=token" if name == f"{argument}={argument}" else name for name in handed]
        if planned.request is not None:
            handed.insert(sum(p.place == "path" for _, p in planned.arguments), "body")
        head = self._head("def", f"{planned.method}_items", self._taken(planned), Subscript(mode.pager, (item,)))
        call = layout.listed(f"lambda token: self.{planned.method}(", handed, ")", 12)
        given = [call, _texts(items), _texts(following), argument]
        statement = layout.listed(f"return {mode.pager}(", given, ")", 8)
        return MethodView(head, self._doc(planned, "The items of all pages, fetched when they are needed."), statement)

    def _inside(self, planned: Planned, pointer: str, page: Page) -> tuple[Expression, list[str]]:
        """The items that a list at ``pointer`` of a page holds, and the attributes that lead there."""
        good = self.operations._good(planned.operation)
        types = [content.type for response in good for content in response.contents if content.type is not None]
        attributes: list[str] = []
        for token in split(pointer):
            records = [record for type_ in types for record in self.facts.records(type_) or ()]
            names = {self.names.attributes[r.key][token] for r in records if token in self.names.attributes[r.key]}
            if len(names) != 1:
                self.forms.refuse(
                    f"the client finds no member at {pointer} in every page",
                    page.origin,
                    "declare it as a member of a record",
                )
                return "JsonValue", []
            attributes += names
            types = reached(self.facts, types, f"/{token}")
        items = [type_.item for one in types if isinstance(type_ := self._list(one), ListOf)]
        parts = [part for item in items for part in _alternatives(self.forms.annotation(item))]
        return joined(parts) if parts else "", attributes

    def _list(self, type_: object) -> object:
        found = self.facts.unwrap(type_)  # type: ignore[arg-type]
        return self._list(found.inner) if hasattr(found, "inner") else found

    # --- signatures ---------------------------------------------------------------------------------------------------

    def _taken(self, planned: Planned) -> tuple[list[str], list[str]]:
        """The arguments of a method by position, and those by keyword."""
        position = [self._argument(name, p) for name, p in planned.arguments if p.place == "path"]
        keyword = [self._argument(name, p) for name, p in planned.arguments if p.place != "path"]
        if planned.request is not None:
            body = planned.operation.body
            required = body is not None and body.required
            kind = (
                planned.request.annotation if required else joined([*_alternatives(planned.request.annotation), "None"])
            )
            position.append(f"body: {layout.flat(kind)}{'' if required else ' = None'}")
        required_first = sorted(keyword, key=lambda one: one.endswith(" = None"))
        return position, required_first

    def _argument(self, name: str, parameter: Parameter) -> str:
        kind = self.forms.annotation(parameter.type)
        if parameter.required:
            return f"{name}: {layout.flat(kind)}"
        return f"{name}: {layout.flat(joined([*_alternatives(kind), 'None']))} = None"

    def _head(self, def_: str, name: str, taken: tuple[list[str], list[str]], result: Expression) -> str:
        """The head of a method, as black breaks it."""
        position, keyword = taken
        items = ["self", *position, *(["*"] if keyword else []), *keyword]
        left, right = f"{def_} {name}(", f") -> {layout.flat(result)}:"
        line = left + ", ".join(items) + right
        if 4 + len(line) <= layout.WIDTH:
            return line
        inner = " " * 8 + ", ".join(items)
        if len(inner) <= layout.WIDTH:
            return f"{left}\n{inner}\n    {right}"
        return layout.listed(left, items, right, 4)

    def _values(self, planned: Planned) -> str:
        names = [name for name, _ in planned.arguments]
        return f"({', '.join(names)}{',' * (len(names) == 1)})"

    def _given(self, planned: Planned) -> str:
        given = [planned.constant]
        if planned.arguments or planned.request is not None:
            given.append(self._values(planned))
        if planned.request is not None:
            given.append("body")
        return ", ".join(given)

    def _doc(self, planned: Planned, more: str) -> str:
        operation, history = planned.operation, self.edition.history
        past = history.of_operation(operation.key)
        parts = [_said(operation, past), more]
        for name, parameter in planned.arguments:
            own = history.of_parameter(operation.key, parameter)
            text = f"{docs.said(parameter.doc, parameter.notes, own)} {docs.became(own)}".strip()
            parts += [f"``{name}``: {text}"] if text else []
        if planned.request is not None and operation.body is not None and operation.body.doc.source:
            parts.append(f"``body``: {operation.body.doc.source}")
        parts += [docs.became(past), f"``{operation.method} {operation.path}``"]
        return quoting.docstring(docs.paragraphs(parts), 8, PROSE)


def _said(operation: Operation, past: Past) -> str:
    """What the contract says of an operation: its summary unless the description begins with it."""
    summary, text = operation.summary.source, docs.said(operation.doc, operation.notes, past)
    head = summary.rstrip(".") + "." if summary else ""
    return docs.paragraphs([head, text] if text else [head])


def _alternatives(expression: Expression) -> tuple[Expression, ...]:
    return expression.parts if isinstance(expression, Either) else (expression,)


def _texts(names: list[str]) -> str:
    return f"({', '.join(map(quoting.text, names))}{',' * (len(names) == 1)})"
