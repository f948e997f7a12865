"""What comes of solving a plan."""

from enum import IntEnum
from typing import Literal

from avr_ros.schema.fact import Fact
from avr_ros.schema.model import Record


class SolveStatus(IntEnum):
    """Outcome of solving a plan; the values are those of ``srv/SolvePlan``."""

    SOLVED = 0
    UNDETERMINED = 1
    AMBIGUOUS = 2
    CONTRADICTORY = 3
    INVALID_PLAN = 4
    UNKNOWN_EPISODE = 5


class SolvedAnswer(Record):
    """What was read off; only the parts that the plan's kind of answer has are set.

    ``frames`` are one frame, or two: of a span its first and last frame, of a gap its events.
    ``actions`` are what the person does or starts. ``number`` is metres, seconds or a count.
    """

    frames: tuple[int, ...] = ()
    actions: tuple[str, ...] = ()
    present: bool | None = None
    number: float | None = None


class Binding(Record):
    """A node and the entity that an assignment gives it."""

    node: str
    entity: str


class Solution(Record):
    """A plan's solution, or what keeps it from having one.

    ``targets`` are all entities that some assignment gives the target; ``assignments`` are all of
    them. The answer is legal only where the status is SOLVED. ``missing`` says in words which facts
    would settle it, ``conflicts`` which contradict each other, ``supports`` are the facts that the
    one solution rests on.
    """

    format: Literal["avr_ros/solution"] = "avr_ros/solution"
    version: Literal[1] = 1
    status: SolveStatus
    message: str = ""
    targets: tuple[str, ...] = ()
    assignments: tuple[tuple[Binding, ...], ...] = ()
    answer: SolvedAnswer | None = None
    supports: tuple[Fact, ...] = ()
    missing: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
