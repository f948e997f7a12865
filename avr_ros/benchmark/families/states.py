"""What a person is doing, as one answer, and which other answers are surely wrong."""

from __future__ import annotations

from typing import Final

import numpy as np

from avr_ros.benchmark.references import STABLE_FRAMES
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.wording import VISIBLE_ACTIONS
from avr_ros.schema.vocabulary import ACTIONS, POSE_ACTIONS

POSES: Final = frozenset(POSE_ACTIONS)

_LOOKS_LIKE: Final[dict[str, tuple[str, ...]]] = {
    "looking into sth": ("holding sth", "reading", "typing", "writing"),
    "looking at sth": ("reading",),
    "reading": ("holding sth", "writing", "typing"),
    "writing": ("holding sth", "reading", "typing"),
    "typing": ("holding sth", "reading", "writing"),
    "eating sth": ("holding sth", "talking on the phone"),
    "talking on the phone": ("holding sth", "eating sth"),
    "holding sth": ("reading", "eating sth", "pushing", "pulling", "writing"),
    "pushing": ("holding sth", "pulling", "interaction with door"),
    "pulling": ("holding sth", "pushing", "interaction with door"),
    "interaction with door": ("pushing", "pulling", "holding sth"),
    "talking to someone": ("greeting gestures", "pointing at sth"),
    "greeting gestures": ("pointing at sth", "talking on the phone"),
    "pointing at sth": ("greeting gestures",),
    "walking": ("running", "going upstairs", "going downstairs", "pushing", "pulling"),
    "running": ("walking",),
    "going upstairs": ("walking", "going downstairs"),
    "going downstairs": ("walking", "going upstairs"),
    "cycling": ("sitting",),
    "scootering": ("standing", "skating", "holding sth"),
    "skating": ("scootering", "running"),
    "bending": ("sitting",),
    "lying": ("sitting",),
}
"""For an action, others that one may take it for, or that may go with it unsaid.

Standing is none of them for walking: the frames around tell.
"""


def state_of(actions: frozenset[str]) -> str | None:
    """The one thing a person is doing: the only visible activity, else the posture.

    None where there are two activities, or nothing visible.
    """
    visible = [action for action in VISIBLE_ACTIONS if action in actions]
    activities = [action for action in visible if action not in POSES]
    postures = [action for action in visible if action in POSES]
    if len(activities) > 1 or len(postures) > 1:
        return None
    found = activities or postures
    return found[0] if found else None


def not_surely_wrong(actions: frozenset[str]) -> frozenset[str]:
    """Answers that are no distractors for a person: what they do, and what that looks like."""
    return actions.union(*(_LOOKS_LIKE.get(action, ()) for action in actions))


def actions_at(scene: Scene, frame: int, person: int) -> frozenset[str] | None:
    """A person's annotated actions; indices. None where they are unknown."""
    if not scene.known[frame, person]:
        return None
    mask = int(scene.actions[frame, person])
    return frozenset(name for bit, name in enumerate(ACTIONS) if mask >> bit & 1)


def steady_state(scene: Scene, frame: int, person: int) -> str | None:
    """What a person is doing at and around a frame index; none where that changes."""
    key = ("steady state", frame, person)
    if key not in scene.cache:
        scene.cache[key] = _find_steady_state(scene, frame, person)
    state = scene.cache[key]
    return None if state is None else str(state)


def _find_steady_state(scene: Scene, frame: int, person: int) -> str | None:
    around = slice(max(frame - STABLE_FRAMES, 0), frame + STABLE_FRAMES + 1)
    masks = scene.actions[around, person]
    if not np.all(scene.known[around, person]) or np.any(masks != masks[0]):
        return None
    actions = actions_at(scene, frame, person)
    return None if actions is None else state_of(actions)


def states_seen(scene: Scene, frame: int, people: list[int]) -> list[str]:
    """What people are doing at a frame index, each answer once, unknown ones left out."""
    found: list[str] = []
    for person in people:
        actions = actions_at(scene, frame, person)
        state = None if actions is None else state_of(actions)
        if state is not None and state not in found:
            found.append(state)
    return found


def raw_state(rows: RawRows, track: int, frame: int) -> str | None:
    """Second route: what a person does in every one of the frames around a frame id."""
    found: set[str] = set()
    for near in rows.around(frame, 2):
        row = rows.of(near, track)
        if row is None or row.actions is None:
            return None
        handled = sorted(row.actions.intersection(VISIBLE_ACTIONS).difference(POSE_ACTIONS))
        stance = sorted(row.actions.intersection(VISIBLE_ACTIONS).intersection(POSE_ACTIONS))
        if len(handled) == 1 and len(stance) <= 1:
            found.add(handled[0])
        elif not handled and len(stance) == 1:
            found.add(stance[0])
        else:
            return None
    return found.pop() if len(found) == 1 else None
