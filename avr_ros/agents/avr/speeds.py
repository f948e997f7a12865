"""How fast people go, by what they do."""

from typing import Final

from avr_ros.agents.avr.sighting import Sighting

SPEED: Final[dict[str, float]] = {
    "walking": 1.4,
    "running": 3.0,
    "cycling": 4.0,
    "scootering": 2.8,
    "skating": 2.8,
    "going upstairs": 0.7,
    "going downstairs": 0.7,
    "pushing": 1.2,
    "pulling": 1.2,
}
"""Usual speed of people who do these, metres a second; of others ``STILL_SPEED``."""

STILL_SPEED: Final = 0.2
"""Speed in metres a second allowed to somebody who does not go anywhere: they may set off."""


def usual_speed(sighting: Sighting) -> float:
    """The usual speed in metres a second of somebody who does what a sighting shows."""
    actions = [name for name, value in sighting.detection.actions.items() if value >= 0.5]
    return max((SPEED.get(action, STILL_SPEED) for action in actions), default=STILL_SPEED)


def goes(sighting: Sighting) -> bool:
    """Whether a person goes anywhere, by what they do."""
    return usual_speed(sighting) > STILL_SPEED
