"""Stage ``single_step``: one look at a time, from the textual history and the latest views."""

from typing import Any, Final

from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.answers.answer import from_views, reply_of, shown_evidence
from avr_ros.reasoning.local.sight.choose_look import choose_look
from avr_ros.reasoning.local.sight.question import limits_of, search
from avr_ros.reasoning.local.sight.seen import SeenView, describe_view, seen_views
from avr_ros.reasoning.local.sight.wanted import Findings, LookAt, Part, Solved, Stuck
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.single_step import STOP, SingleStepInputs, SingleStepReply

SURE: Final = 0.95
"""Confidence in an answer that the search found."""

UNSURE: Final = 0.3
"""Confidence in the best answer so far while something is left to look at."""


def answer(request: StageRequest[Any]) -> SingleStepReply:
    """Search in everything that is attached or noted; look, or answer where nothing is left.

    An answer that no attached view shows is looked at once more.
    """
    inputs = request.inputs
    assert isinstance(inputs, SingleStepInputs)
    views = seen_views(inputs.views, request.images, inputs.history)
    current = next((view for view in views if view.name == inputs.current), None)
    if current is None:
        raise CannotAnswerError("the current view is not one of a recording")
    found = search(
        inputs.question,
        inputs.contract,
        views,
        limits_of(inputs.environment),
        final=False,
        left=inputs.most_steps - inputs.step,
    )
    note = _note(found, current)
    wanted = found.next
    offered = [item.name for item in inputs.actions]
    if isinstance(wanted, Solved):
        given = reply_of(inputs.contract, wanted, found, views)
        person = wanted.evidence
        if person is None or shown_evidence(wanted, found) is not None or not offered:
            return SingleStepReply(reasoning=note, action=STOP, answer=given, confidence=SURE)
        wanted = LookAt(person.frame, person.azimuth, Part.WHAT)
    if isinstance(wanted, Stuck):
        best = from_views(inputs.question, inputs.contract, views)
        return SingleStepReply(reasoning=note, action=STOP, answer=best, confidence=UNSURE)
    chosen = choose_look(wanted, current, found.who, offered)
    if chosen is None:
        best = from_views(inputs.question, inputs.contract, views)
        return SingleStepReply(reasoning=note, action=STOP, answer=best, confidence=UNSURE)
    return SingleStepReply(
        reasoning=note,
        action=chosen.action,
        frame_id=chosen.frame_id,
        bearing_deg=chosen.bearing_deg,
        confidence=0.0,
    )


def _note(found: Findings, view: SeenView) -> str:
    sightings = [] if found.who is None else found.who.sightings
    meant = next((person for person in sightings if person in view.people), None)
    return describe_view(view, meant)
