"""Label files of crowds that do random things, in JRDB's formats and sizes, without pictures.

The real test set has 27 sequences, 27,661 frames and 956,803 boxes, of which 56 % are severely or
fully occluded; `FULL_SIZE` has as many sequences and frames, and 35 people in each frame.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from avr_ros.geometry.boxes import clip_rows
from avr_ros.geometry.labels_frame import panorama_box, rot_z_from_heading
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.seeds import generator

FULL_SIZE = (27, 27_661, 35)
"""Sequences, frames of all of them together, and people in each frame."""

POSTURES = ("walking", "standing", "sitting", "bending", "cycling", "running")
POSTURE_WEIGHTS = (0.33, 0.33, 0.2, 0.05, 0.05, 0.04)
ACTIVITIES = (
    "",
    "holding sth",
    "talking on the phone",
    "reading",
    "typing",
    "eating sth",
    "pointing at sth",
    "pushing",
    "greeting gestures",
)
OCCLUSIONS = ("Fully_visible", "Mostly_visible", "Severely_occluded", "Fully_occluded")
OCCLUSION_WEIGHTS = (0.29, 0.15, 0.31, 0.25)
FIRST_STAMP = 1_560_000_000.0
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Visit:
    """One person from the first to the last frame: numbers by frame, texts by frame."""

    track: int
    first: int
    box: Floats
    place: Floats
    heading: Floats
    actions: list[str]
    occlusion: list[str]
    group: int


def sequence_frames(sequences: int, frames: int) -> list[int]:
    """Numbers of frames of the sequences, which differ as the real ones do."""
    weights = 0.5 + np.linspace(0.0, 1.0, sequences)
    counts = np.floor(frames * weights / weights.sum()).astype(int)
    counts[-1] += frames - int(counts.sum())
    return [int(count) for count in counts]


def write_sequence(root: Path, name: str, frames: int, people: int, seed: int) -> int:
    """Write 2D and 3D labels and stamps of one sequence; return the number of boxes."""
    visits = _visits(frames, people, seed, name)
    rows_2d: list[list[str]] = [[] for _ in range(frames)]
    rows_3d: list[list[str]] = [[] for _ in range(frames)]
    for visit in visits:
        _write_visit(visit, rows_2d, rows_3d)
    for folder, suffix, rows in (
        ("labels_2d_stitched", "jpg", rows_2d),
        ("labels_3d", "pcd", rows_3d),
    ):
        path = root / "labels" / folder / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        entries = (f'"{frame:06d}.{suffix}":[{",".join(row)}]' for frame, row in enumerate(rows))
        path.write_text('{"labels":{' + ",".join(entries) + "}}")
    _write_stamps(root, name, frames, seed)
    return sum(len(row) for row in rows_2d)


def _visits(frames: int, people: int, seed: int, name: str) -> list[Visit]:
    rng = generator(seed, "labels", name)
    visits: list[Visit] = []
    for slot in range(people):
        start = -int(rng.integers(400))
        while start < frames:
            length = int(rng.integers(300, 1200))
            first, last = max(start, 0), min(start + length, frames)
            if last - first > 10:
                visits.append(_visit(len(visits), slot, first, last - first, rng))
            start += length
    return visits


def _visit(track: int, slot: int, first: int, length: int, rng: np.random.Generator) -> Visit:
    time = np.arange(length)
    azimuth = rng.uniform(-np.pi, np.pi) + rng.normal(0.0, 0.001) * time
    distance = np.clip(rng.uniform(2.5, 12.0) + rng.normal(0.0, 0.006) * time, 2.0, 14.0)
    heading = rng.uniform(-np.pi, np.pi) + rng.normal(0.0, 0.002) * time
    place = np.stack([distance * np.cos(azimuth), distance * np.sin(azimuth)], axis=1)
    box_3d = np.zeros((length, 7))
    box_3d[:, :2] = place
    box_3d[:, 2:6] = (-0.02, 0.6, 0.55, 1.75)
    box_3d[:, 6] = rot_z_from_heading(heading)
    boxes = clip_rows(panorama_box(box_3d, JRDB_CYLINDER), JRDB_CYLINDER.height)
    return Visit(
        track,
        first,
        boxes,
        place,
        heading,
        _actions(length, rng),
        _occlusions(length, rng),
        slot // 2 if slot % 5 else 1000 + slot,
    )


def _actions(length: int, rng: np.random.Generator) -> list[str]:
    result: list[str] = []
    posture = rng.choice(POSTURES, p=POSTURE_WEIGHTS)
    activity = rng.choice(ACTIVITIES)
    while len(result) < length:
        what = rng.integers(3)
        if what != 1:
            posture = rng.choice(POSTURES, p=POSTURE_WEIGHTS)
        if what != 0:
            activity = rng.choice(ACTIVITIES)
        names = [posture, activity] if activity else [posture]
        text = ",".join(f'"{name}":1' for name in names)
        result += [text] * int(rng.integers(25, 150))
    return result[:length]


def _occlusions(length: int, rng: np.random.Generator) -> list[str]:
    usual = rng.choice(len(OCCLUSIONS), p=OCCLUSION_WEIGHTS)
    result: list[str] = []
    while len(result) < length:
        other = rng.choice(len(OCCLUSIONS), p=OCCLUSION_WEIGHTS)
        code = usual if rng.random() < 0.7 else other
        result += [OCCLUSIONS[int(code)]] * int(rng.integers(20, 90))
    return result[:length]


def _write_visit(visit: Visit, rows_2d: list[list[str]], rows_3d: list[list[str]]) -> None:
    rot_z = np.asarray(rot_z_from_heading(visit.heading))
    group = f'"social_group":{{"cluster_ID":{visit.group},"cluster_stat":1}}'
    for index, actions in enumerate(visit.actions):
        frame = visit.first + index
        x, y, w, h = visit.box[index].round().astype(int).tolist()
        label = f'"label_id":"pedestrian:{visit.track}"'
        rows_2d[frame].append(
            f'{{"box":[{x},{y},{max(w, 1)},{max(h, 1)}],{label},"file_id":"{frame:06d}.jpg",'
            f'"attributes":{{"area":{w * h}.0,"interpolated":false,"no_eval":false,'
            f'"occlusion":"{visit.occlusion[index]}","truncated":"false"}},'
            f'"action_label":{{{actions}}},"social_activity":{{}},{group}}}'
        )
        across, along = visit.place[index].tolist()
        rows_3d[frame].append(
            f'{{"box":{{"cx":{across:.4f},"cy":{along:.4f},"cz":-0.02,"l":0.6,"w":0.55,"h":1.75,'
            f'"rot_z":{rot_z[index]:.4f}}},{label},"file_id":"{frame:06d}.pcd",'
            f'"observation_angle":0.0,"attributes":{{"distance":{np.hypot(across, along):.4f},'
            f'"interpolated":true,"no_eval":false,"num_points":120}}}}'
        )


def _write_stamps(root: Path, name: str, frames: int, seed: int) -> None:
    rng = generator(seed, "stamps", name)
    stamps = FIRST_STAMP + np.cumsum(rng.normal(1 / 14.6, 0.002, frames))
    data = [
        {
            "frame_id": frame,
            "timestamp": stamp,
            "cameras": [
                {
                    "name": "stitched_image0",
                    "url": f"images/{name}/stitched_image0/{frame:06d}.jpg",
                    "timestamp": stamp,
                }
            ],
        }
        for frame, stamp in enumerate(stamps.round(6).tolist())
    ]
    path = root / "timestamps" / name / "frames_img.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"data": data}))
