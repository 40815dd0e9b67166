"""What travels with operations → how it is read and written, and what callers call it.

Must not spell operations (``client_operations``) or methods (``client_calls``). What a client cannot send or read is a problem
at its place, and never a method that fails when it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from codegen.edition import Edition
from codegen.errors import Problem, shown
from codegen.exchange import spared
from codegen.facts import Facts, own_types, references
from codegen.model import AnyJson, Content, Key, Operation, Parameter, Record, Ref, Type, Typed
from codegen.pointer import Origin
from codegen.reach import reached
from codegen.targets import quoting
from codegen.targets.layout import Expression
from codegen.targets.python.annotations import Annotations
from codegen.targets.python.names import Names, Scope

EVENTS = "text/event-stream"
FORM = "application/x-www-form-urlencoded"
SCALARS = frozenset({"string", "number", "boolean"})


class Borrowed(Scope):
    """The names at the top of a module that is not ``models``: its classes are called by where they are from."""

    def own(self, identifier: str, hidden: frozenset[str] = frozenset()) -> str:
        """What a class or alias of ``models`` is called here."""
        return f"models.{identifier}"

    def _free(self, name: str, home: str, hidden: frozenset[str], but: frozenset[str]) -> str:
        """The contract's names are behind ``models``, so that they hide nothing."""
        return f"_{name}" if name in hidden else name

    def imported(self, text: str, *always: tuple[str, str]) -> list[str]:
        """The import statements of a module that holds ``text``: of names that occur there, and of (home, name) pairs."""
        words = set(re.findall(r"\w+", text))
        found: dict[str, set[tuple[str, str]]] = {}
        for home, names in self.imports.items():
            if here := {pair for pair in names if pair[1] in words}:
                found[home] = here
        for home, name in always:
            found.setdefault(home, set()).add((name, name))
        every, self.imports = self.imports, found
        try:
            return self.import_lines()
        finally:
            self.imports = every


@dataclass(frozen=True, slots=True)
class Entry:
    """A type that travels with an operation and is no definition, with a codec of its own. ``title`` stands in faults."""

    method: str
    number: int
    title: str
    type: Type

    @property
    def rule(self) -> str:
        """What its functions and its rule are called: like no definition, since it begins with a digit."""
        return f"{self.number}_{self.method}"

    @property
    def codec(self) -> str:
        """What it is called in ``codecs``, behind the mark of private names."""
        return f"{self.method}_{self.number}"


@dataclass(frozen=True, slots=True)
class Form:
    """How a body is read or written: an expression for it, and its annotation."""

    expression: str
    annotation: Expression
    media_type: str = ""


class Forms:
    """Finds the forms of one edition. ``entries`` grow with what is asked for."""

    def __init__(self, edition: Edition, names: Names, open_world: bool, methods: frozenset[str]) -> None:
        self.facts: Facts = edition.facts
        self.names = names
        self.scope = Borrowed(names)
        self.annotations = Annotations(names, self.scope, open_world)
        self.methods = methods
        """Names that mean something else inside the classes of clients."""
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []
        self.mark = mark(names)

    def refuse(self, message: str, origin: Origin, help: str) -> None:
        """Report what a client cannot do."""
        problem = Problem(code="unsupported-call", message=message, origin=origin, help=help)
        if problem not in self.problems:
            self.problems.append(problem)

    def annotation(self, type_: Type) -> Expression:
        """What a type is called in a signature."""
        return self.annotations.of(type_, self.methods)

    def symbol(self, name: str) -> str:
        """What a name of Python's is called in a signature."""
        return self.scope.symbol(name, self.methods)

    # --- bodies -------------------------------------------------------------------------------------------------------

    def codec(self, method: str, what: str, content: Content) -> Form:
        """The form of a JSON body."""
        type_: Type = AnyJson(origin=content.origin) if content.type is None else content.type
        if isinstance(type_, Ref) and not type_.partial:
            return Form(f"codecs.{self.names.classes[type_.key]}", self.annotation(type_))
        own = [entry for entry in self.entries if entry.method == method]
        entry = next((entry for entry in own if entry.type == type_), None)
        if entry is None:
            entry = Entry(method, len(own) + 1, f"{method}, {what}", type_)
            self.entries.append(entry)
        return Form(f"codecs.{self.mark}{entry.codec}", self.annotation(type_))

    def request(self, operation: Operation, method: str) -> Form | None:
        """The form of a request's body: JSON before others."""
        if operation.body is None or not operation.body.contents:
            return None
        contents = operation.body.contents
        for content in contents:
            if is_json(content.media_type):
                media = content.media_type if "*" not in content.media_type else "application/json"
                form = self.codec(method, "request", content)
                return Form(form.expression, form.annotation, media)
        for content in contents:
            media = bare(content.media_type)
            if media == FORM and self._flat(content):
                form = self.codec(method, "request", content)
                return Form(form.expression, form.annotation, FORM)
            if media.startswith("text/"):
                return Form('"text"', self.symbol("str"), content.media_type)
            if not media.startswith("multipart/") and media != FORM and "*" not in media:
                return Form('"bytes"', self.symbol("bytes"), content.media_type)
        self.refuse(
            f"no form of the body can be sent: {', '.join(content.media_type for content in contents)}",
            operation.body.origin,
            "describe the body as application/json, text, a form of plain members, or binary",
        )
        return None

    def _flat(self, content: Content) -> bool:
        records = self.facts.records(content.type) if content.type is not None else None
        fields = [field for record in records or () for field in record.fields]
        return bool(records) and not content.encodings and all(self._fits(field.type, lists=True) for field in fields)

    def response(self, contents: Iterable[Content], method: str, what: str, operation: Operation) -> Form:
        """The form of a response's body: JSON before text before bytes."""
        found = [content for content in contents if bare(content.media_type) != EVENTS]
        for content in found:
            if is_json(content.media_type):
                self._refuse_spared(content, operation)
                return self.codec(method, what, content)
        if any(bare(content.media_type).startswith("text/") for content in found):
            return Form('"text"', self.symbol("str"))
        return Form('"bytes"', self.symbol("bytes")) if found else Form("None", "None")

    def _refuse_spared(self, content: Content, operation: Operation) -> None:
        """A response goes without what is write only, and the codec demands what is required."""
        for spare in spared(self.facts, content):
            self.refuse(
                f"{shown(spare.field.wire_name)} is required and write only, so that no response can have it",
                spare.field.origin,
                "take it out of required, or give responses a schema of their own",
            )

    def is_empty(self, content: Content) -> bool:
        """The body is an object without any declared member: one that is not there says as much."""
        type_ = None if content.type is None else self.facts.unwrap(content.type)
        definition = self.facts.definition(type_.key) if isinstance(type_, Ref) else None
        return isinstance(definition, Record) and not definition.fields

    def told(self, content: Content) -> tuple[str | None, str | None]:
        """Where a failure says its code and its message: in the document itself, or in the first object in it that has both or
        one of them."""
        if content.type is None:
            return None, None
        records = self.facts.records(content.type) or ()
        prefixes = ["", *(f"/{field.wire_name}" for record in records for field in record.fields)]
        for prefix in prefixes:
            code = self._first(content.type, prefix, ("code", "reason"))
            message = self._first(content.type, prefix, ("message", "detail", "title", "error_description"))
            if code is not None or message is not None:
                return code, message
        return None, None

    def _first(self, type_: Type, prefix: str, names: tuple[str, ...]) -> str | None:
        for name in names:
            pointer = f"{prefix}/{name}"
            found = reached(self.facts, [type_], pointer)
            if found and all(self.facts.kinds(one) <= SCALARS | {"null"} for one in found):
                return pointer
        return None

    # --- parameters ---------------------------------------------------------------------------------------------------

    def check_parameter(self, parameter: Parameter) -> None:
        """Refuse a parameter whose values have no spelling in its place."""
        kinds = self.facts.kinds(parameter.type)
        if parameter.content is not None:
            if not is_json(parameter.content.media_type) or parameter.place == "querystring":
                self._refuse_parameter(parameter, f"is {parameter.content.media_type}")
            return
        if parameter.place == "querystring":
            self._refuse_parameter(parameter, "is the whole query")
        elif not self._fits(parameter.type, lists="array" in kinds, objects="object" in kinds):
            self._refuse_parameter(parameter, "has lists or objects inside lists or objects")
        elif parameter.style in ("spaceDelimited", "pipeDelimited") and "object" in kinds:
            self._refuse_parameter(parameter, f"is an object in the style {parameter.style}")
        elif parameter.style == "deepObject" and kinds - {"object", "null"}:
            self._refuse_parameter(parameter, "is no object, in the style deepObject")
        elif parameter.place == "cookie" and parameter.explode and kinds & {"array", "object"}:
            self._refuse_parameter(parameter, "is several cookies")

    def _refuse_parameter(self, parameter: Parameter, why: str) -> None:
        message = f"parameter {shown(parameter.name)} {why}, which has no spelling in a {parameter.place}"
        self.refuse(
            message, parameter.origin, "describe the parameter by other means: another style, or content of JSON"
        )

    def _fits(self, type_: Type, *, lists: bool = False, objects: bool = False) -> bool:
        """No list or object is inside another; any JSON is looked at when it is sent."""
        if self.facts.is_any(type_):
            return True
        if not lists and not objects:
            return self.facts.kinds(type_) <= SCALARS | {"null"}
        inner = [*reached(self.facts, [type_], "/0")] if lists else []
        for record in self.facts.records(type_) or () if objects else ():
            inner += [field.type for field in record.fields]
            inner += [record.extras.value] if isinstance(record.extras, Typed) else []
        return all(self._fits(one) for one in inner)

    # --- what is read only --------------------------------------------------------------------------------------------

    def unsent(self, types: Iterable[Type]) -> dict[Key, str]:
        """For each record that values of ``types`` hold: what of it is not sent, as an expression."""
        reachable: dict[Key, set[Key]] = {}
        todo = list(references(tuple(types)))
        while todo:
            key = todo.pop()
            if key not in reachable:
                reachable[key] = set(references(own_types(self.facts.definition(key))))
                todo += reachable[key]
        holders = {key for key in reachable if self._read_only(key)}
        while more := {key for key, inner in reachable.items() if key not in holders and inner & holders}:
            holders |= more
        found = {}
        for definition in self.facts.public:
            if definition.key in holders and isinstance(definition, Record):
                found[definition.key] = self._unsent(definition, holders)
        return found

    def _read_only(self, key: Key) -> list[str]:
        definition = self.facts.definition(key)
        fields = definition.fields if isinstance(definition, Record) else ()
        return [field.wire_name for field in fields if not field.sent("request")]

    def _unsent(self, record: Record, holders: set[Key]) -> str:
        attributes = self.names.attributes[record.key]
        inside = [
            f"({quoting.text(attributes[field.wire_name])}, {quoting.text(field.wire_name)})"
            for field in record.fields
            if field.sent("request") and holders & set(references((field.type,)))
        ]
        extra = isinstance(record.extras, Typed) and bool(holders & set(references((record.extras.value,))))
        given = [_tuple(map(quoting.text, self._read_only(record.key)))]
        given += [_tuple(inside)] if inside or extra else []
        given += ["True"] if extra else []
        return f"Unsent({', '.join(given)})"


def _tuple(items: Iterable[str]) -> str:
    listed = list(items)
    return f"({', '.join(listed)}{',' * (len(listed) == 1)})"


def mark(names: Names) -> str:
    """What private names in ``codecs`` begin with: underscores that no definition begins with."""
    found = "_"
    while any(name.startswith(found) for name in names.classes.values()):
        found += "_"
    return found


def bare(media_type: str) -> str:
    """A media type without its parameters."""
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """Bodies of this type, or of this range of types, can be JSON."""
    found = bare(media_type)
    return found in ("application/json", "*/*", "application/*") or found.endswith("+json")
