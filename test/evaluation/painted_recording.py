"""A recording in memory whose every pixel says where it is."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from avr_ros.recordings import jpeg
from avr_ros.recordings.errors import FrameNotFound
from avr_ros.recordings.recording import SequenceInfo, StoredAs

START_US = 1_555_960_991_466_809


class PaintedRecording:
    """One sequence, ``hall``, with frames 10 to 10 + ``frames`` - 1."""

    notices = ()

    def __init__(self, frames: int = 20) -> None:
        self._info = SequenceInfo(
            name="hall",
            frame_ids=np.arange(10, 10 + frames, dtype=np.int64),
            stamps_us=START_US + 68_500 * np.arange(frames, dtype=np.int64),
            width=3760,
            height=480,
            stored_as=StoredAs.JPEG,
            path="memory",
        )

    def sequences(self) -> tuple[str, ...]:
        return ("hall",)

    def sequence(self, name: str) -> SequenceInfo:
        return self._info

    def frame_at(self, sequence: str, stamp_us: int) -> int:
        return self._info.frame_at(stamp_us)

    def panorama(self, sequence: str, frame_id: int) -> npt.NDArray[np.uint8]:
        if frame_id not in self._info.frame_ids:
            raise FrameNotFound(f"no frame {frame_id}")
        return _painted(frame_id)

    def encoded(self, sequence: str, frame_id: int) -> bytes:
        return jpeg.encode(self.panorama(sequence, frame_id))

    def close(self) -> None:
        pass


@lru_cache
def _painted(frame_id: int) -> npt.NDArray[np.uint8]:
    """Blue rises with the column, green with the row, red with the frame."""
    image = np.empty((480, 3760, 3), dtype=np.uint8)
    image[..., 0] = (np.arange(3760) * 255 // 3759)[None, :]
    image[..., 1] = (np.arange(480) * 255 // 479)[:, None]
    image[..., 2] = frame_id * 5 % 256
    return image
