"""Stage ``reason``: a short structured reasoning over pictures before the answer (section C.2)."""

from typing import Final

from avr_ros.reasoning.stage import StageImage, StageRequest
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "reason"


class ReasonInputs(Record):
    """The question, its answer's form, and the pictures."""

    question: str
    contract: AnswerContract
    views: tuple[ShownView, ...]


class Thought(Record):
    """What each picture shows of the question, and what follows from it."""

    observations: tuple[str, ...] = ()
    conclusion: str = ""

    def lines(self) -> tuple[str, ...]:
        """The thought as lines of text."""
        return (*self.observations, *([self.conclusion] if self.conclusion else []))


def reason_request(
    inputs: ReasonInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[Thought]:
    """Ask for the reasoning."""
    return StageRequest(STAGE, inputs, Thought, images_of(inputs.views, images), scope)
