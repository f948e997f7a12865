"""Angles as plain numbers: the search compares thousands of single ones."""

import math

from avr_ros.geometry.panorama import TWO_PI


def wrap(angle: float) -> float:
    """Reduce an angle in radians to [-pi, pi)."""
    if -math.pi <= angle < math.pi:
        return angle
    wrapped = (angle + math.pi) % TWO_PI - math.pi
    return -math.pi if wrapped >= math.pi else wrapped
