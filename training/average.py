"""Averages the weights of two trainings of which the second went on from the first.

    python -m training.average FIRST/network.pt SECOND/network.pt --share 0.3 --out RUN/network.pt

Both found the same valley, and the middle of it is better than its rims (Wortsman et al. 2022,
arXiv:2203.05482). What only the second has is taken as it is.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch
from torch import Tensor

from avr_ros.schema.errors import BadInputError


def main(arguments: list[str] | None = None) -> int:
    """Average."""
    parser = argparse.ArgumentParser(
        prog="training.average",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the second")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    first, second = (
        torch.load(path, weights_only=True) for path in (options.first, options.second)
    )
    unknown = sorted(first.keys() - second.keys())
    if unknown:
        raise BadInputError(f"{options.second} did not go on from {options.first}: no {unknown[0]}")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(average(first, second, options.share), options.out)
    return 0


def average(first: dict[str, Tensor], second: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """The second's weights, each moved by ``1 - share`` of the way to the first's."""
    return {
        name: first[name].lerp(value, share)
        if name in first and value.dtype.is_floating_point
        else value
        for name, value in second.items()
    }


if __name__ == "__main__":
    sys.exit(main())
