"""Views cut from panoramas, with what the network is to say of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry import crop
from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.panorama import GROUND_HEIGHT, JRDB_CYLINDER
from avr_ros.sample.occlusion import MOSTLY_VISIBLE_FROM
from avr_ros.sample.render import MAX_ANNOTATED_DISTANCE
from avr_ros.schema.vocabulary import ACTION_INDEX
from training.panoramas import Panoramas

SIZE: Final = 480
CELLS: Final = 60
STRIDE: Final = 8

POSTURES: Final = (
    "walking",
    "standing",
    "sitting",
    "bending",
    "running",
    "cycling",
    "scootering",
    "going upstairs",
    "going downstairs",
)
"""Of which the sample's people do exactly one."""

GESTURES: Final = (
    "holding sth",
    "listening to someone",
    "talking to someone",
    "looking at robot",
    "looking into sth",
    "typing",
    "interaction with door",
    "eating sth",
    "talking on the phone",
    "pointing at sth",
    "reading",
    "pushing",
    "greeting gestures",
)
"""Of which the sample's people do any number."""

MOST_PEOPLE: Final = 24
"""People of one view that are trained on."""

SEEN_FROM: Final = 0.08
"""Visible share from which somebody is to be found."""

INSIDE_FROM: Final = 0.35
"""Share of the box inside the view from which somebody is to be found."""

PLAIN_HEIGHT: Final = 40
"""Height in px from which somebody in plain sight matters more than others."""

PLAIN: Final = 1.5
OTHERS: Final = 0.75
"""Factors of the weight of people in plain sight, and of all others."""

ZOOMED: Final = 0.6
"""Share of the views that are enlarged or reduced."""

ZOOM: Final = (0.85, 1.3)
"""Least and most that they are, even on a logarithmic scale."""

RECOLOURED: Final = 0.5
"""Share of a batch's sequences that get other colours."""

_HORIZON: Final = JRDB_CYLINDER.principal_row
_POSTURE_CLASSES: Final = np.array([ACTION_INDEX[name] for name in POSTURES])
_GESTURE_CLASSES: Final = np.array([ACTION_INDEX[name] for name in GESTURES])
_CENTRES: Final = np.arange(CELLS) * STRIDE + STRIDE / 2


@dataclass(frozen=True, eq=False)
class Target:
    """What the network is to say of one view.

    Maps (60, 60): ``heat`` in 0..1, ``heat_weight``, ``sides`` (4, 60, 60) px, ``sides_weight``.
    People, padded to `MOST_PEOPLE`: ``box`` left, top, right, bottom in px; ``weight`` 0 for
    padding; ``visible``; ``posture``; ``gestures``; ``foot`` column and row; ``facing`` cosine and
    sine of where the body faces against the direction of sight; ``identity``.
    ``ignored`` (`MOST_PEOPLE`, 4) boxes that are neither right nor wrong.
    """

    heat: NDArray[np.float32]
    heat_weight: NDArray[np.float32]
    sides: NDArray[np.float32]
    sides_weight: NDArray[np.float32]
    box: NDArray[np.float32]
    weight: NDArray[np.float32]
    visible: NDArray[np.float32]
    posture: NDArray[np.int64]
    gestures: NDArray[np.float32]
    foot: NDArray[np.float32]
    facing: NDArray[np.float32]
    identity: NDArray[np.int64]
    ignored: NDArray[np.float32]


def cut(panorama: NDArray[np.uint8], left: int, zoom: float = 1.0) -> NDArray[np.uint8]:
    """The default view from a left column on, enlarged about its middle on the horizon.

    Somebody enlarged by ``zoom`` looks as they would ``zoom`` times nearer, feet and all.
    """
    width = panorama.shape[1]
    if zoom == 1.0:
        return crop.cut(panorama, CropWindow(left % width, 0, SIZE, SIZE, width))
    start, top = _start(left, zoom), _HORIZON * (1.0 - 1.0 / zoom)
    first = math.floor(start) - 1
    strip = panorama[:, np.arange(first, first + math.ceil(SIZE / zoom) + 4) % width]
    middle = 0.5 / zoom - 0.5
    to_strip = np.array(
        [[1.0 / zoom, 0.0, start - first + middle], [0.0, 1.0 / zoom, top + middle]]
    )
    view = cv2.warpAffine(
        strip,
        to_strip,
        (SIZE, SIZE),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(view, np.uint8)


def _start(left: int, zoom: float) -> float:
    """The panorama's column at the left edge of an enlarged view."""
    return left + 0.5 * SIZE * (1.0 - 1.0 / zoom)


def target(
    data: Panoramas, position: int, left: int, mirrored: bool, offset: int, zoom: float = 1.0
) -> Target:
    """What is to be said of the view from column ``left`` of the frame at ``position``.

    ``zoom`` is how much the view is enlarged. ``offset`` is added to track numbers, so that
    identities differ between sequences.
    """
    rows = np.flatnonzero(data.row_frame == position)
    width = JRDB_CYLINDER.width
    outline = data.outline[rows].astype(np.float64)
    whole = np.stack(
        [
            np.floor(outline[:, 0]),
            np.maximum(np.floor(outline[:, 1]), 0),
            np.ceil(outline[:, 2]),
            np.minimum(np.ceil(outline[:, 3]), SIZE),
        ],
        axis=1,
    )
    middle = 0.5 * (whole[:, 0] + whole[:, 2])
    shift = width * np.floor((middle - left - SIZE / 2) / width + 0.5)
    start = _start(left, zoom)
    whole[:, [0, 2]] = (whole[:, [0, 2]] - shift[:, None] - start) * zoom
    whole[:, [1, 3]] = _HORIZON + (whole[:, [1, 3]] - _HORIZON) * zoom
    box = np.clip(whole, 0, SIZE)
    area = np.maximum((whole[:, 2] - whole[:, 0]) * (whole[:, 3] - whole[:, 1]), 1.0)
    inside = (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1]) / area
    root = data.root[rows].astype(np.float64)
    distance = np.maximum(np.hypot(root[:, 0], root[:, 1]), 0.5)
    column = width * (0.5 - np.arctan2(root[:, 1], root[:, 0]) / (2 * np.pi)) - start
    column -= width * np.floor((column - 0.5 * (whole[:, 0] + whole[:, 2]) / zoom) / width + 0.5)
    column *= zoom
    row = _HORIZON - GROUND_HEIGHT * JRDB_CYLINDER.vertical_focal_length / distance * zoom
    visible = data.visible[rows]
    pixels = data.pixels[rows] * inside * zoom**2
    high = whole[:, 3] - whole[:, 1]
    touching = (inside > 0.02) & (pixels >= 4)
    wanted = (
        touching
        & (visible >= SEEN_FROM)
        & (inside >= INSIDE_FROM)
        & (pixels >= 24)
        & (high >= 16)
        & (box[:, 2] - box[:, 0] >= 5)
    )
    turned = data.heading[rows] - np.arctan2(root[:, 1], root[:, 0])
    facing = np.stack([np.cos(turned), np.sin(turned)], axis=1)
    if mirrored:
        facing[:, 1] *= -1.0
        box[:, [0, 2]] = SIZE - box[:, [2, 0]]
        column = SIZE - column
    actions = data.actions[rows]
    # Where there are too many the least visible ones are left out.
    order = np.argsort(-(visible * inside), kind="stable")
    people = order[wanted[order]][:MOST_PEOPLE]
    doubtful = order[(touching & ~wanted)[order]][:MOST_PEOPLE]
    result = Target(
        heat=np.zeros((CELLS, CELLS), np.float32),
        heat_weight=np.ones((CELLS, CELLS), np.float32),
        sides=np.zeros((4, CELLS, CELLS), np.float32),
        sides_weight=np.zeros((CELLS, CELLS), np.float32),
        box=np.zeros((MOST_PEOPLE, 4), np.float32),
        weight=np.zeros(MOST_PEOPLE, np.float32),
        visible=np.zeros(MOST_PEOPLE, np.float32),
        posture=np.zeros(MOST_PEOPLE, np.int64),
        gestures=np.zeros((MOST_PEOPLE, len(GESTURES)), np.float32),
        foot=np.zeros((MOST_PEOPLE, 2), np.float32),
        facing=np.zeros((MOST_PEOPLE, 2), np.float32),
        identity=np.zeros(MOST_PEOPLE, np.int64),
        ignored=np.zeros((MOST_PEOPLE, 4), np.float32),
    )
    count = len(people)
    result.box[:count] = box[people]
    plain = (
        (visible >= MOSTLY_VISIBLE_FROM)
        & (inside >= 0.5)
        & (high >= PLAIN_HEIGHT)
        & (distance <= MAX_ANNOTATED_DISTANCE * zoom)
    )
    weight = np.clip(0.25 + 1.5 * visible, 0.0, 1.0) * np.where(plain, PLAIN, OTHERS)
    result.weight[:count] = weight[people]
    result.visible[:count] = (visible * inside)[people]
    result.posture[:count] = np.argmax(actions[people][:, _POSTURE_CLASSES], axis=1)
    result.gestures[:count] = actions[people][:, _GESTURE_CLASSES]
    result.foot[:count, 0] = column[people]
    result.foot[:count, 1] = row[people]
    result.facing[:count] = facing[people]
    result.identity[:count] = offset + data.track[rows][people]
    result.ignored[: len(doubtful)] = box[doubtful]
    for index in doubtful:
        result.heat_weight[_bell(box[index]) > 0.1] = 0.0
    for index, person in enumerate(people):
        _enter(result, box[person], float(result.weight[index]))
    return result


def _bell(box: NDArray[np.float64]) -> NDArray[np.float64]:
    """A bell (60, 60) over the cell that holds a box's centre, 1 there."""
    column = min(int(0.5 * (box[0] + box[2]) / STRIDE), CELLS - 1)
    row = min(int(0.5 * (box[1] + box[3]) / STRIDE), CELLS - 1)
    across = max(0.10 * (box[2] - box[0]) / STRIDE, 0.6)
    down = max(0.08 * (box[3] - box[1]) / STRIDE, 0.6)
    steps = np.arange(CELLS)
    return np.asarray(
        np.exp(-0.5 * ((steps - row) / down) ** 2)[:, None]
        * np.exp(-0.5 * ((steps - column) / across) ** 2)[None, :]
    )


def _enter(result: Target, box: NDArray[np.float64], weight: float) -> None:
    """Put one person on the maps; where bells meet the higher one counts."""
    bell = _bell(box).astype(np.float32)
    higher = (bell > result.heat) & (bell > 0.01)
    result.heat[higher] = bell[higher]
    result.heat_weight[bell >= 1.0] = weight
    near = higher & (bell > 0.3)
    result.sides_weight[near] = bell[near] * weight
    result.sides[0][near] = np.broadcast_to(_CENTRES[None, :] - box[0], near.shape)[near]
    result.sides[1][near] = np.broadcast_to(_CENTRES[:, None] - box[1], near.shape)[near]
    result.sides[2][near] = np.broadcast_to(box[2] - _CENTRES[None, :], near.shape)[near]
    result.sides[3][near] = np.broadcast_to(box[3] - _CENTRES[:, None], near.shape)[near]


def disturbed(image: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.uint8]:
    """Another exposure and white balance, and the losses of one more JPEG file."""
    if random.random() < 0.7:
        gain = float(random.uniform(0.8, 1.2)) * random.normal(1.0, 0.05, 3)
        lift = float(random.uniform(-14.0, 14.0))
        levels = np.arange(256)[:, None] * gain[None, :] + lift
        table = np.clip(np.round(levels), 0, 255).astype(np.uint8)[None]
        image = np.asarray(cv2.LUT(image, table), np.uint8)
    if random.random() < 0.5:
        quality = int(random.integers(80, 96))
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        decoded: Any = cv2.imdecode(data, cv2.IMREAD_COLOR)
        image = np.asarray(decoded, np.uint8)
    return image


@dataclass(frozen=True, eq=False)
class Recolouring:
    """Other saturation, a little of each channel in the others, and another gamma.

    The same for all views of a sequence in a batch, as looks are compared between them.
    """

    mix: NDArray[np.float64]
    gamma: float

    @classmethod
    def drawn(cls, random: np.random.Generator) -> Recolouring:
        """One at random."""
        colour = float(random.uniform(0.35, 1.35))
        mix = colour * np.eye(3) + (1.0 - colour) * np.array([0.114, 0.587, 0.299])[None, :]
        mix = mix + random.normal(0.0, 0.04, (3, 3))
        return cls(mix / mix.sum(axis=1, keepdims=True), float(np.exp(random.uniform(-0.35, 0.35))))

    def of(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A picture in other colours."""
        table = np.round(255.0 * (np.arange(256) / 255.0) ** self.gamma).astype(np.uint8)
        return np.asarray(cv2.LUT(cv2.transform(image, self.mix), table), np.uint8)


def identities(sequences: Sequence[Panoramas]) -> list[int]:
    """The first identity of each sequence, and the number of all of them last."""
    counts = [int(data.track.max()) + 1 for data in sequences]
    return [0, *np.cumsum(counts).tolist()]


Batch = dict[str, NDArray[Any]]

SEQUENCES_A_BATCH: Final = 4
VIEWS_A_FRAME: Final = 2
TRIED: Final = 5
"""People of whom the one in the largest company is looked at."""

FRAMES_APART: Final = 2
"""Drawn frames between the two frames of a pair: 30 recorded ones."""


def batch(sequences: Sequence[Panoramas], random: np.random.Generator) -> Batch:
    """16 views: two frames, 30 apart, of four sequences, two views of each.

    The views of the later frame look at people of the views of the earlier one, so that the same
    people recur.
    """
    images: list[NDArray[np.uint8]] = []
    targets: list[Target] = []
    first_identity = identities(sequences)
    chosen = random.choice(len(sequences), SEQUENCES_A_BATCH, replace=False)
    for sequence in chosen.tolist():
        data = sequences[sequence]
        first = int(random.integers(len(data.frame) - FRAMES_APART))
        pair = [first, first + FRAMES_APART]
        panoramas = [data.image(position) for position in pair]
        colours = Recolouring.drawn(random) if random.random() < RECOLOURED else None
        for _ in range(VIEWS_A_FRAME):
            for position, panorama, left in zip(
                pair, panoramas, _columns(data, pair, random), strict=True
            ):
                mirrored = bool(random.random() < 0.5)
                zoom = 1.0
                if random.random() < ZOOMED:
                    zoom = float(np.exp(random.uniform(*np.log(ZOOM))))
                view = cut(panorama, left, zoom)
                view = disturbed(view if colours is None else colours.of(view), random)
                images.append(np.ascontiguousarray(view[:, ::-1] if mirrored else view))
                offset = first_identity[sequence]
                targets.append(target(data, position, left, mirrored, offset, zoom))
    names = Target.__dataclass_fields__
    result: Batch = {name: np.stack([getattr(t, name) for t in targets]) for name in names}
    result["image"] = np.stack(images)
    return result


def _columns(data: Panoramas, pair: list[int], random: np.random.Generator) -> list[int]:
    """Left columns of a view of each frame, most often of somebody who is seen in both."""
    seen = [
        {
            int(data.track[row]): 0.5 * float(data.outline[row, 0] + data.outline[row, 2])
            for row in np.flatnonzero((data.row_frame == position) & (data.visible > 0.3))
        }
        for position in pair
    ]
    both = sorted(seen[0].keys() & seen[1].keys())
    if not both or random.random() < 0.1:
        return [int(random.integers(JRDB_CYLINDER.width)) for _ in pair]
    # A view costs the same whatever it shows, and a crowd teaches more.
    tried = [both[int(random.integers(len(both)))] for _ in range(TRIED)]
    track = max(tried, key=lambda one: sum(_company(people, one) for people in seen))
    return [
        int(people[track] - SIZE / 2 + random.uniform(-0.45, 0.45) * SIZE) % JRDB_CYLINDER.width
        for people in seen
    ]


def _company(people: dict[int, float], track: int) -> int:
    """How many people are within a third of a view of somebody, themselves included."""
    width = JRDB_CYLINDER.width
    gaps = [
        abs((column - people[track] + width / 2) % width - width / 2) for column in people.values()
    ]
    return sum(gap <= SIZE / 3 for gap in gaps)
