"""Random generators derived from one recorded seed and the name of what they are for."""

import hashlib

import numpy as np


def derived_seed(seed: int, *labels: str | int) -> int:
    """Return a 128-bit seed that depends on ``seed`` and on every label, in order.

    The same arguments give the same value on every machine and Python version, and two different
    lists of labels give unrelated values, so that a choice made for one question, frame or person
    does not depend on how many others were made before it.
    """
    text = "\x1f".join([str(seed), *(f"{type(label).__name__}:{label}" for label in labels)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")


def generator(seed: int, *labels: str | int) -> np.random.Generator:
    """Return a NumPy generator for the purpose that ``labels`` name, see :func:`derived_seed`."""
    return np.random.Generator(np.random.PCG64(derived_seed(seed, *labels)))
