"""The tools as agents use them: each use is one step and counts against the question's limits."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.tools import (
    ObservationRefusedError,
    Panorama,
    SequenceTimes,
    ToolFailedError,
    View,
)
from avr_ros.reasoning.backend import ModelBackend, StageReply
from avr_ros.reasoning.call import CallOutcome, CallRecord, ModelCallError, record_of
from avr_ros.reasoning.stage import Reply, StageRequest
from avr_ros.schema.detection import Detection
from avr_ros.schema.errors import AvrError
from avr_ros.schema.fact import Fact, FactPattern, WriteOutcome
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.step import Step, StepKind


class BudgetSpentError(AvrError):
    """The question's observations or tool calls are used up; agents answer or abstain then."""


@dataclass
class StepNote:
    """What the step being made says of itself when it ends."""

    summary: str
    details: dict[str, Any] = field(default_factory=dict)
    observation_id: str = ""
    frame_id: int | None = None
    azimuth_deg: float | None = None


class Toolbox:
    """Wraps the tools of one episode.

    Views, writes and reads are tool calls (JRDB-AVR, section 4); looking for people in a view that
    is there already and thinking are not. One call is always kept for the answer.
    """

    def __init__(self, question: Question, tools: AgentTools) -> None:
        """Use ``tools`` within the limits of ``question``."""
        self._tools = tools
        self._calls_left = question.max_tool_calls
        self._steps = 0
        self._within: list[float] = []
        """Seconds of the steps made within each step that is open, the outermost first."""

    @property
    def times(self) -> SequenceTimes:
        """The frames that may be asked for."""
        return self._tools.observer.times

    @property
    def calls_left(self) -> int:
        """Tool calls that can still be made, the answer's included."""
        return self._calls_left

    @property
    def looks_left(self) -> int:
        """Views that can still be asked for, each with a write of what it shows."""
        return max(0, min(self._tools.observer.remaining, (self._calls_left - 2) // 2))

    @property
    def observations_left(self) -> int:
        """Views that can still be asked for by an agent that writes nothing."""
        return max(0, min(self._tools.observer.remaining, self._calls_left - 1))

    def observe(self, frame_id: int, azimuth: float, field_of_view: float = 0.0) -> View:
        """Ask for a view, see :meth:`avr_ros.agents.tools.Observer.observe`.

        Raises BudgetSpentError instead of asking when the limits are reached.
        """
        if self._tools.observer.remaining <= 0:
            raise BudgetSpentError("no observations are left in this episode: answer or abstain")
        self._spend()
        with self._step(StepKind.OBSERVE, "look") as note:
            note.frame_id = frame_id
            note.azimuth_deg = math.degrees(azimuth)
            try:
                view = self._tools.observer.observe(frame_id, azimuth, field_of_view)
            except ObservationRefusedError as error:
                note.summary = f"view refused: {error.status.name}"
                note.details["status"] = error.status.name
                raise
            seen = view.observation
            if field_of_view:
                note.details["field_of_view_deg"] = math.degrees(field_of_view)
            note.observation_id = seen.observation_id
            note.azimuth_deg = math.degrees(seen.azimuth)
            note.summary = f"looked at frame {seen.frame_id}, {note.azimuth_deg:.1f} deg"
        return view

    def given_frame(self, frame_id: int) -> Panorama:
        """A given panorama, which costs nothing."""
        with self._step(StepKind.GIVEN_FRAME, f"was given frame {frame_id}") as note:
            note.frame_id = frame_id
            panorama = self._tools.observer.given_frame(frame_id)
            note.observation_id = panorama.frame.observation_id
        return panorama

    def detect(self, view: View | Panorama) -> list[Detection]:
        """The people in a view or a given panorama."""
        with self._step(StepKind.PERCEIVE, "perceived") as note:
            shown = view.observation if isinstance(view, View) else view.frame
            note.observation_id = shown.observation_id
            note.frame_id = shown.frame_id
            if isinstance(view, View):
                note.azimuth_deg = math.degrees(view.observation.azimuth)
            found = self._tools.perceiver.detect(view)
            note.summary = f"saw {len(found)} people"
            note.details["people"] = len(found)
        return found

    def write(self, facts: Sequence[Fact]) -> WriteOutcome:
        """Write facts into the world model."""
        self._spend()
        with self._step(StepKind.WRITE_FACTS, "wrote facts") as note:
            outcome = self._tools.world_model.write(facts)
            note.summary = f"wrote {outcome.accepted} facts, {len(outcome.refused)} refused"
            note.details["accepted"] = outcome.accepted
            note.details["refused"] = [reason for _, reason in outcome.refused]
        return outcome

    def read(self, pattern: FactPattern) -> list[Fact]:
        """Read facts from the world model."""
        self._spend()
        with self._step(StepKind.READ_FACTS, "read facts") as note:
            facts = self._tools.world_model.read(pattern)
            wanted = " ".join(
                word for word in (pattern.subject, pattern.predicate, pattern.value) if word
            )
            note.summary = f"read {len(facts)} facts of {wanted or 'everything'}"
            note.details["facts"] = len(facts)
        return facts

    def ask(self, model: ModelBackend, request: StageRequest[Reply]) -> Reply:
        """Ask a model. Raises ToolFailedError of the call's kind where no usable reply comes."""
        with self._step(StepKind.MODEL_CALL, f"asked for {request.stage}") as note:
            try:
                reply = _asked(model, request)
            except ModelCallError as error:
                note.details.update(_call_details(error.record))
                note.summary = f"no {request.stage}: {error.record.outcome.value}"
                raise ToolFailedError(error.kind, str(error)) from error
            note.details.update(_call_details(reply.record))
        return reply.value

    @contextmanager
    def think(self, kind: StepKind, summary: str) -> Iterator[StepNote]:
        """Record a step that uses no tool, such as planning, solving or the answer."""
        with self._step(kind, summary) as note:
            yield note

    def conclude(self, prediction: Prediction, summary: str, **details: object) -> None:
        """Record the answer, or that there is none, with whatever else belongs to it."""
        with self.think(StepKind.ANSWER, summary) as note:
            note.details["prediction"] = prediction.model_dump(mode="json", exclude_none=True)
            note.details.update(details)

    def _spend(self) -> None:
        if self._calls_left <= 1:
            raise BudgetSpentError("no tool calls are left for this question: answer or abstain")
        self._calls_left -= 1

    @contextmanager
    def _step(self, kind: StepKind, summary: str) -> Iterator[StepNote]:
        note = StepNote(summary)
        started = time.perf_counter()
        self._within.append(0.0)
        try:
            try:
                yield note
            finally:
                whole = time.perf_counter() - started
                # What a model's eyes take is their own step's time and must not count twice.
                seconds = max(0.0, whole - self._within.pop())
                if self._within:
                    self._within[-1] += whole
        except (ObservationRefusedError, ToolFailedError):
            self._record(kind, note, seconds)
            raise
        self._record(kind, note, seconds)

    def _record(self, kind: StepKind, note: StepNote, seconds: float) -> None:
        self._steps += 1
        self._tools.record_step(
            Step(
                episode_id=self._tools.episode_id,
                number=self._steps,
                kind=kind,
                summary=note.summary,
                observation_id=note.observation_id,
                frame_id=note.frame_id,
                azimuth_deg=note.azimuth_deg,
                details=note.details,
                seconds=seconds,
            )
        )


def _asked(model: ModelBackend, request: StageRequest[Reply]) -> StageReply[Reply]:
    """Ask; a failure of the eyes that a picture came with becomes a recorded end of the call."""
    try:
        return model.ask(request)
    except ToolFailedError as error:
        record = record_of(
            request,
            backend=model.name,
            outcome=CallOutcome.PERCEPTION_FAILED,
            problem=str(error),
            attempts=1,
        )
        raise ModelCallError(record) from error


def _call_details(record: CallRecord) -> dict[str, Any]:
    """A call as a step's details; its time is the step's."""
    return record.model_dump(mode="json", exclude={"seconds"})
