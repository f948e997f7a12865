"""How often an agent asks which stage for one question: declared, not measured."""

from collections.abc import Callable
from dataclasses import dataclass

from avr_ros.schema.model import Record
from avr_ros.schema.question import Question


@dataclass(frozen=True)
class StageUse:
    """Calls of one stage for one question.

    ``typical`` calls are what is to be expected, ``most`` what budgets and settings allow;
    ``images`` and ``most_images`` are pictures in one call; ``told`` and ``most_told`` characters
    of inputs in one call beside the template and the question; ``said`` tokens of a reply.
    """

    stage: str
    typical: float
    most: int
    images: float = 0.0
    most_images: int = 0
    told: int = 0
    most_told: int = 0
    said: int = 150


StagePlan = Callable[[Question, Record], tuple[StageUse, ...]]
"""What an agent with some settings asks for a question."""
