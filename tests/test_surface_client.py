"""What programs can name of part ``client``, and what of it breaks between two contracts, or versions of the generator."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import client_contract
import pytest
from test_surface import surface, wheel

from codegen import cli
from codegen.editions import Shelf
from codegen.evolve.surface import broken
from codegen.render import render
from codegen.targets.python import TARGET
from codegen.targets.python.options import Options

PARTS: Any = ("models", "client")
CONTRACT = client_contract.CONTRACT
LIST = ("paths", "/things", "get")


def of(value: Any) -> dict[str, str]:
    return {
        name: promise
        for name, promise in surface(value, parts=PARTS).items()
        if name.partition(".")[0] in ("client", "streams", "fold", "webhooks") or " of client." in name
    }


def at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def test_methods_arguments_and_declarations_are_on_the_surface() -> None:
    found = of(CONTRACT)
    assert found["client.Client"] == "class (SyncCalls)"
    assert found["client.Client.__init__.edition"] == "takes 'one' | 'two' = 'two'"
    assert found["client.Client.list_things"] == "gives models.Page"
    assert found["client.AsyncClient.list_things"] == "awaited, gives models.Page"
    assert found["client.Client.list_things.x_trace"] == "takes Sequence[str] | None = None"
    assert found["client.Client.list_things_items"] == "gives Pager[models.Thing]"
    assert found["client.AsyncClient.feed_stream"] == "gives AsyncStream[models.News]"
    assert found["position of client.Client.put_thing.body"] == "2"
    assert found["streams.News"] == "Events[models.News]"
    assert "client.Client.list_things" not in surface(CONTRACT), "without part client there is none"


FOLDING: Any = copy.deepcopy(CONTRACT)
FOLDING["components"]["schemas"]["News"]["x-wirebound-fold"] = {
    "result": "#/components/schemas/Opened",
    "events": {"opened": [{"set": "", "from": ""}]},
}
FOLDING["webhooks"] = {
    "thingMade": {
        "post": {
            "operationId": "thingMade",
            "requestBody": {"content": client_contract.content(client_contract.ref("Thing"))},
            "responses": {"200": {"description": "Seen."}},
            "x-wirebound-signature": {"scheme": "standard-webhooks", "tolerance": 300},
        }
    }
}


@pytest.mark.parametrize("contract", [CONTRACT, FOLDING])
def test_what_the_modules_define_is_on_the_surface(contract: Any) -> None:
    """Read from the files themselves: no method and no argument that the contract gives is left out."""
    shelf = Shelf()
    edition = shelf.add(contract, contract="shop", version="1", command="wirebound generate", rule="folder")
    options = Options(parts=PARTS)
    files = render(TARGET.files(edition, options))
    found = TARGET.surface(edition, options)
    methods = 0
    for module in ("client", "streams", "fold", "webhooks"):
        text = files.get(f"shop_bindings/{module}.py")
        for node in ast.parse(text or b"").body:
            match node:
                case ast.ClassDef(name=name, body=body):
                    for one in body:
                        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name != "__init__":
                            arguments = [a.arg for a in (*one.args.args, *one.args.kwonlyargs) if a.arg != "self"]
                            assert f"{module}.{name}.{one.name}" in found
                            assert {f"{module}.{name}.{one.name}.{argument}" for argument in arguments} <= found.keys()
                            methods += 1
                case ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                    assert f"{module}.{name}" in found
                case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                    assert {f"{module}.{name}" for name in ast.literal_eval(value)} <= found.keys()
    assert methods >= 40
    assert ("fold.News" in found, "webhooks.thing_made" in found) == (contract is FOLDING,) * 2
    if contract is FOLDING:
        assert found["fold.News"] == "Fold[models.News, models.Opened]"
        assert found["webhooks.thing_made"] == "gives models.Thing"


def renamed(value: Any) -> None:
    at(value, LIST)["operationId"] = "allOfThem"


def required(value: Any) -> None:
    at(value, LIST)["parameters"][0]["required"] = True


def more(value: Any) -> None:
    at(value, LIST)["parameters"].append(client_contract.parameter("more", "query", {"type": "string"}))


def wider(value: Any) -> None:
    at(value, LIST)["parameters"][0]["schema"] = {"type": ["integer", "string"]}


def narrower(value: Any) -> None:
    at(value, LIST)["parameters"][1]["schema"] = {"type": "integer"}


def meeting(value: Any) -> None:
    at(value, LIST)["parameters"].insert(0, client_contract.parameter("Limit", "query", {"type": "integer"}))


def turned(value: Any) -> None:
    (key,) = (path for path in value["paths"] if path.startswith("/styles"))
    value["paths"]["/styles/{spread}/{matrix}/{label}/{many}"] = value["paths"].pop(key)


def answered(value: Any) -> None:
    at(value, LIST)["responses"]["201"] = {
        "description": "Made.",
        "content": client_contract.content({"type": "string"}),
    }


def gone(value: Any) -> None:
    del value["components"]["schemas"]["News"]["oneOf"][1]


METHOD = "client.Client.list_things"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (renamed, {METHOD: "is called all_of_them now"}),
        (required, {f"{METHOD}.limit": "must be given now; does not take None any more"}),
        (more, {}),
        (wider, {}),
        (narrower, {f"{METHOD}.after": "does not take str any more"}),
        (meeting, {"argument of list_things.query limit": "was limit, and is limit_query"}),
        (turned, {"position of client.Client.styles.label": "was 1, and is 3"}),
        (answered, {METHOD: "can be str too: who reads it, or matches all that it can be, must expect that"}),
        (gone, {}),
    ],
)
def test_what_breaks_and_why(change: Callable[[Any], None], expected: dict[str, str]) -> None:
    new = copy.deepcopy(CONTRACT)
    change(new)
    assert new != CONTRACT
    found = {one.name: one.reason for one in broken(surface(CONTRACT, parts=PARTS), surface(new, parts=PARTS))}
    assert {name: found.get(name) for name in expected} == expected
    if not expected:
        assert not any(name.startswith(("client.", "argument of", "method of", "position of")) for name in found)


def test_an_argument_that_is_new_and_required_must_be_given() -> None:
    new = copy.deepcopy(CONTRACT)
    at(new, LIST)["parameters"].append(client_contract.parameter("more", "query", {"type": "boolean"}, required=True))
    found = {one.name: one.reason for one in broken(surface(CONTRACT, parts=PARTS), surface(new, parts=PARTS))}
    assert found[f"{METHOD}.more"] == "must be given"


# --- wirebound diff, wirebound upgrade-check --------------------------------------------------------------------------

JOB = '\n[[jobs]]\ncontract = "shop"\ntarget = "python"\nparts = ["models", "client"]\n'


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Version 1.1 has one more parameter, which no wire breaks, and by which another one is called otherwise in Python."""
    new = copy.deepcopy(CONTRACT)
    meeting(new)
    for version, value in (("1.0", CONTRACT), ("1.1", new)):
        path = tmp_path / "schema/shop" / version / "schema.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(value))
    (tmp_path / "wirebound.toml").write_text(f'[contracts.shop]\npath = "schema/shop"\n{JOB}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_diff_sees_an_argument_under_another_name(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["diff", "schema/shop/1.0", "schema/shop/1.1"]
    assert cli.run([*arguments, "--fail-on", "source"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "write compatible · read compatible · source breaking" in told
    assert "python: argument of list_things.query limit was limit, and is limit_query" in told
    assert cli.run([*arguments, "--fail-on", "write", "--fail-on", "read"]) == 0


def test_an_upgrade_after_which_methods_and_arguments_are_others(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = wheel(
        shop / "old.whl",
        client_calls=('{planned.method}_items"', '{planned.method}_all"'),
        client_operations=("safe(naming.snake(parameter.name)", 'safe("p_" + naming.snake(parameter.name)'),
    )
    assert cli.run(["upgrade-check", str(old)]) == 1
    told = capsys.readouterr().out
    assert "removed client.Client.list_things_all: is called list_things_items now\n" in told
    assert "removed client.AsyncClient.list_things_all: is called list_things_items now\n" in told
    assert "removed client.Client.get_thing.p_id: is called id now\n" in told
    assert "changed argument of get_thing.path id: was p_id, and is id\n" in told
    assert cli.run(["upgrade-check", str(wheel(shop / "same.whl"))]) == 0
