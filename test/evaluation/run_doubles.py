"""Doubles of what a run talks to: an episode host and an asker without pictures."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from avr_ros.agents.tools import StepSink
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.evaluation.run_folder import RunFolder
from avr_ros.evaluation.specification import ProtocolSettings, RunSpecification
from avr_ros.geometry.crop import CropWindow
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.episode import (
    CloseResponse,
    CloseStatus,
    EpisodeSpecification,
    Ledger,
    LedgerKind,
    LedgerRecord,
    OpenResponse,
    OpenStatus,
)
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.prediction import Evidence, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost
from avr_ros.schema.step import Step, StepKind
from avr_ros.schema.vocabulary import AnswerMode, Family

BOX = Box(100.0, 100.0, 50.0, 120.0)


def question(number: int, sequence: str = "") -> Question:
    return Question(
        question_id=f"q{number:03d}",
        family=Family.ACTION_BOUNDARY,
        answer_mode=AnswerMode.FRAME,
        text=f"When does person {number} stop walking?",
        sequence=sequence or f"sequence_{number % 3}",
        tolerance=5.0,
    )


def key(asked: Question, frame_id: int) -> AnswerKey:
    return AnswerKey(
        question_id=asked.question_id,
        answer=FrameAnswer(frame_id=frame_id),
        tolerance=5.0,
        target="pedestrian:1",
        evidence=(EvidenceFrame(frame_id=frame_id, box=BOX),),
    )


def questions_and_keys(count: int) -> tuple[list[Question], dict[str, AnswerKey]]:
    """Questions whose answer is the frame of ten times their number."""
    questions = [question(number) for number in range(count)]
    keys = {item.question_id: key(item, 10 * n) for n, item in enumerate(questions)}
    return questions, keys


@dataclass
class Host:
    """Grants whatever :meth:`grant` is told, keeps ledgers."""

    open: dict[str, list[LedgerRecord]] = field(default_factory=dict)
    closed: dict[str, Ledger] = field(default_factory=dict)
    refuse: Callable[[EpisodeSpecification], OpenResponse | None] = lambda specification: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def open_episode(self, specification: EpisodeSpecification) -> OpenResponse:
        refusal = self.refuse(specification)
        if refusal is not None:
            return refusal
        with self.lock:
            if specification.episode_id in self.closed:
                return OpenResponse(OpenStatus.EPISODE_EXISTS, "closed")
            self.open[specification.episode_id] = []
        return OpenResponse(OpenStatus.OK, "")

    def grant(self, episode_id: str, frame_id: int) -> str:
        with self.lock:
            records = self.open[episode_id]
            number = len(records) + 1
            records.append(
                LedgerRecord(
                    episode_id=episode_id,
                    sequence_number=number,
                    kind=LedgerKind.OBSERVATION,
                    request_id="",
                    observation_id=f"{episode_id}/{number}",
                    sequence="sequence",
                    frame_id=frame_id,
                    stamp_ns=frame_id * 1_000_000,
                    azimuth=0.0,
                    field_of_view=0.8,
                    crop=CropWindow(0, 0, 480, 480, 3760),
                    status=ObserveStatus.OK,
                    message="",
                    remaining_observations=32 - number,
                )
            )
        return f"{episode_id}/{number}"

    def close_episode(self, episode_id: str) -> CloseResponse:
        with self.lock:
            ledger = Ledger(episode_id, tuple(self.open.pop(episode_id)))
            self.closed[episode_id] = ledger
        return CloseResponse(CloseStatus.OK, "", ledger)


Script = Callable[[Question, str, StepSink, Cancellation], Prediction]


@dataclass
class ScriptedAsker:
    """Lets ``script`` answer; says that two steps and one call were made."""

    script: Script
    asked: list[str] = field(default_factory=list)

    def ask(
        self,
        question: Question,
        episode_id: str,
        deadline: float,
        on_step: StepSink,
        cancel: Cancellation,
    ) -> tuple[Prediction, Cost]:
        self.asked.append(question.question_id)
        prediction = self.script(question, episode_id, on_step, cancel)
        return prediction, Cost(steps=2, calls=1, observations=77, seconds=1e6)


def right(host: Host) -> Script:
    """A script that observes and answers rightly with evidence."""

    def script(
        question: Question, episode_id: str, on_step: StepSink, cancel: Cancellation
    ) -> Prediction:
        frame = 10 * int(question.question_id[1:])
        observation_id = host.grant(episode_id, frame)
        on_step(
            Step(
                episode_id=episode_id,
                number=1,
                kind=StepKind.OBSERVE,
                summary=f"look at frame {frame}",
                observation_id=observation_id,
                frame_id=frame,
                azimuth_deg=0.0,
            )
        )
        on_step(
            Step(
                episode_id=episode_id,
                number=2,
                kind=StepKind.MODEL_CALL,
                summary="asked",
                details={"reply": "yes"},
            )
        )
        return Prediction(
            answer=FrameAnswer(frame_id=frame),
            evidence=Evidence(
                observation_id=observation_id, frame_id=frame, azimuth_deg=0.0, box=BOX
            ),
        )

    return script


def specification(**changes: object) -> RunSpecification:
    values: dict[str, object] = {
        "created_at": "2024-01-01T00:00:00+00:00",
        "package_version": "0.1.0",
        "commit": None,
        "uncommitted_changes": None,
        "libraries": {"numpy": "2.0"},
        "dataset": "/data",
        "questions": "/data/questions.jsonl",
        "keys": "/data/keys.jsonl",
        "hashes": {"questions": "a" * 64, "keys": "b" * 64},
        "seed": 1,
        "agent": "scripted",
        "agent_settings": {},
        "model": "local",
        "model_settings": {},
        "perception": "oracle",
        "perception_settings": {"misses": 0.0},
        "oracle_perception": True,
        "stand_in_model": True,
        "protocol": ProtocolSettings(),
    }
    return RunSpecification.model_validate(values | changes)


def run_folder(path: Path) -> RunFolder:
    return RunFolder(path, specification())
