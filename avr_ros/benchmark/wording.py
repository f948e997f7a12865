"""English for actions, descriptions and relations, used by every family's wording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np


@dataclass(frozen=True)
class ActionWords:
    """An action as ``doing`` ("is ... "), ``do`` ("to ... ") and ``does`` ("he or she ...")."""

    doing: str
    do: str
    does: str


ACTION_WORDS: Final[dict[str, ActionWords]] = {
    "walking": ActionWords("walking", "walk", "walks"),
    "standing": ActionWords("standing", "stand", "stands"),
    "holding sth": ActionWords("holding something", "hold something", "holds something"),
    "sitting": ActionWords("sitting", "sit", "sits"),
    "cycling": ActionWords("riding a bicycle", "ride a bicycle", "rides a bicycle"),
    "going upstairs": ActionWords("going up the stairs", "go up the stairs", "goes up the stairs"),
    "bending": ActionWords("bending over", "bend over", "bends over"),
    "typing": ActionWords("typing", "type", "types"),
    "interaction with door": ActionWords(
        "opening or holding a door", "open or hold a door", "opens or holds a door"
    ),
    "eating sth": ActionWords("eating something", "eat something", "eats something"),
    "talking on the phone": ActionWords(
        "talking on the phone", "talk on the phone", "talks on the phone"
    ),
    "pointing at sth": ActionWords(
        "pointing at something", "point at something", "points at something"
    ),
    "going downstairs": ActionWords(
        "going down the stairs", "go down the stairs", "goes down the stairs"
    ),
    "reading": ActionWords("reading", "read", "reads"),
    "pushing": ActionWords("pushing something", "push something", "pushes something"),
    "skating": ActionWords("skating", "skate", "skates"),
    "scootering": ActionWords("riding a scooter", "ride a scooter", "rides a scooter"),
    "greeting gestures": ActionWords(
        "making a greeting gesture", "make a greeting gesture", "makes a greeting gesture"
    ),
    "running": ActionWords("running", "run", "runs"),
    "writing": ActionWords("writing", "write", "writes"),
    "pulling": ActionWords("pulling something", "pull something", "pulls something"),
    "lying": ActionWords("lying down", "lie down", "lies down"),
}
"""Words for the actions that can be seen in a picture.

Listening, talking to someone and the several ways of looking are left out: nobody can tell them
from a picture of a few dozen pixels, so no question asks about them.
"""

STILL: Final = ("standing", "sitting", "lying")
"""Actions of which nobody says that somebody starts or stops doing them."""

VISIBLE_ACTIONS: Final[tuple[str, ...]] = tuple(ACTION_WORDS)
"""Actions that questions may use, in the order of the vocabulary."""


def doing(actions: tuple[str, ...]) -> str:
    """Several actions at once as "doing A and doing B"."""
    return " and ".join(ACTION_WORDS[action].doing for action in actions)


_ONE_PERSON = (
    "At frame {frame}, exactly one person is {doing}.",
    "Exactly one person is {doing} at frame {frame}.",
    "In frame {frame} only one person is {doing}.",
)
_CLOSEST_PERSON = (
    "At frame {frame}, look at the people who are {doing} and take the one closest to the robot.",
    "Of all the people who are {doing} at frame {frame}, consider the one closest to the robot.",
    "Several people are {doing} at frame {frame}. Consider the one who is closest to the robot.",
)
_BESIDE = (
    "At frame {frame}, look for the only person who is {doing}, and then for the person nearest to"
    " the {side} of them as seen from the robot.",
    "At frame {frame}, find the person who is nearest to the {side} of the only person {doing}, as"
    " seen from the robot.",
)


def one_person(
    frame: int, actions: tuple[str, ...], rng: np.random.Generator, closest: bool = False
) -> str:
    """A sentence that introduces the only person who does something at a frame.

    With ``closest``, of several people the one who is closest to the robot.
    """
    phrasings = _CLOSEST_PERSON if closest else _ONE_PERSON
    return pick(phrasings, rng).format(frame=frame, doing=doing(actions))


def the_person(actions: tuple[str, ...], closest: bool) -> str:
    """The only person who does something, or the closest of several, as a noun phrase."""
    if closest:
        return f"the person closest to the robot among those who are {doing(actions)}"
    return f"the only person who is {doing(actions)}"


def person_beside(frame: int, actions: tuple[str, ...], side: str, rng: np.random.Generator) -> str:
    """A sentence that introduces the person next to the only one who does something."""
    return pick(_BESIDE, rng).format(frame=frame, doing=doing(actions), side=side)


def pick(phrasings: tuple[str, ...], rng: np.random.Generator) -> str:
    """One of several phrasings."""
    return phrasings[int(rng.integers(len(phrasings)))]
