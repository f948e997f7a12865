"""What the local backend answers a stage with, and how it says that it cannot."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from avr_ros.reasoning.stage import StageImage, StageRequest
from avr_ros.schema.detection import Detection
from avr_ros.schema.errors import AvrError

LocalAnswer = Callable[[StageRequest[Any]], BaseModel]
"""Answers one stage from its inputs, texts and eyes; raises CannotAnswerError where it cannot."""


class CannotAnswerError(AvrError):
    """The stage asks for something that the grammar cannot parse or the eyes cannot see."""


def look(image: StageImage) -> list[Detection]:
    """The people in a picture. Raises CannotAnswerError for a picture without eyes."""
    if image.detect is None:
        raise CannotAnswerError(f"there is no perception for picture {image.name!r}")
    return list(image.detect())
