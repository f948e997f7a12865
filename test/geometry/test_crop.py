"""Views: windows, pixels, and coordinates both ways."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.geometry.crop import (
    CROP_SIZE,
    DEFAULT_FIELD_OF_VIEW,
    CropWindow,
    crop_window,
    cut,
    cut_shared,
    from_crop,
    to_crop,
)
from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.panorama import JRDB_CYLINDER, Cylinder

AZIMUTHS = st.floats(-math.pi, math.pi)
FIELDS = st.one_of(
    st.just(DEFAULT_FIELD_OF_VIEW),
    st.floats(math.radians(2.0), DEFAULT_FIELD_OF_VIEW),
)


def ramp(height: int = 480, width: int = 3760) -> np.ndarray:
    """A panorama whose pixels tell their column and row."""
    rows, columns = np.mgrid[0:height, 0:width]
    return np.stack([columns % 256, columns // 256, rows % 256], axis=-1).astype(np.uint8)


def test_the_default_view_is_46_degrees() -> None:
    assert math.degrees(DEFAULT_FIELD_OF_VIEW) == pytest.approx(45.96, abs=0.005)


@pytest.mark.parametrize(
    ("azimuth_deg", "left"),
    [(0.0, 1640), (90.0, 700), (-90.0, 2580), (180.0, 3520), (-180.0, 3520), (45.0, 1170)],
)
def test_left_columns(azimuth_deg: float, left: int) -> None:
    window = crop_window(JRDB_CYLINDER, math.radians(azimuth_deg))
    assert window == CropWindow(left, 0, 480, 480, 3760)


@given(AZIMUTHS, FIELDS)
def test_left_column_formula(azimuth: float, field: float) -> None:
    window = crop_window(JRDB_CYLINDER, azimuth, field)
    column = float(JRDB_CYLINDER.azimuth_to_column(azimuth))
    assert window.left == math.floor(column - window.width / 2 + 0.5) % 3760
    assert window.height == window.width
    assert abs(2 * window.top + window.height - 480) <= 1
    assert abs(window.width - 3760 * field / (2 * math.pi)) <= 0.5 + 1e-9


def test_a_narrower_view_takes_the_same_share_of_rows_around_the_middle() -> None:
    window = crop_window(JRDB_CYLINDER, 0.0, DEFAULT_FIELD_OF_VIEW / 2)
    assert window == CropWindow(1760, 120, 240, 240, 3760)
    other = crop_window(Cylinder(7520, 960), 0.0, DEFAULT_FIELD_OF_VIEW / 2)
    assert other == CropWindow(3520, 240, 480, 480, 7520)


def test_pixels_across_the_seam() -> None:
    panorama = ramp()
    view = cut(panorama, CropWindow(3600, 0, 480, 480, 3760))
    assert view.shape == (480, 480, 3)
    assert view.flags.c_contiguous
    assert np.array_equal(view[:, :160], panorama[:, 3600:])
    assert np.array_equal(view[:, 160:], panorama[:, :320])


@given(st.integers(0, 3759))
def test_pixels_are_the_panoramas(left: int) -> None:
    panorama = ramp(8)
    view = cut(panorama, CropWindow(left, 0, 8, 8, 3760), size=8)
    assert np.array_equal(view, np.roll(panorama, -left, axis=1)[:, :8])
    assert view.flags.c_contiguous
    assert not np.shares_memory(view, panorama)


def test_an_enlarged_view_is_linear_between_pixels() -> None:
    panorama = ramp()
    view = cut(panorama, CropWindow(10, 120, 240, 240, 3760))
    assert view.shape == (480, 480, 3)
    assert view.flags.c_contiguous
    # Output column i shows the source column (i + 1/2) / 2 - 1/2 of the window.
    assert view[100, 1:9, 0].tolist() == [10, 11, 11, 12, 12, 13, 13, 14]
    assert view[1:9, 7, 2].tolist() == [120, 121, 121, 122, 122, 123, 123, 124]


def test_a_whole_panorama_is_copied_too() -> None:
    panorama = ramp(480, 480)
    view = cut(panorama, CropWindow(0, 0, 480, 480, 480))
    assert not np.shares_memory(view, panorama)


@pytest.mark.parametrize("left", [0, 1000, 3280, 3300, 3759])
def test_shared_pixels_are_the_copied_ones(left: int) -> None:
    panorama = np.random.default_rng(left).integers(0, 256, (480, 3760, 3), dtype=np.uint8)
    window = CropWindow(left, 0, 480, 480, 3760)
    shared = cut_shared(panorama, window)
    copied = cut(panorama, window)
    np.testing.assert_array_equal(shared, copied)
    assert np.shares_memory(shared, panorama) == (left + 480 <= 3760)
    assert not np.shares_memory(copied, panorama)


def test_wrong_panoramas_are_refused() -> None:
    window = CropWindow(0, 0, 480, 480, 3760)
    with pytest.raises(GeometryError, match="shape"):
        cut(ramp(480, 752), window)
    with pytest.raises(GeometryError, match="rows"):
        cut(ramp(400), window)


@pytest.mark.parametrize(
    ("azimuth", "field"),
    [
        (math.nan, DEFAULT_FIELD_OF_VIEW),
        (math.inf, DEFAULT_FIELD_OF_VIEW),
        (0.0, 0.0),
        (0.0, -0.1),
        (0.0, math.nan),
        (0.0, DEFAULT_FIELD_OF_VIEW + 1e-6),
        (0.0, 1e-6),
    ],
)
def test_bad_views_are_refused(azimuth: float, field: float) -> None:
    with pytest.raises(GeometryError):
        crop_window(JRDB_CYLINDER, azimuth, field)


def test_hand_worked_boxes() -> None:
    window = CropWindow(3600, 0, 480, 480, 3760)
    assert to_crop((3700, 10, 200, 300), window).tolist() == [100, 10, 200, 300]
    assert to_crop((20, 10, 50, 300), window).tolist() == [180, 10, 50, 300]
    assert to_crop((3500, 10, 200, 300), window).tolist() == [-100, 10, 200, 300]
    assert from_crop((180, 10, 50, 300), window).tolist() == [20, 10, 50, 300]
    narrow = CropWindow(3700, 120, 240, 240, 3760)
    assert to_crop((10, 140, 60, 80), narrow).tolist() == [140, 40, 120, 160]
    assert from_crop((140, 40, 120, 160), narrow).tolist() == [10, 140, 60, 80]


LATTICE = st.integers(0, 3760 * 1024 - 1).map(lambda n: n / 1024)
SMALL = st.integers(0, 480 * 1024).map(lambda n: n / 1024)


@given(AZIMUTHS, FIELDS, LATTICE, SMALL, SMALL, SMALL)
def test_panorama_to_view_and_back(
    azimuth: float, field: float, x: float, y: float, w: float, h: float
) -> None:
    window = crop_window(JRDB_CYLINDER, azimuth, field)
    box = [x, y, w, h]
    assert from_crop(to_crop(box, window), window).tolist() == box


@given(AZIMUTHS, FIELDS, SMALL, SMALL, SMALL, SMALL)
def test_view_to_panorama_and_back(
    azimuth: float, field: float, x: float, y: float, w: float, h: float
) -> None:
    window = crop_window(JRDB_CYLINDER, azimuth, field)
    box = [x, y, w, h]
    panorama_box = from_crop(box, window)
    assert 0.0 <= panorama_box[0] < 3760.0
    assert to_crop(panorama_box, window).tolist() == box


@given(AZIMUTHS, FIELDS, SMALL)
def test_view_coordinates_are_the_rational_ones(azimuth: float, field: float, x: float) -> None:
    window = crop_window(JRDB_CYLINDER, azimuth, field)
    exact = (Fraction(x) * window.width / CROP_SIZE + window.left) % 3760
    found = float(from_crop([x, 0, 0, 0], window)[0])
    assert abs((found - float(exact) + 1880) % 3760 - 1880) < 1e-9


def test_arrays_of_boxes() -> None:
    window = CropWindow(3600, 0, 480, 480, 3760)
    boxes = np.array([[[3700, 10, 200, 300], [20, 10, 50, 300]]])
    assert to_crop(boxes, window).shape == (1, 2, 4)
    with pytest.raises(GeometryError, match="shape"):
        to_crop([1, 2, 3], window)


@pytest.mark.parametrize(
    "values",
    [(-1, 0, 480, 480, 3760), (3760, 0, 480, 480, 3760), (0, 0, 0, 480, 3760), (0, -1, 9, 9, 99)],
)
def test_impossible_windows_are_refused(values: tuple[int, int, int, int, int]) -> None:
    with pytest.raises(GeometryError):
        CropWindow(*values)
