"""An edition → ``pydantic_models.py``, written by datamodel-code-generator through its Python API.

Theirs are the classes, aliases and annotations; ours are the names, the docstrings, the base class, and what judges and builds
(``_pydantic.py``). Must not patch their text: what is asked for is said in the schema and in options, and what came out is read
back, so that a class or a member that is not as it was asked for is a problem and not a surprise.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any

from codegen.edition import Edition
from codegen.errors import OutputError, Problem
from codegen.model import Key, Record
from codegen.targets import naming
from codegen.targets.python.names import Names
from codegen.targets.python.shapes import Shapes

BASE = "WireModel"
"""The base class of all models; what the package calls it."""

# What the module imports; pinned, since versions differ in what they need.
_IMPORTED = """
AliasChoices Annotated Any AnyUrl AwareDatetime BaseModel ConfigDict Enum Field Literal Mapping RootModel Sequence
StringConstraints TypeAlias TypeAliasType Union
"""
IMPORTED = frozenset({BASE, *_IMPORTED.split()})

# Attributes that pydantic's own classes have, pinned, since versions differ; and what it keeps for itself.
_TAKEN = """
construct copy dict from_orm json parse_file parse_obj parse_raw schema schema_json update_forward_refs validate
"""
TAKEN = frozenset(_TAKEN.split())
PREFIX = "model_"

LEAVE = 'leave part "pydantic" out'


def classes(names: Names) -> dict[Key, str]:
    """What definitions are called in the module: as everywhere, with an underscore where it imports something of that name."""
    found = {}
    for key, name in names.classes.items():
        while name in IMPORTED or (name != names.classes[key] and name in names.taken):
            name += "_"
        found[key] = name
    return found


def attributes(names: Names) -> dict[Key, dict[str, str]]:
    """The members of each record by what they are called in its model: as in the dataclass, but for what pydantic forbids."""
    return {key: _attributes(own) for key, own in names.attributes.items()}


def _attributes(own: Mapping[str, str]) -> dict[str, str]:
    def finish(attribute: str) -> str:
        legal = attribute.lstrip("_") or "x"
        legal = legal if naming.legal(legal) else f"x{legal}"
        return f"{legal}_" if legal in TAKEN or legal.startswith(PREFIX) else legal

    found: dict[str, str] = {}
    for wire_name, attribute in own.items():
        wanted = finish(attribute)
        while wanted in found.values() or (wanted != attribute and wanted in own.values()):
            wanted += "_"
        found[wire_name] = wanted
    return found


def text(edition: Edition, names: Names, own: Mapping[Key, Mapping[str, str]], banner: str, doc: str) -> bytes:
    """The module. Raises OutputError: ``missing-extra`` without datamodel-code-generator, ``not-as-asked`` for what it writes
    otherwise than it was asked to."""
    _need(edition)
    called = classes(names)
    shapes = Shapes(edition, names, called, own).bundle()
    aliases = {
        f"{called[key]}.{wire_name}": attribute
        for key, members in own.items()
        if key in called
        for wire_name, attribute in members.items()
    }
    header = f"# {banner}\n# fmt: off\n# pyright: basic\n# {doc}"
    if not called:
        return f"{header}\n".encode()
    try:
        source = _generated(json.dumps(shapes), json.dumps(aliases), header)
    except Exception as error:  # its own errors have no common class, and its faults none at all
        message = f"datamodel-code-generator cannot write the models: {str(error) or type(error).__name__}"
        raise _problem(edition, "not-as-asked", message, LEAVE) from error
    _compare(edition, source, called, own)
    return source.encode()


@cache
def _generated(schema: str, aliases: str, header: str) -> str:
    """What datamodel-code-generator makes of a schema."""
    # Imported when it is needed: it takes a second, and is an extra.
    theirs: Any = importlib.import_module("datamodel_code_generator")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what it cannot say, which is ours to say
        found = theirs.generate(
            schema,
            input_file_type=theirs.InputFileType.JsonSchema,
            output_model_type=theirs.DataModelType.PydanticV2BaseModel,
            target_python_version=theirs.PythonVersion.PY_311,
            base_class=f"wirebound.{BASE}",
            import_overrides={BASE: "._support.pydantic"},
            aliases=json.loads(aliases),
            custom_class_name_generator=str,  # names are ours, as they are
            custom_file_header=header,
            disable_timestamp=True,
            formatters=[],
            skip_root_model=True,
            strict_nullable=True,
            enum_field_as_literal="all",
            use_annotated=True,
            use_double_quotes=True,
            use_field_description=True,
            use_generic_container_types=True,
            use_inline_field_description=True,
            use_schema_description=True,
            use_serialization_alias=True,
            use_standard_collections=True,
            use_type_alias=True,
            use_union_operator=True,
        )
    assert isinstance(found, str)
    return found


def _compare(edition: Edition, source: str, called: Mapping[Key, str], own: Mapping[Key, Mapping[str, str]]) -> None:
    """Every definition is there under its name, and every member of a record."""
    tree = ast.parse(source)
    written = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    aliases = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    strange = [node for node in tree.body if not _is_plain(node)]
    strange += [node for class_ in written.values() for node in class_.body if not _is_plain(node)]
    if strange:
        message = f"datamodel-code-generator writes {ast.unparse(strange[0])[:60]}, which was not asked for"
        raise _problem(edition, "not-as-asked", message, LEAVE)
    wrong: list[str] = []
    for definition in edition.facts.public:
        name = called[definition.key]
        if not isinstance(definition, Record):
            wrong += [] if name in aliases else [name]
            continue
        if name not in written:
            wrong.append(name)
            continue
        found = [
            node.target.id
            for node in written[name].body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        ]
        wrong += [f"{name}.{attribute}" for attribute in own[definition.key].values() if attribute not in found]
    if wrong:
        message = f"datamodel-code-generator does not write {', '.join(wrong[:5])} as it was asked to"
        raise _problem(
            edition, "not-as-asked", message, 'leave part "pydantic" out, or name it otherwise in outline.toml'
        )


def _is_plain(node: ast.stmt) -> bool:
    """Imports, classes, aliases, annotated members, docstrings, and what completes a model: nothing that does anything."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.ClassDef() | ast.Assign() | ast.AnnAssign() | ast.Pass():
            return True
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="model_rebuild"))):
            return True
        case _:
            return False


def _need(edition: Edition) -> None:
    if importlib.util.find_spec("datamodel_code_generator") is None:
        raise _problem(
            edition,
            "missing-extra",
            'part "pydantic" is written by datamodel-code-generator, which is not installed',
            'install it: pip install "wirebound[pydantic]"',
        )


def _problem(edition: Edition, code: str, message: str, help: str) -> OutputError:
    return OutputError([Problem(code=code, message=message, origin=edition.model.origin, help=help)])
