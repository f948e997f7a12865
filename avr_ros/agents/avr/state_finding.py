"""What a person does, whether they are there and how far away, at a given frame."""

from collections.abc import Mapping

import numpy as np

from avr_ros.agents.avr.case import CannotAnswerError, Case, Finding, mean_actions
from avr_ros.agents.avr.scout import VISIBLE_ACTIONS
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.schema.answer import NumberAnswer
from avr_ros.schema.vocabulary import POSE_ACTIONS

SURE_METRES = 0.2
"""Standard deviation of a distance in metres above which another look is taken."""

DISTANCE_LOOKS = 4
"""Most looks at one person from which a distance is the mean."""

GONE_FRAMES = 16
"""Frames without any sign of a person after which they are taken to have left."""

STEP_FRAMES = 45
"""Frames by which the search for the last sight of somebody steps ahead."""

LEAVING_LOOKS = 3
"""Views spent on finding somebody in a frame in which they may have left."""

ALL_AROUND = 10
"""Views that show all directions, though they begin anew where a person is expected."""


def state(case: Case, frame: int) -> Finding:
    """What the person does in a frame."""
    _seen(case, frame)
    return state_again(case, frame)


def state_again(case: Case, frame: int) -> Finding:
    """The same from all looks so far."""
    return Finding([frame], actions=visible_state(mean_actions(case.person.at(frame))))


def distance(case: Case, frame: int) -> Finding:
    """Metres from the robot: the mean over as many looks as its deviation needs."""
    _seen(case, frame)
    while True:
        grounds = [
            item.detection.ground
            for item in case.person.at(frame)
            if item.detection.ground is not None
        ]
        if not grounds and not case.person.at(frame):
            raise CannotAnswerError(f"where the person stands in frame {frame} cannot be told")
        weights = [1.0 / max(ground.sigma, 1e-3) ** 2 for ground in grounds]
        done = len(case.person.at(frame)) >= DISTANCE_LOOKS or case.scout.looks_left < 1
        if done or (weights and sum(weights) >= 1.0 / SURE_METRES**2):
            break
        # A view a little aside is another picture, and so another measurement.
        aside = 0.03 * len(case.person.at(frame))
        case.scout.look(frame, case.person.azimuth_at(frame) + aside)
    if not grounds:
        raise CannotAnswerError(f"where the person stands in frame {frame} cannot be told")
    metres = sum(
        weight * (ground.x**2 + ground.y**2) ** 0.5
        for weight, ground in zip(weights, grounds, strict=True)
    ) / sum(weights)
    return Finding([frame], NumberAnswer(value=round(metres, 2)))


def presence(case: Case, frame: int) -> Finding:
    """Whether the person is there in a frame; if not, where they are seen last.

    Absence is claimed where views all around do not show the person, and no later look than
    `GONE_FRAMES` before the frame does either; it is written down. Raises CannotAnswerError where
    the person was not seen, but neither were all directions.
    """
    if case.person.at(frame) or case.follower.find(frame, ALL_AROUND) is not None:
        return Finding([frame], present=True)
    if not case.scout.seen_all_around(frame):
        raise CannotAnswerError(
            f"the person was not seen in frame {frame}, nor were all its directions"
        )
    last = _last_seen(case, frame) if frame > case.described else case.described
    if abs(frame - last) < GONE_FRAMES and case.follower.find(frame, 1) is not None:
        return Finding([frame], present=True)
    case.scout.write_absent(case.person, frame, case.follower.expectation(frame).azimuth)
    return Finding([last], present=False, reach=GONE_FRAMES)


def visible_state(actions: Mapping[str, float]) -> dict[str, float]:
    """The activities of a person if there are any, else the posture, with their probabilities."""
    visible = {name: value for name, value in actions.items() if name in VISIBLE_ACTIONS}
    activities = {name: value for name, value in visible.items() if name not in POSE_ACTIONS}
    return activities if max(activities.values(), default=0.0) >= 0.5 else visible


def _seen(case: Case, frame: int) -> list[Sighting]:
    """The sightings of the person in a frame, one of them from straight ahead."""
    found = case.follower.find(frame, ALL_AROUND)
    if found is None and not case.person.at(frame):
        raise CannotAnswerError(f"the person was not found again in frame {frame}")
    if not any(item.clear for item in case.person.at(frame)) and case.scout.looks_left > 0:
        case.follower.find(frame, 1)
    return case.person.at(frame)


def _last_seen(case: Case, frame: int) -> int:
    """The last frame in which the person is seen: steps ahead, then bisection.

    Somebody who is hidden for a moment is no longer seen either, so where the search ends a little
    later is looked at as well.
    """
    frames = case.frames[(case.frames >= case.described) & (case.frames < frame)]
    seen = int(np.searchsorted(frames, max(_seen_before(case, frame), case.described)))
    gone = len(frames)
    while case.scout.looks_left > 0:
        while gone - seen > GONE_FRAMES // 2 and case.scout.looks_left > 0:
            middle = seen + min((gone - seen) // 2, STEP_FRAMES)
            if case.follower.find(int(frames[middle]), LEAVING_LOOKS) is None:
                gone = middle
            else:
                seen = middle
        later = min(gone + GONE_FRAMES, len(frames) - 1)
        if later <= gone or case.follower.find(int(frames[later]), LEAVING_LOOKS) is None:
            break
        seen, gone = later, len(frames)
    return int(frames[seen])


def _seen_before(case: Case, frame: int) -> int:
    return max(item.frame_id for item in case.person.sightings if item.frame_id < frame)
