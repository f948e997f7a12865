"""What a sequence's annotations hold and what is odd or wrong with them, for a human reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from avr_ros.annotations.annotation_set import AnnotationSet
from avr_ros.annotations.oddities import OddityReport
from avr_ros.schema.errors import AvrError


@dataclass(frozen=True)
class Survey:
    """Counts of one sequence.

    ``files`` names the kinds of file that exist. ``frames`` are annotated frames, ``people`` boxes
    in them, ``tracks`` persons; ``poses`` and ``heads`` entries of those files. A part that could
    not be read counts nothing, and ``faults`` says in one line each why.
    """

    sequence: str
    files: tuple[str, ...]
    frames: int
    people: int
    tracks: int
    poses: int
    heads: int
    oddities: OddityReport
    faults: tuple[str, ...]


def survey(annotations: AnnotationSet, sequence: str) -> Survey:
    """Read everything of a sequence, going on after what cannot be read."""
    faults: list[str] = []
    oddities = OddityReport()

    def attempt(read: Callable[[], int]) -> int:
        try:
            return read()
        except AvrError as error:
            faults.append(str(error))
            return 0

    files: list[str] = []

    def find_files() -> int:
        files.extend(annotations.label_files(sequence))
        return len(files)

    frames = tracks = 0

    def people() -> int:
        nonlocal frames, tracks
        graph = annotations.scene_graph(sequence)
        oddities.merge(annotations.oddities(sequence))
        frames, tracks = len(graph.frames), len(graph.tracks)
        return len(graph)

    attempt(find_files)
    rows = attempt(people)
    poses = heads = 0
    if "poses" in files:
        poses = attempt(lambda: len(annotations.poses(sequence, oddities).frame))
    if "heads" in files:
        heads = attempt(lambda: len(annotations.heads(sequence, oddities).frame))
    return Survey(
        sequence=sequence,
        files=tuple(files),
        frames=frames,
        people=rows,
        tracks=tracks,
        poses=poses,
        heads=heads,
        oddities=oddities,
        faults=tuple(dict.fromkeys(faults)),
    )
