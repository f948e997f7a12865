"""A recording as an environment: one atomic action, LOOK, is one observation."""

import math
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.agents.environments.actions import ActionName, AtomicAction
from avr_ros.agents.environments.environment import ActionResult, Shot, Target
from avr_ros.agents.environments.recording_intents import RecordingLimits
from avr_ros.agents.refused_view import NO_SUCH_VIEW
from avr_ros.agents.stage_image import stage_image
from avr_ros.agents.toolbox import BudgetSpentError, Toolbox
from avr_ros.agents.tools import ObservationRefusedError, View
from avr_ros.geometry import boxes
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW, FIELD_OF_VIEW_TOLERANCE
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.reasoning.picture_boxes import to_panorama
from avr_ros.reasoning.view_caption import view_caption
from avr_ros.schema.box import Box
from avr_ros.schema.detection import Detection
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.question import Question

LIKENESS: Final[float] = 0.5
"""Least likeness of one person's two appearances while being followed."""

SLACK: Final[float] = math.radians(35.0)
"""Angle by which the direction of somebody followed may change between two views, radians."""

MOST_TURN: Final[float] = math.radians(20.0)
"""Largest turn in radians that is expected to go on at the next step."""

MARKED_IOU: Final[float] = 0.3
"""Least overlap of a box that a model drew with the person it means."""

ADVICE: Final = (
    "Whoever a question describes may be in any direction: look all around a frame before you "
    "conclude that nobody fits, and in other frames for somebody who is hidden. When something "
    "changes is found between a view before and a view after it: narrow the frames between them "
    "down, and see who is who in both."
)
"""Advice for looking around recordings, as ESI-Bench's tasks give it to every agent alike."""

_NOT_EXECUTED: Final = NO_SUCH_VIEW | {ObserveStatus.BUDGET_EXHAUSTED}


class RecordingEnvironment:
    """The episode of one question on a recording.

    Views that were taken are kept by name, so that evidence leads back to their observations.
    """

    def __init__(self, question: Question, toolbox: Toolbox) -> None:
        """Look with ``toolbox``, within its limits."""
        self._toolbox = toolbox
        self._views: dict[str, View] = {}
        self._shots: list[Shot] = []
        self._limits = RecordingLimits(toolbox.times.frame_ids, _fields_of_view(question))

    @property
    def description(self) -> str:
        """What the environment is, and how it is looked around."""
        frames = self._toolbox.times.frame_ids
        span = f"{frames[0]} to {frames[-1]}" if len(frames) else "none"
        return (
            "A recording of a mobile robot among people. A view is one frame seen in one "
            f"direction, {math.degrees(DEFAULT_FIELD_OF_VIEW):.0f} deg wide; azimuth 0 is straight "
            f"ahead of the robot, positive to the left. Frames: {span}. Each view costs one step. "
            f"{ADVICE}"
        )

    @property
    def actions(self) -> frozenset[ActionName]:
        """LOOK."""
        return frozenset({ActionName.LOOK})

    @property
    def remaining(self) -> int:
        """Observations that can still be asked for."""
        return self._toolbox.observations_left

    @property
    def limits(self) -> RecordingLimits:
        """What may be asked for."""
        return self._limits

    @property
    def shots(self) -> tuple[Shot, ...]:
        """Every view so far, in order."""
        return tuple(self._shots)

    def view(self, name: str) -> View | None:
        """The view of a shot's name, none for a name that no shot has."""
        return self._views.get(name)

    def execute(self, action: AtomicAction) -> ActionResult:
        """Look once. A refused request shows nothing, costs nothing and says why."""
        if action.name is not ActionName.LOOK or action.frame_id is None or action.azimuth is None:
            raise ValueError(f"a recording cannot {action.name.value}")
        try:
            view = self._toolbox.observe(action.frame_id, action.azimuth, action.field_of_view)
        except BudgetSpentError:
            exhausted = ObserveStatus.BUDGET_EXHAUSTED.name.lower()
            return ActionResult(False, exhausted, None, charged=False)
        except ObservationRefusedError as error:
            if error.status not in _NOT_EXECUTED:
                raise
            return ActionResult(False, error.status.name.lower(), None, charged=False)
        seen = view.observation
        name = f"view {len(self._shots) + 1}"
        shot = Shot(
            name=name,
            caption=view_caption(
                seen.frame_id,
                seen.stamp_ns,
                seen.azimuth,
                float(self._toolbox.times.stamps_us[0]),
                action.field_of_view,
            ),
            image=stage_image(view, self._toolbox, name),
            observation_id=seen.observation_id,
            frame_id=seen.frame_id,
            azimuth=seen.azimuth,
            field_of_view=action.field_of_view,
        )
        self._views[name] = view
        self._shots.append(shot)
        return ActionResult(True, "", shot)

    def locate(self, shot: Shot, target: Target) -> Target | None:
        """The person that a box marks, or that looks like the one followed so far.

        Somebody who is followed must look alike and be about where they were last seen.
        """
        detect = shot.image.detect
        people = [] if detect is None else list(detect())
        if target.shot == shot.name and target.box is not None:
            found = self._marked(shot, target.box, people)
        else:
            found = _alike(target, people)
        if found is None:
            return None
        bearing = _bearing(found)
        turn = 0.0
        if target.bearing is not None:
            turn = math.remainder(bearing - target.bearing, 2 * math.pi)
        return replace(
            target,
            shot=shot.name,
            box=None,
            bearing=bearing,
            turn=min(max(turn, -MOST_TURN), MOST_TURN),
            appearance=_blend(target.appearance, found.appearance),
        )

    def _marked(self, shot: Shot, box: Box, people: list[Detection]) -> Detection | None:
        view = self._views.get(shot.name)
        if view is None or not people:
            return None
        crop = view.observation.crop
        marked = to_panorama(box, crop)
        if marked is None:
            return None
        overlaps = [float(boxes.iou(marked, item.box, crop.panorama_width)) for item in people]
        best = int(np.argmax(overlaps))
        return people[best] if overlaps[best] >= MARKED_IOU else None


def first_look(question: Question, environment: RecordingEnvironment) -> AtomicAction | None:
    """The first view: frame and azimuth that the question names, else the first legal frame ahead.

    None where no frame may be observed.
    """
    if question.start_view is not None:
        return AtomicAction(
            ActionName.LOOK,
            frame_id=question.start_view.frame_id,
            azimuth=math.radians(question.start_view.azimuth_deg),
        )
    frames = environment.limits.frames
    if len(frames) == 0:
        return None
    return AtomicAction(ActionName.LOOK, frame_id=int(frames[0]), azimuth=0.0)


def _fields_of_view(question: Question) -> tuple[float, ...]:
    """Allowed fields of view in radians, widest first; 0 stands for the default one."""
    widths = sorted((math.radians(value) for value in question.fields_of_view_deg), reverse=True)
    default = DEFAULT_FIELD_OF_VIEW - FIELD_OF_VIEW_TOLERANCE
    narrower = tuple(width for width in widths if width < default)
    return (0.0, *narrower) if len(narrower) < len(widths) else narrower


def _alike(target: Target, people: list[Detection]) -> Detection | None:
    """The most alike of those who are near enough to where the target was."""
    if target.appearance is None or target.bearing is None:
        return None
    found: Detection | None = None
    best = LIKENESS
    for item in people:
        expected = target.bearing + target.turn
        turned = abs(math.remainder(_bearing(item) - expected, 2 * math.pi))
        likeness = float(np.dot(target.appearance, item.appearance))
        if turned <= SLACK and likeness >= best:
            found, best = item, likeness
    return found


def _bearing(person: Detection) -> float:
    """Direction of a person's box, radians."""
    return float(boxes.centre_azimuth(person.box, JRDB_CYLINDER))


def _blend(
    known: npt.NDArray[np.float64] | None, seen: npt.NDArray[np.float32]
) -> npt.NDArray[np.float64]:
    """The mean of what was known of an appearance and what is seen now, a unit vector."""
    total = seen.astype(np.float64) + (0.0 if known is None else known)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length > 0.0 else total)
