"""Box algebra on the cylinder, against masks of pixels and by its symmetries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.geometry import boxes
from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.panorama import JRDB_CYLINDER

Box = tuple[float, float, float, float]
WIDTH = 48
HEIGHT = 20


@st.composite
def small_boxes(draw: st.DrawFn) -> Box:
    """Whole-pixel boxes on a small cylinder, many of them across the seam or very wide."""
    return (
        draw(st.integers(0, WIDTH - 1)),
        draw(st.integers(0, HEIGHT - 1)),
        draw(st.integers(0, WIDTH)),
        draw(st.integers(0, HEIGHT)),
    )


any_box = st.tuples(
    st.floats(-4000, 8000), st.floats(-50, 480), st.floats(0, 3760), st.floats(0, 480)
)


def mask(box: Box) -> np.ndarray:
    """The pixels of a box, painted one by one."""
    picture = np.zeros((2 * HEIGHT, WIDTH), dtype=bool)
    x, y, w, h = (int(value) for value in box)
    for row in range(y, y + h):
        for column in range(x, x + w):
            picture[row, column % WIDTH] = True
    return picture


@given(small_boxes(), small_boxes())
def test_against_painted_pixels(a: Box, b: Box) -> None:
    first, second = mask(a), mask(b)
    common, union = int((first & second).sum()), int((first | second).sum())
    assert float(boxes.intersection(a, b, WIDTH)) == common
    assert float(boxes.iou(a, b, WIDTH)) == (common / union if union else 0.0)


@given(any_box, any_box)
def test_iou_is_exactly_symmetric(a: Box, b: Box) -> None:
    assert float(boxes.iou(a, b, 3760)) == float(boxes.iou(b, a, 3760))
    assert 0.0 <= float(boxes.iou(a, b, 3760)) <= 1.0


@given(any_box, any_box, st.floats(-4000, 4000))
def test_iou_does_not_change_when_the_panorama_is_turned(a: Box, b: Box, turn: float) -> None:
    turned_a, turned_b = (a[0] + turn, *a[1:]), (b[0] + turn, *b[1:])
    before, after = (
        float(boxes.intersection(a, b, 3760)),
        float(boxes.intersection(turned_a, turned_b, 3760)),
    )
    assert after == pytest.approx(before, abs=1e-7)


@given(any_box)
def test_iou_with_itself(box: Box) -> None:
    expected = 1.0 if float(boxes.area(box)) > 0.0 else 0.0
    assert float(boxes.iou(box, box, 3760)) == pytest.approx(expected, abs=1e-9)


def test_boxes_across_the_seam() -> None:
    a, b = (3700, 0, 120, 100), (0, 0, 60, 100)
    assert float(boxes.intersection(a, b, 3760)) == 60 * 100
    assert float(boxes.iou(a, b, 3760)) == 0.5
    assert float(boxes.iou(a, (-60, 0, 120, 100), 3760)) == 1.0
    assert bool(boxes.crosses_seam(a, 3760))
    assert not bool(boxes.crosses_seam((3700, 0, 60, 100), 3760))


def test_touching_boxes_share_nothing() -> None:
    assert float(boxes.iou((0, 0, 10, 10), (10, 0, 10, 10), 3760)) == 0.0
    assert float(boxes.iou((3750, 0, 10, 10), (0, 0, 10, 10), 3760)) == 0.0


def test_two_wide_boxes_meet_twice() -> None:
    assert float(boxes.intersection((0, 0, 30, 1), (24, 0, 30, 1), WIDTH)) == 6 + 6


def test_matrix() -> None:
    a = np.array([[0, 0, 10, 10], [3755, 0, 10, 10]])
    b = np.array([[0, 0, 10, 10], [5, 0, 10, 10], [100, 0, 10, 10]])
    found = boxes.iou_matrix(a, b, 3760)
    assert found == pytest.approx(np.array([[1, 1 / 3, 0], [1 / 3, 0, 0]]))
    assert boxes.iou_matrix(np.zeros((0, 4)), b, 3760).shape == (0, 3)


def test_normalise() -> None:
    assert boxes.normalise((-221.8, 5, 400, 9), 3760).tolist() == [3538.2, 5, 400, 9]
    assert boxes.normalise((3760, 5, 1, 1), 3760).tolist() == [0, 5, 1, 1]
    assert boxes.normalise([(-1, 0, 1, 1)] * 3, 3760).shape == (3, 4)


@pytest.mark.parametrize(
    "box",
    [(np.nan, 0, 1, 1), (0, np.inf, 1, 1), (0, 0, -1, 1), (0, 0, 1, -1), (0, 0, 3761, 1), (0, 0)],
)
def test_impossible_boxes_are_refused(box: tuple[float, ...]) -> None:
    with pytest.raises(GeometryError):
        boxes.normalise(box, 3760)


def test_centres() -> None:
    assert boxes.centre((3700, 10, 200, 20), 3760).tolist() == [40, 20]
    assert float(boxes.centre_azimuth((1780, 0, 200, 9), JRDB_CYLINDER)) == 0.0
    assert float(boxes.centre_azimuth((900, 0, 80, 9), JRDB_CYLINDER)) == pytest.approx(np.pi / 2)


def test_rows_are_cut() -> None:
    assert boxes.clip_rows((5, -20, 10, 50), 480).tolist() == [5, 0, 10, 30]
    assert boxes.clip_rows((5, 470, 10, 50), 480).tolist() == [5, 470, 10, 10]
    assert boxes.clip_rows((5, 490, 10, 50), 480).tolist() == [5, 480, 10, 0]


WINDOW = CropWindow(3600, 0, 480, 480, 3760)


def test_clipping_to_a_window() -> None:
    found = boxes.clip_to_window((300, -10, 100, 50), WINDOW)
    assert found is not None and found.tolist() == [300, 0, 20, 40]
    found = boxes.clip_to_window((3500, 10, 200, 50), WINDOW)
    assert found is not None and found.tolist() == [3600, 10, 100, 50]
    assert boxes.clip_to_window((320, 10, 20, 20), WINDOW) is None
    assert boxes.clip_to_window((3700, 480, 20, 20), WINDOW) is None


def test_visible_fraction() -> None:
    assert float(boxes.visible_fraction((300, 0, 80, 100), WINDOW)) == 0.25
    assert float(boxes.visible_fraction((3700, 0, 100, 100), WINDOW)) == 1.0
    assert float(boxes.visible_fraction((1000, 0, 100, 100), WINDOW)) == 0.0
    assert float(boxes.visible_fraction((3700, 0, 0, 100), WINDOW)) == 0.0


@given(small_boxes(), st.integers(0, WIDTH - 1), st.integers(1, WIDTH))
def test_clip_agrees_with_intersection(box: Box, left: int, width: int) -> None:
    window = CropWindow(left, 3, width, 10, WIDTH)
    clipped = boxes.clip_to_window(box, window)
    visible = float(boxes.visible_area(box, window))
    if clipped is None:
        assert visible == 0.0
        return
    assert bool(boxes.contains(window, clipped))
    assert 0.0 < float(boxes.area(clipped)) <= visible
    if box[2] + width <= WIDTH:
        assert float(boxes.area(clipped)) == visible


def test_containment_at_the_edges() -> None:
    assert bool(boxes.contains(WINDOW, (3600, 0, 480, 480)))
    assert bool(boxes.contains(WINDOW, (3600 - 1e-9, 0, 480, 480)))
    assert not bool(boxes.contains(WINDOW, (3599, 0, 480, 480)))
    assert not bool(boxes.contains(WINDOW, (3600, 0, 481, 480)))
    assert not bool(boxes.contains(WINDOW, (3600, -1, 480, 480)))
    assert bool(boxes.contains(WINDOW, (0, 0, 320, 480)))
    assert not bool(boxes.contains(WINDOW, (0, 0, 321, 480)))
