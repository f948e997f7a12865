"""What a person starts doing first after a frame."""

from avr_ros.agents.avr.action_times import new_errors, new_habits
from avr_ros.agents.avr.boundary import BoundarySearch
from avr_ros.agents.avr.case import CannotAnswerError, Case, Finding
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.schema.vocabulary import POSE_ACTIONS

TOLERANCE = 7
"""Frames by which the start may be off: shorter actions are no answers."""


def next_action(
    case: Case, begin: int, mistaken: frozenset[str] = frozenset(), until: int | None = None
) -> Finding:
    """The first visible action that starts after a frame; of several together the activity.

    Actions that were ``mistaken``, because no choice names them, are none that start. Nothing from
    the frame ``until`` on counts.
    """
    before = _doing(case, case.sightings_at(begin)) | mistaken

    def begun(sighting: Sighting) -> bool | None:
        if not sighting.detection.actions:
            return None
        return bool(case.scout.visible(sighting) - before)

    settings = case.settings
    habits = new_habits(settings.typical_state_frames)
    search = case.search(begun, TOLERANCE, habits, new_errors(settings.state_error))
    change = search.first_change(begin, False, True, until=until)
    if change is None:
        raise CannotAnswerError(f"nothing new was seen after frame {begin}")
    frame = _first_look(search, begin, change.frame, until)
    if frame is None:
        raise CannotAnswerError("the person was not seen doing anything new")
    sightings = case.person.at(frame)
    started = _doing(case, sightings) - before
    if not started:
        raise CannotAnswerError("what the person starts is not sure")
    activities = started - set(POSE_ACTIONS)
    named = activities or started
    probabilities = {
        name: max(item.detection.actions.get(name, 0.0) for item in sightings)
        for name in sorted(named)
    }
    shown = [
        seen
        for seen in search.seen
        if seen >= frame and all(named <= case.scout.visible(item) for item in case.person.at(seen))
    ]
    last = frame + int(settings.shortest_state_frames / 2)
    return Finding([frame], actions=probabilities, reach=0, span=(frame, max([last, *shown])))


def _doing(case: Case, sightings: list[Sighting]) -> frozenset[str]:
    """Visible actions done in most of some sightings."""
    told = [case.scout.visible(item) for item in sightings if item.detection.actions]
    if not told:
        raise CannotAnswerError("the person's actions before could not be told")
    names = frozenset().union(*told)
    return frozenset(name for name in names if 2 * sum(name in item for item in told) > len(told))


def _first_look(search: BoundarySearch, begin: int, change: int, until: int | None) -> int | None:
    """The first frame, about the change or after it, in which a look showed something new."""
    return next(
        (
            frame
            for frame, changed in search.seen.items()
            if changed
            and frame > begin
            and frame >= change - TOLERANCE
            and (until is None or frame < until)
        ),
        None,
    )
