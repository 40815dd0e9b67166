"""Packages imported from memory: they work, share their support code, and go when nobody uses them."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import pytest

from codegen import memory

FILES = {
    "shop/__init__.py": b"from . import models\nfrom .codecs import CODECS\n__all__ = ['CODECS']\n",
    "shop/models.py": (
        b"from __future__ import annotations\n"
        b"from dataclasses import dataclass\n"
        b"from typing import ClassVar\n"
        b"from ._support import Fault\n"
        b"@dataclass(slots=True, kw_only=True)\n"
        b"class Item:\n    kind: ClassVar[str] = 'item'\n    id: str\n    after: Item | None = None\n"
    ),
    "shop/codecs.py": (
        b"from . import models\n"
        b"from ._support import Fault, refuse\n"
        b"class Codec:\n"
        b"    def decode(self, value):\n"
        b"        if 'id' not in value:\n"
        b"            from .explain import explained\n"
        b"            refuse(explained(value))\n"
        b"        return models.Item(id=value['id'])\n"
        b"CODECS = {'Item': Codec()}\n"
    ),
    "shop/explain.py": b"import json\nfrom . import models\ndef explained(value):\n    return json.dumps(value)\n",
    "shop/_support/__init__.py": (
        b"class Fault(ValueError): pass\ndef refuse(text):\n    from .text import worded\n    raise Fault(worded(text))\n"
    ),
    "shop/_support/text.py": b"from . import Fault\ndef worded(text): return f'no id: {text}'\n",
    "shop/py.typed": b"",
}


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_shared", [])


def refusal(codec: Any) -> type[BaseException]:
    with pytest.raises(ValueError, match=r"no id: \{\}") as caught:
        codec.decode({})
    return caught.type


def test_a_package_is_imported_without_a_trace() -> None:
    modules, path, finders = dict(sys.modules), list(sys.path), list(sys.meta_path)
    codec = memory.codecs(FILES)["Item"]
    item = codec.decode({"id": "a"})
    assert (item.id, item.after, item.kind) == ("a", None, "item")
    assert refusal(codec)
    assert (dict(sys.modules), sys.path, sys.meta_path) == (modules, path, finders)


def test_packages_are_apart_but_their_support_code_is_one() -> None:
    one, two = (memory.codecs(FILES)["Item"] for _ in range(2))
    assert type(one.decode({"id": "a"})) is not type(two.decode({"id": "a"}))
    assert refusal(one) is refusal(two)


def test_support_code_is_one_where_packages_need_different_parts_of_it() -> None:
    small = {path: content for path, content in FILES.items() if not path.endswith("text.py")}
    more = {**FILES, "shop/_support/more.py": b"from . import Fault\n"}
    codecs = [memory.codecs(files)["Item"] for files in (small, more, FILES)]
    assert refusal(codecs[1]) is refusal(codecs[2])
    assert refusal(codecs[0]) is refusal(codecs[1])


def test_support_code_of_another_version_is_another() -> None:
    other = {**FILES, "shop/_support/__init__.py": FILES["shop/_support/__init__.py"] + b"VERSION = 2\n"}
    assert refusal(memory.codecs(FILES)["Item"]) is not refusal(memory.codecs(other)["Item"])


def test_support_code_can_be_a_single_module() -> None:
    files = {path: content for path, content in FILES.items() if "/_support/" not in path}
    files["shop/_support.py"] = b"class Fault(ValueError): pass\ndef refuse(text): raise Fault(f'no id: {text}')\n"
    assert refusal(memory.codecs(files)["Item"])


def test_a_package_works_while_one_codec_is_held_and_goes_then() -> None:
    codec = memory.codecs(FILES)["Item"]
    kind = weakref.ref(type(codec.decode({"id": "a"})))
    gc.collect()
    assert kind() is not None
    assert refusal(codec)  # imports its explanation only now
    del codec
    gc.collect()
    assert kind() is None


@pytest.mark.parametrize(
    ("path", "text", "error"),
    [
        ("shop/models.py", b"1 / 0", ZeroDivisionError),
        ("shop/codecs.py", b"from . import nothing", ImportError),
        ("shop/codecs.py", b"from .nothing import x", ModuleNotFoundError),
        ("shop/codecs.py", b"def", SyntaxError),
    ],
)
def test_what_fails_leaves_nothing_behind(path: str, text: bytes, error: type[BaseException]) -> None:
    modules = dict(sys.modules)
    with pytest.raises(error):
        memory.codecs({**FILES, path: text})
    assert dict(sys.modules) == modules
