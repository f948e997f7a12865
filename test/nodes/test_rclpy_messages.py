"""The converters with rclpy's classes, through bytes and back, as with any other library's."""

from __future__ import annotations

from typing import Any

import pytest
import strategies
from hypothesis import given, settings
from rclpy.serialization import deserialize_message, serialize_message

from avr_ros.messages.detection import detection_from_message, detection_message
from avr_ros.messages.episode import (
    close_response_from_message,
    close_response_message,
    open_request_message,
    specification_from_message,
)
from avr_ros.messages.fact import fact_from_message, fact_message
from avr_ros.messages.prediction import prediction_from_message, prediction_message
from avr_ros.messages.question import question_from_message, question_message
from avr_ros.messages.result import sample_result_from_message, sample_result_message
from avr_ros.messages.step import step_from_message, step_message
from avr_ros.nodes.message_types import ros_types
from avr_ros.schema.episode import CloseStatus, LedgerKind, OpenStatus
from avr_ros.schema.observation import ImageFormat, ObserveStatus

few = settings(max_examples=25, deadline=None)


def sent(message: Any) -> Any:
    """A message as a subscriber gets it."""
    return deserialize_message(serialize_message(message), type(message))


@few
@given(value=strategies.questions())
def test_question(value: Any) -> None:
    assert question_from_message(sent(question_message(value, ros_types))) == value


@few
@given(value=strategies.step)
def test_step(value: Any) -> None:
    assert step_from_message(sent(step_message(value, 7, ros_types))) == value


@few
@given(value=strategies.fact)
def test_fact(value: Any) -> None:
    assert fact_from_message(sent(fact_message(value, ros_types))) == value


@few
@given(value=strategies.prediction)
def test_prediction(value: Any) -> None:
    assert prediction_from_message(sent(prediction_message(value, ros_types))) == value


@few
@given(value=strategies.sample_result)
def test_sample_result(value: Any) -> None:
    message = sent(sample_result_message(value, "run", 5, ros_types))
    assert sample_result_from_message(message) == value


@few
@given(value=strategies.episode)
def test_episode(value: Any) -> None:
    assert specification_from_message(sent(open_request_message(value, ros_types))) == value


@few
@given(value=strategies.close_responses())
def test_ledger(value: Any) -> None:
    message = sent(close_response_message(value, "camera", ros_types))
    assert close_response_from_message(message, "episode", strategies.WIDTH) == value


@few
@given(value=strategies.detection)
def test_detection(value: Any) -> None:
    back = detection_from_message(sent(detection_message(value, ros_types)))
    assert back.box == value.box and back.appearance.tolist() == value.appearance.tolist()


@pytest.mark.parametrize(
    "name",
    ["std_msgs/msg/Header", "avr_ros/srv/Observe_Response", "avr_ros/action/Ask_Goal"],
)
def test_classes_by_name(name: str) -> None:
    assert name.split("/")[-1] in str(ros_types(name))
    assert ros_types(name) is ros_types(name)


def test_numbers_of_statuses_are_those_of_the_interfaces() -> None:
    for kind, declared in (
        (ObserveStatus, ros_types("avr_ros/srv/Observe_Response")),
        (OpenStatus, ros_types("avr_ros/srv/OpenEpisode_Response")),
        (CloseStatus, ros_types("avr_ros/srv/CloseEpisode_Response")),
        (ImageFormat, ros_types("avr_ros/srv/Observe_Request")),
        (LedgerKind, ros_types("avr_ros/msg/LedgerRecord")),
    ):
        for member in kind:
            assert getattr(declared, member.name) == member.value
