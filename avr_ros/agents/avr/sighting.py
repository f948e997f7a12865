"""One person in one granted view."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from avr_ros.agents.tools import Panorama, View
from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.box import Box
from avr_ros.schema.detection import Detection
from avr_ros.schema.fact import Provenance
from avr_ros.schema.observation import GivenFrame, Observation

EDGE_PX = 1.5
"""Distance in px from the crop's side at which a box is taken to be cut off there."""

CLEAR_VISIBILITY = 0.5
"""Visible share of a person from which a sighting shows them clearly."""

CLEAR_HEIGHT_PX = 60.0
"""Height in px from which a sighting shows what somebody does."""

CLEAR_WIDTH_PX = 8.0
"""Width in px likewise."""

WHOLE_PANORAMA = CropWindow(0, 0, JRDB_CYLINDER.width, JRDB_CYLINDER.height, JRDB_CYLINDER.width)
"""What a given panorama shows."""


@dataclass(frozen=True, eq=False)
class Sighting:
    """A detection with the view that it comes from."""

    detection: Detection
    observation: Observation | GivenFrame

    @property
    def crop(self) -> CropWindow:
        """The part of the panorama that the view shows."""
        if isinstance(self.observation, Observation):
            return self.observation.crop
        return WHOLE_PANORAMA

    @property
    def view_azimuth(self) -> float | None:
        """The view's azimuth in radians, none for a panorama."""
        return self.observation.azimuth if isinstance(self.observation, Observation) else None

    @property
    def frame_id(self) -> int:
        """The frame of the view."""
        return self.observation.frame_id

    @cached_property
    def azimuth(self) -> float:
        """Direction of the person, radians: of the ground position, else of the box's middle."""
        ground = self.detection.ground
        if ground is not None and self.cut_off:
            return math.atan2(ground.y, ground.x)
        return float(
            JRDB_CYLINDER.column_to_azimuth(self.detection.box.x + self.detection.box.w / 2)
        )

    @cached_property
    def cut_off(self) -> bool:
        """Whether the box ends at a side of the crop, so that the person may go on outside."""
        crop = self.crop
        if crop.width == crop.panorama_width:
            return False
        start = (self.detection.box.x - crop.left) % crop.panorama_width
        return start < EDGE_PX or start + self.detection.box.w > crop.width - EDGE_PX

    @property
    def clear(self) -> bool:
        """Whether the whole person is in the view, large enough, and at least half visible."""
        box = self.detection.box
        large = box.h >= CLEAR_HEIGHT_PX and box.w >= CLEAR_WIDTH_PX
        return large and not self.cut_off and self.detection.visibility >= CLEAR_VISIBILITY

    def provenance(self, confidence: float, source: str = "perception") -> Provenance:
        """What grounds a fact about the person in the view; ``source`` is where it comes from."""
        return view_provenance(self.observation, confidence, source, self.detection.box)


def view_provenance(
    seen: Observation | GivenFrame, confidence: float, source: str, box: Box | None = None
) -> Provenance:
    """What grounds a fact in a view, or in a ``box`` within it."""
    return Provenance(
        observation_id=seen.observation_id,
        frame_id=seen.frame_id,
        azimuth=seen.azimuth if isinstance(seen, Observation) else None,
        box=box,
        confidence=confidence,
        source=source,
    )


def sightings(view: View | Panorama, detections: list[Detection]) -> list[Sighting]:
    """The people of one view or panorama."""
    seen = view.observation if isinstance(view, View) else view.frame
    return [Sighting(detection, seen) for detection in detections]


def mean_actions(sightings: Sequence[Sighting]) -> dict[str, float]:
    """Mean probabilities of actions over the sightings in which perception could tell them."""
    told = [item.detection.actions for item in sightings if item.detection.actions]
    names = dict.fromkeys(name for look in told for name in look)
    return {name: math.fsum(look.get(name, 0.0) for look in told) / len(told) for name in names}
