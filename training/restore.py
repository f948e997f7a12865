"""Reads an exported file back into weights that training can go on from.

    python -m training.restore PANORAMAS --out RUN [--detector FILE.onnx]

The export joins each convolution with the normalisation after it. Here they are parted again: the
means and deviations that channels have on views of the panoramas become those of the
normalisation, whose factor and summand are set so that the network says what the file says. Each
person's unit vector of the training's identities is the mean of how they look in those views.
``RUN/network.pt`` and ``RUN/identities.pt`` are as `training.train` leaves them. Before they are
written, the file and the network are compared on views; a difference ends the program.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnx import TensorProto, numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from avr_ros.perception.detector_description import SHIPPED
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.seeds import generator
from training.crops import GESTURES, POSTURES, batch, identities
from training.export import WHOLE
from training.losses import FOUND_FROM, PREDICTED, pairwise_iou
from training.network import ADDED_LATER, EMBEDDING, PIXEL_SCALE, PersonNetwork
from training.panoramas import Panoramas, load_all

FIRST: Final = "stem.0.0"
"""The convolution that pixels come to; its exported weights hold their scale."""

BATCHES: Final = 40
"""Batches of views from which statistics and looks are taken."""

COMPARED: Final = 2
"""Batches on which the file and the network are compared."""

ALIKE: Final = 1e-4
"""Most that numbers between 0 and 1 may differ by, and those in pixels by 100 times of it."""

IN_PIXELS: Final = (0, 4)
"""Outputs of the exported graph that are in pixels: boxes and feet."""


def main(arguments: list[str] | None = None) -> int:
    """Restore."""
    parser = argparse.ArgumentParser(
        prog="training.restore",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("panoramas", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--detector", type=Path, default=SHIPPED.with_suffix(".onnx"))
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    sequences = load_all(options.panoramas)
    network = PersonNetwork(len(POSTURES), len(GESTURES))
    take_exported(network, options.detector)
    network.eval()
    with torch.no_grad():
        vectors = part_normalisation(network, sequences)
        differences = compare(network, options.detector, sequences)
    print("largest differences of outputs:", " ".join(f"{value:.1e}" for value in differences))
    options.out.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), options.out / "network.pt")
    torch.save({"vectors": vectors}, options.out / "identities.pt")
    return 0


def take_exported(network: PersonNetwork, path: Path) -> None:
    """Load an exported file; what it joined is left joined, and normalisations change nothing.

    Raises BadInputError for another network's file.
    """
    state = network.state_dict()
    unset = {
        name
        for name in state
        if not name.startswith(ADDED_LATER) and not name.endswith("num_batches_tracked")
    }
    for name, value in exported_weights(onnx.load(str(path))):
        if name not in state or state[name].shape != value.shape:
            raise BadInputError(f"{path} is of another network: {name} {list(value.shape)}")
        state[name] = torch.from_numpy(value.copy())
        unset.discard(name)
    for name, module in network.named_modules():
        if isinstance(module, nn.BatchNorm2d):
            state[f"{name}.running_mean"].zero_()
            state[f"{name}.running_var"].fill_(1.0 - module.eps)
            state[f"{name}.weight"].fill_(1.0)
            unset -= {f"{name}.{part}" for part in ("running_mean", "running_var", "weight")}
    if unset:
        raise BadInputError(f"{path} is of another network: it has no {min(unset)}")
    network.load_state_dict(state)


def exported_weights(model: onnx.ModelProto) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Names in the network's state, and values.

    A weight keeps its name unless the export changed it; then the name of the node that uses it
    says whose it is.
    """
    values = {
        one.name: numpy_helper.to_array(one).astype(np.float32)
        for one in model.graph.initializer
        if one.data_type in (TensorProto.FLOAT, TensorProto.FLOAT16)
    }
    for name, value in values.items():
        if "::" not in name:
            yield name, value
    summands = {}
    for node in model.graph.node:
        inputs = [name.removesuffix(WHOLE) for name in node.input]
        changed = [values[name] for name in inputs if "::" in name and name in values]
        if not changed:
            continue
        module = _module(node.name)
        if node.op_type == "Conv":
            scale = PIXEL_SCALE if module == FIRST else 1.0
            yield f"{module}.weight", changed[0] * np.float32(scale)
            yield f"{_normalisation(module)}.bias", changed[1]
        elif node.op_type == "MatMul":
            yield f"{module}.weight", changed[0].T
        elif node.op_type in ("Mul", "Add"):
            # Only the calibration of gestures multiplies and adds, in this order.
            summands[node.op_type] = changed[0]
    if len(summands) == 2:
        yield "calibrated_gestures", np.stack([summands["Mul"], summands["Add"]])


def _module(node: str) -> str:
    """The module's name from a node's, as ``/stem/stem.2/body/body.0/body.0.1/Conv``."""
    parts: list[str] = []
    for part in node.strip("/").split("/")[:-1]:
        if parts and part.startswith(parts[-1] + "."):
            parts.pop()
        parts.append(part)
    return ".".join(parts)


def _normalisation(convolution: str) -> str:
    """The name of the normalisation after a convolution."""
    before, _, last = convolution.rpartition(".")
    return f"{before}.norm" if last == "last" else f"{before}.{int(last) + 1}"


def part_normalisation(network: PersonNetwork, sequences: list[Panoramas]) -> Tensor:
    """Part convolutions and normalisations on views; returns the identities' vectors (N, 64)."""
    channels = {convolution: _Channels() for convolution, _ in _pairs(network)}
    hooks = [convolution.register_forward_hook(seen.take) for convolution, seen in channels.items()]
    looks = torch.zeros(identities(sequences)[-1], EMBEDDING)
    for step in range(BATCHES):
        values = batch(sequences, generator(0, "restore", step))
        tensors = {name: torch.from_numpy(value) for name, value in values.items()}
        dense = network.dense(tensors["image"])
        _, rough = network.candidates(dense, PREDICTED)
        people = network.look_twice(dense, rough, float(tensors["image"].shape[1]))
        true = tensors["box"]
        overlap = pairwise_iou(people.box.reshape(rough.shape), true)
        overlap *= (tensors["weight"] > 0)[:, None, :]
        best, owner = overlap.max(dim=2)
        found = (best >= FOUND_FROM).reshape(-1)
        whose = torch.gather(tensors["identity"], 1, owner).reshape(-1)[found]
        looks.index_add_(0, whose, people.appearance[found])
    for hook in hooks:
        hook.remove()
    for convolution, normalisation in _pairs(network):
        _part(convolution, normalisation, channels[convolution])
    # Nobody's direction is as good as any other for those who were not seen.
    unseen = looks.abs().sum(dim=1) == 0.0
    looks[unseen] = torch.randn(
        (int(unseen.sum()), EMBEDDING), generator=torch.Generator().manual_seed(0)
    )
    return functional.normalize(looks, dim=1)


class _Channels:
    """Sums over the channels of a convolution's outputs."""

    def __init__(self) -> None:
        self._count = 0
        self._sum = self._squares = torch.zeros(())

    def take(self, module: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        """Count an output (B, C, H, W), as a forward hook."""
        values = output.double()
        self._count += values[:, 0].numel()
        self._sum = self._sum + values.sum(dim=(0, 2, 3))
        self._squares = self._squares + values.square().sum(dim=(0, 2, 3))

    def mean_and_variance(self) -> tuple[Tensor, Tensor]:
        """Of each channel, both (C,)."""
        mean = self._sum / self._count
        return mean, (self._squares / self._count - mean.square()).clamp(min=0.0)


def _pairs(network: PersonNetwork) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Each convolution that a normalisation follows."""
    modules = dict(network.named_modules())
    return [
        (module, modules[_normalisation(name)])
        for name, module in modules.items()
        if isinstance(module, nn.Conv2d) and module.bias is None
    ]


def _part(convolution: nn.Conv2d, normalisation: nn.BatchNorm2d, seen: _Channels) -> None:
    """Part one pair, whose normalisation only adds its bias, without changing what they give.

    A convolution's weights for one channel get the length 1: the length has no effect before a
    normalisation, but a rate of learning acts against it.
    """
    mean, variance = seen.mean_and_variance()
    length = convolution.weight.double().flatten(1).norm(dim=1).clamp(min=1e-6)
    convolution.weight.copy_(convolution.weight / length.float()[:, None, None, None])
    mean, variance = mean / length, variance / length.square()
    factor = length * (variance + normalisation.eps).sqrt()
    normalisation.running_mean.copy_(mean)
    normalisation.running_var.copy_(variance)
    normalisation.weight.copy_(factor)
    normalisation.bias.add_((mean * length).float())


def compare(network: PersonNetwork, path: Path, sequences: list[Panoramas]) -> list[float]:
    """The largest difference of each output on views.

    Raises BadInputError where it is too large.
    """
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    largest = [0.0] * len(session.get_outputs())
    for step in range(COMPARED):
        image = batch(sequences, generator(0, "compare", step))["image"]
        told = session.run(None, {session.get_inputs()[0].name: image})
        for index, (ours, its) in enumerate(
            zip(network(torch.from_numpy(image)), told, strict=True)
        ):
            largest[index] = max(largest[index], float(np.abs(ours.numpy() - its).max()))
    for index, difference in enumerate(largest):
        most = ALIKE * (100.0 if index in IN_PIXELS else 1.0)
        if difference > most:
            raise BadInputError(
                f"the weights restored from {path} differ from it by {difference:.2g} in output "
                f"{index}, more than {most:.2g}: the file is of another network or another export"
            )
    return largest


if __name__ == "__main__":
    sys.exit(main())
