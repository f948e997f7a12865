"""Trains the close look alone, on what it sees in views of a network that stays as it is.

    python -m training.close PANORAMAS --start RUN/network.pt --out CLOSE

Once what it sees of people is gathered, a step costs a fifteenth of one of `training.train`.
``CLOSE/network.pt`` and ``CLOSE/identities.pt`` are as `training.train` leaves them, which is to go
on from there with all parts, on new views. What is gathered is seen several times over and learned
by heart in part, so that a look that was trained for long is too sure of what it says: ``--share``
is how much of it is kept. The data and every random draw follow from ``--seed``.
"""

from __future__ import annotations

import argparse
import copy
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import torch
from torch import Tensor, nn
from torch.nn import functional

from avr_ros.schema.seeds import generator
from training.crops import GESTURES, POSTURES, SIZE, batch
from training.losses import FOUND_FROM, PREDICTED, RARE, moved, owners
from training.network import CloseLook, PersonNetwork, take_weights, usable
from training.panoramas import Panoramas, load_all
from training.train import AVERAGE, follow, rate_share

PEOPLE: Final = 256
"""People of one step."""

LOG_EVERY: Final = 100


@dataclass(frozen=True, eq=False)
class Seen:
    """What the close look sees of N people, and what it is to say.

    ``finest`` (N, 16, 32, 16), ``finer`` (N, 24, 16, 8) and ``hidden`` (N, 192) are in half
    precision; ``said`` (N, P + G) logits of the others, ``posture`` (N,), ``gestures`` (N, G),
    ``weight`` (N,).
    """

    finest: Tensor
    finer: Tensor
    hidden: Tensor
    said: Tensor
    posture: Tensor
    gestures: Tensor
    weight: Tensor


def main(arguments: list[str] | None = None) -> int:
    """Train."""
    parser = argparse.ArgumentParser(
        prog="training.close",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("panoramas", type=Path)
    parser.add_argument("--start", type=Path, required=True, help="network.pt to go on from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--batches", type=int, default=450, help="of 16 views to gather from")
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--warm-up", type=int, default=50, help="steps of a rising learning rate")
    parser.add_argument(
        "--share", type=float, default=0.4, help="of what the look adds that is kept in the end"
    )
    parser.add_argument("--posture", type=float, default=1.5, help="weight of postures' loss")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    network = PersonNetwork(len(POSTURES), len(GESTURES))
    take_weights(network, options.start)
    seen = gather(network, load_all(options.panoramas), options.batches, options.seed)
    print(f"{len(seen.posture)} people", flush=True)
    network.close = fit(network.close, seen, options)
    with torch.no_grad():
        for parameter in network.close.out.parameters():
            parameter.mul_(options.share)
    options.out.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), options.out / "network.pt")
    shutil.copy(options.start.with_name("identities.pt"), options.out / "identities.pt")
    return 0


def gather(network: PersonNetwork, sequences: list[Panoramas], batches: int, seed: int) -> Seen:
    """What the close look sees of the people in views who are found, and of boxes near theirs."""
    network.eval()
    given: list[tuple[Tensor, ...]] = []
    hook = network.close.register_forward_pre_hook(lambda _, inputs: given.append(inputs))
    random = torch.Generator().manual_seed(seed)
    parts: list[tuple[Tensor, ...]] = []
    with torch.no_grad():
        for step in range(batches):
            values = batch(sequences, generator(seed, "close", step))
            views = {name: torch.from_numpy(value) for name, value in values.items()}
            dense = network.dense(views["image"])
            rough = usable(network.candidates(dense, PREDICTED)[1], SIZE)
            first = network.look_again(dense, rough, closely=False).box.reshape(rough.shape)
            boxes = torch.cat([usable(first, SIZE), moved(views, random)], dim=1)
            owner, _, _ = owners(boxes, views, FOUND_FROM)
            people = network.look_again(dense, boxes, closely=True)
            place = torch.nonzero(owner >= 0)[:, 0]
            whose = owner[place]
            parts.append(
                (
                    *(value[place].half() for value in given.pop()),
                    torch.cat([people.posture, people.gestures], dim=1)[place],
                    *(
                        views[name].flatten(0, 1)[whose]
                        for name in ("posture", "gestures", "weight")
                    ),
                )
            )
    hook.remove()
    return Seen(*(torch.cat(column) for column in zip(*parts, strict=True)))


def fit(close: CloseLook, seen: Seen, options: argparse.Namespace) -> CloseLook:
    """Train the look and return its moving average.

    What the look adds to those who know much already tells it little of what there is to see, so
    a layer beside has to say everything from its features alone.
    """
    average = copy.deepcopy(close)
    lesson = _Lesson(close.train(), seen.said.shape[1])
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in lesson.parameters() if p.ndim > 1], "weight_decay": 0.02},
            {"params": [p for p in lesson.parameters() if p.ndim <= 1], "weight_decay": 0.0},
        ],
        lr=options.rate,
    )
    random = torch.Generator().manual_seed(options.seed)
    order = torch.zeros(0, dtype=torch.int64)
    sums = torch.zeros(4)
    for step in range(options.steps):
        for group in optimizer.param_groups:
            group["lr"] = options.rate * rate_share(step, options.steps, options.warm_up)
        if len(order) < PEOPLE:
            order = torch.randperm(len(seen.posture), generator=random)
        chosen, order = order[:PEOPLE], order[PEOPLE:]
        parts = lesson(seen, chosen)
        optimizer.zero_grad()
        (parts @ torch.tensor([options.posture, 1.0]).repeat(2)).backward()
        nn.utils.clip_grad_norm_(close.parameters(), 5.0)
        optimizer.step()
        follow(average, close, min(AVERAGE, (step + 1) / (step + 10)))
        sums += parts.detach() / LOG_EVERY
        if (step + 1) % LOG_EVERY == 0:
            print(
                "{}: postures {:.4f}, gestures {:.4f}; alone {:.4f}, {:.4f}".format(
                    step + 1, *sums.tolist()
                ),
                flush=True,
            )
            sums = torch.zeros(4)
    return average


class _Lesson(nn.Module):
    """The close look and a layer that says the same from its features alone."""

    def __init__(self, close: CloseLook, actions: int) -> None:
        super().__init__()
        self.close = close
        self.alone = nn.Linear(close.features, actions)

    def forward(self, seen: Seen, chosen: Tensor) -> Tensor:
        """Losses (4,) for the chosen (B,): postures, gestures, and both of the layer alone."""
        finest, finer, hidden = (
            value[chosen].float() for value in (seen.finest, seen.finer, seen.hidden)
        )
        features = self.close.see(finest, finer)
        together = seen.said[chosen] + self.close.say(features, hidden)
        return torch.cat([_losses(said, seen, chosen) for said in (together, self.alone(features))])


def _losses(said: Tensor, seen: Seen, chosen: Tensor) -> Tensor:
    """Losses (2,) of postures and of gestures, for logits (B, P + G)."""
    posture = functional.cross_entropy(
        said[:, : len(POSTURES)], seen.posture[chosen], reduction="none"
    )
    gestures = functional.binary_cross_entropy_with_logits(
        said[:, len(POSTURES) :],
        seen.gestures[chosen],
        reduction="none",
        pos_weight=torch.tensor(RARE),
    ).sum(dim=1)
    weight = seen.weight[chosen]
    return torch.stack([posture, gestures]) @ weight / weight.sum()


if __name__ == "__main__":
    sys.exit(main())
