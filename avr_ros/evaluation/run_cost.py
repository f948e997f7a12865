"""What runs cost: means of an episode and sums over all of them."""

from collections.abc import Iterable, Sequence

from avr_ros.evaluation.comparison_result import CostTotals
from avr_ros.schema.report import CostMeans
from avr_ros.schema.result import Cost


def cost_means(costs: Sequence[Cost]) -> CostMeans:
    """Mean cost of an episode; all 0 of none."""
    n = max(len(costs), 1)
    return CostMeans(
        **{name: sum(getattr(cost, name) for cost in costs) / n for name in CostMeans.model_fields}
    )


def cost_totals(costs: Iterable[Cost]) -> CostTotals:
    """Summed cost; tokens are those read, written and spent on reasoning."""
    listed = list(costs)
    return CostTotals(
        steps=sum(cost.steps for cost in listed),
        observations=sum(cost.observations for cost in listed),
        given_frames=sum(cost.given_frames for cost in listed),
        calls=sum(cost.calls for cost in listed),
        tokens=sum(cost.tokens_in + cost.tokens_out + cost.tokens_reasoning for cost in listed),
        images=sum(cost.images for cost in listed),
        seconds=sum(cost.seconds for cost in listed),
    )
