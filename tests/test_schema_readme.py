"""``schema/README.md``: its example is a contract that does what the text says, and it names every statement and contract."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from codegen import manifest
from codegen.document import load
from codegen.resolve import resolve
from codegen.resolve.behaviour import PLACES
from codegen.resolve.streams import ACTIONS
from tests.python_package import Package

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "schema/README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (example,) = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.S | re.M)
    path = tmp_path_factory.mktemp("kitchen") / "openapi.yaml"
    path.write_text(example, encoding="utf-8")
    return path


def test_every_statement_action_and_contract_is_told() -> None:
    headings = re.findall(r"^### `x-wirebound-(\w+)", TEXT, re.M)
    assert set(headings) == PLACES.keys()
    assert set(re.findall(r"^\| `(\w+)` \| (?:the|if|\(no)", TEXT, re.M)) >= set(ACTIONS)
    contracts = manifest.load(ROOT / "pyproject.toml").contracts
    assert [entry.name for entry in contracts] == re.findall(r"^\| \[`([\w-]+)`\]\(\1/\)", TEXT, re.M)


def test_the_example_states_what_the_model_says(contract: Path) -> None:
    model = resolve(load(contract))
    page, follow = model.operations
    assert page.page and (page.page.items, page.page.token) == ("/orders", "after")
    assert follow.streaming and follow.streaming.resume and follow.streaming.ask is None
    event = next(d for d in model.definitions if d.name.spelled == "Event")
    assert event.stream and event.fold and event.stream.terminal == ("served",)


def test_the_example_does_what_the_text_says(contract: Path, tmp_path: Path) -> None:
    parts = ["models", "client"]
    package = Package(contract, tmp_path, parts=parts, unknown="keep", open_world=True)
    models = package.models
    order = models.Order.from_dict({"id": "1", "pickup_code": "4711"})
    assert repr(order) == "Order(id='1', pickup_code=***, dishes=None, extra=None)"
    shell = {"type": "begun", "dish": 0, "plate": {"name": "soup"}}
    assert models.Begun.from_dict(shell).plate == models.DishPartial(name="soup")
    assert type(models.Begun.from_dict({**shell, "plate": {"name": "a", "notes": []}}).plate) is models.Dish
    with pytest.raises(package.module.DecodeError):
        models.Begun.from_dict(shell, unknown="reject")

    def noted(by: str, text: str) -> dict[str, object]:
        return {"type": "noted", "dish": 0, "note": {"by": by, "text": text}}

    served = {"type": "served", "order": {"id": "1", "dishes": []}}
    total = package.fold.Event.of([shell, noted("a", "no "), noted("a", "salt"), noted("b", "ok"), served])
    notes = [{"by": "a", "text": "no salt"}, {"by": "b", "text": "ok"}]
    assert total.to_dict() == {"id": "1", "dishes": [{"name": "soup", "notes": notes}]}
