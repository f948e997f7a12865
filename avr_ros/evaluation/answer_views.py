"""The views attached to the call that gave a prediction: V of visual support (appendix B)."""

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

    A failure has none. Raises BadInputError where an agent answered without saying which views
    its answering call was shown, or names one that was not granted.
    """
    steps, ledgers = run.steps(results), run.ledgers(results)
    return [
        AnswerViews(
            result,
            _records(result, steps[result.question_id], ledgers.get(result.question_id)),
        )
        for result in results
    ]


def _records(
    result: SampleResult, steps: Sequence[Step], ledger: Ledger | None
) -> tuple[LedgerRecord, ...]:
    told = [
        step.details[ANSWER_VIEWS]
        for step in steps
        if step.kind is StepKind.ANSWER and ANSWER_VIEWS in step.details
    ]
    if not told:
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
    missing = [name for name in told[-1] if name not in granted]
    if missing:
        raise BadInputError(
            f"the answer to {result.question_id} names view {missing[0]}, which was not granted; "
            "the run folder was changed from outside"
        )
    return tuple(granted[name] for name in dict.fromkeys(told[-1]))
