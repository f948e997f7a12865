"""EXPRESS-Bench's metrics: C, C*, E_path and d_T (Jiang et al. 2025; evaluation.py upstream).

A judge gives every answer a grounding mark δ of 0, ½ or 1 and an answer mark σ from 1 to 5. With
l the shortest and p the travelled path length in metres,

    C      = 100 mean(δσ/5)
    C*     = 100 mean(σ/5)
    E_path = 100 mean(δσ/5 · l / max(p, l))
    d_T    = mean distance to the goal at the end, metres

Upstream a row with an infinite path leaves C, C* and E_path, one with an infinite distance leaves
d_T, and p = l = 0 makes E_path undefined as a whole. Here no row leaves C or C*; a path that is
infinite earns nothing, standing still at the goal earns all; what no value can be given to is
counted, and every metric says over how many rows it was taken.
"""

import math
import re
from collections.abc import Iterable
from typing import Final

from pydantic import ConfigDict, Field, field_validator

from avr_ros.evaluation.judge_reply import NUMBER, plain
from avr_ros.evaluation.visual_support import GRADES
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record

LARGEST_MARK: Final[int] = 5
"""The best answer mark σ."""

_GROUNDING = rf"({NUMBER})(?:\s*/\s*1(?:\.0)?)?"
_ANSWER = rf"({NUMBER})(?:\s*/\s*5(?:\.0)?)?(?![\w/%]|\.\d)"
_PAIR = rf"[(\[]?\s*{_GROUNDING}\s*[,;]\s*{_ANSWER}\s*[)\]]?"


class ExpressRow(Record):
    """One judged episode; lengths and distances in metres, infinite where there is no path.

    ``trajectory_id`` names the cluster that questions of one trajectory form. ``grounding`` and
    ``answer_mark`` are none where there is no answer or the judge gave no mark.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=True)

    question_id: str
    trajectory_id: str = ""
    grounding: float | None
    answer_mark: int | None = Field(ge=1, le=LARGEST_MARK)
    shortest_path: float = Field(ge=0)
    travelled_path: float = Field(ge=0)
    goal_distance: float = Field(ge=0)

    @field_validator("grounding")
    @classmethod
    def _is_grade(cls, value: float | None) -> float | None:
        if value is not None and value not in GRADES:
            raise ValueError(f"{value:g} is no grounding mark; they are 0, 0.5 and 1")
        return value


class ExpressMetrics(Record):
    """The metrics with the number of rows behind each.

    ``grounded``, ``answered`` (C, C*) and ``path_weighted`` (E_path) are in percent, the last
    over ``path_n`` rows: those whose goal can be reached at all, ``unreachable_goals`` cannot.
    ``final_distance`` (d_T) is in metres over the ``distance_n`` rows where it is finite. Both
    are none where no row is left. ``without_marks`` rows have no marks and score 0.
    """

    n: int
    grounded: float
    answered: float
    path_weighted: float | None
    path_n: int
    unreachable_goals: int
    infinite_paths: int
    final_distance: float | None
    distance_n: int
    without_marks: int


def parse_marks(reply: str) -> tuple[float, int] | None:
    """Grounding and answer mark of a judge's reply, none where they are not clear.

    A pair behind "your mark" counts, else one that the reply begins with; two different ones
    behind "your mark" are not clear.
    """
    text = plain(reply)
    found = list(re.finditer(rf"your marks?\s*(?:[:=]|is|are)\s*{_PAIR}", text, re.IGNORECASE))
    if not found:
        found = [match] if (match := re.match(_PAIR, text)) else []
    pairs = {(float(match.group(1)), float(match.group(2))) for match in found}
    if len(pairs) != 1:
        return None
    grounding, answer = pairs.pop()
    if grounding not in GRADES or answer not in range(1, LARGEST_MARK + 1):
        return None
    return grounding, int(answer)


def answer_score(row: ExpressRow) -> float:
    """C* of one row, σ/5, from 0 to 1."""
    return (row.answer_mark or 0) / LARGEST_MARK


def grounded_score(row: ExpressRow) -> float:
    """C of one row, δσ/5, from 0 to 1."""
    return (row.grounding or 0.0) * answer_score(row)


def path_share(row: ExpressRow) -> float | None:
    """l / max(p, l): 1 where neither is longer than 0, none where the goal cannot be reached."""
    if math.isinf(row.shortest_path):
        return None
    if math.isinf(row.travelled_path):
        return 0.0
    longest = max(row.travelled_path, row.shortest_path)
    return 1.0 if longest == 0 else row.shortest_path / longest


def express_metrics(rows: Iterable[ExpressRow]) -> ExpressMetrics:
    """The metrics of judged episodes.

    Raises BadInputError without rows and where a question is there twice.
    """
    listed = list(rows)
    if not listed:
        raise BadInputError("there is no judged episode; judge some answers first")
    repeated = len(listed) - len({row.question_id for row in listed})
    if repeated:
        raise BadInputError(f"{repeated} questions were judged twice; give every episode once")
    n = len(listed)
    weighted = [
        grounded_score(row) * share for row in listed if (share := path_share(row)) is not None
    ]
    distances = [row.goal_distance for row in listed if math.isfinite(row.goal_distance)]
    return ExpressMetrics(
        n=n,
        grounded=100.0 * sum(map(grounded_score, listed)) / n,
        answered=100.0 * sum(map(answer_score, listed)) / n,
        path_weighted=100.0 * sum(weighted) / len(weighted) if weighted else None,
        path_n=len(weighted),
        unreachable_goals=n - len(weighted),
        infinite_paths=sum(math.isinf(row.travelled_path) for row in listed),
        final_distance=sum(distances) / len(distances) if distances else None,
        distance_n=len(distances),
        without_marks=sum(row.grounding is None or row.answer_mark is None for row in listed),
    )
