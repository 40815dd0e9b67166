"""A contract → its Python package, written to a folder and imported from there."""

from __future__ import annotations

import importlib
import itertools
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import codegen

_numbers = itertools.count(1)


class Package:
    """One generated package: its modules as attributes, its folder as ``folder``."""

    def __init__(self, contract: Any, folder: Path, **options: Any) -> None:
        self.name = options.setdefault("package", f"made_{next(_numbers)}")
        self.folder = folder / self.name
        self.files = codegen.build(contract, options=options)
        for path, content in self.files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        importlib.invalidate_caches()  # Python may have looked into the folder before
        sys.path.insert(0, str(folder))
        try:
            self.module = importlib.import_module(self.name)
        finally:
            sys.path.remove(str(folder))
        sys.path.append(str(folder))  # what is imported lazily is found later on

    def __getattr__(self, name: str) -> ModuleType:
        module = f"{self.name}.{name}"
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name == module:
                raise AttributeError(name) from None
            raise

    def text(self, file: str) -> str:
        """The text of one file of the package."""
        return self.files[f"{self.name}/{file}"].decode()
