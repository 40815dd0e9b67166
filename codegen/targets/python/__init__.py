"""An edition → a Python package: dataclasses, TypedDicts and exact codecs for them; with its sources, a project to publish.

Must not open disk or Jinja. What the package is, is DESIGN's "Python bindings"; each module here makes the view of one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from codegen.edition import Edition
from codegen.targets import naming, quoting
from codegen.targets.base import Raw, Rendering
from codegen.targets.python import pydantic_models, surfaces
from codegen.targets.python.client import Client
from codegen.targets.python.models import Models
from codegen.targets.python.names import Names
from codegen.targets.python.native import Native
from codegen.targets.python.options import PROJECT
from codegen.targets.python.options import Options as PythonOptions
from codegen.targets.python.package import SHARED, BannerView, Package
from codegen.targets.python.project import Project
from codegen.targets.python.pydantic_codecs import ModelPackage
from codegen.targets.python.shells import with_shells
from codegen.targets.python.struct_codecs import StructPackage
from codegen.targets.python.structs import Structs
from codegen.targets.python.typed import Typed

SUPPORT = ("__init__", "text", "values", "fast", "writing", "octets", "explain", "shapes", "checks")
"""Modules that are the same in every package."""


class Python:
    """The target ``python``."""

    name = "python"
    Options = PythonOptions
    of_project = PROJECT
    """Options that have no meaning without a manifest."""

    def files(self, edition: Edition, options: PythonOptions) -> Iterable[Rendering | Raw]:
        """The files of one package. Raises ``OutputError`` for names that cannot be told apart in Python."""
        whole, edition = edition, with_shells(edition)
        names = Names(edition)
        folder = options.package or f"{naming.snake(edition.contract)}_bindings"
        models = Models(edition, options, names)
        client = Client(edition, options, names) if "client" in options.parts else None
        package = Package(edition, options, names, models.has_variants, client.entries if client else ())
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
        if client is not None:
            yield from client.files(folder, package.banner, title)
        if "msgspec" in options.parts:
            yield from self.structs(whole, options, folder)  # a Struct has what it requires
        if "pydantic" in options.parts:
            yield from self.models_of_pydantic(whole, options, folder)
        yield rendering("_fast.py", package.fast())
        yield rendering("_write.py", package.write())
        yield rendering("_octets.py", package.octets())
        yield rendering("_rules.py", package.rules())
        for module in SUPPORT:
            yield rendering(f"_support/{module}.py", BannerView(SHARED))
        yield Raw(f"{folder}/py.typed", b"")
        if edition.sources is not None:
            yield from Project(edition, edition.sources, options, names, folder, title).files()

    def surface(self, edition: Edition, options: PythonOptions) -> Mapping[str, str]:
        """What programs can name of the package, and what each name promises: classes, their members, aliases and codecs;
        of part ``client`` the methods with their arguments, the streams, folds and webhooks. What ``_support`` holds is the
        same for every contract, and is not on it."""
        whole, edition = edition, with_shells(edition)
        names = Names(edition)
        models = Models(edition, options, names)
        package = Package(edition, options, names, models.has_variants)
        view = models.view("", "")
        found = surfaces.of_items("models", view.items, view.former)
        if "typed" in options.parts:
            documents = Typed(edition, names).view("", "")
            found |= surfaces.of_items("typed", documents.items, documents.former)
        codecs = package.codecs()
        found |= surfaces.of_statements("codecs", (*codecs.codecs, *codecs.former))
        for key, attributes in names.attributes.items():
            if key in names.classes:
                held = {
                    f"attribute of {names.classes[key]}.{wire_name}": name for wire_name, name in attributes.items()
                }
                found |= held  # a name that is there before and after may stand for another member
        if "client" in options.parts:
            found |= Client(edition, options, names).surface()
        if "msgspec" in options.parts:
            structs = Structs(whole, options, Names(whole), Native(whole.facts)).view("", "")
            found |= surfaces.of_items("msgspec_models", structs.items, structs.former)
        return found

    def structs(self, edition: Edition, options: PythonOptions, folder: str) -> Iterable[Rendering]:
        """The files of part ``msgspec``."""
        names = Names(edition)
        package = Package(edition, options, names, False)
        native = Native(edition.facts)
        models = Structs(edition, options, names, native).view(
            package.banner, f"Definitions of {package.title}, as msgspec's Structs."
        )
        codecs = StructPackage(package, native)
        for file, view in (
            ("msgspec_models.py", models),
            ("msgspec_codecs.py", codecs.codecs()),
            ("_structs.py", codecs.code()),
            ("_support/structs.py", BannerView(SHARED)),
        ):
            yield Rendering(f"{folder}/{file}", f"python/{file}.j2", view)

    def models_of_pydantic(self, edition: Edition, options: PythonOptions, folder: str) -> Iterable[Rendering | Raw]:
        """The files of part ``pydantic``. Raises ``OutputError`` as ``pydantic_models`` does."""
        names = Names(edition)
        package = Package(edition, options, names, False)
        own = pydantic_models.attributes(names)
        doc = quoting.comment(
            f"Definitions of {package.title}, as models of pydantic; written with datamodel-code-generator."
        )
        yield Raw(f"{folder}/pydantic_models.py", pydantic_models.text(edition, names, own, package.banner, doc))
        codecs = ModelPackage(package, pydantic_models.classes(names), own)
        for file, view in (
            ("pydantic_codecs.py", codecs.codecs()),
            ("_pydantic.py", codecs.read()),
            ("_pydantic_write.py", codecs.write()),
            ("_support/pydantic.py", BannerView(SHARED)),
        ):
            yield Rendering(f"{folder}/{file}", f"python/{file}.j2", view)


TARGET = Python()
