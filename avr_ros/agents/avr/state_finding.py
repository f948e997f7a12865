"""What a person does, whether they are there and how far away, at a given frame."""

import math
from collections.abc import Sequence

import numpy as np

from avr_ros.agents.avr.action_evidence import Actions, speaks_for
from avr_ros.agents.avr.case import CannotAnswerError, Case, Finding
from avr_ros.agents.avr.scout import VISIBLE_ACTIONS
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.schema.answer import NumberAnswer

SURE_METRES = 0.2
"""Standard deviation of a distance in metres above which another look is taken."""

DISTANCE_LOOKS = 4
"""Most looks at one person from which a distance is the mean."""

GONE_FRAMES = 16
"""Frames without any sign of a person after which they are taken to have left."""

LAST_SIGHT_FRAMES = 32
"""Frames without any look at the end of a person's stay up to which their last sight is known."""

STEP_FRAMES = 45
"""Frames by which the search for the last sight of somebody steps ahead."""

LEAVING_LOOKS = 3
"""Views spent on finding somebody in a frame in which they may have left."""

LOOKS_AT_ONCE = 3
"""Views spent on finding somebody in a frame before frames close to it are looked at."""

CLOSE_FRAMES = (3, -3, 5, -5)
"""Frames from the one asked about to those in which hardly anything is different."""

ALL_AROUND = 10
"""Views that show all directions, though they begin anew where a person is expected."""


def state(case: Case, frame: int) -> Finding:
    """What the person does in a frame."""
    _seen(case, frame)
    return state_again(case, frame)


def state_again(case: Case, frame: int) -> Finding:
    """The same from all looks so far."""
    return Finding(
        [frame],
        actions=seen_doing(case.person.looks_about(frame)),
        reach=max(CLOSE_FRAMES),
    )


def look_beside(case: Case, frame: int, number: int) -> None:
    """Look at the person in a frame close to one, another for each ``number``.

    The same picture would show the same mistake once more.
    """
    legal = set(case.frames.tolist())
    close = [frame + shift for shift in CLOSE_FRAMES if frame + shift in legal]
    case.follower.find(close[number % len(close)] if close else frame, 1)


def distance(case: Case, frame: int) -> Finding:
    """Metres from the robot: the mean over as many looks as its deviation needs."""
    _seen(case, frame)
    at = _near(case, frame)[0].frame_id
    while True:
        grounds = [
            item.detection.ground
            for item in case.person.at(at)
            if item.detection.ground is not None
        ]
        weights = [1.0 / max(ground.sigma, 1e-3) ** 2 for ground in grounds]
        done = len(case.person.at(at)) >= DISTANCE_LOOKS or case.scout.looks_left < 1
        if done or (weights and sum(weights) >= 1.0 / SURE_METRES**2):
            break
        # A view a little aside is another picture, and so another measurement.
        aside = 0.03 * len(case.person.at(at))
        case.scout.look(at, case.person.azimuth_at(at) + aside)
    if not grounds:
        raise CannotAnswerError(f"where the person stands in frame {frame} cannot be told")
    metres = sum(
        weight * (ground.x**2 + ground.y**2) ** 0.5
        for weight, ground in zip(weights, grounds, strict=True)
    ) / sum(weights)
    metres += _distance_change(case, at, frame)
    return Finding([frame], NumberAnswer(value=round(metres, 2)), reach=max(CLOSE_FRAMES))


def _distance_change(case: Case, at: int, frame: int) -> float:
    """Metres by which the person's distance changes from a frame to another one close to it.

    Whoever runs comes a metre nearer in five frames. 0 where it is not known.
    """
    if at == frame:
        return 0.0
    ground = case.person.at(at)[-1].detection.ground
    expected = case.follower.expectation(frame).distance
    if ground is None or expected is None:
        return 0.0
    return expected - math.hypot(ground.x, ground.y)


def presence(case: Case, frame: int) -> Finding:
    """Whether the person is there in a frame; if not, where they are seen last.

    Absence is claimed where views all around do not show the person, and no later look than
    `GONE_FRAMES` before the frame does either; it is written down. Raises CannotAnswerError where
    the person was not seen, but neither were all directions.
    """
    if case.person.at(frame) or case.follower.find(frame, ALL_AROUND, claim=False) is not None:
        return Finding([frame], present=True)
    _look_at_the_rest(case, frame)
    if case.person.at(frame):
        return Finding([frame], present=True)
    if not case.scout.seen_all_around(frame):
        raise CannotAnswerError(
            f"the person was not seen in frame {frame}, nor were all its directions"
        )
    last = _last_seen(case, frame) if frame > case.described else case.described
    if abs(frame - last) < GONE_FRAMES and case.follower.find(frame, 1, claim=False) is not None:
        return Finding([frame], present=True)
    case.scout.write_absent(case.person, frame, case.follower.expectation(frame).azimuth)
    return Finding([last], present=False, reach=GONE_FRAMES)


def seen_doing(looks: Sequence[Actions]) -> dict[str, float]:
    """How strongly looks at one moment speak for each action that can be seen at all."""
    return {name: value for name, value in speaks_for(looks).items() if name in VISIBLE_ACTIONS}


def _seen(case: Case, frame: int) -> None:
    """See the person in a frame, clearly if that can be, or at least close to it.

    Somebody who is hidden in a frame is mostly seen a few frames before or after it.
    """
    legal = set(case.frames.tolist())
    if case.follower.find(frame, LOOKS_AT_ONCE) is None and not case.person.at(frame):
        for shift in CLOSE_FRAMES:
            if frame + shift in legal and case.follower.find(frame + shift, 1) is not None:
                break
        else:
            case.follower.find(frame, ALL_AROUND)
    near = _near(case, frame)
    if not near:
        raise CannotAnswerError(f"the person was not found again in frame {frame}")
    if not any(item.clear for item in near) and case.scout.looks_left > 0:
        case.follower.find(near[0].frame_id, 1)


def _look_at_the_rest(case: Case, frame: int) -> None:
    """Look where views of a frame, made where the person might be, have left out directions."""
    while case.scout.looks_left > 0 and not case.scout.seen_all_around(frame):
        azimuth = case.scout.unseen_view(frame)
        if azimuth is None or case.person.at(frame):
            return
        case.scout.look(frame, azimuth)


def _near(case: Case, frame: int) -> list[Sighting]:
    """The sightings in a frame, else those in the frame nearest to it of those close to it."""
    frames = {item.frame_id for item in case.person.sightings}
    close = [item for item in frames if abs(item - frame) <= max(CLOSE_FRAMES)]
    if not close:
        return []
    return case.person.at(min(close, key=lambda item: (abs(item - frame), item)))


def _last_seen(case: Case, frame: int) -> int:
    """The last frame in which the person is seen: steps ahead, then bisection.

    Somebody who is hidden for a moment is no longer seen either, so where the search ends a little
    later is looked at as well. Raises CannotAnswerError where views run out long before: then the
    last sight of the person is not known, which is what shows that they have left. With
    ``answer_unsure`` the last sight so far is answered then.
    """
    frames = case.frames[(case.frames >= case.described) & (case.frames < frame)]
    seen = int(np.searchsorted(frames, max(_seen_before(case, frame), case.described)))
    gone = len(frames)
    while case.scout.looks_left > 0:
        while gone - seen > GONE_FRAMES // 2 and case.scout.looks_left > 0:
            middle = seen + min((gone - seen) // 2, STEP_FRAMES)
            if case.follower.find(int(frames[middle]), LEAVING_LOOKS, claim=False) is None:
                gone = middle
            else:
                seen = middle
        later = min(gone + GONE_FRAMES, len(frames) - 1)
        if later <= gone:
            break
        if case.follower.find(int(frames[later]), LEAVING_LOOKS, claim=False) is None:
            break
        seen, gone = later, len(frames)
    unseen = int(frames[gone - 1]) - int(frames[seen]) if gone > seen else 0
    settings = case.settings
    if settings.active and not settings.answer_unsure and unseen >= LAST_SIGHT_FRAMES:
        raise CannotAnswerError(
            f"the person has left by frame {frame}, but where they were seen last was not found"
        )
    return int(frames[seen])


def _seen_before(case: Case, frame: int) -> int:
    return max(item.frame_id for item in case.person.sightings if item.frame_id < frame)
