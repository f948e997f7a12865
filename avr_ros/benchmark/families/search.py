"""What the families' searches share: random references, windows, offsets, evidence frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avr_ros.benchmark.events import Event
from avr_ros.benchmark.recipe import (
    BoundaryAsked,
    DistanceAsked,
    Edge,
    EventKind,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    PresenceAsked,
    Recipe,
    Reference,
    SpanAsked,
    StateAsked,
)
from avr_ros.benchmark.references import STABLE_FRAMES, described_people, follow_from
from avr_ros.benchmark.relations import Relation
from avr_ros.benchmark.scene import BoolArray, Scene
from avr_ros.benchmark.tolerances import FRAME_TOLERANCE
from avr_ros.benchmark.wording import VISIBLE_ACTIONS
from avr_ros.schema.vocabulary import ACTION_INDEX

REFERENCES_PER_FRAME: Final = 12
"""Most references that a search takes from one frame, so that it visits many frames."""

LONGEST_UNSEEN: Final = 30
"""Frames on end for which somebody may be out of sight until the event that is asked for.

Within two seconds hardly anybody begins something and leaves it again; after a longer gap nobody
can tell whether what is seen then was the next thing.
"""

LATER_STEP: Final = 60
"""Frames by which "later" is told apart coarsely."""

WHEN_STEP: Final = 50
"""Frames by which it is told apart when in a recording something is asked."""

FRAME_BIN: Final = int(2 * FRAME_TOLERANCE) + 1
"""Frames that one answer covers with its tolerance."""

FIRST_OFFSET: Final = FRAME_BIN
"""Frames after the described one at which the earliest event asked for lies."""


def random_references(
    scene: Scene,
    frames: NDArray[np.int64],
    chains: tuple[tuple[Relation, ...], ...],
    rng: np.random.Generator,
    closest: bool = False,
) -> Iterator[tuple[int, Reference, tuple[int, ...]]]:
    """Frame indices with references there and the people on their ways, in random order.

    ``frames`` are the frame indices that may be described; each is visited once. ``chains`` are
    the relations that may follow a description, the empty one included if wanted; ``closest``
    allows descriptions by closeness to the robot. Everybody on a way is clearly visible.
    """
    for frame in rng.permutation(frames).tolist():
        described = described_people(scene, frame, closest)
        taken = 0
        for place in rng.permutation(len(described) * len(chains)).tolist():
            description, person = described[place // len(chains)]
            chain = chains[place % len(chains)]
            path = follow_from(scene, frame, person, chain)
            if path is None or not bool(np.all(scene.clear[frame, list(path)])):
                continue
            frame_id = int(scene.frames[frame])
            actions, nearest = description.actions, description.closest
            yield frame, Reference(frame_id, actions, chain, nearest), path
            taken += 1
            if taken == REFERENCES_PER_FRAME:
                break


def frames_with_window(scene: Scene, window_frames: int) -> NDArray[np.int64]:
    """Indices of the annotated frames after which a whole window follows in the sequence."""
    last = int(np.max(scene.frames, initial=-1))
    return np.flatnonzero(scene.frames + window_frames <= last)


def last_index(scene: Scene, frame_id: int) -> int:
    """Index of the last annotated frame up to a frame id."""
    return int(np.searchsorted(scene.frames, frame_id, side="right")) - 1


def offset_bins(window_frames: int) -> int:
    """Number of equally wide bins of frames in which events of a window may lie."""
    return max((window_frames - FIRST_OFFSET + 1) // FRAME_BIN, 0)


def offset_bin(offset: int, window_frames: int) -> int | None:
    """The bin of an event ``offset`` frames after the described one; none outside all bins."""
    index = (offset - FIRST_OFFSET) // FRAME_BIN
    return index if 0 <= index < offset_bins(window_frames) else None


def event_actions(scene: Scene, person: int) -> list[str]:
    """The visible actions that a person does at some time."""
    key = ("actions of", person)
    found = scene.cache.get(key)
    if found is None:
        bits = int(np.bitwise_or.reduce(scene.actions[:, person], initial=0))
        found = [action for action in VISIBLE_ACTIONS if bits >> ACTION_INDEX[action] & 1]
        scene.cache[key] = found
    return list(found)


def later_frame(
    scene: Scene, frame: int, person: int, window_frames: int, rng: np.random.Generator
) -> int | None:
    """A random frame id after a frame index, within a window, in which a person is clearly seen.

    None where there is none. The person is seen steadily around it.
    """
    last = last_index(scene, int(scene.frames[frame]) + window_frames)
    first = frame + FIRST_OFFSET
    found = first + np.flatnonzero(_steadily_clear(scene)[first : last + 1, person])
    return int(scene.frames[found[rng.integers(len(found))]]) if len(found) else None


def _steadily_clear(scene: Scene) -> BoolArray:
    """Where somebody is clearly seen at an index and `STABLE_FRAMES` before and after, (F, P)."""
    steady = scene.cache.get("steadily clear")
    if steady is None:
        count = len(scene.frames)
        steady = np.ones_like(scene.clear)
        for shift in range(-STABLE_FRAMES, STABLE_FRAMES + 1):
            steady &= scene.clear[np.clip(np.arange(count) + shift, 0, count - 1)]
        scene.cache["steadily clear"] = steady
    return np.asarray(steady)


def people_there(scene: Scene, frame: int) -> NDArray[np.int64]:
    """Indices of the people with a label at a frame index."""
    return np.flatnonzero(scene.present[frame])


def visible_frames(scene: Scene, person: int, first: int, last: int) -> tuple[int, ...]:
    """The frame ids from one to another (ids, both included) in which a person is clearly seen."""
    inside = (scene.frames >= first) & (scene.frames <= last) & scene.clear[:, person]
    return tuple(scene.frames[inside].tolist())


def frames_around(
    scene: Scene, person: int, frame_id: int, window: tuple[int, int] | None
) -> tuple[int, ...]:
    """The frames within tolerance of a frame, and in the window, in which a person is seen."""
    reach = int(FRAME_TOLERANCE)
    first, last = frame_id - reach, frame_id + reach
    if window is not None:
        first, last = max(first, window[0]), min(last, window[1])
    return visible_frames(scene, person, first, last)


@dataclass(frozen=True)
class AroundEvent:
    """The frames (ids) next to an event, before it and from it on, in which a person is seen.

    In that of the two in which the action goes on, the person is seen doing it.
    """

    before: int
    after: int
    kind: EventKind

    @property
    def frames(self) -> tuple[int, int]:
        """Both frames."""
        return self.before, self.after

    @property
    def shown(self) -> tuple[int, str]:
        """The frame in which the person is seen doing the action, and the action."""
        starts = self.kind.edge is Edge.START
        return (self.after if starts else self.before), self.kind.action


def around_event(scene: Scene, event: Event) -> AroundEvent:
    """Where a person is seen next to an event, within tolerance of it.

    Where they are not, the frame before the event and the event's own stand in, which the check of
    visibility rejects.
    """
    at, reach = event.frame, int(FRAME_TOLERANCE)
    shows = scene.shows(event.kind.action)[:, event.person]
    clear = scene.clear[:, event.person]
    starts = event.kind.edge is Edge.START
    near = np.abs(scene.frames - scene.frames[at]) <= reach
    before = np.flatnonzero((clear if starts else shows)[:at] & near[:at])
    after = at + np.flatnonzero((shows if starts else clear)[at:] & near[at:])
    first = int(before[-1]) if len(before) else at - 1
    second = int(after[0]) if len(after) else at
    return AroundEvent(int(scene.frames[first]), int(scene.frames[second]), event.kind)


def share_visible(scene: Scene, person: int, first: int, last: int) -> float:
    """Share of the frames between two indices, both included, in which a person is seen."""
    return float(np.mean(scene.clear[first : last + 1, person]))


def can_be_followed(scene: Scene, person: int, first: int, last: int) -> bool:
    """Whether a person is never long out of sight between two indices, both included."""
    seen = np.flatnonzero(scene.clear[first : last + 1, person]) + first
    edges = np.concatenate(([first - 1], seen, [last + 1]))
    return int(np.max(np.diff(edges))) - 1 <= LONGEST_UNSEEN


def features(recipe: Recipe) -> tuple[str, ...]:
    """What a question's text gives away: the description, the relations, what is asked, when."""
    asked = recipe.asked
    named = list(description_words(recipe))
    named += relation_words(recipe)
    if isinstance(asked, BoundaryAsked):
        named.append(f"asked {asked.event.edge.value} {asked.event.action}")
    elif isinstance(asked, GapAsked):
        named += [f"asked {item.edge.value} {item.action}" for item in (asked.first, asked.second)]
    elif isinstance(asked, SpanAsked | FirstViewAsked):
        named.append(f"asked {asked.action}")
    elif not isinstance(asked, NextActionAsked):
        named.append(f"after {min((asked.frame - recipe.reference.frame) // LATER_STEP, 4)}")
    return (*named, *when(recipe))


def when(recipe: Recipe) -> tuple[str, ...]:
    """About when in the recording the frames lie that a question's text names."""
    asked = recipe.asked
    named = (f"at {recipe.reference.frame // WHEN_STEP}",)
    if isinstance(asked, StateAsked | PresenceAsked | DistanceAsked):
        return (*named, f"by {asked.frame // WHEN_STEP}")
    return named


def relation_words(recipe: Recipe) -> tuple[str, ...]:
    """The relations that lead to the person meant."""
    hops = enumerate(recipe.reference.relations)
    return tuple(f"hop {number} {hop.value}" for number, hop in hops)


def description_words(recipe: Recipe) -> tuple[str, ...]:
    """What the text says of the person whom a chain begins with."""
    reference = recipe.reference
    named = tuple(f"described {action}" for action in reference.actions)
    return (*named, "closest") if reference.closest else named
