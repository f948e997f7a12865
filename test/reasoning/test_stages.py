"""Stages, replies, scripts, replays and names of models."""

import json
from pathlib import Path

import pytest

from avr_ros.reasoning.backends.replay import CALLS_NAME, ReplayBackend, ReplayError
from avr_ros.reasoning.backends.scripted import ScriptedBackend
from avr_ros.reasoning.call import CallOutcome, ModelCallError
from avr_ros.reasoning.model_name import ModelName, ModelNameError, parse_model
from avr_ros.reasoning.reply_text import ReplyTextError, read_reply
from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.schema.model import Record
from avr_ros.schema.step import Step, StepKind


class Inputs(Record):
    """What is told."""

    question: str = "Who sits?"


class Look(Record):
    """Where to look."""

    frame_id: int
    who: str = ""


def request(
    scope: str = "q", question: str = "Who sits?", images: tuple[StageImage, ...] = ()
) -> StageRequest[Look]:
    return StageRequest("look", Inputs(question=question), Look, images, scope)


def test_legal_values_are_an_enumeration() -> None:
    narrow = limited(Look, frame_id=[3, 5], who=["person 1"])
    assert narrow.model_json_schema()["properties"]["frame_id"]["enum"] == [3, 5]
    assert narrow(frame_id=5).frame_id == 5
    assert issubclass(narrow, Look)
    for wrong in ({"frame_id": 4}, {"frame_id": 3, "who": "person 2"}, {"frame_id": 3, "x": 1}):
        with pytest.raises(ValueError, match="validation error"):
            narrow.model_validate(wrong)
    with pytest.raises(ValueError, match="no field"):
        limited(Look, when=[1])
    with pytest.raises(ValueError, match="legal"):
        limited(Look, frame_id=[])


def test_the_key_is_of_what_is_asked() -> None:
    key = request().key
    assert key == request("other question").key
    assert key != request(question="Who stands?").key
    assert key != request(images=(StageImage("a", b"1"),)).key
    assert (
        request(images=(StageImage("a", b"1"),)).key != request(images=(StageImage("a", b"2"),)).key
    )
    narrow = StageRequest("look", Inputs(), limited(Look, frame_id=[3]))
    assert narrow.key != key
    assert narrow.key == StageRequest("look", Inputs(), limited(Look, frame_id=[3])).key


@pytest.mark.parametrize(
    "text",
    [
        '{"frame_id": 3}',
        'Sure:\n```json\n{"frame_id": 3}\n```\nDone.',
        '<think>{"frame_id": 9}</think>{"frame_id": 3}',
        'First {"frame": 1}, no: {"frame_id": 3}.',
        '{"frame_id": 1} then {"frame_id": 3}',
        '{ broken {"frame_id": 3}',
    ],
)
def test_replies_are_found_in_text(text: str) -> None:
    assert read_reply(text, Look).frame_id == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("<think>hm</think> ", "empty"),
        ("no", "no JSON"),
        ("[1, 2]", "no JSON"),
        ('{"frame_id": "x"}', "frame_id: "),
        ("{" * 5000, "no JSON"),
    ],
)
def test_what_is_no_reply_is_said(text: str, words: str) -> None:
    with pytest.raises(ReplyTextError, match=words):
        read_reply(text, Look)


def test_a_script_is_said_in_order_and_ends() -> None:
    backend = ScriptedBackend({"look": ['{"frame_id": 1}', "hm"]})
    assert backend.ask(request()).value.frame_id == 1
    with pytest.raises(ModelCallError) as bad:
        backend.ask(request())
    assert bad.value.record.outcome is CallOutcome.INVALID_REPLY
    with pytest.raises(ModelCallError, match="at its end"):
        backend.ask(request())
    by_inputs = ScriptedBackend(
        {"look": lambda asked: f'{{"frame_id": {len(asked.inputs.question)}}}'}
    )
    assert by_inputs.ask(request(question="four")).value.frame_id == 4


def record_run(folder: Path) -> None:
    """A run folder with three calls of two questions, one of which failed."""
    backend = ScriptedBackend({"look": ['{"frame_id": 1}', '{"frame_id": 2}', "hm"]})
    lines = []
    for number, scope in enumerate(("q1", "q1", "q2"), start=1):
        try:
            record = backend.ask(request(scope)).record
        except ModelCallError as error:
            record = error.record
        step = Step(
            episode_id=f"{scope}#1",
            number=number,
            kind=StepKind.MODEL_CALL,
            summary="",
            details=record.model_dump(mode="json", exclude={"seconds"}),
            seconds=0.5,
        )
        lines.append(step.model_dump_json())
    (folder / CALLS_NAME).write_text("\n".join(lines) + "\n")


def test_a_recorded_run_is_said_again(tmp_path: Path) -> None:
    record_run(tmp_path)
    backend = ReplayBackend(tmp_path)
    assert [backend.ask(request("q1")).value.frame_id for _ in range(2)] == [1, 2]
    with pytest.raises(ModelCallError) as failed:
        backend.ask(request("q2"))
    assert failed.value.record.outcome is CallOutcome.INVALID_REPLY
    for scope, question in (("q1", "Who sits?"), ("q3", "Who sits?"), ("q1", "Who stands?")):
        with pytest.raises(ModelCallError) as missing:
            backend.ask(request(scope, question))
        assert missing.value.record.outcome is CallOutcome.UNAVAILABLE


def test_the_last_attempt_is_replayed(tmp_path: Path) -> None:
    record_run(tmp_path)
    lines = (tmp_path / CALLS_NAME).read_text().splitlines()
    first = json.loads(lines[1]) | {"episode_id": "q1#2", "number": 1}
    (tmp_path / CALLS_NAME).write_text("\n".join([json.dumps(first), *lines]) + "\n")
    backend = ReplayBackend(tmp_path)
    assert backend.ask(request("q1")).value.frame_id == 2
    with pytest.raises(ModelCallError, match="no such call"):
        backend.ask(request("q1"))


def test_a_replay_keeps_the_recorded_cost(tmp_path: Path) -> None:
    record_run(tmp_path)
    record = ReplayBackend(tmp_path).ask(request("q1")).record
    assert (record.backend, record.attempts, record.seconds) == ("scripted", 1, 0.5)


@pytest.mark.parametrize("content", [None, "{", '{"kind": "model_call"}', "\xff"])
def test_a_folder_without_calls_is_refused(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / CALLS_NAME).write_bytes(content.encode("latin-1"))
    with pytest.raises(ReplayError, match=CALLS_NAME):
        ReplayBackend(tmp_path)


def test_models_have_names() -> None:
    assert parse_model("local") == ModelName("local")
    assert parse_model("openai:http://h:8000/v1/#a/b") == ModelName(
        "openai", "http://h:8000/v1", "a/b"
    )
    assert parse_model("replay:runs/x") == ModelName("replay", "runs/x")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("loca", "did you mean 'local'"),
        ("openai:http://h/v1", "URL#NAME"),
        ("openai:ftp://h#m", "URL#NAME"),
        ("replay:", "did you mean 'replay'"),
        ("", "use local"),
    ],
)
def test_what_is_no_name_is_said(text: str, words: str) -> None:
    with pytest.raises(ModelNameError, match=words):
        parse_model(text)
