"""Where a state first changes: bisection in time that weighs every look.

The state is known at one end of an ordered list of frames. Looks tell the state, wrongly with a
small probability (a mistaken action, a flicker of a single frame). After its first change the state
may change back and forth: it is a symmetric Markov chain that stays, from one moment to another
d frames away, with probability 1/2 + 1/2 exp(-2 d / dwell). So a look far behind the change says
little, and two looks far apart leave room for a short change between them. The next frame is the
one whose look is expected to tell most about the first change, for its cost.

Where other things changed between two looks (somebody sat and now walks), more may have happened
in between: time counts there as if it were longer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

NO_CHANGE_PRIOR: Final[float] = 0.05
"""Probability, before any look, that the state does not change at all."""

BUSY_RATE: Final[float] = 4.0
"""How much longer a moment counts between looks that show another change."""

MAX_CELLS: Final[int] = 256
"""Positions that are told apart at a time; longer stretches are searched in cells, then finer."""

_SURE: Final[float] = 0.995


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

    ``tolerance`` is how many positions the answer may be off, ``error`` how often a look is wrong,
    ``dwell`` the mean time in positions for which a state lasts.
    """

    def __init__(self, count: int, tolerance: int, error: float, dwell: float) -> None:
        self._count = count
        self._tolerance = max(0, tolerance)
        self._error = error
        self._dwell = dwell
        self._looks: dict[int, list[bool]] = {}
        self._unseen: list[int] = []
        self._busy: tuple[tuple[int, int], ...] = ()
        self._cells = _cells(0, count)
        self._weigh()

    @property
    def weights(self) -> FloatArray:
        """Probability of each cell (of each position, in short stretches) and, last, of none."""
        return self._weights.copy()

    @property
    def estimate(self) -> Estimate:
        """The best position so far and how sure it is."""
        weights = self._weights
        near = self._near()
        if self._count == 0 or weights[-1] >= np.max(near):
            return Estimate(None, float(weights[-1]))
        best = int(np.argmax(near))
        # Within the window of the tolerance, the middle of what is left is the safest answer.
        window = np.abs(self._cells - self._cells[best]) <= self._tolerance
        inside = np.where(window, weights[:-1], 0.0)
        middle = int(np.searchsorted(np.cumsum(inside), inside.sum() / 2))
        return Estimate(int(self._cells[middle]), float(near[best]))

    def tell(self, position: int, changed: bool) -> None:
        """Take the result of a look."""
        self._looks.setdefault(position, []).append(changed)
        self._weigh()
        self._refine()

    def tell_unseen(self, position: int) -> None:
        """Take note that a look showed nothing: positions beside it are looked at less gladly."""
        self._unseen.append(position)

    def tell_busy(self, stretches: Sequence[tuple[int, int]]) -> None:
        """Set the stretches, from look to look by position, in which other things changed."""
        if tuple(stretches) != self._busy:
            self._busy = tuple(stretches)
            self._weigh()

    def next_position(self, costs: Callable[[IntArray], FloatArray]) -> int | None:
        """The position whose look is worth most for its cost, none if no look tells anything.

        ``costs`` gives the expected price of a look at each of some positions.
        """
        told = self._told()
        gain = _entropy(self._weights @ told) - self._weights @ _entropy(told)
        near = np.full(len(self._cells), 100.0)
        for position in self._unseen:
            near = np.minimum(near, np.abs(self._cells - position))
        worth = gain * np.minimum(1.0, 0.2 + near / 10.0) / costs(self._cells)
        looked = np.isin(self._cells, [*self._looks, *self._unseen])
        worth = np.where(looked, 0.0, worth)
        if not len(worth) or np.max(worth) <= 1e-9:
            return None
        # Rounding must not decide between equally good positions.
        return int(self._cells[np.argmax(worth >= np.max(worth) * (1.0 - 1e-9))])

    def _weigh(self) -> None:
        """Weigh each cell as first change, and no change last, by all looks so far."""
        cells = self._cells
        clock = self._clock
        rate = np.diff(np.append(clock(cells), clock(np.array([self._end()]))))
        prior = np.append(rate * (1.0 - NO_CHANGE_PRIOR) / max(float(rate.sum()), 1e-12), 0.0)
        prior[-1] = NO_CHANGE_PRIOR
        log_weights = np.log(np.maximum(prior, 1e-300))
        self._filtered: list[tuple[int, FloatArray]] = []
        on = np.ones(len(cells) + 1)
        last = np.append(clock(cells), 0.0)
        for position in sorted(self._looks):
            at = float(clock(np.array([position]))[0])
            begun = np.append(cells <= position, False)
            stay = self._stay(at - last)
            on = np.where(begun, on * stay + (1.0 - on) * (1.0 - stay), 0.0)
            for changed in self._looks[position]:
                right = 1.0 - self._error if changed else self._error
                likelihood = on * right + (1.0 - on) * (1.0 - right)
                log_weights += np.log(likelihood)
                on = on * right / likelihood
            self._filtered.append((position, on))
            on = np.where(begun, on, 1.0)
            last = np.where(begun, at, last)
        weights = np.exp(log_weights - np.max(log_weights))
        self._weights: FloatArray = weights / weights.sum()

    def _told(self) -> FloatArray:
        """Probability that a look tells "changed": rows are hypotheses, columns cells."""
        cells, clock = self._cells, self._clock
        times = clock(cells)
        on = np.zeros((len(cells) + 1, len(cells)))
        positions = [position for position, _ in self._filtered]
        segment = np.searchsorted(positions, cells, side="right")
        behind = self._behind()
        for index in range(len(positions) + 1):
            columns = np.flatnonzero(segment == index)
            if not len(columns):
                continue
            since = times[None, columns] - times[:, None]
            forward = self._stay(np.maximum(since, 0.0))
            if index > 0:
                position, filtered = self._filtered[index - 1]
                stay = self._stay(times[columns] - float(clock(np.array([position]))[0]))
                carried = filtered[:-1, None] * stay + (1.0 - filtered[:-1, None]) * (1.0 - stay)
                forward = np.where((cells <= position)[:, None], carried, forward)
            if index < len(positions):
                until = float(clock(np.array([positions[index]]))[0]) - times[columns]
                stay = self._stay(until)
                if_on = stay * behind[index][0] + (1.0 - stay) * behind[index][1]
                if_off = stay * behind[index][1] + (1.0 - stay) * behind[index][0]
                forward = forward * if_on / (forward * if_on + (1.0 - forward) * if_off)
            on[:-1, columns] = np.where(since >= 0.0, forward, 0.0)
        return on * (1.0 - self._error) + (1.0 - on) * self._error

    def _behind(self) -> list[tuple[float, float]]:
        """For each look, how likely it and all later ones are if the state is on there, or off."""
        behind: list[tuple[float, float]] = []
        if_on, if_off, later = 1.0, 1.0, 0.0
        for position in sorted(self._looks, reverse=True):
            at = float(self._clock(np.array([position]))[0])
            if behind:
                stay = float(self._stay(np.array([later - at]))[0])
                if_on, if_off = (
                    stay * if_on + (1.0 - stay) * if_off,
                    stay * if_off + (1.0 - stay) * if_on,
                )
            for changed in self._looks[position]:
                right = 1.0 - self._error if changed else self._error
                if_on, if_off = if_on * right, if_off * (1.0 - right)
            scale = max(if_on, if_off)
            if_on, if_off, later = if_on / scale, if_off / scale, at
            behind.append((if_on, if_off))
        return behind[::-1]

    def _clock(self, positions: IntArray) -> FloatArray:
        """Time at positions: one a position, more in busy stretches."""
        times = positions.astype(np.float64)
        for first, last in self._busy:
            times = times + (BUSY_RATE - 1.0) * np.clip(positions - first, 0, last - first)
        return times

    def _stay(self, time: FloatArray) -> FloatArray:
        return np.asarray(0.5 + 0.5 * np.exp(-2.0 * np.abs(time) / self._dwell))

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
