"""Stage ``refine``: the target person's box in a crop, from the crop alone (JRDB-AVR, C.3)."""

from typing import Final

from avr_ros.reasoning.stage import StageImage, StageRequest
from avr_ros.reasoning.stages.answer_reply import PictureBox
from avr_ros.reasoning.stages.contract import ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "refine"


class RefineInputs(Record):
    """The question, the crop, and the proposal in thousandths of the crop."""

    question: str
    views: tuple[ShownView, ...]
    proposal: PictureBox


class Refinement(Record):
    """The person's box in thousandths of the crop, none where the crop does not show them."""

    reason: str = ""
    box: PictureBox | None = None


def refine_request(
    inputs: RefineInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[Refinement]:
    """Ask for the refinement."""
    return StageRequest(STAGE, inputs, Refinement, images_of(inputs.views, images), scope)
