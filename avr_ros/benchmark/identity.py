"""What recording and which annotations a question file was made from, cheap to compare.

A recording is known by its sequences' names, frame ids, and first and last stamps, which are the
same whether its frames come from a folder or from a bag; pixels are not read. Stamps may differ by
`STAMP_SLACK_US`, because a bag's stamps and a JSON file's floats round differently. Annotations
are known by the bytes of a sequence's label files.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import Field

from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record

STAMP_SLACK_US = 1000
"""Microseconds by which the first and last stamps of the same sequence may differ."""

_CHUNK = 1 << 20


class SequenceIdentity(Record):
    """One sequence as its questions saw it.

    ``frame_ids`` is the SHA-256 of the rising frame ids as little-endian int64; ``annotations``
    that of the label files, by kind and content.
    """

    name: str = Field(min_length=1)
    frames: int = Field(ge=1)
    frame_ids: str
    first_stamp_us: int
    last_stamp_us: int
    annotations: str


def frame_ids_hash(frame_ids: npt.NDArray[np.int64]) -> str:
    """SHA-256 of frame ids."""
    return hashlib.sha256(np.ascontiguousarray(frame_ids, dtype="<i8").tobytes()).hexdigest()


def label_files_hash(files: Mapping[str, Path]) -> str:
    """SHA-256 over label files by kind: each one's kind, size and bytes.

    Folder and file names do not count: releases place the same labels differently.
    """
    digest = hashlib.sha256()
    for kind in sorted(files):
        digest.update(f"{kind}\0{files[kind].stat().st_size}\0".encode())
        with files[kind].open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()


def sequence_identity(
    name: str,
    frame_ids: npt.NDArray[np.int64],
    stamps_us: npt.NDArray[np.int64],
    annotations: str,
) -> SequenceIdentity:
    """The identity of a sequence with at least one frame."""
    return SequenceIdentity(
        name=name,
        frames=len(frame_ids),
        frame_ids=frame_ids_hash(frame_ids),
        first_stamp_us=int(stamps_us[0]),
        last_stamp_us=int(stamps_us[-1]),
        annotations=annotations,
    )


def recording_hash(sequences: Sequence[SequenceIdentity]) -> str:
    """One SHA-256 for the recording that the identities describe."""
    return _hash_of(
        (item.name, item.frames, item.frame_ids, item.first_stamp_us, item.last_stamp_us)
        for item in sequences
    )


def annotations_hash(sequences: Sequence[SequenceIdentity]) -> str:
    """One SHA-256 for the annotations that the identities describe."""
    return _hash_of((item.name, item.annotations) for item in sequences)


def check_sequence(
    expected: SequenceIdentity,
    frame_ids: npt.NDArray[np.int64],
    stamps_us: npt.NDArray[np.int64],
    where: str,
) -> None:
    """Raise BadInputError where a recording's sequence is not the one that questions came from.

    ``where`` names the recording in the message.
    """
    same_frames = (
        len(frame_ids) == expected.frames and frame_ids_hash(frame_ids) == expected.frame_ids
    )
    if not same_frames:
        raise BadInputError(
            f"{where}: sequence {expected.name} has other frames than the questions were made "
            f"from ({len(frame_ids)} here, {expected.frames} there); give that recording"
        )
    drift = max(
        abs(int(stamps_us[0]) - expected.first_stamp_us),
        abs(int(stamps_us[-1]) - expected.last_stamp_us),
    )
    if drift > STAMP_SLACK_US:
        raise BadInputError(
            f"{where}: sequence {expected.name} has stamps {drift} us away from those that the "
            "questions were made from; give that recording"
        )


def check_annotations(expected: SequenceIdentity, annotations: str, where: str) -> None:
    """Raise BadInputError where a sequence's label files are not those of the questions."""
    if annotations != expected.annotations:
        raise BadInputError(
            f"{where}: labels of sequence {expected.name} are not those that the questions were "
            "made from; give those labels or generate the questions again"
        )


def _hash_of(rows: Iterable[tuple[object, ...]]) -> str:
    digest = hashlib.sha256()
    for row in sorted(rows, key=str):
        digest.update(("\0".join(str(value) for value in row) + "\n").encode())
    return digest.hexdigest()
