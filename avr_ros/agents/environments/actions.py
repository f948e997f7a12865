"""Atomic actions: what an environment can be asked to do, each charged one step of its budget."""

import math
from dataclasses import dataclass
from enum import Enum
from typing import Final


class ActionName(str, Enum):
    """Atomic actions.

    LOOK is the only one of recordings: the view of a frame at an azimuth. The others are those of
    embodied environments (EviSeek, appendix F, table 7).
    """

    LOOK = "look"
    MOVE_FORWARD = "move_forward"
    MOVE_BACKWARD = "move_backward"
    MOVE_LEFT = "move_left"
    MOVE_RIGHT = "move_right"
    MOVE_UP = "move_up"
    MOVE_DOWN = "move_down"
    TURN_LEFT = "turn_left"
    TURN_RIGHT = "turn_right"
    TURN_UP = "turn_up"
    TURN_DOWN = "turn_down"
    PICK_UP = "pick_up"
    PUT_INSIDE = "put_inside"
    PUT_ON = "put_on"
    FILL_WITH_WATER = "fill_with_water"
    POUR = "pour"


LOCOMOTION: Final = frozenset(
    {
        ActionName.MOVE_FORWARD,
        ActionName.MOVE_BACKWARD,
        ActionName.MOVE_LEFT,
        ActionName.MOVE_RIGHT,
        ActionName.MOVE_UP,
        ActionName.MOVE_DOWN,
    }
)
"""Translations of the camera."""

TURNS: Final = frozenset(
    {ActionName.TURN_LEFT, ActionName.TURN_RIGHT, ActionName.TURN_UP, ActionName.TURN_DOWN}
)
"""Rotations of the camera."""

MANIPULATION: Final[dict[ActionName, int]] = {
    ActionName.PICK_UP: 1,
    ActionName.PUT_INSIDE: 2,
    ActionName.PUT_ON: 2,
    ActionName.FILL_WITH_WATER: 1,
    ActionName.POUR: 3,
}
"""Physical interventions and the number of objects that each one names."""

ESI_ACTIONS: Final = LOCOMOTION | TURNS | frozenset(MANIPULATION)
"""Atomic actions of ESI-Bench (table 7)."""

EXPRESS_ACTIONS: Final = frozenset(
    {ActionName.MOVE_FORWARD, ActionName.TURN_LEFT, ActionName.TURN_RIGHT}
)
"""Atomic actions of EXPRESS-Bench (table 7)."""


@dataclass(frozen=True)
class AtomicAction:
    """One atomic action.

    ``objects`` are those of a manipulation, in the order of its words (pour: what, from, to).
    ``frame_id``, ``azimuth`` and ``field_of_view`` (radians, 0: the default) belong to LOOK.
    """

    name: ActionName
    objects: tuple[str, ...] = ()
    frame_id: int | None = None
    azimuth: float | None = None
    field_of_view: float = 0.0


def action_text(action: AtomicAction) -> str:
    """An action as histories and logs name it, with table 7's words for manipulations."""
    objects = action.objects
    if action.name is ActionName.LOOK:
        assert action.frame_id is not None and action.azimuth is not None
        return look_text(action.frame_id, action.azimuth, action.field_of_view)
    if action.name is ActionName.PICK_UP:
        return f"pick_up {objects[0]}"
    if action.name is ActionName.PUT_INSIDE:
        return f"put {objects[0]} inside {objects[1]}"
    if action.name is ActionName.PUT_ON:
        return f"put {objects[0]} on {objects[1]}"
    if action.name is ActionName.FILL_WITH_WATER:
        return f"fill {objects[0]} with water"
    if action.name is ActionName.POUR:
        return f"pour {objects[0]} from {objects[1]} to {objects[2]}"
    return str(action.name.value)


def look_text(frame_id: int, azimuth: float, field_of_view: float = 0.0) -> str:
    """A view in words: frame, azimuth in degrees and, where it is narrowed, its width."""
    text = f"frame {frame_id}, azimuth {math.degrees(azimuth):.1f} deg"
    if field_of_view:
        text += f", {math.degrees(field_of_view):.1f} deg wide"
    return text
