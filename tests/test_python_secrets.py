"""Members that a contract marks with ``x-wirebound-secret``: nobody sees their values where values are shown."""

from __future__ import annotations

import copy
import json
import pickle
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.python_package import Package

CONTRACT = Path(__file__).parent / "cases/secret-members/contract.json"
WHOLE: dict[str, Any] = {
    "name": "n",
    "password": "hunter22",
    "pin": 4711,
    "headers": {"authorization": "hunter22"},
    "key": {"kind": "rsa", "bits": 4711},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("secrets"))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("open"), open_world=True)


def test_repr_says_that_a_secret_is_there_and_no_more(made: Package) -> None:
    value = made.models.Account.from_dict(WHOLE)
    assert repr(value) == (
        "Account(name='n', password=***, pin=***, headers=***, key=***, created=None, token=None, extra=None)"
    )
    longer = replace(value, password="a much longer one")
    assert repr(longer) == repr(value) == f"{[value]}"[1:-1]
    bare = made.models.Account(name="n", password="")
    assert repr(bare) == (
        "Account(name='n', password=***, pin=ABSENT, headers=None, key=None, created=None, token=None, extra=None)"
    )


def test_everything_else_sees_it(made: Package) -> None:
    value = made.models.Account.from_dict(WHOLE)
    assert (value.password, value.pin, value.key.bits) == ("hunter22", 4711, 4711)
    assert value.to_dict() == WHOLE
    assert json.loads(value.to_json()) == WHOLE
    assert value == copy.deepcopy(value) == pickle.loads(pickle.dumps(value))
    assert value != replace(value, password="hunter23")
    assert repr(value.key) == "Key(kind='rsa', bits=4711, extra=None)"  # only the place is marked


def test_repr_of_what_contains_itself_ends(made: Package) -> None:
    value = made.models.Account.from_dict(WHOLE)
    value.extra = {"self": value}
    assert repr(value).endswith("extra={'self': ...})")


def test_repr_of_a_subclass_hides_it_too(made: Package) -> None:
    @dataclass(slots=True, kw_only=True)
    class Mine(made.models.Account):  # type: ignore[name-defined,misc]
        more: int = 0

    class Plain(made.models.Account):  # type: ignore[name-defined,misc]
        pass

    for class_ in (Mine, Plain):
        assert "hunter22" not in repr(class_.from_dict(WHOLE))


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"password": "sesame"}, "/password too-short ***"),
        ({"password": 4711}, "/password wrong-type ***"),
        ({"pin": "4711"}, "/pin wrong-type ***"),
        ({"headers": {"authorization": 4711}}, "/headers/authorization wrong-type ***"),
        ({"headers": {"a": "b", "c": "d", "e": "f"}}, "/headers too-many-members ***"),
        ({"key": {"kind": "4711"}}, "/key/kind unknown-value ***"),
        ({"key": {"kind": "rsa", "sesame": 1}}, "/key/sesame unknown-member ***"),
        ({"key": ["sesame"]}, "/key wrong-type ***"),
        ({"key": {}}, "/key/kind missing-member nothing"),
        ({"name": 1}, "/name wrong-type 1"),
    ],
)
def test_faults_do_not_tell_it(made: Package, members: dict[str, Any], fault: str) -> None:
    lenient = () if "unknown-member" in fault else ("strip", "keep")
    for unknown in ("reject", *lenient):
        with pytest.raises(made.module.DecodeError) as caught:
            made.codecs.Account.from_dict({**WHOLE, **members}, unknown=unknown, errors="all")
        assert [f"{one.pointer} {one.code} {one.found}" for one in caught.value.errors] == [fault]
        assert not re.search("(?<!/)sesame|4711", str(caught.value))


def test_findings_do_not_tell_it(world: Package) -> None:
    findings: list[Any] = []
    document = {**WHOLE, "key": {"kind": "4711", "sesame": 4711}}
    world.codecs.Account.from_dict(document, unknown="strip", findings=findings)
    assert [(found.pointer, found.found) for found in findings] == [("/key/kind", "***"), ("/key/sesame", "***")]


def test_a_value_that_cannot_be_written_is_not_told(made: Package) -> None:
    value = made.models.Account(name="n", password="sesame")
    with pytest.raises(made.module.EncodeError) as caught:
        value.to_dict(check=True)
    assert "***" in str(caught.value) and "sesame" not in str(caught.value)


def test_checks_of_what_holds_it_do_not_tell_it(tmp_path: Path) -> None:
    contract = {
        "type": "object",
        "properties": {"token": {"type": "string", "x-wirebound-secret": True}, "mode": {"type": "string"}},
        "if": {"properties": {"mode": {"const": "test"}}, "required": ["mode"]},
        "then": {"properties": {"token": {"pattern": "^test"}}},
    }
    package = Package(contract, tmp_path)
    with pytest.raises(package.module.DecodeError) as caught:
        package.codecs.Root.from_dict({"mode": "test", "token": "sesame"})
    assert [(fault.pointer, fault.found) for fault in caught.value.errors] == [("/token", "***")]


def test_members_called_like_what_hides_them(tmp_path: Path) -> None:
    secret = {"type": "string", "x-wirebound-secret": True}
    contract = {"type": "object", "properties": {"field": secret, "dataclass": secret, "repr": secret}}
    package = Package(contract, tmp_path)
    value = package.codecs.Root.from_dict({"field": "sesame", "dataclass": "sesame", "repr": "sesame"})
    assert repr(value) == "Root(field=***, dataclass=***, repr=***, extra=None)"


def test_structs_hide_it_as_well(tmp_path: Path) -> None:
    package = Package(CONTRACT, tmp_path, parts=["models", "msgspec"])
    value = package.msgspec_codecs.Account.from_dict(WHOLE)
    assert repr(value) == (
        "Account(name='n', password=***, pin=***, headers=***, key=***, created=UNSET, token=UNSET, extra=UNSET)"
    )
    assert [str(part) for _, part in value.__rich_repr__()][1:5] == ["***"] * 4
    assert value.password == "hunter22" and package.msgspec_codecs.Account.to_dict(value) == WHOLE
    assert repr(package.msgspec_models.Key(kind="rsa")) == "Key(kind='rsa', bits=UNSET)"
