"""The grounding rule: which facts an episode's observations support.

JRDB-AVR, section 4: "graph writes are accepted only when grounded in an already observed
frame-view pair; otherwise the graph state is unchanged".
"""

import unicodedata
from dataclasses import dataclass
from typing import Final

from avr_ros.geometry import boxes
from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.panorama import wrap_angle
from avr_ros.schema.box import Box
from avr_ros.schema.episode import LedgerKind, LedgerRecord
from avr_ros.schema.fact import Fact, FactKind

AZIMUTH_TOLERANCE: Final[float] = 1e-6
"""Radians by which a fact's azimuth may differ from the ledger's: rounding in degrees and text."""

_UNWRITABLE: Final[frozenset[str]] = frozenset({"Cc", "Cs", "Cn"})


@dataclass(frozen=True)
class GrantedView:
    """A view or panorama that the episode's ledger says was handed out.

    ``azimuth`` is in radians and, like ``crop``, none for a given panorama; ``stamp_ns`` is the
    frame's time, nanoseconds since the epoch.
    """

    observation_id: str
    sequence: str
    frame_id: int
    azimuth: float | None
    crop: CropWindow | None
    stamp_ns: int = 0

    @staticmethod
    def of(record: LedgerRecord) -> "GrantedView":
        """The view that a granted ledger record is about."""
        observed = record.kind is LedgerKind.OBSERVATION
        return GrantedView(
            observation_id=record.observation_id,
            sequence=record.sequence,
            frame_id=record.frame_id,
            azimuth=record.azimuth if observed else None,
            crop=record.crop if observed else None,
            stamp_ns=record.stamp_ns,
        )


def reason_to_refuse(fact: Fact, granted: GrantedView | None) -> str | None:
    """Say why a fact may not be written, or none if it may.

    ``granted`` is the view that carries the fact's observation id, none if there is no such view
    in the episode. Frame, azimuth and box must agree with it: the azimuth within
    ``AZIMUTH_TOLERANCE``, the box inside the crop.
    """
    provenance = fact.provenance
    if granted is None:
        return f"observation {provenance.observation_id!r} was not granted in this episode"
    if provenance.frame_id != granted.frame_id:
        return (
            f"frame {provenance.frame_id} is not frame {granted.frame_id} of observation "
            f"{granted.observation_id!r}"
        )
    reason = _azimuth_reason(provenance.azimuth, granted)
    if reason is None and provenance.box is not None:
        reason = _box_reason(provenance.box, granted)
    return reason or _wording_reason(fact)


def _azimuth_reason(azimuth: float | None, granted: GrantedView) -> str | None:
    if granted.azimuth is None:
        return None if azimuth is None else "a panorama has no azimuth"
    if azimuth is None:
        return f"the azimuth of observation {granted.observation_id!r} is missing"
    if abs(float(wrap_angle(azimuth - granted.azimuth))) > AZIMUTH_TOLERANCE:
        return (
            f"azimuth {azimuth:.6f} rad is not {granted.azimuth:.6f} rad of observation "
            f"{granted.observation_id!r}"
        )
    return None


def _box_reason(box: Box, granted: GrantedView) -> str | None:
    if not (box.w > 0.0 and box.h > 0.0 and box.x >= 0.0):
        return f"box {tuple(box)} is empty or starts left of the panorama"
    if granted.crop is None:
        return None
    width = granted.crop.panorama_width
    if box.x >= width or box.w > width:
        return f"box {tuple(box)} does not fit a panorama of {width} columns"
    if not bool(boxes.contains(granted.crop, box)):
        return f"box {tuple(box)} is not inside the view's crop {granted.crop.box}"
    return None


def _wording_reason(fact: Fact) -> str | None:
    if fact.kind is FactKind.RELATION and not fact.value:
        return "a relation needs the other entity as its value"
    for name in ("subject", "predicate", "value"):
        if any(unicodedata.category(letter) in _UNWRITABLE for letter in getattr(fact, name)):
            return f"the {name} holds a control character"
    for name in ("observation_id", "source"):
        text = getattr(fact.provenance, name)
        if any(unicodedata.category(letter) in _UNWRITABLE for letter in text):
            return f"the {name} holds a control character"
    return None
