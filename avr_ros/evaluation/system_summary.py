"""Rates, failures and cost of one system over its runs."""

from collections import Counter
from collections.abc import Iterable, Sequence

from avr_ros.benchmark.scoring.summary import conditional_hallucination, failure_kind
from avr_ros.evaluation.asked_question import AskedQuestion, by_family
from avr_ros.evaluation.averages import macro_average
from avr_ros.evaluation.compared_system import MISSING, ComparedSystem
from avr_ros.evaluation.comparison_result import MacroRates, SystemSummary
from avr_ros.evaluation.measures import MEASURES
from avr_ros.evaluation.run_cost import cost_means, cost_totals
from avr_ros.schema.report import Rates
from avr_ros.schema.result import SampleResult


def summarise_system(system: ComparedSystem, questions: Sequence[AskedQuestion]) -> SystemSummary:
    """Summarise a system; every question counts in every run, a missing result as wrong."""
    first = system.runs[0]
    results = [
        run.results[name] for run in system.runs for name in run.questions if name in run.results
    ]
    families = {
        name: _rates(system, [questions[place] for place in places])
        for name, places in by_family(questions).items()
    }
    images = [count for run in system.runs for count in run.answer_images.values()]
    return SystemSummary(
        name=system.name,
        runs=tuple(str(run.path) for run in system.runs),
        seeds=tuple(run.seed for run in system.runs),
        agent=first.agent,
        model=first.model,
        perception=first.perception,
        oracle_perception=system.oracle_perception,
        stand_in_model=system.stand_in_model,
        rates=_rates(system, questions),
        macro=MacroRates(
            **{
                name: macro_average([getattr(rates, name) for rates in families.values()]) or 0.0
                for name in MacroRates.model_fields
            }
        ),
        by_family=families,
        failures=_failures(results, sum(len(run.questions) for run in system.runs)),
        cost=cost_means([result.cost for result in results]),
        cost_totals=cost_totals(result.cost for result in results),
        images_per_answer=sum(images) / len(images) if images else None,
        answers_with_images=len(images),
    )


def _rates(system: ComparedSystem, questions: Sequence[AskedQuestion]) -> Rates:
    means = {
        measure: float(system.scores(questions, value_of).mean())
        for measure, value_of in MEASURES.items()
    }
    return Rates(
        n=len(questions),
        answer=100.0 * means["answer"],
        evidence=100.0 * means["evidence"],
        combined=100.0 * means["combined"],
        conditional_hallucination=conditional_hallucination(means["combined"], means["answer"]),
    )


def _failures(results: Iterable[SampleResult], expected: int) -> dict[str, int]:
    listed = list(results)
    counts = Counter(filter(None, (failure_kind(result.prediction) for result in listed)))
    if expected > len(listed):
        counts[MISSING] = expected - len(listed)
    return {name: counts[name] for name in sorted(counts)}
