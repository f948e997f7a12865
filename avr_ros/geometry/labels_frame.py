"""The label frame of JRDB: headings, 3D boxes, lidar frames.

The frame has x forward, y left and z up in metres, with its origin at the centre of the camera
rig. A 3D box is (cx, cy, cz, l, w, h, rot_z): its centre, length along the heading, width across,
height up, and the file's rotation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.panorama import GROUND_HEIGHT, Cylinder, FloatArray, modulo, wrap_angle

__all__ = [
    "GROUND_HEIGHT",
    "LOWER_LIDAR",
    "UPPER_LIDAR",
    "LidarMount",
    "box_corners",
    "heading_from_rot_z",
    "lidar_to_label_frame",
    "panorama_box",
    "rot_z_from_heading",
]


def heading_from_rot_z(rot_z: ArrayLike) -> FloatArray:
    """Heading in [-pi, pi), counter-clockwise from +x, of the files' ``rot_z``.

    The files turn clockwise and measure from the robot's negative x axis: psi = wrap(pi - rot_z),
    as human-scene-transformer reads them. The toolkit's drawing code (row vectors times Rz) and
    JRDB-Reasoning's relative positions agree; its KITTI converters do not. This function is the
    only place that decides.
    """
    return wrap_angle(math.pi - np.asarray(rot_z, dtype=np.float64))


def rot_z_from_heading(heading: ArrayLike) -> FloatArray:
    """The ``rot_z`` in [-pi, pi) of a heading: the inverse of `heading_from_rot_z`."""
    return wrap_angle(math.pi - np.asarray(heading, dtype=np.float64))


@dataclass(frozen=True)
class LidarMount:
    """How a lidar sits in the label frame: p' = Rz(yaw) (p - offset).

    ``yaw`` in radians, ``offset`` is the label frame's origin in the lidar's axes, metres.
    """

    yaw: float
    offset: tuple[float, float, float]


UPPER_LIDAR = LidarMount(0.085, (0.0, 0.0, -0.33529))
"""The upper Velodyne (JRDB toolkit, ``defaults.yaml``)."""

LOWER_LIDAR = LidarMount(0.0, (0.0, 0.0, 0.13511))
"""The lower Velodyne (JRDB toolkit, ``defaults.yaml``)."""


def lidar_to_label_frame(points: ArrayLike, mount: LidarMount) -> FloatArray:
    """Points (..., 3) of a lidar's frame in the label frame."""
    xyz = np.asarray(points, dtype=np.float64)
    if xyz.ndim < 1 or xyz.shape[-1] != 3:
        raise GeometryError(f"points must have shape (..., 3), not {xyz.shape}")
    x, y, z = np.moveaxis(xyz - np.asarray(mount.offset), -1, 0)
    cosine, sine = math.cos(mount.yaw), math.sin(mount.yaw)
    return np.stack([cosine * x - sine * y, sine * x + cosine * y, z], axis=-1)


def box_corners(box: ArrayLike) -> FloatArray:
    """The corners (..., 8, 3) of 3D boxes (..., 7).

    Corners 0 to 3 are the bottom: front left, rear left, rear right, front right as the person
    faces; 4 to 7 the top in the same order.
    """
    values = _boxes(box)
    heading = np.asarray(heading_from_rot_z(values[..., 6]))[..., None]
    along = values[..., 3, None] / 2 * np.array([1, -1, -1, 1, 1, -1, -1, 1])
    across = values[..., 4, None] / 2 * np.array([1, 1, -1, -1, 1, 1, -1, -1])
    up = values[..., 5, None] / 2 * np.array([-1, -1, -1, -1, 1, 1, 1, 1])
    x = values[..., 0, None] + np.cos(heading) * along - np.sin(heading) * across
    y = values[..., 1, None] + np.sin(heading) * along + np.cos(heading) * across
    z = values[..., 2, None] + up
    return np.stack([x, y, z], axis=-1)


def panorama_box(box: ArrayLike, cylinder: Cylinder) -> FloatArray:
    """The tight panorama boxes (..., 4) of 3D boxes (..., 7).

    Rows are not cut to the picture (`avr_ros.geometry.boxes.clip_rows` does that). Raises
    GeometryError for a box that the rig itself is in, which surrounds it.
    """
    values = _boxes(box)
    heading = np.asarray(heading_from_rot_z(values[..., 6]))
    # The rig's position in the box's own axes gives the nearest point of the footprint.
    along = -(np.cos(heading) * values[..., 0] + np.sin(heading) * values[..., 1])
    across = np.sin(heading) * values[..., 0] - np.cos(heading) * values[..., 1]
    nearest = np.hypot(
        np.maximum(np.abs(along) - values[..., 3] / 2, 0.0),
        np.maximum(np.abs(across) - values[..., 4] / 2, 0.0),
    )
    if not np.all(nearest > 0.0):
        raise GeometryError("a 3D box contains the camera rig or holds NaN, so it has no outline")
    corners = box_corners(values)[..., :4, :2]
    farthest = np.max(np.hypot(corners[..., 0], corners[..., 1]), axis=-1)
    middle = np.arctan2(values[..., 1], values[..., 0])
    offsets = np.asarray(
        wrap_angle(np.arctan2(corners[..., 1], corners[..., 0]) - middle[..., None])
    )
    leftmost, rightmost = np.max(offsets, axis=-1), np.min(offsets, axis=-1)
    x = modulo(
        cylinder.azimuth_to_column(middle) - leftmost * cylinder.columns_per_radian, cylinder.width
    )
    top = values[..., 2] + values[..., 5] / 2
    bottom = values[..., 2] - values[..., 5] / 2
    # A height's row moves away from the horizon as it comes nearer, so the extremes over the
    # footprint are at its nearest and its farthest point.
    highest = np.maximum(top / nearest, top / farthest)
    lowest = np.minimum(bottom / nearest, bottom / farthest)
    y = cylinder.principal_row - cylinder.vertical_focal_length * highest
    return np.stack(
        [
            x,
            y,
            (leftmost - rightmost) * cylinder.columns_per_radian,
            cylinder.vertical_focal_length * (highest - lowest),
        ],
        axis=-1,
    )


def _boxes(box: ArrayLike) -> FloatArray:
    values = np.asarray(box, dtype=np.float64)
    if values.ndim < 1 or values.shape[-1] != 7:
        raise GeometryError(f"3D boxes must have shape (..., 7), not {values.shape}")
    return values
