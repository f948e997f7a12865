"""Stage ``seek``: the look that the search wants next, and whether the current view matters."""

from typing import Any

from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.answers.acquisition_plan import FIND
from avr_ros.reasoning.local.answers.curate import latest_picture
from avr_ros.reasoning.local.sight.absence import shows_absence
from avr_ros.reasoning.local.sight.choose_look import choose_look
from avr_ros.reasoning.local.sight.question import frame_of, limits_of, meaning_of, search
from avr_ros.reasoning.local.sight.seen import SeenView, describe_view, seen_views
from avr_ros.reasoning.local.sight.wanted import Findings, Part, Solved, Stuck
from avr_ros.reasoning.meaning import (
    BoundaryAsked,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    PersonMeaning,
    PresenceAsked,
    SpanAsked,
)
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.seek import BLOCKED, STOP, SeekInputs, SeekReply

OF_CHANGES = (
    BoundaryAsked,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    PresenceAsked,
    SpanAsked,
)
"""What is asked of a change, for which the latest picture shows that nothing changed before."""


def answer(request: StageRequest[Any]) -> SeekReply:
    """Search in what is kept, the subtask's trail and the current view."""
    inputs = request.inputs
    assert isinstance(inputs, SeekInputs)
    limits = limits_of(inputs.environment)
    views = seen_views(inputs.views, request.images, inputs.memory)
    current = next((view for view in views if view.name == inputs.current), None)
    if current is None:
        raise CannotAnswerError("the current view is not one of a recording")
    found = search(
        inputs.question, inputs.contract, views, limits, final=False, left=inputs.remaining
    )
    meaning = meaning_of(inputs.question)
    keep = _matters(found, current) or (
        found.who is None
        and current.frame == frame_of(meaning, limits)
        and _may_matter(meaning.person, current)
    )
    latest = latest_picture(found) if isinstance(meaning.asked, OF_CHANGES) else None
    keep = keep or shows_absence(meaning, found, current)
    keep = keep or (latest is not None and latest.view == current.name)
    reply = SeekReply(note=_note(found, current), keep=keep, action=STOP)
    wanted = found.next
    if isinstance(wanted, Solved):
        return reply
    goal = Part.WHO if inputs.goal.startswith(FIND) else Part.WHAT
    if goal is Part.WHO and wanted.part is Part.WHAT:
        return reply
    if isinstance(wanted, Stuck):
        return reply.model_copy(update={"action": BLOCKED})
    offered = [intent.name for intent in inputs.intents] if inputs.remaining > 0 else []
    chosen = choose_look(wanted, current, found.who, offered)
    if chosen is None:
        return reply.model_copy(update={"action": BLOCKED if offered else STOP})
    return reply.model_copy(
        update={
            "action": chosen.action,
            "bearing_deg": chosen.bearing_deg,
            "frame_id": chosen.frame_id,
            "count": chosen.count,
            "box": chosen.box,
        }
    )


def _matters(found: Findings, view: SeenView) -> bool:
    """Whether what is known rests on the view."""
    return any(person.view == view.name for person in found.used if person.view)


def _may_matter(person: PersonMeaning, view: SeenView) -> bool:
    """Whether a view may show somebody on the way to the person meant, who is not known yet."""
    anchor = person
    while anchor.relation is not None:
        anchor = anchor.relation.other
    if person.relation is not None:
        return bool(view.people)
    return any(set(anchor.actions) <= set(seen.doing()) for seen in view.people)


def _note(found: Findings, view: SeenView) -> str:
    here = None if found.who is None else found.who.sightings
    meant = next((person for person in here or () if person in view.people), None)
    return describe_view(view, meant)
