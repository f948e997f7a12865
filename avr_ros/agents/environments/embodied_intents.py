"""The viewpoint intents of EviSeek's table 8, over the atomic actions of table 7.

An environment without the actions that an intent needs is not offered it: of EXPRESS-Bench's three
movements only FACE, APPROACH, GOTO and SWEEP can be made, the last without its tilt.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from avr_ros.agents.environments.actions import MANIPULATION, ActionName, AtomicAction
from avr_ros.agents.environments.environment import Shot, StepSizes, Target
from avr_ros.agents.environments.intent import (
    Direction,
    Intent,
    IntentError,
    IntentKind,
    IntentName,
    IntentSet,
)
from avr_ros.schema.model import Record

RISE_STEPS: Final[int] = 3
"""Upward moves of RISE_TOPDOWN (table 8)."""


class EmbodiedLimits(Record):
    """Bounds of the repetitions n and k, which the paper calls bounded without numbers.

    ``goto_forward`` is larger where rooms are (EXPRESS-Bench: appendix F).
    """

    approach_forward: int = 6
    goto_forward: int = 8
    sweep_turns: int = 12
    orbit_pairs: int = 6
    topdown_tilts: int = 4
    retreat_backward: int = 6


ESI_LIMITS: Final = EmbodiedLimits()
EXPRESS_LIMITS: Final = EmbodiedLimits(goto_forward=24)


@dataclass(frozen=True)
class _Embodied:
    """What the embodied intents share."""

    sizes: StepSizes
    limits: EmbodiedLimits
    available: frozenset[ActionName]

    def offered(self, current: Shot | None) -> bool:
        """Anywhere."""
        return True

    def aim(self, action: AtomicAction, target: Target) -> AtomicAction:
        """The camera is moved by fixed steps: the target's direction changes nothing."""
        return action

    def turns(self, bearing_deg: float | None) -> list[AtomicAction]:
        """The turns that bring the camera nearest to a bearing, the shorter way around."""
        if bearing_deg is None:
            return []
        bearing = math.remainder(math.radians(bearing_deg), 2 * math.pi)
        name = ActionName.TURN_LEFT if bearing > 0 else ActionName.TURN_RIGHT
        return [AtomicAction(name)] * round(abs(bearing) / self.sizes.turn)


@dataclass(frozen=True)
class Face(_Embodied):
    """Orient toward a bearing: n turns."""

    name = IntentName.FACE
    description = "orient toward bearing_deg"
    needs = frozenset({ActionName.TURN_LEFT, ActionName.TURN_RIGHT})
    tracks = False

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions."""
        if intent.bearing_deg is None:
            raise IntentError("FACE needs bearing_deg")
        return self.turns(intent.bearing_deg)


@dataclass(frozen=True)
class Approach(_Embodied):
    """Close in on a visible target: k moves ahead, ended where the target is lost."""

    name = IntentName.APPROACH
    description = "close in on the visible object_name by count steps ahead"
    needs = frozenset({ActionName.MOVE_FORWARD})
    tracks = True

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions."""
        count = _count(intent, self.limits.approach_forward)
        return [AtomicAction(ActionName.MOVE_FORWARD)] * count


@dataclass(frozen=True)
class GoTo(_Embodied):
    """Reposition to a seen landmark: turns, then k moves ahead."""

    name = IntentName.GOTO
    description = "reposition: turn toward bearing_deg, then count steps ahead"
    needs = frozenset({ActionName.MOVE_FORWARD, ActionName.TURN_LEFT, ActionName.TURN_RIGHT})
    tracks = False

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions."""
        ahead = [AtomicAction(ActionName.MOVE_FORWARD)] * _count(intent, self.limits.goto_forward)
        return self.turns(intent.bearing_deg) + ahead


@dataclass(frozen=True)
class Sweep(_Embodied):
    """Scan the surroundings: a tilt down where there is one, then n turns, all of them."""

    name = IntentName.SWEEP
    description = "scan a fan of count turns to direction"
    needs = frozenset({ActionName.TURN_LEFT, ActionName.TURN_RIGHT})
    tracks = False

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions."""
        left = intent.direction is Direction.LEFT
        name = ActionName.TURN_LEFT if left else ActionName.TURN_RIGHT
        tilt = (
            [AtomicAction(ActionName.TURN_DOWN)] if ActionName.TURN_DOWN in self.available else []
        )
        return tilt + [AtomicAction(name)] * _count(intent, self.limits.sweep_turns)


@dataclass(frozen=True)
class Orbit(_Embodied):
    """Shift azimuth around a visible target: n times a step aside and a turn back."""

    name = IntentName.ORBIT
    description = "shift around the visible object_name by count steps aside, direction"
    needs = frozenset(
        {
            ActionName.MOVE_RIGHT,
            ActionName.MOVE_LEFT,
            ActionName.TURN_LEFT,
            ActionName.TURN_RIGHT,
        }
    )
    tracks = True

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions; table 8 writes the orbit to the right, the other is its mirror image."""
        right = intent.direction is Direction.RIGHT
        aside = ActionName.MOVE_RIGHT if right else ActionName.MOVE_LEFT
        back = ActionName.TURN_LEFT if right else ActionName.TURN_RIGHT
        pair = [AtomicAction(aside), AtomicAction(back)]
        return pair * _count(intent, self.limits.orbit_pairs)


@dataclass(frozen=True)
class RiseTopdown(_Embodied):
    """Rise for an overhead view: three moves up, then n tilts down."""

    name = IntentName.RISE_TOPDOWN
    description = "rise for an overhead view and tilt down count times"
    needs = frozenset({ActionName.MOVE_UP, ActionName.TURN_DOWN})
    tracks = False

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions."""
        tilts = [AtomicAction(ActionName.TURN_DOWN)] * _count(intent, self.limits.topdown_tilts)
        return [AtomicAction(ActionName.MOVE_UP)] * RISE_STEPS + tilts


@dataclass(frozen=True)
class RetreatWide(_Embodied):
    """Widen what is seen: k moves back."""

    name = IntentName.RETREAT_WIDE
    description = "step back count times to see more"
    needs = frozenset({ActionName.MOVE_BACKWARD})
    tracks = False

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions."""
        count = _count(intent, self.limits.retreat_backward)
        return [AtomicAction(ActionName.MOVE_BACKWARD)] * count


@dataclass(frozen=True)
class Manipulate(_Embodied):
    """A physical intervention: one of the environment's manipulation commands, as it is."""

    name = IntentName.MANIPULATE
    needs: frozenset[ActionName] = frozenset()
    tracks = False

    @property
    def description(self) -> str:
        """The manipulations that there are."""
        named = _named(self.available & frozenset(MANIPULATION))
        return f"a manipulation: atomic_action one of {named}, with its objects in order"

    def offered(self, current: Shot | None) -> bool:
        """Where the environment has any manipulation."""
        return bool(self.available & frozenset(MANIPULATION))

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """The command itself."""
        action = intent.action
        if action is None or action not in MANIPULATION or action not in self.available:
            raise IntentError("MANIPULATE needs one of the environment's manipulations as action")
        if len(intent.objects) != MANIPULATION[action] or not all(intent.objects):
            raise IntentError(f"{action.value} needs {MANIPULATION[action]} objects")
        return [AtomicAction(action, objects=intent.objects)]


@dataclass(frozen=True)
class Atomic(_Embodied):
    """One movement or turn: what a decision is without intents (appendix H.1)."""

    name = IntentName.ATOMIC
    needs: frozenset[ActionName] = frozenset()
    tracks = False

    @property
    def description(self) -> str:
        """The actions that there are."""
        return f"one action: atomic_action one of {_named(self.available)}, objects if it takes any"

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """The action itself."""
        action = intent.action
        if action is None or action not in self.available:
            raise IntentError("ATOMIC needs one of the environment's actions as action")
        wanted = MANIPULATION.get(action, 0)
        if len(intent.objects) != wanted:
            raise IntentError(f"{action.value} needs {wanted} objects")
        return [AtomicAction(action, objects=intent.objects)]


_KINDS: Final = (Face, Approach, GoTo, Sweep, Orbit, RiseTopdown, RetreatWide, Manipulate)


def embodied_intents(
    actions: frozenset[ActionName],
    sizes: StepSizes,
    limits: EmbodiedLimits = ESI_LIMITS,
    atomic: bool = False,
) -> IntentSet:
    """The intents that an environment with these actions is offered.

    ``atomic`` offers single actions alone, for the ablation without intents.
    """
    makers: tuple[type[_Embodied], ...] = (Atomic,) if atomic else _KINDS
    made = [maker(sizes, limits, actions) for maker in makers]
    kinds: list[IntentKind] = [kind for kind in made if kind.offered(None)]  # type: ignore[misc]
    return IntentSet.of(kinds, actions)


def _named(actions: frozenset[ActionName]) -> str:
    """Actions by name, manipulations with the number of their objects, in a fixed order."""
    ordered = sorted(actions, key=list(ActionName).index)
    return ", ".join(
        f"{action.value} ({MANIPULATION[action]} objects)"
        if action in MANIPULATION
        else str(action.value)
        for action in ordered
    )


def _count(intent: Intent, most: int) -> int:
    """Repetitions, one where none are given. Raises IntentError above the intent's bound."""
    count = intent.count or 1
    if count > most:
        raise IntentError(f"{intent.name.value} repeats at most {most} times, not {count}")
    return count
