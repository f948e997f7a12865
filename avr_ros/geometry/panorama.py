"""The stitched panorama as a cylinder around the label frame's z axis.

A point (x forward, y left, z up; metres) has the azimuth phi = atan2(y, x), positive to the left,
and appears at column u = W (1/2 - phi / 2 pi) mod W and row v = c - f z / sqrt(x^2 + y^2).
Columns are angles, rows are tangents of elevation: the picture is not equirectangular.
The formulas and the two vertical constants follow the JRDB toolkit's
``project_ref_to_image_torch`` (medians over the five upper cameras of ``cameras.yaml``).

Every function but :meth:`Cylinder.column_of` takes scalars or arrays and broadcasts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from avr_ros.geometry.errors import GeometryError

FloatArray = NDArray[np.float64]

TWO_PI = 2.0 * math.pi

GROUND_HEIGHT = -0.90
"""Height of the floor in the label frame, in metres: base_link lies 0.9027 m below the rig."""


def modulo(value: ArrayLike, period: float) -> FloatArray:
    """Reduce to [0, period), also where rounding would give the period itself."""
    reduced = np.mod(np.asarray(value, dtype=np.float64), period)
    return np.where(reduced >= period, 0.0, reduced)[()]


def wrap_angle(angle: ArrayLike) -> FloatArray:
    """Reduce an angle in radians to [-pi, pi)."""
    values = np.asarray(angle, dtype=np.float64)
    wrapped = modulo(values + math.pi, TWO_PI) - math.pi
    # An angle already in range keeps its last bits, so that wrapping twice changes nothing.
    return np.where((values >= -math.pi) & (values < math.pi), values, wrapped)[()]


@dataclass(frozen=True)
class Cylinder:
    """The geometry of a full-circle panorama.

    ``width`` and ``height`` are in pixels; ``vertical_focal_length`` in pixels per unit of
    tan(elevation); ``principal_row`` is the row of the horizon.
    """

    width: int = 3760
    height: int = 480
    vertical_focal_length: float = 482.924
    principal_row: float = 209.383

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise GeometryError(f"panorama size {self.width}x{self.height} must be positive")
        if not (math.isfinite(self.vertical_focal_length) and self.vertical_focal_length > 0.0):
            raise GeometryError(
                f"vertical focal length {self.vertical_focal_length} must be finite and positive"
            )
        if not math.isfinite(self.principal_row):
            raise GeometryError(f"principal row {self.principal_row} must be finite")

    @property
    def columns_per_radian(self) -> float:
        """Horizontal scale in pixels per radian, the same in every column."""
        return self.width / TWO_PI

    def azimuth_to_column(self, azimuth: ArrayLike) -> FloatArray:
        """Column in [0, width) of an azimuth in radians."""
        turns = np.asarray(azimuth, dtype=np.float64) / TWO_PI
        return modulo(self.width * (0.5 - turns), self.width)

    def column_of(self, azimuth: float) -> float:
        """Column of one azimuth: as :meth:`azimuth_to_column`, without NumPy's overhead."""
        column = self.width * (0.5 - azimuth / TWO_PI) % self.width
        return 0.0 if column >= self.width else column

    def column_to_azimuth(self, column: ArrayLike) -> FloatArray:
        """Azimuth in [-pi, pi) of a column, which may lie outside [0, width)."""
        turns = 0.5 - np.asarray(column, dtype=np.float64) / self.width
        return wrap_angle(TWO_PI * turns)

    def elevation_of_row(self, row: ArrayLike) -> FloatArray:
        """Elevation in radians, positive above the horizon, of a row."""
        tangent = (self.principal_row - np.asarray(row, np.float64)) / self.vertical_focal_length
        return np.asarray(np.arctan(tangent), dtype=np.float64)[()]

    def row_of_elevation(self, elevation: ArrayLike) -> FloatArray:
        """Row of an elevation in radians; may lie outside the picture."""
        tangent = np.tan(np.asarray(elevation, dtype=np.float64))
        return np.asarray(self.principal_row - self.vertical_focal_length * tangent)[()]

    def project(self, points: ArrayLike) -> FloatArray:
        """Project points (..., 3) of the label frame to (..., 2) columns and rows.

        Rows may lie outside the picture. A point on the vertical axis has no column: its row is
        infinite (NaN at the origin), as the formula gives.
        """
        xyz = np.asarray(points, dtype=np.float64)
        if xyz.ndim < 1 or xyz.shape[-1] != 3:
            raise GeometryError(f"points must have shape (..., 3), not {xyz.shape}")
        column = self.azimuth_to_column(np.arctan2(xyz[..., 1], xyz[..., 0]))
        distance = np.hypot(xyz[..., 0], xyz[..., 1])
        with np.errstate(divide="ignore", invalid="ignore"):
            row = self.principal_row - self.vertical_focal_length * (xyz[..., 2] / distance)
        return np.stack([column, row], axis=-1)

    def unproject(
        self, column: ArrayLike, row: ArrayLike, ground_distance: ArrayLike
    ) -> FloatArray:
        """The point (..., 3) seen at a pixel whose horizontal distance in metres is known."""
        azimuth, tangent, distance = np.broadcast_arrays(
            self.column_to_azimuth(column),
            (self.principal_row - np.asarray(row, np.float64)) / self.vertical_focal_length,
            np.asarray(ground_distance, dtype=np.float64),
        )
        return np.stack(
            [distance * np.cos(azimuth), distance * np.sin(azimuth), distance * tangent], axis=-1
        )

    def ray(self, column: ArrayLike, row: ArrayLike) -> FloatArray:
        """Unit directions (..., 3) in the label frame of pixels."""
        direction = self.unproject(column, row, 1.0)
        unit: FloatArray = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
        return unit

    def ground_distance_of_row(
        self, row: ArrayLike, ground_height: float = GROUND_HEIGHT
    ) -> FloatArray:
        """Horizontal distance in metres at which a row's rays meet the floor.

        NaN where they never do, at and above the horizon.
        """
        below = np.asarray(row, dtype=np.float64) - self.principal_row
        if not ground_height < 0.0:
            raise GeometryError(f"the floor must lie below the rig, not at {ground_height} m")
        with np.errstate(divide="ignore"):
            distance = -ground_height * self.vertical_focal_length / below
        return np.where(below > 0.0, distance, np.nan)[()]

    def ground_point(
        self, column: ArrayLike, row: ArrayLike, ground_height: float = GROUND_HEIGHT
    ) -> FloatArray:
        """The point (..., 3) of the floor seen at a pixel; NaN at and above the horizon."""
        point = self.unproject(column, row, self.ground_distance_of_row(row, ground_height))
        point[..., 2] = np.where(np.isnan(point[..., 0]), np.nan, ground_height)
        return point


JRDB_CYLINDER = Cylinder()
"""The panorama of the JRDB data set."""
