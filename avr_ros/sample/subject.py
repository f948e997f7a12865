"""One person at one moment, as the drawing needs it."""

from __future__ import annotations

from dataclasses import dataclass

from avr_ros.sample.appearance import Appearance
from avr_ros.sample.drawing import FloatArray


@dataclass
class Subject:
    """One person at one moment, in the label frame.

    ``joints`` (24, 3) and ``directions`` (4, 3) as `body.place` gives them; ``root`` is the
    point on the floor below the pelvis and ``heading`` the way the person faces; ``things`` are
    the names of what is carried or ridden and ``side`` (+1 left, -1 right) the hand that does it;
    ``phase`` turns wheels and cranks; ``sunlight`` is the share of direct light that arrives.
    """

    identity: int
    appearance: Appearance
    joints: FloatArray
    directions: FloatArray
    root: FloatArray
    heading: float
    things: frozenset[str]
    side: float
    phase: float
    sunlight: float
