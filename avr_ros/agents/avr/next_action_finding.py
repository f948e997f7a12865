"""What a person starts doing first after a frame, of the actions that the choices name."""

import math
from typing import Final

from avr_ros.agents.avr.action_evidence import gathered, likeness, probability
from avr_ros.agents.avr.action_looks import doing_any
from avr_ros.agents.avr.action_times import new_errors, new_habits
from avr_ros.agents.avr.case import CannotAnswerError, Case, Finding

TOLERANCE: Final = 7
"""Frames by which the start may be off: shorter actions are no answers."""

SHOWN_FRAMES: Final = 25
"""Frames after a start in which the action is taken to go on."""

LOOKS_TO_TELL: Final = 3
"""Views spent on telling which action it is that starts."""

SETTLED_FRAMES: Final = 5
"""Frames after a start, as it was found, from which the action has surely begun."""

PLAIN: Final = math.log(12.0)
"""Logarithm of how much more must speak for one action than for the next to end that."""


def next_action(case: Case, begin: int, offered: frozenset[str]) -> Finding:
    """The first of some actions that starts after a frame.

    Those which are done in that frame already are none that start.
    """
    case.sightings_at(begin)
    looks = case.person.looks_about(begin)
    if not looks:
        raise CannotAnswerError("the person's actions before could not be told")
    starting = {name for name in offered if likeness(looks, (name,)) <= 0.5}
    if not starting:
        raise CannotAnswerError("whatever is offered is done from the beginning")
    settings = case.settings
    search = case.search(
        doing_any(starting),
        TOLERANCE,
        new_habits(settings.typical_state_frames),
        new_errors(case.mistaken),
    )
    change = search.first_change(begin, False, True)
    if change is None:
        raise CannotAnswerError(f"nothing new was seen after frame {begin}")
    first = max(change.frame - TOLERANCE // 2, begin + 1)
    for step in range(LOOKS_TO_TELL):
        if _plain(case, first, starting) or case.scout.looks_left <= 1:
            break
        fresh = _fresh(case, change.frame, step)
        if fresh is None:
            break
        case.follower.find(fresh, 1)
    told = _told(case, first, starting)
    if not told:
        raise CannotAnswerError("the person was not seen doing anything new")
    shown = _shown(case, change.frame, first, _best(told))
    if not any(frame >= change.frame + SETTLED_FRAMES for frame in shown):
        fresh = _fresh(case, change.frame, 0)
        if fresh is not None and case.scout.looks_left > 0:
            case.follower.find(fresh, 1)
            told = _told(case, first, starting)
            shown = _shown(case, change.frame, first, _best(told))
    return Finding(
        shown or [change.frame],
        actions={name: probability(value) for name, value in told.items()},
        reach=0 if shown else SHOWN_FRAMES,
    )


def _best(told: dict[str, float]) -> str:
    return max(sorted(told), key=lambda name: told[name])


def _shown(case: Case, start: int, first: int, action: str) -> list[int]:
    """The frames that show an action which was found to start in a frame, the plainest first.

    Those in which it has surely begun come alone, if there are any: just before its start somebody
    looks much the same. Frames before ``first`` are none.
    """
    shown = {
        item.frame_id: gathered([item.detection.actions], action)
        for item in case.person.sightings
        if first <= item.frame_id <= start + SHOWN_FRAMES
    }
    frames = sorted(
        (frame for frame, value in shown.items() if value > 0.0),
        key=lambda frame: (-shown[frame], frame),
    )
    return [frame for frame in frames if frame >= start + SETTLED_FRAMES] or frames


def _told(case: Case, first: int, names: set[str]) -> dict[str, float]:
    """What the looks from a start on add to the logarithmic odds of each action."""
    frames = sorted(
        {
            item.frame_id
            for item in case.person.sightings
            if first <= item.frame_id <= first + SHOWN_FRAMES and item.detection.actions
        }
    )
    looks = {frame: [item.detection.actions for item in case.person.at(frame)] for frame in frames}
    if not looks:
        return {}
    return {
        name: math.fsum(gathered(each, name) for each in looks.values()) for name in sorted(names)
    }


def _plain(case: Case, first: int, names: set[str]) -> bool:
    """Whether it is plain which action it is."""
    values = sorted(_told(case, first, names).values(), reverse=True)
    return bool(values) and values[0] > 0.0 and (len(values) < 2 or values[0] - values[1] >= PLAIN)


def _fresh(case: Case, frame: int, step: int) -> int | None:
    """A legal frame a little after a start that was not looked at yet, None where there is none."""
    looked = {item.frame_id for item in case.person.sightings}
    wanted = [frame + SETTLED_FRAMES + 5 * (step + more) for more in range(4)]
    legal = set(case.frames.tolist())
    return next((item for item in wanted if item in legal and item not in looked), None)
