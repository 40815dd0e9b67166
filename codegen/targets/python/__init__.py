"""An edition → a Python package: dataclasses, TypedDicts and exact codecs for them; with its sources, a project to publish.

Must not open disk or Jinja. What the package is, is DESIGN's "Python bindings"; each module here makes the view of one file.
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.edition import Edition
from codegen.errors import OutputError, Problem
from codegen.targets import naming
from codegen.targets.base import Raw, Rendering
from codegen.targets.python.models import Models
from codegen.targets.python.names import Names
from codegen.targets.python.options import PROJECT
from codegen.targets.python.options import Options as PythonOptions
from codegen.targets.python.package import SHARED, BannerView, Package
from codegen.targets.python.project import Project
from codegen.targets.python.typed import Typed

SUPPORT = ("__init__", "text", "values", "fast", "writing", "explain", "shapes", "checks")
"""Modules that are the same in every package."""


class Python:
    """The target ``python``."""

    name = "python"
    Options = PythonOptions

    def files(self, edition: Edition, options: PythonOptions) -> Iterable[Rendering | Raw]:
        """The files of one package. Raises ``OutputError`` for names that cannot be told apart in Python."""
        if edition.sources is None:
            refuse_idle(edition, options)
        names = Names(edition)
        folder = options.package or f"{naming.snake(edition.contract)}_bindings"
        models = Models(edition, options, names)
        package = Package(edition, options, names, models.has_variants)
        title = package.title

        def rendering(file: str, view: object) -> Rendering:
            return Rendering(f"{folder}/{file}", f"python/{file}.j2", view)

        yield rendering("__init__.py", package.init())
        yield rendering("models.py", models.view(package.banner, f"Definitions of {title}, as dataclasses."))
        yield rendering("codecs.py", package.codecs())
        if "typed" in options.parts:
            yield rendering(
                "typed.py", Typed(edition, names).view(package.banner, f"Documents of {title}, as TypedDicts.")
            )
        yield rendering("_fast.py", package.fast())
        yield rendering("_write.py", package.write())
        yield rendering("_rules.py", package.rules())
        for module in SUPPORT:
            yield rendering(f"_support/{module}.py", BannerView(SHARED))
        yield Raw(f"{folder}/py.typed", b"")
        if edition.sources is not None:
            yield from Project(edition, edition.sources, options, names, folder, title).files()


def refuse_idle(edition: Edition, options: PythonOptions) -> None:
    """Raises ``OutputError`` (``no-project``) for options that a one-off build has no use for."""
    plain = PythonOptions()
    idle = [name for name in PROJECT if getattr(options, name) != getattr(plain, name)]
    if idle:
        message = f"{', '.join(idle)} would say nothing: only the job of a manifest has a project around its package"
        help = "leave it out, or write a manifest: wirebound init"
        raise OutputError([Problem(code="no-project", message=message, origin=edition.model.origin, help=help)])


TARGET = Python()
