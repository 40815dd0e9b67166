"""The files of a Python package → the package, imported, with the disk and ``sys.path`` left alone.

Must not know what the files say, beyond two names: ``_support`` is the same in every package and is shared, and
``codecs.CODECS`` is what callers want. Everything else goes when nobody holds the codecs any more.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import itertools
import sys
import weakref
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

SUPPORT = "_support"
_numbers = itertools.count(1)


class _Loader(importlib.abc.InspectLoader):
    """One module of a package in memory."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content

    def get_source(self, fullname: str) -> str:
        """The text: what tracebacks show."""
        return self.content.decode()

    def get_code(self, fullname: str) -> CodeType:
        """The text, compiled."""
        return self.source_to_code(self.content, self.path)

    def is_package(self, fullname: str) -> bool:
        """Whether the module holds others."""
        return self.path.endswith("/__init__.py")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of packages in memory, by their whole name."""

    def __init__(self) -> None:
        self.loaders: dict[str, _Loader] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module, if it is ours."""
        loader = self.loaders.get(fullname)
        return None if loader is None else importlib.util.spec_from_loader(fullname, loader, origin=loader.path)

    def add(self, package: str, files: Mapping[str, bytes]) -> None:
        """Make ``files``, whose paths are below the package's folder, the modules of ``package``."""
        if self not in sys.meta_path:
            sys.meta_path.append(self)
        for path, content in files.items():
            if path.endswith(".py"):
                module = path.removesuffix(".py").removesuffix("__init__").rstrip("/").replace("/", ".")
                name = f"{package}.{module}" if module else package
                self.loaders[name] = _Loader(f"<{package}>/{path}", content)


_finder = _Finder()


class _Codecs(Mapping[str, Any]):
    """The codecs of a package in memory, which lives as long as this does."""

    def __init__(self, package: str, codecs: Mapping[str, Any]) -> None:
        self._codecs = codecs
        weakref.finalize(self, _forget, package)

    def __getitem__(self, name: str) -> Any:
        return self._codecs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._codecs)

    def __len__(self) -> int:
        return len(self._codecs)

    def __repr__(self) -> str:
        return f"<codecs of {len(self)} definitions>"


def codecs(files: Mapping[str, bytes]) -> Mapping[str, Any]:
    """The ``CODECS`` of the one package in ``files``, imported under a name of its own."""
    folder = next(path.partition("/")[0] for path in files if path.endswith("/__init__.py") and path.count("/") == 1)
    package = f"_wirebound_{next(_numbers)}_{folder}"
    below = {
        path.removeprefix(f"{folder}/"): content for path, content in files.items() if path.startswith(f"{folder}/")
    }
    own = {path: content for path, content in below.items() if path.split("/")[0].removesuffix(".py") != SUPPORT}
    _share(package, {path: content for path, content in below.items() if path not in own})
    _finder.add(package, own)
    try:
        return _Codecs(package, importlib.import_module(f"{package}.codecs").CODECS)
    except BaseException:
        _forget(package)
        raise


def _share(package: str, files: Mapping[str, bytes]) -> None:
    """Let ``_support`` of ``package`` be the modules that every package with the same support code has."""
    digest = sha256()
    for path, content in sorted(files.items()):
        digest.update(path.encode() + b"\0" + sha256(content).digest())
    shared = f"_wirebound{SUPPORT}_{digest.hexdigest()[:16]}"
    if shared not in sys.modules:
        # One module or a package of them: either way, files of a package.
        inner = {
            path.removeprefix(f"{SUPPORT}/").replace(f"{SUPPORT}.py", "__init__.py"): c for path, c in files.items()
        }
        _finder.add(shared, inner)
    names = [name for name in _finder.loaders if name == shared or name.startswith(f"{shared}.")]
    for name in names:
        sys.modules[f"{package}.{SUPPORT}{name.removeprefix(shared)}"] = importlib.import_module(name)


def _forget(package: str) -> None:
    """Unload ``package``. What still runs in it goes on: functions hold their globals."""
    for table in (sys.modules, _finder.loaders):
        for name in [name for name in table if name == package or name.startswith(f"{package}.")]:
            del table[name]
