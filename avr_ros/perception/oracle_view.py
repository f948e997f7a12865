"""What the oracle says of the labelled people in one crop.

A person is seen if the occlusion class is not ``Fully_occluded``, the labelled box is tall enough,
and at least half of it lies in the crop. The box of a detection is the part of the labelled box
inside the crop, as a detector that has the crop alone would give it: its IoU with the whole box is
the share that lies in the crop, so at least one half. No detection depends on a track id but
through seeded noise, and the order of detections is that of their boxes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.geometry import boxes
from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.panorama import GROUND_HEIGHT, Cylinder, wrap_angle
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.schema.box import Box
from avr_ros.schema.detection import APPEARANCE_SIZE, Detection, GroundPosition
from avr_ros.schema.seeds import generator
from avr_ros.schema.vocabulary import ACTION_INDEX, POSE_ACTIONS, Occlusion

VISIBLE_SHARE: Final[dict[Occlusion | None, float]] = {
    Occlusion.FULLY_VISIBLE: 1.0,
    Occlusion.MOSTLY_VISIBLE: 0.75,
    Occlusion.SEVERELY_OCCLUDED: 0.3,
    Occlusion.FULLY_OCCLUDED: 0.0,
    None: 0.4,
}
"""Share of the body taken to be visible in each occlusion class.

Without a class (a label may lack it) nothing says that most of the body is visible.
"""

FOOT_ROW_ERROR_PX: Final[float] = 3.0
"""Error in px of a box's lower edge as the place where the feet meet the floor."""

_SMALLEST_SIDE_PX: Final[float] = 1.0

_NO_POSTURE: Final[float] = 0.05
"""Probability of each posture where the label names none."""


@dataclass(frozen=True)
class LabelledPerson:
    """One label: ``box`` in panorama px, ``actions`` none where none were annotated.

    ``position`` is (x, y) on the ground in the label frame, metres, none without a 3D label;
    ``heading`` where the person faces there, radians, none likewise.
    """

    track: str
    box: Box
    occlusion: Occlusion | None
    actions: frozenset[str] | None
    position: tuple[float, float] | None
    heading: float | None = None


@dataclass(frozen=True)
class Place:
    """Which pixels were handed out: the names that seed the noise, and the crop itself."""

    sequence: str
    frame_id: int
    crop: CropWindow


def detections(
    people: Sequence[LabelledPerson], place: Place, cylinder: Cylinder, settings: OracleSettings
) -> list[Detection]:
    """The people that the oracle sees in a crop, by rising ``box.x``.

    The same labels, crop and settings give the same detections in every process, whatever the
    order of ``people``.
    """
    seen = _seen(sorted(people, key=lambda person: person.track), place, cylinder, settings)
    found = [
        _detection(item, seen, place, cylinder, settings)
        for item in seen
        if not _drawn(settings.misses, settings, "miss", item.label, place)
    ]
    return sorted(found, key=lambda detection: detection.box)


@dataclass(frozen=True, eq=False)
class _Seen:
    """A seen person with the labelled box inside the panorama and its share inside the crop."""

    label: LabelledPerson
    whole: npt.NDArray[np.float64]
    inside: float


def _seen(
    people: Sequence[LabelledPerson], place: Place, cylinder: Cylinder, settings: OracleSettings
) -> list[_Seen]:
    if not people:
        return []
    whole = boxes.clip_rows([person.box for person in people], cylinder.height)
    inside = np.asarray(boxes.visible_fraction(whole, place.crop))
    smallest = max(settings.minimum_height_px, _SMALLEST_SIDE_PX)
    narrowest = whole[:, 2] >= _SMALLEST_SIDE_PX
    fits = (whole[:, 3] >= smallest) & narrowest & (inside >= settings.minimum_share)
    return [
        _Seen(people[index], whole[index], float(inside[index]))
        for index in np.flatnonzero(fits).tolist()
        if people[index].occlusion is not Occlusion.FULLY_OCCLUDED
    ]


def _detection(
    item: _Seen,
    seen: Sequence[_Seen],
    place: Place,
    cylinder: Cylinder,
    settings: OracleSettings,
) -> Detection:
    person = item.label
    visibility = VISIBLE_SHARE[person.occlusion] * item.inside
    return Detection(
        box=_box(person, item.whole, place, settings),
        confidence=round(0.5 + 0.49 * visibility, 6),
        actions=_actions(person, place, settings),
        appearance=_appearance(
            _looked_like(person, seen, place, settings), person, place, settings
        ),
        ground=_ground(person, place, cylinder, settings),
        visibility=visibility,
        heading=_heading(person, place, settings),
    )


def _box(
    person: LabelledPerson,
    whole: npt.NDArray[np.float64],
    place: Place,
    settings: OracleSettings,
) -> Box:
    box = whole
    if settings.jitter_px:
        noise = settings.jitter_px * _random(settings, "jitter", person, place).normal(size=4)
        moved = whole + noise
        moved[2:] = np.clip(moved[2:], _SMALLEST_SIDE_PX, place.crop.panorama_width)
        box = moved
    if place.crop.width == place.crop.panorama_width:
        # A panorama has no left and right edge to cut at, only the seam, which is none.
        box = boxes.clip_rows(boxes.normalise(box, place.crop.panorama_width), place.crop.height)
        return Box(*(float(value) for value in (box if box[3] > 0.0 else whole)))
    clipped = boxes.clip_to_window(box, place.crop)
    if clipped is None:
        # Jitter pushed the box out of the crop: what is seen of it is where it really is.
        clipped = boxes.clip_to_window(whole, place.crop)
        assert clipped is not None
    return Box(*(float(value) for value in clipped))


def _actions(person: LabelledPerson, place: Place, settings: OracleSettings) -> dict[str, float]:
    """Probabilities in falling order: of what the label names, and of every posture.

    They say how far the oracle is to be trusted: where it never mistakes actions they are 1 and 0,
    else what is named holds as often as nothing is mistaken. Of a label without a posture each one
    is as little probable as the next.
    """
    if person.actions is None:
        return {}
    named = {action for action in person.actions if action in ACTION_INDEX} - {"impossible"}
    random = _random(settings, "action", person, place)
    if _drawn(settings.action_confusion, settings, "confusion", person, place):
        others = [action for action in POSE_ACTIONS if action not in named]
        named = {others[int(random.integers(len(others)))]} if others else set()
    postures = named.intersection(POSE_ACTIONS)
    left = settings.action_confusion if postures else _NO_POSTURE
    other = left / (len(POSE_ACTIONS) - len(postures)) if postures else left
    probabilities = dict.fromkeys(named, 1.0 - settings.action_confusion)
    for action in POSE_ACTIONS:
        probabilities.setdefault(action, other)
    return dict(sorted(probabilities.items(), key=lambda item: (-item[1], item[0])))


def _looked_like(
    person: LabelledPerson,
    seen: Sequence[_Seen],
    place: Place,
    settings: OracleSettings,
) -> LabelledPerson:
    """The person whose appearance is reported: a neighbour in the crop where identities switch."""
    others = [other.label for other in seen if other.label.track != person.track]
    if not others or not _drawn(settings.identity_switches, settings, "switch", person, place):
        return person
    width = place.crop.panorama_width
    column = float(boxes.centre(person.box, width)[0])

    def distance(other: LabelledPerson) -> float:
        offset = abs(float(boxes.centre(other.box, width)[0]) - column)
        return min(offset, width - offset)

    return min(others, key=lambda other: (distance(other), other.track))


def _appearance(
    shown: LabelledPerson, person: LabelledPerson, place: Place, settings: OracleSettings
) -> npt.NDArray[np.float32]:
    typical = generator(settings.seed, "appearance", place.sequence, shown.track)
    noise = _random(settings, "appearance noise", person, place)
    vector = _unit(typical) + settings.appearance_noise * _unit(noise)
    length = float(np.linalg.norm(vector))
    if length < 1e-6:
        vector, length = _unit(noise), 1.0
    return np.asarray(vector / length, dtype=np.float32)


def _unit(random: np.random.Generator) -> npt.NDArray[np.float64]:
    vector = random.normal(size=APPEARANCE_SIZE)
    return np.asarray(vector / np.linalg.norm(vector))


def _ground(
    person: LabelledPerson, place: Place, cylinder: Cylinder, settings: OracleSettings
) -> GroundPosition | None:
    """The 3D label's place with noise along the line of sight, else the lower edge's.

    The lower edge tells the distance only where it lies in the picture and is not hidden.
    """
    if person.position is not None:
        x, y = person.position
        distance = math.hypot(x, y)
        sigma = max(settings.ground_noise_floor_m, settings.ground_noise * distance)
        if distance == 0.0:
            return GroundPosition(x, y, sigma)
        error = sigma * float(_random(settings, "ground", person, place).normal())
        stretch = max(distance + error, 0.1) / distance
        return GroundPosition(x * stretch, y * stretch, sigma)
    bottom = person.box.y + person.box.h
    hidden = person.occlusion not in (Occlusion.FULLY_VISIBLE, Occlusion.MOSTLY_VISIBLE)
    if hidden or not cylinder.principal_row + FOOT_ROW_ERROR_PX < bottom < cylinder.height - 1:
        return None
    distance = float(cylinder.ground_distance_of_row(bottom))
    azimuth = float(wrap_angle(boxes.centre_azimuth(person.box, cylinder)))
    # d = k / rows below the horizon, hence |dd| = d^2 / k * |d rows|.
    sigma = FOOT_ROW_ERROR_PX * distance**2 / (-GROUND_HEIGHT * cylinder.vertical_focal_length)
    return GroundPosition(distance * math.cos(azimuth), distance * math.sin(azimuth), sigma)


def _heading(person: LabelledPerson, place: Place, settings: OracleSettings) -> float | None:
    if person.heading is None:
        return None
    error = float(_random(settings, "heading", person, place).normal())
    return float(wrap_angle(person.heading + math.radians(settings.heading_noise_deg) * error))


def _drawn(
    probability: float, settings: OracleSettings, purpose: str, person: LabelledPerson, place: Place
) -> bool:
    if probability <= 0.0:
        return False
    return bool(_random(settings, purpose, person, place).random() < probability)


def _random(
    settings: OracleSettings, purpose: str, person: LabelledPerson, place: Place
) -> np.random.Generator:
    """A generator for one person in one crop; equal crops give equal noise."""
    return generator(
        settings.seed,
        purpose,
        place.sequence,
        place.frame_id,
        place.crop.left,
        place.crop.width,
        person.track,
    )
