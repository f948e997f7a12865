"""Where a state first changes: bisection in time that weighs every look.

The state is known just before an ordered list of frames. People do one thing after another, each
for a few seconds; some of these things show the changed state. So a look far behind the change says
little, and between two looks there may be room for a short stretch that neither of them shows.

What somebody does is a Markov chain over things, each lasting a number of phases, so that its
duration is Erlang distributed. Looks tell the thing done, more or less surely. The forward pass
over all stretches without change and the backward pass over everything give the probability of
each first changed position; the next look is the one that is expected to tell most about it for
its cost.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

NO_CHANGE_PRIOR: Final[float] = 0.03
"""Probability, before any look, that the state does not change at all."""

MAX_STEPS: Final[int] = 300
"""Steps of the chain, as a rule; longer lists are searched in steps of several positions, though
of no more than the tolerance allows."""

MAX_GROUPS: Final[int] = 40
"""Groups of positions between which a look is chosen to tell; they are about equally probable."""

PHASES: Final[int] = 5
"""Phases of each thing that is done: its duration deviates by 45 % of the mean."""

THINGS: Final[int] = 8
"""Different things that people do which do not show the changed state, as far as is known."""

HIDDEN_SHARE: Final[float] = 0.9
"""How likely somebody who was not seen at a position is still hidden right beside it."""

UNSEEN_FRAMES: Final[float] = 10.0
"""Positions after which somebody who was not seen is hidden half as likely."""

SURE_STRETCH: Final[float] = 0.9
"""Probability of a stretch between two looks from which on the change is sought within it."""

_SURE: Final[float] = 0.998


@dataclass(frozen=True)
class Habits:
    """How people go from one thing to the next.

    Each thing lasts ``typical`` positions in the mean. After one that does not show the changed
    state comes one that does with probability ``begins``, and after one that does another such one
    with probability ``goes_on``.
    """

    typical: float
    begins: float
    goes_on: float


@dataclass(frozen=True)
class Errors:
    """How often a look is expected to be wrong.

    ``false``: it tells a change where there is none; ``missed``: it tells none where there is one.
    """

    false: float
    missed: float


class Told(Protocol):
    """What a look tells."""

    @property
    def kinds(self) -> Sequence[tuple[Hashable, bool]]:
        """What may well be done, each thing with whether it shows the changed state."""

    @property
    def speaks_for_change(self) -> bool:
        """Whether the look as a whole makes the changed state much more probable."""

    def likelihood(self, kinds: Sequence[tuple[Hashable, bool]]) -> FloatArray:
        """How likely the look is for each kind (a thing, and whether it shows the changed state),
        and then for all other things that do not show it and for all others that do."""


@dataclass(frozen=True)
class Estimate:
    """Where the change is, as positions in the list of frames.

    ``first`` is the likeliest first changed position, none if most likely nothing changes;
    ``confidence`` the probability that the truth is within the tolerance of it.
    """

    first: int | None
    confidence: float


@dataclass(frozen=True)
class _Chain:
    """The chain's states and all looks so far, step by step.

    ``changed`` (S) says which states show the changed state, ``move`` (S, S) goes one step on,
    ``told`` (N, S) is how likely the looks at a step are in a state. ``without`` (N, S): the
    looks up to a step, and no change yet; ``begun`` (N, S): the change comes at that very step;
    ``after`` (N, S): the looks after it. ``weights`` (N) and ``none`` are prior weights that
    replace the chain's own first changes.
    """

    changed: npt.NDArray[np.bool_]
    move: FloatArray
    told: FloatArray
    without: FloatArray
    begun: FloatArray
    after: FloatArray
    weights: FloatArray
    none: float

    @cached_property
    def joint(self) -> FloatArray:
        """Probability of all looks together with each first changed step and, last, with none."""
        first = self.weights * np.einsum("ns,ns->n", self.begun, self.after)
        return np.append(first, self.none * float(self.without[-1].sum()))

    @cached_property
    def posterior(self) -> FloatArray:
        """Probability of each first changed step and, last, of none."""
        return np.asarray(self.joint / max(float(self.joint.sum()), 1e-300))


class ChangeSearch:
    """Finds the first change along ``count`` frames. Positions are looked at one by one.

    ``tolerance`` is how many positions the answer may be off, ``errors`` how often a look is wrong.
    ``soon`` is the number of positions by which half of all changes have come, none where they
    are spread evenly; before position ``earliest`` there is none. ``thing`` is what is done just
    before the first position.
    """

    def __init__(
        self,
        count: int,
        tolerance: int,
        errors: Errors,
        habits: Habits,
        soon: float | None = None,
        earliest: int = 0,
        thing: Hashable = None,
    ) -> None:
        self._count = count
        self._tolerance = max(0, tolerance)
        self._errors = errors
        self._habits = habits
        self._soon = soon
        self._earliest = earliest
        self._thing = thing
        self._stride = max(1, min(-(-count // MAX_STEPS), self._tolerance))
        self._starts = np.arange(0, count, self._stride, dtype=np.int64)
        self._looks: dict[int, Told] = {}
        self._unseen: list[int] = []
        self._chain: _Chain | None = None
        self._prior = self._make_prior() if count else (np.zeros(0), 1.0)

    @property
    def weights(self) -> FloatArray:
        """Probability of each step (of each position, in short lists) and, last, of none."""
        return self._weighed().posterior.copy()

    @property
    def estimate(self) -> Estimate:
        """The best position so far and how sure it is."""
        if self._count == 0:
            return Estimate(None, 1.0)
        none = float(self._weighed().posterior[-1])
        return Estimate(None, none) if none >= np.max(self._near()) else self.best

    @property
    def best(self) -> Estimate:
        """The best position so far, taken that there is a change at all."""
        if self._count == 0:
            return Estimate(None, 1.0)
        weights, near = self._weighed().posterior[:-1], self._near()
        best = int(np.argmax(near))
        # Within the window of the tolerance, the middle of what is left is the safest answer.
        window = np.abs(self._starts - self._starts[best]) <= self._reach
        inside = np.where(window, weights, 0.0)
        middle = int(np.searchsorted(np.cumsum(inside), inside.sum() / 2))
        first = int(self._starts[min(middle, len(inside) - 1)]) + (self._stride - 1) // 2
        return Estimate(min(first, self._count - 1), float(near[best]))

    def tell(self, position: int, told: Told) -> None:
        """Take what the looks at a position tell; it replaces what was told of it before."""
        self._looks[position] = told
        self._chain = None

    def tell_unseen(self, position: int) -> None:
        """Take note that a look showed nothing: positions beside it are looked at less gladly."""
        self._unseen.append(position)

    def next_position(self, costs: Callable[[IntArray], FloatArray]) -> int | None:
        """The position whose look is worth most for its cost, none if no look tells anything.

        ``costs`` gives the expected price of a look at each of some positions.
        """
        if self._count == 0:
            return None
        steps, told, shares = self._expected()
        gain = _entropy(shares @ told) - shares @ _entropy(told)
        positions = self._starts[steps]
        worth = gain * self._seen(positions) / costs(positions)
        looked = [position // self._stride for position in self._looks]
        looked += [position // self._stride for position in self._unseen]
        worth = np.where(np.isin(steps, looked), 0.0, worth)
        if not len(worth) or np.max(worth) <= 1e-9:
            return None
        # Rounding must not decide between equally good positions.
        return int(positions[np.argmax(worth >= np.max(worth) * (1.0 - 1e-9))])

    def _seen(self, positions: IntArray) -> FloatArray:
        """How probably somebody is seen, by where they were not: the longer, the less soon."""
        seen = np.ones(len(positions))
        looked = sorted(self._looks)
        runs: list[list[int]] = []
        for position in sorted(self._unseen):
            between = runs and bisect_left(looked, runs[-1][0]) == bisect_left(looked, position)
            if between:
                runs[-1].append(position)
            else:
                runs.append([position])
        for run in runs:
            away = np.maximum(np.maximum(run[0] - positions, positions - run[-1]), 0)
            reach = UNSEEN_FRAMES + (run[-1] - run[0]) / 2
            seen *= 1.0 - HIDDEN_SHARE * np.exp2(-away / reach)
        return seen

    def _expected(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """What looks are expected to tell.

        Back come the steps worth looking at, the probability that a look there tells "changed" for
        each group of first changed steps and, last, for none, and the groups' probabilities.
        """
        chain = self._weighed()
        posterior = chain.posterior
        total = np.cumsum(posterior[:-1])
        whole = max(float(total[-1]), 1e-300)
        low = int(np.searchsorted(total, (1.0 - _SURE) * whole))
        high = min(int(np.searchsorted(total, _SURE * whole)), len(total) - 1)
        high = max(low, high)
        group = self._groups(posterior, low, high)
        groups = int(group[-1]) + 1
        changed = np.flatnonzero(chain.changed)
        ways = np.zeros((groups, len(chain.changed)))
        shows = np.zeros((groups + 1, high - low + 1))
        for step in range(low, high + 1):
            ways = (ways @ chain.move) * chain.told[step]
            ways[group[step - low]] += chain.weights[step] * chain.begun[step]
            shows[:-1, step - low] = ways[:, changed] @ chain.after[step, changed]
        shares = np.append(np.bincount(group, posterior[low : high + 1], groups), posterior[-1])
        # The passes give joint probabilities; of each group its own share counts.
        each = np.bincount(group, chain.joint[low : high + 1], groups)
        shows[:-1] /= np.maximum(each[:, None], 1e-300)
        shows = np.clip(shows, 0.0, 1.0)
        told = shows * (1.0 - self._errors.missed) + (1.0 - shows) * self._errors.false
        return np.arange(low, high + 1, dtype=np.int64), told, shares / max(shares.sum(), 1e-300)

    def _groups(self, posterior: FloatArray, low: int, high: int) -> IntArray:
        """Numbers of the groups, between which a look is to tell, of the steps from low to high.

        Once a change was seen, they are the stretches between looks until one is sure enough: it is
        no use to know a change closely that may not be the first. Else they are equally probable.
        """
        steps = np.arange(low, high + 1)
        changed = [at for at, look in self._looks.items() if look.speaks_for_change]
        if changed:
            looked = np.array(sorted({position // self._stride for position in self._looks}))
            first = min(changed)
            # Whether that look was right is told soon enough when the change is sought closely.
            stretch = np.searchsorted(looked, np.minimum(steps, first // self._stride))
            within = posterior[low : high + 1]
            shares = np.bincount(stretch, within)
            if shares.max() < SURE_STRETCH * max(float(within.sum()), 1e-300):
                _, group = np.unique(stretch, return_inverse=True)
                return np.asarray(group, dtype=np.int64)
        within = np.cumsum(posterior[low : high + 1])
        share = within / max(float(within[-1]), 1e-300)
        group = np.minimum((share * MAX_GROUPS).astype(np.int64), MAX_GROUPS - 1)
        _, group = np.unique(group, return_inverse=True)
        return np.asarray(group, dtype=np.int64)

    def _weighed(self) -> _Chain:
        if self._chain is None:
            self._chain = self._weigh()
        return self._chain

    def _weigh(self) -> _Chain:
        """Weigh each first changed step by all looks so far."""
        things = _Things(self._thing, list(self._looks.values()))
        count = len(self._starts)
        move = things.moves(self._habits, self._stride)
        told = np.ones((count, things.states))
        for position, look in self._looks.items():
            likely = np.repeat(look.likelihood(things.kinds), PHASES)
            told[position // self._stride] *= likely / likely.max()
        changed = things.changed
        start = things.start
        without, begun = _forward(start, move, told, changed)
        after = np.ones((count, things.states))
        for step in range(count - 1, 0, -1):
            after[step - 1] = move @ (told[step] * after[step])
        weights, none = self._prior
        return _Chain(changed, move, told, without, begun, after, weights, none)

    def _make_prior(self) -> tuple[FloatArray, float]:
        """Weights that make the chain's first changes those that are expected before any look."""
        count = len(self._starts)
        things = _Things(self._thing, [])
        move = things.moves(self._habits, self._stride)
        told = np.ones((count, things.states))
        without, begun = _forward(things.start, move, told, things.changed)
        wanted = np.ones(count)
        if self._soon is not None:
            # A part comes at any time, so that nothing is ruled out far on.
            wanted = 0.3 + np.exp2(-self._starts / self._soon)
        wanted = np.where(self._starts + self._stride <= self._earliest, 0.0, wanted)
        wanted *= (1.0 - NO_CHANGE_PRIOR) / max(float(wanted.sum()), 1e-300)
        weights = wanted / np.maximum(begun.sum(axis=1), 1e-300)
        return weights, NO_CHANGE_PRIOR / max(float(without[-1].sum()), 1e-300)

    @property
    def _reach(self) -> int:
        """Positions between the starts of two steps that are within the tolerance as a whole."""
        return max(0, self._tolerance - (self._stride - 1))

    def _near(self) -> FloatArray:
        """For each step, the probability that the change is within the tolerance of it."""
        total = np.concatenate([[0.0], np.cumsum(self._weighed().posterior[:-1])])
        low = np.searchsorted(self._starts, self._starts - self._reach, side="left")
        high = np.searchsorted(self._starts, self._starts + self._reach, side="right")
        return np.asarray(total[high] - total[low])


class _Things:
    """The things that are told apart: each one seen, and one of either kind for all others."""

    def __init__(self, first: Hashable, looks: list[Told]) -> None:
        seen = dict.fromkeys([(first, False), *(kind for look in looks for kind in look.kinds)])
        self.kinds: list[tuple[Hashable, bool]] = [*seen]
        self._others = {False: len(self.kinds), True: len(self.kinds) + 1}
        self._shows = np.array([*(shows for _, shows in self.kinds), False, True])

    @property
    def states(self) -> int:
        """Number of the chain's states: phases of things."""
        return PHASES * len(self._shows)

    @property
    def changed(self) -> npt.NDArray[np.bool_]:
        """Which states show the changed state."""
        return np.repeat(self._shows, PHASES)

    @property
    def start(self) -> FloatArray:
        """The first thing is going on, in any of its phases."""
        start = np.zeros(self.states)
        start[:PHASES] = 1.0 / PHASES
        return start

    def moves(self, habits: Habits, stride: int) -> FloatArray:
        """Probabilities of going from state to state in one step of ``stride`` positions."""
        count = len(self._shows)
        seen = {kind: sum(shows is kind for _, shows in self.kinds) for kind in (False, True)}
        share = np.array([1.0] * len(self.kinds) + [0.0, 0.0])
        for kind in (False, True):
            share[self._others[kind]] = max(1.0, THINGS - seen[kind])
        following = np.zeros((count, count))
        for thing in range(count):
            to_changed = habits.goes_on if self._shows[thing] else habits.begins
            for kind, chance in ((True, to_changed), (False, 1.0 - to_changed)):
                weights = np.where(self._shows == kind, share, 0.0)
                if thing < len(self.kinds):
                    weights[thing] = 0.0
                following[thing] += chance * weights / weights.sum()
        rate = min(0.9, PHASES * stride / habits.typical)
        move = np.eye(self.states) * (1.0 - rate)
        for thing in range(count):
            at = thing * PHASES
            for phase in range(PHASES - 1):
                move[at + phase, at + phase + 1] += rate
            move[at + PHASES - 1, 0::PHASES] += rate * following[thing]
        return move


def _forward(
    start: FloatArray, move: FloatArray, told: FloatArray, changed: npt.NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """All stretches without change up to each step, and those that change at that very step."""
    without, begun = np.zeros_like(told), np.zeros_like(told)
    now = start
    for step in range(len(told)):
        now = (now @ move) * told[step]
        begun[step] = np.where(changed, now, 0.0)
        now = without[step] = np.where(changed, 0.0, now)
    return without, begun


def _entropy(probability: FloatArray) -> FloatArray:
    inside = np.clip(probability, 1e-12, 1.0 - 1e-12)
    return np.asarray(-inside * np.log2(inside) - (1.0 - inside) * np.log2(1.0 - inside))
