"""What a layout reads out of one input's outputs, before anything is decided about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avr_ros.perception.errors import DetectorError

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Found:
    """N people in one input.

    ``corners`` (N, 4) left, top, right, bottom in the input's px; ``score`` (N,) in [0, 1];
    ``actions`` (N, A) probabilities of ``action_names``. The rest is none where a detector does
    not tell it: ``visibility`` (N,) in [0, 1]; ``foot`` (N, 3) column and row, in the input's px,
    of the place on the floor, and the row's mean absolute error; ``facing`` (N, 2) cosine and sine
    of where the body faces, against the direction of sight, shorter than 1 where in doubt;
    ``appearance`` (N, 64).
    """

    corners: FloatArray
    score: FloatArray
    actions: FloatArray
    action_names: tuple[str, ...]
    visibility: FloatArray | None = None
    foot: FloatArray | None = None
    facing: FloatArray | None = None
    appearance: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        """Number of people."""
        return len(self.score)

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Found:
        """The people at some rows."""

        def of(values: FloatArray | None) -> FloatArray | None:
            return None if values is None else values[rows]

        return Found(
            self.corners[rows],
            self.score[rows],
            self.actions[rows],
            self.action_names,
            of(self.visibility),
            of(self.foot),
            of(self.facing),
            None if self.appearance is None else self.appearance[rows],
        )


def finite(found: Found) -> Found:
    """Refuse numbers that are none: a damaged or badly converted file is not to go unnoticed."""
    for name in ("corners", "score", "actions", "visibility", "foot", "facing", "appearance"):
        values = getattr(found, name)
        if values is not None and not np.all(np.isfinite(values)):
            raise DetectorError(
                f"the detector's {name} hold values that are not finite: export the file again, "
                "in float32"
            )
    return found


def by_class(corners: FloatArray, scores: FloatArray, classes: dict[int, tuple[str, ...]]) -> Found:
    """People from class scores (N, C): the person classes' best score, and their actions.

    The probability of an action is the score of the best class that tells it as a share of the
    best person class's, so that it does not fall with the detection's own. Raises DetectorError
    for a class that the detector has not.
    """
    known = sorted(classes)
    if known[-1] >= scores.shape[1]:
        raise DetectorError(
            f"the detector has {scores.shape[1]} classes, its description names class "
            f"{known[-1]}: correct 'classes'"
        )
    score = scores[:, known].max(axis=1) if len(scores) else np.zeros(0)
    names = tuple(dict.fromkeys(name for number in known for name in classes[number]))
    actions = np.zeros((len(scores), len(names)))
    for column, name in enumerate(names):
        telling = [number for number in known if name in classes[number]]
        if len(scores):
            actions[:, column] = scores[:, telling].max(axis=1) / np.maximum(score, 1e-9)
    return Found(corners, score, actions, names)


def corners_of_centres(boxes: FloatArray) -> FloatArray:
    """Corners of boxes (N, 4) given as centre, width, height."""
    half = boxes[:, 2:] / 2
    return np.concatenate([boxes[:, :2] - half, boxes[:, :2] + half], axis=1)
