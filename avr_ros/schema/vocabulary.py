"""Words with a fixed meaning: JRDB's classes of actions and occlusion, families, answer modes."""

from enum import Enum
from typing import Final

ACTIONS: Final[tuple[str, ...]] = (
    "impossible",
    "walking",
    "standing",
    "holding sth",
    "sitting",
    "listening to someone",
    "talking to someone",
    "looking at robot",
    "looking into sth",
    "looking at sth",
    "cycling",
    "going upstairs",
    "bending",
    "typing",
    "interaction with door",
    "eating sth",
    "talking on the phone",
    "pointing at sth",
    "going downstairs",
    "reading",
    "pushing",
    "skating",
    "scootering",
    "greeting gestures",
    "running",
    "writing",
    "pulling",
    "lying",
)
"""JRDB-Act's action classes; the position is the class id (toolkit, action label map)."""

ACTION_INDEX: Final[dict[str, int]] = {name: index for index, name in enumerate(ACTIONS)}
"""Class id of each action name."""

POSE_ACTIONS: Final[tuple[str, ...]] = (
    "walking",
    "standing",
    "sitting",
    "bending",
    "running",
    "cycling",
    "going upstairs",
    "going downstairs",
    "skating",
    "scootering",
    "lying",
)
"""Actions told from the body's posture; a person has at most one of them at a time."""


KEYPOINTS: Final[tuple[str, ...]] = (
    "head",
    "right eye",
    "left eye",
    "right shoulder",
    "center shoulder",
    "left shoulder",
    "right elbow",
    "left elbow",
    "center hip",
    "right wrist",
    "right hip",
    "left hip",
    "left wrist",
    "right knee",
    "left knee",
    "right foot",
    "left foot",
)
"""JRDB-Pose's keypoints in the files' order (toolkit, pose evaluation)."""


class Occlusion(str, Enum):
    """JRDB's occlusion classes of a 2D box, by falling visibility."""

    FULLY_VISIBLE = "Fully_visible"
    MOSTLY_VISIBLE = "Mostly_visible"
    SEVERELY_OCCLUDED = "Severely_occluded"
    FULLY_OCCLUDED = "Fully_occluded"


class Family(str, Enum):
    """Question families of the benchmark."""

    ACTION_BOUNDARY = "action_boundary"
    RELATION_CHAIN = "relation_chain"
    TEMPORAL_CHAIN = "temporal_chain"
    CHAIN_HYBRID = "chain_hybrid"
    UNIQUE_ANCHOR_ACTION = "unique_anchor_action"
    UNIQUE_ANCHOR_STATE = "unique_anchor_state"
    LONG_RANGE = "long_range"


class AnswerMode(str, Enum):
    """The kinds of answer payload."""

    CHOICE = "choice"
    FRAME = "frame"
    SPAN = "span"
    FRAME_VIEW = "frame_view"
    NUMBER = "number"
