"""Answers in words."""

from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    SpanAnswer,
)
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question


def answer_text(answer: Answer, question: Question) -> str:
    """An answer as people read it, with its unit or the choice that it names."""
    if isinstance(answer, ChoiceAnswer):
        if answer.choice < len(question.choices):
            return question.choices[answer.choice]
        return f"choice {answer.choice}, which does not exist"
    if isinstance(answer, FrameAnswer):
        return f"frame {answer.frame_id}"
    if isinstance(answer, SpanAnswer):
        return f"frames {answer.start_frame} to {answer.end_frame}"
    if isinstance(answer, FrameViewAnswer):
        return f"frame {answer.frame_id}, azimuth {answer.azimuth_deg:.1f}°"
    return f"{answer.value:g} {question.unit}".strip()


def prediction_text(prediction: Prediction, question: Question) -> str:
    """What an agent returned, in words."""
    if prediction.answer is not None:
        return answer_text(prediction.answer, question)
    if prediction.abstained:
        return "abstained"
    assert prediction.failure is not None
    return prediction.failure.value.replace("_", " ")
