"""Pictures as a judge of visual support is shown them (EviSeek, appendix B)."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from avr_ros.recordings import jpeg

LARGEST: Final[tuple[int, int]] = (1365, 768)
"""Width and height in px that pictures are fitted within, never enlarged."""

QUALITY: Final[int] = 90
"""Quality of the one JPEG encoding, after the number is drawn."""

_LABEL_PX: Final[int] = 28


def judge_picture(pixels: npt.NDArray[np.uint8], number: int) -> bytes:
    """A picture (height, width, 3), blue-green-red, made smaller where needed, with its number in
    the upper left corner, as JPEG."""
    height, width = pixels.shape[:2]
    scale = min(1.0, LARGEST[0] / width, LARGEST[1] / height)
    if scale < 1.0:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    drawn = pixels.copy()
    text = str(number)
    cv2.rectangle(drawn, (0, 0), (_LABEL_PX * len(text), _LABEL_PX), (0, 0, 0), cv2.FILLED)
    cv2.putText(drawn, text, (5, _LABEL_PX - 7), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (255, 255, 255), 2)
    return jpeg.encode(drawn, QUALITY)
