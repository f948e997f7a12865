"""The report of a run, made from what its folder holds."""

from collections.abc import Iterable, Mapping, Sequence

from avr_ros.benchmark.scoring.summary import summarise
from avr_ros.benchmark.scoring.thresholds import thresholds
from avr_ros.evaluation.journal import JournalEntry
from avr_ros.evaluation.observation_use import observation_use
from avr_ros.evaluation.specification import RunSpecification
from avr_ros.evaluation.statistics import intervals
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.question import Question
from avr_ros.schema.report import CostMeans, Report
from avr_ros.schema.result import SampleResult


def build_report(
    specification: RunSpecification,
    results: Sequence[SampleResult],
    questions: Mapping[str, Question],
    sequence_frames: Mapping[str, int],
    finished_at: str,
    wall_seconds: float,
) -> Report:
    """Summarise results into a report.

    ``questions`` are by question id, ``sequence_frames`` the number of frames of each sequence.
    Every result counts, abstentions and failures as wrong. Raises BadInputError without results.
    """
    if not results:
        raise BadInputError("there is no result to report; run some questions first")
    summary = summarise(results)
    return Report(
        n=summary.overall.n,
        answer=summary.overall.answer,
        evidence=summary.overall.evidence,
        combined=summary.overall.combined,
        conditional_hallucination=summary.overall.conditional_hallucination,
        by_family=summary.by_family,
        by_answer_mode=summary.by_answer_mode,
        failures=summary.failures,
        evidence_reasons=summary.evidence_reasons,
        cost=_cost_means(results),
        observations=observation_use(results, questions, sequence_frames),
        intervals=intervals(results, specification.seed),
        thresholds=thresholds(),
        oracle_perception=specification.oracle_perception,
        stand_in_model=specification.stand_in_model,
        agent=specification.agent,
        model=specification.model,
        perception=specification.perception,
        hashes=specification.hashes,
        package_version=specification.package_version,
        started_at=specification.created_at,
        finished_at=finished_at,
        wall_seconds=wall_seconds,
    )


def running_seconds(entries: Iterable[JournalEntry]) -> float:
    """The time that a run's sessions took, each until its last result; pauses do not count."""
    last: dict[int, float] = {}
    for entry in entries:
        last[entry.session] = max(last.get(entry.session, 0.0), entry.session_seconds)
    return sum(last.values())


def finish_time(entries: Iterable[JournalEntry]) -> str:
    """When a run's last result came."""
    return max(entry.finished_at for entry in entries)


def _cost_means(results: Sequence[SampleResult]) -> CostMeans:
    n = len(results)
    return CostMeans(
        **{
            name: sum(getattr(result.cost, name) for result in results) / n
            for name in CostMeans.model_fields
        }
    )
