"""Where a state first changes: bisection in time that weighs every look.

The state is known at one end of an ordered list of frames. It changes at some frame and lasts for
a while; after that it may be over, so a look far behind the change says little, and two looks far
apart leave room for a short stretch between them. Looks tell the state, wrongly with a small
probability. Every pair of a first changed frame and a duration is weighed by all looks, and the
next frame is the one whose look is expected to tell most about the first change, for its cost.

Between two looks that show the person doing exactly the same, a change is less likely than where
other things changed too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

NO_CHANGE_PRIOR: Final[float] = 0.03
"""Probability, before any look, that the state does not change at all."""

CALM_SHARE: Final[float] = 0.25
"""How likely a change is between two looks that show the same, compared with elsewhere."""

MAX_CELLS: Final[int] = 128
"""Positions that are told apart at a time; longer stretches are searched in cells, then finer."""

UNSEEN_FRAMES: Final[float] = 10.0
"""Frames after which somebody who was not seen is hidden half as likely."""

DURATIONS: Final[int] = 8
"""Durations that are told apart."""

_SURE: Final[float] = 0.995


@dataclass(frozen=True)
class Lasting:
    """How long the changed state lasts, in positions, and what comes after.

    Durations are log-normal around ``typical``, none below ``shortest``. ``returns`` is how often
    a look after the end shows the changed state again.
    """

    shortest: float
    typical: float
    spread: float = 0.6
    returns: float = 0.2

    def grid(self) -> tuple[FloatArray, FloatArray]:
        """Some durations and their weights."""
        low, high = np.log(self.shortest), np.log(self.typical) + 3.0 * self.spread
        logs = np.linspace(low, max(high, low + 0.1), DURATIONS)
        weights = np.exp(-0.5 * ((logs - np.log(self.typical)) / self.spread) ** 2)
        return np.exp(logs), weights / weights.sum()


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

    ``tolerance`` is how many positions the answer may be off, ``error`` how often a look is wrong.
    ``soon`` is the number of positions by which half of all changes have come, none where they
    are spread evenly.
    """

    def __init__(
        self,
        count: int,
        tolerance: int,
        error: float,
        lasting: Lasting,
        soon: float | None = None,
    ) -> None:
        self._count = count
        self._tolerance = max(0, tolerance)
        self._error = error
        self._lasting = lasting
        self._soon = soon
        self._looks: dict[int, list[bool]] = {}
        self._unseen: list[int] = []
        self._calm: tuple[tuple[int, int], ...] = ()
        self._cells = _cells(0, count)
        self._weigh()

    @property
    def weights(self) -> FloatArray:
        """Probability of each cell (of each position, in short stretches) and, last, of none."""
        return self._weights.copy()

    @property
    def estimate(self) -> Estimate:
        """The best position so far and how sure it is."""
        if self._count == 0 or self._weights[-1] >= np.max(self._near()):
            return Estimate(None, float(self._weights[-1]))
        return self.best

    @property
    def best(self) -> Estimate:
        """The best position so far, taken that there is a change at all."""
        if self._count == 0:
            return Estimate(None, 1.0)
        weights, near = self._weights, self._near()
        best = int(np.argmax(near))
        # Within the window of the tolerance, the middle of what is left is the safest answer.
        window = np.abs(self._cells - self._cells[best]) <= self._tolerance
        inside = np.where(window, weights[:-1], 0.0)
        middle = int(np.searchsorted(np.cumsum(inside), inside.sum() / 2))
        return Estimate(int(self._cells[min(middle, len(inside) - 1)]), float(near[best]))

    def tell(self, position: int, changed: bool) -> None:
        """Take the result of a look."""
        self._looks.setdefault(position, []).append(changed)
        self._weigh()
        self._refine()

    def tell_unseen(self, position: int) -> None:
        """Take note that a look showed nothing: positions beside it are looked at less gladly."""
        self._unseen.append(position)

    def tell_calm(self, stretches: Sequence[tuple[int, int]]) -> None:
        """Set the stretches, from look to look by position, in which nothing seems to change."""
        if tuple(stretches) != self._calm:
            self._calm = tuple(stretches)
            self._weigh()

    def next_position(self, costs: Callable[[IntArray], FloatArray]) -> int | None:
        """The position whose look is worth most for its cost, none if no look tells anything.

        ``costs`` gives the expected price of a look at each of some positions.
        """
        told = self._told()
        gain = _entropy(self._weights @ told) - self._weights @ _entropy(told)
        seen = np.ones(len(self._cells))
        for position in self._unseen:
            seen *= 1.0 - np.exp2(-1.0 - np.abs(self._cells - position) / UNSEEN_FRAMES)
        worth = gain * seen / costs(self._cells)
        looked = np.isin(self._cells, [*self._looks, *self._unseen])
        worth = np.where(looked, 0.0, worth)
        if not len(worth) or np.max(worth) <= 1e-9:
            return None
        # Rounding must not decide between equally good positions.
        return int(self._cells[np.argmax(worth >= np.max(worth) * (1.0 - 1e-9))])

    def _weigh(self) -> None:
        """Weigh each cell and duration, and no change last, by all looks so far."""
        cells = self._cells
        self._durations, share = self._lasting.grid()
        prior = self._prior(cells)
        total = float(prior.sum())
        joint = prior[:, None] * share[None, :] * (1.0 - NO_CHANGE_PRIOR) / max(total, 1e-300)
        logs = np.log(np.maximum(joint, 1e-300))
        none = float(np.log(NO_CHANGE_PRIOR))
        for position in sorted(self._looks):
            on = self._on(np.array([position]))[:, :, 0]
            for changed in self._looks[position]:
                right = on * (1.0 - self._error) + (1.0 - on) * self._error
                logs += np.log(right if changed else 1.0 - right)
                none += float(np.log(self._error if changed else 1.0 - self._error))
        top = max(float(logs.max(initial=-np.inf)), none)
        joint, last = np.exp(logs - top), float(np.exp(none - top))
        whole = float(joint.sum()) + last
        self._joint: FloatArray = joint / whole
        self._weights: FloatArray = np.append(self._joint.sum(axis=1), last / whole)

    def _prior(self, cells: IntArray) -> FloatArray:
        width = np.diff(np.append(cells, self._end())).astype(np.float64)
        if self._soon is not None:
            # A part comes at any time, so that nothing is ruled out far on.
            width *= 0.3 + np.exp2(-cells / self._soon)
        for first, last in self._calm:
            width = np.where((cells > first) & (cells <= last), CALM_SHARE * width, width)
        return width

    def _on(self, positions: IntArray) -> FloatArray:
        """Whether positions show the changed state: (cell, duration, position)."""
        since = positions[None, None, :] - self._cells[:, None, None]
        lasts = since < self._durations[None, :, None]
        return np.where(since < 0, 0.0, np.where(lasts, 1.0, self._lasting.returns))

    def _told(self) -> FloatArray:
        """Probability that a look tells "changed": rows are hypotheses, columns cells."""
        cells = self._cells
        # Beside each cell its durations' weights, given the cell.
        given = self._joint / np.maximum(self._joint.sum(axis=1, keepdims=True), 1e-300)
        on = np.zeros((len(cells) + 1, len(cells)))
        on[:-1] = np.einsum("cd,cdx->cx", given, self._on(cells))
        return on * (1.0 - self._error) + (1.0 - on) * self._error

    def _end(self) -> int:
        if len(self._cells) < 2:
            return self._count
        return int(2 * self._cells[-1] - self._cells[-2])

    def _refine(self) -> None:
        """Tell finer positions apart once the change lies within a part of the stretch."""
        if len(self._cells) < 2 or self._cells[1] - self._cells[0] <= 1:
            return
        shares = np.cumsum(self._weights[:-1]) / max(float(self._weights[:-1].sum()), 1e-300)
        stride = int(self._cells[1] - self._cells[0])
        first = int(np.searchsorted(shares, 1.0 - _SURE))
        last = min(int(np.searchsorted(shares, _SURE)), len(shares) - 1)
        low = max(0, int(self._cells[first]) - 2 * stride)
        high = min(self._count, int(self._cells[last]) + 2 * stride)
        if high - low <= (self._cells[-1] - self._cells[0]) // 2:
            self._cells = _cells(low, high)
            self._weigh()

    def _near(self) -> FloatArray:
        """For each cell, the probability that the change is within the tolerance of it."""
        total = np.concatenate([[0.0], np.cumsum(self._weights[:-1])])
        low = np.searchsorted(self._cells, self._cells - self._tolerance, side="left")
        high = np.searchsorted(self._cells, self._cells + self._tolerance, side="right")
        return np.asarray(total[high] - total[low])


def _cells(low: int, high: int) -> IntArray:
    stride = max(1, -(-(high - low) // MAX_CELLS))
    return np.arange(low, high, stride, dtype=np.int64)


def _entropy(probability: FloatArray) -> FloatArray:
    inside = np.clip(probability, 1e-12, 1.0 - 1e-12)
    return np.asarray(-inside * np.log2(inside) - (1.0 - inside) * np.log2(1.0 - inside))
