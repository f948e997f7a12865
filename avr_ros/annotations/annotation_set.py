"""The annotations of a data set, loaded one sequence at a time.

    annotations = open_annotations(root)
    annotations.sequences()                   names, sorted
    annotations.scene_graph(sequence)         a TemporalSceneGraph, kept while memory allows
    annotations.oddities(sequence)            what was odd, by kind
    annotations.poses(sequence), annotations.heads(sequence)

A malformed or missing file raises an error that names it; every other sequence stays usable.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from avr_ros.annotations.coco import Heads, Poses, load_heads, load_poses
from avr_ros.annotations.join import count_interactions, join_labels, move_interactions
from avr_ros.annotations.labels_2d import load_labels_2d
from avr_ros.annotations.labels_3d import load_labels_3d
from avr_ros.annotations.layout import LabelKind, LabelLayout, find_label_layout
from avr_ros.annotations.oddities import Oddity, OddityReport
from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.geometry.panorama import JRDB_CYLINDER, Cylinder
from avr_ros.recordings.jrdb_layout import Layout, find_layout
from avr_ros.recordings.jrdb_timestamps import read_timestamps
from avr_ros.recordings.recording import NO_STAMP

DEFAULT_CACHE_BYTES = 512 * 2**20
"""Memory for loaded sequences; 27 full ones (950,000 boxes) take about a third of it."""


def open_annotations(
    root: Path | str,
    cylinder: Cylinder = JRDB_CYLINDER,
    cache_bytes: int = DEFAULT_CACHE_BYTES,
) -> AnnotationSet:
    """Open the annotations below a data set's folder, in any layout that JRDB has had.

    No file is read yet. Raises AnnotationError if there is no label folder.
    """
    return AnnotationSet(find_label_layout(Path(root)), cylinder, cache_bytes)


class AnnotationSet:
    """Label files of a data set. Safe to use from several threads."""

    def __init__(self, layout: LabelLayout, cylinder: Cylinder, cache_bytes: int) -> None:
        self.cylinder = cylinder
        self._layout = layout
        self._cache_bytes = cache_bytes
        self._graphs: OrderedDict[str, TemporalSceneGraph] = OrderedDict()
        self._reports: dict[str, OddityReport] = {}
        self._recordings: Layout | None = None
        self._lock = threading.RLock()

    @property
    def root(self) -> Path:
        """The data set's folder."""
        return self._layout.root

    def sequences(self) -> list[str]:
        """Names of the annotated sequences, sorted."""
        return self._layout.sequences()

    def scene_graph(self, sequence: str) -> TemporalSceneGraph:
        """The temporal scene graph of a sequence.

        Raises UnknownSequenceError, MissingLabelsError without 2D labels, LabelFileError or
        MalformedTimestamps for a malformed file, and InvalidSequenceName or OutsideDataSet for a
        name or link that leads out of the data set.
        """
        with self._lock:
            graph = self._graphs.get(sequence)
            if graph is None:
                graph, self._reports[sequence] = self._load(sequence)
                self._graphs[sequence] = graph
                self._shrink()
            self._graphs.move_to_end(sequence)
            return graph

    def oddities(self, sequence: str) -> OddityReport:
        """What was odd in the files of a sequence's scene graph; loads it if necessary."""
        with self._lock:
            if sequence not in self._reports:
                self.scene_graph(sequence)
            return self._reports[sequence]

    def poses(self, sequence: str, oddities: OddityReport | None = None) -> Poses:
        """The body poses of a sequence (JRDB-Pose); MissingLabelsError without a file."""
        path = self._layout.require(LabelKind.POSES, sequence)
        return load_poses(path, self.cylinder, OddityReport() if oddities is None else oddities)

    def heads(self, sequence: str, oddities: OddityReport | None = None) -> Heads:
        """The head boxes of a sequence (JRDB-Pose); MissingLabelsError without a file."""
        path = self._layout.require(LabelKind.HEADS, sequence)
        return load_heads(path, self.cylinder, OddityReport() if oddities is None else oddities)

    def label_files(self, sequence: str) -> dict[str, Path]:
        """The files of a sequence by kind (``stitched_2d``, ``boxes_3d``, ``poses``, ``heads``,
        ``stamps``), those that exist; for hashes and listings."""
        found = {kind.name.lower(): self._layout.find(kind, sequence) for kind in LabelKind}
        labels = next((path for path in found.values() if path is not None), self.root)
        found["stamps"] = self._stamp_layout().timestamps_of(sequence, labels.parent)
        return {kind: path for kind, path in found.items() if path is not None}

    def _load(self, sequence: str) -> tuple[TemporalSceneGraph, OddityReport]:
        path_2d = self._layout.require(LabelKind.STITCHED_2D, sequence)
        path_3d = self._layout.find(LabelKind.BOXES_3D, sequence)
        report = OddityReport()
        labels_2d = load_labels_2d(path_2d, self.cylinder, report)
        labels_3d = None if path_3d is None else load_labels_3d(path_3d, report)
        if labels_3d is None:
            report.add(Oddity.NO_3D_FILE, sequence)
        frames, people = join_labels(labels_2d, labels_3d, self.cylinder, report)
        interactions = move_interactions(labels_2d, people)
        count_interactions(interactions, people, report)
        graph = TemporalSceneGraph(
            sequence,
            self.cylinder,
            frames,
            people,
            interactions,
            labels_2d.interaction_names,
            self._stamps(sequence, path_2d, frames, report),
            self.root,
        )
        return graph, report

    def _stamps(
        self, sequence: str, labels: Path, frames: NDArray[np.int32], report: OddityReport
    ) -> NDArray[np.int64] | None:
        path = self._stamp_layout().timestamps_of(sequence, labels.parent)
        if path is None:
            report.add(Oddity.NO_STAMPS_FILE, sequence)
            return None
        timestamps = read_timestamps(path)
        found = [timestamps.stamp_us(int(frame)) for frame in frames]
        missing = [int(frame) for frame, stamp in zip(frames, found, strict=True) if stamp is None]
        if missing:
            report.add(Oddity.FRAME_WITHOUT_STAMP, f"frame {missing[0]}", len(missing))
        return np.array([NO_STAMP if stamp is None else stamp for stamp in found], dtype=np.int64)

    def _stamp_layout(self) -> Layout:
        if self._recordings is None:
            self._recordings = find_layout(self.root)
        return self._recordings

    def _shrink(self) -> None:
        """Forget the sequences used longest ago until the rest fit; the newest always stays."""
        held = sum(graph.nbytes for graph in self._graphs.values())
        while held > self._cache_bytes and len(self._graphs) > 1:
            _, graph = self._graphs.popitem(last=False)
            held -= graph.nbytes
