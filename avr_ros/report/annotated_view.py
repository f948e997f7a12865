"""The view that an answer rests on with its box drawn in, for people who watch."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from avr_ros.geometry.crop import CropWindow, to_crop
from avr_ros.schema.box import Box

# One of the eight colours of Okabe and Ito, told apart by people with any colour vision (BGR).
COLOUR: Final = (0, 159, 230)

THICKNESS: Final = 3


def annotated_view(
    image: npt.NDArray[np.uint8], window: CropWindow, box: Box | None, text: str
) -> npt.NDArray[np.uint8]:
    """A copy of the picture of a window with a panorama box drawn in and a line of text.

    The picture has the window's part of the panorama at any scale; a box that passes the seam is
    drawn whole where the window shows it.
    """
    drawn = np.array(image, dtype=np.uint8, order="C")
    height, width = drawn.shape[:2]
    if box is not None:
        scaled = to_crop(box, window, 1) * np.array([width, height, width, height])
        limit = 4.0 * max(width, height)
        left, top, wide, high = (round(v) for v in np.clip(scaled, -limit, limit).tolist())
        # On a whole panorama a box past the seam has a second half at the other edge.
        whole = window.width == window.panorama_width
        for shift in (-width, 0, width) if whole else (0,):
            corner = (left + shift, top)
            opposite = (left + shift + wide, top + high)
            cv2.rectangle(drawn, corner, opposite, COLOUR, THICKNESS)
    if text:
        place = (8, height - 12)
        cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 4, cv2.LINE_AA)
        cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, COLOUR, 1, cv2.LINE_AA)
    return drawn
