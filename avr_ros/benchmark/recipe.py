"""What a question means, apart from its words and its answer.

A recipe holds frame ids and names only, so that it can be bound to the annotations it came from or
to changed ones. Frame ids, not indices.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from avr_ros.benchmark.relations import Relation
from avr_ros.schema.vocabulary import AnswerMode, Family


@dataclass(frozen=True)
class Reference:
    """The person a question is about.

    At ``frame`` exactly one person does all of ``actions``, or, with ``closest``, several do and
    one of them is closest to the robot: the anchor. ``relations`` lead from the anchor to the
    person meant; without any, the anchor is meant.
    """

    frame: int
    actions: tuple[str, ...]
    relations: tuple[Relation, ...] = ()
    closest: bool = False


class Edge(str, Enum):
    """An end of the time during which somebody does something."""

    START = "start"
    STOP = "stop"


@dataclass(frozen=True)
class EventKind:
    """An action starts, or stops."""

    edge: Edge
    action: str


@dataclass(frozen=True)
class BoundaryAsked:
    """The frame of the first such event after the described one."""

    event: EventKind


@dataclass(frozen=True)
class SpanAsked:
    """First and last frame of the first stretch of an action after the described frame."""

    action: str


@dataclass(frozen=True)
class StateAsked:
    """What the person does with the whole body at a frame."""

    frame: int


@dataclass(frozen=True)
class NextActionAsked:
    """Which visible action the person starts first after the described frame."""


@dataclass(frozen=True)
class PresenceAsked:
    """Whether the person is still there at a frame."""

    frame: int


@dataclass(frozen=True)
class DistanceAsked:
    """How many metres from the robot the person is at a frame."""

    frame: int


@dataclass(frozen=True)
class FirstViewAsked:
    """The first frame of an action after the described one, and where to look."""

    action: str


@dataclass(frozen=True)
class GapAsked:
    """How many seconds lie between two events after the described frame."""

    first: EventKind
    second: EventKind


Asked = (
    BoundaryAsked
    | SpanAsked
    | StateAsked
    | NextActionAsked
    | PresenceAsked
    | DistanceAsked
    | FirstViewAsked
    | GapAsked
)
"""What is asked about the person."""


@dataclass(frozen=True)
class Recipe:
    """One question. ``window`` are the first and last frame id that may be observed, none: all."""

    family: Family
    mode: AnswerMode
    sequence: str
    reference: Reference
    asked: Asked
    window: tuple[int, int] | None = None


AnswerValue = str | int | float | tuple[int, int]
"""An answer before it becomes a payload: the right choice's name, a frame id, seconds or metres,
or the first and last frame id of a span. Frame and view is the frame id; the view follows."""


@dataclass(frozen=True)
class Truth:
    """What a recipe's answer is by the annotations.

    ``path`` are the track ids from the anchor to the person meant. ``evidence`` are the frame ids
    in which the person may be shown. ``seen`` are (frame id, track id) pairs at which somebody
    must be visible for the question to be answered from pictures. ``shown`` are (frame id, action)
    pairs at which the person meant must be seen doing the action.
    """

    answer: AnswerValue
    path: tuple[int, ...]
    evidence: tuple[int, ...]
    seen: tuple[tuple[int, int], ...]
    shown: tuple[tuple[int, str], ...] = ()

    @property
    def target(self) -> int:
        """Track id of the person meant."""
        return self.path[-1]
