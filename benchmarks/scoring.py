"""Seconds to score as many predictions as the published benchmark has questions, 2,098.

    python benchmarks/scoring.py [--predictions 2098] [--observations 32]

Every prediction has an answer and evidence in the last of its episode's views, and every key ten
evidence frames with ten people around the target. The target is under a second.
"""

from __future__ import annotations

import argparse
import math
import time

from avr_ros.benchmark.scoring.score import score
from avr_ros.benchmark.scoring.summary import summarise
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW, crop_window
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.episode import Ledger, LedgerKind, LedgerRecord
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.prediction import Evidence, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost, SampleResult
from avr_ros.schema.vocabulary import AnswerMode, Family

TARGET_SECONDS = 1.0
PEOPLE_AROUND = 10
EVIDENCE_FRAMES = 10
ANSWERS: tuple[tuple[AnswerMode, Answer, float | None], ...] = (
    (AnswerMode.CHOICE, ChoiceAnswer(choice=1), None),
    (AnswerMode.FRAME, FrameAnswer(frame_id=105), 5.0),
    (AnswerMode.SPAN, SpanAnswer(start_frame=100, end_frame=150), None),
    (AnswerMode.FRAME_VIEW, FrameViewAnswer(frame_id=105, azimuth_deg=2.0), 5.0),
    (AnswerMode.NUMBER, NumberAnswer(value=7.5), 1.0),
)


def ledger(observations: int) -> Ledger:
    """An episode's granted views of frame 105, all around."""
    records = []
    for number in range(1, observations + 1):
        azimuth = math.remainder(0.3 * (number - observations), 2 * math.pi)
        records.append(
            LedgerRecord(
                "q#1",
                number,
                LedgerKind.OBSERVATION,
                "",
                f"q#1/{number}",
                "s",
                105,
                0,
                azimuth,
                DEFAULT_FIELD_OF_VIEW,
                crop_window(JRDB_CYLINDER, azimuth),
                ObserveStatus.OK,
                "",
                observations - number,
            )
        )
    return Ledger("q#1", tuple(records))


def sample(index: int, observations: int) -> tuple[Question, AnswerKey, Prediction]:
    """A question with its key and a right prediction."""
    mode, answer, tolerance = ANSWERS[index % len(ANSWERS)]
    target = Box(1840.0, 100.0, 80.0, 200.0)
    others = tuple(
        Box(1840.0 + 7.0 * place, 90.0, 80.0, 210.0) for place in range(1, PEOPLE_AROUND + 1)
    )
    question = Question(
        question_id="q",
        family=list(Family)[index % len(Family)],
        answer_mode=mode,
        text="?",
        choices=("a", "b", "c", "d") if mode is AnswerMode.CHOICE else (),
        unit="s" if mode is AnswerMode.NUMBER else "",
        tolerance=tolerance,
    )
    key = AnswerKey(
        question_id="q",
        answer=answer,
        tolerance=tolerance,
        target="pedestrian:1",
        evidence=tuple(
            EvidenceFrame(frame_id=100 + frame, box=target, others=others)
            for frame in range(EVIDENCE_FRAMES)
        ),
    )
    evidence = Evidence(
        observation_id=f"q#1/{observations}", frame_id=105, azimuth_deg=0.0, box=target
    )
    return question, key, Prediction(answer=answer, evidence=evidence)


def main() -> None:
    """Score, summarise, print seconds."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--predictions", type=int, default=2098)
    parser.add_argument("--observations", type=int, default=32, help="views of each episode")
    options = parser.parse_args()
    seen = ledger(options.observations)
    samples = [sample(index, options.observations) for index in range(options.predictions)]
    start = time.perf_counter()
    results = [
        SampleResult(
            question_id=question.question_id,
            family=question.family,
            answer_mode=question.answer_mode,
            sequence="s",
            attempt=1,
            prediction=prediction,
            score=score(question, key, prediction, seen),
            cost=Cost(),
        )
        for question, key, prediction in samples
    ]
    summary = summarise(results)
    seconds = time.perf_counter() - start
    assert summary.overall.combined == 100.0
    verdict = "target met" if seconds < TARGET_SECONDS else "target missed"
    print(f"{options.predictions} predictions scored in {seconds:.2f} s: {verdict}")


if __name__ == "__main__":
    main()
