"""What is odd in a data set, counted by kind and loaded all the same."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum


class Oddity(Enum):
    """Kinds of oddity that real JRDB releases are known to hold; the value says what it means."""

    NO_3D_FILE = "the sequence has no 3D labels"
    NO_STAMPS_FILE = "the sequence has no image time stamps"
    FRAME_WITHOUT_STAMP = "an annotated frame has no time stamp"
    FRAME_WITHOUT_2D = "a frame has 3D labels only"
    FRAME_WITHOUT_3D = "a frame has 2D labels only"
    PERSON_ONLY_2D = "a person has a 2D box but no 3D box in a frame that has 3D labels"
    PERSON_ONLY_3D = "a person has a 3D box but no 2D box in a frame that has 2D labels"
    MISSING_OCCLUSION = "a 2D box without occlusion class"
    MISSING_TRUNCATED = "a 2D box without truncation flag"
    MISSING_INTERPOLATED = "a box without interpolation flag"
    INTERPOLATED_2D = "a 2D box interpolated between annotated frames"
    INTERPOLATED_3D = "a 3D box interpolated between annotated frames"
    NOT_EVALUATED = "a 2D box marked no_eval"
    FILE_ID_DIFFERS = "an entry's file_id differs from the key it stands under, which is trusted"
    SEAM_BOX = "a 2D box that crosses the panorama's seam"
    ROWS_OUTSIDE = "a 2D box that leaves the panorama at its top or bottom"
    EMPTY_BOX = "a 2D box without area, left out"
    FEW_POINTS = "a 3D box with fewer than three lidar points"
    ROT_Z_BEYOND_A_TURN = "a rot_z outside (-2 pi, 2 pi), reduced"
    IMPOSSIBLE_ACTION = "a person whose actions are marked impossible to tell, kept as unknown"
    LABELS_DIFFER_2D_3D = "actions or group differ between the 2D and the 3D file; 2D is trusted"
    PARTNER_ABSENT = "an interaction with a person who has no label in that frame"
    ONE_SIDED_INTERACTION = "an interaction that only one of the two people states"
    WRONG_IMAGE_SIZE = "a pose or head file states an image size that is not the panorama's"
    SEAM_POSE = "a pose that crosses the panorama's seam"


class OddityReport:
    """How often each oddity occurs, and where it first did."""

    def __init__(self) -> None:
        self._counts: dict[Oddity, int] = {}
        self._examples: dict[Oddity, str] = {}

    def add(self, kind: Oddity, where: str, count: int = 1) -> None:
        """Count ``count`` more of a kind; ``where`` is kept if it is the first."""
        if count > 0:
            self._counts[kind] = self._counts.get(kind, 0) + count
            self._examples.setdefault(kind, where)

    def merge(self, other: OddityReport) -> None:
        """Add another report's counts."""
        for kind, count in other.items():
            self.add(kind, other.example(kind), count)

    def count(self, kind: Oddity) -> int:
        """How often a kind occurred."""
        return self._counts.get(kind, 0)

    def example(self, kind: Oddity) -> str:
        """Where a kind first occurred; empty if it never did."""
        return self._examples.get(kind, "")

    def items(self) -> Iterator[tuple[Oddity, int]]:
        """The kinds that occurred with their counts, in the order of `Oddity`."""
        return ((kind, self._counts[kind]) for kind in Oddity if kind in self._counts)

    def as_dict(self) -> dict[str, int]:
        """Counts by lower-case name, for tables and JSON."""
        return {kind.name.lower(): count for kind, count in self.items()}
