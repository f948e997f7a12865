"""The report of a run: report.json."""

from typing import Literal

from pydantic import Field

from avr_ros.schema.model import Record


class Rates(Record):
    """Scores over a set of questions, in percent.

    ``conditional_hallucination`` is 1 − combined / answer, none where no answer was right.
    """

    n: int = Field(ge=0)
    answer: float
    evidence: float
    combined: float
    conditional_hallucination: float | None


class Interval(Record):
    """A 95 % interval in percent; none where the rate is undefined."""

    low: float | None
    high: float | None


class RateIntervals(Record):
    """Intervals of each rate."""

    answer: Interval
    evidence: Interval
    combined: Interval
    conditional_hallucination: Interval


class Intervals(Record):
    """Bootstrap intervals by question and by sequence cluster, with how they were made."""

    by_question: RateIntervals
    by_sequence: RateIntervals
    resamples: int
    seed: int


class CostMeans(Record):
    """Means per question."""

    steps: float
    observations: float
    given_frames: float
    calls: float
    tokens_in: float
    tokens_out: float
    tokens_reasoning: float
    images: float
    seconds: float
    model_seconds: float
    perception_seconds: float


class ObservationUse(Record):
    """Median observations used in a family."""

    median: float
    reference: float | None


class Thresholds(Record):
    """What the scorer demanded."""

    evidence_iou: float
    span_iou: float
    view_share: float


class Report(Record):
    """Scores, failures, cost and identity of a run.

    Scores are of this package's own questions and are called avr_ros scores.
    """

    format: Literal["avr_ros/report"] = "avr_ros/report"
    version: Literal[1] = 1
    n: int
    answer: float
    evidence: float
    combined: float
    conditional_hallucination: float | None
    by_family: dict[str, Rates]
    by_answer_mode: dict[str, Rates]
    failures: dict[str, int]
    evidence_reasons: dict[str, int]
    cost: CostMeans
    observations: dict[str, ObservationUse]
    intervals: Intervals
    thresholds: Thresholds
    oracle_perception: bool
    stand_in_model: bool
    agent: str
    model: str
    perception: str
    hashes: dict[str, str]
    package_version: str
    started_at: str
    finished_at: str
    wall_seconds: float
