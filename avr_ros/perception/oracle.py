"""Perception from labels: what an annotator saw inside a granted view, and nothing outside of it.

Results made with it are marked as such. It is the only perception that reads annotations.
"""

import math

import numpy as np
import numpy.typing as npt

from avr_ros.annotations.annotation_set import AnnotationSet
from avr_ros.annotations.errors import (
    MissingLabelsError,
    UnknownFrameError,
    UnknownSequenceError,
)
from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.geometry.crop import CropWindow
from avr_ros.perception.errors import NoLabelsError, NotGrantedError
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.perception.oracle_view import LabelledPerson, Place, detections
from avr_ros.schema.detection import Detection
from avr_ros.schema.episode import LedgerKind, LedgerRecord


class OraclePerception:
    """Detections from a data set's labels. Thread-safe; the same record gives the same answer."""

    def __init__(self, annotations: AnnotationSet, settings: OracleSettings | None = None) -> None:
        """Read labels from ``annotations``, with the faults that ``settings`` ask for."""
        self._annotations = annotations
        self._settings = settings or OracleSettings()

    @property
    def settings(self) -> OracleSettings:
        """The settings in force."""
        return self._settings

    def detect(
        self, record: LedgerRecord, image: npt.NDArray[np.uint8] | None = None
    ) -> list[Detection]:
        """The people in the view or panorama that a ledger record grants, by rising ``box.x``.

        ``image`` is what the record granted, which labels do not need and other perceptions do.
        Detections depend on the settings, the sequence, the frame and the crop alone. Raises
        NotGrantedError for a refused request and NoLabelsError for a frame without labels.
        """
        if not record.granted:
            raise NotGrantedError(
                f"request {record.sequence_number} of episode {record.episode_id!r} was refused "
                f"({record.status.name}): detect people in granted views only"
            )
        cylinder = self._annotations.cylinder
        if record.kind is LedgerKind.GIVEN_FRAME:
            crop = CropWindow(0, 0, cylinder.width, cylinder.height, cylinder.width)
        elif record.crop is not None:
            crop = record.crop
        else:
            raise NotGrantedError(
                f"request {record.sequence_number} of episode {record.episode_id!r} is granted "
                f"but names no crop: send the ledger's own record"
            )
        try:
            graph = self._annotations.scene_graph(record.sequence)
            people = _people(graph, record.frame_id)
        except (UnknownSequenceError, MissingLabelsError, UnknownFrameError) as error:
            raise NoLabelsError(str(error)) from error
        place = Place(record.sequence, record.frame_id, crop)
        return detections(people, place, cylinder, self._settings)


def _people(graph: TemporalSceneGraph, frame: int) -> list[LabelledPerson]:
    """The people of a frame that have a panorama box."""
    people: list[LabelledPerson] = []
    for row in graph.people_at(frame).tolist():
        box = graph.box(row)
        if box is None:
            continue
        actions = graph.actions(row)
        position = graph.position[row]
        people.append(
            LabelledPerson(
                track=str(graph.track_id[row]),
                box=box,
                occlusion=graph.visibility(row),
                actions=None if actions is None else frozenset(actions),
                position=(float(position[0]), float(position[1]))
                if graph.has_position[row]
                else None,
                heading=None if math.isnan(graph.heading[row]) else float(graph.heading[row]),
            )
        )
    return people
