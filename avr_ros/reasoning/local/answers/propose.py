"""Stage ``propose``: the person meant, where the search finds them shown."""

from typing import Any

from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.sight.choose_look import picture_box
from avr_ros.reasoning.local.sight.identity import clearness
from avr_ros.reasoning.local.sight.question import ANY_FRAME, frame_of, meaning_of, search
from avr_ros.reasoning.local.sight.seen import SeenPerson, seen_views
from avr_ros.reasoning.local.sight.wanted import Solved
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.propose import Proposal, ProposeInputs


def answer(request: StageRequest[Any]) -> Proposal:
    """The evidence of the answer; else the person meant; else the clearest one who does as said.

    A person who is described in a frame of which there is no panorama is taken for whoever does
    the same in the nearest one: a proposal is coarse.
    """
    inputs = request.inputs
    assert isinstance(inputs, ProposeInputs)
    views = seen_views(inputs.views, request.images)
    if not views:
        raise CannotAnswerError("there is no panorama")
    found = search(inputs.question, inputs.contract, views, ANY_FRAME, final=True)
    person: SeenPerson | None = None
    if isinstance(found.next, Solved):
        person = found.next.evidence
    if person is None and found.who is not None:
        person = max(found.who.sightings, key=clearness, default=None)
    if person is None:
        meaning = meaning_of(inputs.question)
        frame = frame_of(meaning, ANY_FRAME)
        wanted = meaning.person
        while wanted.relation is not None:
            wanted = wanted.relation.other
        near = min(views, key=lambda view: abs(view.frame - frame))
        doing = [item for item in near.people if set(wanted.actions) <= set(item.doing())]
        person = max(doing or near.people, key=clearness, default=None)
    if person is None:
        return Proposal(reason="nobody is seen", view=views[0].name)
    view = next(item for item in views if item.name == person.view)
    return Proposal(view=view.name, box=picture_box(person, view))
