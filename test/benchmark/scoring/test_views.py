"""Shares of a person in views, against a search over every view."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.benchmark.scoring.views import best_area, shown_area, shows_enough
from avr_ros.geometry.boxes import intersection
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.box import Box
from avr_ros.schema.question import DEFAULT_FIELD_OF_VIEW_DEG

DEFAULT = (DEFAULT_FIELD_OF_VIEW_DEG,)
HALF = DEFAULT_FIELD_OF_VIEW_DEG / 2


def test_a_box_that_fits_is_shown_whole() -> None:
    assert best_area(Box(100.0, 50.0, 80.0, 160.0), DEFAULT, JRDB_CYLINDER) == 80.0 * 160.0


def test_a_wide_box_is_shown_as_wide_as_the_view() -> None:
    assert best_area(Box(3500.0, 0.0, 600.0, 480.0), DEFAULT, JRDB_CYLINDER) == 480.0 * 480.0


def test_rows_outside_the_panorama_are_never_shown() -> None:
    assert best_area(Box(10.0, -20.0, 100.0, 120.0), DEFAULT, JRDB_CYLINDER) == 100.0 * 100.0


def test_a_box_across_the_seam_is_shown_whole_by_a_view_behind() -> None:
    box = Box(3700.0, 100.0, 120.0, 100.0)
    assert shown_area(box, 180.0, DEFAULT, JRDB_CYLINDER) == 120.0 * 100.0
    assert shown_area(box, -180.0, DEFAULT, JRDB_CYLINDER) == 120.0 * 100.0
    assert shown_area(box, 0.0, DEFAULT, JRDB_CYLINDER) == 0.0
    assert shows_enough(box, 180.0, DEFAULT, JRDB_CYLINDER)


def test_only_a_narrow_view_allowed() -> None:
    # 240 columns and the rows 120 to 359: of rows 100 to 399 it shows 240.
    box = Box(1000.0, 100.0, 100.0, 300.0)
    assert best_area(box, (HALF,), JRDB_CYLINDER) == 100.0 * 240.0


def test_the_widest_allowed_view_counts() -> None:
    box = Box(1000.0, 100.0, 100.0, 300.0)
    assert best_area(box, (HALF, DEFAULT_FIELD_OF_VIEW_DEG), JRDB_CYLINDER) == 100.0 * 300.0


def test_what_no_view_shows_is_never_enough() -> None:
    box = Box(1000.0, 500.0, 100.0, 30.0)
    assert best_area(box, DEFAULT, JRDB_CYLINDER) == 0.0
    assert not shows_enough(box, 0.0, DEFAULT, JRDB_CYLINDER)


@given(
    st.builds(
        Box,
        st.floats(0, 3759),
        st.floats(-20, 470),
        st.floats(1, 900),
        st.floats(1, 480),
    )
)
def test_best_area_is_that_of_the_best_of_all_views(box: Box) -> None:
    lefts = np.arange(3760.0)
    windows = np.stack([lefts, 0 * lefts, 0 * lefts + 480, 0 * lefts + 480], axis=1)
    every = float(np.max(intersection(box, windows, 3760)))
    assert best_area(box, DEFAULT, JRDB_CYLINDER) == pytest.approx(every)
