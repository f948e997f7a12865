"""Evidence rules by hand-worked cases."""

import math

import pytest

from avr_ros.benchmark.scoring.evidence import EvidenceJudgement, judge_evidence
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW, crop_window
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.episode import Ledger, LedgerKind, LedgerRecord
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.prediction import Evidence
from avr_ros.schema.result import EvidenceReason

TARGET = Box(1840.0, 100.0, 80.0, 200.0)


def record(
    number: int = 1,
    frame_id: int = 10,
    azimuth_deg: float = 0.0,
    status: ObserveStatus = ObserveStatus.OK,
    kind: LedgerKind = LedgerKind.OBSERVATION,
    field_of_view: float = DEFAULT_FIELD_OF_VIEW,
) -> LedgerRecord:
    """A ledger record; granted views carry their crop."""
    granted_view = status is ObserveStatus.OK and kind is LedgerKind.OBSERVATION
    azimuth = math.radians(azimuth_deg)
    return LedgerRecord(
        episode_id="q#1",
        sequence_number=number,
        kind=kind,
        request_id="",
        observation_id=f"q#1/{number}" if status is ObserveStatus.OK else "",
        sequence="s",
        frame_id=frame_id,
        stamp_ns=0,
        azimuth=azimuth if kind is LedgerKind.OBSERVATION else 0.0,
        field_of_view=field_of_view if kind is LedgerKind.OBSERVATION else 0.0,
        crop=crop_window(JRDB_CYLINDER, azimuth, field_of_view) if granted_view else None,
        status=status,
        message="",
        remaining_observations=31,
    )


def key(*frames: EvidenceFrame) -> AnswerKey:
    """A key with evidence frames, by default frame 10 with the target alone."""
    return AnswerKey(
        question_id="q",
        answer=FrameAnswer(frame_id=10),
        tolerance=5.0,
        target="pedestrian:1",
        evidence=frames or (EvidenceFrame(frame_id=10, box=TARGET),),
    )


def evidence(
    box: Box | None = TARGET,
    frame_id: int = 10,
    azimuth_deg: float | None = 0.0,
    observation_id: str = "q#1/1",
) -> Evidence:
    """Evidence of the view that `record` grants."""
    return Evidence(
        observation_id=observation_id, frame_id=frame_id, azimuth_deg=azimuth_deg, box=box
    )


def judge(
    given: Evidence | None, truth: AnswerKey | None = None, *records: LedgerRecord
) -> EvidenceJudgement:
    """Judge against one granted view ahead of frame 10 unless told otherwise."""
    return judge_evidence(
        given, truth or key(), Ledger("q#1", records or (record(),)), JRDB_CYLINDER
    )


def test_the_targets_own_box_in_a_granted_view_counts() -> None:
    judgement = judge(evidence())
    assert judgement.right
    assert judgement.iou == 1.0


def test_no_evidence() -> None:
    assert judge(None).reason is EvidenceReason.NO_EVIDENCE


def test_the_right_box_in_the_wrong_frame() -> None:
    granted = record(frame_id=11)
    assert judge(evidence(frame_id=11), None, granted).reason is EvidenceReason.WRONG_FRAME


@pytest.mark.parametrize(
    ("given", "records"),
    [
        (evidence(), ()),  # nothing was ever granted
        (evidence(observation_id="q#1/2"), (record(),)),  # an id that was never handed out
        (evidence(), (record(frame_id=9),)),  # the id was granted, for another frame
        (evidence(azimuth_deg=1.0), (record(),)),  # the id was granted, for another view
        (evidence(azimuth_deg=None), (record(),)),  # a view is no panorama
        (evidence(), (record(kind=LedgerKind.GIVEN_FRAME),)),  # a panorama is no view
        (evidence(observation_id=""), (record(status=ObserveStatus.BUDGET_EXHAUSTED),)),
        (evidence(observation_id=""), (record(status=ObserveStatus.FRAME_NOT_LEGAL),)),
    ],
)
def test_what_was_not_granted_does_not_count(
    given: Evidence, records: tuple[LedgerRecord, ...]
) -> None:
    ledger = Ledger("q#1", records)
    judgement = judge_evidence(given, key(), ledger, JRDB_CYLINDER)
    assert judgement.reason is EvidenceReason.NOT_GRANTED


def test_a_given_panorama_counts_with_a_box_anywhere() -> None:
    far = Box(3700.0, 10.0, 100.0, 300.0)
    judgement = judge(
        evidence(far, azimuth_deg=None),
        key(EvidenceFrame(frame_id=10, box=far)),
        record(kind=LedgerKind.GIVEN_FRAME),
    )
    assert judgement.right


def test_an_azimuth_written_in_degrees_and_read_again_is_the_same_view() -> None:
    granted = record(azimuth_deg=math.degrees(0.1))
    given = evidence(azimuth_deg=math.degrees(0.1) + 1e-9)
    assert judge(given, None, granted).right


def test_straight_behind_has_two_names() -> None:
    box = Box(3720.0, 100.0, 80.0, 200.0)
    truth = key(EvidenceFrame(frame_id=10, box=box))
    assert judge(evidence(box, azimuth_deg=-180.0), truth, record(azimuth_deg=180.0)).right


def test_a_seam_box_in_a_view_across_the_seam() -> None:
    # The view straight behind begins at column 3640 and ends at column 360.
    target = Box(3740.0, 100.0, 60.0, 200.0)
    truth = key(EvidenceFrame(frame_id=10, box=target))
    behind = record(azimuth_deg=180.0)
    assert judge(evidence(target, azimuth_deg=180.0), truth, behind).iou == 1.0
    # Shifted by 20 px along the panorama: 40 of 80 columns in common.
    shifted = Box(0.0, 100.0, 60.0, 200.0)
    judgement = judge(evidence(shifted, azimuth_deg=180.0), truth, behind)
    assert judgement.iou == pytest.approx(0.5)
    assert judgement.right
    beyond = Box(1.0, 100.0, 60.0, 200.0)
    judgement = judge(evidence(beyond, azimuth_deg=180.0), truth, behind)
    assert judgement.reason is EvidenceReason.LOW_IOU


@pytest.mark.parametrize(
    ("box", "inside"),
    [
        (Box(1640.0, 100.0, 60.0, 200.0), True),  # the view ahead shows columns 1640 to 2119
        (Box(1639.0, 100.0, 60.0, 200.0), True),  # a pixel beyond is rounding
        (Box(1638.5, 100.0, 60.0, 200.0), False),
        (Box(2060.0, 100.0, 61.0, 200.0), True),
        (Box(2060.0, 100.0, 61.5, 200.0), False),
        (Box(1700.0, -1.0, 60.0, 200.0), True),
        (Box(1700.0, -1.5, 60.0, 200.0), False),
        (Box(1700.0, 281.0, 60.0, 200.0), True),
        (Box(1700.0, 281.5, 60.0, 200.0), False),
        (Box(100.0, 100.0, 60.0, 200.0), False),
        (Box(1639.0, 0.0, 482.0, 480.0), True),
        (Box(0.0, 0.0, 3760.0, 480.0), False),
    ],
)
def test_the_box_lies_in_the_view_to_a_pixel(box: Box, inside: bool) -> None:
    judgement = judge(evidence(box))
    assert (judgement.reason is not EvidenceReason.OUTSIDE_VIEW) is inside


def test_a_narrow_view_shows_fewer_rows() -> None:
    narrow = record(field_of_view=DEFAULT_FIELD_OF_VIEW / 2)  # rows 120 to 359
    assert judge(evidence(), None, narrow).reason is EvidenceReason.OUTSIDE_VIEW
    inner = Box(1840.0, 120.0, 80.0, 180.0)
    assert judge(evidence(inner), None, narrow).iou == pytest.approx(0.9)


def test_a_panorama_ends_at_its_rows() -> None:
    given = record(kind=LedgerKind.GIVEN_FRAME)
    low = Box(0.0, 300.0, 50.0, 182.0)
    judgement = judge(evidence(low, azimuth_deg=None), None, given)
    assert judgement.reason is EvidenceReason.OUTSIDE_VIEW


@pytest.mark.parametrize(
    "box",
    [
        None,
        Box(1840.0, 100.0, 0.0, 200.0),
        Box(1840.0, 100.0, 80.0, -1.0),
        Box(math.nan, 100.0, 80.0, 200.0),
        Box(1840.0, 100.0, 4000.0, 200.0),
    ],
)
def test_no_box_or_none_that_is_one(box: Box | None) -> None:
    given = Evidence.model_construct(observation_id="q#1/1", frame_id=10, azimuth_deg=0.0, box=box)
    assert judge(given).reason is EvidenceReason.NO_BOX


def test_among_overlapping_people_the_largest_iou_decides() -> None:
    left = Box(1800.0, 100.0, 80.0, 200.0)
    right = Box(1870.0, 100.0, 80.0, 200.0)
    truth = key(EvidenceFrame(frame_id=10, box=TARGET, others=(left, right)))
    # 15 px from the target (IoU 65/95), 25 px from the left neighbour (IoU 55/105).
    between = Box(1825.0, 100.0, 80.0, 200.0)
    judgement = judge(evidence(between), truth)
    assert judgement.right
    assert judgement.iou == pytest.approx(65 / 95)
    # 21 px from the target (IoU 59/101, enough alone), 19 px from the left neighbour.
    nearer_left = Box(1819.0, 100.0, 80.0, 200.0)
    judgement = judge(evidence(nearer_left), truth)
    assert judgement.reason is EvidenceReason.OTHER_PERSON
    assert judgement.iou == pytest.approx(59 / 101)
    # As far from both: the target is among the best.
    assert judge(evidence(Box(1820.0, 100.0, 80.0, 200.0)), truth).right


def test_a_fully_occluded_target_behind_its_occluder() -> None:
    # The annotation draws the hidden person's box inside the one in front. A box around the
    # visible person is the visible person's, a box where the hidden one stands is the target's.
    hidden = Box(1850.0, 120.0, 60.0, 150.0)
    front = Box(1840.0, 100.0, 80.0, 200.0)
    truth = key(EvidenceFrame(frame_id=10, box=hidden, others=(front,)))
    judgement = judge(evidence(front), truth)
    assert judgement.reason is EvidenceReason.OTHER_PERSON
    assert judgement.iou == pytest.approx(9000 / 16000)
    assert judge(evidence(hidden), truth).right


def test_iou_of_exactly_one_half_counts() -> None:
    half = Box(1840.0, 100.0, 80.0, 100.0)
    assert judge(evidence(half)).iou == 0.5
    assert judge(evidence(half)).right
    less = Box(1840.0, 100.0, 80.0, 99.0)
    assert judge(evidence(less)).reason is EvidenceReason.LOW_IOU


def test_where_the_key_has_no_box_identity_alone_counts() -> None:
    other = Box(1700.0, 100.0, 80.0, 200.0)
    truth = key(EvidenceFrame(frame_id=10, box=None, others=(other,)))
    assert judge(evidence(None), truth).right
    assert judge(evidence(TARGET), truth).right
    assert judge(evidence(other), truth).reason is EvidenceReason.OTHER_PERSON
    assert judge(evidence(TARGET), truth).iou is None
    assert judge(evidence(Box(0.0, 0.0, 9.0, 9.0)), truth).reason is EvidenceReason.OUTSIDE_VIEW


def test_the_order_of_the_rules_frame_before_grant() -> None:
    judgement = judge_evidence(evidence(frame_id=99), key(), Ledger("q#1"), JRDB_CYLINDER)
    assert judgement.reason is EvidenceReason.WRONG_FRAME
