"""Rules for evidence: the right person, at a right time, in a picture that was really seen.

Each rule is a function; `judge_evidence` applies them in the order of
`avr_ros.schema.result.EvidenceReason` and names the first that fails.
"""

import math
from dataclasses import dataclass

import numpy as np

from avr_ros.benchmark.scoring.thresholds import (
    AZIMUTH_SLACK_DEG,
    BOX_SLACK,
    EVIDENCE_IOU,
    ROUNDING,
)
from avr_ros.geometry.boxes import contains, iou
from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.panorama import Cylinder
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.episode import Ledger, LedgerKind, LedgerRecord
from avr_ros.schema.prediction import Evidence
from avr_ros.schema.result import EvidenceReason


@dataclass(frozen=True)
class EvidenceJudgement:
    """Why evidence counts or not; ``iou`` with the target's box where both boxes exist."""

    reason: EvidenceReason
    iou: float | None = None

    @property
    def right(self) -> bool:
        """Whether the evidence counts."""
        return self.reason is EvidenceReason.SUPPORTED


def key_frame(key: AnswerKey, frame_id: int) -> EvidenceFrame | None:
    """The key's entry for a frame, none where the frame is not one of the key's."""
    return next((item for item in key.evidence if item.frame_id == frame_id), None)


def granted_record(evidence: Evidence, ledger: Ledger) -> LedgerRecord | None:
    """The granted record that the evidence names: same observation id, frame and view.

    A view is named by its azimuth, a given panorama by none.
    """
    for record in ledger.records:
        if (
            record.granted
            and record.observation_id == evidence.observation_id
            and record.frame_id == evidence.frame_id
            and _same_view(evidence.azimuth_deg, record)
        ):
            return record
    return None


def is_box(box: Box | None, panorama_width: int) -> bool:
    """Whether a box is there, finite, with an area, and no wider than the panorama."""
    return (
        box is not None
        and all(math.isfinite(value) for value in box)
        and 0.0 < box.w <= panorama_width
        and box.h > 0.0
    )


def box_in_view(box: Box, record: LedgerRecord, cylinder: Cylinder) -> bool:
    """Whether a box lies in what a record granted, to `BOX_SLACK` pixels at each edge."""
    if record.crop is None:
        top, bottom, width = 0, cylinder.height, cylinder.width
        window = CropWindow(0, 0, width, bottom, width)
    else:
        window = record.crop
        top, bottom, width = window.top, window.top + window.height, window.panorama_width
    rows = box.y >= top - BOX_SLACK and box.y + box.h <= bottom + BOX_SLACK
    if not rows or window.width == width:
        return rows
    # Columns alone, shrunk by the slack on both sides, with rows that always fit.
    inner = max(box.w - 2 * BOX_SLACK, 0.0)
    middle = (box.x + box.w / 2 - inner / 2) % width
    return bool(contains(window, (middle, float(window.top), inner, 0.0)))


def overlaps(box: Box, frame: EvidenceFrame, panorama_width: int) -> tuple[float, float]:
    """IoU of a box with the target's, and the largest one with another person's, 0 without."""
    assert frame.box is not None
    found = iou(box, np.asarray([frame.box, *frame.others]), panorama_width).tolist()
    return found[0], max(found[1:], default=0.0)


def target_has_largest_iou(own: float, largest_other: float) -> bool:
    """Whether no other annotated person's box fits better than the target's; a tie counts."""
    return largest_other <= own + ROUNDING


def names_another_person(box: Box, others: tuple[Box, ...], panorama_width: int) -> bool:
    """Whether a box fits, by `EVIDENCE_IOU`, an annotated person who is not the target."""
    if not others:
        return False
    return bool(np.max(iou(box, np.asarray(others), panorama_width)) >= EVIDENCE_IOU - ROUNDING)


def judge_evidence(
    evidence: Evidence | None, key: AnswerKey, ledger: Ledger, cylinder: Cylinder
) -> EvidenceJudgement:
    """Judge evidence against the key and the episode's ledger.

    Where the key's frame has no box of the target, identity alone counts: a granted view or
    panorama of that frame is enough, unless the evidence boxes another annotated person.
    """
    if evidence is None:
        return EvidenceJudgement(EvidenceReason.NO_EVIDENCE)
    frame = key_frame(key, evidence.frame_id)
    if frame is None:
        return EvidenceJudgement(EvidenceReason.WRONG_FRAME)
    record = granted_record(evidence, ledger)
    if record is None:
        return EvidenceJudgement(EvidenceReason.NOT_GRANTED)
    box = evidence.box
    if box is None or not is_box(box, cylinder.width):
        identity_suffices = box is None and frame.box is None
        reason = EvidenceReason.SUPPORTED if identity_suffices else EvidenceReason.NO_BOX
        return EvidenceJudgement(reason)
    if not box_in_view(box, record, cylinder):
        return EvidenceJudgement(EvidenceReason.OUTSIDE_VIEW)
    if frame.box is None:
        other = names_another_person(box, frame.others, cylinder.width)
        return EvidenceJudgement(EvidenceReason.OTHER_PERSON if other else EvidenceReason.SUPPORTED)
    overlap, largest_other = overlaps(box, frame, cylinder.width)
    if not target_has_largest_iou(overlap, largest_other):
        return EvidenceJudgement(EvidenceReason.OTHER_PERSON, overlap)
    if overlap < EVIDENCE_IOU - ROUNDING:
        return EvidenceJudgement(EvidenceReason.LOW_IOU, overlap)
    return EvidenceJudgement(EvidenceReason.SUPPORTED, overlap)


def _same_view(azimuth_deg: float | None, record: LedgerRecord) -> bool:
    if azimuth_deg is None:
        return record.kind is LedgerKind.GIVEN_FRAME
    if record.kind is not LedgerKind.OBSERVATION:
        return False
    difference = (azimuth_deg - math.degrees(record.azimuth) + 180.0) % 360.0 - 180.0
    return abs(difference) <= AZIMUTH_SLACK_DEG
