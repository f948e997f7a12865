"""Whole runs in one process over the real observation service and world model."""

import json
import math
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from painted_recording import PaintedRecording
from run_doubles import key, question, run_folder

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.tools import EpisodeCancelledError, FactPattern, ObservationRefusedError
from avr_ros.benchmark.scoring.score import score
from avr_ros.evaluation.driver import DriverOptions, EvaluationDriver
from avr_ros.evaluation.errors import RunInterruptedError
from avr_ros.evaluation.local import LocalWorld
from avr_ros.geometry.crop import crop_window, cut
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.perception.errors import PerceptionError
from avr_ros.recordings import jpeg
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.box import Box
from avr_ros.schema.detection import APPEARANCE_SIZE, Detection
from avr_ros.schema.episode import LedgerRecord
from avr_ros.schema.fact import Fact, FactKind, Provenance
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.prediction import Evidence, Prediction
from avr_ros.schema.question import FrameSpan, Question
from avr_ros.schema.step import Step, StepKind

PERSON = Box(1800.0, 150.0, 60.0, 180.0)


class OnePerson:
    """Perception that sees one person whatever the view, and keeps what it was given."""

    def __init__(self) -> None:
        self.images: list[npt.NDArray[np.uint8]] = []

    def detect(self, record: LedgerRecord, image: npt.NDArray[np.uint8]) -> list[Detection]:
        if record.frame_id == 13:
            raise PerceptionError("no labels of frame 13")
        self.images.append(image)
        appearance = np.zeros(APPEARANCE_SIZE, dtype=np.float32)
        return [Detection(PERSON, 0.9, {"walking": 0.9}, appearance, None, 1.0)]


class FunctionAgent:
    """An agent that is a function."""

    def __init__(self, function: Callable[[Question, AgentTools], Prediction]) -> None:
        self._function = function

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        return self._function(question, tools)


def run_one(
    path: Path,
    function: Callable[[Question, AgentTools], Prediction],
    perception: OnePerson | None = None,
    deadline: float = 60.0,
    **changes: object,
) -> dict[str, object]:
    """Run one question and return its sample."""
    asked = question(0, "hall").model_copy(
        update={"legal_frames": (FrameSpan(first=10, last=19),), "max_observations": 3} | changes
    )
    world = LocalWorld(
        PaintedRecording(), FunctionAgent(function), perception or OnePerson(), jpeg_quality=90
    )
    with run_folder(path / "run") as folder:
        EvaluationDriver(
            [asked],
            {asked.question_id: key(asked, 12)},
            world,
            world,
            score,
            folder,
            DriverOptions(question_deadline=deadline, grace=5.0),
        ).run()
    (line,) = (path / "run/samples.jsonl").read_text().splitlines()
    sample: dict[str, object] = json.loads(line)
    return sample


def test_agents_see_the_decoded_bytes_that_were_served(tmp_path: Path) -> None:
    perception = OnePerson()

    def look(asked: Question, tools: AgentTools) -> Prediction:
        view = tools.observer.observe(12, 0.5)
        served = cut(PaintedRecording().panorama("hall", 12), crop_window(JRDB_CYLINDER, 0.5))
        assert view.observation.jpeg == jpeg.encode(served, 90)
        assert np.array_equal(view.image, jpeg.decode(view.observation.jpeg))
        assert tools.perceiver.detect(view)[0].box == PERSON
        assert view.image is perception.images[0]
        return Prediction(
            answer=FrameAnswer(frame_id=12),
            evidence=Evidence(
                observation_id=view.observation.observation_id,
                frame_id=12,
                azimuth_deg=math.degrees(0.5),
                box=None,
            ),
        )

    sample = run_one(tmp_path, look, perception)
    assert sample["score"]["answer"] is True  # type: ignore[index]
    assert sample["score"]["evidence_reason"] == "no_box"  # type: ignore[index]
    assert sample["prediction"]["evidence"]["observation_id"] == "q000#1/1"  # type: ignore[index]
    assert sample["cost"]["observations"] == 1  # type: ignore[index]


def test_limits_hold_for_agents(tmp_path: Path) -> None:
    statuses: list[ObserveStatus] = []

    def greedy(asked: Question, tools: AgentTools) -> Prediction:
        assert list(tools.observer.times.frame_ids) == list(range(10, 20))
        assert np.all(np.diff(tools.observer.times.stamps_us) == 68_500)
        assert tools.observer.remaining == 3
        for frame, azimuth in ((25, 0.0), (11, 4.0), (11, 0.0), (11, 0.1), (11, 0.2), (11, 0.3)):
            try:
                tools.observer.observe(frame, azimuth)
            except ObservationRefusedError as error:
                statuses.append(error.status)
        assert tools.observer.remaining == 0
        return Prediction(abstained=True, reason="seen enough")

    sample = run_one(tmp_path, greedy)
    assert statuses == [
        ObserveStatus.FRAME_NOT_LEGAL,
        ObserveStatus.INVALID_AZIMUTH,
        ObserveStatus.BUDGET_EXHAUSTED,
    ]
    assert sample["cost"]["observations"] == 3  # type: ignore[index]
    (line,) = (tmp_path / "run/ledger.jsonl").read_text().splitlines()
    ledger = json.loads(line)["records"]
    assert [item["status"] for item in ledger] == [
        "FRAME_NOT_LEGAL",
        "INVALID_AZIMUTH",
        "OK",
        "OK",
        "OK",
        "BUDGET_EXHAUSTED",
    ]


def test_facts_need_a_granted_view(tmp_path: Path) -> None:
    def write(asked: Question, tools: AgentTools) -> Prediction:
        view = tools.observer.observe(12, 0.0)
        granted = Provenance(
            observation_id=view.observation.observation_id, frame_id=12, azimuth=0.0, box=PERSON
        )
        elsewhere = granted.model_copy(update={"observation_id": "q000#1/2"})
        facts = [
            Fact(kind=FactKind.ENTITY, subject="p1", predicate="person", provenance=seen)
            for seen in (granted, elsewhere)
        ]
        outcome = tools.world_model.write(facts)
        assert outcome.accepted == 1
        assert [position for position, _ in outcome.refused] == [1]
        assert tools.world_model.read(FactPattern(subject="p1")) == facts[:1]
        return Prediction(abstained=True)

    assert run_one(tmp_path, write)["prediction"]["abstained"] is True  # type: ignore[index]


def test_given_frames_are_free_and_in_the_ledger(tmp_path: Path) -> None:
    def passive(asked: Question, tools: AgentTools) -> Prediction:
        panorama = tools.observer.given_frame(11)
        assert panorama.image.shape == (480, 3760, 3)
        assert tools.perceiver.detect(panorama)
        with pytest.raises(ObservationRefusedError):
            tools.observer.given_frame(12)
        return Prediction(abstained=True)

    cost = run_one(tmp_path, passive, given_frames=(11,))["cost"]
    assert cost["observations"] == 0  # type: ignore[index]
    assert cost["given_frames"] == 1  # type: ignore[index]


def test_failures_are_told_by_kind(tmp_path: Path) -> None:
    def unhandled_refusal(asked: Question, tools: AgentTools) -> Prediction:
        tools.observer.observe(99, 0.0)
        raise AssertionError

    def failing_perception(asked: Question, tools: AgentTools) -> Prediction:
        tools.perceiver.detect(tools.observer.observe(13, 0.0))
        raise AssertionError

    def bug(asked: Question, tools: AgentTools) -> Prediction:
        raise KeyError("person")

    for number, (agent, kind) in enumerate(
        (
            (unhandled_refusal, "observation_failed"),
            (failing_perception, "perception_failed"),
            (bug, "agent_error"),
        )
    ):
        sample = run_one(tmp_path / str(number), agent)
        assert sample["prediction"]["failure"] == kind  # type: ignore[index]


def test_deadline_ends_the_next_use_of_a_tool(tmp_path: Path) -> None:
    ended: list[str] = []

    def endless(asked: Question, tools: AgentTools) -> Prediction:
        try:
            while True:
                tools.world_model.read(FactPattern())
        except EpisodeCancelledError as error:
            ended.append(error.kind.value)
            raise

    sample = run_one(tmp_path, endless, deadline=0.2)
    assert ended == ["deadline"]
    assert sample["prediction"]["failure"] == "deadline"  # type: ignore[index]


def test_steps_give_the_cost(tmp_path: Path) -> None:
    def thinks(asked: Question, tools: AgentTools) -> Prediction:
        for number, kind in enumerate(
            (StepKind.MODEL_CALL, StepKind.PERCEIVE, StepKind.ANSWER), start=1
        ):
            details = {"tokens_in": 100, "tokens_out": 7, "images": 2}
            tools.record_step(
                Step(
                    episode_id=tools.episode_id,
                    number=number,
                    kind=kind,
                    summary="step",
                    details=details if kind is StepKind.MODEL_CALL else {},
                    seconds=0.25,
                )
            )
        return Prediction(abstained=True)

    cost = run_one(tmp_path, thinks)["cost"]
    for name, value in {
        "steps": 3,
        "calls": 1,
        "tokens_in": 100,
        "tokens_out": 7,
        "images": 2,
        "model_seconds": 0.25,
        "perception_seconds": 0.25,
    }.items():
        assert cost[name] == value  # type: ignore[index]


def test_cancelling_a_run_ends_an_agent_between_tools(tmp_path: Path) -> None:
    looking = threading.Event()

    def endless(asked: Question, tools: AgentTools) -> Prediction:
        while True:
            tools.world_model.read(FactPattern())
            looking.set()

    asked = question(0, "hall")
    world = LocalWorld(PaintedRecording(), FunctionAgent(endless), OnePerson(), jpeg_quality=90)
    with run_folder(tmp_path / "run") as folder:
        driver = EvaluationDriver(
            [asked], {asked.question_id: key(asked, 12)}, world, world, score, folder
        )
        canceller = threading.Thread(target=lambda: (looking.wait(30), driver.cancel()))
        canceller.start()
        with pytest.raises(RunInterruptedError):
            driver.run()
        canceller.join()
    assert (tmp_path / "run/journal.jsonl").read_text() == ""
