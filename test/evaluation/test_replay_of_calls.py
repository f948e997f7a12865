"""A run with a model is logged call by call, paid for in sums, and replayed with equal results."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model_server import Handler, model_server, says, status
from painted_recording import PaintedRecording
from run_doubles import key, question, run_folder

from avr_ros.agents.agent import Agent, AgentTools
from avr_ros.agents.stage_image import stage_image
from avr_ros.agents.toolbox import Toolbox
from avr_ros.benchmark.scoring.score import score
from avr_ros.evaluation.driver import DriverOptions, EvaluationDriver
from avr_ros.evaluation.local import LocalWorld
from avr_ros.evaluation.times import without_times
from avr_ros.evaluation.view_perception import ViewPerception
from avr_ros.perception.errors import PerceptionError
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.backends.openai.backend import OpenAIBackend
from avr_ros.reasoning.backends.openai.prompts import PromptBook
from avr_ros.reasoning.backends.openai.settings import OpenAISettings
from avr_ros.reasoning.backends.replay import ReplayBackend
from avr_ros.reasoning.local.answer import look
from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.detection import Detection
from avr_ros.schema.episode import LedgerRecord
from avr_ros.schema.model import Record
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import FrameSpan, Question

COUNT = 6
WAYWARD = "q002"
REFUSED = "q004"


class Inputs(Record):
    """What is told."""

    question: str


class Look(Record):
    """Where to look."""

    frame_id: int


class NoEyes:
    """Perception that is never asked."""

    def detect(self, record: LedgerRecord, image: object) -> list[Detection]:
        raise AssertionError("the model looks by itself")


class Follower:
    """Looks three times, each time where the model says, and answers with the last frame."""

    def __init__(self, model: ModelBackend) -> None:
        self._model = model

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        toolbox = Toolbox(question, tools)
        frame_id = 10
        for _ in range(3):
            view = toolbox.observe(frame_id, 0.1)
            jpeg = view.observation.jpeg
            assert jpeg is not None
            asked = StageRequest(
                "look",
                Inputs(question=question.question_id),
                limited(Look, frame_id=range(10, 20)),
                (StageImage("view", jpeg, view.observation),),
                question.question_id,
            )
            frame_id = toolbox.ask(self._model, asked).frame_id
        return Prediction(answer=FrameAnswer(frame_id=frame_id))


def run(
    path: Path,
    model: ModelBackend,
    agent: Callable[[ModelBackend], Agent] = Follower,
    eyes: ViewPerception | None = None,
) -> list[Any]:
    """Run the questions and return their samples without times."""
    spans = (FrameSpan(first=10, last=19),)
    asked = [
        question(number, "hall").model_copy(update={"legal_frames": spans})
        for number in range(COUNT)
    ]
    world = LocalWorld(PaintedRecording(), agent(model), eyes or NoEyes(), jpeg_quality=90)
    keys = {item.question_id: key(item, 12) for item in asked}
    with run_folder(path) as folder:
        options = DriverOptions(workers=3, question_deadline=60.0, grace=5.0)
        EvaluationDriver(asked, keys, world, world, score, folder, options).run()
    lines = (path / "samples.jsonl").read_text().splitlines()
    return [without_times(json.loads(line)) for line in lines]


def test_a_run_is_replayed_from_its_calls(tmp_path: Path) -> None:
    (tmp_path / "look.jinja").write_text(
        "{% block system %}Look.{% endblock %}{% block user %}{{ question }}{% endblock %}"
    )
    served: dict[str, int] = {}

    def reply(handler: Handler, body: dict[str, Any]) -> None:
        name = body["messages"][1]["content"][0]["text"]
        with handler.told.lock:
            turn = served[name] = served.get(name, 0) + 1
        if name == REFUSED:
            status(401, "go away")(handler, body)
        elif name == WAYWARD:
            says('{"frame_id": 99}')(handler, body)
        else:
            # Other frames each time: what the agent asks next depends on what was replied.
            says(json.dumps({"frame_id": 10 + (turn * int(name[1:]) + turn) % 10}))(handler, body)

    settings = OpenAISettings(wait_seconds=0.001, attempts=2, repairs=1)
    with model_server(reply) as (url, told):
        model = OpenAIBackend(url, "m", settings, PromptBook(tmp_path))
        first = run(tmp_path / "first", model)
        model.close()
    assert len(told.bodies) == 3 * (COUNT - 2) + 2 + 1
    second = run(tmp_path / "second", ReplayBackend(tmp_path / "first"))
    assert second == first
    assert [sample["prediction"]["failure"] for sample in first] == [
        {WAYWARD: "model_invalid_reply", REFUSED: "model_unavailable"}.get(sample["question_id"])
        for sample in first
    ]


def test_every_call_is_logged_and_costs_are_sums(tmp_path: Path) -> None:
    (tmp_path / "look.jinja").write_text(
        "{% block system %}Look.{% endblock %}{% block user %}{{ question }}{% endblock %}"
    )
    with model_server(says('{"frame_id": 12}')) as (url, told):
        model = OpenAIBackend(url, "m", OpenAISettings(), PromptBook(tmp_path))
        samples = run(tmp_path / "run", model)
        model.close()
    calls = [json.loads(line) for line in (tmp_path / "run/calls.jsonl").read_text().splitlines()]
    assert len(calls) == len(told.bodies) == 3 * COUNT
    details = [call["details"] for call in calls]
    assert {detail["stage"] for detail in details} == {"look"}
    assert [detail["scope"] for detail in details] == [
        sample["question_id"] for sample in samples for _ in range(3)
    ]
    assert all(detail["inputs"] == {"question": detail["scope"]} for detail in details)
    assert all(detail["outcome"] == "ok" and detail["reply"] for detail in details)
    for sample in samples:
        cost = sample["cost"]
        assert (cost["calls"], cost["images"], cost["observations"]) == (3, 3, 3)
        assert (cost["tokens_in"], cost["tokens_out"], cost["tokens_reasoning"]) == (33, 21, 9)


class Watcher:
    """Asks the local model once about a view."""

    def __init__(self, model: ModelBackend) -> None:
        self._model = model

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        toolbox = Toolbox(question, tools)
        view = toolbox.observe(10 + int(question.question_id[1:]), 0.1)
        asked = StageRequest(
            "look",
            Inputs(question=question.question_id),
            Look,
            (stage_image(view, toolbox, "view"),),
            question.question_id,
        )
        return Prediction(answer=FrameAnswer(frame_id=toolbox.ask(self._model, asked).frame_id))


class OneBlink:
    """Perception that fails in frame 13."""

    def detect(self, record: LedgerRecord, image: object) -> list[Detection]:
        if record.frame_id == 13:
            raise PerceptionError("no labels of frame 13")
        return []


def test_a_call_whose_eyes_failed_is_replayed_too(tmp_path: Path) -> None:
    def answer(request: StageRequest[Any]) -> Look:
        for image in request.images:
            look(image)
        return Look(frame_id=12)

    first = run(tmp_path / "first", LocalBackend({"look": answer}), Watcher, OneBlink())
    kinds = [sample["prediction"]["failure"] for sample in first]
    assert kinds == [None, None, None, "perception_failed", None, None]
    calls = [json.loads(line) for line in (tmp_path / "first/calls.jsonl").open()]
    assert [call["details"]["outcome"] for call in calls].count("perception_failed") == 1
    assert {call["details"]["stage"] for call in calls} == {"look"}
    second = run(tmp_path / "second", ReplayBackend(tmp_path / "first"), Watcher, NoEyes())
    for before, after in zip(first, second, strict=True):
        assert after["prediction"] == before["prediction"]
