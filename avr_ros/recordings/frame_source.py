"""What a kind of storage provides for one sequence, and how its frames become pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from avr_ros.recordings import jpeg
from avr_ros.recordings.errors import UnreadableFrame, UnreadableJpeg
from avr_ros.recordings.raw_image import RawFormat
from avr_ros.recordings.recording import SequenceInfo


@dataclass(frozen=True)
class StoredFrame:
    """An image as stored: a JPEG, or raw pixels where ``raw`` says how they lie.

    ``path`` and ``position`` say where it was found, for error messages.
    """

    data: bytes
    raw: RawFormat | None
    path: str
    position: str

    def size(self) -> tuple[int, int]:
        """Return width and height in pixels.

        :raises UnreadableFrame: the image is damaged or incomplete.
        """
        if self.raw is not None:
            fault = self.raw.fault(len(self.data))
            if fault:
                raise UnreadableFrame(self.path, self.position, fault)
            return self.raw.width, self.raw.height
        try:
            return jpeg.size(self.data)
        except UnreadableJpeg as error:
            raise UnreadableFrame(self.path, self.position, str(error)) from error

    def decode(self, width: int, height: int) -> npt.NDArray[np.uint8]:
        """Return the pixels, (height, width, 3) uint8, blue-green-red, read-only.

        :raises UnreadableFrame: the image is damaged or does not have the sequence's size.
        """
        size = self.size()
        if size != (width, height):
            raise UnreadableFrame(
                self.path,
                self.position,
                f"it is {size[0]} x {size[1]} px, the sequence's first image {width} x {height}",
            )
        if self.raw is not None:
            return self.raw.to_bgr(self.data)
        try:
            return jpeg.decode(self.data)
        except UnreadableJpeg as error:
            raise UnreadableFrame(self.path, self.position, str(error)) from error


class FrameSource(Protocol):
    """The stored frames of one sequence; safe between threads."""

    @property
    def info(self) -> SequenceInfo:
        """Frames, stamps and geometry."""

    def read(self, frame_id: int) -> StoredFrame:
        """Return a frame as stored.

        :raises FrameNotFound: the sequence has no such frame.
        :raises UnreadableFrame: its bytes cannot be had.
        :raises RecordingClosed: after :meth:`close`.
        """

    def close(self) -> None:
        """Give back what the source holds open; reads under way finish first or fail cleanly."""
