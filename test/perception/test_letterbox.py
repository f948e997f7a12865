import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.geometry.crop import CropWindow
from avr_ros.perception.letterbox import Fit, Placement, fitted, place


def test_a_square_view_fills_a_square_input() -> None:
    assert place((480, 480), (640, 640), Fit.LETTERBOX) == Placement(
        0, 0, 640, 640, 640 / 480, 640 / 480
    )


def test_a_wide_picture_is_centred_between_bars() -> None:
    placement = place((240, 480), (640, 640), Fit.LETTERBOX)
    assert (placement.left, placement.top) == (0, 160)
    assert (placement.width, placement.height) == (640, 320)
    np.testing.assert_allclose(placement.to_input([0, 0, 480, 240]), [0, 160, 640, 480])


def test_stretching_keeps_no_proportions() -> None:
    placement = place((240, 480), (640, 640), Fit.STRETCH)
    np.testing.assert_allclose(placement.to_input([48, 24, 480, 240]), [64, 64, 640, 640])


def test_a_narrow_view_goes_back_to_the_rows_of_the_panorama() -> None:
    window = CropWindow(3700, 120, 240, 240, 3760)
    placement = place((480, 480), (480, 480), Fit.ROWS, window)
    assert placement == Placement(120, 120, 240, 240, 0.5, 0.5)


def test_the_default_view_is_not_touched() -> None:
    view = np.random.default_rng(0).integers(0, 256, (480, 480, 3), dtype=np.uint8)
    placement = place((480, 480), (480, 480), Fit.ROWS, CropWindow(0, 0, 480, 480, 3760))
    np.testing.assert_array_equal(fitted(view, placement, (480, 480), 0), view)


def test_what_is_not_picture_is_padding() -> None:
    picture = np.full((240, 480, 3), 200, np.uint8)
    placement = place((240, 480), (64, 64), Fit.LETTERBOX)
    made = fitted(picture, placement, (64, 64), 17)
    assert made.shape == (64, 64, 3)
    assert np.all(made[:16] == 17)
    assert np.all(made[16:48] == 200)
    assert np.all(made[48:] == 17)


@given(
    st.tuples(st.integers(8, 900), st.integers(8, 900)),
    st.tuples(st.integers(32, 900), st.integers(32, 900)),
    st.sampled_from([Fit.LETTERBOX, Fit.STRETCH]),
    st.lists(st.floats(0, 1), min_size=4, max_size=4),
)
def test_boxes_come_back_and_stay_inside(
    picture: tuple[int, int], size: tuple[int, int], fit: Fit, shares: list[float]
) -> None:
    placement = place(picture, size, fit)
    corners = np.array(shares) * np.array([picture[1], picture[0]] * 2)
    there = placement.to_input(corners)
    assert np.all(there >= -1e-9)
    assert np.all(there <= np.array([size[1], size[0]] * 2) + 1e-9)
    np.testing.assert_allclose(placement.to_picture(there), corners, atol=1e-9)


def test_the_fit_by_rows_needs_its_window() -> None:
    with pytest.raises(ValueError, match="window"):
        place((480, 480), (480, 480), Fit.ROWS)
