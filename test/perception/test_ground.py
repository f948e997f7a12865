import math

import pytest

from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.perception import ground

HORIZON, FOCAL = 209.383, 482.924


def test_the_foot_tells_the_place() -> None:
    # Ten metres away the floor is 0.9 * 482.924 / 10 = 43.463 px below the horizon.
    place = ground.from_foot(math.pi / 2, HORIZON + 43.46316, 2.0, JRDB_CYLINDER)
    assert place is not None
    assert place.x == pytest.approx(0.0, abs=1e-9)
    assert place.y == pytest.approx(10.0, abs=1e-5)
    # One row is worth 100 / 434.6 = 0.23 m there.
    assert place.sigma == pytest.approx(2.0 * 100.0 / 434.6316, rel=1e-5)


def test_no_place_at_the_horizon() -> None:
    assert ground.from_foot(0.0, HORIZON, 1.0, JRDB_CYLINDER) is None
    assert ground.from_foot(0.0, HORIZON + 5.0, 1.0, JRDB_CYLINDER) is None


def standing(distance: float, stature: float = 1.70) -> tuple[float, float]:
    """Rows of head and feet."""
    return HORIZON - FOCAL * (stature - 0.9) / distance, HORIZON + FOCAL * 0.9 / distance


def test_a_whole_person_is_placed_by_the_feet() -> None:
    top, bottom = standing(5.0, 1.9)
    place = ground.from_box(0.0, top, bottom, JRDB_CYLINDER)
    assert place is not None
    assert place.x == pytest.approx(5.0, abs=1e-6)


def test_hidden_feet_leave_the_head_and_more_doubt() -> None:
    top, bottom = standing(5.0)
    whole = ground.from_box(0.0, top, bottom, JRDB_CYLINDER)
    half = ground.from_box(0.0, top, bottom - 60.0, JRDB_CYLINDER)
    assert whole is not None
    assert half is not None
    assert half.x == pytest.approx(5.0, abs=1e-6)
    assert half.sigma > 2.0 * whole.sigma


def test_feet_below_the_picture_leave_the_head() -> None:
    top, _ = standing(1.5)
    place = ground.from_box(0.0, max(top, 2.0), 480.0, JRDB_CYLINDER)
    assert top < 2.0
    assert place is not None
    assert 1.5 < place.x < 2.5


def test_neither_feet_nor_head() -> None:
    assert ground.from_box(0.0, 0.0, 480.0, JRDB_CYLINDER) is None
