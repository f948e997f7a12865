"""Facts of the world model, each tied to the observation that shows it."""

from dataclasses import dataclass
from enum import Enum

from pydantic import Field

from avr_ros.schema.box import Box
from avr_ros.schema.model import Record


class FactKind(str, Enum):
    """What a fact states."""

    ENTITY = "entity"
    ATTRIBUTE = "attribute"
    RELATION = "relation"


class Provenance(Record):
    """Where a fact was seen, and by whom.

    ``azimuth`` is the view's in radians, none for a panorama; ``box`` is in panorama pixels.
    """

    observation_id: str = Field(min_length=1)
    frame_id: int = Field(ge=0)
    azimuth: float | None = None
    box: Box | None = None
    confidence: float = Field(default=1.0, ge=0, le=1)
    source: str = ""


class Fact(Record):
    """A statement about an entity at the time of one frame.

    ENTITY: ``subject`` exists (``predicate`` is its kind, e.g. ``person``). ATTRIBUTE:
    ``predicate`` of ``subject`` has ``value`` (e.g. ``action``, ``sitting``). RELATION:
    ``predicate`` holds between ``subject`` and the entity ``value``.
    """

    kind: FactKind
    subject: str = Field(min_length=1, max_length=200)
    predicate: str = Field(min_length=1, max_length=200)
    value: str = Field(default="", max_length=2000)
    provenance: Provenance


@dataclass(frozen=True)
class FactPattern:
    """A pattern of facts; empty strings and none match everything.

    ``kind`` is a value of :class:`FactKind`; the frames are those of the provenance, both included.
    """

    kind: str = ""
    subject: str = ""
    predicate: str = ""
    value: str = ""
    first_frame: int | None = None
    last_frame: int | None = None


@dataclass(frozen=True)
class WriteOutcome:
    """How many facts were accepted, and the position and reason of each one refused.

    ``revision`` is the world model's afterwards: it rises by one with every write that added facts.
    """

    accepted: int
    refused: tuple[tuple[int, str], ...]
    revision: int
