"""Which demands the board covers, in the variant whose control depends on it."""

from avr_ros.agents.eviseek.episode import EpisodeContext
from avr_ros.reasoning.stages.contract import ShownView, contract_of
from avr_ros.reasoning.stages.coverage import CoverageInputs, DemandCoverage, coverage_request


class CoverageCheck:
    """Asks once for the same board: the same views with the same notes."""

    def __init__(self, episode: EpisodeContext) -> None:
        self._episode = episode
        self._board: tuple[ShownView, ...] | None = None
        self._labels: tuple[DemandCoverage, ...] = ()

    def covered(self, demand: int | None) -> bool:
        """Whether a demand, from 1, is covered; false where coverage is not checked."""
        if demand is None or not self._episode.checks_coverage:
            return False
        return self._current()[demand - 1].covered

    def missing(self) -> tuple[str, ...]:
        """What is missing, by demand; empty where all is covered or coverage is not checked."""
        if not self._episode.checks_coverage:
            return ()
        return tuple(
            f"demand {number}: {label.missing or 'not covered'}"
            for number, label in enumerate(self._current(), start=1)
            if not label.covered
        )

    def _current(self) -> tuple[DemandCoverage, ...]:
        items = self._episode.state.board.items
        board = tuple(item.shown() for item in items)
        if board != self._board:
            inputs = CoverageInputs(
                question=self._episode.question.text,
                contract=contract_of(self._episode.question),
                demands=self._episode.state.demands,
                views=board,
            )
            images = tuple(item.shot.image for item in items)
            reply = self._episode.ask(coverage_request(inputs, images, self._episode.scope))
            self._board, self._labels = board, reply.demands
        return self._labels
