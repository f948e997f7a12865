"""Identities of a data set's sequences, from its recording and its annotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from avr_ros.annotations.annotation_set import AnnotationSet
from avr_ros.benchmark.identity import SequenceIdentity, label_files_hash, sequence_identity
from avr_ros.recordings.recording import SequenceInfo
from avr_ros.schema.errors import BadInputError


class RecordedFrames(Protocol):
    """What question files need of a recording: the frames of its sequences, not their pixels."""

    def sequences(self) -> tuple[str, ...]:
        """The names of the sequences."""

    def sequence(self, name: str) -> SequenceInfo:
        """Frames and stamps of one sequence."""


def annotations_hash_of(annotations: AnnotationSet, sequence: str) -> str:
    """SHA-256 of a sequence's label files, all of them; stamps belong to the recording."""
    files = annotations.label_files(sequence)
    return label_files_hash({kind: path for kind, path in files.items() if kind != "stamps"})


def dataset_identities(
    recording: RecordedFrames, annotations: AnnotationSet, sequences: Iterable[str]
) -> list[SequenceIdentity]:
    """The identities of sequences, by name.

    Raises BadInputError where there are boxes in frames that the recording does not have: then the
    labels are of another release, and every question would point at wrong pictures. Frames that
    the 3D labels alone name, as real ones do after the last picture, are none of them.
    """
    result: list[SequenceIdentity] = []
    for name in sorted(sequences):
        info = recording.sequence(name)
        graph = annotations.scene_graph(name)
        labelled = np.unique(graph.frame[graph.has_box])
        missing = np.setdiff1d(labelled, info.frame_ids)
        if len(missing):
            raise BadInputError(
                f"{annotations.root}: labels of sequence {name} have boxes in {len(missing)} "
                f"frames that the recording does not have, first {int(missing[0])}; use the labels "
                "and the images of one release"
            )
        result.append(
            sequence_identity(
                name, info.frame_ids, info.stamps_us, annotations_hash_of(annotations, name)
            )
        )
    return result
