"""The box type of files and messages."""

from typing import NamedTuple


class Box(NamedTuple):
    """A box on the panorama in pixels: left, top, width, height.

    ``x`` lies in [0, W); ``x + w`` may run past the seam at W.
    """

    x: float
    y: float
    w: float
    h: float
