"""No server and no network: a grammar for texts, the episode's perception for pictures.

It is a stand-in for development, not a language model. It is told the stage and its inputs, never
which agent asks; what it cannot parse or see ends as a refused call, never as an invented answer.
"""

import time
from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ValidationError

from avr_ros.reasoning.backend import StageReply
from avr_ros.reasoning.call import CallOutcome, ModelCallError, record_of
from avr_ros.reasoning.local.answer import CannotAnswerError, LocalAnswer
from avr_ros.reasoning.local.answers import (
    acquisition_plan,
    act,
    coverage,
    curate,
    demands,
    judge_match,
    judge_support,
    match_choice,
    propose,
    react_step,
    read_choices,
    reason,
    refine,
    seek,
    single_step,
    understand,
)
from avr_ros.reasoning.local.answers import answer as answering
from avr_ros.reasoning.stage import Reply, StageRequest

ANSWERS: Final[Mapping[str, LocalAnswer]] = {
    "act": act.answer,
    "acquisition_plan": acquisition_plan.answer,
    "answer": answering.answer,
    "answer_from_history": answering.from_history,
    "coverage": coverage.answer,
    "curate": curate.answer,
    "decompose": acquisition_plan.decompose,
    "demands": demands.answer,
    "judge_match": judge_match.answer,
    "judge_support": judge_support.answer,
    "match_choice": match_choice.answer,
    "propose": propose.answer,
    "react_step": react_step.answer,
    "read_choices": read_choices.answer,
    "reason": reason.answer,
    "refine": refine.answer,
    "seek": seek.answer,
    "single_step": single_step.answer,
    "understand": understand.answer,
}
"""Who answers which stage."""


class LocalBackend:
    """Answers stages by themselves, without a server. Thread-safe: it keeps nothing."""

    NAME: Final = "local"

    def __init__(self, answers: Mapping[str, LocalAnswer] = ANSWERS) -> None:
        """Answer the stages of ``answers``."""
        self._answers = answers

    @property
    def name(self) -> str:
        """``local``."""
        return self.NAME

    def ask(self, request: StageRequest[Reply]) -> StageReply[Reply]:
        """Answer a stage.

        Raises ModelCallError: UNAVAILABLE for a stage that nobody answers, REFUSED for what cannot
        be parsed or seen, INVALID_REPLY for an answer that is not legal now.
        """
        started = time.perf_counter()
        outcome, problem = CallOutcome.OK, ""
        value: Reply | None = None
        answer = self._answers.get(request.stage)
        if answer is None:
            outcome = CallOutcome.UNAVAILABLE
            problem = f"the local model does not answer stage {request.stage!r}; use another model"
        else:
            try:
                value = _checked(answer(request), request.reply_type)
            except CannotAnswerError as error:
                outcome, problem = CallOutcome.REFUSED, str(error)
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                place = ".".join(str(part) for part in first["loc"]) or "reply"
                outcome, problem = CallOutcome.INVALID_REPLY, f"{place}: {first['msg']}"
        record = record_of(
            request,
            backend=self.name,
            outcome=outcome,
            reply=None if value is None else value.model_dump(mode="json"),
            problem=problem,
            attempts=1,
            seconds=time.perf_counter() - started,
        )
        if value is None:
            raise ModelCallError(record)
        return StageReply(value, record)

    def close(self) -> None:
        """There is nothing to let go of."""


def _checked(answer: BaseModel, reply_type: type[Reply]) -> Reply:
    """The answer as the reply type of this request, with what is legal now."""
    # A reply within a reply keeps the fields of its own type.
    return reply_type.model_validate(answer.model_dump(mode="json", serialize_as_any=True))
