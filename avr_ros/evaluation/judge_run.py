"""Judges the visual support of a run's answers with a model, and keeps the grades in its folder.

The judge is asked once for each answer, is not told what was predicted, and may answer in whatever
form has a clear grade in it. What gives none is counted and keeps its question.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from avr_ros.evaluation.answer_views import AnswerViews, answer_views
from avr_ros.evaluation.judge_lines import read_lines
from avr_ros.evaluation.judge_pictures import judge_picture
from avr_ros.evaluation.judging import Judging, LineFacts
from avr_ros.evaluation.stored_run import StoredRun
from avr_ros.evaluation.view_perception import ViewPerception
from avr_ros.evaluation.visual_support import (
    JudgedAnswer,
    VisualSupport,
    parse_support,
    visual_support,
)
from avr_ros.geometry.crop import cut
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.call import CallOutcome, ModelCallError
from avr_ros.reasoning.stage import StageImage
from avr_ros.reasoning.stages.contract import ShownView, contract_of
from avr_ros.reasoning.stages.judge_support import JudgeInputs, judge_request
from avr_ros.reasoning.view_caption import view_caption
from avr_ros.recordings.recording import Recording
from avr_ros.schema.answer import Answer
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.episode import LedgerKind, LedgerRecord
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record
from avr_ros.schema.observation import GivenFrame, Observation
from avr_ros.schema.question import Question

SUPPORT_NAME: Final = "support.jsonl"
"""The file of a run folder that holds grades, one a line."""

WHAT: Final = "grade of visual support"
"""What a line of it is."""

AnswerText = Callable[[Answer, Question], str]


class SupportLine(Record):
    """One grade; ``grade`` none where the judge gave no clear one. ``images`` were shown.

    ``outcome`` is how the call to the judge ended, none where nothing was asked.
    """

    format: Literal["avr_ros/support"] = "avr_ros/support"
    version: Literal[1] = 1
    judge: str
    question_id: str
    attempt: int = Field(ge=1)
    grade: float | None
    images: int = Field(ge=0)
    reason: str = ""
    outcome: CallOutcome | None = None
    problem: str = ""
    tokens_in: int = Field(default=0, ge=0)
    tokens_out: int = Field(default=0, ge=0)


class Judged(Record):
    """Visual support of a run by one judge, with the mean number of images an answer had.

    ``asked`` are the answers that the judge was asked about; the others showed nothing.
    ``stand_in_judge``: the built-in grammar judged. ``oracle_perception``: people came from the
    annotations, for the answers and for a judge without eyes of its own.
    """

    judge: str
    stand_in_judge: bool
    oracle_perception: bool
    support: VisualSupport
    asked: int
    images_per_answer: float
    tokens_in: int
    tokens_out: int


def judge_run(
    run: StoredRun,
    keys: Mapping[str, AnswerKey],
    recording: Recording,
    judge: ModelBackend,
    perception: ViewPerception | None,
    answer_text: AnswerText,
    advance: Callable[[], None] = lambda: None,
) -> Judged:
    """Grade every result that this judge has not graded, and sum up.

    A judge that was out of reach is asked again; one that refused or gave no clear grade is not.
    ``perception`` are the eyes of a judge that has none itself. ``answer_text`` puts an answer
    into words. Raises BadInputError for a run without results or without its answers' views, and
    JudgeSilentError where the judge stays out of reach.
    """
    results = run.results
    if not results:
        raise BadInputError(f"{run.folder} has no results to judge; run it first")
    questions = {question.question_id: question for question in run.questions}

    def ask(shown: AnswerViews) -> SupportLine:
        question = questions[shown.result.question_id]
        key = keys[question.question_id]
        reference = answer_text(key.answer, question)
        return _grade(question, reference, key.tolerance, shown, recording, judge, perception)

    wanted = [
        (shown.result.question_id, shown.result.attempt, partial(ask, shown))
        for shown in answer_views(run, results)
    ]
    lines = support_judging(run.folder / SUPPORT_NAME).lines(judge.name, wanted, advance)
    scores = {result.question_id: float(result.score.answer) for result in results}
    return Judged(
        judge=judge.name,
        stand_in_judge=judge.name == LocalBackend.NAME,
        oracle_perception=run.specification.oracle_perception,
        support=visual_support(
            JudgedAnswer(
                question_id=line.question_id, score=scores[line.question_id], support=line.grade
            )
            for line in lines
        ),
        asked=sum(line.outcome is not None for line in lines),
        images_per_answer=sum(line.images for line in lines) / len(lines),
        tokens_in=sum(line.tokens_in for line in lines),
        tokens_out=sum(line.tokens_out for line in lines),
    )


def read_support(path: Path) -> Iterator[SupportLine]:
    """The grades of a file, none where there is no file. Raises BadInputError with the line."""
    return read_lines(path, SupportLine, WHAT)


def support_judging(path: Path) -> Judging[SupportLine]:
    """The judgement that a file of grades keeps."""
    return Judging(
        path,
        SupportLine,
        WHAT,
        lambda line: LineFacts(
            line.judge, line.question_id, line.attempt, line.grade, line.outcome
        ),
    )


def _grade(
    question: Question,
    reference: str,
    tolerance: float | None,
    shown: AnswerViews,
    recording: Recording,
    judge: ModelBackend,
    perception: ViewPerception | None,
) -> SupportLine:
    """Ask the judge about one answer. Nothing was shown to a failure: its grade is 0."""
    base = SupportLine(
        judge=judge.name,
        question_id=question.question_id,
        attempt=shown.result.attempt,
        grade=0.0,
        images=len(shown.records),
    )
    if not shown.records:
        return base.model_copy(update={"reason": "no picture was attached to an answer"})
    first_stamp = _first_stamp(question, recording)
    inputs = JudgeInputs(
        question=question.text,
        contract=contract_of(question),
        reference_answer=reference,
        tolerance=tolerance,
        views=tuple(
            ShownView(name=str(number), caption=_caption(record, first_stamp))
            for number, record in enumerate(shown.records, start=1)
        ),
    )
    images = tuple(
        _image(record, number, recording, perception)
        for number, record in enumerate(shown.records, start=1)
    )
    try:
        reply = judge.ask(judge_request(inputs, images, question.question_id))
    except ModelCallError as error:
        record = error.record
        grade = parse_support(record.text) if record.outcome is CallOutcome.INVALID_REPLY else None
        return base.model_copy(
            update={
                "grade": grade,
                "outcome": record.outcome,
                "problem": record.problem,
                "tokens_in": record.tokens_in,
                "tokens_out": record.tokens_out,
            }
        )
    return base.model_copy(
        update={
            "grade": float(reply.value.grade),
            "reason": reply.value.reason,
            "outcome": reply.record.outcome,
            "tokens_in": reply.record.tokens_in,
            "tokens_out": reply.record.tokens_out,
        }
    )


def _image(
    record: LedgerRecord, number: int, recording: Recording, perception: ViewPerception | None
) -> StageImage:
    """A granted picture, cut again from the recording, numbered."""
    panorama = recording.panorama(record.sequence, record.frame_id)
    crop = None if record.kind is LedgerKind.GIVEN_FRAME else record.crop
    pixels = panorama if crop is None else cut(panorama, crop)
    data = judge_picture(pixels, number)
    source: Observation | GivenFrame
    if crop is None:
        source = GivenFrame(
            record.observation_id, record.sequence, record.frame_id, record.stamp_ns, data
        )
    else:
        source = Observation(
            record.observation_id,
            record.sequence,
            record.frame_id,
            record.stamp_ns,
            record.azimuth,
            record.field_of_view,
            crop,
            jpeg=data,
        )
    eyes = None if perception is None else (lambda: perception.detect(record, pixels))
    return StageImage(str(number), data, source=source, detect=eyes)


def _caption(record: LedgerRecord, first_stamp_us: int) -> str:
    """Where a picture was taken, in the words that the answering model had."""
    azimuth = None if record.kind is LedgerKind.GIVEN_FRAME else record.azimuth
    return view_caption(record.frame_id, record.stamp_ns, azimuth, first_stamp_us)


def _first_stamp(question: Question, recording: Recording) -> int:
    """Stamp in microseconds of the first frame that may be observed."""
    info = recording.sequence(question.sequence or recording.sequences()[0])
    first = min((span.first for span in question.legal_frames), default=int(info.frame_ids[0]))
    later = info.stamps_us[info.frame_ids >= first]
    return int(later[0]) if len(later) else int(info.stamps_us[0])
