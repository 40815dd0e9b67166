"""Views of a package's modules → every public name, with what it promises to those who program against it.

Must not say anything that the modules do not: it reads the very lines that they are made of, however these are laid out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codegen.targets.python.client_calls import ClientView
from codegen.targets.python.client_streams import StreamsView
from codegen.targets.python.client_webhooks import WebhooksView
from codegen.targets.python.models import ItemView


def of_items(module: str, items: Iterable[ItemView], former: Iterable[str] = ()) -> dict[str, str]:
    """Classes with their members, aliases and constants of a module, by dotted name."""
    found: dict[str, str] = {}
    for item in items:
        if item.is_class:
            (head,) = ast.parse(f"class {item.head}:\n    pass").body
            assert isinstance(head, ast.ClassDef)
            name = f"{module}.{head.name}"
            found[name] = f"class ({', '.join(map(ast.unparse, head.bases))})"
            found.update(_promises(name, (field.line for field in item.fields)))
        else:
            found.update(_promises(module, item.statements))
    found.update(_promises(module, (line for line in former if not line.startswith('"'))))
    return found


def of_statements(module: str, lines: Iterable[str]) -> dict[str, str]:
    """Names that a module defines by statements of one line each."""
    return dict(_promises(module, lines))


def of_client(view: ClientView) -> dict[str, str]:
    """``client.py``: everything that it exports, and of both clients what the contract adds: their arguments and methods."""
    found = _exported("client", view.exported)
    for class_ in view.classes:
        name = f"client.{class_.name}"
        found[name] = f"class ({class_.calls})"
        made = f"def __init__(self, *, {', '.join(view.arguments)}) -> None:"
        for head in (made, *(method.head for method in class_.methods)):
            found.update(_function(name, head))
    return found


def of_declarations(module: str, view: StreamsView) -> dict[str, str]:
    """``streams.py`` or ``fold.py``: everything that it exports, and what each declaration is about."""
    found = _exported(module, view.exported)
    for item in view.items:
        (statement,) = ast.parse(f"{item.head})").body
        assert isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        found[f"{module}.{statement.target.id}"] = ast.unparse(statement.annotation)
    return found


def of_webhooks(view: WebhooksView) -> dict[str, str]:
    """``webhooks.py``: everything that it exports, and what each delivery is read as."""
    found = _exported("webhooks", view.exported)
    for item in view.items:
        found.update(_function("webhooks", f"def {item.name}() -> {item.result}:"))
    return found


def _exported(module: str, statement: str) -> dict[str, str]:
    """The names in a module's ``__all__``, of which nothing is promised but that they are there."""
    (assigned,) = ast.parse(statement).body
    assert isinstance(assigned, ast.Assign) and isinstance(assigned.value, ast.List)
    return {f"{module}.{name}": name for name in map(ast.literal_eval, assigned.value.elts)}


def _function(above: str, head: str) -> Iterator[tuple[str, str]]:
    """What a function gives, what each of its arguments takes, and where those stand that can be given without a name."""
    (function,) = ast.parse(f"{head.strip()}\n    pass").body
    assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and function.returns is not None
    name, given = f"{above}.{function.name}", function.args
    gives = "awaited, gives" if isinstance(function, ast.AsyncFunctionDef) else "gives"
    yield name, f"{gives} {_alternatives(function.returns)}"
    position = [argument for argument in given.args if argument.arg != "self"]
    needed: list[ast.expr | None] = [None] * (len(position) - len(given.defaults))
    arguments = [*zip(position, [*needed, *given.defaults], strict=True)]
    for argument, default in (*arguments, *zip(given.kwonlyargs, given.kw_defaults, strict=True)):
        assert argument.annotation is not None
        yield f"{name}.{argument.arg}", f"takes {_promise(argument.annotation, default)}"
    for number, argument in enumerate(position, 1):
        yield f"position of {name}.{argument.arg}", str(number)


def _promises(above: str, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        (statement,) = ast.parse(_outdented(line)).body
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                yield f"{above}.{name}", _promise(annotation, value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield f"{above}.{name}", ast.unparse(value)


def _promise(annotation: ast.expr, value: ast.expr | None) -> str:
    """The alternatives of a type, and what stands where nothing is given; of an alias what it is another name of."""
    match annotation:
        case ast.Name(id=alias) if alias.strip("_") == "TypeAlias" and value is not None:
            return _alternatives(value)
        case ast.Subscript(value=ast.Name(id=kind), slice=inner) if kind.strip("_") == "NotRequired":
            return f"{_alternatives(inner)} = NotRequired"
        case ast.Subscript(value=ast.Name(id=kind)) if kind in ("tuple", "_Codec") or kind.endswith("Codec"):
            return ast.unparse(annotation)  # what is in it follows from the alias, or is nobody's business
    return _alternatives(annotation) + ("" if value is None else f" = {_default(value)}")


def _default(value: ast.expr) -> str:
    """What stands where nothing is given; how it is shown is no promise."""
    if isinstance(value, ast.Call):
        return next((ast.unparse(one.value) for one in value.keywords if one.arg == "default"), ast.unparse(value))
    return ast.unparse(value)


def _alternatives(type_: ast.expr) -> str:
    """The alternatives of a type, each value of a literal type by itself."""
    found: list[str] = []
    todo = [type_]
    while todo:
        match todo.pop():
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                todo += [right, left]
            case ast.Subscript(value=ast.Name(id=kind), slice=inner) if kind.strip("_") == "Literal":
                found += map(ast.unparse, inner.elts if isinstance(inner, ast.Tuple) else [inner])
            case ast.Subscript(value=ast.Name(id=kind), slice=ast.Tuple(elts=elts)) if kind.strip("_") == "Union":
                todo += reversed(elts)
            case ast.Constant(value=str() as text) if text.isidentifier():
                found.append(text)  # a name that is defined further down
            case other:
                found.append(ast.unparse(other))
    return " | ".join(found)


def _outdented(line: str) -> str:
    """A statement of a class body, whose later lines are indented as they will stand."""
    return line.lstrip()
