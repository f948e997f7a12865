"""Stage ``propose``: where on which panorama the target person seems to be (JRDB-AVR, C.3)."""

from typing import Final

from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.answer_reply import PictureBox
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "propose"


class ProposeInputs(Record):
    """The question, its answer's form, and the panoramas."""

    question: str
    contract: AnswerContract
    views: tuple[ShownView, ...]


class Proposal(Record):
    """A panorama by its name and a box in thousandths of it; no box where nobody is likely."""

    reason: str = ""
    view: str
    box: PictureBox | None = None


def propose_request(
    inputs: ProposeInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[Proposal]:
    """Ask for the proposal."""
    reply = limited(Proposal, view=[view.name for view in inputs.views])
    return StageRequest(STAGE, inputs, reply, images_of(inputs.views, images), scope)
