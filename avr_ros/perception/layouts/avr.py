"""Outputs of this package's own detectors, by name.

``boxes`` (B, N, 4) left, top, right, bottom in input px; ``scores`` (B, N); ``actions`` (B, N, A)
probabilities, named by the file's metadata ``actions``, a comma-separated list; ``visibility``
(B, N); ``foot`` (B, N, 3) column and row of the place on the floor and the row's mean absolute
error in px; ``heading`` (B, N, 2) cosine and sine against the direction of sight; ``appearance``
(B, N, 64) of unit length.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from avr_ros.perception.errors import DetectorError
from avr_ros.perception.layouts.found import Found
from avr_ros.schema.detection import APPEARANCE_SIZE
from avr_ros.schema.vocabulary import ACTION_INDEX

OUTPUTS: Final = ("boxes", "scores", "actions", "visibility", "foot", "heading", "appearance")
ACTIONS_KEY: Final = "actions"


def action_names(metadata: Mapping[str, str]) -> tuple[str, ...]:
    """The actions that a file tells. Raises DetectorError where it does not say, or says others
    than JRDB's."""
    names = tuple(filter(None, metadata.get(ACTIONS_KEY, "").split(",")))
    unknown = [name for name in names if name not in ACTION_INDEX]
    if not names or unknown:
        reason = f"names the unknown action {unknown[0]!r}" if unknown else "names no actions"
        raise DetectorError(
            f"the detector's metadata {reason}: layout avr needs '{ACTIONS_KEY}' with JRDB's names"
        )
    return names


def decode(outputs: Mapping[str, NDArray[Any]], position: int, names: tuple[str, ...]) -> Found:
    """People of the input at a position of the batch."""
    one = {name: np.asarray(outputs[name][position], np.float64) for name in OUTPUTS}
    count = len(one["scores"])
    wanted = {
        "boxes": (count, 4),
        "scores": (count,),
        "actions": (count, len(names)),
        "visibility": (count,),
        "foot": (count, 3),
        "heading": (count, 2),
        "appearance": (count, APPEARANCE_SIZE),
    }
    for name, shape in wanted.items():
        if one[name].shape != shape:
            raise DetectorError(
                f"the detector's output {name!r} is of shape {one[name].shape} for each image, "
                f"layout avr has {shape}: correct 'layout' in its description"
            )
    return Found(
        corners=one["boxes"],
        score=one["scores"],
        actions=one["actions"],
        action_names=names,
        visibility=one["visibility"],
        foot=one["foot"],
        facing=one["heading"],
        appearance=one["appearance"].astype(np.float32),
    )
