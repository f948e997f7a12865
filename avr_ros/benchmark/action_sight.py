"""How actions look in a picture: what shows them, and what else one may call them.

Vocabulary that both routes to an answer go by, as they go by the names of actions.
"""

from __future__ import annotations

from typing import Final

from avr_ros.schema.vocabulary import POSE_ACTIONS

DETAIL_HEIGHT_PX: Final = 90.0
"""Height in pixels, inside the panorama, of the smallest box in which hands or wheels can be made
out."""

FACING_LIMIT_DEG: Final = 120.0
"""Degrees by which somebody may be turned away from the robot who has something in their hands:
farther around, the body hides it."""

IN_FRONT_OF_BODY: Final = frozenset(
    {"holding sth", "reading", "writing", "typing", "eating sth", "interaction with door"}
)
"""Actions of hands in front of the body, which hides them from behind."""

AT_THE_HEAD: Final = frozenset({"talking on the phone"})
"""Actions of one hand beside the head, which hides it from a side if the hand is the far one."""

PROFILE_DEG: Final = (50.0, 150.0)
"""Degrees by which somebody is turned away from the robot who is seen from a side."""

ALONG_THE_WAY: Final = frozenset({"scootering"})
"""Actions on something as narrow as the body, which does not show from ahead or behind."""

END_ON_DEG: Final = 25.0
"""Degrees off the line of sight up to which somebody is seen from ahead or behind."""

_ON_WHEELS: Final = frozenset({"cycling", "scootering", "skating"})

ALSO_CALLED: Final[dict[str, tuple[str, ...]]] = {
    "holding sth": (
        "reading",
        "writing",
        "eating sth",
        "talking on the phone",
        "looking into sth",
        "pushing",
        "pulling",
    ),
    "reading": ("looking into sth",),
    "walking": ("going upstairs", "going downstairs"),
}
"""For an action, others of which one may truly say the same: who reads a book holds something."""


def is_detail(action: str) -> bool:
    """Whether an action is told from the hands or from wheels rather than from the body."""
    return action not in POSE_ACTIONS or action in _ON_WHEELS
