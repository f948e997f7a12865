"""Stage ``reason``: what perception sees in each picture, with the person meant marked."""

from typing import Any

from avr_ros.reasoning.local.sight.question import ANY_FRAME, search
from avr_ros.reasoning.local.sight.seen import describe_view, seen_views
from avr_ros.reasoning.local.sight.wanted import Solved, Stuck
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.reason import ReasonInputs, Thought


def answer(request: StageRequest[Any]) -> Thought:
    """Describe the pictures; conclude what the search finds."""
    inputs = request.inputs
    assert isinstance(inputs, ReasonInputs)
    views = seen_views(inputs.views, request.images)
    found = search(inputs.question, inputs.contract, views, ANY_FRAME, final=True)
    sightings = [] if found.who is None else found.who.sightings
    lines = []
    for view in views:
        meant = next((person for person in sightings if person in view.people), None)
        lines.append(describe_view(view, meant))
    conclusion = found.next.reason if isinstance(found.next, Solved | Stuck) else ""
    return Thought(observations=tuple(lines), conclusion=conclusion)
