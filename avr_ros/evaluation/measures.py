"""The scores of a question by name."""

from collections.abc import Callable
from typing import Final

from avr_ros.schema.result import SampleResult

MEASURES: Final[dict[str, Callable[[SampleResult], float]]] = {
    "answer": lambda result: float(result.score.answer),
    "evidence": lambda result: float(result.score.evidence),
    "combined": lambda result: float(result.score.combined),
}
"""What is right or wrong in every question."""

RATIO: Final[str] = "conditional_hallucination"
"""The share of right answers without right evidence, which no single question has."""
