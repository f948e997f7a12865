"""unique_anchor_state: the only person of a kind; whether they are still there later, or how far.

A person is there while clearly seen, and has left when no label of them comes any more; between
the two nothing is asked, because a person without a label may still be there.

Necessity. Temporal: without the later frames the best there is to say is that the person stays
where they are: a distance must be another one by then, and a person who is still there must be
somewhere else in the picture. Anchor: without the description anybody present may be meant, and for
somebody the answer must be another one. One observation shows either the described frame, which
the temporal check covers, or a frame in which nobody is described.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.families.family import SearchSettings
from avr_ros.benchmark.families.search import (
    FIRST_OFFSET,
    WHEN_STEP,
    description_words,
    features,
    frames_around,
    later_frame,
    people_there,
    random_references,
    when,
)
from avr_ros.benchmark.recipe import (
    AnswerValue,
    DistanceAsked,
    PresenceAsked,
    Recipe,
    Reference,
    Truth,
)
from avr_ros.benchmark.references import (
    STABLE_FRAMES,
    Description,
    described_person,
    follow,
)
from avr_ros.benchmark.relations import NOBODY
from avr_ros.benchmark.scene import Scene
from avr_ros.benchmark.tolerances import class_of_number
from avr_ros.benchmark.validation.raw_people import is_recognisable
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.wording import one_person, pick
from avr_ros.geometry.boxes import iou
from avr_ros.schema.vocabulary import AnswerMode, Family

STILL_THERE: Final = "yes"
LEFT: Final = "no"

GONE_FRAMES: Final = 16
"""Frames after a person's last label from which on they are taken to have left."""

UNCLEAR_FRAMES: Final = 60
"""Frames up to their last label in which somebody who leaves may be small or half hidden."""

DISTANCE_SPREAD: Final = 0.7
"""Smallest share of the distances at which an action must be found that a person is known by."""

FARTHEST: Final = 12.1
"""Distance in metres up to which is asked."""

SAME_PLACE_IOU: Final = 0.5
"""IoU from which on a person is where they were."""

_PRESENCE = (
    "Is this person still there at frame {later}? Show them then or, if they have left by then,"
    " where they are seen last.",
    "Can this person still be seen at frame {later}, or have they left by then? Show them then, or"
    " in one of the last frames that show them.",
)
_DISTANCE = (
    "How many metres away from the robot is this person at frame {later}, measured along the"
    " ground?",
    "At frame {later}, how far from the robot is this person, in metres along the ground?",
)


class UniqueAnchorState:
    """The family."""

    family = Family.UNIQUE_ANCHOR_STATE
    modes = (AnswerMode.CHOICE, AnswerMode.NUMBER)
    checks = (Check.TEMPORAL, Check.ANCHOR)

    def search(
        self, scene: Scene, settings: SearchSettings, rng: np.random.Generator
    ) -> Iterator[Recipe]:
        """Everybody who can be described by what they do, with random later frames.

        Presence is asked of those who leave and, in the same words, of somebody who stays.
        """
        frames = np.arange(len(scene.frames))
        for frame, reference, path in random_references(scene, frames, ((),), rng, closest=True):
            later = later_frame(scene, frame, path[-1], settings.window_frames, rng)
            # Who is closest to the robot is near to it, so that is no description here.
            if later is not None and not reference.closest:
                yield self._recipe(scene, AnswerMode.NUMBER, reference, DistanceAsked(later))
            left = _frame_without(scene, frame, path[-1], settings.window_frames, rng)
            counterpart = None if left is None else self._counterpart(scene, reference, left, rng)
            if left is not None and counterpart is not None:
                yield self._recipe(scene, AnswerMode.CHOICE, reference, PresenceAsked(left))
                yield counterpart

    def truth(self, scene: Scene, recipe: Recipe) -> Truth | None:
        """Presence, or distance to a tenth of a metre."""
        path = follow(scene, recipe.reference)
        assert isinstance(recipe.asked, PresenceAsked | DistanceAsked)
        later = scene.frame_index(recipe.asked.frame)
        if path is None or later is None:
            return None
        person = path[-1]
        tracks = tuple(int(scene.tracks[index]) for index in path)
        described = (recipe.reference.frame, tracks[0])
        answer = self._answer(scene, recipe, person, later)
        if answer is None:
            return None
        if answer == LEFT:
            evidence = _last_frames(scene, person)
            return None if evidence is None else Truth(answer, tracks, evidence, (described,))
        evidence = frames_around(scene, person, recipe.asked.frame, None)
        return Truth(answer, tracks, evidence, (described, (recipe.asked.frame, tracks[0])))

    def rederive(self, rows: RawRows, recipe: Recipe, target: int) -> AnswerValue | None:
        """Read the person's labels around the later frame, and after it."""
        assert isinstance(recipe.asked, PresenceAsked | DistanceAsked)
        later = recipe.asked.frame
        row = rows.of(later, target)
        if isinstance(recipe.asked, DistanceAsked):
            if row is None or row.place is None:
                return None
            return round(math.dist(row.place, (0.0, 0.0)), 1)
        if row is None:
            return LEFT if later - rows.last_label(target) >= GONE_FRAMES else None
        near = rows.around(later, STABLE_FRAMES)
        seen = all(is_recognisable(rows.of(frame, target), rows.height) for frame in near)
        return STILL_THERE if seen else None

    def remaining(
        self, scene: Scene, recipe: Recipe, truth: Truth, check: Check
    ) -> Iterator[AnswerValue]:
        """Answers without the later frames, or without the description."""
        assert isinstance(recipe.asked, PresenceAsked | DistanceAsked)
        described = scene.frame_index(recipe.reference.frame)
        later = scene.frame_index(recipe.asked.frame)
        target = scene.track_index(truth.target)
        assert described is not None and later is not None and target is not None
        if check is Check.ANCHOR:
            for person in people_there(scene, described).tolist():
                answer = self._answer(scene, recipe, person, later)
                if answer is not None:
                    yield answer
        elif isinstance(recipe.asked, DistanceAsked):
            yield round(float(scene.distance[described, target]), 1)
        elif truth.answer == LEFT:
            yield STILL_THERE
        elif not _same_place(scene, target, described, later):
            yield LEFT

    def stratum(self, recipe: Recipe, truth: Truth) -> str | None:
        """Yes or no, or the stretch that one guess covers in which the distance lies."""
        if isinstance(truth.answer, str):
            return truth.answer
        assert isinstance(truth.answer, float)
        place = class_of_number(recipe, truth.answer, 0.0)
        return f"{place:02d}" if truth.answer < FARTHEST else None

    def text(self, recipe: Recipe, rng: np.random.Generator) -> str:
        """The description, then the question."""
        assert isinstance(recipe.asked, PresenceAsked | DistanceAsked)
        reference = recipe.reference
        described = one_person(reference.frame, reference.actions, rng, reference.closest)
        asked = _PRESENCE if isinstance(recipe.asked, PresenceAsked) else _DISTANCE
        return f"{described} {pick(asked, rng).format(later=recipe.asked.frame)}"

    def fewest_classes(self, mode: AnswerMode) -> int:
        """Yes and no, and four distances."""
        return 2 if mode is AnswerMode.CHOICE else 4

    def block_sizes(self, mode: AnswerMode) -> tuple[int, ...]:
        """Presence in pairs, because what somebody does tells whether they are about to leave."""
        return (2,) if mode is AnswerMode.CHOICE else ()

    def feature_spread(self, mode: AnswerMode) -> float:
        """What somebody does may tell where they are."""
        return DISTANCE_SPREAD if mode is AnswerMode.NUMBER else 0.0

    def block_words(self, recipe: Recipe) -> tuple[str, ...]:
        """The description, and about when."""
        return (*description_words(recipe), *when(recipe))

    def features(self, recipe: Recipe) -> tuple[str, ...]:
        """The description, when, and how much later."""
        return features(recipe)

    def choice_text(self, recipe: Recipe, name: str) -> str:
        """Yes or no, in words."""
        return {STILL_THERE: "yes, still there", LEFT: "no, has left"}[name]

    def not_wrong(self, scene: Scene, recipe: Recipe, truth: Truth) -> frozenset[str]:
        """Of yes and no, one is wrong."""
        return frozenset()

    def _answer(self, scene: Scene, recipe: Recipe, person: int, later: int) -> AnswerValue | None:
        """What would be answered for a person at the later index; none where it is not sure."""
        if isinstance(recipe.asked, DistanceAsked):
            distance = float(scene.distance[later, person])
            return None if np.isnan(distance) else round(distance, 1)
        if not scene.present[later, person]:
            last = int(scene.frames[np.flatnonzero(scene.present[:, person])[-1]])
            return LEFT if int(scene.frames[later]) - last >= GONE_FRAMES else None
        around = slice(max(later - STABLE_FRAMES, 0), later + STABLE_FRAMES + 1)
        return STILL_THERE if bool(np.all(scene.clear[around, person])) else None

    def _counterpart(
        self, scene: Scene, reference: Reference, left: int, rng: np.random.Generator
    ) -> Recipe | None:
        """A question with the same words and about the same two times about somebody who stays.

        Later in a recording more people have left, so times must not tell either.
        """
        described = described_person(scene, Description(reference.actions, reference.closest))
        same = scene.frames // WHEN_STEP == reference.frame // WHEN_STEP
        frames = rng.permutation(np.flatnonzero(same & (described != NOBODY)))
        people = dict(zip(described[frames].tolist(), frames.tolist(), strict=True))
        laters = rng.permutation(np.flatnonzero(scene.frames // WHEN_STEP == left // WHEN_STEP))
        for person, frame in people.items():
            if not scene.shows_all(reference.actions)[frame, person]:
                continue
            start = int(scene.frames[frame])
            for later in laters.tolist():
                asked = PresenceAsked(int(scene.frames[later]))
                recipe = self._recipe(
                    scene,
                    AnswerMode.CHOICE,
                    Reference(start, reference.actions, (), reference.closest),
                    asked,
                )
                far = asked.frame - start >= FIRST_OFFSET
                stays = far and self._answer(scene, recipe, person, later) == STILL_THERE
                if stays and not _same_place(scene, person, frame, later):
                    return recipe
        return None

    def _recipe(
        self,
        scene: Scene,
        mode: AnswerMode,
        reference: Reference,
        asked: PresenceAsked | DistanceAsked,
    ) -> Recipe:
        return Recipe(self.family, mode, scene.sequence, reference, asked)


def _frame_without(
    scene: Scene, frame: int, person: int, window_frames: int, rng: np.random.Generator
) -> int | None:
    """A random frame id after a frame index, within a window, by which a person has left."""
    last = int(scene.frames[np.flatnonzero(scene.present[:, person])[-1]])
    start = int(scene.frames[frame])
    earliest = max(start + FIRST_OFFSET, last + GONE_FRAMES)
    found = scene.frames[(scene.frames >= earliest) & (scene.frames <= start + window_frames)]
    return int(rng.choice(found)) if len(found) else None


def _last_frames(scene: Scene, person: int) -> tuple[int, ...] | None:
    """The frame ids that show a person last, from shortly before they are clearly seen last.

    None where they cannot be seen clearly for long before their last label: it is not sure then
    when somebody who looks would say that they left.
    """
    labelled = np.flatnonzero(scene.present[:, person])
    clear = np.flatnonzero(scene.clear[:, person])
    if not len(clear):
        return None
    last, seen = int(scene.frames[labelled[-1]]), int(scene.frames[clear[-1]])
    if last - seen > UNCLEAR_FRAMES:
        return None
    inside = (scene.frames >= seen - GONE_FRAMES) & (scene.frames <= last)
    shown = inside & scene.boxed[:, person] & ~scene.hidden[:, person]
    return tuple(scene.frames[shown].tolist())


def _same_place(scene: Scene, person: int, first: int, second: int) -> bool:
    """Whether a person's box at one index is about the one at another."""
    boxes = scene.boxes[[first, second], person].copy()
    if np.any(np.isnan(boxes)):
        return False
    boxes[:, 0] %= scene.cylinder.width
    return bool(iou(boxes[0], boxes[1], scene.cylinder.width) >= SAME_PLACE_IOU)
