"""Headings, 3D boxes and lidar frames, by published values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.geometry.boxes import iou
from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.labels_frame import (
    GROUND_HEIGHT,
    LOWER_LIDAR,
    UPPER_LIDAR,
    box_corners,
    heading_from_rot_z,
    lidar_to_label_frame,
    panorama_box,
    rot_z_from_heading,
)
from avr_ros.geometry.panorama import JRDB_CYLINDER, Cylinder

REAL_BOX = (0.36068, 2.84801, 0.01485, 1.0, 0.55, 1.8897, 3.50856)
"""A box that JRDB-Reasoning's source quotes."""


def test_rot_z_is_clockwise_from_the_negative_x_axis() -> None:
    assert float(heading_from_rot_z(math.pi)) == 0.0
    assert float(heading_from_rot_z(math.pi / 2)) == pytest.approx(math.pi / 2)
    assert float(heading_from_rot_z(-math.pi / 2)) == pytest.approx(-math.pi / 2)
    assert float(heading_from_rot_z(0.0)) == -math.pi
    assert float(heading_from_rot_z(3.50856)) == pytest.approx(-0.36697, abs=1e-5)
    assert float(heading_from_rot_z(-2.17123)) == pytest.approx(-0.97036, abs=1e-5)


@given(st.floats(-2 * math.pi, 2 * math.pi))
def test_the_box_axis_turns_by_minus_rot_z(rot_z: float) -> None:
    """The toolkit draws boxes with row vectors times Rz: the length axis lies at -rot_z."""
    heading = float(heading_from_rot_z(rot_z))
    assert abs(math.sin(heading + rot_z)) < 1e-9
    assert abs(math.sin((float(rot_z_from_heading(heading)) - rot_z) / 2)) < 1e-9


@given(st.floats(-math.pi, math.pi, exclude_max=True))
def test_heading_round_trip(heading: float) -> None:
    back = float(heading_from_rot_z(rot_z_from_heading(heading)))
    assert abs(math.sin((back - heading) / 2)) < 1e-12


def test_the_real_box() -> None:
    corners = box_corners(REAL_BOX)
    assert corners.shape == (8, 3)
    assert corners[:4, 2] == pytest.approx(-0.93, abs=1e-4)
    assert corners.mean(axis=0) == pytest.approx(REAL_BOX[:3])
    front = corners[[0, 3]].mean(axis=0)[:2] - np.array(REAL_BOX[:2])
    assert math.atan2(front[1], front[0]) == pytest.approx(-0.36697, abs=1e-5)
    assert np.hypot(*front) == pytest.approx(0.5)
    left = corners[[0, 1]].mean(axis=0)[:2] - np.array(REAL_BOX[:2])
    assert math.atan2(left[1], left[0]) == pytest.approx(math.pi / 2 - 0.36697, abs=1e-5)
    column = float(JRDB_CYLINDER.project(REAL_BOX[:3])[0])
    assert column == pytest.approx(1015.385, abs=0.001)


def test_lidar_floors_meet() -> None:
    """Floors measured at -1.24 m and -0.77 m: subtracting the offsets brings both to -0.905."""
    upper = lidar_to_label_frame((0.0, 0.0, -1.24), UPPER_LIDAR)[2]
    lower = lidar_to_label_frame((0.0, 0.0, -0.77), LOWER_LIDAR)[2]
    assert upper == pytest.approx(-0.905, abs=0.001)
    assert lower == pytest.approx(-0.905, abs=0.001)
    assert abs(upper - lower) < 0.001
    assert abs(upper - GROUND_HEIGHT) < 0.01


def test_the_upper_lidar_is_turned() -> None:
    x, y, _ = lidar_to_label_frame((2.0, 0.0, 0.0), UPPER_LIDAR)
    assert math.atan2(y, x) == pytest.approx(0.085)
    assert lidar_to_label_frame(np.zeros((4, 5, 3)), LOWER_LIDAR).shape == (4, 5, 3)
    with pytest.raises(GeometryError):
        lidar_to_label_frame((1.0, 2.0), LOWER_LIDAR)


def test_outline_of_a_box_straight_ahead() -> None:
    """A 0.5 m cube 2 m ahead at eye level: its near face, 1.75 m away, gives the outline."""
    x, y, w, h = panorama_box((2.0, 0.0, 0.0, 0.5, 0.5, 0.5, math.pi), JRDB_CYLINDER)
    half = math.atan2(0.25, 1.75) * 3760 / (2 * math.pi)
    assert (x, w) == (pytest.approx(1880 - half), pytest.approx(2 * half))
    assert y == pytest.approx(209.383 - 482.924 * 0.25 / 1.75)
    assert h == pytest.approx(2 * 482.924 * 0.25 / 1.75)


def surface_samples(box: tuple[float, ...]) -> np.ndarray:
    """Points all over a box's twelve edges and inside its faces."""
    corners = box_corners(box)
    s, t, r = np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 1, 41), [0.0, 1.0], indexing="ij")
    origin = corners[0]
    a, b, c = corners[1] - origin, corners[3] - origin, corners[4] - origin
    faces = [(a, b, c), (a, c, b), (b, c, a)]
    return np.concatenate(
        [(origin + s[..., None] * p + t[..., None] * q + r[..., None] * n).reshape(-1, 3)
         for p, q, n in faces]
    )  # fmt: skip


@given(
    st.floats(1.2, 20.0),
    st.floats(-math.pi, math.pi),
    st.floats(-1.5, 1.5),
    st.floats(0.2, 1.0),
    st.floats(0.2, 1.0),
    st.floats(0.3, 2.0),
    st.floats(-2 * math.pi, 2 * math.pi),
)
def test_outline_is_tight(
    distance: float, azimuth: float, z: float, length: float, width: float, h: float, rot: float
) -> None:
    cylinder = Cylinder()
    box = (distance * math.cos(azimuth), distance * math.sin(azimuth), z, length, width, h, rot)
    outline = panorama_box(box, cylinder)
    pixels = cylinder.project(surface_samples(box))
    offset = (pixels[:, 0] - outline[0] + 1e-6) % 3760
    assert offset.max() <= outline[2] + 1e-5
    assert pixels[:, 1].min() >= outline[1] - 1e-6
    assert pixels[:, 1].max() <= outline[1] + outline[3] + 1e-6
    seen = (outline[0], pixels[:, 1].min(), np.ptp(offset), np.ptp(pixels[:, 1]))
    assert float(iou(seen, outline, 3760)) > 0.99


def test_a_box_around_the_rig_has_no_outline() -> None:
    with pytest.raises(GeometryError, match="rig"):
        panorama_box((0.1, 0.0, 0.0, 1.0, 0.5, 1.8, 0.0), JRDB_CYLINDER)
    with pytest.raises(GeometryError, match="rig"):
        panorama_box((math.nan, 0.0, 0.0, 1.0, 0.5, 1.8, 0.0), JRDB_CYLINDER)
    with pytest.raises(GeometryError, match="shape"):
        panorama_box((0.1, 0.0, 0.0), JRDB_CYLINDER)
