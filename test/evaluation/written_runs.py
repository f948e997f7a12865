"""Run folders and bags with given scores, for comparisons."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from run_doubles import specification
from written_bag import WrittenBag

from avr_ros.benchmark.identity import SequenceIdentity
from avr_ros.benchmark.question_files import questions_header, read_questions, write_question_files
from avr_ros.evaluation.build_report import build_report
from avr_ros.evaluation.run_folder import RunFolder, episode_id_of
from avr_ros.evaluation.stored_run import load_run
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.episode import Ledger
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost, EvidenceReason, SampleResult, Score
from avr_ros.schema.step import Step, StepKind
from avr_ros.schema.vocabulary import AnswerMode, Family

FAMILIES = (Family.ACTION_BOUNDARY, Family.CHAIN_HYBRID)
Outcome = tuple[bool, bool]
"""Whether answer and evidence are right."""


def question(number: int, tolerance: float = 5.0) -> Question:
    return Question(
        question_id=f"q{number:03d}",
        family=FAMILIES[number % 2],
        answer_mode=AnswerMode.FRAME,
        text=f"When does person {number} stop walking?",
        sequence=f"sequence_{number % 3}",
        tolerance=tolerance,
    )


def sequence_identities(recording: int = 0) -> list[SequenceIdentity]:
    """Three sequences, as the header of a questions file names them; alike named in others."""
    return [
        SequenceIdentity(
            name=f"sequence_{number}",
            frames=100,
            frame_ids="0" * 64,
            first_stamp_us=10 * recording,
            last_stamp_us=10 * recording + 1,
            annotations="0" * 64,
        )
        for number in range(3)
    ]


def write_questions(
    folder: Path, count: int, seed: int = 1, tolerance: float = 5.0, recording: int = 0
) -> Path:
    """A questions file with its keys beside it."""
    identities = sequence_identities(recording)
    questions = [question(number, tolerance) for number in range(count)]
    keys = [
        AnswerKey(
            question_id=asked.question_id,
            answer=FrameAnswer(frame_id=1),
            tolerance=tolerance,
            target="pedestrian:1",
            evidence=(EvidenceFrame(frame_id=1, box=None),),
        )
        for asked in questions
    ]
    header = questions_header(identities, seed, "a test", count)
    return write_question_files(folder, header, questions, keys)[0]


def result(asked: Question, outcome: Outcome | None) -> SampleResult:
    """A scored answer; none abstained."""
    answer, evidence = outcome or (False, False)
    return SampleResult(
        question_id=asked.question_id,
        family=asked.family,
        answer_mode=asked.answer_mode,
        sequence=asked.sequence,
        attempt=1,
        prediction=Prediction(answer=FrameAnswer(frame_id=1))
        if outcome
        else Prediction(abstained=True, reason="not seen"),
        score=Score(
            answer=answer,
            evidence=evidence,
            combined=answer and evidence,
            evidence_reason=EvidenceReason.SUPPORTED if evidence else EvidenceReason.LOW_IOU,
        ),
        cost=Cost(
            steps=4, observations=3, calls=2, tokens_in=100, tokens_out=20, images=5, seconds=1.5
        ),
    )


def write_run(
    folder: Path,
    questions: Path,
    outcomes: Sequence[Outcome | None],
    images: int | None = 3,
    answer_views: Sequence[str] = (),
    **changes: Any,
) -> Path:
    """A run folder with the outcomes of its first questions.

    The last call saw ``images``; ``answer_views`` are named as those of the answering call.
    """
    question_set = read_questions(questions)
    values: dict[str, Any] = {
        "hashes": {"questions": question_set.sha256, "keys": "b" * 64},
        "oracle_perception": False,
        "stand_in_model": False,
        "perception": "onnx",
        "model": "openai:http://localhost#vision",
    }
    with RunFolder(folder, specification(**values | changes), questions.read_bytes()) as run:
        for asked, outcome in zip(question_set.questions, outcomes, strict=False):
            episode_id = episode_id_of(asked.question_id, 1)
            details = {} if images is None else {"images": images}
            steps = [
                Step(
                    episode_id=episode_id,
                    number=number,
                    kind=StepKind.MODEL_CALL,
                    summary="asked",
                    details={"images": 9} if number == 1 else details,
                )
                for number in (1, 2)
            ]
            if answer_views:
                named = {"answer_views": list(answer_views)}
                steps.append(
                    Step(
                        episode_id=episode_id,
                        number=3,
                        kind=StepKind.ANSWER,
                        summary="answered",
                        details=named,
                    )
                )
            run.finish(result(asked, outcome), steps, Ledger(episode_id))
    return folder


def write_bag(path: Path, run: Path, with_report: bool = True) -> Path:
    """The bag of a run folder."""
    stored = load_run(run)
    bag = WrittenBag(path)
    for asked in stored.questions:
        bag.write_question(asked)
    for item in stored.results:
        bag.write_result(item)
    if with_report:
        by_id = {asked.question_id: asked for asked in stored.questions}
        report = build_report(stored.specification, stored.results, by_id, {}, "2024", 1.0)
        bag.write_report(report)
    bag.finish()
    return path
