"""Writing one sequence as JRDB folders."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.sample.faults import FaultPlan, listed, plan_faults
from avr_ros.sample.labels import LabelWriter
from avr_ros.sample.render import Renderer
from avr_ros.sample.specification import SampleSpecification
from avr_ros.sample.world import World, simulate
from avr_ros.schema.seeds import generator

CAMERAS: Final = ("stitched_image0", "image0", "image2", "image4", "image6", "image8")
CLOUDS: Final = ("upper_velodyne", "lower_velodyne")


def write_sequence(
    specification: SampleSpecification,
    index: int,
    root: Path,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Draw and label sequence ``index`` below ``root``; returns its row of ``sample.json``.

    ``progress`` is called with the number of frames done. Raises OSError as the file system does.
    """
    # One thread: the work is spread over processes, and many small calls do not gain from more.
    cv2.setNumThreads(1)
    world = simulate(specification, index)
    plan = plan_faults(world)
    renderer, labels = Renderer(world), LabelWriter(world, plan)
    images = root / "images" / "image_stitched" / world.name
    images.mkdir(parents=True)
    for frame, (data, sights) in enumerate(renderer.encoded()):
        (images / f"{frame:06d}.jpg").write_bytes(data)
        labels.add(frame, sights)
        if progress is not None:
            progress(frame + 1)
    for name, content in labels.files().items():
        path = root / "labels" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, separators=(",", ":")))
    folder = root / "timestamps" / world.name
    folder.mkdir(parents=True)
    (folder / "frames_img.json").write_text(json.dumps(image_stamps(world)))
    (folder / "frames_pc.json").write_text(json.dumps(cloud_stamps(world, plan)))
    if specification.bags:
        from avr_ros.sample.bags import write_bags

        write_bags(world, plan, root)
    return {
        "name": world.name,
        "scene": world.scene.name,
        "style": world.scene.style.name,
        "frames": world.frames,
        "tracks": len(world.tracks),
        "faults": listed(plan),
    }


def _seconds(stamp: int) -> float:
    """Epoch seconds as the files hold them; whole microseconds survive the float."""
    return stamp / 1_000_000


def image_stamps(world: World) -> dict[str, Any]:
    """Content of ``frames_img.json``."""
    return {
        "data": [
            {
                "frame_id": frame,
                "timestamp": _seconds(int(stamp)),
                "cameras": [
                    {
                        "name": camera,
                        "url": f"sample/{world.name}/{camera}/{frame:06d}.jpg",
                        "timestamp": _seconds(int(stamp)),
                    }
                    for camera in CAMERAS
                ],
            }
            for frame, stamp in enumerate(world.stamps)
        ]
    }


def cloud_times(world: World) -> NDArray[np.int64]:
    """When the lidars finish their turns: near the pictures, up to 30 ms off, microseconds."""
    rng = generator(world.seed, "clouds", world.index)
    offset = np.clip(rng.normal(4_000.0, 9_000.0, world.frames), -30_000, 30_000)
    return world.stamps + np.round(offset).astype(np.int64)


def cloud_stamps(world: World, plan: FaultPlan) -> dict[str, Any]:
    """Content of ``frames_pc.json``; frames without clouds are left out."""
    times = cloud_times(world)[: world.frames - plan.missing_clouds]
    return {
        "data": [
            {
                "frame_id": frame,
                "timestamp": _seconds(int(stamp)),
                "pointclouds": [
                    {
                        "name": cloud,
                        "url": f"sample/{world.name}/{cloud}/{frame:06d}.pcd",
                        "timestamp": _seconds(int(stamp) + 2_000 * which),
                    }
                    for which, cloud in enumerate(CLOUDS)
                ],
            }
            for frame, stamp in enumerate(times)
        ]
    }
