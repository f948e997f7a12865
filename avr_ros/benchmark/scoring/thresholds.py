"""What the scorer demands, as named numbers; reports repeat them."""

from typing import Final

from avr_ros.schema.report import Thresholds

EVIDENCE_IOU: Final = 0.5
"""Smallest IoU of an evidence box with the target's box."""

SPAN_IOU: Final = 0.5
"""Smallest temporal IoU of an answered span with the key's."""

VIEW_SHARE: Final = 0.9
"""Smallest share of the best legal view's target area that an answered view shows."""

BOX_SLACK: Final = 1.0
"""Pixels by which an evidence box may pass the view's edge: perception rounds boxes to pixels."""

AZIMUTH_SLACK_DEG: Final = 1e-6
"""Degrees between a granted azimuth and the same one written in degrees and read again."""

ROUNDING: Final = 1e-9
"""Amount by which rounding of floating point may miss a threshold that is met exactly."""


def thresholds() -> Thresholds:
    """The thresholds as reports state them."""
    return Thresholds(evidence_iou=EVIDENCE_IOU, span_iou=SPAN_IOU, view_share=VIEW_SHARE)
