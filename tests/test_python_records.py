"""Records are dataclasses and nothing else: what Python does with dataclasses works on them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import typing
from typing import Any

import pytest

from tests.python_package import Package

CONTRACT: dict[str, Any] = {
    "$ref": "#/$defs/Message",
    "$defs": {
        "Message": {
            "title": "A message",
            "description": "What one side says to the other.",
            "type": "object",
            "properties": {
                "type": {"const": "message"},
                "messageId": {"type": "string", "description": "Id of the message."},
                "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}},
                "note": {"type": ["string", "null"]},
                "count": {"type": "integer", "default": 3},
            },
            "required": ["type", "messageId", "parts"],
            "additionalProperties": False,
        },
        "Part": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    },
}

MESSAGE = {"type": "message", "messageId": "m", "parts": [{"text": "t", "more": [1]}]}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(CONTRACT, tmp_path_factory.mktemp("records"))


@pytest.fixture
def message(made: Package) -> Any:
    return made.models.Message.from_dict(MESSAGE)


def test_fields_with_their_defaults(made: Package) -> None:
    fields = {field.name: field.default for field in dataclasses.fields(made.models.Message)}
    missing, absent = dataclasses.MISSING, made.module.ABSENT
    assert fields == {
        "type": "message",
        "message_id": missing,
        "parts": missing,
        "note": absent,
        "count": None,
        "extra": None,
    }
    assert list(fields) == ["type", "message_id", "parts", "note", "count", "extra"]
    assert all(field.kw_only for field in dataclasses.fields(made.models.Message))


def test_made_by_keyword_alone(made: Package) -> None:
    assert made.models.Message(message_id="m", parts=[]).type == "message"
    for wrong in ((("m",), {}), ((), {"message_id": "m"}), ((), {"messageId": "m", "parts": []})):
        with pytest.raises(TypeError):
            made.models.Message(*wrong[0], **wrong[1])


def test_decoded_and_made_are_equal(made: Package, message: Any) -> None:
    part = made.models.Part(text="t", extra={"more": [1]})
    assert message == made.models.Message(message_id="m", parts=[part])
    assert message != made.models.Message(message_id="m", parts=[made.models.Part(text="t")])
    assert repr(message) == (
        "Message(type='message', message_id='m', parts=[Part(text='t', extra={'more': [1]})],"
        " note=ABSENT, count=None, extra=None)"
    )


def test_slots(message: Any) -> None:
    assert not hasattr(message, "__dict__")
    with pytest.raises(AttributeError):
        message.other = 1
    message.count = 5
    assert message.to_dict()["count"] == 5


def test_replace_and_asdict(message: Any) -> None:
    changed = dataclasses.replace(message, note=None)
    assert changed.note is None and message.note is not None
    assert dataclasses.asdict(changed) == {
        "type": "message",
        "message_id": "m",
        "parts": [{"text": "t", "extra": {"more": [1]}}],
        "note": None,
        "count": None,
        "extra": None,
    }


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(message: Any, protocol: int) -> None:
    loaded = pickle.loads(pickle.dumps(message, protocol))
    assert loaded == message and loaded is not message
    assert loaded.note is message.note, "ABSENT is still the one"


def test_copy(message: Any) -> None:
    shallow, deep = copy.copy(message), copy.deepcopy(message)
    assert shallow == deep == message
    assert shallow.parts is message.parts and deep.parts is not message.parts
    assert deep.note is message.note


def test_match(made: Package, message: Any) -> None:
    match message:
        case made.models.Part():
            raise AssertionError
        case made.models.Message(message_id=found, parts=[made.models.Part(text=text)]):
            assert (found, text) == ("m", "t")
        case _:
            raise AssertionError


def test_subclasses_read_themselves(made: Package) -> None:
    @dataclasses.dataclass(kw_only=True)
    class Mine(made.models.Message):  # type: ignore[name-defined, misc]
        seen: bool = False

        @property
        def words(self) -> str:
            return " ".join(part.text for part in self.parts)

    mine = Mine.from_dict(MESSAGE)
    assert type(mine) is Mine and mine.words == "t" and mine.seen is False
    assert type(Mine.from_json(mine.to_json())) is Mine
    assert mine.to_dict() == MESSAGE
    assert type(made.models.Message.from_dict(MESSAGE)) is made.models.Message


def test_unions_are_types_at_run_time(tmp_path: Any) -> None:
    package = Package(
        {
            "$defs": {
                "Event": {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
                "A": {"type": "object", "properties": {"t": {"const": "a"}}, "required": ["t"]},
                "B": {
                    "type": "object",
                    "properties": {"t": {"const": "b"}, "of": {"$ref": "#/$defs/Event"}},
                    "required": ["t"],
                },
            }
        },
        tmp_path,
    )
    models = package.models
    assert isinstance(models.A(), models.Event) and not isinstance("a", models.Event)
    assert typing.get_type_hints(models.B, localns={"typed": package.typed})["of"] == models.Event | None


def test_typed_dicts_know_their_keys(made: Package) -> None:
    assert made.typed.Message.__required_keys__ == {"type", "messageId", "parts"}
    assert made.typed.Message.__optional_keys__ == {"note", "count"}


def test_models_are_to_be_read(made: Package) -> None:
    text = made.text("models.py")
    assert '''
@dataclass(slots=True, kw_only=True)
class Message(Record["typed.Message"]):
    """What one side says to the other.

    Closed: the contract refuses other members.
    """

    type: Literal["message"] = "message"

    message_id: str
    """Id of the message."""

    parts: Sequence[Part]

    note: str | None | Absent = ABSENT

    count: int | None = None
    """Default, where it is absent: 3."""
''' in text
    assert "messageId" not in text, "names on the wire stay in the codec"
