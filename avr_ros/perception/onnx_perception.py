"""Perception by a detector that onnxruntime runs: the package's own or any declared one.

A view is looked at once. A panorama is looked at in overlapping pieces around the whole circle,
the seam included, whose people are then merged. It sees pixels alone: neither labels nor which
episode, agent or question asks.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry.crop import CropWindow, cut
from avr_ros.geometry.panorama import JRDB_CYLINDER, Cylinder, modulo, wrap_angle
from avr_ros.perception import ground
from avr_ros.perception.appearance import colours
from avr_ros.perception.detector import Detector
from avr_ros.perception.detector_description import SHIPPED, read_description
from avr_ros.perception.errors import DetectorError, NotGrantedError
from avr_ros.perception.layouts.found import Found
from avr_ros.perception.onnx_settings import OnnxSettings
from avr_ros.perception.suppression import suppress
from avr_ros.schema.box import Box
from avr_ros.schema.detection import Detection, GroundPosition
from avr_ros.schema.episode import LedgerKind, LedgerRecord

FloatArray = NDArray[np.float64]

PIECES_OVERLAP: Final = 160
"""Columns of the panorama that two neighbouring pieces share at least."""

EDGE_PX: Final = 6.0
"""A box that ends this near to a piece's left or right edge is taken to be cut by it."""

NEIGHBOURS_PX: Final = PIECES_OVERLAP / 2
"""A cut box whose middle is this near to the edge is left to the neighbouring piece, which sees
more of the person."""

CUT_SCORE: Final = 0.6
"""Factor of the score of a cut box, so that the neighbouring piece's whole one stays."""

SMALLEST_SIDE_PX: Final = 2.0

FACING_FROM: Final = 0.5
"""Length of the facing vector from which a heading is told: shorter ones are doubts."""

_LAPLACE: Final = math.sqrt(2.0)
"""Standard deviation of an error with the mean absolute value 1 that is Laplace's."""


class OnnxPerception:
    """People by a detector. Thread-safe; equal pixels give equal detections."""

    def __init__(
        self, settings: OnnxSettings | None = None, cylinder: Cylinder = JRDB_CYLINDER
    ) -> None:
        """Open the detector that the settings name.

        Raises BadInputError for a wrong description, DetectorError for a file that is not as
        described, ProviderMissingError where the provider is not there.
        """
        self._settings = settings or OnnxSettings()
        self._cylinder = cylinder
        path = Path(self._settings.detector) if self._settings.detector else SHIPPED
        self._detector = Detector(read_description(path), self._settings)

    @property
    def settings(self) -> OnnxSettings:
        """The settings in force."""
        return self._settings

    def detect(self, record: LedgerRecord, image: NDArray[np.uint8]) -> list[Detection]:
        """The people in the view or panorama that a ledger record grants, by rising ``box.x``.

        ``image`` is what the record granted, decoded, blue-green-red. Raises NotGrantedError for a
        refused request and DetectorError where the detector fails.
        """
        if not record.granted:
            raise NotGrantedError(
                f"request {record.sequence_number} of episode {record.episode_id!r} was refused "
                f"({record.status.name}): detect people in granted views only"
            )
        if record.kind is LedgerKind.GIVEN_FRAME:
            return self.find_around(image)
        if record.crop is None:
            raise NotGrantedError(
                f"request {record.sequence_number} of episode {record.episode_id!r} is granted "
                f"but names no crop: send the ledger's own record"
            )
        return self.find(image, record.crop)

    def find(
        self,
        image: NDArray[np.uint8],
        window: CropWindow,
        cylinder: Cylinder | None = None,
    ) -> list[Detection]:
        """The people in the view of a window, by rising ``box.x``. ``cylinder`` is the
        panorama's geometry where it is another than this perception's."""
        _check(image)
        found = self._detector.detect([image], [window])
        return self._detections([image], [window], found, cylinder or self._cylinder, False)

    def find_around(
        self, panorama: NDArray[np.uint8], cylinder: Cylinder | None = None
    ) -> list[Detection]:
        """The people in a whole panorama, by rising ``box.x``."""
        _check(panorama)
        cylinder = cylinder or self._cylinder
        if panorama.shape[:2] != (cylinder.height, cylinder.width):
            raise DetectorError(
                f"a panorama of {panorama.shape[1]}x{panorama.shape[0]} px is not of the "
                f"geometry's {cylinder.width}x{cylinder.height}"
            )
        windows = pieces(cylinder)
        images = [cut(panorama, window, window.width) for window in windows]
        found = self._detector.detect(images, windows)
        return self._detections(images, windows, found, cylinder, True)

    def _detections(
        self,
        images: list[NDArray[np.uint8]],
        windows: list[CropWindow],
        found: list[Found],
        cylinder: Cylinder,
        merged: bool,
    ) -> list[Detection]:
        description = self._detector.description
        least = self._settings.confidence or description.confidence
        people: list[Detection] = []
        scores: list[float] = []
        cuts: list[bool] = []
        for image, window, some in zip(images, windows, found, strict=True):
            corners = _clipped(some.corners, image)
            sides = corners[:, 2:] - corners[:, :2]
            kept = some.take((some.score >= least) & np.all(sides >= SMALLEST_SIDE_PX, axis=1))
            kept_corners = _clipped(kept.corners, image)
            looks = kept.appearance
            if looks is None:
                looks = colours(image, kept_corners)
            if merged:
                mine = ~_neighbours(kept_corners, image)
                kept, kept_corners, looks = kept.take(mine), kept_corners[mine], looks[mine]
            in_panorama = _in_panorama(kept_corners, image, window)
            for row in range(len(kept)):
                people.append(
                    _detection(kept, row, in_panorama[row], looks[row], image, window, cylinder)
                )
                cuts.append(merged and bool(np.any(_at_edges(kept_corners[row], image))))
                scores.append(float(kept.score[row]) * (CUT_SCORE if cuts[-1] else 1.0))
        if not people:
            return []
        stay = suppress(
            np.asarray([person.box for person in people], np.float64),
            np.asarray(scores),
            cylinder.width,
            description.overlap,
            np.asarray(cuts),
        )[: description.most_people]
        return sorted((people[row] for row in stay.tolist()), key=lambda person: person.box)


def pieces(cylinder: Cylinder) -> list[CropWindow]:
    """Square windows as high as the panorama, evenly around it, that overlap by `PIECES_OVERLAP`
    at least."""
    side = min(cylinder.height, cylinder.width)
    count = max(math.ceil(cylinder.width / max(side - PIECES_OVERLAP, 1)), 1)
    return [
        CropWindow(index * cylinder.width // count, 0, side, cylinder.height, cylinder.width)
        for index in range(count)
    ]


def _check(image: NDArray[np.uint8]) -> None:
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
        raise DetectorError(
            f"an image of shape {image.shape} and type {image.dtype} cannot be looked at: "
            "it must be (height, width, 3) bytes, blue-green-red"
        )


def _clipped(corners: FloatArray, image: NDArray[np.uint8]) -> FloatArray:
    height, width = image.shape[:2]
    return np.clip(corners, 0.0, np.array([width, height, width, height], np.float64))


def _at_edges(corners: FloatArray, image: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether boxes (..., 4) end at a picture's left and right edge, (..., 2)."""
    right = image.shape[1] - EDGE_PX
    return np.stack([corners[..., 0] <= EDGE_PX, corners[..., 2] >= right], axis=-1)


def _neighbours(corners: FloatArray, image: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which boxes (N, 4) are cut by the edge that their middle is near to."""
    middle = 0.5 * (corners[:, 0] + corners[:, 2])
    near = np.stack([middle, image.shape[1] - middle], axis=1) < NEIGHBOURS_PX
    return np.asarray(np.any(_at_edges(corners, image) & near, axis=1))


def _in_panorama(corners: FloatArray, image: NDArray[np.uint8], window: CropWindow) -> FloatArray:
    """Panorama boxes (N, 4) of corners in a picture's px."""
    horizontal = window.width / image.shape[1]
    vertical = window.height / image.shape[0]
    return np.stack(
        [
            np.asarray(modulo(corners[:, 0] * horizontal + window.left, window.panorama_width)),
            corners[:, 1] * vertical + window.top,
            (corners[:, 2] - corners[:, 0]) * horizontal,
            (corners[:, 3] - corners[:, 1]) * vertical,
        ],
        axis=1,
    )


def _detection(
    found: Found,
    row: int,
    box: FloatArray,
    looks: NDArray[np.float32],
    image: NDArray[np.uint8],
    window: CropWindow,
    cylinder: Cylinder,
) -> Detection:
    x, y, w, h = (float(value) for value in box)
    azimuth = float(cylinder.column_to_azimuth(x + w / 2))
    place: GroundPosition | None
    if found.foot is not None:
        column, foot_row, error = (float(value) for value in found.foot[row])
        vertical = window.height / image.shape[0]
        azimuth = float(
            cylinder.column_to_azimuth(window.left + column * window.width / image.shape[1])
        )
        place = ground.from_foot(
            azimuth, foot_row * vertical + window.top, _LAPLACE * error * vertical, cylinder
        )
    else:
        place = ground.from_box(azimuth, y, y + h, cylinder)
    heading = None
    if found.facing is not None:
        cosine, sine = (float(value) for value in found.facing[row])
        if math.hypot(cosine, sine) >= FACING_FROM:
            heading = float(wrap_angle(math.atan2(sine, cosine) + azimuth))
    if found.visibility is not None:
        visibility = min(max(float(found.visibility[row]), 0.0), 1.0)
    else:
        visibility = _visible_share(h, place, cylinder)
    probabilities = np.clip(found.actions[row], 0.0, 1.0).tolist()
    actions = dict(zip(found.action_names, probabilities, strict=True))
    return Detection(
        box=Box(x, y, w, h),
        confidence=min(max(float(found.score[row]), 0.0), 1.0),
        actions=dict(sorted(actions.items(), key=lambda item: (-item[1], item[0]))),
        appearance=looks,
        ground=place,
        visibility=visibility,
        heading=heading,
    )


def _visible_share(height: float, place: GroundPosition | None, cylinder: Cylinder) -> float:
    """For detectors that box what they see: the box's height beside that of a standing person."""
    if place is None:
        return 1.0
    distance = max(math.hypot(place.x, place.y), 0.1)
    return min(1.0, height / ground.expected_height(distance, cylinder))
