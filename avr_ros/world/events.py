"""Events of somebody from single looks: when an action first starts or stops after a frame."""

from dataclasses import dataclass
from typing import Final

from avr_ros.schema.fact import Fact
from avr_ros.world.evidence_index import EvidenceIndex
from avr_ros.world.plan import PlanEdgeOfTime

FLICKER_FRAMES: Final = 8
"""A state that is over again within so many frames is taken for a mistaken look."""


@dataclass(frozen=True)
class FoundEvent:
    """An event between two looks.

    ``before`` is the last frame known to lie before it, ``frame_id`` the first known to lie after
    it; ``supports`` are the facts of both.
    """

    before: int
    after: int
    supports: tuple[Fact, ...]

    @property
    def frame_id(self) -> int:
        """The best guess of the event's first frame."""
        return (self.before + 1 + self.after) // 2

    @property
    def off_by(self) -> int:
        """How many frames that may be off."""
        return max(self.after - self.frame_id, self.frame_id - self.before - 1)


def first_event(
    index: EvidenceIndex, entity: str, action: str, edge: PlanEdgeOfTime, after: int
) -> FoundEvent | None:
    """The first start or stop of an action after a frame, none where no looks show one.

    A start needs a look without the action first, a stop one with it.
    """
    on = edge is PlanEdgeOfTime.START
    known = [
        (frame, votes.state)
        for frame, votes in index.action_frames(entity, action).items()
        if frame >= after and votes.state is not None
    ]
    before: int | None = None
    for place, (frame, state) in enumerate(known):
        if state is not on:
            before = frame
        elif before is not None:
            later = [other for at, other in known[place + 1 :] if at - frame <= FLICKER_FRAMES]
            if later and all(other is not on for other in later):
                continue
            supports = [
                *index.action(entity, action, before).supports(not on),
                *index.action(entity, action, frame).supports(on),
            ]
            return FoundEvent(before, frame, tuple(supports))
    return None
