"""Small data sets written by hand, and the real track files where they lie beside the checkout."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shared_data import shared_data

SEQUENCE = "stlc-111-2019-04-19_0"

Entry = dict[str, Any]


class DataSetWriter:
    """Writes label files below a folder; frames are given by their numbers."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, content: object) -> Path:
        """Write JSON, or text as it is, to a path below the folder."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    def labels_2d(
        self,
        frames: dict[int, list[Entry]],
        sequence: str = SEQUENCE,
        folder: str = "labels/labels_2d_stitched",
    ) -> Path:
        labels = {f"{frame:06d}.jpg": entries for frame, entries in frames.items()}
        return self.write(f"{folder}/{sequence}.json", {"labels": labels})

    def labels_3d(
        self,
        frames: dict[int, list[Entry]],
        sequence: str = SEQUENCE,
        folder: str = "labels/labels_3d",
    ) -> Path:
        labels = {f"{frame:06d}.pcd": entries for frame, entries in frames.items()}
        return self.write(f"{folder}/{sequence}.json", {"labels": labels})

    def stamps(
        self, stamps: dict[int, float], sequence: str = SEQUENCE, folder: str = "timestamps"
    ) -> Path:
        url = "https://example.org/static/{}/stitched_image0/{:06d}.jpg"
        data = [
            {
                "frame_id": frame,
                "timestamp": stamp - 0.01,
                "cameras": [
                    {"name": "image0", "url": "x/image0/000099.jpg", "timestamp": stamp - 0.02},
                    {
                        "name": "stitched_image0",
                        "url": url.format(sequence, frame),
                        "timestamp": stamp,
                    },
                ],
            }
            for frame, stamp in stamps.items()
        ]
        return self.write(f"{folder}/{sequence}/frames_img.json", {"data": data})


@pytest.fixture
def dataset(tmp_path: Path) -> DataSetWriter:
    """An empty data set's folder to write into."""
    return DataSetWriter(tmp_path / "dataset")


@pytest.fixture
def person() -> Callable[..., Entry]:
    """Makes an entry of a 2D label file."""

    def make(track: int, box: object = (100, 100, 50, 200), **more: object) -> Entry:
        entry: Entry = {
            "box": list(box) if isinstance(box, tuple) else box,
            "label_id": f"pedestrian:{track}",
            "attributes": {
                "area": 10000.0,
                "interpolated": False,
                "no_eval": False,
                "occlusion": "Fully_visible",
                "truncated": "false",
            },
        }
        entry.update(more)
        return entry

    return make


@pytest.fixture
def person_3d() -> Callable[..., Entry]:
    """Makes an entry of a 3D label file."""

    def make(track: int, x: float = 2.0, y: float = 0.0, rot_z: float = 0.0, **more: Any) -> Entry:
        size = {"l": 1.0, "w": 0.55, "h": 1.8}
        entry: Entry = {
            "box": {"cx": x, "cy": y, "cz": 0.0, **size, "rot_z": rot_z},
            "label_id": f"pedestrian:{track}",
            "attributes": {"distance": 2.0, "interpolated": False, "num_points": 50},
        }
        entry.update(more)
        return entry

    return make


@pytest.fixture
def jrdb_files() -> Path:
    """The folder of excerpts of JRDB beside the checkout; tests of it skip where it is absent."""
    return shared_data("jrdb")
