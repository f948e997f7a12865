"""Rules for answers, one small function for each answer mode."""

from avr_ros.benchmark.scoring.thresholds import ROUNDING, SPAN_IOU
from avr_ros.benchmark.scoring.views import shows_enough
from avr_ros.geometry.panorama import Cylinder
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.question import Question


def choice_is_right(answer: ChoiceAnswer, truth: ChoiceAnswer) -> bool:
    """Whether the index is the key's."""
    return answer.choice == truth.choice


def frame_is_right(frame_id: int, truth: int, tolerance: float) -> bool:
    """Whether a frame is at most ``tolerance`` frames away from the key's."""
    return abs(frame_id - truth) <= tolerance


def number_is_right(value: float, truth: float, tolerance: float) -> bool:
    """Whether a number is at most ``tolerance`` away from the key's, edges included."""
    return abs(value - truth) <= tolerance + ROUNDING


def span_iou(answer: SpanAnswer, truth: SpanAnswer) -> float:
    """Temporal IoU of two spans of frames, both ends included.

    Spans that share one frame have a common length of 1; spans of which one begins in the frame
    after the other ends have none.
    """
    common = min(answer.end_frame, truth.end_frame) - max(answer.start_frame, truth.start_frame) + 1
    if common <= 0:
        return 0.0
    return common / (_frames(answer) + _frames(truth) - common)


def span_is_right(answer: SpanAnswer, truth: SpanAnswer) -> bool:
    """Whether the temporal IoU reaches `SPAN_IOU`."""
    return span_iou(answer, truth) >= SPAN_IOU - ROUNDING


def frame_view_is_right(
    answer: FrameViewAnswer,
    truth: FrameViewAnswer,
    tolerance: float,
    evidence: tuple[EvidenceFrame, ...],
    fields_of_view_deg: tuple[float, ...],
    cylinder: Cylinder,
) -> bool:
    """Whether the frame is within tolerance and the view shows the target well enough.

    The target is looked for where it is in the answered frame, or, where the key has no box of it
    there, in the nearest of the key's frames within tolerance of the answer (the earlier of two).
    """
    if not frame_is_right(answer.frame_id, truth.frame_id, tolerance):
        return False
    boxes = [
        (abs(item.frame_id - answer.frame_id), item.frame_id, item.box)
        for item in evidence
        if item.box is not None and abs(item.frame_id - answer.frame_id) <= tolerance
    ]
    if not boxes:
        return False
    box = min(boxes, key=lambda item: item[:2])[2]
    return shows_enough(box, answer.azimuth_deg, fields_of_view_deg, cylinder)


def answer_is_right(
    question: Question, key: AnswerKey, answer: Answer | None, cylinder: Cylinder
) -> bool:
    """Whether an answer is right by its question's mode; another mode's answer is wrong."""
    truth = key.answer
    tolerance = 0.0 if key.tolerance is None else key.tolerance
    if isinstance(answer, ChoiceAnswer) and isinstance(truth, ChoiceAnswer):
        return choice_is_right(answer, truth)
    if isinstance(answer, FrameAnswer) and isinstance(truth, FrameAnswer):
        return frame_is_right(answer.frame_id, truth.frame_id, tolerance)
    if isinstance(answer, SpanAnswer) and isinstance(truth, SpanAnswer):
        return span_is_right(answer, truth)
    if isinstance(answer, NumberAnswer) and isinstance(truth, NumberAnswer):
        return number_is_right(answer.value, truth.value, tolerance)
    if isinstance(answer, FrameViewAnswer) and isinstance(truth, FrameViewAnswer):
        return frame_view_is_right(
            answer, truth, tolerance, key.evidence, question.fields_of_view_deg, cylinder
        )
    return False


def _frames(span: SpanAnswer) -> int:
    return span.end_frame - span.start_frame + 1
