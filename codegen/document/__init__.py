"""LOAD: a path or a value → a ``Contract``, whose schemas are views in one vocabulary, whatever their dialect.

Must not give meaning to schemas; ``resolve`` does. What is loaded was judged whole: no keyword is unknown, no operand
malformed, no reference without its schema.
"""

from __future__ import annotations

from codegen.document.contract import Contract, Scope, load
from codegen.document.dialects import Dialect
from codegen.document.element import Element
from codegen.document.reading import MAX_DEPTH, Document
from codegen.document.schema import Schema

__all__ = ["MAX_DEPTH", "Contract", "Dialect", "Document", "Element", "Schema", "Scope", "load"]
