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
    """A picture as a data URI, what it shows, and which boxes are drawn; or why there is none."""

    uri: str
    caption: str
    predicted: bool = False
    key: bool = False


class EvidencePictures:
    """Draws pictures from a recording."""

    def __init__(self, recording: Recording, cylinder: Cylinder = JRDB_CYLINDER) -> None:
        """Draw from ``recording``."""
        self._recording = recording
        self._cylinder = cylinder

    def picture(
        self, question: Question, key: AnswerKey | None, prediction: Prediction, ledger: Ledger
    ) -> EvidencePicture | None:
        """The view of the prediction's evidence, or, without one, the person of the key.

        None where there is neither. A frame that cannot be read gives a caption that says so.
        """
        evidence = prediction.evidence
        if evidence is not None:
            record = _record(evidence, ledger)
            window = self._evidence_window(evidence, record)
            truth = _key_box(key, evidence.frame_id)
            caption = f"Evidence: frame {evidence.frame_id}"
            if record is None:
                caption += ", which was never granted in this view"
            return self._draw(question, evidence.frame_id, window, evidence.box, truth, caption)
        shown = _shown_of(key)
        if shown is None or shown.box is None:
            return None
        window = self._around(shown.box)
        caption = f"No evidence was given; the key's person in frame {shown.frame_id}"
        return self._draw(question, shown.frame_id, window, None, shown.box, caption)

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
        return EvidencePicture(uri, caption, predicted is not None, truth is not None)


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


def _shown_of(key: AnswerKey | None) -> EvidenceFrame | None:
    """The middle one of the key's frames that have a box."""
    with_box = [item for item in key.evidence if item.box is not None] if key else []
    return with_box[len(with_box) // 2] if with_box else None


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
