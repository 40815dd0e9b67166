"""The name of a reader and writer → microseconds and bytes that it takes for the documents of the bench, as JSON.

One process measures one subject, so that none warms or spoils what another needs. Must not compare: ``__main__`` does, and runs
the subjects in turn.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import documents

Subject = tuple[Callable[[bytes], Any], Callable[[Any], Any]]


def official() -> Subject:
    """The official package, the way it shows: validation of bytes, and its models' own JSON."""
    from ag_ui.core import Event
    from pydantic import TypeAdapter

    def write(value: Any) -> Any:
        return value.model_dump_json(by_alias=True, exclude_none=True)

    return TypeAdapter(Event).validate_json, write


def ours(parser: str) -> Subject:
    """The generated package, with one of its two parsers."""
    from ag_ui_bindings import codecs
    from ag_ui_bindings._support import text

    text.use(parser)
    return codecs.Event.from_json, codecs.Event.to_json


def structs() -> Subject:
    """Part ``msgspec`` of the generated package."""
    from ag_ui_bindings import msgspec_codecs

    return msgspec_codecs.Event.from_json, msgspec_codecs.Event.encode


def structs_asking() -> Subject:
    """The same, by the encoder that asks whether JSON can carry the value."""
    from ag_ui_bindings import msgspec_codecs

    return msgspec_codecs.Event.from_json, msgspec_codecs.Event.to_json


def models() -> Subject:
    """Part ``pydantic`` of the generated package."""
    from ag_ui_bindings import pydantic_codecs

    return pydantic_codecs.Event.from_json, pydantic_codecs.Event.to_json


def untyped_json() -> Subject:
    """The standard library, which checks nothing."""
    return json.loads, lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def untyped_msgspec() -> Subject:
    """msgspec without types, which checks nothing."""
    import msgspec

    return msgspec.json.Decoder().decode, msgspec.json.Encoder().encode


SUBJECTS: dict[str, Callable[[], Subject]] = {
    "official": official,
    "ours": lambda: ours("json"),
    "ours, msgspec": lambda: ours("msgspec"),
    "ours, Structs": structs,
    "ours, Structs, to_json": structs_asking,
    "ours, pydantic": models,
    "json": untyped_json,
    "msgspec": untyped_msgspec,
}


def microseconds(act: Callable[[Any], Any], values: list[Any], repeat: int) -> float:
    """The median time for all values, in microseconds; with the garbage collector at work, as in any program."""
    act(values[0])
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.process_time()
        for _ in range(5):
            for value in values:
                act(value)
        times.append((time.process_time() - start) / 5)
    return statistics.median(times) * 1e6


def held(read: Callable[[bytes], Any], lines: list[bytes]) -> float:
    """Bytes that a decoded event keeps, with its strings."""
    kept = [read(line) for line in lines]
    del kept
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [read(line) for line in lines for _ in range(20)]
    gc.collect()
    size = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return size / len(kept)


def main(name: str, repeat: int) -> dict[str, float]:
    """All measures of one subject."""
    read, write = SUBJECTS[name]()
    stream = [documents.line(document) for document in documents.stream()]
    snapshot = [documents.line(documents.snapshot())]
    found: dict[str, float] = {}
    for what, lines in (("100 events", stream), ("snapshot", snapshot)):
        values = [read(line) for line in lines]
        found[f"decode {what}"] = microseconds(read, lines, repeat)
        found[f"encode {what}"] = microseconds(write, values, repeat)
    found["memory"] = held(read, stream)
    return found


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]))))
