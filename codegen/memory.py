"""The files of a Python package → the package, imported, with the disk, ``sys.path`` and ``sys.modules`` left alone.

Must not know what the files say, beyond two names: ``_support`` is the same in every package and is shared, and
``codecs.CODECS`` is what callers want. The modules of a package know each other through their own ``__import__``, not through
``sys.modules``: so they live as long as anything of theirs is in use, and no longer.
"""

from __future__ import annotations

import builtins
import itertools
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

SUPPORT = "_support"
_numbers = itertools.count(1)


class _Package:
    """Modules in memory by their whole name: loaded when they are first imported."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sources: dict[str, tuple[str, bytes]] = {}
        self.modules: dict[str, ModuleType] = {}
        self.builtins = {**vars(builtins), "__import__": self.import_}

    def add(self, files: Mapping[str, bytes]) -> None:
        """Make modules of ``files``, whose paths are below the package's folder."""
        for path, content in files.items():
            if path.endswith(".py"):
                inner = path.removesuffix(".py").removesuffix("__init__").rstrip("/").replace("/", ".")
                self.sources[f"{self.name}.{inner}".rstrip(".")] = (path, content)

    def load(self, name: str) -> ModuleType:
        """The module called ``name``, after the packages that it is in. Raises what its code raises."""
        parent, _, own = name.rpartition(".")
        if name != self.name:
            self.load(parent)
        if name in self.modules:
            return self.modules[name]
        if name not in self.sources:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        path, content = self.sources[name]
        module = self.modules[name] = ModuleType(name)
        module.__dict__["__builtins__"] = self.builtins
        module.__package__ = name if path.endswith("__init__.py") else parent
        # ``dataclasses`` looks a class's module up there while the class is made.
        sys.modules[name] = module
        try:
            exec(compile(content, f"<{self.name}>/{path}", "exec", dont_inherit=True), module.__dict__)
        except BaseException:
            del self.modules[name]
            raise
        finally:
            del sys.modules[name]
        if parent in self.modules:
            setattr(self.modules[parent], own, module)
        return module

    def import_(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """``__import__`` of the package's modules: relative names are its own, all others are everybody's."""
        if not level:
            return builtins.__import__(name, globals, locals, fromlist or (), 0)
        package = (globals or {})["__package__"].rsplit(".", level - 1)[0]
        module = self.load(f"{package}.{name}".rstrip("."))
        for item in fromlist or ():
            inner = f"{module.__name__}.{item}"
            if not hasattr(module, item) and (inner in self.sources or inner in self.modules):
                setattr(module, item, self.load(inner))
        return module


_shared: list[_Package] = []
"""The support code of all packages: one package, unless two versions of the tool meet in one process."""


def codecs(files: Mapping[str, bytes]) -> Mapping[str, Any]:
    """The ``CODECS`` of the one package in ``files``, imported under a name of its own."""
    folder = next(path.partition("/")[0] for path in files if path.endswith("/__init__.py") and path.count("/") == 1)
    package = _Package(f"_wirebound_{next(_numbers)}_{folder}")
    below = {
        path.removeprefix(f"{folder}/"): content for path, content in files.items() if path.startswith(f"{folder}/")
    }
    shared = {path: content for path, content in below.items() if path.startswith((f"{SUPPORT}/", f"{SUPPORT}.py"))}
    package.add({path: content for path, content in below.items() if path not in shared})
    for name, module in _support(shared).items():
        package.modules[f"{package.name}.{SUPPORT}{name}"] = module
    return dict(package.load(f"{package.name}.codecs").CODECS)


def _support(files: Mapping[str, bytes]) -> dict[str, ModuleType]:
    """The shared modules for ``files`` by their name below ``_support``: packages need not have all of them."""
    found = _Package(f"_wirebound{SUPPORT}")
    # One module or a package of modules: either way, the files of a package.
    found.add(
        {path.removeprefix(f"{SUPPORT}/").replace(f"{SUPPORT}.py", "__init__.py"): c for path, c in files.items()}
    )
    for package in _shared:
        if all(package.sources.get(name, source) == source for name, source in found.sources.items()):
            package.sources.update(found.sources)
            break
    else:
        package = found
        _shared.append(package)
    modules = {}
    for name in sorted(found.sources):
        try:
            modules[name.removeprefix(package.name)] = package.load(name)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith(package.name):
                raise
            # What else it needs is not installed, and codecs do without it: whoever imports it hears of that.
    return modules
