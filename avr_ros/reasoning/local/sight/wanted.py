"""What the search through a scene comes to: an answer, or what must be looked at next."""

from dataclasses import dataclass, field
from enum import Enum

from avr_ros.reasoning.local.sight.identity import Track
from avr_ros.reasoning.local.sight.seen import SeenPerson
from avr_ros.schema.answer import Answer


class Part(str, Enum):
    """Which part of a question something belongs to."""

    WHO = "who"
    WHAT = "what"


@dataclass(frozen=True, eq=False)
class Around:
    """Look at a frame in these directions, radians, in order."""

    frame: int
    azimuths: tuple[float, ...]
    part: Part


@dataclass(frozen=True, eq=False)
class LookAt:
    """Look once."""

    frame: int
    azimuth: float
    part: Part


@dataclass(frozen=True, eq=False)
class Through:
    """Watch the person meant through evenly spaced frames, the first of them soonest."""

    frames: tuple[int, ...]
    azimuth: float
    part: Part = Part.WHAT


@dataclass(frozen=True, eq=False)
class Stuck:
    """Neither an answer nor anything left to look at; the reason says why."""

    reason: str
    part: Part


@dataclass(frozen=True, eq=False)
class Solved:
    """An answer, the sighting that shows it, and why."""

    answer: Answer
    evidence: SeenPerson | None
    reason: str


Next = Around | LookAt | Through | Stuck | Solved


@dataclass(eq=False)
class Findings:
    """What the search knows: ``who`` is meant, ``used`` are the sightings that it rests on."""

    next: Next
    who: Track | None = None
    used: list[SeenPerson] = field(default_factory=list)
