"""An installed package and what is known of it → whether it is what it says. Runs by itself, where nothing else is installed.

Must not import anything but the standard library: it is given to interpreters that have nothing of this tool. Its one argument
is a JSON file (``proving``); it prints what is wrong, one line each, and then exits with 1.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.resources
import json
import pkgutil
import re
import sys
from hashlib import sha256
from typing import Any


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are one: True is not 1, and 1.0 is."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def faults(expected: dict[str, Any]) -> list[str]:
    """What is not as expected."""
    found: list[str] = []

    def wanted(what: str, is_: object, should: object) -> None:
        if is_ != should:
            found.append(f"{what} is {is_!r}, not {should!r}")

    about = importlib.metadata.distribution(expected["distribution"])
    wanted("the version", about.version, expected["version"])
    needs = about.requires or []
    wanted("what has to be installed with it", [line for line in needs if "extra ==" not in line], [])
    extras = {re.split(r"[^A-Za-z0-9._-]", line)[0].lower().replace("-", "_") for line in needs if "extra ==" in line}
    before = set(sys.modules)
    package = importlib.import_module(expected["package"])
    codecs = importlib.import_module(f"{expected['package']}.codecs")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in extras:
                found.append(f"{module.name} cannot be imported: {error}")
    roots = {name.partition(".")[0] for name in set(sys.modules) - before}
    strangers = sorted(root for root in roots - {package.__name__} if root not in sys.stdlib_module_names)
    wanted("what it imports from elsewhere", strangers, [])
    wanted("PROTOCOL_VERSION", package.PROTOCOL_VERSION, expected["protocol_version"])
    wanted("CONTRACT_DIGEST", package.CONTRACT_DIGEST, expected["digest"])
    files = importlib.resources.files(package) / "contract"
    for path, digest in expected["files"].items():
        wanted(f"the digest of contract/{path}", sha256(files.joinpath(path).read_bytes()).hexdigest(), digest)
    for case in expected["documents"]:
        codec, text, name = codecs.CODECS[case["definition"]], case["text"], case["name"]
        try:
            document = json.loads(text)
            trips = (codec.to_dict(codec.from_dict(document)), json.loads(codec.to_json(codec.from_json(text))))
        except ValueError as error:
            found.append(f"{name} is refused: {error}")
        else:
            found += [f"{name} does not come back as it was" for trip in trips if not same(trip, document)][:1]
    return found


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = faults(json.load(file))
    print("\n".join(lines))
    sys.exit(1 if lines else 0)
