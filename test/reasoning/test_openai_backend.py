"""The server backend against a real HTTP server that misbehaves in every way."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from pathlib import Path

import numpy as np
import pytest
from model_server import (
    Behaviour,
    Handler,
    Told,
    half,
    model_server,
    raw,
    reset,
    says,
    silent,
    status,
    whitespace,
)

from avr_ros.reasoning.backends.openai.backend import KEY_VARIABLE, OpenAIBackend
from avr_ros.reasoning.backends.openai.exchange import retry_after
from avr_ros.reasoning.backends.openai.messages import data_url
from avr_ros.reasoning.backends.openai.prompts import PromptBook, PromptError
from avr_ros.reasoning.backends.openai.reply_format import strict_schema
from avr_ros.reasoning.backends.openai.settings import OpenAISettings
from avr_ros.reasoning.cache import ReplyCache
from avr_ros.reasoning.call import CallOutcome, ModelCallError
from avr_ros.reasoning.meaning import QuestionMeaning
from avr_ros.reasoning.reply_text import read_reply
from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.understand import Understanding, understand_request
from avr_ros.recordings import jpeg
from avr_ros.schema.model import Record
from avr_ros.schema.prediction import FailureKind

FAST = OpenAISettings(
    wait_seconds=0.001, deadline_seconds=20.0, attempt_seconds=10.0, attempts=3, repairs=1
)
GOOD = '{"frame_id": 3}'


class Inputs(Record):
    """What is told."""

    question: str
    frames: tuple[int, ...]


class Look(Record):
    """Where to look."""

    frame_id: int


@pytest.fixture
def prompts(tmp_path: Path) -> PromptBook:
    (tmp_path / "look.jinja").write_text(
        "{% block system %}You look.{% endblock %}\n"
        "{% block user %}{{ question }} Frames: {{ frames | join(', ') }}.{% endblock %}"
    )
    return PromptBook(tmp_path)


def request(scope: str = "q1", images: tuple[StageImage, ...] = ()) -> StageRequest[Look]:
    return StageRequest(
        "look",
        Inputs(question="Who sits?", frames=(3, 4)),
        limited(Look, frame_id=(3, 4)),
        images,
        scope,
    )


@contextmanager
def backend(
    prompts: PromptBook,
    *behaviours: Behaviour,
    settings: OpenAISettings = FAST,
    cache: ReplyCache | None = None,
) -> Iterator[tuple[OpenAIBackend, Told]]:
    with model_server(*behaviours) as (url, told):
        made = OpenAIBackend(url, "m", settings, prompts, cache)
        try:
            yield made, told
        finally:
            made.close()


def outcome(made: OpenAIBackend) -> tuple[CallOutcome, str, int]:
    try:
        record = made.ask(request()).record
    except ModelCallError as error:
        record = error.record
        assert error.kind.value.startswith("model_")
    return record.outcome, record.problem, record.attempts


def test_a_reply_of_the_right_type_comes_back_with_its_cost(prompts: PromptBook) -> None:
    with backend(prompts, says(GOOD)) as (made, told):
        reply = made.ask(request())
    assert reply.value.frame_id == 3
    record = reply.record
    assert (record.outcome, record.attempts, record.cached) == (CallOutcome.OK, 1, False)
    assert (record.tokens_in, record.tokens_out, record.tokens_reasoning) == (11, 7, 3)
    assert record.reply == {"frame_id": 3}
    assert record.reply_format == "json_schema"
    (body,) = told.bodies
    assert body["messages"][0] == {"role": "system", "content": "You look."}
    assert body["messages"][1] == {"role": "user", "content": "Who sits? Frames: 3, 4."}
    assert (body["temperature"], body["max_tokens"], body["seed"]) == (0.0, 2048, 0)
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["frame_id"]["enum"] == [3, 4]


@pytest.mark.parametrize(
    ("behaviours", "expected", "words", "attempts"),
    [
        ([status(429, headers={"retry-after": "0"}), says(GOOD)], CallOutcome.OK, "", 2),
        ([status(500, "oops"), status(503), says(GOOD)], CallOutcome.OK, "", 3),
        ([reset, says(GOOD)], CallOutcome.OK, "", 2),
        ([half, says(GOOD)], CallOutcome.OK, "", 2),
        ([raw(b"<html>hello</html>", "text/html"), says(GOOD)], CallOutcome.OK, "", 2),
        ([raw(b'{"choices": []}', "application/json"), says(GOOD)], CallOutcome.OK, "", 2),
        ([raw(b"{", "application/json")], CallOutcome.UNAVAILABLE, "no chat completion", 3),
        ([raw(b"<html>hi</html>", "text/html")], CallOutcome.UNAVAILABLE, "text/html", 3),
        ([status(500, "oops")], CallOutcome.UNAVAILABLE, "HTTP 500: oops", 3),
        ([reset], CallOutcome.UNAVAILABLE, "connection", 3),
        ([half], CallOutcome.UNAVAILABLE, "connection", 3),
        ([status(401, "who are you")], CallOutcome.UNAVAILABLE, "HTTP 401", 1),
        ([status(404, "no such model")], CallOutcome.UNAVAILABLE, "HTTP 404", 1),
        ([status(400, "too long")], CallOutcome.UNAVAILABLE, "HTTP 400: too long", 1),
        ([says("not json"), says(GOOD)], CallOutcome.OK, "", 2),
        ([says('{"frame_id": 9}'), says(GOOD)], CallOutcome.OK, "", 2),
        ([says("not json")], CallOutcome.INVALID_REPLY, "no JSON object", 2),
        ([says('{"frame_id": 9}')], CallOutcome.INVALID_REPLY, "should be 3 or 4", 2),
        ([says('{"frame_id": 3, "x": 1}')], CallOutcome.INVALID_REPLY, "x: Extra inputs", 2),
        ([says("   " * 50, finish="length")], CallOutcome.INVALID_REPLY, "cut off at 2048", 2),
        ([says("", refusal="I will not")], CallOutcome.REFUSED, "I will not", 1),
        ([says("", finish="content_filter")], CallOutcome.REFUSED, "filter", 1),
    ],
)  # fmt: skip
def test_each_misbehaviour_ends_in_its_outcome(
    prompts: PromptBook,
    behaviours: list[Behaviour],
    expected: CallOutcome,
    words: str,
    attempts: int,
) -> None:
    with backend(prompts, *behaviours) as (made, told):
        ended, problem, made_attempts = outcome(made)
    assert ended is expected, problem
    assert words in problem
    assert made_attempts == attempts == len(told.bodies)


@pytest.mark.parametrize("behaviour", [silent, whitespace])
def test_a_server_that_never_ends_runs_into_the_deadline(
    prompts: PromptBook, behaviour: Behaviour
) -> None:
    settings = FAST.model_copy(update={"deadline_seconds": 0.3})
    with backend(prompts, behaviour, settings=settings) as (made, _):
        ended, problem, _ = outcome(made)
    assert ended is CallOutcome.TIMEOUT
    assert "0.3 s" in problem


@pytest.mark.parametrize("behaviour", [silent, whitespace])
def test_a_request_that_hangs_is_repeated(prompts: PromptBook, behaviour: Behaviour) -> None:
    settings = FAST.model_copy(update={"attempt_seconds": 0.2})
    with backend(prompts, behaviour, says(GOOD), settings=settings) as (made, _):
        assert outcome(made)[0] is CallOutcome.OK


def test_a_wish_to_wait_beyond_the_deadline_is_a_timeout(prompts: PromptBook) -> None:
    settings = FAST.model_copy(update={"deadline_seconds": 0.3})
    with backend(prompts, status(429, headers={"retry-after": "60"}), settings=settings) as (
        made,
        _,
    ):
        ended, problem, attempts = outcome(made)
    assert (ended, attempts) == (CallOutcome.TIMEOUT, 1)
    assert "HTTP 429" in problem


@pytest.mark.parametrize(
    "behaviour",
    [
        status(429, headers={"retry-after": "0"}),
        status(500, "oops"),
        reset,
        half,
        silent,
        whitespace,
        raw(b"{", "application/json"),
        raw(b"<html>hi</html>", "text/html"),
    ],
)
def test_patience_without_end_ends_at_the_deadline(
    prompts: PromptBook, behaviour: Behaviour
) -> None:
    settings = FAST.model_copy(
        update={"deadline_seconds": 0.3, "attempts": 20, "wait_seconds": 0.2}
    )
    with backend(prompts, behaviour, settings=settings) as (made, _):
        ended, problem, _ = outcome(made)
    assert ended is CallOutcome.TIMEOUT, problem
    assert "0.3 s" in problem


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3", (3.0, 3.0)),
        ("0.5", (0.5, 0.5)),
        ("-1", (0.0, 0.0)),
        ("Wed, 21 Oct 2015 07:28:00 GMT", (0.0, 0.0)),
    ],
)
def test_a_wish_to_wait_is_seconds_or_a_date(header: str, seconds: tuple[float, float]) -> None:
    wish = retry_after(header)
    assert wish is not None
    assert seconds[0] <= wish <= seconds[1]


def test_a_wish_to_wait_may_be_a_date_to_come() -> None:
    before = time.time()
    # Dates have whole seconds.
    wish = retry_after(formatdate(before + 100, usegmt=True))
    assert wish is not None
    assert 98.0 - (time.time() - before) <= wish <= 100.0


@pytest.mark.parametrize("header", ["", "soon", "nan", "Wed, 99 Oct"])
def test_a_wish_that_cannot_be_read_is_none(header: str) -> None:
    assert retry_after(header) is None


def test_too_long_a_response_is_cut_off(prompts: PromptBook) -> None:
    settings = FAST.model_copy(update={"max_reply_bytes": 1000})
    with backend(prompts, raw(b" " * 100_000, "application/json"), settings=settings) as (made, _):
        ended, problem, _ = outcome(made)
    assert ended is CallOutcome.UNAVAILABLE
    assert "over 1000 bytes" in problem


def test_no_server_is_unavailable(prompts: PromptBook) -> None:
    with model_server(silent) as (url, _):
        pass
    made = OpenAIBackend(url, "m", FAST, prompts)
    assert outcome(made)[0] is CallOutcome.UNAVAILABLE
    made.close()


def test_formats_fall_back_and_are_remembered(prompts: PromptBook) -> None:
    def picky(handler, body):  # type: ignore[no-untyped-def]
        if "response_format" in body:
            handler.send(
                400, b"unsupported response_format: " + body["response_format"]["type"].encode()
            )
        else:
            assert "schema" in body["messages"][0]["content"]
            handler.send_reply()

    def answer(handler, body):  # type: ignore[no-untyped-def]
        handler.send_reply = lambda: says("<think>{hm}</think>Here:\n```json\n" + GOOD + "\n```")(
            handler, body
        )
        picky(handler, body)

    with backend(prompts, answer) as (made, told):
        first = made.ask(request()).record
        second = made.ask(request()).record
    assert (first.reply_format, first.attempts) == ("text", 3)
    assert (second.reply_format, second.attempts) == ("text", 1)
    kinds = [body.get("response_format", {}).get("type") for body in told.bodies]
    assert kinds == ["json_schema", "json_object", None, None]


def test_a_server_may_name_the_token_limit_otherwise(prompts: PromptBook) -> None:
    refusal = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."

    def newer(handler: Handler, body: dict[str, object]) -> None:
        told = status(400, refusal) if "max_tokens" in body else says(GOOD)
        told(handler, body)

    with backend(prompts, newer) as (made, told):
        records = [made.ask(request()).record for _ in range(2)]
    assert [record.attempts for record in records] == [2, 1]
    assert told.bodies[1]["max_completion_tokens"] == told.bodies[0]["max_tokens"]
    with backend(prompts, status(400, refusal)) as (made, _):
        assert outcome(made)[0] is CallOutcome.UNAVAILABLE


def test_strict_schemas_keep_to_the_subset() -> None:
    schema = strict_schema(understand_request("Who?"))
    objects = [schema]
    while objects:
        node = objects.pop()
        if isinstance(node, list):
            objects += node
        if isinstance(node, dict):
            assert not {"oneOf", "default", "discriminator"} & set(node)
            if isinstance(node.get("properties"), dict):
                assert node["required"] == list(node["properties"])
                assert node["additionalProperties"] is False
                objects += node["properties"].values()
            objects += [value for name, value in node.items() if name != "properties"]
    assert {"person", "asked"} == set(schema["$defs"]["QuestionMeaning"]["properties"])
    assert len(schema["$defs"]["QuestionMeaning"]["properties"]["asked"]["anyOf"]) == 8
    # What a model says that fills in every property is a reply of the type.
    person = {
        "actions": ["sitting"], "relation": None, "unique": True, "closest": False,
        "time": {"relation": "at", "frame_id": 3, "event": None, "shift_seconds": 0},
    }  # fmt: skip
    asked = {"kind": "action", "time": None}
    text = json.dumps({"meaning": {"person": person, "asked": asked}})
    meaning = read_reply(text, Understanding).meaning
    assert isinstance(meaning, QuestionMeaning)
    assert meaning.person.unique


def test_a_bad_reply_is_sent_back_with_the_reason(prompts: PromptBook) -> None:
    with backend(prompts, says('{"frame_id": 9}'), says(GOOD)) as (made, told):
        reply = made.ask(request())
    assert reply.record.tokens_in == 22
    messages = told.bodies[1]["messages"]
    assert messages[2] == {"role": "assistant", "content": '{"frame_id": 9}'}
    assert "3 or 4" in messages[3]["content"]


def test_pictures_go_along_and_are_made_small(prompts: PromptBook) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (480, 480, 3), dtype=np.uint8)
    image = StageImage("view 1", jpeg.encode(noise))
    assert len(image.jpeg) > 60_000
    url = data_url(image, 60_000)
    data = base64.b64decode(url.removeprefix("data:image/jpeg;base64,"))
    assert len(data) <= 60_000
    assert jpeg.decode(data).shape[0] < 480
    with backend(prompts, says(GOOD)) as (made, told):
        record = made.ask(request(images=(image,))).record
    assert record.images == 1
    content = told.bodies[0]["messages"][1]["content"]
    assert [part["type"] for part in content] == ["text", "text", "image_url"]
    assert content[1]["text"] == "Picture view 1:"


def test_the_key_is_sent_and_appears_nowhere_else(
    prompts: PromptBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "very-secret")
    with backend(prompts, status(401, "bad key very-secret")) as (made, told):
        with pytest.raises(ModelCallError) as caught:
            made.ask(request())
        assert "very-secret" not in repr(made) + made.name
    assert told.keys == ["Bearer very-secret"]
    assert "very-secret" not in caught.value.record.model_dump_json() + str(caught.value)
    assert "[key]" in caught.value.record.problem


def test_replies_are_kept_by_the_whole_request(prompts: PromptBook, tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "cache")
    with backend(prompts, says(GOOD), cache=cache) as (made, told):
        first = made.ask(request())
        second = made.ask(request(scope="q2"))
        assert second.value.frame_id == first.value.frame_id == 3
        assert (second.record.cached, second.record.scope, second.record.attempts) == (
            True,
            "q2",
            0,
        )
        image = StageImage("v", jpeg.encode(np.zeros((16, 16, 3), dtype=np.uint8)))
        made.ask(request(images=(image,)))
        assert len(told.bodies) == 2


@pytest.mark.parametrize(("keep", "requests"), [(False, 2), (True, 1)])
def test_sampled_replies_are_kept_only_if_asked_for(
    prompts: PromptBook, tmp_path: Path, keep: bool, requests: int
) -> None:
    settings = FAST.model_copy(update={"temperature": 0.7, "cache_sampled": keep})
    cache = ReplyCache(tmp_path / "cache")
    with backend(prompts, says(GOOD), settings=settings, cache=cache) as (made, told):
        made.ask(request())
        made.ask(request())
    assert len(told.bodies) == requests


def test_many_threads_share_one_backend(prompts: PromptBook) -> None:
    """No more requests are under way at once than allowed."""
    running, most, lock = [0], [0], threading.Lock()

    def counted(handler, body):  # type: ignore[no-untyped-def]
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        says(GOOD)(handler, body)
        with lock:
            running[0] -= 1

    settings = FAST.model_copy(update={"concurrency": 3})
    with backend(prompts, counted, settings=settings) as (made, told):
        results: list[int] = []
        threads = [
            threading.Thread(target=lambda: results.append(made.ask(request()).value.frame_id))
            for _ in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [3] * 16
    assert len(told.bodies) == 16
    assert most[0] <= 4


def test_a_stage_without_template_is_said(prompts: PromptBook) -> None:
    with backend(prompts, says(GOOD)) as (made, _), pytest.raises(PromptError, match="curate"):
        made.ask(StageRequest("curate", Inputs(question="", frames=()), Look))


def test_failures_of_calls_have_the_kinds_of_failures_of_questions(prompts: PromptBook) -> None:
    with (
        backend(prompts, says("", refusal="no")) as (made, _),
        pytest.raises(ModelCallError) as caught,
    ):
        made.ask(request())
    assert caught.value.kind is FailureKind.MODEL_REFUSED
