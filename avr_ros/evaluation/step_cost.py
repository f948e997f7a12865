"""What the steps of an episode cost."""

from collections.abc import Iterable, Mapping
from typing import Any

from avr_ros.schema.result import Cost
from avr_ros.schema.step import Step, StepKind


def cost_of_steps(steps: Iterable[Step]) -> Cost:
    """Count steps, model calls and what the calls say of tokens and images.

    A step of kind MODEL_CALL is one call; its details may hold ``tokens_in``, ``tokens_out``,
    ``tokens_reasoning`` and ``images``. Time is that of the steps of kinds MODEL_CALL and
    PERCEIVE, neither of which holds the other's. Observations, given frames and the whole time
    stay 0: the ledger and the driver know them.
    """
    listed = list(steps)
    calls = [step for step in listed if step.kind is StepKind.MODEL_CALL]
    return Cost(
        steps=len(listed),
        calls=len(calls),
        tokens_in=sum(_count(call.details, "tokens_in") for call in calls),
        tokens_out=sum(_count(call.details, "tokens_out") for call in calls),
        tokens_reasoning=sum(_count(call.details, "tokens_reasoning") for call in calls),
        images=sum(_count(call.details, "images") for call in calls),
        model_seconds=sum(call.seconds for call in calls),
        perception_seconds=sum(step.seconds for step in listed if step.kind is StepKind.PERCEIVE),
    )


def _count(details: Mapping[str, Any], name: str) -> int:
    value = details.get(name, 0)
    return value if isinstance(value, int) else 0
