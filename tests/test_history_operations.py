"""What became of operations and their parameters, version by version, and where it is told."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from site_build import project

from codegen import cli, docs_pipeline
from codegen.editions import Shelf
from codegen.history import History, Past

TEXT: Any = {"type": "string"}
ORDER: Any = {"type": "object", "properties": {"id": TEXT, "limit": TEXT}}
DONE: Any = {"200": {"description": "Done.", "content": {"application/json": {"schema": TEXT}}}}


def parameter(name: str, place: str = "query", **more: Any) -> Any:
    return {"name": name, "in": place, "schema": TEXT, **({"required": True} if place == "path" else {}), **more}


def operation(name: str, *parameters: Any, **more: Any) -> Any:
    return {"operationId": name, "parameters": list(parameters), "responses": DONE, **more}


def contract(**paths: Any) -> Any:
    """Paths as {path without its slash, "id" for "{id}": {method: operation}}."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://shop.example"}],
        "paths": {"/" + path.replace("_", "/").replace("id", "{id}"): item for path, item in paths.items()},
        "components": {"schemas": {"getOrder": ORDER}},
    }


LIST = operation("listOrders", parameter("limit"), parameter("X-Trace", "header"))
GET = operation("getOrder", parameter("id", "path"))
FIRST = contract(orders={"get": LIST}, orders_id={"get": GET})
SECOND = contract(
    orders={
        "get": operation(
            "listOrders",
            parameter("limit", schema={"type": "string", "maxLength": 3}),
            parameter("X-Trace", "header", description="What to look for."),
            parameter("after"),
        ),
        "post": operation("makeOrder", parameter("key", "header", deprecated=True)),
    },
    orders_id={"get": operation("getOrder", parameter("id", "path"), description="One of them.")},
)
THIRD = copy.deepcopy(SECOND)
THIRD["paths"]["/orders"]["get"]["parameters"][1]["deprecated"] = True
THIRD["paths"]["/orders"]["get"]["parameters"][2]["required"] = True
THIRD["paths"]["/orders"]["post"] |= {"deprecated": True}
THIRD["paths"]["/orders"]["post"]["responses"] = {"201": DONE["200"]}
THIRD["paths"]["/orders/{order}"] = {"get": operation("getOrder", parameter("order", "path"))}
del THIRD["paths"]["/orders/{id}"]
VERSIONS = {"1.0": FIRST, "1.1": SECOND, "2.0": THIRD}


def shelf(versions: dict[str, Any]) -> Shelf:
    made = Shelf()
    for version, value in versions.items():
        made.add(value, contract="shop", version=version, command="wirebound generate", rule="folder")
    return made


def told(shelf: Shelf, version: str) -> dict[str, Past]:
    """Every operation and parameter with a past, by name."""
    edition = shelf.editions[version]
    names = {operation.key: operation.name.spelled for operation in edition.model.operations}
    history: History = edition.history
    return {
        **{names[key]: past for key, past in history.operations.items()},
        **{f"{names[key]} {place} {name}": past for (key, place, name), past in history.parameters.items()},
    }


def test_since_changed_and_deprecated_per_operation_and_parameter() -> None:
    made = shelf(VERSIONS)
    assert told(made, "1.0") == {}
    assert told(made, "1.1") == {
        "listOrders": Past(changed=("1.1",)),
        "listOrders query limit": Past(changed=("1.1",)),
        "listOrders query after": Past(since="1.1"),
        "makeOrder": Past(since="1.1"),
    }
    assert told(made, "2.0") == {
        "listOrders": Past(changed=("1.1", "2.0")),
        "listOrders query limit": Past(changed=("1.1",)),
        "listOrders query after": Past(since="1.1", changed=("2.0",)),
        "listOrders header X-Trace": Past(deprecated="2.0"),
        "makeOrder": Past(since="1.1", changed=("2.0",), deprecated="2.0"),
    }


def test_a_definition_of_the_same_name_is_another_thing() -> None:
    """``getOrder`` is an operation and a definition."""
    other = copy.deepcopy(FIRST)
    other["paths"]["/orders/{id}"]["get"]["parameters"].append(parameter("limit"))
    edition = shelf({"1": FIRST, "2": other}).editions["2"]
    assert not edition.history.definitions and not edition.history.fields
    (note,) = edition.history.releases[-1].notes
    assert (note.kind, note.definition, note.field) == ("parameter-added", "getOrder", "")
    defined = copy.deepcopy(FIRST)
    defined["components"]["schemas"]["getOrder"]["properties"]["limit"] = {"type": "integer"}
    edition = shelf({"1": FIRST, "2": defined}).editions["2"]
    assert not edition.history.operations and not edition.history.parameters
    assert set(edition.history.definitions.values()) == {Past(changed=("2",))}


def test_what_operations_share_changes_for_each_of_them() -> None:
    def shared(kind: str) -> Any:
        value = contract(orders={"get": operation("listOrders"), "post": operation("makeOrder")})
        for one in value["paths"]["/orders"].values():
            one["parameters"] = [{"$ref": "#/components/parameters/Limit"}]
        value["components"]["parameters"] = {"Limit": parameter("limit", schema={"type": kind})}
        return value

    changed = Past(changed=("2",))
    assert told(shelf({"1": shared("string"), "2": shared("integer")}), "2") == {
        "listOrders": changed,
        "listOrders query limit": changed,
        "makeOrder": changed,
        "makeOrder query limit": changed,
    }


def test_an_operation_under_another_name_keeps_its_past() -> None:
    third = copy.deepcopy(SECOND)
    third["paths"]["/orders"]["post"]["operationId"] = "createOrder"
    assert told(shelf({"1.0": FIRST, "1.1": SECOND, "1.2": third}), "1.2")["createOrder"] == Past(since="1.1")


# --- where it is told -------------------------------------------------------------------------------------------------

JOBS = """\
[[jobs]]
contract = "shop"
target = "python"
parts = ["models", "client"]

[[jobs]]
contract = "shop"
target = "markdown"

"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with three versions, generated."""
    project(tmp_path, {"shop": VERSIONS}, JOBS)
    monkeypatch.chdir(tmp_path)
    assert cli.run(["generate"]) == 0
    return tmp_path


def test_docstrings_of_methods_say_it(shop: Path) -> None:
    def method(version: str, name: str) -> str:
        text = (shop / "generated/shop" / version / "python/shop_bindings/client.py").read_text()
        return text[text.index(f"    def {name}(") :].split("return ")[0]

    listed = method("2.0", "list_orders")
    assert "``limit``: Changed in 1.1.\n" in listed
    assert "``x_trace``: Deprecated since 2.0. What to look for.\n" in listed
    assert "``after``: New in 1.1. Changed in 2.0.\n" in listed
    assert "        Changed in 1.1 and 2.0.\n\n        ``GET /orders``" in listed
    made = method("2.0", "make_order")
    assert '"""Deprecated since 2.0.\n' in made and "New in 1.1. Changed in 2.0.\n" in made
    assert "``key``: Deprecated.\n" in made, "it always was"
    first = (shop / "generated/shop/1.0/python/shop_bindings/client.py").read_text()
    assert "New in" not in first and "Changed in" not in first and "since" not in first


def test_the_reference_says_it(shop: Path) -> None:
    page = (shop / "generated/shop/2.0/markdown/en.md").read_text()
    assert "*deprecated since 2.0, since 1.1, changed in 2.0*" in page
    assert "required, since 1.1, changed in 2.0." in page
    assert "optional, deprecated since 2.0. What to look for." in page
    first = (shop / "generated/shop/1.0/markdown/en.md").read_text()
    assert "since" not in first and "changed in" not in first


def test_the_changelog_of_a_package_says_it(shop: Path) -> None:
    text = (shop / "generated/shop/2.0/python/CHANGELOG.md").read_text()
    assert "- `makeOrder`: new operation: `POST /orders`\n" in text
    assert "- `listOrders.query after`: new parameter" in text
    assert "- `listOrders.query after`: parameter became required" in text
    assert "- `listOrders.header X-Trace`: deprecation changed" in text


def test_the_site_says_it_and_leads_to_the_parameter(shop: Path) -> None:
    site = docs_pipeline.site(shop / "wirebound.toml", search=False)
    pages = {path: content.decode() for path, content in site.items() if path.endswith(".html")}
    newest = "".join(text for path, text in pages.items() if "/2.0/" in path or "2.0" in path)
    head = newest[newest.index(">makeOrder<") :]
    head = head[: head.index('<p class="address"')]
    assert '<span class="flag">deprecated since 2.0</span>' in head
    assert '<span class="badge">since 1.1</span>\n<span class="badge">changed in 2.0</span>' in head
    changes = next(text for path, text in pages.items() if "changes" in path and "2.0" in path)
    assert 'listorders.after"' in changes.lower(), "a changed parameter is a link to it"
