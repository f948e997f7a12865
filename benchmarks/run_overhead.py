"""What a run costs beside model, perception and pictures, and how fast predictions are scored.

    python benchmarks/run_overhead.py [--questions 40] [--views 16] [--predictions 2098]

A step's framework time is that of a whole run by an agent that only looks and writes, less that of
cutting, encoding and decoding the same crops, divided by its steps: at most 2 ms. Scoring 2,098
stored predictions again takes at most a second; it is shown beside reading the same file's bytes.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
from interleaved import interleaved

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.toolbox import Toolbox
from avr_ros.benchmark.scoring.score import score
from avr_ros.benchmark.scoring.summary import summarise
from avr_ros.evaluation.driver import EvaluationDriver
from avr_ros.evaluation.local import LocalWorld
from avr_ros.evaluation.run_folder import RunFolder
from avr_ros.evaluation.specification import ProtocolSettings, RunSpecification
from avr_ros.geometry.crop import CropWindow, crop_window, cut
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.recordings import jpeg
from avr_ros.recordings.recording import SequenceInfo, StoredAs
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.detection import Detection
from avr_ros.schema.episode import Ledger, LedgerKind, LedgerRecord
from avr_ros.schema.fact import Fact, FactKind, Provenance
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.prediction import Evidence, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost, SampleResult
from avr_ros.schema.vocabulary import AnswerMode, Family

FRAMES = 8
STEPS_A_VIEW = 3
BOX = Box(1800.0, 150.0, 60.0, 180.0)


class HeldRecording:
    """Panoramas in memory, so that no disk and no decoding of panoramas is timed."""

    notices = ()

    def __init__(self) -> None:
        generator = np.random.default_rng(0)
        base = generator.integers(0, 256, (60, 470, 3), dtype=np.uint8)
        self._panorama = np.repeat(np.repeat(base, 8, axis=0), 8, axis=1)
        self._info = SequenceInfo(
            name="hall",
            frame_ids=np.arange(FRAMES, dtype=np.int64),
            stamps_us=1_600_000_000_000_000 + 68_000 * np.arange(FRAMES, dtype=np.int64),
            width=3760,
            height=480,
            stored_as=StoredAs.JPEG,
            path="memory",
        )

    def sequences(self) -> tuple[str, ...]:
        """One sequence."""
        return ("hall",)

    def sequence(self, name: str) -> SequenceInfo:
        """Its frames."""
        return self._info

    def frame_at(self, sequence: str, stamp_us: int) -> int:
        """The frame nearest to a time."""
        return self._info.frame_at(stamp_us)

    def panorama(self, sequence: str, frame_id: int) -> npt.NDArray[np.uint8]:
        """The same picture for every frame."""
        return self._panorama

    def encoded(self, sequence: str, frame_id: int) -> bytes:
        """The picture as JPEG."""
        return jpeg.encode(self._panorama)

    def close(self) -> None:
        """Nothing to give back."""


class Blind:
    """A perception that takes no time."""

    def detect(self, record: LedgerRecord, image: npt.NDArray[np.uint8]) -> list[Detection]:
        """Nobody."""
        return []


class Looker:
    """Looks, perceives and writes one fact, ``views`` times."""

    def __init__(self, views: int) -> None:
        self._views = views

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Look around, then answer."""
        box = Toolbox(question, tools)
        for number in range(self._views):
            view = box.observe(number % FRAMES, azimuth_of(number))
            box.detect(view)
            seen = view.observation
            box.write(
                [
                    Fact(
                        kind=FactKind.ENTITY,
                        subject="p1",
                        predicate="person",
                        provenance=Provenance(
                            observation_id=seen.observation_id,
                            frame_id=seen.frame_id,
                            azimuth=seen.azimuth,
                        ),
                    )
                ]
            )
        return Prediction(answer=FrameAnswer(frame_id=0))


def azimuth_of(number: int) -> float:
    """The azimuth of a view, radians."""
    return (number * 0.7 + math.pi) % (2 * math.pi) - math.pi


def question_of(number: int, views: int) -> Question:
    """A question that allows the views."""
    return Question(
        question_id=f"q{number}",
        family=Family.ACTION_BOUNDARY,
        answer_mode=AnswerMode.FRAME,
        text="When does the person stop walking?",
        sequence="hall",
        tolerance=5.0,
        max_observations=views,
        max_tool_calls=4 * views,
    )


def key_of(question: Question) -> AnswerKey:
    """A key with fifty frames of evidence."""
    return AnswerKey(
        question_id=question.question_id,
        answer=FrameAnswer(frame_id=0),
        tolerance=5.0,
        target="pedestrian:1",
        evidence=tuple(
            EvidenceFrame(frame_id=frame, box=BOX, others=(BOX, BOX)) for frame in range(50)
        ),
    )


def specification() -> RunSpecification:
    """A specification of nothing in particular."""
    return RunSpecification(
        created_at="",
        package_version="",
        commit=None,
        uncommitted_changes=None,
        libraries={},
        dataset="",
        questions="",
        keys="",
        hashes={},
        seed=0,
        agent="",
        agent_settings={},
        model="",
        model_settings={},
        perception="",
        perception_settings={},
        oracle_perception=False,
        stand_in_model=True,
        protocol=ProtocolSettings(),
    )


def run(questions: list[Question], views: int, folder: Path) -> None:
    """Run the questions through everything."""
    world = LocalWorld(HeldRecording(), Looker(views), Blind(), jpeg_quality=90)
    keys = {question.question_id: key_of(question) for question in questions}
    with RunFolder(folder, specification()) as run_folder:
        EvaluationDriver(questions, keys, world, world, score, run_folder).run()


def pictures(questions: list[Question], views: int) -> None:
    """Cut, encode and decode the same crops and nothing else."""
    panorama = HeldRecording().panorama("hall", 0)
    for _ in questions:
        for number in range(views):
            window = crop_window(JRDB_CYLINDER, azimuth_of(number))
            jpeg.decode(jpeg.encode(cut(panorama, window)))


def show_framework_time(count: int, views: int) -> None:
    """Print the framework's time per step."""
    questions = [question_of(number, views) for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        seconds = interleaved(
            {
                "run": lambda turn: run(questions, views, Path(folder) / str(turn)),
                "pictures": lambda turn: pictures(questions, views),
            },
            rounds=5,
        )
    steps = count * views * STEPS_A_VIEW
    whole, bare = (float(np.median(seconds[name])) for name in ("run", "pictures"))
    print(
        f"framework time per step: {1000 * (whole - bare) / steps:.3f} ms (at most 2); "
        f"a run takes {whole / bare:.2f} x its crops, {1000 * whole / count:.1f} ms a question"
    )


def show_scoring(count: int) -> None:
    """Print the time of scoring stored predictions."""
    window = CropWindow(1700, 0, 480, 480, 3760)
    triples = []
    for number in range(count):
        question = question_of(number, 32)
        record = LedgerRecord(
            episode_id=f"q{number}#1",
            sequence_number=1,
            kind=LedgerKind.OBSERVATION,
            request_id="1",
            observation_id=f"q{number}#1/1",
            sequence="hall",
            frame_id=7,
            stamp_ns=0,
            azimuth=0.0,
            field_of_view=0.8,
            crop=window,
            status=ObserveStatus.OK,
            message="",
            remaining_observations=31,
        )
        prediction = Prediction(
            answer=FrameAnswer(frame_id=3),
            evidence=Evidence(
                observation_id=record.observation_id, frame_id=7, azimuth_deg=0.0, box=BOX
            ),
        )
        ledger = Ledger(record.episode_id, (record,))
        triples.append((question, key_of(question), prediction, ledger))

    def score_all(turn: int) -> None:
        summarise(
            SampleResult(
                question_id=question.question_id,
                family=question.family,
                answer_mode=question.answer_mode,
                sequence=question.sequence,
                attempt=1,
                prediction=prediction,
                score=score(question, key, prediction, ledger),
                cost=Cost(),
            )
            for question, key, prediction, ledger in triples
        )

    seconds = interleaved({"score": score_all}, rounds=5)["score"]
    print(f"scoring {count} predictions: {np.median(seconds):.3f} s (at most 1)")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--views", type=int, default=16)
    parser.add_argument("--predictions", type=int, default=2098)
    arguments = parser.parse_args()
    show_framework_time(arguments.questions, arguments.views)
    show_scoring(arguments.predictions)


if __name__ == "__main__":
    main()
