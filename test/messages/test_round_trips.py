"""Every type survives the way into a message, through its bytes, and back."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np
import strategies
from hypothesis import HealthCheck, given, settings

from avr_ros.geometry.crop import CropWindow
from avr_ros.messages.answer import answer_from_message, answer_message
from avr_ros.messages.detection import detection_from_message, detection_message
from avr_ros.messages.episode import (
    close_response_from_message,
    close_response_message,
    ledger_record_from_message,
    ledger_record_message,
    open_request_message,
    open_response_from_message,
    open_response_message,
    specification_from_message,
)
from avr_ros.messages.fact import (
    fact_from_message,
    fact_message,
    graph_message,
    pattern_from_message,
    read_request_message,
    write_outcome_from_message,
    write_response_message,
)
from avr_ros.messages.image import ReusedImage
from avr_ros.messages.observation import (
    fill_observe_response,
    given_frame_response_from_message,
    given_frame_response_message,
    observe_request_from_message,
    observe_request_message,
    observe_response_from_message,
)
from avr_ros.messages.prediction import prediction_from_message, prediction_message
from avr_ros.messages.question import question_from_message, question_message
from avr_ros.messages.report import rates_from_message, rates_message
from avr_ros.messages.result import sample_result_from_message, sample_result_message
from avr_ros.messages.step import step_from_message, step_message
from avr_ros.messages.time import stamp_ns, time_message
from avr_ros.schema.detection import Detection
from avr_ros.schema.observation import Observation, ObserveResponse, ObserveStatus
from avr_ros.schema.result import SampleResult

many = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@many
@given(value=strategies.answer)
def test_answer(types: Any, value: Any) -> None:
    assert answer_from_message(types.sent(answer_message(value, types))) == value


@many
@given(value=strategies.prediction)
def test_prediction(types: Any, value: Any) -> None:
    assert prediction_from_message(types.sent(prediction_message(value, types))) == value


@many
@given(value=strategies.questions())
def test_question(types: Any, value: Any) -> None:
    assert question_from_message(types.sent(question_message(value, types))) == value


@many
@given(value=strategies.step, stamp=strategies.stamp)
def test_step(types: Any, value: Any, stamp: int) -> None:
    message = types.sent(step_message(value, stamp, types))
    assert step_from_message(message) == value
    assert stamp_ns(message.stamp) == stamp


@many
@given(value=strategies.fact)
def test_fact(types: Any, value: Any) -> None:
    assert fact_from_message(types.sent(fact_message(value, types))) == value
    graph = types.sent(graph_message("e", 3, 1, (value, value), "{}", 5, types))
    assert [fact_from_message(item) for item in graph.facts] == [value, value]


@many
@given(value=strategies.pattern)
def test_pattern(types: Any, value: Any) -> None:
    message = types.sent(read_request_message("episode", value, types))
    assert pattern_from_message(message) == value
    assert message.episode_id == "episode"


@many
@given(value=strategies.outcome)
def test_write_outcome(types: Any, value: Any) -> None:
    assert write_outcome_from_message(types.sent(write_response_message(value, types))) == value


@many
@given(value=strategies.detection)
def test_detection(types: Any, value: Detection) -> None:
    back = detection_from_message(types.sent(detection_message(value, types)))
    assert back.appearance.dtype == np.float32
    assert np.array_equal(back.appearance, value.appearance)
    for name in ("box", "confidence", "actions", "visibility", "heading"):
        assert getattr(back, name) == getattr(value, name)
    assert list(back.actions.values()) == sorted(value.actions.values(), reverse=True)
    assert (back.ground is None) == (value.ground is None)
    if back.ground is not None and value.ground is not None:
        assert vars(back.ground) == vars(value.ground)


@many
@given(value=strategies.request)
def test_observe_request(types: Any, value: Any) -> None:
    back = observe_request_from_message(types.sent(observe_request_message(value, types)))
    for item in fields(value):
        one, other = getattr(back, item.name), getattr(value, item.name)
        assert one == other or (math.isnan(one) and math.isnan(other)), item.name


@many
@given(value=strategies.observe_response)
def test_observe_response(types: Any, value: Any) -> None:
    empty = types.empty("avr_ros/srv/Observe_Response")
    message = types.sent(fill_observe_response(empty, value, "camera"))
    back = observe_response_from_message(message, strategies.WIDTH)
    assert (back.status, back.message) == (value.status, value.message)
    assert back.remaining_observations == value.remaining_observations
    if value.observation is None:
        assert back.observation is None
        assert message.observation.header.frame_id == ""
        return
    assert message.observation.header.frame_id == "camera"
    for item in fields(value.observation):
        one, other = getattr(back.observation, item.name), getattr(value.observation, item.name)
        assert np.array_equal(one, other) if item.name == "raw" else one == other, item.name


def test_a_raw_view_in_a_message_used_again(types: Any) -> None:
    picture = ReusedImage(480, 480, types)
    noise = np.random.default_rng(4).integers(0, 256, (2, 480, 480, 3), dtype=np.uint8)
    window = CropWindow(0, 0, 480, 480, strategies.WIDTH)
    for number, pixels in enumerate(noise):
        value = Observation("e/1", "s", number, 7, 0.25, 0.8, window, None, pixels)
        response = ObserveResponse(ObserveStatus.OK, "", value, 3)
        empty = types.empty("avr_ros/srv/Observe_Response")
        message = types.sent(fill_observe_response(empty, response, "camera", picture))
        assert message.observation.raw.header.frame_id == "camera"
        back = observe_response_from_message(message, strategies.WIDTH)
        assert back.observation is not None
        np.testing.assert_array_equal(back.observation.raw, pixels)
        assert back.observation.frame_id == number


@many
@given(value=strategies.given_frame_response)
def test_given_frame_response(types: Any, value: Any) -> None:
    message = types.sent(given_frame_response_message(value, "camera", types))
    frame_id = value.frame.frame_id if value.frame is not None else 0
    assert given_frame_response_from_message(message, frame_id) == value


@many
@given(value=strategies.episode)
def test_episode_specification(types: Any, value: Any) -> None:
    assert specification_from_message(types.sent(open_request_message(value, types))) == value


@many
@given(value=strategies.open_response)
def test_open_response(types: Any, value: Any) -> None:
    assert open_response_from_message(types.sent(open_response_message(value, types))) == value


@many
@given(value=strategies.ledger_record)
def test_ledger_record(types: Any, value: Any) -> None:
    message = types.sent(ledger_record_message(value, "camera", types))
    assert ledger_record_from_message(message, strategies.WIDTH) == value


@many
@given(value=strategies.close_responses())
def test_close_response(types: Any, value: Any) -> None:
    message = types.sent(close_response_message(value, "camera", types))
    assert close_response_from_message(message, "episode", strategies.WIDTH) == value


@many
@given(value=strategies.sample_result)
def test_sample_result(types: Any, value: SampleResult) -> None:
    message = types.sent(sample_result_message(value, "run", 5, types))
    assert sample_result_from_message(message) == value
    assert SampleResult.model_validate_json(message.sample) == value


@many
@given(value=strategies.rates)
def test_rates(types: Any, value: Any) -> None:
    message = types.sent(rates_message("long_range", value, types))
    assert rates_from_message(message) == value
    assert message.name == "long_range"


@many
@given(stamp=strategies.stamp)
def test_time(types: Any, stamp: int) -> None:
    assert stamp_ns(types.sent(time_message(stamp, types))) == stamp
