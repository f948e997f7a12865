"""Times functions side by side, in turns within one run: the machine's moods hit all alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt


def interleaved(
    functions: Mapping[str, Callable[[int], object]], rounds: int, seed: int = 0
) -> dict[str, npt.NDArray[np.float64]]:
    """Return the seconds that each call took, by name, ``rounds`` of them each.

    Every round calls each function once with the round's number, in an order drawn anew from
    ``seed``, so that none always profits from what another left in the caches.
    """
    generator = np.random.default_rng(seed)
    names = list(functions)
    seconds = {name: np.zeros(rounds) for name in names}
    for turn in range(rounds):
        for at in generator.permutation(len(names)):
            name = names[int(at)]
            before = time.perf_counter()
            functions[name](turn)
            seconds[name][turn] = time.perf_counter() - before
    return seconds


def ratio(seconds: npt.NDArray[np.float64], baseline: npt.NDArray[np.float64]) -> float:
    """Return the ratio of the medians."""
    return float(np.median(seconds) / np.median(baseline))
