"""Errors of reading annotations. Each text is one line: what, where, what to do."""

from __future__ import annotations

from pathlib import Path

from avr_ros.schema.errors import BadInputError


class AnnotationError(BadInputError):
    """Annotations cannot be used as they are."""


class LabelFileError(AnnotationError):
    """A label file is not what its format says.

    ``path`` is the file, ``where`` the key or character offset, ``problem`` what is wrong there.
    """

    def __init__(self, path: Path, where: str, problem: str) -> None:
        super().__init__(
            f"{problem} in {path} at {where}; correct or replace the file, "
            f"the rest of the data set can be used"
        )
        self.path = path
        self.where = where
        self.problem = problem


class MissingLabelsError(AnnotationError):
    """A sequence has no file of a kind of label."""

    def __init__(self, sequence: str, kind: str, root: Path) -> None:
        super().__init__(
            f"sequence {sequence} has no {kind} file under {root}; "
            f"add it or choose another sequence"
        )
        self.sequence = sequence
        self.kind = kind


class AmbiguousLabelsError(AnnotationError):
    """Two files claim to be the same labels of the same sequence."""

    def __init__(self, sequence: str, first: Path, second: Path) -> None:
        super().__init__(
            f"sequence {sequence} has labels both in {first} and in {second}; "
            f"remove one or open its folder alone"
        )
        self.sequence = sequence


class UnknownSequenceError(AnnotationError):
    """The data set holds no labels of a sequence."""

    def __init__(self, sequence: str, root: Path, known: int) -> None:
        super().__init__(
            f"no labels of sequence {sequence!r} under {root}, which has {known} sequences; "
            f"list them with avr inspect"
        )
        self.sequence = sequence


class UnknownFrameError(AnnotationError):
    """A sequence has no labels at a frame: what was there is unknown."""

    def __init__(self, sequence: str, frame: int, first: int, last: int) -> None:
        super().__init__(
            f"frame {frame} of {sequence} is not annotated; "
            f"its annotated frames lie in {first} to {last}"
        )
        self.frame = frame


class UnknownTrackError(AnnotationError):
    """A sequence has no person with a track id."""

    def __init__(self, sequence: str, track: int) -> None:
        super().__init__(f"no person {track} in {sequence}; see the sequence's track ids")
        self.track = track


class MissingStampsError(AnnotationError):
    """A sequence has no readable time stamps, and times are never computed from a frame rate."""

    def __init__(self, sequence: str, root: Path) -> None:
        super().__init__(
            f"no time stamps of {sequence} under {root}; "
            f"add timestamps/{sequence}/frames_img.json to ask about seconds"
        )
        self.sequence = sequence
