"""Makes a trained network's probabilities mean what they say, on sequences kept apart.

    python -m training.calibrate RUN/network.pt --out RUN/calibrated.pt [--first-seed 1900]

A posture's logits get one common factor, a gesture's one common factor and a summand each (Platt
1999, "Probabilistic outputs for support vector machines"); the summands are held near each other,
as some gestures are rare. The training's own weight on gestures that are made is undone by this.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import cv2
import torch
from torch import Tensor
from torch.nn import functional

from avr_ros.sample.occlusion import MOSTLY_VISIBLE_FROM
from training.crops import GESTURES, POSTURES, cut, target
from training.evaluate import FRAMES_APART, TALL, VIEWS
from training.losses import FOUND_FROM, pairwise_iou
from training.network import CANDIDATES, PersonNetwork, take_weights
from training.panoramas import FIRST_UNSEEN_SEED, draw

FAR_FROM_EACH_OTHER: Final = 0.5
"""Standard deviation to which the gestures' summands are held about their mean."""


def main(arguments: list[str] | None = None) -> int:
    """Calibrate."""
    parser = argparse.ArgumentParser(
        prog="training.calibrate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("weights", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first-seed", type=int, default=FIRST_UNSEEN_SEED)
    parser.add_argument("--seeds", type=int, default=20)
    options = parser.parse_args(arguments)
    if options.first_seed < FIRST_UNSEEN_SEED:
        parser.error(f"seeds below {FIRST_UNSEEN_SEED} may have been trained on")
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    network = PersonNetwork(len(POSTURES), len(GESTURES))
    take_weights(network, options.weights)
    network.eval()
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    with torch.no_grad():
        posture, is_posture, gestures, is_made = said(network, list(seeds))
    network.calibrated_posture = fit_posture(posture, is_posture)
    network.calibrated_gestures = fit_gestures(gestures, is_made)
    torch.save(network.state_dict(), options.out)
    print(f"{len(posture)} people: posture x {float(network.calibrated_posture):.2f}")
    for name, scale, shift in zip(GESTURES, *network.calibrated_gestures.tolist(), strict=True):
        print(f"{name}: x {scale:.2f} {shift:+.2f}")
    return 0


def said(network: PersonNetwork, seeds: list[int]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Posture logits (N, P), true postures (N,), gesture logits (N, G), whether made (N, G), of
    the people in plain sight who are found."""
    parts: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
    for seed in seeds:
        data = draw(seed, step=FRAMES_APART)
        for position in range(len(data.frame)):
            panorama = data.image(position)
            for index in range(VIEWS):
                left = index * panorama.shape[1] // VIEWS + 37 * seed
                wanted = target(data, position, left % panorama.shape[1], False, 0)
                dense = network.dense(torch.from_numpy(cut(panorama, left))[None])
                _, rough = network.candidates(dense, CANDIDATES)
                people = network.look_twice(dense, rough, float(panorama.shape[0]))
                true = torch.from_numpy(wanted.box)
                plain = torch.from_numpy(wanted.visible) >= MOSTLY_VISIBLE_FROM
                plain &= true[:, 3] - true[:, 1] >= TALL
                best, row = pairwise_iou(true[None], people.box[None])[0].max(dim=1)
                person = torch.nonzero(plain & (best >= FOUND_FROM))[:, 0]
                row = row[person]
                parts.append(
                    (
                        people.posture[row],
                        torch.from_numpy(wanted.posture)[person],
                        people.gestures[row],
                        torch.from_numpy(wanted.gestures)[person],
                    )
                )
    posture, is_posture, gestures, is_made = (torch.cat(each) for each in zip(*parts, strict=True))
    return posture, is_posture, gestures, is_made


def fit_posture(logits: Tensor, true: Tensor) -> Tensor:
    """The factor (1,) of logits (N, P) under which the true classes (N,) are likeliest."""
    scale = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([scale], max_iter=50)

    def loss() -> Tensor:
        optimizer.zero_grad()
        value = functional.cross_entropy(logits * scale, true)
        value.backward()
        return value

    optimizer.step(loss)
    return scale.detach()


def fit_gestures(logits: Tensor, made: Tensor) -> Tensor:
    """Factors and summands (2, G) of logits (N, G) under which what is made (N, G) is likeliest."""
    common = torch.tensor([1.0, 0.0], requires_grad=True)
    own = torch.zeros(logits.shape[1], requires_grad=True)
    optimizer = torch.optim.LBFGS([common, own], max_iter=100)

    def loss() -> Tensor:
        optimizer.zero_grad()
        told = logits * common[0] + common[1] + own
        value = functional.binary_cross_entropy_with_logits(told, made, reduction="sum")
        value = value + 0.5 * (own / FAR_FROM_EACH_OTHER).square().sum()
        value.backward()
        return value

    optimizer.step(loss)
    with torch.no_grad():
        return torch.stack([common[0].expand_as(own), common[1] + own])


if __name__ == "__main__":
    sys.exit(main())
