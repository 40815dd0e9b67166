"""Deliveries to webhooks → typed values, or a refusal: judged beside the reference library of Standard Webhooks."""

from __future__ import annotations

import base64
import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
import standardwebhooks

import codegen
from tests.python_package import Package

SECRET = "whsec_" + base64.b64encode(b"a key of some 24 bytes..").decode()
OTHER = "whsec_" + base64.b64encode(b"another key of 24 bytes.").decode()
CONTRACT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Bell", "version": "1"},
    "webhooks": {
        "ring": {
            "post": {
                "operationId": "onRing",
                "summary": "It rings",
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ring"}}},
                },
                "responses": {"204": {"description": "Heard."}},
                "x-wirebound-signature": {"scheme": "standard-webhooks", "tolerance": 60},
            }
        },
        "many": {
            "post": {
                "operationId": "onMany",
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Ring"}}
                        }
                    },
                },
                "responses": {"204": {"description": "Heard."}},
                "x-wirebound-signature": {"scheme": "standard-webhooks", "tolerance": 1},
            }
        },
        "nudge": {
            "post": {
                "operationId": "verify",
                "responses": {"204": {"description": "Heard."}},
                "x-wirebound-signature": {"scheme": "standard-webhooks", "tolerance": 300},
            }
        },
        "unsigned": {"post": {"operationId": "onWhisper", "responses": {"204": {"description": "Heard."}}}},
    },
    "components": {
        "schemas": {"Ring": {"type": "object", "properties": {"times": {"type": "integer"}}, "required": ["times"]}}
    },
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("webhooks"), parts=["models", "client"])


BODY = json.dumps({"times": 3, "to": "Zoë"}, ensure_ascii=False).encode()


def signed(body: bytes = BODY, *secrets: str, at: float | None = None, id: str = "msg_1") -> dict[str, str]:
    """The headers that the reference library makes."""
    at = time.time() if at is None else at
    moment = datetime.fromtimestamp(int(at), UTC)
    signatures = [standardwebhooks.Webhook(secret).sign(id, moment, body.decode()) for secret in secrets or [SECRET]]
    return {"webhook-id": id, "webhook-timestamp": str(int(at)), "webhook-signature": " ".join(signatures)}


def test_a_delivery(made: Package) -> None:
    value = made.webhooks.on_ring(BODY, signed(), SECRET)
    assert value == made.models.Ring(times=3, extra={"to": "Zoë"})
    assert made.webhooks.on_many(b"[" + BODY + b"]", signed(b"[" + BODY + b"]"), SECRET) == [value]
    assert made.webhooks.verify_(b"", signed(b""), SECRET) is None
    assert not hasattr(made.webhooks, "on_whisper")


def test_secrets(made: Package) -> None:
    ring = made.webhooks.on_ring
    bare = SECRET.removeprefix("whsec_")
    for secrets in (bare, bare.rstrip("="), base64.b64decode(bare), [OTHER, SECRET], (SECRET, OTHER)):
        assert ring(BODY, signed(), secrets).times == 3
    with pytest.raises(made.webhooks.SignatureError, match="no signature fits"):
        ring(BODY, signed(), OTHER)
    for nothing in ("", b"", [], "whsec_", ["", SECRET]):
        with pytest.raises(ValueError, match="secret"):
            ring(BODY, signed(), nothing)
    with pytest.raises(ValueError, match="no base64") as raised:
        ring(BODY, signed(), "whsec_not!base64")
    assert "not!" not in str(raised.value) and raised.value.__cause__ is None


def test_rotation(made: Package) -> None:
    """While a secret is being rotated deliveries bear a signature for each, and receivers know one or both."""
    both = signed(BODY, OTHER, SECRET)
    for secrets in (SECRET, OTHER, [SECRET, OTHER]):
        assert made.webhooks.on_ring(BODY, both, secrets).times == 3
    more = {**both, "webhook-signature": f"v2,AAAA v1a,BBBB junk v1, {both['webhook-signature']}"}
    assert made.webhooks.on_ring(BODY, more, SECRET).times == 3


@pytest.mark.parametrize("off", [-61, -3600, 61, 3600])
def test_time(made: Package, off: int) -> None:
    with pytest.raises(made.webhooks.SignatureError, match="more than 60 s off"):
        made.webhooks.on_ring(BODY, signed(at=time.time() + off), SECRET)
    headers = signed(at=1_000_000)
    assert made.webhooks.on_ring(BODY, headers, SECRET, now=1_000_060).times == 3
    with pytest.raises(made.webhooks.SignatureError):
        made.webhooks.on_ring(BODY, headers, SECRET, now=1_000_061)


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_headers_that_lack(made: Package, name: str) -> None:
    headers = signed()
    assert made.webhooks.on_ring(BODY, {key.title(): value for key, value in headers.items()}, SECRET).times == 3
    for broken in ({**headers, name: ""}, {key: value for key, value in headers.items() if key != name}):
        with pytest.raises(made.webhooks.SignatureError, match=f"there is no {name}"):
            made.webhooks.on_ring(BODY, broken, SECRET)


@pytest.mark.parametrize("at", ["1e9", "-5", "١٢٣", " 1", "9" * 5000, "nan"])
def test_a_timestamp_that_is_none(made: Package, at: str) -> None:
    with pytest.raises(made.webhooks.SignatureError, match="no whole number"):
        made.webhooks.on_ring(BODY, {**signed(), "webhook-timestamp": at}, SECRET)


def test_what_was_changed_is_refused_before_it_is_read(made: Package) -> None:
    headers = signed()
    for body, changed in (
        (BODY + b" ", {}),
        (b"not even json", {}),
        (b"\xff", {}),
        (BODY, {"webhook-id": "msg_2"}),
        (BODY, {"webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1)}),
        (BODY, {"webhook-signature": headers["webhook-signature"][:-2] + "A="}),
        (BODY, {"webhook-signature": "v1,é"}),
        (BODY, {"webhook-signature": headers["webhook-signature"].replace("v1,", "v2,")}),
    ):
        with pytest.raises(made.webhooks.SignatureError):
            made.webhooks.on_ring(body, {**headers, **changed}, SECRET)


def test_what_is_signed_and_not_in_the_contract_is_refused_when_it_is_read(made: Package) -> None:
    for body in (b"{}", b"[]", b"nonsense"):
        with pytest.raises(made.module.DecodeError):
            made.webhooks.on_ring(body, signed(body), SECRET)


def test_no_other_package_is_needed(made: Package) -> None:
    assert not any(path.endswith(("client.py", "calls.py", "streams.py")) for path in made.files)


def test_a_delivery_that_cannot_be_read_is_refused_when_it_is_generated() -> None:
    contract = json.loads(json.dumps(CONTRACT).replace("application/json", "application/xml"))
    with pytest.raises(codegen.WireboundError, match="no form of the delivery can be read: application/xml"):
        codegen.build(contract, options={"parts": ["models", "client"]})


def test_typed_deliveries_of_a_contract_of_this_repository(tmp_path: Any) -> None:
    from tests.test_fold import FOLDER

    made = Package(
        FOLDER / "openapi.yaml",
        tmp_path,
        parts=["models", "client"],
        unknown="keep",
        open_world=True,
        overlay=str(FOLDER / "overlay.yaml"),
    )
    document = {"type": "batch.succeeded", "version": "v1", "timestamp": "2026-01-01T00:00:00Z", "data": {"id": "b"}}
    body = json.dumps(document).encode()
    delivery = made.webhooks.receive_delivery(body, signed(body), [OTHER, SECRET])
    assert type(delivery).__name__ == "BatchSucceededDelivery" and delivery.data.id == "b"
    new = json.dumps({**document, "type": "batch.paused"}).encode()
    assert made.webhooks.receive_delivery(new, signed(new), SECRET).tag == "batch.paused"
    with pytest.raises(made.webhooks.SignatureError, match="300 s off"):
        made.webhooks.receive_delivery(body, signed(body, at=time.time() - 301), SECRET)
