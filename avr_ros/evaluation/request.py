"""What a user asks to be run."""

from pathlib import Path
from typing import Final

from pydantic import Field

from avr_ros.evaluation.specification import DEFAULT_QUESTION_DEADLINE
from avr_ros.schema.model import Record

DEFAULT_SEED: Final[int] = 0
"""Seed of a run where none is given."""


class RunRequest(Record):
    """A run as it is asked for, on the command line or in an ``Evaluate`` goal.

    ``settings`` are further ``name=value`` texts; ``limit`` keeps the first questions only, 0:
    all; ``question_deadline`` is in seconds.
    """

    dataset: Path
    questions: Path
    keys: Path
    out: Path
    agent: str
    model: str
    perception: str
    seed: int = DEFAULT_SEED
    workers: int = Field(default=1, ge=1, le=256)
    limit: int = Field(default=0, ge=0)
    question_deadline: float = Field(default=DEFAULT_QUESTION_DEADLINE, gt=0)
    settings: tuple[str, ...] = ()
