"""Answers again over a finished run: the same views, another answering memory (EviSeek, 5.4).

The recorded views are asked for again, in their order, so that the new run has its own ledger and
its evidence is scored like any other; then the one answering call is made. Acquisition is as it
was, so that two memories are compared on equal trajectories.
"""

import math
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.answer_prediction import prediction_of
from avr_ros.agents.environments.actions import ActionName, AtomicAction
from avr_ros.agents.environments.environment import Shot
from avr_ros.agents.environments.recording import RecordingEnvironment
from avr_ros.agents.eviseek.answering import Trajectory, answer_call
from avr_ros.agents.eviseek.board import BoardItem
from avr_ros.agents.eviseek.recorded import RecordedEpisode, read_episodes
from avr_ros.agents.toolbox import Toolbox
from avr_ros.agents.tools import ToolFailedError
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.schema.model import Record
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.step import StepKind


class ReanswerSettings(Record):
    """Which run is answered again, and from what."""

    run: str = Field(
        default="", validate_default=True, description="run folder whose trajectories are used"
    )
    memory: Literal["board", "recent", "uniform"] = Field(
        default="board",
        description="board: its evidence boards; recent: all text and the latest six views; "
        "uniform: frames sampled evenly over the trajectory",
    )
    capacity: int = Field(default=20, ge=1, le=200, description="most frames sampled")

    @field_validator("run")
    @classmethod
    def _named(cls, value: str) -> str:
        """Without a run there is nothing to answer, whatever the question.

        Its path is recorded whole, since it is read from other folders too.
        """
        if not value:
            raise ValueError("agent reanswer needs a run; give --set run=FOLDER")
        return str(Path(value).absolute())


class ReanswerAgent:
    """Replays a run's views and answers from one of three memories. Thread-safe."""

    def __init__(self, settings: ReanswerSettings, model: ModelBackend) -> None:
        """``model`` answers. Raises RecordedRunError for a run that cannot be read."""
        self._settings = settings
        self._model = model
        self._episodes = read_episodes(Path(settings.run))

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Replay and answer. Raises ToolFailedError where the run has no such episode."""
        recorded = self._recorded(question)
        toolbox = Toolbox(question, tools)
        environment = RecordingEnvironment(question, toolbox)
        shots = _replay(recorded, environment)
        trajectory = Trajectory(
            recorded.demands,
            tuple(_item(entry, shots) for entry in recorded.board),
            tuple(shots.values()),
            recorded.history,
        )
        request = answer_call(question, trajectory, self._settings.memory, self._settings.capacity)
        prediction = prediction_of(toolbox.ask(self._model, request), environment)
        observations = {shot.name: shot.observation_id for shot in shots.values()}
        with toolbox.think(StepKind.ANSWER, f"answered from {self._settings.memory}") as note:
            note.details.update(
                {
                    "demands": list(recorded.demands),
                    "board": [item.details() for item in trajectory.items],
                    "history": list(recorded.history),
                    "prediction": prediction.model_dump(mode="json", exclude_none=True),
                    "answer_views": [observations[image.name] for image in request.images],
                }
            )
        return prediction

    def _recorded(self, question: Question) -> RecordedEpisode:
        found = self._episodes.get(question.question_id)
        if found is None or not found.looks:
            raise ToolFailedError(
                FailureKind.AGENT_ERROR, f"{self._settings.run} holds no views of this question"
            )
        if self._settings.memory == "board" and not found.has_board:
            raise ToolFailedError(
                FailureKind.AGENT_ERROR, f"{self._settings.run} recorded no evidence boards"
            )
        return found


def _replay(recorded: RecordedEpisode, environment: RecordingEnvironment) -> dict[str, Shot]:
    """Take the recorded views again; by the observation ids that they had."""
    shots: dict[str, Shot] = {}
    for look in recorded.looks:
        action = AtomicAction(
            ActionName.LOOK,
            frame_id=look.frame_id,
            azimuth=math.radians(look.azimuth_deg),
            field_of_view=math.radians(look.field_of_view_deg),
        )
        result = environment.execute(action)
        if result.shot is None:
            raise ToolFailedError(
                FailureKind.OBSERVATION_FAILED,
                f"view {look.observation_id} of the recorded run is refused: {result.feedback}",
            )
        shots[look.observation_id] = result.shot
    return shots


def _item(entry: dict[str, object], shots: dict[str, Shot]) -> BoardItem:
    """A recorded board item on its view. Raises ToolFailedError for one without a granted view."""
    shot = shots.get(str(entry.get("observation_id")))
    if shot is None:
        raise ToolFailedError(
            FailureKind.AGENT_ERROR, f"board item {entry.get('view')!r} leads to no granted view"
        )
    demand, subtask = entry.get("demand"), entry.get("subtask")
    return BoardItem(
        shot=shot,
        note=str(entry.get("note", "")),
        outcome=str(entry.get("outcome", "")),
        intent=str(entry.get("intent", "")),
        subtask=subtask if isinstance(subtask, int) else 0,
        demand=demand if isinstance(demand, int) else None,
    )
