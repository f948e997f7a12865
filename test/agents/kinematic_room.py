"""A small deterministic embodied environment: a camera among points in a walled room."""

import math
from dataclasses import dataclass, field, replace

from avr_ros.agents.environments.actions import (
    LOCOMOTION,
    MANIPULATION,
    TURNS,
    ActionName,
    AtomicAction,
    action_text,
)
from avr_ros.agents.environments.environment import ActionResult, Shot, StepSizes, Target
from avr_ros.agents.environments.pose import ActionPose, PoseBounds
from avr_ros.reasoning.stage import StageImage

SIGHT = math.radians(40)
REACH_M = 6.0
BOUNDS = PoseBounds(lowest=-0.5, highest=1.0, pitch=math.radians(45))


@dataclass
class KinematicRoom:
    """Things at (east, north) in a square room of ``half`` metres to each side.

    The camera is moved where there is no wall; its action-derived pose is kept beside.
    """

    actions: frozenset[ActionName]
    sizes: StepSizes
    budget: int
    things: dict[str, tuple[float, float]]
    half: float = 3.0
    pose: ActionPose = ActionPose()
    derived: ActionPose = ActionPose()
    done: list[AtomicAction] = field(default_factory=list)
    held: str = ""

    description = "A room."

    @property
    def remaining(self) -> int:
        return self.budget - len(self.done)

    def execute(self, action: AtomicAction) -> ActionResult:
        assert self.remaining > 0, "an action past the budget"
        if action.name not in self.actions:
            raise ValueError(f"this room cannot {action.name.value}")
        self.done.append(action)
        feedback, success = "", True
        if action.name in MANIPULATION:
            success = all(name in self.things for name in action.objects)
            self.held = action.objects[0] if success else self.held
            feedback = f"{action_text(action)} success={success}"
        elif action.name in LOCOMOTION | TURNS:
            moved = self.pose.after(action.name, self.sizes, BOUNDS)
            success = max(abs(moved.east), abs(moved.north)) <= self.half
            self.pose = moved if success else self.pose
            self.derived = self.derived.after(action.name, self.sizes, BOUNDS)
            feedback = "" if success else "blocked success=False"
        return ActionResult(success, feedback, self.shot())

    def shot(self) -> Shot:
        name = f"view {len(self.done) + 1}"
        seen = ",".join(thing for thing in self.things if self.bearing(thing) is not None)
        picture = f"{self.pose} {seen}".encode()
        return Shot(name, self.derived.text, StageImage(name, picture))

    def bearing(self, thing: str) -> float | None:
        """Direction of a thing from the camera, none where it is not in sight."""
        if thing not in self.things:
            return None
        east, north = self.things[thing]
        ahead = math.atan2(-(east - self.pose.east), north - self.pose.north)
        turned = math.remainder(ahead - self.pose.heading, 2 * math.pi)
        near = math.hypot(east - self.pose.east, north - self.pose.north) <= REACH_M
        return turned if near and abs(turned) <= SIGHT else None

    def locate(self, shot: Shot, target: Target) -> Target | None:
        bearing = self.bearing(target.name)
        return None if bearing is None else replace(target, shot=shot.name, bearing=bearing)
