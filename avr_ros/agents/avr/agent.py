"""The graph agent, by deterministic search.

It reads the question, plans, looks at the frame in which somebody is described, writes what it sees
into the world model, finds the described person and who is reached from there, follows them through
time, and answers where the solver finds that the facts leave them as the only one meant.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.avr.action_evidence import shares
from avr_ros.agents.avr.boundary_finding import boundary, gap, span
from avr_ros.agents.avr.case import CannotAnswerError, Case, Finding, best_sighting
from avr_ros.agents.avr.chain import Reached
from avr_ros.agents.avr.check import SolverCheck
from avr_ros.agents.avr.model_policy import ModelPolicy
from avr_ros.agents.avr.next_action_finding import next_action
from avr_ros.agents.avr.person_search import NoSinglePersonError, PersonSearch
from avr_ros.agents.avr.planning import (
    DESCRIBED,
    CannotPlanError,
    Described,
    described,
    make_plan,
)
from avr_ros.agents.avr.scout import VISIBLE_ACTIONS, Scout
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting
from avr_ros.agents.avr.state_finding import (
    distance,
    look_beside,
    presence,
    state,
    state_again,
)
from avr_ros.agents.baselines.react import ReactAgent
from avr_ros.agents.baselines.settings import ReactSettings
from avr_ros.agents.toolbox import BudgetSpentError, Toolbox
from avr_ros.agents.tools import ObservationRefusedError, ToolFailedError
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.meaning import (
    BoundaryAsked,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    NotUnderstood,
    QuestionMeaning,
    SpanAsked,
)
from avr_ros.reasoning.stages.match_choice import match_choice_request
from avr_ros.reasoning.stages.read_choices import read_choices_request
from avr_ros.reasoning.stages.understand import understand_request
from avr_ros.schema.answer import Answer, ChoiceAnswer
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.prediction import Evidence, FailureKind, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.step import StepKind
from avr_ros.schema.vocabulary import AnswerMode
from avr_ros.world.plan import Plan

MODES: dict[str, tuple[AnswerMode, ...]] = {
    "frame": (AnswerMode.FRAME,),
    "span": (AnswerMode.SPAN,),
    "first_view": (AnswerMode.FRAME_VIEW,),
    "gap": (AnswerMode.NUMBER,),
    "distance": (AnswerMode.NUMBER,),
    "state": (AnswerMode.CHOICE,),
    "next_action": (AnswerMode.CHOICE,),
    "presence": (AnswerMode.CHOICE,),
}
"""The modes in which each kind of plan's answer can be given."""

EVENT_TOLERANCE = 8
"""Frames by which events may be off in the plan where the question states no tolerance."""

LEAST_SHARE = 0.6
"""Share of all choices' odds from which one of them is taken, though it was not seen plainly."""

SECOND_LOOKS = 2
"""Further looks at somebody who was seen doing none of the choices."""

EVIDENCE_LOOKS = 4
"""Most frames that are looked at for a picture that shows the person clearly."""


class NoChoiceError(CannotAnswerError):
    """None of the choices says what was found out: somebody or something was mistaken."""


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
        if not self._settings.world_model:
            return ReactAgent(ReactSettings(), self._model).answer(question, tools)
        toolbox = Toolbox(question, tools)
        try:
            prediction = self._search(question, toolbox)
        except (CannotAnswerError, CannotPlanError, NoSinglePersonError, BudgetSpentError) as error:
            prediction = Prediction(abstained=True, reason=str(error))
        except ObservationRefusedError as error:
            if error.status not in (ObserveStatus.BUDGET_EXHAUSTED, ObserveStatus.FRAME_NOT_LEGAL):
                raise
            prediction = Prediction(abstained=True, reason=str(error))
        summary = "abstained: " + prediction.reason if prediction.abstained else "answered"
        toolbox.conclude(prediction, summary)
        return prediction

    def _search(self, question: Question, toolbox: Toolbox) -> Prediction:
        frames = toolbox.times.frame_ids
        if len(frames) == 0:
            raise CannotAnswerError("no frame may be observed")
        meaning = self._understand(question, toolbox)
        chain = described(meaning.person, int(frames[0]))
        if chain.frame_id not in frames:
            raise CannotAnswerError(f"frame {chain.frame_id} may not be observed")
        plan = self._plan(question, meaning, chain, toolbox)
        scout = Scout(toolbox, self._settings, _named_actions(meaning, chain))
        if self._settings.policy == "model":
            return ModelPolicy(question, plan, chain, scout, toolbox, self._model).run()
        if not self._settings.active:
            scout.take_given(question.given_frames)
        search = PersonSearch(scout, toolbox, chain)
        check = SolverCheck(toolbox, scout, plan, chain)
        ways = search.find()
        try:
            return self._answer(question, meaning, plan, ways, check, scout, toolbox)
        except NoChoiceError:
            if plan.answer.kind != "state":
                raise
            anew = search.again()
            if anew and anew[0].path[-1] is not ways[0].path[-1]:
                return self._answer(question, meaning, plan, anew, check, scout, toolbox)
            return self._answer(question, meaning, plan, ways, check, scout, toolbox, insist=True)

    def _answer(
        self,
        question: Question,
        meaning: QuestionMeaning,
        plan: Plan,
        ways: Sequence[Reached],
        check: SolverCheck,
        scout: Scout,
        toolbox: Toolbox,
        insist: bool = False,
    ) -> Prediction:
        """Search for what is asked about the person found, and have it confirmed.

        With ``insist`` it is this person whatever they were seen doing: of the choices the one that
        looks speak for most is taken.
        """
        person = ways[0].path[-1]
        scout.watch(person)
        frames = toolbox.times.frame_ids
        frame = plan.moment(DESCRIBED).frame_id
        assert frame is not None
        case = Case(question, scout, person, frame, frames, self._settings)
        check.write_ways(ways)
        asked = meaning.asked
        if isinstance(asked, NextActionAsked):
            finding = next_action(case, _frame(plan), self._offered(question, toolbox))
        else:
            finding = _find(case, meaning, plan)
        evidence = _evidence(case, finding)
        answer = finding.answer
        if answer is None:
            answer, chosen = self._choose(case, plan, finding, toolbox, insist)
            evidence = evidence if chosen is finding else _evidence(case, chosen)
        if self._settings.solver_check:
            check.confirm(person)
        return Prediction(answer=answer, evidence=evidence)

    def _understand(self, question: Question, toolbox: Toolbox) -> QuestionMeaning:
        """What the question means."""
        request = understand_request(question.text, question.question_id)
        meaning = toolbox.ask(self._model, request).meaning
        if isinstance(meaning, NotUnderstood):
            words = f" ({', '.join(meaning.words)})" if meaning.words else ""
            raise CannotAnswerError(f"the question was not understood: {meaning.reason}{words}")
        return meaning

    def _plan(
        self, question: Question, meaning: QuestionMeaning, chain: Described, toolbox: Toolbox
    ) -> Plan:
        tolerance = EVENT_TOLERANCE
        if question.answer_mode in (AnswerMode.FRAME, AnswerMode.FRAME_VIEW):
            tolerance = int(question.tolerance or tolerance)
        with toolbox.think(StepKind.PLAN, "planned") as note:
            plan = make_plan(meaning, chain.frame_id, tolerance)
            note.details["plan"] = plan.model_dump(mode="json", exclude_defaults=True)
        if question.answer_mode not in MODES.get(plan.answer.kind, ()):
            raise CannotAnswerError(
                f"the question asks for {plan.answer.kind} with an answer of mode "
                f"{question.answer_mode.value}"
            )
        return plan

    def _choose(
        self, case: Case, plan: Plan, finding: Finding, toolbox: Toolbox, insist: bool
    ) -> tuple[Answer, Finding]:
        """The choice that was found out, and the finding that it rests on.

        Where none of them says what a person was seen doing, a look may have been mistaken, and
        the person is looked at again.
        """
        for left in range(SECOND_LOOKS, -1, -1):
            try:
                return self._matched(case.question, finding, toolbox), finding
            except NoChoiceError:
                if plan.answer.kind != "state":
                    raise
                if insist:
                    return self._likeliest(case, finding, toolbox), finding
                if not left or not case.scout.looks_left:
                    raise
            look_beside(case, finding.frames[0], left)
            finding = state_again(case, finding.frames[0])
        raise AssertionError("the last try returns or raises")

    def _likeliest(self, case: Case, finding: Finding, toolbox: Toolbox) -> Answer:
        """The choice that looks speak for most, if it has `LEAST_SHARE` of the odds of all."""
        offered = self._offered(case.question, toolbox)
        looks = case.person.looks_about(finding.frames[0])
        likely = shares(looks, offered)
        if max(likely.values(), default=0.0) < LEAST_SHARE:
            raise NoChoiceError("none of the choices says what the person was seen doing")
        return self._matched(case.question, replace(finding, actions=likely), toolbox)

    def _offered(self, question: Question, toolbox: Toolbox) -> frozenset[str]:
        """The actions that the choices name, of those that can be seen."""
        request = read_choices_request(
            question.text, question.choices, VISIBLE_ACTIONS, question.question_id
        )
        named = toolbox.ask(self._model, request).actions
        return frozenset(name for name in named if name in VISIBLE_ACTIONS)

    def _matched(self, question: Question, finding: Finding, toolbox: Toolbox) -> Answer:
        request = match_choice_request(
            question.text,
            question.choices,
            dict(finding.actions),
            finding.present,
            question.question_id,
        )
        try:
            return ChoiceAnswer(choice=toolbox.ask(self._model, request).choice)
        except ToolFailedError as error:
            if error.kind is not FailureKind.MODEL_REFUSED:
                raise
            raise NoChoiceError(str(error)) from error


def _named_actions(meaning: QuestionMeaning, chain: Described) -> tuple[str, ...]:
    """The actions whose absence matters to the question from the beginning."""
    asked = meaning.asked
    named = list(chain.anchor.actions)
    if isinstance(asked, BoundaryAsked | SpanAsked | FirstViewAsked):
        named.append(asked.action)
    elif isinstance(asked, GapAsked):
        named += [asked.first.action, asked.second.action]
    return tuple(dict.fromkeys(named))


def _find(case: Case, meaning: QuestionMeaning, plan: Plan) -> Finding:
    """What the question asks for, by the search that belongs to it."""
    asked = meaning.asked
    if isinstance(asked, BoundaryAsked | FirstViewAsked):
        return boundary(case, asked)
    if isinstance(asked, SpanAsked):
        return span(case, asked)
    if isinstance(asked, GapAsked):
        return gap(case, asked)
    frame = _frame(plan)
    if plan.answer.moment != DESCRIBED and frame not in case.frames:
        raise CannotAnswerError(f"frame {frame} may not be observed")
    return {"state": state, "presence": presence, "distance": distance}[plan.answer.kind](
        case, frame
    )


def _frame(plan: Plan) -> int:
    """The frame of the answer's moment, which must be one that the question names."""
    frame = plan.moment(plan.answer.moment).frame_id
    assert frame is not None
    return frame


def _evidence(case: Case, finding: Finding) -> Evidence:
    """The clearest sighting where the finding is shown.

    If none is clear, the frames around are looked at too: somebody may be hidden for a moment.
    """
    best = best_sighting(case.person.sightings, finding)
    for frame in _frames_to_try(case, finding):
        if (best is not None and best.clear) or case.scout.looks_left < 1:
            break
        case.follower.find(frame, None if best is None else 1)
        best = best_sighting(case.person.sightings, finding)
    if best is None:
        best = case.person.nearest_in_time(finding.frames[0])
    return _shown(best)


def _frames_to_try(case: Case, finding: Finding) -> list[int]:
    """Frames in which the person may be shown that have not been looked at, the best first."""
    if finding.span is None:
        wanted = [
            frame + shift
            for shift in sorted(range(-finding.reach, finding.reach + 1, 2), key=abs)
            for frame in finding.frames
        ]
    else:
        first, last = finding.span
        wanted = [first + (last - first) * share // 8 for share in (4, 1, 7, 2, 6)]
    looked = {item.frame_id for item in case.person.sightings}
    legal = set(case.frames.tolist())
    fresh = dict.fromkeys(frame for frame in wanted if frame in legal and frame not in looked)
    return list(fresh)[:EVIDENCE_LOOKS]


def _shown(sighting: Sighting) -> Evidence:
    return Evidence(
        observation_id=sighting.observation.observation_id,
        frame_id=sighting.frame_id,
        azimuth_deg=None if sighting.view_azimuth is None else math.degrees(sighting.view_azimuth),
        box=sighting.detection.box,
    )
