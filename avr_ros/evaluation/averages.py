"""Micro and macro averages of rates over groups of questions."""

from collections.abc import Sequence


def micro_average(rates: Sequence[float], sizes: Sequence[int]) -> float | None:
    """Mean of group rates weighted by the groups' numbers of questions; none without questions.

    Raises ValueError where there are not as many sizes as rates.
    """
    total = sum(sizes)
    if total == 0:
        return None
    return sum(rate * size for rate, size in zip(rates, sizes, strict=True)) / total


def macro_average(rates: Sequence[float]) -> float | None:
    """Mean of group rates, every group alike; none without groups."""
    return sum(rates) / len(rates) if rates else None
