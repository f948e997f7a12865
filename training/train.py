"""Trains the network on panoramas drawn by `training.panoramas`.

    python -m training.train PANORAMAS --out RUN --steps 2000

``RUN/log.jsonl`` gets a line every 25 steps, ``RUN/network.pt`` the averaged weights every 250 and
at the end. The data, their order and every random draw follow from ``--seed``; sums over several
threads do not, in their last bits, so that two runs give networks of the same accuracy, not of the
same bytes.
"""

from __future__ import annotations

import argparse
import copy
import json
import queue
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from avr_ros.schema.seeds import generator
from training.crops import GESTURES, POSTURES, Batch, batch
from training.crops import identities as count_identities
from training.losses import WEIGHTS, Identities, losses
from training.network import EMBEDDING, PersonNetwork, take_weights
from training.panoramas import Panoramas, load_all

LOG_EVERY: Final = 25
SAVE_EVERY: Final = 250
AVERAGE: Final = 0.996
"""Share of the old in the moving average of the weights after each step."""


def main(arguments: list[str] | None = None) -> int:
    """Train."""
    parser = argparse.ArgumentParser(
        prog="training.train",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("panoramas", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--stop", type=int, default=0, help="end after so many steps; 0: after all")
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="let the rate fall with time and end then"
    )
    parser.add_argument("--warm-up", type=int, default=150, help="steps of a rising learning rate")
    parser.add_argument(
        "--weight",
        action="append",
        default=[],
        metavar="PART=VALUE",
        help="weight of a loss's part",
    )
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="replicas that share a batch")
    parser.add_argument(
        "--float32", action="store_true", help="for processors that are slow in bfloat16"
    )
    parser.add_argument(
        "--fixed",
        action="append",
        default=[],
        metavar="MODULE",
        help="part of the network that stays as it is, as stem",
    )
    parser.add_argument("--start", type=Path, help="network.pt to go on from")
    options = parser.parse_args(arguments)
    options.weights = dict(WEIGHTS)
    for text in options.weight:
        name, _, value = text.partition("=")
        if name not in WEIGHTS:
            parser.error(f"the loss has no part {name!r}; it has {', '.join(WEIGHTS)}")
        options.weights[name] = float(value)
    torch.manual_seed(options.seed)
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    settings = {key: str(value) for key, value in vars(options).items()}
    (options.out / "settings.json").write_text(json.dumps(settings, indent=1) + "\n")
    sequences = load_all(options.panoramas)
    print(f"{len(sequences)} sequences", flush=True)
    train(sequences, options)
    return 0


def train(sequences: list[Panoramas], options: argparse.Namespace) -> None:
    """Run all steps."""
    network = PersonNetwork(len(POSTURES), len(GESTURES))
    if options.start is not None:
        take_weights(network, options.start)
    network = network.to(memory_format=torch.channels_last)
    average = copy.deepcopy(network)
    identities = Identities(count_identities(sequences)[-1], EMBEDDING)
    if options.start is not None:
        beside = options.start.with_name("identities.pt")
        known = torch.load(beside, weights_only=True)["vectors"]
        with torch.no_grad():
            identities.vectors[: len(known)] = known
    for name in options.fixed:
        network.get_submodule(name).requires_grad_(False)
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in network.parameters() if p.ndim > 1], "weight_decay": 0.02},
            {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0},
            {"params": identities.parameters(), "weight_decay": 0.0, "factor": 4.0},
        ],
        lr=options.rate,
    )
    replicas = [_Replica(network, identities, options, row) for row in range(options.threads)]
    started = time.monotonic()
    sums: dict[str, float] = {}
    with (
        (options.out / "log.jsonl").open("a") as log,
        ThreadPoolExecutor(
            options.threads, initializer=torch.set_num_threads, initargs=(1,)
        ) as pool,
    ):
        steps = float(options.steps)
        last = options.stop or options.steps
        for step, values in enumerate(_Batches(sequences, options.seed, last)):
            minutes = (time.monotonic() - started) / 60.0
            if options.minutes:
                steps = max(step, 1) * options.minutes / max(minutes, 1e-3)
            share = rate_share(step, max(int(steps), options.warm_up + 1), options.warm_up)
            for group in optimizer.param_groups:
                group["lr"] = options.rate * share * group.get("factor", 1.0)
            tensors = {name: torch.from_numpy(value) for name, value in values.items()}
            shares = [
                {name: value[part] for name, value in tensors.items()}
                for part in _parts(len(values["image"]), options.threads)
            ]
            parts = _mean(list(pool.map(_Replica.learn, replicas, shares)))
            _gather(replicas)
            nn.utils.clip_grad_norm_(network.parameters(), 10.0)
            optimizer.step()
            follow(average, network, min(AVERAGE, (step + 1) / (step + 10)))
            for name, part in parts.items():
                sums[name] = sums.get(name, 0.0) + part / LOG_EVERY
            if (step + 1) % LOG_EVERY == 0:
                line = {"step": step + 1, "seconds": round(time.monotonic() - started, 1)}
                line.update({name: round(value, 4) for name, value in sums.items()})
                print(json.dumps(line), file=log, flush=True)
                sums = {}
            over = bool(options.minutes) and minutes >= options.minutes
            if (step + 1) % SAVE_EVERY == 0 or step + 1 == last or over:
                _save(average.state_dict(), options.out / "network.pt")
                _save(identities.state_dict(), options.out / "identities.pt")
            if over:
                break


class _Replica:
    """A copy of the network for one thread: the same weights, gradients of its own.

    One copy a thread keeps the threads from waiting for each other within a step, as operators
    spread over threads do on a machine that others use too.
    """

    def __init__(
        self,
        network: PersonNetwork,
        identities: Identities,
        options: argparse.Namespace,
        row: int,
    ) -> None:
        self.network, self.identities = copy.deepcopy(network), copy.deepcopy(identities)
        self.modules: list[nn.Module] = [self.network, self.identities]
        self.shared: list[nn.Module] = [network, identities]
        for mine, other in zip(self.modules, self.shared, strict=True):
            for parameter, shared in zip(mine.parameters(), other.parameters(), strict=True):
                parameter.data = shared.data
            mine.train()
        for name in options.fixed:
            self.network.get_submodule(name).eval()
        self._weights: dict[str, float] = options.weights
        self._halved = not options.float32
        self._random = torch.Generator().manual_seed(options.seed + row)

    def learn(self, batch: dict[str, Tensor]) -> dict[str, float]:
        """Put the gradients of a batch into the copy; returns the loss's parts, not weighted."""
        for module in self.modules:
            module.zero_grad()
        parts = losses(self.network, self.identities, batch, self._random, self._halved)
        weighted = [self._weights[name] * part for name, part in parts.items()]
        torch.stack(weighted).sum().backward()
        return {name: float(part.detach()) for name, part in parts.items()}


def _parts(count: int, parts: int) -> list[slice]:
    """Slices that divide a batch."""
    edges = [count * row // parts for row in range(parts + 1)]
    return [slice(first, last) for first, last in zip(edges, edges[1:], strict=False)]


def _mean(parts: list[dict[str, float]]) -> dict[str, float]:
    return {name: sum(one[name] for one in parts) / len(parts) for name in parts[0]}


def _gather(replicas: list[_Replica]) -> None:
    """Give the shared modules the mean of the copies' gradients and the first copy's statistics."""
    for row, shared in enumerate(replicas[0].shared):
        copies = [replica.modules[row] for replica in replicas]
        each = zip(shared.parameters(), *(one.parameters() for one in copies), strict=True)
        for parameter, *others in each:
            if not parameter.requires_grad:
                continue
            parameter.grad = torch.stack([other.grad for other in others]).mean(dim=0)
        for buffer, other in zip(shared.buffers(), copies[0].buffers(), strict=True):
            buffer.copy_(other)


def rate_share(step: int, steps: int, warm_up: int) -> float:
    """Share of the highest learning rate: a linear rise, then half a cosine to 1/50."""
    if step < warm_up:
        return (step + 1) / warm_up
    done = (step - warm_up) / max(steps - warm_up, 1)
    return float(0.02 + 0.98 * 0.5 * (1.0 + np.cos(np.pi * done)))


def follow(average: nn.Module, network: nn.Module, keep: float) -> None:
    """Move the averaged weights towards the network's."""
    with torch.no_grad():
        for mine, other in zip(
            average.state_dict().values(), network.state_dict().values(), strict=True
        ):
            if mine.dtype.is_floating_point:
                mine.lerp_(other, 1.0 - keep)
            else:
                mine.copy_(other)


def _save(state: dict[str, Tensor], path: Path) -> None:
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


class _Batches:
    """The batches of all steps, made one ahead by a thread of its own."""

    def __init__(self, sequences: list[Panoramas], seed: int, steps: int) -> None:
        self._ready: queue.Queue[Batch | BaseException] = queue.Queue(3)
        self._left = steps
        self._work = (sequences, seed, steps)
        threading.Thread(target=self._make, daemon=True).start()

    def _make(self) -> None:
        sequences, seed, steps = self._work
        try:
            for step in range(steps):
                self._ready.put(batch(sequences, generator(seed, "batch", step)))
        except BaseException as error:
            self._ready.put(error)

    def __iter__(self) -> _Batches:
        return self

    def __next__(self) -> Batch:
        if not self._left:
            raise StopIteration
        self._left -= 1
        made = self._ready.get()
        if isinstance(made, BaseException):
            raise made
        return made


if __name__ == "__main__":
    sys.exit(main())
