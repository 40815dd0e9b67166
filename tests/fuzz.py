"""A number → that many hostile texts, read with each parser: `python tests/fuzz.py 1000000 [SEED]`.

Must not stop at the first finding, and judges this alone: only ``DecodeError`` comes out, and both parsers give one result.
The seeds of the texts are the examples and fixtures of the contract of AG-UI 1.0; what is found is printed, and written to
``tests/texts`` as a case.
"""

from __future__ import annotations

import hashlib
import importlib
import random
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.mutation import mutated  # noqa: E402
from tests.python_package import Package  # noqa: E402

FOUND = ROOT / "tests" / "texts"


def definition(path: Path) -> str:
    """The definition that an example or a fixture is of."""
    return path.parent.name if path.parent.parent.name == "examples" else path.parent.parent.name


def main(count: int, seed: int) -> int:
    """Search; how many findings."""
    contract = ROOT / "schema/ag-ui/1.0"
    paths = [*contract.glob("examples/*/*.json"), *contract.glob("fixtures/*/*/*.json")]
    seeds = sorted((definition(path), path.read_bytes()) for path in paths if ".expect." not in path.name)
    findings: set[bytes] = set()
    accepted = 0
    with tempfile.TemporaryDirectory() as folder:
        package = Package(contract / "schema.json", Path(folder))
        text = importlib.import_module(f"{package.name}._support.text")
        source = random.Random(seed)
        for number in range(count):
            name, octets = source.choice(seeds)
            codec = package.codecs.CODECS[name]
            for _ in range(source.randrange(4)):
                octets = mutated(octets, source)
            outcomes = []
            for parser in ("json", "msgspec"):
                text.use(parser)
                try:
                    value = codec.from_json(octets)
                    outcomes.append(("accepted", repr(value), codec.to_json(value)))
                except package.module.DecodeError as error:
                    outcomes.append(("refused", *error.errors))
                except Exception as error:
                    outcomes.append((parser, type(error).__name__, str(error)))
            accepted += outcomes[0][0] == "accepted"
            if outcomes[0] != outcomes[1] or outcomes[0][0] not in ("accepted", "refused"):
                findings.add(octets)
                print(octets, *outcomes, sep="\n  ", flush=True)
                FOUND.mkdir(exist_ok=True)
                (FOUND / f"{hashlib.sha256(octets).hexdigest()[:12]}.json").write_bytes(octets)
            if number % 100_000 == 99_999:
                print(f"{number + 1} texts, {accepted} accepted, {len(findings)} findings", flush=True)
    print(f"{count} texts, {accepted} accepted, {count - accepted} refused, {len(findings)} findings")
    return len(findings)


if __name__ == "__main__":
    sys.exit(min(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1), 1))
