"""How people go from one thing that they do to the next, as a rule."""

from typing import Final

from avr_ros.agents.avr.change_search import Errors, Habits

COMMON: Final = frozenset({"standing", "walking"})
"""What people do between other things."""

COMMON_NEXT: Final = 0.35
"""How often the next thing is done in a given common posture."""

RARE_NEXT: Final = 0.08
"""How often the next thing is any other given one."""

RESTING_ON: Final = {"sitting": 0.85, "lying": 0.85, "standing": 0.45}
"""How often the next thing is done in the same resting posture."""

OTHER_ON: Final = 0.07
"""How often any other action goes on while something else changes."""

IMAGINED_SHARE: Final = 0.1
"""Share of the mistaken looks in which one given other thing is seen."""

NEW_NEXT: Final = 0.85
"""How often the next thing is new: not part of what was done before."""


def habits(action: str, typical: float, starts: bool) -> Habits:
    """How often an action starts, or stops, with the next thing that is done.

    ``typical`` is how many frames each thing lasts in the mean; ``starts`` is whether it is the
    start of the action that is searched for.
    """
    comes = COMMON_NEXT if action in COMMON else RARE_NEXT
    stays = RESTING_ON.get(action, OTHER_ON)
    if starts:
        return Habits(typical, comes, stays)
    return Habits(typical, 1.0 - stays, 1.0 - comes)


def new_habits(typical: float) -> Habits:
    """How often something begins that was not done before."""
    return Habits(typical, NEW_NEXT, NEW_NEXT)


def errors(mistaken: float, starts: bool) -> Errors:
    """How often a look at an action is expected to be wrong; looks are ``mistaken`` that often.

    What is mistaken is taken for any other thing, so an action is overlooked far more often than
    seen where it is not done.
    """
    imagined = IMAGINED_SHARE * mistaken
    if starts:
        return Errors(false=imagined, missed=mistaken)
    return Errors(false=mistaken, missed=imagined)


def new_errors(mistaken: float) -> Errors:
    """How often a look is wrong about whether anything new is done: as about an action's stop."""
    return errors(mistaken, starts=False)
