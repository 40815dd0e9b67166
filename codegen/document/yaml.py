"""A YAML 1.2 text → its value under the core schema, and where everything in it stands.

Must not use a constructor: those of YAML libraries make dates, sets and objects of plain text. Events, with their marks, come
from the library; they are composed here with a stack of our own, so that no depth of nesting overflows ours, and what JSON
has no word for (keys that are no strings, cycles) is refused at its place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from codegen.document.reading import MAX_DEPTH, MAX_DIGITS, Faults, Spot
from codegen.errors import shown
from codegen.pointer import join
from codegen.vocabulary import cited

if TYPE_CHECKING:
    from codegen.model import JsonValue

# Values that aliases may add to a document.
MAX_ALIASED = 100_000

# YAML 1.2.2, 10.3.2.
_NULL = re.compile(r"null|Null|NULL|~|")
_TRUE = re.compile(r"true|True|TRUE")
_FALSE = re.compile(r"false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")

# A key that YAML reads as an integer and that can be meant as the status of a response; whether it stands where those do
# is known only once it is known what the document is.
_STATUS = re.compile(r"[1-5][0-9][0-9]")

_CORE = "tag:yaml.org,2002:"
_LONE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True, eq=False)
class _Node:
    """A value with its places: ``names`` are the spots of a mapping's keys. ``size`` counts the values in it, itself too."""

    value: JsonValue
    spot: Spot
    below: dict[str, _Node] | list[_Node] = field(default_factory=list)
    names: dict[str, Spot] = field(default_factory=dict)
    size: int = 1
    height: int = 0


@dataclass(slots=True, eq=False)
class _Open:
    """A collection whose end is still to come. ``key`` is the name whose value is next; None if a key is."""

    node: _Node
    pointer: str
    anchor: str | None
    key: str | None = None
    skipped: bool = False


def read(text: str, path: str, address: str) -> tuple[JsonValue, Callable[[], Mapping[str, Spot]], tuple[str, ...]]:
    """The value of a YAML text, what gives the places in it, and the members of ``responses`` with an integer as key.

    Raises ``Unreadable``.
    """
    faults = Faults(path, address)
    composer = _Composer(faults)
    root = composer.compose(text)
    if root is None and not faults.found:
        faults.fatal(
            "empty", "the file holds comments alone, expected a contract", "write the contract into it", (1, 1)
        )
    if faults.found or root is None:
        raise faults.error()
    return root.value, lambda: _spots(root), tuple(composer.integers)


class _Composer:
    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._anchors: dict[str, _Node | None] = {}
        self._stack: list[_Open] = []
        self._aliased = 0
        self._root: _Node | None = None
        self.integers: list[str] = []

    def compose(self, text: str) -> _Node | None:
        """The root node of the only document in ``text``. Problems are left in the faults."""
        documents = count()
        for event in self._events(text):
            spot = (event.start_mark.line + 1, event.start_mark.column + 1)
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                if next(documents):
                    self._faults.add("not-yaml", "a second document starts here, expected one", _ALONE, "", spot)
                    return None
                if event.version not in (None, (1, 2)):
                    self._faults.add("not-yaml", "the text says that it is not YAML 1.2", _VERSION, "", spot)
            elif kind == "AliasEvent":
                if not self._alias(event.anchor, spot):
                    return None
            elif kind == "ScalarEvent":
                node = self._scalar(event, spot)
                if event.anchor:
                    self._anchors[event.anchor] = node
                self._place(node, plain=event.value if not event.style and event.tag is None else "")
            elif kind in ("MappingStartEvent", "SequenceStartEvent"):
                if not self._start(event, spot, kind == "MappingStartEvent"):
                    return None
            elif kind in ("MappingEndEvent", "SequenceEndEvent"):
                ended = self._stack.pop()
                if ended.anchor:
                    self._anchors[ended.anchor] = ended.node
                self._place(ended.node, opened=ended)
        return self._root

    def _events(self, text: str) -> Iterator[Any]:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError
        from ruamel.yaml.reader import ReaderError

        try:
            yield from YAML(typ="safe", pure=True).parse(text)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            spot = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
            reason = (error.problem or error.context or "").replace("'", '"')
            self._faults.fatal("not-yaml", f"the text is no YAML from here on: {reason}", _CORRECT, spot)
        except ReaderError as error:
            from codegen.document.locate import Lines

            message = f"character U+{ord(text[error.position]):04X} is not allowed in YAML"
            self._faults.fatal("not-yaml", message, "escape it in double quotes", Lines(text).at(error.position))
        except (AssertionError, AttributeError, IndexError, TypeError, ValueError):
            # The library stumbles over some malformed texts (a directive of an unknown version, for one).
            self._faults.fatal("not-yaml", "the text is no YAML", _CORRECT, (1, 1))

    # --- nodes --------------------------------------------------------------------------------------------------------

    def _pointer(self) -> str:
        """The place of the value that comes next."""
        if not self._stack:
            return ""
        top = self._stack[-1]
        if isinstance(top.node.below, list):
            return join(top.pointer, len(top.node.below))
        return top.pointer if top.key is None else join(top.pointer, top.key)

    def _start(self, event: Any, spot: Spot, mapping: bool) -> bool:
        if len(self._stack) >= MAX_DEPTH:
            self._faults.too_deep(spot)
            return False
        expected = f"{_CORE}{'map' if mapping else 'seq'}"
        if event.tag not in (None, "!", expected):
            self._faults.add(
                "not-yaml", f"tag {shown(event.tag)} is not of the core schema", _TAG, self._pointer(), spot
            )
        node = _Node({}, spot, {}) if mapping else _Node([], spot)
        if event.anchor:
            self._anchors[event.anchor] = None
        self._stack.append(_Open(node, self._pointer(), event.anchor))
        return True

    def _alias(self, name: str, spot: Spot) -> bool:
        if name not in self._anchors:
            self._faults.add("not-yaml", f'alias "*{name}" has no anchor before it', _CORRECT, self._pointer(), spot)
            return False
        node = self._anchors[name]
        if node is None:
            message = f'alias "*{name}" stands inside the value that it means'
            self._faults.add("alias-expansion", message, 'refer to schemas with "$ref" instead', self._pointer(), spot)
            return False
        self._aliased += node.size
        if self._aliased > MAX_ALIASED:
            message = f"aliases add more than {MAX_ALIASED} values to the document"
            self._faults.add("alias-expansion", message, 'refer to schemas with "$ref" instead', self._pointer(), spot)
            return False
        if len(self._stack) + node.height > MAX_DEPTH:
            self._faults.too_deep(spot)
            return False
        self._place(_Node(node.value, spot, node.below, node.names, node.size, node.height))
        return True

    def _place(self, node: _Node, plain: str = "", opened: _Open | None = None) -> None:
        """Puts a whole node where it belongs: the root, an item, a key or a member's value."""
        if not self._stack:
            self._root = node
            return
        top = self._stack[-1]
        above = top.node
        above.size += node.size
        above.height = max(above.height, node.height + 1)
        if isinstance(above.below, list):
            assert isinstance(above.value, list)
            above.below.append(node)
            above.value.append(node.value)
        elif top.key is None:
            self._name(top, node, plain)
        else:
            assert isinstance(above.value, dict)
            if not top.skipped:
                above.below[top.key] = node
                above.value[top.key] = node.value
            top.key, top.skipped = None, False

    def _name(self, top: _Open, node: _Node, plain: str) -> None:
        """Takes ``node`` as the key whose value comes next; ``plain`` is its text where it is written without quotes."""
        assert isinstance(top.node.below, dict)
        if type(node.value) is int and _STATUS.fullmatch(plain) and top.pointer.endswith("/responses"):
            node.value = plain
            self.integers.append(join(top.pointer, plain))
        if not isinstance(node.value, str):
            message = f"a key is {_spelled(node.value)}, expected a string"
            self._faults.add("non-string-key", message, "put the key in quotes", top.pointer, node.spot)
            top.key, top.skipped = "", True
            return
        top.key = node.value
        pointer = join(top.pointer, node.value)
        if plain == "<<":
            message = '"<<" merges mappings in YAML 1.1; YAML 1.2 has no such key'
            self._faults.add("merge-key", message, 'compose with "allOf", or write "<<" in quotes', pointer, node.spot)
        if node.value in top.node.names:
            self._faults.twice(pointer, node.spot)
            top.skipped = True
        else:
            top.node.names[node.value] = node.spot

    # --- scalars ------------------------------------------------------------------------------------------------------

    def _scalar(self, event: Any, spot: Spot) -> _Node:
        written: str = event.value
        if _LONE.search(written):
            # Escapes of the two halves of a pair are one character in JSON, whose superset YAML 1.2 is.
            written = written.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
            if _LONE.search(written):
                self._faults.lone(self._pointer(), spot)
        tag = event.tag
        if tag is None:
            return _Node(written if event.style else self._plain(written, spot), spot)
        if tag in ("!", f"{_CORE}str"):
            return _Node(written, spot)
        kind = tag.removeprefix(_CORE)
        value = self._plain(written, spot)
        if kind == "float" and isinstance(value, int) and not isinstance(value, bool):
            value = float(value) if abs(value) < 2**1023 else value
        fits = {"null": type(None), "bool": bool, "int": int, "float": float}.get(kind) if kind != tag else None
        if fits is None or type(value) is not fits:
            message = f"tag {shown(tag)} is not of the core schema, or does not fit {shown(written)}"
            self._faults.add("not-yaml", message, _TAG, self._pointer(), spot)
        return _Node(value, spot)

    def _plain(self, written: str, spot: Spot) -> JsonValue:
        """What an unquoted scalar is under the core schema."""
        if _NULL.fullmatch(written):
            return None
        if _TRUE.fullmatch(written):
            return True
        if _FALSE.fullmatch(written):
            return False
        if _INT.fullmatch(written) or _BASED.fullmatch(written):
            digits = len(written.lstrip("+-"))
            if digits > MAX_DIGITS:
                message = f"the integer has {digits} digits, expected at most {MAX_DIGITS}"
                self._faults.range(message, self._pointer(), spot)
                return 0
            return int(written, 0) if _BASED.fullmatch(written) else int(written)
        if _FLOAT.fullmatch(written):
            number = float(written)
            if math.isinf(number):
                self._faults.range(f"{shown(written)} is beyond the range of a double", self._pointer(), spot)
            return number
        if _NO_NUMBER.fullmatch(written):
            self._faults.range(f"{shown(written)} is no number of JSON", self._pointer(), spot)
        return written


_CORRECT = "correct the YAML text here"
_ALONE = "keep one document per file"
_VERSION = 'write the text as YAML 1.2, and remove the "%YAML" line or let it say 1.2'
_TAG = "remove the tag"


def _spelled(value: JsonValue) -> str:
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a sequence"
    return cited(value)


def _spots(root: _Node) -> dict[str, Spot]:
    """Line and column of each place, by pointer: a member is where its key is, an item where it starts."""
    spots = {"": root.spot}
    pending = [("", root)]
    while pending:
        pointer, node = pending.pop()
        if isinstance(node.below, list):
            for index, item in enumerate(node.below):
                place = f"{pointer}/{index}"
                spots[place] = item.spot
                pending.append((place, item))
        else:
            for name, member in node.below.items():
                place = join(pointer, name)
                spots[place] = node.names[name]
                pending.append((place, member))
    return spots
