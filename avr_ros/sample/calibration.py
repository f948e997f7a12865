"""Calibration files with JRDB's keys for an ideal rig.

The real files describe one robot's cameras; these describe the rig that the sample is drawn with:
five upper and five lower cameras 72 degrees apart whose vertical focal length and principal row
are those of the panorama.
"""

from __future__ import annotations

import numpy as np

from avr_ros.geometry.labels_frame import LOWER_LIDAR, UPPER_LIDAR
from avr_ros.geometry.panorama import JRDB_CYLINDER

_TO_CAMERA = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])


def calibration_files() -> dict[str, str]:
    """File names below the calibration folder, with their text."""
    return {
        "defaults.yaml": _defaults(),
        "cameras.yaml": _cameras(),
        "lidars.yaml": _lidars(),
    }


def _row(values: np.ndarray) -> str:
    return " ".join(f"{value:.6g}" for value in values)


def _defaults() -> str:
    upper, lower = UPPER_LIDAR, LOWER_LIDAR
    return f"""calibrated:
  lidar_upper_to_rgb:
    # in meters: [x,y,z]
    translation: [{", ".join(f"{v:g}" for v in upper.offset)}]
    # in radians: [x,y,z]
    rotation: [0, 0, {upper.yaw:g}]
  lidar_lower_to_rgb:
    translation: [{", ".join(f"{v:g}" for v in lower.offset)}]
    rotation: [0, 0, {lower.yaw:g}]
image:
  width: {JRDB_CYLINDER.width}
  height: {JRDB_CYLINDER.height}
  stitched_image_offset: {JRDB_CYLINDER.width // 2}
frames:
  global: base_link
  rgb360: occam
"""


def _cameras() -> str:
    text = [
        "stitching:",
        "  radius: 3360000",
        "  rotation: 0",
        "  scalewidth: 1831",
        "  crop: 1",
        "cameras:",
    ]
    focal, centre = JRDB_CYLINDER.vertical_focal_length, JRDB_CYLINDER.principal_row
    for sensor in range(10):
        angle = 2.0 * np.pi * (sensor % 5) / 5.0
        cosine, sine = np.cos(angle), np.sin(angle)
        turn = np.array([[cosine, 0.0, -sine], [0.0, 1.0, 0.0], [sine, 0.0, cosine]])
        depth = -5.0 if sensor < 5 else -127.0
        text += [
            f"  sensor_{sensor}:",
            "    width: 752",
            "    height: 480",
            "    D: 0 0 0 0 0",
            "    K: >",
            f"      {focal:g} 0 376",
            f"      0 {focal:g} {centre:g}",
            "      0 0 1",
            "    R: >",
            *(f"      {_row(row)}" for row in turn),
            f"    T: 0 {depth:g} -55",
        ]
    return "\n".join(text) + "\n"


def _matrix(name: str, matrix: np.ndarray, indent: str) -> list[str]:
    return [f"{indent}{name}:"] + [
        f"{indent}- [{', '.join(f'{value:.9g}' for value in row)}]" for row in matrix
    ]


def _lidars() -> str:
    upper = np.eye(4)
    cosine, sine = np.cos(UPPER_LIDAR.yaw), np.sin(UPPER_LIDAR.yaw)
    upper[:2, :2] = [[cosine, -sine], [sine, cosine]]
    upper[2, 3] = -UPPER_LIDAR.offset[2]
    lower = np.eye(4)
    lower[2, 3] = -LOWER_LIDAR.offset[2]
    text = ["%YAML 1.2", "---", "lidar:"]
    text += _matrix("upper2ego", upper, "  ")
    text += _matrix("lower2upper", np.linalg.inv(upper) @ lower, "  ")
    focal, centre = JRDB_CYLINDER.vertical_focal_length, JRDB_CYLINDER.principal_row
    intrinsics = np.array([[focal, 0.0, 376.0], [0.0, focal, centre], [0.0, 0.0, 1.0]])
    for image in (6, 8, 0, 2, 4):
        angle = -2.0 * np.pi * (image // 2) / 5.0
        cosine, sine = np.cos(angle), np.sin(angle)
        # Camera axes (right, down, forward) of a camera that looks along ``angle``.
        rotation = np.array([[sine, 0.0, cosine], [-cosine, 0.0, sine], [0.0, -1.0, 0.0]])
        to_ego = np.eye(4)
        to_ego[:3, :3] = rotation
        to_ego[:3, 3] = 0.055 * rotation[:, 2]
        text += [f"sensor_{image}:", "  D: [0.0, 0.0, 0.0, 0.0, 0.0]"]
        text += _matrix("distorted_img_K", intrinsics, "  ")
        text += _matrix("undistorted_img_K", intrinsics, "  ")
        text += _matrix("upper2cam", np.linalg.inv(to_ego) @ upper, "  ")
        text += _matrix("cam2ego", to_ego, "  ")
    return "\n".join(text) + "\n"
