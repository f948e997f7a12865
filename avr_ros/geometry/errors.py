"""Errors of the geometry room, which stands below every other room and so defines its own."""

from __future__ import annotations


class GeometryError(ValueError):
    """A value that has no meaning on the panorama, such as a NaN azimuth or a negative width."""
