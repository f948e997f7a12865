"""How well a detector sees the sample world, on sequences that it was not trained on.

    python -m training.evaluate [--detector FILE.yaml] [--first-seed 2000] [--seeds 10]

Each seed gives one sequence with a trained style and, in a second table, one with the style that
was kept out. Needs no training library. Counted are people at least `TALL` px tall who are fully
or mostly visible, within the labelled distance, of whom at least half of the box lies in the view;
all others are neither right nor wrong to find. Views pass through JPEG as they do in a run.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry import boxes
from avr_ros.geometry.crop import CROP_SIZE, CropWindow, cut
from avr_ros.geometry.panorama import JRDB_CYLINDER, wrap_angle
from avr_ros.perception.onnx_perception import OnnxPerception
from avr_ros.perception.onnx_settings import OnnxSettings
from avr_ros.recordings import jpeg
from avr_ros.sample.occlusion import MOSTLY_VISIBLE_FROM
from avr_ros.sample.render import MAX_ANNOTATED_DISTANCE
from avr_ros.sample.styles import HELD_OUT_STYLE
from avr_ros.schema.detection import Detection
from avr_ros.schema.vocabulary import ACTIONS, POSE_ACTIONS
from training.panoramas import FIRST_UNSEEN_SEED, Panoramas, draw

TALL: Final = 40.0
OVERLAP: Final = 0.5
NEAR: Final = 10.0
FRAMES_APART: Final = 30
VIEWS: Final = 10

_WIDTH: Final = JRDB_CYLINDER.width
_POSES: Final = frozenset(POSE_ACTIONS)
_MINOR: Final = [index for index, name in enumerate(ACTIONS) if name not in _POSES and index]


@dataclass(frozen=True)
class Truth:
    """One person of one frame, as the renderer knows them."""

    track: int
    box: tuple[float, float, float, float]
    counted: bool
    posture: str
    gestures: frozenset[str]
    x: float
    y: float
    heading: float


@dataclass
class Tally:
    """What was counted."""

    wanted: int = 0
    found: int = 0
    wrong: int = 0
    posture: list[bool] = field(default_factory=list)
    ground: list[float] = field(default_factory=list)
    ground_in_sigma: list[bool] = field(default_factory=list)
    heading: list[float] = field(default_factory=list)
    headings_missing: int = 0
    gestures: dict[str, list[int]] = field(default_factory=dict)
    first: list[bool] = field(default_factory=list)
    first_of_several: list[bool] = field(default_factory=list)
    confusion: dict[str, int] = field(default_factory=dict)

    def numbers(self) -> dict[str, Any]:
        """Rates and medians; None where there was nothing to count."""
        right = sum(values[0] for values in self.gestures.values())
        extra = sum(values[1] for values in self.gestures.values())
        missed = sum(values[2] for values in self.gestures.values())
        return {
            "people": self.wanted,
            "recall": _share(self.found, self.wanted),
            "precision": _share(self.found, self.found + self.wrong),
            "posture_accuracy": _mean(self.posture),
            "gesture_precision": _share(right, right + extra),
            "gesture_recall": _share(right, right + missed),
            "ground_median_m": _median(self.ground),
            "ground_within_sigma": _mean(self.ground_in_sigma),
            "heading_median_deg": _median(self.heading),
            "heading_within_30_deg": _mean([value <= 30.0 for value in self.heading]),
            "headings_missing": self.headings_missing,
            "same_person_first": _mean(self.first),
            "same_person_queries": len(self.first),
            "same_person_first_of_three_or_more": _mean(self.first_of_several),
            "same_person_queries_of_three_or_more": len(self.first_of_several),
        }


def truths(data: Panoramas, position: int) -> list[Truth]:
    """Everybody in a frame of whom anything is seen."""
    result = []
    for row in np.flatnonzero(data.row_frame == position).tolist():
        if data.pixels[row] < 1:
            continue
        left, top, right, bottom = (float(value) for value in data.outline[row])
        x = math.floor(left)
        y, low = max(math.floor(top), 0), min(math.ceil(bottom), JRDB_CYLINDER.height)
        if low - y < 2:
            continue
        names = [ACTIONS[index] for index in np.flatnonzero(data.actions[row]).tolist()]
        distance = float(np.hypot(data.root[row, 0], data.root[row, 1]))
        result.append(
            Truth(
                track=int(data.track[row]),
                box=(x % _WIDTH, y, math.ceil(right) - x, low - y),
                counted=bool(
                    data.visible[row] >= MOSTLY_VISIBLE_FROM
                    and low - y >= TALL
                    and distance <= MAX_ANNOTATED_DISTANCE
                ),
                posture=next(name for name in names if name in _POSES),
                gestures=frozenset(name for name in names if name not in _POSES),
                x=float(data.root[row, 0]),
                y=float(data.root[row, 1]),
                heading=float(data.heading[row]),
            )
        )
    return result


def matched(
    people: list[Truth], found: list[Detection], window: CropWindow | None, tally: Tally
) -> dict[int, Detection]:
    """Match by falling confidence, count, and return the detection of each counted track."""
    inside: list[tuple[Truth, bool, NDArray[np.float64]]] = []
    for person in people:
        if window is None:
            inside.append((person, person.counted, np.asarray(person.box)))
            continue
        clipped = boxes.clip_to_window(person.box, window)
        if clipped is not None:
            share = float(boxes.visible_fraction(person.box, window))
            inside.append((person, person.counted and share >= 0.5, clipped))
    tally.wanted += sum(counted for _, counted, _ in inside)
    result: dict[int, Detection] = {}
    taken: set[int] = set()
    for detection in sorted(found, key=lambda one: -one.confidence):
        overlaps = [
            (float(boxes.iou(detection.box, box, _WIDTH)), index)
            for index, (_, _, box) in enumerate(inside)
            if index not in taken
        ]
        good = [(value, index) for value, index in overlaps if value >= OVERLAP]
        good.sort(key=lambda item: (not inside[item[1]][1], -item[0]))
        if good:
            index = good[0][1]
            taken.add(index)
            if inside[index][1]:
                tally.found += 1
                result[inside[index][0].track] = detection
        elif detection.box.h >= TALL:
            tally.wrong += 1
    return result


def judge(person: Truth, detection: Detection, tally: Tally) -> None:
    """Count what is said of a person who was found."""
    poses = {name: value for name, value in detection.actions.items() if name in _POSES}
    said = max(sorted(poses), key=poses.__getitem__) if poses else ""
    tally.posture.append(said == person.posture)
    if said != person.posture:
        pair = f"{person.posture} taken for {said}"
        tally.confusion[pair] = tally.confusion.get(pair, 0) + 1
    for index in _MINOR:
        name = ACTIONS[index]
        told, true = detection.actions.get(name, 0.0) >= 0.5, name in person.gestures
        if told or true:
            counts = tally.gestures.setdefault(name, [0, 0, 0])
            counts[0 if told and true else 1 if told else 2] += 1
    if np.hypot(person.x, person.y) <= NEAR:
        error = math.inf
        if detection.ground is not None:
            error = math.hypot(detection.ground.x - person.x, detection.ground.y - person.y)
            tally.ground_in_sigma.append(error <= detection.ground.sigma)
        tally.ground.append(error)
    if detection.heading is None:
        tally.headings_missing += 1
    else:
        turn = float(wrap_angle(detection.heading - person.heading))
        tally.heading.append(abs(math.degrees(turn)))


def again(
    before: dict[int, Detection],
    after: dict[int, Detection],
    found: list[Detection],
    tally: Tally,
) -> None:
    """Whether those found in both frames look most like themselves among those in view."""
    for track in sorted(before.keys() & after.keys()):
        middle = float(boxes.centre_azimuth(after[track].box, JRDB_CYLINDER))
        in_view = [
            one
            for one in found
            if abs(float(wrap_angle(float(boxes.centre_azimuth(one.box, JRDB_CYLINDER)) - middle)))
            <= math.pi * CROP_SIZE / _WIDTH
        ]
        likeness = [float(one.appearance @ before[track].appearance) for one in in_view]
        first = in_view[int(np.argmax(likeness))] is after[track]
        tally.first.append(first)
        if len(in_view) >= 3:
            tally.first_of_several.append(first)


def evaluate(
    perception: OnnxPerception, data: Panoramas, views: Tally, around: Tally, seed: int
) -> None:
    """Count one sequence, whose frames are 30 apart: views, and whole panoramas."""
    earlier: dict[int, Detection] = {}
    for position in range(len(data.frame)):
        panorama, people = data.image(position), truths(data, position)
        for index in range(VIEWS):
            left = (index * _WIDTH // VIEWS + 37 * seed + 11 * position) % _WIDTH
            window = CropWindow(left, 0, CROP_SIZE, CROP_SIZE, _WIDTH)
            view = jpeg.decode(jpeg.encode(cut(panorama, window)))
            seen = matched(people, perception.find(view, window), window, views)
            for person in people:
                if person.track in seen:
                    judge(person, seen[person.track], views)
        found = perception.find_around(panorama)
        now = matched(people, found, None, around)
        for person in people:
            if person.track in now:
                judge(person, now[person.track], around)
        again(earlier, now, found, around)
        earlier = now


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _mean(values: list[bool]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def _median(values: list[float]) -> float | None:
    return round(float(np.median(values)), 3) if values else None


def main(arguments: list[str] | None = None) -> int:
    """Evaluate and print JSON."""
    parser = argparse.ArgumentParser(
        prog="training.evaluate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--detector", default="", help="description; empty: the shipped one")
    parser.add_argument("--first-seed", type=int, default=2000)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--confidence", type=float, default=0.0)
    parser.add_argument("--trained-only", action="store_true", help="leave the kept-out style out")
    options = parser.parse_args(arguments)
    if options.first_seed < FIRST_UNSEEN_SEED:
        parser.error(f"seeds below {FIRST_UNSEEN_SEED} may have been trained on")
    cv2.setNumThreads(1)
    perception = OnnxPerception(
        OnnxSettings(detector=options.detector, confidence=options.confidence)
    )
    report: dict[str, Any] = {}
    for title, style in (("trained styles", None), (f"style {HELD_OUT_STYLE}", HELD_OUT_STYLE)):
        if style is not None and options.trained_only:
            continue
        views, around = Tally(), Tally()
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            evaluate(perception, draw(seed, style, FRAMES_APART), views, around, seed)
        report[title] = {
            "views": views.numbers(),
            "panoramas": around.numbers(),
            "confusions": dict(sorted(around.confusion.items(), key=lambda item: -item[1])[:8]),
            "gestures": {
                name: {"right": a, "wrong": b, "missed": c}
                for name, (a, b, c) in sorted(around.gestures.items())
            },
        }
    print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
