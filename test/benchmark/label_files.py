"""Label files of small scenes on disk, and a recording of frames and stamps only."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.geometry.labels_frame import rot_z_from_heading
from avr_ros.recordings.recording import SequenceInfo, StoredAs


class Frames:
    """A recording of which only names, frames and stamps are asked."""

    def __init__(self, graphs: list[TemporalSceneGraph], missing: int = 0) -> None:
        self._infos = {
            graph.sequence: SequenceInfo(
                graph.sequence,
                graph.frames.astype(np.int64)[: len(graph.frames) - missing].copy(),
                graph.stamps_us[: len(graph.frames) - missing].copy(),
                3760,
                480,
                StoredAs.JPEG,
                "nowhere",
            )
            for graph in graphs
        }

    def sequences(self) -> tuple[str, ...]:
        """The names."""
        return tuple(sorted(self._infos))

    def sequence(self, name: str) -> SequenceInfo:
        """One sequence."""
        return self._infos[name]


def write_labels(root: Path, graph: TemporalSceneGraph) -> None:
    """The graph's people as JRDB files."""
    boxes: dict[str, list[object]] = {f"{frame:06d}.jpg": [] for frame in graph.frames.tolist()}
    solids: dict[str, list[object]] = {f"{frame:06d}.pcd": [] for frame in graph.frames.tolist()}
    for row in range(len(graph)):
        frame = int(graph.frame[row])
        name = f"pedestrian:{graph.track_id[row]}"
        visibility = graph.visibility(row)
        assert visibility is not None
        entry: dict[str, object] = {
            "box": graph.boxes[row].tolist(),
            "label_id": name,
            "attributes": {"occlusion": visibility.value, "truncated": "false"},
            "action_label": dict.fromkeys(graph.actions(row) or (), 1),
        }
        if graph.group[row] >= 0:
            entry["social_group"] = {"cluster_ID": int(graph.group[row]), "cluster_stat": 1}
        boxes[f"{frame:06d}.jpg"].append(entry)
        x, y, _ = graph.position[row].tolist()
        rot_z = float(rot_z_from_heading(graph.heading[row]))
        solid = {"cx": x, "cy": y, "cz": 0.0, "l": 1.0, "w": 0.5, "h": 1.8, "rot_z": rot_z}
        solids[f"{frame:06d}.pcd"].append({"box": solid, "label_id": name, "attributes": {}})
    for folder, labels in (("labels_2d_stitched", boxes), ("labels_3d", solids)):
        path = root / "labels" / folder / f"{graph.sequence}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"labels": labels}))
