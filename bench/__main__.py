"""`python bench [speed] [scale] [stream] [--rounds N] [--json]` → tables of ratios, all measured side by side in this one run.

``speed``: the generated AG-UI 1.0 package against the official one, floors beside them; import, memory, generation. ``scale``:
generation for contracts of 100, 1,000 and 5,000 definitions against datamodel-code-generator. ``stream``: a stream of events
from a server on this machine against google-genai. Must not assert anything: a busy machine is no fault of the code.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import cold
import contracts

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".venv-bench" / "bin" / "python"
SUBJECTS = [
    "official",
    "ours",
    "ours, msgspec",
    "ours, Structs",
    "ours, Structs, to_json",
    "ours, pydantic",
    "json",
    "msgspec",
]
CLIENTS = ["google-genai", "ours", "ours, msgspec", "httpx lines, json"]
EVENTS = 5000
PARTS = "parts=models,typed,msgspec,pydantic"
MAIN = "from codegen.cli import main; main()"
MANIFEST = """
[contracts.ag-ui]
path = "schema/ag-ui"
protocol_version = "$id"
[[jobs]]
contract = "ag-ui"
target = "python"
package = "ag_ui_bindings"
parts = ["models", "typed"]
[[jobs]]
contract = "ag-ui"
target = "markdown"
name = "reference"
languages = ["en", "ko"]
flavours = ["commonmark", "mdx"]
"""
"""Everything that is made for AG-UI: the package, and its reference in two languages."""
LIMIT = 900
"""Seconds of processor time after which a run for the largest contract is stopped."""
Table = list[dict[str, Any]]


def wirebound(*arguments: str) -> list[str]:
    """The toolchain of this checkout, as a command."""
    return [sys.executable, "-c", MAIN, *arguments]


def speed(rounds: int, folder: Path) -> dict[str, Table]:
    """The tables of one contract."""
    schema = ROOT / "schema/ag-ui/1.0/schema.json"
    here = {"PYTHONPATH": str(ROOT)}
    made = folder / "made"
    arguments = wirebound(
        "build", str(schema), "--target", "python", "--out", str(made), "-o", "package=ag_ui_bindings", "-o", PARTS
    )
    cold.seconds((arguments, folder, here))
    return {
        "codec": codec(rounds, made),
        "import": imports(rounds, made),
        "generation": generation(rounds, schema, folder, here),
    }


def codec(rounds: int, made: Path) -> Table:
    """Reading, writing, memory: each subject in processes of its own, in turn."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in SUBJECTS}
    for _ in range(rounds):
        for name in SUBJECTS:
            run = subprocess.run(
                [PEERS, ROOT / "bench/measure.py", name, "15"],
                env={**os.environ, "PYTHONPATH": str(made)},
                stdout=subprocess.PIPE,
                check=True,
            )
            found[name].append(json.loads(run.stdout))
    table: Table = []
    for what in found["official"][0]:
        medians = {name: statistics.median(run[what] for run in runs) for name, runs in found.items()}
        unit = "bytes an event" if what == "memory" else "µs"
        table.append({"what": what, "unit": unit, **medians})
    return table


def imports(rounds: int, made: Path) -> Table:
    """Cold processes that import, and that decode one event as well."""
    event = 'b\'{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"d"}\''
    ways = {
        "official": (
            "import ag_ui.core",
            f"import pydantic; pydantic.TypeAdapter(ag_ui.core.Event).validate_json({event})",
        ),
        "ours": ("import ag_ui_bindings", f"ag_ui_bindings.codecs.Event.from_json({event})"),
        "ours, Structs": (
            "import ag_ui_bindings.msgspec_codecs as codecs",
            f"codecs.Event.from_json({event})",
        ),
        "ours, pydantic": ("import ag_ui_bindings.pydantic_codecs as codecs", f"codecs.Event.from_json({event})"),
    }
    codes = {"interpreter": "pass"}
    for name, (imported, event_read) in ways.items():
        codes |= {name: imported, f"{name}, first event": f"{imported}; {event_read}"}
    environment = {"PYTHONPATH": str(made), "WIREBOUND_PARSER": "json"}
    commands = {name: (lambda code=code: ([str(PEERS), "-c", code], made, environment)) for name, code in codes.items()}
    times = cold.medians(commands, 3 * rounds)
    bare = times["interpreter"]  # what any process takes is no part of an import
    return [
        {"what": what, "unit": "ms", **{name: 1e3 * (times[name + more] - bare) for name in ways}}
        for what, more in (("import", ""), ("import and first event", ", first event"))
    ]


def generation(rounds: int, schema: Path, folder: Path, here: dict[str, str]) -> Table:
    """Everything for AG-UI from nothing, once more with nothing to do, and the peer's one file."""
    project = folder / "project"

    def later(path: str, names: list[str]) -> list[str]:
        """Other versions of the contract: the peer has one to read."""
        return [name for name in names if Path(path, name, schema.name).is_file() and name != schema.parent.name]

    def clean() -> cold.Command:
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir()
        (project / "wirebound.toml").write_text(MANIFEST)
        shutil.copytree(schema.parent.parent, project / "schema/ag-ui", ignore=later)
        return wirebound("generate"), project, here

    commands = {
        "ours": clean,
        "package": lambda: (
            wirebound("build", str(schema), "--target", "python", "--out", str(folder / "package"), "--force"),
            folder,
            here,
        ),
        "nothing to do": lambda: (wirebound("generate"), project, here),
        "datamodel-code-generator": lambda: (peer(schema, folder / "peer.py"), folder, {}),
    }
    times = cold.medians(commands, rounds)
    theirs = 1e3 * times["datamodel-code-generator"]
    return [
        {"what": what, "unit": "ms", "datamodel-code-generator": theirs, "ours": 1e3 * times[name]}
        for what, name in (
            ("everything: package, reference in two languages", "ours"),
            ("the package alone", "package"),
            ("nothing to do", "nothing to do"),
        )
    ]


def peer(schema: Path, output: Path) -> list[str]:
    """datamodel-code-generator, for one file of dataclasses."""
    return [
        str(PEERS.parent / "datamodel-codegen"),
        *("--input", str(schema), "--input-file-type", "jsonschema", "--output", str(output)),
        *("--output-model-type", "dataclasses.dataclass"),
    ]


def scale(rounds: int, folder: Path) -> dict[str, Table]:
    """Contracts of several sizes."""
    table: Table = []
    for size in (100, 1000, 5000):
        path = folder / f"{size}.json"
        path.write_text(json.dumps(contracts.contract(size)))
        ours = wirebound("build", str(path), "--target", "python", "--out", str(folder / f"made{size}"), "--force")
        commands: dict[str, Any] = {
            "ours": lambda ours=ours: (ours, folder, {"PYTHONPATH": str(ROOT)}),
            "datamodel-code-generator": lambda path=path: (peer(path, folder / "peer.py"), folder, {}),
        }
        times = cold.medians(commands, 1, LIMIT) if size > 1000 else cold.medians(commands, rounds)
        table.append({"what": f"{size:,} definitions", "unit": "ms", **{k: 1e3 * v for k, v in times.items()}})
    return {"scale": table}


def stream(rounds: int, folder: Path) -> dict[str, Table]:
    """Server-sent events → typed events, each client in processes of its own, in turn, from one server."""
    made = ROOT / "generated/gemini-interactions/v1beta/python"
    command = [PEERS, ROOT / "bench/stream_server.py", str(EVENTS)]
    found: dict[str, list[float]] = {name: [] for name in CLIENTS}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            url = f"http://127.0.0.1:{server.stdout.readline().strip()}"
            for _ in range(rounds):
                for name in CLIENTS:
                    run = subprocess.run(
                        [PEERS, ROOT / "bench/stream_measure.py", name, url, str(EVENTS)],
                        env={**os.environ, "PYTHONPATH": str(made)},
                        stdout=subprocess.PIPE,
                        check=True,
                    )
                    found[name].append(json.loads(run.stdout)["event"])
        finally:
            server.kill()
    medians = {name: statistics.median(times) for name, times in found.items()}
    return {"stream": [{"what": f"an event of {EVENTS:,}", "unit": "µs", **medians}]}


def printed(name: str, table: Table) -> str:
    """A table in Markdown. In brackets: how many times the peer's speed; or, where less is better, the part of its need."""
    columns = [column for column in table[0] if column not in ("what", "unit")]
    first = columns[0] if columns[0] != "ours" else columns[1]
    lines = [f"| {name} | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for row in table:
        cells = []
        for column in columns:
            cell = f"{row[column]:,.1f}" if row[column] < math.inf else f"more than {LIMIT:,},000"
            if column != first and column.startswith("ours"):
                more = name in ("codec", "stream") and row["what"] != "memory"
                theirs = min(row[first], 1e3 * LIMIT)
                ratio = theirs / row[column] if more else row[column] / theirs
                cell += f" ({'below ' if theirs < row[first] else ''}{ratio:.2f} ×)"
            cells.append(cell)
        lines.append(f"| {row['what']}, {row['unit']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure what was asked for."""
    options = argparse.ArgumentParser(prog="bench")
    options.add_argument("what", nargs="*", default=["speed"], metavar="speed|scale|stream")
    options.add_argument("--rounds", type=int, default=5, help="runs of each process (default 5)")
    options.add_argument("--json", action="store_true", help="figures instead of tables")
    given = options.parse_args()
    tables: dict[str, Table] = {}
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTHONPYCACHEPREFIX"] = (
            f"{folder}/compiled"  # for all that is measured, and no trace in the checkout
        )
        for what in given.what:
            tables |= {"speed": speed, "scale": scale, "stream": stream}[what](given.rounds, Path(folder))
    if given.json:
        print(json.dumps({"load": load, "tables": tables}, indent=2))
        return
    print(
        f"{os.cpu_count()} cores, load {load:.1f} before, {os.getloadavg()[0]:.1f} after; medians of processor time\n"
    )
    print("\n\n".join(printed(name, table) for name, table in tables.items()))


if __name__ == "__main__":
    main()
