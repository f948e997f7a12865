"""What perception says about one person in one view."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from avr_ros.schema.box import Box

APPEARANCE_SIZE = 64
"""Length of an appearance vector; vectors have unit length and are compared by dot product."""


@dataclass(frozen=True, eq=False)
class GroundPosition:
    """A position on the ground in the robot's frame at the view's time, metres.

    ``x`` forward, ``y`` left; ``sigma`` is the standard deviation along the line of sight.
    """

    x: float
    y: float
    sigma: float


@dataclass(frozen=True, eq=False)
class Detection:
    """One person.

    ``box`` is in panorama pixels; ``confidence`` in [0, 1]; ``actions`` maps action names
    (JRDB's vocabulary) to probabilities; ``appearance`` is a unit vector of ``APPEARANCE_SIZE``
    float32; ``visibility`` is the visible share of the body in [0, 1]; ``heading`` is the direction
    that the body faces, radians in [-pi, pi) in the robot's frame at the view's time,
    counter-clockwise from forward, none where perception cannot tell.
    """

    box: Box
    confidence: float
    actions: dict[str, float]
    appearance: npt.NDArray[np.float32]
    ground: GroundPosition | None
    visibility: float
    heading: float | None = None
