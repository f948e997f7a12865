"""Stages ``answer`` and ``answer_from_history``: the answer from what is attached and noted."""

from collections.abc import Sequence
from typing import Any, Final

from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.sight.choose_look import picture_box
from avr_ros.reasoning.local.sight.question import ANY_FRAME, search
from avr_ros.reasoning.local.sight.seen import SeenPerson, SeenView, seen_views
from avr_ros.reasoning.local.sight.wanted import Findings, Solved, Stuck
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.answer import AnswerInputs
from avr_ros.reasoning.stages.answer_from_history import HistoryInputs
from avr_ros.reasoning.stages.answer_reply import REPLY_TYPES, AnswerReply
from avr_ros.reasoning.stages.contract import AnswerContract

EVIDENCE_FRAMES: Final = 5
"""Frames by which a picture may lie off the moment that a note alone tells of."""


def answer(request: StageRequest[Any]) -> AnswerReply:
    """Answer from the attached views."""
    inputs = request.inputs
    assert isinstance(inputs, AnswerInputs)
    views = seen_views(inputs.views, request.images)
    return from_views(inputs.question, inputs.contract, views)


def from_history(request: StageRequest[Any]) -> AnswerReply:
    """Answer from the text's notes and the latest views."""
    inputs = request.inputs
    assert isinstance(inputs, HistoryInputs)
    views = seen_views(inputs.views, request.images, inputs.history)
    return from_views(inputs.question, inputs.contract, views)


def from_views(question: str, contract: AnswerContract, views: Sequence[SeenView]) -> AnswerReply:
    """The best answer that the views allow; without one the reason. Raises CannotAnswerError."""
    found = search(question, contract, views, ANY_FRAME, final=True)
    if isinstance(found.next, Stuck):
        return REPLY_TYPES[contract.mode](reason=found.next.reason)
    if not isinstance(found.next, Solved):
        raise CannotAnswerError("the search ended without an answer or a reason")
    return reply_of(contract, found.next, found, views)


def reply_of(
    contract: AnswerContract, solved: Solved, found: Findings, views: Sequence[SeenView]
) -> AnswerReply:
    """A solution as a reply, with evidence in an attached view where one shows it."""
    person = shown_evidence(solved, found)
    view = next((item for item in views if person is not None and item.name == person.view), None)
    values = solved.answer.model_dump(exclude={"mode"})
    return REPLY_TYPES[contract.mode].model_validate(
        {
            **values,
            "reason": solved.reason,
            "evidence_view": None if view is None else view.name,
            "evidence_box": None if view is None or person is None else picture_box(person, view),
        }
    )


def shown_evidence(solved: Solved, found: Findings) -> SeenPerson | None:
    """The sighting that shows the answer; where only a note tells it, the nearest picture."""
    person = solved.evidence
    if person is None or person.view or found.who is None:
        return person if person is not None and person.view else None
    pictured = [item for item in found.who.sightings if item.view]
    near = min(pictured, key=lambda item: abs(item.frame - person.frame), default=None)
    if near is None or abs(near.frame - person.frame) > EVIDENCE_FRAMES:
        return None
    return near
