"""Renderings → files: the one place where Jinja is opened.

Must not know a model or a language: a view holds ready strings, and a template sees it under the one name ``view``.
What a view does not have is an error, never an empty string.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, TemplateSyntaxError

from codegen.errors import OutputError, Position, Problem, shown
from codegen.paths import path_fault, templates
from codegen.pointer import Origin
from codegen.targets.base import Raw, Rendering


@lru_cache
def environment(*folders: Path) -> Environment:
    """Jinja as every template gets it. A template is taken from the first of ``folders`` that has it."""
    jinja = Environment(
        loader=FileSystemLoader(folders or (templates(),)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        optimized=False,  # there is nothing that could be computed beforehand
        autoescape=False,  # every string of a contract is quoted by the target, for the language of the file
        auto_reload=bool(folders),  # people edit templates of their own while a process lives
    )
    # A template that can only loop, test a flag and include cannot interpret: views arrive finished.
    jinja.filters = {"indent": jinja.filters["indent"]}
    jinja.tests = {}
    jinja.globals = {}
    return jinja


def render(files: Iterable[Rendering | Raw], *folders: Path) -> dict[str, bytes]:
    """The bytes of each file by its path, in the order of ``files``. Without ``folders`` the built-in templates serve.

    Raises OutputError for a path that leaves the output folder or is another's, for text that UTF-8 cannot hold, and
    for a template that is none or asks for what its view lacks.
    """
    contents: dict[str, bytes] = {}
    problems: list[Problem] = []
    places: dict[Origin, Position] = {}
    taken: dict[str, str] = {}

    def report(file: Rendering | Raw, code: str, message: str, help: str) -> None:
        origin = Origin(file.path, "")
        problems.append(Problem(code=code, message=message, origin=origin, help=help))
        places.setdefault(origin, Position(file.path, 1, 1))

    for file in files:
        if why := path_fault(file.path) or _clash(file.path, taken):
            report(
                file, "bad-path", f"{shown(file.path)} cannot be written: {why}", "change the name that it comes from"
            )
            continue
        try:
            contents[file.path] = file.content if isinstance(file, Raw) else _text(file, folders).encode()
        except UnicodeEncodeError as error:
            report(
                file,
                "bad-text",
                f"it would hold {shown(error.object[error.start])}, which is no character",
                "remove it",
            )
        except TemplateError as error:
            name, line = _template_line(file, error)
            places[Origin(file.path, "")] = Position(name, line, 1)
            report(
                file, "bad-template", f"{shown(file.path)} cannot be rendered: {error.message}", "correct the template"
            )
    if problems:
        raise OutputError(problems, lambda origin: places[origin])
    return contents


def _text(file: Rendering, folders: tuple[Path, ...]) -> str:
    return environment(*folders).get_template(file.template).render(view=file.view)


def _clash(path: str, taken: dict[str, str]) -> str:
    """Why ``path`` cannot stand beside the files before it; some systems see no difference between ``a`` and ``A``."""
    folded = path.casefold()
    above = [folded[:index] + "/" for index, character in enumerate(folded) if character == "/"]
    names = [folded, folded + "/", *(folder[:-1] for folder in above)]
    other = next((taken[name] for name in names if name in taken), "")
    taken.update({folded: path, **dict.fromkeys(above, path)})
    return f"{shown(other)} is in the way" if other else ""


def _template_line(file: Rendering | Raw, error: TemplateError) -> tuple[str, int]:
    """Where ``error`` happened, as far as Jinja tells: it puts lines of templates into tracebacks."""
    if isinstance(error, TemplateSyntaxError):
        return error.name or "", error.lineno
    frame = traceback.extract_tb(error.__traceback__)[-1]
    name = file.template if isinstance(file, Rendering) else file.path
    return (name, frame.lineno or 1) if frame.filename.endswith(".j2") else (name, 1)
