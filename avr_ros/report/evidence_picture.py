"""A small picture of the view that an answer rests on, with the boxes drawn in."""

import base64
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from avr_ros.geometry import boxes
from avr_ros.geometry.crop import CropWindow, crop_window, cut, to_crop
from avr_ros.geometry.errors import GeometryError
from avr_ros.geometry.panorama import JRDB_CYLINDER, Cylinder
from avr_ros.recordings import jpeg
from avr_ros.recordings.recording import Recording
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.episode import Ledger, LedgerRecord
from avr_ros.schema.errors import AvrError
from avr_ros.schema.prediction import Evidence, Prediction
from avr_ros.schema.question import Question

PICTURE_SIZE: Final[int] = 320
"""Width and height of a picture in pixels."""

PICTURE_QUALITY: Final[int] = 70
"""JPEG quality of a picture."""

# Two of the eight colours of Okabe and Ito, told apart by people with any colour vision (BGR).
_PREDICTED: Final = (0, 159, 230)
_KEY: Final = (178, 114, 0)


@dataclass(frozen=True)
class EvidencePicture:
    """A picture as a data URI and what it shows; without a picture the caption says why."""

    uri: str
    caption: str


class EvidencePictures:
    """Draws pictures from a recording."""

    def __init__(self, recording: Recording, cylinder: Cylinder = JRDB_CYLINDER) -> None:
        """Draw from ``recording``."""
        self._recording = recording
        self._cylinder = cylinder

    def pictures(
        self,
        question: Question,
        key: AnswerKey | None,
        prediction: Prediction,
        ledger: Ledger,
        right: bool,
    ) -> list[EvidencePicture]:
        """The view of the prediction's evidence and, where it is not ``right``, the key's person.

        A frame that cannot be read gives a caption that says so in place of a picture.
        """
        evidence = prediction.evidence
        found = []
        if evidence is not None:
            record = _record(evidence, ledger)
            caption = f"Evidence: frame {evidence.frame_id}"
            if record is None:
                caption += ", which was never granted in this view"
            found.append(
                self._draw(
                    question,
                    evidence.frame_id,
                    self._evidence_window(evidence, record),
                    evidence.box,
                    _key_box(key, evidence.frame_id),
                    caption,
                )
            )
        shown = _nearest(key, None if evidence is None else evidence.frame_id)
        if not right and shown is not None and shown.box is not None:
            window = self._around(shown.box)
            caption = f"The key's person, frame {shown.frame_id}"
            found.append(self._draw(question, shown.frame_id, window, None, shown.box, caption))
        return found

    def _evidence_window(self, evidence: Evidence, record: LedgerRecord | None) -> CropWindow:
        if record is not None and record.crop is not None:
            return record.crop
        if evidence.azimuth_deg is not None:
            return crop_window(self._cylinder, float(np.radians(evidence.azimuth_deg)))
        return self._around(evidence.box or Box(0.0, 0.0, 1.0, 1.0))

    def _around(self, box: Box) -> CropWindow:
        return crop_window(self._cylinder, float(boxes.centre_azimuth(box, self._cylinder)))

    def _draw(
        self,
        question: Question,
        frame_id: int,
        window: CropWindow,
        predicted: Box | None,
        truth: Box | None,
        caption: str,
    ) -> EvidencePicture:
        sequence = question.sequence or self._recording.sequences()[0]
        try:
            image = cut(self._recording.panorama(sequence, frame_id), window).copy()
        except AvrError as error:
            return EvidencePicture("", f"{caption}; no picture: {error}")
        if truth is not None:
            _rectangle(image, truth, window, _KEY, 5)
        if predicted is not None:
            _rectangle(image, predicted, window, _PREDICTED, 3)
        small = cv2.resize(image, (PICTURE_SIZE, PICTURE_SIZE), interpolation=cv2.INTER_AREA)
        encoded = jpeg.encode(np.asarray(small, dtype=np.uint8), PICTURE_QUALITY)
        uri = "data:image/jpeg;base64," + base64.b64encode(encoded).decode()
        return EvidencePicture(uri, caption)


def _record(evidence: Evidence, ledger: Ledger) -> LedgerRecord | None:
    for record in ledger.records:
        if (
            record.granted
            and record.observation_id == evidence.observation_id
            and record.frame_id == evidence.frame_id
        ):
            return record
    return None


def _key_box(key: AnswerKey | None, frame_id: int) -> Box | None:
    if key is None:
        return None
    return next((item.box for item in key.evidence if item.frame_id == frame_id), None)


def _nearest(key: AnswerKey | None, frame_id: int | None) -> EvidenceFrame | None:
    """Of the key's frames that have a box, the one nearest to a frame, the middle one of none."""
    with_box = [item for item in key.evidence if item.box is not None] if key else []
    if not with_box:
        return None
    if frame_id is None:
        return with_box[len(with_box) // 2]
    return min(with_box, key=lambda item: (abs(item.frame_id - frame_id), item.frame_id))


def _rectangle(
    image: npt.NDArray[np.uint8],
    box: Box,
    window: CropWindow,
    colour: tuple[int, int, int],
    thickness: int,
) -> None:
    """Draw a box's part inside the window; a box that is none (no area, not finite) is left out."""
    try:
        clipped = boxes.clip_to_window(box, window)
    except GeometryError:
        return
    if clipped is None:
        return
    left, top, width, height = (round(float(value)) for value in to_crop(clipped, window))
    cv2.rectangle(image, (left, top), (left + width, top + height), colour, thickness)
