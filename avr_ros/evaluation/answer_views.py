"""The views attached to the call that gave a prediction: V of visual support (appendix B).

An agent may name them in its ANSWER step; else they are those of the last model call.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from avr_ros.evaluation.stored_run import StoredRun
from avr_ros.schema.episode import Ledger, LedgerRecord
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step, StepKind

ANSWER_VIEWS = "answer_views"
"""Detail of an agent's ANSWER step: the observation ids of the answering call, in order."""


@dataclass(frozen=True)
class AnswerViews:
    """The granted records behind one prediction, in order, each once; none where nothing answered.

    What the trajectory had seen besides, but that call was not shown, is not among them.
    """

    result: SampleResult
    records: tuple[LedgerRecord, ...]


def answer_views(run: StoredRun, results: Collection[SampleResult]) -> list[AnswerViews]:
    """The views behind each of some results of a run.

    A failure has none. Raises BadInputError where an agent answered without a model call and
    without saying which views it answered from, or names one that was not granted.
    """
    steps, ledgers, calls = run.steps(results), run.ledgers(results), run.calls(results)
    return [
        AnswerViews(
            result,
            _records(
                result,
                _told(steps[result.question_id], calls[result.question_id]),
                ledgers.get(result.question_id),
            ),
        )
        for result in results
    ]


def _told(steps: Sequence[Step], calls: Sequence[Step]) -> list[str] | None:
    """The observation ids that an attempt names; none where it names nothing."""
    told = [
        step.details[ANSWER_VIEWS]
        for step in steps
        if step.kind is StepKind.ANSWER and ANSWER_VIEWS in step.details
    ]
    if told:
        return list(told[-1])
    if not calls:
        return None
    last = max(calls, key=lambda call: call.number).details
    sources = last.get("image_sources")
    return list(sources) if isinstance(sources, list) else None


def _records(
    result: SampleResult, told: list[str] | None, ledger: Ledger | None
) -> tuple[LedgerRecord, ...]:
    if result.prediction.failure is not None:
        return ()
    if told is None:
        if result.prediction.answer is None:
            return ()
        raise BadInputError(
            f"the run does not say which views the answer to {result.question_id} was given from; "
            "visual support is defined for agents that do"
        )
    granted: Mapping[str, LedgerRecord] = {
        record.observation_id: record
        for record in (ledger.records if ledger is not None else ())
        if record.granted
    }
    missing = [name for name in told if name not in granted]
    if missing:
        raise BadInputError(
            f"the answer to {result.question_id} names view {missing[0]}, which was not granted; "
            "the run folder was changed from outside"
        )
    return tuple(granted[name] for name in dict.fromkeys(told))
