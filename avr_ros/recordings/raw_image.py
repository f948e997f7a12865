"""Uncompressed images as sensor_msgs/Image stores them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from avr_ros.recordings.jpeg import MAX_PIXELS

CHANNELS = {"bgr8": 3, "rgb8": 3, "mono8": 1}
"""Encodings that can be read, with their bytes a pixel."""


@dataclass(frozen=True)
class RawFormat:
    """How pixels lie in a message: size in pixels, bytes from row to row, encoding."""

    width: int
    height: int
    step: int
    encoding: str

    def fault(self, size: int) -> str:
        """Return what is wrong with ``size`` bytes of this format, empty where nothing is."""
        channels = CHANNELS.get(self.encoding)
        if channels is None:
            return f"encoding {self.encoding!r} is not one of {', '.join(CHANNELS)}"
        if not 0 < self.width * self.height <= MAX_PIXELS:
            return f"says it is {self.width} x {self.height} px"
        if self.step < self.width * channels:
            return f"a row of {self.width} px cannot lie in {self.step} bytes"
        if size < self.step * (self.height - 1) + self.width * channels:
            return f"{self.height} rows of {self.step} bytes cannot lie in {size} bytes"
        return ""

    def to_bgr(self, data: bytes) -> npt.NDArray[np.uint8]:
        """Return the pixels, (height, width, 3) uint8, blue-green-red, read-only.

        The data must have no :meth:`fault`.
        """
        channels = CHANNELS[self.encoding]
        rows = np.ndarray(
            (self.height, self.width, channels), np.uint8, data, 0, (self.step, channels, 1)
        )
        if self.encoding == "mono8":
            pixels = np.repeat(rows, 3, axis=2)
        elif self.encoding == "rgb8":
            pixels = np.ascontiguousarray(rows[:, :, ::-1])
        else:
            pixels = rows.copy(order="C")
        pixels.flags.writeable = False
        return pixels
