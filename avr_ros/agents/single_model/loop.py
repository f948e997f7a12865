"""The single-model perception and action loop, in any environment (EviSeek, appendix D).

The order is ESI-Bench's: ask; decide whether to stop before anything is executed; else execute and
write the step into the textual history. There are as many decisions as the budget has actions, and
one more that can only stop, so that every action of the budget can be executed (the official loop
with 30 steps executes 29).
"""

from dataclasses import dataclass, field
from typing import Final

from avr_ros.agents.environments.actions import (
    MANIPULATION,
    ActionName,
    AtomicAction,
    action_text,
)
from avr_ros.agents.environments.environment import Environment, Shot
from avr_ros.agents.environments.feedback import truncated
from avr_ros.agents.environments.intent import Intent, IntentError, IntentName, IntentSet
from avr_ros.agents.single_model.settings import SingleModelSettings
from avr_ros.agents.toolbox import Toolbox
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.stages.answer_from_history import HistoryInputs, history_request
from avr_ros.reasoning.stages.answer_reply import AnswerReply
from avr_ros.reasoning.stages.contract import OfferedAction, ShownView, contract_of
from avr_ros.reasoning.stages.single_step import (
    STOP,
    SingleStepInputs,
    SingleStepReply,
    single_step_request,
)
from avr_ros.schema.question import Question

NOT_SURE: Final = "not sure"

LONGEST_REASONING: Final = 4000
"""Characters of a step's reasoning that are kept in the history."""

_LOOK = OfferedAction(
    name=ActionName.LOOK.value,
    description=(
        "one view: frame_id and bearing_deg (0 ahead, left positive), each the current one if null"
    ),
)


@dataclass
class SingleModelEpisode:
    """What came of an episode; ``stopped_by`` is threshold, stop, budget, each with or without
    ``_forced_choice``. ``attached`` are the views of the call that gave the answer."""

    answer: AnswerReply
    stopped_by: str
    attached: tuple[str, ...]
    shots: list[Shot] = field(default_factory=list)
    history: list[str] = field(default_factory=list)


class SingleModelLoop:
    """One episode."""

    def __init__(
        self,
        question: Question,
        environment: Environment,
        actions: IntentSet,
        toolbox: Toolbox,
        model: ModelBackend,
        settings: SingleModelSettings,
    ) -> None:
        """``actions`` holds the intent ATOMIC of the environment, which checks single actions."""
        self._question = question
        self._environment = environment
        self._actions = actions
        self._toolbox = toolbox
        self._model = model
        self._settings = settings
        self._contract = contract_of(question)
        self._shots: list[Shot] = []
        self._history: list[str] = []
        self._answers: list[tuple[AnswerReply, tuple[str, ...]]] = []

    def run(self, first: Shot) -> SingleModelEpisode:
        """Act until confident, stopped or out of budget, then answer. Raises ToolFailedError."""
        self._shots.append(first)
        most = self._environment.remaining + 1
        stopped_by = "budget"
        for step in range(1, most + 1):
            attached, reply = self._ask(step, most)
            if reply.answer is not None and reply.answer.answer is not None:
                self._answers.append((reply.answer, attached))
            if self._confident(reply, step):
                stopped_by = "threshold"
                break
            if self._environment.remaining <= 0:
                break
            if reply.action == STOP:
                stopped_by = "stop"
                break
            self._execute(step, reply)
        return self._finish(stopped_by)

    def _ask(self, step: int, most: int) -> tuple[tuple[str, ...], SingleStepReply]:
        shown = self._shots[-(self._settings.previous_views + 1) :]
        inputs = SingleStepInputs(
            question=self._question.text,
            contract=self._contract,
            environment=self._environment.description,
            history=tuple(self._history),
            views=tuple(_shown(shot) for shot in shown),
            current=shown[-1].name,
            actions=_offered(self._environment),
            step=step,
            most_steps=most,
            min_steps=self._settings.min_steps,
            threshold=self._settings.threshold,
        )
        request = single_step_request(
            inputs, tuple(shot.image for shot in shown), self._question.question_id
        )
        return tuple(shot.name for shot in shown), self._toolbox.ask(self._model, request)

    def _confident(self, reply: SingleStepReply, step: int) -> bool:
        """The threshold is reached, late enough, with a conclusive answer."""
        return (
            reply.confidence >= self._settings.threshold
            and step >= self._settings.min_steps
            and reply.answer is not None
            and reply.answer.answer is not None
        )

    def _execute(self, step: int, reply: SingleStepReply) -> None:
        """Do one action; one that cannot be done uses the step up and says why."""
        name = ActionName(reply.action)
        intent = Intent(
            name=IntentName.ATOMIC,
            action=None if name is ActionName.LOOK else name,
            frame_id=reply.frame_id,
            bearing_deg=reply.bearing_deg,
            objects=reply.objects,
        )
        action: AtomicAction | None = None
        try:
            action = self._actions.kinds[IntentName.ATOMIC].compile(intent, self._shots[-1])[0]
            result = self._environment.execute(action)
        except IntentError as error:
            text = f"not executed: {error}"
        else:
            text = truncated(result.feedback) or ("done" if result.success else "failed")
            if result.shot is not None:
                self._shots.append(result.shot)
        answer = None if reply.answer is None else reply.answer.answer
        given = NOT_SURE if answer is None else answer.model_dump_json(exclude={"mode"})
        done = reply.action if action is None else action_text(action)
        self._history.append(
            f"Step {step}: action={done} answer={given} conf={reply.confidence:g} result={text} "
            f"reasoning={truncated(reply.reasoning, LONGEST_REASONING)}"
        )

    def _finish(self, stopped_by: str) -> SingleModelEpisode:
        """The last conclusive answer; without one a forced choice, which is one more call."""
        if self._answers:
            answer, attached = self._answers[-1]
        else:
            shown = self._shots[-(self._settings.previous_views + 1) :]
            inputs = HistoryInputs(
                question=self._question.text,
                contract=self._contract,
                history=tuple(self._history),
                views=tuple(_shown(shot) for shot in shown),
            )
            images = tuple(shot.image for shot in shown)
            answer = self._toolbox.ask(
                self._model, history_request(inputs, images, self._question.question_id)
            )
            attached = tuple(shot.name for shot in shown)
            stopped_by += "_forced_choice"
        return SingleModelEpisode(answer, stopped_by, attached, self._shots, self._history)


def _offered(environment: Environment) -> tuple[OfferedAction, ...]:
    """The environment's atomic actions, none where the budget is used up."""
    if environment.remaining <= 0:
        return ()
    return tuple(
        _LOOK
        if name is ActionName.LOOK
        else OfferedAction(name=name.value, description=_description(name))
        for name in sorted(environment.actions, key=list(ActionName).index)
    )


def _description(name: ActionName) -> str:
    count = MANIPULATION.get(name, 0)
    return f"{count} objects" if count else "one step"


def _shown(shot: Shot) -> ShownView:
    return ShownView(name=shot.name, caption=shot.caption)
