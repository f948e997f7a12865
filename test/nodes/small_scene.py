"""A small labelled data set: eight people around the robot who start and stop doing things."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.benchmark.generate_files import generate_files
from avr_ros.benchmark.settings import GenerationSettings
from avr_ros.recordings.open_recording import open_recording
from avr_ros.schema.vocabulary import Family

SEQUENCE = "square-2019-05-01_0"
FRAMES = 96
DISTANCE = 5.0


@dataclass(frozen=True)
class Person:
    """Somebody who stays in place, and spans of frames of what they do."""

    azimuth_deg: float
    actions: tuple[tuple[int, int, str], ...]


# Each one is told apart by what they do at first; all of them sit, and later point at something,
# at a time of their own, so that no question is answered without knowing whom it is about.
_HABITS = (
    "reading",
    "typing",
    "pushing",
    "eating sth",
    "writing",
    "pulling",
    "talking on the phone",
    "greeting gestures",
)


def _person(number: int, habit: str) -> Person:
    sits, rises, points = 16 + 7 * number, 44 + 6 * ((number * 3) % 8), 30 + 7 * ((number * 5) % 8)
    rises = max(rises, sits + 12)
    return Person(
        -160.0 + 45.0 * number,
        (
            (0, sits, "standing"),
            (sits, rises, "sitting"),
            (rises, FRAMES, "standing"),
            (0, 14, habit),
            (points, points + 14, "pointing at sth"),
        ),
    )


PEOPLE = tuple(_person(number, habit) for number, habit in enumerate(_HABITS))


@dataclass(frozen=True)
class Scene:
    """Where the data set and its questions are."""

    dataset: Path
    questions: Path
    keys: Path

    @property
    def arguments(self) -> dict[str, str]:
        """As a set-up's arguments."""
        return {
            "dataset": str(self.dataset),
            "questions": str(self.questions),
            "keys": str(self.keys),
        }


def stamp_us(frame_id: int) -> int:
    """Irregular stamps around 15 a second."""
    return 1_556_700_000_000_000 + 68_000 * frame_id + (frame_id * 7919) % 9000


def write_scene(root: Path) -> Scene:
    """Write pictures, stamps, labels and questions."""
    images = root / "images" / "image_stitched" / SEQUENCE
    images.mkdir(parents=True)
    stamps = []
    for frame_id in range(FRAMES):
        name = f"{frame_id:06d}.jpg"
        cv2.imwrite(str(images / name), _picture(frame_id), [cv2.IMWRITE_JPEG_QUALITY, 90])
        seconds = stamp_us(frame_id) / 1e6
        camera = {"name": "stitched_image0", "url": f"x/{name}", "timestamp": seconds}
        stamps.append({"frame_id": frame_id, "timestamp": seconds, "cameras": [camera]})
    _write(root / "timestamps" / SEQUENCE / "frames_img.json", {"data": stamps})
    boxes = {
        f"{i:06d}.jpg": [_box(track, i) for track in range(len(PEOPLE))] for i in range(FRAMES)
    }
    solids = {
        f"{i:06d}.pcd": [_solid(track, i) for track in range(len(PEOPLE))] for i in range(FRAMES)
    }
    _write(root / "labels" / "labels_2d_stitched" / f"{SEQUENCE}.json", {"labels": boxes})
    _write(root / "labels" / "labels_3d" / f"{SEQUENCE}.json", {"labels": solids})
    folder = root / "benchmark"
    settings = GenerationSettings(seed=3, per_family=12, families=(Family.ACTION_BOUNDARY,))
    generate_files(open_recording(root), open_annotations(root), settings, folder)
    return Scene(root, folder / "questions.jsonl", folder / "keys.jsonl")


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def _picture(frame_id: int) -> Any:
    image = np.full((480, 3760, 3), 90 + frame_id, dtype=np.uint8)
    image[296:] = 60
    for track in range(len(PEOPLE)):
        x, y, w, h = (int(value) for value in _box(track, frame_id)["box"])
        columns = np.arange(x, x + w) % 3760
        image[y : y + h, columns] = (30 * track, 255 - 30 * track, 120)
    return image


def _actions(track: int, frame_id: int) -> dict[str, int]:
    return {action: 1 for first, end, action in PEOPLE[track].actions if first <= frame_id < end}


def _common(track: int, frame_id: int) -> dict[str, Any]:
    return {
        "label_id": f"pedestrian:{track + 1}",
        "action_label": _actions(track, frame_id),
        "social_activity": {},
        "social_group": {"cluster_ID": track + 1, "cluster_stat": 1},
    }


def _box(track: int, frame_id: int) -> dict[str, Any]:
    column = 3760 * (0.5 - PEOPLE[track].azimuth_deg / 360.0)
    return {
        "box": [round(column - 35) % 3760, 122, 70, 174],
        "file_id": f"{frame_id:06d}.jpg",
        "attributes": {
            "area": 12180.0,
            "interpolated": False,
            "no_eval": False,
            "occlusion": "Fully_visible",
            "truncated": "false",
        },
        **_common(track, frame_id),
    }


def _solid(track: int, frame_id: int) -> dict[str, Any]:
    azimuth = math.radians(PEOPLE[track].azimuth_deg)
    return {
        "box": {
            "cx": DISTANCE * math.cos(azimuth),
            "cy": DISTANCE * math.sin(azimuth),
            "cz": 0.0,
            "l": 0.5,
            "w": 0.6,
            "h": 1.8,
            "rot_z": 0.0,
        },
        "file_id": f"{frame_id:06d}.pcd",
        "observation_angle": 0.0,
        "attributes": {
            "distance": DISTANCE,
            "interpolated": False,
            "no_eval": False,
            "num_points": 300,
        },
        **_common(track, frame_id),
    }
