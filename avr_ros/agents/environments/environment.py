"""What an environment is: it declares what it can do, is charged for it, and shows what it did."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from avr_ros.agents.environments.actions import ActionName, AtomicAction
from avr_ros.reasoning.stage import StageImage
from avr_ros.schema.box import Box


@dataclass(frozen=True, eq=False)
class Shot:
    """One view that an atomic action brought, charged or (``granted`` false) a reference image.

    ``name`` is unique in the episode and what models call the view; ``caption`` says where it was
    taken: frame and azimuth on recordings, the action-derived pose elsewhere. ``frame_id``,
    ``azimuth``, ``field_of_view`` (radians) and ``observation_id`` belong to recordings.
    """

    name: str
    caption: str
    image: StageImage = field(repr=False)
    observation_id: str = ""
    frame_id: int | None = None
    azimuth: float | None = None
    field_of_view: float = 0.0


@dataclass(frozen=True, eq=False)
class Target:
    """What a tracking intent keeps in sight.

    ``name`` is an object's name in embodied environments; ``box`` (x, y, width, height in
    thousandths of the picture) marks a person in the shot ``shot``. ``bearing`` is the last known
    direction, radians to the left of the robot on recordings and of the camera elsewhere.
    ``turn`` is by how much the direction changed at the last step, and ``appearance`` is what a
    person looks like, a unit vector.
    """

    name: str = ""
    shot: str = ""
    box: Box | None = None
    bearing: float | None = None
    turn: float = 0.0
    appearance: npt.NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class ActionResult:
    """What an action led to.

    ``charged`` is false only for a request that the environment refused before doing anything.
    ``feedback`` is what it says of the outcome, not yet truncated; ``shot`` what it shows.
    """

    success: bool
    feedback: str
    shot: Shot | None
    charged: bool = True


@dataclass(frozen=True)
class StepSizes:
    """Size of a translation in metres, and of a turn in radians."""

    translation_m: float = 0.25
    turn: float = 0.2617993877991494


class Environment(Protocol):
    """An episode's world. Used by one thread."""

    @property
    def description(self) -> str:
        """What the environment is and how views are named, for prompts."""

    @property
    def actions(self) -> frozenset[ActionName]:
        """The atomic actions that it can do."""

    @property
    def remaining(self) -> int:
        """Atomic actions that are left."""

    def execute(self, action: AtomicAction) -> ActionResult:
        """Do one action and charge it. Raises ValueError for an action that was not declared."""

    def locate(self, shot: Shot, target: Target) -> Target | None:
        """The target as the shot shows it, with its bearing; none where it is not in sight."""
