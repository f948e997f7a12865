"""How often people do what they do."""

from typing import Final

from avr_ros.schema.vocabulary import POSE_ACTIONS

RATES: Final[dict[str, float]] = {
    "standing": 0.47,
    "walking": 0.33,
    "sitting": 0.12,
    "looking into sth": 0.13,
    "listening to someone": 0.14,
    "talking on the phone": 0.09,
    "talking to someone": 0.09,
    "holding sth": 0.11,
    "reading": 0.04,
}
"""Shares of the people in views who do an action, measured on views all around of development
sequences of the sample; of any other action ``OTHER_RATE``."""

OTHER_POSTURE_RATE: Final = 0.06
"""The share reckoned with for any one of the rarer postures. It is more than they have: one of all
postures is told, and what is left over for those that are not done would else speak for them."""

OTHER_RATE: Final = 0.02
"""The share of people who do any one of the rarer activities: a few sequences say little of it."""


def rate(action: str) -> float:
    """How often somebody of whom nothing is known does an action."""
    return RATES.get(action, OTHER_POSTURE_RATE if action in POSE_ACTIONS else OTHER_RATE)
