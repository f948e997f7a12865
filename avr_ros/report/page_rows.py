"""What the page says of each question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from avr_ros.report.answer_text import answer_text, prediction_text
from avr_ros.report.evidence_picture import EvidencePicture, EvidencePictures
from avr_ros.report.evidence_state import EvidenceState, evidence_state
from avr_ros.report.number_text import amount
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.episode import Ledger
from avr_ros.schema.question import Question
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step

MAX_DETAILED: Final[int] = 60
"""Questions that are shown with pictures and steps."""

MAX_STEPS: Final[int] = 100
"""Steps that are shown of one question."""


@dataclass(frozen=True)
class PageStep:
    """One step in words."""

    number: int
    kind: str
    summary: str
    view: str
    seconds: str


@dataclass(frozen=True)
class PageRow:
    """One question as the page shows it; ``key`` is empty where no keys were given."""

    question_id: str
    family: str
    mode: str
    sequence: str
    text: str
    choices: tuple[str, ...]
    given: str
    reason: str
    key: str
    answer: bool
    evidence: bool
    combined: bool
    evidence_reason: str
    iou: str
    attempt: int
    cost: str
    detailed: bool
    pictures: tuple[EvidencePicture, ...] = ()
    steps: tuple[PageStep, ...] = field(default=())
    evidence_state: EvidenceState | None = None
    steps_left_out: int = 0


def chosen_for_detail(results: Sequence[SampleResult], limit: int = MAX_DETAILED) -> list[str]:
    """The questions that get pictures and steps: half of the room for those that are not wholly
    right, the rest for right ones, each in the questions' order, unused room to the other half.
    """
    wrong = [result.question_id for result in results if not result.score.combined]
    right = [result.question_id for result in results if result.score.combined]
    for_wrong = max(limit // 2, limit - len(right))
    kept_wrong = wrong[:for_wrong]
    return kept_wrong + right[: limit - len(kept_wrong)]


def page_rows(
    results: Sequence[SampleResult],
    questions: Mapping[str, Question],
    keys: Mapping[str, AnswerKey],
    steps: Mapping[str, Sequence[Step]],
    ledgers: Mapping[str, Ledger],
    pictures: EvidencePictures | None,
    chosen: Sequence[str],
) -> list[PageRow]:
    """The rows of the page in the questions' order.

    ``steps`` are by question id: what an agent sought and kept is shown of every question, steps
    and pictures of the ``chosen`` ones, for which alone ``ledgers`` are needed. ``keys`` may be
    empty.
    """
    detailed = set(chosen)
    return [
        _row(
            result,
            questions[result.question_id],
            keys.get(result.question_id),
            steps.get(result.question_id, ()),
            ledgers.get(result.question_id, Ledger("")),
            pictures,
            result.question_id in detailed,
        )
        for result in results
    ]


def _row(
    result: SampleResult,
    question: Question,
    key: AnswerKey | None,
    steps: Sequence[Step],
    ledger: Ledger,
    pictures: EvidencePictures | None,
    detailed: bool,
) -> PageRow:
    score, cost = result.score, result.cost
    drawn: list[EvidencePicture] = []
    if detailed and pictures is not None:
        drawn = pictures.pictures(question, key, result.prediction, ledger, score.evidence)
    shown = steps[:MAX_STEPS] if detailed else ()
    return PageRow(
        question_id=result.question_id,
        family=result.family.value if result.family is not None else "",
        mode=result.answer_mode.value,
        sequence=result.sequence,
        text=question.text,
        choices=question.choices,
        given=prediction_text(result.prediction, question),
        reason=result.prediction.reason,
        key=answer_text(key.answer, question) if key is not None else "",
        answer=score.answer,
        evidence=score.evidence,
        combined=score.combined,
        evidence_reason=score.evidence_reason.value.replace("_", " "),
        iou="" if score.iou is None else f"{score.iou:.2f}",
        attempt=result.attempt,
        cost=f"{cost.steps} steps, {cost.observations} observations, {cost.calls} calls, "
        f"{amount(round(cost.seconds, 2))} s",
        detailed=detailed,
        pictures=tuple(drawn),
        steps=tuple(_step(step) for step in shown),
        evidence_state=evidence_state(steps),
        steps_left_out=len(steps) - len(shown) if detailed else 0,
    )


def _step(step: Step) -> PageStep:
    view = ""
    if step.frame_id is not None:
        view = f"frame {step.frame_id}"
        if step.azimuth_deg is not None:
            view += f", {step.azimuth_deg:.1f}°"
    return PageStep(
        number=step.number,
        kind=step.kind.value.replace("_", " "),
        summary=step.summary,
        view=view,
        seconds=f"{step.seconds:.3f}",
    )
