"""How long people do things, as a rule, in frames of a camera at about 15 a second."""

from typing import Final

from avr_ros.agents.avr.change_search import Lasting
from avr_ros.reasoning.meaning import Edge
from avr_ros.schema.vocabulary import POSE_ACTIONS

GESTURES: Final = frozenset({"greeting gestures", "pointing at sth"})
"""What is over after two seconds."""


def lasting(action: str, edge: Edge) -> Lasting:
    """How long an action lasts once it has started, or its absence once it has stopped."""
    if edge is Edge.STOP:
        return Lasting(shortest=25.0, typical=65.0, spread=0.5)
    if action in GESTURES:
        return Lasting(shortest=20.0, typical=28.0, spread=0.2, returns=0.1)
    if action in POSE_ACTIONS:
        return Lasting(shortest=18.0, typical=55.0)
    return Lasting(shortest=30.0, typical=60.0, spread=0.45, returns=0.15)
