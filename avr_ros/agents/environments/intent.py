"""Acquisition intents: what a seeker decides on, and how it becomes atomic actions.

An intent compiles into a short sequence of atomic actions. The sequence is cut to what is left of
the budget, each action is executed and charged one step, and an intent that tracks a target ends
where the target is lost (EviSeek, appendix F).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol

from pydantic import Field

from avr_ros.agents.environments.actions import ActionName, AtomicAction, action_text
from avr_ros.agents.environments.environment import ActionResult, Environment, Shot, Target
from avr_ros.schema.box import Box
from avr_ros.schema.errors import AvrError
from avr_ros.schema.model import Record

MAX_REPEATS: Final[int] = 24
"""Most repetitions that an intent may ask for; intents have tighter bounds of their own."""


class IntentError(AvrError):
    """An intent lacks a parameter, or asks for something that cannot be; nothing was executed."""


class IntentName(str, Enum):
    """Intents of embodied environments (EviSeek, table 8), then those of recordings."""

    FACE = "FACE"
    APPROACH = "APPROACH"
    GOTO = "GOTO"
    SWEEP = "SWEEP"
    ORBIT = "ORBIT"
    RISE_TOPDOWN = "RISE_TOPDOWN"
    RETREAT_WIDE = "RETREAT_WIDE"
    MANIPULATE = "MANIPULATE"
    SEEK = "SEEK"
    FOLLOW = "FOLLOW"
    ZOOM = "ZOOM"
    WIDEN = "WIDEN"
    ATOMIC = "ATOMIC"


class Direction(str, Enum):
    """Which way a fan or an orbit goes."""

    LEFT = "left"
    RIGHT = "right"


class Intent(Record):
    """An intent with its parameters; each kind uses some of them and ignores the rest.

    ``bearing_deg`` is positive to the left, of the robot on recordings and of the camera
    elsewhere. ``count`` are repetitions. ``box`` (x, y, width, height in thousandths of the
    current picture) marks a target, ``object_name`` names one. ``action`` and ``objects`` are a
    manipulation's, or the one action of the intent ATOMIC.
    """

    name: IntentName
    bearing_deg: float | None = Field(default=None, ge=-360, le=360)
    count: int | None = Field(default=None, ge=1, le=MAX_REPEATS)
    direction: Direction = Direction.LEFT
    frame_id: int | None = Field(default=None, ge=0)
    box: tuple[float, float, float, float] | None = None
    object_name: str = ""
    action: ActionName | None = None
    objects: tuple[str, ...] = ()


def intent_text(intent: Intent) -> str:
    """An intent in one line, its unset parameters left out."""
    given = intent.model_dump(mode="json", exclude={"name"}, exclude_defaults=True)
    return " ".join(
        [intent.name.value, *(f"{name}={_text(value)}" for name, value in given.items())]
    )


def _text(value: object) -> str:
    """A parameter; numbers to a tenth, which is as exactly as anybody reads them."""
    if isinstance(value, float):
        return f"{round(value, 1):g}"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(_text(item) for item in value)})"
    return str(value)


class IntentKind(Protocol):
    """How one intent is described and compiled in one environment."""

    @property
    def name(self) -> IntentName:
        """Its name."""

    @property
    def description(self) -> str:
        """What it does and which parameters it takes, for prompts."""

    @property
    def needs(self) -> frozenset[ActionName]:
        """Atomic actions without which it is not offered."""

    @property
    def tracks(self) -> bool:
        """Whether it ends where its target is lost; others run to completion."""

    def offered(self, current: Shot | None) -> bool:
        """Whether it makes sense from the current view."""

    def compile(self, intent: Intent, current: Shot | None) -> Sequence[AtomicAction]:
        """Its actions. Raises IntentError."""

    def aim(self, action: AtomicAction, target: Target) -> AtomicAction:
        """The next action turned to where the target was just seen."""


@dataclass(frozen=True, eq=False)
class IntentOutcome:
    """What became of an intent.

    ``compiled`` is the number of actions that it stands for, ``executed`` those that were done and
    charged. ``clamped`` is whether the budget cut it, ``lost`` whether its target went out of
    sight, ``refused`` what the environment refused. ``feedback`` is the environment's last word.
    """

    intent: Intent
    compiled: int
    executed: tuple[AtomicAction, ...]
    shots: tuple[Shot, ...]
    clamped: bool = False
    lost: bool = False
    refused: str = ""
    feedback: str = ""

    @property
    def text(self) -> str:
        """The outcome in one line, for histories and the board."""
        parts = [f"{len(self.executed)} of {self.compiled} actions done"]
        if self.clamped:
            parts.append("cut to the budget")
        if self.lost:
            parts.append("target lost")
        if self.refused:
            parts.append(f"refused: {self.refused}")
        if self.feedback:
            parts.append(self.feedback)
        return "; ".join(parts)


@dataclass(frozen=True)
class IntentSet:
    """The intents of an environment by name."""

    kinds: Mapping[IntentName, IntentKind] = field(repr=False)

    @classmethod
    def of(cls, kinds: Iterable[IntentKind], actions: frozenset[ActionName]) -> "IntentSet":
        """The kinds whose actions are all among those that an environment declares."""
        return cls({kind.name: kind for kind in kinds if kind.needs <= actions})

    def offered(self, current: Shot | None) -> tuple[IntentKind, ...]:
        """The kinds that make sense from the current view."""
        return tuple(kind for kind in self.kinds.values() if kind.offered(current))


def execute_intent(
    intent: Intent, intents: IntentSet, environment: Environment, current: Shot | None
) -> IntentOutcome:
    """Compile an intent, cut it to the budget and execute it action by action.

    Raises IntentError, before anything is executed, for an intent that is not offered or that
    lacks a parameter.
    """
    kind = intents.kinds.get(intent.name)
    if kind is None or not kind.offered(current):
        raise IntentError(f"intent {intent.name.value} is not offered here")
    compiled = tuple(kind.compile(intent, current))
    allowed = compiled[: max(0, environment.remaining)]
    target = _first_target(intent, environment, current) if kind.tracks else None
    if kind.tracks and target is None:
        return IntentOutcome(intent, len(compiled), (), (), lost=True)
    executed: list[AtomicAction] = []
    shots: list[Shot] = []
    feedback, refused, lost = "", "", False
    for planned in allowed:
        action = planned if target is None else kind.aim(planned, target)
        result: ActionResult = environment.execute(action)
        feedback = result.feedback
        if not result.charged:
            refused = f"{action_text(action)} ({result.feedback})"
            break
        executed.append(action)
        if result.shot is not None:
            shots.append(result.shot)
        if target is not None:
            target = None if result.shot is None else environment.locate(result.shot, target)
            if target is None:
                lost = True
                break
    return IntentOutcome(
        intent,
        len(compiled),
        tuple(executed),
        tuple(shots),
        clamped=len(allowed) < len(compiled),
        lost=lost,
        refused=refused,
        feedback=feedback,
    )


def _first_target(intent: Intent, environment: Environment, current: Shot | None) -> Target | None:
    if current is None:
        return None
    box = None if intent.box is None else Box(*intent.box)
    return environment.locate(current, Target(intent.object_name, current.name, box))
