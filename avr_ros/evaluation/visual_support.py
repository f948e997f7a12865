"""Whether answers were supported by what the answering model was shown.

A judge that does not see the prediction grades the images of the call that gave an answer:
δ = 1 where every decisive fact can be verified in them, ½ where they are relevant but leave one
open, 0 where it is absent (EviSeek, section 5.3 and appendix B). With s the score of an answer,
over all n questions,

    C  = 100/n Σ δ s            supported and right
    GW = 100/n Σ δ (1 − s)      supported and wrong
    P  = 100/n Σ (1 − δ) s      = Acc − C
    N  = 100/n Σ (1 − δ)(1 − s) = 100 − Acc − GW

so that the four add up to 100. A question whose judge failed stays in with δ = 0 and is counted;
so is one without an answer, which was shown nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from pydantic import Field, field_validator

from avr_ros.evaluation.judge_reply import single_mark
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record

GRADES: Final[tuple[float, float, float]] = (0.0, 0.5, 1.0)
"""The grades δ of visual support."""

_NAMES = ("grade", "support", "support grade", "visual support", "delta", "δ", "mark", "score")


class JudgedAnswer(Record):
    """One answer's score, from 0 to 1, and the grade of its visual support.

    ``support`` is none where the judge's reply gave no grade.
    """

    question_id: str
    score: float = Field(ge=0, le=1)
    support: float | None

    @field_validator("support")
    @classmethod
    def _is_grade(cls, value: float | None) -> float | None:
        if value is not None and value not in GRADES:
            raise ValueError(f"{value:g} is no grade of visual support; they are 0, 0.5 and 1")
        return value


class VisualSupport(Record):
    """C, GW, P and N over a set of questions, in percent, with accuracy as their sum C + P."""

    n: int
    accuracy: float
    supported_right: float
    supported_wrong: float
    unsupported_right: float
    unsupported_wrong: float
    judge_failures: int


def parse_support(reply: str) -> float | None:
    """The grade in a judge's reply, none where there is no clear one."""
    return single_mark(reply, _NAMES, GRADES, 1.0)


def supported_score(answer: JudgedAnswer) -> float:
    """δ s of one question, the graded score that systems are compared by."""
    return (answer.support or 0.0) * answer.score


def visual_support(answers: Iterable[JudgedAnswer]) -> VisualSupport:
    """C, GW, P and N of answers.

    Raises BadInputError without answers and where a question is there twice.
    """
    rows = list(answers)
    if not rows:
        raise BadInputError("there is no judged answer; judge some answers first")
    _refuse_repeats([row.question_id for row in rows])
    n = len(rows)
    accuracy = 100.0 * sum(row.score for row in rows) / n
    support = 100.0 * sum(row.support or 0.0 for row in rows) / n
    right = 100.0 * sum(supported_score(row) for row in rows) / n
    wrong = support - right
    return VisualSupport(
        n=n,
        accuracy=accuracy,
        supported_right=right,
        supported_wrong=wrong,
        unsupported_right=accuracy - right,
        unsupported_wrong=100.0 - accuracy - wrong,
        judge_failures=sum(row.support is None for row in rows),
    )


def _refuse_repeats(names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadInputError(f"question {name} was judged twice; give every answer once")
        seen.add(name)
