"""Action-derived poses: where commands should have brought the camera (EviSeek, appendix E).

They start at zero and are changed by commands alone: nothing is read from a simulator, so they can
differ from where the camera is. East and north are internal axes: at first the camera looks north.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

from avr_ros.agents.environments.actions import ActionName
from avr_ros.agents.environments.environment import StepSizes

_ALONG: Final[dict[ActionName, tuple[float, float]]] = {
    ActionName.MOVE_FORWARD: (0.0, 1.0),
    ActionName.MOVE_BACKWARD: (0.0, -1.0),
    ActionName.MOVE_LEFT: (-1.0, 0.0),
    ActionName.MOVE_RIGHT: (1.0, 0.0),
}
"""Translations as (to the right, ahead) in the horizontal plane."""


@dataclass(frozen=True)
class PoseBounds:
    """Bounds of height in metres, relative to the start, and of pitch in radians."""

    lowest: float = -1.5
    highest: float = 1.5
    pitch: float = math.radians(75)


@dataclass(frozen=True)
class ActionPose:
    """Metres east and north, height over the start, heading (left positive) and pitch, radians."""

    east: float = 0.0
    north: float = 0.0
    height: float = 0.0
    heading: float = 0.0
    pitch: float = 0.0

    def after(self, action: ActionName, sizes: StepSizes, bounds: PoseBounds) -> "ActionPose":
        """The pose after a command; manipulations do not change it."""
        if action in _ALONG:
            right, ahead = (sizes.translation_m * share for share in _ALONG[action])
            cosine, sine = math.cos(self.heading), math.sin(self.heading)
            return replace(
                self,
                east=self.east + right * cosine - ahead * sine,
                north=self.north + right * sine + ahead * cosine,
            )
        if action in (ActionName.MOVE_UP, ActionName.MOVE_DOWN):
            step = sizes.translation_m if action is ActionName.MOVE_UP else -sizes.translation_m
            return replace(self, height=min(max(self.height + step, bounds.lowest), bounds.highest))
        if action in (ActionName.TURN_LEFT, ActionName.TURN_RIGHT):
            turn = sizes.turn if action is ActionName.TURN_LEFT else -sizes.turn
            return replace(self, heading=math.remainder(self.heading + turn, 2 * math.pi))
        if action in (ActionName.TURN_UP, ActionName.TURN_DOWN):
            turn = sizes.turn if action is ActionName.TURN_UP else -sizes.turn
            return replace(self, pitch=min(max(self.pitch + turn, -bounds.pitch), bounds.pitch))
        return self

    @property
    def text(self) -> str:
        """The annotation of appendix E, such as ``d(+0.00E,+0.00N,z0.75)``, with the directions."""
        east, north, height = (_shown(value) for value in (self.east, self.north, self.height))
        return (
            f"d({east:+.2f}E,{north:+.2f}N,z{height:.2f}) "
            f"heading {_shown(math.degrees(self.heading)):+.0f} "
            f"pitch {_shown(math.degrees(self.pitch)):+.0f}"
        )


def _shown(value: float) -> float:
    """Zero without a sign where rounding would leave one."""
    return value if abs(value) >= 0.005 else 0.0
