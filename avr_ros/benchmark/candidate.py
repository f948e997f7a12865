"""A candidate that passed every check, with all that its question and key need of the scene."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from avr_ros.benchmark.families.family import QuestionFamily
from avr_ros.benchmark.recipe import (
    DistanceAsked,
    GapAsked,
    PresenceAsked,
    Recipe,
    StateAsked,
    Truth,
)
from avr_ros.benchmark.scene import FloatArray, Scene
from avr_ros.geometry.boxes import centre_azimuth, intersection
from avr_ros.schema.answer_key import EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.question import FrameSpan
from avr_ros.schema.vocabulary import AnswerMode

GIVEN_FRAMES = 8
"""Number of panoramas, evenly spread over what may be observed, that passive agents are given."""

SAME_TIME_FRAMES = 15
"""Frames of one person that count as one occasion."""


@dataclass(frozen=True)
class Candidate:
    """A valid question before selection.

    ``stratum`` is its class of answers; ``features`` are what its text gives away, such as the
    described action, against which answers are balanced; ``words`` are those of them that all
    questions of a block share; ``azimuth_deg`` is the direction of the
    person's box where the answer is a view; ``not_wrong`` are the strata that are no distractors.
    """

    family: QuestionFamily
    recipe: Recipe
    truth: Truth
    stratum: str
    features: tuple[str, ...]
    words: tuple[str, ...]
    not_wrong: frozenset[str]
    evidence: tuple[EvidenceFrame, ...]
    legal_frames: tuple[FrameSpan, ...]
    given_frames: tuple[int, ...]
    azimuth_deg: float | None

    @cached_property
    def same_event(self) -> tuple[object, ...]:
        """What two questions share that ask for the same thing of the same person.

        Frames less than about a second apart count as the same time. Two events that happen
        at once, as somebody stops standing and starts walking, are the same time between events.
        """
        recipe, truth = self.recipe, self.truth
        kinds = StateAsked | PresenceAsked | DistanceAsked | GapAsked
        asked = type(recipe.asked) if isinstance(recipe.asked, kinds) else recipe.asked
        time = truth.evidence[0] // SAME_TIME_FRAMES
        question = (recipe.family, recipe.mode, asked, truth.answer)
        return (recipe.sequence, truth.target, *question, time)


def finish(
    family: QuestionFamily, recipe: Recipe, truth: Truth, stratum: str, scene: Scene
) -> Candidate:
    """A valid question with everything that it needs of the scene."""
    azimuth_deg = None
    if recipe.mode is AnswerMode.FRAME_VIEW:
        assert isinstance(truth.answer, int)
        frame, person = scene.frame_index(truth.answer), scene.track_index(truth.target)
        assert frame is not None and person is not None
        azimuth = centre_azimuth(scene.boxes[frame, person], scene.cylinder)
        azimuth_deg = round(math.degrees(float(azimuth)), 4)
    return Candidate(
        family=family,
        recipe=recipe,
        truth=truth,
        stratum=stratum,
        features=family.features(recipe),
        words=family.block_words(recipe),
        not_wrong=family.not_wrong(scene, recipe, truth),
        evidence=evidence_frames(scene, truth),
        legal_frames=legal_frames(scene, recipe.window),
        given_frames=given_frames(scene, recipe.window),
        azimuth_deg=azimuth_deg,
    )


def evidence_frames(scene: Scene, truth: Truth) -> tuple[EvidenceFrame, ...]:
    """The key's evidence: the target's boxes, and those of the people who overlap it."""
    person = scene.track_index(truth.target)
    assert person is not None
    frames = np.searchsorted(scene.frames, truth.evidence)
    boxes = np.nan_to_num(scene.boxes[frames])
    own = boxes[:, person]
    overlaps = np.asarray(intersection(own[:, None], boxes, scene.cylinder.width)) > 0.0
    overlaps[:, person] = False
    return tuple(
        EvidenceFrame(
            frame_id=frame_id,
            box=_box(own[index]),
            others=tuple(_box(box) for box in boxes[index, overlaps[index]]),
        )
        for index, frame_id in enumerate(truth.evidence)
    )


def given_frames(scene: Scene, window: tuple[int, int] | None) -> tuple[int, ...]:
    """Frame ids of the given panoramas."""
    frames = _observable(scene, window)
    places = np.linspace(0, len(frames) - 1, GIVEN_FRAMES).round().astype(int)
    return tuple(int(frames[place]) for place in dict.fromkeys(places.tolist()))


def legal_frames(scene: Scene, window: tuple[int, int] | None) -> tuple[FrameSpan, ...]:
    """What may be observed: nothing said for a whole sequence, else the window's frames.

    Frames without an image interrupt a span.
    """
    if window is None:
        return ()
    frames = _observable(scene, window)
    breaks = np.flatnonzero(np.diff(frames) > 1)
    firsts = frames[[0, *(breaks + 1).tolist()]]
    lasts = frames[[*breaks.tolist(), len(frames) - 1]]
    return tuple(
        FrameSpan(first=int(first), last=int(last))
        for first, last in zip(firsts, lasts, strict=True)
    )


def _observable(scene: Scene, window: tuple[int, int] | None) -> NDArray[np.int64]:
    frames = scene.recorded
    if window is None:
        return frames
    return frames[(frames >= window[0]) & (frames <= window[1])]


def _box(values: FloatArray) -> Box:
    return Box(*(round(float(value), 3) for value in values))
