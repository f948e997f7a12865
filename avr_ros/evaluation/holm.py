"""Holm's correction of the p values of a family of tests."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """p values corrected for the whole family, in the order given (Holm 1979).

    The k-th smallest of m is multiplied by m − k + 1; none becomes smaller than the one before
    it, nor larger than 1. The family must have been fixed before the values were seen.
    """
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, (len(p_values) - rank) * p_values[index])
        corrected[index] = min(1.0, largest)
    return corrected
