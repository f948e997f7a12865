"""The graph agent, by deterministic search.

It sweeps the frame in which somebody is described, writes what it sees into the world model, finds
the described person there, follows them through time, and narrows down the boundary that is asked
for. It answers questions of the family action_boundary and abstains from others, saying so.
"""

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.avr.anchor import AnchorSearch, NoSinglePersonError
from avr_ros.agents.avr.boundary import BoundarySearch
from avr_ros.agents.avr.boundary_answer import answer_boundary
from avr_ros.agents.avr.follow import Follower
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.toolbox import BudgetSpentError, Toolbox
from avr_ros.agents.tools import ObservationRefusedError
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.meaning import (
    BoundaryAsked,
    NotUnderstood,
    QuestionMeaning,
    SpanAsked,
    TimeRelation,
)
from avr_ros.reasoning.stages.understand import understand_request
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.step import StepKind
from avr_ros.schema.vocabulary import AnswerMode

WHAT_IS_ANSWERED = "this version answers when an action starts or stops, or the span of it"

SPAN_TOLERANCE = 3
"""Frames by which either end of a span may be off before the search goes on."""


class CannotAnswerError(Exception):
    """The agent abstains; the text says why."""


class AvrAgent:
    """Answers by looking, remembering and deducing. Thread-safe: it keeps nothing."""

    def __init__(
        self, settings: AvrSettings | None = None, model: ModelBackend | None = None
    ) -> None:
        """Search as ``settings`` say; ``model`` reads the questions, by default the grammar."""
        self._settings = settings or AvrSettings()
        self._model = model or LocalBackend()

    def answer(self, question: Question, tools: AgentTools) -> Prediction:
        """Answer, or abstain with the reason; see :class:`avr_ros.agents.agent.Agent`."""
        toolbox = Toolbox(question, tools)
        try:
            prediction = self._search(question, toolbox)
        except CannotAnswerError as error:
            prediction = Prediction(abstained=True, reason=str(error))
        except BudgetSpentError as error:
            prediction = Prediction(abstained=True, reason=str(error))
        except ObservationRefusedError as error:
            if error.status not in (ObserveStatus.BUDGET_EXHAUSTED, ObserveStatus.FRAME_NOT_LEGAL):
                raise
            prediction = Prediction(abstained=True, reason=str(error))
        summary = "abstained: " + prediction.reason if prediction.abstained else "answered"
        with toolbox.think(StepKind.ANSWER, summary) as note:
            note.details["prediction"] = prediction.model_dump(mode="json", exclude_none=True)
        return prediction

    def _search(self, question: Question, toolbox: Toolbox) -> Prediction:
        settings = self._settings
        meaning = self._understand(question, toolbox)
        asked = _asked(meaning, question)
        described = self._described_frame(meaning, toolbox)
        scout = Scout(toolbox, settings, (asked.action,))
        try:
            person = AnchorSearch(scout, toolbox, described).find(meaning.person)
        except NoSinglePersonError as error:
            raise CannotAnswerError(str(error)) from error
        told = [scout.does(sighting, asked.action) for sighting in person.at(described)]
        known = [state for state in told if state is not None]
        if not known:
            raise CannotAnswerError("the described person's actions could not be told")
        follower = Follower(scout, person, toolbox.times, settings)
        search = BoundarySearch(
            scout,
            follower,
            toolbox.times.frame_ids,
            asked.action,
            tolerance=SPAN_TOLERANCE if question.tolerance is None else int(question.tolerance),
            dwell=settings.span_dwell_frames
            if isinstance(asked, SpanAsked)
            else settings.dwell_frames,
            settings=settings,
        )
        return answer_boundary(
            search, follower, asked, described, doing=2 * sum(known) > len(known)
        )

    def _understand(self, question: Question, toolbox: Toolbox) -> QuestionMeaning:
        """What the question means."""
        request = understand_request(question.text, question.question_id)
        meaning = toolbox.ask(self._model, request).meaning
        with toolbox.think(StepKind.PLAN, "read the question") as note:
            note.details["meaning"] = meaning.model_dump(mode="json", exclude_defaults=True)
        if isinstance(meaning, NotUnderstood):
            words = f" ({', '.join(meaning.words)})" if meaning.words else ""
            raise CannotAnswerError(
                f"{WHAT_IS_ANSWERED}; the question was not understood: {meaning.reason}{words}"
            )
        return meaning

    def _described_frame(self, meaning: QuestionMeaning, toolbox: Toolbox) -> int:
        """The frame in which the person is described; the first legal one if none is named."""
        frames = toolbox.times.frame_ids
        if len(frames) == 0:
            raise CannotAnswerError("no frame may be observed")
        time = meaning.person.time
        if time is None:
            return int(frames[0])
        if time.frame_id is None or time.relation is not TimeRelation.AT or time.shift_seconds:
            raise CannotAnswerError("this version knows people described at a given frame only")
        if time.frame_id not in frames:
            raise CannotAnswerError(f"frame {time.frame_id} may not be observed")
        return time.frame_id


def _asked(meaning: QuestionMeaning, question: Question) -> BoundaryAsked | SpanAsked:
    """What is asked, if it is a boundary or span and fits the answer's mode."""
    asked = meaning.asked
    mode = question.answer_mode
    if not (
        (isinstance(asked, BoundaryAsked) and mode is AnswerMode.FRAME)
        or (isinstance(asked, SpanAsked) and mode is AnswerMode.SPAN)
    ):
        raise CannotAnswerError(
            f"{WHAT_IS_ANSWERED}; the question asks for {asked.kind} with an answer of mode "
            f"{mode.value}"
        )
    near = asked.near
    if near is not None and (near.relation is not TimeRelation.AFTER or near.event is not None):
        raise CannotAnswerError(f"{WHAT_IS_ANSWERED}, after a frame only")
    return asked
