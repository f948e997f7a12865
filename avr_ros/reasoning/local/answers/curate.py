"""Stage ``curate``: the frames that what is known rests on."""

from typing import Any

from avr_ros.reasoning.local.sight.absence import shows_absence
from avr_ros.reasoning.local.sight.question import limits_of, meaning_of, search
from avr_ros.reasoning.local.sight.seen import (
    MEANT,
    SeenPerson,
    SeenView,
    describe_view,
    seen_views,
)
from avr_ros.reasoning.local.sight.wanted import Findings
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.curate import CurateInputs, CurateReply, KeptView


def answer(request: StageRequest[Any]) -> CurateReply:
    """Search with the new frames; keep those that were used, and note what all of them show."""
    inputs = request.inputs
    assert isinstance(inputs, CurateInputs)
    shown = (*inputs.views, *inputs.frames)
    views = seen_views(shown, request.images, inputs.memory)
    found = search(
        inputs.question, inputs.contract, views, limits_of(inputs.environment), final=False
    )
    by_name = {view.name: view for view in views}
    new = [by_name[frame.name] for frame in inputs.frames if frame.name in by_name]
    used = {person.view for person in found.used if person.view}
    latest = latest_picture(found)
    if latest is not None:
        used.add(latest.view)
    meaning = meaning_of(inputs.question)
    before = [by_name[view.name] for view in inputs.views if view.name in by_name]
    known = {view.name: view.note for view in inputs.views}
    used |= {view.name for view in new if shows_absence(meaning, found, view)}
    notes = {view.name: describe_view(view, _meant(found, view)) for view in new}
    kept = [KeptView(view=view.name, note=notes[view.name]) for view in new if view.name in used]
    for view in before:
        meant = _meant(found, view)
        if meant is not None and view.name in used and MEANT not in known[view.name]:
            kept.append(KeptView(view=view.name, note=describe_view(view, meant)))
    return CurateReply(summary=" ".join(notes.values()), kept=tuple(kept))


def latest_picture(found: Findings) -> SeenPerson | None:
    """The last picture of the person: it shows that nothing had changed until then."""
    if found.who is None:
        return None
    pictured = [person for person in found.who.sightings if person.view]
    return max(pictured, key=lambda person: person.frame, default=None)


def _meant(found: Findings, view: SeenView) -> SeenPerson | None:
    if found.who is None:
        return None
    return next((person for person in found.who.sightings if person in view.people), None)
