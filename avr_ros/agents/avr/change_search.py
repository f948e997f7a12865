"""Where a state first changes: bisection in time that weighs every look.

The state is known at one end of an ordered list of frames. Looks tell the state there, sometimes
wrongly (a mistaken action, a flicker of a single frame). A look far behind the change says little,
because the state may have changed back by then; so the search begins near and strides on, and
comes back once it has seen the change. The next frame is the one with the greatest expected gain of
knowledge for its cost.

With k the position of the first changed frame among positions 0 to n - 1, and n for no change, a
look at j tells "changed" with probability e if j < k and, if j >= k, with
1/2 + (1/2 - e) exp(-(j - k) / dwell).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

NO_CHANGE_PRIOR: Final[float] = 0.05
"""Probability, before any look, that the state does not change at all."""

MAX_CELLS: Final[int] = 256
"""Positions that are told apart at a time; longer stretches are searched in cells, then finer."""


@dataclass(frozen=True)
class Estimate:
    """Where the change is, as positions in the list of frames.

    ``first`` is the likeliest first changed position, none if most likely nothing changes;
    ``confidence`` the probability that the truth is within the tolerance of it.
    """

    first: int | None
    confidence: float


class ChangeSearch:
    """Finds the first change along ``count`` frames. Positions are looked at one by one.

    ``tolerance`` is how many positions the answer may be off; ``error`` is e and ``dwell`` as in
    the module's formula, in positions.
    """

    def __init__(self, count: int, tolerance: int, error: float, dwell: float) -> None:
        self._count = count
        self._tolerance = max(0, tolerance)
        self._error = error
        self._dwell = dwell
        self._looks: list[tuple[int, bool]] = []
        self._unseen: list[int] = []
        self._cells = _cells(0, count)
        self._log_weights = np.zeros(0)
        self._refresh()

    @property
    def estimate(self) -> Estimate:
        """The best position so far and how sure it is."""
        weights = self._weights()
        if self._count == 0 or weights[-1] >= np.max(self._near(weights)):
            return Estimate(None, float(weights[-1]))
        best = int(np.argmax(self._near(weights)))
        # Within the window of the tolerance, the middle of what is left is the safest answer.
        window = self._window(best)
        inside = np.where(window, weights[:-1], 0.0)
        middle = int(np.searchsorted(np.cumsum(inside), inside.sum() / 2))
        return Estimate(int(self._cells[middle]), float(self._near(weights)[best]))

    def tell(self, position: int, changed: bool) -> None:
        """Take the result of a look."""
        self._looks.append((position, changed))
        self._refine()
        self._refresh()

    def tell_unseen(self, position: int) -> None:
        """Take note that a look showed nothing: positions beside it are looked at less gladly."""
        self._unseen.append(position)

    def next_position(self, cost: Callable[[int], float]) -> int | None:
        """The position whose look is worth most for its cost, none if no look tells anything."""
        weights = self._weights()
        told = self._told_changed()
        expected = weights @ told
        gain = _entropy(expected) - weights @ _entropy(told)
        looked = {position for position, _ in self._looks} | set(self._unseen)
        best: tuple[float, int] | None = None
        for index, position in enumerate(self._cells.tolist()):
            if position in looked:
                continue
            worth = float(gain[index]) * self._visible(position) / cost(position)
            if worth > 1e-9 and (best is None or worth > best[0] + 1e-12):
                best = (worth, position)
        return None if best is None else best[1]

    def _told_changed(self) -> FloatArray:
        """Probability of telling "changed": rows are hypotheses, columns the cells looked at."""
        return self._model(self._cells)

    def _model(self, looked: npt.NDArray[np.int64]) -> FloatArray:
        since = looked[None, :] - self._cells[:, None]
        decayed = 0.5 + (0.5 - self._error) * np.exp(-np.maximum(since, 0) / self._dwell)
        told = np.where(since >= 0, decayed, self._error)
        none = np.full((1, len(looked)), self._error)
        return np.concatenate([told, none], axis=0)

    def _refresh(self) -> None:
        """Weigh the hypotheses of the present cells by all looks so far."""
        cells = len(self._cells)
        log_weights = np.full(cells + 1, np.log((1.0 - NO_CHANGE_PRIOR) / max(cells, 1)))
        log_weights[-1] = np.log(NO_CHANGE_PRIOR)
        if self._looks:
            positions = np.array([position for position, _ in self._looks], dtype=np.int64)
            told = self._model(positions)
            changed = np.array([result for _, result in self._looks])
            log_weights += np.sum(np.log(np.where(changed, told, 1.0 - told)), axis=1)
        self._log_weights = log_weights

    def _refine(self) -> None:
        """Tell finer positions apart once the change lies within a part of the stretch."""
        if len(self._cells) < 2 or self._cells[1] - self._cells[0] <= 1:
            return
        self._refresh()
        weights = self._weights()[:-1]
        likely = np.flatnonzero(np.cumsum(weights) >= 0.005 * weights.sum())
        last = int(np.searchsorted(np.cumsum(weights), 0.995 * weights.sum()))
        first = int(likely[0])
        stride = int(self._cells[1] - self._cells[0])
        low = max(0, int(self._cells[first]) - 2 * stride)
        high = min(self._count, int(self._cells[min(last, len(weights) - 1)]) + 2 * stride)
        if high - low <= (self._cells[-1] - self._cells[0]) // 2:
            self._cells = _cells(low, high)

    def _weights(self) -> FloatArray:
        weights = np.exp(self._log_weights - np.max(self._log_weights))
        return np.asarray(weights / weights.sum())

    def _near(self, weights: FloatArray) -> FloatArray:
        """For each cell, the probability that the change is within the tolerance of it."""
        total = np.concatenate([[0.0], np.cumsum(weights[:-1])])
        low = np.searchsorted(self._cells, self._cells - self._tolerance, side="left")
        high = np.searchsorted(self._cells, self._cells + self._tolerance, side="right")
        return np.asarray(total[high] - total[low])

    def _window(self, cell: int) -> npt.NDArray[np.bool_]:
        return np.asarray(np.abs(self._cells - self._cells[cell]) <= self._tolerance)

    def _visible(self, position: int) -> float:
        """Belief that a look there shows the person, from looks nearby that did not."""
        near = min((abs(position - other) for other in self._unseen), default=100)
        return min(1.0, 0.2 + near / 10.0)


def _cells(low: int, high: int) -> npt.NDArray[np.int64]:
    stride = max(1, -(-(high - low) // MAX_CELLS))
    return np.arange(low, high, stride, dtype=np.int64)


def _entropy(probability: FloatArray) -> FloatArray:
    inside = np.clip(probability, 1e-12, 1.0 - 1e-12)
    return np.asarray(-inside * np.log2(inside) - (1.0 - inside) * np.log2(1.0 - inside))
