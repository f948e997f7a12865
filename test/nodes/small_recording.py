"""A small JRDB folder without people: pictures that tell every column and frame apart."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

PLAZA = "plaza-2019-01-01_0"
HALL = "hall-2019-01-02_0"
FRAMES = 12
UNREADABLE = 7
"""A frame of the plaza whose file is damaged."""

FIRST_STAMP_US = 1_560_955_991_466_809


def panorama(sequence: str, frame_id: int) -> npt.NDArray[np.uint8]:
    """What was drawn, before it was compressed."""
    generator = np.random.default_rng(frame_id + 1000 * len(sequence))
    coarse = generator.integers(0, 256, (12, 94, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (3760, 480), interpolation=cv2.INTER_CUBIC), np.uint8)


def stamp_us(frame_id: int) -> int:
    """Irregular stamps around 15 a second."""
    return FIRST_STAMP_US + 68_000 * frame_id + (frame_id * 7919) % 9000


def write_recording(root: Path) -> Path:
    """Write both sequences and return the root."""
    for sequence in (PLAZA, HALL):
        images = root / "images" / "image_stitched" / sequence
        images.mkdir(parents=True)
        frames = []
        for frame_id in range(FRAMES):
            name = f"{frame_id:06d}.jpg"
            _, data = cv2.imencode(
                ".jpg", panorama(sequence, frame_id), [cv2.IMWRITE_JPEG_QUALITY, 90]
            )
            content = data.tobytes()
            if (sequence, frame_id) == (PLAZA, UNREADABLE):
                content = content[: len(content) // 2]
            (images / name).write_bytes(content)
            seconds = stamp_us(frame_id) / 1e6
            camera = {
                "name": "stitched_image0",
                "url": f"data/{sequence}/stitched_image0/{name}",
                "timestamp": seconds,
            }
            frames.append({"frame_id": frame_id, "timestamp": seconds, "cameras": [camera]})
        stamps = root / "timestamps" / sequence
        stamps.mkdir(parents=True)
        (stamps / "frames_img.json").write_text(json.dumps({"data": frames}))
    return root


def stored_pixels(root: Path, sequence: str, frame_id: int) -> npt.NDArray[np.uint8]:
    """The pixels of a stored panorama, decoded by OpenCV."""
    path = root / "images" / "image_stitched" / sequence / f"{frame_id:06d}.jpg"
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def expected_view(image: npt.NDArray[np.uint8], azimuth: float) -> npt.NDArray[np.uint8]:
    """The default view at an azimuth, cut by rolling the panorama."""
    column = (3760 * (0.5 - azimuth / (2 * np.pi))) % 3760
    left = int(np.floor(column - 240 + 0.5)) % 3760
    return np.roll(image, -left, axis=1)[:, :480]
