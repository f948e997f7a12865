"""Actions, social activities and social groups of one label entry (JRDB-Act).

The number beside an action and ``cluster_stat`` are annotation difficulties of 1 (clear) to 3,
not counts. The keys exist only where JRDB-Act is annotated: without them nothing is known.
"""

from __future__ import annotations

from avr_ros.annotations.fields import FieldError, as_difficulty, as_integer, as_object
from avr_ros.schema.vocabulary import ACTION_INDEX, ACTIONS

NO_GROUP = -1
"""Group id of a person whose group is not annotated."""

IMPOSSIBLE = ACTION_INDEX["impossible"]

ALIASES = {
    "opening the door": "interaction with door",
    "pushing the door": "interaction with door",
    "holding the door": "interaction with door",
}
"""Spellings that the toolkit's drawing code replaces."""

_INDEX = {**ACTION_INDEX, **{alias: ACTION_INDEX[name] for alias, name in ALIASES.items()}}

ActionSet = tuple[int, int]
"""Bit i of the first number: action i of the vocabulary is done; bits 2i and 2i + 1 of the second:
its difficulty."""


class ActivityReader:
    """Reads the fields, remembering the sets it has met: a data set repeats few of them often."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[str, object], ...], ActionSet] = {}

    def read(self, value: object, key: str) -> ActionSet:
        """The set of actions in an object of names and difficulties."""
        names = as_object(value, key)
        try:
            items = tuple(names.items())
            known = self._known.get(items)
        except TypeError:
            raise FieldError(key, "a difficulty that is not a number") from None
        if known is None:
            known = self._known[items] = _read(names, key)
        return known


def read_group(value: object) -> tuple[int, int]:
    """The group's id and difficulty in a ``social_group`` object."""
    group = as_object(value, "social_group")
    if "cluster_ID" not in group:
        raise FieldError("social_group", "no 'cluster_ID'")
    number = as_integer(group["cluster_ID"], "social_group/cluster_ID")
    if number < 0:
        raise FieldError("social_group/cluster_ID", f"the negative id {number}")
    difficulty = group.get("cluster_stat")
    if difficulty is None:
        return number, 0
    return number, as_difficulty(difficulty, "social_group/cluster_stat")


def action_names(mask: int) -> tuple[str, ...]:
    """The names of a set's actions in the order of the vocabulary."""
    return tuple(name for index, name in enumerate(ACTIONS) if mask >> index & 1)


def _read(names: dict[str, object], key: str) -> ActionSet:
    mask = difficulties = 0
    for name, value in names.items():
        index = _INDEX.get(name)
        if index is None:
            raise FieldError(f"{key}/{name}"[:80], "an action outside JRDB's vocabulary")
        difficulty = as_difficulty(value, f"{key}/{name}")
        mask |= 1 << index
        # Two aliases of one action in one set: the clearer annotation counts.
        previous = difficulties >> 2 * index & 3
        if previous == 0 or difficulty < previous:
            difficulties += (difficulty - previous) << 2 * index
    return mask, difficulties
