"""Everything that can be wrong with a recording or with a request for one of its frames."""

from __future__ import annotations

from avr_ros.schema.errors import AvrError, BadInputError


class RecordingError(AvrError):
    """Base class of the errors of this room."""


class NotARecording(RecordingError, BadInputError):
    """Nothing at this path can be opened as a recording."""


class AmbiguousRecording(NotARecording):
    """Two things at this path claim to be the same sequence."""


class UnsupportedRecording(RecordingError, BadInputError):
    """The recording's kind is known, but this package cannot read it (old version, encoding)."""


class TopicNotFound(RecordingError, BadInputError):
    """The bag has no image messages on the topic that was asked for."""


class DamagedRecording(RecordingError):
    """Not one frame of the sequence can be read."""


class MalformedTimestamps(RecordingError, BadInputError):
    """A timestamps file does not hold what its format promises or belongs to another recording."""


class OutsideDataSet(RecordingError, BadInputError):
    """A path leads out of the data set, by a symlink for instance."""


class UnknownSequence(RecordingError, BadInputError):
    """The recording has no sequence of this name."""


class InvalidSequenceName(UnknownSequence):
    """A sequence name that is a path (``../``, absolute) or no name at all."""


class FrameNotFound(RecordingError):
    """The sequence has no frame of this id."""


class FrameExpired(FrameNotFound):
    """The frame was in the live buffer once and has left it."""


class TimeNotFound(RecordingError):
    """No frame lies within half the median gap of the time that was asked for."""


class StampsUnknown(TimeNotFound):
    """Times were asked of frames whose stamps nobody recorded."""


class UnreadableJpeg(RecordingError):
    """These bytes are not a JPEG that decodes in full."""


class UnreadableFrame(RecordingError):
    """The frame exists, its image cannot be read; the other frames stay usable.

    ``path`` is the file, ``position`` the place in it (``byte 4711``, ``row 17 byte 88``), and
    ``reason`` what is wrong there.
    """

    def __init__(self, path: str, position: str, reason: str) -> None:
        super().__init__(f"Cannot read the image in {path} at {position}: {reason}")
        self.path = path
        self.position = position
        self.reason = reason


class RecordingClosed(RecordingError):
    """The recording was closed."""


class FrameRefused(RecordingError):
    """The live buffer cannot take this frame (unreadable, of another size, too large)."""


class StampNotIncreasing(FrameRefused):
    """A frame arrived whose stamp is not later than the newest one's."""
