"""Scores of the questions that are done, kept while a run goes on."""

from collections.abc import Iterable

from avr_ros.benchmark.scoring.summary import conditional_hallucination
from avr_ros.schema.report import Rates
from avr_ros.schema.result import SampleResult


class RunningRates:
    """Counts right answers, right evidence and both. Not thread-safe."""

    def __init__(self, results: Iterable[SampleResult] = ()) -> None:
        """Start with the results of earlier starts."""
        self._n = self._answer = self._evidence = self._combined = 0
        for result in results:
            self.add(result)

    def add(self, result: SampleResult) -> None:
        """Count one result."""
        self._n += 1
        self._answer += result.score.answer
        self._evidence += result.score.evidence
        self._combined += result.score.combined

    def rates(self) -> Rates:
        """The scores in percent; all 0 before the first result."""
        whole = max(self._n, 1)
        return Rates(
            n=self._n,
            answer=100.0 * self._answer / whole,
            evidence=100.0 * self._evidence / whole,
            combined=100.0 * self._combined / whole,
            conditional_hallucination=conditional_hallucination(self._combined, self._answer),
        )
