"""What a look says of the thing that somebody does, as likelihoods for the search for changes.

A thing is a set of actions: a posture and any activities. With probabilities of actions a look
tells how probable each thing is; divided by how usual the thing is, that is the look's likelihood.
"""

import math
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.agents.avr.action_evidence import Actions, reckoned
from avr_ros.agents.avr.action_rates import rate
from avr_ros.schema.vocabulary import POSE_ACTIONS

State = Callable[[Actions], float]
"""Probability of a state by the probabilities of actions."""

Thing = frozenset[str]

UNUSUAL: Final = 1e-4
"""Least probability reckoned with for things that are not told apart."""

STRONG: Final = 3.0
"""Ratio of odds from which a look speaks for a state."""


def doing(action: str) -> State:
    """The state of doing an action."""
    return lambda look: look.get(action, 0.0)


def doing_any(actions: Collection[str]) -> State:
    """The state of doing any of some actions: one posture holds, activities may go together."""
    poses = [name for name in POSE_ACTIONS if name in actions]
    others = sorted(set(actions) - set(poses))

    def state(look: Actions) -> float:
        none = 1.0 - min(1.0, math.fsum(look.get(name, 0.0) for name in poses))
        return 1.0 - none * math.prod(1.0 - look.get(name, 0.0) for name in others)

    return state


def opposite(state: State) -> State:
    """The state that holds where another one does not."""
    return lambda look: 1.0 - state(look)


@dataclass(frozen=True, eq=False)
class ActionLook:
    """One look, or several at one moment: ``actions`` are probabilities of ``told`` actions.

    ``changed`` is the state that is searched for; ``thing`` what is most probably done.
    ``mistaken`` is how often a look is of something else altogether.
    """

    actions: Mapping[str, float]
    told: Sequence[str]
    state: State
    thing: Thing
    mistaken: float

    @cached_property
    def changed(self) -> bool:
        """Whether the thing shows the changed state."""
        return self._shows(self.thing)

    @cached_property
    def kinds(self) -> tuple[tuple[Hashable, bool], ...]:
        """What is most probably done, and what is if the state is the other one."""
        other = max(
            (item for item in self._neighbours() if self._shows(item) != self.changed),
            key=lambda item: (self._share(item)[0], sorted(item)),
            default=None,
        )
        most = (self.thing, self.changed)
        return (most,) if other is None else (most, (other, not self.changed))

    def _neighbours(self) -> Iterator[Thing]:
        """Things that differ from the most probable one in the posture or in one activity."""
        poses = self.thing.intersection(POSE_ACTIONS)
        for name in self.told:
            if name in POSE_ACTIONS:
                yield (self.thing - poses) | {name}
            else:
                yield self.thing ^ {name}

    def _shows(self, thing: Thing) -> bool:
        return self.state(dict.fromkeys(thing, 1.0)) >= 0.5

    @property
    def speaks_for_change(self) -> bool:
        """Whether the look speaks for the changed state, beside how usual it is."""
        seen, usual = self._changed
        return seen * (1.0 - usual) > STRONG * usual * (1.0 - seen)

    def likelihood(self, kinds: Sequence[tuple[Hashable, bool]]) -> npt.NDArray[np.float64]:
        """How likely the look is for each kind (a thing, and whether it shows the changed state),
        and then for all other things that do not show it and for all others that do."""
        seen, usual = self._changed
        left = {False: [1.0 - seen, 1.0 - usual], True: [seen, usual]}
        likely: list[float] = []
        for thing, shows in kinds:
            share, common = self._share(thing)
            likely.append(share / common)
            left[shows][0] -= share
            left[shows][1] -= common
        for shows in (False, True):
            share, common = (max(value, UNUSUAL) for value in left[shows])
            likely.append(share / common)
        return (1.0 - self.mistaken) * np.array(likely) + self.mistaken

    @cached_property
    def _reckoned(self) -> dict[str, float]:
        return {name: reckoned(self.actions, name) for name in self.told}

    @cached_property
    def _changed(self) -> tuple[float, float]:
        usual = self.state({name: rate(name) for name in self.told})
        return self.state(self._reckoned), min(max(usual, UNUSUAL), 1.0 - UNUSUAL)

    def _share(self, thing: Hashable) -> tuple[float, float]:
        """Probability of exactly a thing, by the look and without it."""
        done = thing if isinstance(thing, frozenset) else frozenset()
        share = common = 1.0
        for name in self.told:
            usual, seen = rate(name), self._reckoned[name]
            if name in done:
                share, common = share * seen, common * usual
            elif name not in POSE_ACTIONS:
                share, common = share * (1.0 - seen), common * (1.0 - usual)
        return share, max(common, UNUSUAL)
