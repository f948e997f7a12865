"""Rates over scored questions, by family and by answer mode, and counts of what went wrong."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from avr_ros.schema.prediction import Prediction
from avr_ros.schema.report import Rates
from avr_ros.schema.result import EvidenceReason, SampleResult
from avr_ros.schema.vocabulary import AnswerMode, Family

ABSTAINED = "abstained"
"""Name under which abstentions are counted among the failures."""

NO_FAMILY = "none"
"""Name under which questions without a family are counted."""


@dataclass(frozen=True)
class Summary:
    """Tables of a set of results; every question counts, also those without an answer.

    ``failures`` counts abstentions and failures by kind, ``evidence_reasons`` every question by
    what the evidence rules said of it; both hold only what occurred, sorted by name.
    """

    overall: Rates
    by_family: dict[str, Rates]
    by_answer_mode: dict[str, Rates]
    failures: dict[str, int]
    evidence_reasons: dict[str, int]


def conditional_hallucination(combined: float, answer: float) -> float | None:
    """Share, in percent, of right answers without right evidence: 100 (1 − combined / answer).

    ``combined`` and ``answer`` are counts or rates of the same unit. None, undefined, where no
    answer was right.
    """
    if answer == 0:
        return None
    return 100.0 * (1.0 - combined / answer)


def rates(results: Sequence[SampleResult]) -> Rates:
    """Rates in percent of all given results; of none they are 0 with ``n`` 0."""
    n = len(results)
    answer = sum(result.score.answer for result in results)
    evidence = sum(result.score.evidence for result in results)
    combined = sum(result.score.combined for result in results)
    return Rates(
        n=n,
        answer=_percent(answer, n),
        evidence=_percent(evidence, n),
        combined=_percent(combined, n),
        conditional_hallucination=conditional_hallucination(combined, answer),
    )


def failure_kind(prediction: Prediction) -> str | None:
    """The name under which a prediction without an answer is counted, none with an answer."""
    if prediction.abstained:
        return ABSTAINED
    return None if prediction.failure is None else prediction.failure.value


def summarise(results: Iterable[SampleResult]) -> Summary:
    """Tables of results. Families and modes come in the vocabulary's order, if they occur."""
    rows = list(results)
    families = [family.value for family in Family] + [NO_FAMILY]
    modes = [mode.value for mode in AnswerMode]
    reasons = Counter(row.score.evidence_reason for row in rows)
    failures = Counter(filter(None, (failure_kind(row.prediction) for row in rows)))
    return Summary(
        overall=rates(rows),
        by_family=_grouped(rows, families, _family_name),
        by_answer_mode=_grouped(rows, modes, lambda row: row.answer_mode.value),
        failures={name: failures[name] for name in sorted(failures)},
        evidence_reasons={
            reason.value: reasons[reason] for reason in EvidenceReason if reasons[reason]
        },
    )


def _percent(count: int, n: int) -> float:
    return 100.0 * count / n if n else 0.0


def _family_name(row: SampleResult) -> str:
    return NO_FAMILY if row.family is None else row.family.value


def _grouped(
    rows: list[SampleResult], names: list[str], name_of: Callable[[SampleResult], str]
) -> dict[str, Rates]:
    groups: dict[str, list[SampleResult]] = {name: [] for name in names}
    for row in rows:
        groups[name_of(row)].append(row)
    return {name: rates(group) for name, group in groups.items() if group}
