"""Goals of the agent and the scorer: answered, refused, cancelled at any moment."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from avr_ros.action import Ask, Evaluate
from avr_ros.msg import RunSpecification
from avr_ros.srv import CloseEpisode, OpenEpisode
from node_processes import Client, NodeProcess
from sensor_msgs.msg import CompressedImage
from small_scene import Scene

from avr_ros.benchmark.question_files import read_questions
from avr_ros.evaluation.episode_specification import episode_specification
from avr_ros.messages.episode import open_request_message
from avr_ros.messages.prediction import prediction_from_message
from avr_ros.messages.question import question_message
from avr_ros.nodes import qos
from avr_ros.nodes.message_types import ros_types
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.question import Question

SPACE = "goals"
NUMBERS = itertools.count(1)
LEDGER = {"observations": "replay/observations"}


@pytest.fixture(scope="module", autouse=True)
def nodes(client: Client, logs: Path, scene: Scene) -> Iterator[None]:
    """Everything of a replay set-up but the recorder, and nothing starts by itself."""
    dataset = {"dataset": str(scene.dataset)}
    with ExitStack() as stack:
        for executable, name, values, remappings in (
            ("replay_node", "replay", dataset, {}),
            ("world_model_node", "world_model", {}, LEDGER),
            ("oracle_perception_node", "oracle_perception", dataset, LEDGER),
            ("agent_node", "agent", {"max_goals": 2}, {}),
            (
                "scorer_node",
                "scorer",
                {"wait_for_recorder": False},
                {"steps": "agent/steps"},
            ),
        ):
            stack.enter_context(
                NodeProcess(logs, executable, name, values, remappings, namespace=SPACE)
            )
        yield


@pytest.fixture(scope="module")
def question(scene: Scene) -> Question:
    """A question that takes many steps."""
    questions = read_questions(scene.questions).questions
    return next(item for item in questions if item.answer_mode.value == "span")


def ask(client: Client, question: Any, feedback: Any = None, **fields: Any) -> Any:
    goal = Ask.Goal(question=question, **fields)
    return client.send_goal(Ask, f"{SPACE}/ask", goal, feedback)


def outcome(client: Client, handle: Any) -> tuple[int, Prediction, Any]:
    response = client.result(handle)
    prediction = prediction_from_message(response.result.prediction)
    return response.status, prediction, response.result


def test_a_goal_without_an_episode(client: Client, question: Question) -> None:
    pictures = client.collect(CompressedImage, f"{SPACE}/agent/annotated", qos.ANNOTATED)
    handle = ask(client, question_message(question, ros_types))
    status, prediction, result = outcome(client, handle)
    assert status == GoalStatus.STATUS_SUCCEEDED
    assert prediction.answer is not None and prediction.evidence is not None
    assert prediction.evidence.observation_id.startswith(result.episode_id)
    assert result.cost.observations > 3 and result.cost.seconds > 0
    pictures.wait_for(bool)
    pictures.close()
    request = CloseEpisode.Request(episode_id=result.episode_id)
    closed = client.call(CloseEpisode, f"{SPACE}/close_episode", request)
    granted = sum(record.status == 0 for record in closed.ledger)
    assert granted == result.cost.observations


def test_a_goal_in_an_open_episode(client: Client, question: Question) -> None:
    episode = f"open-{next(NUMBERS)}"
    specification = open_request_message(episode_specification(question, episode), ros_types)
    assert client.call(OpenEpisode, f"{SPACE}/open_episode", specification).status == 0
    steps: list[Any] = []
    handle = ask(client, question_message(question, ros_types), steps.append, episode_id=episode)
    _, prediction, result = outcome(client, handle)
    assert prediction.answer is not None and result.episode_id == episode
    assert {item.feedback.step.episode_id for item in steps} == {episode}
    numbers = [item.feedback.step.number for item in steps]
    assert numbers == list(range(1, len(numbers) + 1))


def test_an_episode_that_is_not_open(client: Client, question: Question) -> None:
    handle = ask(client, question_message(question, ros_types), episode_id="nowhere")
    _, prediction, _ = outcome(client, handle)
    assert prediction.failure is FailureKind.OBSERVATION_FAILED
    assert "nowhere" in prediction.reason


def test_a_message_that_is_no_question(client: Client, question: Question) -> None:
    message = question_message(question, ros_types)
    message.answer_mode = "guess"
    status, prediction, _ = outcome(client, ask(client, message))
    assert status == GoalStatus.STATUS_ABORTED
    assert prediction.failure is FailureKind.INVALID_QUESTION
    assert "guess" in prediction.reason


@pytest.mark.parametrize("deadline", [-1.0, math.nan, math.inf, 1e300])
def test_a_deadline_that_is_no_time(client: Client, question: Question, deadline: float) -> None:
    handle = ask(client, question_message(question, ros_types), deadline=deadline)
    status, prediction, _ = outcome(client, handle)
    assert status == GoalStatus.STATUS_ABORTED
    assert prediction.failure is FailureKind.INVALID_QUESTION
    assert "deadline" in prediction.reason


def test_an_unknown_sequence(client: Client, question: Question) -> None:
    message = question_message(question, ros_types)
    message.sequence = "elsewhere"
    _, prediction, _ = outcome(client, ask(client, message))
    assert prediction.failure is FailureKind.OBSERVATION_FAILED


def test_a_deadline(client: Client, question: Question) -> None:
    handle = ask(client, question_message(question, ros_types), deadline=1e-3)
    status, prediction, _ = outcome(client, handle)
    assert status == GoalStatus.STATUS_SUCCEEDED
    assert prediction.failure is FailureKind.DEADLINE


@pytest.mark.parametrize("after_steps", [0, 1, 5, 20])
def test_cancelled_at_any_moment(client: Client, question: Question, after_steps: int) -> None:
    steps: list[Any] = []
    handles: list[Any] = []

    def feedback(message: Any) -> None:
        steps.append(message)
        if len(steps) == after_steps and handles:
            handles[0].cancel_goal_async()

    handle = ask(client, question_message(question, ros_types), feedback)
    handles.append(handle)
    if len(steps) >= after_steps:
        client.run(handle.cancel_goal_async)
    status, prediction, _ = outcome(client, handle)
    assert status == GoalStatus.STATUS_CANCELED
    assert prediction.failure is FailureKind.CANCELLED


def test_more_goals_than_are_answered_at_once(client: Client, question: Question) -> None:
    message = question_message(question, ros_types)
    accepted = [ask(client, message) for _ in range(2)]
    refused = ask(client, message)
    assert [handle.accepted for handle in accepted] == [True, True]
    assert not refused.accepted
    for handle in accepted:
        assert outcome(client, handle)[1].answer is not None
    assert outcome(client, ask(client, message))[1].answer is not None


def specification(scene: Scene, out: Path, **fields: Any) -> RunSpecification:
    values = {
        "dataset": str(scene.dataset),
        "questions": str(scene.questions),
        "keys": str(scene.keys),
        "out": str(out),
        "agent": "avr",
        "model": "local",
        "perception": "oracle",
        "workers": 2,
        "limit": 4,
        **fields,
    }
    return RunSpecification(**values)


def evaluate(client: Client, wanted: RunSpecification, feedback: Any = None) -> Any:
    goal = Evaluate.Goal(specification=wanted)
    return client.send_goal(Evaluate, f"{SPACE}/evaluate", goal, feedback)


def test_an_evaluation_by_action(client: Client, scene: Scene, tmp_path: Path) -> None:
    feedback: list[Any] = []
    handle = evaluate(client, specification(scene, tmp_path / "run"), feedback.append)
    assert handle.accepted
    response = client.result(handle, 100.0)
    result = response.result
    assert (response.status, result.status) == (GoalStatus.STATUS_SUCCEEDED, Evaluate.Result.DONE)
    assert result.report.overall.n == 4 and result.report.run_id == "run"
    assert result.report.oracle_perception
    assert (tmp_path / "run" / "report.json").exists()
    last = feedback[-1].feedback
    assert (last.done, last.total) == (4, 4) and last.question_id


def test_a_cancelled_evaluation_goes_on(client: Client, scene: Scene, tmp_path: Path) -> None:
    wanted = specification(scene, tmp_path / "run", workers=1)
    handles: list[Any] = []

    def feedback(message: Any) -> None:
        if message.feedback.done == 1 and handles:
            handles[0].cancel_goal_async()

    handle = evaluate(client, wanted, feedback)
    handles.append(handle)
    busy = evaluate(client, wanted)
    assert handle.accepted and not busy.accepted
    response = client.result(handle, 100.0)
    assert response.status == GoalStatus.STATUS_CANCELED
    assert response.result.status == Evaluate.Result.CANCELLED
    assert not (tmp_path / "run" / "report.json").exists()
    again = client.result(evaluate(client, wanted), 100.0)
    assert again.result.status == Evaluate.Result.DONE
    assert again.result.report.overall.n == 4


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"questions": "/nowhere.jsonl"}, "/nowhere.jsonl"),
        ({"dataset": ""}, "dataset"),
        ({"agent": "nobody"}, "nobody"),
        ({"settings": ["no_such_setting=1"]}, "no_such_setting"),
        ({"settings": ["misses=0.5"]}, "oracle_perception"),
        ({"settings": ["confidence=0.123"]}, "agent"),
    ],
)
def test_evaluations_that_cannot_be_run(
    client: Client, scene: Scene, tmp_path: Path, fields: dict[str, Any], complaint: str
) -> None:
    handle = evaluate(client, specification(scene, tmp_path / "run", **fields))
    response = client.result(handle)
    assert response.result.status == Evaluate.Result.BAD_INPUT, response.result.message
    assert complaint in response.result.message
    assert not (tmp_path / "run").exists()
