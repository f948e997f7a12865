"""The box is drawn where the view shows it, also across the seam."""

from __future__ import annotations

import numpy as np

from avr_ros.geometry.crop import CropWindow
from avr_ros.report.annotated_view import COLOUR, annotated_view
from avr_ros.schema.box import Box


def drawn(width: int, window: CropWindow, box: Box | None) -> list[int]:
    """The columns of the row through the box's middle that have the colour."""
    image = np.zeros((480, width, 3), dtype=np.uint8)
    picture = annotated_view(image, window, box, "")
    assert not image.any()
    return [int(at) for at in np.flatnonzero((picture[200] == COLOUR).all(axis=1))]


def sides(columns: list[int]) -> list[float]:
    """The middles of the runs of columns: the box's upright lines."""
    runs = np.split(np.array(columns), np.flatnonzero(np.diff(columns) > 1) + 1)
    return [float(run.mean()) for run in runs]


def test_a_box_in_a_view() -> None:
    columns = drawn(480, CropWindow(100, 0, 480, 480, 3760), Box(150.0, 150.0, 100.0, 100.0))
    assert sides(columns) == [50, 150]


def test_a_box_across_the_seam() -> None:
    window = CropWindow(3600, 0, 480, 480, 3760)
    columns = drawn(480, window, Box(3740.0, 150.0, 60.0, 100.0))
    assert sides(columns) == [140, 200]


def test_a_box_across_the_seam_of_a_panorama_has_two_halves() -> None:
    window = CropWindow(0, 0, 3760, 480, 3760)
    columns = drawn(3760, window, Box(3740.0, 150.0, 60.0, 100.0))
    assert sides(columns) == [40, 3740]


def test_without_a_box() -> None:
    assert drawn(480, CropWindow(0, 0, 480, 480, 3760), None) == []
