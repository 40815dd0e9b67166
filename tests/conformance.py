"""The JSON Schema test suite → how many of its verdicts are right, refused with a code, and wrong, file by file.

Run as a script (``make conformance``) it writes ``conformance.md``. Must not judge by itself: for each group of the suite a
contract is loaded and resolved, its codec is built, and the codec judges; the model's own judge does the same without a codec
in front of it, so that a fault of ``resolve`` is told from one of the target.
"""

from __future__ import annotations

import atexit
import importlib
import itertools
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from oracle import Oracle

import codegen
from codegen.derive import Judge
from codegen.document import load
from codegen.errors import WireboundError
from codegen.facts import Facts
from codegen.output import scratch
from codegen.resolve import resolve
from codegen.verify import subjects

ROOT = Path(__file__).parents[1]
SUITE = ROOT.parent / "shared" / "corpus" / "json-schema-test-suite"
REPORT = Path(__file__).with_suffix(".md")
FOLDERS = {
    "draft-04": "draft4",
    "draft-06": "draft6",
    "draft-07": "draft7",
    "2019-09": "draft2019-09",
    "2020-12": "draft2020-12",
}
ROOTS = {"http://localhost:1234/": SUITE / "remotes"}

Judged = Callable[[Any], bool]
Way = Callable[[Any, str], Judged]
"""A schema and the dialect of where ``$schema`` is silent → what says whether a document is valid; may refuse the schema."""


def by_codec(schema: Any, dialect: str) -> Judged:
    """The codec of the root, both passes asked."""
    codec = codegen.codecs(schema, dialect=dialect, roots=ROOTS)[""]

    def judged(value: Any) -> bool:
        try:
            codec.from_dict(value)
        except ValueError:
            return False
        return True

    return judged


def by_model(schema: Any, dialect: str) -> Judged:
    """The model's own judge."""
    facts = Facts(resolve(load(schema, dialect=dialect, roots=ROOTS)))
    assert facts.model.root is not None
    root, judge = facts.model.root, Judge(facts)
    return lambda value: judge.accepts(root, value)


def by_oracle(schema: Any, dialect: str) -> Judged:
    """The oracle of all other tests."""
    return Oracle(schema, dialect=dialect, roots=ROOTS).valid


class Parts:
    """A way through a part of the Python package, on disk because its libraries look modules up: the codec of the root, by
    value and by text, and the model itself where the root is one."""

    def __init__(self, part: str, module: str) -> None:
        self.part = part
        self.module = module
        self.folder = Path(tempfile.mkdtemp(prefix="conformance-"))
        self.name = ""
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        sys.path.append(str(self.folder))

    def __call__(self, schema: Any, dialect: str) -> Judged:
        self.forget()
        self.name = subjects.package_name()
        options = {"package": self.name, "parts": ["models", self.part]}
        files = codegen.build(schema, options=options, dialect=dialect, roots=ROOTS)
        scratch.put(self.folder, files)
        importlib.invalidate_caches()
        codecs = importlib.import_module(f"{self.name}.{self.module}_codecs").CODECS
        subject = subjects.Codecs(self.part, codecs, {}, {})
        if self.part == "pydantic":
            models = importlib.import_module(f"{self.name}.pydantic_models")
            subject = subjects.Models(self.part, codecs, {}, models)
        return lambda value: subject.accepts(None, value, json.dumps(value).encode())

    def forget(self) -> None:
        """The package before this one is used no more."""
        for name in [name for name in sys.modules if name == self.name or name.startswith(f"{self.name}.")]:
            del sys.modules[name]
        if self.name:
            shutil.rmtree(self.folder / self.name, ignore_errors=True)


by_structs = Parts("msgspec", "msgspec")
by_models = Parts("pydantic", "pydantic")


@dataclass
class Row:
    """One file of the suite. ``refused`` counts documents by the code of the problem, ``wrong`` names them."""

    file: str
    right: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return self.right + self.refused.total() + len(self.wrong)


@cache
def rows(way: Way, dialect: str, every: int = 1) -> Mapping[str, Row]:
    """A row for each file of a dialect, the optional ones included, by its path in the dialect's folder; of all groups of the
    suite only one in ``every``."""
    count = itertools.count()
    folder = SUITE / "tests" / FOLDERS[dialect]
    found = {}
    for path in sorted(folder.rglob("*.json")):
        row = Row(path.relative_to(folder).as_posix())
        found[row.file] = row
        for group in json.loads(path.read_bytes()):
            if next(count) % every == 0:
                judge(way, dialect, group, row)
    return found


def judge(way: Way, dialect: str, group: Mapping[str, Any], row: Row) -> None:
    """Add the verdicts on one group to its row."""
    try:
        judged = way(group["schema"], dialect)
    except WireboundError as error:
        row.refused[error.problems[0].code] += len(group["tests"])
        return
    except Exception as error:
        row.wrong += [f"{group['description']}: {type(error).__name__}: {error}"] * len(group["tests"])
        return
    for test in group["tests"]:
        try:
            verdict: Any = judged(test["data"])
        except Exception as error:
            verdict = f"{type(error).__name__}: {error}"
        if verdict == test["valid"]:
            row.right += 1
        else:
            said = "" if isinstance(verdict, bool) else f" ({verdict})"
            row.wrong.append(f"{group['description']}: {test['description']}{said}")


# --- the report -------------------------------------------------------------------------------------------------------


def report() -> str:
    """The whole of ``conformance.md``."""
    return "\n".join([HEAD, *(section(dialect) for dialect in reversed(FOLDERS)), parts()])


def parts() -> str:
    """The part of the report on what stands beside the dataclasses."""
    lines = [
        "## Parts",
        "",
        "The same, required and optional, through the parts `msgspec` and `pydantic` of the package.",
        "",
    ]
    lines += ["| dialect, part | tests | right | refused | wrong |", "|---|--:|--:|---|--:|"]
    for dialect in reversed(FOLDERS):
        for way in (by_structs, by_models):
            for word, found in halves(rows(way, dialect)):
                lines.append(line(f"{dialect}, `{way.part}`, {word}", found))
    return "\n".join([*lines, ""])


def halves(found: Mapping[str, Row]) -> Iterator[tuple[str, list[Row]]]:
    """Rows of required and of optional files."""
    yield "required", [row for name, row in found.items() if not name.startswith("optional/")]
    yield "optional", [row for name, row in found.items() if name.startswith("optional/")]


HEAD = """\
# Conformance

Verdicts of the generated codecs on the JSON Schema test suite, written by `make conformance`. *Right*: as the suite says.
*Refused*: the schema is a problem, with this code, and nothing is generated. *Wrong*: everything else. A file below `optional/`
holds what the specifications leave open; `format` is an annotation here, so that the files below `optional/format/` count how
often the suite asks for more.
"""


def section(dialect: str) -> str:
    """The part of the report on one dialect."""
    found = rows(by_codec, dialect)
    required = [row for name, row in found.items() if not name.startswith("optional/")]
    optional = [row for name, row in found.items() if name.startswith("optional/")]
    lines = [f"## {dialect}", "", *table(required, "required"), "", *table(optional, "optional"), ""]
    wrong = [f"- `{row.file}`: {text}" for row in required for text in row.wrong]
    wrong += [
        f"- `{row.file}`: {text}"
        for row in optional
        for text in row.wrong
        if not row.file.startswith("optional/format/")
    ]
    return "\n".join([*lines, *(["Wrong:", "", *wrong, ""] if wrong else [])])


def table(found: list[Row], word: str) -> Iterator[str]:
    """A line for each file, and one for all of them."""
    yield "| file | tests | right | refused | wrong |"
    yield "|---|--:|--:|---|--:|"
    for row in found:
        yield line(row.file.removesuffix(".json"), [row])
    yield line(f"**{word}**", found)


def line(name: str, found: list[Row]) -> str:
    """One line of a table."""
    refused: Counter[str] = Counter()
    for row in found:
        refused += row.refused
    codes = ", ".join(f"{count} {code}" for code, count in sorted(refused.items())) or "0"
    total, right, wrong = (
        sum(numbers) for numbers in zip(*((row.total, row.right, len(row.wrong)) for row in found), strict=True)
    )
    return f"| {name} | {total} | {right} | {codes} | {wrong} |"


def main() -> int:
    """Write the report; 1 where a required verdict is wrong."""
    if not SUITE.is_dir():
        print(f"{SUITE} is not here: the report is made where the test suite is", file=sys.stderr)
        return 2
    REPORT.write_text(report(), encoding="utf-8")
    wrong = [
        text
        for dialect in FOLDERS
        for way in (by_codec, by_structs, by_models)
        for name, row in rows(way, dialect).items()
        if not name.startswith("optional/")
        for text in row.wrong
    ]
    print("\n".join([f"{len(wrong)} required verdicts are wrong", *wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
