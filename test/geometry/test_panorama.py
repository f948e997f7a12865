"""The cylinder: published figures of the JRDB panorama, and round trips."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.panorama import GROUND_HEIGHT, JRDB_CYLINDER, Cylinder, modulo, wrap_angle

ANGLES = st.floats(-math.pi, math.pi, exclude_max=True)
COLUMNS = st.floats(0.0, 3760.0, exclude_max=True)


@pytest.mark.parametrize(
    ("point", "column"),
    [((1, 0, 0), 1880.0), ((0, 1, 0), 940.0), ((0, -1, 0), 2820.0), ((-1, 0, 0), 0.0)],
    ids=["forward", "left", "right", "behind"],
)
def test_cardinal_directions(point: tuple[float, float, float], column: float) -> None:
    u, v = JRDB_CYLINDER.project(point)
    assert u == pytest.approx(column, abs=1e-9)
    assert v == pytest.approx(209.383)


def test_horizontal_scale() -> None:
    assert JRDB_CYLINDER.columns_per_radian == pytest.approx(598.42, abs=0.005)
    assert math.radians(JRDB_CYLINDER.columns_per_radian) == pytest.approx(10.444, abs=0.0005)


def test_vertical_field() -> None:
    assert math.degrees(JRDB_CYLINDER.elevation_of_row(0)) == pytest.approx(23.4, abs=0.05)
    assert math.degrees(JRDB_CYLINDER.elevation_of_row(480)) == pytest.approx(-29.3, abs=0.05)


def test_the_nearest_visible_floor() -> None:
    assert float(JRDB_CYLINDER.ground_distance_of_row(480)) == pytest.approx(1.61, abs=0.005)
    point = JRDB_CYLINDER.ground_point(1880, 480)
    assert point == pytest.approx([1.606, 0.0, GROUND_HEIGHT], abs=0.001)


def test_the_floor_is_not_seen_at_or_above_the_horizon() -> None:
    rows = np.array([0.0, 209.383, 209.384])
    assert np.isnan(JRDB_CYLINDER.ground_distance_of_row(rows)).tolist() == [True, True, False]
    assert np.isnan(JRDB_CYLINDER.ground_point(0, 100)).all()


@pytest.mark.parametrize(
    ("camera", "centre"), [(6, 376), (8, 1128), (0, 1880), (2, 2632), (4, 3384)]
)
def test_cells_of_the_five_cameras(camera: int, centre: int) -> None:
    """Camera 2k looks k fifths of a turn clockwise of the forward direction."""
    clockwise = {0: 0.0, 2: 72.0, 4: 144.0, 6: 216.0, 8: 288.0}[camera]
    assert float(JRDB_CYLINDER.azimuth_to_column(-math.radians(clockwise))) == pytest.approx(centre)


def test_toolkit_formula() -> None:
    """The toolkit writes the column with an arctangent of (x, -y); both agree on a grid."""
    rng = np.random.default_rng(5)
    points = rng.uniform(-10, 10, (500, 3))
    turned = np.arctan2(-points[:, 1], points[:, 0])
    expected = (1880 + turned / math.pi * 1880) % 3760
    difference = JRDB_CYLINDER.project(points)[:, 0] - expected
    assert np.abs((difference + 1880) % 3760 - 1880).max() < 1e-9


@given(st.floats(0.05, 60.0), ANGLES, st.floats(-5.0, 5.0))
def test_project_and_unproject(distance: float, azimuth: float, z: float) -> None:
    point = np.array([distance * math.cos(azimuth), distance * math.sin(azimuth), z])
    u, v = JRDB_CYLINDER.project(point)
    assert 0.0 <= u < 3760.0
    assert JRDB_CYLINDER.unproject(u, v, distance) == pytest.approx(point, abs=1e-8)


@given(COLUMNS, st.floats(0.0, 480.0))
def test_ray_projects_back(column: float, row: float) -> None:
    ray = JRDB_CYLINDER.ray(column, row)
    assert np.linalg.norm(ray) == pytest.approx(1.0)
    u, v = JRDB_CYLINDER.project(7.0 * ray)
    assert abs((u - column + 1880) % 3760 - 1880) < 1e-8
    assert v == pytest.approx(row, abs=1e-8)


@given(COLUMNS)
def test_columns_and_azimuths(column: float) -> None:
    azimuth = float(JRDB_CYLINDER.column_to_azimuth(column))
    assert -math.pi <= azimuth < math.pi
    back = float(JRDB_CYLINDER.azimuth_to_column(azimuth))
    assert abs((back - column + 1880) % 3760 - 1880) < 1e-9


@given(st.floats(-1e4, 1e4), st.integers(1, 5000))
@example(math.pi, 3760)
@example(math.nextafter(math.pi, 4.0), 3760)
def test_the_column_of_one_azimuth(azimuth: float, width: int) -> None:
    """The scalar formula gives the same bits."""
    cylinder = Cylinder(width=width)
    assert cylinder.column_of(azimuth) == float(cylinder.azimuth_to_column(azimuth))


@pytest.mark.filterwarnings("ignore:invalid value encountered")
@pytest.mark.parametrize("azimuth", [math.nan, math.inf, -math.inf])
def test_no_azimuth_has_no_column(azimuth: float) -> None:
    assert math.isnan(JRDB_CYLINDER.column_of(azimuth))
    assert np.isnan(JRDB_CYLINDER.azimuth_to_column(azimuth))


@given(st.floats(-30.0, 30.0))
def test_rows_and_elevations(degrees: float) -> None:
    row = JRDB_CYLINDER.row_of_elevation(math.radians(degrees))
    assert math.degrees(JRDB_CYLINDER.elevation_of_row(row)) == pytest.approx(degrees, abs=1e-9)


@given(st.floats(-1e4, 1e4))
def test_wrap(angle: float) -> None:
    wrapped = float(wrap_angle(angle))
    assert -math.pi <= wrapped < math.pi
    assert float(wrap_angle(wrapped)) == wrapped
    assert math.cos(wrapped) == pytest.approx(math.cos(angle), abs=1e-9)
    assert math.sin(wrapped) == pytest.approx(math.sin(angle), abs=1e-9)


def test_wrap_at_the_ends() -> None:
    assert float(wrap_angle(math.pi)) == -math.pi
    assert float(wrap_angle(-math.pi)) == -math.pi
    assert float(wrap_angle(3 * math.pi / 2)) == pytest.approx(-math.pi / 2)


def test_modulo_never_returns_its_period() -> None:
    assert float(modulo(-1e-20, 3760)) == 0.0
    assert float(modulo(3760.0, 3760)) == 0.0


@pytest.mark.parametrize(
    "arguments",
    [
        {"width": 0},
        {"height": -1},
        {"vertical_focal_length": 0.0},
        {"vertical_focal_length": math.nan},
        {"principal_row": math.inf},
    ],
)
def test_impossible_cylinders_are_refused(arguments: dict[str, float]) -> None:
    with pytest.raises(GeometryError):
        Cylinder(**arguments)  # type: ignore[arg-type]


def test_bad_shapes_and_floors_are_refused() -> None:
    with pytest.raises(GeometryError, match="shape"):
        JRDB_CYLINDER.project([1.0, 2.0])
    with pytest.raises(GeometryError, match="below"):
        JRDB_CYLINDER.ground_point(0, 400, ground_height=0.5)
