"""Stage ``curate``: which frames along an action sequence are kept as evidence (EviSeek, 4.3)."""

from typing import Final

from pydantic import create_model

from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "curate"


class CurateInputs(Record):
    """The goal, the intent with its outcome, and the frames that it brought, in order.

    ``views`` are attached: retained ones and the view before, which ``frames`` do not name.
    """

    question: str
    contract: AnswerContract
    environment: str
    goal: str
    demand: str = ""
    intent: str
    outcome: str
    views: tuple[ShownView, ...]
    frames: tuple[ShownView, ...]
    memory: tuple[str, ...] = ()


class KeptView(Record):
    """A frame that is kept, with a note of what it shows; a view from before gets the new note."""

    view: str
    note: str = ""


class CurateReply(Record):
    """What the sequence showed, for the working memory, and the frames that are kept."""

    summary: str = ""
    kept: tuple[KeptView, ...] = ()


def curate_request(
    inputs: CurateInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[CurateReply]:
    """Ask which of the new frames are kept, and what is noted anew of the views before."""
    names = [view.name for view in (*inputs.frames, *inputs.views)]
    kept = limited(KeptView, view=list(dict.fromkeys(names)))
    reply = create_model(
        "CurateReply",
        __base__=CurateReply,
        __doc__=CurateReply.__doc__,
        kept=(tuple[kept, ...], ()),  # type: ignore[valid-type]
    )
    shown = images_of((*inputs.views, *inputs.frames), images)
    return StageRequest(STAGE, inputs, reply, shown, scope)
